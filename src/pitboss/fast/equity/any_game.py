"""Equities in any game: all deals counted where that is quick, else some of them drawn."""

import time
from collections.abc import Iterable
from fractions import Fraction
from itertools import accumulate, chain
from math import comb, lcm
from typing import NamedTuple

from pitboss.chance import MASK, fork
from pitboss.chance import MOST as CHANCES
from pitboss.fast.arrays import card_numbers
from pitboss.fast.equity.answers import Equity, EquityError, EquitySettings, sampled_interval
from pitboss.fast.equity.any_game_loops import FIRST, POT, SECOND, SHARE, SHARED, SQUARE, WIDTH, WON
from pitboss.fast.equity.forms import Form, can_compile, form, judges
from pitboss.fast.equity.holdem_loops import Listed
from pitboss.fast.equity.ranges import RangeError
from pitboss.fast.equity.spot import Deal, Spot, by_boards, list_spot_deals
from pitboss.fast.threads import available_cores, in_order
from pitboss.hand.structure import Order

QUICK = 1.0
"""Exact where counting on one core takes at most so many seconds, estimated from these:"""
SPREAD, COMPLETION, FROM_TWO = 0.3e-6, 0.06e-6, 0.25e-6
"""Seconds for a player on a spread of ranks, for a way in which a deal goes on, and more where two hole cards play."""
PLAIN, PLAIN_QUICK = 60, 0.5
"""Plain code takes so many times as long, and does what it can do in so many seconds."""
LISTED, MOST_LISTED = 200_000, 5_000_000
"""So many steps are taken to list deals, and where they are all to be counted."""
LONGEST = 300.0
"""What takes one core longer is not counted even where it is asked for."""
SAMPLES, PLAIN_SAMPLES, SAMPLE = 1_000_000, 20_000, 0.4e-6
BLOCK = 25_000
PIECE = 0.05

Counts = list[int]


class SpotDeals(NamedTuple):
    """All deals of known cards, and how often each comes."""

    deals: list[Deal]
    weights: list[Fraction]


def answer_spot(spot: Spot, settings: EquitySettings) -> Equity:
    """Count all deals, or draw some."""
    begun = time.perf_counter()
    listed = _listed(spot, settings)
    counted = settings.samples is None and settings.exact is not False
    if counted and listed is not None and (settings.exact or _seconds(spot) * len(listed.deals) <= _quick()):
        counts = _count(spot, listed, settings)
        boards, sampled = spot.completions * len(listed.deals), False
    else:
        boards, sampled = settings.samples or (SAMPLES if can_compile() else PLAIN_SAMPLES), True
        counts = _sample(spot, listed, boards, settings)
    return _answer(spot, counts, boards, sampled, time.perf_counter() - begun)


def _quick() -> float:
    return QUICK if can_compile() else QUICK / PLAIN


_spent = [0.0]


def _long(seconds: float) -> bool:
    """Whether work that takes plain code so many seconds is worth compiling for, with all that came before."""
    _spent[0] += seconds
    return _spent[0] > PLAIN_QUICK


def _seconds(spot: Spot) -> float:
    """About how many seconds compiled code takes to count one deal of known cards."""
    from_two = any(ranking.from_two for ranking in spot.structure.showdown)
    pairs = comb(spot.structure.own_by[-1], 2) if from_two else 1
    if by_boards(spot):
        spreads = comb(12 + spot.to_come, spot.to_come) + 50
        return SPREAD * (1 + pairs / 6) * spreads * len(spot.hands)
    return (COMPLETION + FROM_TWO * pairs / 6 * from_two) * spot.completions


def _listed(spot: Spot, settings: EquitySettings) -> SpotDeals | None:
    """All deals of known cards, where they are few enough to be counted, or to be drawn from."""
    deals = list_spot_deals(spot, MOST_LISTED if settings.exact else LISTED)
    if settings.exact and (deals is None or len(deals) * _seconds(spot) > LONGEST):
        count = spot.most_deals if deals is None else len(deals)
        raise EquityError(
            f"up to {count * spot.completions:,} deals are possible, too many to count them all: "
            "leave out exact, and they are sampled"
        )
    if deals is None:
        return None
    if not deals:
        raise RangeError("no deal gives every player a hand of his range: a card would stand twice")
    weights = list(chain.from_iterable(held.values() for held in spot.hands))
    return SpotDeals(deals, [_product(weights, deal) for deal in deals])


def _product(weights: list[Fraction], deal: Deal) -> Fraction:
    share = Fraction(1)
    for i in deal:
        if weights[i] != 1:
            share *= weights[i]
    return share


# --- exact


