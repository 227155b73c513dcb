"""The description of a poker site, and the reader that turns its text into records.

The text is split into hands; each hand is read line by line into a `PartialHand`, which becomes a record.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeAlias

from msgspec import Struct

from pitboss.cards import UNKNOWN, Card, is_known, write_cards
from pitboss.formats.scan import HandFound, Note, ReadError
from pitboss.formats.sites import ledger
from pitboss.formats.sites.ledger import (
    CUT_OFF,
    ActionEntry,
    DoubledCardError,
    PartialHand,
    Player,
    PrintedPotError,
    check_cards,
    check_end,
    clockwise,
    usual_bring_in,
)
from pitboss.formats.sites.values import whole, write_amount
from pitboss.records.money import Amount
from pitboss.records.record import Record
from pitboss.records.table_fields import DEAD_MONEY, OPEN_PAIR, RAKE_TAKEN, RUNS, Toml, table_fields

CASHED_OUT = "_cashedOut"
Line = tuple[int, str]
_MOST_LINES = 20_000
"""The maximum number of characters of a hand."""

_ACTS = re.compile(
    r"(?:Dealt to |Uncalled bet .* returned to )(?P<given>.+?)(?: \[.*)?"
    r"|(?P<name>.+?):? (?:folds|checks|calls|bets|raises|posts|antes|brings in|completes|discards|stands pat|shows"
    r"|mucks|collected|wins|ties|cashed out|is all-?in)\b.*",
    re.IGNORECASE,
)
"""Patterns of lines about a player, as the sites print them."""
_BOARDS = {"flop": 1, "turn": 2, "river": 3}
_DRAWS = {"draw": 1, "first draw": 1, "second draw": 2, "third draw": 3}
_STUD = {
    "dealing": 0, "down cards": 0, "3rd street": 0, "4th street": 1, "fourth street": 1, "5th street": 2,
    "fifth street": 2, "6th street": 3, "sixth street": 3, "7th street": 4, "seventh street": 4, "river": 4,
}  # fmt: skip
_FIRST_STREET = ("hole cards", "hands", "down cards", "dealing")
Act: TypeAlias = Callable[[PartialHand, Player, re.Match[str]], object]
Pay: TypeAlias = Callable[[PartialHand, Player, Amount], object]
ActionTable: TypeAlias = Mapping[str, Sequence[tuple[re.Pattern[str], Act]]]
_WORD = re.compile(r"[\w'-]+")
_FIRST_WORDS = re.compile(r"\(\?:([a-z|]+)\)|([\w'-]+)")


def to_record(hand: PartialHand, key: str) -> Record:
    """Return the record of a hand. Details that only this site prints are in the field with the name `key`."""
    players = _in_order(hand)
    return Record(
        **common_fields(hand, players),
        actions=_actions(hand, players),
        finishing_stacks=_amounts(player.left for player in players),
        winnings=_amounts(player.won for player in players),
        user=_user(hand, players, key),
    )


def common_fields(
    hand: PartialHand, players: Sequence[Player], tidy: Callable[[Amount], Amount] = whole
) -> dict[str, Any]:
    """Return the fields of a record before its actions: game, stakes, stacks and forced bets."""
    forced = players[::-1] if len(players) == 2 else players  # heads-up, the button is p2 but posts first
    clock, structure = hand.clock, hand.structure
    antes, stud = tuple(map(tidy, _antes(forced))), structure.betting.bring_in
    asked = [ante for ante in antes if ante]
    return {
        "variant": structure.code,
        "ante_trimming_status": True if len(asked) > 1 and len(set(asked)) == 1 else None,
        "antes": antes,
        "blinds_or_straddles": None if stud else tuple([tidy(player.blind) for player in forced]),
        "bring_in": hand.bring_in or usual_bring_in(hand) if stud else None,
        "small_bet": hand.big if structure.betting.exact else None,
        "big_bet": hand.big_bet if structure.betting.exact else None,
        "min_bet": None if structure.betting.exact else hand.big,
        "starting_stacks": tuple([tidy(player.start) for player in players]),
        "event": hand.event or None,
        "venue": hand.venue or None,
        "time": clock.time,
        "day": clock.day.day if clock.day else None,
        "month": clock.day.month if clock.day else None,
        "year": clock.day.year if clock.day else None,
        "hand": hand.number,
        "level": hand.level,
        "seats": tuple([player.seat for player in players]),
        "seat_count": hand.seat_count,
        "table": hand.table,
        "players": tuple([player.name for player in players]),
        "currency": hand.currency or None,
        "currency_symbol": hand.symbol or None,
        "time_zone_abbreviation": clock.zone,
    }


def _in_order(hand: PartialHand) -> list[Player]:
    """Return all players clockwise, starting with the first player left of the button who is in the hand."""
    seated = sorted(hand.players, key=lambda player: player.seat)
    first = seated.index(clockwise(hand)[0])
    return seated[first:] + seated[:first]


def _amounts(amounts: Iterable[Amount]) -> tuple[Amount, ...]:
    return tuple([whole(amount) for amount in amounts])


def _antes(players: Sequence[Player]) -> list[Amount]:
    """Return the ante of each player. An all-in ante is recorded as the full ante."""
    most = max([player.ante for player in players])
    return [most if player.ante and player.ante == player.start else player.ante for player in players]


# --- actions


def _actions(hand: PartialHand, players: list[Player]) -> tuple[str, ...]:
    """Return the actions of a record: the deal, the betting with the cards of each street, and the showdown."""
    spelled = {id(player): f"p{number}" for number, player in enumerate(players, 1)}
    first = hand.structure.streets[0].own
    deal = [
        f"d dh {spelled[id(player)]} {write_cards(player.first or _first(hand, player, first))}"
        for player in players
        if player.involved
    ]
    betting = [_spell(entry, spelled) for entry in hand.entries if entry.verb != "sm"]
    again = [_spell(entry, spelled) for entry in hand.later_boards]
    showdown = [_spell(entry, spelled) for entry in _showdown(hand, players)]
    return (*deal, *betting, *again, *showdown)


def _first(hand: PartialHand, player: Player, count: int) -> list[str]:
    """Return a player's cards of the first street. In draw games, they are unknown unless the text shows them."""
    return [UNKNOWN] * count if hand.structure.draws else player.own[:count]


