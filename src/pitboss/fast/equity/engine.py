"""Compute the equities of a spot: count all deals if that is quick, otherwise draw samples.

The steps are the same for every spot: list the deals of known cards, estimate the time for counting, count all
completions of each deal or draw samples, and turn the counts into an answer. A calculator does the parts that depend on
the game: `holdem.py` for two hole cards and a board of five, `any_game.py` for all other games, ten times as slow.
"""

import time
from collections.abc import Callable, Iterable
from itertools import accumulate
from math import lcm
from typing import Any, Protocol

from pitboss.chance import MASK, fork
from pitboss.chance import MOST as CHANCES
from pitboss.fast.equity.answers import Equity, EquityError, EquitySettings, sampled_interval
from pitboss.fast.equity.any_game import AnyGame
from pitboss.fast.equity.any_game_loops import FIRST, POT, SECOND, SHARE, SHARED, SQUARE, WON
from pitboss.fast.equity.forms import Form, asking_form, compiled_form, plain_form, switch
from pitboss.fast.equity.holdem import Holdem
from pitboss.fast.equity.holdem_loops import Listed
from pitboss.fast.equity.spot import DealGroup, EquityCase
from pitboss.fast.switch import is_installed
from pitboss.fast.threads import available_cores, in_order

QUICK = 1.0
"""All deals are counted if that takes at most this many seconds in compiled code on one core."""
SAMPLES = 1_000_000
BLOCK = 25_000  # the number of samples that share a stream of random numbers
PIECE = 0.05  # the seconds of work in one piece for a core

Counts = list[int]


class Calculator(Protocol):
    """Lists, counts and samples the spots of one kind of game."""

    @property
    def spot(self) -> EquityCase:
        """The spot to compute."""

    @property
    def seconds(self) -> float:
        """The approximate seconds that compiled code takes to count a deal."""

    @property
    def sample_seconds(self) -> float:
        """The approximate seconds that plain code takes to draw a sample."""

    @property
    def compiles(self) -> bool:
        """Whether the compiled loops support the game."""

    @property
    def slowdown(self) -> int:
        """The time that plain code takes to count, divided by the time of compiled code."""

    @property
    def plain_samples(self) -> int:
        """The number of samples if nothing can be compiled."""

    @property
    def most_drawn(self) -> int:
        """The maximum number of listed deals for which samples are drawn from the list."""

    def list_deals(self, settings: EquitySettings, quick: float) -> list[DealGroup] | None:
        """Return all deals, or None if they are too many to be counted or drawn from."""

    @property
    def counting(self) -> str:
        """The loop of `Form` that counts deals."""

    @property
    def sampling(self) -> str:
        """The loop of `Form` that draws samples."""

    def counter(self, made: Form) -> Callable[[Any, Any], Any]:
        """Return a function that counts deals, given how often each occurs."""

    def sampler(self, made: Form, listed: Listed) -> Callable[[Any, int], Any]:
        """Return a function that draws samples from a stream of random numbers, and counts them."""

    def rows(self, counts: Counts) -> list[Counts]:
        """Return the counts of each player, in the order of `any_game_loops`."""


def answer(spot: EquityCase, settings: EquitySettings) -> Equity:
    """Return the equities of a spot, counted or sampled."""
    begun = time.perf_counter()
    calculator: Calculator = Holdem(spot, settings.compiled) if spot.is_holdem else AnyGame(spot)
    if settings.compiled and not calculator.compiles:
        raise EquityError(f"compiled: equities of {spot.structure.name} are computed in plain Python only")
    compiles = calculator.compiles and is_installed()
    quick = QUICK if compiles else QUICK / calculator.slowdown
    groups = calculator.list_deals(settings, quick) or []
    seconds = calculator.seconds * sum([len(group.deals) for group in groups])
    if groups and (settings.exact or (settings.exact is None and settings.samples is None and seconds <= quick)):
        boards, sampled = spot.completions * sum([group.total for group in groups]), False
        counts = _count(calculator, groups, seconds, settings)
    else:
        boards, sampled = settings.samples or (SAMPLES if compiles else calculator.plain_samples), True
        counts = _sample(calculator, groups, boards, settings)
    return _answer(spot, calculator.rows(counts), boards, sampled, time.perf_counter() - begun)


