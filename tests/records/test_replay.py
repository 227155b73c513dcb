"""Strict replay: the events and their order, the money, and the error for each fault."""

from decimal import Decimal

import pytest

from pitboss.betting.events import Called, Checked, Folded, Posted, Raised, Refunded
from pitboss.formats.phh import PhhError, read_phh
from pitboss.formats.phh.fields import REQUIRED_FIELDS
from pitboss.hand.events import BoardDealt, HoleDealt, Mucked, Shown, Won
from pitboss.hand.games import PHH_CODES, STRUCTURES
from pitboss.records.money import Amount
from pitboss.records.moves import Move, MoveError, read_move
from pitboss.records.record import EXPECTED_VARIANT, Record
from pitboss.records.replay import ReplayError, replay
from tests.support.for_each import for_each

INF = Decimal("Infinity")
DEAL_TWO = ("d dh p1 AsAd", "d dh p2 KsKd")
DEAL_THREE = (*DEAL_TWO, "d dh p3 QsQd")
BOARD = ("d db 2c3c4d", "d db 9h", "d db 8h")
CHECKED_DOWN = ("d db 2c3c4d", "p1 cc", "p2 cc", "d db 9h", "p1 cc", "p2 cc", "d db 8h", "p1 cc", "p2 cc")


def record(
    *actions: str,
    stacks: tuple[Amount, ...] = (100, 100),
    blinds: tuple[Amount, ...] = (1, 2),
    antes: tuple[Amount, ...] = (),
    variant: str = "NT",
    min_bet: Amount | None = 2,
    small_bet: Amount | None = None,
    big_bet: Amount | None = None,
    equal_antes: bool | None = None,
    finishing_stacks: tuple[Amount, ...] | None = None,
) -> Record:
    """Return a record with only the fields that matter."""
    return Record(
        variant=variant,
        ante_trimming_status=equal_antes,
        antes=antes or (0,) * len(stacks),
        blinds_or_straddles=blinds + (0,) * (len(stacks) - len(blinds)),
        min_bet=min_bet,
        small_bet=small_bet,
        big_bet=big_bet,
        starting_stacks=stacks,
        actions=actions,
        finishing_stacks=finishing_stacks,
    )


def stacks_after(given: Record) -> list[str]:
    """Return the finishing stacks as text, so that 5 and 5.0 differ."""
    return [str(stack) for stack in replay(given).finishing_stacks]


def fault(given: Record) -> tuple[int, str]:
    """Return the number of the refused action and the message."""
    with pytest.raises(ReplayError) as caught:
        replay(given)
    return caught.value.action, str(caught.value)


# --- what happens


def test_events_are_in_order() -> None:
    played = replay(record(*DEAL_TWO, "p2 cbr 6", "p1 cc", *CHECKED_DOWN, "p1 sm AsAd", "p2 sm"))
    assert {*played.events[:2]} == {Posted(1, 1, live=True), Posted(0, 2, live=True)}
    assert played.events[2:] == (
        HoleDealt(0, ("As", "Ad")),
        HoleDealt(1, ("Ks", "Kd")),
        Raised(1, 5, 6),
        Called(0, 4),
        BoardDealt("FLOP", ("2c", "3c", "4d")),
        Checked(0),
        Checked(1),
        BoardDealt("TURN", ("9h",)),
        Checked(0),
        Checked(1),
        BoardDealt("RIVER", ("8h",)),
        Checked(0),
        Checked(1),
        Shown(0, ("As", "Ad"), "pair"),
        Mucked(1),
        Won(0, 12, 0),
    )
    assert played.finishing_stacks == (106, 94)
    assert played.mended == ()
    assert played.hand.over


def test_uncalled_bet_is_returned() -> None:
    played = replay(record(*DEAL_TWO, "p2 cbr 50", "p1 f"))
    assert played.events[-4:] == (Raised(1, 49, 50), Folded(0), Refunded(1, 48), Won(1, 4, 0))
    assert played.finishing_stacks == (98, 102)


