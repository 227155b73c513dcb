"""A process that answers each line with a line and is confined by the kernel. This module starts, limits, awaits and
ends it.

The process inherits three pipes and a short list of environment variables. Each line that it prints is passed to `say`,
up to a limit. Only Linux supports the whole confinement. Other systems enforce only the limits, and `confine` returns
what is missing.
"""

import ctypes
import faulthandler
import io
import os
import re
import resource
import select
import signal
import subprocess
import sys
import sysconfig
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, Literal, Protocol, TypeAlias

from msgspec import Struct

import pitboss
from pitboss.arena.bots.kernel_rules import (
    PR_SET_NO_NEW_PRIVS,
    c_library,
    control_process,
    enter_domain,
    refuse_calls,
)
from pitboss.arena.bots.usage import WatchedBot, WatchLimits, forget, innermost, watch
from pitboss.errors import PitbossError
from pitboss.printing import printable

PR_SET_PDEATHSIG, PR_SET_DUMPABLE = 1, 4
CAPSET = {"x86_64": 126, "aarch64": 91}
CAPABILITIES_VERSION = 0x20080522

VARIABLES = re.compile(
    r"PATH|HOME|LANG|LC_\w+|TZ|TMPDIR|VIRTUAL_ENV|PYTHON(PATH|HOME|UTF8|HASHSEED|DONTWRITEBYTECODE|WARNINGS)"
    r"|NUMBA_\w+|\w+_NUM_THREADS|PITBOSS_CACHE|XDG_CACHE_HOME"
)
"""The environment variables that a bot receives: paths of programs and packages, language, number of threads."""
LONGEST_LINE = 1 << 16
"""The maximum number of bytes of an answer. A longer answer does not count."""
MOST_PRINTED = 1 << 20
"""The maximum number of bytes that a process may print. If it prints more, its output is closed."""
LAST_MOMENT = 2.0
"""Seconds for a process to end after its input has ended, and to report its position when it is stopped."""
LEAST_EXTENSION = 0.005
"""If fewer seconds than this are left for an answer, the process is stopped."""
BY_SIGNAL = 128
"""A status above this number means that a signal ended the program: it is this number plus the number of the signal."""
STACK_LINE = re.compile(r'File "([^"]+)", line (\d+)')


class BotLimits(Struct, frozen=True, kw_only=True):
    """The limits of a bot's process."""

    memory: int = 2 << 30  #: bytes of its own memory, without mapped files
    file: int = 256 << 20  #: bytes of the largest file that it writes
    disk: int = 256 << 20  #: bytes of its scratch folder; the same limit applies to shared memory
    processes: int = 256  #: processes and threads
    files: int = 256  #: open files


class Confinement(Struct, frozen=True, kw_only=True):
    """The confinement of a process, which it sets up before a bot's first line runs."""

    limits: BotLimits
    kind: Literal["namespaces", "rules", "none"] = "none"  #: the kind of enclosure
    user: int | None = None  #: the user to become, if it starts as root
    processor: int | None = None  #: the only processor to run on
    readable: list[str] = []  #: with "rules": the only files
    listable: list[str] = []  #: folders whose entries it can list, because imports need that
    writable: list[str] = []


def hide_memory() -> bool:
    """Stop processes of the same account from reading the memory, descriptors or environment of this process.

    This also prevents debuggers and core dumps. Return whether it worked.
    """
    return control_process(PR_SET_DUMPABLE, 0)


