"""Seed 004, "Присоединение к игре": asking for a seat, what is granted, the next hand, what the newcomer sees."""

from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.documents.fields import DocumentError, read_document, write_document
from pitboss.documents.hands import next_hand
from pitboss.documents.intents import join, merge
from pitboss.documents.play import deal, play_actions
from pitboss.documents.views import personalize
from tests.support.for_each import for_each
from tests.support.seeds.table_documents import CENTS, after, deck, doc, printed

HAND_1: dict[str, Any] = {
    "hand": 1,
    "players": ["Player1", "Player2"],
    "startingStacks": [50, 100],
    "blindsOrStraddles": [1, 2],
    "antes": [0, 0],
    "seatCount": [6],
    "actions": ["d dh p1 ????", "d dh p2 ????", "p1 cc", "p2 cc", "d db 2d7cJh"],
    "_inactive": [0, 0],
    "_intents": [0, 0],
}
CLIENT: dict[str, Any] = HAND_1 | {
    "author": "Player3",
    "players": ["Player1", "Player2", "Player3"],
    "startingStacks": [50, 100, 100],
    "blindsOrStraddles": [1, 2, 0],
    "_intents": [0, 0, 0],
}
ARRAYS = ("players", "startingStacks", "blindsOrStraddles", "antes", "_inactive", "_intents", "_deadBlinds")
JOINED = merge(doc(HAND_1), CLIENT, "Player3", grant=CENTS).document


def test_004_join_is_granted_75_25_of_the_requested_100() -> None:
    merged = merge(doc(HAND_1), CLIENT, "Player3", grant=CENTS)
    assert printed(merged.document, "hand", *ARRAYS, "seatCount", "actions") == {
        "hand": 1,
        "players": ["Player1", "Player2", "Player3"],
        "startingStacks": [50, 100, Decimal("75.25")],
        "blindsOrStraddles": [1, 2, 0],
        "antes": [0, 0, 0],
        "_inactive": [0, 0, 1],
        "_intents": [0, 0, 0],
        "_deadBlinds": [0, 0, 0],
        "seatCount": [6],
        "actions": ["d dh p1 ????", "d dh p2 ????", "p1 cc", "p2 cc", "d db 2d7cJh"],
    }
    assert merged.ignored == ("startingStacks: asked for 100, got 75.25",)


def test_004_join_leaves_out_the_claimed_author() -> None:
    assert JOINED.author is None


def test_004_join_without_a_limit_is_granted_as_requested() -> None:
    merged = merge(doc(HAND_1), CLIENT, "Player3")
    assert merged.document.stacks == (50, 100, 100)
    assert merged.ignored == ()


def test_004_join_below_the_limit_is_granted_whole() -> None:
    assert merge(doc(HAND_1), CLIENT, "Player3", grant=1000).document.stacks == (50, 100, 100)


def test_004_join_as_a_client_function_is_the_printed_wish() -> None:
    wish = join(doc(HAND_1), "Player3", 100)
    assert printed(wish, "players", "startingStacks", "blindsOrStraddles", "_intents") == {
        name: CLIENT[name] for name in ("players", "startingStacks", "blindsOrStraddles", "_intents")
    }
    assert merge(doc(HAND_1), wish, "Player3", grant=CENTS).document == JOINED


def test_004_join_twice_is_refused() -> None:
    with pytest.raises(DocumentError, match=r"^'Player1' already sits at this table$"):
        join(doc(HAND_1), "Player1", 100)


def test_004_join_leaves_the_running_hand_alone() -> None:
    """ "Player1 и Player2 доигрывают текущую игру до конца": the newcomer takes no part in it."""
    before, running = play_actions(doc(HAND_1)), play_actions(JOINED)
    assert running.lineup.players == before.lineup.players == (1, 0)
    assert running.finishing_stacks() == (48, 98, CENTS)
    assert before.finishing_stacks() == (48, 98)


