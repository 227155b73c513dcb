"""`pitboss lab evolve`: the folder it fills, what it prints, interrupts, continuing, and wrong input."""

import os
import signal
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from rich.console import Console

from pitboss.cli.lab import evolve
from pitboss.lab.evolution import archive as archive_module
from pitboss.lab.evolution import run as run_module
from pitboss.lab.evolution.archive import EvolutionError, GameArchive, game_file, read_archive
from pitboss.lab.evolution.run import GameTask, Judged, RunProgress
from pitboss.lab.files import load
from pitboss.lab.ratings import Rating, add_rating
from tests.lab.evolution.stand_in import judged_by_letters
from tests.support.cli.runs import lines, run
from tests.support.for_each import for_each

EVOLVE = ("lab", "evolve", "--workers", "1")
SMALL = ("--generations", "5", "--population", "8", "--seed", "3")


@pytest.fixture(autouse=True)
def _nothing_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_module, "judge", judged_by_letters)
    monkeypatch.setattr(evolve, "measure", lambda *_, **__: None)


def content(folder: Path) -> bytes:
    """Return the contents of a folder's archive."""
    return (folder / "archive.json").read_bytes()


def refused(*arguments: str) -> str:
    """The one sentence with which a run does not begin."""
    result = run(*EVOLVE, *arguments)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix("pitboss lab evolve: ").strip()


@pytest.mark.check
def test_a_folder_has_the_archive_and_every_game(tmp_path: Path) -> None:
    result = run(*EVOLVE, "--out", str(tmp_path / "deep" / "found"), *SMALL)
    assert result.exit_code == 0
    first, *_ = result.stderr.splitlines()
    assert first.startswith("generation 0 of 5: ")
    archive = read_archive(tmp_path / "deep" / "found")
    games = tmp_path / "deep" / "found" / "games"
    assert {path.stem for path in games.iterdir()} == {game_file(cell) for cell in archive.cells}
    assert all(load(str(games / f"{game_file(cell)}.json")) == cell.genome for cell in archive.cells)
    best = max(archive.cells, key=lambda cell: cell.worth)
    assert f"{len(archive.cells)} of 144 cells" in result.stdout
    assert f"pitboss lab play {games / game_file(best)}.json" in result.stdout


def test_json_is_one_object(tmp_path: Path) -> None:
    result = run(*EVOLVE, "--out", str(tmp_path), *SMALL, "--json")
    [found] = lines(result.stdout)
    assert [found[name] for name in ("generations", "population", "seed", "of")] == [5, 8, 3, 144]
    assert found["cells"] == len(read_archive(tmp_path).cells)
    assert found["best"][0]["worth"] == max(cell.worth for cell in read_archive(tmp_path).cells)


def interrupted_after(monkeypatch: pytest.MonkeyPatch, folder: Path | None, generation: int = 0) -> None:
    """Interrupt the first judgement after a folder has a generation; without a folder, the very first."""

    def judge(task: GameTask) -> Judged:
        if folder is None or ((folder / "archive.json").exists() and read_archive(folder).generation >= generation):
            raise KeyboardInterrupt
        return judged_by_letters(task)

    monkeypatch.setattr(run_module, "judge", judge)


def test_interrupted_run_is_saved_and_resumes_to_the_same_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(*EVOLVE, "--out", str(tmp_path / "whole"), *SMALL)
    with monkeypatch.context() as patched:
        interrupted_after(patched, tmp_path / "broken", 1)
        result = run(*EVOLVE, "--out", str(tmp_path / "broken"), *SMALL)
    assert result.exit_code == 130
    assert "interrupted after 1 of 5 generations; continue with --resume" in result.stderr
    assert read_archive(tmp_path / "broken").generation == 1
    assert list((tmp_path / "broken" / "games").iterdir())
    assert run(*EVOLVE, "--out", str(tmp_path / "broken"), "--resume").exit_code == 0
    assert content(tmp_path / "broken") == content(tmp_path / "whole")
    names = [{path.name for path in (tmp_path / one / "games").iterdir()} for one in ("broken", "whole")]
    assert names[0] == names[1]


def test_resume_begins_an_empty_folder_and_leaves_a_finished_run_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(*EVOLVE, "--out", str(tmp_path), *SMALL, "--resume").exit_code == 0
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in [tmp_path / "archive.json"]}
    interrupted_after(monkeypatch, None)
    assert run(*EVOLVE, "--out", str(tmp_path), *SMALL, "--resume").exit_code == 0
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in before} == before


