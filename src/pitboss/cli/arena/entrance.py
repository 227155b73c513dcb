"""Where a server is entered: the port it listens on, its certificate, and what its terminal says about joining it."""

import errno
import socket
import ssl
import sys
from pathlib import Path
from typing import NoReturn

import click
from msgspec import Struct

from pitboss.arena.connections.addresses import EVERYWHERE, Addresses
from pitboss.arena.connections.listening import listen, own_name
from pitboss.arena.connections.origins import OriginError, is_loopback, read_origin
from pitboss.cli.echo import echo
from pitboss.cli.typed import NAME, program

PLAIN = (
    "INSECURE: nothing is encrypted: whoever can listen on the network reads codes and cards; --tls-cert and --tls-key "
    "encrypt it"
)
BEHIND_PROXY = "INSECURE: nothing is encrypted between the proxy at {} and this server: let only the proxy reach it"


class Entrance(Struct, frozen=True):
    """How a server is to be reached."""

    host: str
    public_urls: tuple[str, ...] = ()
    tls: ssl.SSLContext | None = None
    warning: str | None = None  #: what is to be said aloud

    @property
    def command(self) -> str:
        """How pitboss is called by those who read it: in this folder, or where they have it themselves."""
        return program() if not self.public_urls and is_loopback(self.host) else NAME

    def addresses(self, port: int) -> Addresses:
        """Its addresses, once the port is known; where it listens on all of the machine's, one that others can use."""
        public = next(iter(self.public_urls), None)
        host = own_name(self.host) if public is None and self.host in EVERYWHERE else self.host
        return Addresses(host=host, port=port, tls=self.tls is not None, public_url=public)

    def greet(self, port: int, journal: str, seating: str | None = "") -> None:
        """Say where it is and how one takes a seat: first a line for programs, then one for each thing to type.

        `seating` is what to type beside the address; None: no seat can be taken.
        """
        at = self.addresses(port)
        if not self.public_urls and self.host in EVERYWHERE:
            echo(f"others find this machine as {at.host}; if not, --public-url says how", err=True)
        bots = at.bots()
        if self.warning is not None:
            echo(self.warning, err=True)
        here = f"   listens on {self.host}:{port}" if self.public_urls else ""
        echo(f"bots: {bots}   page: {at.page()}   journal: {journal}{here}")
        echo(f"begin a bot: {self.command} arena new my_bot.py")
        if seating is not None:
            echo(f"take a seat: {self.command} arena join my_bot.py {bots}{seating}")
        sys.stdout.flush()


def read_entrance(
    host: str, public_urls: tuple[str, ...], certificate: Path | None, key: Path | None, *, insecure: bool
) -> Entrance:
    """What the options say; beyond this machine it is TLS or said to be insecure, else a `click.UsageError`."""
    from pitboss.arena.connections.tls import CertificateError, server_context

    for url in public_urls:
        try:
            read_origin(url)
        except OriginError as error:
            raise click.UsageError(f"--public-url: {error}") from None
    if (certificate is None) != (key is None):
        raise click.UsageError("--tls-cert and --tls-key go together: give both, or neither")
    if certificate is not None and key is not None:
        if insecure:
            raise click.UsageError("--insecure is for a server without TLS: leave it out, or --tls-cert and --tls-key")
        try:
            return Entrance(host, public_urls, server_context(certificate, key))
        except CertificateError as error:
            raise click.UsageError(f"--tls-cert, --tls-key: {error}") from None
    if not is_loopback(host):
        if not insecure:
            raise click.UsageError(
                f"--host {host} lets others in: give --tls-cert and --tls-key, or --insecure if codes and cards may be "
                "read on the way (behind a proxy, in a room of friends)"
            )
        proxies = [url for url in public_urls if url.startswith(("https:", "wss:"))]
        return Entrance(host, public_urls, warning=BEHIND_PROXY.format(proxies[0]) if proxies else PLAIN)
    return Entrance(host, public_urls)


def open_sockets(host: str, port: int) -> list[socket.socket]:
    """Sockets that listen, or one sentence where they cannot."""
    try:
        return listen(host, port)
    except (socket.gaierror, UnicodeError):
        fail(f"{host!r} is no address: give --host one of this machine's")
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            fail(f"port {port} of {host} is in use: give another --port, or 0 for any that is free")
        if error.errno == errno.EADDRNOTAVAIL:
            fail(f"{host} is no address of this machine: give --host one of its own")
        if error.errno in (errno.EACCES, errno.EPERM):
            fail(f"port {port} is not for you to open: give a --port above 1023")
        fail(str(error))


def fail(sentence: str) -> NoReturn:
    """End with one sentence."""
    echo(f"pitboss arena serve: {sentence}", err=True)
    sys.exit(1)
