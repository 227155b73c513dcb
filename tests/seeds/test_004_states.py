"""Seed 004, "Матрица состояний игрока": possible and impossible rows, and the six rules of transition."""

import json
from decimal import Decimal

import pytest
from msgspec.structs import replace

from pitboss.documents.fields import Document, DocumentError, check, read_document, write_document
from tests.support.for_each import for_each
from tests.support.seeds.table_documents import after, printed, some, wished, with_intent

POSSIBLE = [
    pytest.param(0, 0, "0", id="active"),
    pytest.param(0, 1, "0", id="asks for a pause until the big blind"),
    pytest.param(0, 2, "0", id="asks for a plain pause"),
    pytest.param(0, 3, "0", id="asks to leave"),
    pytest.param(1, 0, "0", id="waits to be dealt in"),
    *[pytest.param(1, 0, debt, id=f"ready to return owing {debt}") for debt in ("0.01", "1", "3")],
    *[pytest.param(1, 1, debt, id=f"pause until the big blind owing {debt}") for debt in ("0", "1", "2", "3")],
    *[pytest.param(1, 2, debt, id=f"plain pause owing {debt}") for debt in ("0", "1", "2", "3")],
    *[pytest.param(1, 3, debt, id=f"leaves owing {debt}") for debt in ("0", "3", "3.5", "1000")],
]
IMPOSSIBLE = [(0, intent, debt) for intent in range(4) for debt in ("0.01", "1", "3")]


def text(inactive: int, intent: int, debt: str) -> str:
    """A table whose second player is in this state."""
    return (
        '{"players": ["a", "b", "c"], "startingStacks": [50, 100, 75.25], "blindsOrStraddles": [0, 1, 2],'
        f' "_inactive": [0, {inactive}, 0], "_intents": [0, {intent}, 0], "_deadBlinds": [0, {debt}, 0]}}'
    )


def state(document: Document, player: str = "b") -> tuple[int, int, object]:
    at = document.index(player)
    return document.inactive[at], document.intents[at], document.dead_blinds[at]


@for_each("inactive, intent, debt", POSSIBLE)
def test_004_state_possible_row_is_kept(inactive: int, intent: int, debt: str) -> None:
    document = read_document(text(inactive, intent, debt))
    assert state(document) == (inactive, intent, Decimal(debt))
    assert read_document(write_document(document)) == document


@for_each("inactive, intent, debt", IMPOSSIBLE)
def test_004_state_impossible_row_is_refused_on_entry(inactive: int, intent: int, debt: str) -> None:
    with pytest.raises(DocumentError, match=rf"^_deadBlinds\[1\]: expected 0 for an active player, got {debt}$"):
        read_document(text(inactive, intent, debt))


@pytest.mark.parametrize("intent", [0, 1, 2])
def test_004_state_remaining_players_owe_at_most_one_and_a_half_big_blinds(intent: int) -> None:
    with pytest.raises(DocumentError, match=r"^_deadBlinds\[1\]: expected at most 3, 1\.5 big blinds, got 3\.01$"):
        read_document(text(1, intent, "3.01"))


@pytest.mark.parametrize("intent", [4, -1, 17])
def test_004_state_intent_outside_0_to_3_is_refused(intent: int) -> None:
    with pytest.raises(DocumentError, match=rf"^_intents\[1\]: expected 0, 1, 2 or 3, got {intent}$"):
        read_document(text(1, intent, "0"))


@pytest.mark.parametrize("flag", [2, -1, 99])
def test_004_state_any_non_zero_value_means_sitting_out(flag: int) -> None:
    assert state(read_document(text(flag, 2, "0"))) == (1, 2, 0)


def test_004_state_fields_may_be_absent() -> None:
    """The printed documents leave `_deadBlinds` out if no player owes; the fields are optional in the seed's types."""
    bare = read_document('{"players": ["a", "b"], "startingStacks": [50, 100], "blindsOrStraddles": [1, 2]}')
    assert printed(bare, "_inactive", "_intents", "_deadBlinds", "antes") == {
        "_inactive": [0, 0],
        "_intents": [0, 0],
        "_deadBlinds": [0, 0],
        "antes": [0, 0],
    }


