"""Bots in their own processes: what a hostile bot can see of the organiser and other bots, and what it leaves."""

import json
import os
import secrets
import selectors
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from pitboss.arena.bots.runner import LIVES, BotDisqualified, BotFailure, BotNotReady, BotRunner
from pitboss.arena.bots.sandbox import LONGEST_LINE, MOST_PRINTED, BotLimits
from pitboss.arena.wire.messages import Act
from pitboss.client.bot_process import start_bot
from tests.support.arena.bot_spots import ask, deal
from tests.support.arena.plain import PLAIN
from tests.support.cli.runs import COMMAND

pytestmark = pytest.mark.check

BOUND = 60.0
ROOT = Path(__file__).resolve().parents[3]
CALLS = "def decide(act):\n    return 'CALL'\n"

linux = pytest.mark.skipif(sys.platform != "linux", reason="what is promised of processes is Linux's doing")
Start = Callable[[str], BotRunner]


def question(time_ms: int = 30_000) -> Act:
    """A question that may be answered with a fold or a call."""
    act = ask(deal("AsAd", "KsKd"), range(2))
    return replace(act, you=replace(act.you, time_ms=time_ms))


@pytest.fixture
def said() -> list[str]:
    """What bots print."""
    return []


@pytest.fixture
def start(tmp_path: Path, said: list[str]) -> Iterator[Start]:
    """Start a bot from its source; it is gone afterwards."""
    started: list[BotRunner] = []

    def begin(source: str) -> BotRunner:
        file = tmp_path / f"bot{len(started)}.py"
        file.write_text(source, encoding="utf-8")
        started.append(start_bot(str(file), limits=BotLimits(memory=512 << 20, file=1 << 20), say=said.append))
        return started[-1]

    yield begin
    for each in started:
        each.close()


# --- what it can see


@pytest.fixture(params=[(), PLAIN], ids=["as the tests run", "without root's rights"])
def under(request: pytest.FixtureRequest) -> Sequence[str]:
    """What runs the organiser's process, which runs the bot's."""
    command: Sequence[str] = request.param
    return command


def pried(how: str, folder: Path, under: Sequence[str]) -> tuple[str, dict[str, list[str]]]:
    """A secret, and what a bot found that looked for it."""
    secret = "secret-" + secrets.token_hex(16)
    done = subprocess.run(
        [*under, sys.executable, "-m", "tests.support.arena.organiser", how, str(folder)],
        input=secret + "\n",
        capture_output=True,
        text=True,
        timeout=BOUND,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    (line,) = (line for line in (done.stdout + done.stderr).splitlines() if "found {" in line)
    if how == "guarded" and "lacking []" not in done.stdout:
        pytest.skip(f"this kernel does not do all that is promised: {done.stdout.strip()}")
    return secret, json.loads(line.partition("found ")[2])


@linux
def test_bot_has_no_access_to_the_organiser_or_other_bots(tmp_path: Path, under: Sequence[str]) -> None:
    _, found = pried("guarded", tmp_path, under)
    assert found == {"inherited": [], "objects": [], "cmdline of the parent": [], "cmdline of the brother": []}


@linux
def test_plain_child_process_has_access_to_everything(tmp_path: Path, under: Sequence[str]) -> None:
    """So the ways it tries do lead somewhere."""
    secret, found = pried("open", tmp_path, under)
    for way in ("inherited", "mem of the parent", "fd of the parent"):
        assert secret in found[way], way
    assert {"environ of the parent", "maps of the parent", "ptrace of the parent"} <= found.keys()


@linux
def test_a_bot_cannot_kill_the_organiser_or_another_bot(start: Start) -> None:
    """Without its own domain, this test would end here."""
    quiet = start(CALLS)
    hostile = start(
        f"""
import os, signal

def decide(act):
    for pid in (os.getppid(), {quiet.pid}):
        try:
            os.kill(pid, signal.SIGTERM)
        except PermissionError:
            continue
        return "FOLD"
    return "CALL"
"""
    )
    if hostile.lacking:
        pytest.skip(f"this kernel does not keep a bot from {hostile.lacking}")
    assert hostile(question()) == "CALL"
    assert quiet(question()) == "CALL"


# --- what it may use


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("x = bytearray(1 << 30)", "MemoryError"),
        ("open(__file__ + '.big', 'wb').write(bytes(2 << 20))", "OSError"),
        ("import resource as r; r.setrlimit(r.RLIMIT_DATA, (r.RLIM_INFINITY,) * 2)", "ValueError"),
    ],
)
def test_a_bot_has_limits_and_cannot_lift_them(start: Start, body: str, words: str) -> None:
    bot = start(f"def decide(act):\n    {body}\n    return 'CALL'\n")
    with pytest.raises(BotFailure, match=rf"raised {words}.* in bot0.py, line 2"):
        bot(question())


