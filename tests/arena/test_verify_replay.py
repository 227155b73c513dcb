"""A journal played again: what is written and not read, and what calls itself a day."""

from typing import Any

import pytest

from pitboss.arena.verify.replay import _extra, _is_day


@pytest.mark.parametrize(
    ("written", "read", "extra"),
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
def test_what_is_written_and_not_read_is_named(written: Any, read: Any, extra: str | None) -> None:
    assert _extra(written, read) == extra


@pytest.mark.parametrize(
    ("text", "is_day"),
    [("2026-11-16", True), ("2024-02-29", True), ("2026-02-29", False), ("20261116", False), ("2026-W47-1", False)],
)
def test_a_day_is_written_in_one_way(text: str, is_day: bool) -> None:
    assert _is_day(text) is is_day
