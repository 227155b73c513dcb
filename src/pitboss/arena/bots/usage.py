"""Watch the processes of bots. One thread measures all of them ten times a second, and ends those above a limit.

A bot and all processes that it starts are in one session, which they cannot leave. On systems without these numbers
nothing is watched.
"""

import os
import stat
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

PAUSE = 0.1
"""Seconds between two measurements."""
PAGE = os.sysconf("SC_PAGESIZE")
TICK = os.sysconf("SC_CLK_TCK")


LEAST_ENTRY = 4096
"""The minimum size of a file or folder in bytes, because even an empty one uses space on the disk."""
DEEPEST = 60
"""The maximum depth of folders in a scratch folder. Deeper paths can become too long for other programs."""
BUFFERS = ("/proc/sys/net/core/wmem_default", "/proc/sys/net/core/rmem_default")
"""The kernel's setting for the maximum number of bytes in a socket.

These bytes are not counted for any process. A bot cannot change the setting.
"""


class WatchLimits(NamedTuple):
    """The limits of a bot and of all processes that it has started, together."""

    memory: int
    processes: int
    scratch: str | None = None  #: a folder of its own on this machine's disk
    disk: int = 0
    mounted: tuple[str, ...] = ()  #: with namespaces: the bot's own folders, which are in memory


class _Times(NamedTuple):
    """Seconds of processor time, and for each thread the seconds for which it waited for a processor."""

    used: float
    waited: dict[int, float]


class WatchedBot:
    """A bot that is watched."""

    def __init__(self, session: int, limits: WatchLimits, exceeded: Callable[[str], None]) -> None:
        self.session, self.limits, self.exceeded = session, limits, exceeded
        self.times = _Times(0.0, {})

    def thinking(self, since: _Times, elapsed: float) -> float:
        """Return the seconds that count for an answer: those in which the bot ran or, if more, could have run."""
        now = self.measure()
        waits = [waited - since.waited.get(thread, 0.0) for thread, waited in now.waited.items()]
        return max(now.used - since.used, elapsed - max(waits, default=0.0))

    def measure(self) -> _Times:
        """Read the times of all processes of the bot."""
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
        """End the bot if it is above a limit or cannot be measured."""
        try:
            why = self._find_excess()
        except Exception as error:  # an error with one bot must not end the thread that watches all bots
            why = f"could not be measured: {error}"
        if why is not None:
            self.exceeded(why)
        self.measure()

    def _find_excess(self) -> str | None:
        """Return the limit that the bot exceeds, or None."""
        limits = self.limits
        running = {pid: found for pid in _WATCH.members(self.session) if (found := _running(pid)) is not None}
        memory, disk = sum(found.memory for found in running.values()), 0
        inside = next((found.folder for pid, found in running.items() if pid != self.session), None)
        if limits.mounted and inside is not None:
            memory += _sockets(inside) * socket_bytes()
            disk = max(_entries(f"{inside}/root{place}") for place in limits.mounted) * LEAST_ENTRY
        if limits.scratch is not None:
            sockets, disk = 0, _size(limits.scratch, limits.disk)
            try:
                unnamed, sockets = _open_files(limits.scratch, running)
            except PermissionError:
                return "hid its open files"
            memory += sockets * socket_bytes()
            disk += unnamed
        if memory > limits.memory:
            return f"used more than {limits.memory >> 20:,} MiB of memory with all its processes"
        if len(running) > limits.processes:
            return f"had more than {limits.processes} processes"
        if disk > limits.disk:
            return f"wrote more than {limits.disk >> 20:,} MiB of files"
        return None


class _Watch:
    """Measures the processes of all bots."""

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
        """Find new processes. Processes that are already known are not examined again."""
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
    """Stop watching a bot."""
    _WATCH.remove(bot)


def session_of(pid: int) -> int:
    """The session of a process; raises `OSError` if it has ended."""
    return int(_fields(pid)[3])


