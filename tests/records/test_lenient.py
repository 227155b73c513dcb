"""Lenient replay: the repairs, their messages, and the remaining errors."""

import pytest
from msgspec.structs import replace

from pitboss.records.lenient import replay_leniently
from pitboss.records.record import Record
from pitboss.records.replay import ReplayError, replay
from tests.support.for_each import for_each

CHECKED_DOWN = ("d db 2c3c4d", "p1 cc", "p2 cc", "d db 9h", "p1 cc", "p2 cc", "d db 8h", "p1 cc", "p2 cc")


def heads_up(*actions: str, holes: tuple[str, str] = ("AsAd", "KsKd")) -> Record:
    """Return a hand of two players with stacks of 100 and blinds of 1 and 2."""
    return Record(
        variant="NT",
        antes=(0, 0),
        blinds_or_straddles=(1, 2),
        min_bet=2,
        starting_stacks=(100, 100),
        actions=(f"d dh p1 {holes[0]}", f"d dh p2 {holes[1]}", *actions),
    )


def three(*actions: str, holes: tuple[str, str, str] = ("AsAd", "KsKd", "QsQd")) -> Record:
    """Return a hand of three players with stacks of 100 and blinds of 1 and 2."""
    return Record(
        variant="NT",
        antes=(0, 0, 0),
        blinds_or_straddles=(1, 2, 0),
        min_bet=2,
        starting_stacks=(100, 100, 100),
        actions=(*(f"d dh p{number} {cards}" for number, cards in enumerate(holes, 1)), *actions),
    )


def mended(given: Record) -> tuple[tuple[object, ...], tuple[str, ...]]:
    """Return the finishing stacks and the repairs of a record that strict replay refuses."""
    with pytest.raises(ReplayError):
        replay(given)
    played = replay_leniently(given)
    assert played.hand.over
    assert sum(played.hand.stacks) == sum(given.starting_stacks)
    return played.finishing_stacks, played.mended


def refused(given: Record) -> tuple[int, str]:
    """Return the refused action and the message for a record that cannot be repaired."""
    with pytest.raises(ReplayError) as caught:
        replay_leniently(given)
    return caught.value.action, str(caught.value)


def test_complete_record_is_played_as_in_strict_replay() -> None:
    given = heads_up("p2 cc", "p1 cc", *CHECKED_DOWN, "p1 sm AsAd", "p2 sm # hides")
    assert replay_leniently(given) == replay(given)


def test_show_after_the_end() -> None:
    assert mended(heads_up("p2 f", "p1 sm AsAd")) == (
        (101, 99),
        ("action 4: p1 shows after the end of the hand; the move is ignored",),
    )


def test_muck_after_the_end() -> None:
    stacks, sentences = mended(heads_up("p2 cc", "p1 cc", *CHECKED_DOWN, "p2 sm", "p1 sm"))
    assert stacks == (102, 98)
    assert len(sentences) == 1
    assert sentences[0].startswith("action 15: p1 ")
    assert sentences[0].endswith("after the end of the hand; the move is ignored")


def test_muck_after_the_end_is_not_called_a_show() -> None:
    _, sentences = mended(heads_up("p2 f", "p1 sm"))
    assert "shows" not in sentences[0].replace("shows or mucks", "")


def test_a_second_show() -> None:
    given = heads_up("p2 cc", "p1 cc", *CHECKED_DOWN, "p1 sm AsAd", "p1 sm AsAd", "p2 sm KsKd")
    assert mended(given) == ((102, 98), ("action 15: p1 shows or mucks a second time; the move is ignored",))


def test_a_second_muck() -> None:
    streets = ("d db 2c3c4d", "d db 9h", "d db 8h")
    given = three("p3 cbr 100", "p1 cc", "p2 cc", *streets, "p1 sm", "p1 sm", "p2 sm KsKd", "p3 sm QsQd")
    assert mended(given) == ((0, 300, 0), ("action 11: p1 shows or mucks a second time; the move is ignored",))


