"""What a game is found to be: refused for a reason, or measured. It follows from the game and the seed alone."""

from msgspec import Struct

from pitboss.lab.genome.parts import Genome
from pitboss.lab.measures.gates import gate
from pitboss.lab.measures.measure import Measure, Measured, measure

DIGITS = 6
LEAST_MATTERED, LEAST_DECISIVE, LEAST_DECISIONS, LEAST_TENSION = 0.02, 0.5, 0.15, 0.08
MOST_OPEN, LEAST_BETS, LEAST_POT, LEAST_SHOWDOWNS, LEAST_USED = 0.25, 0.25, 0.02, 0.05, 0.1
MOST_ADVANTAGE, MOST_STOPPED, MOST_IDLE = 0.3, 0.1, 0.34


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
    mean = {name: one.mean for name, one in found.measures.items()}
    if mean["decisive"] < LEAST_DECISIVE:
        return "hardly anybody wins it alone"
    if mean["decisions"] < LEAST_DECISIONS:
        return "there is hardly anything to choose"
    if mean["mattered"] < LEAST_MATTERED:
        return "no choice matters"
    if mean["tension"] < LEAST_TENSION:
        return "it is decided from the start"
    if mean["stopped"] > MOST_STOPPED:
        return "too many games are stopped at the turn limit"
    if mean["idle_steps"] > MOST_IDLE:
        return "a step decides nothing"
    if found.measures["seat_advantage"].low > MOST_ADVANTAGE:
        return "one seat nearly always wins"
    asked = [use for name, use in found.rules.items() if not name.endswith("CommunityPhase")]
    if any(use.mean < LEAST_USED for use in asked):
        return "a rule is hardly ever used"
    if genome.betting_phases:
        if mean["open_bets"] > MOST_OPEN:
            return "bets are made when all know who wins"
        if mean["bets"] < LEAST_BETS:
            return "hardly anybody bets"
        if mean["pot"] < LEAST_POT:
            return "the pots are too small to matter"
        if mean["showdowns"] < LEAST_SHOWDOWNS:
            return "hardly any deal is played out"
    return ""


def _short(reason: str) -> str:
    """The gate's reason without its numbers, so that reasons can be counted."""
    return "".join([letter for letter in reason if not letter.isdigit()]).strip()


def _rounded(one: Measure) -> Measure:
    return Measure(round(one.mean, DIGITS), round(one.low, DIGITS), round(one.high, DIGITS))
