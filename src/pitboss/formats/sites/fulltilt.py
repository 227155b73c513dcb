"""Read Full Tilt hand histories into records."""

import re

from pitboss.cards import Card
from pitboss.formats.scan import ReadError
from pitboss.formats.sites import ledger
from pitboss.formats.sites.ledger import PartialHand, Player
from pitboss.formats.sites.site import (
    CHANGES,
    Site,
    action_table,
    do_action,
    open_part,
    show_cards,
    with_amount,
    without_amount,
)
from pitboss.formats.sites.values import clock_of, game_named, read_amount
from pitboss.records.money import CURRENCIES, Amount

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
_IDLE = re.compile(
    r"(?:.* )?(?:has [0-9]+ seconds left to act|has timed out(?: while .*)?|is sitting out|has returned|has reconnected"
    r"|has been disconnected|has requested TIME|adds \S+|sits down|stands up|is feeling \w+"
    r"|has [0-9]+ seconds to reconnect|is dealt [0-9] cards?(?: \[.*\])?|is (?:low|high) with \[.*\])"
    r"|[0-9]+ seconds left to act|Players agree to Run It Twice|Time has been called.*|Duration .*|Pot [0-9] \S+"
    r"|No low hand qualified|The blinds are now .*|\(.*\)|.*: .*|\ufffd?"
)
_WON = r"(?:for )?.*?pot(?: #?[0-9])?(?: [0-9])? \((?P<amount>[^)]*)\).*(?P<all_in>)"
_STAKES = re.compile(
    r"(?P<symbol>[^\w\s]?)(?P<small>[0-9.,]+B?)/[^\w\s]?(?P<big>[0-9.,]+B?)(?: Ante [^\w\s]?(?P<ante>[0-9.,]+B?))?"
)
_GAME = re.compile(
    r"(?:[$€£]?[0-9.,]+ (?:Cap )?)?(?P<limit>No Limit|Pot Limit|Fixed Limit|Limit|NL|PL|FL) "
    r"(?P<game>[A-Za-z0-9][^-]*(?:-\S[^-]*)?)"
)
_TABLE = re.compile(r"(?:(?P<event>.*\([0-9]+\)(?: .*)?), )?(?:Table|Match) (?P<table>.*?)(?: \([^()]*\))*")
_MAX = re.compile(r"(?P<seats>[0-9]{1,2}) max|heads up")
_TIME = r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2}))? (?P<zone>[A-Z]{2,5}) - "
_DAYS = (
    r"(?P<year>[0-9]{4})/(?P<month>[0-9]{2})/(?P<day>[0-9]{2})",
    r"\w{3,9}, (?P<month>\w{3,9}) (?P<day>[0-9]{1,2}), (?P<year>[0-9]{4})",
)
_CLOCKS = [re.compile(rf"{_TIME}{day}(?: \[(?P<also>.*)\])?") for day in _DAYS]
_HEAD = re.compile(r"Full ?Tilt ?Poker(?:\.\w+)? Game #(?P<hand>[0-9]{1,20}): (?P<rest>.*)")
_CALLED_OFF = "the hand was cancelled before any card was dealt"
_NO_HAND = "this is a tournament summary, which contains no hands"
_LAST = r"(?P<all_in>,? (?:and )?is all[ -]in)?(?:, and is capped)?"


def read_line(hand: PartialHand, text: str) -> bool:
    """Read any line of a hand except the first. Return False if the line is unknown."""
    if found := _SECTION.fullmatch(text):
        run = int(found["run"]) - 1 if found["run"] else None
        return open_part(hand, found["title"], ledger.known_cards(found["cards"]), run=run)
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
        ledger.return_uncalled(hand, player, ledger.amount_in(hand, found["amount"]))
        return True
    player, words = ledger.split_name(hand, text, " ")
    if player is not None and do_action(_ACTIONS, hand, player, words):
        return True
    return _IDLE.fullmatch(text) is not None


def _read_seat(hand: PartialHand, text: str) -> bool:
    if found := _SEAT.fullmatch(text):
        stack = ledger.amount_in(hand, found["stack"])
        ledger.add_player(hand, int(found["seat"]), found["name"], stack, marked=bool(found["out"]))
        return True
    if found := _BUTTON.fullmatch(text):
        hand.button = int(found[1])
        return True
    return False


# --- streets and cards


def _deal(hand: PartialHand, found: re.Match[str]) -> bool:
    player = hand.by_name.get(found["name"])
    if player is None:
        return False
    cards, more = ledger.known_cards(found["cards"]), ledger.known_cards(found["more"] or "")
    if hand.structure.draws and hand.street:
        ledger.deal_changed(player, cards, more)
    else:
        ledger.deal_own(hand, player, (*cards, *more))
        player.dealt = player.dealt or not hand.structure.faces or len(cards) + len(more) == len(player.own)
    return True


# --- players


def _bet(hand: PartialHand, player: Player, amount: Amount) -> None:
    to = player.street + amount
    if hand.structure.faces and hand.street == 1 and to == hand.big_bet:
        hand.open_pair = True
    ledger.raise_to(hand, player, to)


