"""Small edits that variation and repair share: a genome with another setup, other phases, one part more or less."""

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

from msgspec.structs import replace

from pitboss.chance import Chance
from pitboss.errors import PitbossError
from pitboss.lab.genome.parts import Genome, Phase

T = TypeVar("T")

Change: TypeAlias = Callable[[Genome, Chance], Genome]
"""A plain change of a genome, not yet a valid game; `DoesNotApply` says why there is none."""
NO_OTHER = "there is no other value to try"


class DoesNotApply(PitbossError):
    """A variation that this genome has nothing for; the message says what is missing."""


def with_setup(genome: Genome, **changes: Any) -> Genome:
    """The genome with these fields of its setup."""
    return replace(genome, setup=replace(genome.setup, **changes))


def with_structure(genome: Genome, **changes: Any) -> Genome:
    """The genome with these fields of its turn structure."""
    return replace(genome, turn_structure=replace(genome.turn_structure, **changes))


def with_phases(genome: Genome, phases: tuple[Phase, ...]) -> Genome:
    """The genome with these phases."""
    return with_structure(genome, phases=phases)


def put(items: tuple[T, ...], place: int, *new: T, instead_of: int = 0) -> tuple[T, ...]:
    """The items with new ones at a place, or instead of so many there.

    >>> put(("a", "b", "c"), 1, "x"), put(("a", "b", "c"), 1, instead_of=1)
    (('a', 'x', 'b', 'c'), ('a', 'c'))
    """
    return (*items[:place], *new, *items[place + instead_of :])
