"""Seed 004, "Выход из игры": folding, running out of time, and leaving for good (hands 8, 9)."""

from decimal import Decimal

import pytest
from msgspec.structs import replace

from pitboss.documents.fields import DocumentError, read_document, write_document
from pitboss.documents.hands import finishing_stacks, next_hand
from pitboss.documents.intents import join, leave, merge
from pitboss.documents.play import act, auto, deal, play_actions
from pitboss.documents.views import personalize
from tests.support.seeds.table_documents import after, deck, printed, some, three, with_intent

LOG = ["d dh p1 ????", "d dh p2 3s3d", "d dh p3 ????", "p1 cc", "p2 cc", "p3 cc", "d db 5hAdQc"]
HAND_8 = three(hand=8, blindsOrStraddles=[0, 1, 2], actions=LOG, _inactive=[0, 0, 0], _intents=[0, 0, 0])
LEFT_8 = merge(HAND_8, with_intent(HAND_8, "Player1", 3), "Player1").document
STATE = ("_inactive", "_intents", "_deadBlinds")


def test_004_leaving_hand_8_sets_inactive_at_once() -> None:
    """The printed log begins with Player3, the big blind; by 000 §1 Player1 speaks first (T11), as here."""
    assert printed(LEFT_8, *STATE) == {"_inactive": [1, 0, 0], "_intents": [3, 0, 0], "_deadBlinds": [0, 0, 0]}
    assert replace(LEFT_8, inactive=(0, 0, 0), intents=(0, 0, 0)) == HAND_8


def test_004_leaving_hand_8_with_the_log_as_printed() -> None:
    """The misprinted log is merged anyway: `merge` reads no actions."""
    log = ["d dh p1 ????", "d dh p2 3s3d", "d dh p3 ????", "p3 cc", "p1 cc", "p2 cc", "d db 5hAdQc"]
    server = three(hand=8, blindsOrStraddles=[0, 1, 2], actions=log)
    merged = merge(server, with_intent(server, "Player1", 3), "Player1").document
    assert printed(merged, *STATE) == {"_inactive": [1, 0, 0], "_intents": [3, 0, 0], "_deadBlinds": [0, 0, 0]}


def test_004_leaving_hand_9_without_player_1_in_any_array() -> None:
    """Blinds [1, 2] as printed: a player left and two remain, so the first posts small and the second big (T5)."""
    ninth = after(LEFT_8)
    assert printed(ninth, "hand", "players", "startingStacks", "blindsOrStraddles", "antes", "actions", *STATE) == {
        "hand": 9,
        "players": ["Player2", "Player3"],
        "startingStacks": [100, Decimal("75.25")],
        "blindsOrStraddles": [1, 2],
        "antes": [0, 0],
        "actions": [],
        "_inactive": [0, 0],
        "_intents": [0, 0],
        "_deadBlinds": [0, 0],
    }
    assert ninth.seat_count == 6


def test_004_leaving_hand_9_deal() -> None:
    """The seed deals 3d twice (T11): refused; with 2d instead it is dealt, the small blind first."""
    ninth = after(LEFT_8)
    with pytest.raises(DocumentError, match="3d"):
        three(players=["Player2", "Player3"], startingStacks=[100, 75.25], antes=[0, 0], blindsOrStraddles=[1, 2],
              actions=["d dh p1 2s3d", "d dh p2 3s3d"])  # fmt: skip
    dealt = deal(ninth, deck("3s3d", "2s2d"))
    assert dealt.actions == ("d dh p1 2s2d", "d dh p2 3s3d")
    assert play_actions(dealt).lineup.players == (1, 0)


def test_004_leaving_player_receives_no_further_documents() -> None:
    with pytest.raises(DocumentError, match=r"^'Player1' has left the table and receives nothing more$"):
        personalize(LEFT_8, "Player1")
    assert personalize(LEFT_8, "Player2").author == "Player2"


def test_004_leaving_as_a_client_function() -> None:
    assert leave(HAND_8, "Player1").intents == (3, 0, 0)
    assert merge(HAND_8, leave(HAND_8, "Player1"), "Player1").document == LEFT_8


