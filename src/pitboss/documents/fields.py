"""The table document: the state of one table as everybody shares it, in JSON with its camelCase names and as PHH.

A player's fields are at their index in every array. Seats stay while blinds move; who sits out is listed, not
dealt in.
"""

import json
from collections.abc import Mapping
from datetime import time
from decimal import Decimal, InvalidOperation
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pitboss.cards import CardError, check_distinct
from pitboss.errors import PitbossError
from pitboss.hand.games import STRUCTURES
from pitboss.records.money import Amount
from pitboss.records.moves import LARGEST_EXPONENT, MoveError, read_move
from pitboss.records.table_fields import BROUGHT, DEAD_PAID, REOPENING, LineupError, read_reopening
from pitboss.table.rotation import Blinds, button_of, next_seat

PLAYS, WAITS_FOR_BIG_BLIND, PAUSES, LEAVES = range(4)
"""What a player may intend."""
_HALF, _MOST_OWED = Decimal("0.5"), Decimal("1.5")
"""Big blinds: the most that anybody owes."""

_OWN = {
    "players": "players",
    "startingStacks": "stacks",
    "blindsOrStraddles": "blinds",
    "antes": "antes",
    "_inactive": "inactive",
    "_intents": "intents",
    "_deadBlinds": "dead_blinds",
    "actions": "actions",
    "hand": "hand",
    "seats": "seats",
    "seatCount": "seat_count",
    "_deadMoney": "dead_money",
    "_button": "button",
    "finishingStacks": "finishing_stacks",
    "minBet": "min_bet",
    "variant": "variant",
    "author": "author",
}
_PER_PLAYER = ("stacks", "blinds", "antes", "inactive", "intents", "dead_blinds", "seats", "finishing_stacks")
_ENCODER = msgspec.json.Encoder(decimal_format="number")


def _find_blinds(document: "Document") -> Blinds | None:
    """Who has the blinds, by index; None where nobody has the big one.

    The big blind has the full size and the small one comes before it; more than the full size is a straddle. Where both
    are of one size the button tells which is which.
    """
    blinds, size, clockwise = document.blinds, document.big_blind, document.clockwise
    order = list(clockwise)
    if document.button is not None:
        first = order.index(document.button) + (sum(document.dealt_in) != 2)  # heads-up the button has the small blind
        order = order[first:] + order[:first]
    full = [player for player in order if blinds[player] == size]
    short = [player for player in order if 0 < blinds[player] < size]
    if not size or not full:
        return None
    if short:
        around = {player: at for at, player in enumerate(clockwise)}
        big = next_seat(sorted([around[player] for player in full]), around[short[0]])
        return Blinds(short[0], clockwise[big])
    return Blinds(full[0], full[1]) if len(full) > 1 else Blinds(None, full[0])


def last_blinds(document: "Document") -> Blinds | None:
    """Who has the blinds; where both are of one size, `_bigBlind` says which is the big one, or -1: he is gone."""
    found = _find_blinds(document)
    big = document.rest.get("_bigBlind")
    if big == -1:
        return None
    if found is not None and found.small is not None and big == found.small:
        return Blinds(found.big, found.small)
    return found


class DocumentError(PitbossError, ValueError):
    """A document that no table keeps, or something that its table cannot do."""


class Document(Struct, frozen=True, kw_only=True):
    """A table at one moment; `rest` holds the other fields of PHH and of the annotator under their PHH names."""

    players: tuple[str, ...]
    stacks: tuple[Amount, ...]
    blinds: tuple[Amount, ...]
    antes: tuple[Amount, ...]
    inactive: tuple[int, ...]
    intents: tuple[int, ...]
    dead_blinds: tuple[Amount, ...]
    actions: tuple[str, ...] = ()
    hand: int | str | None = None
    seats: tuple[int, ...] | None = None
    seat_count: int | None = None
    seat_count_in_a_list: bool = False  #: whether it is spelt [6]
    dead_money: Amount = 0
    button: int | None = None
    finishing_stacks: tuple[Amount, ...] | None = None
    min_bet: Amount  #: the least bet: the big blind's size, unless two blinds and none of them has it
    variant: str = "NT"
    author: str | None = None
    rest: Mapping[str, Any] = msgspec.field(default_factory=dict)

    @property
    def clockwise(self) -> tuple[int, ...]:
        """The players' indexes as they sit: by seat where seats are known, else as they are listed."""
        seats = self.seats
        players = range(len(self.players))
        return tuple(players) if seats is None else tuple(sorted(players, key=lambda player: seats[player]))

    @property
    def dealt_in(self) -> tuple[bool, ...]:
        """Who is in this hand: whoever is active or has been dealt cards."""
        dealt = {move.place for text in self.actions if (move := read_move(text, len(self.players))).verb == "dh"}
        return tuple(not out or player in dealt for player, out in enumerate(self.inactive))

    @property
    def big_blind(self) -> Amount:
        """The big blind's size: the least bet or, where two and more post and nobody posts that much, the highest."""
        said = self.rest.get("_bigBlindSize")
        if isinstance(said, int | Decimal):
            return said
        posted = [blind for blind in self.blinds if blind > 0]
        return max(posted) if len(posted) > 1 and max(posted) < self.min_bet else self.min_bet

    @property
    def antes_alike(self) -> bool:
        """Whether everybody pays the same ante."""
        return len(set(self.antes)) == 1 and self.antes[0] > 0

    @property
    def has_blinds(self) -> bool:
        """Whether its game has blinds, and no bring-in."""
        game = STRUCTURES.get(self.variant)
        return game is None or not game.betting.bring_in

    def index(self, player: str) -> int:
        """A player's index in all arrays."""
        if player not in self.players:
            raise DocumentError(f"there is no {player!r} at this table")
        return self.players.index(player)


