"""The hands of a site's text one after the other, from numbered lines: where they begin, and which cannot be read."""

import re
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from pitboss.notation.found import HandFound, Note, ReadError
from pitboss.notation.sites.ending import CUT_OFF, DoubledCardError, PrintedPotError, check_cards, check_end
from pitboss.notation.sites.record import to_record
from pitboss.notation.sites.state import HandSoFar

Line = tuple[int, str]
_MOST_LINES = 20_000
"""More than any hand has; what goes on for longer is no hand."""


class Site(Struct, frozen=True):
    """How one site spells a hand."""

    key: str  #: of its format, and with `_` before it of its own field in records
    find_head: Callable[[str], int]  #: where in a line a hand begins; below zero where none does
    read_head: Callable[[HandSoFar, str], None]  #: takes a hand's first line
    read_line: Callable[[HandSoFar, str], bool]  #: takes any other; False where it is none that is known
    ends: Callable[[str], bool]  #: whether a line opens the last part of a hand, after which a blank line ends it
    belongs: Callable[[str], bool]  #: whether a line after such a blank line belongs to the hand all the same
    is_between: Callable[[str], bool] = lambda _: False  #: whether a line stands between hands
    finish: Callable[[HandSoFar], None] = lambda _: None  #: called when all lines are read
    error: type[ReadError] = ReadError


def scan_site(site: Site, lines: Iterable[Line], name: str = "", *, lenient: bool = False) -> Iterator[HandFound]:
    """Every hand of a text with the line it begins at: its record and notes, or what is wrong with it."""
    for hand in split_hands(site, lines):
        yield read_hand(site, hand, name, lenient=lenient)


def read_hand(site: Site, lines: list[Line], name: str = "", *, lenient: bool = False) -> HandFound:
    """One hand from its lines."""
    hand = HandSoFar(lenient=lenient)
    number, text = lines[0]
    first = number
    try:
        hand.line = number
        site.read_head(hand, text)
        read_line = site.read_line
        for number, text in lines[1:]:
            hand.line = number
            if not read_line(hand, text):
                _pass_over(hand, text)
        check_end(hand)
        site.finish(hand)
        return HandFound(first, to_record(hand, site.key), None, tuple(hand.notes))
    except ReadError as error:
        cut_off = hand.total is None and 1 < len(lines) == lines.index((number, text)) + 1
        if not cut_off:
            number, text = _line_at_fault(site, lines, error, (number, text), lenient)
        wrong = site.error(CUT_OFF if cut_off else error.reason, name=name, line=number, text=text)
        return HandFound(first, None, wrong, tuple(hand.notes))


def _line_at_fault(site: Site, lines: list[Line], error: ReadError, last: Line, lenient: bool) -> Line:
    """The line an error is about: what shows only when all has been read stands further above."""
    if isinstance(error, PrintedPotError):
        return next((line for line in lines if line[1].startswith("Total pot ")), last)
    if isinstance(error, DoubledCardError):
        hand = HandSoFar(lenient=lenient)
        site.read_head(hand, lines[0][1])
        for line in lines[1:]:
            site.read_line(hand, line[1])
            try:
                check_cards(hand)
            except DoubledCardError:
                return line
    return last


_ACTS = re.compile(
    r"(?:Dealt to |Uncalled bet .* returned to )(?P<given>.+?)(?: \[.*)?"
    r"|(?P<name>.+?):? (?:folds|checks|calls|bets|raises|posts|antes|brings in|completes|discards|stands pat|shows"
    r"|mucks|collected|wins|ties|cashed out|is all-?in)\b.*",
    re.IGNORECASE,
)
"""What somebody does or is given, as the sites print it."""


def _pass_over(hand: HandSoFar, text: str) -> None:
    where = "a summary" if hand.phase == "summary" else f"a {hand.venue} hand"
    found = _ACTS.fullmatch(text) if hand.phase != "summary" else None
    name = (found["name"] or found["given"]) if found else ""
    if name and name not in hand.by_name:
        if not hand.lenient:
            raise ReadError(
                f"{name[:40]!r} has no seat: add a line that seats him, or read leniently to go without this one"
            )
        hand.notes.append(Note(hand.line, f"{name[:40]!r} has no seat, and his line is left out: {text[:60]!r}"))
        return
    if not hand.lenient:
        raise ReadError(f"this is no line of {where}")
    hand.notes.append(Note(hand.line, f"no line of {where}: {text[:60]!r}"))


def split_hands(site: Site, lines: Iterable[Line]) -> Iterator[list[Line]]:
    """The lines of each hand; a hand whose first line is spoilt is separated from the one before by the blank line."""
    hand: list[Line] = []
    ended = blank = False
    for number, text in lines:
        line = text.lstrip("\ufeff").strip(" \t\r\n")
        if not line or site.is_between(line):
            blank = True
            continue
        at = site.find_head(line)
        if at > 0:
            hand.append((number, line[:at]))
            line = line[at:]
        if hand and (at >= 0 or (ended and blank and not site.belongs(line)) or len(hand) > _MOST_LINES):
            yield hand
            hand, ended = [], False
        hand.append((number, line))
        ended = ended or site.ends(line)
        blank = False
    if hand:
        yield hand
