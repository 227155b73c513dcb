"""Replay files: hands from hand histories or recorded frames as messages, and the HTML file that shows them.

The messages are those of version 1. There are more for events that an arena does not have: single posts, a straddle, a
muck, rake and boards that are run again. `held` is a message with the cards of a seat, which spectators of an arena do
not receive.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, assert_never

import msgspec

from pitboss.arena.wire.events import PotTracker
from pitboss.arena.wire.messages import ContestedPot, read_server
from pitboss.arena.wire.poker import find_games, layout_of
from pitboss.betting.events import BroughtIn, Called, Checked, Folded, Posted, Raised, Refunded
from pitboss.cards import UNKNOWN, read_written_cards
from pitboss.errors import PitbossError
from pitboss.hand.events import (
    BoardDealt,
    Discarded,
    Event,
    HoleDealt,
    Mucked,
    Raked,
    RunBegun,
    RunsChosen,
    Shown,
    UpDealt,
    Won,
)
from pitboss.hand.structure import Structure
from pitboss.pages import write_frame
from pitboss.records.record import Record, starting_stacks
from pitboss.records.replay import Replay

Frame = dict[str, Any]

_STREETS = {"FLOP", "TURN", "RIVER"}
_AMOUNTS = frozenset(("amount", "to", "stack", "ante"))
_FEWEST_SEATS, _MOST_SEATS = 2, 10
_PAYMENTS = frozenset(("BET", "CALL", "POST", "BRING_IN"))
PAGE = Path(__file__).parents[1] / "page"
ENTRY = "file.js"
STYLE = "file.css"
_STYLE_LINK = re.compile(r'<link rel="stylesheet" href="page/([^"]+)">')
_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?function\*?|const|let|class) ([A-Za-z_$][\w$]*)", re.MULTILINE)
_LEFT_OVER = re.compile(r"^(?:import|export)\b.*$|\bimport\(|\bimport\.meta\b", re.MULTILINE)
_BODY = """<main><div id="replay-view" class="view replay"></div></main>
<noscript><p>This page draws the table with JavaScript, which is switched off here.</p></noscript>"""


def is_transcript(line: bytes) -> bool:
    """Return whether a file that begins with this text is a record of frames."""
    try:
        frame = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return isinstance(frame, dict) and isinstance(frame.get("type"), str) and "v" in frame


def transcript_hands(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """Yield the complete hands in order. In a record, the decks of a finished match come after the last hand."""
    table: Frame | None = None
    lobby: Frame = {"type": "lobby", "players": []}
    hand: dict[str, Any] | None = None
    seat = number = 0
    for line in lines:
        frame = _frame(line)
        match frame.get("type"):
            case "welcome" | "table":
                config = frame["config"]
                games = [
                    msgspec.to_builtins(layout_of(game)) for game in find_games(config["variant"], config.get("game"))
                ]
                table = {"type": "table", "table_id": frame["table_id"], "config": {"games": games} | config}
                seat = frame.get("seat", -1)
            case "lobby":
                lobby = frame
            case "start_hand" if table is not None:
                hand = {"before": [table, lobby], "messages": [frame], "label": frame["hand_id"]}
            case "event" | "end_hand" if hand is not None and frame.get("hand_id") == hand["label"]:
                if frame.get("seq", 0) > hand["messages"][-1].get("seq", 0):
                    hand["messages"].append(frame)
                if frame["type"] == "end_hand":
                    number += 1
                    turn_up_hands(hand["messages"])
                    yield {"number": number, **hand}
                    hand = None
            case "table_view" if hand is not None and frame["hand_id"] == hand["label"]:
                hand["messages"].append(frame)
            case "act" if hand is not None and frame.get("hand_id") == hand["label"]:
                _add_hole(hand["messages"], seat, frame.get("you", {}).get("hole", []))
            case "reveal":
                for revealed in frame.get("hands", ()):
                    yield {"reveals": revealed["hand_id"], "deck": revealed["deck"]}


def open_cards(hand: dict[str, Any], deck: str) -> None:
    """Add to a hand the cards from its deck that were dealt face down."""
    start = hand["messages"][0]
    code = start.get("variant") or hand["before"][0]["config"]["variant"]
    structure = next(iter(find_games(code, hand["before"][0]["config"].get("game"))), None)
    if structure is None or structure.faces:
        return
    seats = sorted(stack["seat"] for stack in start["stacks"] if stack["stack"] > 0)
    if start["button"] not in seats:
        return
    first = seats.index(start["button"]) + 1
    order = [*seats[first:], *seats[:first]]
    cards, n = read_written_cards(deck), len(order)
    known = {message["seat"] for message in hand["messages"] if message["type"] == "held"}
    holds = {seat: [cards[k * n + p] for k in range(structure.streets[0].hole)] for p, seat in enumerate(order)}
    changes = [k for k, message in enumerate(hand["messages"]) if message.get("ev") == "DRAW" and message["count"]]
    for k in reversed(changes):
        if (seat := hand["messages"][k]["seat"]) not in known:
            hand["messages"].insert(k + 1, _holds(start["hand_id"], seat, []))
    hand["messages"][1:1] = [_holds(start["hand_id"], seat, held) for seat, held in holds.items() if seat not in known]


def _frame(line: bytes) -> Frame:
    """Return a message of version 1 in its written form; return an empty message for anything else."""
    try:
        read_server(line)
        frame = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return {}
    return frame if isinstance(frame, dict) else {}


def _add_hole(messages: list[Frame], seat: int, hole: list[str]) -> None:
    """Add the cards of a seat.

    Its first cards are added at the start of the hand, later cards only if they have changed.
    """
    if not hole or any("?" in card for card in hole):
        return
    before = [message for message in messages if message["type"] == "held" and message["seat"] == seat]
    if not before:
        messages.insert(1, _holds(messages[0]["hand_id"], seat, hole))
    elif before[-1]["cards"] != hole:
        messages.append(_holds(messages[0]["hand_id"], seat, hole))


def _holds(hand_id: str, seat: int, cards: list[str]) -> Frame:
    return {"type": "held", "hand_id": hand_id, "seat": seat, "cards": cards}


def page_hand(record: Record, played: Replay, number: int, table: str, scale: int) -> dict[str, Any]:
    """Return a hand as the page's viewer uses it; `number` is its place in the file, `scale` the chips per unit."""
    structure, n = played.hand.structure, played.hand.round.n
    seats = _seats(record, n)
    stacks = {seats[place]: stack for place, stack in enumerate(starting_stacks(played.hand, played.chip_events))}
    names = record.players or (None,) * n
    hand_id = f"H-{number}"
    config = {
        "variant": structure.code,
        "seats": min(_MOST_SEATS, max(_FEWEST_SEATS, *[seat + 1 for seat in seats]))
        if max(seats) < _MOST_SEATS
        else max(seats) + 1,
        "starting_stack": max(stacks.values()),
        "sb": 0,
        "bb": played.hand.stakes.min_bet,
        "move_time_ms": 0,
        "games": [msgspec.to_builtins(layout_of(structure)) | {"variant": structure.code}],
    }
    players = [
        {"seat": seat, "team": name or f"Player {place + 1}", "connected": True, "stack": stacks[seat]}
        for place, (seat, name) in enumerate(zip(seats, names, strict=True))
    ]
    start = {"type": "start_hand", "hand_id": hand_id, "button": seats[-1], "stacks": _by_seat(stacks)}
    after = {seats[place]: stack for place, stack in enumerate(played.hand.stacks)}
    telling = _Narrator(seats, [stacks[seat] for seat in seats], structure)
    events = [message | {"type": message.get("type", "event"), "hand_id": hand_id} for message in telling.all(played)]
    end = {"type": "end_hand", "hand_id": hand_id, "stacks": _by_seat(after)}
    messages = [start | {"variant": structure.code}, *events, end]
    turn_up_hands(messages)
    for seq, message in enumerate(messages, 1):
        message["seq"] = seq
    factor = scale // played.unit.scale
    return {
        "number": number,
        "label": f"hand {record.hand}" if record.hand not in (None, number) else "",
        "before": [
            {"type": "table", "table_id": record.table or table, "config": config},
            {"type": "lobby", "players": _scaled(sorted(players, key=lambda player: player["seat"]), factor)},
        ],
        "messages": _scaled(messages, factor),
    }


