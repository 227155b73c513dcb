"""Rulings T3 (leaving in a hand), T8 (auto) and T9 (personalize), and acting, sentence by sentence."""

import pytest
from msgspec.structs import replace

from pitboss.cards import DECK
from pitboss.documents.fields import Document, DocumentError, write_document
from pitboss.documents.hands import finishing_stacks, next_hand
from pitboss.documents.intents import leave, merge, pause, wait_for_big_blind
from pitboss.documents.play import act, auto, deal, play_actions
from pitboss.documents.record import read_back, written_out
from pitboss.documents.views import personalize
from pitboss.formats.phh import read_phh, write_phh
from pitboss.records.replay import replay
from tests.support.for_each import for_each
from tests.support.seeds.table_documents import deck, some, with_intent

HOLES = ["d dh p1 AsAd", "d dh p2 KsKd", "d dh p3 QsQd"]
START = some(3, blinds=[0, 1, 2], actions=HOLES)
BOARD = ("d db 2c3d4h", "d db 8s", "d db 9s")


def gone(document: Document, player: str, intent: int = 3) -> Document:
    return merge(document, with_intent(document, player, intent), player).document


def played(document: Document, *moves: str) -> Document:
    """Acts written `a cc`, and board cards written `d db ...`."""
    for move in moves:
        name, _, action = move.partition(" ")
        document = replace(document, actions=(*document.actions, move)) if name == "d" else act(document, name, action)
    return document


# --- T3


@pytest.mark.parametrize("wish", [pause, wait_for_big_blind, leave])
def test_ruling_T3_sets_inactive_at_once_and_writes_no_action(wish: object) -> None:
    assert callable(wish)
    after = merge(START, wish(START, "b"), "b").document
    assert after.inactive == (0, 1, 0)
    assert after.actions == START.actions


def test_ruling_T3_hand_of_a_player_who_left_is_folded_on_their_turn() -> None:
    away = gone(START, "b", 2)
    assert play_actions(away).hand.round.folded == (False, False, False)
    called = played(away, "a cc")
    assert called.actions == (*HOLES, "p1 cc")
    assert play_actions(called).hand.round.folded == (True, False, False)  # by place, b first


def test_ruling_T3_in_turn_it_is_folded_at_once() -> None:
    away = gone(START, "a", 2)
    assert play_actions(away).name(play_actions(away).hand.round.turn) == "p2"
    assert away.actions == START.actions


def test_ruling_T3_last_remaining_player_wins() -> None:
    away = gone(gone(START, "a"), "b")
    assert finishing_stacks(away) == (100, 99, 101)
    assert next_hand(away).players == ("c",)


def test_ruling_T3_if_all_players_leave_the_last_to_act_wins() -> None:
    away = gone(gone(gone(START, "c"), "b"), "a")
    assert finishing_stacks(away) == (100, 99, 101)
    assert next_hand(away).players == ()


def test_ruling_T3_money_already_bet_stays_in_the_pot() -> None:
    away = gone(played(START, "a cbr 10", "b cc"), "a")
    over = played(away, "c cbr 30", "b f")
    assert finishing_stacks(over) == (90, 90, 120)


def test_ruling_T3_exported_phh_writes_the_fold_out() -> None:
    away = played(gone(START, "b", 2), "a cc", "c cc")
    record = written_out(away)
    assert [text.partition(" #")[0] for text in record.actions] == [*HOLES, "p1 cc", "p2 f", "p3 cc"]
    assert read_back(record) == away
    assert read_back(read_phh(write_phh(record))) == away


def test_ruling_T3_exported_phh_replays_without_the_tables_fields() -> None:
    """Any other program plays the same hand: it knows nothing of `_inactive`."""
    away = played(gone(START, "b", 2), "a cc", "c cbr 10", "a f")
    record = written_out(away)
    user = {name: value for name, value in record.user.items() if name != "_inactive"}
    assert replay(replace(record, user=user)).finishing_stacks == finishing_stacks(away) == (98, 99, 103)