def test_show_of_a_folded_player_is_left_out() -> None:
    given = three("p3 f", "p1 cc", "p2 cc", *CHECKED_DOWN, "p3 sm QsQd", "p1 sm AsAd", "p2 sm KsKd")
    stacks, sentences = mended(given)
    assert stacks == (102, 98, 100)
    assert len(sentences) == 1
    assert sentences[0].startswith("action 16: p3 ")
    assert "second time" not in sentences[0]


def test_only_known_cards_win_at_the_showdown() -> None:
    given = heads_up("p2 cc", "p1 cc", *CHECKED_DOWN, "p1 sm ????", "p2 sm KsKd", holes=("????", "????"))
    assert mended(given) == (
        (98, 102),
        (
            "action 14: p1 shows cards that are not recorded; the move is ignored",
            "the cards of p1 are not known, so p1 mucks",
        ),
    )


def test_show_with_a_dash_of_unknown_cards() -> None:
    given = heads_up("p2 cc", "p1 cc", *CHECKED_DOWN, "p1 sm -", "p2 sm KsKd", holes=("????", "????"))
    assert mended(given)[1][0] == "action 14: p1 shows cards that are not recorded; the move is ignored"


def test_pot_is_split_if_all_shown_cards_are_unknown() -> None:
    given = heads_up("p2 cbr 7", "p1 cc", *CHECKED_DOWN, "p1 sm ????", "p2 sm ????", holes=("????", "????"))
    assert mended(given) == (
        (100, 100),
        (
            "action 14: p1 shows cards that are not recorded; the move is ignored",
            "action 15: p2 shows cards that are not recorded; the move is ignored",
            "the cards at the showdown are not known, so the pots are split evenly",
        ),
    )


def test_pot_is_split_without_showdown_and_known_cards() -> None:
    given = heads_up("p2 cc", "p1 cc", *CHECKED_DOWN, holes=("????", "????"))
    assert mended(given) == ((100, 100), ("the cards at the showdown are not known, so the pots are split evenly",))


def test_odd_chip_of_a_split_pot_is_left_of_the_button() -> None:
    streets = ("d db 2c3c4d", "p2 cc", "p3 cc", "d db 9h", "p2 cc", "p3 cc", "d db 8h", "p2 cc", "p3 cc")
    given = three("p3 cc", "p1 f", "p2 cc", *streets, holes=("????", "????", "????"))
    assert mended(given)[0] == (99, 101, 100)


def test_pot_is_split_without_showdown_on_an_unknown_board() -> None:
    board = tuple(text.replace("8h", "??") for text in CHECKED_DOWN)
    assert mended(heads_up("p2 cc", "p1 cc", *board)) == (
        (100, 100),
        ("the cards at the showdown are not known, so the pots are split evenly",),
    )


def test_known_cards_are_shown_without_recorded_showdown() -> None:
    assert mended(heads_up("p2 cc", "p1 cc", *CHECKED_DOWN)) == (
        (102, 98),
        (
            "the record has no showdown for p1, so p1 shows",
            "the record has no showdown for p2, so p2 shows",
        ),
    )


def test_unknown_cards_are_mucked_without_recorded_showdown() -> None:
    assert mended(heads_up("p2 cc", "p1 cc", *CHECKED_DOWN, holes=("????", "KsKd"))) == (
        (98, 102),
        ("the cards of p1 are not known, so p1 mucks",),
    )


def test_incomplete_showdown() -> None:
    assert mended(heads_up("p2 cc", "p1 cc", *CHECKED_DOWN, "p1 sm AsAd")) == (
        (102, 98),
        ("the record has no showdown for p2, so p2 shows",),
    )


def test_a_missing_check() -> None:
    given = heads_up("p2 cc", "d db 2c3c4d", "p1 cbr 2", "p2 f")
    assert mended(given) == ((102, 98), ("action 4: the record has no action of p1 here, so p1 checks",))


def test_a_missing_fold() -> None:
    given = three("p3 cbr 6", "p2 cc", "d db 2c3c4d", "p2 cbr 4", "p3 f")
    assert mended(given) == ((99, 107, 94), ("action 5: the record has no action of p1 here, so p1 folds",))


