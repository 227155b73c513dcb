"""Genomes to try the laws on: drawn at random, grown from known games and crossed, all valid, with betting put in.

One number decides a genome, so that whatever fails is named by it.
"""

from msgspec.structs import replace

from pitboss.chance import Chance
from pitboss.lab.files import known_games, load
from pitboss.lab.genome import Genome, problems
from pitboss.lab.variation.mutations import OPERATORS, crossover, mutate, random_genome
from pitboss.lab.variation.repair import repair
from tests.support.laws.laws import holds

LONGEST_CHAIN = 20
MOST_CHIPS = 200


def some_genome(seed: int, number: int) -> Genome:
    """The genome of this number."""
    chance = Chance(seed).fork(number)
    genome = _drawn(chance)
    while not genome.betting_phases or chance.below(3) == 0:
        child = OPERATORS["AddBettingPhase"](genome, chance)
        if child is None:
            break
        genome = child
    if chance.below(2):  # stacks that no step divides
        setup = replace(genome.setup, starting_chips=1 + chance.below(MOST_CHIPS))
        genome = repair(replace(genome, setup=setup))
    holds("every genome is valid", problems(genome) == (), genome)
    holds("every genome bets", len(genome.betting_phases) > 0, genome)
    return genome


def _drawn(chance: Chance) -> Genome:
    kind = chance.below(8)
    if kind < 4:
        return random_genome(chance)
    parent = _known(chance)
    if kind == 4:
        return crossover(parent, _known(chance) if chance.below(2) else random_genome(chance), chance)
    for _ in range(chance.below(LONGEST_CHAIN)):
        parent, _ = mutate(parent, chance)
    return parent


def _known(chance: Chance) -> Genome:
    return load(chance.choice(sorted(known_games())))
