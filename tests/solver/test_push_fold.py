"""Push or fold: against published figures, against a slow best response, and against sampled games."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from pitboss import PitbossError, equity, push_fold
from pitboss.fast.equity import preflop
from pitboss.fast.equity.ranges import HAND_CLASSES
from tests.support.for_each import for_each

COUNTS = "pitboss.solver.push_fold.class_counts"


def made_up() -> Any:
    """Counts in which the better class of the list wins four boards of five, without any card in common."""
    deals = np.full((169, 169), 10, np.int64)
    better = np.arange(169)[:, None] < np.arange(169)[None, :]
    share = np.where(better, 4, np.where(better.T, 1, 2)) * preflop.BOARDS * 10 // 5
    wins = np.where(np.eye(169, dtype=bool), preflop.BOARDS * 5, share)
    return np.stack([wins, np.zeros_like(wins), deals])


@pytest.fixture
def simple(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let push_fold use counts that are made up, because the true ones take half a minute."""
    monkeypatch.setattr(COUNTS, made_up)


@pytest.mark.usefixtures("simple")
def test_two_players_agree_with_best_responses_worked_out_slowly() -> None:
    found = push_fold((20, 20), (1, 2), target=1e-4)
    push = [found.node(1).shares[name] for name in HAND_CLASSES]
    call = [found.node(0, (1,)).shares[name] for name in HAND_CLASSES]
    wins = made_up()[0] / (preflop.BOARDS * 10)

    def value(pushing: list[float], calling: list[float]) -> float:
        """What the button wins on average."""
        total = 0.0
        for one, other in product(range(169), repeat=2):
            called = 20 * (2 * wins[one, other] - 1)
            total += pushing[one] * (calling[other] * called + (1 - calling[other]) * 2) - (1 - pushing[one])
        return total / 169**2

    played = value(push, call)
    gains = (20 * (2 * wins - 1)) @ np.array(call) / 169 + (1 - np.array(call)).mean() * 2
    best = np.maximum(gains, -1).mean()
    lost = np.array([sum(push[one] * 20 * (2 * wins[one, other] - 1) for one in range(169)) for other in range(169)])
    least = np.minimum(lost, 2 * sum(push)).mean() / 169 - 1 + sum(push) / 169
    assert found.value[1] == pytest.approx(played, abs=1e-9)
    assert found.value[0] == pytest.approx(-played, abs=1e-9)
    assert found.exploitability == pytest.approx((best - least) / 2, abs=1e-9)
    assert found.exploitability <= 2e-4
    assert found.interval is None
    assert found.samples == 0


@pytest.mark.slow
def test_heads_up_ranges_agree_with_published_equilibria() -> None:
    """With ten big blinds the button pushes 58.3 % of all hands, and 37.4 % call."""
    found = push_fold((20, 20), (1, 2), target=1e-4)
    push, call = found.node(1), found.node(0, (1,))
    assert push.share == pytest.approx(0.583, abs=0.004)
    assert call.share == pytest.approx(0.374, abs=0.004)
    for name in ("22", "A2o", "K2s", "JTo"):
        assert push.shares[name] == pytest.approx(1, abs=0.01)
    for name in ("72o", "32o", "T2o"):
        assert push.shares[name] == pytest.approx(0, abs=0.01)
    shares = [push_fold((chips, chips), (1, 2)).node(1).share for chips in (6, 10, 20, 40)]
    assert shares == sorted(shares, reverse=True)
    whole = push_fold((20, 20), (1, 2), payouts=(70, 30), target=1e-4)
    assert whole.node(1).share == pytest.approx(push.share, abs=0.005)  # between two players chips are prizes
    assert sum(whole.value) == pytest.approx(100)


@pytest.mark.usefixtures("simple")
def test_three_players_are_sampled_with_intervals() -> None:
    found = push_fold((20, 20, 20), (1, 2), samples=4000, seed=3, target=0.01)
    assert found.samples == 4000
    assert found.interval is not None
    assert sum(found.value) == pytest.approx(0, abs=1e-9)
    for value, (low, high) in zip(found.value, found.interval, strict=True):
        assert low < value < high < value + 1
    assert {(node.place, node.after) for node in found.nodes} == {
        (2, ()), (0, ()), (0, (2,)), (1, (0,)), (1, (2,)), (1, (0, 2)),
    }  # fmt: skip
    assert found.node(2).shares["AA"] > 0.95 > found.node(2).share
    assert found.node(2).shares["72o"] < 0.05
    assert push_fold((20, 20, 20), (1, 2), samples=4000, seed=3, target=0.01) == found


