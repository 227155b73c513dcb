"""Read PokerStars hand histories, cash games and tournaments of all games, into records."""

import re

from msgspec import Struct

from pitboss.formats.scan import Note, ReadError
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
from pitboss.formats.sites.values import Clock, game_named, read_amount, read_clock, write_amount
from pitboss.records.money import Amount

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
"""The name of each game in a first line. The key is the game's code without the letter of the betting system."""
LIMITS = {"N": "No Limit", "P": "Pot Limit", "F": "Limit"}
STUD_STREETS = ("3rd STREET", "4th STREET", "5th STREET", "6th STREET", "RIVER")
BOARDS = {3: "FLOP", 4: "TURN", 5: "RIVER"}
DRAWS = ("DEALING HANDS", "FIRST DRAW", "SECOND DRAW", "THIRD DRAW")
ORDINALS = ("FIRST", "SECOND", "THIRD", "FOURTH")
_SYMBOL = r"[^0-9\s./()-]{0,3}"
SYMBOL = re.compile(_SYMBOL)
CURRENCY = re.compile(r"[A-Z]{3}|")
_REST = r"(?: - .*?)??(?: +(?P<currency>[A-Z]{3}))?"
_BLINDS = re.compile(rf"(?P<symbol>{_SYMBOL})(?P<small>[0-9.,]+)/(?P<big>\S+){_REST}")
_ON_THE_BUTTON = re.compile(rf"(?:Button Blind )?(?P<symbol>{_SYMBOL})(?P<big>[0-9.,]+){_REST}")

_TITLE = r"(?:[A-Z]\w* )*(?:Hand|Game)"
TITLE = re.compile(_TITLE)

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
"""The pattern of an event that can be written in the first line of a tournament hand."""

_ROMAN = ((100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))

_LEVELS_END = 400

_TABLE = re.compile(
    r"Table (?:ID )?'(?P<table>.*)'(?: (?P<seats>[0-9]{1,3})-[Mm]ax)?(?: (?P<money>\(.*\)))?"
    r"(?: Seat #(?P<button>[0-9]{1,3}) is the button)?"
)
_SEAT = re.compile(
    r"Seat (?P<seat>[0-9]{1,3}): (?P<name>.+) \((?P<stack>\S+) in chips(?:, [^()]* bounty)?\)(?P<mark>.*)"
)
_MAY_SIT_OUT = ("is sitting out", "out of hand")
"""Marks behind the stack of a player who is not in the hand."""

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

_SECTION = re.compile(r"\*\*\* (?P<title>[A-Z0-9][A-Za-z0-9 -]*) \*\*\*(?P<cards>.*)")
_ME = " [ME]"

_RUNS = {word: run for run, word in enumerate(ORDINALS)}

_COLLECTED = re.compile(r"(?P<amount>\S+) from (?:the )?(?:main |side )?pot(?:-[0-9]+)?")
_CASHED_OUT = re.compile(r"(?P<amount>\S+)(?: \| Cash Out Fee (?P<fee>\S+))?")
_DROPPED = re.compile(r"(?:Cash Drop to Pot ?: total|STP added:) (?P<amount>\S+)")

_TOTAL = re.compile(r"Total pot (?P<total>\S+)(?: Main pot .*?)?(?P<taken>(?: \| [A-Z][A-Za-z ]* \S+)*)")
_TAKEN = re.compile(r" \| [A-Z][A-Za-z ]* (\S+)")
_REVEALED = re.compile(r" (?:mucked|showed) \[([^\]]*)\]")
_NOT_AWARDED = "pot not awarded as player cashed out"
_WON = re.compile(r" won \((\S+)\)")

_VENUES = {"PokerStars": "PokerStars", "Run It Once Poker": "Run It Once", "PokerMaster": "PokerMaster"}
_ROOM = r"PokerStars|Run It Once Poker|PokerMaster"
HEAD = re.compile(rf"(?P<room>{_ROOM}) (?P<title>{_TITLE}) #(?P<hand>[0-9]{{1,18}}): *(?P<rest>.*)")
"""The first line of a hand. A few other rooms print the same line."""

_BETWEEN = re.compile(r"\*+ # \d+ \*+")  # printed above each hand of a transcript sent by mail
_SUMMARY = re.compile(r"Seat \d+: .*|Board \[.*|Total pot .*")
_POSTS = (
    ("(?:the )?ante", ledger.post_ante),
    ("small blind", ledger.post_small),
    ("big blind", ledger.post_big),
    ("small & big blinds", ledger.post_both),
    ("(?:straddle|button blind)", ledger.post_straddle),
    ("(?:missed|dead) blind", ledger.post_dead),
)

