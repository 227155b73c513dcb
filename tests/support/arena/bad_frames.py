"""Hostile and clumsy client frames, with the error that each must get; and odd ones that must be accepted.

`BAD` has a name, the frame, the code, and the field that the error's sentence names (None where no field is to blame).
"""

import json
from typing import Any, TypeAlias

from pitboss.arena.wire.fields import LARGEST_NUMBER
from pitboss.arena.wire.messages import Action, ErrorCode, Hello

Bad: TypeAlias = tuple[str, str | bytes, ErrorCode, str | None]
Odd: TypeAlias = tuple[str, str | bytes, Hello | Action]

HELLO: dict[str, Any] = {"type": "hello", "v": 1, "team": "Alpha", "join_code": "KF7Q9C"}
ACTION: dict[str, Any] = {"type": "action", "v": 1, "hand_id": "H-1", "action": "RAISE_TO", "amount": 300, "turn": 7}
SAID = Hello(v=1, team="Alpha", join_code="KF7Q9C")
RAISED = Action(v=1, hand_id="H-1", action="RAISE_TO", amount=300, turn=7)

NUMBERS = ("amount", "turn", "resume_from")
TEXTS = ("team", "join_code", "hand_id")


def with_raw(field: str, value: str) -> str:
    """A good frame in which one field is this piece of JSON, written as it is."""
    message = ACTION if field in ACTION and field not in HELLO else HELLO
    pairs = [f"{json.dumps(name)}:{json.dumps(held)}" for name, held in message.items() if name != field]
    return "{" + ",".join([*pairs, f"{json.dumps(field)}:{value}"]) + "}"


def without(message: dict[str, Any], field: str) -> str:
    """A good frame that lacks one field."""
    return json.dumps({name: held for name, held in message.items() if name != field})


def _no_object() -> list[Bad]:
    good = json.dumps(HELLO)
    frames: dict[str, str | bytes] = {
        "nothing": "",
        "blanks": " \t\r\n",
        "words": "raise me",
        "half a frame": good[:-9],
        "two frames in one": good + good,
        "something behind the frame": good + " x",
        "a comma too many": good[:-1] + ",}",
        "single quotes": good.replace('"', "'"),
        "names without quotes": "{type:1}",
        "a comment": good[:-1] + "/* hello */}",
        "a byte order mark": "\ufeff" + good,
        "a list": "[]",
        "the frame in a list": f"[{good}]",
        "the frame in a text": json.dumps(good),
        "a number": "1",
        "a text": '"hello"',
        "true": "true",
        "null": "null",
        "zero bytes": "\x00" * 16,
        "a picture": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
        "bytes that are no UTF-8": b"\xff\xfe\xfd",
        "a team that is no UTF-8": good.encode().replace(b"Alpha", b"Alph\xe4"),
        "a field's name that is no UTF-8": good.encode().replace(b'"team"', b'"te\xe4m"'),
        "a surrogate written out in UTF-8": good.encode().replace(b"Alpha", b"\xed\xa0\x80"),
        "half a surrogate pair": good.replace("Alpha", "\\ud83d"),
        "surrogates in the wrong order": good.replace("Alpha", "\\ude00\\ud83d"),
        "a plain tab in a text": good.replace("Alpha", "Al\tpha"),
        "an unknown escape": good.replace("Alpha", "\\x41lpha"),
        "lists without end": "[" * 8000,
        "objects without end": '{"a":' * 1600,
        "deep lists in an unknown field": with_raw("extra", "[" * 8000),
        "deep objects in an unknown field": with_raw("extra", '{"a":' * 1600),
        "a number that is none": with_raw("amount", "NaN"),
        "an infinite amount": with_raw("amount", "Infinity"),
        "a leading zero": with_raw("amount", "0300"),
        "a plus sign": with_raw("amount", "+300"),
        "a hexadecimal amount": with_raw("amount", "0x12c"),
    }
    return [(name, frame, "BAD_SCHEMA", None) for name, frame in frames.items()]


def _wrong_types() -> list[Bad]:
    pieces = {"true": "true", "a list": "[1]", "an object": "{}", "a fraction": "1.5"}
    for_numbers = pieces | {
        "a text": '"300"',
        "a whole float": "300.0",
        "an exponent": "3e2",
        "a negative": "-1",
        "minus nothing as a float": "-0.0",
        "2^53": str(LARGEST_NUMBER + 1),
        "2^63": str(2**63),
        "2^64": str(2**64),
        "four hundred digits": "9" * 400,
        "more than a float holds": "1e400",
    }
    for_texts = pieces | {"null": "null", "a number": "7"}
    table = [
        *[(field, what, piece) for field in NUMBERS for what, piece in for_numbers.items()],
        *[(field, what, piece) for field in TEXTS for what, piece in for_texts.items()],
        *[("ts", what, piece) for what, piece in pieces.items() if what != "a fraction"],
        *[("type", what, piece) for what, piece in for_texts.items()],
        *[("action", what, piece) for what, piece in for_texts.items()],
        *[("v", what, piece) for what, piece in {**pieces, "null": "null", "a text": '"1"', "a float": "1.0"}.items()],
    ]
    return [(f"{what} as {field}", with_raw(field, piece), "BAD_SCHEMA", field) for field, what, piece in table]


