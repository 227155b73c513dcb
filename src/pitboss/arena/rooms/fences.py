"""Whether an answer that names no turn was sent before its question can have been read.

Who may name no turn is pinged right before each question. Frames keep their order, so whatever arrives before the pong
was sent before the question was read: it answers something older, and is too late. Who never answers a ping cannot be
judged so; until that is known of a connection, such an answer is held back for a moment. No socket is known here.
"""

from typing import NamedTuple

from msgspec import Struct, field

from pitboss.arena.rooms.output import Output, Ping
from pitboss.arena.v1.messages import Action, MoveMessage
from pitboss.arena.v1.reading import Rejected

PATIENCE = 1.0
"""Seconds after the first ping until a connection counts as one that answers none; a quarter of a turn where less."""
ENOUGH = 3
"""Answers that have named their turn, and none has not, after which a connection is not pinged before questions."""
MOST_HELD = 16
EARLY = "it was sent before you can have read the open question; name the turn, or answer once you have read it"
NAMED = "you have named your turns until now: name this one, or answer once more"


class Held(NamedTuple):
    """An answer that is held back, and the turn that was open when it came."""

    session: int
    turn: int
    answer: Action | MoveMessage


class Fence(Struct):
    """What pings tell of one connection."""

    deaf_at: float  #: from when on it counts as one that answers no pings
    named: int = 0  #: how many of its answers have named their turn; below 0: one has not
    answers: bool = False  #: whether it has ever answered a ping
    sent: int = 0  #: the last turn that a ping went out for
    passed: int = 0  #: the last turn whose pong has come before all that is heard now
    held: list[Held] = field(default_factory=list)


class Fences:
    """The fences of a room, by session; of a connection that cannot be pinged there is none."""

    def __init__(self, move_time: float) -> None:
        self._patience = min(PATIENCE, move_time / 4)
        self._fences: dict[int, Fence] = {}
        self._holding: dict[int, float] = {}  # sessions with an answer that is held → until when, in order of time

    @property
    def due(self) -> float | None:
        """When an answer has been held long enough."""
        return next(iter(self._holding.values()), None)

    def open(self, out: Output, session: int, now: float) -> None:
        """A connection that can be pinged has a seat: find out whether it answers pings."""
        self._fences[session] = Fence(now + self._patience)
        out.sends.append(Ping(session, 0))

    def close(self, session: int) -> None:
        """A connection is gone."""
        self._fences.pop(session, None)
        self._holding.pop(session, None)

    def ask(self, out: Output, session: int, turn: int) -> None:
        """A question goes out next: ping whoever may answer it without naming it."""
        fence = self._fences.get(session)
        if fence is not None and fence.named < ENOUGH:
            fence.sent = turn
            out.sends.append(Ping(session, turn))

    def hear(self, session: int, answer: Action | MoveMessage) -> None:
        """A connection answers something, and names its turn or does not."""
        fence = self._fences.get(session)
        if fence is not None and fence.named >= 0:
            fence.named = -1 if answer.turn is None else fence.named + 1

    def judge(self, out: Output, session: int, turn: int, answer: Action | MoveMessage, now: float) -> bool:
        """Whether an answer that names no turn counts for the open one; raises `Rejected` where it came too early.

        Where that is not known yet it is held, and False.
        """
        fence = self._fences.get(session)
        if fence is None or fence.passed >= turn:
            return True
        if fence.sent != turn:  # who has named his turns so far was not pinged
            self.ask(out, session, turn)
            raise Rejected("ACTION_TOO_LATE", NAMED)
        if fence.answers or len(fence.held) == MOST_HELD:
            raise Rejected("ACTION_TOO_LATE", EARLY)
        if now >= fence.deaf_at:
            return True
        fence.held.append(Held(session, turn, answer))
        self._holding[session] = fence.deaf_at
        return False

    def answered(self, session: int) -> list[Held]:
        """A pong has come, perhaps before some frames are heard that were sent earlier; what was held was early."""
        fence = self._fences.get(session)
        if fence is None:
            return []
        fence.answers = True
        early, fence.held = fence.held, []
        self._holding.pop(session, None)
        return early

    def passed(self, session: int, turn: int) -> None:
        """All that is heard from now on was sent after the ping for this turn was read."""
        fence = self._fences.get(session)
        if fence is not None and turn <= fence.sent:
            fence.passed = max(fence.passed, turn)

    def expire(self, now: float) -> list[Held]:
        """The answers that have been held long enough."""
        due: list[Held] = []
        while self._holding and (first := next(iter(self._holding.items())))[1] <= now:
            del self._holding[first[0]]
            fence = self._fences[first[0]]
            due += fence.held
            fence.held = []
        return due
