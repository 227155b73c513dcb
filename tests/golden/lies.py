"""Rewrite the expected verdicts of `verify` on some lies: `python -m tests.golden.lies [NAME ...]`, or on all.

Read the difference before committing it, and say in the commit why the verdicts change.
"""

import sys
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from pitboss.arena.verify.journal import verify_table
from pitboss.arena.verify.report import Report
from pitboss.arena.verify.transcript import read_transcript
from pitboss.store.chain import Reading
from tests.support.arena.forgeries import journal_forgeries, record_forgeries
from tests.support.arena.matches import played
from tests.support.arena.storms import storm

FOLDER = Path(__file__).resolve().parent / "lies"
TABLE = "T-1"
NAMED = 4
"""The number of sentences that are written for each lie, next to their total."""


class Lied(NamedTuple):
    """A match, whose record it is, how many kinds of forgeries to use, and in which of the first places."""

    match: Callable[[], tuple[Reading, list[str]]]
    one_in: int
    place: int


def _stormy(seed: int, team: str, *, damage: bool) -> tuple[Reading, list[str]]:
    made = storm(seed, hands=4, steps=100, damage=damage)
    return made.reading, made.records[team]


def _calm() -> tuple[Reading, list[str]]:
    match = played(3, seats=3, hands=3)
    return match.reading, match.frames


LIES = {
    "calm": Lied(_calm, 4, 2),
    "stormy": Lied(lambda: _stormy(7, "A", damage=False), 4, 5),
    "void": Lied(lambda: _stormy(12, "B", damage=True), 4, 5),
    "watched": Lied(lambda: _stormy(12, "spectator", damage=True), 4, 5),
}


def some_of(lied: Lied) -> Callable[[str], bool]:
    """Return the forgeries: some kinds by name, one of each, not always the first."""
    seen: Counter[str] = Counter()

    def wanted(name: str) -> bool:
        number = int.from_bytes(sha256(name.encode()).digest()[:8], "big")
        seen[name] += 1
        return number % lied.one_in == 0 and seen[name] == 1 + number // lied.one_in % lied.place

    return wanted


def format_lie(name: str, report: Report) -> str:
    """Return the verdict on a lie in one line."""
    sentences = " | ".join(report.problems[:NAMED]) or "nothing"
    counted = f"{len(report.problems)} problems, {len(report.notes)} notes"
    return f"{name} → {sentences} ({counted}, {report.hands} hands, {report.frames_compared} frames)\n"


def lies(name: str) -> str:
    """Return a line for each change: in the record, alone and against the journal, and in the journal."""
    lied = LIES[name]
    reading, frames = lied.match()
    sittings = read_transcript("me", frames).sittings
    lines = []
    for number, forgery in enumerate(record_forgeries(frames, some_of(lied))):
        transcript = read_transcript("me", forgery.frames or [])
        lines.append(format_lie(f"record, {forgery.name}", transcript.report))
        if number % 3 == 0:
            report = verify_table(TABLE, reading, transcript.sittings)
            lines.append(format_lie(f"record against journal, {forgery.name}", report))
    for forgery in journal_forgeries(reading, some_of(lied._replace(one_in=2 * lied.one_in))):
        assert forgery.reading is not None
        lines.append(format_lie(f"journal, {forgery.name}", verify_table(TABLE, forgery.reading, sittings)))
    return "".join(lines)


def main(wanted: list[str]) -> None:
    """Write these, or all."""
    for name in wanted or LIES:
        (FOLDER / f"{name}.txt").write_text(lies(name), encoding="utf-8", newline="\n")
        print(f"wrote {name}.txt")


if __name__ == "__main__":
    main(sys.argv[1:])
