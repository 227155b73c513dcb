"""From hand to hand: who has left, who comes back, who owes what, and where the blinds go."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Literal, TypeVar

from msgspec.structs import replace

from pitboss.notation.chips import Amount
from pitboss.table.document import LEAVES, MOST_OWED, PAUSES, PLAYS, WAITS_FOR_BIG_BLIND, Document, DocumentError
from pitboss.table.play import course_of
from pitboss.table.rotation import Blinds, blinds_left_of, find_blinds, find_button, next_dealt_in, passed

T = TypeVar("T")

HALF = Decimal("0.5")


Moving = Literal["big_blind", "button"]
"""What moves from hand to hand: the big blind, so that nobody misses or repeats one, or the button, as in a match."""


def next_hand(document: Document, *, moving: Moving = "big_blind") -> Document:
    """The document of the next hand, nothing dealt yet; where fewer than two can be dealt in, the table waits.

    Needs a finished hand: one whose actions play out to the end, or whose `finishingStacks` are given.
    """
    waiting = is_waiting(document)
    table = _Table(document, document.stacks if waiting else finishing_stacks(document))
    table.seat_players()
    if moving == "big_blind":
        table.move_big_blind()
    else:
        table.move_button()
    if sum(table.dealt_in) < 2:
        return _wait(document, table)
    table.pay_debts()
    return _without_leavers(document, table)


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


class _Table:
    """The arrays of the coming hand while they are worked out, still with those who leave."""

    def __init__(self, document: Document, stacks: tuple[Amount, ...]) -> None:
        self.document = document
        self.clockwise = document.clockwise
        self.big = document.min_bet
        self.before = find_blinds(document.clockwise, document.blinds, document.min_bet)
        self.small = small_blind(document, self.before)
        self.stacks = list(stacks)
        self.inactive = list(document.inactive)
        self.intents = list(document.intents)
        self.debts = list(document.dead_blinds)
        self.gone = [intent == LEAVES for intent in document.intents]
        self.dealt_in = [False] * len(stacks)
        self.dead_money: Amount = document.dead_money if is_waiting(document) else 0
        self.after: Blinds | None = None

    def seat_players(self) -> None:
        """Who is dealt in whatever the blinds do; a wish to pause takes effect, who cannot pay is out."""
        for player, intent in enumerate(self.intents):
            if self.gone[player]:
                continue
            if not self.stacks[player]:
                self.inactive[player], self.intents[player] = 1, LEAVES
            elif intent in (WAITS_FOR_BIG_BLIND, PAUSES):
                self.inactive[player] = 1
            elif not self.inactive[player] or self.stacks[player] >= self.price_of_return(player):
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
        if len(dealt) >= 2 and (self.before is None or two_are_left):
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
        if self.before.small is not None:
            self.charge(passed(self.clockwise, self.before.small, small), self.big * HALF)
        self.charge((small,), self.big * HALF)
        self.after = Blinds(None if self.gone[small] or small == big else small, big)
        if not self.dealt_in[big]:
            self.dealt_in[big] = True
            self.intents[big], self.debts[big] = PLAYS, 0

    def charge(self, missed: tuple[int, ...], amount: Amount) -> None:
        """Put a missed blind on the account of everybody among these who sits out."""
        for player in missed:
            if self.inactive[player] and self.intents[player] in (WAITS_FOR_BIG_BLIND, PAUSES):
                self.debts[player] = plain(min(self.debts[player] + amount, MOST_OWED * self.big))

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


def small_blind(document: Document, blinds: Blinds | None) -> Amount:
    """The small blind's size, which a hand without one does not show."""
    kept = document.rest.get("_smallBlind")
    if isinstance(kept, int | Decimal):
        return kept
    if blinds is not None and blinds.small is not None:
        return document.blinds[blinds.small]
    return plain(document.min_bet * HALF)


def plain(amount: Amount) -> Amount:
    """An amount as a whole number where it is one."""
    return int(amount) if amount == int(amount) else amount


def _wait(document: Document, table: _Table) -> Document:
    """The table stands still: who has left is gone, chips are counted, blinds stay, nobody is charged."""
    flags = [
        (1, LEAVES, debt) if not stack else (out, intent, debt)
        for stack, out, intent, debt in zip(
            table.stacks, document.inactive, document.intents, document.dead_blinds, strict=True
        )
    ]
    table.inactive, table.intents, table.debts = (list(column) for column in zip(*flags, strict=True))
    table.after = table.before
    table.dealt_in = [not out for out in table.inactive]
    waiting = _without_leavers(document, table)
    return replace(waiting, hand=document.hand)


def _without_leavers(document: Document, table: _Table) -> Document:
    """Keep only those who have not left, in every array."""
    kept = [player for player in range(len(table.stacks)) if not table.gone[player]]

    def keep(values: Sequence[T]) -> tuple[T, ...]:
        return tuple(values[player] for player in kept)

    rest = {name: value for name, value in document.rest.items() if name not in ("winnings", "_smallBlind")}
    if table.after is None or table.after.small is None or table.gone[table.after.small]:
        rest["_smallBlind"] = table.small
    after = replace(
        document,
        players=keep(document.players),
        stacks=keep(table.stacks),
        blinds=keep(table.blinds()),
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
    return replace(after, button=find_button(after.clockwise, after.dealt_in, after.blinds))
