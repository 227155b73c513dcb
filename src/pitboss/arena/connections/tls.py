"""TLS: the certificate that a server shows, and who is let in before he has shaken hands.

Whoever has not finished shaking hands is a stranger like any other: counted by address, and the first to go. The event
loop's own way would only tell of a connection when that is done, and as many as like could be left half-open.
"""

import asyncio
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import cast

from pitboss.arena.connections.connection import Connection, Connections
from pitboss.errors import PitbossError


class CertificateError(PitbossError, ValueError):
    """A certificate or key that no server can use."""


def server_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """What a server needs to speak TLS; raises `CertificateError` with one sentence."""
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
    raise CertificateError("the key is locked with a password: give one without, which only you can read")


class TlsPorter(asyncio.Protocol):
    """A connection that has yet to shake hands; it becomes what `accept` makes."""

    seated = pending = upgraded = heard = False  #: as admission asks of every visitor

    def __init__(self, all_: Connections, context: ssl.SSLContext, accept: Callable[[], Connection]) -> None:
        self._all, self._context, self._accept = all_, context, accept
        self._transport: asyncio.Transport | None = None
        self._shaking: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        peer = transport.get_extra_info("peername")
        if not self._all.shake_hands(self, str(peer[0]) if isinstance(peer, tuple) else ""):
            self._transport.abort()
            return
        self._shaking = asyncio.ensure_future(self._shake_hands(self._transport))

    def connection_lost(self, exc: BaseException | None) -> None:
        self._all.leave(self, None)

    def abort(self) -> None:
        """Hang up without a word."""
        if self._transport is not None:
            self._transport.abort()
        if self._shaking is not None:
            self._shaking.cancel()

    async def _shake_hands(self, transport: asyncio.Transport) -> None:
        loop, connection = asyncio.get_running_loop(), self._accept()
        patience = self._all.admission.capacity.first_request
        try:
            encrypted = await loop.start_tls(
                transport, connection, self._context, server_side=True, ssl_handshake_timeout=patience
            )
        except (OSError, ValueError) as error:
            self._all.line(f"a connection did not shake hands: {type(error).__name__}")
            encrypted = None
        finally:
            self._all.leave(self, None)
        if encrypted is None or encrypted.is_closing():
            transport.abort()
        else:
            connection.connection_made(encrypted)
