"""Statistics of each seat since the server started: the time of its turns, and its refused frames.

They are not in the journal. The sums are public once their hand has been shown. Refused frames are only shown to the
team, and only the last of them are kept.
"""

from collections import deque

from msgspec import Struct

from pitboss.arena.rooms.clock import TableClock
from pitboss.arena.rooms.match import Match
from pitboss.arena.rooms.output import Spectators
from pitboss.arena.wire.messages import Rejected

MOST_REFUSED = 200
"""The maximum number of refused frames that are kept for a seat."""


class RefusedFrame(Struct, frozen=True, kw_only=True):
    """A refused frame: the error, the hand and turn, and the time in the caller's seconds."""

    code: str
    msg: str
    hand_id: str | None
    turn: int | None
    at: float


class SeatStats(Struct):
    """The turns of a seat, the time they took, and its refused frames."""

    turns: int = 0
    ms: int = 0
    longest_ms: int = 0
    errors: int = 0

    def add(self, other: "SeatStats") -> None:
        """Add the sums of later hands."""
        self.turns += other.turns
        self.ms += other.ms
        self.longest_ms = max(self.longest_ms, other.longest_ms)
        self.errors += other.errors


class TeamStats:
    """The statistics of all seats; `spectators` knows which hands were shown."""

    def __init__(self, match: Match, clock: TableClock, spectators: Spectators) -> None:
        self.since = match.history.hands + 1  #: the first hand that is counted completely
        self._match, self._clock, self._spectators = match, clock, spectators
        self._sums: dict[int, SeatStats] = {}  # of the hands that were shown
        self._waiting: deque[tuple[int, dict[int, SeatStats]]] = deque()  # of later hands, by hand
        self._refused: dict[int, deque[RefusedFrame]] = {}

    def end_hand(self) -> None:
        """Count the turns of the hand that has ended."""
        for seat, ms in self._clock.taken:
            self._of(seat).add(SeatStats(turns=1, ms=ms, longest_ms=ms))
        self._clock.taken.clear()

    def refuse(self, seat: int, rejected: Rejected, now: float) -> None:
        """Count a refused frame of a seat."""
        self._of(seat).errors += 1
        turn = self._clock.turn
        frame = RefusedFrame(
            code=rejected.code,
            msg=str(rejected),
            hand_id=self._match.hand_id if self._match.underway else None,
            turn=turn.number if turn is not None and turn.seat == seat else None,
            at=now,
        )
        self._refused.setdefault(seat, deque(maxlen=MOST_REFUSED)).append(frame)

    def forget(self, seat: int) -> None:
        """Forget a seat whose team has left the table."""
        self._refused.pop(seat, None)
        for sums in (self._sums, *[sums for _, sums in self._waiting]):
            sums.pop(seat, None)

    def sums(self) -> dict[int, SeatStats]:
        """Return the sums of each seat over the hands that were shown."""
        self._count_shown()
        return self._sums

    def refused(self, seat: int) -> tuple[RefusedFrame, ...]:
        """Return the last refused frames of a seat, newest first."""
        return tuple(reversed(self._refused.get(seat, ())))

    def _of(self, seat: int) -> SeatStats:
        """Return a seat's sums of the current hand or, between hands, of the last hand."""
        hand = self._match.history.hands
        if not self._waiting or self._waiting[-1][0] != hand:
            self._count_shown()
            self._waiting.append((hand, {}))
        return self._waiting[-1][1].setdefault(seat, SeatStats())

    def _count_shown(self) -> None:
        shown = self._spectators.finished if self._spectators.delay else self._match.finished
        while self._waiting and self._waiting[0][0] <= shown:
            for seat, sums in self._waiting.popleft()[1].items():
                self._sums.setdefault(seat, SeatStats()).add(sums)
