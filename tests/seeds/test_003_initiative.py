"""Seed 003: raises that commit cards, with initiative; and the kernel's part of rulings I1 to I4."""

import pytest

from pitboss.betting.events import Checked, Folded, Raised
from pitboss.betting.round import Bounds, Offer, Round
from pitboss.betting.rules import Answers, initiative
from tests.support.seeds.tables import cards_round, follow, places_to_act, play, refusal, turn, words_on_offer

NARC, CUSTOMER, PLAYER = 0, 1, 2
NO_PLAYER = -1
BOTH = pytest.mark.parametrize("answers", [Answers.FOLLOWING, Answers.EVERYONE])

# The printed example of round 1: the player to act, the action, the next player to act, the holder of the initiative.
PRINTED = (
    (NARC, "check", CUSTOMER, NO_PLAYER),
    (CUSTOMER, "raise", PLAYER, CUSTOMER),
    (PLAYER, "check", CUSTOMER, CUSTOMER),
    (CUSTOMER, "raise", PLAYER, CUSTOMER),
    (PLAYER, "check", CUSTOMER, CUSTOMER),
    (CUSTOMER, "check", NO_PLAYER, CUSTOMER),
)


def test_003_example_line_by_line() -> None:
    round = cards_round(3, 3, 3)
    for actor, word, next_to_act, holder in PRINTED:
        assert turn(round) == actor
        round = play(round, word)
        assert turn(round) == next_to_act
        assert round.holder == holder
    assert round.bets == (0, 2, 0)
    assert round.stacks == (3, 1, 3)


# --- actions


def test_003_actions_check_raise_and_fold_are_always_on_offer() -> None:
    round = cards_round(3, 3, 3)
    assert round.offer == Offer(fold=True, check=True, raise_=Bounds(1, 1, 1, 1), all_in=None)
    assert words_on_offer(play(round, "raise").offer) == ["check", "raise", "fold"]


def test_003_check_commits_no_card_and_passes_the_turn() -> None:
    round, events = follow(cards_round(3, 3, 3), "check")
    assert events == (Checked(NARC),)
    assert (round.stacks, round.bets, turn(round)) == ((3, 3, 3), (0, 0, 0), CUSTOMER)


def test_003_raise_plays_one_card_and_passes_the_turn() -> None:
    round, events = follow(cards_round(3, 3, 3), "raise")
    assert events == (Raised(NARC, 1, 1),)
    assert (round.stacks, round.bets, turn(round)) == ((2, 3, 3), (1, 0, 0), CUSTOMER)


def test_003_raise_costs_the_others_no_card() -> None:
    round = play(cards_round(3, 3, 3), "raise")
    assert round.price == 0
    assert refusal(round, "call") == "nothing_owed"
    assert play(round, "check", "check").bets == (1, 0, 0)


def test_003_bets_and_raises_of_two_cards_do_not_exist() -> None:
    round = cards_round(3, 3, 3)
    assert refusal(round, "bet") == "raises_only"
    assert refusal(round, "raise_to 2") == "above_maximum"


def test_003_fold_exits_and_the_hand_continues() -> None:
    round, events = follow(cards_round(3, 3, 3), "fold")
    assert events == (Folded(NARC),)
    assert round.live == (CUSTOMER, PLAYER)
    assert turn(round) == CUSTOMER
    assert round.stacks == (3, 3, 3)


def test_003_turn_order_is_fixed_and_the_player_acts_last() -> None:
    assert places_to_act(cards_round(3, 3, 3), "check", "check") == [NARC, CUSTOMER, PLAYER]


# --- initiative


@BOTH
@pytest.mark.parametrize("first", [NARC, CUSTOMER, PLAYER])
def test_003_first_raise_gains_initiative(answers: Answers, first: int) -> None:
    round = play(cards_round(3, 3, 3, answers=answers), *["check"] * first, "raise")
    assert round.holder == first


@BOTH
def test_003_all_check_ends_betting(answers: Answers) -> None:
    round = cards_round(3, 3, 3, answers=answers)
    assert places_to_act(round, "check", "check", "check") == [NARC, CUSTOMER, PLAYER, NO_PLAYER]
    assert play(round, "check", "check", "check").raises == 0


@BOTH
def test_003_three_raises_end_betting_at_once(answers: Answers) -> None:
    round = cards_round(3, 3, 3, answers=answers)
    assert places_to_act(round, "raise", "raise", "raise") == [NARC, CUSTOMER, PLAYER, NO_PLAYER]
    assert play(round, "raise", "raise", "raise").bets == (1, 1, 1)


