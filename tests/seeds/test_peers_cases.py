"""Cases in which other engines broke; each test names who, and how."""

from decimal import Decimal

import pytest

from pitboss.betting.events import Called, Posted, Raised
from pitboss.betting.pots import Pot, pots
from pitboss.betting.refusals import SetupError
from pitboss.betting.round import NO_OFFER, Bounds, Offer
from pitboss.betting.rules import Reopening
from pitboss.game import Over
from pitboss.hand.events import Shown
from pitboss.records.record import Record
from pitboss.records.replay import replay
from tests.support.seeds.tables import (
    ACES_KINGS_QUEENS,
    at_seats,
    deck,
    follow,
    hold_em,
    places_to_act,
    play,
    refusal,
    start,
    turn,
    won,
)

TO_THE_FLOP = ("call", "call", "check")
EITHER_WAY = pytest.mark.parametrize("reopening", [Reopening.SINGLE, Reopening.CUMULATIVE])

# --- side pots


def test_peers_top_layer_whose_payers_all_folded_is_paid() -> None:
    # PokerKit 0.7.7 in cash mode: chips vanish in about 1 of 125 random hands when folding for free is allowed.
    assert pots([20, 20, 60, 60], [False, False, True, True], dead=5) == (Pot(165, (0, 1)),)
    assert pots([20, 60, 60], [False, True, True]) == (Pot(140, (0,)),)


def test_peers_folding_for_free_above_an_all_in_loses_no_chip() -> None:
    # PokerKit 0.7.7, the same, at the table: places 1 and 2 have paid above the all-in, and one folds for free.
    hand = hold_em(50, 1000, 1000, cards=deck(*ACES_KINGS_QUEENS))
    hand, events = follow(hand, "raise_to 100", "all_in", "call", "fold")
    assert won(events) == [(0, 150, 0), (2, 100, 1)]
    assert hand.stacks == (150, 900, 1000)


def test_peers_tied_side_pot_pays_both_and_the_second_best_keeps_the_rest() -> None:
    # rlcard 286: with several winners in one pot, the second best was judged a loser of the pot they had won.
    cards = deck("AsKc", "AdKs", "9s9c", "2h3h", board="QsJdTc4c5d")
    hand = hold_em(50, 50, 200, 200, cards=cards)
    hand, events = follow(hand, "all_in", "all_in", "all_in", "all_in")
    assert hand.pots == (Pot(200, (0, 1, 2, 3)), Pot(300, (2, 3)))
    assert won(events) == [(0, 100, 0), (1, 100, 0), (2, 300, 1)]
    assert hand.stacks == (100, 100, 300, 0)


def test_peers_odd_chips_stay_where_merging_pots_would_move_them() -> None:
    # PokerKit 46: a dead hand kept alive changed which pots were merged, and a chip went to the other tied winner.
    holes = ("QhTs", "8h2s", "AsKh", "4s6d", "Ah6c", "TcQd", "4dQc")
    stacks = (76, 181, 300, 117, 5, 66, 27)
    cards = deck(*holes, board="7c2hTdKcQs")
    hand, events = start(*stacks, small=1, big=2, antes=[1] * 7, cards=cards)
    hand, events = follow(hand, "raise_to 114", "raise_to 116", "fold", "call", "call", "call", "call", "fold")
    assert hand.pots == (Pot(163, (0, 1, 3, 5, 6)), Pot(195, (0, 1, 3, 5)), Pot(40, (0, 1, 3)), Pot(121, (1, 3)))
    assert won(events) == [(0, 82, 0), (5, 81, 0), (0, 98, 1), (5, 97, 1), (0, 40, 2), (1, 121, 3)]
    assert hand.stacks == (220, 185, 185, 0, 4, 178, 0)


