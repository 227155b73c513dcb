"""Equities of two hole cards and a board of five, with the whole deck or the short one: counted, or sampled.

Deals are counted in groups: one deal for all that differ only by suits which nothing tells apart.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from fractions import Fraction
from itertools import accumulate
from math import factorial, lcm, prod
from typing import Any, NamedTuple

from pitboss.chance import MASK, fork
from pitboss.chance import MOST as CHANCES
from pitboss.fast.arrays import card_numbers
from pitboss.fast.equity.answers import Equity, EquityError, EquitySettings, Progress, sampled_interval
from pitboss.fast.equity.forms import Form, can_compile, form, plain_form
from pitboss.fast.equity.holdem_loops import BOARD, MOST_PLAYERS, NONE_YET, TOO_MANY, Listed
from pitboss.fast.equity.ranges import RangeError
from pitboss.fast.equity.spot import Question
from pitboss.fast.threads import available_cores, in_order
from pitboss.stats import Interval

CODED = 4
"""So many players' hands fit into a number of compiled code."""
HARDLY_ANY, FEW = 100, 30_000
"""Up to so many deals are listed by plain code in any case, and where compiled code is not loaded yet."""
MOST = 20_000_000
"""So many steps are taken at most."""


class DealGroup(NamedTuple):
    """Deals that come equally often; each stands for so many."""

    weight: Fraction
    total: int
    deals: Any  #: a row a deal: everybody's two cards in turn
    times: Any


