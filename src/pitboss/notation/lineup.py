"""Who of a record's players is dealt in, and which place of the hand each has.

Plain PHH lists the players of one hand from the button's left. A table's record also lists who sits out (`_inactive`)
and says where the button is (`_button`), because seats stay while the button moves.
"""

from collections.abc import Sequence

from msgspec import Struct

from pitboss.errors import PitbossError
from pitboss.notation.chips import Amount
from pitboss.notation.moves import Move
from pitboss.notation.record import Record


class LineupError(PitbossError, ValueError):
    """Table fields that contradict the record."""


class Lineup(Struct, frozen=True):
    """The players dealt in, in the order of places: entry p is the player's index in the record's arrays."""

    players: tuple[int, ...]
    away: frozenset[int] = frozenset()  #: the places of those who have left the table in the middle of the hand
    table: bool = False  #: whether the arrays are a table's, where each entry is that player's own

    def place(self, player: int) -> int:
        """The place of a player in the hand."""
        if player not in self.players:
            raise LineupError(f"p{player + 1} is not dealt in")
        return self.players.index(player)

    def by_place(self, amounts: Sequence[Amount], players: int, what: str) -> list[Amount]:
        """Forced bets of all the record's players in the order of places.

        Plain PHH lists them in the order they are posted, and heads-up the button, who is p2, posts first.
        """
        if len(amounts) != players:
            raise LineupError(f"{len(amounts)} {what} for {players} players")
        if not self.table and len(amounts) == 2:
            amounts = amounts[::-1]
        return [amounts[player] for player in self.players]


def lineup(record: Record, moves: Sequence[Move]) -> Lineup:
    """Who plays: all but those who sit out and have been dealt no cards."""
    n = len(record.starting_stacks)
    inactive = _flags(record, n)
    dealt = {move.place for move in moves if move.verb == "dh"}
    playing = [player for player in range(n) if not inactive[player] or player in dealt]
    if len(playing) < 2:
        raise LineupError(f"a hand needs at least two players, not {len(playing)}")
    button = record.user.get("_button")
    if button is not None:
        if type(button) is not int or button not in playing:
            raise LineupError(f"_button is {button!r}, which is nobody who plays")
        if record.seats is not None:
            seats = record.seats
            playing.sort(key=lambda player: seats[player])
        first = playing.index(button) + 1
        playing = playing[first:] + playing[:first]
    away = frozenset(place for place, player in enumerate(playing) if inactive[player])
    return Lineup(tuple(playing), away, button is not None)


def _flags(record: Record, n: int) -> tuple[bool, ...]:
    given = record.user.get("_inactive")
    if given is None:
        return (False,) * n
    if not isinstance(given, tuple) or len(given) != n or not all(type(flag) is int for flag in given):
        raise LineupError(f"_inactive must be {n} whole numbers, one a player")
    return tuple(flag != 0 for flag in given)
