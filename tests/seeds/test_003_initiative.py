"""Seed 003: raises that commit cards, with initiative; and the kernel's part of rulings I1 to I4."""

import pytest

from pitboss.betting.events import Checked, Folded, Raised
from pitboss.betting.round import Bounds, Offer, Round
from pitboss.betting.rules import Answers, initiative
from tests.support.seeds.tables import asked, cards_round, follow, play, refusal, turn, words_on_offer

NARC, CUSTOMER, PLAYER = 0, 1, 2
NOBODY = -1
BOTH = pytest.mark.parametrize("answers", [Answers.FOLLOWING, Answers.EVERYONE])

# The printed example of round 1: the player to act, the action, the next player to act, the holder of the initiative.
PRINTED = (
    (NARC, "check", CUSTOMER, NOBODY),
    (CUSTOMER, "raise", PLAYER, CUSTOMER),
    (PLAYER, "check", CUSTOMER, CUSTOMER),
    (CUSTOMER, "raise", PLAYER, CUSTOMER),
    (PLAYER, "check", CUSTOMER, CUSTOMER),
    (CUSTOMER, "check", NOBODY, CUSTOMER),
)


def test_003_example_line_by_line() -> None:
    round = cards_round(3, 3, 3)
    for actor, word, next_asked, holder in PRINTED:
        assert turn(round) == actor
        round = play(round, word)
        assert turn(round) == next_asked
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


def test_003_raise_asks_no_card_of_the_others() -> None:
    round = play(cards_round(3, 3, 3), "raise")
    assert round.price == 0
    assert refusal(round, "call") == "nothing_owed"
    assert play(round, "check", "check").bets == (1, 0, 0)


def test_003_there_is_no_bet_and_no_raise_of_two_cards() -> None:
    round = cards_round(3, 3, 3)
    assert refusal(round, "bet") == "raises_only"
    assert refusal(round, "raise_to 2") == "above_maximum"


def test_003_fold_exits_and_the_hand_continues() -> None:
    round, events = follow(cards_round(3, 3, 3), "fold")
    assert events == (Folded(NARC),)
    assert round.live == (CUSTOMER, PLAYER)
    assert turn(round) == CUSTOMER
    assert round.stacks == (3, 3, 3)


def test_003_turn_order_is_fixed_and_the_player_speaks_last() -> None:
    assert asked(cards_round(3, 3, 3), "check", "check") == [NARC, CUSTOMER, PLAYER]


# --- initiative


@BOTH
@pytest.mark.parametrize("first", [NARC, CUSTOMER, PLAYER])
def test_003_first_raise_gains_initiative(answers: Answers, first: int) -> None:
    round = play(cards_round(3, 3, 3, answers=answers), *["check"] * first, "raise")
    assert round.holder == first


@BOTH
def test_003_all_check_ends_betting(answers: Answers) -> None:
    round = cards_round(3, 3, 3, answers=answers)
    assert asked(round, "check", "check", "check") == [NARC, CUSTOMER, PLAYER, NOBODY]
    assert play(round, "check", "check", "check").raises == 0


@BOTH
def test_003_three_raises_end_betting_at_once(answers: Answers) -> None:
    round = cards_round(3, 3, 3, answers=answers)
    assert asked(round, "raise", "raise", "raise") == [NARC, CUSTOMER, PLAYER, NOBODY]
    assert play(round, "raise", "raise", "raise").bets == (1, 1, 1)


@BOTH
def test_003_third_raise_ends_betting_before_others_answer(answers: Answers) -> None:
    round = play(cards_round(3, 3, 3, answers=answers), "raise", "raise", "check")
    assert turn(round) == NARC
    round = play(round, "raise")
    assert turn(round) == NOBODY
    assert refusal(round, "raise") == "betting_over"


@BOTH
def test_003_initiative_re_raise_after_all_respond(answers: Answers) -> None:
    round = cards_round(3, 3, 3, answers=answers)
    assert asked(round, "raise", "check", "check", "raise") == [NARC, CUSTOMER, PLAYER, NARC, CUSTOMER]


@BOTH
def test_003_initiative_holders_check_ends_betting(answers: Answers) -> None:
    round = cards_round(3, 3, 3, answers=answers)
    assert asked(round, "raise", "check", "check", "check") == [NARC, CUSTOMER, PLAYER, NARC, NOBODY]


def test_003_initiative_resets_each_round() -> None:
    round, _ = play(cards_round(3, 3, 3), "check", "raise", "check", "check").close(step=1)
    fresh = round.open(0)
    assert (fresh.holder, fresh.raises, turn(fresh)) == (NOBODY, 0, NARC)
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
    assert turn(play(round, "raise")) == NOBODY


@pytest.mark.parametrize(
    ("cap", "turns"),
    [
        (1, [NARC, NOBODY]),
        (2, [NARC, CUSTOMER, NOBODY]),
        (4, [NARC, CUSTOMER, PLAYER, NARC, NOBODY]),
        (5, [NARC, CUSTOMER, PLAYER, NARC, CUSTOMER, NOBODY]),
    ],
)
def test_003_raise_limit_is_a_setting(cap: int, turns: list[int]) -> None:
    assert asked(cards_round(5, 5, 5, cap=cap), *["raise"] * cap) == turns


# --- all-in


def test_003_all_in_on_the_last_card_ends_betting_for_that_player() -> None:
    round, events = follow(cards_round(1, 3, 3), "raise")
    assert events == (Raised(NARC, 1, 1, all_in=True),)
    assert asked(round, "check", "check") == [CUSTOMER, PLAYER, NOBODY]


