"""What verifying has looked at, and what is wrong with it."""

import re
import sys
from collections.abc import Iterable

from msgspec import Struct, field

NONSENSE = (ValueError, LookupError, TypeError, AttributeError, AssertionError)
"""How reading and playing fail on what no honest server has written."""


_LINE = re.compile(r"\bline (\d+)\b")


class Report(Struct):
    """One table of a journal, or one record of frames; a sentence for each thing that is wrong."""

    name: str
    hands: int = 0
    voided: int = 0
    cards_opened: int = 0
    decks_checked: int = 0
    frames_compared: int = 0  #: of a record, with what the journal says was sent
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


def in_order(problems: Iterable[str]) -> list[str]:
    """Sentences by the line that they name first, those that name none last."""
    return sorted(problems, key=lambda sentence: int(found[1]) if (found := _LINE.search(sentence)) else sys.maxsize)
