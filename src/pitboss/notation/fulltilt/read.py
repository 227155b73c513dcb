"""Full Tilt text into records: its heads, its seats and its summaries; `lines` has what players do."""

import datetime as dt
import re
from collections.abc import Iterable, Iterator

from pitboss.notation.found import HandFound, Note, ReadError
from pitboss.notation.fulltilt.lines import read_line
from pitboss.notation.sites.amounts import Clock, read_amount
from pitboss.notation.sites.betting import collect
from pitboss.notation.sites.ending import settle
from pitboss.notation.sites.games import find_game
from pitboss.notation.sites.scan import Line, Site, scan_site
from pitboss.notation.sites.state import HandSoFar

_BEGINS = r"Full ?Tilt ?Poker(?:\.\w+)? Game #(?P<hand>[0-9]{1,20}): (?P<rest>.*)"
_HEAD = re.compile(_BEGINS)
_SUMMARY = "Full Tilt Poker Tournament Summary"
_ANYWHERE = re.compile(rf"^\s*(?:{_BEGINS}|{_SUMMARY})", re.MULTILINE)
_STAKES = re.compile(
    r"(?P<symbol>[^\w\s]?)(?P<small>[0-9.,]+B?)/[^\w\s]?(?P<big>[0-9.,]+B?)(?: Ante [^\w\s]?(?P<ante>[0-9.,]+B?))?"
)
_GAME = re.compile(
    r"(?:[$€£]?[0-9.,]+ (?:Cap )?)?(?P<limit>No Limit|Pot Limit|Fixed Limit|Limit|NL|PL|FL) "
    r"(?P<game>[A-Za-z0-9][^-]*(?:-\S[^-]*)?)"
)
_TABLE = re.compile(r"(?:(?P<event>.*\([0-9]+\)(?: .*)?), )?(?:Table|Match) (?P<table>.*?)(?: \([^()]*\))*")
_MAX = re.compile(r"(?P<seats>[0-9]{1,2}) max|heads up")
_CLOCK = re.compile(
    r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2}))? (?P<zone>[A-Z]{2,5}) - "
    r"(?:(?P<year>[0-9]{4})/(?P<month>[0-9]{2})/(?P<day>[0-9]{2})"
    r"|\w{3,9}, (?P<name>\w{3,9}) (?P<date>[0-9]{1,2}), (?P<of>[0-9]{4}))(?: \[(?P<also>.*)\])?"
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_CURRENCIES = {"$": "USD", "€": "EUR", "£": "GBP"}


CALLED_OFF = "the hand was called off before any card was dealt"
NO_HAND = "this is the summary of a tournament, which holds no hand"


class FullTiltError(ReadError):
    """A hand of a Full Tilt text that cannot be read."""


def recognise_fulltilt(head: str) -> bool:
    """Whether a file that begins so is a Full Tilt text.

    >>> recognise_fulltilt("Full Tilt Poker Game #12: Table Elm - $1/$2 - No Limit Hold'em - 1:02:03 ET - 2010/01/02")
    True
    """
    return _ANYWHERE.search(head) is not None


def scan_fulltilt(lines: Iterable[Line], name: str = "", lenient: bool = False) -> Iterator[HandFound]:
    """Every hand of numbered lines, in flat memory; one that was called off before the deal is none."""
    for found in scan_site(FULL_TILT, lines, name, lenient=lenient):
        if lenient and found.error is not None and found.error.reason in (CALLED_OFF, NO_HAND):
            yield HandFound(found.line, notes=(Note(found.line, found.error.reason),))
        else:
            yield found


def _find_head(line: str) -> int:
    found = _HEAD.search(line)
    return found.start() if found else -1


def _read_head(hand: HandSoFar, text: str) -> None:
    found = _HEAD.fullmatch(text)
    if not found:
        raise ReadError(NO_HAND if text.startswith(_SUMMARY) else "a hand does not begin so")
    hand.venue, hand.number, hand.section = "Full Tilt", int(found["hand"]), "head"
    parts = found["rest"].split(" - ")
    at_stakes = next((at for at, part in enumerate(parts) if _STAKES.fullmatch(part)), -1)
    at_game = next((at for at, part in enumerate(parts) if at and _GAME.fullmatch(part)), -1)
    if at_stakes < 1 or at_game < 1:
        raise ReadError("this head names no stakes, or no game")
    game, stakes = _GAME.fullmatch(parts[at_game]), _STAKES.fullmatch(parts[at_stakes])
    assert game is not None
    assert stakes is not None
    hand.structure = find_game(game["game"].strip(), game["limit"])
    _read_stakes(hand, stakes)
    _read_table(hand, " - ".join(parts[: min(at_stakes, at_game)]))
    _read_clock(hand, " - ".join(parts[max(at_stakes, at_game) + 1 :]))


def _read_stakes(hand: HandSoFar, found: re.Match[str]) -> None:
    """Blinds, or in limit games the two bets; a `B` is a thousand millions, which nobody means."""
    hand.symbol, hand.currency = found["symbol"], _CURRENCIES.get(found["symbol"], "")
    small, big = (read_amount(found[name].rstrip("B"), "") for name in ("small", "big"))
    if hand.structure.betting.exact:
        hand.small, hand.big, hand.big_bet = small, small, big
    else:
        hand.small, hand.big = small, big


def _read_table(hand: HandSoFar, text: str) -> None:
    found = _TABLE.fullmatch(text)
    if not found:
        raise ReadError("this head names no table")
    hand.table, hand.event = found["table"], found["event"] or ""
    kind = _MAX.search(text)
    hand.seat_count = (int(kind["seats"]) if kind["seats"] else 2) if kind else None


def _read_clock(hand: HandSoFar, text: str) -> None:
    found = _CLOCK.match(text)
    if not found:
        return
    name = (found["name"] or "")[:3].lower()
    month = int(found["month"]) if found["month"] else _MONTHS.index(name) + 1 if name in _MONTHS else 0
    try:
        day = dt.date(int(found["year"] or found["of"]), month, int(found["day"] or found["date"]))
        time = dt.time(int(found["hour"]), int(found["minute"]), int(found["second"] or 0))
    except ValueError:
        raise ReadError(f"{text!r} is no date that exists") from None
    hand.clock = Clock(day, time, found["zone"], found["also"] or "")


def _read_line(hand: HandSoFar, text: str) -> bool:
    known = read_line(hand, text)
    if hand.phase == "summary" and hand.total == 0 and hand.street < 0 and hand.players:
        raise ReadError(CALLED_OFF)
    return known


def _finish(hand: HandSoFar) -> None:
    """Hold the chips to pot and rake; some hands say only in their summary who won."""
    if not any(player.won for player in hand.players):
        for player in hand.players:
            said = hand.marks.get(f"won {player.seat}")
            if said:
                collect(hand, player, read_amount(said, hand.symbol))
    hand.marks = {name: value for name, value in hand.marks.items() if not name.startswith("won ")}
    settle(hand, hand.total or 0, hand.rake)


FULL_TILT = Site(
    key="fulltilt",
    find_head=_find_head,
    read_head=_read_head,
    read_line=_read_line,
    ends=lambda line: line.startswith("*** SUMMARY"),
    belongs=lambda line: line.startswith(("Seat ", "Board", "Total pot", "*** SUMMARY", "Pot ")),
    is_between=lambda line: line == "\ufffd",
    finish=_finish,
    error=FullTiltError,
)