_PAYS = (
    ("antes", ledger.post_ante),
    ("posts the small blind of", ledger.post_small),
    ("posts the big blind of", ledger.post_big),
    ("posts a dead small blind of", ledger.post_dead),
    ("posts", ledger.post_both),
    ("calls", ledger.call),
    ("bets", _bet),
    ("raises to", ledger.raise_to),
    ("completes it to", ledger.raise_to),
    ("brings in for", ledger.bring_in),
)
_ACTIONS = action_table(
    *[(rf"{words} (?P<amount>\S+?){_LAST}", with_amount(act)) for words, act in _PAYS],
    ("folds", without_amount(ledger.fold)),
    ("checks", lambda hand, player, _: ledger.check(hand, player) if hand.phase == "play" else None),
    (r"shows \[(?P<cards>[^\]]*)\].*", show_cards),
    ("shows .*", lambda *_: None),
    ("mucks", without_amount(ledger.muck)),
    *CHANGES,
    (rf"(?:wins|ties) {_WON}", with_amount(ledger.collect)),
)


# --- the summary


def _read_summary(hand: PartialHand, text: str) -> bool:
    if found := _TOTAL.fullmatch(text):
        hand.total, hand.rake = ledger.amount_in(hand, found["total"]), ledger.amount_in(hand, found["rake"])
    elif text.startswith("Seat "):
        player, said = ledger.split_name(hand, text.partition(": ")[2], " ")
        if player is None:
            return False
        if found := _OUTCOME.fullmatch(said):
            ledger.learn(hand, player, ledger.known_cards(found["cards"]))
        if found := _COLLECTED.fullmatch(said):
            hand.marks[f"won {player.seat}"] = found["amount"]
    elif text.startswith("Board"):
        _finish_board(hand, ledger.known_cards(text.partition(":")[2]))
    else:
        return _IDLE.fullmatch(text) is not None
    return True


def _finish_board(hand: PartialHand, cards: tuple[Card, ...]) -> None:
    """Deal the board cards that only the summary prints."""
    if len(hand.boards) > 1 or len(cards) <= len(hand.boards[0]):
        return
    ledger.mend(hand, "board: expected the cards of all streets in the summary")
    for count in [count for count in hand.structure.board_by_street if len(hand.boards[0]) < count <= len(cards)]:
        hand.phase = "play"
        ledger.open_street(hand, hand.street + 1, "the summary's board")
        ledger.deal_board(hand, cards[:count])
    hand.phase = "summary"


def _read_head(hand: PartialHand, found: re.Match[str]) -> None:
    hand.number = int(found["hand"])
    parts = found["rest"].split(" - ")
    at_stakes = next((at for at, part in enumerate(parts) if _STAKES.fullmatch(part)), -1)
    at_game = next((at for at, part in enumerate(parts) if at and _GAME.fullmatch(part)), -1)
    if at_stakes < 1 or at_game < 1:
        raise ReadError("expected stakes and a game in the first line of a hand")
    game, stakes = _GAME.fullmatch(parts[at_game]), _STAKES.fullmatch(parts[at_stakes])
    assert game is not None
    assert stakes is not None
    hand.structure = game_named(game["game"].strip(), game["limit"])
    _read_stakes(hand, stakes)
    _read_table(hand, " - ".join(parts[: min(at_stakes, at_game)]))
    said_when = " - ".join(parts[max(at_stakes, at_game) + 1 :])
    if when := next(filter(None, (clock.match(said_when) for clock in _CLOCKS)), None):
        hand.clock = clock_of(when)


def _read_stakes(hand: PartialHand, found: re.Match[str]) -> None:
    """Set the stakes from the printed blinds or bets. A `B` after an amount is ignored."""
    hand.symbol, hand.currency = found["symbol"], CURRENCIES.get(found["symbol"], "")
    ledger.set_stakes(hand, *[read_amount(found[name].rstrip("B"), "") for name in ("small", "big")])


def _read_table(hand: PartialHand, text: str) -> None:
    found = _TABLE.fullmatch(text)
    if not found:
        raise ReadError("expected a table in the first line of a hand")
    hand.table, hand.event = found["table"], found["event"] or ""
    kind = _MAX.search(text)
    hand.seat_count = (int(kind["seats"]) if kind["seats"] else 2) if kind else None


def _read_line(hand: PartialHand, text: str) -> bool:
    known = read_line(hand, text)
    if hand.phase == "summary" and hand.total == 0 and hand.street < 0 and hand.players:
        raise ReadError(_CALLED_OFF)
    return known


def _finish(hand: PartialHand) -> None:
    """Check the chips against pot and rake. In some hands, only the summary has the winners."""
    if not any(player.won for player in hand.players):
        for player in hand.players:
            said = hand.marks.get(f"won {player.seat}")
            if said:
                ledger.collect(hand, player, read_amount(said, hand.symbol))
    hand.marks = {name: value for name, value in hand.marks.items() if not name.startswith("won ")}
    ledger.settle(hand, hand.total or 0, hand.rake)


FULL_TILT = Site(
    key="fulltilt",
    name="Full Tilt",
    head=_HEAD,
    cut_before=re.compile(rb"\n(?=Full ?Tilt ?Poker Game #\d+:)"),
    no_hand={"Full Tilt Poker Tournament Summary": _NO_HAND},
    read_head=_read_head,
    read_line=_read_line,
    ends=lambda line: line.startswith("*** SUMMARY"),
    belongs=lambda line: line.startswith(("Seat ", "Board", "Total pot", "*** SUMMARY", "Pot ")),
    is_between=lambda line: line == "\ufffd",
    finish=_finish,
    passed_over=(_CALLED_OFF, _NO_HAND),
)
