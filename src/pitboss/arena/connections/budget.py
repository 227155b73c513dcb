"""Limits the number of frames that one connection may send, counted when bytes arrive.

Control frames and fragments count too. A frame costs one, plus one for every `PIECE` bytes. A connection that has used
up its budget and continues to send is closed. This module has no socket.
"""

from collections.abc import Callable

from msgspec import Struct

CLOSE, PONG = 8, 10
PIECE = 8 * 1024
PONG_EVERY = 10.0
"""Seconds between two pongs that cost nothing; the server's own pings are less frequent."""
TOO_MANY, SPEAKS = "too many frames", "spectators send nothing"


class RateLimit(Struct, frozen=True):
    """A rate in frames per second, and the maximum number of frames in a burst."""

    a_second: float
    at_once: float


class RateLimits(Struct, frozen=True, kw_only=True):
    """The limits of each kind of connection."""

    stranger: RateLimit = RateLimit(10, 80)  #: requests pages, or has no seat yet
    player: RateLimit = RateLimit(100, 500)  #: has a seat; this is more than a room allows
    spectator: RateLimit = RateLimit(2, 20)  #: only pings
    address: RateLimit = RateLimit(100, 1000)  #: requests of all connections of an address, except those for a seat
    everybody: RateLimit = RateLimit(400, 4000)  #: the same for all addresses together


class FrameMeter:
    """The budget of one connection, and the position of its next frame."""

    __slots__ = (
        *("_budgets", "_head", "_left", "_pong_due", "_seated", "_since", "_tokens"),
        *("fault", "messages", "spectator"),
    )

    def __init__(self, budgets: RateLimits, now: float) -> None:
        self._budgets = budgets
        self._seated: Callable[[], bool] | None = None
        self._tokens = budgets.stranger.at_once
        self._since = now
        self._left = 0  # bytes of the current frame that have not arrived
        self._head = b""  # the first bytes of an incomplete header
        self._pong_due = 0.0
        self.messages = 0  #: messages that have begun to arrive, and the end of the connection
        self.spectator = False
        self.fault = ""  #: why the connection is to be closed

    def watch(self) -> None:
        """Set the limits of a spectator, who may send only pings."""
        self.spectator = True
        self._tokens = self._budgets.spectator.at_once

    def play(self, seated: Callable[[], bool]) -> None:
        """Set the limits of a player, or of a connection that will soon have a seat."""
        self._seated = seated

    def refund(self) -> None:
        """Refund the cost of a frame that answers a question, because the room decides when it sends questions."""
        self._tokens += 1.1

    def spend(self, cost: float, now: float) -> bool:
        """Take a cost from the budget; return False if the budget is too small."""
        self._tokens -= cost
        if self._tokens >= 0:
            return True
        allowance = self._budgets.stranger
        if self.spectator:
            allowance = self._budgets.spectator
        elif self._seated is not None and self._seated():
            allowance = self._budgets.player
            self._seated = None
            self._budgets = RateLimits(stranger=allowance, player=allowance, spectator=allowance)
            self._tokens += allowance.at_once
        self._tokens = min(allowance.at_once, self._tokens + (now - self._since) * allowance.a_second)
        self._since = now
        if self._tokens < 0:
            self.fault = TOO_MANY
        return self._tokens >= 0

    def request(self, size: int, now: float) -> bool:
        """Return whether the budget suffices for a request of this many bytes."""
        return self.spend(1 + size / PIECE, now)

    def one_frame(self, data: bytes) -> bool:
        """Return whether these bytes are one short, whole text frame within the budget, and count it.

        Players nearly always send such frames. The first two bytes identify them, so this check is fast and does not
        read the time. If it returns False, nothing has changed, and `frames` does the exact check.

        >>> meter = FrameMeter(RateLimits(stranger=RateLimit(1, 3)), now=0.0)
        >>> word = bytes((0x81, 0x82, 0, 0, 0, 0)) + b"{}"
        >>> [meter.one_frame(data) for data in (word, word, word, word[:-1], word + word)]
        [True, True, False, False, False]
        """
        size = len(data) - 6
        if not 0 <= size < 126 or data[0] != 0x81 or data[1] != 0x80 | size:
            return False
        left = self._tokens - 1 - size / PIECE
        if left < 0 or self._left or self._head or self.spectator or self.fault:
            return False
        self._tokens = left
        self.messages += 1
        return True

    def frames(self, data: bytes, now: float) -> int:
        """Return how many of these bytes are within the budget; fewer than all if the connection is to be closed.

        >>> meter = FrameMeter(RateLimits(stranger=RateLimit(1, 3)), now=0.0)
        >>> ping_frame = bytes((0x89, 0x80, 0, 0, 0, 0))
        >>> meter.frames(ping_frame * 2, 0.0), meter.frames(ping_frame * 2, 0.0), meter.fault
        (12, 6, 'too many frames')
        """
        known = len(self._head)
        if known:
            data = self._head + data
        at, end = self._left, len(data)
        while at + 2 <= end:
            size, start = data[at + 1] & 0x7F, at + 2
            if size >= 126:
                start += 2 if size == 126 else 8
                if start > end:
                    break
                size = int.from_bytes(data[at + 2 : start], "big")
            opcode = data[at] & 15
            if not self._may_come(opcode, size, now):
                return max(0, at - known)
            if 0 < opcode <= CLOSE:
                self.messages += 1
            at = start + size + (4 if data[at + 1] & 0x80 else 0)
        self._head = data[at:]
        self._left = max(0, at - end)
        return end - known

    def _may_come(self, opcode: int, size: int, now: float) -> bool:
        if opcode == PONG and now >= self._pong_due:
            self._pong_due = now + PONG_EVERY
            return True
        if self.spectator and opcode < 8:
            self.fault = SPEAKS
            return False
        return self.spend(1 + min(size, PIECE) / PIECE, now)


def unmask(frame: bytes) -> bytes:
    """Return the text of a client's short frame.

    >>> unmask(bytes((0x81, 0x82, 1, 2, 3, 4)) + bytes((ord("h") ^ 1, ord("i") ^ 2)))
    b'hi'
    """
    size = len(frame) - 6
    mask = int.from_bytes((frame[2:6] * 32)[:size], "little")
    return (int.from_bytes(frame[6:], "little") ^ mask).to_bytes(size, "little")
