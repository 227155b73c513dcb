"""Ctrl-C during a solve: it is noted, and the solve ends after the step that it is doing."""

import signal
import threading
from types import FrameType, TracebackType
from typing import Any, Self


class Interrupts:
    """While it is entered, the first Ctrl-C sets `seen`, and the second raises KeyboardInterrupt as usual.

    An error in the middle of a step would leave strategies that were learned by half and not measured. Another handler
    than Python's own stays in place, and outside the main thread nothing changes.
    """

    def __init__(self) -> None:
        """Begin without an interrupt."""
        self.seen = False
        self.ready = False  #: whether there is something to keep; before that, Ctrl-C raises at once
        self._before: Any = None

    def __enter__(self) -> Self:
        """Take over the signal."""
        main = threading.current_thread() is threading.main_thread()
        if main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the signal back."""
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.seen or not self.ready:
            signal.default_int_handler(number, frame)
        self.seen = True