def test_ruling_T3_an_own_fold_is_not_mistaken_for_one_written_out() -> None:
    """Commentary is the author's: an author cannot hide an action by the commentary after it."""
    folded = act(START, "a", "f # sits out")
    assert play_actions(folded).name(play_actions(folded).hand.round.turn) == "p2"
    back = read_back(read_phh(write_phh(written_out(folded))))
    assert play_actions(back).hand.round.folded == play_actions(folded).hand.round.folded
    assert back == folded


def test_ruling_T3_all_in_player_who_left_keeps_their_claim() -> None:
    """a is all-in with aces and leaves; at the showdown a wins, and takes the chips along."""
    away = gone(played(START, "a cbr 100", "b cc", "c f"), "a")
    assert play_actions(away).hand.round.live == (0, 2)
    table = played(away, *BOARD)
    table = played(table, "b sm KsKd")
    if not play_actions(table).hand.over:
        table = auto(table)
    assert finishing_stacks(table) == (202, 0, 98)


def test_ruling_T3_all_in_player_who_left_keeps_their_claim_if_the_house_plays_for_all() -> None:
    """Every player's time runs out at the showdown: those who are present muck."""
    table = played(gone(played(START, "a cbr 100", "b cc", "c f"), "a"), *BOARD)
    for _ in range(2):
        if not play_actions(table).hand.over:
            table = auto(table)
    assert finishing_stacks(table)[0] == 202


def test_ruling_T3_all_in_player_who_left_claims_only_their_part_of_the_pot() -> None:
    start = some(3, blinds=[0, 1, 2], startingStacks=[20, 100, 100], actions=HOLES)
    away = gone(played(start, "a cbr 20", "b cbr 50", "c cc"), "a")
    table = played(away, "d db 2c3d4h", "b cbr 20", "c f", "d db 8s", "d db 9s", "b sm KsKd")
    if not play_actions(table).hand.over:
        table = auto(table)
    assert finishing_stacks(table) == (60, 110, 50)


def test_ruling_T3_player_who_left_after_the_last_bet_mucks_at_the_showdown() -> None:
    table = played(START, "a cc", "b cc", "c cc", BOARD[0], "b cc", "c cc", "a cc", BOARD[1], "b cc", "c cc", "a cc")
    table = gone(played(table, BOARD[2], "b cc", "c cc", "a cc"), "c")
    with pytest.raises(DocumentError, match=r"^'c' sits out and cannot act$"):
        act(table, "c", "sm QsQd")


@for_each("first", ["b sm KsKd", "b sm"])
@for_each("leaver", ["a", "b", "c"])
@for_each("intent", [2, 3])
def test_ruling_T3_cards_shown_before_a_player_leaves_in_a_showdown_stay_shown(
    first: str, leaver: str, intent: int
) -> None:
    """Three check to the river, b shows or mucks, and then a player goes: the hand can still be played to its end."""
    table = played(START, "a cc", "b cc", "c cc", BOARD[0], "b cc", "c cc", "a cc", BOARD[1], "b cc", "c cc", "a cc")
    table = gone(played(table, BOARD[2], "b cc", "c cc", "a cc", first), leaver, intent)
    for _ in range(3):
        if not play_actions(table).hand.over:
            table = auto(table)
    assert sum(finishing_stacks(table)) == 300
    winner = finishing_stacks(table).index(max(finishing_stacks(table)))
    if "Ks" in first:
        assert winner == 1
    assert replay(written_out(table)).finishing_stacks == finishing_stacks(table)
    assert read_back(read_phh(write_phh(written_out(table)))) == table


