"""The whole command: its help, and how its process ends when pipes close, keys are pressed, or its reader goes."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import pitboss
from tests.support.cli.runs import COMMAND, clean, lines, run, run_apart
from tests.support.for_each import for_each

HAND = """\
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
actions = ['d dh p1 AsAd', 'd dh p2 KsKd', 'p2 f']
"""
PLAY = ("arena", "play", "tight", "random")
TRACE = b'{"betting": {"system": "no_limit", "small_blind": 10, "big_blind": 20}, "stacks": [100, 100]}'


MANY = "many.phhs"


@pytest.fixture
def many(tmp_path: Path) -> str:
    """Enough hands that their lines do not fit into a pipe that is not read."""
    file = tmp_path / MANY
    file.write_text("".join(f"[{number}]\n{HAND}\n" for number in range(1, 3001)), encoding="utf-8")
    return str(file)


# --- help


def test_the_package_itself_is_the_command_too() -> None:
    done = subprocess.run([sys.executable, "-m", "pitboss", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"pitboss {pitboss.__version__}\n"


def test_help_lists_every_command_and_shows_examples() -> None:
    result = run("--help")
    assert result.exit_code == 0
    for text in ("arena ", "replay ", "trace ", "Examples:", "pitboss arena play sharp", "| pitboss trace"):
        assert text in result.stdout
    assert run("-h").stdout == result.stdout


COMMANDS = (
    *("arena", "arena doctor", "arena export", "arena join", "arena play", "arena serve", "arena verify"),
    *("equity", "evaluate", "lab", "lab evolve", "lab games", "lab mutate", "lab play", "lab rulebook", "lab show"),
    *("lab compare", "lab report", "lab simulate", "lab solve", "simulate", "warmup"),
    *("convert", "replay", "sting", "sting play", "sting script", "sting simulate", "table", "trace"),
)


@for_each("command", COMMANDS)
def test_every_command_has_help_with_examples(command: str) -> None:
    result = run(*command.split(), "-h")
    assert result.exit_code == 0
    assert result.stdout == run(*command.split(), "--help").stdout
    assert f"pitboss {command}" in result.stdout.split("Examples:")[1]


def test_version() -> None:
    assert run("--version").stdout == run("-V").stdout == f"pitboss {pitboss.__version__}\n"


def test_an_unknown_command_exits_with_2() -> None:
    result = run("hose")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "No such command 'hose'" in result.stderr


def test_the_script_is_installed() -> None:
    script = Path(sys.executable).with_name("pitboss")
    if not script.exists():
        pytest.skip("pitboss is not installed beside this Python")
    done = subprocess.run([script, "--version"], capture_output=True, check=True, timeout=60)
    assert done.stdout.decode() == f"pitboss {pitboss.__version__}\n"


def test_help_imports_no_command() -> None:
    code = "import sys; from pitboss.cli.main import cli; cli(['--help'], standalone_mode=False)"
    code += "; print(sorted(name for name in sys.modules if name.startswith('pitboss.cli.')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=60, env=clean())
    assert done.stdout.decode().splitlines()[-1] == "['pitboss.cli.lazy', 'pitboss.cli.main']"


# --- as a process


def test_replay_as_a_process(many: str) -> None:
    done = run_apart("replay", "--json", many)
    assert done.returncode == 0
    assert len(lines(done.stdout.decode())) == 3000
    assert done.stderr == b"3000 hands, 0 failed, 0 mended\n"


def test_trace_as_a_process() -> None:
    done = run_apart("trace", given=TRACE)
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(lines(done.stdout.decode())) == 1


def test_bad_input_as_a_process() -> None:
    done = run_apart("trace", given=b"\xff")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"pitboss trace: ")
    assert done.stderr.count(b"\n") == 1


def test_output_without_a_terminal_has_no_progress_codes(many: str) -> None:
    played = run_apart(*PLAY, "--hands", "30")
    assert (played.returncode, played.stderr) == (0, b"")
    assert b"\x1b" not in played.stdout
    assert b"\r" not in played.stdout
    assert b"\x1b" not in run_apart("replay", many).stderr


def test_progress_is_printed_to_the_terminal_only() -> None:
    pty = pytest.importorskip("pty", reason="there are no such terminals here")
    leader, follower = pty.openpty()
    try:
        process = subprocess.Popen(
            [*COMMAND, *PLAY, "--hands", "30", "--json"],
            stdout=subprocess.PIPE,
            stderr=follower,
            env=clean({"TERM": "xterm"}),
        )
        output, _ = process.communicate(timeout=60)
        os.close(follower)
        follower = -1
        shown = os.read(leader, 1 << 16)
    finally:
        os.close(leader)
        if follower >= 0:
            os.close(follower)
    assert process.returncode == 0
    assert b"playing" in shown
    assert len(lines(output.decode())) == 1


@pytest.mark.parametrize("arguments", [("replay",), ("replay", "--json"), ("replay", "--lenient")], ids=str)
def test_closed_pipe_gives_no_traceback(many: str, arguments: tuple[str, ...]) -> None:
    process = subprocess.Popen(
        [*COMMAND, *arguments, many], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=clean()
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(timeout=60) == 1
    process.stderr.close()


@pytest.mark.check
@pytest.mark.parametrize(
    "arguments",
    [
        ("trace",),
        (*PLAY, "--json", "--hands", "1"),
        ("--help",),
        ("evaluate", "AhAd"),
        ("icm", "5", "3", "--payouts", "1"),
        ("stats", MANY),
        ("stats", MANY, "--csv"),
        ("convert", MANY, "-", "--to", "phhs"),
    ],
    ids=str,
)
def test_a_reader_that_was_never_there_gives_no_traceback(many: str, arguments: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [*COMMAND, *[many if argument == MANY else argument for argument in arguments]],
            input=TRACE,
            stdout=writing,
            stderr=subprocess.PIPE,
            timeout=60,
            env=clean(),
            check=False,
        )
    finally:
        os.close(writing)
    assert b"Traceback" not in done.stderr
    assert b"Exception" not in done.stderr
    assert done.returncode == 1


@pytest.mark.skipif(sys.platform == "win32", reason="interrupts are sent otherwise on Windows")
def test_an_interrupt_gives_no_traceback(many: str) -> None:
    """The first line is read, so it runs; the pipe is full before the file is, so it cannot be finished."""
    process = subprocess.Popen([*COMMAND, "replay", many], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=clean())
    assert process.stdout is not None
    assert process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert b"Traceback" not in errors
    assert errors.strip() == b"Aborted!"
    assert process.returncode == 130


@pytest.mark.parametrize(
    ("arguments", "where"),
    [
        ((*PLAY, "--hands", "5"), "pitboss.arena.bots.offline.OfflineMatch.play_hand"),
        (("trace",), "pitboss.cli.trace.read_scenario"),
    ],
)
def test_interrupt_is_reported_in_a_word(
    monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], where: str
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(where, interrupted)
    result = run(*arguments, given=TRACE)
    assert result.exit_code == 130
    assert (result.stdout, result.stderr.strip()) == ("", "Aborted!")
