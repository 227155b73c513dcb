"""The stakes of a table: blinds or bring-in, antes, bet sizes, rake and options, and how they rise."""

from typing import Any, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from pitboss.errors import PitbossError
from pitboss.hand.structure import MOST_RUNS, Rake, Structure

Kill = Literal["half", "full"]
"""How much a kill raises the limits: by half, or to double. A kill follows two wins of a player in a row."""
_AMOUNT_FIELDS = ("small_blind", "big_blind", "ante", "big_blind_ante", "least_bet", "big_bet", "bring_in", "bomb_ante")


class StakesError(PitbossError, ValueError):
    """Invalid stakes.

    >>> from pitboss.table import TableStakes
    >>> TableStakes(big_blind=-2)
    Traceback (most recent call last):
    pitboss.table.StakesError: big_blind: expected a whole number of chips from 0, got -2
    """


class Level(Struct, frozen=True, kw_only=True):
    """The stakes from a given hand on.

    >>> from pitboss.table import Level, TableStakes
    >>> levels = (Level(from_hand=10, small_blind=2, big_blind=4),)
    >>> stakes = TableStakes(small_blind=1, big_blind=2, levels=levels)
    >>> stakes.at(9).big_blind, stakes.at(10).big_blind
    (2, 4)
    """

    from_hand: int
    small_blind: int = 0
    big_blind: int
    ante: int | None = None
    big_blind_ante: int = 0
    straddles: tuple[int, ...] = ()
    bring_in: int | None = None

    def __post_init__(self) -> None:
        _check(self)
        if type(self.from_hand) is not int or self.from_hand < 1:
            raise StakesError(f"from_hand: expected a whole number from 1, got {self.from_hand!r}")