@pytest.mark.parametrize("first", ["b sm KsKd", "b sm"])
@pytest.mark.parametrize("leaver", ["a", "b"])
def test_ruling_T3_cards_shown_before_a_player_leaves_a_showdown_of_two_stay_shown(first: str, leaver: str) -> None:
    """b has shown kings and then a, who has aces, goes: b wins. b has mucked: a wins, whichever player goes."""
    table = played(START, "a cc", "b cc", "c f", BOARD[0], "b cc", "a cc", BOARD[1], "b cc", "a cc", BOARD[2])
    table = gone(played(table, "b cc", "a cc", first), leaver)
    if not play_actions(table).hand.over:
        table = auto(table) if leaver == "a" else act(table, "a", "sm AsAd")
    shown = "Ks" in first
    assert finishing_stacks(table) == ((98, 104, 98) if shown and leaver == "a" else (104, 98, 98))
    assert replay(written_out(table)).finishing_stacks == finishing_stacks(table)


def test_ruling_T3_exported_phh_contains_the_showdown_of_players_who_left() -> None:
    """Any other program must see why the pot went where it went."""
    table = played(gone(played(START, "a cbr 100", "b cc", "c f"), "a"), *BOARD)
    table = played(table, "b sm KsKd")
    if not play_actions(table).hand.over:
        table = auto(table)
    record = written_out(table)
    user = {name: value for name, value in record.user.items() if name != "_inactive"}
    assert replay(replace(record, user=user)).finishing_stacks == finishing_stacks(table) == (202, 0, 98)


def test_ruling_T3_intent_3_is_final() -> None:
    away = gone(START, "b")
    assert gone(away, "b", 0) == away


def test_ruling_T3_player_who_left_may_return_as_a_newcomer() -> None:
    over = gone(gone(START, "a"), "b")
    following = next_hand(over)
    again = merge(following, {"players": ["a"], "startingStacks": [50]}, "a").document
    assert again.players == ("c", "a")


# --- acting


@for_each(
    "action, sentence",
    [
        ("", "expected a move such as 'p1 cc', got "),
        ("jump", "expected a move such as 'p1 cc', got "),
        ("cbr", "expected a move such as 'p1 cc', got "),
        ("cbr much", "expected a number of chips from 0, got 'much'"),
        ("cbr -5", "expected a number of chips from 0, got '-5'"),
        ("cbr 1e999999", "'1e999999' is too large or has too many digits"),
        ("cbr 3", "'p1 cbr 3': "),
        ("cbr 101", "'p1 cbr 101': "),
        ("sm AsAd", "'p1 sm AsAd': "),
        ("db", "expected a move such as 'p1 cc', got 'p1 db'"),
        ("pb", "no-limit hold'em has no move 'pb'"),
        ("sd", "no-limit hold'em has no move 'sd'"),
        ("# nothing", "expected a move such as 'p1 cc', got "),
    ],
)
def test_ruling_G4_refused_action_changes_nothing_and_gives_the_reason(action: str, sentence: str) -> None:
    before = write_document(START)
    with pytest.raises(DocumentError) as caught:
        act(START, "a", action)
    assert sentence in str(caught.value)
    assert write_document(START) == before


def test_ruling_G4_out_of_turn_and_strangers_are_refused() -> None:
    with pytest.raises(DocumentError, match="it is the turn of p1, not of p2"):
        act(START, "b", "cc")
    with pytest.raises(DocumentError, match=r"^players: expected one of a, b, c, got 'x'$"):
        act(START, "x", "cc")


def test_ruling_G4_players_cannot_show_cards_they_do_not_have() -> None:
    table = played(START, "a cbr 100", "b cc", "c f", *BOARD)
    with pytest.raises(DocumentError, match="sm 7c7d"):
        act(table, "b", "sm 7c7d")


def test_ruling_G4_no_player_acts_before_the_cards() -> None:
    with pytest.raises(DocumentError, match="cards have to be dealt"):
        act(some(3, blinds=[0, 1, 2]), "a", "cc")


