"""How PartyPoker spells what a hand is played for: amounts in many ways, stakes, dates."""

import datetime as dt
import re
from decimal import Decimal
from functools import lru_cache

from pitboss.notation.chips import Amount
from pitboss.notation.found import ReadError
from pitboss.notation.sites.amounts import Clock, whole
from pitboss.notation.sites.games import find_game
from pitboss.notation.sites.state import HandSoFar

_MONEY = re.compile(r"[$€£]? ?(?P<digits>[0-9][0-9.,]*) *(?:[$€£]|USD|EUR|GBP|chips)?")
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]{1,8})?")
_PLAIN = re.compile(r"[0-9]{1,20}(?:[.,][0-9]{1,8})?")
_KINDS = (
    re.compile(  # $25 USD NL Texas Hold'em, $10/$20 USD FL 7 Card Stud
        r"(?P<symbol>[$€£]?)(?P<a>[0-9.,]+)(?:/[$€£]?(?P<b>[0-9.,]+))? *(?P<currency>USD|EUR|GBP)? +(?:fastforward +)?"
        r"(?P<limit>NL|PL|FL) +(?P<game>.*?) ?- ?(?P<date>[A-Z][a-z]+day.*)"
    ),
    re.compile(  # NL Texas Hold'em $3 USD Buy-in Trny: 12 Level: 1 Blinds(10/20) - …
        r"(?P<limit>NL|PL|FL) +(?P<game>.*?) +(?P<event>[$€£]?[0-9.,]+ (?:USD|EUR|GBP) Buy-in|) *"
        r"(?:Trny: ?(?P<number>[0-9]+) +Level: ?(?P<level>[0-9]{1,4}) +"
        r"(?:Blinds|Stakes)(?:-Antes)?\((?P<a>[0-9,]+)/(?P<b>[0-9,]+)(?: ?-[0-9,]+)?\))? *- (?P<date>.*)"
    ),
    re.compile(  # 20/40 Tourney Texas Holdem Game Table (NL) (SNG Tournament #12) (Buyin $1.0 + $0.1) - …
        r"(?P<a>[0-9,]+)/(?P<b>[0-9,]+) Tourney (?P<game>.*?) Game Table \((?P<limit>NL|PL|FL)\) +"
        r"\((?P<event>.*?#(?P<number>[0-9]+)\).*?) +- +(?P<date>.*)"
    ),
    re.compile(r"(?P<event>Tourney Hand) (?P<limit>NL|PL|FL) +(?P<game>.*?) ?- ?(?P<date>[A-Z][a-z]+day.*)"),
)
_CLOCK = re.compile(
    r"(?:[A-Z][a-z]+,? ?)?(?P<month>[A-Z][a-z]{2})[a-z]* (?P<day>[0-9]{1,2}),? "
    r"(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2}) (?P<zone>[A-Z]{1,5}) (?P<year>[0-9]{4})"
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@lru_cache(maxsize=16384)
def read_money(text: str) -> Amount:
    """An amount, whichever sign parts its thousands or its cents.

    >>> read_money("$2,127.50 USD"), read_money("$24,72 USD"), read_money("3,000"), read_money("0,35 €")
    (Decimal('2127.50'), Decimal('24.72'), 3000, Decimal('0.35'))
    """
    found = _MONEY.fullmatch(text.strip())
    digits = found["digits"] if found else ""
    if _THOUSANDS.fullmatch(digits):
        return whole(Decimal(digits.replace(",", "")))
    if not _PLAIN.fullmatch(digits):
        raise ReadError(f"{text!r} is no amount")
    return whole(Decimal(digits.replace(",", ".")))


def read_stakes(hand: HandSoFar, text: str) -> None:
    """The line that names the game; where it says only how much one may sit down with, posts say the blinds."""
    found = next((match for kind in _KINDS if (match := kind.fullmatch(text))), None)
    if found is None:
        raise ReadError("this line names no game")
    said = found.groupdict()
    game = " ".join(said["game"].replace("Hi-Lo", "Hi/Lo").split())
    hand.structure = find_game(game, said["limit"])
    hand.symbol, hand.currency = said.get("symbol") or "", said.get("currency") or ""
    event = said.get("event") or ""
    number = said.get("number")
    hand.event = f"Tournament #{number}" if number else event
    hand.level = int(said["level"]) if said.get("level") else None
    if said.get("b"):
        small, big = read_money(said["a"]), read_money(said["b"])
        exact = hand.structure.betting.exact
        hand.small, hand.big, hand.big_bet = small, small if exact else big, big if exact else 0
    _read_clock(hand, said["date"])


def _read_clock(hand: HandSoFar, text: str) -> None:
    found = _CLOCK.search(text)
    if not found or found["month"] not in _MONTHS:
        return
    try:
        day = dt.date(int(found["year"]), _MONTHS.index(found["month"]) + 1, int(found["day"]))
        time = dt.time(int(found["hour"]), int(found["minute"]), int(found["second"]))
    except ValueError:
        raise ReadError(f"{text!r} is no date that exists") from None
    hand.clock = Clock(day, time, found["zone"])
