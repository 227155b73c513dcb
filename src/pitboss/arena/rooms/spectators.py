"""The spectators of one table: what they have been shown so far, at once or some time later.

Who comes in the middle of a hand is shown it from its start, as far as the others have seen it.
"""

from collections import deque
from collections.abc import Iterator

from pitboss.arena.rooms.output import Frames
from pitboss.arena.v1.messages import Lobby, write


class Gallery:
    """Spectators by session, and what is yet to be shown to them."""

    def __init__(self, delay: float) -> None:
        self.delay = delay
        self.sessions: set[int] = set()
        self.lobby = Lobby(players=())  #: as it was last shown: after a restart nobody knows what had been
        self.over = False  #: whether the match's end was shown
        self._hand: list[str | Frames] = []  # what was shown of the hand
        self._waiting: deque[tuple[float, Lobby | str | Frames | None]] = deque()

    @property
    def due(self) -> float | None:
        """When something is to be shown."""
        return self._waiting[0][0] if self._waiting else None

    def seen(self) -> list[str | Frames]:
        """What everybody here has seen: who is at the table, the hand, and what ended the match."""
        return [write(self.lobby), *self._hand]

    def put(self, what: Lobby | str | Frames | None, now: float) -> None:
        """Have a lobby, a frame or the match's end shown when its time comes; None is where a hand begins."""
        self._waiting.append((now + self.delay, what))

    def show(self, now: float) -> Iterator[str | Frames]:
        """The frames whose time has come."""
        while self._waiting and self._waiting[0][0] <= now:
            what = self._waiting.popleft()[1]
            if what is None:
                self._hand = []
            elif isinstance(what, Lobby):
                self.lobby = what
                yield write(what)
            else:
                self._hand.append(what)
                self.over = not isinstance(what, str)
                yield what
