"""Servers to be measured, each in a process of its own, and what the operating system knows about that process."""

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ARENA = ("-c", "from pitboss.cli.main import main; main()", "arena", "serve", "--port", "0")
TICK = 1 / os.sysconf("SC_CLK_TCK")
"""Seconds, to which the system counts processor time."""


class Served:
    """A server that runs."""

    def __init__(self, pid: int, port: int) -> None:
        self.pid = pid
        self.port = port

    def cpu_seconds(self) -> float:
        """Processor time so far, the kernel's on its behalf and all its threads' too."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) * TICK

    def memory(self) -> int:
        """Bytes of memory it holds now."""
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def serving(*arguments: str) -> Iterator[Served]:
    """Run Python with these arguments until the context ends; it must print a line that ends its address in :PORT."""
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            raise RuntimeError(f"{' '.join(arguments[:4])} did not start")
        yield Served(process.pid, int(line.split("/ws")[0].rpartition(":")[2]))
    finally:
        process.kill()
        process.communicate()


@contextmanager
def arena(folder: Path, tables: int, *options: str) -> Iterator[Served]:
    """An arena with a new journal in a folder, in which no player runs out of time or chips."""
    database = Path(tempfile.mkdtemp(dir=folder)) / "pitboss.db"
    with serving(*ARENA, "--db", str(database), "--tables", str(tables), "--stack", "10000000", *options) as served:
        yield served


def seats(tables: int, players: int = 6) -> list[str]:
    """An address for each player at each table."""
    return [f"/ws?table=T-{table}" for _ in range(players) for table in range(1, tables + 1)]


def run(work: Coroutine[Any, Any, None]) -> None:
    """Run an event loop, of the kind that the arena takes."""
    try:
        import uvloop
    except ImportError:
        asyncio.run(work)
    else:
        uvloop.run(work)


def sync_seconds(folder: Path, times: int = 30) -> float:
    """How long the disk takes to keep a page for good, the median."""
    taken = []
    with (folder / "probe").open("wb", buffering=0) as file:
        for _ in range(times):
            file.write(bytes(4096))
            begun = time.perf_counter()
            os.fsync(file.fileno())
            taken.append(time.perf_counter() - begun)
    return statistics.median(taken)
