"""`pitboss lab evolve` as real processes: an interrupt in the middle, and the same archive in the end, byte by byte."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from pitboss.lab.evolution.archive import game_file, read_archive
from tests.support.cli.runs import COMMAND, clean

EVOLVE = (*COMMAND, "lab", "evolve", "--population", "6", "--games", "8", "--seed", "4", "--betting", "allow")
ENDLESS = "100000"
PATIENCE = 900.0  # the first time on a machine it compiles for minutes


def evolve(folder: Path, generations: int, *more: str) -> None:
    """A run to its end."""
    arguments = [*EVOLVE, "--out", str(folder), "--generations", str(generations), *more]
    done = subprocess.run(arguments, capture_output=True, check=False, timeout=PATIENCE, env=clean())
    assert done.returncode == 0, done.stderr.decode()


def stopped(folder: Path, number: int, *more: str) -> tuple[int, str]:
    """An endless run that gets a signal when it reports a generation: its exit code and its last output."""
    arguments = [*EVOLVE, "--out", str(folder), "--generations", ENDLESS, "--workers", "2", *more]
    with subprocess.Popen(
        arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=clean(), start_new_session=True
    ) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith(b"generation "):
                os.killpg(process.pid, number)  # as a terminal does it: to the workers too
                break
        return process.wait(PATIENCE), process.stderr.read().decode()


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="processes are interrupted otherwise on Windows")
def test_interrupted_and_killed_runs_resume_to_the_same_archive(tmp_path: Path) -> None:
    broken, whole = tmp_path / "broken", tmp_path / "whole"
    code, text = stopped(broken, signal.SIGINT)
    assert code == 130
    assert text.splitlines()[-1].startswith("interrupted after ")
    assert {path.stem for path in (broken / "games").iterdir()} == {
        game_file(cell) for cell in read_archive(broken).cells
    }
    code, _ = stopped(broken, signal.SIGKILL, "--resume")
    assert code == -signal.SIGKILL
    last = read_archive(broken).generation + 2
    evolve(broken, last, "--resume", "--workers", "2")
    evolve(whole, last, "--workers", "1")
    assert (broken / "archive.json").read_bytes() == (whole / "archive.json").read_bytes()