def _missing() -> list[Bad]:
    needed = [(HELLO, field) for field in HELLO] + [(ACTION, field) for field in ACTION if field != "turn"]
    return [
        (f"{message['type']} without {field}", without(message, field), "BAD_SCHEMA", field)
        for message, field in needed
    ]


def _wrong_values() -> list[Bad]:
    table = [
        ("version 2", "v", "2"),
        ("version 0", "v", "0"),
        ("no raise's amount", "amount", "null"),
        ("a bet, which v1 calls RAISE_TO", "action", '"BET"'),
        ("a small letter", "action", '"fold"'),
        ("a blank behind the word", "action", '"FOLD "'),
        ("no word", "action", '""'),
        ("an empty team", "team", '""'),
        ("a team of 65 letters", "team", json.dumps("x" * 65)),
        ("a team of 4,000 letters", "team", json.dumps("x" * 4000)),
        ("a team with a zero byte", "team", '"Al\\u0000pha"'),
        ("a team with a newline", "team", '"Al\\npha"'),
        ("a team with a newline at its end", "team", '"Alpha\\n"'),
        ("a team that is a newline", "team", '"\\n"'),
        ("a team that colours the terminal", "team", '"\\u001b[31mAlpha"'),
        ("a team with a delete", "team", '"Alpha\\u007f"'),
        ("a team with a C1 control", "team", '"Alpha\\u0085"'),
        ("a team with a line separator", "team", '"Al\\u2028pha"'),
        ("a team that turns the writing around", "team", '"\\u202eahplA"'),
        ("an empty code", "join_code", '""'),
        ("a code of 129 letters", "join_code", json.dumps("x" * 129)),
        ("a hand's id of 65 letters", "hand_id", json.dumps("H" * 65)),
    ]
    return [(name, with_raw(field, piece), "BAD_SCHEMA", field) for name, field, piece in table]


def _unknown_types() -> list[Bad]:
    types = {
        "nobody's type": "chat",
        "a type of the server's": "act",
        "an event": "event",
        "a type in capitals": "HELLO",
        "a type with a blank": "hello ",
        "no letters": "",
        "a type like our own error": "x' - at `$.type`",
        "a type with a newline": "hello\n",
        "a long type": "x" * 4000,
    }
    return [(name, with_raw("type", json.dumps(kind)), "UNKNOWN_TYPE", None) for name, kind in types.items()]


def _twice() -> list[Bad]:
    good = json.dumps(HELLO)[:-1]
    return [
        ("two types", good + ',"type":"action"}', "UNKNOWN_TYPE", None),
        ("a second version", good + ',"v":2}', "BAD_SCHEMA", "v"),
        ("a second team of the wrong kind", good + ',"team":null}', "BAD_SCHEMA", "team"),
    ]


BAD: list[Bad] = [*_no_object(), *_wrong_types(), *_missing(), *_wrong_values(), *_unknown_types(), *_twice()]

DEEP: list[str] = [with_raw("extra", "[" * 4000 + "]" * 4000), with_raw("extra", '{"a":' * 1300 + "1" + "}" * 1300)]
"""Whole frames that are too deep for some readers: they may be read or refused."""

ODD: list[Odd] = [
    ("as printed", json.dumps(HELLO), SAID),
    ("as bytes", json.dumps(ACTION).encode(), RAISED),
    ("blanks around it", f" \n{json.dumps(HELLO)}\r\n", SAID),
    ("the type last", json.dumps(dict(reversed(HELLO.items()))), SAID),
    ("an extra field", with_raw("extra", '{"a":[1,2,{"b":null}]}'), SAID),
    ("an extra number past everything", with_raw("extra", "1e999"), SAID),
    ("a field for another message", with_raw("amount", "300").replace('"turn":7', '"turn":7,"team":5'), RAISED),
    ("nulls for what may be absent", with_raw("resume_from", "null")[:-1] + ',"ts":null}', SAID),
    (
        "a time",
        with_raw("ts", '"2025-10-17T18:22:31Z"'),
        Hello(v=1, ts="2025-10-17T18:22:31Z", team="Alpha", join_code="KF7Q9C"),
    ),
    ("a name escaped", json.dumps(HELLO).replace('"team"', '"\\u0074eam"'), SAID),
    ("the last of two teams", json.dumps(HELLO).replace('"team"', '"team": "Beta", "team"'), SAID),
    ("a smile", with_raw("team", '"\\ud83d\\ude00"'), Hello(v=1, team="😀", join_code="KF7Q9C")),
    ("64 letters of two bytes", with_raw("team", json.dumps("é" * 64)), Hello(v=1, team="é" * 64, join_code="KF7Q9C")),
    ("a code of anything", with_raw("join_code", '"\\u0000\\n"'), Hello(v=1, team="Alpha", join_code="\0\n")),
    (
        "the largest amount",
        with_raw("amount", str(LARGEST_NUMBER)),
        Action(v=1, hand_id="H-1", action="RAISE_TO", amount=LARGEST_NUMBER, turn=7),
    ),
    (
        "an amount to fold",
        json.dumps(ACTION | {"action": "FOLD"}),
        Action(v=1, hand_id="H-1", action="FOLD", amount=300, turn=7),
    ),
    ("no turn", without(ACTION, "turn"), Action(v=1, hand_id="H-1", action="RAISE_TO", amount=300)),
    ("a hand of no name", with_raw("hand_id", '""'), Action(v=1, hand_id="", action="RAISE_TO", amount=300, turn=7)),
]
