"""From hand to hand: who has left, who comes back, who owes what, and where the blinds go."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Literal, TypeVar

from msgspec.structs import replace

from pitboss.notation.chips import Amount
from pitboss.table.document import (
    HALF,
    LEAVES,
    MOST_OWED,
    PAUSES,
    PLAYS,
    WAITS_FOR_BIG_BLIND,
    Document,
    DocumentError,
    plain,
)
from pitboss.table.play import course_of
from pitboss.table.rotation import (
    Blinds,
    blinds_left_of,
    find_blinds,
    find_button,
    next_dealt_in,
    passed,
)

T = TypeVar("T")

Moving = Literal["big_blind", "button"]
"""What moves from hand to hand: the big blind, so that nobody misses or repeats one, or the button, as in a match."""


def next_hand(document: Document, *, moving: Moving = "big_blind") -> Document:
    """The document of the next hand, nothing dealt yet; where fewer than two can be dealt in, the table waits.

    Needs a finished hand: one whose actions play out to the end, or whose `finishingStacks` are given.
    """
    waiting = is_waiting(document)
    stacks = document.stacks if waiting else finishing_stacks(document)
    known = charge_unposted(document) if waiting or document.actions else document
    table = _Table(known, stacks)
    table.seat_players(short_stacks=moving == "button")
    if moving == "big_blind":
        table.move_big_blind()
    else:
        table.move_button()
    if sum(table.dealt_in) < 2:
        return _wait(document, table)
    table.pay_debts()
    return _without_leavers(document, table)


def charge_unposted(document: Document, dealt_in: Sequence[str] = ()) -> Document:
    """Put on his account the blind of everybody who went before the deal and was not dealt in."""
    before, debts = _blinds_before(document), list(document.dead_blinds)
    for name in document.rest.get("_unposted", ()):
        if name in document.players and name not in dealt_in:
            player = document.index(name)
            missed = document.min_bet if before is not None and player == before.big else document.min_bet * HALF
            debts[player] = owing(debts[player] + missed, document.min_bet)
    rest = {field: value for field, value in document.rest.items() if field != "_unposted"}
    return replace(document, dead_blinds=tuple(debts), rest=rest)


def owing(debt: Amount, big_blind: Amount) -> Amount:
    """A debt, up to the most that anybody owes."""
    return plain(min(debt, MOST_OWED * big_blind))


def is_waiting(document: Document) -> bool:
    """Whether a table stands still because fewer than two can be dealt in."""
    return not document.actions and document.finishing_stacks is None and sum(document.dealt_in) < 2


def finishing_stacks(document: Document) -> tuple[Amount, ...]:
    """Everybody's chips once the hand is over."""
    if document.finishing_stacks is not None:
        return document.finishing_stacks
    course = course_of(document)
    if not course.hand.over:
        raise DocumentError("the hand is not finished: play it to its end or give finishingStacks")
    return course.finishing_stacks()


_ROUND = 1 << 30
"""More seats than any table has: seat numbers are compared modulo this."""


def _blinds_before(document: Document) -> Blinds | None:
    """Last hand's blinds; where both are of one size, `_bigBlind` says which is the big one, or -1: he is gone."""
    found = find_blinds(document.clockwise, document.dealt_in, document.blinds, document.min_bet, document.button)
    big = document.rest.get("_bigBlind")
    if big == -1:
        return None
    if found is not None and found.small is not None and big == found.small:
        return Blinds(found.big, found.small)
    return found


