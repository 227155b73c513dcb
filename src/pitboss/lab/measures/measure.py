"""All measures of a game, with intervals."""

from typing import Literal

from msgspec import Struct

from pitboss.lab.files import load
from pitboss.lab.genome import Genome
from pitboss.lab.measures.figures import Figures, Measure, average, exactly
from pitboss.lab.measures.ladder import Ladder, Rung, ladder
from pitboss.lab.measures.moments import CALM, GREEDY, MIXED, RANDOM
from pitboss.lab.measures.solved import Solved, solve_small
from pitboss.lab.measures.watch import Watcher
from pitboss.lab.policies import games as policies
from pitboss.lab.rulebook import rulebook
from pitboss.lab.solver.tree import Progress

MEANINGS = {
    "length": "turns a game: actions, and phases that passed without one",
    "decisions": "how many of the turns leave a choice",
    "mattered": "how much better the best move is than the worst but folding, in units of luck, while the deal is open",
    "idle_steps": "steps of a turn whose choice makes no difference",
    "lead_changes": "how often the lead changes in a game, of ten looks at it",
    "tension": "how open the deal is for whoever has a choice: 1 as at the start, 0 once decided",
    "comeback": "how far behind the winner has been, as a share of a fair share",
    "interaction": "how many of the choices change what somebody else then can do",
    "seat_advantage": "how much more often than its fair share the luckiest seat wins",
    "start_advantage": "how far the starting player's share of the deals is from a fair one",
    "decisive": "games that one player wins alone, by the game's own rules and not at the turn limit",
    "stopped": "games that the turn limit ends",
    "draws": "games that several share",
    "skill": "what a greedy player wins of what is at stake, from random and from calm players, whichever is less",
    "bets": "bets a deal",
    "raises": "raises a deal",
    "folds": "folds a deal",
    "all_ins": "all-ins a deal",
    "showdowns": "deals that end with a comparison and not by folding",
    "pot": "the pot of a deal, as a share of all chips",
    "bluffs": "deals in which a bet took a pot that it would have lost if called",
    "chips_follow_cards": "chips in pots with bets that go where they would go if nobody had folded",
    "open_bets": "bets made while everybody can see who will win, in the betting phase and round where it is worst",
    "bet_share": "how many of the choices are bets",
    "complexity": "words in the rulebook",
    "parts": "steps, effects of cards and lines of points",
    "rule_use": "how much of the rules is used, on average over the rules",
}
NAMES = tuple(MEANINGS)
QUALITY = ("decisions", "mattered", "tension", "comeback", "interaction", "decisive", "skill")
"""Those that claim to be about quality: more is better, and a game that nobody wins has none of it."""

CLOSELY, BUDGET, MOST_TURNS = 16, 150_000, 8_000
"""How many games are looked at closely, how many moves are spent on that, and how many turns on all games; of the usual
number of them, and more of more. Long games are cut by work, so that none takes long: fewer are played then."""
USUAL = 200
FULLY, LARGE_BUDGET, LARGE_TURNS = 100, 5_000_000, 2_000_000
RUNG_GAMES = 20


class Measured(Struct, frozen=True, kw_only=True):
    """A game measured."""

    measures: dict[str, Measure]  #: by name, in the order of NAMES
    tension: tuple[float, ...]  #: over the course of a game, 20 points, 0 to 1
    lead: tuple[tuple[float, ...], ...]  #: by seat: its prospects through an example game, 20 points, 0 to 1
    rules: dict[str, Measure]  #: by rule, the share of games in which it was used
    solved: Solved | None  #: only at depth "full", where the game or a miniature is small
    ladder: tuple[Rung, ...]  #: only at depth "full"


def measure(
    genome: Genome,
    *,
    games: int = 200,
    seed: int = 0,
    depth: Literal["quick", "full"] = "quick",
    progress: Progress | None = None,
) -> Measured:
    """Measure a game over so many games; `progress` is told what is going on, how much is done and how much there is.

    Quick measures take some hundredths of a second. Full ones look at more of the games, and also have a ladder of
    players and, where the game or a miniature of it is small, what is known for sure.
    """
    full = depth == "full"
    n, watching = genome.player_count, Watcher(genome, seed)
    half, more = max(1, games // 2), max(1, games // USUAL)
    most = LARGE_TURNS if full else more * MOST_TURNS
    own = watching.watch(
        [MIXED] * n,
        range(half),
        closely=FULLY if full else more * CLOSELY,
        budget=LARGE_BUDGET if full else more * BUDGET,
        most=most,
    )
    others = [RANDOM, CALM] if genome.betting_phases else [RANDOM]
    found = Figures(genome, own)
    skills = [
        found.skill(watching.watch([GREEDY, *[other] * (n - 1)], range(half, games + n), most=most)) for other in others
    ]
    rules = found.rules()
    measures = {
        **found.play(),
        **found.drama(),
        **found.seats(),
        **found.bets(),
        "skill": min(skills, key=lambda one: one.mean),
        "complexity": exactly(len(rulebook(genome).split())),
        "parts": exactly(len(genome.turn_structure.phases) + len(genome.effects) + len(genome.scoring)),
        "rule_use": average([use.mean for use in rules.values()]),
    }
    return Measured(
        measures={name: measures[name] for name in NAMES},
        tension=found.tension_curve(),
        lead=found.lead_curves(),
        rules=rules,
        solved=solve_small(genome, seed=seed, progress=progress) if full else None,
        ladder=ladder(genome, games=RUNG_GAMES, seed=seed, progress=progress) if full else (),
    )


def warm_up_measures() -> None:
    """What `lab measure` and `lab evolve` need."""
    Watcher(load("kuhn"), 0).watch([RANDOM, RANDOM], range(1))


def warm_up_ladder() -> None:
    """What `lab ladder` and the certificates of a report need."""
    Ladder(load("kuhn"), 0).play([policies.RANDOM, policies.RANDOM], [1, 1], range(1))