def test_added_fold_can_end_the_hand_before_the_recorded_move() -> None:
    """The fold of the big blind is missing, and the winner shows."""
    given = heads_up("p2 cbr 6", "p2 sm KsKd")
    assert mended(given) == (
        (98, 102),
        (
            "action 4: the record has no action of p1 here, so p1 folds",
            "action 4: p2 shows after the end of the hand; the move is ignored",
        ),
    )


def test_the_record_stops_at_a_check() -> None:
    assert mended(heads_up("p2 cc", "p1 cc", *CHECKED_DOWN[:-1])) == (
        (102, 98),
        (
            "the record stops early, so p2 checks",
            "the record has no showdown for p1, so p1 shows",
            "the record has no showdown for p2, so p2 shows",
        ),
    )


def test_the_record_stops_at_a_bet() -> None:
    assert mended(heads_up("p2 cbr 6")) == ((98, 102), ("the record stops early, so p1 folds",))


def test_the_record_stops_after_the_deal() -> None:
    assert mended(heads_up())[1] == ("the record stops early, so p2 folds",)


@pytest.mark.parametrize("count", [0, 3, 6])
def test_cards_are_never_invented(count: int) -> None:
    given = heads_up("p2 cc", "p1 cc", *CHECKED_DOWN[:count])
    assert refused(given) == (0, "the record stops before all cards are dealt")


def test_missing_deal_is_not_repaired() -> None:
    number, sentence = refused(heads_up("p2 cc", "p1 cc", "p1 cc"))
    assert number == 5
    assert sentence == "action 5: 'p1 cc': betting_over: no betting now: cards have to be dealt"


@for_each(
    "actions, rule",
    [
        (("p2 cbr 3",), "below_minimum"),
        (("p2 cbr 101",), "above_maximum"),
        (("p2 cc", "p1 cc", "d db As3c4d"), "card_twice"),
        (("p2 f", "p1 cc"), "betting_over"),
        (("p2 f", "d db 2c3c4d"), "not_dealing"),
        (("p2 cc", "p1 cc", *CHECKED_DOWN, "p1 sm KsKc"), "other_cards"),
    ],
)
def test_no_recorded_chip_or_card_is_changed(actions: tuple[str, ...], rule: str) -> None:
    number, sentence = refused(heads_up(*actions))
    assert number == 2 + len(actions)
    assert sentence.startswith(f"action {number}: {actions[-1]!r}: {rule}: ")


def test_invalid_moves_are_not_repaired() -> None:
    assert refused(heads_up("p2 calls")) == (3, "action 3: expected a move such as 'p1 cc', got 'p2 calls'")


def test_unknown_board_is_repaired_even_if_players_show() -> None:
    """The pot is split with or without recorded shows."""
    board = tuple(text.replace("8h", "??") for text in CHECKED_DOWN)
    stacks, sentences = mended(heads_up("p2 cbr 7", "p1 cc", *board, "p1 sm AsAd", "p2 sm KsKd"))
    assert stacks == (100, 100)
    assert sentences[-1] == "the cards at the showdown are not known, so the pots are split evenly"


# --- stud and draw

STUD = Record(
    variant="F7S",
    antes=(1, 1, 1),
    bring_in=2,
    small_bet=4,
    big_bet=8,
    starting_stacks=(100, 100, 100),
    actions=("d dh p1 AsAd9c", "d dh p2 KsKd2c", "d dh p3 QsQd3d", "p3 cbr 4", "p1 f"),
)
DRAW = Record(
    variant="N2L1D",
    antes=(0, 0),
    blinds_or_straddles=(1, 2),
    min_bet=2,
    starting_stacks=(100, 100),
    actions=(
        "d dh p1 2c3d4h5s7c",
        "d dh p2 2d3h4s9dKc",
        "p2 cc",
        "p1 cc",
        "p2 sd Kc",
        "d dh p2 8c",
        "p1 cbr 4",
        "p2 f",
    ),
)


