"""Rulings T1 (the document) and T2 (merge), sentence by sentence."""

import json
from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.documents.fields import (
    Document,
    DocumentError,
    from_fields,
    read_document,
    read_fields,
    to_fields,
    write_document,
)
from pitboss.documents.intents import Merged, join, leave, merge, pause
from pitboss.documents.play import play_actions
from pitboss.documents.record import from_record, read_back, to_record, written_out
from pitboss.documents.views import personalize
from pitboss.formats.phh import read_phh, write_phh
from pitboss.records.replay import play_record
from tests.support.for_each import for_each
from tests.support.seeds.table_documents import after, doc, some, three, with_intent

BARE: dict[str, Any] = {
    "players": ["a", "b", "c"],
    "startingStacks": [50, 100, 75.25],
    "blindsOrStraddles": [0, 1, 2],
}
FULL: dict[str, Any] = BARE | {
    "variant": "NT",
    "antes": [0, 0.5, 0],
    "minBet": 2,
    "hand": 12,
    "seats": [1, 3, 6],
    "seatCount": 6,
    "actions": ["d dh p1 AsKs", "d dh p3 ????", "p1 cbr 6.5 # hopes"],
    "finishingStacks": [50, 100, 75.25],
    "author": "a",
    "_inactive": [0, 1, 0],
    "_intents": [0, 2, 0],
    "_deadBlinds": [0, 2.5, 0],
    "_deadMoney": 1.5,
    "_button": 0,
    "currencySymbol": "$",
    "timeZoneAbbreviation": "CET",
    "table": "Circe",
    "_room": {"name": "north", "limits": [40, 200.5]},
    "_flags": [True, "x", [1, 2.5]],
}


# --- T1: the document


def test_ruling_T1_every_field_is_read_and_written_under_its_name() -> None:
    document = doc(FULL)
    assert json.loads(write_document(document), parse_float=Decimal) == json.loads(
        json.dumps(FULL), parse_float=Decimal
    )
    assert read_document(write_document(document)) == document


def test_ruling_T1_other_fields_are_optional() -> None:
    document = doc(BARE)
    assert document.variant == "NT"
    assert document.min_bet == 2
    assert document.antes == (0, 0, 0)
    assert document.hand is None
    assert set(to_fields(document)) == {
        *("players", "startingStacks", "blindsOrStraddles", "antes", "_inactive", "_intents", "_deadBlinds"),
        *("actions", "_button", "minBet", "variant"),
    }


@for_each("text", ["75.25", "0.1", "0.30000000000000004", "123456789012345678901234567890.05", "1e2"])
def test_ruling_T1_amounts_are_exact_decimals(text: str) -> None:
    """G1: never a float, in or out."""
    document = read_document(
        f'{{"players": ["a", "b"], "startingStacks": [{text}, 100], "blindsOrStraddles": [0.1, 0.2], "_unit": 1e-17}}'
    )
    assert document.stacks[0] == Decimal(text)
    assert not any(isinstance(amount, float) for amount in (*document.stacks, *document.blinds))
    again = json.loads(write_document(document), parse_float=Decimal)["startingStacks"][0]
    assert Decimal(again) == Decimal(text)


@pytest.mark.parametrize("count", [6, [6]])
def test_ruling_T1_seat_count_may_be_6_or_a_list_of_6(count: object) -> None:
    assert doc(BARE, seatCount=count).seat_count == 6
    table = doc(BARE, seatCount=count)
    for same in (table, merge(table, pause(table, "a"), "a").document, after(table), personalize(table, "a")):
        assert json.loads(write_document(same))["seatCount"] == count
    assert read_back(read_phh(write_phh(written_out(table)))) == table


@for_each(
    "players, blinds, inactive, button",
    [
        (3, [0, 1, 2], [0, 0, 0], 0),
        (3, [2, 0, 1], [0, 0, 0], 1),
        (3, [1, 2, 0], [0, 0, 0], 2),
        (2, [1, 2], [0, 0], 0),
        (2, [2, 1], [0, 0], 1),
        (4, [1, 2, 0, 0], [0, 0, 0, 1], 2),  # the last seat dealt in before the small blind's place
        (3, [0, 1, 2], [0, 1, 0], 0),  # hand 6: two play, no one posts small
        (4, [0, 1, 2, 0], [0, 1, 0, 0], 0),
        (4, [0, 0, 2, 0], [0, 0, 0, 0], 1),  # no small blind at all
    ],
)
def test_ruling_T1_button_is_found_where_it_is_not_given(
    players: int, blinds: list[int], inactive: list[int], button: int
) -> None:
    assert some(players, blinds=blinds, _inactive=inactive).button == button