def test_004_state_impossible_rows_are_refused_of_values_too() -> None:
    with pytest.raises(DocumentError, match="expected 0 for an active player"):
        check(replace(some(3, blinds=[0, 1, 2]), dead_blinds=(0, 1, 0)))


# --- rules 1 to 6

TABLE = some(4, blinds=[1, 2, 0, 0])


def test_004_rule_1_joining_is_dealt_in_next_hand() -> None:
    waiting = replace(TABLE, inactive=(0, 0, 0, 1))
    assert state(after(waiting), "d") == (0, 0, 0)


@pytest.mark.parametrize("intent", [1, 2])
def test_004_rule_2_pause_makes_inactive_at_once(intent: int) -> None:
    assert state(wished(TABLE, "b", intent)) == (1, intent, 0)


@pytest.mark.parametrize("intent", [1, 2])
def test_004_rule_2_request_in_the_document_takes_effect_with_the_next_hand(intent: int) -> None:
    asked = with_intent(TABLE, "a", intent)
    assert state(after(asked), "a") == (1, intent, 0)


def test_004_rule_3_missed_blinds_pile_up_to_the_most() -> None:
    table = wished(TABLE, "b", 2)
    found = []
    for _ in range(7):
        table = after(table)
        found.append((table.blinds, table.dead_blinds[1]))
    assert found == [
        ((0, 1, 2, 0), 1),  # the small blind lands on b
        ((0, 0, 1, 2), 1),
        ((2, 0, 0, 1), 1),
        ((1, 0, 2, 0), 3),  # the big blind passes b
        ((0, 0, 1, 2), 3),  # the small blind passes b, who owes the most already
        ((2, 0, 0, 1), 3),
        ((1, 0, 2, 0), 3),
    ]


def test_004_rule_3_only_pausing_players_are_charged() -> None:
    """Who waits to be dealt in (intent 0) or leaves (3) is charged nothing."""
    leaving = wished(TABLE, "b", 3)
    assert after(leaving).dead_blinds == (0, 0, 0)
    assert after(replace(TABLE, inactive=(0, 1, 0, 0))).dead_blinds == (0, 0, 0, 0)


def test_004_rule_4_return_on_the_big_blind_clears_the_debt() -> None:
    table = some(3, blinds=[2, 0, 1], _inactive=[0, 1, 0], _intents=[0, 1, 0], _deadBlinds=[0, 3, 0])
    back = after(table)
    assert back.blinds == (1, 2, 0)
    assert state(back) == (0, 0, 0)
    assert back.stacks == (100, 100, 100)
    assert back.dead_money == 0


def test_004_rule_5_early_return_pays_the_debt() -> None:
    table = some(3, blinds=[0, 1, 2], _inactive=[0, 1, 0], _intents=[0, 2, 0], _deadBlinds=[0, 3, 0])
    back = after(wished(table, "b", 0))
    assert state(back) == (0, 0, 0)
    assert back.stacks == (100, 97, 100)
    assert back.dead_money == 3


def test_004_rule_5_waiting_player_who_returns_early_pays_too() -> None:
    table = some(3, blinds=[0, 1, 2], _inactive=[0, 1, 0], _intents=[0, 1, 0], _deadBlinds=[0, 1, 0])
    back = after(wished(table, "b", 0))
    assert back.stacks == (100, 99, 100)
    assert back.dead_money == 1


def test_004_rule_6_player_who_leaves_is_removed_from_all_arrays() -> None:
    table = some(4, blinds=[1, 2, 0, 0], seats=[1, 2, 3, 4], antes=[1, 1, 1, 1])
    gone = after(wished(table, "c", 3))
    assert gone.players == ("a", "b", "d")
    for values in (gone.stacks, gone.blinds, gone.antes, gone.inactive, gone.intents, gone.dead_blinds, gone.seats):
        assert values is not None
        assert len(values) == 3
    assert gone.seats == (1, 2, 4)
    assert gone.finishing_stacks is None


def test_004_rule_6_a_request_to_leave_already_in_the_document_counts() -> None:
    assert after(with_intent(TABLE, "c", 3)).players == ("a", "b", "d")


def test_004_json_of_a_state_has_the_printed_names() -> None:
    fields = json.loads(write_document(TABLE))
    assert {"_inactive", "_intents", "_deadBlinds"} <= set(fields)