def test_003_all_in_holder_is_skipped_and_betting_goes_on_for_others() -> None:
    round = cards_round(1, 3, 3)
    assert asked(round, "raise", "raise", "check") == [NARC, CUSTOMER, PLAYER, NOBODY]


def test_003_all_in_player_checks_by_himself_when_he_would_answer() -> None:
    round = cards_round(3, 1, 3, answers=Answers.EVERYONE)
    assert asked(round, "check", "raise", "raise", "check") == [NARC, CUSTOMER, PLAYER, NARC, NOBODY]


@BOTH
def test_003_all_in_player_without_cards_is_not_asked_at_all(answers: Answers) -> None:
    round = cards_round(3, 0, 3, answers=answers)
    assert asked(round, "raise", "check", "check") == [NARC, PLAYER, NARC, NOBODY]


# --- rulings


def test_ruling_I1_following_only_those_after_the_raiser_answer() -> None:
    round = cards_round(3, 3, 3)
    assert asked(round, "check", "raise", "check") == [NARC, CUSTOMER, PLAYER, CUSTOMER]


def test_ruling_I1_following_everyone_acts_once_first() -> None:
    round = cards_round(3, 3, 3)
    assert asked(round, "raise", "raise", "check") == [NARC, CUSTOMER, PLAYER, NARC]


def test_ruling_I1_following_nobody_after_the_raiser_holder_speaks_at_once() -> None:
    assert asked(cards_round(3, 3, 3), "check", "check", "raise", "check") == [NARC, CUSTOMER, PLAYER, PLAYER, NOBODY]
    assert asked(cards_round(3, 3, 3), "raise", "check", "raise", "check") == [NARC, CUSTOMER, PLAYER, NARC, NOBODY]


def test_ruling_I1_following_is_counted_from_who_opened() -> None:
    round = Round.start(initiative(), stacks=(3, 3, 3), step=1, opener=1)[0]
    assert asked(round, "check", "raise", "check", "raise", "check", "check") == [1, 2, 0, 2, 0, 2, NOBODY]


def test_ruling_I1_everyone_all_others_answer_in_order_from_the_raiser() -> None:
    round = cards_round(3, 3, 3, answers=Answers.EVERYONE)
    assert asked(round, "check", "raise", "check", "check") == [NARC, CUSTOMER, PLAYER, NARC, CUSTOMER]


def test_ruling_I1_everyone_the_holder_answers_in_order_too() -> None:
    round = cards_round(3, 3, 3, answers=Answers.EVERYONE)
    assert asked(round, "raise", "check", "raise", "check") == [NARC, CUSTOMER, PLAYER, NARC, CUSTOMER]


def test_ruling_I1_everyone_the_holder_has_a_last_word_if_another_acted_last() -> None:
    round = play(cards_round(3, 3, 3, answers=Answers.EVERYONE), "raise", "check", "raise", "check", "check")
    assert turn(round) == NARC
    assert turn(play(round, "check")) == NOBODY


def test_ruling_I1_everyone_no_last_word_for_a_holder_who_acted_last() -> None:
    round = cards_round(3, 3, 3, answers=Answers.EVERYONE)
    assert asked(round, "raise", "raise", "check", "check") == [NARC, CUSTOMER, PLAYER, NARC, NOBODY]


def test_ruling_I1_the_two_settings_differ_after_customers_raise() -> None:
    words = ("check", "raise", "check")
    assert asked(cards_round(3, 3, 3, answers=Answers.FOLLOWING), *words)[-1] == CUSTOMER
    assert asked(cards_round(3, 3, 3, answers=Answers.EVERYONE), *words)[-1] == NARC


@BOTH
def test_ruling_I2_other_raises_do_not_take_the_initiative(answers: Answers) -> None:
    round = play(cards_round(3, 3, 3, answers=answers), "raise", "raise")
    assert round.holder == NARC


@BOTH
def test_ruling_I2_initiative_lapses_when_the_holder_folds(answers: Answers) -> None:
    round = play(cards_round(3, 3, 3, answers=answers), "raise", "check", "check", "fold")
    assert round.holder == NOBODY
    assert turn(round) == NOBODY


def test_ruling_I2_a_lapsed_initiative_goes_to_nobody_else() -> None:
    round = cards_round(3, 3, 3, answers=Answers.EVERYONE, cap=5)
    round = play(round, "raise", "check", "raise", "fold", "raise")
    assert round.holder == NOBODY
    assert asked(round, "check") == [PLAYER, NOBODY]


def test_ruling_I3_the_third_raise_ends_the_round_for_the_holder_too() -> None:
    round = play(cards_round(5, 5, 5), "check", "raise", "check", "raise", "check", "raise")
    assert turn(round) == NOBODY
    assert round.bets == (0, 3, 0)


def test_ruling_I3_out_of_cards_is_not_asked_until_he_has_drawn_again() -> None:
    first = play(cards_round(1, 3, 3), "raise", "check", "check")
    assert first.stacks == (0, 3, 3)
    assert turn(cards_round(*first.stacks)) == CUSTOMER
    drawn = [max(cards, 3) for cards in first.stacks]
    assert turn(cards_round(*drawn)) == NARC


def test_ruling_I4_an_opponents_fold_does_not_end_it() -> None:
    round = cards_round(3, 3, 3)
    assert asked(round, "fold", "fold", "raise", "check") == [NARC, CUSTOMER, PLAYER, PLAYER, NOBODY]


def test_ruling_I4_the_last_player_left_may_raise_up_to_the_limit() -> None:
    round = cards_round(3, 3, 3)
    words = ("fold", "fold", "raise", "raise", "raise")
    assert asked(round, *words) == [NARC, CUSTOMER, PLAYER, PLAYER, PLAYER, NOBODY]
    assert play(round, *words).bets == (0, 0, 3)
