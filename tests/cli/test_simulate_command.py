"""`pitboss simulate`: its JSON and its table, the settings that matter, and one sentence for what cannot be."""

import json
import os
import re
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import pitboss.hand
from pitboss.extras import install_command
from pitboss.fast.play.policies import NAMES
from pitboss.fast.play.simulate import simulate
from pitboss.hand.games import NO_LIMIT_HOLDEM, OMAHA
from pitboss.hand.structure import Structure
from tests.support.cli.runs import COMMAND, clean, lines, run, run_apart
from tests.support.for_each import for_each

GAME_FILES = Path(pitboss.hand.__file__).parent / "game_files"
FIELDS = ["hands", "seconds", "hands_per_second", "cores", "compiled", "seed", "actions", "chips_in", "chips_out"]


def simulated(*options: str) -> dict[str, Any]:
    """What `--json` prints: one object on one line, and nothing else."""
    result = run("simulate", *options, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    [line] = lines(result.stdout)
    return line


def outcome(*options: str) -> dict[str, Any]:
    """What follows from settings and seed."""
    line = simulated(*options)
    return {name: line[name] for name in ("hands", "actions", "chips_in", "chips_out", "winnings")}


# --- JSON


def test_json_is_one_object_with_all_results() -> None:
    line = simulated("--hands", "300", "--seats", "6", "--policy", "random", "--seed", "4")
    assert list(line)[: len(FIELDS)] == FIELDS
    assert (line["hands"], line["seed"], line["chips_in"]) == (300, 4, 300 * 6 * 10_000)
    assert line["chips_out"] == line["chips_in"]
    assert line["seconds"] > 0
    assert line["hands_per_second"] == pytest.approx(300 / line["seconds"], rel=0.01)
    assert [seat["seat"] for seat in line["winnings"]] == list(range(6))
    for seat in line["winnings"]:
        assert seat["policy"] == "random"
        assert seat["low"] < seat["mean"] < seat["high"]
    assert sum(seat["mean"] for seat in line["winnings"]) == pytest.approx(0, abs=1e-6)


def test_command_plays_the_same_hands_as_the_function() -> None:
    played = simulate(200, seats=3, policies=("tight", "calling"), seed=5)
    line = simulated("--hands", "200", "--seats", "3", "--policy", "tight,calling", "--seed", "5")
    assert line["actions"] == played.actions
    for seat, won in zip(line["winnings"], played.seats, strict=True):
        assert (seat["policy"], seat["mean"], (seat["low"], seat["high"])) == (won.policy, won.mean, won.interval)


@pytest.mark.parametrize(("name", "game"), [("omaha", OMAHA), ("po", OMAHA), ("no-limit", NO_LIMIT_HOLDEM)])
def test_game_is_found_by_name_or_code(name: str, game: Structure) -> None:
    played = simulate(100, seats=3, seed=5, structure=game)
    assert simulated("--hands", "100", "--seats", "3", "--seed", "5", "--game", name)["actions"] == played.actions


def test_many_hands_are_compiled_on_the_requested_cores() -> None:
    pytest.importorskip("numba", reason="Numba is not installed: nothing to compile with")
    many = ("--hands", "50000", "--seed", "1")
    alone, together = simulated(*many, "--cores", "1"), simulated(*many, "--cores", "2")
    assert (alone["cores"], together["cores"]) == (1, 2)
    assert alone["compiled"]
    assert [alone[name] for name in ("actions", "winnings")] == [together[name] for name in ("actions", "winnings")]


def test_every_setting_matters() -> None:
    plain = ("--hands", "100", "--seats", "4")
    settings = [
        (),
        ("--seed", "1"),
        ("--policy", "calling"),
        ("--policy", "random, calling"),
        ("--stack", "500"),
        ("--sb", "25"),
        ("--bb", "120"),
        ("--ante", "10"),
        ("--straddle", "200"),
        ("--straddle", "200", "--straddle", "400"),
        ("--game", "pot-limit"),
        ("--game", "limit"),
        ("--game", "omaha"),
        ("--game", "FO/8"),
        ("--game", "short-deck-holdem"),
    ]
    found = [json.dumps(outcome(*plain, *options)) for options in settings]
    assert len(set(found)) == len(settings)
    assert outcome(*plain) == outcome(*plain)
    assert simulated(*plain)["seed"] == 0


def test_short_all_ins_add_up_where_they_may() -> None:
    """Stacks go round the seats; short ones among deep ones make reopening matter."""
    stacks = ("--hands", "2000", "--stack", "10000,230,310,420,160")
    single, cumulative = outcome(*stacks), outcome(*stacks, "--reopening", "cumulative")
    assert single["chips_in"] == cumulative["chips_in"] == 2000 * (10_000 + 230 + 310 + 420 + 160 + 10_000)
    assert single["actions"] < cumulative["actions"]


def test_one_hand_has_no_interval() -> None:
    [seat, _] = simulated("--hands", "1", "--seats", "2")["winnings"]
    assert (seat["low"], seat["high"]) == (None, None)


# --- for people


def test_the_table_names_every_seat_its_policy_and_its_interval() -> None:
    result = run("simulate", "--hands", "400", "--seats", "2", "--policy", "tight,calling", "--seed", "3")
    played = simulate(400, seats=2, policies=("tight", "calling"), seed=3)
    assert (result.exit_code, result.stderr) == (0, "")
    assert re.match(r"400 hands in [\d.]+ s: [\d,]+ per second on 1 core(, in plain Python)?\n", result.stdout)
    rows = [line.split() for line in result.stdout.splitlines()]
    for seat, won in enumerate(played.seats):
        low, high = won.interval
        assert [str(seat), won.policy, f"{won.mean:,.1f}", f"{low:,.1f}", f"{high:,.1f}"] in rows
    assert "8,000,000 chips in, 8,000,000 chips out" in " ".join(result.stdout.split())


@pytest.mark.parametrize("columns", ["20", "40", "200"])
def test_a_small_window_cuts_no_figure(columns: str) -> None:
    done = run_apart("simulate", "--hands", "50", "--seats", "3", "--stack", "1000000000000", COLUMNS=columns)
    assert done.returncode == 0
    text = "".join(done.stdout.decode().split())
    for won in simulate(50, seats=3, stacks=10**12).seats:
        for chips in (won.mean, *won.interval):
            assert f"{chips:,.1f}" in text
    assert "…" not in text


def test_through_a_pipe_there_are_neither_codes_nor_progress() -> None:
    for options in ((), ("--json",)):
        done = run_apart("simulate", "--hands", "50", *options)
        assert (done.returncode, done.stderr) == (0, b"")
        assert b"\x1b" not in done.stdout
        assert b"\r" not in done.stdout


def test_progress_is_printed_to_the_terminal_only() -> None:
    pty = pytest.importorskip("pty", reason="there are no such terminals here")
    leader, follower = pty.openpty()
    try:
        process = subprocess.Popen(
            [*COMMAND, "simulate", "--hands", "5000", "--json"],
            stdout=subprocess.PIPE,
            stderr=follower,
            env=clean({"TERM": "xterm"}),
        )
        output, _ = process.communicate(timeout=60)
        shown = os.read(leader, 1 << 16)
    finally:
        os.close(leader)
        os.close(follower)
    assert process.returncode == 0
    assert b"playing" in shown
    assert len(lines(output.decode())) == 1


@pytest.mark.check
@pytest.mark.skipif(sys.platform == "win32", reason="interrupts are sent otherwise on Windows")
def test_interrupt_is_reported_in_a_word() -> None:
    """At the first sign of progress, in a run that would take days."""
    pytest.importorskip("numba", reason="Numba is not installed: nothing to compile with")
    pty = pytest.importorskip("pty", reason="there are no such terminals here")
    leader, follower = pty.openpty()
    try:
        process = subprocess.Popen(
            [*COMMAND, "simulate", "--hands", "1000000000000"],
            stdout=subprocess.PIPE,
            stderr=follower,
            env=clean({"TERM": "xterm"}),
        )
        shown = b""
        while not re.search(rb"[1-9]\d*/1000000000000", shown):
            assert select.select([leader], [], [], 120)[0], shown
            shown += os.read(leader, 1 << 12)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
        shown = os.read(leader, 1 << 16)
    finally:
        process.kill()
        os.close(leader)
        os.close(follower)
    assert output == b""
    assert b"Traceback" not in shown
    assert b"Aborted!" in shown
    assert process.returncode == 130


# --- games that are played in plain Python


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_game_without_compiled_hands_is_announced_once_on_standard_error(options: list[str]) -> None:
    result = run("simulate", "--hands", "5", "--game", "pineapple", "--policy", "random,calling", *options)
    assert result.exit_code == 0
    assert re.fullmatch(r"pineapple is played in plain Python, about [\d,]+ hands per second\n", result.stderr)
    assert ('"compiled":false' if options else ", in plain Python\n") in result.stdout


def test_a_game_file_is_played() -> None:
    result = run("simulate", "--hands", "5", "--game", str(GAME_FILES / "crazy_pineapple.toml"), "--json")
    [line] = lines(result.stdout)
    assert (result.exit_code, line["hands"], line["compiled"], line["chips_out"]) == (0, 5, False, line["chips_in"])


def test_the_small_blind_is_the_bring_in_of_stud() -> None:
    [line] = lines(
        run("simulate", "--hands", "5", "--game", "razz", "--sb", "7", "--policy", "calling", "--json").stdout
    )
    assert (line["hands"], line["chips_out"]) == (5, line["chips_in"])


# --- invalid options


STACKS = "--stack: expected one number of chips, or up to one per seat, such as 500,10000"


@for_each(
    "options, sentence",
    [
        (["--policy", "hero"], "policies: expected random, calling, tight, equity or a function, got 'hero'"),
        (["--policy", ""], "policies: expected random, calling, tight, equity or a function, got ''"),
        (["--policy", "tight,tight,tight", "--seats", "2"], "policies: expected 1 to 2, at most one per seat, got 3"),
        (["--sb", "200"], "expected rising blinds and straddles, got 200, 100"),
        (["--straddle", "50"], "expected rising blinds and straddles, got 50, 100, 50"),
        (["--seats", "2", "--straddle", "200"], "expected at most 2 blinds and straddles for 2 seats, got 3"),
        (["--stack", "0"], "stacks: place 0 has no chips and cannot be dealt in"),
        (["--stack", "many"], f"{STACKS}, got many"),
        (["--stack", "500,,900"], f"{STACKS}, got 500,,900"),
        (["--seats", "2", "--stack", "1,2,3"], f"{STACKS}, got 1,2,3"),
        (["--game", "bridge"], "no game is called 'bridge': there are "),
        (
            ["--game", "pineapple", "--policy", "tight"],
            "policy 'tight' plays only hold'em, not no-limit pineapple: use ",
        ),
        (["--game", "razz", "--straddle", "200"], "--straddle: limit razz has a bring-in instead of blinds"),
        (
            ["--game", "omaha", "--policy", "tight"],
            "policy 'tight' plays only hold'em, not pot-limit Omaha: use random and ",
        ),
        (["--stack", "9" * 20], "compiled hands: expected at most 1000000000000000 chips, got 5999"),
    ],
    ids=str,
)
def test_invalid_settings_print_one_line_and_exit_with_1(options: list[str], sentence: str) -> None:
    result = run("simulate", "--hands", "5", *options)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
    assert result.stderr.startswith(f"pitboss simulate: {sentence}")


@for_each(
    "options",
    [
        [],
        ["--hands", "0"],
        ["--hands", "-5"],
        ["--hands", "many"],
        ["--hands", "5", "--seats", "1"],
        ["--hands", "5", "--seats", "11"],
        ["--hands", "5", "--cores", "0"],
        ["--hands", "5", "--bb", "0"],
        ["--hands", "5", "--ante", "-1"],
        ["--hands", "5", "--seed", "x"],
        ["--hands", "5", "--reopening", "never"],
    ],
    ids=str,
)
def test_wrong_options_exit_with_2(options: list[str]) -> None:
    result = run("simulate", *options)
    assert (result.exit_code, result.stdout) == (2, "")


def test_missing_compiler_names_the_install_command() -> None:
    code = "import sys; sys.modules['numba'] = sys.modules['numpy'] = None; from pitboss.cli.main import main; main()"
    command = [sys.executable, "-c", code, "simulate", "--json", "--hands"]
    few = subprocess.run([*command, "100"], capture_output=True, check=True, timeout=60, env=clean())
    assert lines(few.stdout.decode())[0]["compiled"] is False
    many = subprocess.run([*command, "1000000"], capture_output=True, check=False, timeout=60, env=clean())
    assert (many.returncode, many.stdout) == (1, b"")
    assert many.stderr.decode() == f"pitboss simulate: this needs Numba and NumPy: {install_command('fast')}\n"


def test_help_names_every_policy_and_has_examples() -> None:
    result = run("simulate", "--help")
    assert result.exit_code == 0
    assert all(name in result.stdout for name in NAMES)
    assert "pitboss simulate --hands 1000000" in result.stdout.split("Examples:")[1]
    assert all(f"--{option}" in result.stdout for option in ("hands", "seats", "policy", "seed", "cores", "json"))


def test_examples_of_the_help_are_accepted() -> None:
    """With few hands instead of many."""
    examples = re.findall(r"^ +pitboss (simulate .+)$", run("simulate", "--help").stdout, re.MULTILINE)
    assert len(examples) >= 3
    for example in examples:
        words = re.sub(r"--hands \d+", "--hands 50", example).split()
        assert run(*words).exit_code == 0, example
