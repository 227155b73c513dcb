"""A table's stakes: blinds, antes, straddles, the least bets, the house's rake, and how they rise from hand to hand."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pitboss.errors import PitbossError
from pitboss.hand.rake import Rake


class StakesError(PitbossError, ValueError):
    """Stakes that no table could play for."""


class Level(Struct, frozen=True, kw_only=True):
    """What is played for from one hand on."""

    from_hand: int
    small_blind: int
    big_blind: int
    ante: int = 0
    big_blind_ante: int = 0
    straddles: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        _check(self)
        if type(self.from_hand) is not int or self.from_hand < 1:
            raise StakesError(f"a level begins with a hand, counted from 1, not with {self.from_hand!r}")


class TableStakes(Struct, frozen=True, kw_only=True):
    """What a table plays for, in whole chips.

    >>> stakes = TableStakes(small_blind=1, big_blind=2, levels=(Level(from_hand=11, small_blind=2, big_blind=4),))
    >>> stakes.at(10).big_blind, stakes.at(11).big_blind
    (2, 4)
    """

    small_blind: int
    big_blind: int
    ante: int = 0  #: everybody's, before every hand
    big_blind_ante: int = 0  #: the big blind's, for everybody
    straddles: tuple[int, ...] = ()  #: blinds left of the big one, each more than the one before
    least_bet: int | None = None  #: None: the big blind
    big_bet: int | None = None  #: the bet of later streets; None: twice the least where bets are fixed
    levels: tuple[Level, ...] = ()  #: what it rises to later
    rake: Rake | None = None

    def __post_init__(self) -> None:
        _check(self)
        for name in ("least_bet", "big_bet"):
            least = getattr(self, name)
            if least is not None and (type(least) is not int or least < 1):
                raise StakesError(f"{name} is one chip or more, not {least!r}")
        levels: Any = self.levels
        if not isinstance(levels, tuple) or not all(isinstance(level, Level) for level in levels):
            raise StakesError(f"levels is a tuple of Level records, not {levels!r}")
        if self.rake is not None and not isinstance(self.rake, Rake):
            raise StakesError(f"rake is a Rake or None, not {self.rake!r}")
        if [level.from_hand for level in self.levels] != sorted({level.from_hand for level in self.levels}):
            raise StakesError("levels follow each other: each begins with a later hand than the one before")

    def at(self, hand: int) -> "TableStakes":
        """The stakes of a hand, counted from 1."""
        risen = [level for level in self.levels if level.from_hand <= hand]
        if not risen:
            return self
        level = risen[-1]
        return replace(
            self,
            small_blind=level.small_blind,
            big_blind=level.big_blind,
            ante=level.ante,
            big_blind_ante=level.big_blind_ante,
            straddles=level.straddles,
            least_bet=None,
            big_bet=None,
            levels=(),
        )


def _check(stakes: Any) -> None:
    for name in ("small_blind", "big_blind", "ante", "big_blind_ante"):
        amount = getattr(stakes, name)
        if type(amount) is not int or amount < 0:
            raise StakesError(f"{name} is a whole number of chips from 0 on, not {amount!r}")
    if stakes.small_blind > stakes.big_blind:
        raise StakesError(f"the small blind, {stakes.small_blind}, is above the big one, {stakes.big_blind}")
    if not isinstance(stakes.straddles, tuple):
        raise StakesError(f"straddles is a tuple of chips, not {stakes.straddles!r}")
    before = stakes.big_blind
    for straddle in stakes.straddles:
        if type(straddle) is not int or straddle <= before:
            raise StakesError(f"a straddle is more than the {before} before it, not {straddle!r}")
        before = straddle