def test_ruling_T1_button_counts_clockwise_by_seats() -> None:
    assert some(3, blinds=[0, 1, 2], seats=[4, 5, 6]).button == 0
    assert some(4, blinds=[0, 1, 2, 0], seats=[1, 3, 4, 2]).button == 3


@for_each("name", ["startingStacks", "blindsOrStraddles", "antes", "_inactive", "_intents", "_deadBlinds", "seats"])
@for_each("change", [-1, 1])
def test_ruling_T1_arrays_of_different_lengths_are_refused(name: str, change: int) -> None:
    values = FULL[name][:-1] if change < 0 else [*FULL[name], 5 if name == "seats" else 0]
    with pytest.raises(DocumentError, match=rf"^{name}: expected 3 entries, one per player, got {3 + change}$"):
        doc(FULL | {name: values})


def test_ruling_T1_finishing_stacks_of_another_length_are_refused() -> None:
    with pytest.raises(DocumentError, match=r"^finishingStacks: expected 3 entries, one per player, got 2$"):
        doc(BARE, finishingStacks=[1, 2])


@for_each(
    "field, value, sentence",
    [
        ("startingStacks", [50, "100", 75], "startingStacks[1]: expected a number of chips, at least 0, got '100'"),
        ("startingStacks", [50, -1, 75], "startingStacks[1]: expected a number of chips, at least 0, got -1"),
        ("startingStacks", [True, 1, 75], "startingStacks[0]: expected a number of chips, at least 0, got True"),
        ("startingStacks", [None, 1, 75], "startingStacks[0]: expected a number of chips, at least 0, got None"),
        ("startingStacks", 50, "startingStacks: expected a list, got 50"),
        ("startingStacks", {"a": 50}, "startingStacks: expected a list, got {'a': 50}"),
        ("_intents", [0, 1.0, 0], "_intents[1]: expected a whole number, got 1.0"),
        ("_intents", [0, True, 0], "_intents[1]: expected a whole number, got True"),
        ("_inactive", ["no", 0, 0], "_inactive[0]: expected a whole number, got 'no'"),
        ("actions", ["d dh p1 AsKs", 5], "actions[1]: expected text, got 5"),
        ("actions", "p1 cc", "actions: expected a list, got 'p1 cc'"),
        ("_deadMoney", "3", "_deadMoney: expected a number of chips, at least 0, got '3'"),
        ("_button", 1.5, "_button: expected a whole number, got 1.5"),
        ("_button", 3, "_button: expected an index from 0 to 2, got 3"),
        ("seatCount", "six", "seatCount: expected a whole number, got 'six'"),
        ("seats", [1, 2, 2], "seats: expected different seats, got [1, 2, 2]"),
        ("players", ["a", "a", "b"], "players: expected different names, got 'a' twice"),
        ("players", "abc", "players: expected a list of names, got 'abc'"),
        ("players", ["a", "", "b"], "players: expected a list of names, got ['a', '', 'b']"),
        ("players", ["a", 7, "b"], "players: expected a list of names, got ['a', 7, 'b']"),
        ("author", 5, "author: expected text, got 5"),
        ("hand", 1.5, "hand: expected a number or text, got 1.5"),
    ],
)
def test_ruling_T1_a_value_of_the_wrong_kind_is_refused_naming_the_place(
    field: str, value: object, sentence: str
) -> None:
    with pytest.raises(DocumentError) as caught:
        doc(BARE, **{field: value})
    assert str(caught.value) == sentence


@pytest.mark.parametrize("name", ["startingStacks", "blindsOrStraddles"])
def test_ruling_T1_missing_field_is_named(name: str) -> None:
    with pytest.raises(DocumentError, match=f"^{name}: expected 3 entries, one per player, but the field is missing$"):
        from_fields({field: value for field, value in BARE.items() if field != name})


def test_ruling_T1_seats_count_from_one_and_may_leave_gaps() -> None:
    """A table for three has three players, at whatever numbers its chairs have."""
    with pytest.raises(DocumentError, match=r"^seats: expected numbers from 1, got 0$"):
        doc(BARE, seats=[0, 1, 2], seatCount=3)
    gaps = doc(BARE, seats=[1, 3, 5], seatCount=3)
    with pytest.raises(DocumentError, match=r"^all 3 seats are taken$"):
        join(gaps, "dan", 100)