def _showdown(hand: PartialHand, players: list[Player]) -> list[ActionEntry]:
    """Return shows and mucks. Shows come first, because a muck that leaves one player ends the hand."""
    entries = [_shown(entry) for entry in hand.entries if entry.verb == "sm"]
    mucks = [entry for entry in entries if not entry.cards]
    if mucks and sum(p.involved and not p.folded for p in players) - len(mucks) == 1:
        entries = [*[entry for entry in entries if entry is not mucks[-1]], mucks[-1]]
    return entries


def _shown(entry: ActionEntry) -> ActionEntry:
    """Return a show of all cards of a player, or a muck if a player who wins nothing shows only some cards."""
    player = entry.player
    if player is None or not entry.cards or len(entry.cards) == len(player.own):
        return entry
    if player.won or all(map(is_known, player.own)):
        return ActionEntry("sm", player, tuple(player.own))
    player.shows = True
    return ActionEntry("sm", player)


def _spell(entry: ActionEntry, spelled: dict[int, str]) -> str:
    player, verb = entry.player, entry.verb
    if player is None:
        return f"d db {write_cards(entry.cards)}"
    if verb == "dh":
        cards = entry.cards or player.own[entry.start : entry.start + 1]
        return f"d dh {spelled[id(player)]} {write_cards(cards)}"
    if verb == "cbr":
        return f"{spelled[id(player)]} cbr {write_amount(entry.total, '')}"
    if entry.cards:
        return f"{spelled[id(player)]} {verb} {write_cards(entry.cards)}"
    return f"{spelled[id(player)]} {verb}"


# --- our own fields


def _user(hand: PartialHand, players: list[Player], key: str) -> dict[str, Toml]:
    fields: dict[str, Toml] = {RAKE_TAKEN: whole(hand.rake)}
    fields |= table_fields([not player.involved for player in players], _amounts(player.dead for player in players))
    if len(hand.boards) > 1:
        fields[RUNS] = len(hand.boards)
    if hand.open_pair:
        fields[OPEN_PAIR] = True
    if hand.dropped:
        fields[DEAD_MONEY] = whole(hand.dropped)
    if any(player.cashed_out for player in players):
        fields[CASHED_OUT] = _amounts(player.cashed_out for player in players)
    marks = hand.marks | _marks(hand, players)
    fields[f"_{key}"] = {name: value for name, value in marks.items() if value}
    return fields


def _marks(hand: PartialHand, players: list[Player]) -> dict[str, str]:
    """Return details of the seats that PHH has no field for. Usual values are not included."""
    last = clockwise(hand)[-1].seat
    return {
        "button": str(hand.button) if hand.button not in (last, -1) else "",
        "dealt": _seats(player for player in players if player.dealt),
        "shows": _seats(player for player in players if player.shows),
        "away": _seats(player for player in players if player.marked and player.involved),
    }


def _seats(players: Iterable[Player]) -> str:
    return " ".join([str(player.seat) for player in players])


