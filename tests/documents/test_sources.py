"""What the functions accept for a document, and exact money: floats, the smallest chip, sums."""

import json
from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss import documents
from pitboss.chance import Chance
from pitboss.documents import (
    Document,
    DocumentError,
    act,
    auto,
    cash_out,
    deal,
    events_since,
    join,
    merge,
    next_hand,
    offer,
    open_document,
    pause,
    personalize,
    read_document,
    read_fields,
    top_up,
    turn,
    write_document,
)
from pitboss.hand.games import NO_LIMIT_HOLDEM
from tests.support.for_each import for_each
from tests.support.seeds.table_documents import some

WRONG_CHIPS: tuple[Any, ...] = ("4", [4], True, -4, 0, {})
DECK = Chance(1).shuffled(NO_LIMIT_HOLDEM.deck)
SMALL_BLINDS: dict[str, Any] = {
    "hand": 1,
    "players": ["ann", "bob"],
    "startingStacks": [75.25, 100],
    "blindsOrStraddles": [0.1, 0.2],
    "seats": [1, 2],
    "seatCount": 6,
}


def spellings(document: Document) -> list[Any]:
    """A document in every form that a server receives."""
    line = write_document(document)
    return [document, json.loads(line), line.decode(), line]


def test_every_function_accepts_a_document_a_dict_text_and_bytes() -> None:
    ready = read_document(SMALL_BLINDS)
    dealt = deal(ready, DECK)
    calls: list[tuple[Document, Any]] = [
        (ready, read_document),
        (ready, write_document),
        (ready, lambda table: merge(table, pause(table, "bob"), "bob")),
        (ready, lambda table: join(table, "cleo", 75.25)),
        (ready, lambda table: top_up(table, "ann", 0.3)),
        (ready, lambda table: deal(table, DECK)),
        (dealt, lambda table: act(table, "ann", "cc")),
        (dealt, auto),
        (dealt, turn),
        (dealt, lambda table: offer(table, "ann")),
        (dealt, lambda table: events_since(table, 1)),
        (dealt, lambda table: personalize(table, "ann")),
        (ready, lambda table: cash_out(table, "ann")),
        (auto(dealt), next_hand),
    ]
    for document, call in calls:
        first, *others = [call(spelling) for spelling in spellings(document)]
        assert all(other == first for other in others)


def test_an_honest_client_with_blinds_of_tenths_is_not_reported() -> None:
    server = read_document(json.dumps(SMALL_BLINDS))
    for client in spellings(pause(personalize(server, "bob"), "bob")):
        merged = merge(server, client, "bob")
        assert (merged.ignored, merged.document.intents) == ((), (0, 2))


def test_a_float_is_read_as_its_shortest_decimal() -> None:
    assert read_document(SMALL_BLINDS) == read_document(json.dumps(SMALL_BLINDS))
    assert read_document(SMALL_BLINDS).stacks == (Decimal("75.25"), 100)
    assert read_fields(SMALL_BLINDS)["blindsOrStraddles"] == [Decimal("0.1"), Decimal("0.2")]


@for_each("number", [float("nan"), float("inf"), -float("inf")])
def test_a_number_that_json_does_not_have_is_refused_anywhere(number: float) -> None:
    with pytest.raises(DocumentError, match=r"^minBet: expected a number of chips"):
        read_document(SMALL_BLINDS | {"minBet": number})
    with pytest.raises(DocumentError, match="expected numbers"):
        read_document(SMALL_BLINDS | {"_note": {"deep": [number]}})


def test_client_that_sends_no_json_has_no_request_and_the_reason_is_returned() -> None:
    server = read_document(SMALL_BLINDS)
    merged = merge(server, "{", "ann")
    assert merged.document == server
    assert merged.ignored[0].startswith("the document is not JSON: ")


# --- opening a table


def test_open_document_keeps_amounts_given_as_floats() -> None:
    table = open_document(small_blind=0.25, big_blind=1, ante=0.5, seat_count=6)
    table = next_hand(join(join(table, "ann", 100), "bob", 100))
    assert (table.blinds, table.antes) == ((Decimal("0.25"), 1), (Decimal("0.5"), Decimal("0.5")))
    tenth = open_document(small_blind=0.05, big_blind=0.1, seat_count=6)
    assert next_hand(join(join(tenth, "ann", 10), "bob", 10)).blinds == (Decimal("0.05"), Decimal("0.1"))


@for_each(
    "arguments, place",
    [
        ({"seat_count": -3}, "seat_count"),
        ({"seat_count": 1}, "seat_count"),
        ({"seat_count": 6.0}, "seat_count"),
        ({"seat_count": True}, "seat_count"),
        ({"seat_count": 99}, "seat_count"),
        ({"big_blind": 0}, "big_blind"),
        ({"big_blind": -2}, "big_blind"),
        ({"big_blind": "2"}, "big_blind"),
        ({"big_blind": True}, "big_blind"),
        ({"big_blind": float("nan")}, "big_blind"),
        ({"small_blind": 3}, "small_blind"),
        ({"small_blind": -1}, "small_blind"),
        ({"small_blind": 0.001}, "small_blind"),
        ({"small_blind": None}, "small_blind"),
        ({"ante": -1}, "ante"),
        ({"ante": 0.001}, "ante"),
        ({"bring_in": 1}, "bring_in"),
        ({"variant": "F7S", "bring_in": 0}, "bring_in"),
        ({"variant": "F7S", "bring_in": 3}, "bring_in"),
        ({"variant": "F7S", "seat_count": 9}, "seat_count"),
        ({"variant": "chess"}, "variant"),
        ({"unit": 0}, "unit"),
        ({"unit": "cent"}, "unit"),
    ],
)
def test_open_document_names_the_argument_that_is_wrong(arguments: dict[str, Any], place: str) -> None:
    usual: dict[str, Any] = {"small_blind": 1, "big_blind": 2, "seat_count": 6}
    with pytest.raises(DocumentError, match=f"^{place}: expected "):
        open_document(**usual | arguments)


