"""Rulings G (everywhere) and N (no-limit hold'em), one test or more each."""

import ast
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pitboss
from pitboss.betting.events import Called, Fold, Folded, Posted, Raise, RaiseBy, Raised, Refunded
from pitboss.betting.pots import Pot, pots, share
from pitboss.betting.refusals import Refused, SetupError
from pitboss.betting.round import Bounds, Offer, Post
from pitboss.betting.rules import Reopening
from pitboss.chance import Chance
from pitboss.hand.events import DealBoard, DealHole, Event, Muck, Won
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Stakes, blinds
from pitboss.table.rotation import RotationError, next_button, order_of_play
from tests.support.for_each import for_each
from tests.support.seeds.tables import (
    ACES_KINGS_QUEENS,
    ROYAL_BOARD,
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

# --- G1: chips are integers


@for_each("amount", [60.0, True, Fraction(60), "60", None])
def test_ruling_G1_amounts_are_whole_chips(amount: Any) -> None:
    hand = hold_em(1000, 1000, 1000)
    with pytest.raises(Refused) as caught:
        hand.act(Raise(to=amount))
    assert caught.value.rule == ("amount_missing" if amount is None else "whole_chips")


@pytest.mark.parametrize("amount", [1000.0, True, -1, 0])
def test_ruling_G1_stacks_are_whole_chips(amount: Any) -> None:
    with pytest.raises(SetupError):
        hold_em(1000, amount, 1000)


# --- G2: chips are conserved


def on_offer(offer: Offer) -> list[str]:
    """List legal words, sized ones at their bounds."""
    words = [word for word in ("fold", "check", "call", "all_in") if getattr(offer, word) not in (None, False)]
    for word, bounds in (("bet", offer.bet), ("raise_to", offer.raise_)):
        if bounds is not None:
            words += [f"{word} {bounds.min_to}", f"{word} {bounds.max_to}"]
    return words


def book(event: Event, stacks: list[int]) -> int:
    """Move an event's chips between a stack and the middle; return what the middle gained."""
    match event:
        case Posted(place=p, amount=amount) | Called(place=p, amount=amount) | Raised(place=p, amount=amount):
            stacks[p] -= amount
            return amount
        case Refunded(place=p, amount=amount) | Won(place=p, amount=amount):
            stacks[p] += amount
            return -amount
    return 0


@given(
    data=st.data(),
    stacks=st.lists(st.integers(1, 300), min_size=2, max_size=6),
    ante=st.integers(0, 9),
    dead=st.integers(0, 20),
    seed=st.integers(0, 1000),
    reopening=st.sampled_from(Reopening),
)
def test_ruling_G2_chips_are_conserved_after_every_event(
    data: st.DataObject, stacks: list[int], ante: int, dead: int, seed: int, reopening: Reopening
) -> None:
    hand, events = start(
        *stacks,
        antes=[ante] * len(stacks),
        posts=[Post(len(stacks) - 1, dead, live=False)],
        cards=Chance(seed).shuffled(NO_LIMIT_HOLDEM.deck),
        reopening=reopening,
    )
    while not hand.over:
        hand, happened = follow(hand, data.draw(st.sampled_from(on_offer(hand.offer))))
        events += happened
        assert sum(hand.stacks) + hand.round.chips_in_middle == sum(stacks)
        assert sum(pot.amount for pot in hand.round.pots) == hand.round.chips_in_middle
    ledger, middle = list(stacks), 0
    for event in events:
        middle += book(event, ledger)
        assert middle >= 0
        assert min(ledger) >= 0
    assert middle == 0
    assert tuple(ledger) == hand.stacks


def test_ruling_G2_a_dead_blind_is_not_burnt() -> None:
    hand, events = start(1000, 1000, 1000, posts=[Post(2, 10, live=False)])
    hand, happened = follow(hand, "fold", "fold")
    assert won(events + happened) == [(1, 30, 0)]
    assert hand.stacks == (990, 1020, 990)


# --- G3: one meaning for amounts


def test_ruling_G3_to_and_by_express_the_same_raise() -> None:
    hand = play(hold_em(1000, 1000, 1000), "call")
    assert hand.act(Raise(to=70)) == hand.act(RaiseBy(by=60))
    assert hand.act(Raise(to=70))[1] == (Raised(0, amount=60, to=70),)


def test_ruling_G3_bounds_are_given_both_ways() -> None:
    hand = play(hold_em(1000, 1000, 1000), "call")
    assert hand.offer.raise_ == Bounds(min_to=40, max_to=1000, min_by=30, max_by=990)


# --- G4: a refused action changes nothing


def test_ruling_G4_refused_action_changes_nothing_and_may_be_retried() -> None:
    hand = hold_em(1000, 1000, 1000)
    again = hold_em(1000, 1000, 1000)
    assert refusal(hand, "raise_to 39") == "below_minimum"
    assert refusal(hand, "check") == "must_pay"
    assert hand == again
    assert play(hand, "raise_to 40") == play(again, "raise_to 40")


def test_ruling_G4_refusal_states_the_rule_and_the_numbers() -> None:
    with pytest.raises(Refused, match="below_minimum: expected at least 40, got 39"):
        hold_em(1000, 1000, 1000).act(Raise(to=39))


def test_ruling_G4_out_of_turn_is_refused() -> None:
    with pytest.raises(Refused, match="it is the turn of place 2, not of place 0") as caught:
        hold_em(1000, 1000, 1000).act(Fold(), place=0)
    assert caught.value.rule == "out_of_turn"


# --- G5: chance and time are arguments

CLOCKS_AND_DICE = {"time", "random", "secrets", "uuid", "asyncio", "numpy", "pitboss.chance"}
SOURCE = Path(pitboss.__file__).parent
ROOMS = ("betting", "hand", "ranks", "notation", "table")
RULES = [path for room in ROOMS for path in sorted((SOURCE / room).glob("*.py"))]


def imported(path: Path) -> set[str]:
    """Return the modules a file imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


@for_each("path", RULES, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_ruling_G5_rules_import_no_clock_and_no_generator(path: Path) -> None:
    allowed = {"pitboss.chance"} if path in (SOURCE / "hand" / "game_type.py", SOURCE / "hand" / "setup.py") else set()
    assert imported(path) & CLOCKS_AND_DICE == allowed


def test_ruling_G5_where_a_game_starts_chance_is_an_argument() -> None:
    """It knows the generator's type, for that argument alone: it makes none."""
    nodes = ast.walk(ast.parse((SOURCE / "hand" / "game_type.py").read_text(encoding="utf-8")))
    called = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert "SetupError" in called
    assert "Chance" not in called


def test_ruling_G5_a_hand_in_a_line_shuffles_by_the_seed_it_is_given_and_no_other() -> None:
    nodes = ast.walk(ast.parse((SOURCE / "hand" / "setup.py").read_text(encoding="utf-8")))
    made = [node for node in nodes if isinstance(node, ast.Call) and ast.unparse(node.func) == "Chance"]
    assert [ast.unparse(node) for node in made] == ["Chance(seed)"]


def test_ruling_G5_the_same_deck_and_actions_make_the_same_events() -> None:
    words = ("raise_to 60", "call", "fold", "bet 100", "call", "check", "check", "check", "check")
    cards = Chance(7).shuffled(NO_LIMIT_HOLDEM.deck)
    first = follow(hold_em(1000, 1000, 1000, cards=cards), *words)
    assert first[0].over
    assert first == follow(hold_em(1000, 1000, 1000, cards=cards), *words)


# --- N1: the least bet


@pytest.mark.parametrize(("street", "checks"), [("FLOP", 0), ("TURN", 3), ("RIVER", 6)])
def test_ruling_N1_least_bet_is_the_big_blind_on_every_street(street: str, checks: int) -> None:
    hand = play(hold_em(1000, 1000, 1000), *TO_THE_FLOP, *["check"] * checks)
    assert hand.street_name == street
    assert hand.offer.bet == Bounds(20, 980, 20, 980)
    assert refusal(hand, "bet 19") == "below_minimum"


def test_ruling_N1_short_big_blind_leaves_the_price_whole() -> None:
    hand, events = start(1000, 15, 1000, 1000)
    assert events[1] == Posted(1, 15, True, all_in=True)
    assert hand.round.price == 20
    assert hand.offer == Offer(fold=True, call=20, raise_=Bounds(40, 1000, 40, 1000), all_in=1000)


def test_ruling_N1_caller_of_a_short_big_blind_pays_the_whole_price() -> None:
    hand, events = follow(hold_em(1000, 15, 1000, 1000), "call", "call", "call")
    assert events[:3] == (Called(2, 20), Called(3, 20), Called(0, 10))
    assert hand.pots == (Pot(60, (0, 1, 2, 3)), Pot(15, (0, 2, 3)))


# --- N2: a full raise


def test_ruling_N2_all_in_opening_bet_below_the_big_blind_sets_price_not_raise_size() -> None:
    hand = play(hold_em(25, 1000, 1000), *TO_THE_FLOP, "all_in")
    assert (hand.round.price, hand.round.step) == (5, 20)
    assert hand.offer == Offer(fold=True, call=5, raise_=Bounds(25, 980, 25, 980), all_in=980)


def test_ruling_N2_all_in_opening_bet_below_the_big_blind_does_not_reopen() -> None:
    hand = play(hold_em(1000, 1000, 25), *TO_THE_FLOP, "check", "check", "all_in")
    assert turn(hand) == 0
    assert hand.offer == Offer(fold=True, call=5)
    assert refusal(hand, "raise_to 25") == "not_reopened"


@pytest.mark.parametrize(("second", "offer"), [(44, Offer(fold=True, call=19)), (45, None)])
def test_ruling_N2_all_in_over_a_short_opening_is_full_from_the_big_blind_on(second: int, offer: Offer | None) -> None:
    """Place 0 opens for 5, place 1 calls, place 3 makes it 24 (by 19, short) or 25 (by 20, full)."""
    hand = play(hold_em(25, 1000, 1000, second), "call", *TO_THE_FLOP, "all_in", "call", "call", "all_in")
    assert (turn(hand), hand.round.price, hand.round.step) == (1, second - 20, 20)
    full = Offer(fold=True, call=20, raise_=Bounds(45, 980, 40, 975), all_in=975)
    assert hand.offer == (offer or full)


def test_ruling_N2_straddle_leaves_the_raise_size_at_the_big_blind() -> None:
    """Read N2 to the letter: no full raise yet, so over a straddle of 40 the least raise is to 40 + 20."""
    hand = hold_em(1000, 1000, 1000, 1000, straddles=[40])
    assert (hand.round.price, hand.round.step) == (40, 20)
    assert hand.offer.raise_ == Bounds(60, 1000, 60, 1000)


# --- N3: short all-ins


def test_ruling_N3_raise_is_not_offered_to_a_player_who_has_acted() -> None:
    hand = play(hold_em(30, 1000, 1000), "call", "all_in", "call")
    assert turn(hand) == 2
    assert hand.offer == Offer(fold=True, call=10)


@pytest.mark.parametrize(("left", "pays"), [(10, 10), (5, 5)])
def test_ruling_N3_all_in_is_offered_up_to_the_call(left: int, pays: int) -> None:
    hand = play(hold_em(30, 1000, 20 + left), "call", "all_in", "call")
    assert turn(hand) == 2
    assert hand.offer == Offer(fold=True, call=pays, all_in=pays)


def test_ruling_N3_all_in_is_not_offered_where_it_is_more_than_the_call() -> None:
    hand = play(hold_em(30, 1000, 31), "call", "all_in", "call")
    assert hand.offer == Offer(fold=True, call=10)
    assert refusal(hand, "all_in") == "not_reopened"


def test_ruling_N3_default_is_each_raise_alone() -> None:
    assert NO_LIMIT_HOLDEM.betting.reopening is Reopening.SINGLE
    hand = play(hold_em(35, 45, 1000, 1000), "call", "call", "all_in", "all_in")
    assert (turn(hand), hand.round.price) == (2, 45)
    assert hand.offer == Offer(fold=True, call=25)


def test_ruling_N3_cumulative_compares_the_accumulated_raises() -> None:
    hand = hold_em(35, 45, 1000, 1000, reopening=Reopening.CUMULATIVE)
    hand = play(hand, "call", "call", "all_in", "all_in")
    assert (turn(hand), hand.round.price, hand.round.step) == (2, 45, 20)
    assert hand.offer == Offer(fold=True, call=25, raise_=Bounds(65, 1000, 45, 980), all_in=980)


def test_ruling_N3_cumulative_exactly_a_full_raise_reopens() -> None:
    hand = hold_em(30, 40, 1000, 1000, reopening=Reopening.CUMULATIVE)
    hand = play(hand, "call", "call", "all_in", "all_in")
    assert (turn(hand), hand.round.price) == (2, 40)
    assert hand.offer == Offer(fold=True, call=20, raise_=Bounds(60, 1000, 40, 980), all_in=980)


def test_ruling_N3_cumulative_below_a_full_raise_does_not_reopen() -> None:
    hand = hold_em(30, 39, 1000, 1000, reopening=Reopening.CUMULATIVE)
    hand = play(hand, "call", "call", "all_in", "all_in")
    assert (turn(hand), hand.round.price) == (2, 39)
    assert hand.offer == Offer(fold=True, call=19)


# --- N4: players who do not act


def test_ruling_N4_last_player_with_chips_who_owes_none_does_not_act() -> None:
    hand, events = follow(hold_em(100, 1000, 1000, cards=deck(*ACES_KINGS_QUEENS)), "fold", "all_in", "call")
    assert hand.over
    assert won(events) == [(0, 200, 0)]
    assert hand.stacks == (200, 900, 1000)


def test_ruling_N4_last_player_with_chips_who_owes_some_acts() -> None:
    hand = play(hold_em(100, 1000, 1000), "fold", "all_in")
    assert turn(hand) == 1
    assert hand.offer == Offer(fold=True, call=80)


def test_ruling_N4_raise_that_no_opponent_can_answer_is_not_offered() -> None:
    hand = play(hold_em(100, 1000, 1000), "fold", "all_in")
    assert refusal(hand, "raise_to 200") == "unanswerable"
    assert refusal(hand, "all_in") == "unanswerable"


def test_ruling_N4_opponent_who_can_only_call_cannot_answer_a_raise() -> None:
    hand = play(hold_em(1000, 100, 100), "all_in")
    assert turn(hand) == 0
    assert hand.offer == Offer(fold=True, call=90)


def test_ruling_N4_an_opponent_with_one_chip_more_than_the_price_can() -> None:
    hand = play(hold_em(1000, 101, 100), "all_in")
    assert turn(hand) == 0
    assert hand.offer == Offer(fold=True, call=90, raise_=Bounds(180, 1000, 170, 990), all_in=990)


# --- N5: fold is always accepted


def test_ruling_N5_fold_is_accepted_when_checking_is_free() -> None:
    hand = play(hold_em(1000, 1000, 1000), *TO_THE_FLOP)
    assert hand.offer.fold is True
    hand, events = follow(hand, "fold", "fold")
    assert events == (Folded(0), Folded(1), Won(2, 60, 0))
    assert hand.stacks == (980, 980, 1040)


def test_ruling_N5_big_blind_may_fold_their_option() -> None:
    hand = play(hold_em(1000, 1000, 1000), "call", "call", "fold")
    assert hand.street_name == "FLOP"
    assert hand.round.live == (0, 2)


# --- N6: antes, straddles, dead posts


def test_ruling_N6_antes_are_not_part_of_the_street_bet() -> None:
    hand, events = start(1000, 1000, 1000, antes=[5, 5, 5])
    assert events[:3] == (Posted(0, 5, False), Posted(1, 5, False), Posted(2, 5, False))
    assert (hand.round.pot, hand.round.bets, hand.round.price) == (15, (10, 20, 0), 20)
    assert hand.offer == Offer(fold=True, call=20, raise_=Bounds(40, 995, 40, 995), all_in=995)


def test_ruling_N6_player_of_a_short_ante_claims_as_much_of_the_others() -> None:
    hand = hold_em(1000, 1000, 3, antes=[5, 5, 5], cards=deck("KsKd", "QsQd", "AsAd"))
    hand, events = follow(hand, "call", "check", *["check"] * 6)
    assert hand.pots == (Pot(9, (0, 1, 2)), Pot(44, (0, 1)))
    assert won(events) == [(2, 9, 0), (0, 44, 1)]


@pytest.mark.parametrize(
    ("stacks", "holes", "after"),
    [((1000, 3), ("KsKd", "AsAd"), (997, 6)), ((1000, 4, 3), ("QsQd", "KsKd", "AsAd"), (996, 2, 9))],
)
def test_ruling_N6_players_lose_no_more_of_an_ante_than_others_can_match(
    stacks: tuple[int, ...], holes: tuple[str, ...], after: tuple[int, ...]
) -> None:
    hand = hold_em(*stacks, antes=[5] * len(stacks), cards=deck(*holes))
    assert hand.over
    assert hand.stacks == after


def test_ruling_N6_one_ante_for_all_is_dead_money_in_the_main_pot() -> None:
    hand = hold_em(15, 1000, 1000, antes=[0, 20, 0], equal_antes=False, cards=deck(*ACES_KINGS_QUEENS))
    hand, events = follow(hand, "call", "all_in", "check", *["check"] * 6)
    assert hand.pots == (Pot(65, (0, 1, 2)), Pot(10, (1, 2)))
    assert won(events) == [(0, 65, 0), (1, 10, 1)]


def test_ruling_N6_straddle_buys_the_last_word() -> None:
    hand = hold_em(1000, 1000, 1000, 1000, straddles=[40])
    assert places_to_act(hand, "call", "call", "call") == [3, 0, 1, 2]


def test_ruling_N6_dead_post_does_not_lower_the_debt() -> None:
    hand = hold_em(1000, 1000, 1000, posts=[Post(2, 10, live=False)])
    assert (hand.round.pot, hand.offer.call) == (10, 20)


# --- N7: side pots


def test_ruling_N7_pots_are_layers_of_equal_payment() -> None:
    paid = [20, 50, 100, 100]
    assert pots(paid, [False] * 4) == (Pot(80, (0, 1, 2, 3)), Pot(90, (1, 2, 3)), Pot(100, (2, 3)))


def test_ruling_N7_folded_payments_belong_to_the_layers_they_reach() -> None:
    paid = [20, 50, 70, 100, 100]
    folded = [False, False, True, False, False]
    assert pots(paid, folded) == (Pot(100, (0, 1, 3, 4)), Pot(120, (1, 3, 4)), Pot(120, (3, 4)))


def test_ruling_N7_layer_whose_payers_all_folded_merges_into_the_one_below() -> None:
    paid = [50, 50, 120, 120]
    assert pots(paid, [False, False, True, True]) == (Pot(340, (0, 1)),)


def test_ruling_N7_uncalled_part_of_a_bet_is_returned() -> None:
    hand, events = follow(hold_em(1000, 1000, 1000), "raise_to 500", "fold", "fold")
    assert events[-2:] == (Refunded(2, 480), Won(2, 50, 0))
    assert hand.stacks == (990, 980, 1030)


def test_ruling_N7_uncalled_part_of_an_all_in_is_returned_before_pots_are_made() -> None:
    hand, events = follow(hold_em(300, 1000, 700, cards=deck(*ACES_KINGS_QUEENS)), "all_in", "all_in", "fold")
    assert Refunded(2, 400) in events
    assert hand.pots == (Pot(620, (0, 2)),)
    assert hand.stacks == (620, 980, 400)


def test_ruling_N7_no_chip_is_without_a_claimant_when_both_big_stacks_muck() -> None:
    stakes = Stakes(min_bet=20, posts=blinds(3, 10, 20))
    hand, _ = Hand.start(NO_LIMIT_HOLDEM, stacks=(50, 1000, 1000), stakes=stakes)
    for place, hole in enumerate((("2c", "2d"), ("As", "Ad"), ("Ks", "Kd"))):
        hand, _ = hand.act(DealHole(place, hole))
    hand = play(hand, "raise_to 100", "all_in", "call")
    for board in (("7d", "9h", "Js"), ("3c",), ("4c",)):
        hand, _ = hand.act(DealBoard(board))
        hand = play(hand, "check", "check")
    hand, _ = hand.act(Muck(), 1)
    hand, events = hand.act(Muck(), 2)
    assert won(events) == [(0, 250, 0)]
    assert hand.stacks == (250, 900, 900)


def test_ruling_N7_each_pot_is_split_by_itself() -> None:
    """Split 3 × 25 + 10 = 85 and 2 × 25 = 50 alike between two winners: 43 + 25 and 42 + 25."""
    hand = hold_em(1000, 1000, 25, 1000, cards=deck("2h2d", "AsKc", "3h3d", "AdKs", board="QsJdTc4c5d"))
    hand, events = follow(hand, "all_in", "raise_to 50", "fold", "call", *["check"] * 6)
    assert hand.pots == (Pot(85, (1, 2, 3)), Pot(50, (1, 3)))
    assert won(events) == [(1, 43, 0), (3, 42, 0), (1, 25, 1), (3, 25, 1)]


@pytest.mark.parametrize(
    ("small", "shares"), [(9, [23, 23, 23]), (10, [24, 23, 23]), (11, [24, 24, 23]), (12, [24, 24, 24])]
)
def test_ruling_N7_odd_chips_are_paid_one_by_one_left_of_the_button(small: int, shares: list[int]) -> None:
    hand = hold_em(1000, 1000, 1000, 1000, small=small, cards=deck("2c2d", "3c3d", "4c4d", "5c5d", board=ROYAL_BOARD))
    hand, events = follow(hand, "call", "call", "fold", "check", *["check"] * 9)
    assert won(events) == [(1, shares[0], 0), (2, shares[1], 0), (3, shares[2], 0)]


def test_ruling_N7_heads_up_odd_chip_is_paid_to_the_big_blind() -> None:
    hand = hold_em(1000, 1000, antes=[1, 0], equal_antes=False, cards=deck("2c2d", "3c3d", board=ROYAL_BOARD))
    hand, events = follow(hand, "call", "check", *["check"] * 6)
    assert won(events) == [(0, 21, 0), (1, 20, 0)]


def test_ruling_N7_shares_are_paid_in_order() -> None:
    assert share(101, "abc") == (34, 34, 33)


# --- N8: heads-up


def test_ruling_N8_heads_up_button_is_small_blind_and_acts_first_preflop_then_last() -> None:
    hand = hold_em(1000, 1000)
    assert hand.round.bets == (20, 10)
    assert places_to_act(hand, "call", "check", "check") == [1, 0, 0, 1]


def test_ruling_N8_also_when_three_become_two() -> None:
    stacks = [500, 0, 1500]
    seats = order_of_play([stack > 0 for stack in stacks], next_button([True, False, True], 0))
    assert seats == (0, 2)
    hand = hold_em(*(stacks[seat] for seat in seats))
    assert hand.stacks == (480, 1490)
    assert seats[turn(hand)] == 2


# --- N9: the button


def test_ruling_N9_button_moves_to_the_next_seat_dealt_in() -> None:
    dealt_in = [True, False, True, True, False]
    assert [next_button(dealt_in, seat) for seat in range(5)] == [2, 2, 3, 0, 0]


def test_ruling_N9_order_is_clockwise_from_the_buttons_left_and_ends_with_the_button() -> None:
    assert order_of_play([True, True, True, True], button=1) == (2, 3, 0, 1)
    assert order_of_play([True, False, True, True], button=0) == (2, 3, 0)


def test_ruling_N9_two_alternate() -> None:
    button, buttons = 1, []
    for _ in range(4):
        button = next_button([False, True, False, True], button)
        buttons.append(button)
    assert buttons == [3, 1, 3, 1]


def test_ruling_N9_no_hand_without_two_players() -> None:
    with pytest.raises(RotationError, match="at least two players, got 1"):
        order_of_play([False, True, False], button=1)


@pytest.mark.parametrize("button", [-1, 3])
def test_ruling_N9_no_button_outside_the_table(button: int) -> None:
    with pytest.raises(RotationError, match=f"button: expected a seat from 0 to 2, got {button}"):
        order_of_play([True, True, True], button=button)
