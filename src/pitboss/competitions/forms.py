"""Who meets whom: round robin, tables of several seats, knock-out and Swiss.

Entrants are numbers from 0, in the order of the file. A form yields one round after the other; later rounds of a
knock-out and of Swiss depend on the results of earlier ones. The same results always give the same rounds.
"""

import math
from collections.abc import Container, Sequence
from functools import cache
from itertools import permutations
from typing import TypeAlias

from msgspec import Struct

from pitboss.chance import Chance
from pitboss.competitions.results import Form
from pitboss.errors import PitbossError

Table: TypeAlias = tuple[int, ...]
"""The entrants of a match, by seat."""

SEARCHES, STEPS, SWAPS = 2, 30_000, 6000
"""The tries to balance a design with a number of tables before a larger number is tried, and the steps of a try."""
HEAT, COLD, MANY = 4.0, 0.4, 1 << 20
"""The temperatures of the search."""
MOST_BASES, MOST_SIZES = 400, 12
"""The base tables of a design, and the sizes that are tried."""
MOST_PAIRINGS = 20_000
"""The steps to pair a round of Swiss without a second meeting, before second meetings are allowed."""


class RoundPlan(Struct, frozen=True):
    """The tables of a round, and the entrants without a match."""

    number: int
    tables: tuple[Table, ...]
    byes: tuple[int, ...] = ()


class RoundPlayed(Struct, frozen=True):
    """A round and the chips that each seat of each table won."""

    plan: RoundPlan
    chips: tuple[tuple[int, ...], ...]