_LAST = rf"(?P<all_in>{ALL_IN})?"
_PAYS = rf" (?P<amount>\S+){_LAST}"


class PokerStarsError(ReadError):
    """A hand that cannot be read or written. `line` is the line in the text, from 1, or 0 if it is not known."""


# --- the first line: game, stakes, time


class PrintedStakes(Struct, frozen=True):
    """The stakes in the first line: `$0.05/$0.10 USD`. In a limit game they are the bets."""

    small: Amount
    big: Amount
    symbol: str = ""
    currency: str = ""

    def __str__(self) -> str:
        small, big = write_amount(self.small, self.symbol), write_amount(self.big, self.symbol)
        return f"{small}/{big}" + (f" {self.currency}" if self.currency else "")


def read_stakes(text: str) -> PrintedStakes:
    """Read the stakes in a first line. Text between them and the currency is ignored.

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
        raise ReadError(f"expected stakes such as $1/$2, got {text!r}")
    if not stakes[1]:
        raise ReadError("expected a big blind above zero")
    return PrintedStakes(*stakes, symbol, found["currency"] or "")


class HandHeader(Struct, frozen=True, kw_only=True):
    """The parts of the first line of a hand."""

    hand: int = 0
    room: str = "PokerStars"
    title: str = "Hand"  #: `Hand`, `Game`, `Zoom Hand` or `Home Game Hand`
    club: str = ""
    event: str = ""  #: the name of the tournament, with its buy-in
    mix: str = ""  #: the mixed game that this game is part of: `8-Game`
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


def _parse_head(found: re.Match[str]) -> HandHeader:
    rest = found["rest"]
    game = (_TOURNAMENT if "Tournament #" in rest else _CASH).fullmatch(rest)
    if not game:
        raise ReadError("expected the first line of a hand")
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


def write_level(level: int | None) -> str:
    """Return a blind level in Roman numerals, as PokerStars prints it.

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


_LEVELS = {name: level for level in range(_LEVELS_END) for name in (write_level(level), f"Level {level}")}


def _read_level(text: str) -> int | None:
    """Return the number of a blind level in Roman numerals, or None if it is not valid.

    >>> _read_level("Level XI"), _read_level("Match Round I, Level II"), _read_level("Final")
    (11, 2, None)
    """
    return _LEVELS.get(text.rpartition(", ")[2])


# --- lines that do not change the hand


def _is_idle(line: str) -> bool:
    """Return whether a line is only about chat, connections, arrivals or prizes."""
    return _IDLE_LINE.fullmatch(line) is not None


def read_line(hand: PartialHand, text: str) -> bool:
    """Read a line of a hand, except the first. Return False if the line is unknown."""
    if text.startswith("*** ") and (found := _SECTION.fullmatch(text)):
        return _open_section(hand, found["title"], found["cards"])
    if hand.phase == "summary":
        return _read_summary(hand, text)
    if hand.section == "head":
        _read_table(hand, text)
        return True
    if hand.phase == "seats" and text.startswith("Seat ") and _read_seat(hand, text):
        return True
    if _read_player(hand, text) or _read_dealer(hand, text):
        return True
    if _is_idle(text):
        _mark(hand, text)
        return True
    return False


# --- the table


def _read_table(hand: PartialHand, text: str) -> None:
    found = _TABLE.fullmatch(text)
    if not found or (found["button"] is None and not hand.structure.betting.bring_in):
        raise ReadError("expected the second line of a hand, with table and button")
    hand.table = found["table"] or None
    hand.seat_count = int(found["seats"]) if found["seats"] else None
    hand.button = int(found["button"]) if found["button"] else -1
    hand.marks["money"] = found["money"] or ""
    hand.section = "seats"


def _read_seat(hand: PartialHand, text: str) -> bool:
    found = _SEAT.fullmatch(text)
    if not found:
        return False
    mark = found["mark"].strip()
    if mark and mark != "[hero]" and not mark.startswith(_MAY_SIT_OUT):
        ledger.mend(hand, f"expected no text or a known mark behind the stack, got {mark!r}")
    name = found["name"]
    stack = ledger.amount_in(hand, found["stack"])
    player = ledger.add_player(
        hand, int(found["seat"]), name.removesuffix(_ME), stack, marked=mark.startswith(_MAY_SIT_OUT)
    )
    if name.endswith(_ME):
        hand.by_name.setdefault(name, player)
    return True


