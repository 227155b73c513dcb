"""What makes sense: every part of a game serves its aim, and bets are on what is not yet known."""

from itertools import pairwise

import pytest
from msgspec.structs import replace

from pitboss.chance import Chance
from pitboss.lab.files import known_games, load
from pitboss.lab.genome import CardPoints, Deck, Genome, LaySets, TurnStructure, deck_size, problems, undealt
from pitboss.lab.phases.betting import BettingPhase
from pitboss.lab.phases.community import CommunityPhase
from pitboss.lab.phases.discard import DiscardPhase
from pitboss.lab.phases.draw import DrawPhase
from pitboss.lab.phases.trick import TrickPhase
from pitboss.lab.variation.edits import with_phases, with_setup, with_structure
from pitboss.lab.variation.mutations import random_genome
from pitboss.lab.variation.tidy import LEAST_CARDS, MOST_STEPS, STACKS, deck_needed, tidy, usual_deck
from pitboss.lab.wins.best_hand import BestHand
from pitboss.lab.wins.capture_all import CaptureAll
from pitboss.lab.wins.empty_hand import EmptyHand
from pitboss.lab.wins.first_to_score import FirstToScore
from pitboss.lab.wins.high_card import HighCard
from pitboss.lab.wins.high_score import HighScore
from pitboss.lab.wins.least_deadwood import LeastDeadwood
from pitboss.lab.wins.low_score import LowScore


def some_games() -> list[Genome]:
    """All known games and many at random."""
    return [*map(load, known_games()), *[random_genome(Chance(seed)) for seed in range(150)]]


@pytest.mark.parametrize("part", range(4))
def test_tidy_games_can_be_played_and_stay_as_they_are(part: int) -> None:
    for genome in some_games()[part::4]:
        found = tidy(genome)
        assert problems(found) == ()
        assert tidy(found) == found
        assert_bets_make_sense(found)
        assert_aims_make_sense(found)
        assert_sizes_make_sense(found)


def assert_bets_make_sense(genome: Genome) -> None:
    """There is an ante, stakes that stacks notice, deals enough, and something new between two bets."""
    if not genome.betting_phases:
        assert (genome.setup.starting_chips, genome.setup.ante) == (0, 0)
        return
    bets = [phase.min_bet for phase in genome.betting_phases]
    assert 1 <= genome.setup.ante <= min(bets) <= max(bets) <= 2 * genome.setup.ante
    assert bets == sorted(bets)
    assert STACKS[0] * max(bets) <= genome.setup.starting_chips <= STACKS[1] * max(bets)
    assert genome.setup.deals >= max(5, genome.player_count)
    turns = genome.turn_structure
    kinds = [phase.bets for phase in turns.phases]
    around = [*kinds, *kinds[: turns.rounds != 1]]
    assert not any(one and other for one, other in pairwise(around))


def assert_aims_make_sense(genome: Genome) -> None:
    """One aim, served by every phase; a hand that is compared is not played away; draws cost something to decline."""
    aim, phases = genome.win_conditions[0], genome.turn_structure.phases
    assert all(isinstance(other, EmptyHand) for other in genome.win_conditions[1:])
    if isinstance(aim, (BestHand, HighCard, LeastDeadwood)):
        assert not any(phase.tricks or phase.plays for phase in phases)
        assert 1 <= genome.turn_structure.rounds <= 20
    if not isinstance(aim, BestHand):
        assert not any(isinstance(phase, CommunityPhase) for phase in phases)
    if isinstance(aim, (BestHand, HighCard)) and genome.betting_phases:
        assert phases[-1].bets or (aim.limit and isinstance(phases[-1], DrawPhase))
    if any(isinstance(effect, LaySets) for effect in genome.effects):
        assert not any(phase.tricks or phase.plays for phase in phases)
    for phase in phases:
        if isinstance(phase, DiscardPhase) and phase.replace:
            assert phase.optional
        if isinstance(phase, DrawPhase) and phase.optional:
            assert aim.limit or isinstance(aim, LowScore)
    if not aim.point:
        assert genome.scoring == ()


def assert_sizes_make_sense(genome: Genome) -> None:
    """A deck that people know, which lasts for all rounds, few steps, and something done with the cards."""
    assert usual_deck(genome.setup.deck) == genome.setup.deck
    assert deck_size(genome) >= LEAST_CARDS
    assert deck_needed(genome) <= undealt(genome)
    assert len(genome.turn_structure.phases) <= MOST_STEPS
    assert len({replace(rule, points=1) for rule in genome.scoring}) == len(genome.scoring)
    if genome.win_conditions[0].limit and genome.betting_phases:
        assert any(isinstance(phase, DrawPhase) for phase in genome.turn_structure.phases)


