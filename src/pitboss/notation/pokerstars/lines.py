"""The lines of a PokerStars hand as calls on the hand being read; other rooms print most of them the same way."""

import re
from collections.abc import Callable

from pitboss.notation.chips import Amount
from pitboss.notation.found import ReadError
from pitboss.notation.pokerstars.text import ALL_IN, MARKS, SEAT, TABLE, is_idle
from pitboss.notation.sites import betting, dealing, posting
from pitboss.notation.sites.dealing import known_cards
from pitboss.notation.sites.ending import settle
from pitboss.notation.sites.state import HandSoFar, Player, add_player, amount_in, mend, split_name

_SECTION = re.compile(r"\*\*\* (?P<title>[A-Z0-9][A-Za-z0-9 -]*) \*\*\*(?P<cards>.*)")
_ME = " [ME]"


def read_line(hand: HandSoFar, text: str) -> bool:
    """Take one line of a hand after its head; False where it is none that is known."""
    if text.startswith("*** ") and (found := _SECTION.fullmatch(text)):
        _open_section(hand, found["title"], found["cards"])
        return True
    if hand.phase == "summary":
        return _read_summary(hand, text)
    if hand.section == "head":
        _read_table(hand, text)
        return True
    if hand.phase == "seats" and text.startswith("Seat ") and _read_seat(hand, text):
        return True
    if _read_player(hand, text) or _read_dealer(hand, text):
        return True
    if is_idle(text):
        _mark(hand, text)
        return True
    return False


# --- the table


def _read_table(hand: HandSoFar, text: str) -> None:
    found = TABLE.fullmatch(text)
    if not found or (found["button"] is None and not hand.structure.betting.bring_in):
        raise ReadError("the second line of a hand names table and button, this does not")
    hand.table = found["table"] or None
    hand.seat_count = int(found["seats"]) if found["seats"] else None
    hand.button = int(found["button"]) if found["button"] else -1
    hand.marks["money"] = found["money"] or ""
    hand.section = "seats"


def _read_seat(hand: HandSoFar, text: str) -> bool:
    found = SEAT.fullmatch(text)
    if not found:
        return False
    mark = found["mark"].strip()
    if mark and mark != "[hero]" and not mark.startswith(MARKS):
        mend(hand, f"nobody knows what {mark!r} behind a stack means")
    name = found["name"]
    stack = amount_in(hand, found["stack"])
    player = add_player(hand, int(found["seat"]), name.removesuffix(_ME), stack, marked=mark.startswith(MARKS))
    if name.endswith(_ME):
        hand.by_name.setdefault(name, player)
    return True


def _mark(hand: HandSoFar, text: str) -> None:
    """Note who says before the deal that he does not play."""
    if hand.phase == "seats" and ("sit" in text or "allowed" in text):
        for name, player in hand.by_name.items():
            if text in (f"{name}: sits out", f"{name}: is sitting out", f"{name} is sitting out") or text == (
                f"{name} will be allowed to play after the button"
            ):
                player.marked = True


# --- parts of the hand

_FIRST = {"HOLE CARDS": 0, "DEALING HANDS": 0}
_BOARDS = {"FLOP": 1, "TURN": 2, "RIVER": 3}
_STUD = {"3rd STREET": 0, "4th STREET": 1, "5th STREET": 2, "6th STREET": 3, "RIVER": 4, "7th STREET": 4}
_DRAWS = {"FIRST DRAW": 1, "SECOND DRAW": 2, "THIRD DRAW": 3, "DRAW": 1}
_SHOWDOWNS = ("SHOW DOWN", "SHOWDOWN")
_RUNS = {"FIRST": 0, "SECOND": 1, "THIRD": 2, "FOURTH": 3}


def _open_section(hand: HandSoFar, title: str, cards: str) -> None:
    street = _street(hand, title)
    if street is not None:
        if not street and hand.phase == "seats":
            posting.infer_blinds(hand)
        dealing.open_street(hand, street, title)
        if hand.structure.streets[street].board:
            dealing.deal_board(hand, _board(cards))
        return
    word, _, rest = title.partition(" ")
    run = _RUNS.get(word)
    if title == "SUMMARY":
        hand.phase, hand.section = "summary", title
    elif title in _SHOWDOWNS or (run is not None and rest in _SHOWDOWNS):
        dealing.deal_owed(hand)
        hand.phase, hand.section = "show", title
    elif run is not None and rest in _BOARDS and not hand.structure.draws and not hand.structure.faces:
        dealing.deal_run(hand, run, _BOARDS[rest], _board(cards), title)
    else:
        raise ReadError("this part of a hand is not supported")


def _street(hand: HandSoFar, title: str) -> int | None:
    structure = hand.structure
    if structure.faces:
        return _STUD.get(title)
    if title in _FIRST:
        return 0
    street = (_DRAWS if structure.draws else _BOARDS).get(title)
    return street if street is not None and street < len(structure.streets) else None


def _board(cards: str) -> tuple[str, ...]:
    return known_cards(cards.replace("[", "").replace("]", ""))