def test_peers_all_in_winner_is_paid() -> None:
    # Several engines: the payout ran over players who could still act and left out the all-in winner.
    hand = hold_em(60, 1000, 1000, cards=deck(*ACES_KINGS_QUEENS))
    hand, events = follow(hand, "raise_to 60", "all_in", "call", *["check"] * 6)
    assert won(events) == [(0, 180, 0)]
    assert hand.stacks == (180, 940, 940)


def test_peers_folded_player_wins_nothing_with_any_cards() -> None:
    # Several engines: hands were compared without checking which players had folded.
    hand = hold_em(1000, 1000, 1000, cards=deck(*ACES_KINGS_QUEENS))
    hand, events = follow(hand, "call", "fold", "check", *["check"] * 6)
    assert [event.place for event in events if isinstance(event, Shown)] == [1, 2]
    assert won(events) == [(1, 50, 0)]


# --- turns


@pytest.mark.parametrize("words", [("raise_to 200", "all_in", "call"), ("call", "all_in", "all_in", "call")])
def test_peers_last_player_with_chips_does_not_act_against_all_ins(words: tuple[str, ...]) -> None:
    # PyPokerEngine 44 and the server of 002: still asked to check or bet, street after street.
    hand, events = follow(hold_em(100, 100, 1000, cards=deck(*ACES_KINGS_QUEENS)), *words)
    assert hand.turn == Over()
    assert won(events) == [(0, 300, 0)]
    assert hand.stacks == (300, 0, 900)


def test_peers_all_in_big_blind_is_given_no_option() -> None:
    # Several engines: the big blind's option did not consider the stack.
    hand, events = start(1000, 20, 1000)
    assert events[1] == Posted(1, 20, True, all_in=True)
    assert places_to_act(hand, "call", "call") == [2, 0, 0]
    assert play(hand, "call", "call").street_name == "FLOP"


def test_peers_opponent_may_match_an_all_in() -> None:
    # riddles.io 98: after the small blind's call the big blind went all-in, and the flop came without a question.
    hand = play(hold_em(2000, 2000, small=60, big=120), "call", "all_in")
    assert turn(hand) == 1
    assert hand.offer == Offer(fold=True, call=1880, all_in=1880)


@pytest.mark.parametrize("stacks", [(20, 10), (7, 3), (3, 7), (15, 10)])
def test_peers_both_blinds_all_in_heads_up_plays_itself_out(stacks: tuple[int, int]) -> None:
    # The server of 002 hung, waiting for a player who could not act.
    hand, events = start(*stacks, cards=deck("AsAd", "KsKd"))
    assert hand.turn == Over()
    assert won(events) == [(0, 2 * min(stacks), 0)]
    assert sum(hand.stacks) == sum(stacks)


def test_peers_busted_seat_is_not_dealt_in_and_a_fold_ends_the_hand() -> None:
    # The server of 002: a busted seat counted as live, so the last player was never the only one left.
    hand, seats = at_seats([0, 500, 500], button=1)
    assert seats == (2, 1)
    hand, events = follow(hand, "fold")
    assert hand.turn == Over()
    assert won(events) == [(0, 20, 0)]
    with pytest.raises(SetupError, match="place 0 has no chips"):
        hold_em(0, 500, 500)


def test_peers_finished_hand_offers_no_raise() -> None:
    # OpenSpiel 1035: legal raises in a finished state.
    hand = play(hold_em(1000, 1000, 1000), "fold", "fold")
    assert hand.offer == NO_OFFER
    for word in ("fold", "check", "call", "bet 20", "raise_to 40", "raise_by 40", "all_in"):
        assert refusal(hand, word) == "betting_over"


# --- sizes


@pytest.mark.parametrize("short", [1, 9, 10, 19])
def test_peers_stack_shorter_than_the_blind_is_posted_completely(short: int) -> None:
    # PyPokerEngine 4: crashed.
    hand, events = start(1000, short, 1000)
    assert events[1] == Posted(1, short, True, all_in=True)
    assert (hand.round.price, hand.stacks[1]) == (20, 0)
    small, events = start(short, 1000, 1000)
    assert events[0] == Posted(0, min(short, 10), True, all_in=short <= 10)
    assert small.stacks[0] == max(short - 10, 0)


