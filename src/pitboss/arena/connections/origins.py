"""Whose pages may speak to this server: the Origin and the Host that a browser names, held against our own names.

A client that names no origin is a bot, and welcome. Browsers cannot leave it out, so a page of somebody else cannot
take a seat in the name of whoever looks at it; nor can one whose name was made to point here (DNS rebinding).
"""

from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

from pitboss.errors import PitbossError

PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}

Authority = tuple[str, int]


class OriginError(PitbossError, ValueError):
    """An address that names no origin."""


class Origins:
    """The names of one server: where it listens, and how it is known to the public."""

    def __init__(self, listens_at: str, public_urls: Iterable[str] = ()) -> None:
        self._public = {read_origin(url) for url in public_urls}
        self._loopback = is_loopback(listens_at)

    def why_not(self, host: str | None, origin: str | None, *, upgrade: bool) -> str | None:
        """Why a request with these headers is refused; None where it is not.

        >>> ours = Origins("127.0.0.1", ["https://arena.example"])
        >>> ours.why_not("localhost:8765", None, upgrade=True)
        >>> ours.why_not("localhost:8765", "http://127.0.0.1:8765", upgrade=True)
        >>> ours.why_not("evil.example", None, upgrade=False)
        "this server is not called 'evil.example'; if it is, start it with --public-url"
        """
        if host is not None and self._loopback and not self._is_ours(host):
            return f"this server is not called {host[:80]!r}; if it is, start it with --public-url"
        if origin is not None and upgrade and not self._may_speak(origin, host):
            return f"a page of {origin[:80]!r} may not play here; if it is ours, start the server with --public-url"
        return None

    def _is_ours(self, host: str) -> bool:
        name = read_authority("http", host)
        return name is not None and (is_loopback(name[0]) or name[0] in {public for public, _ in self._public})

    def _may_speak(self, origin: str, host: str | None) -> bool:
        scheme, separator, rest = origin.partition("://")
        page = read_authority(scheme, rest) if separator else None
        if page is None:
            return False
        if page in self._public:
            return True
        here = None if host is None else read_authority(scheme, host)
        if here is None:
            return False
        return page == here or (page[1] == here[1] and is_loopback(page[0]) and is_loopback(here[0]))


def read_origin(url: str) -> Authority:
    """The host and port that an address names.

    >>> read_origin("https://Arena.example/bots")
    ('arena.example', 443)
    """
    parts = urlsplit(url)
    found = read_authority(parts.scheme, parts.netloc) if parts.scheme in PORTS else None
    if found is None:
        raise OriginError(f"{url[:80]!r} is no address like https://arena.example")
    return found


def is_loopback(host: str) -> bool:
    """Whether a name or an address means this machine alone.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.2", "::1", "0.0.0.0", "localhost.evil.example")]
    [True, True, True, False, False]
    """
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def read_authority(scheme: str, text: str) -> Authority | None:
    """A host and a port as a header has them; None for what is neither."""
    if any(sign in text for sign in "/?#@\\ "):
        return None
    try:
        parts = urlsplit(f"//{text}")
        port = parts.port
    except ValueError:
        return None
    return (parts.hostname.rstrip("."), port or PORTS.get(scheme, 80)) if parts.hostname else None