def test_heads_up_p2_is_the_button_posts_small_and_acts_first_preflop() -> None:
    assert stacks_after(record(*DEAL_TWO, "p2 f")) == ["101", "99"]
    assert fault(record(*DEAL_TWO, "p1 cc"))[0] == 3
    after_flop = record(*DEAL_TWO, "p2 cc", "p1 cc", "d db 2c3c4d", "p2 cc")
    assert fault(after_flop)[0] == 6


def test_heads_up_antes_are_listed_in_the_order_of_the_blinds() -> None:
    """PokerKit reads the first entry as the ante of the button, p2."""
    assert stacks_after(record(*DEAL_TWO, "p2 f", antes=(0, 5))) == ["101", "99"]
    assert stacks_after(record(*DEAL_TWO, "p2 f", antes=(5, 0))) == ["106", "94"]


def test_three_handed_p1_posts_small_and_p3_acts_first() -> None:
    assert stacks_after(record(*DEAL_THREE, "p3 f", "p1 f", stacks=(100, 100, 100))) == ["99", "101", "100"]
    assert fault(record(*DEAL_THREE, "p1 f", stacks=(100, 100, 100)))[0] == 4


def test_straddle_acts_last() -> None:
    deal = (*DEAL_THREE, "d dh p4 JsJd")
    given = record(*deal, "p4 cc", "p1 f", "p2 f", "p3 cc", stacks=(100,) * 4, blinds=(1, 2, 4))
    assert fault(given) == (0, "the record stops before the hand is over, after 8 actions")
    assert stacks_after(record(*deal, "p4 f", "p1 f", "p2 f", stacks=(100,) * 4, blinds=(1, 2, 4))) == [
        "99",
        "98",
        "103",
        "100",
    ]


def test_negative_blind_is_a_live_post_that_does_not_act_last() -> None:
    """p3 joined late and posts two; p3 still acts first, left of the big blind, and can check."""
    deal = (*DEAL_THREE, "d dh p4 JsJd")
    given = record(*deal, "p3 cc", "p4 f", "p1 f", "p2 cc", *BOARD, stacks=(100,) * 4, blinds=(1, 2, -2))
    number, sentence = fault(given)
    assert number == 10
    assert sentence == "action 10: 'd db 9h': not_dealing: no cards can be dealt now"
    assert stacks_after(record(*deal, "p3 f", "p4 f", "p1 f", stacks=(100,) * 4, blinds=(1, 2, -2))) == [
        "99",
        "103",
        "98",
        "100",
    ]


def test_comments_are_not_moves() -> None:
    given = record("# the deal", *DEAL_TWO, "p2 cc # hm", "# p1 f", "p1 cbr 6 # 7? no", "", "p2 f#sigh")
    assert stacks_after(given) == ["102", "98"]


def test_hole_cards_can_be_dealt_one_at_a_time() -> None:
    assert stacks_after(record("d dh p1 As", "d dh p2 Ks", "d dh p1 Ad", "d dh p2 Kd", "p2 f")) == ["101", "99"]


def test_sm_without_cards_is_a_muck_and_the_last_player_wins_the_pot() -> None:
    played = replay(record(*DEAL_TWO, "p2 cc", "p1 cc", *CHECKED_DOWN, "p1 sm"))
    assert played.events[-2:] == (Mucked(0), Won(1, 4, 0))
    assert played.finishing_stacks == (98, 102)


def test_sm_with_a_dash_shows_the_dealt_cards() -> None:
    played = replay(record(*DEAL_TWO, "p2 cc", "p1 cc", *CHECKED_DOWN, "p1 sm -", "p2 sm -"))
    assert played.events[-3:] == (
        Shown(0, ("As", "Ad"), "pair"),
        Shown(1, ("Ks", "Kd"), "pair"),
        Won(0, 4, 0, "high"),
    )
    assert played.finishing_stacks == (102, 98)


def test_a_show_reveals_cards_that_were_dealt_unknown() -> None:
    given = record("d dh p1 ????", "d dh p2 ????", "p2 cc", "p1 cc", *CHECKED_DOWN, "p2 sm KsKd", "p1 sm AsAd")
    assert stacks_after(given) == ["102", "98"]


