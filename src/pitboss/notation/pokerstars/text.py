"""The words of PokerStars hand histories, for reading and for writing: amounts, the head of a hand, idle lines.

What a hand is made of is not known here.
"""

import datetime as dt
import re
from decimal import Decimal

from msgspec import Struct

from pitboss.notation.chips import Amount
from pitboss.notation.found import ReadError

ALL_IN = " and is all-in"
ROUNDS = ("FLOP", "TURN", "RIVER")
GAME = "Hold'em No Limit"

_AMOUNT = re.compile(r"[0-9]{1,20}(\.[0-9]{1,8})?")


class PokerStarsError(ReadError):
    """A hand that cannot be read or written as PokerStars text."""


# --- amounts


def read_amount(text: str, symbol: str) -> Amount:
    """An amount with its currency's symbol: whole where it can be, else exact.

    >>> read_amount("$2", "$"), read_amount("$11.30", "$")
    (2, Decimal('11.30'))
    """
    if not text.startswith(symbol) or not _AMOUNT.fullmatch(text, len(symbol)):
        raise PokerStarsError(f"{text!r} is no amount" + (f" in {symbol}" if symbol else " of chips"))
    return whole(Decimal(text[len(symbol) :]))


def write_amount(amount: Amount, symbol: str) -> str:
    """An amount as PokerStars prints it: no decimals, or at least two.

    >>> write_amount(Decimal("11.3"), "$"), write_amount(Decimal("5.00"), ""), write_amount(Decimal("0.125"), "€")
    ('$11.30', '5', '€0.125')
    """
    amount = whole(amount)
    if isinstance(amount, int):
        return f"{symbol}{amount}"
    exponent = amount.normalize().as_tuple().exponent
    return f"{symbol}{amount:.{max(2, -int(exponent))}f}"


def whole(amount: Amount) -> Amount:
    """The same amount, an integer where it is one."""
    return int(amount) if amount == int(amount) else amount


# --- the head: game, stakes, time


class PrintedStakes(Struct, frozen=True):
    """What stands in the head's parentheses: `$0.05/$0.10 USD`."""

    small: Amount
    big: Amount
    symbol: str = ""
    currency: str = ""

    def __str__(self) -> str:
        small, big = write_amount(self.small, self.symbol), write_amount(self.big, self.symbol)
        return f"{small}/{big}" + (f" {self.currency}" if self.currency else "")


_SYMBOL = r"[^0-9\s./()-]{0,3}"
SYMBOL = re.compile(_SYMBOL)
CURRENCY = re.compile(r"[A-Z]{3}|")
_STAKES = re.compile(rf"(?P<symbol>{_SYMBOL})(?P<small>[0-9.]+)/(?P<big>\S+)(?: - .*?)??(?: (?P<currency>[A-Z]{{3}}))?")


def read_stakes(text: str) -> PrintedStakes:
    """PrintedStakes as the head prints them; what is between them and the currency is passed over.

    >>> read_stakes("$0.05/$0.10 USD")
    PrintedStakes(small=Decimal('0.05'), big=Decimal('0.10'), symbol='$', currency='USD')
    """
    found = _STAKES.fullmatch(text)
    if not found:
        raise PokerStarsError(f"{text!r} are no stakes")
    symbol = found["symbol"]
    stakes = PrintedStakes(
        read_amount(symbol + found["small"], symbol), read_amount(found["big"], symbol), symbol, found["currency"] or ""
    )
    if not stakes.big:
        raise PokerStarsError("the big blind is zero")
    return stakes


class Clock(Struct, frozen=True):
    """When a hand was played, as far as it is known, and the same in a second time zone as it was printed."""

    day: dt.date | None = None
    time: dt.time | None = None
    zone: str | None = None
    also: str = ""

    def __str__(self) -> str:
        time = self.time and f"{self.time.hour}:{self.time:%M:%S}"
        day = self.day and f"{self.day.year:04}/{self.day:%m/%d}"
        parts = (day, time, time and self.zone, self.also and f"[{self.also}]")
        return " ".join(part for part in parts if part) if day else ""


_ZONE = r"[^\s()\[\]]+"
ZONE = re.compile(_ZONE)
_CLOCK = re.compile(
    r"(?P<year>[0-9]{4})/(?P<month>[0-9]{2})/(?P<day>[0-9]{2})"
    r"(?:(?: -)? (?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2})"
    rf"(?: \(?(?P<zone>{_ZONE})\)?)?)?(?: \[(?P<also>.*)\])?"
)


def read_clock(text: str) -> Clock:
    """A date and time as the head prints them, in the way of 2008 or later.

    >>> str(read_clock("2008/09/02 - 03:17:01 (ET)"))
    '2008/09/02 3:17:01 ET'
    """
    found = _CLOCK.fullmatch(text)
    if not found:
        raise PokerStarsError(f"{text!r} is no date")
    try:
        day = dt.date(int(found["year"]), int(found["month"]), int(found["day"]))
        time = found["hour"] and dt.time(int(found["hour"]), int(found["minute"]), int(found["second"]))
    except ValueError:
        raise PokerStarsError(f"{text!r} is no date that exists") from None
    return Clock(day, time or None, found["zone"], found["also"] or "")


