"""A journal replayed: entries that are written but not readable, and values that are not days."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from pitboss.arena.journal.records import HandStarted, Settings, read_record
from pitboss.arena.verify.journal import _extra, _is_day, verify_table
from pitboss.store import Chain, Reading, read_chain, start_hash
from tests.support.arena.matches import RecordedMatch, played
from tests.support.arena.rooms import Parlour
from tests.support.for_each import for_each


@for_each(
    "written, read, extra",
    [
        ({"a": 1}, {"a": 1}, None),
        ({"a": 1, "b": 2}, {"a": 1}, "b"),
        ({"a": 1}, {"a": 1, "b": 2}, None),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1}}, "c"),
        ({"a": {"b": 1}, "d": 2}, {"a": {"b": 1}}, "d"),
        ({"a": [{"b": 1}, {"b": 1, "e": 2}]}, {"a": [{"b": 1}, {"b": 1}]}, "e"),
        ({"a": [{"b": 1}, {"b": 1}], "f": 3}, {"a": [{"b": 1}, {"b": 1}]}, "f"),
        ([1, [{"g": 1}]], [1, [{}]], "g"),
        ([{"h": 1}], [1], None),
        ({"a": {"b": 1}}, {"a": None}, None),
    ],
)
def test_written_but_unread_entries_are_named(written: Any, read: Any, extra: str | None) -> None:
    assert _extra(written, read) == extra


@for_each(
    "text, is_day",
    [("2026-11-16", True), ("2024-02-29", True), ("2026-02-29", False), ("20261116", False), ("2026-W47-1", False)],
)
def test_a_day_is_written_in_one_way(text: str, is_day: bool) -> None:
    assert _is_day(text) is is_day


def rewritten(match: RecordedMatch, change: Callable[[dict[str, Any]], bool]) -> Reading:
    """The journal with its first possible record changed, and all hashes computed again."""
    chain, changed, entries = Chain("T-1", start_hash("T-1")), False, []
    for entry in match.entries:
        record = json.loads(entry.body)
        if not changed and change(record):
            changed = True
        body = json.dumps(record).encode() if changed else entry.body
        entries.append(chain.append(body, seals=entry.seals))
    assert changed
    return read_chain("T-1", entries, chain.head)


def add_a_field(record: dict[str, Any]) -> bool:
    acted: bool = record["type"] == "acted"
    if acted:
        record["remark"] = "nothing"
    return acted


def let_a_raise_be_a_timeout(record: dict[str, Any]) -> bool:
    raised: bool = record["type"] == "acted" and "raise" in json.dumps(record["action"])
    if raised:
        record["cause"] = "timeout"
    return raised


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (add_a_field, "has the field 'remark', which a record of type Acted does not have"),
        (let_a_raise_be_a_timeout, "action on a timeout: expected check, got raise"),
    ],
)
def test_impossible_journal_entries_are_found(change: Callable[[dict[str, Any]], bool], sentence: str) -> None:
    match = played(4)
    assert verify_table("T-1", match.reading).ok
    assert any(sentence in problem for problem in verify_table("T-1", rewritten(match, change)).problems)


@pytest.mark.parametrize("mixing", [False, True])
def test_a_clock_that_steps_back_over_midnight_makes_no_forgery(mixing: bool) -> None:
    parlour = Parlour(Settings(seats=2, start_at=2, max_hands=4))
    parlour.day = "2026-11-16"
    for team in ("A", "B"):
        parlour.join(team, **({"next": "0" * 64} if mixing else {}))
    for day in ("2026-11-15", "2026-11-15", "2026-11-17", "2026-11-17"):
        parlour.day = day
        while not parlour.match.underway:
            parlour.pass_time(1.0)
        parlour.play_hand()
        if day == "2026-11-15":
            parlour.restart()
            for team in ("A", "B"):
                parlour.join(team)
    assert parlour.match.over
    reading = parlour.disk.read("T-1")
    assert verify_table("T-1", reading).problems == []
    started = [record for entry in reading.entries if isinstance(record := read_record(entry.body), HandStarted)]
    days = [record.hand_id[2:12] for record in started]
    assert days == sorted(days)
    assert set(days) == {"2026-11-16", "2026-11-17"}
