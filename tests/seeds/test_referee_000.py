"""Hands of no-limit hold'em against the model of 000: a few here, many with `make referees`."""

from collections.abc import Callable

import pytest

from tests.seeds.referee_000 import play
from tests.support.laws.laws import LawBroken
from tests.support.laws.many import play_all
from tests.support.seeds import nolimit_model as model


def test_000_hands_are_those_of_the_model() -> None:
    counts = play_all(play, 1, range(60))
    assert counts["hands"] == 60
    assert counts["hands with side pots"] > 5


@pytest.mark.check
def test_000_many_hands_are_those_of_the_model() -> None:
    counts = play_all(play, 2, range(1500))
    assert counts["hands"] == 1500
    assert min(counts[rare] for rare in ("straddles", "short blinds", "split pots", "heads-up", "refunds")) > 50


def always_may_raise(self: model.NoLimitHand, place: int) -> bool:
    return True


def no_refund(self: model.NoLimitHand) -> None:
    return None


def highest_card(cards: tuple[str, ...]) -> tuple[int, ...]:
    return (max(model.RANKS.index(card[0]) for card in cards),)


@pytest.mark.parametrize(
    ("where", "name", "wrong"),
    [
        (model.NoLimitHand, "_may_raise", always_may_raise),
        (model.NoLimitHand, "_refund", no_refund),
        (model, "strength", highest_card),
    ],
    ids=("a short all-in that reopens", "a bet that is not returned", "another order of hands"),
)
def test_000_a_model_with_other_rules_would_be_noticed(
    where: object, name: str, wrong: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, name, wrong)
    with pytest.raises(AssertionError, match=LawBroken.__name__):
        play_all(play, 1, range(200))