class HandHeader(Struct, frozen=True, kw_only=True):
    """The first line of a hand."""

    hand: int = 0
    title: str = "Hand"  #: `Hand`, `Game`, `Zoom Hand`, `Home Game Hand`
    club: str = ""
    event: str = ""  #: a tournament with its buy-in
    level: str = ""  #: as printed: `Level XI`
    stakes: str
    clock: Clock = Clock()

    def __str__(self) -> str:
        club = f" {{{self.club}}}" if self.club else ""
        game = f"{self.event} {GAME} - {self.level}" if self.event else f" {GAME}"
        date = f" - {self.clock}" if str(self.clock) else ""
        return f"PokerStars {self.title} #{self.hand}:{club} {game} ({self.stakes}){date}"


_TITLE = r"(?:[A-Z]\w* )*(?:Hand|Game)"
TITLE = re.compile(_TITLE)
HEAD = re.compile(rf"PokerStars (?P<title>{_TITLE}) #(?P<hand>[0-9]{{1,18}}): *(?P<rest>.*)")
"""How a hand begins."""
_GAME = re.compile(
    r"(?:\{(?P<club>[^{}]*)\} *)?"
    r"(?:(?P<event>Tournament #[0-9]+(?:, .*?\S)??),? *Hold'em No Limit - (?P<level>[^()]*?) *|Hold'em No Limit )"
    r"\((?P<stakes>[^()]*)\)(?: - (?P<clock>.*))?"
)
EVENT = re.compile(r"Tournament #[0-9]+(?:, .*\S)?")
"""What an event must look like to be written as a tournament's head."""


def read_head(line: str) -> HandHeader:
    """The first line of a hand of no-limit hold'em."""
    found = HEAD.fullmatch(line)
    if not found:
        raise PokerStarsError("a hand does not begin so")
    game = _GAME.fullmatch(found["rest"])
    if not game:
        raise PokerStarsError("this is no head of a no-limit hold'em hand")
    return HandHeader(
        hand=int(found["hand"]),
        title=found["title"],
        club=game["club"] or "",
        event=game["event"] or "",
        level=game["level"] or "",
        stakes=game["stakes"],
        clock=read_clock(game["clock"]) if game["clock"] is not None else Clock(),
    )


_ROMAN = ((100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


def write_level(level: int | None) -> str:
    """A blind level in the Roman figures PokerStars uses.

    >>> write_level(24)
    'Level XXIV'
    """
    if level is None or not 0 < level < _LEVELS_END:
        return f"Level {level or 0}"
    figures = ""
    for value, letters in _ROMAN:
        figures += letters * (level // value)
        level %= value
    return f"Level {figures}"


_LEVELS_END = 400
_LEVELS = {name: level for level in range(_LEVELS_END) for name in (write_level(level), f"Level {level}")}


def read_level(text: str) -> int | None:
    """The number of a blind level, where it has one.

    >>> read_level("Level XI"), read_level("Match Round I, Level II"), read_level("Final")
    (11, 2, None)
    """
    return _LEVELS.get(text.rpartition(", ")[2])


TABLE = re.compile(
    r"Table '(?P<table>.*)'(?: (?P<seats>[0-9]{1,3})-max)?(?: (?P<money>\(.*\)))?"
    r" Seat #(?P<button>[0-9]{1,3}) is the button"
)
SEAT = re.compile(
    r"Seat (?P<seat>[0-9]{1,3}): (?P<name>.+) \((?P<stack>\S+) in chips(?:, [^()]* bounty)?\)(?P<mark>.*)"
)
MARKS = ("is sitting out", "out of hand")
"""What stands behind the stack of somebody who may not be dealt in."""


# --- lines without consequence for the hand

_IDLE = (
    r'.+ said, ".*',
    r".+ has timed out(?: while (?:being )?disconnected)?",
    r".+ (?:is|was|has been) (?:dis|re)?connected",
    r".+ has (?:returned|disconnected|reconnected|requested TIME)",
    r".+:? (?:sits out|is sitting out|is no longer sitting out|will be allowed to play after the button)",
    r".+ adds .*|.+ received a reward.*|.+ stands up",
    r".+ (?:joins the table at seat #\d+|leaves the table|sits down)",
    r".+ was (?:removed from the table|moved|unable to).*",
    r".+ re-?buys (?:and receives )?.*|.+ takes the add-on.*",
    r".+ (?:finished the tournament|wins the tournament|wins an entry|wins .* for eliminating|wins the .* bounty).*",
    r".+ (?:re-entered|has been eliminated|chooses to|will be using).*",
    r"The (?:blinds|deck|button).*",
)
_IDLE_LINE = re.compile("|".join(_IDLE))


def is_idle(line: str) -> bool:
    """Whether a line tells of chat, connections, arrivals or prizes only."""
    return _IDLE_LINE.fullmatch(line) is not None
