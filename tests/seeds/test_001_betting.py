"""Seed 001: fixed-step betting, named after the seed's own Go tests, and the kernel's part of rulings F1 to F5."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.betting.events import Called, Folded, Raised
from pitboss.betting.pots import share
from pitboss.betting.round import NO_OFFER, Bounds, Offer, Round
from pitboss.table.rotation import next_button
from tests.support.seeds.tables import follow, places_to_act, play, refusal, stepped, turn, words_on_offer

# --- move generation


def test_001_betting_moves_no_current_bet() -> None:
    round = stepped(100, 100)
    assert words_on_offer(round.offer) == ["check", "bet"]
    assert round.offer == Offer(check=True, bet=Bounds(10, 10, 10, 10))


def test_001_betting_moves_with_current_bet() -> None:
    round = play(stepped(100, 100), "bet")
    assert words_on_offer(round.offer) == ["call", "raise", "fold"]
    assert round.offer == Offer(fold=True, call=10, raise_=Bounds(20, 20, 20, 20))


def test_001_betting_moves_cant_afford_call() -> None:
    round = play(stepped(100, 9), "bet")
    assert words_on_offer(round.offer) == ["all_in", "fold"]
    assert round.offer == Offer(fold=True, all_in=9)
    assert refusal(round, "call") == "short_call"


def test_001_betting_moves_can_just_afford_call() -> None:
    round = play(stepped(100, 10), "bet")
    assert words_on_offer(round.offer) == ["call", "fold"]
    assert refusal(round, "all_in") == "not_short"


def test_001_betting_moves_cant_afford_min_bet() -> None:
    round = stepped(9, 100)
    assert words_on_offer(round.offer) == ["check", "all_in"]
    assert round.offer == Offer(check=True, all_in=9)
    assert refusal(round, "bet") == "short_raise"


def test_001_betting_moves_can_just_afford_min_bet() -> None:
    round = stepped(10, 100)
    assert words_on_offer(round.offer) == ["check", "bet"]
    assert refusal(round, "all_in") == "not_short"


def test_001_betting_moves_folded_player() -> None:
    round = play(stepped(100, 100, 100), "bet", "fold")
    assert places_to_act(round, "raise", "call") == [2, 0, -1]


def test_001_betting_moves_all_in_player() -> None:
    round = play(stepped(100, 5, 100), "bet", "all_in")
    assert places_to_act(round, "raise", "call") == [2, 0, -1]


def test_001_betting_moves_player_without_chips() -> None:
    assert places_to_act(stepped(100, 0, 100), "check", "check") == [0, 2, -1]


def test_001_betting_moves_max_raises_reached() -> None:
    round = play(stepped(100, 100), "bet", "raise", "raise", "raise")
    assert round.raises == 3
    assert words_on_offer(round.offer) == ["call", "fold"]
    assert refusal(round, "raise") == "raise_cap"


def test_001_betting_moves_no_fold_while_checking_is_free() -> None:
    assert refusal(stepped(100, 100), "fold") == "free_fold"


def test_001_betting_moves_after_a_check_there_is_still_no_bet_to_match() -> None:
    assert words_on_offer(play(stepped(100, 100), "check").offer) == ["check", "bet"]


def test_001_betting_moves_raise_is_one_step_exactly() -> None:
    round = play(stepped(100, 100), "bet")
    assert refusal(round, "raise_to 19") == "below_minimum"
    assert refusal(round, "raise_to 21") == "above_maximum"


# --- action effects


def test_001_apply_check() -> None:
    before = stepped(100, 100)
    round = play(before, "check")
    assert (round.stacks, round.bets, round.chips_in_middle) == ((100, 100), (0, 0), 0)
    assert (round.price, round.raises) == (0, 0)


def test_001_apply_bet() -> None:
    round, events = follow(stepped(100, 100), "bet")
    assert events == (Raised(0, 10, 10, opening=True),)
    assert (round.stacks, round.bets, round.chips_in_middle) == ((90, 100), (10, 0), 10)
    assert (round.price, round.raises) == (10, 0)


def test_001_apply_call() -> None:
    round, events = follow(play(stepped(100, 100), "bet", "raise"), "call")
    assert events == (Called(0, 10),)
    assert (round.stacks, round.bets, round.chips_in_middle) == ((80, 80), (20, 20), 40)
    assert (round.price, round.raises) == (20, 1)


def test_001_apply_raise() -> None:
    round, events = follow(play(stepped(100, 100), "bet"), "raise")
    assert events == (Raised(1, 20, 20),)
    assert (round.stacks, round.bets, round.chips_in_middle) == ((90, 80), (10, 20), 30)
    assert (round.price, round.raises) == (20, 1)


def test_001_apply_raise_pays_the_debt_and_one_step() -> None:
    round = play(stepped(100, 100, 100), "bet", "raise", "raise")
    assert (round.stacks, round.bets) == ((90, 80, 70), (10, 20, 30))
    assert play(round, "raise").stacks == (60, 80, 70)


def test_001_apply_all_in_as_a_short_call() -> None:
    round, events = follow(play(stepped(100, 7, 100), "bet"), "all_in")
    assert events == (Called(1, 7, all_in=True),)
    assert (round.stacks, round.bets, round.chips_in_middle) == ((90, 0, 100), (10, 7, 0), 17)
    assert (round.price, round.raises) == (10, 0)


def test_001_apply_all_in_as_a_short_bet_sets_the_price() -> None:
    round, events = follow(stepped(7, 100), "all_in")
    assert events == (Raised(0, 7, 7, opening=True, all_in=True),)
    assert (round.stacks, round.bets, round.chips_in_middle) == ((0, 100), (7, 0), 7)
    assert (round.price, round.raises) == (7, 0)


def test_001_apply_fold() -> None:
    round, events = follow(play(stepped(100, 100, 100), "bet"), "fold")
    assert events == (Folded(1),)
    assert round.folded == (False, True, False)
    assert (round.stacks, round.chips_in_middle) == ((90, 100, 100), 10)


# --- round termination


def test_001_round_ends_all_matched() -> None:
    assert places_to_act(stepped(100, 100, 100), "bet", "call", "call") == [0, 1, 2, -1]


def test_001_round_ends_all_checked() -> None:
    assert places_to_act(stepped(100, 100, 100), "check", "check", "check") == [0, 1, 2, -1]


def test_001_round_ends_all_folded_but_one() -> None:
    round = play(stepped(100, 100, 100), "bet", "fold", "fold")
    assert turn(round) == -1
    assert round.live == (0,)
    assert round.offer == NO_OFFER


def test_001_round_ends_all_all_in() -> None:
    round = play(stepped(10, 10, 10), "bet", "call", "call")
    assert turn(round) == -1
    assert round.stacks == (0, 0, 0)


def test_001_round_continues_unmatched_bet() -> None:
    assert places_to_act(stepped(100, 100, 100), "check", "bet", "call") == [0, 1, 2, 0]


def test_001_round_continues_raise_reopens() -> None:
    round = play(stepped(100, 100, 100), "bet", "call", "raise")
    assert turn(round) == 0
    assert places_to_act(round, "call", "call") == [0, 1, -1]
    assert words_on_offer(round.offer) == ["call", "raise", "fold"]


def test_001_round_starts_with_the_starting_player_and_moves_clockwise() -> None:
    assert places_to_act(stepped(100, 100, 100, opener=2), "check", "check", "check") == [2, 0, 1, -1]


def test_001_starting_position_rotates_each_hand() -> None:
    starts = [0]
    for _ in range(3):
        starts.append(next_button([True] * 3, starts[-1]))
    assert starts == [0, 1, 2, 0]
    assert [turn(stepped(100, 100, 100, opener=start)) for start in starts] == [0, 1, 2, 0]


# --- showdown: the pot among the winners it is given


def paid(round: Round, *winners: int) -> tuple[int, ...]:
    """Pay the whole pot to the named winners; the stacks after it."""
    closed, _ = round.close(step=10)
    paid_out = closed.pay_out(zip(winners, share(closed.pot, winners), strict=True))
    assert paid_out.chips_in_middle == 0
    return paid_out.stacks


def test_001_showdown_single_winner() -> None:
    assert paid(play(stepped(100, 100), "bet", "call"), 1) == (90, 110)


def test_001_showdown_tied_hands() -> None:
    assert paid(play(stepped(100, 100, 100), "bet", "call", "call"), 0, 1, 2) == (100, 100, 100)


def test_001_showdown_everyone_folded() -> None:
    round = play(stepped(100, 100, 100), "bet", "raise", "fold", "fold")
    assert round.live == (1,)
    assert paid(round, *round.live) == (90, 110, 100)


def test_001_showdown_odd_chip_remainder() -> None:
    round = play(stepped(100, 100, 7), "bet", "call", "all_in")
    assert round.chips_in_middle == 27
    assert paid(round, 0, 1) == (104, 103, 0)


# --- integration


def random_words(data: st.DataObject, round: Round) -> Round:
    """Play anything legal until the round is over, 200 actions at the most."""
    for _ in range(200):
        if turn(round) < 0:
            break
        round = play(round, data.draw(st.sampled_from(words_on_offer(round.offer))))
    return round


STACKS = st.lists(st.integers(0, 60), min_size=2, max_size=5)


@given(data=st.data(), stacks=STACKS, max_raises=st.integers(0, 4))
def test_001_betting_simulation_completes(data: st.DataObject, stacks: list[int], max_raises: int) -> None:
    round = random_words(data, stepped(*stacks, max_raises=max_raises))
    assert turn(round) == -1
    assert round.raises <= max_raises


@given(data=st.data(), stacks=STACKS)
def test_001_betting_chips_conserved(data: st.DataObject, stacks: list[int]) -> None:
    round = random_words(data, stepped(*stacks))
    assert sum(round.stacks) + round.chips_in_middle == sum(stacks)
    assert min(round.stacks) >= 0
    closed, _ = round.close(step=10)
    assert sum(closed.stacks) + closed.pot == sum(stacks)


# --- the seed's edge cases


def test_001_edge_fewer_chips_than_min_bet_can_only_all_in_or_check() -> None:
    assert words_on_offer(stepped(3, 100).offer) == ["check", "all_in"]


def test_001_edge_all_players_all_in_immediately() -> None:
    round = play(stepped(7, 7, 7), "all_in", "call", "call")
    assert turn(round) == -1
    assert round.chips_in_middle == 21


def test_001_edge_raises_to_exactly_max_raises() -> None:
    round = play(stepped(100, 100, max_raises=1), "bet")
    assert words_on_offer(round.offer) == ["call", "raise", "fold"]
    assert words_on_offer(play(round, "raise").offer) == ["call", "fold"]


def test_001_edge_two_players_tie_with_an_odd_pot() -> None:
    assert share(101, (4, 1)) == (51, 50)


def test_001_edge_all_but_one_fold_before_showdown() -> None:
    round, _ = play(stepped(100, 100, 100), "bet", "fold", "fold").close(step=10)
    assert round.live == (0,)
    assert turn(round.open(0)) == -1


# --- rulings


def test_ruling_F1_bet_raise_with_ten_and_thirty_ends() -> None:
    round, events = follow(stepped(10, 30), "bet", "raise")
    assert events == (Raised(0, 10, 10, opening=True, all_in=True), Raised(1, 20, 20))
    assert turn(round) == -1
    assert (round.stacks, round.chips_in_middle) == ((0, 10), 30)


def test_ruling_F1_a_call_with_the_last_chip_is_all_in() -> None:
    round, events = follow(stepped(100, 10, 100), "bet", "call", "raise", "call")
    assert events[1] == Called(1, 10, all_in=True)
    assert turn(round) == -1


def test_ruling_F1_a_raise_with_the_last_chip_is_all_in() -> None:
    round, events = follow(stepped(100, 20, 100), "bet", "raise", "raise", "call")
    assert events[1] == Raised(1, 20, 20, all_in=True)
    assert turn(round) == -1


def test_ruling_F2_every_betting_phase_starts_fresh_and_the_pot_stays() -> None:
    round, _ = play(stepped(100, 100, 100), "bet", "raise", "raise", "call", "call").close(step=10)
    assert (round.bets, round.price, round.raises) == ((0, 0, 0), 0, 0)
    assert round.pot == 90
    fresh = round.open(1)
    assert turn(fresh) == 1
    assert words_on_offer(fresh.offer) == ["check", "bet"]
    assert play(fresh, "bet", "raise", "raise", "raise").raises == 3


def test_ruling_F2_a_phase_may_have_its_own_step() -> None:
    round, _ = play(stepped(100, 100), "bet", "call").close(step=25)
    assert play(round.open(0), "bet").price == 25


@pytest.mark.parametrize(
    ("chips", "words"),
    [(9, ["all_in", "fold"]), (10, ["call", "fold"]), (19, ["call", "fold"]), (20, ["call", "raise", "fold"])],
)
def test_ruling_F3_the_gap_between_call_and_raise(chips: int, words: list[str]) -> None:
    assert words_on_offer(play(stepped(100, chips), "bet").offer) == words


def test_ruling_F3_all_in_above_the_price_reopens_for_all() -> None:
    round = play(stepped(100, 100, 7), "check", "check", "all_in")
    assert places_to_act(round, "call", "call") == [0, 1, -1]


def test_ruling_F3_all_in_above_the_price_is_not_a_raise() -> None:
    round = play(stepped(100, 100, 7), "check", "check", "all_in")
    assert round.raises == 0
    assert words_on_offer(round.offer) == ["call", "raise", "fold"]
    assert play(round, "raise").price == 17
    assert play(round, "raise", "raise", "raise").raises == 3


def test_ruling_F3_all_in_above_the_price_is_not_stopped_by_max_raises() -> None:
    round = stepped(7, 100, max_raises=0)
    assert words_on_offer(round.offer) == ["check", "all_in"]
    round = play(round, "all_in")
    assert words_on_offer(round.offer) == ["call", "fold"]


def test_ruling_F3_without_raises_there_is_still_a_bet() -> None:
    assert words_on_offer(stepped(100, 100, max_raises=0).offer) == ["check", "bet"]


def test_ruling_F3_last_player_with_chips_acts_as_printed() -> None:
    """Keep the printed loop, which stops only when no player can act: N4 is for no-limit."""
    round, _ = play(stepped(10, 100), "bet", "call").close(step=10)
    fresh = round.open(0)
    assert turn(fresh) == 1
    assert words_on_offer(fresh.offer) == ["check", "bet"]


def test_ruling_F4_single_pot_gives_odd_chips_to_the_first_named() -> None:
    assert share(101, (0, 1)) == (51, 50)
    assert share(100, (0, 1)) == (50, 50)
    assert share(101, (1,)) == (101,)


def test_ruling_F4_finished_hand_leaves_no_chips() -> None:
    round, _ = play(stepped(100, 100), "bet", "call").close(step=10)
    paid_out = round.pay_out([(0, round.pot)])
    assert (paid_out.stacks, paid_out.pot) == ((110, 90), 0)


def test_ruling_F5_ante_is_paid_by_all_and_not_owed() -> None:
    round = stepped(100, 100, 100, ante=2)
    assert (round.stacks, round.pot, round.bets) == ((98, 98, 98), 6, (0, 0, 0))
    assert words_on_offer(round.offer) == ["check", "bet"]
    assert play(round, "bet").price == 10


def test_ruling_F5_ante_defaults_to_zero() -> None:
    assert stepped(100, 100).chips_in_middle == 0
