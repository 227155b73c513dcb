"""The protocol page and its schema agree with the types, and contain v1's first text unchanged."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from pitboss.arena.protocol import documents, write_documents
from pitboss.arena.protocol import schema as schema_module
from pitboss.arena.protocol.page import EXAMPLES
from pitboss.arena.protocol.schema import schema
from pitboss.arena.rooms.logins import Limits
from pitboss.arena.wire import messages
from tests.support.arena.bad_frames import BAD, HELLO, ODD
from tests.support.arena.docs import DOCS, PAGE, blocks
from tests.support.arena.json_schema import complaints, is_valid
from tests.support.arena.seed_messages import ENVELOPE, ERRORS, FIRST
from tests.support.for_each import for_each

SCHEMA: dict[str, Any] = json.loads((DOCS / "protocol.schema.json").read_text(encoding="utf-8"))
PRINTED: list[dict[str, Any]] = [json.loads(text) for text in blocks("json")]
ASKS_FOR_VIEW = "view, to the server"
"""What the request for a view is called here: on the wire it has the same type as the answer."""
BY_NAME = {schema_module.wire_name(kind): kind for kind in schema_module.ALL if kind is not messages.ViewRequest} | {
    ASKS_FOR_VIEW: messages.ViewRequest
}
NAMES = sorted(BY_NAME)
FROM_CLIENT = {name for name, kind in BY_NAME.items() if kind in schema_module.CLIENT}
_client = msgspec.json.Decoder(messages.ClientMessage)


def definition(name: str) -> dict[str, Any]:
    """The schema of the message or event that has this name on the wire."""
    found: dict[str, Any] = SCHEMA["$defs"][BY_NAME[name].__name__]
    return found


def name_of(message: dict[str, Any]) -> str:
    """What a message is called on the wire."""
    name = str(message.get("ev", message["type"]))
    return ASKS_FOR_VIEW if name == "view" and "at_hand_id" not in message else name


def dotted(message: dict[str, Any], prefix: str = "") -> Iterator[str]:
    """The names of a message's fields and of those within them, without the envelope."""
    for name, value in message.items():
        if prefix or name not in ENVELOPE:
            yield prefix + name
            inner = value[:1] if isinstance(value, list) else [value]
            for one in inner:
                if isinstance(one, dict):
                    yield from dotted(one, f"{prefix}{name}[]." if isinstance(value, list) else f"{prefix}{name}.")


def read(message: dict[str, Any]) -> object:
    """A message as the types read it."""
    frame = json.dumps(message)
    return _client.decode(frame) if name_of(message) in FROM_CLIENT else messages.read_server(frame)


@pytest.mark.parametrize("name", ["protocol.md", "protocol.schema.json"])
def test_committed_file_matches_the_types(name: str) -> None:
    same = (DOCS / name).read_text(encoding="utf-8") == documents()[name]
    assert same, f"docs/{name} is out of date: run python -m pitboss.arena.protocol docs/"


