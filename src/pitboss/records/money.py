"""Convert the amounts of a record to whole chips and back, exactly.

One chip is the smallest unit of money in the record, such as a cent.
"""

from collections.abc import Iterable
from decimal import Decimal
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pitboss.hand.events import Event
from pitboss.hand.state import BOTTOMLESS

Amount: TypeAlias = int | Decimal

CURRENCIES = {"$": "USD", "€": "EUR", "£": "GBP"}
"""The currency that is assumed for each symbol."""
_AMOUNT_FIELDS = ("amount", "to")


class Unit(Struct, frozen=True):
    """The number of chips per unit of the record's money. `scale` is a power of ten.

    >>> unit = Unit.finest([Decimal("75.25"), 100])
    >>> unit.chips(Decimal("75.25")), unit.amount(7525), unit.amount(10000)
    (7525, Decimal('75.25'), 100)
    """

    scale: int = 1

    @classmethod
    def finest(cls, amounts: Iterable[Amount]) -> "Unit":
        """Return the unit with the fewest chips in which all amounts are whole."""
        return cls(10 ** max([_decimals(amount) for amount in amounts if type(amount) is not int], default=0))

    def chips(self, amount: Amount) -> int:
        """Convert an amount to chips."""
        if type(amount) is int:
            return amount * self.scale
        if isinstance(amount, Decimal) and amount.is_infinite():
            return BOTTOMLESS * self.scale
        numerator, denominator = amount.as_integer_ratio()
        return numerator * self.scale // denominator

    def amount(self, chips: int) -> Amount:
        """Convert chips to an amount: an integer if the amount is whole, otherwise a Decimal."""
        if self.scale == 1:
            return chips
        whole, rest = divmod(chips, self.scale)
        return Decimal(f"{whole}.{self.scale + rest}".replace(".1", ".", 1).rstrip("0")) if rest else whole


def _decimals(amount: Amount) -> int:
    """Return the number of decimal places of an amount, without trailing zeros."""
    _, denominator = (0, 1) if isinstance(amount, Decimal) and amount.is_infinite() else amount.as_integer_ratio()
    decimals = 0
    while 10**decimals % denominator:
        decimals += 1
    return decimals


def events_in_money(events: Iterable[Event], unit: Unit) -> tuple[Event, ...]:
    """Return events with their amounts converted from chips to the record's money.

    Whole amounts are integers, others are Decimal.

    >>> from pitboss import Called, Raised
    >>> raised, called = events_in_money((Raised(0, 25, 75), Called(1, 100)), Unit(100))
    >>> raised.to, called
    (Decimal('0.75'), Called(place=1, amount=1, all_in=False))
    """
    return tuple(events) if unit.scale == 1 else tuple([_in_money(event, unit) for event in events])


def _in_money(event: Event, unit: Unit) -> Event:
    named = [name for name in _AMOUNT_FIELDS if name in event.__struct_fields__]
    return replace(event, **{name: unit.amount(getattr(event, name)) for name in named}) if named else event