def test_all_in_cards_can_be_shown_before_the_board_is_complete() -> None:
    given = record(*DEAL_TWO, "p2 cbr 100", "p1 cc", "p2 sm KsKd", "d db 2c3c4d", "p1 sm AsAd", "d db 9h", "d db 8h")
    played = replay(given)
    assert played.finishing_stacks == (200, 0)
    assert Shown(1, ("Ks", "Kd"), None) in played.events


def test_unequal_antes_are_dead_money_unless_trimmed() -> None:
    """p1 has one chip for an ante of 5: trimmed, p1 can win one chip from each player; untrimmed, the main pot."""
    deal = ("d dh p1 AsAd", "d dh p2 KsKd", "d dh p3 QsQd")
    streets = ("d db 2c3c4d", "p2 cc", "p3 cc", "d db 9h", "p2 cc", "p3 cc", "d db 8h", "p2 cc", "p3 cc")
    actions = (*deal, "p3 cc", "p2 cc", *streets, "p1 sm AsAd", "p2 sm KsKd", "p3 sm QsQd")

    def after(*, trimmed: bool) -> list[str]:
        return stacks_after(
            record(*actions, stacks=(1, 100, 100), antes=(5, 5, 5), blinds=(0, 2, 0), equal_antes=trimmed)
        )

    assert after(trimmed=True) == ["3", "105", "93"]
    assert after(trimmed=False) == ["11", "97", "93"]


@pytest.mark.parametrize("variant", ["FT", "FO/8"])
def test_limit_games_take_small_and_big_bet(variant: str) -> None:
    deal = ("d dh p1 AsAd", "d dh p2 KsKd") if variant == "FT" else ("d dh p1 AsAd2d3d", "d dh p2 KsKdQdJd")
    given = record(*deal, "p2 cbr 8", "p1 f", variant=variant, min_bet=None, small_bet=4, big_bet=8, blinds=(2, 4))
    assert stacks_after(given) == ["96", "104"]
    later = record(
        *(*deal, "p2 cc", "p1 cc", "d db 4c5c6c", "p1 cbr 4", "p2 cc", "d db 9h", "p1 cbr 4"),
        variant=variant,
        min_bet=None,
        small_bet=4,
        big_bet=8,
        blinds=(2, 4),
    )
    assert fault(later) == (9, "action 9: 'p1 cbr 4': below_minimum: expected at least 8, got 4")


# --- money


def test_decimals_are_exact() -> None:
    """0.1 three times is not 0.3 in floating point."""
    given = record(
        *DEAL_THREE,
        "p3 cbr 0.3",
        "p1 f",
        "p2 f",
        stacks=(Decimal("0.3"), Decimal("0.7"), Decimal("1.1")),
        blinds=(Decimal("0.1"), Decimal("0.2")),
        min_bet=Decimal("0.1"),
    )
    assert stacks_after(given) == ["0.2", "0.5", "1.4"]


def test_whole_amounts_are_integers() -> None:
    given = record(*DEAL_TWO, "p2 f", stacks=(Decimal("100.50"), Decimal("100.00")), blinds=(Decimal("0.50"), 1))
    assert stacks_after(given) == ["101", "99.5"]


def test_pots_are_split_in_the_smallest_unit_of_the_record() -> None:
    """Five chips for two players: in whole chips the odd chip goes left of the button, in halves there is none."""
    deal = ("d dh p1 2s2d", "d dh p2 AsKd", "d dh p3 AdKs")
    streets = ("d db AcKc4d", "p2 cc", "p3 cc", "d db 9h", "p2 cc", "p3 cc", "d db 8h", "p2 cc", "p3 cc")
    actions = (*deal, "p3 cc", "p1 f", "p2 cc", *streets, "p2 sm AsKd", "p3 sm AdKs")
    assert stacks_after(record(*actions, stacks=(50, 50, 50))) == ["49", "51", "50"]
    halves = record(*actions, stacks=(50, 50, 50), finishing_stacks=(49, Decimal("50.5"), Decimal("50.5")))
    assert stacks_after(halves) == ["49", "50.5", "50.5"]