def test_ruling_G4_no_player_acts_after_the_hand() -> None:
    over = played(START, "a f", "b f")
    for name in "abc":
        with pytest.raises(DocumentError):
            act(over, name, "cc")
    with pytest.raises(DocumentError, match=r"^the hand is over$"):
        auto(over)
    with pytest.raises(
        DocumentError, match=r"^expected a hand in which cards are due; now a player must act, or the hand is over$"
    ):
        deal(over, DECK)


def test_ruling_G5_cards_are_dealt_from_the_given_deck() -> None:
    table = deal(some(3, blinds=[0, 1, 2]), deck("KsKd", "QsQd", "AsAd", board="2c3d4h8s9s"))
    assert list(table.actions) == HOLES
    table = played(table, "a cc", "b cc", "c cc")
    cards = deck("KsKd", "QsQd", "AsAd", board="2c3d4h8s9s")
    assert deal(table, cards).actions[-1] == "d db 2c3d4h"
    table = played(deal(table, cards), "b cc", "c cc", "a cc")
    assert deal(table, cards).actions[-1] == "d db 8s"


# --- T8


def test_ruling_T8_auto_folds_also_where_checking_is_free() -> None:
    table = played(START, "a cc", "b cc")
    assert auto(table).actions[-1] == "p3 f"


def test_ruling_T8_auto_can_be_set_to_check_when_that_is_free() -> None:
    table = played(START, "a cc", "b cc")
    assert auto(table, check_when_free=True).actions[-1] == "p3 cc"
    assert auto(START, check_when_free=True).actions[-1] == "p1 f"


def test_ruling_T8_auto_mucks_at_showdown() -> None:
    table = played(START, "a cbr 100", "b cc", "c f", *BOARD)
    mucked = auto(table)
    assert mucked.actions[-1] == "p2 sm"
    assert finishing_stacks(mucked) == (202, 0, 98)


def test_ruling_T8_auto_does_not_act_where_cards_are_due() -> None:
    with pytest.raises(DocumentError, match=r"^no player is to act: deal cards first$"):
        auto(some(3, blinds=[0, 1, 2]))


def test_ruling_T8_auto_skips_players_who_left() -> None:
    """a has left and is first to act: it is b whose time is up."""
    assert auto(gone(START, "a")).actions[-1] == "p2 f"


# --- T9


@for_each(
    "player, seen",
    [
        ("a", ["d dh p1 AsAd", "d dh p2 ????", "d dh p3 ????"]),
        ("b", ["d dh p1 ????", "d dh p2 KsKd", "d dh p3 ????"]),
        ("c", ["d dh p1 ????", "d dh p2 ????", "d dh p3 QsQd"]),
        ("x", ["d dh p1 ????", "d dh p2 ????", "d dh p3 ????"]),
        (None, ["d dh p1 ????", "d dh p2 ????", "d dh p3 ????"]),
    ],
)
def test_ruling_T9_cards_of_all_others_are_hidden(player: str | None, seen: list[str]) -> None:
    view = personalize(START, player)
    assert list(view.actions) == seen
    assert view.author == player
    assert replace(view, actions=START.actions, author=None) == START


def test_ruling_T9_board_and_shown_cards_are_everybodys() -> None:
    table = played(START, "a cbr 100", "b cc", "c f", *BOARD, "b sm KsKd")
    assert personalize(table, None).actions[3:] == table.actions[3:]


def test_ruling_T9_mucked_cards_stay_hidden() -> None:
    table = played(START, "a cbr 100", "b cc", "c f", *BOARD, "b sm")
    assert not any("K" in text for text in personalize(table, None).actions)


def test_ruling_T9_commentary_on_a_deal_is_hidden_with_it() -> None:
    table = replace(START, actions=(HOLES[0] + " # a pair of aces, AsAd", *HOLES[1:]))
    assert personalize(table, "b").actions[0] == "d dh p1 ????"


def test_ruling_T9_cards_of_a_player_who_left_in_the_hand_stay_hidden() -> None:
    view = personalize(gone(START, "a"), "b")
    assert list(view.actions) == ["d dh p1 ????", "d dh p2 KsKd", "d dh p3 ????"]
