"""PokerStars text into records: how a hand's head fills it, and where hands begin in a file."""

import re
from collections.abc import Iterable, Iterator

from pitboss.notation.found import HandFound, Note
from pitboss.notation.pokerstars.lines import read_line
from pitboss.notation.pokerstars.text import (
    HEAD,
    PokerStarsError,
    PrintedStakes,
    read_head,
    read_level,
    read_stakes,
    write_level,
)
from pitboss.notation.record import Record
from pitboss.notation.sites.games import find_game
from pitboss.notation.sites.scan import Line, Site, scan_site
from pitboss.notation.sites.state import HandSoFar

_BETWEEN = re.compile(r"\*+ # \d+ \*+")  # stands above each hand of a transcript sent by mail
_SUMMARY = re.compile(r"Seat \d+: .*|Board \[.*|Total pot .*")
_VENUES = {"PokerStars": "PokerStars", "Run It Once Poker": "Run It Once", "PokerMaster": "PokerMaster"}


def read_pokerstars(text: str, name: str = "") -> list[Record]:
    """Every hand of a text; raises `PokerStarsError` for the first that cannot be read."""
    records = []
    for _, found in scan_pokerstars(text, name):
        if isinstance(found, PokerStarsError):
            raise found
        records.append(found)
    return records


def scan_pokerstars(text: str, name: str = "") -> Iterator[tuple[int, Record | PokerStarsError]]:
    """Every hand of a text with the line it begins at: its record, or what is wrong with it."""
    for found in scan_pokerstars_lines(enumerate(re.split(r"\r\n|\r|\n", text), 1), name):
        if found.record is not None:
            yield found.line, found.record
        elif isinstance(found.error, PokerStarsError):
            yield found.line, found.error


def scan_pokerstars_lines(lines: Iterable[Line], name: str = "", lenient: bool = False) -> Iterator[HandFound]:
    """Every hand of numbered lines, in flat memory."""
    return scan_site(POKERSTARS, lines, name, lenient=lenient)


def decode_pokerstars(data: bytes) -> str:
    """The text of a file: UTF-8 as PokerStars writes it today, else the Western one-byte letters of 2008.

    >>> decode_pokerstars(b"bast\\xf2r")
    'bastòr'
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


# --- how a hand begins


def _find_head(line: str) -> int:
    """Where a head stands in a line; after half a line where a file was cut off and went on."""
    at = line.find(" #")
    if at < 0:
        return -1
    if HEAD.match(line):
        return 0
    found = HEAD.search(line) if ' said, "' not in line else None
    return found.start() if found else -1


def _read_head(hand: HandSoFar, text: str) -> None:
    head = read_head(text)
    hand.structure = find_game(head.game, head.limit)
    stakes = read_stakes(head.stakes)
    hand.venue, hand.number, hand.event, hand.clock = _VENUES[head.room], head.hand, head.event, head.clock
    hand.level = read_level(head.level)
    hand.symbol, hand.currency = stakes.symbol, stakes.currency
    if hand.structure.betting.exact:
        hand.small = hand.big = stakes.small
        hand.big_bet = stakes.big
    else:
        hand.small, hand.big = stakes.small, stakes.big
    hand.section = "head"
    hand.marks = {
        "title": head.title,  # always there: it marks a record that was read from a text
        "club": head.club,
        "mix": head.mix,
        "level": head.level if head.level and head.level != write_level(hand.level) else "",
        "stakes": head.stakes,
        "also": head.clock.also,
    }
    if " Post-Flop" in head.limit and hand.lenient:
        hand.notes.append(Note(hand.line, "pot limit before the flop is read as no limit"))


def forget_usual_stakes(hand: HandSoFar) -> None:
    """Keep the head's stakes as printed only where they are not what the bets themselves say."""
    if hand.structure.betting.exact:
        small, big = hand.big, hand.big_bet
    else:
        small, big = next((p.blind for p in hand.players if 0 < p.blind < hand.big), 0), hand.big
    if hand.marks["stakes"] == str(PrintedStakes(small, big, hand.symbol, hand.currency)):
        del hand.marks["stakes"]


POKERSTARS = Site(
    key="pokerstars",
    find_head=_find_head,
    read_head=_read_head,
    read_line=read_line,
    ends=lambda line: line.startswith("*** SUMMARY ***"),
    belongs=lambda line: _SUMMARY.fullmatch(line) is not None,
    is_between=lambda line: _BETWEEN.fullmatch(line) is not None,
    finish=forget_usual_stakes,
    error=PokerStarsError,
)
