"""When the decks of a cash table become public: a set time after each hand, for many hands at once."""

from collections import deque

from msgspec import Struct

AT_ONCE = 0.01
"""Hands that end within this part of the time are revealed together, none of them too soon."""


class _Batch(Struct):
    first: float  # when the deck of its first hand may be revealed
    last: float
    number: int  # of its last hand


class RevealSchedule:
    """The finished hands whose decks are secret; `after` is the number of seconds, None: never."""

    def __init__(self, after: float | None) -> None:
        self._after = after
        self._batches: deque[_Batch] = deque()

    @property
    def due(self) -> float | None:
        """When the next decks become public."""
        return self._batches[0].last if self._batches else None

    def add(self, number: int, now: float) -> None:
        """Note that a hand has ended, and all before it."""
        if self._after is None:
            return
        due, batches = now + self._after, self._batches
        if batches and due - batches[-1].first <= self._after * AT_ONCE:
            batches[-1].last, batches[-1].number = due, number
        else:
            batches.append(_Batch(due, due, number))

    def take(self, now: float) -> int | None:
        """Return the last hand whose deck becomes public now, if any does."""
        number = None
        while self._batches and self._batches[0].last <= now:
            number = self._batches.popleft().number
        return number
