"""`pitboss lab report` and `pitboss lab compare`: what they print, and how they fail."""

import json
from pathlib import Path

import pytest

from pitboss.lab.report import pages
from tests.support.cli.runs import run
from tests.support.lab.report_run import solve_quickly, write_run


def test_report_prints_its_path_and_is_quick_the_second_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "solve_small", solve_quickly)
    write_run(tmp_path)
    first = run("lab", "report", str(tmp_path), "--games", "10", "--workers", "1", "--json")
    assert first.exit_code == 0, first.stderr
    made = json.loads(first.stdout)
    assert (made["games"], made["built"], made["unchanged"]) == (3, 3, 0)
    assert Path(made["index"]).is_file()
    again = run("lab", "report", str(tmp_path), "--games", "10")
    assert again.stdout == f"3 games, 0 pages written: open {tmp_path / 'index.html'}\n"


def interrupted(*_: object, **__: object) -> None:
    """Simulate Ctrl-C."""
    raise KeyboardInterrupt


def test_interrupt_prints_the_number_of_finished_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_run(tmp_path)
    monkeypatch.setattr("pitboss.cli.lab.report.warm_up_report", interrupted)
    left = run("lab", "report", str(tmp_path))
    assert (left.exit_code, left.stdout) == (130, "")
    assert left.stderr == "interrupted after 0 pages; run the command again to continue\n"
    assert (tmp_path / "index.html").is_file()


def test_an_interrupt_before_anything_is_read_ends_it_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.cli.lab.report.ReportBuilder", interrupted)
    left = run("lab", "report", str(tmp_path))
    assert (left.exit_code, left.stdout, left.stderr.strip()) == (130, "", "Aborted!")
    assert list(tmp_path.iterdir()) == []


def test_broken_folders_are_one_sentence(tmp_path: Path) -> None:
    missing = run("lab", "report", str(tmp_path / "none"))
    assert missing.exit_code == 1
    assert missing.stderr.startswith("pitboss lab report: ")
    assert missing.stderr.count("\n") == 1
    (tmp_path / "archive.json").write_text('{"cells": 3}')
    assert "archive.json: expected an archive of `pitboss lab evolve`" in run("lab", "report", str(tmp_path)).stderr


def test_a_bad_line_of_ratings_is_reported(tmp_path: Path) -> None:
    archive = write_run(tmp_path)
    (tmp_path / "archive.json").write_text(
        json.dumps({**json.loads((tmp_path / "archive.json").read_text()), "cells": []})
    )
    (tmp_path / "ratings.jsonl").write_text("nonsense\n")
    result = run("lab", "report", str(tmp_path))
    assert result.exit_code == 0
    assert "ratings.jsonl:1: expected a rating as a JSON object; skipped this line" in result.stderr
    assert archive.cells


def test_games_are_compared_in_words_and_numbers() -> None:
    result = run("lab", "compare", "kuhn", "leduc", "--games", "10", "--json")
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    assert (found["a"], found["b"]) == ("kuhn", "leduc")
    assert any("Turn up" in rule for rule in found["rules"])
    words = found["measures"]["complexity"]
    assert words["clear"]
    assert words["b"]["mean"] - words["a"]["mean"] == words["difference"] > 0
    shown = run("lab", "compare", "kuhn", "kuhn", "--games", "10").stdout
    assert "Kuhn and Kuhn have the same rules." in shown
    assert "yes" not in shown


def test_an_unknown_game_is_one_sentence() -> None:
    result = run("lab", "compare", "kuhn", "nothing_at_all")
    assert result.exit_code == 1
    assert result.stderr.startswith("pitboss lab compare: expected an existing file or one of war, ")
    assert result.stderr.endswith("; got 'nothing_at_all'\n")
    assert result.stderr.count("\n") == 1