@BOTH
def test_003_third_raise_ends_betting_before_others_answer(answers: Answers) -> None:
    round = play(cards_round(3, 3, 3, answers=answers), "raise", "raise", "check")
    assert turn(round) == NARC
    round = play(round, "raise")
    assert turn(round) == NO_PLAYER
    assert refusal(round, "raise") == "betting_over"


@BOTH
def test_003_initiative_re_raise_after_all_respond(answers: Answers) -> None:
    round = cards_round(3, 3, 3, answers=answers)
    assert places_to_act(round, "raise", "check", "check", "raise") == [NARC, CUSTOMER, PLAYER, NARC, CUSTOMER]


@BOTH
def test_003_initiative_holders_check_ends_betting(answers: Answers) -> None:
    round = cards_round(3, 3, 3, answers=answers)
    assert places_to_act(round, "raise", "check", "check", "check") == [NARC, CUSTOMER, PLAYER, NARC, NO_PLAYER]


def test_003_initiative_resets_each_round() -> None:
    round, _ = play(cards_round(3, 3, 3), "check", "raise", "check", "check").close(step=1)
    fresh = round.open(0)
    assert (fresh.holder, fresh.raises, turn(fresh)) == (NO_PLAYER, 0, NARC)
    assert play(fresh, "raise").holder == NARC


def test_003_cards_played_stay_played_when_the_round_closes() -> None:
    """Give no card back as if it were an uncalled bet: if no player matches, no card counts as uncalled."""
    round, events = play(cards_round(3, 3, 3), "check", "raise", "check", "raise", "check", "check").close(step=1)
    assert events == ()
    assert round.stacks == (3, 1, 3)


# --- raise limits


def test_003_raise_limit_counts_raises_of_all_players() -> None:
    round = play(cards_round(3, 3, 3), "check", "raise", "raise")
    assert round.raises == 2
    assert turn(play(round, "raise")) == NO_PLAYER


@pytest.mark.parametrize(
    ("cap", "turns"),
    [
        (1, [NARC, NO_PLAYER]),
        (2, [NARC, CUSTOMER, NO_PLAYER]),
        (4, [NARC, CUSTOMER, PLAYER, NARC, NO_PLAYER]),
        (5, [NARC, CUSTOMER, PLAYER, NARC, CUSTOMER, NO_PLAYER]),
    ],
)
def test_003_raise_limit_is_a_setting(cap: int, turns: list[int]) -> None:
    assert places_to_act(cards_round(5, 5, 5, cap=cap), *["raise"] * cap) == turns


# --- all-in


def test_003_all_in_on_the_last_card_ends_betting_for_that_player() -> None:
    round, events = follow(cards_round(1, 3, 3), "raise")
    assert events == (Raised(NARC, 1, 1, all_in=True),)
    assert places_to_act(round, "check", "check") == [CUSTOMER, PLAYER, NO_PLAYER]


def test_003_all_in_holder_is_skipped_and_others_continue() -> None:
    round = cards_round(1, 3, 3)
    assert places_to_act(round, "raise", "raise", "check") == [NARC, CUSTOMER, PLAYER, NO_PLAYER]


def test_003_all_in_player_checks_automatically_when_answering() -> None:
    round = cards_round(3, 1, 3, answers=Answers.EVERYONE)
    assert places_to_act(round, "check", "raise", "raise", "check") == [NARC, CUSTOMER, PLAYER, NARC, NO_PLAYER]


@BOTH
def test_003_all_in_player_without_cards_does_not_act(answers: Answers) -> None:
    round = cards_round(3, 0, 3, answers=answers)
    assert places_to_act(round, "raise", "check", "check") == [NARC, PLAYER, NARC, NO_PLAYER]


# --- rulings


def test_ruling_I1_following_only_those_after_the_raiser_answer() -> None:
    round = cards_round(3, 3, 3)
    assert places_to_act(round, "check", "raise", "check") == [NARC, CUSTOMER, PLAYER, CUSTOMER]


def test_ruling_I1_following_everyone_acts_once_first() -> None:
    round = cards_round(3, 3, 3)
    assert places_to_act(round, "raise", "raise", "check") == [NARC, CUSTOMER, PLAYER, NARC]