def _mark(hand: PartialHand, text: str) -> None:
    """Mark a player who sits out before the deal."""
    if hand.phase == "seats" and ("sit" in text or "allowed" in text):
        for name, player in hand.by_name.items():
            if text in (f"{name}: sits out", f"{name}: is sitting out", f"{name} is sitting out") or text == (
                f"{name} will be allowed to play after the button"
            ):
                player.marked = True


# --- parts of the hand


def _open_section(hand: PartialHand, title: str, cards: str) -> bool:
    word, _, rest = title.partition(" ")
    if word in _RUNS and not hand.structure.draws:
        return open_part(hand, rest, ledger.known_cards(cards), run=_RUNS[word], printed=title)
    return open_part(hand, title, ledger.known_cards(cards))


# --- what players do


def _read_player(hand: PartialHand, text: str) -> bool:
    name, colon, said = text.partition(": ")
    if not colon:
        return False
    player = hand.by_name.get(name)
    if player is None or ": " in said:
        player, said = ledger.split_name(hand, text, ": ")
        if player is None:
            return False
    return do_action(_ACTIONS, hand, player, said)


def _raise(hand: PartialHand, player: Player, found: re.Match[str]) -> None:
    by = ledger.amount_in(hand, found["amount"])
    ledger.raise_to(hand, player, ledger.amount_in(hand, found["to"]) if found["to"] else hand.price + by, by)
    if found["all_in"]:
        ledger.check_all_in(hand, player)


def _fold(hand: PartialHand, player: Player, found: re.Match[str]) -> None:
    ledger.fold(hand, player)
    if found["cards"]:
        show_cards(hand, player, found)


_ACTIONS = action_table(
    (r"folds(?: \[(?P<cards>.*)\])?", _fold),
    ("checks", without_amount(ledger.check)),
    (f"calls{_PAYS}", with_amount(ledger.call)),
    (rf"(?:bets|raises) (?P<amount>\S+)(?: to (?P<to>\S+))?{_LAST}", _raise),
    *[(f"posts {kind}{_PAYS}", with_amount(post)) for kind, post in _POSTS],
    (f"straddle{_PAYS}", with_amount(ledger.post_straddle)),
    (f"brings in (?:low |high )?for{_PAYS}", with_amount(ledger.bring_in)),
    *CHANGES,
    (r"shows \[(?P<cards>[^\]]*)\](?: (?:\(|for ).*)?", show_cards),
    ("mucks hand", without_amount(ledger.muck)),
    ("doesn't show hand", lambda *_: None),
)


# --- what the dealer does


def _read_dealer(hand: PartialHand, text: str) -> bool:
    if text.startswith("Dealt to ") and _read_dealt(hand, text):
        return True
    if " collected " in text and _read_paid(hand, text, " collected ", _COLLECTED):
        return True
    if text.startswith("Uncalled bet (") and ") returned to " in text:
        amount, _, name = text.removeprefix("Uncalled bet (").partition(") returned to ")
        if name in hand.by_name:
            ledger.return_uncalled(hand, hand.by_name[name], ledger.amount_in(hand, amount))
            return True
    if " cashed out " in text and _read_paid(hand, text, " cashed out the hand for ", _CASHED_OUT):
        return True
    if " shows [" in text:
        player, said = ledger.split_name(hand, text, " ")
        if player is not None and do_action(_ACTIONS, hand, player, said):
            return True
    if found := _DROPPED.fullmatch(text):
        ledger.drop_money(hand, ledger.amount_in(hand, found["amount"]))
        return True
    if text == "Hand cancelled":
        raise ReadError("the hand was cancelled")
    if text == "Pair on board - a double bet is allowed":
        hand.open_pair = True
        return True
    return False


def _read_paid(hand: PartialHand, text: str, mark: str, pattern: re.Pattern[str]) -> bool:
    player, said = ledger.split_name(hand, text, mark)
    found = pattern.fullmatch(said)
    if player is None or not found:
        return False
    amount = ledger.amount_in(hand, found["amount"])
    if pattern is _COLLECTED:
        ledger.collect(hand, player, amount)
    else:
        ledger.cash_out(player, amount)
    return True