class Site(Struct, frozen=True, kw_only=True):
    """The description of one site's text."""

    key: str  #: the key of the format; records have details of the site in the field with `_` before the key
    name: str
    mark: str = " #"  #: a text that is in the first line of every hand
    head: re.Pattern[str]  #: the pattern of the first line of a hand
    cut_before: re.Pattern[bytes] | None = None  #: the line break before a hand, where a large file can be cut
    no_hand: Mapping[str, str] = MappingProxyType(
        {}
    )  #: the beginnings of texts that contain no hands, with the error for each
    read_head: Callable[[PartialHand, re.Match[str]], None]  #: reads the first line of a hand
    read_line: Callable[[PartialHand, str], bool]  #: reads any other line; returns False if the line is unknown
    ends: Callable[[str], bool]  #: whether a line opens the last part of a hand; a blank line ends that part
    belongs: Callable[[str], bool]  #: whether a line after that blank line still belongs to the hand
    is_between: Callable[[str], bool] = lambda _: False  #: whether a line is between hands
    finish: Callable[[PartialHand], None] = lambda _: None  #: called after the last line of a hand
    error: type[ReadError] = ReadError
    passed_over: tuple[str, ...] = ()  #: the errors of hands that lenient reading skips with a note

    def recognise(self, beginning: str) -> bool:
        """Return whether a file that begins with `head` is from this site."""
        begins = "|".join([self.head.pattern, *map(re.escape, self.no_hand)])
        return re.search(rf"^\s*(?:{begins})", beginning, re.MULTILINE) is not None

    def find_head(self, line: str) -> int:
        """Return the position in a line at which a hand begins, or -1.

        A hand can begin inside a line if the file was cut off there and continued.
        """
        if self.mark not in line:
            return -1
        found = self.head.match(line) or (self.head.search(line) if ' said, "' not in line else None)
        return found.start() if found else -1

    def start(self, hand: PartialHand, line: str) -> None:
        """Read the first line of a hand."""
        hand.venue, hand.section = self.name, "head"
        found = self.head.fullmatch(line)
        if not found:
            raise ReadError(
                next((self.no_hand[one] for one in self.no_hand if one in line), "expected the first line of a hand")
            )
        self.read_head(hand, found)

    def scan(self, lines: Iterable[Line], name: str = "", lenient: bool = False) -> Iterator[HandFound]:
        """Yield every hand of a text with its first line number."""
        for hand in _split_hands(self, lines):
            found = self._read(hand, name, lenient)
            if lenient and found.error is not None and found.error.reason in self.passed_over:
                found = HandFound(found.line, notes=(Note(found.line, found.error.reason),))
            yield found

    def _read(self, lines: list[Line], name: str, lenient: bool) -> HandFound:
        """Read one hand from its lines."""
        hand = PartialHand(lenient=lenient)
        number, text = lines[0]
        first = number
        try:
            hand.line = number
            self.start(hand, text)
            read_line = self.read_line
            for number, text in lines[1:]:
                hand.line = number
                if not read_line(hand, text):
                    _pass_over(hand, text)
            check_end(hand)
            self.finish(hand)
            return HandFound(first, to_record(hand, self.key), None, tuple(hand.notes))
        except ReadError as error:
            cut_off = hand.total is None and 1 < len(lines) == lines.index((number, text)) + 1
            if not cut_off:
                number, text = _line_at_fault(self, lines, error, (number, text), lenient)
            wrong = self.error(CUT_OFF if cut_off else error.reason, name=name, line=number, text=text)
            return HandFound(first, None, wrong, tuple(hand.notes))


def _line_at_fault(site: Site, lines: list[Line], error: ReadError, last: Line, lenient: bool) -> Line:
    """Return the line that an error is about. It can be earlier than the line at which the error was found."""
    if isinstance(error, PrintedPotError):
        return next((line for line in lines if line[1].startswith("Total pot ")), last)
    if isinstance(error, DoubledCardError):
        hand = PartialHand(lenient=lenient)
        site.start(hand, lines[0][1])
        for line in lines[1:]:
            site.read_line(hand, line[1])
            try:
                check_cards(hand)
            except DoubledCardError:
                return line
    return last


def _pass_over(hand: PartialHand, text: str) -> None:
    where = "a summary" if hand.phase == "summary" else f"a {hand.venue} hand"
    found = _ACTS.fullmatch(text) if hand.phase != "summary" else None
    name = (found["name"] or found["given"]) if found else ""
    if name and name not in hand.by_name:
        if not hand.lenient:
            raise ReadError(f"{name[:40]!r} has no seat: add a seat line, or use lenient reading to skip this line")
        hand.notes.append(Note(hand.line, f"{name[:40]!r} has no seat; line skipped: {text[:60]!r}"))
        return
    if not hand.lenient:
        raise ReadError(f"unknown line in {where}")
    hand.notes.append(Note(hand.line, f"unknown line in {where}; skipped: {text[:60]!r}"))


