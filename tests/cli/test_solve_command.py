"""`pitboss solve`: a small river spot from the shell, as a user solves, saves and shows it."""

import csv
import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from pitboss import load_solution
from tests.solver.test_spot import RECORD
from tests.support.cli.runs import COMMAND, clean, lines, run, run_apart

pytestmark = pytest.mark.check

POLAR = """
oop = "AA,QQ"
ip = "KK"
board = "2c2d7h8s9c"
pot = 100
stack = 100
sizes = { river = { oop = "a", ip = "" } }
"""


@pytest.fixture
def polar(tmp_path: Path) -> Path:
    """A river spot whose value is known."""
    path = tmp_path / "SPOT.toml"
    path.write_text(POLAR)
    return path


def refused(*arguments: str, code: int = 1) -> str:
    """What is printed on standard error, if nothing else is printed."""
    result = run("solve", *arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    return result.stderr


def test_a_solve_as_json(polar: Path) -> None:
    result = run("solve", str(polar), "--json")
    (found,) = lines(result.stdout)
    assert (result.exit_code, result.stderr) == (0, "")
    assert set(found) == {"value", "exploitability", "iterations", "seconds", "memory_mb"}
    assert found["value"] == pytest.approx([75, 25], abs=0.6)
    assert 0 <= found["exploitability"] <= 0.003


def test_options_may_come_before_the_file(polar: Path) -> None:
    assert run("solve", "--json", "--target", "1%", str(polar)).exit_code == 0


def test_a_target_that_is_not_reached_is_reported(polar: Path) -> None:
    polar.write_text(POLAR.replace("stack = 100", "stack = 50"))
    result = run("solve", str(polar), "--target", "0", "--seconds", "0.01", "--json")
    assert result.stderr == "pitboss solve: stopped before the target of 0 % was reached\n"
    assert lines(result.stdout)[0]["exploitability"] > 0


def test_a_new_spot_is_written_once_and_can_be_solved(tmp_path: Path) -> None:
    path = tmp_path / "new.toml"
    assert run("solve", "--new", str(path)).stdout == f"wrote {path}; solve it with pitboss solve {path}\n"
    assert refused("--new", str(path)) == f"pitboss solve: {path} exists already: give another name\n"
    result = run("solve", str(path), "--target", "2%")
    assert result.exit_code == 0
    assert "out of position: EV " in result.stdout
    assert "check %" in result.stdout


def test_a_saved_solution_is_shown(polar: Path, tmp_path: Path) -> None:
    out = tmp_path / "spot.npz"
    assert run("solve", str(polar), "--out", str(out)).stdout.splitlines()[-1].startswith("saved; ")
    result = run("solve", "show", str(out), "--line", "bet 100", "--hand", "KhKs", "--json")
    (found,) = lines(result.stdout)
    assert (found["player"], found["actions"], found["pot"]) == ("ip", ["fold", "call"], 200)
    (hand,) = found["hands"]
    assert hand["hand"] in ("KhKs", "KsKh")
    assert hand["strategy"]["call"] == pytest.approx(0.5, abs=0.05)
    table = run("solve", "show", str(out), "--hand", "QQ").stdout
    assert "out of position to act" in table
    assert "bet 100 %" in table
    assert refused("show", str(out), "--hand", "72o") == (
        "pitboss solve show: --hand: expected a hand of the range such as AhKh or AKs, got '72o'\n"
    )
    assert refused("show", str(out), "--line", "raise") == (
        "pitboss solve show: at the root: expected check or bet 100, got 'raise'\n"
    )


def test_bad_input_is_one_sentence(polar: Path, tmp_path: Path) -> None:
    missing, broken = tmp_path / "missing", tmp_path / "broken"
    broken.write_bytes(b"\xff\x00 = ")
    for arguments in ((), ("show",)):  # only the whole program turns these errors into sentences
        result = run_apart("solve", *arguments, str(missing))
        assert (result.returncode, result.stdout) == (1, b"")
        assert result.stderr.decode() == f"pitboss: {missing}: No such file or directory\n"
    assert refused(str(broken)).startswith(f"pitboss solve: {broken}: spot: expected TOML, got ")
    assert refused("show", str(polar)).startswith(f"pitboss solve show: {polar}: expected a solution saved by pitboss")
    assert refused(str(polar), "--out", str(missing / "a.npz")) == (
        f"pitboss solve: --out: expected a file in a folder that exists, got {missing / 'a.npz'}: "
        "create the folder first\n"
    )
    assert "expected a share of the pot such as 0.3% or 0.003, got 'much'" in refused(
        str(polar), "--target", "much", code=2
    )
    polar.write_text(POLAR.replace("pot = 100", "pot = 0"))
    assert refused(str(polar)) == (
        f"pitboss solve: {polar}: pot: expected whole chips from 1 to 1,000,000,000, got 0\n"
    )


@pytest.mark.skipif(os.name == "nt", reason="processes are interrupted otherwise on Windows")
def test_ctrl_c_saves_the_best_so_far(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty", reason="there are no such terminals here")
    spot, out = tmp_path / "SPOT.toml", tmp_path / "spot.npz"
    run("solve", "--new", str(spot))
    ours, theirs = pty.openpty()
    command = [*COMMAND, "solve", str(spot), "--target", "0", "--seconds", "300", "--out", str(out), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, env={**clean(), "TERM": "xterm"}) as process:
        os.close(theirs)
        seen = b""
        while b"exploitability" not in seen:  # the progress after the first measure
            seen += os.read(ours, 1000)
        process.send_signal(signal.SIGINT)
        assert process.stdout is not None
        found = json.loads(process.stdout.read())
        assert process.wait(60) == 0
    os.close(ours)
    assert found["iterations"] >= 20
    assert load_solution(out).exploitability == pytest.approx(found["exploitability"], abs=1e-6)


def test_the_help_says_where_the_options_are() -> None:
    assert "pitboss solve spot --help" in run("solve", "--help").stdout


def test_an_estimate_is_printed_before_anything_is_solved(polar: Path) -> None:
    result = run("solve", str(polar), "--estimate", "--json")
    (found,) = lines(result.stdout)
    assert set(found) == {"memory_mb", "seconds"}
    assert run("solve", str(polar), "--estimate").stdout.startswith("about 0.0 MB and 0.0 s to 0.3 % of the pot; ")


def test_a_solution_is_written_as_a_page_and_as_csv(polar: Path, tmp_path: Path) -> None:
    page, out = tmp_path / "spot.html", tmp_path / "spot.npz"
    result = run("solve", str(polar), "--html", str(page), "--out", str(out), "--json")
    assert result.stderr == f"wrote {page}\n"
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    rows = list(csv.DictReader(run("solve", "show", str(out), "--csv", "--line", "bet 100").stdout.splitlines()))
    assert list(rows[0]) == ["hand", "weight", "fold", "call", "ev", "equity"]
    assert len(rows) == 6
    assert all(float(row["fold"]) + float(row["call"]) == pytest.approx(1, abs=1e-5) for row in rows)
    other = tmp_path / "call.html"
    assert run("solve", "show", str(out), "--line", "bet 100", "--html", str(other)).stderr == f"wrote {other}\n"
    assert run("solve", "show", str(out), "--line", "bet 100, call", "--csv").exit_code == 1


def test_the_spot_of_a_recorded_hand_is_written_or_solved(tmp_path: Path) -> None:
    hand, spot = tmp_path / "hand.phh", tmp_path / "SPOT.toml"
    hand.write_text(RECORD)
    written = run("solve", "--from", str(hand), "--street", "turn", "--oop", "AA,87s", "--new", str(spot))
    assert written.stdout == f"wrote {spot}; solve it with pitboss solve {spot}\n"
    text = spot.read_text(encoding="utf-8")
    assert 'oop = "AA,87s"' in text
    assert 'board = "2c7d9hTs"' in text
    result = run("solve", "--from", str(hand), "--oop", "AA,87s", "--ip", "KK", "--json", "--target", "1%")
    assert sum(lines(result.stdout)[0]["value"]) == pytest.approx(29, abs=0.01)
    assert refused("--from", str(hand), "--hand", "2") == (
        f"pitboss solve: {hand}: expected hand 2 to be readable, got fewer hands\n"
    )
    assert "expected a spot: pitboss solve SPOT.toml" in refused(str(spot), "--from", str(hand), code=2)