def test_bot_that_prints_endlessly_fills_no_memory(start: Start, said: list[str]) -> None:
    bot = start(f"def decide(act):\n    print('x' * {4 * MOST_PRINTED})\n    return 'CALL'\n")
    assert bot(question()) == "CALL"
    bot.close()
    assert sum(map(len, said)) < 2 * MOST_PRINTED
    assert said[-1].startswith("bot0: its output is closed: ")


def test_bot_output_is_passed_on_line_by_line_with_an_unfinished_last_line(start: Start, said: list[str]) -> None:
    bot = start("import sys\n\ndef decide(act):\n    sys.stderr.write('one\\ntwo\\nthr')\n    return 'CALL'\n")
    assert bot(question()) == "CALL"
    bot.close()
    assert said == ["bot0: one", "bot0: two", "bot0: thr"]


def test_bot_that_reads_standard_input_finds_none(start: Start, said: list[str]) -> None:
    bot = start("import sys\n\ndef decide(act):\n    print(repr(sys.stdin.read()))\n    return 'CALL'\n")
    assert bot(question()) == "CALL"
    bot.close()
    assert said == ["bot0: ''"]


@pytest.mark.parametrize(("status", "how"), [(0, "with status 0"), (3, "with status 3")])
def test_reason_for_the_end_of_a_bot_is_reported(start: Start, status: int, how: str) -> None:
    bot = start(f"import os\n\ndef decide(act):\n    os._exit({status})\n")
    with pytest.raises(BotFailure, match=f"ended {how}"):
        bot(question())


# --- when it does not answer


@pytest.mark.check
def test_a_bot_that_hangs_loses_turns_then_its_match(start: Start) -> None:
    bot = start("def decide(act):\n    while True: pass\n")
    for life in range(1, LIVES + 1):
        with pytest.raises(BotFailure, match=r"gave no answer in 1 s, in bot0.py, line 2") as failure:
            bot(question(time_ms=1000))
        assert isinstance(failure.value, BotDisqualified) == (life == LIVES)
        assert bot.pid is None
    assert bot.out is not None
    with pytest.raises(BotDisqualified):
        bot(question())


def test_restarted_bot_has_forgotten_everything(start: Start) -> None:
    bot = start(
        """
import os

class Bot:
    asked = 0

    def act(self, act):
        self.asked += 1
        if self.asked == 2:
            os._exit(7)
        return "CALL"
"""
    )
    assert bot(question()) == "CALL"
    first = bot.pid
    with pytest.raises(BotFailure, match="ended with status 7"):
        bot(question())
    assert bot(question()) == "CALL"
    assert bot.pid != first


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (f"os.write(4, b'x' * {2 * LONGEST_LINE})", f"answered more than {LONGEST_LINE} bytes"),
        ("os.write(4, b'nonsense\\n')", "sent something that is not an answer"),
        ("os.write(4, b'\\xff\\n')", "sent something that is not an answer"),
        ("""os.write(4, b'{"action": 7}\\n')""", "sent something that is not an answer"),
        ("os.close(4)", "ended"),
    ],
)
def test_bot_that_writes_to_the_runners_pipe_loses_its_process(start: Start, body: str, words: str) -> None:
    bot = start(f"import os\n\ndef decide(act):\n    {body}\n    return 'CALL'\n")
    with pytest.raises(BotFailure, match=words):
        bot(question())
    assert bot.pid is None


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import os\nos._exit(4)\n", "ended with status 4"),
        ("1 / 0\n", "raises ZeroDivisionError in line 1 when it is loaded"),
        ("decide = 7\n", "expected a function decide"),
    ],
)
def test_bot_that_cannot_be_loaded_reports_the_reason(tmp_path: Path, source: str, words: str) -> None:
    file = tmp_path / "bot.py"
    file.write_text(source, encoding="utf-8")
    with pytest.raises(BotNotReady, match=words):
        start_bot(str(file))


