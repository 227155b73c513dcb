"""Runs: the seed decides everything, an interrupted run gives the same archive, and the map stays diverse."""

from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from pitboss.lab.evolution.archive import EvolutionError, GameArchive, Recipe, read_archive, write_archive
from pitboss.lab.evolution.breeder import structure_text
from pitboss.lab.evolution.constraints import parts
from pitboss.lab.evolution.map import GameMap, game_kind
from pitboss.lab.evolution.run import EvolutionRun, GameTask, Judged, RunProgress, judge
from pitboss.lab.files import known_games, load
from pitboss.lab.genome import problems
from pitboss.lab.measures.figures import exact_measure
from pitboss.lab.variation.tidy import only_compares, tidy
from tests.lab.evolution.stand_in import judged_by_letters, ran

SHORT = Recipe(generations=12, population=12, seed=5)


def assert_diverse(archive: GameArchive) -> None:
    """Check what must hold for every map."""
    cells, many = archive.cells, len(archive.cells)
    assert len({cell.cell for cell in cells}) == len({cell.name for cell in cells}) == many
    assert len({structure_text(cell.genome) for cell in cells}) * 3 >= many * 2
    assert len({game_kind(cell.genome) for cell in cells}) == many
    most = max(2, many // 10)
    for lines in ([cell.parent for cell in cells], [cell.founder for cell in cells]):
        assert max(Counter(lines).values()) <= most
    known = {structure_text(load(name)) for name in known_games()}
    assert not {structure_text(cell.genome) for cell in cells} & known
    assert all(problems(cell.genome) == () and tidy(cell.genome) == cell.genome for cell in cells)
    assert not any(only_compares(cell.genome) for cell in cells)


@pytest.mark.check
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_map_stays_diverse_and_a_fair_share_bets(seed: int) -> None:
    archive = ran(Recipe(generations=25, population=16, seed=seed))
    assert len(archive.cells) >= 30
    assert_diverse(archive)
    betting = len([1 for cell in archive.cells if cell.genome.betting_phases])
    assert len(archive.cells) / 2 <= betting < len(archive.cells)


@pytest.mark.parametrize(("betting", "bets"), [("require", True), ("forbid", False)])
def test_betting_follows_the_setting(betting: str, bets: bool) -> None:
    archive = ran(replace(SHORT, betting=betting))
    assert len(archive.cells) >= 10
    assert_diverse(archive)
    assert {bool(cell.genome.betting_phases) for cell in archive.cells} == {bets}


@pytest.mark.check
def test_every_game_has_pinned_parts_and_no_banned_ones() -> None:
    for pin, ban in (("TrickPhase", "LaySets"), ("ClaimPhase", "BettingPhase"), ("best_hand", "CommunityPhase")):
        archive = ran(replace(SHORT, pins=(pin,), bans=(ban,)))
        assert len(archive.cells) >= 3
        assert all(pin in parts(cell.genome) and ban not in parts(cell.genome) for cell in archive.cells)


def test_a_pinned_aim_that_excludes_bets_gives_a_map_without_bets() -> None:
    archive = ran(replace(SHORT, pins=("high_score",)))
    assert len(archive.cells) >= 6
    assert {bool(cell.genome.betting_phases) for cell in archive.cells} == {False}


def test_a_run_from_a_given_game_has_no_other_founder() -> None:
    own = replace(load("hearts"), name="mine")
    archive = ran(replace(SHORT, founders=(own,)))
    assert len(archive.cells) >= 5
    assert {cell.founder for cell in archive.cells} == {"mine"}
    assert max(Counter([cell.parent for cell in archive.cells]).values()) <= max(2, len(archive.cells) // 10)


def test_the_seed_decides_the_archive() -> None:
    assert ran(SHORT) == ran(SHORT)
    assert ran(SHORT).cells != ran(replace(SHORT, seed=6)).cells


def test_an_interrupted_run_gives_the_same_file(tmp_path: Path) -> None:
    class Stopped(Exception):
        pass

    def stop(progress: RunProgress) -> None:
        if not progress.births:
            write_archive(tmp_path, progress.archive)
        if progress.archive.generation == 6 and progress.under_way == 5:
            raise Stopped

    run = EvolutionRun(GameArchive(recipe=SHORT), lambda tasks: map(judged_by_letters, tasks))
    with pytest.raises(Stopped):
        run.run(stop)
    assert run.archive.generation == 6
    again = EvolutionRun(read_archive(tmp_path), lambda tasks: map(judged_by_letters, tasks))
    again.run()
    write_archive(tmp_path, again.archive)
    resumed = (tmp_path / "archive.json").read_bytes()
    write_archive(tmp_path, ran(SHORT))
    assert (tmp_path / "archive.json").read_bytes() == resumed


def test_every_game_is_counted_and_has_its_ancestors() -> None:
    archive = ran(SHORT)
    assert archive.finished
    assert archive.judged <= 13 * 12
    assert set(archive.refused) == {"its letters are wrong"}
    assert 0 < sum(archive.refused.values()) < archive.judged / 4
    assert any(len(cell.lineage) > 1 for cell in archive.cells)
    assert all(cell.operators for cell in archive.cells)


def test_impossible_settings_are_refused_before_breeding() -> None:
    for wrong in (
        replace(SHORT, style="fine"),
        replace(SHORT, axes=("skill", "colour")),
        replace(SHORT, axes=("skill", "skill")),
        replace(SHORT, pins=("TrickPhase",), bans=("TrickPhase",)),
        replace(SHORT, population=0),
    ):
        with pytest.raises(EvolutionError):
            EvolutionRun(GameArchive(recipe=wrong), lambda tasks: [])


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_map_stays_diverse_with_real_measures(seed: int) -> None:
    run = EvolutionRun(
        GameArchive(recipe=Recipe(generations=30, population=16, seed=seed)), lambda tasks: map(judge, tasks)
    )
    run.run()
    assert len(run.archive.cells) >= 15
    assert_diverse(run.archive)
    betting = len([1 for cell in run.archive.cells if cell.genome.betting_phases])
    assert betting >= len(run.archive.cells) / 2


def test_only_the_second_measurement_counts() -> None:
    recipe = Recipe(generations=4, population=12, seed=3)

    def flattered(task: GameTask) -> Judged:
        found = judged_by_letters(task)
        if task.games > recipe.games:
            return found
        return replace(found, measures=found.measures and {**found.measures, "tension": exact_measure(1.0)})

    run = EvolutionRun(GameArchive(recipe=recipe), lambda tasks: map(flattered, tasks))
    run.run()
    assert len(run.archive.cells) > 3
    for cell in run.archive.cells:
        assert cell.measures == judged_by_letters(GameTask(cell.genome, recipe.games, recipe.seed)).measures
        assert cell.cell == GameMap(recipe).where(cell.measures)
