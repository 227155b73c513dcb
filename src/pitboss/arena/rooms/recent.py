"""What everybody was sent of this hand and of the last one, numbered, for whoever comes back and has missed some."""

from collections.abc import Mapping, Sequence


class Recent:
    """The frames, and which seats may not know that a hand was taken back."""

    def __init__(self, frames: Sequence[tuple[int, str]] = (), mark: int = 0, unaware: Mapping[int, int] = {}) -> None:
        self.frames = list(frames)
        self._mark = mark  # where this hand begins in it
        self._unaware = dict(unaware)  # seat → the frame by which a hand was taken back while it was away

    @property
    def hand(self) -> list[str]:
        """The frames of this hand."""
        return [frame for _, frame in self.frames[self._mark :]]

    def begin_hand(self) -> None:
        """Another hand begins, and what was the last one is forgotten."""
        self.frames = self.frames[self._mark :]
        self._mark = len(self.frames)

    def add(self, seq: int, frame: str) -> None:
        """One more frame was sent."""
        self.frames.append((seq, frame))

    def seen(self, seat: int, resume_from: int | None, sent: int, last: int) -> int:
        """The last frame that a seat need not be sent again, where `sent` was the last of all, and `last` comes next.

        Who asks for nothing, or has seen another past, is only told of a hand that was taken back meanwhile.
        """
        void = self._unaware.pop(seat, 0)
        if resume_from is not None and resume_from <= sent:
            return resume_from
        return void - 1 if self.frames and self.frames[0][0] <= void else last