# --- what players do


def _read_player(hand: HandSoFar, text: str) -> bool:
    name, colon, said = text.partition(": ")
    if not colon:
        return False
    player = hand.by_name.get(name)
    if player is None or ": " in said:
        player, said = split_name(hand, text, ": ")
        if player is None:
            return False
    read = _VERBS.get(said.partition(" ")[0])
    return read is not None and read(hand, player, said)


_POSTS: dict[str, Callable[[HandSoFar, Player, Amount], None]] = {
    "the ante": posting.post_ante,
    "ante": posting.post_ante,
    "small blind": posting.post_small,
    "big blind": posting.post_big,
    "small & big blinds": posting.post_both,
    "straddle": posting.post_straddle,
    "button blind": posting.post_straddle,
    "missed blind": posting.post_dead,
    "dead blind": posting.post_dead,
}
_POST = re.compile(rf"(?:posts )?(?P<kind>{'|'.join(_POSTS)}) (?P<amount>\S+)(?P<all_in>{ALL_IN})?")
_CALL = re.compile(rf"calls (?P<amount>\S+)(?P<all_in>{ALL_IN})?")
_RAISE = re.compile(rf"(?:bets|raises) (?P<amount>\S+)(?: to (?P<to>\S+))?(?P<all_in>{ALL_IN})?")
_BRING_IN = re.compile(rf"brings in (?:low |high )?for (?P<amount>\S+)(?P<all_in>{ALL_IN})?")
_FOLD = re.compile(r"folds(?: \[(?P<cards>.*)\])?")
_SHOW = re.compile(r"shows \[(?P<cards>[^\]]*)\](?: (?:\(|for ).*)?")
_DISCARD = re.compile(r"discards (?P<count>[0-9]) cards?(?: \[(?P<cards>[^\]]*)\])?")
_PAT = re.compile(r"stands pat(?: on \[(?P<cards>[^\]]*)\])?")


def _post(hand: HandSoFar, player: Player, said: str) -> bool:
    found = _POST.fullmatch(said)
    if not found:
        return False
    _POSTS[found["kind"]](hand, player, amount_in(hand, found["amount"]))
    return _done(hand, player, found)


def _fold(hand: HandSoFar, player: Player, said: str) -> bool:
    found = _FOLD.fullmatch(said)
    if not found:
        return False
    player.involved = True
    betting.fold(hand, player)
    if found["cards"]:
        dealing.show(hand, player, known_cards(found["cards"]))
    return True


def _check(hand: HandSoFar, player: Player, said: str) -> bool:
    if said != "checks":
        return False
    player.involved = True
    betting.check(hand, player)
    return True


def _call(hand: HandSoFar, player: Player, said: str) -> bool:
    found = _CALL.fullmatch(said)
    if not found:
        return False
    betting.call(hand, player, amount_in(hand, found["amount"]))
    return _done(hand, player, found)


def _bet(hand: HandSoFar, player: Player, said: str) -> bool:
    found = _RAISE.fullmatch(said)
    if not found:
        return False
    by = amount_in(hand, found["amount"])
    betting.raise_to(hand, player, amount_in(hand, found["to"]) if found["to"] else hand.asked + by, by)
    return _done(hand, player, found)


def _bring_in(hand: HandSoFar, player: Player, said: str) -> bool:
    found = _BRING_IN.fullmatch(said)
    if not found:
        return False
    betting.bring_in(hand, player, amount_in(hand, found["amount"]))
    return _done(hand, player, found)


def _done(hand: HandSoFar, player: Player, found: re.Match[str]) -> bool:
    if found["all_in"]:
        betting.check_all_in(hand, player)
    return True


def _discard(hand: HandSoFar, player: Player, said: str) -> bool:
    found = _DISCARD.fullmatch(said)
    if not found:
        return False
    dealing.discard(hand, player, int(found["count"]), known_cards(found["cards"] or ""))
    return True


def _stand_pat(hand: HandSoFar, player: Player, said: str) -> bool:
    found = _PAT.fullmatch(said)
    if not found:
        return False
    if found["cards"]:
        dealing.learn(hand, player, known_cards(found["cards"]))
    dealing.discard(hand, player, 0)
    return True


def _show(hand: HandSoFar, player: Player, said: str) -> bool:
    found = _SHOW.fullmatch(said)
    if not found:
        return False
    player.involved = True
    dealing.show(hand, player, known_cards(found["cards"]))
    return True


def _muck(hand: HandSoFar, player: Player, said: str) -> bool:
    if said != "mucks hand":
        return False
    player.involved = True
    dealing.muck(hand, player)
    return True


def _keep(_: HandSoFar, __: Player, said: str) -> bool:
    """Not showing changes nothing."""
    return said == "doesn't show hand"


_VERBS: dict[str, Callable[[HandSoFar, Player, str], bool]] = {
    "folds": _fold,
    "checks": _check,
    "calls": _call,
    "bets": _bet,
    "raises": _bet,
    "posts": _post,
    "straddle": _post,
    "brings": _bring_in,
    "discards": _discard,
    "stands": _stand_pat,
    "shows": _show,
    "mucks": _muck,
    "doesn't": _keep,
}


