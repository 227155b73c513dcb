"""Under which addresses an arena is reached: by bots, by browsers, and what its page says about that."""

from urllib.parse import urlsplit, urlunsplit

from msgspec import Struct

from pitboss.arena.connections.origins import read_authority

EVERYWHERE = frozenset(("", "0.0.0.0", "::"))
"""What is listened on where a server is to be reached by all addresses of its machine."""
SOCKETS = {"http": "ws", "https": "wss"}
PAGES = {"ws": "http", "wss": "https"}


class ArenaInfo(Struct, frozen=True, kw_only=True):
    """`/api/arena`: what the page must know to say how one takes a seat."""

    command: str  #: how pitboss is called where the server was started, or where others have it
    bots: str  #: the address for bots
    page: str
    public_url: str | None  #: as it was given
    keep_open: bool  #: whether another table is opened where none can be joined
    version: str


class Addresses(Struct, frozen=True, kw_only=True):
    """Where a server listens, and how it is known to the public.

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

    def page(self, asked: str | None = None) -> str:
        """The address of the page; `asked` is the Host that somebody asked for, where all of them are listened on."""
        if self.public_url is not None:
            return _page_of(self.public_url)
        name = self._name(asked)
        return f"{'https' if self.tls else 'http'}://{name}/"

    def bots(self, asked: str | None = None) -> str:
        """The address for bots."""
        parts = urlsplit(self.page(asked))
        return urlunsplit((SOCKETS[parts.scheme], parts.netloc, f"{parts.path}ws", "", ""))

    def _name(self, asked: str | None) -> str:
        if self.host in EVERYWHERE and asked is not None and read_authority("http", asked) is not None:
            return asked
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def _page_of(url: str) -> str:
    """The page at a public address, which may be given as that of bots."""
    parts = urlsplit(url)
    folder = parts.path.removesuffix("/ws") if parts.scheme in PAGES else parts.path
    return urlunsplit((PAGES.get(parts.scheme, parts.scheme), parts.netloc, f"{folder.rstrip('/')}/", "", ""))
