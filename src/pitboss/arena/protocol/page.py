"""The protocol page: knows how the prose of `page.md` and the tables and examples of the wire types become one text.

A line `{{act}}` in the prose is that message's section; `{{events}}`, `{{errors}}` and `{{opening}}` are tables,
`{{razz}}`, `{{triple_draw}}` and `{{leduc}}` hands.
"""

import re
from collections.abc import Callable, Iterable
from importlib.resources import files
from typing import Any

import msgspec

from pitboss.arena.protocol import schema
from pitboss.arena.protocol.examples import EXAMPLES, LEDUC, RAZZ, TRIPLE_DRAW, worked, worked_moves
from pitboss.arena.wire import messages

WIDTH = 110
NOTICE = "<!-- Made by `python -m pitboss.arena.protocol docs/`: change the types or page.md, not this file. -->\n\n"
_PLACE = re.compile(r"^\{\{(\w+)\}\}$", re.MULTILINE)


def page() -> str:
    """The whole page as Markdown."""
    prose = files("pitboss.arena.protocol").joinpath("page.md").read_text(encoding="utf-8")
    seen: dict[schema.StructClass, str] = {}
    sections: dict[str, Callable[[], str]] = {
        "events": lambda: _events(seen),
        "errors": _errors,
        "opening": _opening,
        "razz": lambda: _worked(worked("razz", 3, 2, RAZZ)),
        "leduc": lambda: _worked(worked_moves("leduc", 2, 1, LEDUC)),
        "triple_draw": lambda: _worked(worked("deuce_to_seven_triple_draw", 2, 1, TRIPLE_DRAW)),
    }
    named = {schema.wire_name(kind): kind for kind in schema.ALL if kind not in schema.EVENTS}

    def fill(place: re.Match[str]) -> str:
        name = place[1]
        return sections[name]() if name in sections else _section(named[name], seen)

    return NOTICE + _PLACE.sub(fill, prose)


def example_text(kind: schema.StructClass) -> str:
    """The example of a type as JSON for people: short objects on one line, long ones opened up."""
    value = msgspec.json.decode(messages.write(EXAMPLES[kind]))
    head = {name: value[name] for name in ("type", "v", "ev") if name in value}
    return _laid_out(head | value, "")


def _section(kind: schema.StructClass, seen: dict[schema.StructClass, str]) -> str:
    """A message: what it is, its fields, an example."""
    name = schema.wire_name(kind)
    added = " Added after v1's first text." if schema.is_added(name) else ""
    heading = f"### `{name}` ({schema.direction(kind)})\n\n{schema.sentence(kind)}{added}\n\n"
    return heading + _table(kind, seen) + _example(kind)


def _events(seen: dict[schema.StructClass, str]) -> str:
    """Every `ev`."""
    return "\n\n".join(_event(kind, seen) for kind in schema.EVENTS)


def _event(kind: schema.StructClass, seen: dict[schema.StructClass, str]) -> str:
    name = schema.wire_name(kind)
    added = " Added after v1's first text." if schema.is_added(name) else ""
    return f"#### `{name}`\n\n{schema.sentence(kind)}{added}\n\n" + _table(kind, seen) + _example(kind)


def _example(kind: schema.StructClass) -> str:
    return f"```json\n{example_text(kind)}\n```"


def _table(kind: schema.StructClass, seen: dict[schema.StructClass, str], name: str = "") -> str:
    rows = [
        (f"`{row.name}`", row.kind, "yes" if row.added else "", row.meaning)
        for row in schema.rows(kind, seen=seen, of=name)
    ]
    return _as_table(("field", "type", "added", "meaning"), rows) if rows else ""


def _worked(lines: Iterable[str]) -> str:
    return "```text\n" + "\n".join(lines) + "\n```"


def _opening() -> str:
    return _table(messages.Opening, {}, "opening").rstrip()


def _errors() -> str:
    rows = (
        (f"`{code}`", "" if code in schema.FIRST_ERRORS.split() else "yes", when, remedy)
        for code, (when, remedy) in schema.ERRORS.items()
    )
    return _as_table(("code", "added", "when", "what to do"), rows).rstrip()


def _as_table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n".replace("|  |", "| |") for cells in lines) + "\n"


def _laid_out(value: Any, indent: str) -> str:
    """JSON in lines of no more than `WIDTH` where it can be; an opening stays on one line."""
    flat = _json(value)
    if len(indent) + len(flat) <= WIDTH or not isinstance(value, dict | list) or "path" in value:
        return flat
    deeper = indent + "  "
    if isinstance(value, list):
        inner = [deeper + _laid_out(one, deeper) for one in value]
        return "[\n" + ",\n".join(inner) + f"\n{indent}]"
    lines = [""]
    for name, one in value.items():
        pair = f"{_json(name)}:{_laid_out(one, deeper)}"
        if lines[-1] and ("\n" in lines[-1] + pair or len(f"{deeper}{lines[-1]},{pair}") > WIDTH):
            lines.append("")
        lines[-1] += f",{pair}" if lines[-1] else pair
    return "{\n" + ",\n".join(deeper + line for line in lines) + f"\n{indent}}}"


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
