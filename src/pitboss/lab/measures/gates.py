"""Cheap reasons why a game is not worth measuring, in a sentence each: what its rules say, then a few quick games."""

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
"""The share of bets, in the betting phase where it is worst, at which everybody may know the winner; its lower end."""
MOST_STOPPED, MOST_SHARED = 0.25, 0.5
LEAST_DECISIONS = 0.1
MOST_MEAN_TURNS = 400
LEAST_STAKE = 10
"""All bets of a game together should be able to move at least one chip in so many."""


def gate(genome: Genome, *, seed: int = 0) -> str | None:
    """Why a game is not worth measuring, or None."""
    return next(written(genome), None) or next(played(genome, seed), None)


# --- what is written


def written(genome: Genome) -> Iterator[str]:
    """What can be seen without playing."""
    yield from _same_bets(genome)
    yield from _stakes(genome)
    yield from _endings(genome)
    yield from _thrown_away(genome)
    yield from _short_deck(genome)
    yield from _growing_hands(genome)


def _same_bets(genome: Genome) -> Iterator[str]:
    """Bets with nothing between them."""
    turns = genome.turn_structure
    bets = [phase.bets for phase in turns.phases]
    again = turns.rounds != 1
    for at, here in enumerate(bets):
        following = (at + 1) % len(bets) if again else at + 1
        if here and following < len(bets) and bets[following]:
            yield f"after the bets of step {at + 1} there are bets again, and no card has moved between them"


def _stakes(genome: Genome) -> Iterator[str]:
    """Bets that are out of proportion to what everybody has."""
    setup, chips = genome.setup, genome.setup.starting_chips
    if not chips:
        return
    rounds = genome.turn_structure.rounds or 2
    most = setup.ante + rounds * sum([bet.min_bet * (1 + bet.max_raises) for bet in genome.betting_phases])
    if most * setup.deals * LEAST_STAKE < chips:
        yield f"all bets together come to {most * setup.deals} of {chips} chips: they hardly matter"
    if setup.ante == 0:
        yield "there is no ante, so that checking for ever costs nothing"
    least = setup.ante + min([bet.min_bet for bet in genome.betting_phases])
    if setup.deals > 1 and 2 * least > chips:
        yield f"an ante and a bet are {least} of {chips} chips: who bets at all is all-in"


def _endings(genome: Genome) -> Iterator[str]:
    """Aims that contradict each other, and pots that were decided deals ago."""
    wins, setup = genome.win_conditions, genome.setup
    if {1, -1} <= {win.point for win in wins}:
        yield "one ending wants many points and another few"
    if any(win.sheds for win in wins) and any(win.of_holding and not win.sheds for win in wins):
        yield "one ending wants cards got rid of and another wants good ones held"
    if any(win.sheds for win in wins) and any(win.collects for win in wins):
        yield "one ending wants cards got rid of and another wants all of them"
    if setup.starting_chips and setup.deals > 1 and wins[0].point:
        yield "pots go to the points of all deals so far, so that old deals decide new bets"


def _thrown_away(genome: Genome) -> Iterator[str]:
    """Hands that go before they are of any use."""
    held = genome.setup.cards_per_player
    first = next((phase for phase in genome.turn_structure.phases if not phase.bets), None)
    if first and first.traits.thrown >= held > 0:
        yield "everybody throws away the whole hand at once"


def _short_deck(genome: Genome) -> Iterator[str]:
    """Too few cards for everybody to do the same as often as there are rounds: then the seat decides."""
    needed, left = deck_needed(genome), undealt(genome)
    if needed > max(0, left):
        yield f"the deck has {left} cards left after the deal, too few for everybody to draw {needed}"


def _growing_hands(genome: Genome) -> Iterator[str]:
    """Hands that are to be emptied, and only grow."""
    if not genome.win_conditions[0].sheds or lays_sets(genome):
        return
    phases = genome.turn_structure.phases
    taken = sum([phase.traits.must_take for phase in phases])
    if taken and taken >= sum([phase.traits.put_away for phase in phases]):
        yield "cards are to be got rid of, and every turn brings as many as it takes away"


# --- what is played


def played(genome: Genome, seed: int) -> Iterator[str]:
    """What a few games show, between random players and between those who mostly play greedily."""
    watching, players = Watcher(genome, seed), genome.player_count
    yield from _wrong(watching.watch([RANDOM] * players, range(GAMES), most=MOST_TURNS), thinking=False)
    looks = CLOSELY if genome.betting_phases else 0
    seen = watching.watch([MIXED] * players, range(GAMES), most=MOST_TURNS, closely=looks, budget=BUDGET)
    yield from _wrong(seen, thinking=True)
    if worst_bets(seen.moments()).low > MOST_OPEN:
        yield "everybody can see who will win while there are still bets"


def _wrong(seen: Watched, *, thinking: bool) -> Iterator[str]:
    rows, games = seen.rows, len(seen.rows)
    stopped = int((rows[:, watch.STOPPED] > 0).sum())
    shared = sum([int(row[watch.WINNERS]).bit_count() != 1 for row in rows])
    if thinking and stopped > MOST_STOPPED * games:
        yield f"{stopped} of {games} games are stopped at the turn limit: nobody can end them"
    if shared > MOST_SHARED * games:
        yield f"{shared} of {games} games are shared: hardly anybody wins"
    if thinking and rows[:, watch.TURNS].mean() > MOST_MEAN_TURNS:
        yield f"a game has {rows[:, watch.TURNS].mean():.0f} turns, which is too long"
    turns = max(1, int(rows[:, watch.TURNS].sum()))
    if int(rows[:, watch.DECISIONS].sum()) < LEAST_DECISIONS * turns:
        yield "there is hardly anything to choose"
