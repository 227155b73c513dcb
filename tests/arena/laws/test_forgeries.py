"""Every small forgery of a journal or a record is caught, or is in the list of those that cannot be."""

from collections import Counter
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from functools import cache, partial
from typing import NamedTuple

import pytest

from pitboss.arena.journal.records import Settings
from pitboss.arena.verify.frames import TableRecord
from pitboss.arena.verify.journal import verify_table
from pitboss.arena.verify.transcript import read_transcript
from pitboss.store.chain import Reading
from tests.support.arena.any_game import AnyTable
from tests.support.arena.forgeries import (
    Forgery,
    Tried,
    journal_forgeries,
    record_forgeries,
    some,
    unchained_forgeries,
)
from tests.support.arena.matches import played
from tests.support.arena.storms import storm
from tests.support.arena.unknowable import HALF_MISSED, LAST_DAY, UNKNOWABLE, Where, format_unknowable
from tests.support.figures import ROOT, write_row

pytestmark = pytest.mark.check

TABLE = "T-1"
POKER = ("no_limit_holdem", "omaha_hi_lo", "short_deck_holdem", "razz", "badugi", "horse", "stormy", "void")
OTHERS = {"sting": 3, "leduc": 2}


class Played(NamedTuple):
    """A match: its journal, and what one participant was sent of it."""

    reading: Reading
    frames: list[str]
    sittings: list[TableRecord]


@cache
def match_of(name: str) -> Played:
    """A match that is all right, with its record and without."""
    reading, frames = _play(name)
    transcript = read_transcript("me", frames)
    assert transcript.report.problems == []
    assert verify_table(TABLE, reading, transcript.sittings).problems == []
    return Played(reading, frames, transcript.sittings)


def _play(name: str) -> tuple[Reading, list[str]]:
    if name in ("stormy", "void"):
        made = storm(12 if name == "void" else 7, hands=4, steps=100, damage=name == "void")
        return made.reading, made.records["B"]
    if name in OTHERS:
        seats = OTHERS[name]
        table = AnyTable(Settings(game=name, seats=seats, start_at=seats, max_hands=3, stack=1000), seed=2)
        while table.last is None:
            table.move()
        return table.disk.read(TABLE), table.frames[0]
    hands = 9 if name == "horse" else 3  # as far as its stud: stakes of games not played cannot be known
    match = played(3, game=name, seats=3, hands=hands)
    return match.reading, match.frames


def forgeries(where: Where, name: str, most: int) -> Iterator[tuple[Forgery, Callable[[], bool]]]:
    """Each forgery of a match, and how to look whether it passes."""
    match = match_of(name)
    if where in ("journal", "journal and record"):
        sittings = match.sittings if where == "journal and record" else []
        for forgery in some(journal_forgeries(match.reading), most):
            yield forgery, partial(_journal_passes, forgery, sittings)
    else:
        for forgery in some(record_forgeries(match.frames), most):
            yield forgery, partial(_passes, forgery.frames or [], match.reading, where)


def _journal_passes(forgery: Forgery, sittings: list[TableRecord]) -> bool:
    assert forgery.reading is not None
    return verify_table(TABLE, forgery.reading, sittings).ok


def _passes(frames: list[str], reading: Reading, where: Where) -> bool:
    transcript = read_transcript("me", frames)
    if where != "record and journal" or not transcript.report.ok:
        return transcript.report.ok
    report = verify_table(TABLE, reading, transcript.sittings)
    return report.ok and report.frames_compared > 0


def games(where: Where, *, all_of_them: bool) -> tuple[str, ...]:
    """Which matches to forge."""
    if where == "record of another game":
        return tuple(OTHERS)
    if not all_of_them and where in ("record", "record and journal"):
        return ("stormy", "razz") if where == "record" else ("omaha_hi_lo",)
    if not all_of_them:
        return ("stormy", "void", "badugi", *OTHERS)
    return POKER if where == "record" else (*POKER, *OTHERS)


def try_all(where: Where, names: tuple[str, ...], most: int) -> Tried:
    """Forge some matches; whatever passes must be listed."""
    tried = Tried(Counter(), Counter())
    for name in names:
        for forgery, ok in forgeries(where, name, most):
            tried.add(forgery, ok)
    listed = patterns(where)
    surprising = [name for name in tried.passed if not any(fnmatchcase(name, pattern) for pattern in listed)]
    assert surprising == [], "not noticed, and not listed"
    return tried


def patterns(where: Where) -> list[str]:
    """What is listed."""
    return [pattern for one in UNKNOWABLE if where in one.where for pattern in one.patterns]


def check_list(where: Where, tried: Tried, but: tuple[str, ...] = ()) -> None:
    """Of everything that is listed something must pass."""
    listed = [pattern for pattern in patterns(where) if pattern not in but]
    caught = [pattern for pattern in listed if not any(fnmatchcase(name, pattern) for name in tried.passed)]
    assert _of_no_other(caught) == [], "listed, and always noticed"


def _of_no_other(found: list[str]) -> list[str]:
    """For patterns that cover several kinds of verification, one kind may notice what another cannot."""
    shared = {pattern for one in UNKNOWABLE if len(one.where) > 1 for pattern in one.patterns}
    return [pattern for pattern in found if pattern not in shared]


WHERE: tuple[Where, ...] = ("journal", "journal and record", "record", "record of another game", "record and journal")


@pytest.mark.parametrize("where", WHERE)
def test_every_forgery_is_caught_or_listed(where: Where) -> None:
    tried = try_all(where, games(where, all_of_them=False), most=1)
    assert tried.caught.total() > 100
    if where == "journal":
        check_list(where, tried, but=(LAST_DAY,))
    if where == "journal and record":
        assert not tried.passed


def test_forgery_without_new_hashes_is_always_detected() -> None:
    for name in (*POKER, *OTHERS):
        for forgery in unchained_forgeries(match_of(name).reading):
            assert forgery.reading is not None
            assert not verify_table(TABLE, forgery.reading).ok, forgery.name


@pytest.mark.slow
def test_all_forgeries_of_all_games_and_their_figures() -> None:
    caught = passed = 0
    for where in WHERE:
        tried = try_all(where, games(where, all_of_them=True), most=2)
        check_list(where, tried, but=HALF_MISSED)
        caught, passed = caught + tried.caught.total(), passed + tried.passed.total()
    write_row("forgeries", forgeries=caught + passed, caught=caught, listed_as_unknowable=passed)


def test_docs_name_the_limits_of_verification() -> None:
    page = (ROOT / "docs" / "durability.md").read_text(encoding="utf-8")
    assert format_unknowable() in page
