"""The benchmark of the lab runs, compares its figures with the goals and reports them; no test depends on speed."""

import datetime as dt
import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from benchmarks import __main__ as command
from benchmarks.lab import ANSWERS, QUICK, Growth, LabReport, Played, Solved, exponent, measure_known
from benchmarks.lab_page import pictures, rows, section
from benchmarks.page import with_section
from benchmarks.rules import Spread
from pitboss.lab.files import known_games


def flat(figure: float) -> Spread:
    return Spread(figure, figure, figure)


KUHN = Solved("kuhn", "1/8", -1 / 18, 1e-5, 9e-5, 11 / 24, 12, 1000, 0.5)
LEDUC = Solved("leduc", "-5/64", -0.0856, 1e-3, 1e-3, 2.373611, 288, 1000, 60)
GOOD = LabReport(
    load=0.5,
    rounds=5,
    compiled=True,
    war=Played("betting_war", flat(50_000), 10.5, 7.5),
    known=(Played("war", flat(4000), 1000, 0), Played("kuhn", Spread(2e6, 1e6, 3e6), 2.3, 2.3)),
    mixed=flat(20_000),
    growth=Growth((10, 100), (0.1, 1.0), (50, 100), (7, 14)),
    solved=(KUHN, LEDUC),
)


def run(monkeypatch: pytest.MonkeyPatch, report: LabReport, *arguments: str) -> Result:
    """The command with these figures."""
    monkeypatch.setattr(command, "measure_lab", lambda *_: report)
    return CliRunner().invoke(command.main, ["lab", *arguments])


def test_a_quick_run_measures_every_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(command, "PAGE", tmp_path / "docs" / "benchmarks.md")
    result = CliRunner().invoke(command.main, ["lab", "--quick", "--json", "--write"])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert result.exit_code in (0, 1)  # so little says nothing about speed
    assert result.stdout.count("\n") == 1
    found = json.loads(result.stdout)["lab"]
    assert [each["name"] for each in found["known"]] == list(known_games())
    assert [each["uniform_value"] for each in found["solved"]] == ["1/8", "-5/64"]
    assert [each["information_sets"] for each in found["solved"]] == [12, 288]
    page = (tmp_path / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    assert page.startswith("# Benchmarks\n\n## The lab\n")
    for name in ("lab-games.svg", "lab-turns.svg"):
        assert f"(pictures/{name})" in page
        assert ET.parse(tmp_path / "docs" / "pictures" / name).getroot().tag.endswith("svg")


def test_every_known_game_weighs_as_much_as_the_others() -> None:
    known, mixed = measure_known(replace(QUICK, each=1))
    assert [each.name for each in known] == list(known_games())
    assert (
        min(each.per_second.median for each in known) <= mixed.median <= max(each.per_second.median for each in known)
    )


def test_growth_in_proportion_has_the_power_one() -> None:
    assert exponent([1, 10, 100], [3, 30, 300]) == 1
    assert exponent([1, 10], [1, 100]) == 2


@pytest.mark.parametrize(
    ("report", "sentence"),
    [
        (replace(GOOD, war=replace(GOOD.war, per_second=flat(49_999))), "49,999; the goal is at least 50,000"),
        (replace(GOOD, mixed=flat(19_999)), "19,999; the goal is at least 20,000"),
        (replace(GOOD, growth=replace(GOOD.growth, seconds=(0.1, 1.3))), "games: 1.11; the goal is at most 1.1"),
        (replace(GOOD, growth=replace(GOOD.growth, microseconds=(7, 15.1))), "turns: 1.11; the goal is at most 1.1"),
        (replace(GOOD, solved=(replace(KUHN, error=2e-5), LEDUC)), "kuhn: distance from the value: 0.0000200"),
        (replace(GOOD, solved=(replace(KUHN, uniform_value="1/9"), LEDUC)), "kuhn: uniform play is worth 1/9, not 1/8"),
        (replace(GOOD, solved=(KUHN, replace(LEDUC, error=0.0011))), "leduc: distance from the value: 0.0011000"),
        (replace(GOOD, solved=(KUHN, replace(LEDUC, exploitability=0.0011))), "leduc: exploitability: 0.0011000"),
        (replace(GOOD, solved=(KUHN, replace(LEDUC, seconds=60.01))), "60.01 s; the goal is at most 60 s"),
    ],
)
def test_a_missed_goal_is_reported_and_fails(monkeypatch: pytest.MonkeyPatch, report: LabReport, sentence: str) -> None:
    assert GOOD.missed() == []
    assert len(report.missed()) == 1
    result = run(monkeypatch, report)
    assert result.exit_code == 1
    assert sentence in result.stderr
    assert sentence in section(report, dt.date(2026, 1, 2))


def test_the_figures_are_printed_and_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    page = tmp_path / "benchmarks.md"
    page.write_text(with_section("", "## The rules\n\nfast\n"), encoding="utf-8")
    monkeypatch.setattr(command, "PAGE", page)
    monkeypatch.setenv("COLUMNS", "200")
    result = run(monkeypatch, GOOD, "--write")
    assert result.exit_code == 0
    for text in ("50,000", "2,000,000", "2.3 decisions a game", "-5/64"):
        assert text in result.stdout
    text = page.read_text(encoding="utf-8")
    assert "## The rules\n\nfast\n\n## The lab\n" in text
    assert "All goals are met" in text
    assert "| kuhn: both uniform | 1/8 | 1/8 | exactly |" in text
    assert {path.name for path in (tmp_path / "pictures").iterdir()} == set(pictures(GOOD))


def test_the_page_has_a_line_for_every_figure() -> None:
    names = [row[0] for row in rows(GOOD)]
    assert [played.name in names for played in GOOD.known] == [True, True]
    assert all(any(name.startswith(answer.name) for name in names) for answer in ANSWERS)
    assert [drawing.count("<circle") for drawing in pictures(GOOD).values()] == [2, 2]
