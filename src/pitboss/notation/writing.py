"""Writing hands one after the other in any format that can be written, in flat memory."""

from collections.abc import Callable
from typing import Protocol

from pitboss.notation.acpc.write import AcpcLog
from pitboss.notation.document.debts import posts_as_debts
from pitboss.notation.document.fields import write_document
from pitboss.notation.document.records import read_back
from pitboss.notation.found import ReadError
from pitboss.notation.ohh.write import write_ohh
from pitboss.notation.phh.write import write_phh, write_phhs
from pitboss.notation.pokerstars.write import write_pokerstars
from pitboss.notation.record import Record


class FullError(ReadError):
    """A hand too many for its file."""


class HandWriter(Protocol):
    """A file being written; a hand that its format cannot say is a `ReadError` or `DocumentError`, and is left out."""

    def add(self, record: Record) -> str:
        """The text that a hand adds."""

    def end(self) -> str:
        """The text that closes the file."""


class _Joined:
    """Hands written each by itself, with something between them and at the end."""

    def __init__(self, write: Callable[[Record], str], joint: str = "", end: str = "") -> None:
        self.write, self.joint, self.last = write, joint, end
        self.hands = 0

    def add(self, record: Record) -> str:
        text = self.write(record)
        self.hands += 1
        return text if self.hands == 1 else self.joint + text

    def end(self) -> str:
        return self.last


class _OnePhh:
    """A `.phh`, which holds one hand."""

    def __init__(self) -> None:
        self.full = False

    def add(self, record: Record) -> str:
        if self.full:
            raise FullError("a .phh holds one hand: write a .phhs")
        text = write_phh(record)
        self.full = True
        return text

    def end(self) -> str:
        return ""


class _Tables:
    """A `.phhs`: tables called 1, 2, and so on, as `write_phhs` has them."""

    def __init__(self) -> None:
        self.hands = 0

    def add(self, record: Record) -> str:
        text = write_phhs([(str(self.hands + 1), record)], end="")
        self.hands += 1
        return text if self.hands == 1 else f"\n\n{text}"

    def end(self) -> str:
        return "\n\n"


class _Documents:
    """Table documents: one by itself, several in a list."""

    def __init__(self) -> None:
        self.hands = 0
        self.first = ""

    def add(self, record: Record) -> str:
        text = write_document(read_back(posts_as_debts(record))).decode()
        self.hands += 1
        if self.hands == 1:  # whether a list begins is known with the second
            self.first = text
            return ""
        return f"[{self.first},\n {text}" if self.hands == 2 else f",\n {text}"

    def end(self) -> str:
        return f"{self.first}\n" if self.hands == 1 else "]\n"


WRITERS: dict[str, Callable[[], HandWriter]] = {
    "phh": _OnePhh,
    "phhs": _Tables,
    "document": _Documents,
    "pokerstars": lambda: _Joined(write_pokerstars, "\n\n\n"),
    "ohh": lambda: _Joined(write_ohh, "\n\n", "\n"),
    "acpc": AcpcLog,
}
"""What begins a file of each format that can be written, by its key."""

ENDINGS = {
    ".phh": "phh",
    ".phhs": "phhs",
    ".json": "document",
    ".txt": "pokerstars",
    ".ohh": "ohh",
    ".log": "acpc",
}
"""The format that a file's ending asks for."""
