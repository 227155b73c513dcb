"""The end of a deal: no player acts when the winner cannot change any more, and the rulebook says so."""

from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.lab.files import load
from pitboss.lab.game import LabGame
from pitboss.lab.genome import CardPoints, Deck, Genome, LaySets, Phase, Setup, TurnStructure, WinCondition, problems
from pitboss.lab.phases.betting import BettingPhase
from pitboss.lab.phases.claim import ClaimPhase
from pitboss.lab.phases.discard import DiscardPhase
from pitboss.lab.phases.draw import DrawPhase
from pitboss.lab.phases.play import PlayPhase
from pitboss.lab.phases.trick import TrickPhase
from pitboss.lab.rulebook import rulebook
from pitboss.lab.wins.capture_all import CaptureAll
from pitboss.lab.wins.empty_hand import EmptyHand
from pitboss.lab.wins.first_to_score import FirstToScore
from pitboss.lab.wins.high_card import HighCard
from pitboss.lab.wins.high_score import HighScore
from pitboss.lab.wins.most_tricks import MostTricks

BET, TRICK = BettingPhase(min_bet=5, max_raises=1), TrickPhase(follow=False)
SHED = PlayPhase(match=("higher",))
DRAWN = ", and there are no more cards to take"


def made(
    *phases: Phase, win: WinCondition | None = None, cards: int = 2, rounds: int = 0, order: str = "rounds", **more: Any
) -> Genome:
    """A game of few cards: ranks 2 to 9 in two suits, chips where there is betting."""
    chips = {"starting_chips": 100, "ante": 1} if any(phase.bets for phase in phases) else {}
    setup = {"cards_per_player": cards, "initial_deck": Deck(ranks="23456789", suits="cd"), **chips}
    fields = {name: more.pop(name) for name in ("player_count", "effects", "scoring") if name in more}
    turns: Any = {"phases": phases, "order": order, "rounds": rounds}
    genome = Genome(
        setup=Setup(**{**setup, **more}),
        turn_structure=TurnStructure(**turns),
        win_conditions=(win or MostTricks(),),
        max_turns=200,
        **fields,
    )
    assert problems(genome) == ()
    return genome


def dealt(genome: Genome, deck: str, *moves: str) -> LabGame:
    """The game after these moves; of a deck as written, seats are dealt in turn."""
    game = LabGame.dealt(genome, deck=tuple(deck.split()))
    for move in moves:
        game = game.after(move)
    return game


def text(genome: Genome) -> str:
    return " ".join(rulebook(genome).split())


# --- no player has a card left


def test_no_bets_follow_the_last_trick() -> None:
    """Also where rounds are left, and in turns: seat 1 takes both tricks."""
    for genome in (
        made(TRICK, BET, rounds=2),
        made(TRICK, BET, rounds=9),
        made(TRICK, BET),
        made(TRICK, BET, rounds=9, order="turns"),
    ):
        game = dealt(genome, "2c 3c 4c 5c", "play 2c", "play 3c", "check", "check", "play 5c")
        assert not game.over
        game = game.after("play 4c")
        assert (game.over, game.winners, game.chips) == (True, (1,), (99, 101))
        last = genome.turn_structure.rounds == 2
        assert ("no player who is still in has a card left" in text(genome)) != last
        assert ("there are no bets at the end of the last" in text(genome)) == (genome.turn_structure.rounds > 0)
        assert DRAWN not in text(genome)


def test_the_end_of_the_rounds_is_not_mentioned_twice() -> None:
    for genome in (made(BET, TRICK, rounds=2), made(TRICK, BET, rounds=1), load("whist"), load("betting_war")):
        assert "has a card left" not in text(genome)
    assert "has a card left" in text(made(BET, TRICK, rounds=2, order="turns"))


