"""What the processes of bots use: one thread looks at all of them ten times a second, and ends those above a limit.

A bot and all that it starts have the same session, which they cannot leave. Where the kernel gives no such numbers,
nothing is watched.
"""

import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

PAUSE = 0.1
"""Seconds between two looks."""
PAGE = os.sysconf("SC_PAGESIZE")
TICK = os.sysconf("SC_CLK_TCK")


class WatchLimits(NamedTuple):
    """What a bot and all that it has started may have together."""

    memory: int
    processes: int
    scratch: str | None = None  #: a folder of its own on this machine's disk
    disk: int = 0


class _Times(NamedTuple):
    """Seconds of processor time, and per thread the seconds that it waited for a processor."""

    used: float
    waited: dict[int, float]


class WatchedBot:
    """A bot that is watched."""

    def __init__(self, session: int, limits: WatchLimits, exceeded: Callable[[str], None]) -> None:
        self.session, self.limits, self.exceeded = session, limits, exceeded
        self.times = _Times(0.0, {})

    def thinking(self, since: _Times, elapsed: float) -> float:
        """Seconds that count for an answer: those it computed, or, if they are more, those it did not wait to run."""
        now = self.measure()
        waits = [waited - since.waited.get(thread, 0.0) for thread, waited in now.waited.items()]
        return max(now.used - since.used, elapsed - max(waits, default=0.0))

    def measure(self) -> _Times:
        """Look at the times of all its processes."""
        used, waited = 0.0, dict[int, float]()
        for pid in _WATCH.members(self.session):
            with suppress(OSError, ValueError, IndexError):
                for thread in os.listdir(f"/proc/{pid}/task"):
                    on_processor, off, _ = Path(f"/proc/{pid}/task/{thread}/schedstat").read_text("ascii").split()
                    used += int(on_processor) / 1e9
                    waited[int(thread)] = int(off) / 1e9
        self.times = _Times(used, waited)
        return self.times

    def look(self) -> None:
        """End it if it is above a limit."""
        memory, processes = 0, 0
        members = _WATCH.members(self.session)
        for pid in members:
            with suppress(OSError, ValueError, IndexError):
                _, resident, shared, *_ = Path(f"/proc/{pid}/statm").read_text("ascii").split()
                memory += (int(resident) - int(shared)) * PAGE
                processes += 1
        if memory > self.limits.memory:
            self.exceeded(f"used more than {self.limits.memory >> 20:,} MiB of memory with all its processes")
        elif processes > self.limits.processes:
            self.exceeded(f"had more than {self.limits.processes} processes")
        elif self.limits.scratch is not None and _size(self.limits.scratch, self.limits.disk) > self.limits.disk:
            self.exceeded(f"wrote more than {self.limits.disk >> 20:,} MiB of files")
        self.measure()


class _Watch:
    """Looks at the processes of all bots."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._bots: dict[int, WatchedBot] = {}
        self._sessions: dict[int, int] = {}
        self._thread: threading.Thread | None = None

    def add(self, bot: WatchedBot) -> None:
        with self._lock:
            self._bots[bot.session] = bot
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="watching bots", daemon=True)
                self._thread.start()

    def remove(self, bot: WatchedBot) -> None:
        with self._lock:
            self._bots.pop(bot.session, None)

    def members(self, session: int) -> list[int]:
        """All processes of a session."""
        return [pid for pid, found in self._sessions.copy().items() if found == session]

    def refresh(self) -> None:
        """Find new processes; only those of which nothing is known are looked at."""
        with suppress(OSError):
            running = {int(name) for name in os.listdir("/proc") if name.isdecimal()}
            known = {pid: session for pid, session in self._sessions.copy().items() if pid in running}
            for pid in running - known.keys():
                with suppress(OSError):  # it has ended
                    known[pid] = session_of(pid)
            self._sessions = known

    def _run(self) -> None:
        while True:
            with self._lock:
                bots = [*self._bots.values()]
                if not bots:
                    self._thread = None
                    return
            self.refresh()
            for bot in bots:
                bot.look()
            time.sleep(PAUSE)


_WATCH = _Watch()


def watch(bot: WatchedBot) -> None:
    """Watch a bot from now on."""
    _WATCH.add(bot)


def forget(bot: WatchedBot) -> None:
    """Watch a bot no longer."""
    _WATCH.remove(bot)


def session_of(pid: int) -> int:
    """The session of a process; raises `OSError` if it has ended."""
    return int(_fields(pid)[3])


def innermost(session: int) -> int:
    """The process in which a bot's code runs: behind those of the sandbox, which have one child each."""
    _WATCH.refresh()
    parents = {}
    for pid in _WATCH.members(session):
        with suppress(OSError):
            parents[pid] = int(_fields(pid)[1])
    found = session
    for _ in range(2):  # bubblewrap, and the first process of the namespace
        found = next((pid for pid, parent in parents.items() if parent == found), found)
    return found


def _fields(pid: int) -> list[str]:
    """The fields of a process in /proc, from its state on."""
    return Path(f"/proc/{pid}/stat").read_text("ascii", errors="replace").rpartition(")")[2].split()


def _size(folder: str, most: int) -> int:
    """Bytes in a folder, counted until they are more than `most`."""
    size = 0
    for place, _, files in os.walk(folder):
        for name in files:
            with suppress(OSError):
                size += os.lstat(os.path.join(place, name)).st_blocks * 512
        if size > most:
            break
    return size
