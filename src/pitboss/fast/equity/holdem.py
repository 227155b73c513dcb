"""The calculator for two hole cards and a board of five, with the full or the short deck.

Deals that differ only by interchangeable suits are listed once, with their number. The loops are in `holdem_loops.py`.
"""

from collections import Counter, defaultdict
from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate, chain
from math import comb, factorial, prod
from typing import Any

from pitboss.fast.arrays import card_numbers
from pitboss.fast.equity.answers import EquitySettings, too_many_deals
from pitboss.fast.equity.any_game_loops import POT
from pitboss.fast.equity.forms import Form, compiled_form, plain_form, switch
from pitboss.fast.equity.holdem_loops import NONE_YET, TOO_MANY, Listed, Ranges
from pitboss.fast.equity.ranges import RangeError
from pitboss.fast.equity.spot import DealGroup, EquityCase, as_bits, weight_bounds

CODED = 4
"""The maximum number of players. The hands of more players do not fit into a 64-bit number."""
HARDLY_ANY, FEW = 100, 30_000
"""The maximum number of deals that are always listed in plain code, and the maximum number for few samples."""
LISTING = 1.5e-6
"""Seconds to list a deal in plain code."""
MANY, NARROW, GLANCE, MOST = 4_000_000, 100_000, 1_000, 20_000_000
"""Four maximum numbers of steps to list deals: for quick counting, to draw from narrow ranges, to check whether a deal
is possible, and for other purposes."""
DEAL = {0: 0.1, 1: 0.2, 2: 0.8, 5: 150.0}
"""Microseconds to count a deal of two players, by the number of cards to come. If there are more players, a deal takes
this time for each player."""
FEW_SAMPLES = 83_333
"""The maximum number of samples, times the number of players, for which listing many deals does not pay."""


