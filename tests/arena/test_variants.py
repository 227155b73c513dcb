"""A share of the tables of each variant that `python -m tests.arena.variants` plays."""

from pathlib import Path

import pytest

from tests.arena.variants import play_variant


@pytest.mark.slow
@pytest.mark.parametrize(
    "code", ["F7S/8", "F2L3D", "eight_game", "courchevel_hi_lo", "five_card_stud", "crazy_pineapple"]
)
def test_tables_of_a_variant_are_killed_taken_up_verified_and_exported(code: str, tmp_path: Path) -> None:
    run = play_variant(code, 40, tmp_path)
    assert run.problems == []
    assert run.hands == run.replayed >= 40
    assert run.killed_at > 0
