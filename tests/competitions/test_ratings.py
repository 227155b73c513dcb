"""Ratings from who won each match: order, draws, intervals, tables, and the missing package."""

import sys

import pytest

from pitboss.chance import Chance
from pitboss.competitions.ratings import rate

NAMES = ("strong", "middle", "weak")


def test_the_better_entrant_has_the_higher_rating_and_an_interval_around_it() -> None:
    matches = [{NAMES[one]: 100, NAMES[other]: -100} for one in range(3) for other in range(one + 1, 3)] * 4
    ratings = rate(NAMES, matches)
    assert ratings is not None
    assert [*sorted(ratings, key=lambda name: -ratings[name].value)] == [*NAMES]
    assert all(each.low < each.value < each.high for each in ratings.values())


def test_more_matches_narrow_the_interval_and_no_match_leaves_it() -> None:
    few, many = [rate(("a", "b", "idle"), [{"a": 1, "b": -1}, {"a": -1, "b": 1}] * rounds) for rounds in (1, 20)]
    assert few is not None
    assert many is not None
    assert many["a"].high - many["a"].low < few["a"].high - few["a"].low
    assert many["idle"] == few["idle"]
    assert many["idle"].value == 25


def test_a_draw_between_equals_moves_neither() -> None:
    ratings = rate(("a", "b"), [{"a": 0, "b": 0}])
    assert ratings is not None
    assert ratings["a"] == ratings["b"]


def test_a_table_is_a_match_of_all_its_entrants() -> None:
    chance, names = Chance(3), [f"bot {strength}" for strength in range(5)]
    tables = [{name: float(strength * 2 + chance.below(3)) for strength, name in enumerate(names)} for _ in range(30)]
    ratings = rate(names, tables)
    assert ratings is not None
    assert sorted(names, key=lambda name: ratings[name].value) == names


def test_without_the_package_there_are_no_ratings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    assert rate(("a", "b"), [{"a": 1, "b": 0}]) is None
