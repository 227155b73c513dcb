"""What the rulings are for, held on modest samples with fixed seeds: the same runs every time."""

from functools import cache

import pytest

from pitboss.chance import Chance
from pitboss.sting.cards import default_cards
from pitboss.sting.events import StingFold
from pitboss.sting.policies import RUN_PLAYERS, SIMPLE_RUN_PLAYERS
from pitboss.sting.run import Run
from pitboss.sting.sharp import sharp
from pitboss.sting.simulate import MOST_HANDS, RunExperiment, RunResult, play_runs, simulate_runs

DIFFICULTIES = ("easy", "normal", "hard")
CONTENDERS = ("eager", "early_folder", "counter", "careful", "leaver", "shopper")
"""The small policies that come far; the others are in the page's tables."""


@cache
def result(player: str, difficulty: str, runs: int = 50) -> RunResult:
    game = RunExperiment(cards=default_cards(), decks={}, difficulty=difficulty, seed=2)
    [found] = simulate_runs(game, [player], runs, jobs=1)
    return found


@pytest.mark.check
@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_only_sharp_is_clearly_best_and_it_folds_and_sometimes_loses(difficulty: str) -> None:
    best, second, *_ = sorted((result(name, difficulty).cash.mean for name in CONTENDERS), reverse=True)
    assert best <= 1.25 * second
    sharp = result("sharp", difficulty, 100)
    assert sharp.cash.mean > best
    assert sharp.cash.mean >= 2 * result("eager", difficulty).cash.mean
    assert 0.1 <= sharp.fold.rate <= 1 / 3
    assert 0.05 < sharp.win.rate < 0.9


def test_good_play_leaves_at_some_decision_points_and_continues_at_most() -> None:
    left = asked = 0
    for seed in range(50):
        run, _ = Run.start(seed=seed, difficulty="normal")
        while not run.over:
            action, deciding = sharp(run.view(), Chance(seed)), run.hand.state == "DecisionPoint"
            asked += deciding
            left += deciding and isinstance(action, StingFold)
            run, _ = run.act(action)
    assert 0.05 < left / asked < 0.2


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_leaving_at_a_decision_point_is_cheap_and_dearer_from_round_to_round(difficulty: str) -> None:
    stakes = default_cards().difficulty(difficulty)
    first, second, last = (stakes.fold_price(1, True), stakes.fold_price(2, True), stakes.fold_price(3, False))
    assert first[0] < second[0] < last[0]
    assert first[1] <= second[1] < last[1]


def test_cooling_down_and_folding_lives_for_ever_as_printed_and_no_more() -> None:
    assert result("cooler", "printed", 5).alive.rate == 1
    for difficulty in DIFFICULTIES:
        cooled = result("cooler", difficulty, 5)
        assert (cooled.alive.rate, cooled.win.rate) == (0, 0)
        assert cooled.cash.mean < 0
        assert cooled.hands.mean <= default_cards().difficulty(difficulty).hands < MOST_HANDS


def test_runs_do_not_depend_on_how_they_are_cut_into_blocks() -> None:
    game = RunExperiment(cards=default_cards(), decks={}, difficulty="normal", seed=4)
    _, whole = play_runs(game, "counter", range(6))
    _, first = play_runs(game, "counter", range(2))
    first.add(play_runs(game, "counter", range(2, 6))[1])
    assert first == whole
    assert set(CONTENDERS) < set(SIMPLE_RUN_PLAYERS) < set(RUN_PLAYERS)
