"""Check a hand's fields by the PHH standard: their names, types, lengths and signs.

The reader checks the fields that it has read, and the writer checks those that it is going to write.
"""

from collections.abc import Callable, Mapping
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, TypeAlias

from pitboss.errors import PitbossError
from pitboss.formats.scan import ReadError
from pitboss.hand.game_file import OWN_CODE, GameFileError, own_game
from pitboss.hand.games import STRUCTURES
from pitboss.hand.structure import Structure
from pitboss.records.moves import LARGEST_EXPONENT
from pitboss.records.record import EXPECTED_VARIANT, MOST_PLAYERS, STANDARD, Comments
from pitboss.records.table_fields import GAME

Problem: TypeAlias = tuple[str, str]
"""The name of a field, and a description of the error in it."""
Check: TypeAlias = Callable[[object], str | None]

_TOO_LARGE = 10 ** (LARGEST_EXPONENT + 1)
DEEPEST_NESTING = 40
"""The maximum nesting of arrays and tables in a field of the author."""
_STAKES = ("antes", "blinds_or_straddles", "bring_in", "small_bet", "big_bet", "min_bet")

_KINDS: dict[type, str] = {
    bool: "a boolean",
    int: "an integer",
    Decimal: "a float",
    str: "a string",
    tuple: "an array",
    list: "an array",
    dict: "a table",
    time: "a time",
    date: "a date",
    datetime: "a date and time",
}

_PER_PLAYER = ("antes", "blinds_or_straddles", "seats", "players", "finishing_stacks", "winnings", "time_banks")


class PhhError(ReadError):
    """Text that is not a PHH hand, or a record that cannot be written as one.

    >>> from pitboss import read_phh
    >>> read_phh("variant = 7")
    Traceback (most recent call last):
    pitboss.PhhError: field variant: expected a string, got an integer (line 1)
    """

    def __init__(
        self, reason: str, *, name: str = "", table: str | None = None, field: str = "", line: int = 0
    ) -> None:
        where = [name, "" if table is None else f"table {_named(table)}", f"field {_named(field)}" if field else ""]
        place = ", ".join(part for part in where if part)
        PitbossError.__init__(self, (f"{place}: " if place else "") + reason + (f" (line {line})" if line else ""))
        self.reason, self.name, self.line, self.text, self.table, self.field = reason, name, line, "", table, field


def _named(text: str) -> str:
    """Return a name for an error message: quoted unless it is plain, and at most 60 characters."""
    plain = text if text and text.isprintable() and " " not in text else repr(text)
    return plain if len(plain) <= 60 else plain[:57] + "..."


def _needs(game: Structure) -> tuple[str, ...]:
    forced = "bring_in" if game.betting.bring_in else "blinds_or_straddles"
    return ("antes", forced, "small_bet", "big_bet") if game.betting.exact else ("antes", forced, "min_bet")


REQUIRED_FIELDS: dict[str, tuple[str, ...]] = {code: _needs(game) for code, game in STRUCTURES.items()}
"""The fields of forced bets and minimum bets that each variant has. All are required, and others are not allowed."""


def _kind(value: object) -> str:
    return _KINDS.get(type(value), f"a Python {type(value).__name__}")


def _of(*types: type) -> Check:
    wanted = " or ".join(_KINDS[kind] for kind in types)

    def check(value: object) -> str | None:
        return None if type(value) in types else f"expected {wanted}, got {_kind(value)}"

    return check


def _between(low: int, high: int) -> Check:
    def check(value: object) -> str | None:
        if type(value) is not int:
            return f"expected an integer, got {_kind(value)}"
        return None if low <= value <= high else f"expected {low} to {high}, got {value}"

    return check


def _amount(*, negative: bool = False, zero: bool = True, infinite: bool = False) -> Check:
    def check(value: object) -> str | None:
        if type(value) is not int:
            if type(value) is not Decimal:
                return f"expected a number, got {_kind(value)}"
            if not value.is_finite() and (value.is_nan() or not infinite):
                return "expected a number, got nan" if value.is_nan() else "expected a finite number"
            if abs(value.adjusted()) > LARGEST_EXPONENT:
                return f"expected a number up to 10 to the {LARGEST_EXPONENT}"
        elif not -_TOO_LARGE < value < _TOO_LARGE:
            return f"expected a number up to 10 to the {LARGEST_EXPONENT}"
        if value < 0 and not negative:
            return "expected 0 or more"
        return "expected a number above 0, got 0" if value == 0 and not zero else None

    return check


def _each(entry: Check, fine: Callable[[tuple[Any, ...]], bool] | None = None) -> Check:
    """Return a check that applies ``entry`` to each entry of an array, unless ``fine`` returns True for the array."""

    def check(value: object) -> str | None:
        if type(value) is not tuple:
            return f"expected an array, got {_kind(value)}"
        if fine is not None and fine(value):
            return None
        for number, item in enumerate(value, 1):
            if problem := entry(item):
                return f"entry {number}: {problem}"
        return None

    return check


def _all_texts(values: tuple[Any, ...]) -> bool:
    return set(map(type, values)) == {str}


def _all_chips(values: tuple[Any, ...]) -> bool:
    return set(map(type, values)) == {int} and min(values) >= 0 and max(values) < _TOO_LARGE


