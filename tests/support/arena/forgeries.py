"""Every small forgery of a match: in its journal, with or without new hashes, and in a participant's record.

A forgery changes one thing: a field of one record or frame, the order of two, or whether one is there at all. Its name
says what was changed, in whatever hand, so that a list can say which ones cannot be noticed, and why.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pitboss.store.chain import Chain, Entry, Head, Reading, read_chain, start_hash

Change = tuple[str, Any]
Path = tuple[str | int, ...]

OTHERS: dict[str, Sequence[Any]] = {
    "cause": ("client", "timeout"),
    "reason": ("last_standing", "too_few", "max_hands"),
    "timeout_policy": ("check_call", "check_fold"),
    "reopening": ("single", "cumulative", "always"),
    "game": ("no_limit_holdem", "pot_limit_holdem", "short_deck_holdem", "sting", "leduc"),
    "variant": ("HUNL", "PT", "NS", "sting", "leduc"),
}
"""Words that can be swapped for others of the same kind."""


class Forgery(Struct, frozen=True):
    """A forged journal, or the frames of a forged record, and what was changed."""

    name: str
    reading: Reading | None = None
    frames: list[str] | None = None


def changes(name: str, value: Any) -> Iterator[Change]:
    """Other values for a field, each with a description of the change."""
    if isinstance(value, bool):
        yield "turned", not value
    elif isinstance(value, int):
        yield "+1", value + 1
        yield "-1", value - 1
    elif value is None:
        yield "given", 1
    elif isinstance(value, str):
        yield from _texts(name, value)
    elif isinstance(value, list):
        yield from _lists(value)
    elif isinstance(value, dict):
        yield from _objects(value)


def _texts(name: str, value: str) -> Iterator[Change]:
    for other in OTHERS.get(name, ()):
        if other != value:
            yield "other word", other
    if len(value) in (32, 64) and all(letter in "0123456789abcdef" for letter in value):
        yield "other hash", ("1" if value[0] == "0" else "0") + value[1:]
    elif len(value) == 2 and value[0] in "23456789TJQKA":
        yield "other card", ("K" if value[0] == "A" else "A") + value[1]
    elif value[:2] == "H-":
        yield "other hand", value[:-1] + ("1" if value[-1] == "0" else "0")
        yield "other day", value[:2] + "2031" + value[6:]
    else:
        yield "other text", value + "x"


def _lists(value: list[Any]) -> Iterator[Change]:
    if value:
        yield "shortened", value[:-1]
        yield "lengthened", [*value, value[-1]]
    if len(value) > 1 and value[0] != value[1]:
        yield "swapped", [value[1], value[0], *value[2:]]


def _objects(value: dict[str, Any]) -> Iterator[Change]:
    yield "field added", {**value, "extra": 1}
    first = next(iter(value), None)
    if first is not None:
        yield "field dropped", {key: value[key] for key in value if key != first}
    keys = [key for key in value if isinstance(value[key], int)]
    if len(keys) > 1 and value[keys[0]] != value[keys[1]]:
        yield "values swapped", {**value, keys[0]: value[keys[1]], keys[1]: value[keys[0]]}


def fields(value: Any, path: Path = (), name: str = "") -> Iterator[tuple[Path, str, Any]]:
    """Every field of a document, with its name in every document of that kind."""
    if path:
        yield path, name, value
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from fields(inner, (*path, key), f"{name}.{'*' if key.isdigit() else key}")
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            kind = inner.get("type", "*") if isinstance(inner, dict) else "*"
            yield from fields(inner, (*path, at), f"{name}.{kind}")


def with_change(document: Any, path: Path, value: Any) -> Any:
    """A document with one field changed."""
    copy = json.loads(json.dumps(document))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return copy


def _kind(document: dict[str, Any]) -> str:
    return str(document.get("ev") or document["type"])


def _documents(texts: Sequence[str | bytes]) -> Iterator[tuple[int, str, Any]]:
    """Every change of every field of every document: its place, its description, and the changed document."""
    for at, text in enumerate(texts):
        document = json.loads(text)
        kind = _kind(document)
        for what, other in _objects(document):
            yield at, f"{kind}: {what}", other
        for path, name, value in fields(document):
            for what, other in changes(str(path[-1]), value):
                yield at, f"{kind}{name}: {what}", with_change(document, path, other)


def _orders(kinds: Sequence[str]) -> Iterator[tuple[str, list[int]]]:
    """Every way to leave one out, to repeat one, to swap two neighbours, and to leave out the end."""
    numbers = list(range(len(kinds)))
    for at, kind in enumerate(kinds):
        yield f"{kind}: dropped", numbers[:at] + numbers[at + 1 :]
        yield f"{kind}: twice", [*numbers[: at + 1], *numbers[at:]]
        if at + 1 < len(kinds):
            yield f"{kind}, {kinds[at + 1]}: swapped", [*numbers[:at], at + 1, at, *numbers[at + 2 :]]
            yield f"{kinds[at + 1]}: this and all after it dropped", numbers[: at + 1]


def _all(name: str) -> bool:
    return True


def journal_forgeries(reading: Reading, wanted: Callable[[str], bool] = _all) -> Iterator[Forgery]:
    """Every forgery of a table's journal with all hashes and the head computed again, or only those wanted."""
    rows = reading.entries
    kinds = [_kind(json.loads(row.body)) for row in rows]
    for at, name, document in _documents([row.body for row in rows]):
        if document is not None and wanted(name):
            body = json.dumps(document, separators=(",", ":")).encode()
            yield Forgery(name, chained([*rows[:at], replace(rows[at], body=body), *rows[at + 1 :]]))
    for name, order in _orders(kinds):
        if wanted(name):
            yield Forgery(name, chained([rows[at] for at in order]))
    for at, kind in enumerate(kinds):
        turned = replace(rows[at], seals=not rows[at].seals)
        if wanted(f"{kind}: seal turned"):
            yield Forgery(f"{kind}: seal turned", chained([*rows[:at], turned, *rows[at + 1 :]]))
        if wanted(f"{kind}: number left out"):
            yield Forgery(f"{kind}: number left out", chained(rows, skip=at))


