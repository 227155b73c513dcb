"""The table document: chips brought to it, what a client may send, and its small fields."""

from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.documents.fields import DocumentError, from_fields
from pitboss.documents.intents import join, merge
from tests.support.for_each import for_each
from tests.support.seeds.document_table import open_table


@for_each("amount", [0.1, True, 0, -5, "5", Decimal("NaN"), Decimal("Infinity")])
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


@pytest.mark.parametrize("grant", [-3, 75.25, True])
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
        ({"seatCount": 2}, "seatCount is 2, but there are 3 players"),
        ({"seatCount": -6}, "seatCount is -6"),
        ({"_bigBlind": 9}, "_bigBlind is 9, but players are 0 to 2"),
        ({"_bigBlind": -2}, "_bigBlind is -2"),
        ({"_smallAfter": 3}, "_smallAfter is 3, but players are 0 to 2"),
    ],
)
def test_a_field_out_of_range_is_named(fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(DocumentError, match=sentence):
        from_fields(THREE | fields)
