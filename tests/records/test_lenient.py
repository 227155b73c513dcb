"""Replaying leniently: what is mended, how each mend is told, and what stays an error all the same."""

import pytest
from msgspec.structs import replace

from pitboss.records.lenient import replay_leniently
from pitboss.records.record import Record
from pitboss.records.replay import ReplayError, replay
from tests.support.for_each import for_each

CHECKED_DOWN = ("d db 2c3c4d", "p1 cc", "p2 cc", "d db 9h", "p1 cc", "p2 cc", "d db 8h", "p1 cc", "p2 cc")


def heads_up(*actions: str, holes: tuple[str, str] = ("AsAd", "KsKd")) -> Record:
    """Two players with 100 each at blinds of 1 and 2."""
    return Record(
        variant="NT",
        antes=(0, 0),
        blinds_or_straddles=(1, 2),
        min_bet=2,
        starting_stacks=(100, 100),
        actions=(f"d dh p1 {holes[0]}", f"d dh p2 {holes[1]}", *actions),
    )


def three(*actions: str, holes: tuple[str, str, str] = ("AsAd", "KsKd", "QsQd")) -> Record:
    """Three players with 100 each at blinds of 1 and 2."""
    return Record(
        variant="NT",
        antes=(0, 0, 0),
        blinds_or_straddles=(1, 2, 0),
        min_bet=2,
        starting_stacks=(100, 100, 100),
        actions=(*(f"d dh p{number} {cards}" for number, cards in enumerate(holes, 1)), *actions),
    )


def mended(given: Record) -> tuple[tuple[object, ...], tuple[str, ...]]:
    """The finishing stacks and what was mended, of a record that strict replay refuses."""
    with pytest.raises(ReplayError):
        replay(given)
    played = replay_leniently(given)
    assert played.hand.over
    assert sum(played.hand.stacks) == sum(given.starting_stacks)
    return played.finishing_stacks, played.mended


def refused(given: Record) -> tuple[int, str]:
    """The action at fault and the sentence of a record that cannot be mended."""
    with pytest.raises(ReplayError) as caught:
        replay_leniently(given)
    return caught.value.action, str(caught.value)


def test_what_needs_no_mending_is_played_as_strictly() -> None:
    given = heads_up("p2 cc", "p1 cc", *CHECKED_DOWN, "p1 sm AsAd", "p2 sm # hides")
    assert replay_leniently(given) == replay(given)


def test_a_show_when_the_hand_is_over() -> None:
    assert mended(heads_up("p2 f", "p1 sm AsAd")) == (
        (101, 99),
        ("action 4: p1 shows when the hand is over already; left out",),
    )


def test_a_muck_when_the_hand_is_over() -> None:
    stacks, sentences = mended(heads_up("p2 cc", "p1 cc", *CHECKED_DOWN, "p2 sm", "p1 sm"))
    assert stacks == (102, 98)
    assert len(sentences) == 1
    assert sentences[0].startswith("action 15: p1 ")
    assert sentences[0].endswith("when the hand is over already; left out")


def test_a_muck_when_the_hand_is_over_is_not_called_a_show() -> None:
    _, sentences = mended(heads_up("p2 f", "p1 sm"))
    assert "shows" not in sentences[0].replace("shows or mucks", "")


def test_a_second_show() -> None:
    given = heads_up("p2 cc", "p1 cc", *CHECKED_DOWN, "p1 sm AsAd", "p1 sm AsAd", "p2 sm KsKd")
    assert mended(given) == ((102, 98), ("action 15: p1 shows or mucks a second time; left out",))


def test_a_second_muck() -> None:
    streets = ("d db 2c3c4d", "d db 9h", "d db 8h")
    given = three("p3 cbr 100", "p1 cc", "p2 cc", *streets, "p1 sm", "p1 sm", "p2 sm KsKd", "p3 sm QsQd")
    assert mended(given) == ((0, 300, 0), ("action 11: p1 shows or mucks a second time; left out",))


def test_a_folded_player_who_shows_is_left_out_and_not_said_to_have_shown_before() -> None:
    given = three("p3 f", "p1 cc", "p2 cc", *CHECKED_DOWN, "p3 sm QsQd", "p1 sm AsAd", "p2 sm KsKd")
    stacks, sentences = mended(given)
    assert stacks == (102, 98, 100)
    assert len(sentences) == 1
    assert sentences[0].startswith("action 16: p3 ")
    assert "second time" not in sentences[0]


def test_a_show_of_cards_nobody_recorded_and_the_only_known_cards_win() -> None:
    given = heads_up("p2 cc", "p1 cc", *CHECKED_DOWN, "p1 sm ????", "p2 sm KsKd", holes=("????", "????"))
    assert mended(given) == (
        (98, 102),
        (
            "action 14: p1 shows cards that nobody recorded; left out",
            "the cards of p1 are not known: taken as mucked",
        ),
    )