def test_missing_bring_in_is_added() -> None:
    assert mended(STUD) == (
        (99, 97, 104),
        (
            "action 4: the record has no action of p2 here, so p2 pays the bring-in",
            "the record stops early, so p2 folds",
        ),
    )
    assert mended(replace(STUD, actions=STUD.actions[:3]))[1][0] == "the record stops early, so p2 pays the bring-in"


def test_missing_stand_pat_is_added() -> None:
    assert mended(DRAW) == ((102, 98), ("action 5: the record has no action of p1 here, so p1 stands pat",))
    without = replace(DRAW, actions=(*DRAW.actions[:4], *DRAW.actions[6:]))
    assert mended(without) == (
        (102, 98),
        tuple(f"action 5: the record has no action of p{player} here, so p{player} stands pat" for player in (1, 2)),
    )


def test_a_record_that_stops_at_a_draw() -> None:
    stopped = mended(replace(DRAW, actions=DRAW.actions[:4]))[1]
    assert stopped[:2] == tuple(f"the record stops early, so p{player} stands pat" for player in (1, 2))
    with pytest.raises(ReplayError, match=r"^the record stops before all cards are dealt$"):
        replay_leniently(replace(DRAW, actions=DRAW.actions[:5]))


def test_missing_check_before_a_draw_is_added() -> None:
    silent = replace(DRAW, actions=(*DRAW.actions[:3], "p1 sd", *DRAW.actions[4:]))
    assert mended(silent) == ((102, 98), ("action 4: the record has no action of p1 here, so p1 checks",))


# --- odd hands of poker sites


BOARD = ("d db 2c3c4d", "d db 9h", "d db 8h")


def test_raise_that_no_player_can_call_is_a_call() -> None:
    given = three("p3 cbr 50", "p1 cbr 100", "p2 f", *BOARD, "p3 sm QsQd", "p1 sm")
    sentences = ("action 5: p1 raises, but no other player can call; this is played as a call",)
    assert mended(replace(given, starting_stacks=(100, 40, 50))) == ((50, 38, 102), sentences)


def test_all_in_player_who_sits_out_can_fold() -> None:
    blind = replace(three("p3 cbr 20", "p1 cc", "p2 f", *BOARD[:1]), starting_stacks=(100, 2, 100))
    goes_on = replace(blind, actions=(*blind.actions, "p1 cbr 5", "p3 f"))
    assert mended(goes_on) == ((122, 0, 80), ("action 6: p2 is all-in but folds and leaves the hand",))
    alone = replace(three("p3 cbr 20", "p1 f", "p2 f"), starting_stacks=(100, 2, 100))
    assert mended(alone) == ((99, 0, 103), ("action 6: p2 is all-in but folds and leaves the hand",))
    before = replace(three("p3 cbr 20", "p2 f", "p1 f"), starting_stacks=(100, 2, 100))
    assert mended(before) == ((99, 0, 103), ("action 5: p2 is all-in but folds and leaves the hand",))


def test_fold_after_the_betting_is_refused() -> None:
    with pytest.raises(ReplayError, match="betting_over"):
        replay_leniently(heads_up("p2 cc", "p1 cc", *CHECKED_DOWN, "p1 sm AsAd", "p2 f"))


def test_early_fold_is_played_at_the_players_turn() -> None:
    stacks, sentences = mended(three("p1 f", "p3 cbr 6", "p2 f"))
    assert stacks == (99, 98, 103)
    assert sentences == ("action 4: p1 folds early; the fold is played at their turn",)


def test_fold_is_not_early_if_earlier_players_never_act() -> None:
    stacks, sentences = mended(three("p1 f"))
    assert stacks == (99, 101, 100)
    assert sentences == ("action 4: the record has no action of p3 here, so p3 folds",)


def test_action_after_an_early_fold_is_refused() -> None:
    assert refused(three("p1 f", "p3 cbr 6", "p1 cbr 12", "p2 f"))[0] == 6
