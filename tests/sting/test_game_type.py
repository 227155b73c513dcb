"""Sting as a type of game: three places, all of them open; in absence by the policies; written and read alike."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.betting.refusals import Refused
from pitboss.betting.rules import Answers, RulesError
from pitboss.chance import Chance
from pitboss.errors import PitbossError
from pitboss.game import Game, GameType, PlayersTurn
from pitboss.sting.cards import HIDDEN
from pitboss.sting.events import Continue, StingAction, StingCheck, StingEvent, StingFold, StingRaise
from pitboss.sting.game_type import STING, Sting
from pitboss.sting.hand import CUSTOMER, NARC, PLAYER, StingHand
from pitboss.sting.policies import narc
from pitboss.sting.run import Run
from tests.support.for_each import for_each
from tests.support.sting.tables import SEEDS, play, some_hands, start, with_cards

SPOKEN: GameType[StingHand, StingAction, StingEvent] = STING
"""The type checker holds sting to the protocol here."""


def test_a_hand_is_a_game_of_three_open_places() -> None:
    game: Game = SPOKEN.start(3, Chance(1))[0]
    assert (SPOKEN.name, list(SPOKEN.places)) == ("sting", [3])
    assert game.turn == PlayersTurn(NARC)
    game, _ = game.act(StingCheck(), NARC)
    game, _ = game.act(StingCheck(), CUSTOMER)
    assert game.turn == PlayersTurn(PLAYER)


@pytest.mark.parametrize("places", [0, 2, 4])
def test_other_numbers_of_players_are_refused(places: int) -> None:
    with pytest.raises(PitbossError, match=f"places: expected 3, got {places}"):
        STING.start(places, Chance(1))


def test_decks_and_answers_are_settings_of_the_type() -> None:
    plain, other = STING.start(3, Chance(5))[0], Sting(deck="kingpin", narc="detective").start(3, Chance(5))[0]
    assert plain == STING.start(3, Chance(5))[0]
    assert plain.hands != other.hands
    with pytest.raises(PitbossError, match="unknown player deck 'none'"):
        Sting(deck="none").start(3, Chance(5))


def test_legal_lists_every_action_on_offer() -> None:
    hand = start(player=("Weed", "Alibi", "Weed"))
    hand = play(hand, "narc check", "customer check")
    assert hand.legal() == (StingRaise("Weed"), StingRaise("Alibi"), StingCheck(), StingFold())
    hand = play(hand, "player check")
    assert hand.legal() == (Continue(), StingFold())
    assert play(hand, "fold").legal() == ()


@given(SEEDS)
def test_default_actions_play_a_hand_to_its_end(seed: int) -> None:
    hand, _ = STING.start(3, Chance(seed))
    while not hand.over:
        action = STING.default_action(hand)
        if hand.to_act == PLAYER:
            assert action == (StingFold() if hand.offer.continue_ else StingCheck())
        assert action in hand.legal()
        hand, _ = hand.act(action, hand.to_act)
    assert hand.outcome == "fold"
    assert STING.result(hand) == (0, 0, 0)


def test_the_default_narc_raises_as_often_as_the_policy() -> None:
    hands = [STING.start(3, Chance(seed))[0] for seed in range(2000)]
    raised = sum(isinstance(STING.default_action(hand), StingRaise) for hand in hands)
    assert 720 < raised < 880  # 40 per cent, within four deviations
    assert {narc(hands[0].view(NARC), Chance(seed)) for seed in range(50)} <= set(hands[0].legal())


def test_views_do_not_have_the_seed() -> None:
    hand, _ = STING.start(3, Chance(3))
    assert hand.seed is not None
    assert {hand.view(place).seed for place in (NARC, CUSTOMER, PLAYER, None)} == {None}


@pytest.mark.parametrize("place", [-1, 3])
def test_a_view_of_an_invalid_place_is_refused(place: int) -> None:
    with pytest.raises(Refused, match=f"place: expected 0 to 2, got {place}"):
        start().view(place)


def test_result_depends_on_the_players_play_against_the_narc() -> None:
    made = with_cards("Weed", "Alibi")
    assert (made.outcome, STING.result(made)) == ("success", (-30, 0, 30))
    saved = with_cards("Weed", "Plea Bargain", cash=1000, narc=("Surveillance", "Surveillance"))
    assert (saved.outcome, saved.cost, STING.result(saved)) == ("success", 1000, (970, 0, -970))
    with pytest.raises(PitbossError, match="the hand is not over"):
        STING.result(start())


@given(some_hands(), st.data())
def test_actions_and_events_read_back_as_written(hand: StingHand, data: st.DataObject) -> None:
    while not hand.over:
        action = data.draw(st.sampled_from(hand.legal()))
        assert STING.read_action(STING.write_action(action)) == action
        hand, events = hand.act(action)
        for event in events:
            for place in (NARC, CUSTOMER, PLAYER, None):
                seen = STING.view_event(event, place)
                assert seen is not None
                assert STING.read_event(STING.write_event(seen)) == seen
            assert STING.read_event(STING.write_event(event).decode()) == event


@for_each("written", ["", "check", b"\xff", "null", "[]", "{}", '{"type":"raise"}', '{"type":"dance"}', "[" * 100_000])
def test_invalid_actions_and_events_are_refused_in_one_sentence(written: bytes | str) -> None:
    with pytest.raises(PitbossError, match=r"^not an action of Sting: "):
        STING.read_action(written)
    with pytest.raises(PitbossError, match=r"^not an event of Sting: "):
        STING.read_event(written)


def test_spectator_sees_numbers_of_drawn_and_raised_cards_but_not_which() -> None:
    hand, drawn = STING.start(3, Chance(9))
    _, raised = hand.act(StingRaise(hand.hands[NARC][0]))
    for event in (*drawn, *raised):
        shown = STING.write_event(event)
        seen = STING.write_event(STING.view_event(event, None) or event)
        assert HIDDEN.encode() in seen
        assert shown.count(b'"') == seen.count(b'"')


def test_answers_can_be_text_and_invalid_ones_are_refused() -> None:
    decks = dict.fromkeys(("narc", "customer", "player"), ("Patrol",) * 9)
    ways: list[Callable[..., Any]] = [Sting, partial(StingHand.start, decks), partial(Run.start, seed=1)]
    for way in ways:
        assert way(answers="everyone") == way(answers=Answers.EVERYONE) != way(answers="following")
        with pytest.raises(RulesError, match="answers: expected 'everyone' or 'following', got 'somebody'"):
            way(answers="somebody")