def _read_dealt(hand: PartialHand, text: str) -> bool:
    """Read `Dealt to NAME [cards]`. On later streets, the newest cards are in separate brackets."""
    name, bracket, cards = text.removeprefix("Dealt to ").partition(" [")
    if name not in hand.by_name or "[" in cards.replace("] [", ""):
        player, cards = ledger.split_name(hand, text.removeprefix("Dealt to "), " [")
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
        raise ReadError("expected hole cards in brackets")
    before, again, newest = cards[:-1].partition("] [")
    try:
        held, new = ledger.known_cards(before), ledger.known_cards(newest)
    except ReadError as error:
        ledger.mend(hand, error.reason)
        return True
    player.dealt = True
    if not again:
        ledger.deal_own(hand, player, held)
    elif hand.structure.draws:
        ledger.deal_changed(player, held, new)
    else:
        ledger.deal_last(player, new)
    return True


# --- the summary


def _read_summary(hand: PartialHand, text: str) -> bool:
    if text.startswith("Seat "):
        _read_outcome(hand, text)
    elif found := _TOTAL.fullmatch(text):
        taken = [ledger.amount_in(hand, amount) for amount in _TAKEN.findall(found["taken"])]
        ledger.settle(hand, ledger.amount_in(hand, found["total"]), sum(taken))
    elif text.startswith("Board ["):
        if len(hand.boards) == 1 and set(ledger.known_cards(text[len("Board ") :])) != set(hand.boards[0]):
            ledger.mend(hand, "the board of the summary differs from the board that was dealt")
    else:
        word, _, rest = text.partition(" ")
        return (word in _RUNS and (not rest or rest.startswith("Board ["))) or _is_idle(text)
    return True


def _read_outcome(hand: PartialHand, text: str) -> None:
    number, _, rest = text[len("Seat ") :].partition(": ")
    for player in hand.players:
        if str(player.seat) == number and rest.startswith(player.name):
            outcome = rest[len(player.name) :]
            break
    else:
        ledger.mend(hand, "expected the seat and name of a player listed above")
        return
    if "[" in outcome and (found := _REVEALED.search(outcome)):
        ledger.learn(hand, player, ledger.known_cards(found[1]))
    if " mucked" in outcome:
        ledger.muck(hand, player)
    if _NOT_AWARDED in outcome:
        for amount in _WON.findall(outcome):
            ledger.collect(hand, player, ledger.amount_in(hand, amount))


# --- the site


def _read_head(hand: PartialHand, found: re.Match[str]) -> None:
    head = _parse_head(found)
    hand.structure = game_named(head.game, head.limit)
    stakes = read_stakes(head.stakes)
    hand.venue, hand.number, hand.event, hand.clock = _VENUES[head.room], head.hand, head.event, head.clock
    hand.level = _read_level(head.level)
    hand.symbol, hand.currency = stakes.symbol, stakes.currency
    ledger.set_stakes(hand, stakes.small, stakes.big)
    hand.marks = {
        "title": head.title,  # this key marks every record that was read from a text
        "club": head.club,
        "mix": head.mix,
        "level": head.level if head.level and head.level != write_level(hand.level) else "",
        "stakes": head.stakes,
        "also": head.clock.also,
    }
    if " Post-Flop" in head.limit and hand.lenient:
        hand.notes.append(Note(hand.line, "pot limit before the flop is read as no limit"))


def _forget_usual_stakes(hand: PartialHand) -> None:
    """Store the printed stakes if they differ from the posts and bets."""
    if hand.structure.betting.exact:
        small, big = hand.big, hand.big_bet
    else:
        small, big = next((p.blind for p in hand.players if 0 < p.blind < hand.big), 0), hand.big
    if hand.marks["stakes"] == str(PrintedStakes(small, big, hand.symbol, hand.currency)):
        del hand.marks["stakes"]


POKERSTARS = Site(
    key="pokerstars",
    name="PokerStars",
    head=HEAD,
    cut_before=re.compile(rb"\n(?=PokerStars (?:[A-Z]\w* )*(?:Hand|Game) #\d+:)"),
    read_head=_read_head,
    read_line=read_line,
    ends=lambda line: line.startswith("*** SUMMARY ***"),
    belongs=lambda line: _SUMMARY.fullmatch(line) is not None,
    is_between=lambda line: _BETWEEN.fullmatch(line) is not None,
    finish=_forget_usual_stakes,
    error=PokerStarsError,
)
