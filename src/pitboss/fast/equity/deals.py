"""All deals of an equity question in groups, one deal for all that only differ by suits which nothing tells apart."""

from collections import Counter, defaultdict
from fractions import Fraction
from math import factorial, prod
from typing import Any, NamedTuple

from pitboss.fast.equity.arrays import card_numbers
from pitboss.fast.equity.counting import form, plain_form
from pitboss.fast.equity.dealing import NONE_YET, TOO_MANY
from pitboss.fast.equity.holdings import Question
from pitboss.fast.equity.ranges import RangeError

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