def test_a_bot_that_is_never_ready_is_not_waited_for(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text("while True: pass\n", encoding="utf-8")
    with pytest.raises(BotNotReady, match=r"the bot could not be loaded: it gave no answer in 0.5 s"):
        start_bot(str(file), loading=0.5)


# --- messages to the bot


def test_bot_receives_earlier_messages_before_its_question(start: Start) -> None:
    bot = start(
        """
class Bot:
    heard = []

    def on_message(self, message):
        self.heard.append(message)
        1 / 0

    def act(self, act):
        return "CALL" if [m.hand_id for m in self.heard] == ["H-7", "H-8"] else "FOLD"
"""
    )
    for hand in ("H-7", "H-8"):
        bot.on_message(replace(question(), hand_id=hand))
    assert bot(question()) == "CALL"


@pytest.mark.check
def test_bot_can_be_closed_while_another_thread_waits_for_it(start: Start, said: list[str]) -> None:
    bot = start("def decide(act):\n    print('thinking', flush=True)\n    while True: pass\n")
    failures: list[str] = []

    def wait() -> None:
        try:
            bot(question(time_ms=600_000))
        except BotFailure as failure:
            failures.append(str(failure))

    waiting = threading.Thread(target=wait)
    waiting.start()
    bot.close()
    waiting.join(BOUND)
    assert not waiting.is_alive()
    assert len(failures) == 1
    assert bot.pid is None


# --- what it leaves behind


def ends(pid: int) -> bool:
    """Whether a process ends in time."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    with selectors.DefaultSelector() as selector:
        selector.register(handle, selectors.EVENT_READ)
        ended = bool(selector.select(BOUND))
    os.close(handle)
    return ended


@linux
def test_bot_ends_with_its_parent_even_if_it_never_reads(tmp_path: Path) -> None:
    """The parent is killed, and has no time to end its bots."""
    file = tmp_path / "bot.py"
    file.write_text(
        """
import os

def decide(act):
    print(os.getpid(), flush=True)
    while True:
        pass
""",
        encoding="utf-8",
    )
    arguments = [*COMMAND, "arena", "play", "--trust-bots", str(file), "calling", "--move-time-ms", "600000"]
    parent = subprocess.Popen(arguments, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
    assert parent.stderr is not None
    bot = int(parent.stderr.readline().rpartition(b": ")[2])
    parent.kill()
    parent.wait()
    parent.stderr.close()
    assert ends(bot)


@linux
def test_processes_started_by_a_bot_end_with_it(start: Start, said: list[str]) -> None:
    bot = start(
        """
import os, subprocess, sys

def decide(act):
    print(subprocess.Popen([sys.executable, "-c", "while True: pass"]).pid, flush=True)
    os.abort()
"""
    )
    with pytest.raises(BotFailure, match=r"ended by signal 6 \(.*\), in bot0.py, line 6"):
        bot(question())
    assert ends(int(said[0].removeprefix("bot0: ")))


@linux
def test_no_bot_is_left_as_a_zombie(start: Start) -> None:
    bots = [start(CALLS), start("import os\n\ndef decide(act):\n    os._exit(1)\n")]
    pids = [bot.pid for bot in bots]
    assert bots[0](question()) == "CALL"
    with pytest.raises(BotFailure):
        bots[1](question())
    for bot in bots:
        bot.close()
        bot.close()
    assert not [pid for pid in pids if Path(f"/proc/{pid}").exists()]


def test_a_bot_may_tidy_up_when_it_ends(start: Start, said: list[str]) -> None:
    bot = start(f"import atexit\natexit.register(lambda: print('saved'))\n\n{CALLS}")
    assert bot(question()) == "CALL"
    bot.close()
    assert said == ["bot0: saved"]


@pytest.mark.check
@linux
def test_a_stopped_process_is_ended_in_time(start: Start) -> None:
    """It cannot report its position either."""
    bot = start(CALLS)
    assert bot.pid is not None
    os.kill(bot.pid, signal.SIGSTOP)
    with pytest.raises(BotFailure, match=r"gave no answer in 0.05 s$"):
        bot(question(time_ms=50))
    assert bot(question()) == "CALL"
