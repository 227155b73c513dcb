"""Push or fold before the flop: each player goes all-in or folds, for chips or for the prizes of a tournament.

Two players are solved with exact equities. With three to six players, deals are drawn, and the game over those deals is
solved, with exact equities where two hands meet; the values are then measured on other deals, with intervals.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from msgspec import Struct

from pitboss.betting.pots import pots
from pitboss.cards import DECK
from pitboss.fast.equity.icm import IcmError, icm
from pitboss.fast.equity.preflop import BOARDS, class_counts
from pitboss.fast.equity.ranges import HAND_CLASSES, class_of, combo, combos
from pitboss.solver.boards import strengths_of
from pitboss.solver.sizes import SpotError
from pitboss.stats import Interval

MOST_PLAYERS, MOST_CHIPS = 6, 10**9
SAMPLES = {3: 300_000, 4: 150_000, 5: 80_000, 6: 40_000}
"""The deals that are drawn by default, by the number of players."""
MOST_SAMPLES = 1_000_000
CHECK, MOST_ITERATIONS = 25, 20_000
NORMAL_95 = 1.959964
CLASSES = len(HAND_CLASSES)


class PushFoldNode(Struct, frozen=True, kw_only=True):
    """A decision: the place of the player, and who is all-in already.

    >>> PushFoldNode(place=1, after=(), shares={"AA": 1.0, "AKs": 0.5}).share == 8 / 1326
    True
    """

    place: int
    after: tuple[int, ...]
    shares: dict[str, float]  #: how often each of the 169 classes of hands goes all-in

    @property
    def share(self) -> float:
        """The share of all hands that go all-in."""
        return sum(len(combos(name)) * share for name, share in self.shares.items()) / 1326


class PushFold(Struct, frozen=True, kw_only=True):
    """A solution of push or fold; amounts are chips, or prize money.

    >>> button = PushFoldNode(place=1, after=(), shares={"AA": 1.0, "72o": 0.0})
    >>> found = PushFold(
    ...     value=(-0.6, 0.6), interval=None, exploitability=0.0, iterations=50, samples=0, nodes=(button,)
    ... )
    >>> found.node(1).shares["AA"]
    1.0
    """

    value: tuple[float, ...]  #: what each player wins on average (with prizes: what their stack is worth)
    interval: tuple[Interval, ...] | None  #: the 95 % confidence intervals of values that were sampled
    exploitability: float  #: the mean gain of the best responses; on the drawn deals, if there are any
    iterations: int
    samples: int  #: the deals that were drawn, or 0 if the equities are exact
    nodes: tuple[PushFoldNode, ...]

    def node(self, place: int, after: Sequence[int] = ()) -> PushFoldNode:
        """Return the decision of a place when these places are all-in already."""
        for node in self.nodes:
            if (node.place, node.after) == (place, tuple(sorted(after))):
                return node
        raise SpotError(f"node: expected the place of a player who decides after {after!r:.40}, got {place!r:.20}")


class _Deals(NamedTuple):
    """Deals and what everyone wins in them."""

    classes: Any  #: of each place, by deal
    weights: Any
    payoffs: Callable[[int], Any]  #: by the places that are all-in, as bits: an array of (places, deals)


def push_fold(
    stacks: Sequence[float],
    blinds: tuple[float, float],
    ante: float = 0,
    payouts: Sequence[float] | None = None,
    *,
    target: float = 0.0005,
    samples: int | None = None,
    seed: int = 0,
    progress: Callable[[int, float], None] | None = None,
) -> PushFold:
    """Return how often each hand goes all-in before the flop, if players may only go all-in or fold.

    `stacks` are in the order of places: small blind, big blind, ..., button; with two players the big blind, then the
    button. Everyone pays the ante. With `payouts`, values are prize money by the independent chip model, and an
    equilibrium is not guaranteed. The solve stops when the best responses win on average less than `target` big blinds.

    >>> push_fold((10, 10), (1, 20))
    Traceback (most recent call last):
    pitboss.SpotError: stacks: expected more than the big blind and the ante, 20, got 10
    """
    small, big = _numbers(blinds, "blinds", 2)
    table = _Table(_numbers(stacks, "stacks"), (small, big), _numbers((ante,), "ante")[0], payouts)
    if samples is not None and (type(samples) is not int or not 100 <= samples <= MOST_SAMPLES):
        raise SpotError(f"samples: expected a whole number from 100 to {MOST_SAMPLES:,}, got {samples!r:.20}")
    if not _is_number(target) or not 0 < target < 1:
        raise SpotError(f"target: expected a share of the big blind above 0 and below 1, got {target!r:.20}")
    count = 0 if len(table.stacks) == 2 else samples or SAMPLES[len(table.stacks)]
    deals = _drawn_deals(table, count, seed) if count else _all_deals(table)
    game = _Game(deals, table.order)
    iterations, gain = _solve(game, target * table.unit, progress)
    fresh = _Game(_drawn_deals(table, count, seed + 1), table.order, game.average) if count else game
    values, errors = fresh.values()
    intervals = [(v - NORMAL_95 * e, v + NORMAL_95 * e) for v, e in zip(values, errors, strict=True)]
    return PushFold(
        value=tuple(values),
        interval=tuple(intervals) if count else None,
        exploitability=gain,
        iterations=iterations,
        samples=count,
        nodes=tuple(game.nodes()),
    )


def _is_number(given: Any) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool)


def _numbers(given: Any, name: str, count: int | None = None) -> list[float]:
    numbers = list(given) if isinstance(given, Sequence) and not isinstance(given, str) else None
    if numbers is None or (count is not None and len(numbers) != count):
        what = f"{count} numbers" if count else "a list of numbers"
        raise SpotError(f"{name}: expected {what}, got {given!r:.40}")
    for number in numbers:
        if not _is_number(number) or not 0 <= number <= MOST_CHIPS:
            raise SpotError(f"{name}: expected numbers from 0 to {MOST_CHIPS:,}, got {number!r:.20}")
    return [float(number) for number in numbers]


class _Table:
    """The stacks, the forced bets and the prizes."""

    def __init__(
        self, stacks: list[float], blinds: tuple[float, float], ante: float, payouts: Sequence[float] | None
    ) -> None:
        n, (small, big) = len(stacks), blinds
        if not 2 <= n <= MOST_PLAYERS:
            raise SpotError(f"stacks: expected 2 to {MOST_PLAYERS} players, got {n}")
        if not 0 <= small <= big or not big:
            raise SpotError(f"blinds: expected a small blind of at most the big blind, got {small:g} and {big:g}")
        if min(stacks) <= big + ante:
            raise SpotError(
                f"stacks: expected more than the big blind and the ante, {big + ante:g}, got {min(stacks):g}"
            )
        self.stacks = stacks
        self.order = (1, 0) if n == 2 else (*range(2, n), 0, 1)
        posted = {0: big, 1: small} if n == 2 else {0: small, 1: big}
        self.posts = [ante + posted.get(place, 0.0) for place in range(n)]
        self.big_blind = self.order[-1]
        exact = [Fraction(str(number)) for number in (*stacks, small, big, ante)]
        self._scale = lcm(*[number.denominator for number in exact])  #: pots are made of whole chips
        self.payouts = None if payouts is None else self._prizes(payouts)
        self.unit = big if self.payouts is None else big * sum(self.payouts) / sum(stacks)

    def _prizes(self, payouts: Sequence[float]) -> list[float]:
        try:
            icm(self.stacks, payouts, exact=True)
        except IcmError as error:
            raise SpotError(str(error)) from None
        return [float(prize) for prize in payouts] + [0.0] * (len(self.stacks) - len(payouts))

    def after(self, all_in: Sequence[int], strengths: Sequence[int]) -> list[float]:
        """Return what everyone wins; `strengths` are of the places that are all-in, the greater wins."""
        paid = [self._whole(self.stacks[p] if p in all_in else post) for p, post in enumerate(self.posts)]
        strength = dict(zip(all_in, strengths, strict=True)) or {self.big_blind: 0}
        won = [0.0] * len(paid)
        for pot in pots(paid, [place not in strength for place in range(len(paid))]):
            best = max(strength[place] for place in pot.places)
            winners = [place for place in pot.places if strength[place] == best]
            for place in winners:
                won[place] += pot.amount / len(winners) / self._scale
        rest = [stack - amount / self._scale for stack, amount in zip(self.stacks, paid, strict=True)]
        return self._worth([chips + gain for chips, gain in zip(rest, won, strict=True)])

    def _whole(self, amount: float) -> int:
        return round(amount * self._scale)

    def _worth(self, stacks: list[float]) -> list[float]:
        if self.payouts is None:
            return [after - before for after, before in zip(stacks, self.stacks, strict=True)]
        left = [place for place, stack in enumerate(stacks) if stack > 0]
        worth = dict(zip(left, icm([stacks[place] for place in left], self.payouts[: len(left)]).equity, strict=True))
        out = sorted((place for place in range(len(stacks)) if stacks[place] <= 0), key=lambda p: -self.stacks[p])
        for place in out:  # the larger stack before the hand finishes higher; equal stacks share
            same = [at for at, other in enumerate(out, len(left)) if self.stacks[other] == self.stacks[place]]
            worth[place] = sum(self.payouts[at] for at in same) / len(same)
        return [worth[place] for place in range(len(stacks))]


def _members(mask: int, n: int) -> list[int]:
    return [place for place in range(n) if mask >> place & 1]


def _all_deals(table: _Table) -> _Deals:
    """Return all pairs of classes, with exact equities."""
    import numpy as np

    deals = class_counts()[2].astype(float)
    classes = np.stack([grid.ravel() for grid in np.indices((CLASSES, CLASSES))])

    def payoffs(mask: int) -> Any:
        places = _members(mask, 2)
        if len(places) < 2:
            return np.array(table.after(places, [1] * len(places)))[:, None] * np.ones(CLASSES * CLASSES)
        return _showdown_of_two(table, places, classes)

    return _Deals(classes, (deals / deals.sum()).ravel(), payoffs)


def _showdown_of_two(table: _Table, places: Sequence[int], classes: Any) -> Any:
    """Return what everyone wins when two are all-in, with the exact equity of their classes in each deal."""
    import numpy as np

    one, other = [classes[place] for place in places]
    won, tied, deals = [counts[one, other] for counts in class_counts()]
    win, tie = won / (BOARDS * deals), tied / (BOARDS * deals)
    results = [np.array(table.after(places, strengths)) for strengths in ((1, 0), (1, 1), (0, 1))]
    return sum(worth[:, None] * share for worth, share in zip(results, (win, tie, 1 - win - tie), strict=True))


def _drawn_deals(table: _Table, count: int, seed: int) -> _Deals:
    """Return deals that are drawn. Boards are drawn only for three and more hands, because two have exact equities."""
    import numpy as np

    n = len(table.stacks)
    chance = np.random.default_rng(seed)
    drawn = chance.random((count, len(DECK))).argsort(axis=1)[:, : 2 * n + 5]
    kinds = np.zeros((len(DECK), len(DECK)), np.int64)
    for one, first in enumerate(DECK):
        for other, second in enumerate(DECK):
            if one != other:
                kinds[one, other] = HAND_CLASSES.index(class_of(combo(first, second)))
    board = drawn[:, 2 * n :]
    holes = [drawn[:, 2 * place : 2 * place + 2] for place in range(n)]
    strengths = np.stack([strengths_of(np.concatenate([board, hole], axis=1)) for hole in holes])
    classes = np.stack([kinds[hole[:, 0], hole[:, 1]] for hole in holes])

    def payoffs(mask: int) -> Any:
        places = _members(mask, n)
        if len(places) == 2:
            return _showdown_of_two(table, places, classes)
        order = strengths[places]
        ranks = (order[:, None, :] > order[None, :, :]).sum(axis=1)  # how many each beats, which decides all pots
        patterns, which = np.unique(ranks, axis=1, return_inverse=True)
        worth = np.array([table.after(places, pattern.tolist()) for pattern in patterns.T])
        return worth[which.ravel()].T

    return _Deals(classes, np.full(count, 1 / count), payoffs)


Key = tuple[int, int]
"""A decision: the number of the player in the order of acting, and the places that are all-in, as bits."""


class _Game:
    """The game over some deals, and what has been learned."""

    def __init__(self, deals: _Deals, order: tuple[int, ...], average: Mapping[Key, Any] | None = None) -> None:
        import numpy as np

        self.deals, self.order, self.n = deals, order, len(order)
        self.payoffs = [deals.payoffs(mask) for mask in range(1 << self.n)]
        self.keys = list(self._keys(0, 0))
        even = {key: np.full(CLASSES, 0.5) for key in self.keys}
        self.current, self.average = dict(even), dict(average or even)
        self.regrets = {key: np.zeros((2, CLASSES)) for key in self.keys}

    def _keys(self, number: int, mask: int) -> Iterator[Key]:
        if number == self.n or (number == self.n - 1 and not mask):
            return
        yield number, mask
        for after in (mask, mask | 1 << self.order[number]):
            yield from self._keys(number + 1, after)

    def walk(self, player: int, shares: Mapping[Key, Any], gains: dict[Key, Any] | None = None) -> Any:
        """Return what a player wins in each deal; `gains` receives by class how much more going all-in wins."""
        import numpy as np

        classes, weights, place = self.deals.classes, self.deals.weights, self.order[player]

        def value(number: int, mask: int, reach: Any) -> Any:
            if (number, mask) not in self.regrets:
                return self.payoffs[mask][place]
            acting = self.order[number]
            played = shares[number, mask][classes[acting]]
            mine = number == player
            pushed = value(number + 1, mask | 1 << acting, reach if mine else reach * played)
            folded = value(number + 1, mask, reach if mine else reach * (1 - played))
            if mine and gains is not None:
                gains[number, mask] = np.bincount(classes[acting], reach * (pushed - folded), CLASSES)
            return played * pushed + (1 - played) * folded

        return value(0, 0, weights)

    def learn(self, number: int) -> None:
        """Do one iteration: regrets that are negative are forgotten, and later strategies count more."""
        import numpy as np

        for player in range(self.n):
            gains: dict[Key, Any] = {}
            self.walk(player, self.current, gains)
            for key, gain in gains.items():
                played, regrets = self.current[key], self.regrets[key]
                regrets += np.stack([gain * (1 - played), -gain * played])
                np.maximum(regrets, 0, out=regrets)
                total = regrets.sum(axis=0)
                self.current[key] = np.where(total > 0, regrets[0] / np.where(total > 0, total, 1), played)
                share = 2 / (number + 2)
                self.average[key] = self.average[key] * (1 - share) + self.current[key] * share

    def gain(self) -> float:
        """Return the mean gain of the best responses to the average strategies."""
        import numpy as np

        total = 0.0
        for player in range(self.n):
            gains: dict[Key, Any] = {}
            self.walk(player, self.average, gains)
            for key, gain in gains.items():
                total += float((np.maximum(gain, 0) - gain * self.average[key]).sum())
        return total / self.n

    def values(self) -> tuple[list[float], list[float]]:
        """Return the mean value of each place, and its standard error if the deals are drawn."""
        import numpy as np

        means, errors = [0.0] * self.n, [0.0] * self.n
        for player, place in enumerate(self.order):
            found = self.walk(player, self.average)
            means[place] = float(found @ self.deals.weights)
            errors[place] = float(np.std(found) / np.sqrt(len(found)))
        return means, errors

    def nodes(self) -> Iterator[PushFoldNode]:
        """Yield the decisions in the order of acting."""
        for number, mask in sorted(self.keys):
            shares = dict(zip(HAND_CLASSES, self.average[number, mask].tolist(), strict=True))
            yield PushFoldNode(place=self.order[number], after=tuple(_members(mask, self.n)), shares=shares)


def _solve(game: _Game, target: float, progress: Callable[[int, float], None] | None) -> tuple[int, float]:
    """Learn until the best responses gain at most the target, and return the iterations and their gain."""
    best, averages, number = float("inf"), dict(game.average), 0
    for number in range(1, MOST_ITERATIONS + 1):
        game.learn(number)
        if number % CHECK:
            continue
        gain = game.gain()
        if gain < best:
            best, averages = gain, dict(game.average)
        if progress is not None:
            progress(number, gain)
        if gain <= target:
            break
    game.average = averages
    return number, best