def _local_time(value: object) -> str | None:
    if type(value) is not time:
        return f"expected a time, got {_kind(value)}"
    return None if value.tzinfo is None else "expected a time without a zone"


_text, _whole, _stack = _of(str), _of(int), _amount(infinite=True)
_CHECKS: dict[str, Check] = dict.fromkeys(STANDARD, _text) | {
    "ante_trimming_status": _of(bool),
    "antes": _each(_amount(), _all_chips),
    "blinds_or_straddles": _each(_amount(negative=True), _all_chips),
    **dict.fromkeys(("bring_in", "small_bet", "big_bet", "min_bet"), _amount(zero=False)),
    **dict.fromkeys(("starting_stacks", "finishing_stacks", "time_banks"), _each(_stack, _all_chips)),
    **dict.fromkeys(("actions", "players"), _each(_text, _all_texts)),
    "time": _local_time,
    "day": _between(1, 31),
    "month": _between(1, 12),
    **dict.fromkeys(("hand", "table"), _of(str, int)),
    **dict.fromkeys(("year", "level", "seat_count"), _whole),
    "seats": _each(_whole, _all_chips),
    "winnings": _each(_amount(), _all_chips),
    "time_limit": _stack,
}


def field_problem(fields: Mapping[str, object]) -> Problem | None:
    """Return the first error in the fields of a record, or None.

    >>> field_problem({"variant": "NT", "antes": (0, True)})
    ('antes', 'entry 2: expected a number, got a boolean')
    """
    for name, value in fields.items():
        check = _CHECKS.get(name)
        if check is None:
            if not name.startswith("_"):
                return name or "''", "expected a field of the standard, or a name that begins with _"
            problem = _own_problem(value)
        else:
            problem = check(value)
        if problem:
            return name, problem
    return _missing(fields) or _uneven(fields)


def _missing(fields: Mapping[str, object]) -> Problem | None:
    variant = fields.get("variant")
    if variant is None:
        return "variant", f"missing; {EXPECTED_VARIANT}"
    needs = REQUIRED_FIELDS.get(str(variant))
    if variant == OWN_CODE:
        try:
            needs = _needs(own_game(fields.get(GAME)))
        except GameFileError as error:
            return GAME, str(error)
    if needs is None:
        return "variant", f"{EXPECTED_VARIANT}, got {_named(str(variant))}"
    for name in (*needs, "starting_stacks", "actions"):
        if name not in fields:
            return name, f"missing; variant {variant} requires it"
    for name in _STAKES:
        if name in fields and name not in needs:
            return name, f"not a field of variant {variant}; remove it"
    return None


def _uneven(fields: Mapping[str, object]) -> Problem | None:
    stacks = fields["starting_stacks"]
    assert isinstance(stacks, tuple)
    if not stacks:
        return "starting_stacks", "expected at least one entry"
    if len(stacks) > MOST_PLAYERS:
        return "starting_stacks", f"expected at most {MOST_PLAYERS} players, got {len(stacks)}"
    for name in _PER_PLAYER:
        entries = fields.get(name)
        if isinstance(entries, tuple) and len(entries) != len(stacks):
            return name, f"expected {_count(len(stacks), 'entry', 'entries')}, one per player, got {len(entries)}"
    return None


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _own_problem(value: object, depth: int = 0) -> str | None:
    """Return the reason why the value of an author's field cannot be written as TOML and read back, or None."""
    if depth > DEEPEST_NESTING:
        return f"expected at most {DEEPEST_NESTING} levels of nesting"
    match value:
        case bool() | int() | str() | date():
            return _zone_problem(value) if isinstance(value, datetime) else None
        case Decimal():
            return (
                None
                if abs(value.adjusted()) <= LARGEST_EXPONENT
                else f"expected numbers with an exponent of at most {LARGEST_EXPONENT}"
            )
        case time():
            return _local_time(value)
        case tuple():
            return next(filter(None, (_own_problem(item, depth + 1) for item in value)), None)
        case Mapping():
            if not all(isinstance(key, str) for key in value):
                return "expected a table whose keys are strings"
            return next(filter(None, (_own_problem(item, depth + 1) for item in value.values())), None)
    return f"expected a TOML value, got {_kind(value)}"


def _zone_problem(value: datetime) -> str | None:
    offset = value.utcoffset()
    return "expected a time zone in whole minutes" if offset is not None and offset.total_seconds() % 60 else None


def comment_problem(fields: Mapping[str, object], comments: Comments) -> Problem | None:
    """Return the first error in the comments of a record, or None."""
    for anchor, lines in comments.items():
        place, name, item = anchor
        value = fields.get(name)
        entries = len(value) if isinstance(value, tuple) else 0
        if name and name not in fields:
            return name, "expected a comment at a field that exists"
        if place == "top" or (place == "end" and not name):
            known = not name and item is None
        elif place == "end":
            known = item is None and isinstance(value, tuple)
        else:
            known = place in ("before", "beside") and bool(name) and (item is None or 0 <= item < entries)
        if not known:
            return name, f"expected the anchor of a comment, got {tuple(anchor)!r}"
        if not lines or (place == "beside" and len(lines) > 1):
            return name, f"expected {'one line' if lines else 'a line'} in the comment {place!r}, got {len(lines)}"
        if any(letter != "\t" and (letter < " " or letter == "\x7f") for line in lines for letter in line):
            return name, "expected a comment without line breaks and other control characters"
    return None
