"""Pins, bans and betting: contradictions and the games that meet them."""

import pytest

from pitboss.lab.evolution.archive import EvolutionError
from pitboss.lab.evolution.constraints import Constraints
from pitboss.lab.files import load
from tests.support.for_each import for_each


@for_each(
    "settings, sentence",
    [
        (
            {"pins": ("TrickPhase",), "bans": ("TrickPhase",)},
            "TrickPhase is both pinned and banned: remove one of the two",
        ),
        ({"pins": ("TrikPhase",)}, "pins and bans: expected types among DrawPhase, PlayPhase"),
        ({"pins": ("BettingPhase",), "betting": "forbid"}, "BettingPhase is pinned, but betting is forbidden"),
        ({"bans": ("BettingPhase",), "betting": "require"}, "BettingPhase is banned, but betting is required"),
        (
            {"pins": ("low_score",), "betting": "require"},
            "low_score is pinned, but betting is required, and points never win pots: remove one of the two",
        ),
        ({"pins": ("BettingPhase", "TrickPoints")}, "TrickPoints is pinned, but so is BettingPhase, and points"),
        ({"betting": "perhaps"}, "betting: expected one of require, allow, forbid, got 'perhaps'"),
        ({"pins": ("high_card", "best_hand")}, "high_card and best_hand are pinned, but a game has one aim"),
    ],
)
def test_contradictions_are_refused_with_one_sentence(settings: dict[str, object], sentence: str) -> None:
    with pytest.raises(EvolutionError) as error:
        Constraints(**settings)  # type: ignore[arg-type]  # each is of its own type
    assert str(error.value).startswith(sentence)
    assert "\n" not in str(error.value)


def test_games_meet_the_constraints_or_not() -> None:
    kuhn, whist = load("kuhn"), load("whist")
    assert Constraints().met(kuhn)
    assert Constraints().met(whist)
    assert [Constraints(betting="require").met(game) for game in (kuhn, whist)] == [True, False]
    assert [Constraints(betting="forbid").met(game) for game in (kuhn, whist)] == [False, True]
    assert [Constraints(pins=("TrickPhase",)).met(game) for game in (kuhn, whist)] == [False, True]
    assert [Constraints(bans=("most_tricks",)).met(game) for game in (kuhn, whist)] == [True, False]
    assert Constraints(pins=("TrickPhase", "high_card")).missing(kuhn) == ("TrickPhase",)