def hide_arguments(shown: str) -> bool:
    """Make `ps` show these words for this process instead of its arguments; return whether that worked."""
    try:
        fields = Path("/proc/self/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return False
    begin, end = int(fields[45]), int(fields[46])  # fields 48 and 49 of proc(5): the address of the arguments
    if not 0 < begin < end:
        return False
    words = shown.encode()[: end - begin - 1]
    ctypes.memset(begin, 0, end - begin)
    ctypes.memmove(begin, words, len(words))
    return True


def confine(confinement: Confinement) -> list[str]:
    """Permanently give up all rights that a bot does not need. Return a sentence about the rights that this system
    cannot take away.

    Call this before the bot's first line runs and before a second thread starts.
    """
    limits, sandboxed = confinement.limits, confinement.kind != "none"
    _set_limit(resource.RLIMIT_DATA, limits.memory)
    _set_limit(resource.RLIMIT_FSIZE, limits.file)
    _set_limit(resource.RLIMIT_CORE, 0)
    if sandboxed:
        _set_limit(resource.RLIMIT_NOFILE, limits.files)
        _set_limit(resource.RLIMIT_MSGQUEUE, 0)
        with suppress(OSError):
            if confinement.processor is not None:
                os.sched_setaffinity(0, {confinement.processor})
        alone = confinement.kind == "namespaces" or confinement.user is not None
        others = 0 if alone else threads_of_user(os.getuid())
        if confinement.user is not None:
            os.setgroups([])
            os.setresgid(confinement.user, confinement.user, confinement.user)
            os.setresuid(confinement.user, confinement.user, confinement.user)
        _set_limit(resource.RLIMIT_NPROC, others + limits.processes)
    rules = confinement.kind == "rules"
    steps = {
        "new privileges": forbid_new_privileges(),
        "the account's capabilities": drop_capabilities(),
        "access to other processes": enter_domain(
            confinement.readable if rules else None, confinement.writable, confinement.listable
        ),
        "outliving its parent": die_with_parent(),
        # This comes late, because the previous steps may undo it. Without a mount namespace, the watch must be able to
        # list the bot's open files.
        "being looked into": (rules and confinement.user is None) or hide_memory(),
        "calls that no bot needs": not sandboxed or refuse_calls(strict=rules),
    }
    return [words for words, done in steps.items() if not done]


def threads_of_user(user: int) -> int:
    """Return the number of processes and threads of a user, as the kernel counts them."""
    found = 0
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            with suppress(OSError):  # it has ended
                if folder.stat().st_uid == user:
                    found += len(os.listdir(folder / "task"))
    return found


def forbid_new_privileges() -> bool:
    """Ensure that no program started from now on has more rights than this one; return whether that worked."""
    return control_process(PR_SET_NO_NEW_PRIVS, 1)


def die_with_parent() -> bool:
    """Request that the kernel kills this process when its parent ends; return whether that worked."""
    return control_process(PR_SET_PDEATHSIG, signal.SIGKILL)


def drop_capabilities() -> bool:
    """Give up the privileges of root, which may look into every process; return whether that worked."""
    number = CAPSET.get(os.uname().machine)
    if sys.platform != "linux" or number is None:
        return False
    header = (ctypes.c_uint32 * 2)(CAPABILITIES_VERSION, 0)
    none = (ctypes.c_uint32 * 6)()
    return bool(c_library().syscall(number, header, none) == 0)


def _set_limit(kind: int, most: int) -> None:
    _, hard = resource.getrlimit(kind)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (most, most))


def line_of_bot(calls: Sequence[tuple[str, int]]) -> str:
    """Return the innermost call in a bot's own code, such as `in bot.py, line 7`.

    `calls` are pairs of file and line, the innermost last. If no call is in the bot's code, return the innermost call.

    >>> line_of_bot([("bots/bot.py", 7), (traceback.__file__, 3)]), line_of_bot([])
    ('in bot.py, line 7', '')
    """
    own = [call for call in calls if not _is_foreign(call[0])]
    for file, line in (own or list(calls))[-1:]:
        return f"in {Path(file).name}, line {line}"
    return ""


def describe_error(error: BaseException) -> str:
    """An exception with its message and the line of the bot that led to it."""
    what = f"{type(error).__name__} ({error})" if str(error) else type(error).__name__
    calls = [(frame.filename, frame.lineno or 0) for frame in traceback.extract_tb(error.__traceback__)]
    return f"{what} {line_of_bot(calls)}".rstrip()


def _is_foreign(file: str) -> bool:
    return file.startswith("<") or any(Path(file).is_relative_to(folder) for folder in _foreign_folders())


@cache
def _foreign_folders() -> tuple[str, ...]:
    """Return the folders of Python, of the installed packages and of pitboss itself."""
    places = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    return (*filter(None, places), str(Path(pitboss.__file__).parent))


class ProcessDied(PitbossError):
    """A process ended, or was ended because its output was not valid.

    The text says how, such as `ended with status 3`.
    """


class AnswerTimeout(ProcessDied):
    """A process did not answer in time and was killed. The message names the line that was running."""


def environment() -> dict[str, str]:
    """Return the environment variables of a bot's process, so that it imports the same pitboss as this process."""
    given = {name: value for name, value in os.environ.items() if VARIABLES.fullmatch(name)}
    home = str(Path(pitboss.__file__).resolve().parents[1])
    given["PYTHONPATH"] = os.pathsep.join([home, *filter(None, [given.get("PYTHONPATH")])])
    return given