def test_a_dash_for_cards_nobody_recorded() -> None:
    given = heads_up("p2 cc", "p1 cc", *CHECKED_DOWN, "p1 sm -", "p2 sm KsKd", holes=("????", "????"))
    assert mended(given)[1][0] == "action 14: p1 shows cards that nobody recorded; left out"


def test_shows_of_unknown_cards_all_round_split_the_pot() -> None:
    given = heads_up("p2 cbr 7", "p1 cc", *CHECKED_DOWN, "p1 sm ????", "p2 sm ????", holes=("????", "????"))
    assert mended(given) == (
        (100, 100),
        (
            "action 14: p1 shows cards that nobody recorded; left out",
            "action 15: p2 shows cards that nobody recorded; left out",
            "no cards to compare at the showdown: pots split evenly",
        ),
    )


def test_no_showdown_recorded_and_no_card_known() -> None:
    given = heads_up("p2 cc", "p1 cc", *CHECKED_DOWN, holes=("????", "????"))
    assert mended(given) == ((100, 100), ("no cards to compare at the showdown: pots split evenly",))


def test_an_odd_chip_of_a_pot_that_is_split_so_goes_to_the_button_s_left() -> None:
    streets = ("d db 2c3c4d", "p2 cc", "p3 cc", "d db 9h", "p2 cc", "p3 cc", "d db 8h", "p2 cc", "p3 cc")
    given = three("p3 cc", "p1 f", "p2 cc", *streets, holes=("????", "????", "????"))
    assert mended(given)[0] == (99, 101, 100)


def test_no_showdown_recorded_on_a_board_nobody_knows() -> None:
    board = tuple(text.replace("8h", "??") for text in CHECKED_DOWN)
    assert mended(heads_up("p2 cc", "p1 cc", *board)) == (
        (100, 100),
        ("no cards to compare at the showdown: pots split evenly",),
    )


def test_no_showdown_recorded_for_known_cards() -> None:
    assert mended(heads_up("p2 cc", "p1 cc", *CHECKED_DOWN)) == (
        (102, 98),
        (
            "no showdown recorded for p1: cards taken as shown",
            "no showdown recorded for p2: cards taken as shown",
        ),
    )


def test_no_showdown_recorded_and_one_holding_known() -> None:
    assert mended(heads_up("p2 cc", "p1 cc", *CHECKED_DOWN, holes=("????", "KsKd"))) == (
        (98, 102),
        ("the cards of p1 are not known: taken as mucked",),
    )


def test_half_a_showdown() -> None:
    assert mended(heads_up("p2 cc", "p1 cc", *CHECKED_DOWN, "p1 sm AsAd")) == (
        (102, 98),
        ("no showdown recorded for p2: cards taken as shown",),
    )


def test_a_missing_check() -> None:
    given = heads_up("p2 cc", "d db 2c3c4d", "p1 cbr 2", "p2 f")
    assert mended(given) == ((102, 98), ("action 4: the record goes on: check of p1 put in",))


def test_a_missing_fold() -> None:
    given = three("p3 cbr 6", "p2 cc", "d db 2c3c4d", "p2 cbr 4", "p3 f")
    assert mended(given) == ((99, 107, 94), ("action 5: the record goes on: fold of p1 put in",))


def test_a_fold_put_in_can_end_the_hand_before_the_recorded_move() -> None:
    """The big blind's fold is missing, and what follows is the winner's show."""
    given = heads_up("p2 cbr 6", "p2 sm KsKd")
    assert mended(given) == (
        (98, 102),
        (
            "action 4: the record goes on: fold of p1 put in",
            "action 4: p2 shows when the hand is over already; left out",
        ),
    )


def test_the_record_stops_at_a_check() -> None:
    assert mended(heads_up("p2 cc", "p1 cc", *CHECKED_DOWN[:-1])) == (
        (102, 98),
        (
            "the record stops: check of p2 put in",
            "no showdown recorded for p1: cards taken as shown",
            "no showdown recorded for p2: cards taken as shown",
        ),
    )


def test_the_record_stops_at_a_bet() -> None:
    assert mended(heads_up("p2 cbr 6")) == ((98, 102), ("the record stops: fold of p1 put in",))


def test_the_record_stops_at_once() -> None:
    assert mended(heads_up())[1] == ("the record stops: fold of p2 put in",)


@pytest.mark.parametrize("count", [0, 3, 6])
def test_cards_are_never_invented(count: int) -> None:
    given = heads_up("p2 cc", "p1 cc", *CHECKED_DOWN[:count])
    assert refused(given) == (0, "the record stops before all cards are dealt")


