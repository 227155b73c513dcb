"""What share of the pot hands and ranges win: exact by counting all boards where that is quick, else sampled."""

import time
from collections.abc import Callable, Iterable
from itertools import accumulate
from math import lcm
from typing import NamedTuple

from msgspec import Struct

from pitboss.cards import Card
from pitboss.chance import MASK, fork
from pitboss.chance import MOST as CHANCES
from pitboss.fast.blocks import available_cores, in_order
from pitboss.fast.equity.arrays import card_numbers
from pitboss.fast.equity.counting import Form, form
from pitboss.fast.equity.dealing import Listed
from pitboss.fast.equity.deals import FEW, MOST, DealGroup, fewest_deals, list_deals, numbers
from pitboss.fast.equity.enumeration import BOARD, MOST_PLAYERS
from pitboss.fast.equity.holdings import EquityError, Question, RangeLike, read_question
from pitboss.stats import Interval, Mean, proportion

Progress = Callable[[int, int], object]

QUICK = 1.0
"""Exact where counting on one core takes at most so many seconds, estimated from these microseconds a deal:"""
DEAL = {0: 0.5, 1: 0.8, 2: 2.5, 5: 300.0}
"""By the number of cards to come, for two players; each of several takes twice as long."""
PLAIN, PLAIN_SAMPLE, PLAIN_QUICK = 100, 12e-6, 0.5
"""Plain code takes so many times as long, so many seconds a sample, and does what it can do in so many seconds."""
MANY, NARROW, GLANCE = 4_000_000, 100_000, 1_000
"""So many steps are taken to list deals that may be counted quickly, to list the deals that tight ranges leave to draw
from, and to see whether there is a deal at all."""
SAMPLES = 1_000_000
BLOCK = 25_000  # samples that share a stream of chance
PIECE = 0.02  # seconds of work a core takes at a time
POT = lcm(*range(1, MOST_PLAYERS + 1))  # pots are counted in such parts: whole numbers, however they are split


class Equity(Struct, frozen=True, kw_only=True):
    """What each player wins, in shares of 1, in the order in which they were asked about."""

    equity: tuple[float, ...]  #: the share of the pot, split pots counted as their parts
    win: tuple[float, ...]  #: the share of deals won alone
    tie: tuple[float, ...]  #: the share of deals won together with others
    exact: bool
    boards: int  #: how many deals of hands and board were counted, or sampled
    interval: tuple[Interval, ...] | None  #: where a sampled equity lies with 95 % confidence
    seconds: float


def equity(
    *players: RangeLike,
    board: str | Iterable[Card] = "",
    dead: str | Iterable[Card] = "",
    exact: bool | None = None,
    samples: int | None = None,
    seed: int = 0,
    cores: int | None = None,
    progress: Progress | None = None,
) -> Equity:
    """What each of two to ten players wins in hold'em, given what they may hold, on this board and without dead cards.

    A player is a hand ("AhAd"), a range ("QQ+, AKs, 76s+", see `fast/equity/ranges.py`), or several of them in a list.
    All deals that the ranges allow are equally likely, or as likely as their weights say.

    >>> answer = equity("AhAd", "KsKc")
    >>> [round(share, 6) for share in answer.equity], answer.exact, answer.boards
    ([0.812555, 0.187445], True, 1712304)
    >>> [round(share, 3) for share in equity("QQ+, AKs", "76s", board="8h5c2c").equity]
    [0.593, 0.407]

    Unless `exact` says which way, all boards are counted where that takes about a second at most. Else, or when a
    number of `samples` is given, deals are drawn, the same for the same seed whatever the number of cores.
    """
    alone = players[0] if len(players) == 1 else None
    given = list(players) if alone is None or isinstance(alone, str) or not isinstance(alone, Iterable) else list(alone)
    if exact and samples is not None:
        raise EquityError("an exact equity takes no samples: give one of the two")
    for what, number in (("samples", samples), ("cores", cores)):
        if number is not None and (type(number) is not int or number < 1):
            raise EquityError(f"{number!r} {what} cannot be: say a whole number from 1 on")
    if not isinstance(seed, int):
        raise EquityError(f"{seed!r} is no seed: say a whole number")
    job = EquityJob(read_question(given, board, dead), cores or available_cores(), progress)
    begun = time.perf_counter()
    groups = _list(job.question, exact)
    if samples is None and exact is not False and groups and (exact or _seconds(job.question, groups) <= QUICK):
        counts, boards, sampled = (
            _count(job, groups),
            job.question.boards * sum([group.total for group in groups]),
            False,
        )
    else:
        boards, sampled = samples or SAMPLES, True
        counts = _sample(job, groups or [], boards, seed & MASK)
    return _answer(job.question, counts, boards, sampled, time.perf_counter() - begun)


class EquityJob(NamedTuple):
    """One call's question, and how it is worked on."""

    question: Question
    cores: int
    progress: Progress | None


Counts = list[int]
"""With n players, on how many boards player p wins together with k others stands at n * p + k."""


# --- exact