@pytest.mark.parametrize(
    "actions",
    [
        ["d dh p1 AsKs", "d dh p2 AsQd"],
        ["d dh p1 AsAs"],
        ["d dh p1 AsKs", "d dh p2 2c2d", "d db KsQsJs"],
    ],
)
def test_ruling_T1_a_repeated_card_is_refused(actions: list[str]) -> None:
    with pytest.raises(DocumentError, match=r"^actions: "):
        doc(BARE, actions=actions)


def test_ruling_T1_an_action_that_cannot_be_read_is_refused_naming_the_place() -> None:
    with pytest.raises(DocumentError, match=r"^actions\[1\]: expected a move such as 'p1 cc', got 'p1 jumps'$"):
        doc(BARE, actions=["d dh p1 AsKs", "p1 jumps"])


@for_each("text", ["", "{", "[1]", "null", '"x"', "5", '{"players": NaN}', "[" * 100_000])
def test_ruling_T1_value_that_is_not_a_json_object_is_refused(text: str) -> None:
    with pytest.raises(DocumentError, match="JSON"):
        read_document(text)


@pytest.mark.parametrize("number", ["1e99999999999999999999", "-1e99999999999999999999", "1E-99999999999999999999"])
def test_ruling_T1_a_number_beyond_all_bounds_is_one_clear_sentence(number: str) -> None:
    with pytest.raises(DocumentError):
        read_fields(f'{{"x": {number}}}')


@pytest.mark.parametrize("number", ["1e999999", "1e-999999"])
def test_ruling_T1_absurd_stack_is_refused(number: str) -> None:
    """Such a number is one line of JSON but a million digits of chips."""
    with pytest.raises(DocumentError):
        read_document(f'{{"players": ["a", "b"], "startingStacks": [{number}, 5], "blindsOrStraddles": [1, 2]}}')


def test_ruling_T1_half_a_letter_in_a_name_is_refused_or_written() -> None:
    """A lone surrogate is legal JSON but no text that could be written again."""
    text = '{"players": ["\\ud800", "b"], "startingStacks": [50, 5], "blindsOrStraddles": [1, 2]}'
    with pytest.raises(DocumentError):
        read_document(text)


@pytest.mark.parametrize("blinds", [[1, 2], [2, 1]])
def test_ruling_T1_phh_and_back_is_lossless(blinds: list[int]) -> None:
    document = some(2, blinds=blinds, actions=["d dh p1 AsKs", "d dh p2 2c2d"], _smallBlind=1)
    assert from_record(read_phh(write_phh(to_record(document)))) == document
    assert read_back(read_phh(write_phh(written_out(document)))) == document


def test_ruling_T1_phh_has_the_tables_fields_as_user_fields() -> None:
    text = write_phh(to_record(doc(FULL | {"_room": "north"})))
    for line in (
        "_inactive = [0, 1, 0]",
        "_intents = [0, 2, 0]",
        "_deadBlinds = [0, 2.5, 0]",
        "_deadMoney = 1.5",
        "_button = 0",
    ):
        assert line in text.splitlines()


def test_ruling_T1_phh_keeps_every_field_of_a_document() -> None:
    document = doc(FULL)
    assert from_record(read_phh(write_phh(to_record(document)))) == document


@pytest.mark.parametrize(
    "waiting",
    [
        pytest.param(some(2, blinds=[1, 2], _inactive=[0, 1], _intents=[0, 2]), id="two players, one pauses"),
        pytest.param(after(some(2, blinds=[1, 2], _inactive=[0, 1], _intents=[0, 2])), id="after next"),
        pytest.param(some(1, blinds=[2]), id="one player"),
        pytest.param(some(3, blinds=[0, 0, 0], big=2, _inactive=[1, 1, 1]), id="nobody has a blind yet"),
    ],
)
def test_ruling_T1_a_table_that_waits_is_lossless_too(waiting: Document) -> None:
    assert read_document(write_document(waiting)) == waiting
    assert from_record(read_phh(write_phh(to_record(waiting)))) == waiting
    assert read_back(read_phh(write_phh(written_out(waiting)))) == waiting


def test_ruling_T1_plain_phh_heads_up_has_the_button_last_and_its_blinds_reversed() -> None:
    record = read_phh(
        "variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\nstarting_stacks = [100, 50]\n"
        "actions = ['d dh p1 AsAd', 'd dh p2 KsKd', 'p2 f']\n"
    )
    document = from_record(record)
    assert document.players == ("p1", "p2")
    assert document.blinds == (2, 1)
    assert document.button == 1