def innermost(session: int) -> int:
    """Return the process in which a bot's code runs. The processes of the sandbox before it have one child each."""
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
    """Return the fields of a process in /proc, starting with its state."""
    return Path(f"/proc/{pid}/stat").read_text("ascii", errors="replace").rpartition(")")[2].split()


def _size(folder: str, most: int) -> int:
    """Return the number of bytes in a folder.

    Counting stops when they are more than `most`. A folder that is too deep counts as more than `most`.
    """
    size, waiting = 0, [(folder, 0)]
    while waiting and size <= most:
        place, depth = waiting.pop()
        if depth > DEEPEST:
            return most + 1
        with suppress(OSError), os.scandir(place) as entries:
            for entry in entries:
                with suppress(OSError):
                    size += max(LEAST_ENTRY, entry.stat(follow_symlinks=False).st_blocks * 512)
                if entry.is_dir(follow_symlinks=False):
                    waiting.append((entry.path, depth + 1))
                if size > most:
                    break
    return size


class _LiveProcess(NamedTuple):
    """A process that does not share its memory and open files with a process that was already measured."""

    folder: str  #: in /proc
    memory: int


def _running(pid: int) -> _LiveProcess | None:
    """Measure a process; return None if the process has ended.

    If its first thread has ended, another thread is read.
    """
    with suppress(OSError, ValueError):
        for folder in (f"/proc/{pid}", *[f"/proc/{pid}/task/{thread}" for thread in os.listdir(f"/proc/{pid}/task")]):
            size, resident, shared, *_ = map(int, Path(folder, "statm").read_text("ascii").split())
            if size:
                return _LiveProcess(folder, (resident - shared) * PAGE)
    return None


def _open_files(folder: str, running: dict[int, _LiveProcess]) -> tuple[int, int]:
    """Return the number of bytes of deleted files on the disk of `folder` that these processes have open or mapped, and
    the sockets.

    Raise `PermissionError` if a process does not show its files.
    """
    device, sockets = os.stat(folder).st_dev, 0
    found: dict[int, int] = {}
    for pid, process in running.items():
        try:
            for handle in os.listdir(f"{process.folder}/fd"):
                with suppress(FileNotFoundError):
                    file = os.stat(f"{process.folder}/fd/{handle}")
                    sockets += stat.S_ISSOCK(file.st_mode)
                    if not file.st_nlink and stat.S_ISREG(file.st_mode) and file.st_dev == device:
                        found[file.st_ino] = file.st_blocks * 512
            for inode, size in _mapped(process.folder, device):
                found.setdefault(inode, size)
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has ended
        except PermissionError:
            if _running(pid) is not None:  # the files of a process that ends belong to root
                raise
    return sum(found.values()), sockets


def _mapped(process: str, device: int) -> Iterator[tuple[int, int]]:
    """Yield the deleted files on a disk that a process has mapped, each with the length of a mapped part."""
    name = f"{os.major(device):02x}:{os.minor(device):02x}"
    for line in Path(process, "maps").read_text(errors="replace").splitlines():
        if line.endswith("(deleted)"):
            span, _, _, on, inode, *_ = line.split()
            if on == name:
                begin, _, end = span.partition("-")
                yield int(inode), int(end, 16) - int(begin, 16)


@cache
def socket_bytes() -> int:
    """Return how many bytes a socket can hold."""
    return max(int(Path(file).read_text(encoding="ascii")) for file in BUFFERS)


def _sockets(process: str) -> int:
    """Return the sockets in the network namespace of a process."""
    with suppress(OSError, ValueError, IndexError):
        return int(Path(process, "net", "sockstat").read_text("ascii").split()[2])
    return 0


def _entries(folder: str) -> int:
    """Yield the files and folders below a folder that are on the same file system."""
    with suppress(OSError):  # the process has ended, or the folder is not mounted yet
        found = os.statvfs(folder)
        return found.f_files - found.f_ffree
    return 0