@pytest.mark.parametrize("order", ["rounds", "turns"])
def test_no_bets_follow_the_last_cards_if_the_winner_is_visible(order: str) -> None:
    """Three cards each, one trick in rounds, two in turns; a game of hands has its last bets."""
    moves = ["play 2c", "play 3c", "check", "check", "play 5c", "play 4c"][: 2 if order == "rounds" else 6]
    genome = made(TRICK, BET, BET, cards=3, rounds=1, order=order)
    moves[4:4] = ["check", "check"] if order == "turns" else []
    game = dealt(genome, "2c 3c 4c 5c 6c 7c", *moves)
    assert (game.over, game.winners, game.held) == (True, (1,), (2, 2) if order == "rounds" else (1, 1))
    assert f"there are no bets at the end of the last {order[:-1]}" in text(genome)
    held = (CardPoints(where="hand"),)
    for hidden in (
        made(TRICK, BET, win=HighCard(), cards=3, rounds=1),
        made(TRICK, BET, win=HighScore(), cards=3, rounds=1, scoring=held),
    ):
        assert dealt(hidden, "2c 3c 4c 5c 6c 7c", "play 2c", "play 3c").phase == "BettingPhase"
        assert "there are no bets" not in text(hidden)


@pytest.mark.parametrize("source", ["deck", "either", "discard", "ask"])
def test_the_deal_continues_while_players_can_get_cards(source: Any) -> None:
    draw = DrawPhase(source=source)
    genome = made(draw, TRICK, BET, cards=1, initial_discard_count=1, rounds=9)
    game = dealt(replace(genome, turn_structure=replace(genome.turn_structure, phases=(TRICK, BET, draw))), "2c 3c 4c")
    game = game.after("play 2c").after("play 3c")
    assert (game.held, game.phase) == ((0, 0), "BettingPhase")
    assert DRAWN in text(genome)


def test_it_is_over_where_the_last_round_brings_no_more_cards() -> None:
    for order, most in (("rounds", 2), ("turns", 1)):
        genome = made(DrawPhase(), TRICK, BET, cards=0, rounds=most, order=order)
        game, bets = LabGame.dealt(genome, seed=1), 0
        while not game.over:
            bets += game.phase == "BettingPhase"
            game = game.after("check" if game.phase == "BettingPhase" else game.moves[0])
        assert bets == 2  # after the first trick; in turns, after seat 0 has drawn a card that alone makes no trick


def test_cards_of_folded_players_do_not_prolong_a_deal() -> None:
    genome = made(TRICK, BET, player_count=3)
    game = dealt(genome, "2c 3c 4c 5c 6c 7c", "play 2c", "play 3c", "play 4c", "bet", "fold", "call", "play 7c")
    assert game.after("play 5c").over


def test_a_claim_is_finished_first() -> None:
    genome = made(ClaimPhase(), BET, win=HighScore(), cards=1, scoring=(CardPoints(where="hand"),))
    game = dealt(genome, "2c 3c", "claim 2c", "believe", "claim 3c")
    assert (game.held, game.moves) == ((0, 0), ("believe", "doubt"))
    assert game.after("believe").over
    assert game.after("doubt").phase == "BettingPhase"  # 3c was true: seat 0 has both cards again


# --- nothing moves


@pytest.mark.parametrize("order", ["rounds", "turns"])
def test_a_round_without_a_card_ends_the_deal_although_chips_were_paid(order: str) -> None:
    """No player has a card above the nine."""
    genome = made(SHED, BET, win=EmptyHand(), rounds=20, order=order, initial_discard_count=1)
    game = dealt(genome, "2c 3c 4c 5c 9c")
    bets = 1 if order == "rounds" else 2
    for _ in range(bets):
        assert not game.over
        game = game.after("bet").after("call")
    assert game.over
    assert game.winners == (0, 1)
    assert "in which no card was moved" in text(genome)
    assert "no chip was paid" not in text(genome)


def test_a_round_without_a_paid_chip_ends_a_deal_of_only_bets() -> None:
    genome = made(BET, win=HighCard(), cards=1, rounds=3)
    game = dealt(genome, "2c 3c", "bet", "call", "bet", "call", "check")
    assert not game.over
    assert game.after("check").chips == (89, 111)
    assert dealt(genome, "2c 3c", "check", "check").over
    assert "there was a round in which no chip was paid" in text(genome)


def test_a_card_moves_in_every_round_of_tricks() -> None:
    assert "no card was moved" not in text(made(TRICK, BET, rounds=9))
    assert "no card was moved" in text(made(TrickPhase(follow=False, to="hand"), BET, rounds=9))


# --- an exchange


EXCHANGE = DiscardPhase(count=1, replace=True)