def _count(spot: Spot, listed: SpotDeals, settings: EquitySettings) -> Counts:
    """Count all that can come of every deal, piece by piece."""
    seconds = _seconds(spot)
    made = form(compiled=_long(seconds * len(listed.deals) * PLAIN))
    both = judges(spot.structure, made.compiled)
    scale = lcm(*[weight.denominator for weight in listed.weights])
    times = [int(weight * scale) for weight in listed.weights]
    rows = _rows(spot, listed.deals)
    size = max(1, int(PIECE / seconds))
    board, n = card_numbers(spot.board), len(spot.hands)
    absent = [card for card in range(52) if spot.gone >> card & 1 and card not in board]
    known, missing = made.known(board, absent), spot.missing(made)

    def work(start: int) -> Counts:
        counts = made.zeros(WIDTH * n)
        deals, each = made.rows(rows[start : start + size]), made.row(times[start : start + size])
        if by_boards(spot):
            hole = spot.structure.own_by[-1]
            made.count_boards(both, hole, known, deals, each, made.board_space(n), counts)
        else:
            space = made.completing_space(n, missing, board)
            made.count_completions(both, missing, spot.gone, deals, each, space, counts)
        return [int(count) for count in counts]

    starts = range(0, len(rows), size)
    return _added(in_order(work, starts, _cores(made, settings)), n, len(starts), settings)


def _rows(spot: Spot, deals: list[Deal]) -> list[list[int]]:
    """Everybody's cards, deal by deal; -1 where one is to come."""
    own = spot.structure.own_by[-1]
    cards = [card_numbers(hand) for held in spot.hands for hand in held]
    padded = [[*row, *[-1] * (own - len(row))] for row in cards]
    return [[card for i in deal for card in padded[i]] for deal in deals]


def _cores(made: Form, settings: EquitySettings) -> int:
    return (settings.cores or available_cores()) if made.compiled else 1


def _added(results: Iterable[Counts], n: int, whole: int, settings: EquitySettings) -> Counts:
    total = [0] * (WIDTH * n)
    for done, counts in enumerate(results, 1):
        total = [a + b for a, b in zip(total, counts, strict=True)]
        if settings.progress:
            settings.progress(done, whole)
    return total


# --- sampled


def _sample(spot: Spot, listed: SpotDeals | None, samples: int, settings: EquitySettings) -> Counts:
    """Draw deals block by block, each from a stream of chance of its own."""
    n = len(spot.hands)
    made = form(compiled=_long(samples * n * SAMPLE * PLAIN))
    both = judges(spot.structure, made.compiled)
    missing, holdings, drawn = spot.missing(made), spot.holdings(made), _drawn_from(made, listed, n)
    board, seed = card_numbers(spot.board), settings.seed & MASK
    starts = range(0, samples, BLOCK)

    def work(start: int) -> Counts:
        state, counts = made.state(fork(seed, start // BLOCK)), made.zeros(WIDTH * n)
        space, count = made.completing_space(n, missing, board), min(BLOCK, samples - start)
        made.sample_completions(both, missing, holdings, drawn, spot.gone, state, count, space, counts)
        return [int(count) for count in counts]

    return _added(in_order(work, starts, _cores(made, settings)), n, len(starts), settings)


def _drawn_from(made: Form, listed: SpotDeals | None, n: int) -> Listed:
    """The deals to draw from, if they are listed and their weights are not too fine for one draw."""
    bounds: list[int] = []
    if listed is not None:
        scale = lcm(*[weight.denominator for weight in listed.weights])
        bounds = list(accumulate([int(weight * scale) for weight in listed.weights]))
    if listed is None or bounds[-1] > CHANCES:
        return Listed(made.rows([[0] * n])[:0], made.row([]))
    return Listed(made.rows(listed.deals), made.row(bounds))


# --- the answer


def _answer(spot: Spot, counts: Counts, boards: int, sampled: bool, seconds: float) -> Equity:
    rows = [counts[start : start + WIDTH] for start in range(0, len(counts), WIDTH)]
    pots = sum([row[SHARE] for row in rows])  # in parts
    orders = [ranking.order for ranking in spot.structure.showdown]
    return Equity(
        equity=tuple([row[SHARE] / pots for row in rows]),
        win=tuple([row[WON] * POT / pots for row in rows]),
        tie=tuple([row[SHARED] * POT / pots for row in rows]),
        exact=not sampled,
        boards=boards,
        interval=tuple([sampled_interval(boards, POT, row[SHARE], row[SQUARE]) for row in rows]) if sampled else None,
        seconds=seconds,
        parts=_parts(orders, rows, pots) if len(orders) > 1 else None,
    )


def _parts(orders: list[Order], rows: list[Counts], pots: int) -> dict[str, tuple[float, ...]]:
    """What each ranking wins."""
    return {order: tuple([row[at] / pots for row in rows]) for order, at in zip(orders, (FIRST, SECOND), strict=True)}
