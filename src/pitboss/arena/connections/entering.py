"""Where connections come in, plainly or by TLS: opened on a port or on sockets that listen already, and closed."""

import asyncio
import socket
import ssl
from collections.abc import Callable, Sequence

from pitboss.arena.connections.connection import Connection, Connections
from pitboss.arena.connections.listening import BACKLOG, listen, port_of
from pitboss.arena.connections.tls import TlsEntrance


class Listeners:
    """What listens for one server."""

    def __init__(self, all_: Connections, accept: Callable[[], Connection], tls: ssl.SSLContext | None) -> None:
        self._accept = accept
        self._plain: list[asyncio.Server] = []
        self._tls = None if tls is None else TlsEntrance(all_, tls, accept)
        self._sockets: Sequence[socket.socket] = ()

    @property
    def port(self) -> int:
        """The port that all of them have."""
        return port_of(self._plain[0].sockets if self._plain else self._sockets)

    async def open(self, host: str, port: int, sockets: Sequence[socket.socket]) -> None:
        """Take connections on these sockets or, where there are none, on a port, 0 for any that is free."""
        if self._tls is not None:
            self._sockets = sockets or listen(host, port)
            self._tls.open(self._sockets)
            return
        create = asyncio.get_running_loop().create_server
        for each in sockets:
            self._plain.append(await create(self._accept, sock=each, backlog=BACKLOG))
        if not sockets:
            self._plain.append(await create(self._accept, host, port, backlog=BACKLOG))

    async def close(self) -> None:
        """Take no more."""
        for server in self._plain:
            server.close()
        if self._tls is not None:
            await self._tls.close()
        for each in self._sockets:
            each.close()