def test_an_exchange_takes_from_the_discards_where_the_deck_is_empty() -> None:
    """As every draw does: all but the top card are shuffled."""
    genome = made(EXCHANGE, win=HighCard(), cards=1, rounds=9, initial_deck=Deck(ranks="2345", suits="c"))
    game = dealt(genome, "2c 3c 4c 5c", "discard 2c", "discard 3c")
    assert (game.hands, game.deck_left, game.discards) == ((("4c",), ("5c",)), 0, ("2c", "3c"))
    game = game.after("discard 4c")
    assert game.held == (1, 1)
    assert game.hands[0] in (("2c",), ("3c",))
    assert (game.discards, game.deck_left) == (("4c",), 1)
    assert "shuffle the discards without their top card" in text(genome)
    assert "as long as it lasts" not in text(genome)


def test_an_exchange_of_the_last_card_empties_no_hand() -> None:
    genome = made(EXCHANGE, SHED, win=EmptyHand(), cards=1)
    game = dealt(genome, "2c 3c 4c 5c", "discard 2c")
    assert (game.over, game.hands) == (False, (("4c",), ("3c",)))
    assert "An exchange that has begun is finished first." in text(genome)


def test_exchange_without_cards_prolongs_a_deal() -> None:
    genome = made(EXCHANGE, SHED, win=EmptyHand(), cards=1, initial_deck=Deck(ranks="23", suits="c"))
    game = dealt(genome, "2c 3c", "discard 2c")
    assert (game.over, game.winners) == (True, (0,))


# --- what the sentences of the win conditions say


def test_most_cards_win_where_not_all_can_be_won() -> None:
    assert "Win all the cards." in text(load("war"))
    genome = made(PlayPhase(target="tableau", capture="rank"), win=CaptureAll(), cards=2)
    assert "Win all the cards." not in text(genome)
    assert "Have the most cards, held and won, when the deal is over." in text(genome)
    game = dealt(genome, "2c 2d 3c 4c", "play 2c", "play 2d", "play 3c")
    assert (game.over, game.winners) == (True, (1,))  # seat 0 has none, seat 1 one in hand and two won


def test_a_deal_for_all_cards_ends_with_no_more_than_one_hand() -> None:
    """Also if there is a tied trick, and if no player has a card."""
    war = made(TrickPhase(blind=True, to="hand", ties="stay"), win=CaptureAll(), cards=1)
    assert dealt(war, "2c 2d").winners == (0, 1)
    assert "no more than one player has cards left in hand" in text(war)
    folding = made(TRICK, BET, win=CaptureAll())
    assert "no more than one player who is still in has cards left in hand" in text(folding)


def test_in_one_deal_without_points_before_its_end_the_most_points_win() -> None:
    points = (CardPoints(where="captured"),)
    one = made(TRICK, win=FirstToScore(target=3), scoring=points)
    assert "Make the most points." in text(one)
    for other in (
        replace(one, setup=replace(one.setup, deals=2)),
        replace(one, effects=(LaySets(size=2, points=1),)),
    ):
        assert "Be the first to have 3 points." in text(other)


def test_a_card_turned_up_is_cleared_when_all_have_passed() -> None:
    """A single player cannot clear the pile, because no other player has played."""
    clearing = PlayPhase(match=("higher",), optional=True, clear_after_passes=True)
    genome = made(clearing, win=EmptyHand(), order="turns", initial_discard_count=1)
    game = dealt(genome, "6c 7c 8c 9c 5c", "pass")
    assert game.moves == ("play 7c", "play 9c", "pass")
    assert not game.state.fresh
    game = game.after("pass")
    assert game.state.fresh
    assert game.player == 0
    assert "Before the first play, the pile is cleared only if all players pass; then the next player starts." in text(
        genome
    )
    bare = replace(genome, setup=replace(genome.setup, initial_discard_count=0))
    assert "Before the first play" not in text(bare)
    assert dealt(bare, "6c 7c 8c 9c", "pass", "pass").over  # there is nothing to clear, and nothing has moved
    assert "in which no card was moved and no pile was cleared" in text(genome)
    played = dealt(genome, "6c 7c 8c 9c 5c", "play 6c", "pass")
    assert (played.player, bool(played.state.fresh)) == (0, True)
