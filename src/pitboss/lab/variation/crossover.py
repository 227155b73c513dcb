"""Crossover: a child with parts of two genomes, made valid."""

from msgspec.structs import replace

from pitboss.chance import Chance
from pitboss.lab.genome.parts import MOST_PHASES, Genome, Phase, TurnStructure
from pitboss.lab.variation.repair import repair


def crossover(a: Genome, b: Genome, chance: Chance) -> Genome:
    """A valid child under the first one's name.

    What belongs together comes from one of the two: players and cards; chips, ante and pots; order and rounds; effects;
    scoring and win conditions; the limits. The phases begin as one's and go on as the other's, cut anywhere in both.

    >>> from pitboss.lab.files import load
    >>> from pitboss.lab.genome.validity import problems
    >>> problems(crossover(load("war"), load("kuhn"), Chance(3)))
    ()
    """

    def one() -> Genome:
        return a if chance.below(2) else b

    table, money, turns, ends, limits = (one() for _ in range(5))
    setup = replace(
        table.setup,
        starting_chips=money.setup.starting_chips,
        ante=money.setup.ante,
        pots=money.setup.pots,
        deals=limits.setup.deals,
    )
    order, rounds = turns.turn_structure.order, turns.turn_structure.rounds
    child = Genome(
        name=a.name,
        player_count=table.player_count,
        setup=setup,
        turn_structure=TurnStructure(phases=_spliced(a, b, chance), order=order, rounds=rounds),
        effects=one().effects,
        scoring=ends.scoring,
        win_conditions=ends.win_conditions,
        max_turns=limits.max_turns,
    )
    return repair(child)


def _spliced(a: Genome, b: Genome, chance: Chance) -> tuple[Phase, ...]:
    """The first phases of one, the last of the other; never none."""
    first, last = (a, b) if chance.below(2) else (b, a)
    head, tail = first.turn_structure.phases, last.turn_structure.phases
    spliced = head[: chance.below(len(head) + 1)] + tail[chance.below(len(tail) + 1) :]
    return spliced[:MOST_PHASES] or head