# --- what the dealer does

_COLLECTED = re.compile(r"(?P<amount>\S+) from (?:the )?(?:main |side )?pot(?:-[0-9]+)?")
_CASHED_OUT = re.compile(r"(?P<amount>\S+)(?: \| Cash Out Fee (?P<fee>\S+))?")
_DROPPED = re.compile(r"(?:Cash Drop to Pot ?: total|STP added:) (?P<amount>\S+)")


def _read_dealer(hand: HandSoFar, text: str) -> bool:
    if text.startswith("Dealt to ") and _read_dealt(hand, text):
        return True
    if " collected " in text and _read_paid(hand, text, " collected ", _COLLECTED):
        return True
    if text.startswith("Uncalled bet (") and ") returned to " in text:
        amount, _, name = text.removeprefix("Uncalled bet (").partition(") returned to ")
        if name in hand.by_name:
            betting.return_uncalled(hand, hand.by_name[name], amount_in(hand, amount))
            return True
    if " cashed out " in text and _read_paid(hand, text, " cashed out the hand for ", _CASHED_OUT):
        return True
    if " shows [" in text:
        player, said = split_name(hand, text, " ")
        if player is not None and _show(hand, player, said):
            return True
    if found := _DROPPED.fullmatch(text):
        posting.drop_money(hand, amount_in(hand, found["amount"]))
        return True
    if text == "Hand cancelled":
        raise ReadError("the hand was cancelled")
    if text == "Pair on board - a double bet is allowed":
        hand.open_pair = True
        return True
    return False


def _read_paid(hand: HandSoFar, text: str, mark: str, pattern: re.Pattern[str]) -> bool:
    player, said = split_name(hand, text, mark)
    found = pattern.fullmatch(said)
    if player is None or not found:
        return False
    amount = amount_in(hand, found["amount"])
    if pattern is _COLLECTED:
        betting.collect(hand, player, amount)
    else:
        betting.cash_out(player, amount)
    return True


def _read_dealt(hand: HandSoFar, text: str) -> bool:
    """`Dealt to NAME [cards]`, with the newest in brackets of their own on later streets."""
    name, bracket, cards = text.removeprefix("Dealt to ").partition(" [")
    if name not in hand.by_name or "[" in cards.replace("] [", ""):
        player, cards = split_name(hand, text.removeprefix("Dealt to "), " [")
        if player is None:
            return text.removeprefix("Dealt to ") in hand.by_name
    else:
        player = hand.by_name[name]
    if not bracket:
        player.involved = True
        return True
    if not cards.endswith("]"):
        return False
    if hand.phase != "play":
        raise ReadError("these are no hole cards")
    before, again, newest = cards[:-1].partition("] [")
    try:
        held, new = known_cards(before), known_cards(newest)
    except ReadError as error:
        mend(hand, error.reason)
        return True
    player.dealt = True
    if not again:
        dealing.deal_own(hand, player, held)
    elif hand.structure.draws:
        dealing.deal_changed(player, held, new)
    else:
        dealing.deal_last(player, new)
    return True


# --- the summary

_TOTAL = re.compile(r"Total pot (?P<total>\S+)(?: Main pot .*?)?(?P<taken>(?: \| [A-Z][A-Za-z ]* \S+)*)")
_TAKEN = re.compile(r" \| [A-Z][A-Za-z ]* (\S+)")
_REVEALED = re.compile(r" (?:mucked|showed) \[([^\]]*)\]")
_NOT_AWARDED = "pot not awarded as player cashed out"
_WON = re.compile(r" won \((\S+)\)")


def _read_summary(hand: HandSoFar, text: str) -> bool:
    if text.startswith("Seat "):
        _read_outcome(hand, text)
    elif found := _TOTAL.fullmatch(text):
        taken = [amount_in(hand, amount) for amount in _TAKEN.findall(found["taken"])]
        settle(hand, amount_in(hand, found["total"]), sum(taken))
    elif text.startswith("Board ["):
        if len(hand.boards) == 1 and set(_board(text[len("Board ") :])) != set(hand.boards[0]):
            mend(hand, "this is not the board that was dealt")
    else:
        word, _, rest = text.partition(" ")
        return (word in _RUNS and (not rest or rest.startswith("Board ["))) or is_idle(text)
    return True


def _read_outcome(hand: HandSoFar, text: str) -> None:
    number, _, rest = text[len("Seat ") :].partition(": ")
    for player in hand.players:
        if str(player.seat) == number and rest.startswith(player.name):
            outcome = rest[len(player.name) :]
            break
    else:
        mend(hand, "nobody of that name sits there")
        return
    if "[" in outcome and (found := _REVEALED.search(outcome)):
        dealing.learn(hand, player, known_cards(found[1]))
    if " mucked" in outcome:
        dealing.muck(hand, player)
    if _NOT_AWARDED in outcome:
        for amount in _WON.findall(outcome):
            betting.collect(hand, player, amount_in(hand, amount))