class FormPlan(Struct, frozen=True, kw_only=True):
    """A form with its number of entrants."""

    form: Form
    entrants: int
    seats: int = 2
    rounds: int | None = None  #: of Swiss

    def next_round(self, played: Sequence[RoundPlayed]) -> RoundPlan | None:
        """Return the round after these; None after the last."""
        match self.form:
            case "round_robin" | "table_round_robin":
                rounds = circle(self.entrants) if self.seats == 2 else [RoundPlan(1, design(self.entrants, self.seats))]
                return rounds[len(played)] if len(played) < len(rounds) else None
            case "knock_out":
                return _knock_out(self.entrants, played)
            case "swiss":
                return _swiss(self.entrants, played) if len(played) < (self.rounds or 0) else None

    @property
    def matches(self) -> int:
        """The number of all matches."""
        match self.form:
            case "round_robin" | "table_round_robin":
                pairs = self.entrants * (self.entrants - 1) // 2
                return pairs if self.seats == 2 else len(design(self.entrants, self.seats))
            case "knock_out":
                return self.entrants - 1
            case "swiss":
                return (self.rounds or 0) * (self.entrants // 2)


def circle(entrants: int) -> list[RoundPlan]:
    """Return the rounds of a round robin by the circle method: every pair meets once.

    >>> [round.tables for round in circle(4)]
    [((0, 3), (1, 2)), ((0, 2), (3, 1)), ((0, 1), (2, 3))]
    """
    order = list(range(entrants + entrants % 2))
    rounds = []
    for number in range(1, len(order)):
        pairs = [(order[at], order[-1 - at]) for at in range(len(order) // 2)]
        byes = [one if other == entrants else other for one, other in pairs if entrants in (one, other)]
        tables = [pair for pair in pairs if entrants not in pair]
        rounds.append(RoundPlan(number, tuple(tables), tuple(byes)))
        order = [order[0], order[-1], *order[1:-1]]
    return rounds


# --- tables of several seats


class DesignError(PitbossError, ValueError):
    """No balanced set of tables was found."""


@cache
def design(entrants: int, seats: int) -> tuple[Table, ...]:
    """Return tables at which all pairs of entrants meet equally often, and sit next to each other about equally often.

    The tables are a cyclic design: a few base tables, to which every number of a circle is added. In some designs one
    entrant stays where it is. The base tables are found by a search that always takes the same steps.

    >>> len(design(7, 3)), len(design(9, 6))
    (7, 24)
    """
    for turned, base in _sizes(entrants, seats):
        found = _search(entrants, seats, turned, base)
        if found is not None:
            return tuple(
                [
                    tuple([each if each == turned else (each + step) % turned for each in table])
                    for table in found
                    for step in range(turned)
                ]
            )
    raise DesignError(f"no balanced tables of {seats} seats were found for {entrants} entrants")


def _sizes(entrants: int, seats: int) -> list[tuple[int, int]]:
    """Return the sizes of the circle with the numbers of base tables that can be balanced, the fewest tables first."""
    found = []
    for base in range(1, MOST_BASES + 1):
        meetings, left = divmod(base * seats * (seats - 1), entrants - 1)
        if not left and not (entrants % 2 == 0 and meetings % 2):
            found.append((entrants, base))
        if base * seats % entrants == 0:  # the entrant that stays sits at `base * seats / entrants` base tables
            found.append((entrants - 1, base))
    return sorted(found, key=lambda size: (size[0] * size[1], size[0]))[:MOST_SIZES]


def _search(entrants: int, seats: int, turned: int, base: int) -> list[list[int]] | None:
    """Return base tables that are balanced; None if none were found."""
    staying = base * seats // entrants if turned < entrants else 0
    chance = Chance(entrants << 16 | seats << 8 | base)
    for _ in range(SEARCHES):
        circles = [[*chance.shuffled(range(turned), seats - (at < staying))] for at in range(base)]
        if _balance_meetings(circles, turned, chance):
            tables = [[*table, turned] if at < staying else table for at, table in enumerate(circles)]
            _balance_neighbours(tables, turned, chance)
            return tables
    return None


def _balance_meetings(tables: list[list[int]], turned: int, chance: Chance) -> bool:
    """Change entrants until every difference between two of a table is equally frequent; return whether that worked.

    This is simulated annealing; the cost is the sum of squares of the frequencies' distances from their mean.
    """
    counts = [0] * turned
    for one, other in [pair for table in tables for pair in permutations(table, 2)]:
        counts[(other - one) % turned] += 1
    wanted, left = divmod(sum(counts), turned - 1)
    if left:
        return False
    cost = sum((each - wanted) ** 2 for each in counts[1:])
    for step in range(STEPS):
        if not cost:
            return True
        table = tables[chance.below(len(tables))]
        at, new = chance.below(len(table)), chance.below(turned)
        if new in table:
            continue
        changes = [0] * turned
        for other in table:
            if other != table[at]:
                for gone, come in ((other - table[at], other - new), (table[at] - other, new - other)):
                    changes[gone % turned] -= 1
                    changes[come % turned] += 1
        change = sum(each * (2 * (counts[d] - wanted) + each) for d, each in enumerate(changes) if each)
        heat = HEAT * (1 - step / STEPS) + COLD
        if change <= 0 or chance.below(MANY) < MANY * math.exp(-change / heat):
            table[at] = new
            cost += change
            for d, each in enumerate(changes):
                counts[d] += each
    return not cost


def _balance_neighbours(tables: list[list[int]], turned: int, chance: Chance) -> None:
    """Change the order within tables, so that every difference from a seat to the next is about equally frequent."""

    def count(table: Sequence[int], sign: int) -> None:
        for one, other in zip(table, (*table[1:], table[0]), strict=True):
            if turned not in (one, other):
                counts[(other - one) % turned] += sign

    def cost() -> int:
        return sum(each * each for each in counts)

    counts = [0] * turned
    for table in tables:
        count(table, 1)
    now = cost()
    for _ in range(SWAPS):
        table = tables[chance.below(len(tables))]
        one, other = chance.below(len(table)), chance.below(len(table))
        count(table, -1)
        table[one], table[other] = table[other], table[one]
        count(table, 1)
        if (then := cost()) <= now:
            now = then
        else:
            count(table, -1)
            table[one], table[other] = table[other], table[one]
            count(table, 1)


# --- knock-out


def _knock_out(entrants: int, played: Sequence[RoundPlayed]) -> RoundPlan | None:
    """Return the next round. Byes go to the first entrants of the file; the first two can only meet in the final."""
    left = _bracket(entrants)
    for round in played:
        left = _winners(left, round)
    if len(left) == 1:
        return None
    pairs = [*zip(left[::2], left[1::2], strict=True)]
    tables = tuple([(one, other) for one, other in pairs if one is not None and other is not None])
    byes = [one if other is None else other for one, other in pairs if one is None or other is None]
    return RoundPlan(len(played) + 1, tables, tuple([bye for bye in byes if bye is not None]))


def _bracket(entrants: int) -> list[int | None]:
    """Return the places of the first round; None is a place without an entrant."""
    places = [0]
    while len(places) < entrants:
        places = [each for one in places for each in (one, 2 * len(places) - 1 - one)]
    return [one if one < entrants else None for one in places]


def _winners(left: Sequence[int | None], round: RoundPlayed) -> list[int | None]:
    won = {
        *round.plan.byes,
        *(winner(table, chips) for table, chips in zip(round.plan.tables, round.chips, strict=True)),
    }
    return [one if one in won else other for one, other in zip(left[::2], left[1::2], strict=True)]


def winner(table: Table, chips: Sequence[int]) -> int:
    """Return the entrant that won a match of two. In a draw, the earlier one of the file."""
    one, other = table
    if chips[0] == chips[1]:
        return min(table)
    return one if chips[0] > chips[1] else other


# --- Swiss


def _swiss(entrants: int, played: Sequence[RoundPlayed]) -> RoundPlan:
    """Return the next round: entrants with equal points meet, as far as that is possible without a second meeting."""
    points, met, had_bye = [0] * entrants, set[frozenset[int]](), set[int]()
    for round in played:
        for table, chips in zip(round.plan.tables, round.chips, strict=True):
            met.add(frozenset(table))
            for each, won in zip(table, chips, strict=True):
                points[each] += 1 + (won > 0) - (won < 0)
        for bye in round.plan.byes:
            points[bye] += 2
            had_bye.add(bye)
    order = sorted(range(entrants), key=lambda each: (-points[each], each))
    byes: tuple[int, ...] = ()
    if entrants % 2:
        byes = (next((each for each in reversed(order) if each not in had_bye), order[-1]),)
        order = [each for each in order if each not in byes]
    tables = _paired(order, met) or [*zip(order[::2], order[1::2], strict=True)]
    return RoundPlan(len(played) + 1, tuple(tables), byes)


def _paired(order: Sequence[int], met: Container[frozenset[int]]) -> list[tuple[int, int]] | None:
    """Return pairs of neighbours that have not met; None if there are none, or none are found in time."""
    steps = 0

    def pair(left: tuple[int, ...]) -> list[tuple[int, int]] | None:
        nonlocal steps
        if not left:
            return []
        first = left[0]
        for other in left[1:]:
            steps += 1
            if steps > MOST_PAIRINGS:
                return None
            if frozenset((first, other)) not in met:
                rest = pair(tuple([each for each in left[1:] if each != other]))
                if rest is not None:
                    return [(first, other), *rest]
        return None

    return pair(tuple(order))
