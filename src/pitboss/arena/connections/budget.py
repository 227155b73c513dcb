"""What one connection may send: a budget in frames, counted where bytes arrive.

Control frames and fragments count too. A frame costs one, and one more for every `PIECE` bytes of it; a
connection that has spent its budget and goes on sending is closed. There is no socket in here.
"""

from collections.abc import Callable

from msgspec import Struct

CLOSE, PONG = 8, 10
PIECE = 8 * 1024
PONG_EVERY = 10.0
"""Seconds between two pongs that cost nothing; the server's own pings are further apart."""
TOO_MANY, SPEAKS = "too many frames", "spectators send nothing"


class RateLimit(Struct, frozen=True):
    """So many frames a second, and so many at once."""

    a_second: float
    at_once: float


class RateLimits(Struct, frozen=True, kw_only=True):
    """What is put up with from whom."""

    stranger: RateLimit = RateLimit(10, 80)  #: who asks for pages, or has not taken a seat yet
    player: RateLimit = RateLimit(100, 500)  #: who has; more than a room puts up with
    spectator: RateLimit = RateLimit(2, 20)  #: pings alone
    address: RateLimit = RateLimit(100, 1000)  #: requests of all connections of an address; who asks for a seat is free
    everybody: RateLimit = RateLimit(400, 4000)  #: the same of all addresses together


class FrameMeter:
    """The budget of one connection, and where its next frame begins."""

    __slots__ = (
        *("_budgets", "_head", "_left", "_pong_due", "_seated", "_since", "_tokens"),
        *("fault", "messages", "spectator"),
    )

    def __init__(self, budgets: RateLimits, now: float) -> None:
        self._budgets = budgets
        self._seated: Callable[[], bool] | None = None
        self._tokens = budgets.stranger.at_once
        self._since = now
        self._left = 0  # bytes of the current frame that have not come yet
        self._head = b""  # a header of which only the beginning has come
        self._pong_due = 0.0
        self.messages = 0  #: how many have begun to come, whole or in fragments; the end of all is one too
        self.spectator = False
        self.fault = ""  #: why the connection is to be closed

    def watch(self) -> None:
        """This is a spectator from now on, who may say nothing at all."""
        self.spectator = True
        self._tokens = self._budgets.spectator.at_once

    def play(self, seated: Callable[[], bool]) -> None:
        """This is a player from now on, or will be as soon as it has a seat."""
        self._seated = seated

    def refund(self) -> None:
        """Give a frame back that was asked for: a room sets the pace of answers itself."""
        self._tokens += 1.1

    def spend(self, cost: float, now: float) -> bool:
        """Whether that much is left; it is gone then."""
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
        """Whether so many bytes of a request may come."""
        return self.spend(1 + size / PIECE, now)

    def one_frame(self, data: bytes) -> bool:
        """Whether these bytes are one short text of a player, whole, and within what is left; it is spent then.

        That is what players nearly always send. It is told from two bytes, without the time; where it is anything
        else nothing has changed, and `frames` looks closer.

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
        """How many of these bytes are within the budget; fewer than all when it is to be closed.

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
    """What a short frame of a client says.

    >>> unmask(bytes((0x81, 0x82, 1, 2, 3, 4)) + bytes((ord("h") ^ 1, ord("i") ^ 2)))
    b'hi'
    """
    size = len(frame) - 6
    mask = int.from_bytes((frame[2:6] * 32)[:size], "little")
    return (int.from_bytes(frame[6:], "little") ^ mask).to_bytes(size, "little")