def test_ruling_T1_an_unknown_field_cannot_become_phh() -> None:
    with pytest.raises(
        DocumentError, match=r"^unknown field favouriteColour: expected a field of PHH, or a name that begins with _$"
    ):
        to_record(doc(BARE, favouriteColour="red"))


# --- T2: merge

SERVER = three(hand=3, blindsOrStraddles=[0, 1, 2], seats=[1, 3, 5])
FIELDS: dict[str, Any] = json.loads(write_document(SERVER))


def client(**changes: Any) -> dict[str, Any]:
    return FIELDS | changes


def merged(author: str, **changes: Any) -> Merged:
    return merge(SERVER, client(**changes), author)


def test_ruling_T2_author_is_the_owner_of_the_connection() -> None:
    found = merge(SERVER, client(author="Player1", _intents=[3, 1, 0]), "Player2")
    assert found.document.intents == (0, 1, 0)
    assert [sentence.partition(":")[0] for sentence in found.ignored] == ["_intents", "author"]


def test_ruling_T2_only_the_authors_own_intent_is_accepted() -> None:
    found = merged("Player2", _intents=[3, 1, 2])
    assert found.document == merge(SERVER, with_intent(SERVER, "Player2", 1), "Player2").document
    assert found.ignored == ("_intents: only the server can change it",)


@for_each(
    "field, value",
    [
        ("startingStacks", [50, 1000, 75.25]),
        ("blindsOrStraddles", [1, 0, 2]),
        ("antes", [5, 0, 5]),
        ("actions", ["d dh p1 AsAd"]),
        ("_inactive", [1, 0, 1]),
        ("_deadBlinds", [3, 0, 3]),
        ("players", ["Player1", "Player2", "Mallory"]),
        ("seats", [6, 3, 2]),
        ("seatCount", 9),
        ("hand", 99),
        ("variant", "PO"),
        ("minBet", 0),
        ("_button", 2),
        ("players", ["Player3", "Player2"]),
        ("startingStacks", "all"),
        ("actions", None),
        ("_inactive", {"Player1": 1}),
    ],
)
def test_ruling_T2_other_changes_are_ignored_and_reported(field: str, value: object) -> None:
    clean = merged("Player2", _intents=[0, 2, 0])
    found = merged("Player2", _intents=[0, 2, 0], **{field: value})
    assert clean.ignored == ()
    assert found.document == clean.document
    assert found.ignored == (f"{field}: only the server can change it",)


@for_each("field", ["_deadMoney", "finishingStacks", "__proto__", "winnings", "_x"])
def test_ruling_T2_fields_the_server_does_not_have_are_ignored_and_reported(field: str) -> None:
    found = merged("Player2", _intents=[0, 2, 0], **{field: [1, 2, 3]})
    assert found.document == merged("Player2", _intents=[0, 2, 0]).document
    assert found.ignored == (f"{field}: only the server can set it",)


@for_each("wish", [4, -1, "1", None, True, 1.5, [1], {}])
def test_ruling_T2_invalid_request_changes_nothing_and_is_reported(wish: object) -> None:
    found = merged("Player2", _intents=[0, wish, 0])
    assert found.document == SERVER
    assert found.ignored == (f"_intents: expected 0, 1, 2 or 3, got {wish!r}",)


@for_each("intents", [[], [0], None, "010", {"1": 1}])
def test_ruling_T2_intents_of_the_wrong_type_change_nothing(intents: object) -> None:
    found = merged("Player2", _intents=intents)
    assert found.document == SERVER
    assert found.ignored[0] == "_intents: expected 0, 1, 2 or 3, got None"


def test_ruling_T2_client_may_order_players_differently() -> None:
    """A client's entry is found by the name in its own document, wherever it is."""
    found = merged("Player2", players=["Player2", "Player1", "Player3"], _intents=[2, 0, 0])
    assert found.document.intents == (0, 2, 0)


def test_ruling_T2_newcomers_are_appended_wherever_they_put_themselves() -> None:
    found = merge(
        SERVER,
        {"players": ["Eve", "Player1", "Player2", "Player3"], "startingStacks": [40, 50, 100, 75.25], "seats": [2]},
        "Eve",
    )
    assert found.document.players == ("Player1", "Player2", "Player3", "Eve")
    assert found.document.stacks == (*SERVER.stacks, 40)
    assert found.document.seats == (1, 3, 5, 2)


