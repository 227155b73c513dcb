"""Cheap reasons to reject a game before it is measured: first from its rules, then from a few quick games."""

from collections.abc import Iterator

from pitboss.lab.genome import Genome, lays_sets, undealt
from pitboss.lab.measures import watch
from pitboss.lab.measures.figures import worst_bets
from pitboss.lab.measures.moments import MIXED, RANDOM
from pitboss.lab.measures.watch import Watched, Watcher
from pitboss.lab.variation.tidy import deck_needed

GAMES, MOST_TURNS = 16, 5000
CLOSELY, BUDGET = 8, 20_000
MOST_OPEN = 0.5
"""The share of bets in the worst betting phase at which all players may know the winner (lower end of the interval)."""
MOST_STOPPED, MOST_SHARED = 0.25, 0.5
LEAST_DECISIONS = 0.1
MOST_MEAN_TURNS = 400
LEAST_STAKE = 10
"""All bets of a game together should be able to move at least one chip in ten."""


def gate(genome: Genome, *, seed: int = 0) -> str | None:
    """The first reason to reject a game, or None."""
    return next(written(genome), None) or next(played(genome, seed), None)


def written(genome: Genome) -> Iterator[str]:
    """Reasons that can be seen without playing."""
    setup, turns, wins = genome.setup, genome.turn_structure, genome.win_conditions
    phases, chips, held = turns.phases, setup.starting_chips, setup.cards_per_player

    following = [*phases[1:], *([phases[0]] if turns.rounds != 1 else [])]
    for step, (here, after) in enumerate(zip(phases, following, strict=False), 1):
        if here.bets and after.bets:
            yield f"step {step} is a round of betting, and so is the next step, with no card moved between them"

    if chips:
        most = setup.ante + (turns.rounds or 2) * sum([b.min_bet * (1 + b.max_raises) for b in genome.betting_phases])
        if most * setup.deals * LEAST_STAKE < chips:
            yield f"all bets together are at most {most * setup.deals} of {chips} chips: they hardly matter"
        if setup.ante == 0:
            yield "there is no ante, so checking forever costs nothing"
        least = setup.ante + min([bet.min_bet for bet in genome.betting_phases])
        if setup.deals > 1 and 2 * least > chips:
            yield f"an ante and a bet are {least} of {chips} chips: any bet is all-in"

    if {1, -1} <= {win.point for win in wins}:
        yield "one ending rewards many points and another rewards few"
    if any(win.sheds for win in wins) and any(win.of_holding and not win.sheds for win in wins):
        yield "one ending rewards getting rid of cards and another rewards holding good ones"
    if any(win.sheds for win in wins) and any(win.collects for win in wins):
        yield "one ending rewards getting rid of cards and another rewards taking all of them"
    if chips and setup.deals > 1 and wins[0].point:
        yield "pots go to the points of all deals so far, so old deals decide new bets"

    first = next((phase for phase in phases if not phase.bets), None)
    if first and first.traits.thrown >= held > 0:
        yield "all players discard their whole hand in the first step"

    # With too few cards for all players to draw equally often, the seat decides.
    needed, left = deck_needed(genome), undealt(genome)
    if needed > max(0, left):
        yield f"the deck has {left} cards left after the deal, but the players need to draw {needed} in total"

    taken = sum([phase.traits.must_take for phase in phases])
    sheds = wins[0].sheds and not lays_sets(genome)
    if sheds and taken and taken >= sum([phase.traits.put_away for phase in phases]):
        yield "players must get rid of their cards, but every turn adds as many as it removes"


def played(genome: Genome, seed: int) -> Iterator[str]:
    """Reasons seen in a few games, first between random players, then between mostly greedy ones."""
    watching, players = Watcher(genome, seed), genome.player_count
    yield from _wrong(watching.watch([RANDOM] * players, range(GAMES), most=MOST_TURNS), thinking=False)
    looks = CLOSELY if genome.betting_phases else 0
    seen = watching.watch([MIXED] * players, range(GAMES), most=MOST_TURNS, closely=looks, budget=BUDGET)
    yield from _wrong(seen, thinking=True)
    if worst_bets(seen.moments()).low > MOST_OPEN:
        yield "all players can see who will win while there are still bets"


def _wrong(seen: Watched, *, thinking: bool) -> Iterator[str]:
    rows, games = seen.rows, len(seen.rows)
    stopped = int((rows[:, watch.STOPPED] > 0).sum())
    shared = sum([int(row[watch.WINNERS]).bit_count() != 1 for row in rows])
    if thinking and stopped > MOST_STOPPED * games:
        yield f"{stopped} of {games} games reach the turn limit: players cannot end them"
    if shared > MOST_SHARED * games:
        yield f"{shared} of {games} games are shared: there is hardly ever a single winner"
    if thinking and rows[:, watch.TURNS].mean() > MOST_MEAN_TURNS:
        yield f"a game has {rows[:, watch.TURNS].mean():.0f} turns, which is too long"
    turns = max(1, int(rows[:, watch.TURNS].sum()))
    if int(rows[:, watch.DECISIONS].sum()) < LEAST_DECISIONS * turns:
        yield "there is hardly anything to choose"