def _scaled(value: Any, factor: int) -> Any:
    """Return a copy in which every amount is multiplied by a factor."""
    if factor == 1:
        return value
    if isinstance(value, dict):
        return {
            name: given * factor if name in _AMOUNTS and isinstance(given, int) else _scaled(given, factor)
            for name, given in value.items()
        }
    return [_scaled(each, factor) for each in value] if isinstance(value, list) else value


def _seats(record: Record, n: int) -> list[int]:
    """Return the seat of each place, from 0."""
    named = [seat - 1 for seat in record.seats or ()]
    usable = len(named) == n == len(set(named)) and min(named, default=-1) >= 0 and max(named) < _MOST_SEATS
    return named if usable else [*range(n)]


def _by_seat(stacks: dict[int, int]) -> list[dict[str, int]]:
    return [{"seat": seat, "stack": stack} for seat, stack in sorted(stacks.items())]


class _Narrator:
    """The events of one hand as messages, and the cards that each seat holds."""

    def __init__(self, seats: Sequence[int], stacks: Sequence[int], structure: Structure) -> None:
        self._seats, self._up, self._split = seats, bool(structure.faces), len(structure.showdown) > 1
        self._pots = PotTracker(seats, stacks)
        self._held: dict[int, list[str | None]] = {}
        self._board: list[str] = []
        self._shared: list[str] | None = None  # the cards that all runs of the board share

    def all(self, played: Replay) -> Iterator[Frame]:
        """Yield the forced bets, then all other events."""
        posted = [event for event in played.chip_events if isinstance(event, Posted)]
        dead = [event for event in posted if not event.live]
        if dead:
            paid = [{"seat": self._seats[event.place], "amount": event.amount} for event in dead]
            pots = _as_field(self._pots.pay_forced(dead))
            yield {"ev": "POST_ANTES", "ante": max(event.amount for event in dead), "posted": paid} | pots
        live = [event for event in posted if event.live]
        if len(played.hand.stacks) == len(live) == 2:
            live.sort(key=lambda post: post.amount)  # heads-up the big blind has the first place
        for name, post in zip(_names(live), live, strict=True):
            said = {"ev": "POST", "seat": self._seats[post.place], "amount": post.amount, "name": name}
            yield said | self._pay(post)
        for event in played.chip_events:
            yield from self._tell(event)

    def _tell(self, event: Event) -> Iterator[Frame]:
        seat = self._seats[event.place] if hasattr(event, "place") else -1
        match event:
            case Posted():
                return
            case Checked():
                yield {"ev": "CHECK", "seat": seat}
            case Folded():
                yield {"ev": "FOLD", "seat": seat} | _as_field(self._pots.fold(event.place))
            case Called():
                yield {"ev": "CALL", "seat": seat, "amount": event.amount} | self._pay(event)
            case Raised():
                yield {"ev": "BET", "seat": seat, "amount": event.amount, "to": event.to} | self._pay(event)
            case BroughtIn():
                yield {"ev": "BRING_IN", "seat": seat, "amount": event.amount} | self._pay(event)
            case Refunded():
                pots = self._pots.pay(event.place, -event.amount)
                yield {"ev": "REFUND", "seat": seat, "amount": event.amount} | _as_field(pots)
            case HoleDealt():
                yield from self._dealt_down(seat, event.cards)
            case UpDealt():
                for card in event.cards:
                    self._held.setdefault(seat, []).append(None)  # the hand is face up anyway
                    yield {"ev": "UP_CARD", "seat": seat, "card": card}
            case Discarded():
                yield {"ev": "DRAW", "seat": seat, "count": len(event.cards)}
                left = [card for card in self._held.get(seat, []) if card not in event.cards]
                unseen = UNKNOWN in event.cards
                self._held[seat] = left[len(event.cards) :] if unseen else left
                yield self._holds(seat)
            case BoardDealt():
                self._board += event.cards
                yield _board(event)
            case RunsChosen():
                yield {"ev": "RUNS", "seat": seat, "amount": event.runs}
            case RunBegun():
                self._shared = self._shared if self._shared is not None else [*self._board]
                self._board = [*self._shared]
                yield {"ev": "RUN", "number": event.number, "board": self._board}
            case Shown():
                if UNKNOWN not in event.cards:
                    said = {"hand": event.cards, "board": [*self._board], "rank": event.rank or ""}
                    yield {"ev": "SHOWDOWN", "seat": seat} | said
            case Mucked():
                yield {"ev": "MUCK", "seat": seat}
            case Raked():
                yield {"ev": "RAKE", "amount": event.amount}
            case Won():
                half = {"half": event.order} if self._split and event.order in ("high", "low") else {}
                yield {"ev": "POT_AWARD", "seat": seat, "amount": event.amount, "pot": event.pot} | half
            case _:
                assert_never(event)

    def _pay(self, event: Posted | Called | Raised | BroughtIn) -> Frame:
        return _as_field(self._pots.pay(event.place, event.amount))

    def _dealt_down(self, seat: int, cards: Sequence[str]) -> Iterator[Frame]:
        before = self._held.setdefault(seat, [])
        if self._up and None in before:
            yield {"ev": "DOWN_CARD", "seat": seat}
        before += [None if card == UNKNOWN else card for card in cards]
        yield self._holds(seat)

    def _holds(self, seat: int) -> Frame:
        held = self._held[seat]
        return {"type": "held", "seat": seat, "cards": [*held] if any(held) else []}