def test_run_can_be_extended_to_more_generations(tmp_path: Path) -> None:
    run(*EVOLVE, "--out", str(tmp_path / "more"), *SMALL)
    run(*EVOLVE, "--out", str(tmp_path / "more"), "--resume", "--generations", "7")
    run(*EVOLVE, "--out", str(tmp_path / "once"), "--generations", "7", "--population", "8", "--seed", "3")
    assert content(tmp_path / "more") == content(tmp_path / "once")


def test_a_folder_of_another_run_is_left_alone(tmp_path: Path) -> None:
    run(*EVOLVE, "--out", str(tmp_path), *SMALL)
    before = content(tmp_path)
    assert "already has a run: continue it with --resume" in refused("--out", str(tmp_path), *SMALL)
    assert "has a different run: its seed is 3, not 4" in refused("--out", str(tmp_path), "--resume", "--seed", "4")
    assert "its style is balanced, not party" in refused("--out", str(tmp_path), "--resume", "--style", "party")
    assert content(tmp_path) == before
    for written, sentence in (("[]", ": expected an archive of `pitboss lab evolve`"), ("", "got an empty file")):
        (tmp_path / "archive.json").write_text(written, encoding="utf-8")
        assert sentence in refused("--out", str(tmp_path), "--resume")


@for_each(
    "arguments, sentence",
    [
        (("--style", "fine"), "style: expected one of balanced, bluffing, strategic, party, got 'fine'"),
        (("--axes", "skill,colour"), "axes: expected two of skill, length"),
        (("--axes", "skill"), "axes: expected two different axes"),
        (("--pin", "TrickPhase", "--ban", "TrickPhase"), "TrickPhase is both pinned and banned: remove one of the two"),
        (("--betting", "perhaps"), "betting: expected one of require, allow, forbid"),
        (("--from", "nothing.json"), "expected an existing file or one of war, "),
        (("--learn", "nowhere"), "nowhere has no archive.json"),
        (("--pin", "high_score", "--betting", "require"), "high_score is pinned, but betting is required, and p"),
        (
            ("--pin", "most_tricks", "--ban", "TrickPhase"),
            "cannot make a game with betting allowed, most_tricks pinned, TrickPhase banned",
        ),
        (("--ray", "nowhere"), "Ray address: expected auto, HOST:PORT or ray://HOST:PORT, got 'nowhere'"),
    ],
)
def test_invalid_arguments_print_one_sentence_and_leave_no_folder(
    tmp_path: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    assert refused("--out", str(tmp_path / "new"), *SMALL, *arguments).startswith(sentence)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "taxes.txt").write_text("", encoding="utf-8")
    for more in ((), ("--resume",)):
        sentence = refused("--out", str(tmp_path), *SMALL, *more)
        assert sentence == f"{tmp_path} has no run, but other files (taxes.txt): choose a new or empty folder"
    assert [path.name for path in tmp_path.iterdir()] == ["taxes.txt"]


def test_files_of_a_run_killed_at_its_start_are_recognised(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / ".archive.json.part").write_text("{", encoding="utf-8")
    assert run(*EVOLVE, "--out", str(tmp_path), *SMALL).exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["archive.json", "games"]


def test_an_unusable_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    (tmp_path / "full" / "archive.json").mkdir(parents=True)
    for out in ("file", "file/under", "full"):
        assert str(tmp_path / out) in refused("--out", str(tmp_path / out), *SMALL)


def test_full_disk_keeps_earlier_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = archive_module.write_whole

    def full(path: Path, text: bytes) -> None:
        if path.name == "archive.json" and path.exists() and read_archive(tmp_path).generation == 2:
            raise EvolutionError(f"{path} cannot be written: No space left on device")
        whole(path, text)

    monkeypatch.setattr(archive_module, "write_whole", full)
    result = run(*EVOLVE, "--out", str(tmp_path), *SMALL)
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1].endswith("archive.json cannot be written: No space left on device")
    archive = read_archive(tmp_path)
    assert archive.generation == 2
    assert {path.stem for path in (tmp_path / "games").iterdir()} == {game_file(cell) for cell in archive.cells}


def dies_in_the_second_generation(folder: Path, task: GameTask) -> Judged:
    """A judge whose process is killed as soon as a generation is kept in the folder."""
    if (folder / "archive.json").exists():
        os.kill(os.getpid(), signal.SIGKILL)
    return judged_by_letters(task)


