"""The table document: chips brought to it, what a client may send, and its small fields."""

from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.cards import DECK
from pitboss.documents import join, merge, personalize
from pitboss.documents.fields import DocumentError, from_fields
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.table.rotation import TableError
from pitboss.table.stakes import TableStakes
from pitboss.table.table import Table
from tests.support.for_each import for_each
from tests.support.seeds.document_table import DocumentTable, open_table
from tests.support.seeds.table_documents import some


@for_each("amount", [0.001, True, 0, -5, float("nan"), float("inf"), "5", Decimal("NaN"), Decimal("Infinity")])
def test_only_numbers_of_chips_are_brought(amount: Any) -> None:
    table = open_table(small_blind=1, big_blind=2, seat_count=6).sit("a", 100)
    with pytest.raises(DocumentError):
        table.top_up("a", amount)
    with pytest.raises(DocumentError):
        table.sit("b", amount)
    with pytest.raises(DocumentError):
        join(table.document, "b", amount)


def test_a_busted_player_may_buy_in_again_and_a_leaver_may_not() -> None:
    table = open_table(small_blind=1, big_blind=2, seat_count=6).sit("a", 100).sit("b", 100).next()
    busted = replace(table, document=replace(table.document, finishing_stacks=(0, 200))).next()
    assert busted.document.intents == (3, 0)
    again = busted.top_up("a", 50).next().document
    assert dict(zip(again.players, again.stacks, strict=True)) == {"a": 50, "b": 200}
    with pytest.raises(DocumentError, match="'a' has left the table"):
        table.wish("a", "leave").top_up("a", 50)


@pytest.mark.parametrize("client", [None, [1], "x", 5])
def test_a_client_that_sends_no_object_has_no_wish(client: object) -> None:
    table = open_table(small_blind=1, big_blind=2, seat_count=6).sit("a", 100).document
    assert merge(table, client, "a").document == table
    with pytest.raises(DocumentError):
        merge(table, client, "b")


@pytest.mark.parametrize("grant", [-3, "75.25", True])
def test_the_house_grants_numbers_of_chips(grant: Any) -> None:
    table = open_table(small_blind=1, big_blind=2, seat_count=6).document
    with pytest.raises(DocumentError):
        merge(table, {"players": ["a"], "startingStacks": [5]}, "a", grant=grant)


@for_each(
    "field, value",
    [
        ("_left", 5),
        ("_left", [1]),
        ("_reopening", "sometimes"),
        ("_reopening", 1),
        ("reopening", "cumulative"),
        ("_smallSeat", "x"),
        ("_bigBlind", True),
        ("_smallBlind", -1),
        ("_ante", "x"),
    ],
)
def test_our_small_fields_are_checked_too(field: str, value: Any) -> None:
    with pytest.raises(DocumentError, match=field):
        from_fields({"players": ["a"], "startingStacks": [5], "blindsOrStraddles": [0], field: value})


THREE: dict[str, Any] = {
    "players": ["a", "b", "c"],
    "startingStacks": [50, 50, 50],
    "blindsOrStraddles": [1, 2, 0],
    "hand": 1,
}