# --- the smallest chip


@for_each(
    "fields, unit",
    [
        ({}, "0.01"),
        ({"minBet": 0.01, "blindsOrStraddles": [0.01, 0.01]}, "0.005"),
        ({"_unit": 1}, "0.1"),
        ({"_unit": 0.001}, "0.001"),
        ({"_unit": 0.05}, "0.05"),
    ],
)
def test_ruling_T8b_smallest_chip_is_a_cent_or_finer_for_half_a_big_blind(fields: dict[str, Any], unit: str) -> None:
    table = SMALL_BLINDS | {"startingStacks": [75, 100]} | fields
    assert read_document(table).unit == Decimal(unit)


@for_each(
    "fields",
    [
        {"startingStacks": [75.251, 100]},
        {"blindsOrStraddles": [0.101, 0.2]},
        {"antes": [0.001, 0.001]},
        {"minBet": 0.2001},
        {"_deadMoney": 0.001},
        {"_ante": 0.001},
        {"finishingStacks": [75.249, 100]},
        {"winnings": [0.001, 0]},
        {"_deadPaid": {"ann": 0.001}},
        {"actions": ["d dh p1 2c2d", "d dh p2 3c3d", "p1 cbr 0.601"]},
        {"_unit": 0.5},
    ],
)
def test_ruling_T8b_a_finer_amount_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(DocumentError, match=": expected a multiple of "):
        read_document(SMALL_BLINDS | fields)


def test_ruling_T8b_a_finer_bet_stack_or_top_up_is_refused() -> None:
    ready = read_document(SMALL_BLINDS)
    with pytest.raises(DocumentError, match=r"^action: expected a multiple of 0.01, the smallest chip, got 0.6000"):
        act(deal(ready, DECK), "ann", f"cbr 0.6{'0' * 389}1")
    with pytest.raises(DocumentError, match=r"^amount: expected a multiple of"):
        top_up(ready, "ann", 0.001)
    with pytest.raises(DocumentError, match=r"^startingStacks: expected a multiple of"):
        join(ready, "cleo", 9.999)
    with pytest.raises(DocumentError, match=r"^startingStacks: expected a multiple of"):
        merge(ready, {"players": ["cleo"], "startingStacks": [9.999]}, "cleo")


def test_ruling_T8b_sums_never_round() -> None:
    most = Decimal("1234567890123456789012345678901234567890.01")
    table = replace(some(2, blinds=[1, 2]), stacks=(most, most))
    read_document(write_document(replace(table, finishing_stacks=(most * 0, most))))
    with pytest.raises(DocumentError, match=r"expected at most 2469135780246913578024691357802469135780.02 chips"):
        read_document(write_document(replace(table, finishing_stacks=(most, most + Decimal("1e12")))))
    paid = next_hand(replace(table, finishing_stacks=(most, most)))
    assert paid.stacks == (most, most)
    richer = top_up(replace(table, finishing_stacks=(most, most)), "a", Decimal("0.01"))
    assert richer.finishing_stacks == (Decimal("1234567890123456789012345678901234567890.02"), most)


# --- fields of PHH


@for_each(
    "fields",
    [
        {"winnings": 5},
        {"winnings": [1]},
        {"winnings": ["1", 0]},
        {"winnings": [None, 0]},
        *[{name: value} for name in ("bigBet", "smallBet", "bringIn") for value in WRONG_CHIPS],
    ],
)
def test_chips_of_the_wrong_type_are_refused_with_their_field(fields: dict[str, Any]) -> None:
    for variant in ("NT", "FT", "F7S"):
        with pytest.raises(DocumentError, match=f"^{next(iter(fields))}: expected "):
            deal(SMALL_BLINDS | {"variant": variant} | fields, DECK)


# --- straddles


@for_each(
    "blinds, expected",
    [
        ([1, 2, 4, 0], (0, 1, 2, 0)),
        ([1, 2, 4, 8], (0, 1, 2, 0)),
        ([4, 0, 1, 2], (2, 0, 0, 1)),
        ([2, 2, 4, 0], (0, 2, 2, 0)),
        ([1, 2, 0, 4], (0, 1, 2, 0)),
        ([0, 2, 0, 0], (0, 1, 2, 0)),
    ],
)
def test_ruling_T8b_a_straddle_is_dropped_and_never_taken_for_a_blind(blinds: list[int], expected: Any) -> None:
    table = {"players": list("abcd"), "startingStacks": [100] * 4, "blindsOrStraddles": blinds}
    table["finishingStacks"] = [100] * 4
    new = next_hand(table)
    assert new.blinds == expected
    assert new.min_bet == 2


# --- hidden cards


def test_deal_refuses_a_document_with_hidden_cards() -> None:
    """Dealing from a deck would skip no hidden card, so the flop could repeat one."""
    dealt = deal(read_document(SMALL_BLINDS), DECK)
    called = act(act(dealt, "ann", "cc"), "bob", "cc")
    assert len(deal(called, DECK).actions) == len(called.actions) + 1
    for viewer in ("ann", None):
        with pytest.raises(DocumentError, match="expected known cards, got hidden ones"):
            deal(personalize(called, viewer), DECK)


def test_package_exports_the_names_of_its_reference() -> None:
    stable = {
        *("read_document", "write_document", "open_document", "merge", "next_hand", "deal", "act", "auto"),
        *("personalize", "join", "top_up", "turn", "offer", "events_since", "cash_out", "read_fields"),
    }
    assert stable <= set(documents.__all__)