def _as_field(pots: tuple[ContestedPot, ...]) -> Frame:
    return {"pots": msgspec.to_builtins(pots)} if pots else {}


def turn_up_hands(messages: Sequence[Frame]) -> None:
    """Add the shown hands to the first card of a run-out, if an older arena or a file does not have them."""
    shown = [k for k, message in enumerate(messages) if message.get("ev") == "SHOWDOWN"]
    first = shown[0] if shown else 0
    while first and messages[first - 1].get("ev") in _STREETS:
        first -= 1
    if shown and first < shown[0]:
        hands = [{"seat": messages[k]["seat"], "cards": messages[k]["hand"]} for k in shown]
        messages[first].setdefault("hands", hands)


def _board(event: BoardDealt) -> Frame:
    if event.street == "FLOP" or len(event.cards) != 1:
        return {"ev": "FLOP", "cards": event.cards}
    return {"ev": event.street if event.street in _STREETS else "COMMUNITY_CARD", "card": event.cards[0]}


def _names(live: Sequence[Posted]) -> list[str]:
    """Return the names of forced bets, in order."""
    by_size = sorted(live, key=lambda post: post.amount)
    if len(live) < 2 or by_size[0].amount == by_size[1].amount:
        return ["big blind"] * len(live)
    named = {by_size[0].place: "small blind", by_size[1].place: "big blind"}
    return [named.get(post.place, "straddle") for post in live]