def test_ruling_T2_newcomer_cannot_add_or_change_other_players() -> None:
    wish = client(
        players=["Player1", "Player2", "Player3", "Eve", "Friend"],
        startingStacks=[1, 1, 1, 40, 40],
        _intents=[3, 3, 3, 0, 0],
        _inactive=[1, 1, 1, 0, 0],
        _deadBlinds=[3, 3, 3, 0, 0],
        seats=[1, 3, 5, 6, 2],
    )
    found = merge(SERVER, wish, "Eve").document
    assert found.players == ("Player1", "Player2", "Player3", "Eve")
    assert found.stacks == (*SERVER.stacks, 40)
    assert found.intents == (0, 0, 0, 0)
    assert found.inactive == (0, 0, 0, 0)  # nothing is dealt yet
    assert found.seats == (1, 3, 5, 6)


def test_ruling_T2_ignored_claims_of_a_newcomer_are_reported() -> None:
    """A client may change name, stack, seat and intent; not a blind, an ante, a debt or a place in the hand."""
    wish = client(
        players=[*FIELDS["players"], "Eve"],
        startingStacks=[50, 100, 75.25, 40],
        blindsOrStraddles=[0, 1, 2, 9],
        antes=[0, 0, 0, 7],
        _inactive=[0, 0, 0, 0],
        _intents=[0, 0, 0, 0],
        _deadBlinds=[0, 0, 0, 3],
        seats=[1, 3, 5, 6],
    )
    found = merge(SERVER, wish, "Eve")
    assert found.document.blinds == (0, 1, 2, 0)
    assert found.document.antes == (0, 0, 0, 0)
    assert found.document.dead_blinds == (0, 0, 0, 0)
    assert {sentence.partition(":")[0] for sentence in found.ignored} >= {"blindsOrStraddles", "antes", "_deadBlinds"}


def test_ruling_T2_a_newcomer_pays_the_tables_ante() -> None:
    table = some(3, blinds=[0, 1, 2], antes=[1, 1, 1])
    found = merge(table, {"players": ["Eve"], "startingStacks": [40], "antes": [0]}, "Eve")
    assert found.document.antes == (1, 1, 1, 1)


@pytest.mark.parametrize("grant", [0, Decimal(0)])
def test_ruling_T2_newcomer_refused_by_the_house_gets_no_chair(grant: Decimal | int) -> None:
    with pytest.raises(DocumentError):
        merge(SERVER, {"players": ["Eve"], "startingStacks": [40]}, "Eve", grant=grant)


def test_ruling_T2_a_newcomer_needs_a_name_that_can_be_read_again() -> None:
    with pytest.raises(DocumentError):
        merge(SERVER, {"players": [""], "startingStacks": [40]}, "")


@pytest.mark.parametrize("stack", [Decimal("1e999999"), Decimal("1e-999999"), Decimal("Infinity"), Decimal("NaN")])
def test_ruling_T2_a_newcomer_brings_chips_that_can_be_counted(stack: Decimal) -> None:
    with pytest.raises(DocumentError):
        merge(SERVER, {"players": ["Eve"], "startingStacks": [stack]}, "Eve")


def test_ruling_T2_the_inputs_are_never_modified() -> None:
    wish = client(_intents=[3, 1, 2], actions=["p1 f"], extra=[[1]])
    before = write_document(SERVER), json.dumps(wish)
    merge(SERVER, wish, "Player2")
    merge(SERVER, wish | {"players": ["Eve"], "startingStacks": [5], "_intents": [0], "seats": None}, "Eve")
    assert (write_document(SERVER), json.dumps(wish)) == before


@for_each("actions", [[], ["p1 f"], ["p1 f", "p1 f"], "p1 f", None, 5, [[]]])
def test_ruling_T2_actions_of_a_newcomer_are_not_an_array_per_player(actions: object) -> None:
    """The server has none yet, and a list of one must not be taken for an array with one player more."""
    wish = {"players": ["Eve"], "startingStacks": [5], "actions": actions}
    found = merge(SERVER, wish, "Eve").document
    assert found == merge(SERVER, {"players": ["Eve"], "startingStacks": [5]}, "Eve").document


