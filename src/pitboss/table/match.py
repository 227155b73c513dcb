"""Hand after hand at one table: chairs, buy-ins, top-ups, button and blinds, until fewer than two want to play.

A match is a frozen value around the table document; the hand being played is dealt from it and given back to it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pitboss.cards import Card
from pitboss.hand.events import Event
from pitboss.hand.hand import Hand
from pitboss.notation.chips import Amount, Unit
from pitboss.table.document import LEAVES, PLAYS, Document, DocumentError, is_amount, plain
from pitboss.table.hands import Moving, charge_unposted, finishing_stacks, is_waiting, next_hand
from pitboss.table.play import act, auto, course_of, deal
from pitboss.table.seating import join, leave, merge, pause, resume, wait_for_big_blind

WISHES = {"pause": pause, "wait": wait_for_big_blind, "resume": resume, "leave": leave}


class Given(Struct, frozen=True):
    """A hand given out of a table: its players by place, and how many chips make one of the table's money."""

    hand: Hand
    players: tuple[str, ...]
    unit: Unit

    def dealt(self, deck: Sequence[Card]) -> tuple["Given", tuple[Event, ...]]:
        """The same hand begun anew with a deck, from which it deals by itself, and what happened so far."""
        round = self.hand.round
        stacks = [stack + bet + paid for stack, bet, paid in zip(round.stacks, round.bets, round.paid, strict=True)]
        hand, events = Hand.start(self.hand.structure, stacks=stacks, stakes=self.hand.stakes, deck=deck)
        return replace(self, hand=hand), events


class Match(Struct, frozen=True, kw_only=True):
    """A table between or within hands.

    >>> table = open_table(small_blind=1, big_blind=2, seat_count=6, least_buy_in=40, most_buy_in=200)
    >>> table = table.sit("ann", 100).sit("bob", 100).next()
    >>> table.document.blinds, table.document.hand
    ((1, 2), 1)
    """

    document: Document
    least_buy_in: Amount = 1
    most_buy_in: Amount | None = None
    moving: Moving = "big_blind"

    @property
    def is_between_hands(self) -> bool:
        """Whether chips may be brought to the table: nothing of a hand is dealt, or it is over."""
        return not self.document.actions or self.is_hand_over

    @property
    def is_hand_over(self) -> bool:
        """Whether the present hand is played to its end."""
        if self.document.finishing_stacks is not None:
            return True
        return bool(self.document.actions) and course_of(self.document).hand.over

    @property
    def is_waiting(self) -> bool:
        """Whether fewer than two want to play."""
        return is_waiting(self.document)

    def sit(self, name: str, stack: Amount, *, seat: int | None = None) -> "Match":
        """Give somebody a chair; he is dealt in from the next hand on."""
        self._check_buy_in(stack)
        return replace(self, document=merge(self.document, join(self.document, name, stack, seat=seat), name).document)

    def top_up(self, name: str, amount: Amount) -> "Match":
        """Bring more chips, between hands, up to the most that may be on the table; without chips it is a rebuy."""
        document = self.document
        player = document.index(name)
        if not self.is_between_hands:
            raise DocumentError("chips are brought between hands only")
        if not is_amount(amount) or not amount:
            raise DocumentError(f"{amount!r} is no number of chips to bring")
        if document.intents[player] == LEAVES:
            if document.stacks[player]:
                raise DocumentError(f"{name!r} has left the table")
            document = replace(document, intents=(*document.intents[:player], PLAYS, *document.intents[player + 1 :]))
        stacks = list(finishing_stacks(document) if document.actions or document.finishing_stacks else document.stacks)
        stacks[player] = plain(stacks[player] + amount)
        self._check_buy_in(stacks[player])
        field = "finishing_stacks" if document.actions or document.finishing_stacks else "stacks"
        return replace(self, document=replace(document, **{field: tuple(stacks)}))

    def wish(self, name: str, what: str) -> "Match":
        """Let a player `pause`, `wait` for the big blind, `resume` or `leave`, at any moment."""
        if what not in WISHES:
            raise DocumentError(f"{what!r} is no wish: say {', '.join(WISHES)}")
        return replace(self, document=merge(self.document, WISHES[what](self.document, name), name).document)

    def next(self) -> "Match":
        """Go on to the next hand, or wait."""
        return replace(self, document=next_hand(self.document, moving=self.moving))

    def deal(self, deck: Sequence[Card]) -> "Match":
        """Deal what is due from the hand's deck."""
        return replace(self, document=deal(self.document, deck))

    def act(self, name: str, action: str) -> "Match":
        """Play a player's action."""
        return replace(self, document=act(self.document, name, action))

    def auto(self, **policy: Any) -> "Match":
        """Play for whoever's time is up."""
        return replace(self, document=auto(self.document, **policy))

    def hand(self) -> "Given":
        """The hand as it stands, to be played elsewhere and given back with `finish`."""
        course = course_of(self.document)
        names = tuple(self.document.players[player] for player in course.lineup.players)
        return Given(course.hand, names, course.unit)

    def finish(self, given: "Given") -> "Match":
        """Take back a hand that `hand` gave out, played to its end; who went meanwhile was in it all the same."""
        if not given.hand.over or not set(given.players) <= set(self.document.players):
            raise DocumentError("only this table's own hand, played to its end, can be given back")
        document = charge_unposted(self.document, given.players)
        stacks = list(document.stacks)
        for place, name in enumerate(given.players):
            stacks[document.index(name)] = given.unit.amount(given.hand.stacks[place])
        return replace(self, document=replace(document, finishing_stacks=tuple(stacks)))

    def after(self, stacks: Mapping[str, Amount], *, hand: int, button: str) -> "Match":
        """The table as a hand kept elsewhere left it: who was in it, with which chips, and who had the button."""
        document = self.document
        chips = tuple(stacks.get(name, stack) for name, stack in zip(document.players, document.stacks, strict=True))
        inactive = [0 if name in stacks else out for name, out in zip(document.players, document.inactive, strict=True)]
        document = replace(
            document,
            hand=hand,
            button=document.index(button),
            inactive=tuple(inactive),
            stacks=chips,
            finishing_stacks=chips,
        )
        return replace(self, document=document)

    def _check_buy_in(self, stack: Amount) -> None:
        if not is_amount(stack):
            raise DocumentError(f"{stack!r} is no number of chips")
        if stack < self.least_buy_in:
            raise DocumentError(f"{stack} is below the least buy-in, {self.least_buy_in}")
        if self.most_buy_in is not None and stack > self.most_buy_in:
            raise DocumentError(f"{stack} is above the most that may be brought, {self.most_buy_in}")


def open_table(
    *,
    small_blind: Amount,
    big_blind: Amount,
    seat_count: int,
    ante: Amount = 0,
    least_buy_in: Amount = 1,
    most_buy_in: Amount | None = None,
    moving: Moving = "big_blind",
) -> Match:
    """An empty table."""
    document = Document(
        players=(),
        stacks=(),
        blinds=(),
        antes=(),
        inactive=(),
        intents=(),
        dead_blinds=(),
        hand=0,
        seats=(),
        seat_count=seat_count,
        min_bet=big_blind,
        rest={"_smallBlind": small_blind, "_ante": ante},
    )
    return Match(document=document, least_buy_in=least_buy_in, most_buy_in=most_buy_in, moving=moving)
