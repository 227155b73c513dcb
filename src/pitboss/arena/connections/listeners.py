"""Accept connections, plain or by TLS, on a port or on sockets that already listen.

A TLS connection is counted before its handshake. The TLS server of the event loop reports a connection only after the
handshake, so it would allow any number of unfinished handshakes.
"""

import asyncio
import errno
import socket
import ssl
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from pitboss.arena.connections.addresses import BACKLOG, listen, port_of
from pitboss.arena.connections.connection import Connection, Connections
from pitboss.errors import PitbossError

NO_HANDLES = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
ACCEPT_RETRY_AFTER = 0.1
"""Seconds to wait if no handle is free."""


class CertificateError(PitbossError, ValueError):
    """A certificate or key that a server cannot use."""


def server_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """Return a server's TLS context; raise `CertificateError` if the files cannot be used."""
    for path in (certificate, key):
        try:
            path.open("rb").close()
        except OSError as error:
            raise CertificateError(f"{path} cannot be read ({error.strerror})") from None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.options |= ssl.OP_NO_RENEGOTIATION
    try:
        context.load_cert_chain(certificate, key, password=_no_password)
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise CertificateError(f"{key} is not the key of {certificate}") from None
        raise CertificateError(f"{certificate} and {key} are not a certificate and its key, both in PEM") from None
    return context


def _no_password() -> str:
    raise CertificateError("the key file has a password: give one without a password, in a file that only you can read")


class Handshake:
    """A connection before its TLS handshake."""

    seated = pending = upgraded = heard = False  #: the properties that admission uses

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self.shaking: asyncio.Task[None] | None = None

    def abort(self) -> None:
        """Close it without a message."""
        with suppress(OSError):  # the connection has already ended
            self._socket.shutdown(socket.SHUT_RDWR)
        if self.shaking is not None:
            self.shaking.cancel()


class TlsListener:
    """Accepts connections on listening sockets, and passes each to a protocol from `accept` after its handshake.

    An event loop that accepts a connection starts to read before TLS can start, and those bytes would be lost. So
    connections are accepted here.
    """

    def __init__(self, all_: Connections, context: ssl.SSLContext, accept: Callable[[], Connection]) -> None:
        self._all, self._context, self._accept = all_, context, accept
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self, sockets: Sequence[socket.socket]) -> None:
        """Start accepting connections."""
        for listening in sockets:
            listening.setblocking(False)
            self._spawn(self._take(listening))

    async def close(self) -> None:
        """Stop accepting, and close connections before their handshake."""
        tasks = [*self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _take(self, listening: socket.socket) -> None:
        while True:
            try:
                connection, address = await self._loop.sock_accept(listening)
            except OSError as error:  # the connection has ended, or all handles are in use
                if error.errno in NO_HANDLES:
                    await asyncio.sleep(ACCEPT_RETRY_AFTER)
                continue
            handshake, where = Handshake(connection), str(address[0]) if address else ""
            if self._all.admit_handshake(handshake, where):
                handshake.shaking = self._spawn(self._shake(handshake, connection))
            else:
                connection.close()

    async def _shake(self, handshake: Handshake, connection: socket.socket) -> None:
        patience = self._all.admission.capacity.first_request
        try:
            await self._loop.connect_accepted_socket(
                self._accept, connection, ssl=self._context, ssl_handshake_timeout=patience
            )
        except (OSError, ValueError) as error:
            self._all.line(f"a TLS handshake failed: {type(error).__name__}")
        finally:
            self._all.leave(handshake, None)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


class Listeners:
    """The listeners of one server."""

    def __init__(self, all_: Connections, accept: Callable[[], Connection], tls: ssl.SSLContext | None) -> None:
        self._accept = accept
        self._plain: list[asyncio.Server] = []
        self._tls = None if tls is None else TlsListener(all_, tls, accept)
        self._sockets: Sequence[socket.socket] = ()

    @property
    def port(self) -> int:
        """The port that all of them share."""
        return port_of(self._plain[0].sockets if self._plain else self._sockets)

    async def open(self, host: str, port: int, sockets: Sequence[socket.socket]) -> None:
        """Accept connections on these sockets. Without sockets, listen on a port; 0 means any free port."""
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
        """Stop accepting."""
        for server in self._plain:
            server.close()
        if self._tls is not None:
            await self._tls.close()
        for each in self._sockets:
            each.close()