class TableStakes(Struct, frozen=True, kw_only=True):
    """The stakes of a table, in whole chips.

    >>> stakes = TableStakes(small_blind=1, big_blind=2, levels=(Level(from_hand=11, small_blind=2, big_blind=4),))
    >>> stakes.at(10).big_blind, stakes.at(11).big_blind
    (2, 4)
    """

    small_blind: int = 0
    big_blind: int  #: the small bet in limit games and in games with a bring-in
    ante: int | None = None  #: the ante of each player; None is 0, or with a bring-in a quarter of the minimum bet
    big_blind_ante: int = 0  #: the ante that the big blind pays for all players
    straddles: tuple[int, ...] = ()  #: blinds left of the big blind, each larger than the previous one
    straddle_players: int = 3  #: the minimum number of players for straddles
    least_bet: int | None = None  #: the minimum bet; if None, the big blind
    big_bet: int | None = None  #: the bet of later streets; if None and bets have a fixed size, twice the minimum bet
    levels: tuple[Level, ...] = ()  #: the stakes of later hands
    rake: Rake | None = None
    bring_in: int | None = None  #: if None, half of the minimum bet
    runs: int = 1  #: the maximum number of times that the rest of the board is dealt after an early all-in
    may_muck: bool = False  #: whether players can muck at the showdown
    kill: Kill | None = None  #: the kill, in limit games with blinds
    bomb_every: int = 0  #: every Nth hand is a bomb pot; 0 for none without a request
    bomb_ante: int | None = None  #: the ante of each player in a bomb pot; if None, twice the big blind

    def __post_init__(self) -> None:
        _check(self)
        for name in ("least_bet", "big_bet", "bomb_ante"):
            least = getattr(self, name)
            if least is not None and (type(least) is not int or least < 1):
                raise StakesError(f"{name}: expected a whole number of chips from 1, got {least!r}")
        if self.big_bet is not None and self.big_bet < self.least:
            raise StakesError(f"big_bet: expected at least the minimum bet of {self.least}, got {self.big_bet}")
        levels: Any = self.levels
        if not isinstance(levels, tuple) or not all(isinstance(level, Level) for level in levels):
            raise StakesError(f"levels: expected a tuple of Level, got {levels!r}")
        if type(self.runs) is not int or not 1 <= self.runs <= MOST_RUNS:
            raise StakesError(f"runs: expected 1 to {MOST_RUNS}, got {self.runs!r}")
        if type(self.may_muck) is not bool:
            raise StakesError(f"may_muck: expected True or False, got {self.may_muck!r}")
        if self.kill is not None and self.kill not in get_args(Kill):
            raise StakesError(f"kill: expected 'half', 'full' or None, got {self.kill!r}")
        if type(self.straddle_players) is not int or self.straddle_players < 3:
            raise StakesError(f"straddle_players: expected 3 or more, got {self.straddle_players!r}")
        if type(self.bomb_every) is not int or self.bomb_every < 0:
            raise StakesError(f"bomb_every: expected a whole number of hands from 0, got {self.bomb_every!r}")
        if self.rake is not None and not isinstance(self.rake, Rake):
            raise StakesError(f"rake: expected a Rake or None, got {self.rake!r}")
        if [level.from_hand for level in self.levels] != sorted({level.from_hand for level in self.levels}):
            raise StakesError("levels: expected each from_hand to be greater than the previous one")

    def at(self, hand: int) -> "TableStakes":
        """Return the stakes of a hand. The first hand has number 1."""
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
            bring_in=level.bring_in,
            bomb_ante=None,
            levels=(),
        )

    def scaled(self, percent: int) -> "TableStakes":
        """Return a percentage of every amount, rounded down to whole chips. An amount above 0 stays at least 1."""
        if percent == 100:
            return self
        amounts: dict[str, int | None] = {name: _part(getattr(self, name), percent) for name in _AMOUNT_FIELDS}
        before, straddles = amounts["big_blind"] or 0, []
        for straddle in self.straddles:
            before = max(before + 1, straddle * percent // 100)
            straddles.append(before)
        return replace(self, **amounts, straddles=tuple(straddles))

    @property
    def least(self) -> int:
        """The minimum bet; in limit games, the small bet."""
        return self.big_blind if self.least_bet is None else self.least_bet

    def in_game(self, structure: Structure) -> "TableStakes":
        """Return the stakes for a game. In a game with a bring-in, the usual bring-in and ante replace the blinds.

        Raise `StakesError` if the minimum bet is not one of the bets of a spread limit.

        >>> from pitboss import RAZZ
        >>> stakes = TableStakes(big_blind=20).in_game(RAZZ)
        >>> stakes.ante, stakes.bring_in
        (5, 10)
        """
        smallest, largest = structure.betting.least_bet, structure.betting.most_bet
        if largest and not smallest <= self.least <= largest:
            bets = f"{smallest} to {largest}, the bets of {structure.name}"
            raise StakesError(f"big_blind: expected a minimum bet of {bets}, got {self.least}")
        if not structure.betting.bring_in:
            return self
        least = self.least
        ante = max(1, least // 4) if self.ante is None else self.ante
        bring_in = max(1, least // 2) if self.bring_in is None else self.bring_in
        if not 1 <= bring_in <= least:
            raise StakesError(f"bring_in: expected 1 to {least} in {structure.name}, got {bring_in}")
        return replace(self, ante=ante, bring_in=bring_in, big_blind_ante=0, straddles=())


def _part(amount: int | None, percent: int) -> int | None:
    return max(1, amount * percent // 100) if amount else amount


def apply_kill(amount: int, kill: Kill) -> int:
    """Return a limit or a blind after a kill.

    >>> apply_kill(20, "half"), apply_kill(20, "full"), apply_kill(1, "half"), apply_kill(3, "half")
    (30, 40, 2, 4)
    """
    return 2 * amount if kill == "full" else amount + max(1, amount // 2)


def _check(stakes: Any) -> None:
    for name in ("small_blind", "big_blind", "ante", "big_blind_ante", "bring_in"):
        amount = getattr(stakes, name)
        if amount is None and name in ("ante", "bring_in"):
            continue
        if type(amount) is not int or amount < 0:
            raise StakesError(f"{name}: expected a whole number of chips from 0, got {amount!r}")
    if stakes.small_blind > stakes.big_blind:
        raise StakesError(f"small_blind: expected at most the big blind, {stakes.big_blind}, got {stakes.small_blind}")
    if not isinstance(stakes.straddles, tuple):
        raise StakesError(f"straddles: expected a tuple of chips, got {stakes.straddles!r}")
    before = stakes.big_blind
    for straddle in stakes.straddles:
        if type(straddle) is not int or straddle <= before:
            raise StakesError(f"straddles: expected more than {before}, the previous one, got {straddle!r}")
        before = straddle
