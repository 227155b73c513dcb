"""The words, JSON objects and values of Open Hand History."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from pitboss.cards import Card, CardError, check_distinct, read_cards
from pitboss.formats.scan import DEEPEST_JSON, ReadError, describe_json_fault, nests_too_deeply
from pitboss.hand.games import STRUCTURES
from pitboss.records.money import CURRENCIES, Amount
from pitboss.records.moves import LARGEST_EXPONENT

VERSION = "1.4.7"
FIELD = "_ohh"
"""The field of a record for data of this format that PHH has no field for."""

_GAMES = {"Holdem": "T", "Omaha": "O", "OmahaHiLo": "O/8", "Stud": "7S", "StudHiLo": "7S/8"}
_LIMITS = {"NL": "N", "PL": "P", "FL": "F"}
GAMES = {(game, limit): letter + code for game, code in _GAMES.items() for limit, letter in _LIMITS.items()}
"""The game's code for each `game_type` and `bet_type`."""
NAMES = {code: names for names, code in GAMES.items()}
"""The `game_type` and `bet_type` of each code."""
UNNAMED = "Draw"
"""A `game_type` that stands for every draw game. The format has no action for a discard."""
DEEPER = {5: "O5", 6: "O6"}
"""The codes of Omaha with five or six cards."""

_PREFLOP, SHOWDOWN = "Preflop", "Showdown"
_STREETS = {"PRE_FLOP": _PREFLOP}
STREETS = {
    code: tuple(_STREETS.get(street.name, street.name.replace("_", " ").title()) for street in STRUCTURES[code].streets)
    for code in NAMES
}
"""The names of the streets of each game. The standard lists only those of hold'em."""

DEALT, SHOWS, MUCKS = "Dealt Cards", "Shows Cards", "Mucks Cards"
ANTE, SMALL, BIG, STRADDLE = "Post Ante", "Post SB", "Post BB", "Straddle"
DEAD, EXTRA, ADDED = "Post Dead", "Post Extra Blind", "Add to Pot"
FOLD, CHECK, BET, RAISE, CALL = "Fold", "Check", "Bet", "Raise", "Call"
ASIDE = ("Added Chips", "Sits Down", "Stands Up", "Player Adjustment")
"""Actions that do not change the hand, such as sitting down."""
POSTS = (ANTE, SMALL, BIG, STRADDLE, DEAD, EXTRA)
SPELLINGS = {"added to pot": ADDED}
"""Names that other programs use for an action, with the standard's name."""

TWICE, BOMB = "Run_It_Twice", "Bomb_Pot"

SYMBOLS = {code: sign for sign, code in CURRENCIES.items()}


_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_HEAD = re.compile(r'\s*[\[,\s]*\{\s*"ohh"\s*:')
_ANYWHERE = re.compile(r'\A\s*\[?\s*\{[^{}]*"ohh"\s*:\s*\{')
_SHOWN_LETTERS = 60


class OhhError(ReadError):
    """Text that is not valid Open Hand History, or a record that this format cannot express.

    >>> from pitboss.formats import read_ohh
    >>> read_ohh('{"ohh": {}}')
    Traceback (most recent call last):
    pitboss.formats.OhhError: line 1: bet_limit: missing; expected an object with bet_type
    """


class HandText(NamedTuple):
    """The text of one hand, with the number of its first line."""

    line: int
    text: str


def recognise_ohh(head: str) -> bool:
    """Return whether a file that begins with `head` is Open Hand History.

    >>> recognise_ohh('{"ohh": {"spec_version": "1.4.7"'), recognise_ohh('{"players": []}')
    (True, False)
    """
    return _ANYWHERE.search(head) is not None


def cut_hands(lines: Iterable[tuple[int, str]]) -> Iterator[HandText]:
    """Yield the text of each hand. The text of an incomplete hand ends before the next hand."""
    held: list[str] = []
    start = depth = 0
    blank = False
    for number, line in lines:
        if held and (_HEAD.match(line) or (blank and line.startswith("{"))):
            yield HandText(start, "\n".join(held))
            held, depth = [], 0
        if not held:
            line = line.lstrip("[,]\t ")
        blank = not line.strip()
        if blank and not held:
            continue
        start = start if held else number
        held.append(line)
        bare = _STRING.sub("", line)
        depth += bare.count("{") - bare.count("}")
        if depth <= 0 and (blank or "}" in bare):
            yield HandText(start, "\n".join(held).rstrip(",] \t"))
            held, depth = [], 0
    if held:
        yield HandText(start, "\n".join(held))


