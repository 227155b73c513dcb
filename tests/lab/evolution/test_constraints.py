"""Pins, bans and betting: what contradicts itself is one sentence."""

import pytest

from pitboss.lab.evolution.archive import EvolutionError
from pitboss.lab.evolution.constraints import Constraints
from pitboss.lab.files import load
from tests.support.for_each import for_each


@for_each(
    "wish, sentence",
    [
        (
            {"pins": ("TrickPhase",), "bans": ("TrickPhase",)},
            "TrickPhase is pinned and banned: take one of the two back",
        ),
        ({"pins": ("TrikPhase",)}, "there is no part of type 'TrikPhase': there are DrawPhase, PlayPhase"),
        ({"pins": ("BettingPhase",), "betting": "forbid"}, "BettingPhase is pinned, but betting is forbidden"),
        ({"bans": ("BettingPhase",), "betting": "require"}, "BettingPhase is banned, but betting is required"),
        (
            {"pins": ("low_score",), "betting": "require"},
            "low_score is pinned, but betting is required, and pots never go by points: take one back",
        ),
        ({"pins": ("BettingPhase", "TrickPoints")}, "TrickPoints is pinned, but so is BettingPhase, and pots"),
        ({"betting": "perhaps"}, "betting is one of require, allow, forbid, not 'perhaps'"),
        ({"pins": ("high_card", "best_hand")}, "high_card and best_hand are both pinned"),
    ],
)
def test_what_contradicts_itself_is_said(wish: dict[str, object], sentence: str) -> None:
    with pytest.raises(EvolutionError) as error:
        Constraints(**wish)  # type: ignore[arg-type]  # each is of its own type
    assert str(error.value).startswith(sentence)
    assert "\n" not in str(error.value)


def test_a_game_has_what_is_wished_or_not() -> None:
    kuhn, whist = load("kuhn"), load("whist")
    assert Constraints().met(kuhn)
    assert Constraints().met(whist)
    assert [Constraints(betting="require").met(game) for game in (kuhn, whist)] == [True, False]
    assert [Constraints(betting="forbid").met(game) for game in (kuhn, whist)] == [False, True]
    assert [Constraints(pins=("TrickPhase",)).met(game) for game in (kuhn, whist)] == [False, True]
    assert [Constraints(bans=("most_tricks",)).met(game) for game in (kuhn, whist)] == [True, False]
    assert Constraints(pins=("TrickPhase", "high_card")).missing(kuhn) == ("TrickPhase",)