class _Table:
    """The arrays of the coming hand while they are worked out, still with those who leave."""

    def __init__(self, document: Document, stacks: tuple[Amount, ...]) -> None:
        self.document = document
        self.clockwise = document.clockwise
        self.big = document.min_bet
        self.before = _blinds_before(document)
        self.small = small_blind(document)
        self.stacks = list(stacks)
        self.inactive = list(document.inactive)
        self.intents = list(document.intents)
        self.debts = list(document.dead_blinds)
        self.gone = [intent == LEAVES for intent in document.intents]
        self.dealt_in = [False] * len(stacks)
        self.dead_money: Amount = document.dead_money if is_waiting(document) else 0
        self.after: Blinds | None = None
        self.small_place: int | None = None  # where the small blind would be, whoever is there

    def seat_players(self, *, short_stacks: bool) -> None:
        """Who is dealt in whatever the blinds do; a wish to pause takes effect, who cannot pay is out.

        In a match, where nobody owes a blind, whoever has a chip is dealt in.
        """
        for player, intent in enumerate(self.intents):
            if self.gone[player]:
                continue
            if not self.stacks[player]:
                self.inactive[player], self.intents[player] = 1, LEAVES
            elif intent in (WAITS_FOR_BIG_BLIND, PAUSES):
                self.inactive[player] = 1
            elif not self.inactive[player] or short_stacks or self.stacks[player] >= self.price_of_return(player):
                self.dealt_in[player] = True
            else:
                self.intents[player] = LEAVES

    def price_of_return(self, player: int) -> Amount:
        """What somebody who comes back must be able to pay: debt, one big blind and the ante."""
        return self.debts[player] + self.big + self.document.antes[player]

    def move_button(self) -> None:
        """The button to the next seat dealt in, the blinds to its left."""
        if sum(self.dealt_in) < 2:
            return
        last = self.document.button if self.document.button is not None else self.clockwise[-1]
        self.after = blinds_left_of(self.clockwise, self.dealt_in, next_dealt_in(self.clockwise, self.dealt_in, last))

    def move_big_blind(self) -> None:
        """The big blind to the next seat dealt in, or to one who waits for it; the small blind to where it was."""
        dealt = [player for player in self.clockwise if self.dealt_in[player]]
        two_are_left = any(self.gone) and len(self.gone) - sum(self.gone) == 2
        if len(dealt) >= 2 and two_are_left:
            self.after = Blinds(min(dealt), max(dealt))
            return
        if len(dealt) >= 2 and self.before is None:
            self.after = Blinds(dealt[0], dealt[1])
            return
        if not dealt or self.before is None:
            return
        reachable = [
            dealt or (self.intents[player] == WAITS_FOR_BIG_BLIND and not self.gone[player])
            for player, dealt in enumerate(self.dealt_in)
        ]
        big = next_dealt_in(self.clockwise, reachable, self.before.big)
        small = self.before.big
        self.charge(passed(self.clockwise, self.before.big, big), self.big)
        self.charge(self.passed_by_small_blind(), self.big * HALF)
        self.charge((small,), self.big * HALF)
        self.small_place = small
        self.after = Blinds(None if self.gone[small] or small == big else small, big)
        if not self.dealt_in[big]:
            self.dealt_in[big] = True
            self.intents[big], self.debts[big] = PLAYS, 0

    def passed_by_small_blind(self) -> tuple[int, ...]:
        """Who sits between the small blind's old place and its new one."""
        assert self.before is not None
        if self.before.small is not None:
            return passed(self.clockwise, self.before.small, self.before.big)
        seats, seat, after = self.document.seats, *map(self.document.rest.get, ("_smallSeat", "_smallAfter"))
        if seats is not None and isinstance(seat, int):
            end = seats[self.before.big]
            return tuple(p for p in self.clockwise if 0 < (seats[p] - seat) % _ROUND < (end - seat) % _ROUND)
        return passed(self.clockwise, after, self.before.big) if after in self.clockwise else ()

    def charge(self, missed: tuple[int, ...], amount: Amount) -> None:
        """Put a missed blind on the account of everybody among these who sits out."""
        for player in missed:
            if self.inactive[player] and self.intents[player] in (WAITS_FOR_BIG_BLIND, PAUSES):
                self.debts[player] = owing(self.debts[player] + amount, self.big)

    def pay_debts(self) -> None:
        """Everybody dealt in becomes active; what he owes leaves his stack and lies in the pot."""
        for player, dealt in enumerate(self.dealt_in):
            if dealt:
                self.stacks[player] = plain(self.stacks[player] - self.debts[player])
                self.dead_money = plain(self.dead_money + self.debts[player])
                self.inactive[player], self.debts[player] = 0, 0

    def blinds(self) -> list[Amount]:
        """The blinds' array of the coming hand."""
        blinds: list[Amount] = [0] * len(self.stacks)
        if self.after is not None:
            blinds[self.after.big] = self.big
            if self.after.small is not None:
                blinds[self.after.small] = self.small
        return blinds