def test_writing_makes_both_files(tmp_path: Path) -> None:
    assert [path.name for path in write_documents(tmp_path)] == ["protocol.md", "protocol.schema.json"]
    assert {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == documents()


def test_002_every_message_and_event_has_a_section_and_exactly_one_example() -> None:
    sections = re.findall(r"^###+ `(\w+)`", PAGE, re.MULTILINE)
    assert sorted(sections) == sorted(schema_module.wire_name(kind) for kind in BY_NAME.values())
    assert sorted(map(name_of, PRINTED)) == NAMES
    assert set(FIRST) <= set(NAMES)


def test_002_every_error_code_is_explained() -> None:
    assert tuple(schema_module.ERRORS) == get_args(messages.ErrorCode)
    assert re.findall(r"^\| `([A-Z_]+)`⁺? \| ", PAGE, re.MULTILINE) == list(get_args(messages.ErrorCode))
    assert set(schema_module.FIRST_ERRORS.split()) == ERRORS


@for_each("printed", PRINTED, ids=name_of)
def test_examples_match_the_types_and_the_schema(printed: dict[str, Any]) -> None:
    message = EXAMPLES[BY_NAME[name_of(printed)]]
    assert read(printed) == message
    assert json.loads(messages.write(message)) == printed
    assert list(complaints(printed, definition(name_of(printed)), SCHEMA)) == []
    assert is_valid(printed, SCHEMA, SCHEMA)


@for_each("printed", PRINTED, ids=name_of)
def test_an_example_is_valid_as_no_other_message(printed: dict[str, Any]) -> None:
    own = name_of(printed)
    same_side = [name for name in NAMES if name != own and (name in FROM_CLIENT) == (own in FROM_CLIENT)]
    others = [name for name in same_side if is_valid(printed, definition(name), SCHEMA)]
    assert others == []


@for_each("name", NAMES)
def test_missing_required_field_is_an_error_and_a_missing_optional_one_is_not(name: str) -> None:
    printed = next(one for one in PRINTED if name_of(one) == name)
    required = definition(name)["required"]
    for field in printed:
        rest = {other: value for other, value in printed.items() if other != field}
        may_go = field not in required and (name, field) not in {("action", "amount"), ("action", "action")}
        assert is_valid(rest, definition(name), SCHEMA) == may_go, field


@for_each("name", sorted(FIRST))
def test_002_every_field_of_the_first_text_is_in_the_schema_with_its_type(name: str) -> None:
    properties = definition(name)["properties"]
    for field, value in FIRST[name].items():
        assert list(complaints(value, properties[field], SCHEMA, field)) == []
        assert not is_valid([["nothing printed"]], properties[field], SCHEMA)


@for_each("name", sorted(FIRST))
def test_002_page_marks_additions_to_the_first_text(name: str) -> None:
    assert set(schema_module.FIRST_TEXT[name].split()) == set(dotted(FIRST[name]))
    first = schema_module.FIRST_TEXT[name].split()
    if BY_NAME[name] in schema_module.EVENTS:
        table = re.search(r"The other fields of events:\n\n(.+?)\n\n", PAGE, re.DOTALL)
        assert table
        rows = [line for line in table[1].splitlines() if f"`{name}`" in line]
    else:
        rows = section(name).splitlines()
    fields = [found.groups() for row in rows if (found := re.match(r"\| `([\w.\[\]]+)`(⁺)? \| ", row))]
    assert fields
    assert [field for field, added in fields if not added] == [field for field, _ in fields if field in first]


def section(name: str) -> str:
    """The part of the page that is about one message."""
    found = re.search(rf"^###+ `{name}`.*?(?=^##)", PAGE, re.MULTILINE | re.DOTALL)
    assert found
    return found[0]


@pytest.mark.parametrize("kind", [messages.Hello, messages.Action], ids=schema_module.wire_name)
def test_rulings_A_client_never_has_to_send_additions(kind: schema_module.StructClass) -> None:
    name = schema_module.wire_name(kind)
    assert set(definition(name)["required"]) <= set(FIRST[name])
    assert read(FIRST[name]) is not None


def test_rulings_A_unknown_fields_are_valid() -> None:
    assert "additionalProperties" not in json.dumps(SCHEMA)
    assert is_valid(HELLO | {"extra": [1]}, SCHEMA["$defs"]["FromClient"], SCHEMA)


def test_the_schema_judges_client_frames_as_the_types_do() -> None:
    """Where the two differ it is in how a number is written: to JSON Schema 300.0 is a whole number."""
    client = SCHEMA["$defs"]["FromClient"]
    judged = 0
    for _, frame, _, field in BAD:
        if field is None:
            continue
        value = json.loads(frame, parse_float=lambda text: [text])
        assert not is_valid(value, client, SCHEMA), frame
        judged += 1
    assert judged > 100
    assert [name for name, frame, _ in ODD if not is_valid(json.loads(frame), client, SCHEMA)] == []


def test_every_word_of_the_glossary_is_used() -> None:
    kinds = [
        *schema_module.ALL,
        *(schema_module.STRUCTS[name] for name in SCHEMA["$defs"] if not name.startswith("From")),
    ]
    used = {
        schema_module.meaning_of(kind, name)
        for kind in kinds
        for name in schema()["$defs"][kind.__name__]["properties"]
    }
    assert [name for name, meaning in schema_module.MEANINGS.items() if meaning not in used] == []


def test_field_without_a_meaning_names_the_place_for_it() -> None:
    class Odd(msgspec.Struct):
        unheard_of: int

    with pytest.raises(LookupError, match=r"describe Odd\.unheard_of"):
        schema_module.meaning_of(Odd, "unheard_of")


def test_page_states_the_limits_of_rooms() -> None:
    limits = Limits()
    assert f"no `hello` within {limits.hello:g} seconds" in PAGE
    assert re.search(rf"or after {limits.grace:g}\s+seconds", PAGE)
    assert "Twenty frames per second are always tolerated" in PAGE
    assert limits.frames_a_second >= 20


def test_organisers_page_states_the_limits_of_rooms() -> None:
    limits = Limits()
    page = "".join((DOCS / f"{name}.md").read_text(encoding="utf-8") for name in ("limits", "durability"))
    assert f"| time until `hello` | {limits.hello:g} seconds |" in page
    assert f"| wrong `hello`s on a connection | {limits.wrong_hellos} |" in page
    assert f"a burst of {limits.burst:g} too" in page
    assert f"| takeovers of one seat | {limits.takeovers} in {limits.takeover_window:g} seconds |" in page
    assert f"| spectators of a table | {limits.watchers:,} |" in page
    assert f"waits up to {limits.grace:g} seconds" in page
