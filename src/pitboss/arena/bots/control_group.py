"""A control group for each bot: the kernel limits the total memory and the number of processes of a bot and of
everything that it starts.

This needs version 2 of control groups, and a group with the controllers `memory` and `pids` that the user can write to.
systemd provides such a group for each user, and for services with `Delegate=yes`.
"""

import os
import select
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path

CONTROLLERS = {"memory", "pids"}
PREFIX = "pitboss-"
ORGANISER = "pitboss-organiser"
"""The name of the group to which this process moves, if it is alone in its own group.

A group that contains processes cannot limit other groups.
"""
LAST_MOMENT_MS = 2000
"""The time in milliseconds to wait until the killed processes of a group have ended."""
ENTER = 'echo 0 > "$0" && exec "$@"'
"""A shell command that adds itself to a group and then becomes another command.

Its name is the path of the group's list of processes.
"""

_numbers = count(1)


class ControlGroup:
    """A group with these limits below `parent`. Raises `OSError` if it cannot be created."""

    def __init__(self, parent: Path, *, memory: int, processes: int) -> None:
        self._folder = parent / f"{PREFIX}{os.getpid()}-{next(_numbers)}"
        self._memory = memory
        self._folder.mkdir()
        try:
            self._write("memory.max", memory)
            self._write("pids.max", processes)
            with suppress(OSError):  # without swap, or before Linux 4.19
                self._write("memory.swap.max", 0)
                self._write("memory.oom.group", 1)
        except OSError:
            self.remove()
            raise

    def enter(self, command: Sequence[str]) -> list[str]:
        """Return a command that runs `command` in the group from the start."""
        return ["/bin/sh", "-c", ENTER, str(self._folder / "cgroup.procs"), *command]

    def exceeded(self) -> str | None:
        """Return the limit for which the kernel ended the processes of the group, or None."""
        with suppress(OSError, ValueError):
            events = dict(line.split() for line in self._read("memory.events").splitlines())
            if int(events.get("oom_kill", 0)):
                return f"used more than {self._memory >> 20:,} MiB of memory with all its processes and files"
        return None

    def remove(self) -> None:
        """Kill all processes of the group, including those that have left their session, and remove the group."""
        with suppress(OSError):
            self._write("cgroup.kill", 1)
        with suppress(OSError), (self._folder / "cgroup.events").open() as events:
            changed = select.poll()
            changed.register(events, select.POLLPRI)
            while "populated 1" in events.read() and changed.poll(LAST_MOMENT_MS):
                events.seek(0)
        with suppress(OSError):
            self._folder.rmdir()

    def _read(self, name: str) -> str:
        return (self._folder / name).read_text(encoding="ascii")

    def _write(self, name: str, number: int) -> None:
        (self._folder / name).write_text(str(number), encoding="ascii")


@cache
def group_for_bots() -> Path | None:
    """Return the group below which this process can create groups with limits, or None. Remove old groups there."""
    with suppress(OSError):
        found = _own_group(Path("/proc/self"))
        parent = find_parent(*found) if found else None
        if parent is not None:
            _remove_old_groups(parent)
        return parent
    return None


def _own_group(process: Path) -> tuple[Path, Path] | None:
    """Return the folder where control groups are mounted, and the folder of a process's group.

    Return None without version 2.
    """
    groups = [line[3:] for line in (process / "cgroup").read_text().splitlines() if line.startswith("0::")]
    for line in (process / "mountinfo").read_text().splitlines():
        before, _, after = line.partition(" - ")
        if groups and after.startswith("cgroup2 "):
            root, mounted = before.split()[3:5]
            return Path(mounted), Path(mounted) / os.path.relpath(groups[0], root)
    return None


def find_parent(mounted: Path, own: Path) -> Path | None:
    """Return the nearest group, from `own` upwards, that can limit others and that this user can write to."""
    if not own.is_relative_to(mounted) or ".." in own.parts:
        return None
    for group in (own, *own.parents):
        if _limits_others(group) or (group == own and _take_over(group)):
            return group
        if group == mounted:
            break
    return None


def _limits_others(group: Path) -> bool:
    writable = os.access(group, os.W_OK) and os.access(group / "cgroup.procs", os.W_OK)
    return writable and set((group / "cgroup.subtree_control").read_text().split()) >= CONTROLLERS


def _take_over(group: Path) -> bool:
    """Move this process into a group below its own, if no other process is in its own group.

    Then its own group can limit others.
    """
    processes = (group / "cgroup.procs").read_text().split()
    available = set((group / "cgroup.controllers").read_text().split())
    if processes != [str(os.getpid())] or not available >= CONTROLLERS or not os.access(group, os.W_OK):
        return False
    with suppress(OSError):
        (group / ORGANISER).mkdir(exist_ok=True)
        (group / ORGANISER / "cgroup.procs").write_text("0")
        (group / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in sorted(CONTROLLERS)))
        return True
    return False


def _remove_old_groups(parent: Path) -> None:
    """Remove the groups that killed programs have left. A group that still contains processes stays."""
    for group in parent.glob(f"{PREFIX}[0-9]*"):
        if not Path("/proc", group.name.split("-")[1]).exists():
            with suppress(OSError):
                group.rmdir()
