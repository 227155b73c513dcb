"""The measures of a game with their intervals, and cheap reasons to reject it before it is measured: the gates."""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from pitboss.lab.files import load
from pitboss.lab.genome import Genome, lays_sets, undealt
from pitboss.lab.measures import watch
from pitboss.lab.measures.figures import Figures, Measure, average, exact_measure, worst_bets
from pitboss.lab.measures.ladder import Ladder, Rung, ladder
from pitboss.lab.measures.moments import CALM, GREEDY, MIXED, RANDOM
from pitboss.lab.measures.small_games import Solved, solve_small
from pitboss.lab.measures.watch import Watched, Watcher
from pitboss.lab.policies import choice as policies
from pitboss.lab.rulebook import can_go_all_in, rulebook
from pitboss.lab.solver.tree import StageProgress
from pitboss.lab.variation.tidy import deck_needed

MEANINGS = {
    "length": "turns per game: moves, and phases in which no move was made",
    "decisions": "share of turns with a choice",
    "mattered": "how much better the best move is than the worst except folding, in units of luck, if the deal is open",
    "idle_steps": "share of steps whose choice makes no difference",
    "lead_changes": "changes of the lead per game, observed at ten points",
    "tension": "uncertainty of the winner for a player with a choice: 1 at the start, 0 when the deal is decided",
    "comeback": "how far the winner was behind at the worst moment, as a part of a fair share",
    "interaction": "share of choices that change what another player can do next",
    "seat_advantage": "how far the luckiest seat's share of wins is above a fair share",
    "start_advantage": "how far the starting player's share of the deals is from a fair share",
    "decisive": "share of games with a single winner before the turn limit",
    "stopped": "share of games ended by the turn limit",
    "draws": "share of games with several winners",
    "skill": "share of the stakes that a greedy player wins, from random or from calm players, whichever is smaller",
    "bets": "bets per deal",
    "raises": "raises per deal",
    "folds": "folds per deal",
    "all_ins": "moves per deal that are all-in with too few chips for a bet or call",
    "showdowns": "share of deals that end with a comparison of hands",
    "pot": "mean pot of a deal, as a share of all chips",
    "bluffs": "share of deals in which a bet won a pot that it would have lost if called",
    "chips_follow_cards": "share of the chips, in pots with bets, that go where they would go without folds",
    "open_bets": "share of bets made when all players can see who will win, in the worst phase and round",
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
"""The measures of quality. More is better. In a game without a winner they are 0."""

CLOSELY, BUDGET, MOST_TURNS = 16, 150_000, 8_000
"""With `USUAL` games: the number of closely observed games, the moves spent on observing, and the turns of all games.

With more games, all three are larger. If games are long, fewer games are played.
"""
USUAL = 200
FULLY, LARGE_BUDGET, LARGE_TURNS = 100, 5_000_000, 2_000_000
RUNG_GAMES = 20
GATE_GAMES, GATE_TURNS = 16, 5000
GATE_CLOSELY, GATE_BUDGET = 8, 20_000
"""`gate` watches fewer games than `measure`, because it judges every candidate of an evolution."""
MOST_OPEN = 0.5
"""The maximum share of bets in a betting phase and round at which all players may know the winner.

It is compared with the lower end of the interval.
"""
MOST_STOPPED, MOST_SHARED = 0.25, 0.5
LEAST_DECISIONS = 0.1
MOST_MEAN_TURNS = 400
LEAST_STAKE = 10
"""All bets of a game together must be able to move at least one chip in this many."""


class Measured(Struct, frozen=True, kw_only=True):
    """The measures of a game."""

    measures: dict[str, Measure]  #: by name, in the order of NAMES
    tension: tuple[float, ...]  #: 20 points from the start of a game to its end, each from 0 to 1
    lead: tuple[tuple[float, ...], ...]  #: by seat, its prospects in an example game: 20 points, each from 0 to 1
    rules: dict[str, Measure]  #: by rule, the share of games in which it was used
    solved: Solved | None  #: only at depth "full", and only if the game or a miniature is small
    ladder: tuple[Rung, ...]  #: only at depth "full"


def measure(
    genome: Genome,
    *,
    games: int = 200,
    seed: int = 0,
    depth: Literal["quick", "full"] = "quick",
    progress: StageProgress | None = None,
) -> Measured:
    """Measure a game over `games` games. `progress` is called with a task, the amount done and the total.

    Quick measures take some hundredths of a second. Full measures observe more games closely and rate players on a
    ladder. They also solve the game, or a miniature of it, if one of the two is small enough.
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
        "complexity": exact_measure(len(rulebook(genome).split())),
        "parts": exact_measure(len(genome.turn_structure.phases) + len(genome.effects) + len(genome.scoring)),
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


def impossible_measures(genome: Genome) -> frozenset[str]:
    """Return the measures of things that cannot happen in this game. These measures are always 0.

    >>> sorted(impossible_measures(load("kuhn")))
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


def gate(genome: Genome, *, seed: int = 0) -> str | None:
    """Return the first reason to reject a game, or None."""
    return next(check_rules(genome), None) or next(check_play(genome, seed), None)


def check_rules(genome: Genome) -> Iterator[str]:
    """Yield the reasons that can be seen without playing."""
    setup, turns, wins = genome.setup, genome.turn_structure, genome.win_conditions
    phases, chips, held = turns.phases, setup.starting_chips, setup.cards_per_player

    following = [*phases[1:], *([phases[0]] if turns.rounds != 1 else [])]
    for step, (here, after) in enumerate(zip(phases, following, strict=False), 1):
        if here.bets and after.bets:
            yield f"step {step} and the step after it are both rounds of betting, and no card is moved between them"

    if chips:
        most = setup.ante + (turns.rounds or 2) * sum([b.min_bet * (1 + b.max_raises) for b in genome.betting_phases])
        if most * setup.deals * LEAST_STAKE < chips:
            yield f"all bets together are at most {most * setup.deals} of {chips} chips, so they hardly matter"
        if setup.ante == 0:
            yield "there is no ante, so checking forever costs nothing"
        least = setup.ante + min([bet.min_bet for bet in genome.betting_phases])
        if setup.deals > 1 and 2 * least > chips:
            yield f"an ante and a bet are {least} of {chips} chips, so players are all-in at once"

    if {1, -1} <= {win.point for win in wins}:
        yield "one ending rewards many points and another rewards few"
    if any(win.sheds for win in wins) and any(win.of_holding and not win.sheds for win in wins):
        yield "one ending rewards getting rid of cards and another rewards holding good ones"
    if any(win.sheds for win in wins) and any(win.collects for win in wins):
        yield "one ending rewards getting rid of cards and another rewards taking all of them"
    if chips and setup.deals > 1 and wins[0].point:
        yield "the points of all deals so far decide who wins a pot, so earlier deals decide later bets"

    first = next((phase for phase in phases if not phase.bets), None)
    if first and first.traits.thrown >= held > 0:
        yield "all players discard their whole hand in the first step"

    # If the deck has too few cards for all players, the seat decides who draws more often.
    needed, left = deck_needed(genome), undealt(genome)
    if needed > max(0, left):
        yield f"the deck has {left} cards left after the deal, but the players need to draw {needed} in total"

    taken = sum([phase.traits.must_take for phase in phases])
    sheds = wins[0].sheds and not lays_sets(genome)
    if sheds and taken and taken >= sum([phase.traits.put_away for phase in phases]):
        yield "players must get rid of their cards, but every turn adds as many as it removes"


def check_play(genome: Genome, seed: int) -> Iterator[str]:
    """Yield the reasons seen in a few games, first between random players and then between mixed players."""
    watching, players = Watcher(genome, seed), genome.player_count
    yield from _wrong(watching.watch([RANDOM] * players, range(GATE_GAMES), most=GATE_TURNS), thinking=False)
    looks = GATE_CLOSELY if genome.betting_phases else 0
    seen = watching.watch([MIXED] * players, range(GATE_GAMES), most=GATE_TURNS, closely=looks, budget=GATE_BUDGET)
    yield from _wrong(seen, thinking=True)
    if worst_bets(seen.moments()).low > MOST_OPEN:
        yield "all players can see who will win while there are still bets"


def _wrong(seen: Watched, *, thinking: bool) -> Iterator[str]:
    rows, games = seen.rows, len(seen.rows)
    stopped = int((rows[:, watch.STOPPED] > 0).sum())
    shared = sum([int(row[watch.WINNERS]).bit_count() != 1 for row in rows])
    if thinking and stopped > MOST_STOPPED * games:
        yield f"{stopped} of {games} games reach the turn limit, so players cannot end them"
    if shared > MOST_SHARED * games:
        yield f"{shared} of {games} games are shared, so there is hardly ever a single winner"
    if thinking and rows[:, watch.TURNS].mean() > MOST_MEAN_TURNS:
        yield f"a game has {rows[:, watch.TURNS].mean():.0f} turns, which is too long"
    turns = max(1, int(rows[:, watch.TURNS].sum()))
    if int(rows[:, watch.DECISIONS].sum()) < LEAST_DECISIONS * turns:
        yield "there is hardly anything to choose"
