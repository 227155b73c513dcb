"""What a game is found to be: refused for a reason, or measured. It follows from the game and the seed alone."""

from math import inf

from msgspec import Struct

from pitboss.lab.genome.parts import Genome
from pitboss.lab.measures.gates import gate
from pitboss.lab.measures.measure import Measure, Measured, measure

DIGITS = 6
LEAST_USED, MOST_ADVANTAGE = 0.1, 0.3
MOST_OF_STARTING = 0.15


class Limit(Struct, frozen=True, kw_only=True):
    """A measure's mean that rules a game out where it is less or more than this, and why."""

    measure: str
    least: float = -inf
    most: float = inf
    reason: str

    def broken(self, found: Measured) -> bool:
        """Whether a game is ruled out."""
        return not self.least <= found.measures[self.measure].mean <= self.most


LIMITS = (
    Limit(measure="decisive", least=0.5, reason="hardly anybody wins it alone"),
    Limit(measure="decisions", least=0.15, reason="there is hardly anything to choose"),
    Limit(measure="mattered", least=0.02, reason="no choice matters"),
    Limit(measure="tension", least=0.08, reason="it is decided from the start"),
    Limit(measure="stopped", most=0.1, reason="too many games are stopped at the turn limit"),
    Limit(measure="idle_steps", most=0.34, reason="a step decides nothing"),
)
LIMITS_OF_BETS = (
    Limit(measure="open_bets", most=0.25, reason="bets are made when all know who wins"),
    Limit(measure="bets", least=0.25, reason="hardly anybody bets"),
    Limit(measure="pot", least=0.02, reason="the pots are too small to matter"),
    Limit(measure="showdowns", least=0.05, reason="hardly any deal is played out"),
)


class Judged(Struct, frozen=True):
    """A game's measures, or why it has none."""

    measures: dict[str, Measure] = {}
    refused: str = ""


class GameTask(Struct, frozen=True):
    """A game to be judged."""

    genome: Genome
    games: int
    seed: int


def judge(task: GameTask) -> Judged:
    """Judge a game: cheap reasons first, then measures, then what they rule out."""
    if reason := gate(task.genome, seed=task.seed):
        return Judged(refused=_short(reason))
    found = measure(task.genome, games=task.games, seed=task.seed)
    if reason := refusal(task.genome, found):
        return Judged(refused=reason)
    return Judged({name: _rounded(one) for name, one in found.measures.items()})


def refusal(genome: Genome, found: Measured) -> str:
    """What rules a game out that was measured, or nothing."""
    if found.measures["seat_advantage"].low > MOST_ADVANTAGE:
        return "one seat nearly always wins"
    if found.measures["start_advantage"].low > MOST_OF_STARTING:
        return "who starts a deal wins too many or too few of them"
    for limit in LIMITS + (LIMITS_OF_BETS if genome.betting_phases else ()):
        if limit.broken(found):
            return limit.reason
    asked = [use for name, use in found.rules.items() if not name.endswith("CommunityPhase")]
    return "a rule is hardly ever used" if any(use.mean < LEAST_USED for use in asked) else ""


def _short(reason: str) -> str:
    """The gate's reason without its numbers, so that reasons can be counted."""
    return "".join([letter for letter in reason if not letter.isdigit()]).strip()


def _rounded(one: Measure) -> Measure:
    return Measure(round(one.mean, DIGITS), round(one.low, DIGITS), round(one.high, DIGITS))
