"""Full Tilt hand histories, read into records."""

import datetime as dt
import re
from collections.abc import Callable, Iterable, Iterator

from pitboss.cards import Card
from pitboss.errors import show_by_public_name
from pitboss.formats.scan import HandFound, Note, ReadError
from pitboss.formats.sites.hand import (
    HandSoFar,
    Player,
    add_player,
    amount_in,
    bring_in,
    call,
    check,
    check_all_in,
    collect,
    deal_board,
    deal_changed,
    deal_own,
    deal_run,
    discard,
    fold,
    infer_blinds,
    known_cards,
    learn,
    mend,
    muck,
    open_street,
    post_ante,
    post_big,
    post_both,
    post_dead,
    post_small,
    raise_to,
    return_uncalled,
    settle,
    show,
    split_name,
)
from pitboss.formats.sites.site import Line, Site, scan_site
from pitboss.formats.sites.words import Clock, find_game, read_amount
from pitboss.records.money import Amount

_SECTION = re.compile(
    r"\*\*\* (?P<title>[A-Z0-9 ]+?)(?: (?P<run>[1-4]))? \*\*\*(?P<cards>(?: ?\[[^\]]*\])*)(?: \(.*\))?"
)
_SEAT = re.compile(r"Seat (?P<seat>[0-9]{1,2}): (?P<name>.+) \((?P<stack>\S+)\)(?P<out>, is sitting out)?")
_BUTTON = re.compile(r"The button is in seat #([0-9]{1,2})")
_DEALT = re.compile(r"Dealt to (?P<name>.+?) \[(?P<cards>[^\]]*)\](?: \[(?P<more>[^\]]*)\])?")
_UNCALLED = re.compile(r"Uncalled bet of (?P<amount>\S+) returned to (?P<name>.+)")
_TOTAL = re.compile(r"Total pot (?P<total>\S+)(?: .*?)? \| Rake (?P<rake>\S+)")
_OUTCOME = re.compile(r".*?(?:showed|mucked) \[(?P<cards>[^\]]*)\].*")
_COLLECTED = re.compile(r".*?(?:collected|won) \((?P<amount>[^)]+)\).*")
_STREETS = {
    "HOLE CARDS": 0, "FLOP": 1, "TURN": 2, "RIVER": 3,
    "3RD STREET": 0, "4TH STREET": 1, "5TH STREET": 2, "6TH STREET": 3, "7TH STREET": 4,
    "DRAW": 1, "FIRST DRAW": 1, "SECOND DRAW": 2, "THIRD DRAW": 3,
}  # fmt: skip
_IDLE = re.compile(
    r"(?:.* )?(?:has [0-9]+ seconds left to act|has timed out(?: while .*)?|is sitting out|has returned|has reconnected"
    r"|has been disconnected|has requested TIME|adds \S+|sits down|stands up|is feeling \w+"
    r"|has [0-9]+ seconds to reconnect|is dealt [0-9] cards?(?: \[.*\])?|is (?:low|high) with \[.*\])"
    r"|[0-9]+ seconds left to act|Players agree to Run It Twice|Time has been called.*|Duration .*|Pot [0-9] \S+"
    r"|No low hand qualified|The blinds are now .*|\(.*\)|.*: .*|\ufffd?"
)


def read_line(hand: HandSoFar, text: str) -> bool:
    """Take any line but the first."""
    if found := _SECTION.fullmatch(text):
        return _open(hand, found)
    if hand.phase == "summary":
        return _read_summary(hand, text)
    if hand.phase == "seats" and _read_seat(hand, text):
        return True
    if text.startswith("Dealt to ") and (found := _DEALT.fullmatch(text)):
        return _deal(hand, found)
    if found := _UNCALLED.fullmatch(text):
        player = hand.by_name.get(found["name"])
        if player is None:
            return False
        return_uncalled(hand, player, amount_in(hand, found["amount"]))
        return True
    player, said = split_name(hand, text, " ")
    if player is not None and _act(hand, player, said):
        return True
    return _IDLE.fullmatch(text) is not None


def _read_seat(hand: HandSoFar, text: str) -> bool:
    if found := _SEAT.fullmatch(text):
        stack = amount_in(hand, found["stack"])
        add_player(hand, int(found["seat"]), found["name"], stack, marked=bool(found["out"]))
        return True
    if found := _BUTTON.fullmatch(text):
        hand.button = int(found[1])
        return True
    return False


# --- streets and cards


def _open(hand: HandSoFar, found: re.Match[str]) -> bool:
    title, run = found["title"], int(found["run"] or 0)
    if title == "SUMMARY":
        hand.phase = "summary"
    elif title == "SHOW DOWN":
        hand.phase = "show"
    elif title not in _STREETS:
        raise ReadError(f"{title} is a part of no game that is played here")
    else:
        number, cards = _STREETS[title], _all_cards(found["cards"])
        if run:
            deal_run(hand, run - 1, number, cards, title)
            return True
        if not number:
            infer_blinds(hand)
        open_street(hand, number, title)
        if cards:
            deal_board(hand, cards)
    return True


def _all_cards(text: str) -> tuple[Card, ...]:
    return known_cards(text.replace("[", " ").replace("]", " ")) if text.strip() else ()