@pytest.mark.check
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are killed otherwise on Windows")
def test_dead_worker_keeps_earlier_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(run_module, "judge", partial(dies_in_the_second_generation, tmp_path))
        result = run("lab", "evolve", "--workers", "2", "--out", str(tmp_path), *SMALL)
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1].startswith("pitboss lab evolve: a worker ended early")
    archive = read_archive(tmp_path)
    assert archive.generation == 0
    assert {path.stem for path in (tmp_path / "games").iterdir()} == {game_file(cell) for cell in archive.cells}
    assert run(*EVOLVE, "--out", str(tmp_path), "--resume").exit_code == 0


def test_ratings_move_the_weights_of_the_next_run_and_it_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    run(*EVOLVE, "--out", str(first), *SMALL)
    cells = sorted(read_archive(first).cells, key=lambda cell: cell.measures["tension"].mean)
    for number, cell in enumerate(cells):
        add_rating(first, Rating(cell.name, 1 + 4 * number // (len(cells) - 1)))
    result = run(*EVOLVE, "--out", str(second), *SMALL, "--learn", str(first))
    assert result.exit_code == 0
    assert f"weights learned from {len(cells)} rated games" in result.stdout
    assert read_archive(second).recipe.weights["tension"] > 1.5
    before = content(first)
    assert run(*EVOLVE, "--out", str(first), *SMALL, "--learn").exit_code == 0
    assert (first / "archive-1.json").read_bytes() == before
    assert content(first) == content(second)
    interrupted_after(monkeypatch, None)
    assert run(*EVOLVE, "--out", str(first), *SMALL, "--learn").exit_code == 130
    assert content(first) == content(second)  # nothing is set aside before there is something to take its place
    assert not (first / "archive-2.json").exists()
    assert "leave out --learn or --resume" in refused("--out", str(first), "--resume", "--learn")


def test_the_map_fills_on_a_terminal(tmp_path: Path) -> None:
    run(*EVOLVE, "--out", str(tmp_path), *SMALL)
    archive: GameArchive = read_archive(tmp_path)
    text = evolve.map_text(archive).plain
    assert sum(text.count(shade) for shade in "█▓▒░") == len(archive.cells)
    assert text.count("·") == 144 - len(archive.cells)
    shown: Any = evolve.best_table(archive)
    assert shown.row_count == 1 + len(evolve.SHOWN)


def test_a_small_window_has_how_far_it_is_above_the_map(tmp_path: Path) -> None:
    run(*EVOLVE, "--out", str(tmp_path), *SMALL)
    archive = read_archive(tmp_path)
    console = Console(width=60, height=20, file=StringIO())
    rows = console.render_lines(evolve.picture(RunProgress(archive=archive), evolve.RunPace(archive)), pad=False)
    shown = ["".join(segment.text for segment in row) for row in rows]
    assert len(shown) <= 20
    assert shown[0].startswith("generation 5 of 5; 0 games judged per second")
    figures = [f"{max(cell.measures[name].mean for cell in archive.cells):.2f}" for name in evolve.SHOWN]
    assert all(any(f" {figure} " in row for row in shown) for figure in figures)


@pytest.mark.parametrize("columns", [30, 60, 80, 200])
def test_no_figure_of_the_best_games_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    shown = run(*EVOLVE, "--out", str(tmp_path), *SMALL).stdout
    assert "…" not in shown
    table = shown.split("Play the best")[0].splitlines()[1:]
    assert max(map(len, table)) <= columns
    best = max(read_archive(tmp_path).cells, key=lambda cell: cell.worth)
    assert any(row.split()[:2] == [best.name, f"{best.worth:.3f}"] for row in table)
    assert [word in shown for word in ("length", "steps")] == [columns >= 80, columns >= 200]


def test_progress_line_gives_the_reason_for_fewer_cells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(*EVOLVE, "--out", str(tmp_path), *SMALL)
    archive, now = read_archive(tmp_path), 100.0
    monkeypatch.setattr("pitboss.cli.lab.evolve.time.monotonic", lambda: now)
    clock, now = evolve.RunPace(replace(archive, judged=archive.judged - 3)), 103.0
    assert f": {len(archive.cells)} cells, " in clock.line(archive)
    fewer = replace(archive, cells=archive.cells[:1])
    line = clock.line(fewer)
    assert f": 1 cell ({len(archive.cells) - 1} fewer: better similar games replaced them), " in line
    assert ", 1 game judged per second, " in line
    assert "fewer" not in clock.line(fewer)


def test_help_has_examples_axes_styles_and_types() -> None:
    text = run("lab", "evolve", "--help").stdout
    assert "pitboss lab evolve --out found --resume" in text.split("Examples:")[1]
    assert all(word in text for word in ("bluffing", "party", "TrickPhase", "least_deadwood"))
