"""Servers forked from one process that has imported everything: such a start costs a fraction of a fresh one.

`python -m tests.support.arena.processes` reads one line per server to fork, and answers with its process id. The
forked process runs the same command as any other, and dies like any other.
"""

import json
import os
import selectors
import signal
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import NoReturn, Self

from tests.support.arena.servers import BOUND, Place, arguments, first_line, port_in

ROOT = Path(__file__).resolve().parents[3]


class Forked(Place):
    """A forked server."""

    def __init__(self, pid: int, fifo: Path, db: Path, patience: float) -> None:
        self._handle = os.pidfd_open(pid)
        try:
            with open(os.open(fifo, os.O_RDONLY | os.O_NONBLOCK), "rb") as out:
                super().__init__(port_in(first_line(out, patience)), db)
        except BaseException:
            self.kill()
            raise

    def strike(self) -> None:
        """Kill it without waiting."""
        signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    def kill(self) -> None:
        """Kill it, and wait until it is gone; a second call is harmless."""
        if self._handle < 0:
            return
        with suppress(ProcessLookupError):
            self.strike()
        with selectors.DefaultSelector() as selector:
            selector.register(self._handle, selectors.EVENT_READ)
            assert selector.select(BOUND), "a process that was killed lives on"
        os.close(self._handle)
        self._handle = -1


class ForkServer:
    """The process that forks servers."""

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def serve(self, folder: Path, *options: str, patience: float = BOUND) -> Forked:
        """Fork a server and wait until it listens."""
        fifo = folder / "greeting"
        fifo.unlink(missing_ok=True)
        os.mkfifo(fifo)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        order = {"folder": str(folder), "arguments": arguments(*options, db="arena.db")}
        print(json.dumps(order), file=self._process.stdin, flush=True)
        return Forked(int(self._process.stdout.readline()), fifo, folder / "arena.db", patience)


def fork_all(lines: Iterable[str]) -> None:
    """Fork a server for every line."""
    for module in ("uvloop", "pitboss.arena.server", "pitboss.cli.arena.serve"):
        with suppress(ImportError):  # the command itself reports what is missing here
            import_module(module)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the children are not waited for
    for line in lines:
        pid = os.fork()
        if pid == 0:
            become(**json.loads(line))
        print(pid, flush=True)


def become(folder: str, arguments: list[str]) -> NoReturn:
    """Become the command."""
    from pitboss.cli.main import main

    status = 1
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.chdir(folder)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(os.open("greeting", os.O_RDWR), 1)
        os.dup2(os.open("arena.db.log", os.O_WRONLY | os.O_APPEND | os.O_CREAT), 2)
        sys.argv = ["pitboss", *arguments]
        main()
        status = 0
    except SystemExit as leaving:
        status = int(leaving.code or 0)
    finally:
        os._exit(status)


if __name__ == "__main__":
    fork_all(sys.stdin)