def test_ruling_I1_following_holder_acts_at_once_if_none_follows_the_raiser() -> None:
    assert places_to_act(cards_round(3, 3, 3), "check", "check", "raise", "check") == [
        NARC,
        CUSTOMER,
        PLAYER,
        PLAYER,
        NO_PLAYER,
    ]
    assert places_to_act(cards_round(3, 3, 3), "raise", "check", "raise", "check") == [
        NARC,
        CUSTOMER,
        PLAYER,
        NARC,
        NO_PLAYER,
    ]


def test_ruling_I1_following_is_counted_from_the_opener() -> None:
    round = Round.start(initiative(), stacks=(3, 3, 3), step=1, opener=1)[0]
    assert places_to_act(round, "check", "raise", "check", "raise", "check", "check") == [1, 2, 0, 2, 0, 2, NO_PLAYER]


def test_ruling_I1_everyone_all_others_answer_in_order_from_the_raiser() -> None:
    round = cards_round(3, 3, 3, answers=Answers.EVERYONE)
    assert places_to_act(round, "check", "raise", "check", "check") == [NARC, CUSTOMER, PLAYER, NARC, CUSTOMER]


def test_ruling_I1_everyone_the_holder_answers_in_order_too() -> None:
    round = cards_round(3, 3, 3, answers=Answers.EVERYONE)
    assert places_to_act(round, "raise", "check", "raise", "check") == [NARC, CUSTOMER, PLAYER, NARC, CUSTOMER]


def test_ruling_I1_everyone_the_holder_has_a_last_word_if_another_acted_last() -> None:
    round = play(cards_round(3, 3, 3, answers=Answers.EVERYONE), "raise", "check", "raise", "check", "check")
    assert turn(round) == NARC
    assert turn(play(round, "check")) == NO_PLAYER


def test_ruling_I1_everyone_holder_who_acted_last_has_no_last_word() -> None:
    round = cards_round(3, 3, 3, answers=Answers.EVERYONE)
    assert places_to_act(round, "raise", "raise", "check", "check") == [NARC, CUSTOMER, PLAYER, NARC, NO_PLAYER]


def test_ruling_I1_the_two_settings_differ_after_customers_raise() -> None:
    words = ("check", "raise", "check")
    assert places_to_act(cards_round(3, 3, 3, answers=Answers.FOLLOWING), *words)[-1] == CUSTOMER
    assert places_to_act(cards_round(3, 3, 3, answers=Answers.EVERYONE), *words)[-1] == NARC


@BOTH
def test_ruling_I2_other_raises_do_not_take_the_initiative(answers: Answers) -> None:
    round = play(cards_round(3, 3, 3, answers=answers), "raise", "raise")
    assert round.holder == NARC


@BOTH
def test_ruling_I2_initiative_lapses_when_the_holder_folds(answers: Answers) -> None:
    round = play(cards_round(3, 3, 3, answers=answers), "raise", "check", "check", "fold")
    assert round.holder == NO_PLAYER
    assert turn(round) == NO_PLAYER


def test_ruling_I2_lapsed_initiative_does_not_pass_on() -> None:
    round = cards_round(3, 3, 3, answers=Answers.EVERYONE, cap=5)
    round = play(round, "raise", "check", "raise", "fold", "raise")
    assert round.holder == NO_PLAYER
    assert places_to_act(round, "check") == [PLAYER, NO_PLAYER]


def test_ruling_I3_the_third_raise_ends_the_round_for_the_holder_too() -> None:
    round = play(cards_round(5, 5, 5), "check", "raise", "check", "raise", "check", "raise")
    assert turn(round) == NO_PLAYER
    assert round.bets == (0, 3, 0)


def test_ruling_I3_player_without_cards_does_not_act_until_drawing() -> None:
    first = play(cards_round(1, 3, 3), "raise", "check", "check")
    assert first.stacks == (0, 3, 3)
    assert turn(cards_round(*first.stacks)) == CUSTOMER
    drawn = [max(cards, 3) for cards in first.stacks]
    assert turn(cards_round(*drawn)) == NARC


def test_ruling_I4_an_opponents_fold_does_not_end_it() -> None:
    round = cards_round(3, 3, 3)
    assert places_to_act(round, "fold", "fold", "raise", "check") == [NARC, CUSTOMER, PLAYER, PLAYER, NO_PLAYER]


def test_ruling_I4_the_last_player_left_may_raise_up_to_the_limit() -> None:
    round = cards_round(3, 3, 3)
    words = ("fold", "fold", "raise", "raise", "raise")
    assert places_to_act(round, *words) == [NARC, CUSTOMER, PLAYER, PLAYER, PLAYER, NO_PLAYER]
    assert play(round, *words).bets == (0, 0, 3)