def small_blind(document: Document) -> Amount:
    """The small blind's size, which a hand without one does not show."""
    shown = [blind for blind in document.blinds if 0 < blind < document.min_bet]
    kept = document.rest.get("_smallBlind")
    if isinstance(kept, int | Decimal):
        return kept
    if shown:
        return shown[0]
    return document.min_bet if document.blinds.count(document.min_bet) > 1 else plain(document.min_bet * HALF)


def _wait(document: Document, table: _Table) -> Document:
    """The table stands still: who has left is gone, chips are counted, blinds stay, nobody is charged."""
    table.debts = list(document.dead_blinds)
    table.inactive = [out if stack else 1 for stack, out in zip(table.stacks, document.inactive, strict=True)]
    table.intents = [wish if stack else LEAVES for stack, wish in zip(table.stacks, document.intents, strict=True)]
    table.after = table.before
    table.small_place = None if table.before is None else table.before.small
    table.dealt_in = [not out for out in table.inactive]
    waiting = _without_leavers(document, table)
    return replace(waiting, hand=document.hand, rest={**waiting.rest, **_still_known(document, table, waiting)})


def _still_known(document: Document, table: _Table, waiting: Document) -> dict[str, Any]:
    """What a table that stands still must not forget: the small blind's place, and who has a blind yet to post."""
    known: dict[str, Any] = {}
    if table.small_place is None and waiting.players:
        after = document.rest.get("_smallAfter")
        if "_smallSeat" in document.rest:
            known["_smallSeat"] = document.rest["_smallSeat"]
        elif after in table.clockwise:
            last = _last_before(table, after, itself=True)
            known["_smallAfter"] = waiting.players.index(document.players[last])
    unposted = tuple(name for name in document.rest.get("_unposted", ()) if name in waiting.players)
    if unposted and not document.actions and document.finishing_stacks is None:
        known["_unposted"] = unposted
    return known


_PASSING = ("winnings", "_smallBlind", "_smallSeat", "_smallAfter", "_bigBlind", "_unposted")
"""Fields of one hand that the next does not inherit."""


def _without_leavers(document: Document, table: _Table) -> Document:
    """Keep only those who have not left, in every array."""
    kept = [player for player in range(len(table.stacks)) if not table.gone[player]]

    def keep(values: Sequence[T]) -> tuple[T, ...]:
        return tuple(values[player] for player in kept)

    rest = {name: value for name, value in document.rest.items() if name not in _PASSING}
    shown = table.after is not None and table.after.small is not None and not table.gone[table.after.small]
    if not shown or not 0 < table.small < table.big:
        rest["_smallBlind"] = table.small
    if table.small_place is not None and table.gone[table.small_place]:
        if document.seats is not None:
            rest["_smallSeat"] = document.seats[table.small_place]
        elif kept:
            rest["_smallAfter"] = kept.index(_last_before(table, table.small_place))
    if table.small == table.big and table.after is not None:
        rest["_bigBlind"] = -1 if table.gone[table.after.big] else kept.index(table.after.big)
    after = replace(
        document,
        players=keep(document.players),
        stacks=keep(table.stacks),
        blinds=keep(table.blinds()) if table.after is not table.before else keep(document.blinds),
        antes=keep(document.antes),
        inactive=keep(table.inactive),
        intents=keep(table.intents),
        dead_blinds=keep(table.debts),
        seats=None if document.seats is None else keep(document.seats),
        actions=(),
        hand=document.hand + 1 if isinstance(document.hand, int) else document.hand,
        dead_money=table.dead_money,
        finishing_stacks=None,
        author=None,
        button=None,
        rest=rest,
    )
    if table.after is None or table.gone[table.after.big]:
        return after
    small, big = table.after.small, table.after.big
    blinds = Blinds(None if small is None or table.gone[small] else kept.index(small), kept.index(big))
    return replace(after, button=find_button(after.clockwise, after.dealt_in, blinds))


def _last_before(table: _Table, place: int, *, itself: bool = False) -> int:
    """The last player before a place, clockwise, who has not left; the player there first if he counts."""
    if itself and not table.gone[place]:
        return place
    return next_dealt_in(tuple(reversed(table.clockwise)), [not gone for gone in table.gone], place)
