"""What reading a file of hands gives: each hand with the line it begins at, or why it cannot be read; and notes."""

from json import JSONDecodeError

from msgspec import Struct

from pitboss.errors import PitbossError
from pitboss.notation.record import Record

_SHOWN = 100


class ReadError(PitbossError, ValueError):
    """A text that cannot be read as hands; `line` counts from 1 in the whole file, 0 where there is none.

    >>> print(ReadError("no amount", name="x.txt", line=7, text="calls $?"))
    x.txt, line 7: no amount: 'calls $?'
    """

    def __init__(self, reason: str, *, name: str = "", line: int = 0, text: str = "") -> None:
        where = ", ".join(part for part in (name, f"line {line}" if line else "") if part)
        quoted = repr(text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "...")
        super().__init__((f"{where}: " if where else "") + reason + (f": {quoted}" if text else ""))
        self.reason, self.name, self.line, self.text = reason, name, line, text


def describe_json_fault(error: JSONDecodeError) -> str:
    """What is wrong with JSON, in words; a text that stops in the middle may be cut off."""
    stops = error.msg.startswith("Unterminated") or error.pos >= len(error.doc.rstrip())
    return "it stops in the middle, and may be cut off" if stops else error.msg.lower()


class Note(Struct, frozen=True):
    """Something that lenient reading left out or mended."""

    line: int
    sentence: str


class HandFound(Struct, frozen=True):
    """A hand of a file: its record, or what is wrong with it."""

    line: int  #: where it begins
    record: Record | None = None
    error: ReadError | None = None
    notes: tuple[Note, ...] = ()
    label: str = ""  #: what the file calls the hand, such as the name of a table of PHH
