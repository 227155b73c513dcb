"""Admission: the limits on connections, per address and in total, and the choice of a connection to close.

This module uses no socket or clock. A connection is a stranger until it has a seat or watches. Strangers and spectators
are counted by address; seats are not, because the bots of a whole class may share an address. If there are too many
strangers, the newest is admitted and the oldest is closed, so that silent clients cannot keep out a client that takes a
seat immediately. A connection whose code is being checked is not closed.
"""

from collections import Counter
from ipaddress import IPv6Address, ip_address
from typing import Any, Protocol

from msgspec import Struct

from pitboss.arena.connections.budget import RateLimit, RateLimits

RESERVE = 64
"""The number of handles for the journal, the house and the server itself."""
CONNECTIONS = 20_000
ADDRESSES = 10_000
"""The number of addresses whose requests are remembered."""


class Visitor(Protocol):
    """The properties of a connection that matter for admission."""

    @property
    def seated(self) -> bool:
        """Whether the connection has a seat."""

    @property
    def pending(self) -> bool:
        """Whether the connection has sent a hello that is being checked."""

    @property
    def upgraded(self) -> bool:
        """Whether the connection is a WebSocket, whose time limits a room enforces."""

    @property
    def heard(self) -> bool:
        """Whether the connection has sent a request."""


class Capacity(Struct, frozen=True, kw_only=True):
    """The maximum numbers of connections, and their time limits in seconds."""

    connections: int = CONNECTIONS
    strangers: int = 2000
    spectators: int = CONNECTIONS
    strangers_of_address: int = 1000
    spectators_of_address: int = 1000
    first_request: float = 10.0
    requests: float = 60.0  #: the time after which a connection that only requests pages is closed


def capacity_for(handles: int, seats: int, of_address: int = 1000) -> Capacity:
    """Return the capacity of a process with this number of handles and of seats for players.

    After a restart every player is a stranger for a moment, and all may come from one address. So the limit of
    strangers is raised by the number of seats.

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
    """Return the address by which connections are counted. For IPv6 this is the network, because one client has a whole
    network.

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
    """Limits requests over all connections, per address and in total.

    >>> requests = RequestLimiter(RateLimits(address=RateLimit(1, 2), everybody=RateLimit(10, 100)))
    >>> [requests.spend("a", 0.0) for _ in range(3)], requests.spend("b", 0.0), requests.spend("a", 1.0)
    ([True, True, False], True, True)
    """

    def __init__(self, budgets: RateLimits) -> None:
        self._budgets = budgets
        self._left: dict[str, tuple[float, float]] = {}  # address → rest of its budget, last time
        self._left_in_all = budgets.everybody.at_once, 0.0

    def __len__(self) -> int:
        return len(self._left)

    def is_exhausted(self, address: str, now: float) -> bool:
        """Return whether an address has used up its budget, without counting."""
        left = _tokens_left(self._left.get(address), self._budgets.address, now)
        return left < 1 or _tokens_left(self._left_in_all, self._budgets.everybody, now) < 1

    def spend(self, address: str, now: float) -> bool:
        """Return whether an address may send one more request, and count it."""
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
    """Return the rest of a budget at this time."""
    if before is None:
        return allowance.at_once
    left, since = before
    return min(allowance.at_once, left + (now - since) * allowance.a_second)


class Admission:
    """All connections."""

    def __init__(self, capacity: Capacity) -> None:
        self.capacity = capacity
        self._strangers: dict[Visitor, tuple[str, float]] = {}  # address and time of arrival, the oldest first
        self._of_address: dict[str, dict[Visitor, None]] = {}  # the strangers among them, the oldest first
        self._seated: set[Visitor] = set()
        self._spectators: dict[Visitor, str] = {}
        self._spectators_of: Counter[str] = Counter()

    @property
    def strangers(self) -> int:
        """The number of connections without a seat that do not watch."""
        return len(self._strangers)

    @property
    def spectators(self) -> int:
        """The number of spectators."""
        return len(self._spectators)

    def __len__(self) -> int:
        return len(self._strangers) + len(self._seated) + len(self._spectators)

    def arrive(self, visitor: Visitor, address: str, now: float) -> tuple[bool, Visitor | None]:
        """Return whether a connection is admitted, and the connection to close for it."""
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
        """Make a stranger a spectator, if there is room."""
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
        """Remove a connection; a second call does nothing."""
        self._seated.discard(visitor)
        if visitor in self._strangers:
            self._forget(visitor)
        elif visitor in self._spectators:
            address = self._spectators.pop(visitor)
            self._spectators_of[address] -= 1
            if not self._spectators_of[address]:
                del self._spectators_of[address]

    def overdue(self, now: float) -> list[Visitor]:
        """Return the connections whose time is up, which are to be closed."""
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
        """Return the oldest stranger that has not sent a hello."""
        for _ in range(len(strangers)):
            first = next(iter(strangers))
            if first.seated:
                self._sit(first)
            elif first.pending:
                strangers[first] = strangers.pop(first)  # the next search starts with other connections
            else:
                return first
        return None

    def _sit(self, visitor: Visitor) -> None:
        self._forget(visitor)
        self._seated.add(visitor)

    def _forget(self, visitor: Visitor) -> None:
        """Note that a connection is not a stranger any more."""
        address, _ = self._strangers.pop(visitor)
        of_address = self._of_address[address]
        del of_address[visitor]
        if not of_address:
            del self._of_address[address]
