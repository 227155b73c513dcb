"""Events in the money of a record instead of chips: the same facts, their amounts exact."""

from collections.abc import Iterable

from msgspec.structs import replace

from pitboss.hand.events import Event
from pitboss.notation.chips import Unit

_AMOUNTS = ("amount", "to")


def in_money(events: Iterable[Event], unit: Unit) -> tuple[Event, ...]:
    """The events with every amount in a record's own money: an integer, or a Decimal where it has a fraction.

    >>> from pitboss.betting.events import Called, Raised
    >>> raised, called = in_money((Raised(0, 25, 75), Called(1, 100)), Unit(100))
    >>> raised.to, called
    (Decimal('0.75'), Called(place=1, amount=1, all_in=False))
    """
    return tuple(events) if unit.scale == 1 else tuple([_in_money(event, unit) for event in events])


def _in_money(event: Event, unit: Unit) -> Event:
    named = [name for name in _AMOUNTS if name in event.__struct_fields__]
    return replace(event, **{name: unit.amount(getattr(event, name)) for name in named}) if named else event
