"""Rules that only game files have: discards, several boards, a choice of runs, wild cards and a spread limit."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from pitboss import Hand, Record, evaluate, read_position, replay, simulate, write_position
from pitboss.betting.refusals import Refused, SetupError
from pitboss.betting.rules import RulesError, spread_limit
from pitboss.hand.events import BoardDealt, ChooseRuns, Discard, Discarded, Event, RunBegun, RunsChosen, Won
from pitboss.hand.games import NO_LIMIT_HOLDEM, find_structure
from pitboss.hand.view import view_event
from pitboss.ranks.wild import wild_high_name
from pitboss.table.stakes import StakesError, TableStakes

TWICE = replace(NO_LIMIT_HOLDEM, code="X", keys=("twice",), most_runs=3)
WILD = replace(NO_LIMIT_HOLDEM, code="X", keys=("wild",), wild="2")
SPREAD = replace(NO_LIMIT_HOLDEM, code="X", keys=("spread",), betting=spread_limit(least_bet=2, most_bet=10))


def played(hand: Hand, actions: Sequence[str]) -> tuple[Hand, list[Event]]:
    """The hand after these actions, and their events."""
    events: list[Event] = []
    for action in actions:
        hand, happened = hand.act(action)
        events += happened
    return hand, events


def dealt(game: str, *actions: str) -> tuple[Hand, list[Event]]:
    hand, events = Hand.deal(game, stacks=(100, 100), blinds=(1, 2), seed=3)
    after, more = played(hand, actions)
    return after, [*events, *more]


# --- discards


def test_a_discard_comes_before_the_flop_in_pineapple_and_before_the_turn_in_the_others() -> None:
    hand, _ = dealt("pineapple", "call", "check")
    assert (hand.phase, hand.street_name, hand.board) == ("draw", "FLOP", ())
    hand, _ = dealt("crazy_pineapple", "call", "check", "check", "check")
    assert (hand.phase, hand.street_name, len(hand.board)) == ("draw", "TURN", 3)


def test_exactly_the_cards_of_the_rule_are_discarded() -> None:
    hand, _ = dealt("irish", "call", "check", "check", "check")
    assert hand.offer.discard == 2
    assert len(hand.legal()) == 6
    held = hand.holes[0]
    with pytest.raises(Refused, match=r"place 0 must discard 2 of .*, got 1"):
        hand.act(Discard(held[:1]))
    hand, events = hand.act(Discard(held[:2]))
    assert hand.holes[0] == held[2:]
    assert events == (Discarded(0, held[:2]),)


def test_a_discard_is_hidden_unless_it_is_face_up() -> None:
    down, up = Discarded(0, ("2c",)), Discarded(0, ("2c",), up=True)
    assert view_event(down, 1) == Discarded(0, ("??",))
    assert view_event(down, 0) == down
    assert view_event(up, None) == up
    street = replace(find_structure("pineapple").streets[1], discard_up=True)
    pineapple = find_structure("pineapple")
    open_game = replace(pineapple, streets=(pineapple.streets[0], street, *pineapple.streets[2:]))
    hand, _ = Hand.deal(open_game, stacks=(100, 100), blinds=(1, 2), seed=3)
    hand, _ = played(hand, ["call", "check"])
    card = hand.holes[0][0]
    hand, _ = hand.act(Discard((card,)))
    seen = hand.view(1)
    assert seen.draw is not None
    assert (seen.draw.open, seen.draw.discards) == ((card,), ())
    assert read_position(write_position(hand)) == hand


def test_all_in_players_discard_before_the_rest_is_dealt() -> None:
    hand, _ = dealt("crazy_pineapple", "all in", "call")
    assert (hand.phase, len(hand.board)) == ("draw", 3)
    hand, events = played(hand, [f"discard {hand.holes[0][0]}", f"discard {hand.holes[1][0]}"])
    assert hand.over
    assert sum(isinstance(event, Won) for event in events) >= 1


# --- several boards


def test_each_board_wins_half_of_the_pot() -> None:
    hand, events = dealt("double_board_omaha", "call", *["check"] * 7)
    assert [len(board) for board in (hand.board, *hand.more_boards)] == [5, 5]
    flops = [event.board for event in events if isinstance(event, BoardDealt) and event.street == "FLOP"]
    assert flops == [1, 2]
    at = next(number for number, event in enumerate(events) if isinstance(event, RunBegun))
    first = sum(event.amount for event in events[:at] if isinstance(event, Won))
    assert (first, hand.stacks[0] + hand.stacks[1]) == (2, 200)


def test_a_record_deals_the_boards_one_after_the_other() -> None:
    hand, events = dealt("double_board_omaha", "call", *["check"] * 7)
    record = Record.from_hand(hand, events)
    boards = [action for action in record.actions if action.startswith("d db")]
    assert [len(action) for action in boards] == [11, 11, 7, 7, 7, 7]
    assert replay(record).hand.more_boards == hand.more_boards


# --- a choice of runs


def all_in() -> Hand:
    hand, _ = Hand.deal(TWICE, stacks=(100, 100), blinds=(1, 2), seed=3)
    return played(hand, ["all in", "call"])[0]


def test_the_smallest_choice_of_runs_counts() -> None:
    hand = all_in()
    assert (hand.phase, hand.offer.runs, hand.board) == ("runs", 3, ())
    hand, events = played(hand, ["run it 3 times", "run it twice"])
    assert [event for event in events if isinstance(event, RunsChosen)] == [RunsChosen(0, 3), RunsChosen(1, 2)]
    assert hand.runs is not None
    assert len(hand.runs.boards) + 1 == 2


def test_one_player_who_wants_one_run_gets_it() -> None:
    hand, events = played(all_in(), ["run it once", "run it 3 times"])
    assert hand.over
    assert not any(isinstance(event, RunBegun) for event in events)


def test_other_numbers_of_runs_are_refused() -> None:
    for runs in (0, 4, True):
        with pytest.raises(Refused, match="wrong_runs: expected 1 to 3 runs"):
            all_in().act(ChooseRuns(runs))
    hand, _ = Hand.deal(TWICE, stacks=(100, 100), blinds=(1, 2), seed=3)
    with pytest.raises(Refused, match="no_choice_of_runs"):
        hand.act(ChooseRuns(2))


def test_no_more_runs_than_the_deck_has_cards_for_are_offered() -> None:
    structure = replace(TWICE, most_runs=4)
    assert [structure.runs_for(players, 4) for players in (2, 16, 18, 22)] == [4, 4, 3, 1]


def test_a_position_keeps_the_choices() -> None:
    hand, _ = all_in().act(ChooseRuns(2))
    assert read_position(write_position(hand)) == hand


# --- wild cards and spread limit


def test_a_wild_card_wins_a_pot() -> None:
    deck = ["Ac", "2s", "Ad", "Ks", "7h", "8c", "Qd", "Jc", "4s"]
    rest = [card for card in WILD.deck if card not in deck]
    hand, _ = Hand.deal(WILD, stacks=(100, 100), blinds=(1, 2), deck=[*deck, *rest])
    hand, events = played(hand, ["all in", "call"])
    assert [event.place for event in events if isinstance(event, Won)] == [0]
    deck[2], deck[4] = "3d", "Kh"
    rest = [card for card in WILD.deck if card not in deck]
    hand, _ = Hand.deal(WILD, stacks=(100, 100), blinds=(1, 2), deck=[*deck, *rest])
    hand, events = played(hand, ["all in", "call"])
    assert [event.place for event in events if isinstance(event, Won)] == [1]


def test_evaluate_knows_wild_cards() -> None:
    assert wild_high_name(evaluate("AsAh", board="AcAd2c7h8h", game=WILD)) == "five_of_a_kind"


def test_compiled_hands_name_the_rule_that_they_do_not_have() -> None:
    for game, rule in ((WILD, "wild cards"), (TWICE, "a choice of runs"), (find_structure("irish"), "discards")):
        with pytest.raises(SetupError, match=f"do not have {rule}"):
            simulate(10, seats=2, game=game, compiled=True)


def test_a_spread_limit_bounds_bets_and_raises() -> None:
    hand, _ = Hand.deal(SPREAD, stacks=(500, 500), blinds=(1, 2), seed=3)
    assert hand.offer.raise_ is not None
    assert (hand.offer.raise_.min_to, hand.offer.raise_.max_to) == (4, 12)
    hand, _ = hand.act("raise 10")
    assert hand.offer.raise_ is not None
    assert (hand.offer.raise_.min_to, hand.offer.raise_.max_to) == (18, 20)
    with pytest.raises(Refused, match="above_maximum: expected at most 20, got 30"):
        hand.act("raise 30")


def test_stakes_outside_the_spread_are_refused() -> None:
    with pytest.raises(SetupError, match="min_bet: expected 2 to 10, the bets of no-limit hold'em, got 50"):
        Hand.deal(SPREAD, stacks=(500, 500), blinds=(25, 50), min_bet=50, seed=3)
    with pytest.raises(StakesError, match="big_blind: expected a minimum bet of 2 to 10"):
        TableStakes(small_blind=25, big_blind=50).in_game(SPREAD)
    with pytest.raises(RulesError, match="most_bet: a spread limit needs both bounds"):
        spread_limit(most_bet=5)


def test_a_wild_card_needs_ranks(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="wild: expected ranks such as '2', got 'X'"):
        replace(WILD, wild="X")
    with pytest.raises(SetupError, match="wild: expected a showdown by the order 'high' only"):
        replace(find_structure("razz"), wild="2")
