"""Parts that carry nothing: what is left without one of them, and that the simpler game takes a newcomer's place."""

from pitboss.lab.evolution.archive import GameArchive, Recipe
from pitboss.lab.evolution.breeder import PRUNING, SIMPLE_PARTS, Breeder, parts_of, simpler
from pitboss.lab.evolution.run import EvolutionRun, GameTask, Judged
from pitboss.lab.files import load
from pitboss.lab.measures.figures import Measure
from pitboss.lab.measures.measure import NAMES
from pitboss.lab.variation.tidy import tidy
from tests.lab.evolution.stand_in import judged_by_letters

RECIPE = Recipe(generations=0, population=36, seed=5, betting="require")


def test_what_is_left_makes_sense_and_bets_as_before() -> None:
    for name in ("mau_mau", "community_poker", "knaves", "scopa"):
        game = tidy(load(name))
        found = simpler(game)
        assert found
        for left in found:
            assert parts_of(left) < parts_of(game)
            assert tidy(left) == left
            assert bool(left.betting_phases) == bool(game.betting_phases)


def test_a_game_of_few_parts_is_simple_enough() -> None:
    assert parts_of(load("draw_poker")) == SIMPLE_PARTS
    assert simpler(load("draw_poker")) == ()


def judged_by_parts(task: GameTask, each: float) -> Judged:
    """A part more is worth so much more; games differ in nothing else but their length."""
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


def test_where_parts_carry_nothing_the_game_without_them_takes_its_place() -> None:
    cells, fits = grown(-0.02).cells, Breeder(RECIPE).fits
    assert any(PRUNING in cell.operators for cell in cells)
    for cell in cells:
        better = [left for left in simpler(cell.genome) if fits(left)]
        assert all(judged_by_parts(GameTask(left, 40, RECIPE.seed), 0).refused for left in better)


def test_where_every_part_carries_something_all_stay() -> None:
    cells = grown(0.02).cells
    assert max([parts_of(cell.genome) for cell in cells]) > SIMPLE_PARTS
    assert not any(PRUNING in cell.operators for cell in cells)
