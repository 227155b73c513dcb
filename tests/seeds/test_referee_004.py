"""Table hands against the model of 004: a few here, many with `make referees`."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.seeds.referee_004 import play
from tests.support.laws.laws import LawBroken
from tests.support.laws.many import play_all
from tests.support.seeds import table_model as model


def test_004_table_hands_are_those_of_the_model() -> None:
    counts = play_all(play, 1, range(3))
    assert counts["hands"] > 20
    assert counts["joins"] > 10


@pytest.mark.check
def test_004_many_table_hands_are_those_of_the_model() -> None:
    counts = play_all(play, 2, range(40))
    rare = ("busts", "waits", "top-ups", "wishes: waits", "wishes: leaves", "hands given up before the deal")
    assert min(counts[name] for name in rare) > 20
    assert 0 < counts["games by seats"] < counts["games"]


def never_charge(self: model.TableModel, player: model.Player, missed: int) -> None:
    return None


def anyone_plays(self: model.TableModel, player: model.Player) -> bool:
    return player.intent == model.PLAYS and player.stack > 0


def leaves_at_once(self: model.TableModel, *rest: Any) -> None:
    self.stage, self.button = "waiting", None


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("_charge", never_charge), ("_is_dealt_in", anyone_plays), ("_wait", leaves_at_once)],
    ids=("nobody owes a blind", "a player who cannot pay plays", "a table that waits keeps who has no chips"),
)
def test_004_a_model_with_other_rules_would_be_noticed(
    name: str, wrong: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model.TableModel, name, wrong)
    with pytest.raises(AssertionError, match=LawBroken.__name__):
        play_all(play, 1, range(30))