def test_peers_short_big_blind_does_not_lower_the_price() -> None:
    # maverick and the server of 002: the price was the largest bet on the table, 15.
    hand = hold_em(1000, 15, 1000)
    assert (hand.round.price, hand.offer.call) == (20, 20)
    assert hand.offer.raise_ == Bounds(40, 1000, 40, 1000)


def test_peers_ante_is_not_counted_as_a_bet() -> None:
    # maverick: an ante of 5 made the call 15.
    hand = hold_em(1000, 1000, 1000, antes=[5, 5, 5])
    assert hand.round.bets == (10, 20, 0)
    assert hand.offer.call == 20


def test_peers_flop_all_in_of_five_leaves_the_raise_size_at_the_big_blind() -> None:
    # maverick: the raise size became 5, and 10 was a legal raise.
    hand = play(hold_em(25, 1000, 1000), *TO_THE_FLOP, "all_in")
    assert (hand.round.price, hand.round.step) == (5, 20)
    assert refusal(hand, "raise_to 24") == "below_minimum"


@EITHER_WAY
def test_peers_short_all_in_does_not_reopen_raising(reopening: Reopening) -> None:
    # maverick and the server of 002: every player who had called could raise again.
    hand = play(hold_em(30, 1000, 1000, reopening=reopening), "call", "all_in", "call")
    assert turn(hand) == 2
    assert refusal(hand, "raise_to 60") == "not_reopened"


@EITHER_WAY
def test_peers_full_all_in_is_not_counted_among_the_short_ones(reopening: Reopening) -> None:
    # PokerKit 45: a full all-in raise joined the pool of short ones, and a later short all-in reopened the betting.
    hand = hold_em(19, 200, 16, 200, small=1, big=2, reopening=reopening)
    hand, events = follow(hand, "all_in", "call", "all_in", "call")
    assert events[0] == Raised(2, 16, 16, all_in=True)
    assert (hand.round.price, hand.round.step) == (19, 14)
    assert turn(hand) == 3
    assert hand.offer == Offer(fold=True, call=3)


def test_peers_minimum_raise_is_not_capped_by_the_opponents_stack() -> None:
    # PokerKit 40: the least raise was cut down to what the opponent could still pay.
    hand = hold_em(30, 1000)
    assert turn(hand) == 1
    assert hand.offer.raise_ == Bounds(40, 1000, 30, 990)
    assert refusal(hand, "raise_to 30") == "below_minimum"


def test_peers_call_event_is_never_larger_than_the_stack() -> None:
    # The server of 002: the CALL event had the amount owed, not the amount that the stack could pay.
    _, events = follow(hold_em(1000, 70, 1000), "raise_to 500", "fold", "call")
    assert events[2] == Called(1, 50, all_in=True)


def test_peers_fractional_chips_do_not_block_an_all_in() -> None:
    # Bitcoin-Poker-Room 70: with 1000.25 chips the all-in button bet 1000, or nothing at all.
    record = Record(
        variant="NT",
        antes=(0, 0),
        blinds_or_straddles=(Decimal("0.25"), Decimal("0.5")),
        min_bet=Decimal("0.5"),
        starting_stacks=(Decimal("75.25"), 100),
        actions=(
            "d dh p1 AsAd",
            "d dh p2 KsKd",
            "p2 cbr 1.5",
            "p1 cbr 75.25",
            "p2 cc",
            "d db 2c7d9h",
            "d db Js",
            "d db 3c",
            "p1 sm AsAd",
            "p2 sm KsKd",
        ),
    )
    played = replay(record)
    raised = [event for event in played.events if isinstance(event, Raised)][-1]
    assert (raised.place, raised.amount * 4, raised.to * 4, raised.all_in) == (0, 299, 301, True)
    assert played.finishing_stacks == (Decimal("150.5"), Decimal("24.75"))