def test_004_leaving_is_final() -> None:
    """T3: intent 3 is final, whatever the client sends afterwards."""
    for wish in (0, 1, 2):
        merged = merge(LEFT_8, with_intent(LEFT_8, "Player1", wish), "Player1")
        assert merged.document == LEFT_8
        assert merged.ignored == ("_intents: 'Player1' has left, and can join again in the next hand",)
    again = merge(LEFT_8, LEFT_8, "Player1")
    assert again.document == LEFT_8
    assert again.ignored == ()


def test_004_leaving_does_not_take_part_in_this_hand_any_more() -> None:
    with pytest.raises(DocumentError, match=r"^'Player1' sits out and cannot act$"):
        act(LEFT_8, "Player1", "cc")
    on = act(act(LEFT_8, "Player2", "cc"), "Player3", "cc")
    assert play_actions(on).hand.round.folded == (False, False, True)


def test_004_leaving_forgives_the_debt() -> None:
    owing = three(hand=8, blindsOrStraddles=[0, 1, 2], _inactive=[0, 1, 0], _intents=[0, 3, 0], _deadBlinds=[0, 3, 0])
    ninth = after(owing)
    assert ninth.players == ("Player1", "Player3")
    assert ninth.stacks == (50, Decimal("75.25"))
    assert ninth.dead_money == 0
    assert ninth.dead_blinds == (0, 0)


def test_004_leaving_player_takes_the_chips_left_after_the_hand() -> None:
    """Player b leaves with 98: the big blind stays in the pot that c wins."""
    table = some(3, blinds=[1, 2, 0], actions=["d dh p1 2c2d", "d dh p2 3c3d", "d dh p3 4c4d", "p3 cbr 6"])
    table = merge(table, leave(table, "b"), "b").document
    over = act(table, "a", "f")
    assert finishing_stacks(over) == (99, 98, 103)
    assert next_hand(over).players == ("a", "c")
    assert next_hand(over).stacks == (99, 103)


# --- three ways to leave a hand


def test_004_way_1_fold_at_once() -> None:
    folded = act(HAND_8, "Player2", "f")
    assert folded.actions == (*LOG, "p2 f")
    assert printed(folded, *STATE) == {"_inactive": [0, 0, 0], "_intents": [0, 0, 0], "_deadBlinds": [0, 0, 0]}


def test_004_way_2_out_of_time_is_folded_by_auto() -> None:
    assert auto(HAND_8).actions == (*LOG, "p2 f")


def test_004_way_2_at_showdown_auto_mucks() -> None:
    table = some(2, blinds=[1, 2], actions=["d dh p1 AsAd", "d dh p2 KsKd", "p1 cc", "p2 cc", "d db 2c3d4h"])
    for street in (None, "d db 8s", "d db 9s"):
        if street is not None:
            table = replace(table, actions=(*table.actions, street))
        table = act(act(table, "b", "cc"), "a", "cc")
    mucked = auto(table)
    assert mucked.actions[-1] == "p2 sm"
    assert finishing_stacks(mucked) == (102, 98)


def test_004_way_3_leave_before_the_next_hand() -> None:
    """Refusing the next hand: the player acts no more in this one, and is gone in the next."""
    assert LEFT_8.actions == tuple(LOG)
    assert "Player1" not in after(LEFT_8).players


def test_004_leave_player_receives_no_later_hand() -> None:
    """ "Игрок Player1 больше обновлений игры не получит"."""
    table = replace(LEFT_8, finishing_stacks=LEFT_8.stacks)
    for _ in range(3):
        table = next_hand(replace(table, finishing_stacks=table.stacks))
        assert "Player1" not in table.players
        with pytest.raises(DocumentError, match="'Player1' has left the table"):
            personalize(table, "Player1")
    assert personalize(table, None).author is None
    assert read_document(write_document(table)) == table


def test_004_leave_and_sit_down_again_is_to_be_a_player_again() -> None:
    table = next_hand(replace(LEFT_8, finishing_stacks=LEFT_8.stacks))
    again = merge(table, join(table, "Player1", 50), "Player1").document
    assert personalize(again, "Player1").author == "Player1"