def test_ruling_T2_document_is_unchanged_if_a_newcomer_is_refused() -> None:
    before = write_document(SERVER)
    with pytest.raises(DocumentError, match=r"^seat 3 is taken$"):
        merge(
            SERVER, client(players=[*FIELDS["players"], "Eve"], startingStacks=[1, 1, 1, 40], seats=[1, 3, 5, 3]), "Eve"
        )
    assert write_document(SERVER) == before


def test_ruling_T2_clockwise_is_by_seats_where_given_else_as_listed() -> None:
    assert SERVER.clockwise == (0, 1, 2)
    assert replace(SERVER, seats=(5, 1, 3)).clockwise == (1, 2, 0)
    assert replace(SERVER, seats=None).clockwise == (0, 1, 2)
    assert after(replace(SERVER, seats=(5, 1, 3))).blinds == (2, 0, 1)  # big: seat 3 to seat 5
    assert after(replace(SERVER, seats=(1, 5, 3))).blinds == (0, 2, 1)  # big: seat 3 to seat 5


def test_ruling_T2_a_personalised_copy_given_back_is_a_clean_wish() -> None:
    """What a client was sent, with its hidden cards, wishes the same as the server's own document would."""
    dealt = replace(SERVER, actions=("d dh p1 2c2d", "d dh p2 3c3d", "d dh p3 4c4d"))
    seen = personalize(dealt, "Player2")
    found = merge(dealt, with_intent(seen, "Player2", 2), "Player2")
    assert found.document == merge(dealt, with_intent(dealt, "Player2", 2), "Player2").document
    assert found.document.actions == dealt.actions


# --- T2: an honest client's copy


@for_each("actions", [[], ["d dh p1 2c2d", "d dh p2 3c3d", "d dh p3 4c4d", "p1 cc"]])
@for_each("count", [6, [6]])
@for_each("name", ["Player1", "Player2", "Player3"])
def test_ruling_T2_honest_clients_own_copy_is_accepted_completely(actions: list[str], count: Any, name: str) -> None:
    server = doc(FIELDS, actions=actions, seatCount=count)
    copy = read_document(write_document(personalize(server, name)))
    for wish in (copy, pause(copy, name), leave(copy, name)):
        assert merge(server, wish, name).ignored == ()
        assert merge(server, json.loads(write_document(wish), parse_float=Decimal), name).ignored == ()


@pytest.mark.parametrize("actions", [[], ["d dh p1 2c2d", "d dh p2 3c3d", "d dh p3 4c4d", "p1 cc"]])
@pytest.mark.parametrize("seat", [None, 6])
def test_ruling_T2_honest_newcomers_copy_is_accepted_completely(actions: list[str], seat: int | None) -> None:
    server = doc(FIELDS, actions=actions)
    copy = join(personalize(server, "Eve"), "Eve", 40, seat=seat)
    assert merge(server, copy, "Eve").ignored == ()


def test_ruling_T2_cards_that_differ_from_the_sent_ones_are_reported() -> None:
    server = doc(FIELDS, actions=["d dh p1 2c2d", "d dh p2 3c3d", "d dh p3 4c4d"])
    copy = personalize(server, "Player1")
    forged = replace(copy, actions=("d dh p1 AsAd", *copy.actions[1:]))
    assert merge(server, forged, "Player1").ignored == ("actions: only the server can change it",)


# --- settings that are words


def test_ruling_N3_reopening_is_a_setting_of_the_table() -> None:
    """a bets 100, b goes all-in for 150, c for 200: together that is a full raise to a, each alone it is not."""
    fields: dict[str, Any] = {
        "players": ["a", "b", "c", "d"],
        "startingStacks": [1000, 150, 200, 1000],
        "blindsOrStraddles": [0, 0, 1, 2],
        "minBet": 2,
    }
    log = [*[f"d dh p{i} ????" for i in range(1, 5)], "p1 cbr 100", "p2 cbr 150", "p3 cbr 200", "p4 cc"]
    for reopening, reopened in ((None, False), ("single", False), ("cumulative", True)):
        table = doc(fields, actions=log, **({} if reopening is None else {"_reopening": reopening}))
        assert (play_actions(table).hand.offer.raise_ is not None) == reopened
        record = read_phh(write_phh(written_out(table)))
        assert (play_record(record).hand.offer.raise_ is not None) == reopened


@pytest.mark.parametrize("field", [{"reopening": "cumulative"}, {"_reopening": "Often"}, {"_reopening": 1}])
def test_ruling_N3_reopening_in_other_words_is_refused(field: dict[str, Any]) -> None:
    with pytest.raises(DocumentError, match="reopening"):
        doc(FIELDS, **field)
