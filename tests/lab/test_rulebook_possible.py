"""A rulebook has only what can happen: games are played, and their events are looked up in it."""

from typing import Literal

import pytest
from msgspec.structs import replace

from pitboss.chance import Chance
from pitboss.lab.english import some
from pitboss.lab.events import DealJudged, HandShown
from pitboss.lab.files import known_games, load
from pitboss.lab.game import LabGame
from pitboss.lab.genome import CardEffect, CardPoints, Genome, LaySets, Setup, TrickPoints, TurnStructure, hands_differ
from pitboss.lab.phases.betting import BettingPhase
from pitboss.lab.phases.draw import DrawPhase
from pitboss.lab.phases.play import PlayPhase
from pitboss.lab.phases.trick import TrickPhase
from pitboss.lab.rulebook import always_moves, deck_runs_out, points_matter, rulebook, runs_short, scoring_rules
from pitboss.lab.variation.mutations import random_genome
from pitboss.lab.wins.capture_all import CaptureAll
from tests.support.for_each import for_each
from tests.support.lab.genomes import some_genome

BETTING = [name for name in known_games() if load(name).betting_phases]


def check_bets(genome: Genome, seed: int, most: int = 150) -> None:
    """Play at random, and find in the rulebook every way to go all-in that is on offer."""
    text, chance = " ".join(rulebook(genome).split()), Chance(seed)
    game = LabGame.dealt(genome, seed)
    while game.player is not None and most:
        most -= 1
        if "all_in" in game.moves:
            why = (
                "if you have fewer chips than a call costs"
                if "fold" in game.moves
                else "if you have fewer chips than a bet"
            )
            assert f"**go all-in**, {why}" in text, (genome, game)
        game = game.after(chance.choice([move for move in game.moves if move != "fold"] or game.moves))