def _count(calculator: Calculator, groups: list[DealGroup], seconds: float, settings: EquitySettings) -> Counts:
    """Count all completions of every deal, piece by piece."""
    scale = lcm(*[group.weight.denominator for group in groups])
    size = max(1, int(PIECE / calculator.seconds))
    pieces = [(group, start) for group in groups for start in range(0, len(group.deals), size)]

    def count_with(made: Form) -> Counts:
        count = calculator.counter(made)

        def work(piece: tuple[DealGroup, int]) -> Counts:
            group, start = piece
            counts = count(group.deals[start : start + size], group.times[start : start + size])
            each = int(group.weight * scale)
            return [int(number) * each for number in counts]

        return _add_up(in_order(work, pieces, _cores(made, settings)), len(pieces), settings)

    return _run(calculator, calculator.counting, seconds * calculator.slowdown, count_with, settings)


def _sample(calculator: Calculator, groups: list[DealGroup], samples: int, settings: EquitySettings) -> Counts:
    """Draw deals block by block; each block has its own stream of random numbers."""
    starts, seed = range(0, samples, BLOCK), settings.seed & MASK

    def sample_with(made: Form) -> Counts:
        draw = calculator.sampler(made, _listed(made, groups, calculator.most_drawn))

        def work(start: int) -> Counts:
            counts = draw(made.state(fork(seed, start // BLOCK)), min(BLOCK, samples - start))
            return [int(number) for number in counts]

        return _add_up(in_order(work, starts, _cores(made, settings)), len(starts), settings)

    return _run(calculator, calculator.sampling, samples * calculator.sample_seconds, sample_with, settings)


def _run(
    calculator: Calculator, loop: str, seconds: float, work: Callable[[Form], Counts], settings: EquitySettings
) -> Counts:
    """Do work that takes this number of seconds in plain code, with plain or compiled loops."""
    if not calculator.compiles:
        return work(asking_form())
    return switch(loop).run(seconds, lambda: work(plain_form()), lambda: work(compiled_form()), settings.compiled)


def _listed(made: Form, groups: list[DealGroup], most: int) -> Listed:
    """Return the deals to draw from. The list is empty if it would be too long, or its weights have too many digits."""
    scale = lcm(*[group.weight.denominator for group in groups])
    if sum([len(group.deals) for group in groups]) > most:
        groups = []
    bounds = list(accumulate([int(group.weight * scale) * int(times) for group in groups for times in group.times]))
    if not bounds or bounds[-1] > CHANCES:
        return Listed(made.rows([[0] * 2])[:0], made.row([]))
    return Listed(made.rows([deal for group in groups for deal in group.deals]), made.row(bounds))


def _cores(made: Form, settings: EquitySettings) -> int:
    return (settings.cores or available_cores()) if made.compiled else 1


def _add_up(results: Iterable[Counts], whole: int, settings: EquitySettings) -> Counts:
    total: Counts = []
    for done, counts in enumerate(results, 1):
        total = [a + b for a, b in zip(total, counts, strict=True)] if total else counts
        if settings.progress:
            settings.progress(done, whole)
    return total


def _answer(spot: EquityCase, rows: list[Counts], boards: int, sampled: bool, seconds: float) -> Equity:
    pots = sum([row[SHARE] for row in rows])  # counted in parts of POT
    orders: list[str] = [ranking.order for ranking in spot.structure.showdown]
    split = {order: tuple([row[at] / pots for row in rows]) for order, at in zip(orders, (FIRST, SECOND), strict=False)}
    return Equity(
        equity=tuple([row[SHARE] / pots for row in rows]),
        win=tuple([row[WON] * POT / pots for row in rows]),
        tie=tuple([row[SHARED] * POT / pots for row in rows]),
        exact=not sampled,
        boards=boards,
        interval=tuple([sampled_interval(boards, POT, row[SHARE], row[SQUARE]) for row in rows]) if sampled else None,
        seconds=seconds,
        parts=split if len(orders) > 1 else None,
    )