def test_a_stack_of_unknown_depth_stays_unknown() -> None:
    given = record(*DEAL_TWO, "p2 cbr 1000000000.25", "p1 f", stacks=(100, INF))
    assert stacks_after(given) == ["98", "Infinity"]
    assert stacks_after(record(*DEAL_TWO, "p2 f", stacks=(INF, INF))) == ["Infinity", "Infinity"]


# --- what cannot be played


def test_out_of_turn() -> None:
    number, sentence = fault(record(*DEAL_TWO, "p1 f"))
    assert number == 3
    assert sentence.startswith("action 3: 'p1 f': out_of_turn: ")


def test_below_minimum() -> None:
    assert fault(record(*DEAL_TWO, "p2 cbr 3")) == (
        3,
        "action 3: 'p2 cbr 3': below_minimum: expected at least 4, got 3",
    )


def test_above_maximum() -> None:
    assert fault(record(*DEAL_TWO, "p2 cbr 101"))[1] == (
        "action 3: 'p2 cbr 101': above_maximum: expected at most 100, got 101"
    )


def test_errors_use_the_money_of_the_record() -> None:
    """The message does not contain internal chips of 0.01."""
    _, sentence = fault(record(*DEAL_TWO, "p2 cbr 3.25", stacks=(100, 100), blinds=(1, Decimal("2.00"))))
    assert sentence.endswith("expected at least 4, got 3.25")


def test_errors_use_the_names_of_the_record() -> None:
    """A record has p1 and p2, not places counted from 0."""
    _, sentence = fault(record(*DEAL_TWO, "p1 f"))
    assert "p2" in sentence
    assert "place" not in sentence


@pytest.mark.parametrize(
    ("actions", "number"),
    [
        (("d dh p1 AsAs",), 1),
        (("d dh p1 AsAd", "d dh p2 AsKd"), 2),
        ((*DEAL_TWO, "p2 cc", "p1 cc", "d db As3c4d"), 5),
        ((*DEAL_TWO, "p2 cc", "p1 cc", "d db 2c2c4d"), 5),
    ],
)
def test_duplicate_card(actions: tuple[str, ...], number: int) -> None:
    card = "2c" if "2c2c" in actions[-1] else "As"
    assert fault(record(*actions)) == (
        number,
        f"action {number}: {actions[-1]!r}: card_twice: card {card} appears twice",
    )


def test_shown_card_is_on_the_board() -> None:
    given = record("d dh p1 ????", "d dh p2 ????", "p2 cc", "p1 cc", *CHECKED_DOWN, "p1 sm 2cAd")
    assert fault(given) == (14, "action 14: 'p1 sm 2cAd': card_twice: card 2c appears twice")


def test_shown_cards_must_be_the_dealt_cards() -> None:
    number, sentence = fault(record(*DEAL_TWO, "p2 cc", "p1 cc", *CHECKED_DOWN, "p1 sm AsAh"))
    assert number == 14
    assert "other_cards: " in sentence
    assert "AsAd" in sentence


def test_card_is_not_in_the_deck() -> None:
    assert fault(record("d dh p1 As2d", variant="NS")) == (
        1,
        "action 1: 'd dh p1 As2d': no_such_card: 2d is not in the deck of no-limit short-deck hold'em",
    )


@for_each("count", range(len(DEAL_TWO) + 3))
def test_the_record_stops_early(count: int) -> None:
    actions = (*DEAL_TWO, "p2 cc", "p1 cc", *CHECKED_DOWN)[:count]
    assert fault(record(*actions)) == (0, f"the record stops before the hand is over, after {count} actions")


def test_the_record_stops_before_the_showdown() -> None:
    actions = (*DEAL_TWO, "p2 cc", "p1 cc", *CHECKED_DOWN)
    assert fault(record(*actions))[1] == "the record stops before the hand is over, after 13 actions"
    assert fault(record(*actions, "p1 sm AsAd"))[1] == "the record stops before the hand is over, after 14 actions"


@for_each("text", ["p1 sm AsAd", "p1 sm", "p2 f", "p2 cc", "d db 2c3c4d", "d dh p1 AsAd"])
def test_no_move_after_the_end_of_the_hand(text: str) -> None:
    number, sentence = fault(record(*DEAL_TWO, "p2 f", text))
    assert number == 4
    assert sentence.startswith(f"action 4: {text!r}: ")


