"""An index of finished hands: where each lies in the journal, and the numbers that lists are sorted and filtered by.

It is a private database of the process that lies in a temporary file as soon as it is larger than a small cache, so
that millions of hands cost no memory. It can always be made anew from the journal.
"""

import sqlite3
from collections.abc import Sequence
from typing import Any, Literal, get_args

from msgspec import Struct

from pitboss.arena.archive.outcomes import HandOutcome

SEATS = 10
CACHE_KIB = 1024

Sorting = Literal["newest", "pots", "wins", "losses"]
SORTINGS: tuple[Sorting, ...] = get_args(Sorting)

_DELTAS, _STACKS = ([f"{letter}{seat}" for seat in range(SEATS)] for letter in "ds")
_COLUMNS = ("table_id", "number", "first", "last", "hand_id", "pot", "winners", "flags", *_DELTAS, *_STACKS)
_LAYOUT = f"CREATE TABLE hand ({', '.join(_COLUMNS)}, PRIMARY KEY (table_id, number)) WITHOUT ROWID"
_INSERT = f"INSERT OR REPLACE INTO hand VALUES ({', '.join('?' * len(_COLUMNS))})"
_SHOWDOWN, _ALL_IN, _VOIDED = 1, 2, 4


class Wanted(Struct, frozen=True, kw_only=True):
    """Which hands are wanted, and in which order; with a seat, hands that it was dealt in, and its wins and losses."""

    seat: int | None = None
    sort: Sorting = "newest"
    showdown: bool = False
    all_in: bool = False
    before: int | None = None  #: only hands with lower numbers
    limit: int = 50


class IndexedHand(Struct, frozen=True):
    """A hand in the index: how it came out, and its first and last entry."""

    outcome: HandOutcome
    first: int
    last: int


class HandIndex:
    """Finished hands of any number of tables; one thread uses it."""

    def __init__(self) -> None:
        self._connection = sqlite3.connect("", isolation_level=None)
        for pragma in ("journal_mode = OFF", "synchronous = OFF", f"cache_size = -{CACHE_KIB}", "temp_store = FILE"):
            self._connection.execute(f"PRAGMA {pragma}")
        self._connection.execute(_LAYOUT)

    def add(self, table: int, hands: Sequence[IndexedHand]) -> None:
        """Take in hands of a table."""
        if hands:
            self._connection.execute("BEGIN")
            self._connection.executemany(_INSERT, [_row(table, hand) for hand in hands])
            self._connection.execute("COMMIT")

    def find(self, table: int, number: int) -> IndexedHand | None:
        """One hand."""
        rows = self._select(table, "AND number = ?", number)
        return rows[0] if rows else None

    def listed(self, table: int, wanted: Wanted) -> list[IndexedHand]:
        """The hands that are wanted; the sortings but `newest` are by size, and of equal ones the newest is first."""
        where, values = "", list[object]()
        if wanted.seat is not None:
            where += f" AND {_DELTAS[wanted.seat]} IS NOT NULL"
        flags = _SHOWDOWN * wanted.showdown | _ALL_IN * wanted.all_in
        if flags:
            where += f" AND flags & {flags} = {flags}"
        if wanted.before is not None:
            where += " AND number < ?"
            values.append(wanted.before)
        order = ""
        if wanted.sort == "pots":
            order = "pot DESC, "
        elif wanted.sort != "newest":
            least = wanted.sort == "losses"
            columns = _DELTAS if wanted.seat is None else [_DELTAS[wanted.seat]]
            filled = ", ".join(f"ifnull({column}, 0)" for column in columns)
            size = filled if len(columns) == 1 else f"{'min' if least else 'max'}({filled})"
            where += f" AND {size} {'<' if least else '>'} 0"
            order = f"{size} {'ASC' if least else 'DESC'}, "
        return self._select(table, f"{where} ORDER BY {order}number DESC LIMIT ?", *values, wanted.limit)

    def some(self, table: int, numbers: Sequence[int]) -> list[IndexedHand]:
        """Hands of these numbers, in order, as far as there are such."""
        marks = ", ".join("?" * len(numbers))
        return self._select(table, f"AND number IN ({marks}) ORDER BY number", *numbers)

    def following(self, table: int, first: int, most: int) -> list[IndexedHand]:
        """At most so many hands from a number on, in order."""
        return self._select(table, "AND number >= ? ORDER BY number LIMIT ?", first, most)

    def last(self, table: int) -> int:
        """The highest number of a table; 0 where it has no hands."""
        ((number,),) = self._connection.execute("SELECT max(number) FROM hand WHERE table_id = ?", (table,))
        return int(number or 0)

    def drop(self, table: int) -> None:
        """Forget a table's hands."""
        self._connection.execute("DELETE FROM hand WHERE table_id = ?", (table,))

    def close(self) -> None:
        """Throw it away."""
        self._connection.close()

    def _select(self, table: int, rest: str, *values: object) -> list[IndexedHand]:
        query = f"SELECT {', '.join(_COLUMNS)} FROM hand WHERE table_id = ? {rest}"
        return [_found(row) for row in self._connection.execute(query, (table, *values))]


def _row(table: int, hand: IndexedHand) -> tuple[object, ...]:
    out = hand.outcome
    flags = _SHOWDOWN * out.showdown | _ALL_IN * out.all_in | _VOIDED * out.voided
    winners = sum(1 << seat for seat in out.winners)
    deltas, stacks = ([by_seat.get(seat) for seat in range(SEATS)] for by_seat in (out.delta, out.stacks))
    return (table, out.number, hand.first, hand.last, out.hand_id, out.pot, winners, flags, *deltas, *stacks)


def _found(row: Sequence[Any]) -> IndexedHand:
    _, number, first, last, hand_id, pot, winners, flags, *rest = row
    outcome = HandOutcome(
        number=number,
        hand_id=hand_id,
        pot=pot,
        winners=tuple([seat for seat in range(SEATS) if winners >> seat & 1]),
        delta={seat: amount for seat, amount in enumerate(rest[:SEATS]) if amount is not None},
        stacks={seat: amount for seat, amount in enumerate(rest[SEATS:]) if amount is not None},
        showdown=bool(flags & _SHOWDOWN),
        all_in=bool(flags & _ALL_IN),
        voided=bool(flags & _VOIDED),
    )
    return IndexedHand(outcome, first, last)