class Enclosed(Protocol):
    """The surroundings of a process."""

    confinement: Confinement
    scratch: str | None
    mounted: tuple[str, ...]

    def command(self, command: Sequence[str]) -> list[str]:
        """Return a command that starts `command` in the surroundings."""
        ...

    def environment(self) -> dict[str, str]:
        """The variables of the process."""
        ...

    def exceeded(self) -> str | None:
        """Return the limit that the process exceeded when the kernel ended it, or None."""
        ...

    def close(self) -> None:
        """Remove the files that the process has left."""
        ...


class LineProcess:
    """`python -m MODULE` in its own session; only one thread at a time may send it questions."""

    def __init__(
        self,
        module: str,
        *,
        say: Callable[[str], None],
        folder: Path | None = None,
        enclosure: "Enclosed | None" = None,
    ) -> None:
        self._enclosure = enclosure
        command = [sys.executable, "-P", "-m", module]
        self._child = subprocess.Popen(
            command if enclosure is None else enclosure.command(command),
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=environment() if enclosure is None else enclosure.environment(),
            start_new_session=True,  # the parent handles Ctrl-C, and all processes of a session can be ended together
        )
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        assert self._child.stderr is not None
        self.pid = self._child.pid
        self._in, self._out = self._child.stdin.fileno(), self._child.stdout.fileno()
        os.set_blocking(self._in, False)
        self._read, self._unread = select.poll(), b""
        self._read.register(self._out, select.POLLIN)
        self._write = select.poll()
        self._write.register(self._in, select.POLLOUT)
        self._say, self._tail, self._killed, self._stopped = say, b"", False, False
        self._exceeded: str | None = None
        self._watched: WatchedBot | None = None
        if enclosure is not None:
            limits = enclosure.confinement.limits
            most = WatchLimits(limits.memory, limits.processes, enclosure.scratch, limits.disk, enclosure.mounted)
            self._watched = WatchedBot(self.pid, most, self._exceed)
            watch(self._watched)
        self._listener = threading.Thread(target=self._listen, name=f"{module} {self.pid}", daemon=True)
        self._listener.start()

    def exchange(self, line: bytes, seconds: float, *, at_most: float | None = None) -> bytes:
        """Send a line and wait for the answer.

        The process is ended if it is late or sends too much. With `at_most`, the time in which the process only waited
        for a processor does not count, but the total is at most that number of seconds.
        """
        self._begun, self._at_most = time.monotonic(), at_most
        self._times = None if self._watched is None else self._watched.times
        deadline = self._begun + seconds
        self._send(line + b"\n", deadline, seconds)
        return self._receive(deadline, seconds)

    def send(self, line: bytes, seconds: float) -> None:
        """Send a line that needs no answer."""
        self._send(line + b"\n", time.monotonic() + seconds, seconds)

    def _send(self, data: bytes, deadline: float, seconds: float) -> None:
        while data:
            try:
                data = data[os.write(self._in, data) :]
            except BlockingIOError:
                self._wait(self._write, deadline, seconds)
            except OSError:
                raise self._died() from None

    def _receive(self, deadline: float, seconds: float) -> bytes:
        unread = self._unread
        while (end := unread.find(b"\n")) < 0:
            if len(unread) > LONGEST_LINE:
                self.kill()
                raise ProcessDied(f"answered more than {LONGEST_LINE} bytes")
            self._wait(self._read, deadline, seconds)
            more = os.read(self._out, LONGEST_LINE)
            if not more:
                raise self._died()
            unread += more
        self._unread = unread[end + 1 :]
        return unread[:end]

    def _wait(self, ready: select.poll, deadline: float, seconds: float) -> None:
        while not ready.poll(max(0.0, deadline - time.monotonic()) * 1000):
            more = self._time_left(seconds)
            if more <= LEAST_EXTENSION:
                raise AnswerTimeout(f"gave no answer in {seconds:g} s{self._stop()}")
            deadline = time.monotonic() + more

    def _time_left(self, seconds: float) -> float:
        """Return the seconds that are added because the process had to wait for a processor."""
        if self._at_most is None or self._watched is None or self._times is None:
            return 0.0
        elapsed = time.monotonic() - self._begun
        return min(seconds - self._watched.thinking(self._times, elapsed), self._at_most - elapsed)

    def _exceed(self, words: str) -> None:
        """End the process because of what it used. The watching thread calls this."""
        self._exceeded = words
        self.kill_now()

    def _died(self) -> ProcessDied:
        with suppress(subprocess.TimeoutExpired):
            self._child.wait(LAST_MOMENT)  # the process may need a moment to end after its last answer
        limit = None if self._enclosure is None else self._enclosure.exceeded()
        self.kill()
        status = self._child.returncode
        if (exceeded := self._exceeded or limit) is not None:
            return ProcessDied(exceeded)
        if self._enclosure is not None and status > BY_SIGNAL:
            status = BY_SIGNAL - status  # bubblewrap reports a signal in this form
        how = f"with status {status}" if status >= 0 else f"by signal {-status} ({signal.strsignal(-status)})"
        return ProcessDied(f"ended {how}{self._place()}")

    def _stop(self) -> str:
        """End a process that does not answer. Return the line that was running, if known."""
        self._stopped = True
        with suppress(ProcessLookupError):
            os.kill(self.pid if self._enclosure is None else innermost(self.pid), signal.SIGABRT)
        with suppress(subprocess.TimeoutExpired):
            self._child.wait(LAST_MOMENT)
        self.kill()
        return self._place()

    def _place(self) -> str:
        """Return the line of the bot's code that was running. Python prints its stack when the process is aborted."""
        _, struck, stack = self._tail.decode(errors="replace").rpartition("Fatal Python error")
        stack = (stack.partition("Current thread")[2] or stack).partition("\n\n")[0]  # other lines may follow the stack
        calls = [(file, int(line)) for file, line in STACK_LINE.findall(stack)] if struck else []
        return f", {line_of_bot(calls[::-1])}" if calls else ""

    def close(self) -> None:
        """Close the input of the process so that it ends by itself. Kill it if it does not."""
        assert self._child.stdin is not None
        self._child.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._child.wait(LAST_MOMENT)
        self.kill()

    def kill(self) -> None:
        """Kill it and everything it has started in its session, and clean up; calling this twice is harmless."""
        self.kill_now()
        self._child.wait()
        self._listener.join(LAST_MOMENT)
        for pipe in (self._child.stdin, self._child.stdout):
            assert pipe is not None
            pipe.close()
        if self._watched is not None:
            forget(self._watched)
        if self._enclosure is not None:
            self._enclosure.close()

    def kill_now(self) -> None:
        """Kill the process without waiting.

        Any thread may call this. If another thread waits for an answer, its wait fails.
        """
        if not self._killed:  # another process may have its ID later
            self._killed = True
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)

    def _listen(self) -> None:
        """In a thread: pass on what the process prints."""
        assert self._child.stderr is not None
        printed, part = 0, b""
        with self._child.stderr as pipe:
            while printed <= MOST_PRINTED and (data := pipe.read(LONGEST_LINE)):
                self._tail = (self._tail + data)[-LONGEST_LINE:]
                printed += len(data)
                *lines, part = (part + data).split(b"\n")
                for line in lines:
                    if self._stopped:
                        continue  # from now on its output is its stack, which `_place` reads
                    self._say(printable(line.decode(errors="replace")))
        if part and not self._stopped:
            self._say(printable(part.decode(errors="replace")))
        if printed > MOST_PRINTED:
            self._say(f"its output is closed: it printed more than {MOST_PRINTED:,} bytes")