@pytest.mark.slow
def test_prizes_make_calling_tighter() -> None:
    chips = push_fold((20, 20, 20), (1, 2), samples=6000, target=0.01)
    prizes = push_fold((20, 20, 20), (1, 2), payouts=(50, 50), samples=6000, target=0.01)
    assert sum(prizes.value) == pytest.approx(100)
    assert prizes.node(1, (2,)).share < chips.node(1, (2,)).share - 0.1


@pytest.mark.usefixtures("simple")
def test_six_players_have_all_decisions() -> None:
    found = push_fold((20,) * 6, (1, 2), ante=0.2, samples=200, target=0.5)
    assert len(found.nodes) == 62
    assert sum(found.value) == pytest.approx(0, abs=1e-9)


def test_side_pots_and_prizes_are_those_worked_out_by_hand() -> None:
    from pitboss.solver.push_fold import _Table

    table = _Table([30.0, 10.0, 50.0], (1.0, 2.0), 0.0, None)
    assert table.after([], []) == [-1, 1, 0]
    assert table.after([2], [0]) == [-1, -2, 3]
    assert table.after([0, 1, 2], [1, 2, 0]) == [10, 20, -30]  # 30 to the short stack, 40 to the small blind
    assert table.after([0, 2], [0, 0]) == [1, -2, 1]
    prizes = _Table([30.0, 10.0, 50.0], (1.0, 2.0), 0.0, [50, 30])
    assert prizes.after([0, 1, 2], [0, 1, 2]) == [30, 0, 50]  # the larger of two stacks that are out is second
    assert sum(prizes.after([0, 2], [1, 0])) == pytest.approx(80)


@for_each(
    "changes, message",
    [
        ({"stacks": (10,)}, "stacks: expected 2 to 6 players, got 1"),
        ({"stacks": (10, 2)}, "stacks: expected more than the big blind and the ante, 2, got 2"),
        ({"stacks": "10 10"}, "stacks: expected a list of numbers, got '10 10'"),
        ({"stacks": (10, float("nan"))}, "stacks: expected numbers from 0 to 1,000,000,000, got nan"),
        ({"blinds": (2, 1)}, "blinds: expected a small blind of at most the big blind, got 2 and 1"),
        ({"blinds": (1,)}, "blinds: expected 2 numbers, got (1,)"),
        ({"ante": -1}, "ante: expected numbers from 0 to 1,000,000,000, got -1"),
        ({"payouts": (1, 2, 3)}, "payouts: expected one per paid place, 1 to 2 of them, got 3"),
        ({"target": 0}, "target: expected a share of the big blind above 0 and below 1, got 0"),
        ({"samples": 5}, "samples: expected a whole number from 100 to 1,000,000, got 5"),
    ],
)
def test_bad_input_is_one_sentence(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(PitbossError) as refused:
        push_fold(**{"stacks": (10, 10), "blinds": (1, 2), **changes})
    assert str(refused.value) == message


@pytest.mark.usefixtures("simple")
def test_an_unknown_decision_is_refused() -> None:
    with pytest.raises(PitbossError, match=r"^node: expected the place of a player who decides after \(\), got 0$"):
        push_fold((20, 20), (1, 2), target=0.1).node(0)


def test_drawn_hands_have_the_strength_of_their_cards() -> None:
    from pitboss.cards import DECK
    from pitboss.solver.boards import strengths_of

    board, hands = "Qs7h2d9c3s", ("QhQd", "AsKs", "7c7d", "JdTc")
    numbers = np.array(
        [[4 * "23456789TJQKA".index(t[0]) + "cdhs".index(t[1]) for t in cards(h + board)] for h in hands]
    )
    found = strengths_of(numbers).tolist()
    for one, other in product(range(len(hands)), repeat=2):
        share = 0.5 if one == other else equity(hands[one], hands[other], board=board).equity[0]
        assert (found[one] > found[other]) - (found[one] < found[other]) == round(2 * share - 1)
    assert len(DECK) == 52


def cards(text: str) -> list[str]:
    """The cards of a text."""
    return [text[at : at + 2] for at in range(0, len(text), 2)]