@for_each(
    "fields, sentence",
    [
        ({"seatCount": 2}, "seatCount: expected at least 3, got 2"),
        ({"seatCount": -6}, "seatCount: expected at least 3, got -6"),
        ({"_bigBlind": 9}, "_bigBlind: expected an index from -1 to 2, got 9"),
        ({"_bigBlind": -2}, "_bigBlind: expected an index from -1 to 2, got -2"),
        ({"_smallAfter": 3}, "_smallAfter: expected an index from -1 to 2, got 3"),
    ],
)
def test_a_field_out_of_range_is_named(fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(DocumentError, match=sentence):
        from_fields(THREE | fields)


# --- coming back, and tables that wait


def test_ruling_T2_player_who_left_joins_again_while_cards_are_dealt() -> None:
    """An ignored field, here `actions`, must not decide whether a wish counts."""
    table = open_table(small_blind=1, big_blind=2, seat_count=6).sit("a", 100).sit("b", 100).sit("c", 100).next()
    table = table.deal(NO_LIMIT_HOLDEM.deck).wish("a", "leave")
    table = replace(table, document=replace(table.document, finishing_stacks=table.document.stacks)).next()
    server = table.deal(NO_LIMIT_HOLDEM.deck).document
    with pytest.raises(DocumentError, match="'a' has left the table"):
        personalize(server, "a")
    asking: dict[str, Any] = {"players": ["b", "c", "a"], "startingStacks": [100, 100, 50]}
    for wish in (join(server, "a", 50), asking | {"actions": []}, asking | {"actions": ["p9 nonsense"]}):
        merged = merge(server, wish, "a")
        assert merged.document == merge(server, {"players": ["a"], "startingStacks": [50]}, "a").document
        assert (merged.document.players, merged.document.inactive) == (("b", "c", "a"), (0, 0, 1))
    assert merge(server, join(personalize(server, None), "a", 50), "a").ignored == ()


def test_names_of_players_who_left_are_kept_for_one_full_table() -> None:
    table = open_table(small_blind=1, big_blind=2, seat_count=4).sit("a", 100).sit("b", 100)
    for number in range(40):
        table = table.next().sit(f"n{number}", 100).wish(f"n{number}", "leave")
        table = replace(table, document=replace(table.document, finishing_stacks=table.document.stacks)).next()
        table = replace(table, document=replace(table.document, finishing_stacks=table.document.stacks))
    assert table.document.rest["_left"] == ("n36", "n37", "n38", "n39")
    with pytest.raises(DocumentError, match="has left the table"):
        personalize(table.document, "n39")


def test_ruling_T5_the_hand_after_a_bust_and_a_wait_has_both_blinds() -> None:
    table = open_table(small_blind=1, big_blind=2, seat_count=6).sit("ann", 100).sit("bob", 100).next()
    for stacks in ((200, 0), (0, 200)):
        waiting = replace(table, document=replace(table.document, finishing_stacks=stacks)).next()
        assert sum(waiting.document.dealt_in) == 1
        assert waiting.sit("cleo", 100).next().document.blinds == (1, 2)


@for_each("wish", ["pause", "wait"])
@for_each("seats", [None, [2, 5]])
def test_ruling_T7b_big_blind_who_leaves_before_the_deal_of_a_waiting_table_owes_nothing(
    wish: str, seats: list[int] | None
) -> None:
    fields: dict[str, Any] = {} if seats is None else {"seats": seats}
    table = DocumentTable(document=some(2, blinds=[1, 2], **fields))
    waiting = table.wish("b", wish)
    assert (waiting.document.dead_blinds, waiting.document.inactive) == ((0, 0), (0, 1))
    back = waiting.wish("b", "resume").next().document
    assert (back.blinds, back.dead_money, back.dead_blinds) == ((1, 2), 0, (0, 0))


def test_ruling_T7b_charges_for_an_unplayed_hand_are_returned() -> None:
    table = DocumentTable(document=some(3, blinds=[1, 2, 0]))
    small_gone = table.wish("a", "pause")
    assert small_gone.document.dead_blinds == (1, 0, 0)
    waiting = small_gone.wish("b", "pause")
    assert waiting.document.dead_blinds == (0, 0, 0)
    back = waiting.wish("a", "resume").wish("b", "resume").next().document
    assert back.blinds == (1, 2, 0)


def test_ruling_T5_small_blind_of_zero_keeps_its_place_when_the_big_blind_leaves() -> None:
    table = open_table(small_blind=0, big_blind=2, seat_count=6)
    table = table.sit("ann", 100).sit("bob", 100).sit("cleo", 100).sit("dan", 100).next()
    assert (table.document.blinds, table.document.button) == ((0, 2, 0, 0), 3)
    assert table.wish("bob", "leave").document.button == 3
    assert table.wish("ann", "pause").document.dead_blinds == (1, 0, 0, 0)


def test_ruling_T4_table_that_waits_twice_forgets_the_big_blind_who_left() -> None:
    table = open_table(small_blind=2, big_blind=2, seat_count=6).sit("ann", 100, seat=2).sit("bob", 100, seat=3).next()
    waiting = replace(table, document=replace(table.document, finishing_stacks=(200, 0))).next()
    waits_again = waiting.next().next().next()
    started = waits_again.sit("cleo", 100, seat=1).next().document
    assert (started.rest["_bigBlind"], started.button) == (0, 1)


def test_ruling_T5_place_of_a_small_blind_who_left_is_before_the_first_player() -> None:
    fields: dict[str, Any] = {"_smallAfter": -1, "_smallBlind": 1, "minBet": 2}
    document = some(2, blinds=[2, 0], **fields)
    joined = DocumentTable(document=document).sit("c", 100).document
    assert joined.button == 2
    assert DocumentTable(document=document).sit("c", 100, seat=4).document.seats == (2, 3, 4)


def test_ruling_T2_player_who_left_in_the_hand_and_lost_all_brings_no_chips() -> None:
    table = open_table(small_blind=1, big_blind=2, seat_count=6).sit("ann", 100).sit("bob", 100).sit("cleo", 100)
    table = table.next().deal(DECK).wish("bob", "leave")
    ended = replace(table, document=replace(table.document, finishing_stacks=(200, 0, 100)))
    with pytest.raises(DocumentError, match="'bob' has left the table"):
        ended.top_up("bob", 50)
    typed = Table.open(TableStakes(small_blind=1, big_blind=2)).sit("ann", 100).sit("bob", 100).sit("cleo", 100).next()
    assert typed.button is not None
    left = typed.deal(DECK).table.wish("bob", "leaves").after({0: 200, 1: 0, 2: 100}, hand=1, button=typed.button)
    with pytest.raises(TableError, match="'bob' has left the table"):
        left.top_up("bob", 50)
