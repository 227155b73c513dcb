"""The lines of a Full Tilt hand: seats, posts, streets, what players do, and the summary."""

import re
from collections.abc import Callable

from pitboss.cards import Card
from pitboss.notation.chips import Amount
from pitboss.notation.found import ReadError
from pitboss.notation.sites.betting import (
    bring_in,
    call,
    check,
    check_all_in,
    collect,
    fold,
    raise_to,
    return_uncalled,
)
from pitboss.notation.sites.dealing import (
    deal_board,
    deal_changed,
    deal_own,
    deal_run,
    discard,
    known_cards,
    learn,
    muck,
    open_street,
    show,
)
from pitboss.notation.sites.posting import infer_blinds, post_ante, post_big, post_both, post_dead, post_small
from pitboss.notation.sites.state import HandSoFar, Player, add_player, amount_in, mend, split_name

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
