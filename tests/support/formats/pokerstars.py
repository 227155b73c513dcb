"""PokerStars text given to tests as one string."""

import re
from collections.abc import Iterator
from io import BufferedReader, BytesIO

from pitboss.formats.scan import number_lines, records_of
from pitboss.formats.sites.pokerstars import POKERSTARS, PokerStarsError
from pitboss.records.record import Record


def read_pokerstars(text: str, name: str = "") -> list[Record]:
    """Return every hand of a text; raise `PokerStarsError` for the first that cannot be read."""
    return records_of(POKERSTARS.scan(enumerate(re.split(r"\r\n|\r|\n", text), 1), name))


def scan_pokerstars(text: str, name: str = "") -> Iterator[tuple[int, Record | PokerStarsError]]:
    """Yield every hand of a text with the line it begins at: its record, or what is wrong with it."""
    for found in POKERSTARS.scan(enumerate(re.split(r"\r\n|\r|\n", text), 1), name):
        outcome = found.record or found.error
        if isinstance(outcome, Record | PokerStarsError):
            yield found.line, outcome


def decode_pokerstars(data: bytes) -> str:
    """Return the text of a file, decoded as every hand history is."""
    return "\n".join(line for _, line in number_lines(BufferedReader(BytesIO(data))))
