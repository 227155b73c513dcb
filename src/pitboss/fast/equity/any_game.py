"""The calculator for equities in any game.

It lists the deals of known cards, and then deals the missing cards of each deal.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate, chain
from math import comb, lcm
from typing import Any

from pitboss.fast.arrays import card_numbers
from pitboss.fast.equity.answers import EquitySettings, too_many_deals
from pitboss.fast.equity.any_game_loops import WIDTH, Holdings, Missing
from pitboss.fast.equity.forms import Form, has_loops, judges, plain_judges
from pitboss.fast.equity.holdem_loops import BOARD, Listed
from pitboss.fast.equity.ranges import RangeError
from pitboss.fast.equity.spot import DealGroup, EquityCase, as_bits, weight_bounds
from pitboss.ranks.layout import FROM_BOARD, FROM_HOLE
from pitboss.ranks.orders import ORDERS

SPREAD, COMPLETION, FROM_TWO = 0.3e-6, 0.06e-6, 0.25e-6
"""Seconds per player and set of board ranks, per completed deal, and the extra time if two hole cards must be used."""
ASKED = 0.3e-6
"""Seconds per hand in an order without a compiled loop, divided by `slowdown` like the numbers above."""
FEWEST_ASKED = 1_000
"""The minimum number of samples in a game with an order that has no compiled loop."""
LISTED, MOST_LISTED = 200_000, 5_000_000
"""The maximum number of steps to list deals: in general, and with `exact`."""
LONGEST = 300.0
"""The maximum number of seconds for counting on one core. It applies with `exact` too."""


class AnyGame:
    """The calculator for all games. It deals all missing cards, or counts boards by their ranks."""

    slowdown, plain_samples, most_drawn = 60, 20_000, LISTED
    sampling = "sample_completions"

    def __init__(self, spot: EquityCase) -> None:
        self.spot = spot
        self.hole = spot.structure.hole_by_street[-1]
        self.compiles = has_loops(spot.structure)
        if not self.compiles:
            self.plain_samples = max(FEWEST_ASKED, self.plain_samples // self._ways_to_play())
        self.seconds = self._deal_seconds()
        self.sample_seconds = len(spot.hands) * 0.4e-6 * self.slowdown
        # The holdings of all players in one list, by player:
        self.cards = [card_numbers(hand) for held in spot.hands for hand in held]

    @property
    def counting(self) -> str:
        """The loop that counts deals."""
        return "count_boards" if self.by_boards else "count_completions"

    @property
    def by_boards(self) -> bool:
        """Whether only board cards are to come, so that boards can be counted by their ranks."""
        structure = self.spot.structure
        judged = all(ORDERS[ranking.order].flushes_only_add for ranking in structure.showdown)
        return judged and structure.board_by_street[-1] == BOARD and not any(self.spot.needs)

    def _deal_seconds(self) -> float:
        spot = self.spot
        from_two = any(ranking.from_two for ranking in spot.structure.showdown)
        pairs = comb(self.hole, 2) if from_two else 1
        if not self.compiles:
            return ASKED * len(spot.hands) * self._ways_to_play() * spot.completions
        if self.by_boards:
            spreads = comb(12 + spot.to_come, spot.to_come) + 50
            return SPREAD * (1 + pairs / 6) * spreads * len(spot.hands)
        return (COMPLETION + FROM_TWO * pairs / 6 * from_two) * spot.completions

    def _ways_to_play(self) -> int:
        """Return the number of five-card hands that plain Python ranks for a player's strength."""
        structure = self.spot.structure
        if not any(ranking.from_two for ranking in structure.showdown):
            return 1
        return comb(self.hole, FROM_HOLE) * comb(structure.board_by_street[-1], FROM_BOARD)

    def rows(self, counts: list[int]) -> list[list[int]]:
        """Return the counts by player."""
        return [counts[start : start + WIDTH] for start in range(0, len(counts), WIDTH)]

    # --- deals of known cards

    def list_deals(self, settings: EquitySettings, quick: float) -> list[DealGroup] | None:
        """Return all deals, or None if they are too many to be counted or drawn from."""
        deals = self._deals(MOST_LISTED if settings.exact else LISTED)
        longest = LONGEST if self.compiles else LONGEST / self.slowdown
        if settings.exact and (deals is None or len(deals) * self.seconds > longest):
            count = self.spot.most_deals if deals is None else len(deals)
            raise too_many_deals(count * self.spot.completions)
        if deals is None:
            return None
        if not deals:
            raise RangeError("the ranges exclude each other: every deal would use a card twice")
        each = list(chain.from_iterable(held.values() for held in self.spot.hands))
        weights = [_product(each, deal) for deal in deals]
        scale = lcm(*[weight.denominator for weight in weights])
        return [DealGroup(Fraction(1, scale), len(deals), deals, [int(weight * scale) for weight in weights])]

    def _deals(self, most: int) -> list[tuple[int, ...]] | None:
        """Return the numbers of the players' holdings for every possible deal, or None if that takes too many steps."""
        held, masks = self.spot.hands, list(map(as_bits, self.cards))
        found: list[tuple[tuple[int, ...], int]] = [((), self.spot.gone)]
        steps, start = 0, 0
        for hands in held:
            steps += len(found) * len(hands)
            if steps > most:
                return None
            own = list(enumerate(masks[start : start + len(hands)], start))
            found = [((*deal, i), used | mask) for deal, used in found for i, mask in own if not used & mask]
            start += len(hands)
        return [deal for deal, _ in found]

    # --- counting and sampling

    def counter(self, made: Form) -> Callable[[Any, Any], Any]:
        """Return a function that counts deals, given how often each occurs."""
        spot, n = self.spot, len(self.spot.hands)
        both, missing, board = self._judges(made), self._missing(made), card_numbers(spot.board)
        known = made.known(board, spot.absent)
        padded = [[*row, *[-1] * (self.hole - len(row))] for row in self.cards]  # -1 where a card is to come

        def count(deals: Sequence[Sequence[int]], times: Sequence[int]) -> Any:
            counts, each = made.zeros(WIDTH * n), made.row(times)
            rows = made.rows([[card for i in deal for card in padded[i]] for deal in deals])
            if self.by_boards:
                made.count_boards(both, self.hole, known, rows, each, made.board_space(n), counts)
            else:
                space = made.completing_space(n, missing, board)
                made.count_completions(both, missing, spot.gone, rows, each, space, counts)
            return counts

        return count

    def sampler(self, made: Form, listed: Listed) -> Callable[[Any, int], Any]:
        """Return a function that draws samples and counts them."""
        spot, n = self.spot, len(self.spot.hands)
        both, missing, board = self._judges(made), self._missing(made), card_numbers(spot.board)
        holdings = self._holdings(made)

        def draw(state: Any, count: int) -> Any:
            space, counts = made.completing_space(n, missing, board), made.zeros(WIDTH * n)
            made.sample_completions(both, missing, holdings, listed, spot.gone, state, count, space, counts)
            return counts

        return draw

    def _judges(self, made: Form) -> Any:
        structure = self.spot.structure
        return judges(structure, made.compiled) if self.compiles else plain_judges(structure)

    def _missing(self, made: Form) -> Missing:
        """Return the cards still to come, in the form for the loops."""
        spot = self.spot
        slots = [(-1, len(spot.board) + k, k == spot.to_come - 1) for k in range(spot.to_come)]
        for player, (size, need) in enumerate(zip(spot.sizes, spot.needs, strict=True)):
            slots += [(player, size + k, k == need - 1) for k in range(need)]
        return Missing(
            owners=made.row([owner for owner, _, _ in slots]),
            places=made.row([place for _, place, _ in slots]),
            lasts=made.row([int(last) for _, _, last in slots]),
            needs=made.row(spot.needs),
            hole=self.hole,
            board=spot.structure.board_by_street[-1],
            lying=len(spot.board),
        )

    def _holdings(self, made: Form) -> Holdings:
        """Return the possible hands of each player, in the form for the loops."""
        hands, sizes = self.spot.hands, self.spot.sizes
        return Holdings(
            starts=made.row(accumulate([len(held) for held in hands], initial=0)),
            cards=made.rows([[*row, *[0] * (max(1, *sizes) - len(row))] for row in self.cards]),
            masks=made.row(map(as_bits, self.cards)),
            bounds=made.row(chain.from_iterable(map(weight_bounds, hands))),
            sizes=made.row(sizes),
        )


def _product(weights: Sequence[Fraction], deal: Sequence[int]) -> Fraction:
    share = Fraction(1)
    for i in deal:
        if weights[i] != 1:
            share *= weights[i]
    return share