def _list(question: Question, exact: bool | None) -> list[DealGroup] | None:
    """All deals, where they are few enough: to be counted, or else to be drawn from."""
    if exact:
        groups = list_deals(question, MOST) if question.deals <= 100 * MOST else None  # few of them may fit together
        if groups is None:
            raise EquityError(
                "these ranges allow too many deals to count them all: leave out exact, and they are sampled"
            )
        return groups
    if question.deals <= MANY and fewest_deals(question) * _deal(question) <= QUICK:
        return list_deals(question, MANY)
    return list_deals(question, NARROW if question.deals <= NARROW**2 else GLANCE)


def _deal(question: Question) -> float:
    """About how many seconds compiled code takes to count a deal."""
    n = len(question.hands)
    return DEAL[BOARD - len(question.board)] * (1 if n == 2 else 2 * n) / 1e6


def _seconds(question: Question, groups: list[DealGroup]) -> float:
    """About how many seconds compiled code takes to count all deals."""
    return _deal(question) * sum([len(group.deals) for group in groups])


def _count(job: EquityJob, groups: list[DealGroup]) -> Counts:
    """Count all boards of all deals, piece by piece."""
    question = job.question
    n, seconds = len(question.hands), _seconds(question, groups)
    made = form(compiled=seconds * PLAIN > PLAIN_QUICK)
    known = made.known(*numbers(question))
    size = max(1, int(PIECE / _deal(question)))
    scale = lcm(*[group.weight.denominator for group in groups])
    pieces = [(group, start) for group in groups for start in range(0, len(group.deals), size)]

    def work(piece: tuple[DealGroup, int]) -> Counts:
        group, start = piece
        deals, times = group.deals[start : start + size], group.times[start : start + size]
        counts = made.zeros(n * n)
        made.count_deals(made.ranks, known, made.rows(deals), made.row(times), made.counting_space(), counts)
        return [int(count) * int(group.weight * scale) for count in counts]

    return _added(job, n, in_order(work, pieces, job.cores if made.compiled else 1), len(pieces))


def _added(job: EquityJob, n: int, results: Iterable[Counts], whole: int) -> Counts:
    total = [0] * (n * n)
    for done, counts in enumerate(results, 1):
        total = [a + b for a, b in zip(total, counts, strict=True)]
        if job.progress:
            job.progress(done, whole)
    return total


# --- sampled


def _sample(job: EquityJob, groups: list[DealGroup], samples: int, seed: int) -> Counts:
    """Draw deals and boards, block by block, each from a stream of chance of its own."""
    question = job.question
    n = len(question.hands)
    made = form(compiled=samples * n * PLAIN_SAMPLE > 2 * PLAIN_QUICK)
    ranges, listed, board = question.ranges(made), _listed(made, groups), card_numbers(question.board)
    starts = range(0, samples, BLOCK)

    def work(start: int) -> Counts:
        state, counts = made.state(fork(seed, start // BLOCK)), made.zeros(n * n)
        count = min(BLOCK, samples - start)
        made.sample(made.ranks, ranges, listed, n, len(board), state, count, made.dealing_space(board), counts)
        return [int(count) for count in counts]

    return _added(job, n, in_order(work, starts, job.cores if made.compiled else 1), len(starts))


def _listed(made: Form, groups: list[DealGroup]) -> Listed:
    """The deals to draw from, if they are listed and their weights are not too fine for one draw."""
    scale = lcm(*[group.weight.denominator for group in groups])
    if sum([len(group.deals) for group in groups]) > FEW:
        groups = []
    bounds = list(accumulate([int(group.weight * scale) * int(times) for group in groups for times in group.times]))
    if not bounds or bounds[-1] > CHANCES:
        return Listed(made.rows([[0] * 2])[:0], made.row([]))
    return Listed(made.rows([deal for group in groups for deal in group.deals]), made.row(bounds))


# --- the answer


def _answer(question: Question, counts: Counts, boards: int, sampled: bool, seconds: float) -> Equity:
    n = len(question.hands)
    rows = [counts[n * place : n * place + n] for place in [question.places.index(p) for p in range(n)]]
    pots = [sum([POT // others * count for others, count in enumerate(row, 1)]) for row in rows]
    total = sum(pots) // POT
    return Equity(
        equity=tuple([pot / (POT * total) for pot in pots]),
        win=tuple([row[0] / total for row in rows]),
        tie=tuple([sum(row[1:]) / total for row in rows]),
        exact=not sampled,
        boards=boards,
        interval=tuple([_interval(row, boards) for row in rows]) if sampled else None,
        seconds=seconds,
    )


def _interval(row: Counts, samples: int) -> Interval:
    """Where the equity lies with 95 % confidence, by the shares of the pot that were drawn."""
    parts = [POT // others for others in range(1, len(row) + 1)]
    total = sum([part * count for part, count in zip(parts, row, strict=True)])
    squares = sum([part * part * count for part, count in zip(parts, row, strict=True)])
    if total * total == samples * squares:  # always the same share: how often can it be another one?
        same, _ = proportion(samples, samples)
        low = total / (samples * POT) * same
        return low, low + 1 - same
    low, high = Mean.of_sums(samples, total, squares).interval()
    return max(0.0, low / POT), min(1.0, high / POT)
