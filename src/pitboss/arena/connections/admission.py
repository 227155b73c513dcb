"""Who is let in: how many connections there may be, of one address and in all, and who goes when there are too many.

It knows no socket and no clock. A connection is a stranger until it has a seat or watches. Strangers and spectators
are counted by address; seats never are, since the bots of a whole class may come from one. Where strangers are too
many, the newest is let in and the oldest goes: who takes a seat at once is never kept out by those who take none. Whose
code is still being checked does not go.
"""

from collections import Counter
from ipaddress import IPv6Address, ip_address
from typing import Any, Protocol

from msgspec import Struct

from pitboss.arena.connections.budget import RateLimit, RateLimits

RESERVE = 64
"""Handles for the journal, the house and the server itself."""
CONNECTIONS = 20_000
ADDRESSES = 10_000
"""How many addresses are remembered for what they have asked."""


class Visitor(Protocol):
    """A connection, as far as it matters here."""

    @property
    def seated(self) -> bool:
        """Whether it has a seat."""

    @property
    def pending(self) -> bool:
        """Whether it has said who it is, and that is being looked at."""

    @property
    def upgraded(self) -> bool:
        """Whether it is a WebSocket; a room sees to those."""

    @property
    def heard(self) -> bool:
        """Whether it has asked for anything."""


class Capacity(Struct, frozen=True, kw_only=True):
    """How many are let in, and how long one has, in seconds."""

    connections: int = CONNECTIONS
    strangers: int = 2000
    spectators: int = CONNECTIONS
    strangers_of_address: int = 1000
    spectators_of_address: int = 1000
    first_request: float = 10.0
    requests: float = 60.0  #: after which whoever only asks for pages has to come again