def test_a_deal_that_is_missing_is_not_mended() -> None:
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


def test_moves_that_cannot_be_read_are_not_mended() -> None:
    assert refused(heads_up("p2 calls")) == (3, "action 3: 'p2 calls' is no move of the PHH notation")


def test_a_board_nobody_knows_can_be_mended_whether_or_not_the_players_show() -> None:
    """Without the shows the pot is split; recording them must not turn that into a failure."""
    board = tuple(text.replace("8h", "??") for text in CHECKED_DOWN)
    stacks, sentences = mended(heads_up("p2 cbr 7", "p1 cc", *board, "p1 sm AsAd", "p2 sm KsKd"))
    assert stacks == (100, 100)
    assert sentences[-1] == "no cards to compare at the showdown: pots split evenly"


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


def test_a_bring_in_that_nobody_recorded() -> None:
    assert mended(STUD) == (
        (99, 97, 104),
        ("action 4: the record goes on: bring-in of p2 put in", "the record stops: fold of p2 put in"),
    )
    assert mended(replace(STUD, actions=STUD.actions[:3]))[1][0] == "the record stops: bring-in of p2 put in"


def test_standing_pat_that_nobody_recorded() -> None:
    assert mended(DRAW) == ((102, 98), ("action 5: the record goes on: standing pat of p1 put in",))
    without = replace(DRAW, actions=(*DRAW.actions[:4], *DRAW.actions[6:]))
    assert mended(without) == (
        (102, 98),
        tuple(f"action 5: the record goes on: standing pat of p{player} put in" for player in (1, 2)),
    )


def test_a_record_that_stops_at_a_draw() -> None:
    stopped = mended(replace(DRAW, actions=DRAW.actions[:4]))[1]
    assert stopped[:2] == tuple(f"the record stops: standing pat of p{player} put in" for player in (1, 2))
    with pytest.raises(ReplayError, match=r"^the record stops before all cards are dealt$"):
        replay_leniently(replace(DRAW, actions=DRAW.actions[:5]))


def test_a_record_that_goes_on_to_the_draw_without_a_word() -> None:
    silent = replace(DRAW, actions=(*DRAW.actions[:3], "p1 sd", *DRAW.actions[4:]))
    assert mended(silent) == ((102, 98), ("action 4: the record goes on: check of p1 put in",))


# --- what sites let happen


BOARD = ("d db 2c3c4d", "d db 9h", "d db 8h")


def test_a_raise_that_nobody_can_answer_is_a_call() -> None:
    given = three("p3 cbr 50", "p1 cbr 100", "p2 f", *BOARD, "p3 sm QsQd", "p1 sm")
    sentences = ("action 5: p1 raises and nobody can answer: taken as a call",)
    assert mended(replace(given, starting_stacks=(100, 40, 50))) == ((50, 38, 102), sentences)


def test_who_sits_out_may_fold_though_all_in_and_is_out() -> None:
    blind = replace(three("p3 cbr 20", "p1 cc", "p2 f", *BOARD[:1]), starting_stacks=(100, 2, 100))
    goes_on = replace(blind, actions=(*blind.actions, "p1 cbr 5", "p3 f"))
    assert mended(goes_on) == ((122, 0, 80), ("action 6: p2 folds though all-in: out of the hand",))
    alone = replace(three("p3 cbr 20", "p1 f", "p2 f"), starting_stacks=(100, 2, 100))
    assert mended(alone) == ((99, 0, 103), ("action 6: p2 folds though all-in: out of the hand",))
    before = replace(three("p3 cbr 20", "p2 f", "p1 f"), starting_stacks=(100, 2, 100))
    assert mended(before) == ((99, 0, 103), ("action 5: p2 folds though all-in: out of the hand",))


def test_a_fold_of_somebody_with_chips_out_of_turn_stays_an_error() -> None:
    with pytest.raises(ReplayError, match="betting_over"):
        replay_leniently(heads_up("p2 cc", "p1 cc", *CHECKED_DOWN, "p1 sm AsAd", "p2 f"))


def test_a_fold_before_ones_turn_counts_when_it_comes() -> None:
    stacks, sentences = mended(three("p1 f", "p3 cbr 6", "p2 f"))
    assert stacks == (99, 98, 103)
    assert sentences == ("action 4: p1 folds before his turn: taken when it comes",)


def test_a_fold_is_not_early_where_those_before_him_never_speak() -> None:
    stacks, sentences = mended(three("p1 f"))
    assert stacks == (99, 101, 100)
    assert sentences == ("action 4: the record goes on: fold of p3 put in",)


def test_who_folds_early_and_speaks_again_is_an_error() -> None:
    assert refused(three("p1 f", "p3 cbr 6", "p1 cbr 12", "p2 f"))[0] == 6