def read_object(hand: HandText, name: str) -> Mapping[str, Any]:
    """Return the hand in an object `{"ohh": {…}}`. Numbers are exact."""
    if nests_too_deeply(hand.text):
        raise OhhError(f"expected at most {DEEPEST_JSON} levels of nested objects and lists", name=name, line=hand.line)
    try:
        data = json.loads(hand.text, parse_float=Decimal, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        line = hand.line + error.lineno - 1
        raise OhhError(f"expected JSON: {describe_json_fault(error)}", name=name, line=line) from None
    except RecursionError:
        raise OhhError("expected fewer levels of nested objects and lists", name=name, line=hand.line) from None
    except (ValueError, ArithmeticError) as error:
        raise OhhError(f"expected JSON: {error}"[:200], name=name, line=hand.line) from None
    inner = data.get("ohh") if isinstance(data, dict) else None
    if not isinstance(inner, dict):
        raise OhhError('expected a hand as {"ohh": {...}}', name=name, line=hand.line)
    return inner


def _no_number(text: str) -> Decimal:
    raise OhhError(f"expected a number, got {text}")


# --- values


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN_LETTERS else text[: _SHOWN_LETTERS - 3] + "..."


def get_amount(fields: Mapping[str, Any], name: str, *, negative: bool = False) -> Amount:
    """Return an amount, or 0 if the field is missing. Some programs write it as a string."""
    value = fields.get(name)
    if value is None or value == "":
        return 0
    if isinstance(value, str):
        try:
            value = Decimal(value)
        except InvalidOperation:
            raise OhhError(f"{name}: expected an amount, got {_shown(value)}") from None
    if type(value) is Decimal and value.is_finite() and abs(value.adjusted()) <= LARGEST_EXPONENT:
        value = tidy(value)
    elif type(value) is not int:
        raise OhhError(f"{name}: expected an amount, got {_shown(value)}")
    if value < 0 and not negative:
        raise OhhError(f"{name}: expected 0 or more, got {value}")
    amount: Amount = value
    return amount


def tidy(amount: Amount) -> Amount:
    """Return an amount without trailing zeros: an integer if it is whole, otherwise a Decimal.

    >>> tidy(Decimal("2.00")), tidy(Decimal("0.50"))
    (2, Decimal('0.5'))
    """
    if type(amount) is not Decimal:
        return amount
    return int(amount) if amount == amount.to_integral_value() else amount.normalize()


def get_number(fields: Mapping[str, Any], name: str, default: int | None = None) -> int:
    """Return a whole number. Some programs write it as a string."""
    value = fields.get(name, default)
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 19:
        value = int(value)
    if type(value) is not int:
        raise OhhError(
            f"{name}: expected a whole number, got {_shown(value)}" if name in fields else f"{name} is missing"
        )
    return value


def get_text(fields: Mapping[str, Any], name: str) -> str:
    """Return a text, or an empty text if the field is missing. A number becomes text: some programs write one."""
    value = fields.get(name)
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if type(value) in (int, Decimal):
        return str(value)
    raise OhhError(f"{name}: expected a string, got {_shown(value)}")


def get_list(fields: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """Return a list of objects, or an empty list if the field is missing."""
    value = fields.get(name)
    if value is None or value == "":
        return []
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        raise OhhError(f"{name}: expected a list of objects, got {_shown(value)}")
    return value


def get_cards(fields: Mapping[str, Any]) -> tuple[Card, ...]:
    """Return cards, or an empty list if the field is missing. Some programs write them as one string."""
    value = fields.get("cards") or ""
    if isinstance(value, list) and all(isinstance(card, str) for card in value):
        value = "".join(value)
    if not isinstance(value, str):
        raise OhhError(f"cards: expected a list of cards, got {_shown(value)}")
    try:
        cards = read_cards(value.replace("10", "T"))
        check_distinct(cards)
    except CardError as error:
        raise OhhError(str(error)) from None
    return cards
