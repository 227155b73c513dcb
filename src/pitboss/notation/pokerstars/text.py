"""The words of PokerStars hand histories, for reading and for writing: the head of a hand, table, seats, idle lines.

What a hand is made of is not known here.
"""

import re

from msgspec import Struct

from pitboss.notation.chips import Amount
from pitboss.notation.found import ReadError
from pitboss.notation.sites.amounts import Clock, read_amount, read_clock, write_amount

ALL_IN = " and is all-in"
GAMES = {
    "T": "Hold'em",
    "S": "6+ Hold'em",
    "O": "Omaha",
    "O/8": "Omaha Hi/Lo",
    "O5": "5 Card Omaha",
    "O6": "6 Card Omaha",
    "O5/8": "5 Card Omaha Hi/Lo",
    "7S": "7 Card Stud",
    "7S/8": "7 Card Stud Hi/Lo",
    "R": "Razz",
    "5D": "5 Card Draw",
    "2L1D": "Single Draw 2-7 Lowball",
    "2L3D": "Triple Draw 2-7 Lowball",
    "B": "Badugi",
}
"""What a game is called in a head, by its code without the betting system's letter."""
LIMITS = {"N": "No Limit", "P": "Pot Limit", "F": "Limit"}
STUD_STREETS = ("3rd STREET", "4th STREET", "5th STREET", "6th STREET", "RIVER")
BOARDS = {3: "FLOP", 4: "TURN", 5: "RIVER"}
DRAWS = ("DEALING HANDS", "FIRST DRAW", "SECOND DRAW", "THIRD DRAW")
RUNS = ("FIRST", "SECOND", "THIRD", "FOURTH")


class PokerStarsError(ReadError):
    """A hand that cannot be read or written; `line` counts from 1 in the whole text, 0 where there is none."""


# --- the head: game, stakes, time


class PrintedStakes(Struct, frozen=True):
    """What stands in the head's parentheses: `$0.05/$0.10 USD`, in limit games the bets."""

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
_REST = r"(?: - .*?)??(?: +(?P<currency>[A-Z]{3}))?"
_BLINDS = re.compile(rf"(?P<symbol>{_SYMBOL})(?P<small>[0-9.,]+)/(?P<big>\S+){_REST}")
_ON_THE_BUTTON = re.compile(rf"(?:Button Blind )?(?P<symbol>{_SYMBOL})(?P<big>[0-9.,]+){_REST}")


def read_stakes(text: str) -> PrintedStakes:
    """PrintedStakes as the head prints them; what is between them and the currency is passed over.

    >>> read_stakes("$0.05/$0.10 USD")
    PrintedStakes(small=Decimal('0.05'), big=Decimal('0.10'), symbol='$', currency='USD')
    >>> read_stakes("Button Blind $2 - Ante $2  USD").big
    2
    """
    if found := _BLINDS.fullmatch(text):
        symbol, big = found["symbol"], found["big"]
        stakes = (read_amount(symbol + found["small"], symbol), read_amount(big, symbol))
    elif found := _ON_THE_BUTTON.fullmatch(text):
        symbol = found["symbol"]
        stakes = (0, read_amount(symbol + found["big"], symbol))
    else:
        raise ReadError(f"{text!r} are no stakes")
    if not stakes[1]:
        raise ReadError("the big blind is zero")
    return PrintedStakes(*stakes, symbol, found["currency"] or "")


class HandHeader(Struct, frozen=True, kw_only=True):
    """The first line of a hand."""

    hand: int = 0
    room: str = "PokerStars"
    title: str = "Hand"  #: `Hand`, `Game`, `Zoom Hand`, `Home Game Hand`
    club: str = ""
    event: str = ""  #: a tournament with its buy-in
    mix: str = ""  #: the mixed game of which this is one: `8-Game`
    game: str = "Hold'em"
    limit: str = "No Limit"
    level: str = ""  #: as printed: `Level XI`
    stakes: str
    clock: Clock = Clock()

    def __str__(self) -> str:
        club = f" {{{self.club}}}" if self.club else ""
        played = f"{self.game} {self.limit}"
        if self.mix:
            played = f"{self.mix} ({played})" if self.event else f"{self.mix} ({played}, {self.stakes})"
        game = f"{self.event} {played} - {self.level}" if self.event else f" {played}"
        stakes = "" if self.mix and not self.event else f" ({self.stakes})"
        date = f" - {self.clock}" if str(self.clock) else ""
        return f"PokerStars {self.title} #{self.hand}:{club} {game}{stakes}{date}"