def test_show_after_the_end_of_the_hand() -> None:
    assert fault(record(*DEAL_TWO, "p2 f", "p1 sm AsAd"))[1] == (
        "action 4: 'p1 sm AsAd': no_showdown: no cards can be shown now: the hand is over"
    )


def test_show_during_betting() -> None:
    assert fault(record(*DEAL_TWO, "p2 sm KsKd"))[1] == (
        "action 3: 'p2 sm KsKd': no_showdown: no cards can be shown now: betting goes on"
    )


@pytest.mark.parametrize("text", ["p1 sm ????", "p1 sm AsK?", "p1 sm -"])
def test_unknown_cards_cannot_be_shown(text: str) -> None:
    number, sentence = fault(record("d dh p1 ????", "d dh p2 ????", "p2 cc", "p1 cc", *CHECKED_DOWN, text))
    assert number == 14
    assert "cards_unknown: " in sentence


def test_unknown_board_cannot_decide_a_pot() -> None:
    board = tuple(text.replace("8h", "??") for text in CHECKED_DOWN)
    number, sentence = fault(record(*DEAL_TWO, "p2 cc", "p1 cc", *board, "p1 sm AsAd", "p2 sm KsKd"))
    assert number == 15
    assert "cards_unknown: " in sentence


def test_unknown_board_refuses_a_second_show_before_a_muck() -> None:
    board = tuple(text.replace("8h", "??") for text in ("d db 2c3c4d", "d db 9h", "d db 8h"))
    given = record(
        *(*DEAL_THREE, "p3 cbr 100", "p1 cc", "p2 cc", *board, "p1 sm AsAd", "p2 sm KsKd", "p3 sm"),
        stacks=(100, 100, 100),
    )
    number, sentence = fault(given)
    assert number == 11
    assert "cards_unknown: " in sentence


@pytest.mark.parametrize("text", ["d db 2c3c4d5c", "d dh p1 2c"])
def test_too_many_or_misplaced_cards(text: str) -> None:
    number, sentence = fault(record(*DEAL_TWO, "p2 cc", "p1 cc", text))
    assert number == 5
    assert "too_many_cards: " in sentence


def test_deal_during_betting() -> None:
    assert fault(record(*DEAL_TWO, "d db 2c3c4d"))[1] == (
        "action 3: 'd db 2c3c4d': not_dealing: no cards can be dealt now"
    )


@pytest.mark.parametrize("text", ["p2 sd KsKd", "p2 sd", "p2 pb"])
def test_moves_of_other_games(text: str) -> None:
    verb = text.split()[1]
    assert fault(record(*DEAL_TWO, text)) == (
        3,
        f"action 3: {text!r}: no_such_move: no-limit hold'em has no move {verb!r}",
    )


def test_unknown_variant_is_refused() -> None:
    assert fault(record(variant="NX")) == (0, f"variant: {EXPECTED_VARIANT}, got NX")
    with pytest.raises(PhhError, match=r"^field variant: expected a code of PHH \(NT, FT, PO, .* got NX"):
        read_phh("variant = 'NX'\nantes = [0, 0]\nstarting_stacks = [5, 5]\nactions = []\n")


def test_every_game_can_be_read_by_its_code() -> None:
    assert set(REQUIRED_FIELDS) == set(STRUCTURES) > set(PHH_CODES)


def test_reader_reports_a_missing_variant() -> None:
    with pytest.raises(PhhError) as caught:
        read_phh("antes = [0, 0]\nstarting_stacks = [5, 5]\nactions = []\n", "x.phh")
    assert str(caught.value) == "x.phh, field variant: missing; " + EXPECTED_VARIANT


def test_neither_min_bet_nor_small_bet() -> None:
    assert fault(record(min_bet=None)) == (0, "min_bet: missing; expected min_bet or small_bet")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (record(stacks=(5,), blinds=(1,)), "expected at least 2 players in the hand, got 1"),
        (record(min_bet=0), "min_bet: expected at least one chip, got 0"),
        (record(antes=(1, 1, 1)), "antes: expected 2 amounts, one per player, got 3"),
    ],
)
def test_hands_that_cannot_start(given: Record, sentence: str) -> None:
    assert fault(given) == (0, sentence)