def list_deals(question: Question, most: int) -> list[DealGroup] | None:
    """All deals, or nothing where listing them takes more than so many steps."""
    n = len(question.hands)
    some = min(question.deals, most)
    made = plain_form() if n > CODED or some <= HARDLY_ANY else form(compiled=some > FEW)
    longest = min(question.deals, most if n <= CODED else most // 10)  # plain code takes much longer to write deals
    codes, kinds = made.zeros(longest), made.zeros(longest)
    alike = made.row(_alike(question))
    count = made.list_deals(question.ranges(made), n, alike, most, made.dealing_space(()), codes, kinds)
    if count == NONE_YET and most < MOST:
        return list_deals(question, MOST)
    if count in (0, NONE_YET):
        raise RangeError("no deal gives every player a hand of his range: a card would stand twice")
    if count == TOO_MANY:
        return None
    found = _unique if made.compiled else _counted
    return [DealGroup(question.weight(kind), *group) for kind, *group in found(codes[:count], kinds[:count], n)]


def fewest_deals(question: Question) -> float:
    """At least about so many deals differ by more than their suits."""
    return question.deals / prod([factorial(suits) for suits in Counter(_alike(question)).values()])


def _alike(question: Question) -> list[int]:
    """By suit, the first suit of which the same cards lie open and are dead."""
    known = plain_form().known(*numbers(question))
    signs = list(zip(known.masks, known.left, strict=True))
    return [signs.index(sign) for sign in signs]


def numbers(question: Question) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The numbers of the cards on the board and of the dead ones."""
    return card_numbers(question.board), card_numbers(question.dead)


def _counted(codes: list[int], kinds: list[int], n: int) -> list[tuple[int, int, Any, Any]]:
    """By kind how many deals there are, which, and how often each comes."""
    found: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for code, kind in zip(codes, kinds, strict=True):
        found[kind][code] += 1
    shifts = _shifts(n)
    return [
        (kind, sum(deals.values()), [[code >> shift & 63 for shift in shifts] for code in deals], list(deals.values()))
        for kind, deals in sorted(found.items())
    ]


def _unique(codes: Any, kinds: Any, n: int) -> list[tuple[int, int, Any, Any]]:
    """As `_counted`, of arrays."""
    import numpy as np

    found = []
    for kind in np.unique(kinds):
        deals, times = np.unique(codes[kinds == kind], return_counts=True)
        found.append((int(kind), int(times.sum()), deals[:, None] >> np.array(_shifts(n)) & 63, times))
    return found


def _shifts(n: int) -> list[int]:
    """Where each card stands in a deal's code."""
    return [6 * place for place in reversed(range(2 * n))]


QUICK = 1.0
"""Exact where counting on one core takes at most so many seconds, estimated from these microseconds a deal:"""
DEAL = {0: 0.5, 1: 0.8, 2: 2.5, 5: 300.0}
"""By the number of cards to come, for two players; each of several takes twice as long."""
PLAIN, PLAIN_SAMPLE, PLAIN_QUICK = 100, 12e-6, 0.5
"""Plain code takes so many times as long, so many seconds a sample, and does what it can do in so many seconds."""
MANY, NARROW, GLANCE = 4_000_000, 100_000, 1_000
"""So many steps are taken to list deals that may be counted quickly, to list the deals that tight ranges leave to draw
from, and to see whether there is a deal at all."""
SAMPLES, PLAIN_SAMPLES = 1_000_000, 50_000
BLOCK = 25_000  # samples that share a stream of chance
PIECE = 0.02  # seconds of work a core takes at a time
POT = lcm(*range(1, MOST_PLAYERS + 1))  # pots are counted in such parts: whole numbers, however they are split


def answer_holdem(question: Question, settings: EquitySettings) -> Equity:
    """Count all deals, or draw some."""
    begun = time.perf_counter()
    job = EquityJob(question, settings.cores or available_cores(), settings.progress)
    groups = _list(question, settings)
    counted = settings.samples is None and settings.exact is not False
    if counted and groups and (settings.exact or _seconds(question, groups) <= _quick()):
        counts, boards, sampled = _count(job, groups), question.boards * sum([group.total for group in groups]), False
    else:
        boards, sampled = settings.samples or (SAMPLES if can_compile() else PLAIN_SAMPLES), True
        counts = _sample(job, groups or [], boards, settings.seed & MASK)
    return _answer(question, counts, boards, sampled, time.perf_counter() - begun)


class EquityJob(NamedTuple):
    """One call's question, and how it is worked on."""

    question: Question
    cores: int
    progress: Progress | None


Counts = list[int]
"""With n players, on how many boards player p wins together with k others stands at n * p + k."""


# --- exact


def _list(question: Question, settings: EquitySettings) -> list[DealGroup] | None:
    """All deals, where they are few enough: to be counted, or else to be drawn from."""
    if settings.exact:
        groups = list_deals(question, MOST) if question.deals <= 100 * MOST else None  # few of them may fit together
        if groups is None:
            raise EquityError(
                f"these ranges allow up to {question.deals:,} deals with {question.boards:,} boards each, too many to "
                "count them all: leave out exact, and they are sampled"
            )
        return groups
    samples, n = settings.samples, len(question.hands)
    if samples is not None and samples * n * PLAIN_SAMPLE <= 2 * PLAIN_QUICK:  # too few to wait for a compiler
        return list_deals(question, FEW if question.deals <= NARROW**2 else GLANCE)
    if question.deals <= MANY and fewest_deals(question) * _deal(question) <= _quick():
        return list_deals(question, MANY)
    return list_deals(question, NARROW if question.deals <= NARROW**2 else GLANCE)


def _quick() -> float:
    """How long compiled code may take where nobody says; without a compiler, what plain code does as quickly."""
    return QUICK if can_compile() else QUICK / PLAIN


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
    ranks = made.ranks_of(question.order)
    known = made.known(*numbers(question))
    size = max(1, int(PIECE / _deal(question)))
    scale = lcm(*[group.weight.denominator for group in groups])
    pieces = [(group, start) for group in groups for start in range(0, len(group.deals), size)]

    def work(piece: tuple[DealGroup, int]) -> Counts:
        group, start = piece
        deals, times = group.deals[start : start + size], group.times[start : start + size]
        counts = made.zeros(n * n)
        made.count_deals(ranks, known, made.rows(deals), made.row(times), made.counting_space(), counts)
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
    ranks, ranges, listed = made.ranks_of(question.order), question.ranges(made), _listed(made, groups)
    board = card_numbers(question.board)
    starts = range(0, samples, BLOCK)

    def work(start: int) -> Counts:
        state, counts = made.state(fork(seed, start // BLOCK)), made.zeros(n * n)
        count = min(BLOCK, samples - start)
        made.sample(ranks, ranges, listed, n, len(board), state, count, made.dealing_space(board), counts)
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
    return sampled_interval(samples, POT, total, squares)
