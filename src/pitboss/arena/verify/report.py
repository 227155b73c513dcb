"""The report of a verification: what was checked, and which problems were found."""

import re
import sys
from collections.abc import Iterable

import msgspec
from msgspec import Struct, field

NONSENSE = (
    *(ValueError, LookupError, TypeError, AttributeError, AssertionError),
    *(ArithmeticError, RecursionError, msgspec.MsgspecError),
)
"""The errors of reading and replaying data that no honest server writes."""


_LINE = re.compile(r"\bline (\d+)\b")


class Report(Struct):
    """The result for one table of a journal or for one record of frames, with one sentence per problem."""

    name: str
    hands: int = 0
    voided: int = 0
    cards_opened: int = 0
    decks_checked: int = 0
    frames_compared: int = 0  #: of a record that is compared with the frames that follow from the journal
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether no problem was found."""
        return not self.problems


def in_order(problems: Iterable[str]) -> list[str]:
    """Sort sentences by the first line number that they name; sentences without one come last."""
    return sorted(problems, key=lambda sentence: int(found[1]) if (found := _LINE.search(sentence)) else sys.maxsize)