def test_004_join_hand_2_deals_the_newcomer_in_on_the_big_blind() -> None:
    second = after(JOINED)
    assert printed(second, "hand", *ARRAYS, "seatCount", "actions") == {
        "hand": 2,
        "players": ["Player1", "Player2", "Player3"],
        "startingStacks": [50, 100, Decimal("75.25")],
        "blindsOrStraddles": [0, 1, 2],
        "antes": [0, 0, 0],
        "_inactive": [0, 0, 0],
        "_intents": [0, 0, 0],
        "_deadBlinds": [0, 0, 0],
        "seatCount": [6],
        "actions": [],
    }


def test_004_join_hand_2_cards() -> None:
    """The printed deal; dealing runs from the small blind, Player2, the cards are listed by player."""
    dealt = deal(after(JOINED), deck("3s3d", "4c4d", "2h2d"))
    assert dealt.actions == ("d dh p1 2h2d", "d dh p2 3s3d", "d dh p3 4c4d")
    assert play_actions(dealt).finishing_stacks() == (50, 99, Decimal("73.25"))


def test_004_view_of_hand_2_as_player_3_is_sent_it() -> None:
    dealt = deal(after(JOINED), deck("3s3d", "4c4d", "2h2d"))
    seen = personalize(dealt, "Player3")
    assert printed(seen, "author", "hand", *ARRAYS, "seatCount", "actions") == {
        "author": "Player3",
        "hand": 2,
        "players": ["Player1", "Player2", "Player3"],
        "startingStacks": [50, 100, Decimal("75.25")],
        "blindsOrStraddles": [0, 1, 2],
        "antes": [0, 0, 0],
        "_inactive": [0, 0, 0],
        "_intents": [0, 0, 0],
        "_deadBlinds": [0, 0, 0],
        "seatCount": [6],
        "actions": ["d dh p1 ????", "d dh p2 ????", "d dh p3 4c4d"],
    }


def test_004_view_before_joining_shows_no_cards() -> None:
    """ "Он не сможет увидеть карты игроков": a player who is not at the table yet sees what a spectator sees."""
    known = doc(HAND_1, actions=["d dh p1 2h2d", "d dh p2 3s3d", "p1 cc", "p2 cc", "d db 2c7cJh"])
    assert personalize(known, "Player3").actions == ("d dh p1 ????", "d dh p2 ????", "p1 cc", "p2 cc", "d db 2c7cJh")


def test_004_join_before_anything_is_dealt_is_dealt_in() -> None:
    """T7b: "если экшен лог не пустой" marks a newcomer inactive; if it is empty they play at once."""
    fresh = doc(HAND_1, actions=[])
    merged = merge(fresh, CLIENT, "Player3").document
    assert (merged.inactive, merged.blinds, merged.button) == ((0, 0, 0), (1, 2, 0), 2)
    dealt = deal(merged, deck("3s3d", "4c4d", "2h2d"))
    assert dealt.actions == ("d dh p1 3s3d", "d dh p2 4c4d", "d dh p3 2h2d")
    playback = play_actions(dealt)
    assert playback.name(playback.hand.round.turn) == "p3"
    assert read_document(write_document(merged)) == merged


@pytest.mark.parametrize(("stack", "intent"), [(1, 0), (100, 1), (100, 2)])
def test_004_join_before_anything_is_dealt_needs_chips_and_the_will_to_play(stack: int, intent: int) -> None:
    fresh = doc(HAND_1, actions=[])
    wish = CLIENT | {"startingStacks": [50, 100, stack], "_intents": [0, 0, intent]}
    assert merge(fresh, wish, "Player3").document.inactive == (0, 0, 1)


def test_004_join_at_a_table_that_waits_is_for_the_next_hand() -> None:
    alone = doc(players=["a"], startingStacks=[100], blindsOrStraddles=[2])
    merged = merge(alone, join(alone, "b", 100), "b").document
    assert merged.inactive == (0, 1)
    assert next_hand(merged).inactive == (0, 0)


@pytest.mark.parametrize(("stack", "inactive", "intent"), [(2, 0, 0), (1.99, 1, 3)])
def test_004_join_needs_chips_enough_to_play(stack: float, inactive: int, intent: int) -> None:
    """ "если у игрока достаточно фишек": one big blind (T7)."""
    merged = merge(
        doc(HAND_1), doc(CLIENT, startingStacks=[50, 100, stack], antes=[0] * 3, _inactive=[0] * 3), "Player3"
    )
    second = after(merged.document)
    assert (second.inactive[2], second.intents[2]) == (inactive, intent)