_TITLE = r"(?:[A-Z]\w* )*(?:Hand|Game)"
TITLE = re.compile(_TITLE)
_ROOM = r"PokerStars|Run It Once Poker|PokerMaster"
HEAD = re.compile(rf"(?P<room>{_ROOM}) (?P<title>{_TITLE}) #(?P<hand>[0-9]{{1,18}}): *(?P<rest>.*)")
"""How a hand begins; other rooms than PokerStars print or have been made to print the same way."""
_LIMITS = r"Pot Limit Pre-Flop, No Limit Post-Flop|No Limit|Pot Limit|Fixed Limit|Limit"
_NAMES = (
    r"(?:6\+ |Split |Fusion |Showtime |Tempest |Deep Water )?Hold'em|(?:[456] Card )?(?:Omaha|Courchevel)(?: Hi/Lo)?"
    r"|7 Card Stud(?: Hi/Lo)?|Razz|(?:Single|Triple) Draw 2-7 Lowball|Badugi|5 Card Draw|ShortDeck|PLO(?:-[56])?"
)
_PLAYED = rf"(?P<game>{_NAMES}) (?P<limit>{_LIMITS})"
_PLAYED_ALONE = rf"(?P<game_>{_NAMES}) (?P<limit_>{_LIMITS})"
_CLOCKED = r"(?: - (?P<clock>[^()]*(?:\([A-Z]+\))?))?"
_TOURNAMENT = re.compile(
    r"(?:\{(?P<club>[^{}]*)\} *)?(?P<event>(?:Zoom )?Tournament #[0-9]+(?:, .*?\S)??),?(?: -)? *"
    rf"(?:(?P<mix>(?:Mixed |Triple )?[^\s(,]+) \({_PLAYED}\)|{_PLAYED_ALONE})"
    rf"(?: - (?P<level>[^()]*?))? *\((?P<stakes>[^()]*)\){_CLOCKED}"
)
_CASH = re.compile(
    rf"(?:\{{(?P<club>[^{{}}]*)\}} *)?(?:(?P<game>.+?) (?P<limit>{_LIMITS}) \((?P<stakes>[^()]*)\)"
    rf"|(?P<mix>[^(]+?) \((?P<game_>.+?) (?P<limit_>{_LIMITS}), (?P<stakes_>[^()]*)\)){_CLOCKED}"
)
EVENT = re.compile(r"(?:Zoom )?Tournament #[0-9]+(?:, .*\S)?")
"""What an event must look like to be written as a tournament's head."""


def read_head(line: str) -> HandHeader:
    """The first line of a hand."""
    found = HEAD.fullmatch(line)
    if not found:
        raise ReadError("a hand does not begin so")
    rest = found["rest"]
    game = (_TOURNAMENT if "Tournament #" in rest else _CASH).fullmatch(rest)
    if not game:
        raise ReadError("this is no head of a hand")
    part = game.groupdict()
    return HandHeader(
        hand=int(found["hand"]),
        room=found["room"],
        title=found["title"],
        club=part["club"] or "",
        event=part.get("event") or "",
        mix=part["mix"] or "",
        game=part["game"] or part["game_"],
        limit=part["limit"] or part["limit_"],
        level=part.get("level") or "",
        stakes=part["stakes"] if part["stakes"] is not None else part["stakes_"],
        clock=read_clock(part["clock"]) if part["clock"] is not None else Clock(),
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
    r"Table (?:ID )?'(?P<table>.*)'(?: (?P<seats>[0-9]{1,3})-[Mm]ax)?(?: (?P<money>\(.*\)))?"
    r"(?: Seat #(?P<button>[0-9]{1,3}) is the button)?"
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
    r".+ (?:finished the tournament|wins the tournament|wins an entry|wins .* for (?:eliminating|splitting)).*",
    r".+ wins the .* bounty.*",
    r".+ (?:re-entered|has been eliminated|chooses to|will be using).*",
    r"The (?:blinds|deck|button).*|Betting is capped|No low hand qualified",
    r"Hand was run .*",
)
_IDLE_LINE = re.compile("|".join(_IDLE))


def is_idle(line: str) -> bool:
    """Whether a line tells of chat, connections, arrivals or prizes only."""
    return _IDLE_LINE.fullmatch(line) is not None