def summarize(hand: dict[str, Any]) -> dict[str, Any]:
    """Return the hand's pot, winners, result of each seat, showdown, all-in, and teams."""
    messages = hand["messages"]
    begun, ended = ({each["seat"]: each["stack"] for each in messages[k]["stacks"]} for k in (0, -1))
    chips, won = dict(begun), dict[int, int]()
    showdown = all_in = False
    for message in messages:
        ev, seat, amount = message.get("ev"), message.get("seat"), message.get("amount", 0)
        paid = {seat: amount} if ev in _PAYMENTS else {}
        if ev == "POST_ANTES":
            paid = {each["seat"]: each["amount"] for each in message["posted"]}
        elif ev == "POST_BLINDS":
            paid = {message["sb_seat"]: message["sb_posted"], message["bb_seat"]: message["bb_posted"]}
        elif ev == "REFUND":
            chips[seat] += amount
        elif ev == "POT_AWARD":
            won[seat] = won.get(seat, 0) + amount
        showdown = showdown or ev == "SHOWDOWN"
        for payer, given in paid.items():
            chips[payer] -= given
            all_in = all_in or (given > 0 and chips[payer] == 0)
    players = hand["before"][1]["players"]
    return hand | {
        "pot": sum(won.values()),
        "winners": sorted(won),
        "delta": {seat: ended[seat] - stack for seat, stack in begun.items() if seat in ended and stack > 0},
        "showdown": showdown,
        "all_in": all_in,
        "teams": {player["seat"]: player["team"] for player in players},
    }


