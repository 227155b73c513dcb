"""Connections that have not said hello yet, and until when they may put it off."""

from collections.abc import Callable


class Strangers:
    """Sessions without a seat, in order of when they are closed."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._until: dict[int, float] = {}

    @property
    def due(self) -> float | None:
        """When the first of them is to be closed."""
        return next(iter(self._until.values()), None)

    def come(self, session: int, now: float) -> None:
        """A connection is open."""
        self._until[session] = now + self._patience

    def go(self, session: int) -> None:
        """It has a seat, or is gone."""
        self._until.pop(session, None)

    def overdue(self, now: float, is_checked: Callable[[int], bool]) -> list[int]:
        """Who has put it off for too long; who has said hello and waits for us is given more time."""
        late = []
        while self._until and (first := next(iter(self._until.items())))[1] <= now:
            del self._until[first[0]]
            if is_checked(first[0]):
                self.come(first[0], now)
            else:
                late.append(first[0])
        return late