LineHandler: TypeAlias = Callable[[bytes], bytes | None]
"""Answers a line, or returns None if there is nothing to answer."""


def serve_lines(begin: Callable[[bytes], tuple[bytes, LineHandler | None]]) -> None:
    """Run the child's side: `begin` answers the first line and returns the function that answers all other lines.

    If the process is aborted, it prints its stack. If the parent has ended, the process ends.
    """
    lines, out = take_pipes()
    faulthandler.enable()
    with suppress(BrokenPipeError):
        first, answer = begin(lines.readline().rstrip(b"\n"))
        out.write(first + b"\n")
        if answer is not None:
            out.writelines(said + b"\n" for line in lines if (said := answer(line)) is not None)


def take_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Return the pipes to the parent under new numbers, so that output of the bot cannot reach them.

    From then on standard input is empty and standard output goes to standard error, even for code outside Python.
    """
    lines, out = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr = io.TextIOWrapper(
        io.BufferedWriter(_Output(2, "wb", closefd=False)), errors="backslashreplace", line_buffering=True
    )
    return lines, out


class _Output(io.FileIO):
    """The output of a process. Writing raises no error if the reader has closed the pipe."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            for handle in (1, 2):
                os.dup2(nowhere, handle)
            os.close(nowhere)
            return memoryview(data).nbytes
