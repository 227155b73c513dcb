"""The worth of a game: a product of qualities, weighted by the style."""

from typing import Any

import pytest

from pitboss.lab.evolution.archive import EvolutionError
from pitboss.lab.evolution.styles import QUALITIES, STYLES, game_worth, style_named
from pitboss.lab.measures.figures import Measure
from pitboss.lab.measures.measure import NAMES
from tests.support.for_each import for_each

GOOD: dict[str, Any] = {
    **dict.fromkeys(NAMES, 0.6),
    "seat_advantage": 0.02,
    "start_advantage": 0.02,
    "parts": 3,
    "complexity": 300,
    "open_bets": 0.0,
    "bluffs": 0.1,
    "decisive": 1.0,
}


def measures(**changes: float) -> dict[str, Measure]:
    """The measures of a good game, with changes."""
    return {name: Measure(value, value, value) for name, value in {**GOOD, **changes}.items()}


def test_a_game_without_decisions_that_matter_is_worth_little() -> None:
    balanced = STYLES["balanced"]
    assert game_worth(measures(), True, balanced) > 0.9
    assert game_worth(measures(mattered=0.0), True, balanced) < 0.6
    assert game_worth(measures(mattered=0.0, skill=-0.2, decisions=0.0), True, balanced) < 0.3


@for_each("name", ["mattered", "skill", "tension", "interaction", "decisive", "comeback", "rule_use"])
def test_a_lower_quality_is_worth_less_in_every_style(name: str) -> None:
    for weights in STYLES.values():
        assert game_worth(measures(**{name: 0.1}), True, weights) < game_worth(measures(), True, weights)


def test_an_uncertain_quality_is_worth_less() -> None:
    unsure = {**measures(), "tension": Measure(0.6, 0.0, 1.0)}
    assert game_worth(unsure, True, STYLES["balanced"]) < game_worth(measures(), True, STYLES["balanced"])


def test_styles_prefer_games_that_fit_their_names() -> None:
    bluffs, deep = measures(skill=0.2, bluffs=0.2), measures(skill=0.6, bluffs=0.01)
    assert game_worth(bluffs, True, STYLES["bluffing"]) > game_worth(deep, True, STYLES["bluffing"])
    assert game_worth(bluffs, True, STYLES["strategic"]) < game_worth(deep, True, STYLES["strategic"])
    assert game_worth(measures(), False, STYLES["bluffing"]) <= game_worth(measures(), True, STYLES["bluffing"])


def test_games_without_bets_need_bluffs_only_in_a_bluffing_style() -> None:
    plain = measures(bluffs=0.0, pot=0.0)
    assert game_worth(measures(), True, STYLES["balanced"]) > game_worth(plain, False, STYLES["balanced"]) > 0.8
    assert game_worth(plain, False, STYLES["bluffing"]) < 0.5


def test_unknown_styles_are_refused() -> None:
    assert all(set(weights) == set(QUALITIES) for weights in STYLES.values())
    with pytest.raises(EvolutionError, match="style: expected one of balanced, bluffing, strategic, party, got 'fine'"):
        style_named("fine")