def test_a_player_without_chips_cannot_be_dealt_in() -> None:
    number, sentence = fault(record(*DEAL_TWO, stacks=(0, 100)))
    assert number == 0
    assert "is in the hand: expected a stack above 0" in sentence


# --- moves


@for_each(
    "text, move",
    [
        ("d dh p2 AsKd", Move("dh", 1, ("As", "Kd"))),
        ("d db 2c??", Move("db", None, ("2c", "??"))),
        ("p6 f", Move("f", 5)),
        ("p1 cc", Move("cc", 0)),
        ("p1 cbr 20", Move("cbr", 0, amount=20)),
        ("p1 sm", Move("sm", 0, muck=True)),
        ("p1 sm -", Move("sm", 0)),
        ("p1 sm ????", Move("sm", 0, ("??", "??"))),
        ("p1 sd", Move("sd", 0)),
        ("p1 sd As", Move("sd", 0, ("As",))),
        ("p1 pb", Move("pb", 0)),
        ("  p1   f  ", Move("f", 0)),
        ("# all of it", Move("note")),
        ("", Move("note")),
    ],
)
def test_moves_are_read(text: str, move: Move) -> None:
    assert read_move(text, 6) == move


def test_an_amount_keeps_its_digits() -> None:
    assert str(read_move("p1 cbr 2.50", 6).amount) == "2.50"
    assert type(read_move("p1 cbr 20", 6).amount) is int


@for_each(
    "text, sentence",
    [
        ("p1 x", "expected a move such as 'p1 cc', got 'p1 x'"),
        ("p1", "expected a move such as 'p1 cc', got 'p1'"),
        ("f p1", "expected a move such as 'p1 cc', got 'f p1'"),
        ("p1 f 20", "expected a move such as 'p1 cc', got 'p1 f 20'"),
        ("p1 cbr", "expected a move such as 'p1 cc', got 'p1 cbr'"),
        ("d db", "expected a move such as 'p1 cc', got 'd db'"),
        ("P1 f", "expected a player from p1 to p6, got 'P1'"),
        ("1 f", "expected a player from p1 to p6, got '1'"),
        ("p f", "expected a player from p1 to p6, got 'p'"),
        ("p² f", "expected a player from p1 to p6, got 'p²'"),
        ("p0 f", "expected a player from p1 to p6, got p0"),
        ("p7 f", "expected a player from p1 to p6, got p7"),
        ("p1 cbr x", "expected a number of chips from 0, got 'x'"),
        ("p1 cbr -2", "expected a number of chips from 0, got '-2'"),
        ("p1 cbr inf", "expected a number of chips from 0, got 'inf'"),
        ("p1 cbr nan", "expected a number of chips from 0, got 'nan'"),
    ],
)
def test_invalid_moves_are_refused(text: str, sentence: str) -> None:
    with pytest.raises(MoveError) as caught:
        read_move(text, 6)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("cards", ["AsK", "Xx", "asKD", "1s"])
def test_cards_that_do_not_exist(cards: str) -> None:
    with pytest.raises(MoveError, match=r"^unknown card "):
        read_move(f"d db {cards}", 6)


def test_invalid_move_is_reported_with_its_number_before_replay() -> None:
    assert fault(record("p9 f", variant="FB")) == (1, "action 1: expected a player from p1 to p2, got p9")
    assert fault(record(*DEAL_TWO, "# well", "p2 ff")) == (4, "action 4: expected a move such as 'p1 cc', got 'p2 ff'")


@pytest.mark.parametrize("amount", ["1e401", "1e-401", "1e9999999", "1e-9999999"])
def test_extreme_amounts_are_refused(amount: str) -> None:
    """One such action would take seconds and megabytes."""
    with pytest.raises(MoveError, match=rf"^'{amount}' is too large or has too many digits$"):
        read_move(f"p1 cbr {amount}", 6)


def test_long_player_number_is_refused() -> None:
    with pytest.raises(MoveError, match=r"^expected a player from p1 to p6, got p1{19}$"):
        read_move("p" + "1" * 5000 + " f", 6)
