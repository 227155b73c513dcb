"""The table as the arena's match still asks for it; whoever calls this should call `Table` itself."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from pitboss.cards import Card
from pitboss.hand.events import Event
from pitboss.hand.hand import Hand
from pitboss.table.levels import TableStakes
from pitboss.table.table import Moving, Table


class Given(Struct, frozen=True):
    """A hand given out of a table: its players by place."""

    hand: Hand
    players: tuple[str, ...]
    table: Table

    def dealt(self, deck: Sequence[Card]) -> tuple["Given", tuple[Event, ...]]:
        """The hand with a deck, from which it deals by itself, and what happened so far."""
        hand, events = self.table.setup().start(deck)
        return replace(self, hand=hand), events


class SittingPlayers(NamedTuple):
    """Who sits at the table."""

    players: tuple[str, ...]


class Match(Struct, frozen=True, kw_only=True):
    """A table between or within hands."""

    table: Table

    @property
    def document(self) -> SittingPlayers:
        """Who sits at the table."""
        return SittingPlayers(tuple(chair.who for chair in self.table.chairs))

    def sit(self, name: str, stack: int, *, seat: int) -> "Match":
        """Give somebody a chair; seats count from 1."""
        return replace(self, table=self.table.sit(name, stack, seat=seat - 1))

    def next(self) -> "Match":
        """Go on to the next hand, which counts as dealt, or wait."""
        table = self.table.next()
        return replace(self, table=replace(table, phase="dealt") if table.phase == "ready" else table)

    def hand(self) -> "Given":
        """The hand that is set up."""
        hand, _ = self.table.setup().start()
        return Given(hand, tuple(self.table.chair(seat).who for seat in self.table.order), self.table)

    def finish(self, given: "Given") -> "Match":
        """Take back a hand played to its end; who sat down meanwhile stays."""
        return replace(self, table=self.table.finish(given.hand))

    def after(self, stacks: Mapping[str, int], *, hand: int, button: str) -> "Match":
        """The table as a hand recorded elsewhere left it."""
        seats = {self.table.find(name).seat: stack for name, stack in stacks.items()}
        return replace(self, table=self.table.after(seats, hand=hand, button=self.table.find(button).seat))


def open_table(*, small_blind: int, big_blind: int, seat_count: int, moving: Moving) -> Match:
    """An empty table."""
    stakes = TableStakes(small_blind=small_blind, big_blind=big_blind)
    return Match(table=Table.open(stakes, seat_count=seat_count, moving=moving))
