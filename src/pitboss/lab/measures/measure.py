"""Measures a game: all measures with their intervals."""

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
from pitboss.lab.rulebook import can_go_all_in, rulebook
from pitboss.lab.solver.tree import Progress

MEANINGS = {
    "length": "turns per game: moves, and phases without a move",
    "decisions": "share of turns with a choice",
    "mattered": "how much better the best move is than the worst except folding, in units of luck, in open deals",
    "idle_steps": "share of steps whose choice makes no difference",
    "lead_changes": "changes of the lead per game, among ten looks",
    "tension": "how open the deal is for a player with a choice: 1 as at the start, 0 when decided",
    "comeback": "how far the winner was behind, as a part of a fair share",
    "interaction": "share of choices that change what another player can do next",
    "seat_advantage": "how far the luckiest seat's share of wins is above a fair share",
    "start_advantage": "how far the starting player's share of the deals is from a fair share",
    "decisive": "share of games with a single winner, not ended by the turn limit",
    "stopped": "share of games ended by the turn limit",
    "draws": "share of games with several winners",
    "skill": "share of the stakes that a greedy player wins from random or calm players (the smaller one)",
    "bets": "bets per deal",
    "raises": "raises per deal",
    "folds": "folds per deal",
    "all_ins": "all-ins per deal, with too few chips for a bet or call",
    "showdowns": "share of deals that end with a comparison of hands",
    "pot": "mean pot of a deal, as a share of all chips",
    "bluffs": "share of deals in which a bet won a pot that it would have lost if called",
    "chips_follow_cards": "share of chips in pots with bets that would go to the same player without folds",
    "open_bets": "share of bets made when all players can see who will win, in the worst betting phase and round",
    "bet_share": "share of choices that are bets",
    "complexity": "words in the rulebook",
    "parts": "number of steps, card effects and scoring rules",
    "rule_use": "share of games in which a rule is used, averaged over the rules",
}
NAMES = tuple(MEANINGS)
OF_BETS = (
    *("bets", "raises", "folds", "all_ins", "showdowns"),
    *("pot", "bluffs", "chips_follow_cards", "open_bets", "bet_share"),
)
QUALITY = ("decisions", "mattered", "tension", "comeback", "interaction", "decisive", "skill")
"""The measures of quality: more is better, and a game that cannot be won has 0."""

CLOSELY, BUDGET, MOST_TURNS = 16, 150_000, 8_000
"""For the usual number of games: how many are observed closely, the moves spent on that, and the turns of all games.

More games get more of each. If games are long, fewer are played."""
USUAL = 200
FULLY, LARGE_BUDGET, LARGE_TURNS = 100, 5_000_000, 2_000_000
RUNG_GAMES = 20


class Measured(Struct, frozen=True, kw_only=True):
    """The measures of a game."""

    measures: dict[str, Measure]  #: by name, in the order of NAMES
    tension: tuple[float, ...]  #: 20 points through a game, each 0 to 1
    lead: tuple[tuple[float, ...], ...]  #: by seat: its prospects in an example game, 20 points, each 0 to 1
    rules: dict[str, Measure]  #: by rule, the share of games in which it was used
    solved: Solved | None  #: only at depth "full", and only if the game or a miniature is small
    ladder: tuple[Rung, ...]  #: only at depth "full"


def measure(
    genome: Genome,
    *,
    games: int = 200,
    seed: int = 0,
    depth: Literal["quick", "full"] = "quick",
    progress: Progress | None = None,
) -> Measured:
    """Measure a game over `games` games; `progress` is called with a task, the amount done and the total.

    Quick measures take some hundredths of a second. Full ones observe more games closely, rate players on a ladder and
    solve the game or a miniature of it, if that is small enough.
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


def impossible(genome: Genome) -> frozenset[str]:
    """The measures of what cannot happen in a game; they are always 0.

    >>> sorted(impossible(load("kuhn")))
    ['all_ins', 'raises']
    """
    bets = genome.betting_phases
    if not bets:
        return frozenset(OF_BETS)
    without_raises = () if any(bet.max_raises for bet in bets) else ("raises",)
    return frozenset((*without_raises, *(() if can_go_all_in(genome) else ("all_ins",))))


def warm_up_measures() -> None:
    """Compile what `lab measure` and `lab evolve` need."""
    Watcher(load("kuhn"), 0).watch([RANDOM, RANDOM], range(1))


def warm_up_ladder() -> None:
    """Compile what `lab ladder` and solved games in a report need."""
    Ladder(load("kuhn"), 0).play([policies.RANDOM, policies.RANDOM], [1, 1], range(1))