def _deal(hand: HandSoFar, found: re.Match[str]) -> bool:
    player = hand.by_name.get(found["name"])
    if player is None:
        return False
    cards, more = _all_cards(found["cards"]), _all_cards(found["more"] or "")
    if hand.structure.draws and hand.street:
        deal_changed(player, cards, more)
    else:
        deal_own(hand, player, (*cards, *more))
        player.dealt = player.dealt or not hand.structure.faces or len(cards) + len(more) == len(player.own)
    return True


# --- players

Said = Callable[[HandSoFar, Player, re.Match[str]], None]


def _pays(act: Callable[[HandSoFar, Player, Amount], None]) -> Said:
    """An action with an amount, which may be one's last."""

    def read(hand: HandSoFar, player: Player, found: re.Match[str]) -> None:
        act(hand, player, amount_in(hand, found["amount"]))
        if found["all"]:
            check_all_in(hand, player)

    return read


def _show(hand: HandSoFar, player: Player, found: re.Match[str]) -> None:
    show(hand, player, known_cards(found["cards"]))


def _discard(hand: HandSoFar, player: Player, found: re.Match[str]) -> None:
    discard(hand, player, int(found["count"]), known_cards(found["cards"]) if found["cards"] else ())


def _stand_pat(hand: HandSoFar, player: Player, found: re.Match[str]) -> None:
    if found["cards"]:
        learn(hand, player, known_cards(found["cards"]))
    discard(hand, player, 0)


def _bet(hand: HandSoFar, player: Player, amount: Amount) -> None:
    to = player.street + amount
    if hand.structure.faces and hand.street == 1 and to == hand.big_bet:
        hand.open_pair = True
    raise_to(hand, player, to)


_PAYS: tuple[tuple[str, Callable[[HandSoFar, Player, Amount], None]], ...] = (
    ("antes", post_ante),
    ("posts the small blind of", post_small),
    ("posts the big blind of", post_big),
    ("posts a dead small blind of", post_dead),
    ("posts", post_both),
    ("calls", call),
    ("bets", _bet),
    ("raises to", raise_to),
    ("completes it to", raise_to),
    ("brings in for", bring_in),
)
_ALL_IN = r"(?P<all>,? (?:and )?is all[ -]in)?(?:, and is capped)?"
_SAYS: list[tuple[re.Pattern[str], Said]] = [
    (re.compile(rf"{words} (?P<amount>\S+?){_ALL_IN}"), _pays(act)) for words, act in _PAYS
] + [
    (re.compile("folds"), lambda hand, player, _: fold(hand, player)),
    (re.compile("checks"), lambda hand, player, _: check(hand, player) if hand.phase == "play" else None),
    (re.compile(r"shows \[(?P<cards>[^\]]*)\].*"), _show),
    (re.compile(r"shows .*"), lambda *_: None),
    (re.compile("mucks"), lambda hand, player, _: muck(hand, player)),
    (re.compile(r"discards (?P<count>[0-9]) cards?(?: \[(?P<cards>[^\]]*)\])?"), _discard),
    (re.compile(r"stands pat(?: on \[(?P<cards>[^\]]*)\])?"), _stand_pat),
    (
        re.compile(r"(?:wins|ties for) .*?pot(?: #?[0-9])?(?: [0-9])? \((?P<amount>[^)]*)\).*"),
        lambda hand, player, found: collect(hand, player, amount_in(hand, found["amount"])),
    ),
]


def _act(hand: HandSoFar, player: Player, said: str) -> bool:
    for pattern, read in _SAYS:
        if found := pattern.fullmatch(said):
            player.involved = True
            read(hand, player, found)
            return True
    return False


# --- the summary


def _read_summary(hand: HandSoFar, text: str) -> bool:
    if found := _TOTAL.fullmatch(text):
        hand.total, hand.rake = amount_in(hand, found["total"]), amount_in(hand, found["rake"])
    elif text.startswith("Seat "):
        player, said = split_name(hand, text.partition(": ")[2], " ")
        if player is None:
            return False
        if found := _OUTCOME.fullmatch(said):
            learn(hand, player, known_cards(found["cards"]))
        if found := _COLLECTED.fullmatch(said):
            hand.marks[f"won {player.seat}"] = found["amount"]
    elif text.startswith("Board"):
        _finish_board(hand, _all_cards(text.partition(":")[2]))
    else:
        return _IDLE.fullmatch(text) is not None
    return True


def _finish_board(hand: HandSoFar, cards: tuple[Card, ...]) -> None:
    """Deal what only the summary has of a board, where its last streets were not printed."""
    if len(hand.boards) > 1 or len(cards) <= len(hand.boards[0]):
        return
    mend(hand, "streets are missing that the summary has")
    for count in [count for count in hand.structure.common_by if len(hand.boards[0]) < count <= len(cards)]:
        hand.phase = "play"
        open_street(hand, hand.street + 1, "the summary's board")
        deal_board(hand, cards[:count])
    hand.phase = "summary"


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


__all__ = ["FullTiltError", "recognise_fulltilt", "scan_fulltilt"]

show_by_public_name(__name__, globals(), __all__)
