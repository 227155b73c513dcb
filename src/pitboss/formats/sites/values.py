"""Read and write the amounts, dates and names of games that sites print."""

import datetime as dt
import re
from decimal import Decimal
from functools import lru_cache

from msgspec import Struct

from pitboss.formats.scan import ReadError
from pitboss.hand.games import STRUCTURES
from pitboss.hand.structure import Structure
from pitboss.records.money import Amount

_AMOUNT = re.compile(r"(?:[0-9]{1,20}|[0-9]{1,3}(?:,[0-9]{3}){1,6})(?:\.[0-9]{1,8})?")
_ZONE = r"[^\s()\[\]]+"
ZONE = re.compile(_ZONE)
_CLOCK = re.compile(
    r"(?P<year>[0-9]{4})/(?P<month>[0-9]{2})/(?P<day>[0-9]{2})"
    r"(?:(?: -)? (?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2}))?"
    rf"(?: \(?(?P<zone>{_ZONE})\)?)?)?(?: \[(?P<also>.*)\])?"
)

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

_GAMES = {
    "hold'em": "T",
    "texas hold'em": "T",
    "holdem": "T",
    "texas holdem": "T",
    "6+ hold'em": "S",
    "short deck": "S",
    "shortdeck": "S",
    "omaha": "O",
    "omaha hi": "O",
    "omaha high": "O",
    "plo": "O",
    "5 card omaha": "O5",
    "5 card omaha hi": "O5",
    "plo-5": "O5",
    "6 card omaha": "O6",
    "6 card omaha hi": "O6",
    "plo-6": "O6",
    "omaha hi/lo": "O/8",
    "omaha h/l": "O/8",
    "omaha hi-lo": "O/8",
    "5 card omaha hi/lo": "O5/8",
    "5 card omaha h/l": "O5/8",
    "courchevel": "C",
    "courchevel hi": "C",
    "courchevel hi/lo": "C/8",
    "7 card stud": "7S",
    "7 card stud hi": "7S",
    "stud": "7S",
    "stud hi": "7S",
    "7 card stud hi/lo": "7S/8",
    "stud h/l": "7S/8",
    "stud hi/lo": "7S/8",
    "razz": "R",
    "single draw 2-7 lowball": "2L1D",
    "2-7 single draw": "2L1D",
    "triple draw 2-7 lowball": "2L3D",
    "2-7 triple draw": "2L3D",
    "badugi": "B",
    "5 card draw": "5D",
}
_LIMITS = {
    "no limit": "N",
    "nl": "N",
    "pot limit": "P",
    "pl": "P",
    "limit": "F",
    "fixed limit": "F",
    "fl": "F",
    "pot limit pre-flop, no limit post-flop": "N",
}


@lru_cache(maxsize=16384)
def read_amount(text: str, symbol: str) -> Amount:
    """Read an amount with its currency symbol, as an integer if it is whole, otherwise as an exact decimal.

    >>> read_amount("$2", "$"), read_amount("$11.30", "$"), read_amount("1,000", "")
    (2, Decimal('11.30'), 1000)
    """
    if not text.startswith(symbol) or not _AMOUNT.fullmatch(text, len(symbol)):
        raise ReadError(f"expected an amount in {symbol or 'chips'}, got {text!r}")
    amount = whole(Decimal(text[len(symbol) :].replace(",", "")))
    if amount * 100 % 1:
        raise ReadError(f"expected an amount with at most two decimals, got {text!r}")
    return amount


def write_amount(amount: Amount, symbol: str) -> str:
    """Write an amount as PokerStars prints it: with no decimals, or with at least two.

    >>> write_amount(Decimal("11.3"), "$"), write_amount(Decimal("5.00"), ""), write_amount(Decimal("0.125"), "€")
    ('$11.30', '5', '€0.125')
    """
    amount = whole(amount)
    if isinstance(amount, int):
        return f"{symbol}{amount}"
    exponent = amount.normalize().as_tuple().exponent
    return f"{symbol}{amount:.{max(2, -int(exponent))}f}"


def whole(amount: Amount) -> Amount:
    """Return an amount as an integer if it is whole."""
    if not isinstance(amount, Decimal) or amount.is_infinite():
        return amount
    return int(amount) if amount == int(amount) else amount


class Clock(Struct, frozen=True):
    """The known parts of the date and time of a hand. `also` is the same time in a second time zone, as printed."""

    day: dt.date | None = None
    time: dt.time | None = None
    zone: str | None = None
    also: str = ""

    def __str__(self) -> str:
        time = self.time and f"{self.time.hour}:{self.time:%M:%S}"
        day = self.day and f"{self.day.year:04}/{self.day:%m/%d}"
        parts = (day, time, time and self.zone, self.also and f"[{self.also}]")
        return " ".join(part for part in parts if part) if day else ""


def month_number(text: str) -> int:
    """Return the number of a month from its number or English name, or 0 if it is not a month."""
    name = text[:3].lower()
    return int(text) if text.isdigit() else _MONTHS.index(name) + 1 if name in _MONTHS else 0


def clock_of(found: re.Match[str]) -> Clock:
    """Return the date and time in a match of a pattern with named groups."""
    part = found.groupdict()
    try:
        day = dt.date(int(part["year"]), month_number(part["month"]), int(part["day"]))
        time = part["hour"] and dt.time(int(part["hour"]), int(part["minute"]), int(part["second"] or 0))
    except ValueError:
        raise ReadError(f"expected a valid date, got {found[0]!r}") from None
    return Clock(day, time or None, part["zone"], part.get("also") or "")


def read_clock(text: str) -> Clock:
    """Read a date and time that begins with the year, as sites have printed them since 2008.

    >>> str(read_clock("2008/09/02 - 03:17:01 (ET)"))
    '2008/09/02 3:17:01 ET'
    """
    found = _CLOCK.fullmatch(text)
    if not found:
        raise ReadError(f"expected a date, got {text!r}")
    return clock_of(found)


@lru_cache(maxsize=256)
def game_named(game: str, limit: str) -> Structure:
    """Return the game with this name, in any case. Raise `ReadError` if it is not supported.

    >>> game_named("Omaha Hi/Lo", "Pot Limit").code
    'PO/8'
    """
    betting, code = _LIMITS.get(limit.lower()), _GAMES.get(game.lower())
    if betting is None:
        raise ReadError(f"betting system {limit} is not supported")
    structure = STRUCTURES.get(betting + code) if code else None
    if structure is None:
        raise ReadError(f"game {game} is not supported")
    return structure
