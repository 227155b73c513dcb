"""A table's settings: each has bounds, and a value outside them is refused with a sentence that names the setting."""

from typing import Any

import pytest

from pitboss.arena.hosts.games import find_game
from pitboss.arena.journal.records import Settings, SettingsError
from tests.support.for_each import for_each

MOST = 2**49


def test_table_has_these_defaults() -> None:
    settings = Settings()
    assert (settings.seats, settings.start_at, settings.stack) == (6, 2, 10_000)
    assert (settings.small_blind, settings.big_blind) == (50, 100)
    assert (settings.move_time_ms, settings.max_hands, settings.timeout_policy) == (15_000, None, "check_call")
    assert (settings.game, settings.reopening) == ("no_limit_holdem", "single")


@for_each(
    "given",
    [
        {"seats": 2},
        {"seats": 10, "start_at": 10},
        {"stack": 1},
        {"stack": MOST},
        {"small_blind": 0, "big_blind": 1},
        {"small_blind": 100, "big_blind": 100},
        {"small_blind": MOST, "big_blind": MOST},
        {"move_time_ms": 1},
        {"max_hands": 1},
    ],
)
def test_the_bounds_themselves_are_allowed(given: dict[str, Any]) -> None:
    settings = Settings(**given)
    assert {name: getattr(settings, name) for name in given} == given


@for_each(
    "given, sentence",
    [
        ({"seats": 1, "start_at": 1}, "seats: expected 2 to 10, got 1"),
        ({"seats": 11}, "seats: expected 2 to 10, got 11"),
        ({"start_at": 1}, "start_at: expected 2 to 6, got 1"),
        ({"seats": 3, "start_at": 4}, "start_at: expected 2 to 3, got 4"),
        ({"stack": 0}, "stack: expected 1 to"),
        ({"stack": MOST + 1}, "stack: expected 1 to"),
        ({"small_blind": -1}, "small_blind: expected 0 to"),
        ({"small_blind": 0, "big_blind": 0}, "big_blind: expected 1 to"),
        ({"small_blind": 101}, "small_blind: expected at most the big blind, 100, got 101"),
        ({"move_time_ms": 0}, "move_time_ms: expected 1 to"),
        ({"max_hands": 0}, "max_hands: expected 1 to"),
        ({"timeout_policy": "wait"}, "timeout_policy: expected "),
        ({"reopening": "never"}, "reopening: expected "),
    ],
)
def test_values_out_of_range_are_refused(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SettingsError, match=sentence):
        Settings(**given)


@pytest.mark.parametrize(("name", "hint"), [("stin", "; try sting: "), ("zzzzzzzz", "'zzzzzzzz': "), ("", "'': ")])
def test_a_game_that_is_not_there_is_refused_and_another_suggested_where_one_is_near(name: str, hint: str) -> None:
    with pytest.raises(SettingsError, match="no game is called ") as refused:
        find_game(name)
    assert hint in str(refused.value)
