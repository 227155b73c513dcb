"""The moves of a recorded hand as PHH spells them: `d dh p1 AsKd`, `d db 7d5h9d`, `p3 cbr 210`, `p1 sm AsKd`."""

from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from pitboss.cards import Card, CardError, read_written_cards
from pitboss.errors import PitbossError
from pitboss.records.money import Amount

Verb = Literal["dh", "db", "f", "cc", "cbr", "sm", "sd", "pb", "note"]


WIDEST = 400
"""The largest power of ten, up or down, that an amount may have."""
_SHORT = 40
"""How many letters a move may have to be remembered, as those without commentary are."""


class MoveError(PitbossError, ValueError):
    """A text that spells no move."""


class Move(Struct, frozen=True):
    """One recorded move; `place` counts from 0 and is None for the dealer's board."""

    verb: Verb
    place: int | None = None
    cards: tuple[Card, ...] = ()
    amount: Amount | None = None
    muck: bool = False  #: `sm` without cards


def read_move(text: str, places: int) -> Move:
    """Read one move; what follows a `#` is commentary.

    >>> read_move("p3 cbr 2.50 # hopes", places=6)
    Move(verb='cbr', place=2, cards=(), amount=Decimal('2.50'), muck=False)
    """
    return _read_short(text, places) if len(text) <= _SHORT else _read(text, places)


def _read(text: str, places: int) -> Move:
    match text.partition("#")[0].split():
        case []:
            return Move("note")
        case ["d", "db", cards]:
            return Move("db", cards=_cards(cards))
        case ["d", "dh", player, cards]:
            return Move("dh", _place(player, places), cards=_cards(cards))
        case [player, "f" | "cc" | "pb" as verb]:
            return Move(verb, _place(player, places))
        case [player, "cbr", amount]:
            return Move("cbr", _place(player, places), amount=_amount(amount))
        case [player, "sm"]:
            return Move("sm", _place(player, places), muck=True)
        case [player, "sm", "-"]:
            return Move("sm", _place(player, places))
        case [player, "sm" | "sd" as verb, cards]:
            return Move(verb, _place(player, places), cards=_cards(cards))
        case [player, "sd"]:
            return Move("sd", _place(player, places))
    raise MoveError(f"{text!r} is no move of the PHH notation")


_read_short = lru_cache(maxsize=4096)(_read)


def _place(player: str, places: int) -> int:
    if player[:1] != "p" or not player[1:].isascii() or not player[1:].isdigit():
        raise MoveError(f"{player!r} names no player; write p1 to p{places}")
    place = int(player[1:]) - 1 if len(player) < 5 else places
    if not 0 <= place < places:
        raise MoveError(f"there is no {player} among {places} players")
    return place


@lru_cache(maxsize=4096)
def _cards(text: str) -> tuple[Card, ...]:
    try:
        return read_written_cards(text)
    except CardError as error:
        raise MoveError(str(error)) from None


def _amount(text: str) -> Amount:
    try:
        amount = Decimal(text)
    except InvalidOperation:
        raise MoveError(f"{text!r} is no amount") from None
    if not amount.is_finite() or amount < 0 or abs(amount.adjusted()) > WIDEST:
        raise MoveError(f"{text!r} is no amount of chips")
    return int(text) if text.isascii() and text.isdigit() else amount