def test_004_join_after_the_hand_is_over_but_before_the_next() -> None:
    over = replace(doc(HAND_1, actions=["d dh p1 2h2d", "d dh p2 3s3d", "p1 f"]))
    merged = merge(over, join(over, "Player3", 100), "Player3").document
    second = next_hand(merged)
    assert second.stacks == (49, 101, 100)
    assert second.blinds == (0, 1, 2)


def test_004_join_where_finishing_stacks_are_given() -> None:
    over = doc(HAND_1, finishingStacks=[60, 90])
    assert next_hand(merge(over, join(over, "Player3", 100), "Player3").document).stacks == (60, 90, 100)


def test_004_join_at_a_wished_seat() -> None:
    """ "Выбирает позицию в seats, если хочет сесть на конкретное место"."""
    server = doc(HAND_1, seats=[1, 4])
    merged = merge(server, CLIENT | {"seats": [1, 4, 2]}, "Player3")
    assert merged.document.seats == (1, 4, 2)
    assert merged.ignored == ()
    assert merged.document.clockwise == (0, 2, 1)


def test_004_join_without_a_wish_takes_the_first_free_seat() -> None:
    assert merge(doc(HAND_1, seats=[1, 2]), CLIENT, "Player3").document.seats == (1, 2, 3)
    assert merge(doc(HAND_1, seats=[2, 6]), CLIENT, "Player3").document.seats == (2, 6, 1)


@for_each(
    "seat, sentence",
    [
        (4, "seat 4 is taken"),
        (0, "seat: expected 1 to 6, got 0"),
        (7, "seat: expected 1 to 6, got 7"),
        ("2", "seat: expected 1 to 6, got '2'"),
        (True, "seat: expected 1 to 6, got True"),
    ],
)
def test_004_join_at_a_seat_that_cannot_be_had_is_refused(seat: object, sentence: str) -> None:
    server = doc(HAND_1, seats=[1, 4])
    before = write_document(server)
    with pytest.raises(DocumentError) as caught:
        merge(server, CLIENT | {"seats": [1, 4, seat]}, "Player3")
    assert str(caught.value) == sentence
    assert write_document(server) == before


def test_004_join_a_full_table_is_refused() -> None:
    with pytest.raises(DocumentError, match=r"^all 2 seats are taken$"):
        merge(doc(HAND_1, seatCount=2), CLIENT, "Player3")


@for_each("stack", [0, -5, "100", None, True, [100], 0.0])
def test_004_join_with_an_invalid_stack_is_refused(stack: object) -> None:
    with pytest.raises(DocumentError, match="startingStacks: expected the chips that 'Player3' brings, above 0, got "):
        merge(doc(HAND_1), CLIENT | {"startingStacks": [50, 100, stack]}, "Player3")


@for_each("intent", [3, 4, -1, "0", True])
def test_004_join_with_an_invalid_intent_is_refused(intent: object) -> None:
    with pytest.raises(DocumentError, match="_intents: expected 0, 1 or 2 for a new player, got "):
        merge(doc(HAND_1), CLIENT | {"_intents": [0, 0, intent]}, "Player3")


@pytest.mark.parametrize("intent", [1, 2])
def test_004_join_with_a_pause_waits(intent: int) -> None:
    merged = merge(doc(HAND_1), CLIENT | {"_intents": [0, 0, intent]}, "Player3").document
    assert (merged.inactive[2], merged.intents[2]) == (1, intent)


def test_004_join_that_waits_for_the_big_blind_is_dealt_in_with_it() -> None:
    merged = merge(doc(HAND_1), CLIENT | {"_intents": [0, 0, 1]}, "Player3").document
    second = after(merged)
    assert second.blinds == (0, 1, 2)
    assert (second.inactive[2], second.intents[2]) == (0, 0)


def test_004_stranger_without_a_join_request_is_refused() -> None:
    with pytest.raises(
        DocumentError, match=r"^players: expected 'Player4' among the players of the client's document$"
    ):
        merge(doc(HAND_1), CLIENT, "Player4")