class BundleError(PitbossError, ValueError):
    """Modules that cannot be bundled."""


def write_html(title: str, note: str, hands: Sequence[dict[str, Any]], unit: int = 1) -> str:
    """Return one file that shows these hands; names stay text, whatever they contain.

    `unit` is the number of chips per displayed unit of money.
    """
    script = bundle(read_modules(PAGE), ENTRY)
    styles = (*_STYLE_LINK.findall((PAGE / "index.html").read_text(encoding="utf-8")), STYLE)
    style = "\n".join((PAGE / name).read_text(encoding="utf-8") for name in styles)
    data = {"title": title, "note": note, "unit": unit, "hands": hands}
    return write_frame(title, _BODY, style=style, script=script, data=data, view="replay", module=True)


def read_modules(folder: Path) -> dict[str, str]:
    """Return the modules in a folder by path."""
    return {
        file.relative_to(folder).as_posix(): file.read_text(encoding="utf-8") for file in sorted(folder.rglob("*.js"))
    }


def bundle(modules: Mapping[str, str], entry: str) -> str:
    """Bundle a module and its imports into one script, in which each module is a function.

    >>> modules = {"a.js": 'import { two as b } from "./b.js";\\nf(b);\\n', "b.js": "export const two = 2;\\n"}
    >>> print(bundle(modules, "a.js"))
    const module_0 = (() => {
    const two = 2;
    return { two };
    })();
    (() => {
    const { two: b } = module_0;
    f(b);
    })();
    """
    order: list[str] = []
    _visit(modules, entry, (), order)
    names = {name: f"module_{k}" for k, name in enumerate(order)}
    return "\n".join(_wrapped(modules[name], name, names, last=name == entry) for name in order)


def _visit(modules: Mapping[str, str], name: str, above: tuple[str, ...], order: list[str]) -> None:
    """List a module after all its imports."""
    if name in above:
        raise BundleError(f"modules import each other: {' → '.join((*above, name))}")
    if name in order:
        return
    if name not in modules:
        raise BundleError(f"{above[-1] if above else 'the page'} imports {name}, which does not exist")
    for _, path in _IMPORT.findall(modules[name]):
        _visit(modules, _resolved(name, path), (*above, name), order)
    order.append(name)


def _wrapped(source: str, name: str, names: Mapping[str, str], *, last: bool) -> str:
    def imported(found: re.Match[str]) -> str:
        wanted = ", ".join(part.strip().replace(" as ", ": ") for part in found[1].split(",") if part.strip())
        return f"const {{ {wanted} }} = {names[_resolved(name, found[2])]};\n"

    exported = [word for _, word in _EXPORT.findall(source)]
    body = _EXPORT.sub(r"\1 \2", _IMPORT.sub(imported, source))
    if (left := _LEFT_OVER.search(body)) is not None:
        raise BundleError(f"{name} contains {left[0]!r}, which this bundler does not support")
    gives = f"return {{ {', '.join(exported)} }};\n" if exported else ""
    return f"{'' if last else f'const {names[name]} = '}(() => {{\n{body}{gives}}})();"


def _resolved(name: str, path: str) -> str:
    parts: list[str] = []
    for part in (*PurePosixPath(name).parent.parts, *path.split("/")):
        if part == "..":
            parts.pop()
        elif part not in (".", ""):
            parts.append(part)
    return "/".join(parts)
