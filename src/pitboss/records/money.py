"""Money with fractions as whole chips: scaled exactly by the smallest unit that a record uses, and back."""

from collections.abc import Iterable
from decimal import Decimal
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pitboss.hand.events import Event

Amount: TypeAlias = int | Decimal

CURRENCIES = {"$": "USD", "€": "EUR", "£": "GBP"}
"""The currency that a sign means where nothing else is said."""
BOTTOMLESS = 10**15
"""Whole units a stack of unknown depth is given: more than any record bets."""
_AMOUNT_FIELDS = ("amount", "to")


class Unit(Struct, frozen=True):
    """How many chips make one unit of the record's money: a power of ten.

    >>> unit = Unit.finest([Decimal("75.25"), 100])
    >>> unit.chips(Decimal("75.25")), unit.amount(7525), unit.amount(10000)
    (7525, Decimal('75.25'), 100)
    """

    scale: int = 1

    @classmethod
    def finest(cls, amounts: Iterable[Amount]) -> "Unit":
        """The unit in which every one of these amounts is whole."""
        return cls(10 ** max([_decimals(amount) for amount in amounts if type(amount) is not int], default=0))

    def chips(self, amount: Amount) -> int:
        """An amount as chips; exact, because the unit was chosen so."""
        if type(amount) is int:
            return amount * self.scale
        if isinstance(amount, Decimal) and amount.is_infinite():
            return BOTTOMLESS * self.scale
        numerator, denominator = amount.as_integer_ratio()
        return numerator * self.scale // denominator

    def amount(self, chips: int) -> Amount:
        """Chips as an amount: whole where it can be."""
        if self.scale == 1:
            return chips
        whole, rest = divmod(chips, self.scale)
        return Decimal(f"{whole}.{self.scale + rest}".replace(".1", ".", 1).rstrip("0")) if rest else whole


def _decimals(amount: Amount) -> int:
    """How many digits behind the point an amount needs, zeros at its end left out."""
    _, denominator = (0, 1) if isinstance(amount, Decimal) and amount.is_infinite() else amount.as_integer_ratio()
    decimals = 0
    while 10**decimals % denominator:
        decimals += 1
    return decimals


def events_in_money(events: Iterable[Event], unit: Unit) -> tuple[Event, ...]:
    """The events with every amount in a record's own money: an integer, or a Decimal where it has a fraction.

    >>> from pitboss.betting.events import Called, Raised
    >>> raised, called = events_in_money((Raised(0, 25, 75), Called(1, 100)), Unit(100))
    >>> raised.to, called
    (Decimal('0.75'), Called(place=1, amount=1, all_in=False))
    """
    return tuple(events) if unit.scale == 1 else tuple([_in_money(event, unit) for event in events])


def _in_money(event: Event, unit: Unit) -> Event:
    named = [name for name in _AMOUNT_FIELDS if name in event.__struct_fields__]
    return replace(event, **{name: unit.amount(getattr(event, name)) for name in named}) if named else event
