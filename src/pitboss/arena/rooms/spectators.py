"""The spectators of one table: what they have been shown so far, at once or some time later.

Who comes in the middle of a hand is shown it from its start, as far as the others have seen it.
"""

from collections import deque
from collections.abc import Iterable
from typing import TypeAlias

from pitboss.arena.rooms.output import Frames, Output, RunOut, Send
from pitboss.arena.wire.messages import Lobby, write

Shown: TypeAlias = Lobby | str | Frames | RunOut | int | None
"""What spectators are shown; None is where a hand begins, and a number that of the last hand shown to its end."""


class Spectators:
    """Spectators by session, and what is yet to be shown to them."""

    def __init__(self, delay: float) -> None:
        self.delay = delay
        self.sessions: set[int] = set()
        self.lobby = Lobby(players=())  #: as it was last shown: after a restart nobody knows what had been
        self.over = False  #: whether the match's end was shown
        self.finished = 0  #: the last hand whose end was shown
        self.waiting: deque[tuple[float, Shown]] = deque()  #: what is to be shown, and when
        self._hand: list[str | Frames] = []  # what was shown of the hand

    @property
    def due(self) -> float | None:
        """When something is to be shown."""
        return self.waiting[0][0] if self.waiting else None

    def seen(self) -> list[str | Frames]:
        """What everybody here has seen: who is at the table, the hand, and what ended the match."""
        return [write(self.lobby), *self._hand]

    def put(self, shown: Iterable[Shown], out: Output, now: float) -> None:
        """Show lobbies, frames and the match's end when their time comes, which may be now."""
        if self.delay or self.sessions:
            self.waiting.extend([(now + self.delay, what) for what in shown])
            self.show(out, now)
        else:  # there is nobody to write it for
            for what in shown:
                self._see(what)

    def show(self, out: Output, now: float) -> None:
        """Send the frames whose time has come."""
        watching = tuple(self.sessions) if self.waiting else ()
        while self.waiting and self.waiting[0][0] <= now:
            what = self.waiting.popleft()[1]
            self._see(what)
            if not watching:
                continue
            if isinstance(what, str):
                out.sends.append(Send(watching, what))
            elif isinstance(what, RunOut):
                out.run_outs.append(what)
            elif what is not None and not isinstance(what, int):
                out.put(watching, write(what) if isinstance(what, Lobby) else what)

    def add(self, frame: str, out: Output) -> None:
        """Send one more frame about a hand that was shown, now."""
        self._hand.append(frame)
        if self.sessions:
            out.put(tuple(self.sessions), frame)

    def _see(self, what: Shown) -> None:
        if what is None:
            self._hand = []
        elif isinstance(what, int):
            self.finished = what
        elif isinstance(what, Lobby):
            self.lobby = what
        elif not isinstance(what, RunOut):
            self._hand.append(what)
            self.over = not isinstance(what, str)
