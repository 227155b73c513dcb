"""What a game is without one of its parts: a rule that carries nothing is not worth a sentence of the rulebook."""

from collections.abc import Iterator

from msgspec.structs import replace

from pitboss.lab.evolution.structure import nameless
from pitboss.lab.genome.parts import Genome
from pitboss.lab.variation.edits import put, with_phases
from pitboss.lab.variation.repair import repair
from pitboss.lab.variation.sense import tidy

FEW = 3
"""Beside its aim, a game with no more parts than this is simple enough."""


def parts_of(genome: Genome) -> int:
    """How many steps, effects of cards, lines of points and endings beside the aim there are.

    >>> from pitboss.lab.files import load
    >>> parts_of(load("kuhn")), parts_of(load("mau_mau"))
    (1, 5)
    """
    rules = genome.turn_structure.phases, genome.effects, genome.scoring, genome.win_conditions
    return sum(map(len, rules)) - 1


def simpler(genome: Genome) -> tuple[Genome, ...]:
    """The sensible games that are left without one part, each once, unless it has few; they bet if this one does.

    >>> from pitboss.lab.files import load
    >>> [parts_of(left) for left in simpler(load("mau_mau"))], simpler(load("draw_poker"))
    ([4, 1, 4, 4, 4], ())
    """
    found = dict[Genome, Genome]()
    for removed in _without(genome) if parts_of(genome) > FEW else ():
        left = tidy(repair(removed))
        if parts_of(left) < parts_of(genome) and bool(left.betting_phases) == bool(genome.betting_phases):
            found.setdefault(nameless(left), left)
    return tuple(found.values())


def _without(genome: Genome) -> Iterator[Genome]:
    phases = genome.turn_structure.phases
    for at in range(len(phases)):
        if len(phases) > 1:
            yield with_phases(genome, put(phases, at, instead_of=1))
    for at in range(len(genome.effects)):
        yield replace(genome, effects=put(genome.effects, at, instead_of=1))
    for at in range(len(genome.scoring)):
        yield replace(genome, scoring=put(genome.scoring, at, instead_of=1))
    for at in range(1, len(genome.win_conditions)):
        yield replace(genome, win_conditions=put(genome.win_conditions, at, instead_of=1))
