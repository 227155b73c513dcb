"""What betting did over many games, in numbers: how often who bets, raises or folds, what pots are, who gets them."""

from math import sqrt
from typing import Any

from msgspec import Struct

from pitboss.lab.base import counts
from pitboss.lab.policies.run import BETTING
from pitboss.stats import Interval, Mean

LARGE = 1 << 25
BY_GAME = {
    "bets": counts.BETS,
    "raises": counts.RAISES,
    "calls": counts.CALLS,
    "folds": counts.FOLDS,
    "all_ins": counts.ALL_INS,
}
RATIOS = {
    "showdowns": (counts.SHOWDOWNS, counts.DEALS),
    "pot": (counts.POTS, counts.DEALS),
    "steals": (counts.STEALS, counts.DEALS),
    "to_best": (counts.TO_BEST, counts.POTS),
}


class Averaged(Struct, frozen=True):
    """A mean over games, and where the true one lies with 95 % confidence."""

    mean: float
    interval: Interval


class BettingFigures(Struct, frozen=True, kw_only=True):
    """What betting did: first a game, then a deal; all-ins are also counted as the bets, raises or calls they are."""

    bets: Averaged
    raises: Averaged
    calls: Averaged
    folds: Averaged
    all_ins: Averaged  #: moves that put somebody's last chip in
    deals: int  #: over all games
    showdowns: Averaged  #: the share of deals that ended with several still in them
    pot: Averaged  #: chips in the middle at the end of a deal, without what nobody called
    largest_pot: int
    steals: Averaged  #: the share of deals that a bet took from somebody who would have won
    to_best: Averaged  #: the share of the pots' chips that went to the best cards of all who were dealt in


class BettingSums:
    """Whole numbers added up over blocks, so that their order does not matter."""

    def __init__(self) -> None:
        self.games, self.largest = 0, 0
        self.products = [[0] * counts.COUNTED for _ in range(counts.COUNTED)]
        self.sums = [0] * counts.COUNTED

    def add(self, rows: Any) -> None:
        """Count a block of `run`'s rows."""
        counted = rows[:, BETTING : BETTING + counts.COUNTED]
        self.games += len(rows)
        self.largest = max(self.largest, int(counted[:, counts.LARGEST].max(initial=0)))
        exact = in_full(counted)
        products = exact.T.dot(exact)
        for one in range(counts.COUNTED):
            self.sums[one] += int(exact[:, one].sum())
            for other in range(counts.COUNTED):
                self.products[one][other] += int(products[one][other])

    def result(self) -> BettingFigures:
        """What came of all of them."""
        by_game = {name: self._average(column) for name, column in BY_GAME.items()}
        ratios = {name: self._ratio(*columns) for name, columns in RATIOS.items()}
        return BettingFigures(deals=self.sums[counts.DEALS], largest_pot=self.largest, **by_game, **ratios)

    def _average(self, column: int) -> Averaged:
        mean = Mean.of_sums(self.games, self.sums[column], self.products[column][column])
        return Averaged(mean.mean, mean.interval())

    def _ratio(self, part: int, whole: int) -> Averaged:
        """One sum as a share of another, each game being one observation of both."""
        games, total = self.games, self.sums[whole]
        if total == 0:
            return Averaged(0.0, (0.0, 0.0))
        share = self.sums[part] / total
        squares = self.products[part][part] - 2 * share * self.products[part][whole]
        squares = max(0.0, squares + share * share * self.products[whole][whole])
        low, high = Mean.of_sums(
            games, 0, games
        ).interval()  # of numbers that spread by one, how far the mean may be off
        if games > 1:
            spread = sqrt(squares / games) * games / total
            low, high = share + low * spread, share + high * spread
        return Averaged(share, (low, high))


def in_full(rows: Any) -> Any:
    """The rows so that products do not overflow."""
    return rows.astype(object) if abs(rows).max(initial=0) > LARGE else rows