def capacity_for(handles: int, seats: int, of_address: int = 1000) -> Capacity:
    """What a process with so many handles has room for, when so many seats are to be kept for players.

    After a restart everybody who has a seat is a stranger for a moment, and all may come at once from one address: for
    each seat there is room for a stranger more.

    >>> capacity_for(1024, 60).spectators, capacity_for(1024, 60).strangers
    (660, 300)
    """
    connections = max(1, min(CONNECTIONS, handles - RESERVE))
    strangers = max(1, min(2000, connections // 4))
    return Capacity(
        connections=connections,
        strangers=strangers + seats,
        spectators=max(0, connections - strangers - seats),
        strangers_of_address=of_address + seats,
        spectators_of_address=of_address,
    )


def network_of(remote: str | None) -> str:
    """The address that somebody's connections have in common; in IPv6 everybody has a whole network of them.

    >>> network_of("192.0.2.7"), network_of("2001:db8:1:2:3:4:5:6")
    ('192.0.2.7', '2001:db8:1:2::')
    """
    try:
        address = ip_address((remote or "").partition("%")[0])
    except ValueError:
        return remote or ""
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(IPv6Address(int(address) >> 64 << 64))


class RequestLimiter:
    """What is asked over any number of connections: so much by an address, and so much by all together.

    >>> requests = RequestLimiter(RateLimits(address=RateLimit(1, 2), everybody=RateLimit(10, 100)))
    >>> [requests.spend("a", 0.0) for _ in range(3)], requests.spend("b", 0.0), requests.spend("a", 1.0)
    ([True, True, False], True, True)
    """

    def __init__(self, budgets: RateLimits) -> None:
        self._budgets = budgets
        self._left: dict[str, tuple[float, float]] = {}  # what is left and when that was, who asked last at the end
        self._left_in_all = budgets.everybody.at_once, 0.0

    def __len__(self) -> int:
        return len(self._left)

    def is_exhausted(self, address: str, now: float) -> bool:
        """Whether an address may ask for nothing at the moment; nothing is counted."""
        left = _tokens_left(self._left.get(address), self._budgets.address, now)
        return left < 1 or _tokens_left(self._left_in_all, self._budgets.everybody, now) < 1

    def spend(self, address: str, now: float) -> bool:
        """Whether an address may ask for one thing more; it is counted then."""
        one, everybody = self._budgets.address, self._budgets.everybody
        left, left_in_all = (
            _tokens_left(self._left.pop(address, None), one, now),
            _tokens_left(self._left_in_all, everybody, now),
        )
        granted = left >= 1 and left_in_all >= 1
        self._left[address] = left - granted, now
        self._left_in_all = left_in_all - granted, now
        if len(self._left) > ADDRESSES:
            del self._left[next(iter(self._left))]
        return granted


def _tokens_left(before: tuple[float, float] | None, allowance: RateLimit, now: float) -> float:
    """What is left by now of what was left before."""
    if before is None:
        return allowance.at_once
    left, since = before
    return min(allowance.at_once, left + (now - since) * allowance.a_second)


class Admission:
    """Everybody who is connected."""

    def __init__(self, capacity: Capacity) -> None:
        self.capacity = capacity
        self._strangers: dict[Visitor, tuple[str, float]] = {}  # address and when it came, the oldest first
        self._of_address: dict[str, dict[Visitor, None]] = {}  # strangers again, the oldest first
        self._seated: set[Visitor] = set()
        self._spectators: dict[Visitor, str] = {}
        self._spectators_of: Counter[str] = Counter()

    @property
    def strangers(self) -> int:
        """How many have neither a seat nor watch, as far as is known."""
        return len(self._strangers)

    @property
    def spectators(self) -> int:
        """How many watch."""
        return len(self._spectators)

    def __len__(self) -> int:
        return len(self._strangers) + len(self._seated) + len(self._spectators)

    def arrive(self, visitor: Visitor, address: str, now: float) -> tuple[bool, Visitor | None]:
        """Whether a connection is let in, and whose place it takes."""
        gone = None
        if len(self._of_address.get(address, ())) >= self.capacity.strangers_of_address:
            gone = self._oldest(self._of_address[address])
        if gone is None and (len(self._strangers) >= self.capacity.strangers or len(self) >= self.capacity.connections):
            gone = self._oldest(self._strangers)
        if gone is not None:
            self.leave(gone)
        elif len(self) >= self.capacity.connections:
            return False, None
        self._strangers[visitor] = address, now
        self._of_address.setdefault(address, {})[visitor] = None
        return True, gone

    def watch(self, visitor: Visitor) -> bool:
        """Let a stranger watch, if there is room."""
        address = self._strangers[visitor][0]
        if (
            len(self._spectators) >= self.capacity.spectators
            or self._spectators_of[address] >= self.capacity.spectators_of_address
        ):
            return False
        self._forget(visitor)
        self._spectators[visitor] = address
        self._spectators_of[address] += 1
        return True

    def leave(self, visitor: Visitor) -> None:
        """Somebody is gone; twice is harmless."""
        self._seated.discard(visitor)
        if visitor in self._strangers:
            self._forget(visitor)
        elif visitor in self._spectators:
            address = self._spectators.pop(visitor)
            self._spectators_of[address] -= 1
            if not self._spectators_of[address]:
                del self._spectators_of[address]

    def overdue(self, now: float) -> list[Visitor]:
        """Those who have asked for nothing in time, or for pages long enough; they are to be cut off."""
        found = []
        for visitor, (_, came) in list(self._strangers.items()):
            if visitor.seated:
                self._sit(visitor)
            elif not visitor.upgraded:
                limit = self.capacity.requests if visitor.heard else self.capacity.first_request
                if now - came >= limit:
                    found.append(visitor)
        return found

    def _oldest(self, strangers: dict[Visitor, Any]) -> Visitor | None:
        """The stranger who has been here longest, of those who have not said who they are."""
        for _ in range(len(strangers)):
            first = next(iter(strangers))
            if first.seated:
                self._sit(first)
            elif first.pending:
                strangers[first] = strangers.pop(first)  # the others are looked at first next time
            else:
                return first
        return None

    def _sit(self, visitor: Visitor) -> None:
        self._forget(visitor)
        self._seated.add(visitor)

    def _forget(self, visitor: Visitor) -> None:
        """Somebody is no stranger any more."""
        address, _ = self._strangers.pop(visitor)
        of_address = self._of_address[address]
        del of_address[visitor]
        if not of_address:
            del self._of_address[address]