def chained(rows: Sequence[Entry], *, skip: int | None = None) -> Reading:
    """A journal of these rows as the owner of the file can write it; with `skip`, one number is left out."""
    chain = Chain(rows[0].table, start_hash(rows[0].table))
    entries: list[Entry] = []
    for at, row in enumerate(rows):
        if row.after != row.seq - 1 or at == skip:
            lost = row.seq - row.after - 1 + (at == skip)
            step = Reading(tuple(entries), chain.head, None, "", False, chain.head.seq + lost)
            entries.append(chain.mend(step, row.body, seals=row.seals))
        else:
            entries.append(chain.append(row.body, seals=row.seals))
    return read_chain(rows[0].table, entries, chain.head)


def unchained_forgeries(reading: Reading) -> Iterator[Forgery]:
    """Forgeries that change the file but no hash."""
    rows, head = list(reading.entries), reading.head
    table = rows[0].table

    def read(entries: Sequence[Entry], recorded: Head = head) -> Reading:
        return read_chain(table, entries, recorded)

    for at, row in enumerate(rows):
        kind = _kind(json.loads(row.body))
        flipped = row.body[:-2] + bytes([row.body[-2] ^ 1]) + row.body[-1:]
        others: dict[str, Entry] = {
            "byte flipped": replace(row, body=flipped),
            "seal turned": replace(row, seals=not row.seals),
            "hash changed": replace(row, hash=bytes(32)),
            "after changed": replace(row, after=row.after + 1),
        }
        for what, other in others.items():
            yield Forgery(f"{kind}: {what}", read([*rows[:at], other, *rows[at + 1 :]]))
        yield Forgery(f"{kind}: dropped", read([*rows[:at], *rows[at + 1 :]]))
        yield (
            Forgery(f"{kind}: all after it dropped", read(rows[: at + 1]))
            if row is not rows[-1]
            else Forgery("head: changed", read(rows, replace(head, hash=bytes(32))))
        )


def record_forgeries(frames: Sequence[str], wanted: Callable[[str], bool] = _all) -> Iterator[Forgery]:
    """Every forgery of a participant's frames, or only those wanted."""
    for at, name, document in _documents(frames):
        if wanted(name):
            yield Forgery(name, frames=[*frames[:at], json.dumps(document), *frames[at + 1 :]])
    for name, order in _orders([_kind(json.loads(frame)) for frame in frames]):
        if wanted(name):
            yield Forgery(name, frames=[frames[at] for at in order])


def some(forgeries: Iterator[Forgery], most: int) -> Iterator[Forgery]:
    """The first `most` forgeries of each name."""
    seen: Counter[str] = Counter()
    for forgery in forgeries:
        seen[forgery.name] += 1
        if seen[forgery.name] <= most:
            yield forgery


class Tried(Struct):
    """The results of forgeries: which were caught and which were not, by name."""

    caught: Counter[str]
    passed: Counter[str]

    def add(self, forgery: Forgery, ok: Callable[[], bool]) -> None:
        """Try one forgery."""
        (self.passed if ok() else self.caught)[forgery.name] += 1


def matching(pattern: str, names: Counter[str]) -> list[str]:
    """The names that match a pattern."""
    return [name for name in names if fnmatchcase(name, pattern)]
