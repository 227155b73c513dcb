"""`pitboss arena wait` and `pitboss arena act`: a team that is not connected between two commands."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.support.arena.servers import PITBOSS, Process, free_port, served

pytestmark = pytest.mark.check


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the arena."""
    return subprocess.run([*PITBOSS, "arena", *words], capture_output=True, text=True, timeout=60, check=False)


class Team:
    """A team that plays by commands."""

    def __init__(self, process: Process, folder: Path) -> None:
        code = folder / "ada.code"
        code.write_text("sesame\n", encoding="utf-8")
        self._who = (process.ws(), "--team", "Ada", "--code-file", str(code))

    def wait(self, *options: str) -> subprocess.CompletedProcess[str]:
        return run("wait", *self._who, *options)

    def act(self, move: str, *options: str) -> subprocess.CompletedProcess[str]:
        return run("act", self._who[0], move, *self._who[1:], *options)


def test_a_match_is_played_by_commands_until_it_is_over(tmp_path: Path) -> None:
    with served(tmp_path, "--house", "calling", "--seats", "2", "--max-hands", "2") as process:
        ada, played = Team(process, tmp_path), 0
        while (waited := ada.wait("--json", "--timeout", "50")).returncode == 0:
            question = json.loads(waited.stdout)
            assert question["type"] == "act"
            if not played:  # what is refused leaves the question open
                assert run_refusals(ada)
                assert "Your moves:" in ada.wait("--timeout", "50").stdout
            done = ada.act("check" if "CHECK" in question["legal"] else "CALL")
            assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
            played += 1
        assert waited.returncode == 3, waited.stderr
        assert json.loads(waited.stdout)["type"] == "match_end"
        assert played >= 2
        assert ada.act("FOLD").stderr == "pitboss arena act: the match is over\n"


def run_refusals(ada: Team) -> bool:
    """Try moves that are not on offer; return whether each gives its reason."""
    for move, options, reason in (
        ("JUMP", (), "JUMP: expected one of "),
        ("RAISE_TO", (), "RAISE_TO needs an amount"),
        ("RAISE_TO", ("--amount", "1"), "RAISE_TO 1 is out of bounds"),
    ):
        done = ada.act(move, *options)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith(f"pitboss arena act: {reason}"), done.stderr
    return True


def test_without_a_turn_wait_ends_in_time_and_act_says_so(tmp_path: Path) -> None:
    with served(tmp_path, "--seats", "2") as process:
        ada = Team(process, tmp_path)
        waited = ada.wait("--timeout", "0.5")
        assert (waited.returncode, waited.stdout) == (4, "")
        assert waited.stderr == "pitboss arena wait: it was not the turn of Ada for 0.5 s\n"
        done = ada.act("CHECK")
        assert done.returncode == 1
        assert done.stderr == "pitboss arena act: it is not the turn of Ada: wait for it with pitboss arena wait\n"


def test_a_wrong_code_is_refused(tmp_path: Path) -> None:
    with served(tmp_path, "--seats", "2", "--team", "Ada:other", "--team", "Bob:x") as process:
        done = Team(process, tmp_path).wait("--timeout", "50")
        assert done.returncode == 1
        assert done.stderr.startswith("pitboss arena wait: this is not the team's code")


def test_wait_says_why_the_server_cannot_be_reached(tmp_path: Path) -> None:
    code = tmp_path / "ada.code"
    code.write_text("sesame\n", encoding="utf-8")
    nowhere = f"ws://127.0.0.1:{free_port()}/ws"
    done = run("wait", nowhere, "--team", "Ada", "--code-file", str(code), "--timeout", "1")
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr.startswith(f"pitboss arena wait: {nowhere} could not be reached for 1 s: ")
    assert "efused" in done.stderr or "127.0.0.1" in done.stderr.partition("1 s: ")[2]


def test_a_mixed_strategy_is_played_from_a_shell(tmp_path: Path) -> None:
    with served(tmp_path, "--house", "calling", "--seats", "2", "--max-hands", "1") as process:
        ada = Team(process, tmp_path)
        question = json.loads(ada.wait("--json", "--timeout", "50").stdout)
        stay = "CHECK" if "CHECK" in question["legal"] else "CALL"
        wrong = ada.act(json.dumps([{"action": stay, "p": 0.5}]))
        assert wrong.stderr.startswith("pitboss arena act: expected probabilities that add up to 1, got 0.5")
        done = ada.act(json.dumps([{"action": stay, "p": 0.5}, {"action": "FOLD", "p": 0.5}]))
        assert (done.returncode, done.stderr) == (0, "")
