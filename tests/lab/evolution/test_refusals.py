"""Reasons to reject a measured game, each alone, and none for a good game."""

import pytest
from msgspec.structs import replace

from pitboss.lab.evolution.run import reason_to_reject
from pitboss.lab.files import load
from pitboss.lab.measures.figures import Measure
from pitboss.lab.measures.measure import Measured, measure
from tests.support.for_each import for_each

LEDUC = load("leduc")


@pytest.fixture(scope="module")
def good() -> Measured:
    """The measures of Leduc, adjusted to be within all limits."""
    found = measure(LEDUC, games=40)
    fine = {"decisive": 1.0, "decisions": 0.8, "mattered": 0.3, "tension": 0.6, "seat_advantage": 0.0, "pot": 0.3}
    fine |= {"start_advantage": 0.0}
    fine |= {"stopped": 0.0, "idle_steps": 0.0, "open_bets": 0.0, "bets": 1.0, "showdowns": 0.5}
    return replace(
        found,
        measures=found.measures | {name: Measure(value, value, value) for name, value in fine.items()},
        rules={name: Measure(1, 1, 1) for name in found.rules},
    )


def test_a_good_game_is_not_refused(good: Measured) -> None:
    assert reason_to_reject(LEDUC, good) == ""


@for_each(
    "name, value, reason",
    [
        ("decisive", 0.4, "few games have a single winner"),
        ("decisions", 0.1, "there is hardly anything to choose"),
        ("mattered", 0.01, "no choice matters"),
        ("tension", 0.05, "games are decided from the start"),
        ("stopped", 0.2, "too many games reach the turn limit"),
        ("idle_steps", 0.5, "a step decides nothing"),
        ("seat_advantage", 0.4, "one seat nearly always wins"),
        ("start_advantage", 0.2, "the starting player wins too many or too few deals"),
        ("open_bets", 0.3, "bets are made when all players know the winner"),
        ("bets", 0.1, "players hardly ever bet"),
        ("pot", 0.01, "the pots are too small to matter"),
        ("showdowns", 0.01, "few deals reach a showdown"),
    ],
)
def test_each_limit_has_its_reason(good: Measured, name: str, value: float, reason: str) -> None:
    bad = replace(good, measures={**good.measures, name: Measure(value, value, value)})
    assert reason_to_reject(LEDUC, bad) == reason


def test_a_rule_that_is_hardly_used_is_refused(good: Measured) -> None:
    first = next(name for name in good.rules if "BettingPhase" in name)
    assert (
        reason_to_reject(LEDUC, replace(good, rules={**good.rules, first: Measure(0, 0, 0)}))
        == "a rule is hardly ever used"
    )