def _split_hands(site: Site, lines: Iterable[Line]) -> Iterator[list[Line]]:
    """Yield the lines of each hand.

    A blank line after a summary also ends a hand, so a damaged first line spoils only its own hand.
    """
    hand: list[Line] = []
    ended = blank = False
    for number, text in lines:
        line = text.lstrip("\ufeff").strip(" \t\r\n")
        if not line or site.is_between(line):
            blank = True
            continue
        at = site.find_head(line)
        if at > 0:
            hand.append((number, line[:at]))
            line = line[at:]
        if hand and (at >= 0 or (ended and blank and not site.belongs(line)) or len(hand) > _MOST_LINES):
            yield hand
            hand, ended = [], False
        hand.append((number, line))
        ended = ended or site.ends(line)
        blank = False
    if hand:
        yield hand


# --- parts of a hand


def _find_street(hand: PartialHand, title: str) -> int | None:
    """Return the number of the street with this title, or None if the game has no such street."""
    name, structure = title.lower().removeprefix("dealing "), hand.structure
    if structure.faces:
        return _STUD.get(name)
    if name in _FIRST_STREET:
        return 0
    street = (_DRAWS if structure.draws else _BOARDS).get(name)
    return street if street is not None and street < len(structure.streets) else None


def open_part(
    hand: PartialHand,
    title: str,
    cards: tuple[Card, ...] = (),
    *,
    run: int | None = None,
    printed: str = "",
    before_deal: Callable[[PartialHand], None] = ledger.infer_blinds,
) -> bool:
    """Open a street with its board cards, the showdown or the summary.

    `run` is the number of the board, from 0, and `printed` is the complete title.
    """
    street = _find_street(hand, title)
    if title.upper() == "SUMMARY":
        hand.phase, hand.section = "summary", title
    elif title.upper() in ("SHOW DOWN", "SHOWDOWN"):
        ledger.deal_owed(hand)
        hand.phase, hand.section = "show", title
    elif street is None:
        raise ReadError(f"section {title} is not supported")
    elif run is not None:
        ledger.deal_run(hand, run, street, cards, printed or title)
    else:
        if not street and hand.phase == "seats":
            before_deal(hand)
        ledger.open_street(hand, street, title)
        if hand.structure.streets[street].board or cards:
            ledger.deal_board(hand, cards)
    return True


# --- what players do


def action_table(*lines: tuple[str, Act]) -> ActionTable:
    """Patterns of actions by their first word. A pattern begins with this word or with `(?:one|another)`."""
    table = defaultdict(list)
    for words, act in lines:
        first = _FIRST_WORDS.match(words)
        assert first is not None
        for word in (first[1] or first[2]).split("|"):
            table[word].append((re.compile(words), act))
    return table


def do_action(acts: ActionTable, hand: PartialHand, player: Player, text: str) -> bool:
    """Play the action in a line. Return False if the action is unknown."""
    known = acts.get(text.partition(" ")[0])
    if known is None and (first := _WORD.match(text)):  # some texts have no space between the word and an amount
        known = acts.get(first[0])
    for pattern, act in known or ():
        if found := pattern.fullmatch(text):
            act(hand, player, found)
            return True
    return False


def with_amount(pay: Pay) -> Act:
    """Return a function that plays an action with an amount. The action may be all-in."""

    def act(hand: PartialHand, player: Player, found: re.Match[str]) -> None:
        pay(hand, player, ledger.amount_in(hand, found["amount"]))
        if found["all_in"]:
            ledger.check_all_in(hand, player)

    return act


def without_amount(act: Callable[[PartialHand, Player], object]) -> Act:
    """Return a function that plays an action without an amount or cards."""
    return lambda hand, player, _: act(hand, player)


def show_cards(hand: PartialHand, player: Player, found: re.Match[str]) -> None:
    """Show the cards in a line."""
    ledger.show(hand, player, ledger.known_cards(found["cards"]))


def _change_cards(hand: PartialHand, player: Player, found: re.Match[str]) -> None:
    """Discard as many cards as the line states. Some lines also list the cards."""
    ledger.discard(hand, player, int(found["count"]), ledger.known_cards(found["cards"] or ""))


def _stand_pat(hand: PartialHand, player: Player, found: re.Match[str]) -> None:
    """Discard nothing. Some lines list the cards that the player keeps."""
    if found["cards"]:
        ledger.learn(hand, player, ledger.known_cards(found["cards"]))
    ledger.discard(hand, player, 0)


CHANGES: tuple[tuple[str, Act], ...] = (
    (r"discards (?P<count>[0-9]) cards?(?: \[(?P<cards>[^\]]*)\])?", _change_cards),
    (r"stands pat(?: on \[(?P<cards>[^\]]*)\])?", _stand_pat),
)
"""Patterns of lines about discards."""