@for_each("name", BETTING)
def test_every_all_in_on_offer_is_in_the_rulebook_of_a_known_game(name: str) -> None:
    genome = load(name)
    tight = replace(genome, setup=replace(genome.setup, deals=1, starting_chips=genome.setup.starting_chips // 2 + 1))
    for seed in range(5):
        check_bets(genome, seed)
        check_bets(tight, seed)


@for_each("seed", range(25))
def test_every_all_in_on_offer_is_in_the_rulebook_of_any_game(seed: int) -> None:
    check_bets(random_genome(Chance(seed)), seed)


def test_no_player_runs_short_with_enough_chips() -> None:
    assert not runs_short(load("kuhn"))
    assert not runs_short(load("leduc"))
    assert runs_short(load("community_poker"))
    leduc = load("leduc")
    assert runs_short(replace(leduc, setup=replace(leduc.setup, starting_chips=12)))


def test_irrelevant_points_are_not_mentioned() -> None:
    poker = load("simple_poker")
    sets = replace(poker, effects=(LaySets(size=4, points=5),), scoring=(CardPoints(cards="**", where="hand"),))
    assert not points_matter(sets)
    assert "point" not in rulebook(sets)
    assert "Pen and paper" not in rulebook(sets)


def test_points_that_are_impossible_are_not_mentioned() -> None:
    rummy = load("rummy")
    absent = (TrickPoints(points=7), CardPoints(cards="9d", points=3, where="captured"))
    assert scoring_rules(replace(rummy, scoring=(*rummy.scoring, *absent))) == (*rummy.scoring, absent[1])
    without_sets = replace(rummy, scoring=(*rummy.scoring, *absent), effects=())
    assert scoring_rules(without_sets) == rummy.scoring


def test_a_round_without_a_card_is_mentioned_only_if_it_is_possible() -> None:
    whist = load("whist")
    assert always_moves(whist)
    assert "no card was moved" not in rulebook(whist)
    longer = replace(whist, turn_structure=replace(whist.turn_structure, rounds=14))
    assert "no card was moved" not in rulebook(longer)
    assert "no player has a card left" in rulebook(longer)
    into_hands = replace(whist.turn_structure, phases=(TrickPhase(to="hand"),))
    assert "no card was moved" in rulebook(replace(whist, turn_structure=into_hands))


def capturing(order: Literal["turns", "rounds"], cards: int, rounds: int, players: int = 2) -> Genome:
    """A game in which every player plays a card in each round, until hands run out."""
    return Genome(
        player_count=players,
        setup=Setup(cards_per_player=cards, initial_tableau_count=4, deals=3),
        turn_structure=TurnStructure(phases=(PlayPhase(target="tableau", capture="rank"),), order=order, rounds=rounds),
        win_conditions=(CaptureAll(),),
    )


@for_each("order", ["turns", "rounds"])
@for_each("cards, rounds", [(5, 5), (5, 6), (5, 4)])
def test_rounds_are_promised_where_they_are_played_to_their_end(
    order: Literal["turns", "rounds"], cards: int, rounds: int
) -> None:
    genome = capturing(order, cards, rounds, players=3)
    game, reasons = LabGame.dealt(genome, 4), set[str]()
    while not game.over:
        game, _, remarks = game.act_with_remarks(game.moves[0])
        reasons |= {remark.why for _, remark in remarks if isinstance(remark, DealJudged)}
    text = " ".join(rulebook(genome).split())
    promised = f"{some(rounds, 'round')} have been played"
    assert (promised in reasons) == (promised in text) == (rounds < cards)
    assert "no card was moved" not in text
    assert "Cards still in hand when the deal is over also count; they are no longer played." in text


def test_a_shared_deal_counts_for_all_its_winners() -> None:
    genome = capturing("rounds", cards=2, rounds=1)
    text = " ".join(rulebook(genome).split())
    assert "The player who wins the most deals, alone or together with others, wins the game" in text
    game = LabGame.dealt(genome, deck=["2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c"])
    assert game.after("play 2c").after("play 3c").state.deals_won[:2] == [1, 1]


def test_cards_that_players_may_look_at_and_get_later_are_explained() -> None:
    text = " ".join(rulebook(load("blackjack")).split())
    assert (
        "You may look at your own cards, including those that you get later, but not at those of other players." in text
    )
    assert "At any time, all players may ask how many cards a player holds." in text
    assert "As soon as you have more than 21, announce it and take no more cards." in text
    assert "At any time" not in rulebook(load("kuhn"))
    assert "that you get later" not in rulebook(load("kuhn"))


def test_the_cards_of_a_folded_player_are_explained_if_the_deal_continues() -> None:
    assert "You keep the cards" not in rulebook(load("kuhn"))
    text = " ".join(rulebook(load("blackjack")).split())
    assert "You keep the cards in your hand, unseen and out of play." in text
    war = replace(load("betting_war"), player_count=3, setup=replace(load("betting_war").setup, cards_per_player=10))
    assert "out of play; cards that you have won stay in front of you." in " ".join(rulebook(war).split())


def test_no_more_cards_are_exchanged_than_a_hand_has() -> None:
    poker = load("draw_poker")
    small = replace(poker, setup=replace(poker.setup, cards_per_player=2))
    assert rulebook(small).count("up to two cards") == 2
    assert "up to three" not in rulebook(small)
    growing = replace(small.turn_structure, phases=(DrawPhase(), *small.turn_structure.phases))
    assert "up to three cards" in rulebook(replace(small, turn_structure=growing))


def test_the_player_of_an_effect_and_the_suit_of_a_wild_card_are_explained() -> None:
    eights = load("crazy_eights")
    assert "An eight may be played on any card; its own suit counts, and you do not choose another." in " ".join(
        rulebook(eights).split()
    )
    nines = replace(eights, effects=(CardEffect(rank="9", effect="draw_two"),))
    assert "**Nines:** the next player takes two cards" in rulebook(nines)
    bets = replace(nines.turn_structure, phases=(BettingPhase(), *nines.turn_structure.phases))
    setup = replace(nines.setup, starting_chips=100)
    assert "**Nines:** the next player who is still in takes" in rulebook(
        replace(nines, turn_structure=bets, setup=setup)
    )


@pytest.mark.parametrize(("source", "what"), [("opponent", "cards, without looking"), ("ask", "cards for a rank")])
def test_cards_are_taken_from_a_player_still_in_the_deal(source: Literal["opponent", "ask"], what: str) -> None:
    poker = load("draw_poker")
    taking = replace(poker.turn_structure, phases=(DrawPhase(source=source), *poker.turn_structure.phases))
    text = " ".join(rulebook(replace(poker, turn_structure=taking)).split())
    assert f"the next player who is still in and has {what}" in text


def test_an_empty_deck_is_mentioned_only_if_it_can_be_empty() -> None:
    poker = load("draw_poker")
    assert not deck_runs_out(poker)
    assert "When the deck is empty" not in rulebook(poker)
    again = replace(poker, turn_structure=replace(poker.turn_structure, rounds=9))
    assert "shuffle the discards without their top card" in " ".join(rulebook(again).split())


def test_unused_cards_are_named_as_unused() -> None:
    kuhn = load("leduc")
    lying = replace(kuhn, setup=replace(kuhn.setup, initial_tableau_count=1, initial_discard_count=1))
    assert " ".join(rulebook(lying).split()).count("it is not used in the game") == 2
    assert "not used in the game" not in rulebook(load("scopa"))
    assert "not used in the game" not in rulebook(load("crazy_eights"))


def test_a_long_step_is_explained_once_and_hands_may_have_too_few_cards() -> None:
    whist = load("whist")
    twice = replace(whist, turn_structure=replace(whist.turn_structure, phases=whist.turn_structure.phases * 2))
    assert "2. **Play a trick.** Same as step 1." in rulebook(twice)
    discarding = replace(load("gin").turn_structure.phases[1], count=2)
    both = (*whist.turn_structure.phases, discarding)
    uneven = replace(whist, turn_structure=replace(whist.turn_structure, phases=both))
    text = " ".join(rulebook(uneven).split())
    assert "A player without cards sits it out" in text
    assert "Put two cards, or all if you have fewer, from your hand on the discards" in text
    assert "sits it out" not in rulebook(whist)


def test_hands_have_one_size_if_hands_differ_is_false() -> None:
    shown = 0
    for number in range(150):
        genome = some_genome(13, number)
        if not hands_differ(genome):
            game, events = LabGame.start(genome, number)
            for _ in range(60):
                sizes = {len(event.cards) for event in events if isinstance(event, HandShown)}
                assert len(sizes) <= 1, genome
                shown += len(sizes)
                if game.over:
                    break
                game, events = game.act(next(move for move in game.moves if move != "fold"))
    assert shown > 10
