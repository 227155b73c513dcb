"""Pruning: games without one of their parts, and simpler games that replace newcomers."""

from pitboss.lab.evolution.archive import GameArchive, Recipe
from pitboss.lab.evolution.breeder import PRUNING, SIMPLE_PARTS, Breeder, parts_of, simplify
from pitboss.lab.evolution.run import EvolutionRun, GameTask, Judged
from pitboss.lab.files import load
from pitboss.lab.measures.figures import Measure
from pitboss.lab.measures.measure import NAMES
from pitboss.lab.variation.tidy import tidy
from tests.lab.evolution.stand_in import judged_by_letters

RECIPE = Recipe(generations=0, population=36, seed=5, betting="require")


def test_simpler_games_are_tidy_and_keep_betting() -> None:
    for name in ("mau_mau", "community_poker", "knaves", "scopa"):
        game = tidy(load(name))
        found = simplify(game)
        assert found
        for left in found:
            assert parts_of(left) < parts_of(game)
            assert tidy(left) == left
            assert bool(left.betting_phases) == bool(game.betting_phases)


def test_a_game_with_few_parts_is_not_pruned() -> None:
    assert parts_of(load("draw_poker")) == SIMPLE_PARTS
    assert simplify(load("draw_poker")) == ()


def judged_by_parts(task: GameTask, each: float) -> Judged:
    """Each part adds `each` to the tension; apart from that, games differ only in length."""
    found = judged_by_letters(task)
    if found.refused:
        return found
    tension = 0.35 + each * parts_of(task.genome)
    alike = dict.fromkeys(NAMES, Measure(0.5, 0.5, 0.5)) | {"tension": Measure(tension, tension, tension)}
    return Judged(alike | {"length": found.measures["length"]})


def grown(each: float) -> GameArchive:
    run = EvolutionRun(GameArchive(recipe=RECIPE), lambda tasks: [judged_by_parts(task, each) for task in tasks])
    run.run()
    return run.archive


def test_a_game_with_useless_parts_is_replaced_by_a_simpler_one() -> None:
    cells, fits = grown(-0.02).cells, Breeder(RECIPE).fits
    assert any(PRUNING in cell.operators for cell in cells)
    for cell in cells:
        better = [left for left in simplify(cell.genome) if fits(left)]
        assert all(judged_by_parts(GameTask(left, 40, RECIPE.seed), 0).refused for left in better)


def test_useful_parts_are_kept() -> None:
    cells = grown(0.02).cells
    assert max([parts_of(cell.genome) for cell in cells]) > SIMPLE_PARTS
    assert not any(PRUNING in cell.operators for cell in cells)