# --- JSON


def read_document(text: str | bytes) -> Document:
    """Read a document and check it; raises `DocumentError` with one sentence."""
    return from_fields(read_fields(text))


def read_json(text: str | bytes) -> Any:
    """Any JSON, numbers exact."""
    try:
        return json.loads(text, parse_float=_decimal, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise DocumentError(f"the document is not JSON: {error}") from error


def read_fields(text: str | bytes) -> dict[str, Any]:
    """The fields of any JSON object; what they mean is not looked at."""
    fields = read_json(text)
    if not isinstance(fields, dict):
        raise DocumentError("the document must be one JSON object")
    return fields


def _decimal(text: str) -> Decimal:
    try:
        number = Decimal(text)
    except InvalidOperation:
        number = Decimal("NaN")
    if not is_countable(number):
        raise DocumentError(f"{text[:40]} is no number anybody could count")
    return number


def _no_constant(name: str) -> Any:
    raise DocumentError(f"{name} is no number")


def from_fields(fields: Mapping[str, Any]) -> Document:
    """A checked document from JSON fields; fields of the table that are absent say that nobody sits out or owes."""
    players = fields.get("players")
    if not isinstance(players, list) or not all(map(is_name, players)):
        raise DocumentError("players must be a list of names")
    n = len(players)
    own: dict[str, Any] = {"antes": [0] * n, "_inactive": [0] * n, "_intents": [0] * n, "_deadBlinds": [0] * n}
    own |= {name: _bottomless(name, value) for name, value in fields.items() if name in _OWN and value is not None}
    game = STRUCTURES.get(str(fields.get("variant")))
    if "bringIn" in fields or (game is not None and game.betting.bring_in):
        own.setdefault("blindsOrStraddles", [0] * n)
    listed = isinstance(own.get("seatCount"), list) and len(own["seatCount"]) == 1
    if listed:
        own["seatCount"] = own["seatCount"][0]
    _check_types(own, n)
    values: dict[str, Any] = {
        _OWN[name]: tuple(value) if isinstance(value, list) else value for name, value in own.items()
    }
    values["inactive"] = tuple(int(flag != 0) for flag in values["inactive"])
    rest = {_snake(name): _frozen(value) for name, value in fields.items() if name not in _OWN and value is not None}
    if isinstance(rest.get("time"), str):
        rest["time"] = _time(rest["time"])
    _set_limits(values, rest)
    document = Document(**values, seat_count_in_a_list=listed, rest=rest)
    check(document)
    return document if document.button is not None else _with_button(document)


def _set_limits(values: dict[str, Any], rest: dict[str, Any]) -> None:
    """Say what is left unsaid: the least bet is the big blind, and the big bet of limit games twice the small one."""
    small_bet, highest = rest.get("small_bet"), max(values["blinds"], default=0)
    by_blinds = highest if not is_amount(small_bet) or (highest and small_bet not in values["blinds"]) else small_bet
    values.setdefault("min_bet", by_blinds)
    game = STRUCTURES.get(values.get("variant", "NT"))
    if game is not None and game.betting.exact and values["min_bet"]:
        rest.setdefault("small_bet", values["min_bet"])
        if is_amount(rest["small_bet"]):
            rest.setdefault("big_bet", game.usual_big_bet(rest["small_bet"]))
    if game is not None and game.betting.bring_in and values["min_bet"]:
        rest.setdefault("bring_in", half_of(values["min_bet"]))


def half_of(amount: Amount) -> Amount:
    """Half of an amount, whole where it can be."""
    if isinstance(amount, int) and amount % 2 == 0:
        return amount // 2
    half = amount * _HALF
    return int(half) if half == int(half) else half


def _with_button(document: Document) -> Document:
    """The document with the button that its blinds imply."""
    found, dealt_in = _find_blinds(document), document.dealt_in
    if found is None or sum(dealt_in) < 2:
        return replace(document, button=None)
    around = {player: at for at, player in enumerate(document.clockwise)}
    dealt = [around[player] for player in document.clockwise if dealt_in[player]]
    small = None if found.small is None else around[found.small]
    at = button_of(dealt, small, small, around[found.big])
    return replace(document, button=None if at is None else document.clockwise[at])


def _time(text: str) -> time:
    try:
        return time.fromisoformat(text)
    except ValueError:
        raise DocumentError(f"time must be written as 14:33:21, not {text!r}") from None


def is_name(value: Any) -> bool:
    """Whether a value can be a player's name: a text that is not empty and can be written again."""
    return isinstance(value, str) and value != "" and value.encode("utf-8", "replace").decode() == value


def to_fields(document: Document) -> dict[str, Any]:
    """A document as JSON fields; what it does not have is left out."""
    fields = {name: getattr(document, field) for name, field in _OWN.items()}
    if document.seat_count_in_a_list:
        fields["seatCount"] = (document.seat_count,)
    fields |= {camel(name): value for name, value in document.rest.items()}
    optional = {name for name, value in fields.items() if value is None or (name == "_deadMoney" and not value)}
    return {name: _spelt(value) for name, value in fields.items() if name not in optional}


def _bottomless(name: str, value: Any) -> Any:
    """A stack of unknown depth, which JSON has no number for, is spelt "inf"."""
    if name not in ("startingStacks", "finishingStacks") or not isinstance(value, list):
        return value
    return [Decimal("Infinity") if entry == "inf" else entry for entry in value]


def _spelt(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple("inf" if isinstance(entry, Decimal) and entry.is_infinite() else entry for entry in value)
    return value


def write_document(document: Document) -> bytes:
    """A document as one line of JSON; amounts are numbers with all their digits."""
    return write_json(to_fields(document))


def write_json(value: object) -> bytes:
    """Anything as one line of JSON, numbers exact; the opposite of `read_json`."""
    return _ENCODER.encode(value)


def _snake(name: str) -> str:
    """A name of the document as PHH spells it; one that would not come back from there stays as it is."""
    other = _lowered(name)
    return other if not name.startswith("_") and _joined(other) == name else name


def camel(name: str) -> str:
    """A PHH name as the document spells it; one that is no PHH name stays as it is."""
    other = _joined(name)
    return other if not name.startswith("_") and _lowered(other) == name else name


def _lowered(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


def _joined(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _frozen(entry) for name, entry in value.items()}
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


# --- what is refused


def check(document: Document) -> None:
    """Refuse a document whose arrays disagree, that repeats a card, or that is in an impossible state."""
    n = len(document.players)
    if len(set(document.players)) < n:
        raise DocumentError("a name stands twice among players")
    for name, field in _OWN.items():
        value = getattr(document, field)
        if field in _PER_PLAYER and value is not None and len(value) != n:
            raise DocumentError(f"{name} has {len(value)} entries for {n} players")
    if document.seat_count is not None and document.seat_count < max(n, 1):
        raise DocumentError(f"seatCount is {document.seat_count}, but there are {n} players")
    if document.seats is not None and len(set(document.seats)) < n:
        raise DocumentError("a seat is taken twice in seats")
    for seat in document.seats or ():  # beyond seatCount too: some sites seat three at the chairs 1, 3 and 5
        if seat < 1:
            raise DocumentError(f"seats are numbered from 1 on, not {seat}")
    if document.button is not None and not 0 <= document.button < n:
        raise DocumentError(f"_button is {document.button}, but players are 0 to {n - 1}")
    for player in range(n):
        _check_state(document, player)
    _check_small_fields(document.rest)
    _check_paid(document)
    _check_finishing(document)
    for name, first in (("_bigBlind", -1), ("_smallAfter", 0)):
        if n and name in document.rest and not first <= document.rest[name] < n:
            raise DocumentError(f"{name} is {document.rest[name]}, but players are 0 to {n - 1}")
    _check_cards(document)


def _check_state(document: Document, player: int) -> None:
    """The state matrix: an active player owes nothing, and nobody who stays owes more than 1.5 big blinds."""
    inactive, intent, debt = document.inactive[player], document.intents[player], document.dead_blinds[player]
    if intent not in (PLAYS, WAITS_FOR_BIG_BLIND, PAUSES, LEAVES):
        raise DocumentError(f"_intents[{player}] must be 0, 1, 2 or 3, not {intent}")
    if not inactive and debt:
        raise DocumentError(f"_deadBlinds[{player}] is {debt}, but an active player owes nothing")
    if intent != LEAVES and debt > _MOST_OWED * document.big_blind:
        raise DocumentError(f"_deadBlinds[{player}] is {debt}, more than 1.5 big blinds")


def _check_small_fields(rest: Mapping[str, Any]) -> None:
    """The small fields of ours that only some hands or tables need."""
    for name in ("_smallSeat", "_smallAfter", "_bigBlind"):
        if name in rest and type(rest[name]) is not int:
            raise DocumentError(f"{name} must be a whole number, not {rest[name]!r}")
    for name in ("_smallBlind", "_ante", "_bigBlindSize"):
        if name in rest and not is_amount(rest[name]):
            raise DocumentError(f"{name} must be a number of chips from 0 on, not {rest[name]!r}")
    left = rest.get("_left", ())
    if not isinstance(left, tuple) or not all(map(is_name, left)):
        raise DocumentError(f"_left must be a list of names, not {left!r}")
    if "reopening" in rest:
        raise DocumentError(f"unknown field reopening: at a table it is {REOPENING}")
    try:
        read_reopening(rest)
    except LineupError as error:
        raise DocumentError(str(error)) from None


def _check_paid(document: Document) -> None:
    """Refuse debts or chips brought by nobody at the table."""
    for name in (DEAD_PAID, BROUGHT):
        paid = document.rest.get(name, {})
        if not isinstance(paid, Mapping) or not all(map(is_amount, paid.values())):
            raise DocumentError(f"{name} must say by name how many chips, not {paid!r}")
        strangers = [who for who in paid if who not in document.players]
        if strangers:
            raise DocumentError(f"{name}: there is no {strangers[0]!r} at this table")


def _check_finishing(document: Document) -> None:
    """Refuse finishing stacks with more chips than came in: less is rake, and what was brought since is said."""
    if document.finishing_stacks is None:
        return
    came = sum(document.stacks) + document.dead_money + sum(document.rest.get(BROUGHT, {}).values())
    if sum(document.finishing_stacks) > came:
        raise DocumentError(f"finishingStacks have {sum(document.finishing_stacks)} chips, and only {came} came in")


def _check_cards(document: Document) -> None:
    cards: list[str] = []
    game = STRUCTURES.get(document.variant)
    again = game is not None and game.draws  # cards given away may be dealt again: the rules see to it
    for number, text in enumerate(document.actions):
        try:
            move = read_move(text, len(document.players))
        except MoveError as error:
            raise DocumentError(f"actions[{number}]: {error}") from None
        if move.verb in ("dh", "db"):
            cards += move.cards
    try:
        check_distinct(() if again else cards)
    except CardError as error:
        raise DocumentError(f"actions: {error}") from None


def _check_types(own: Mapping[str, Any], n: int) -> None:
    for name in ("startingStacks", "blindsOrStraddles"):
        if name not in own:
            raise DocumentError(f"{name} is missing")
    for name, value in own.items():
        if name == "blindsOrStraddles":
            _check_list(name, value, lambda entry: type(entry) in (int, Decimal), "a number of chips")
        elif name in ("startingStacks", "finishingStacks"):
            _check_list(name, value, _is_stack, "a number of chips from 0 on")
        elif name in ("antes", "_deadBlinds"):
            _check_list(name, value, is_amount, "a number of chips from 0 on")
        elif name in ("_inactive", "_intents", "seats"):
            _check_list(name, value, lambda entry: type(entry) is int, "a whole number")
        elif name in ("actions", "players"):
            _check_list(name, value, lambda entry: isinstance(entry, str), "a text")
        elif name in ("_deadMoney", "minBet") and not is_amount(value):
            raise DocumentError(f"{name} must be a number of chips from 0 on, not {value!r}")
        elif name in ("seatCount", "_button") and type(value) is not int:
            raise DocumentError(f"{name} must be a whole number, not {value!r}")
        elif name in ("variant", "author") and not isinstance(value, str):
            raise DocumentError(f"{name} must be a text, not {value!r}")
        elif name == "hand" and type(value) not in (int, str):
            raise DocumentError(f"hand must be a number or a text, not {value!r}")


def _is_stack(value: Any) -> bool:
    return is_amount(value) or value == Decimal("Infinity")


def _check_list(name: str, value: Any, good: Any, what: str) -> None:
    if not isinstance(value, list):
        raise DocumentError(f"{name} must be a list, not {value!r}")
    for i, entry in enumerate(value):
        if not good(entry):
            raise DocumentError(f"{name}[{i}] must be {what}, not {entry!r}")


def is_amount(value: Any) -> bool:
    """Whether a value read from JSON can stand for chips."""
    return type(value) in (int, Decimal) and is_countable(Decimal(value)) and value >= 0


def is_countable(number: Decimal) -> bool:
    """Whether a number is finite and has no more digits than a memory can hold."""
    return number.is_finite() and abs(number.adjusted()) <= LARGEST_EXPONENT
