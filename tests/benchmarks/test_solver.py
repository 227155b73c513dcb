"""The benchmark of the solver runs, compares its figures with the goals and reports them; no test depends on speed."""

import datetime as dt
import json

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from benchmarks import __main__ as command
from benchmarks.page import with_section
from benchmarks.solver import PRESET, QUICK, Preset, SolverReport, Timed, measure_solver, section
from pitboss.solver.engine import MEGABYTE, Engine
from pitboss.solver.files import read_spot
from pitboss.solver.solution import SpotSolution

RIVER = Timed("river", 0.003, (0.03, 0.035, 0.05))
FLOP = Preset("float", 50.0, 100, 1162, 105.15, 0.0029)
GOOD = SolverReport((RIVER,), (FLOP,))


def test_goals_are_met_or_named() -> None:
    assert GOOD.missed() == []
    slow = replace(GOOD, streets=(replace(RIVER, seconds=(0.05, 0.06, 0.01)),))
    assert slow.missed() == ["the river takes 0.050 s to 0.3 %; the goal is 0.04 s"]
    bad = replace(GOOD, presets=(replace(FLOP, seconds=70, megabytes=1300, value=104),))
    assert len(bad.missed()) == 3


def test_the_page_and_the_command_show_the_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    page = with_section("# Benchmarks\n", section(GOOD, dt.date(2026, 11, 20)))
    row = "| the known flop to 0.3 %, float | 50.0 s |  | 100 iterations, 1,162 MB, EV 105.15 (known: 105.11) |"
    assert row in page
    assert "Missed" not in page
    monkeypatch.setattr(command, "measure_solver", lambda *_: GOOD)
    result = CliRunner().invoke(command.main, ["solver", "--json"])
    assert (result.exit_code, result.stderr) == (0, "")
    assert json.loads(result.stdout)["solver"]["presets"][0]["storage"] == "float"


@pytest.mark.check
def test_a_river_is_measured() -> None:
    report = measure_solver(QUICK, lambda _line: None)
    assert [timed.target for timed in report.streets] == [0.005, 0.003]
    assert all(seconds > 0 for timed in report.streets for seconds in timed.seconds)


@pytest.mark.check
def test_the_known_flop_has_the_known_equity_and_size() -> None:
    spot = read_spot(PRESET.read_bytes())
    engine = Engine(spot)
    assert [len(hands.names) for hands in engine.hands] == [273, 416]
    assert len(engine.orbits.boards) == 1429
    assert 1100 < engine.estimate() / MEGABYTE < 1200
    assert 550 < Engine(spot, "16-bit", hands=engine.hands).estimate() / MEGABYTE < 620
    small = Engine(replace(spot, stack=1)).allocate()
    assert SpotSolution(small).equity[0] == pytest.approx(0.55347, abs=1e-5)
