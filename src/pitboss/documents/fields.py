"""The fields of the table document: the state of a table as JSON with camelCase names.

Every array has one entry per player, in the same order. Seats stay while blinds move; a player who sits out stays in
the arrays and is not dealt in.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import time
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from math import gcd
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pitboss.cards import CardError, check_distinct
from pitboss.errors import PitbossError
from pitboss.formats.scan import DEEPEST_JSON, nests_too_deeply
from pitboss.hand.game_file import OWN_CODE, GameFileError, own_game
from pitboss.hand.games import NO_LIMIT_HOLDEM, STRUCTURES
from pitboss.hand.structure import Structure
from pitboss.records.money import Amount, Unit
from pitboss.records.moves import LARGEST_EXPONENT, Move, MoveError, read_move
from pitboss.records.record import MOST_PLAYERS
from pitboss.records.table_fields import BROUGHT, DEAD_PAID, GAME, REOPENING, LineupError, read_reopening
from pitboss.table.rotation import Blinds, button_of, next_seat

PLAYS, WAITS_FOR_BIG_BLIND, PAUSES, LEAVES = range(4)
"""The values of `_intents`."""
UNIT, CHARGED, UNDEALT, SMALL_PLAYER = "_unit", "_charged", "_undealt", "_smallPlayer"
_USUAL_UNIT = Decimal("0.01")

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
    """Return the indices of the players with the blinds, or None if no player has the big blind.

    A blind above the full size is a straddle. If both blinds have the same size, the button determines the small blind.
    """
    blinds, size, clockwise = document.blinds, document.big_blind, document.clockwise
    order = list(clockwise)
    if document.button is not None:
        first = order.index(document.button) + (sum(document.dealt_in) != 2)  # heads-up, the button has the small blind
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
    """Return the indices of the players with the blinds. `_bigBlind` has the big blind if both have the same size.

    The result is None if no player has the big blind.
    """
    found = _find_blinds(document)
    big = document.rest.get("_bigBlind")
    if big == -1:
        return None
    if found is not None and found.small is not None and big == found.small:
        return Blinds(found.big, found.small)
    if found is not None and found.small is None:
        return Blinds(document.rest.get(SMALL_PLAYER), found.big)  # the array does not show a small blind of 0
    return found


class DocumentError(PitbossError, ValueError):
    """An invalid document, or a request that the table refuses.

    >>> from pitboss.documents import join, open_document
    >>> table = open_document(small_blind=1, big_blind=2, seat_count=6)
    >>> table = join(join(table, "ann", 100), "bob", 100)
    >>> join(table, "ann", 100)
    Traceback (most recent call last):
    pitboss.documents.DocumentError: 'ann' already sits at this table
    """


class FinerThanUnit(DocumentError):
    """An amount that is not a multiple of the smallest chip."""


class Document(Struct, frozen=True, kw_only=True):
    """A table at one moment. `rest` has the other fields of PHH and of pitboss, with their PHH names.

    >>> from pitboss.documents import join, open_document
    >>> table = open_document(small_blind=1, big_blind=2, seat_count=6)
    >>> table = join(join(table, "ann", 100), "bob", 100)
    >>> table.players, table.stacks
    (('ann', 'bob'), (100, 100))
    """

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
    seat_count_in_a_list: bool = False  #: whether the document has a list with one number
    dead_money: Amount = 0
    button: int | None = None
    finishing_stacks: tuple[Amount, ...] | None = None
    min_bet: Amount  #: the minimum bet; if the document has none, the size of the big blind
    variant: str = "NT"
    author: str | None = None
    rest: Mapping[str, Any] = msgspec.field(default_factory=dict)

    @property
    def clockwise(self) -> tuple[int, ...]:
        """The indices of the players in the order of their seats. Without seats, the order is that of the arrays."""
        seats = self.seats
        players = range(len(self.players))
        return tuple(players) if seats is None else tuple(sorted(players, key=lambda player: seats[player]))

    @property
    def dealt_in(self) -> tuple[bool, ...]:
        """Whether each player is in this hand: a player who is active, or who was dealt cards."""
        dealt = {move.place for text in self.actions if (move := read_move(text, len(self.players))).verb == "dh"}
        return tuple(not out or player in dealt for player, out in enumerate(self.inactive))

    @property
    def big_blind(self) -> Amount:
        """The size of the big blind: the minimum bet, unless the blinds show a smaller one."""
        given = self.rest.get("_bigBlindSize")
        if isinstance(given, int | Decimal):
            return given
        posted = [blind for blind in self.blinds if blind > 0]
        return _big_of(posted, None) if len(posted) > 1 and max(posted) < self.min_bet else self.min_bet

    @property
    def antes_alike(self) -> bool:
        """Whether all players pay the same ante."""
        return len(set(self.antes)) == 1 and self.antes[0] > 0

    @property
    def has_blinds(self) -> bool:
        """Whether the game has blinds. Other games have a bring-in."""
        return not self.game.betting.bring_in

    @property
    def game(self) -> Structure:
        """The game: the one that `variant` names, or for `X` the one in the field `_game`.

        A variant that is not known is treated as no-limit hold'em.
        """
        return _game(self.variant, self.rest.get(GAME)) or NO_LIMIT_HOLDEM

    @property
    def unit(self) -> Amount:
        """The smallest chip: `_unit`, by default 0.01. It is smaller if half a big blind is not a multiple of it.

        >>> table = {"players": ["ann", "bob"], "startingStacks": [9, 9], "blindsOrStraddles": [0.05, 0.05]}
        >>> read_document(table).unit
        Decimal('0.005')
        """
        given, half = self.rest.get(UNIT, _USUAL_UNIT), half_of(self.big_blind)
        unit = Unit.finest((given, half))
        return unit.amount(gcd(unit.chips(given), unit.chips(half)))

    def index(self, player: str) -> int:
        """Return the index of a player in the arrays."""
        if player not in self.players:
            known = f"one of {', '.join(self.players)}" if self.players else "a player, but the table is empty"
            raise DocumentError(f"players: expected {known}, got {player!r}")
        return self.players.index(player)


def _game(variant: object, own: object) -> Structure | None:
    """Return the game of a document, or None if its variant is not known. `own` is the field `_game`."""
    if variant != OWN_CODE:
        return STRUCTURES.get(str(variant))
    if own is None:
        raise DocumentError(f"{GAME}: expected the content of a game file, because the variant is {OWN_CODE}")
    try:
        return own_game(own)
    except GameFileError as error:
        raise DocumentError(f"{GAME}: {error}") from None


Source: TypeAlias = Document | Mapping[str, Any] | str | bytes
"""The types that a function accepts as a document: a `Document`, a dict from `json.loads`, or JSON as text or bytes."""


# --- money


def half_of(amount: Amount) -> Amount:
    """Return exactly half of an amount, as an integer if it is whole."""
    if isinstance(amount, int) and amount % 2 == 0:
        return amount // 2
    unit = Unit(10 * Unit.finest([amount]).scale)
    return unit.amount(unit.chips(amount) // 2)


def total(amounts: Iterable[Amount]) -> Amount:
    """Return the exact sum of amounts with any number of digits.

    >>> total([Decimal(10) ** 40, Decimal("0.01")])
    Decimal('10000000000000000000000000000000000000000.01')
    """
    amounts = tuple(amounts)
    if any(isinstance(amount, Decimal) and amount.is_infinite() for amount in amounts):
        return Decimal("Infinity")
    unit = Unit.finest(amounts)
    return unit.amount(sum(map(unit.chips, amounts)))


def check_unit(what: str, amount: Amount, unit: Amount) -> None:
    """Raise `FinerThanUnit` if an amount is not a multiple of the smallest chip."""
    if (type(amount) is int and unit == _USUAL_UNIT) or (isinstance(amount, Decimal) and amount.is_infinite()):
        return
    if Fraction(amount) % Fraction(unit):
        raise FinerThanUnit(f"{what}: expected a multiple of {unit}, the smallest chip, got {shown(amount)}")


def is_amount(value: Any) -> bool:
    """Return whether a value from JSON can be a number of chips."""
    return type(value) in (int, Decimal) and is_countable(Decimal(value)) and value >= 0


def is_countable(number: Decimal) -> bool:
    """Return whether a number is finite, and its exponent is in the allowed range."""
    return number.is_finite() and abs(number.adjusted()) <= LARGEST_EXPONENT


def shown(value: Any) -> str:
    """Return a wrong value for an error message, with at most 40 characters. A decimal is shown as a plain number."""
    return f"{value!s:.40}" if isinstance(value, Decimal) else f"{value!r:.40}"


def to_amount(what: str, value: Any) -> Amount:
    """Return an argument as an amount. A float is converted to the shortest decimal that prints the same.

    >>> to_amount("ante", 0.1)
    Decimal('0.1')
    """
    amount = _exact(value)
    if not is_amount(amount):
        raise DocumentError(f"{what}: expected a number of chips, at least 0, got {shown(value)}")
    return int(amount) if amount == int(amount) else amount


# --- JSON


def read_document(source: Source) -> Document:
    """Read a document and check it. A `Document` is returned unchanged. Raises `DocumentError`.

    >>> from pitboss.documents import join, open_document, read_document, write_document
    >>> table = open_document(small_blind=1, big_blind=2, seat_count=6)
    >>> table = join(join(table, "ann", 100), "bob", 100)
    >>> read_document(write_document(table)) == table
    True
    """
    return source if isinstance(source, Document) else from_fields(read_fields(source))


def read_json(text: str | bytes) -> Any:
    """Read JSON. Numbers with a fraction become exact decimals."""
    try:
        letters = text if isinstance(text, str) else text.decode(json.detect_encoding(text), "surrogatepass")
        if nests_too_deeply(letters):
            raise DocumentError(f"expected at most {DEEPEST_JSON} levels of nested objects and lists")
        return json.loads(letters, parse_float=_decimal, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise DocumentError(f"the document is not JSON: {error}") from error


def read_fields(source: Source) -> dict[str, Any]:
    """Read the fields of a document without checking them. Floats become exact decimals.

    A client's document is read with this function, because `merge` uses only a few of its fields.

    >>> read_fields('{"startingStacks": [75.25]}') == read_fields({"startingStacks": [75.25]})
    True
    """
    if isinstance(source, Document):
        return to_fields(source)
    fields: Any = read_json(source) if isinstance(source, str | bytes) else source
    if not isinstance(fields, Mapping):
        raise DocumentError(
            f"the document: expected one JSON object, got {_JSON_NAMES.get(type(fields), 'another type')}"
        )
    return {name: _exact_entries(value) for name, value in fields.items()}


_JSON_NAMES = {
    type(None): "null",
    bool: "true or false",
    int: "an integer",
    float: "a number",
    Decimal: "a number",
    str: "text",
    list: "a list",
    tuple: "a list",
}


def _exact_entries(value: Any) -> Any:
    """Return a field in which floats are decimals, also in an array or an object."""
    if isinstance(value, list | tuple):
        return [_exact(entry) for entry in value]
    if isinstance(value, dict):
        return {name: _exact(entry) for name, entry in value.items()}
    return _exact(value)


def _exact(value: Any) -> Any:
    return Decimal(repr(value)) if isinstance(value, float) else value


def _decimal(text: str) -> Decimal:
    try:
        number = Decimal(text)
    except InvalidOperation:
        number = Decimal("NaN")
    if not is_countable(number):
        raise DocumentError(f"the document: expected numbers below 1e{LARGEST_EXPONENT}, got {text:.40}")
    return number


def _refuse_constant(name: str) -> Any:
    raise DocumentError(f"the document: expected numbers, got {name}")


def from_fields(fields: Mapping[str, Any]) -> Document:
    """Return a document from JSON fields, and check it. Without the fields of pitboss, all players are active."""
    players = fields.get("players")
    if not isinstance(players, list) or not all(map(is_name, players)):
        raise DocumentError(f"players: expected a list of names, got {players!r:.40}")
    n = len(players)
    if n > MOST_PLAYERS:
        raise DocumentError(f"players: expected at most {MOST_PLAYERS}, got {n}")
    own: dict[str, Any] = {"antes": [0] * n, "_inactive": [0] * n, "_intents": [0] * n, "_deadBlinds": [0] * n}
    own |= {name: _read_unknown(name, value) for name, value in fields.items() if name in _OWN and value is not None}
    game = _game(fields.get("variant"), fields.get(GAME))
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
    _check_bets(rest, n)
    _set_limits(values, rest)
    document = Document(**values, seat_count_in_a_list=listed, rest=rest)
    check(document)
    return document if document.button is not None else _with_button(document)


def _set_limits(values: dict[str, Any], rest: dict[str, Any]) -> None:
    """Add missing bets: the minimum bet is the big blind, and the big bet is twice the small bet."""
    small_bet, known = rest.get("small_bet"), rest.get("_smallBlind")
    posted = [blind for blind in values["blinds"] if blind > 0]
    big = _big_of(posted, known if is_amount(known) else None)
    values.setdefault("min_bet", big if small_bet is None or (big and small_bet not in posted) else small_bet)
    game = _game(values.get("variant", "NT"), rest.get(GAME))
    if game is not None and game.betting.exact and values["min_bet"]:
        rest.setdefault("small_bet", values["min_bet"])
        rest.setdefault("big_bet", game.usual_big_bet(rest["small_bet"]))
    if game is not None and game.betting.bring_in and values["min_bet"]:
        rest.setdefault("bring_in", half_of(values["min_bet"]))


def _big_of(posted: list[Amount], small: Amount | None) -> Amount:
    """Return the size of the big blind among posts. It is the second smallest, or the only one.

    A straddle is larger than the blinds, so it is never the second smallest. `small` is the size of the small blind, if
    known.

    >>> _big_of([4, 1, 2], None), _big_of([2, 4], 1), _big_of([2], None)
    (2, 2, 2)
    """
    others = sorted(posted)
    if small is None:
        return others[min(1, len(others) - 1)] if others else 0
    if small in others and len(others) > 1:
        others.remove(small)
    return others[0] if others else 0


def _with_button(document: Document) -> Document:
    """Return the document with the button that follows from the blinds."""
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
        raise DocumentError(f"time: expected a time such as 14:33:21, got {text!r:.40}") from None


def is_name(value: Any) -> bool:
    """Return whether a value can be a player's name: text that is not empty and is valid Unicode."""
    return isinstance(value, str) and value != "" and value.encode("utf-8", "replace").decode() == value


