"""A wire between a journal and its PostgreSQL server that can swallow everything, or break at a commit."""

import socket
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Literal, Self
from urllib.parse import quote

SOCKET = ".s.PGSQL.5432"
State = Literal["whole", "swallowing", "before commit", "after commit"]


class Wire:
    """Listens in a folder of its own and passes everything on to the server, as long as it is whole.

    "before commit" breaks a connection instead of passing its next commit on, and "after commit" when the server has
    done it, instead of passing the answer on; either happens once, and then the wire is whole again.
    """

    def __init__(self, server: Path, folder: Path) -> None:
        self.state: State = "whole"
        self.breaks = 0
        self._written = False
        self.url = f"postgresql://pitboss@/postgres?host={quote(str(folder), safe='')}"
        self._server = str(server / SOCKET)
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(folder / SOCKET))
        self._listening.listen()
        self._sockets: list[socket.socket] = []

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for one in (self._listening, *self._sockets):
            _end(one)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client = self._listening.accept()[0]
                server = socket.socket(socket.AF_UNIX)
                self._sockets += [client, server]
                server.connect(self._server)
                for one, other, to_server in ((client, server, True), (server, client, False)):
                    threading.Thread(target=self._carry, args=(one, other, to_server), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket, to_server: bool) -> None:
        with suppress(OSError):
            while data := one.recv(1 << 16):
                if self.state == "swallowing":
                    continue
                if not to_server and b"INSERT 0" in data:
                    self._written = True  # next comes the commit, whose statement is prepared and contains no text
                commits = self._written if to_server else b"COMMIT" in data
                if commits and self.state == ("before commit" if to_server else "after commit"):
                    self.state = "whole"
                    self.breaks += 1
                    break
                if to_server:
                    self._written = False
                other.sendall(data)
        _end(one)
        _end(other)


def _end(one: socket.socket) -> None:
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()
