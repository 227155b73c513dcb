"""Small edits that variation and repair share: a genome with another setup, other phases, one part more or less."""

from typing import Any, TypeVar

from msgspec.structs import replace

from pitboss.lab.genome.parts import Genome, Phase

T = TypeVar("T")


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