def to_fields(document: Document) -> dict[str, Any]:
    """Return the JSON fields of a document. Fields without a value are not included."""
    fields = {name: getattr(document, field) for name, field in _OWN.items()}
    if document.seat_count_in_a_list:
        fields["seatCount"] = (document.seat_count,)
    fields |= {camel(name): value for name, value in document.rest.items()}
    optional = {name for name, value in fields.items() if value is None or (name == "_deadMoney" and not value)}
    return {name: _with_unknown(value) for name, value in fields.items() if name not in optional}


def _read_unknown(name: str, value: Any) -> Any:
    """Return infinity for "inf", which a document has for an unknown stack. Return other values unchanged."""
    if name not in ("startingStacks", "finishingStacks") or not isinstance(value, list):
        return value
    return [Decimal("Infinity") if entry == "inf" else entry for entry in value]


def _with_unknown(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple("inf" if isinstance(entry, Decimal) and entry.is_infinite() else entry for entry in value)
    return value


def write_document(source: Source) -> bytes:
    """Write a document as one line of JSON. Numbers are exact.

    >>> from pitboss.documents import join, open_document, write_document
    >>> table = open_document(small_blind=1, big_blind=2, seat_count=6)
    >>> table = join(join(table, "ann", 100), "bob", 100)
    >>> write_document(table)[:26]
    b'{"players":["ann","bob"],"'
    """
    return write_json(to_fields(read_document(source)))


def write_json(value: object) -> bytes:
    """Write a value as one line of JSON. Numbers are exact."""
    return _ENCODER.encode(value)


def _snake(name: str) -> str:
    """Return the PHH name of a field. A name that would not be restored from camelCase is unchanged."""
    other = _lowered(name)
    return other if not name.startswith("_") and _joined(other) == name else name


def camel(name: str) -> str:
    """Return the camelCase name of a PHH field. Other names are unchanged."""
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
    if isinstance(value, list | tuple):
        return tuple(map(_frozen, value))
    return _decimal(str(value)) if isinstance(value, float | Decimal) else value


# --- checks


def check(document: Document) -> None:
    """Raise `DocumentError` for arrays of different lengths, a repeated card, or an impossible state."""
    n = len(document.players)
    for name in document.players:
        if document.players.count(name) > 1:
            raise DocumentError(f"players: expected different names, got {name!r} twice")
    for name, field in _OWN.items():
        value = getattr(document, field)
        if field in _PER_PLAYER and value is not None and len(value) != n:
            raise DocumentError(f"{name}: expected {n} entries, one per player, got {len(value)}")
    if document.seat_count is not None and document.seat_count < max(n, 1):
        raise DocumentError(f"seatCount: expected at least {max(n, 1)}, got {document.seat_count}")
    if document.seats is not None and len(set(document.seats)) < n:
        raise DocumentError(f"seats: expected different seats, got {list(document.seats)}")
    for seat in document.seats or ():  # a seat may be above seatCount: some sites seat three players at 1, 3 and 5
        if seat < 1:
            raise DocumentError(f"seats: expected numbers from 1, got {seat}")
    if document.button is not None:
        _check_index("_button", document.button, 0, n)
    for player in range(n):
        _check_state(document, player)
    _check_small_fields(document.rest)
    _check_paid(document)
    _check_finishing(document)
    for name, first in (("_bigBlind", -1), ("_smallAfter", -1), (SMALL_PLAYER, 0)):
        if n and name in document.rest:
            _check_index(name, document.rest[name], first, n)
    _check_units(document, _check_cards(document))


def _check_index(name: str, index: int, first: int, n: int) -> None:
    if not first <= index < n:
        raise DocumentError(f"{name}: expected an index from {first} to {n - 1}, got {index}")


def _check_state(document: Document, player: int) -> None:
    """Check the players' states: an active player has no debt, and a debt is at most 1.5 big blinds."""
    inactive, intent, debt = document.inactive[player], document.intents[player], document.dead_blinds[player]
    if intent not in (PLAYS, WAITS_FOR_BIG_BLIND, PAUSES, LEAVES):
        raise DocumentError(f"_intents[{player}]: expected 0, 1, 2 or 3, got {intent}")
    if not inactive and debt:
        raise DocumentError(f"_deadBlinds[{player}]: expected 0 for an active player, got {debt}")
    most = total([document.big_blind, half_of(document.big_blind)])
    if intent != LEAVES and debt > most:
        raise DocumentError(f"_deadBlinds[{player}]: expected at most {most}, 1.5 big blinds, got {debt}")


def _check_small_fields(rest: Mapping[str, Any]) -> None:
    """Check the fields of pitboss that are optional."""
    for name in ("_smallSeat", "_smallAfter", SMALL_PLAYER, "_bigBlind"):
        if name in rest and type(rest[name]) is not int:
            raise DocumentError(f"{name}: expected a whole number, got {rest[name]!r:.40}")
    for name in ("_smallBlind", "_ante", "_bigBlindSize", UNIT):
        if name in rest and not is_amount(rest[name]):
            raise DocumentError(f"{name}: expected a number of chips, at least 0, got {rest[name]!r:.40}")
    if rest.get(UNDEALT, True) is not True:
        raise DocumentError(f"{UNDEALT}: expected true, or the field to be absent, got {rest[UNDEALT]!r:.40}")
    if rest.get(UNIT) == 0:
        raise DocumentError(f"{UNIT}: expected the size of the smallest chip, above 0, got 0")
    left = rest.get("_left", ())
    if not isinstance(left, tuple) or not all(map(is_name, left)):
        raise DocumentError(f"_left: expected a list of names, got {left!r:.40}")
    if "reopening" in rest:
        raise DocumentError(f"reopening: unknown field, expected {REOPENING}")
    try:
        read_reopening(rest)
    except LineupError as error:
        raise DocumentError(str(error)) from None


def _check_bets(rest: Mapping[str, Any], n: int) -> None:
    """Check the fields of PHH that have chips."""
    for name in ("small_bet", "big_bet", "bring_in"):
        if name in rest and (not is_amount(rest[name]) or not rest[name]):
            raise DocumentError(f"{camel(name)}: expected a number of chips, above 0, got {rest[name]!r:.40}")
    winnings = rest.get("winnings", (0,) * n)
    if not isinstance(winnings, tuple) or len(winnings) != n or not all(map(is_amount, winnings)):
        raise DocumentError(f"winnings: expected {n} numbers of chips, at least 0, got {winnings!r:.40}")


def _check_paid(document: Document) -> None:
    """Raise `DocumentError` for paid debts or brought chips of a name that is not at the table."""
    for name in (DEAD_PAID, BROUGHT, CHARGED):
        paid = document.rest.get(name, {})
        if not isinstance(paid, Mapping) or not all(map(is_amount, paid.values())):
            raise DocumentError(f"{name}: expected an object of names with numbers of chips, got {paid!r:.40}")
        for who in paid:
            if who not in document.players:
                raise DocumentError(f"{name}: expected names of players, got {who!r}")


def _check_finishing(document: Document) -> None:
    """Raise `DocumentError` if the finishing stacks have more chips than came in. They may have fewer, due to rake."""
    if document.finishing_stacks is None:
        return
    came = total([*document.stacks, document.dead_money, *document.rest.get(BROUGHT, {}).values()])
    found = total(document.finishing_stacks)
    if found > came:
        raise DocumentError(f"finishingStacks: expected at most {came} chips, which came in, got {found}")


def _check_cards(document: Document) -> list[Move]:
    """Return the moves of a document. Raise `DocumentError` if a card is dealt twice."""
    moves, cards = [], list[str]()
    for number, text in enumerate(document.actions):
        try:
            move = read_move(text, len(document.players))
        except MoveError as error:
            raise DocumentError(f"actions[{number}]: {error}") from None
        moves.append(move)
        if move.verb in ("dh", "db"):
            cards += move.cards
    try:
        check_distinct(() if document.game.draws else cards)  # a draw can deal the same cards again
    except CardError as error:
        raise DocumentError(f"actions: {error}") from None
    return moves


def _check_units(document: Document, moves: Iterable[Move]) -> None:
    """Raise `FinerThanUnit` for an amount that is not a multiple of the smallest chip."""
    unit, rest = document.unit, document.rest
    several: dict[str, Iterable[Amount]] = {
        "startingStacks": document.stacks,
        "blindsOrStraddles": document.blinds,
        "antes": document.antes,
        "_deadBlinds": document.dead_blinds,
        "finishingStacks": document.finishing_stacks or (),
        "winnings": rest.get("winnings", ()),
        DEAD_PAID: rest.get(DEAD_PAID, {}).values(),
        BROUGHT: rest.get(BROUGHT, {}).values(),
        CHARGED: rest.get(CHARGED, {}).values(),
        "minBet": (document.min_bet,),
        "_deadMoney": (document.dead_money,),
        "actions": [move.amount for move in moves if move.amount is not None],
    }
    for name in ("_smallBlind", "_ante", "_bigBlindSize", "small_bet", "big_bet", "bring_in"):
        several[camel(name)] = (rest.get(name, 0),)
    for name, amounts in several.items():
        for amount in amounts:
            check_unit(name, amount, unit)


def _check_types(own: Mapping[str, Any], n: int) -> None:
    for name in ("startingStacks", "blindsOrStraddles"):
        if name not in own:
            raise DocumentError(f"{name}: expected {n} entries, one per player, but the field is missing")
    for name, value in own.items():
        if name == "blindsOrStraddles":
            _check_list(name, value, _is_post, "a number of chips")
        elif name in ("startingStacks", "finishingStacks"):
            _check_list(name, value, _is_stack, "a number of chips, at least 0")
        elif name in ("antes", "_deadBlinds"):
            _check_list(name, value, is_amount, "a number of chips, at least 0")
        elif name in ("_inactive", "_intents", "seats"):
            _check_list(name, value, lambda entry: type(entry) is int, "a whole number")
        elif name in ("actions", "players"):
            _check_list(name, value, lambda entry: isinstance(entry, str), "text")
        elif name in ("_deadMoney", "minBet") and not is_amount(value):
            raise DocumentError(f"{name}: expected a number of chips, at least 0, got {shown(value)}")
        elif name in ("seatCount", "_button") and type(value) is not int:
            raise DocumentError(f"{name}: expected a whole number, got {shown(value)}")
        elif name in ("variant", "author") and not isinstance(value, str):
            raise DocumentError(f"{name}: expected text, got {shown(value)}")
        elif name == "hand" and type(value) not in (int, str):
            raise DocumentError(f"hand: expected a number or text, got {shown(value)}")


def _is_post(value: Any) -> bool:
    return type(value) in (int, Decimal) and is_amount(abs(value))


def _is_stack(value: Any) -> bool:
    return is_amount(value) or value == Decimal("Infinity")


def _check_list(name: str, value: Any, good: Any, what: str) -> None:
    if not isinstance(value, list):
        raise DocumentError(f"{name}: expected a list, got {shown(value)}")
    for i, entry in enumerate(value):
        if not good(entry):
            raise DocumentError(f"{name}[{i}]: expected {what}, got {shown(entry)}")
