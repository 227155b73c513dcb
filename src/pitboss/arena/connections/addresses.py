"""The addresses and names of a server, and the web origins that may connect.

A client without an Origin header is a bot and is accepted. Browsers always send the header, so a page of another site
cannot take a seat on behalf of its visitor. Sockets are bound before anything else starts, so a port in use starts
nothing.
"""

import errno
import os
import socket
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from ipaddress import ip_address
from urllib.parse import urlsplit, urlunsplit

from msgspec import Struct

from pitboss.errors import PitbossError

PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}

Authority = tuple[str, int]

EVERYWHERE = frozenset(("", "0.0.0.0", "::"))
"""The addresses that stand for all addresses of the machine."""
SOCKETS = {"http": "ws", "https": "wss"}
PAGES = {"ws": "http", "wss": "https"}
BACKLOG = 4096
ELSEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Reserved addresses (RFC 5737, RFC 3849).

They are used to find the network interface that other machines can reach.
"""


class OriginError(PitbossError, ValueError):
    """The address is not a valid web origin."""


class Origins:
    """The names of one server: the address that it listens on, and its public names."""

    def __init__(self, listens_at: str, public_urls: Iterable[str] = ()) -> None:
        self._public = {parse_origin(url) for url in public_urls}
        self._loopback = is_loopback(listens_at)

    def refusal(self, host: str | None, origin: str | None, *, upgrade: bool) -> str | None:
        """Return why a request with these headers is refused; None if it is not.

        >>> ours = Origins("127.0.0.1", ["https://arena.example"])
        >>> ours.refusal("localhost:8765", None, upgrade=True)
        >>> ours.refusal("localhost:8765", "http://127.0.0.1:8765", upgrade=True)
        >>> ours.refusal("evil.example", None, upgrade=False)
        "this server is not called 'evil.example'; if it is, start it with --public-url"
        """
        if host is not None and self._loopback and not self._is_ours(host):
            return f"this server is not called {host[:80]!r}; if it is, start it with --public-url"
        if origin is not None and upgrade and not self._may_speak(origin, host):
            return f"a page of {origin[:80]!r} may not play here; if it is ours, start the server with --public-url"
        return None

    def _is_ours(self, host: str) -> bool:
        name = parse_authority("http", host)
        return name is not None and (is_loopback(name[0]) or name[0] in {public for public, _ in self._public})

    def _may_speak(self, origin: str, host: str | None) -> bool:
        scheme, separator, rest = origin.partition("://")
        page = parse_authority(scheme, rest) if separator else None
        if page is None:
            return False
        if page in self._public:
            return True
        here = None if host is None else parse_authority(scheme, host)
        if here is None:
            return False
        return page == here or (page[1] == here[1] and is_loopback(page[0]) and is_loopback(here[0]))


def parse_origin(url: str) -> Authority:
    """Return the host and port of an address.

    >>> parse_origin("https://Arena.example/bots")
    ('arena.example', 443)
    """
    parts = urlsplit(url)
    found = parse_authority(parts.scheme, parts.netloc) if parts.scheme in PORTS else None
    if found is None:
        raise OriginError(f"expected an address such as https://arena.example, got {url[:80]!r}")
    return found


def is_loopback(host: str) -> bool:
    """Return whether a name or an address means only this machine.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.2", "::1", "0.0.0.0", "localhost.evil.example")]
    [True, True, True, False, False]
    """
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def parse_authority(scheme: str, text: str) -> Authority | None:
    """Return the host and port of a header; None if it is neither."""
    if any(sign in text for sign in "/?#@\\ "):
        return None
    try:
        parts = urlsplit(f"//{text}")
        port = parts.port
    except ValueError:
        return None
    return (parts.hostname.rstrip("."), port or PORTS.get(scheme, 80)) if parts.hostname else None


class ArenaInfo(Struct, frozen=True, kw_only=True):
    """The answer to `/api/arena`, from which the page explains how to take a seat."""

    command: str  #: the command that starts pitboss, on the server's machine or on another one
    bots: str  #: the address for bots
    page: str
    public_url: str | None  #: as given
    keep_open: bool  #: whether another table is opened when none can be joined
    ratings: bool  #: whether players are asked for a rating of the game
    version: str


class Addresses(Struct, frozen=True, kw_only=True):
    """Where a server listens, and its public address.

    >>> here = Addresses(host="127.0.0.1", port=8765)
    >>> here.page(), here.bots()
    ('http://127.0.0.1:8765/', 'ws://127.0.0.1:8765/ws')
    >>> Addresses(host="::1", port=80, tls=True).bots()
    'wss://[::1]:80/ws'
    >>> Addresses(host="0.0.0.0", port=80, public_url="https://arena.example/poker").bots()
    'wss://arena.example/poker/ws'
    """

    host: str
    port: int
    tls: bool = False
    public_url: str | None = None

    def page(self, requested: str | None = None) -> str:
        """Return the address of the page; `requested` is the Host header, for servers with several addresses."""
        if self.public_url is not None:
            return _page_of(self.public_url)
        name = self._name(requested)
        return f"{'https' if self.tls else 'http'}://{name}/"

    def bots(self, requested: str | None = None) -> str:
        """Return the address for bots."""
        parts = urlsplit(self.page(requested))
        return urlunsplit((SOCKETS[parts.scheme], parts.netloc, f"{parts.path}ws", "", ""))

    def _name(self, requested: str | None) -> str:
        if self.host in EVERYWHERE and requested is not None and parse_authority("http", requested) is not None:
            return requested
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def _page_of(url: str) -> str:
    """Return the address of the page. If the public address is the address for bots, it is converted."""
    parts = urlsplit(url)
    folder = parts.path.removesuffix("/ws") if parts.scheme in PAGES else parts.path
    return urlunsplit((PAGES.get(parts.scheme, parts.scheme), parts.netloc, f"{folder.rstrip('/')}/", "", ""))


def listen(host: str, port: int) -> list[socket.socket]:
    """Listen on every address of a host on this machine.

    Port 0 means any free port. Raise OSError if no port is free.
    """
    with ExitStack() as opened:
        sockets: list[socket.socket] = []
        missing: OSError | None = None
        found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, kind, protocol, _, address in dict.fromkeys(found):
            if port == 0 and sockets:
                address = (address[0], sockets[0].getsockname()[1], *address[2:])
            try:
                sockets.append(opened.enter_context(_bind(family, kind, protocol, address)))
            except OSError as error:
                if error.errno not in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
                    raise
                missing = error  # "localhost" may have an IPv6 address on a machine without IPv6
        if missing is not None and not sockets:
            raise missing
        opened.pop_all()
        return sockets


def reachable_name(everywhere: str) -> str:
    """Return an address of this machine for others if the server listens on all addresses, otherwise its name.

    Nothing is sent: the function only asks the system for the address that it would use.
    """
    kinds = {"0.0.0.0": [socket.AF_INET], "::": [socket.AF_INET6]}.get(everywhere, list(ELSEWHERE))
    for kind in kinds:
        try:
            with socket.socket(kind, socket.SOCK_DGRAM) as asking:
                asking.connect((ELSEWHERE[kind], 9))
                return str(asking.getsockname()[0])
        except OSError:  # this machine has no route to other machines
            continue
    return socket.gethostname()


def port_of(sockets: Sequence[socket.socket]) -> int:
    """Return the port that all sockets share."""
    port = sockets[0].getsockname()[1]
    assert isinstance(port, int)
    return port


def _bind(family: int, kind: int, protocol: int, address: tuple[object, ...]) -> socket.socket:
    with ExitStack() as opened:
        bound = opened.enter_context(socket.socket(family, kind, protocol))
        if os.name == "posix":
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        bound.bind(address)
        bound.listen(BACKLOG)  # two sockets can be bound to a port, but only one can listen
        opened.pop_all()
        return bound
