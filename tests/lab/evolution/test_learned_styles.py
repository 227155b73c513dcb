"""Weights learned from ratings move towards what players liked, more with more ratings."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from pitboss.lab.evolution.archive import EvolutionError, Recipe, read_archive, write_archive
from pitboss.lab.evolution.styles import QUALITIES, STYLES, learn_weights
from pitboss.lab.ratings import Rating, add_rating
from tests.lab.evolution.stand_in import ran

BALANCED = STYLES["balanced"]


def rated(folder: Path, count: int) -> None:
    """Write a run whose games are rated higher the more tense they are."""
    archive = ran(Recipe(generations=12, population=12, seed=5))
    tense = sorted(archive.cells, key=lambda cell: QUALITIES["tension"].of(cell.measures))
    write_archive(folder, replace(archive, cells=tuple(tense)))
    step = max(1, len(tense) // count)
    for number, cell in enumerate(tense[::step][:count]):
        add_rating(folder, Rating(cell.name, 1 + 4 * number // (count - 1)))


def test_a_liked_quality_gains_weight_by_at_most_a_factor_of_two(tmp_path: Path) -> None:
    rated(tmp_path, 8)
    weights, lessons, count = learn_weights(tmp_path, BALANCED)
    assert count == 8
    assert weights["tension"] > 1.2 * BALANCED["tension"]
    assert all(BALANCED[name] / 2 <= weight <= 2 * BALANCED[name] for name, weight in weights.items())
    [lesson] = [lesson for lesson in lessons if lesson.quality == "tension"]
    assert lesson.correlation > 0.7
    assert (lesson.before, lesson.after) == (BALANCED["tension"], weights["tension"])


def test_few_ratings_have_little_effect_and_an_empty_file_is_refused(tmp_path: Path) -> None:
    rated(tmp_path, 3)
    few = learn_weights(tmp_path, BALANCED)[0]["tension"]
    assert BALANCED["tension"] < few < 1.3 * BALANCED["tension"]
    (tmp_path / "ratings.jsonl").unlink()
    with pytest.raises(EvolutionError, match="expected ratings of at least 3 games, got 0"):
        learn_weights(tmp_path, BALANCED)


def test_games_that_lack_a_measure_still_teach_the_other_weights(tmp_path: Path) -> None:
    rated(tmp_path, 8)
    archive = read_archive(tmp_path)
    measure = QUALITIES["comeback"].measure
    older = [{name: one for name, one in cell.measures.items() if name != measure} for cell in archive.cells]
    cells = tuple([replace(cell, measures=left) for cell, left in zip(archive.cells, older, strict=True)])
    write_archive(tmp_path, replace(archive, cells=cells))
    weights, _, _ = learn_weights(tmp_path, BALANCED)
    assert weights["comeback"] == BALANCED["comeback"]
    assert weights["tension"] > BALANCED["tension"]
