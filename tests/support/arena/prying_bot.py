"""A bot that looks for secrets wherever a process of the same account could find them, and prints what it found.

A secret looks like `secret-` and 32 hexadecimal digits. Every way is tried independently of the others. Run as a
program, it does the same once to its parent: this shows that the ways work where nothing stops them.
"""

import ctypes
import gc
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

MARK = "secret" + "-"  # in two pieces, so that it does not find itself
SECRET = re.compile(MARK.encode() + rb"[0-9a-f]{32}")
PTRACE_ATTACH, PTRACE_DETACH = 16, 17
WALL = 0x40000000


def relatives() -> Iterator[tuple[str, int]]:
    """The parent, and the other processes that the parent has started."""
    parent = os.getppid()
    yield "parent", parent
    for stat in Path("/proc").glob("[0-9]*/stat"):
        pid = int(stat.parent.name)
        if pid != os.getpid() and int(stat.read_text().rpartition(")")[2].split()[1]) == parent:
            yield "brother", pid


def file_of(pid: int, name: str) -> bytes:
    """The content of a file of a process."""
    return Path(f"/proc/{pid}/{name}").read_bytes()


def open_files(pid: int) -> bytes:
    """The names and contents of all files that a process has open."""
    found = b""
    for handle in os.listdir(f"/proc/{pid}/fd"):
        name = Path(f"/proc/{pid}/fd/{handle}")
        if name.is_symlink():  # the process that listed them has ended
            found += bytes(name.readlink()) + b"\n"
        if name.is_file():
            found += name.read_bytes()
    return found


def memory(pid: int) -> bytes:
    """The secrets in a process's memory."""
    found = []
    with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as file:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            bounds, rights = line.split()[:2]
            begin, end = (int(bound, 16) for bound in bounds.split("-"))
            if "rw" in rights and "[v" not in line:
                try:
                    file.seek(begin)
                    found += SECRET.findall(file.read(end - begin))
                except OSError:
                    continue  # a page that cannot be read
    return b" ".join(found)


def traced(pid: int) -> bytes:
    """Attach to a process as a debugger does, and read everything."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(PTRACE_ATTACH, pid, None, None) != 0:
        raise OSError(ctypes.get_errno(), "ptrace")
    os.waitpid(pid, WALL)
    libc.ptrace(PTRACE_DETACH, pid, None, None)
    return f"{MARK}{0:032x}".encode()


def inherited(_: int) -> bytes:
    """What this process inherited: its arguments, its variables, its open files, the folder it is in."""
    given = "\n".join([*sys.argv, *os.environ.values(), os.getcwd()]).encode()
    return given + Path("/proc/self/cmdline").read_bytes() + open_files(os.getpid())


def objects(_: int) -> bytes:
    """What this interpreter holds: every text in an object or in a variable of a frame."""
    frame: FrameType | None = sys._getframe()
    roots = gc.get_objects()
    while frame is not None:
        roots += frame.f_locals.values()
        frame = frame.f_back
    texts = [thing for thing in [*roots, *gc.get_referents(*roots)] if isinstance(thing, str | bytes)]
    return b"\n".join(text.encode(errors="replace") if isinstance(text, str) else text for text in texts)


FILES = ("environ", "cmdline", "maps", "auxv")
WAYS: dict[str, Callable[[int], bytes]] = {
    **{name: lambda pid, name=name: file_of(pid, name) for name in FILES},  # type: ignore[misc]  # a default binds it
    "fd": open_files,
    "mem": memory,
    "ptrace": traced,
}


def pry() -> dict[str, list[str]]:
    """Every way that worked, and the secrets it found."""
    found = {}
    for name, look in {"inherited": inherited, "objects": objects}.items():
        found[name] = look(0)
    for who, pid in relatives():
        for name, way in WAYS.items():
            try:
                found[f"{name} of the {who}"] = way(pid)
            except OSError:
                continue
    return {way: sorted({each.decode() for each in SECRET.findall(data)}) for way, data in found.items()}


def decide(act: object) -> str:
    """Look once, print the findings, and fold."""
    print("found", json.dumps(pry()), file=sys.stderr, flush=True)
    return "FOLD"


if __name__ == "__main__":
    print("found", json.dumps(pry()))
