"""Who of a record's players is in its hand, which place each has, and what was dead or owed before anybody spoke."""

from collections.abc import Sequence

from msgspec import Struct

from pitboss.betting.rules import Reopening
from pitboss.errors import PitbossError
from pitboss.notation.chips import Amount


class LineupError(PitbossError, ValueError):
    """A record that contradicts itself about who plays."""


class Lineup(Struct, frozen=True, kw_only=True):
    """The players dealt in, in the order of places: entry p is the player's index in the record's arrays."""

    players: tuple[int, ...]
    away: frozenset[int] = frozenset()  #: the places of those who have left in the middle of the hand
    by_player: bool = False  #: whether each entry of an array is that player's own, in whatever order they post
    dead_posts: tuple[Amount, ...]  #: by player, what he posts dead beside his blind, as a returning player does
    dead_money: Amount = 0  #: chips that are in the pot before anybody posts
    price: Amount = 0  #: what staying costs although nobody posts it
    opener: int | None = None  #: the place that speaks first where posts do not say it
    reopening: Reopening | None = None  #: what gives the right to raise again, where it is not the game's own

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
        if not self.by_player and len(amounts) == 2:
            amounts = amounts[::-1]
        return [amounts[player] for player in self.players]