class Holdem:
    """The calculator for hold'em. Its lists of players are sorted by their number of hands, fewest first."""

    slowdown, plain_samples, most_drawn = 100, 50_000, FEW
    compiles, counting, sampling = True, "count_deals", "sample"

    def __init__(self, spot: EquityCase, compiled: bool | None = None) -> None:
        """List the deals with compiled loops, with plain loops, or with compiled loops if loading them pays."""
        n = len(spot.hands)
        self.spot, self.compiled = spot, compiled
        self.order = sorted(range(n), key=lambda player: len(spot.hands[player]))
        self.hands = [spot.hands[player] for player in self.order]
        self.weights = [sorted(set(held.values())) for held in self.hands]
        self.board, self.absent = card_numbers(spot.board), spot.absent
        self.alike = self._alike()
        self.seconds = DEAL[spot.to_come] * (1 if n == 2 else n) / 1e6
        self.sample_seconds = n * 3.2e-6

    def rows(self, counts: list[int]) -> list[list[int]]:
        """Return the counts by player. The argument has, by player and number of other winners, the boards won."""
        n = len(self.hands)
        found = []
        for at in [self.order.index(player) for player in range(n)]:
            won = counts[n * at : n * at + n]
            parts = [POT // winners for winners in range(1, n + 1)]
            share = sum([part * count for part, count in zip(parts, won, strict=True)])
            square = sum([part * part * count for part, count in zip(parts, won, strict=True)])
            found.append([share, square, won[0], sum(won[1:]), share, 0])
        return found

    # --- deals

    def list_deals(self, settings: EquitySettings, quick: float) -> list[DealGroup] | None:
        """Return all deals, or None if they are too many to be counted or drawn from."""
        deals, samples = self.spot.most_deals, settings.samples
        if settings.exact:
            # Deals that use a card twice are not listed, so listing can be short even if `deals` is larger than MOST.
            groups = self.groups(MOST) if deals <= 100 * MOST else None
            if groups is None:
                raise too_many_deals(deals * self.spot.completions)
            return groups
        if samples is not None and samples * len(self.hands) <= FEW_SAMPLES:
            return self.groups(FEW if deals <= NARROW**2 else GLANCE)
        if deals <= MANY and self._fewest_deals() * self.seconds <= quick:
            return self.groups(MANY)
        return self.groups(NARROW if deals <= NARROW**2 else GLANCE)

    def groups(self, most: int) -> list[DealGroup] | None:
        """Return all deals, or None if listing them takes more than `most` steps."""
        some = min(self.spot.most_deals, most)
        wanted = False if len(self.hands) > CODED or (some <= HARDLY_ANY and not self.compiled) else self.compiled
        return switch("list_deals").run(
            some * LISTING,
            lambda: self._groups(plain_form(), most),
            lambda: self._groups(compiled_form(), most),
            wanted,
        )

    def _groups(self, made: Form, most: int) -> list[DealGroup] | None:
        n, deals = len(self.hands), self.spot.most_deals
        longest = min(deals, most if n <= CODED else most // 10)  # writing deals takes much longer in plain code
        codes, kinds = made.zeros(longest), made.zeros(longest)
        alike = made.row(self.alike)
        count = made.list_deals(self.ranges(made), n, alike, most, made.dealing_space(()), codes, kinds)
        if count == NONE_YET and most < MOST:
            return self.groups(MOST)
        if count in (0, NONE_YET):
            raise RangeError("the ranges exclude each other: every deal would use a card twice")
        if count == TOO_MANY:
            return None
        found = _unique if made.compiled else _counted
        return [DealGroup(self._weight(kind), *group) for kind, *group in found(codes[:count], kinds[:count], n)]

    def _fewest_deals(self) -> float:
        """Return a lower bound of the number of deals; deals that differ only by interchangeable suits count once."""
        return self.spot.most_deals / prod([factorial(suits) for suits in Counter(self.alike).values()])

    def _alike(self) -> list[int]:
        """Return for each suit the first suit that is interchangeable with it."""
        known = plain_form().known(self.board, self.absent)
        signs = list(zip(known.masks, known.left, strict=True))
        return [signs.index(sign) for sign in signs]

    def _weight(self, kind: int) -> Fraction:
        """Return the weight of a deal, given its kind, which is a code of the players' weights."""
        share = Fraction(1)
        for weights in self.weights:
            kind, place = divmod(kind, len(weights))
            share *= weights[place]
        return share

    def ranges(self, made: Form) -> Ranges:
        """Return the possible hands of each player, in the form for the loops."""
        pairs = [card_numbers(hand) for held in self.hands for hand in held]
        kinds, step = [], 1
        for held, weights in zip(self.hands, self.weights, strict=True):
            kinds += [step * weights.index(weight) for weight in held.values()]
            step *= len(weights)
        every = comb(len(self.spot.structure.deck) - self.spot.taken, 2)
        return Ranges(
            starts=made.row(accumulate([len(held) for held in self.hands], initial=0)),
            firsts=made.row([first for first, _ in pairs]),
            seconds=made.row([second for _, second in pairs]),
            kinds=made.row(kinds),
            bounds=made.row(chain.from_iterable(map(weight_bounds, self.hands))),
            free=made.row(
                [len(held) == every and len(w) == 1 for held, w in zip(self.hands, self.weights, strict=True)]
            ),
            gone=as_bits((*self.board, *self.absent)),
        )

    # --- counting and sampling

    def counter(self, made: Form) -> Callable[[Any, Any], Any]:
        """Return a function that counts deals, given how often each occurs."""
        n, ranks = len(self.hands), made.ranks_of(self.spot.structure.showdown[0].order)
        known = made.known(self.board, self.absent)

        def count(deals: Any, times: Any) -> Any:
            counts = made.zeros(n * n)
            made.count_deals(ranks, known, made.rows(deals), made.row(times), made.counting_space(), counts)
            return counts

        return count

    def sampler(self, made: Form, listed: Listed) -> Callable[[Any, int], Any]:
        """Return a function that draws samples and counts them."""
        n, board = len(self.hands), self.board
        ranks, ranges = made.ranks_of(self.spot.structure.showdown[0].order), self.ranges(made)

        def draw(state: Any, count: int) -> Any:
            counts = made.zeros(n * n)
            made.sample(ranks, ranges, listed, n, len(board), state, count, made.dealing_space(board), counts)
            return counts

        return draw


def _counted(codes: list[int], kinds: list[int], n: int) -> list[tuple[int, int, Any, Any]]:
    """Return, for each kind of weights, the number of deals, the different deals, and how often each occurs."""
    found: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for code, kind in zip(codes, kinds, strict=True):
        found[kind][code] += 1
    shifts = _shifts(n)
    return [
        (kind, sum(deals.values()), [[code >> shift & 63 for shift in shifts] for code in deals], list(deals.values()))
        for kind, deals in sorted(found.items())
    ]


def _unique(codes: Any, kinds: Any, n: int) -> list[tuple[int, int, Any, Any]]:
    """Do the same as `_counted` for arrays."""
    import numpy as np

    found = []
    for kind in np.unique(kinds):
        deals, times = np.unique(codes[kinds == kind], return_counts=True)
        found.append((int(kind), int(times.sum()), deals[:, None] >> np.array(_shifts(n)) & 63, times))
    return found


def _shifts(n: int) -> list[int]:
    """Return the position of each card in a deal's code."""
    return [6 * place for place in reversed(range(2 * n))]
