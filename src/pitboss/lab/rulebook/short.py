"""A turn, or a round, of a game in one sentence, for who reads twenty rulebooks."""

from pitboss.lab.base.english import listed, some
from pitboss.lab.genome.parts import Genome
from pitboss.lab.rulebook.possible import rounds_end_it


def in_short(genome: Genome) -> str:
    """What one does, step by step, and until when."""
    turns = genome.turn_structure
    steps = ", then ".join([phase.brief(genome) for phase in turns.phases])
    heading = "A turn in short" if turns.order == "turns" else "A round in short"
    return f"**{heading}:** {steps}. {_until(genome)}"


def _until(genome: Genome) -> str:
    """When the deal is decided, as a rule."""
    rounds = genome.turn_structure.rounds
    ends = [end for win in genome.win_conditions if (end := win.ends(genome))]
    if rounds == 1 and not ends:
        return "After one round the deal is decided."
    if rounds_end_it(genome):
        ends.append("the round is over" if rounds == 1 else f"{some(rounds, 'round')} have been played")
    return f"This goes on until {listed(ends or ['all cards are played'], 'or')}."