def test_phases_between_the_last_bet_and_a_comparison_are_removed() -> None:
    bet, exchange = BettingPhase(min_bet=10), DiscardPhase(count=2, replace=True)
    poker = load("simple_poker")
    assert [phase.bets for phase in tidy(with_phases(poker, (bet, exchange))).turn_structure.phases] == [1, 0, 1]
    again = with_structure(poker, phases=(bet, exchange), rounds=3)
    assert [phase.bets for phase in tidy(again).turn_structure.phases] == [0, 1]


def test_tricks_are_bet_on_before_each_card_and_never_after_the_last() -> None:
    whist = with_setup(load("whist"), starting_chips=100, ante=5, cards_per_player=13)
    found = tidy(with_phases(whist, (TrickPhase(), BettingPhase())))
    assert [phase.bets for phase in found.turn_structure.phases] == [True, False]
    assert found.turn_structure.rounds == found.setup.cards_per_player <= 5


def test_the_deck_lasts_for_all_rounds() -> None:
    stud = with_structure(load("simple_poker"), phases=(DrawPhase(count=2), BettingPhase()), rounds=3)
    found = tidy(replace(stud, player_count=6))
    assert found.setup.cards_per_player >= 2
    assert found.turn_structure.rounds == 2


def test_pots_never_depend_on_points_of_earlier_deals() -> None:
    hearts = load("hearts")
    betting = replace(
        with_setup(with_phases(hearts, (BettingPhase(), TrickPhase())), starting_chips=100, deals=5),
        scoring=(CardPoints(cards="*h"),),
    )
    assert tidy(betting).win_conditions[0].point == 0
    assert tidy(betting).setup.deals == 5


def test_hands_that_count_deadwood_keep_their_size() -> None:
    gin = load("gin")
    found = tidy(with_phases(gin, (DrawPhase(source="ask", count=2), DrawPhase(source="either"))))
    drawn = sum([phase.count for phase in found.turn_structure.phases if isinstance(phase, DrawPhase)])
    away = [phase for phase in found.turn_structure.phases if isinstance(phase, DiscardPhase) and not phase.replace]
    assert drawn == sum([phase.count for phase in away]) > 0


def test_endings_that_contradict_each_other_become_one() -> None:
    both = replace(load("scopa"), win_conditions=(HighScore(), CaptureAll(), LowScore()))
    assert tidy(both).win_conditions == (HighScore(),)


def test_sets_that_would_cost_points_by_lot_are_not_laid() -> None:
    rummy = load("rummy")
    assert tidy(replace(rummy, effects=(LaySets(size=3, points=2),))).effects == ()
    assert tidy(rummy).effects == rummy.effects


def test_adjacent_bets_become_one() -> None:
    bet, turn_up = BettingPhase(min_bet=10), CommunityPhase()
    leduc = replace(
        load("leduc"), turn_structure=TurnStructure(phases=(bet, bet, turn_up, bet), order="rounds", rounds=1)
    )
    found = tidy(with_setup(leduc, starting_chips=200)).turn_structure.phases
    assert [phase.bets for phase in found] == [True, False, True]


def test_an_unreachable_target_is_replaced() -> None:
    knaves = load("knaves")
    far = replace(knaves, win_conditions=(FirstToScore(target=1000),))
    near = replace(knaves, win_conditions=(FirstToScore(target=5),))
    assert isinstance(tidy(far).win_conditions[0], HighScore)
    assert isinstance(tidy(near).win_conditions[0], FirstToScore)


def test_exchanges_fit_the_size_of_hands() -> None:
    kuhn = with_phases(load("kuhn"), (DiscardPhase(count=3, optional=True, replace=True), BettingPhase()))
    for win in (HighCard(), BestHand()):
        found = tidy(with_setup(replace(kuhn, win_conditions=(win,)), cards_per_player=2))
        [exchange] = [phase for phase in found.turn_structure.phases if isinstance(phase, DiscardPhase)]
        assert exchange.count <= found.setup.cards_per_player
        assert found.setup.cards_per_player == 1 or win != HighCard()


def test_claimed_ranks_rotate_among_players() -> None:
    eight = Deck(ranks="789TJQKA")
    for players in (2, 4):
        found = tidy(replace(with_setup(load("cheat"), initial_deck=eight), player_count=players))
        assert len(found.setup.deck.ranks) % players != 0


def test_deals_without_chips_are_of_an_odd_number() -> None:
    for deals in (2, 3, 4):
        assert tidy(with_setup(load("whist"), deals=deals)).setup.deals in (3, 5)
