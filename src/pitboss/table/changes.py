"""The changes at a table between two hands, as typed values."""

from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Struct

from pitboss.betting.events import Posted
from pitboss.table.rotation import Chair


class Left(Struct, frozen=True):
    """A player left the table with these chips.

    >>> from pitboss.table import Left
    >>> Left(seat=3, who="ann", chips=95).chips
    95
    """

    seat: int
    who: str
    chips: int


class SatOut(Struct, frozen=True):
    """A player who was in the previous hand is not in this one.

    >>> from pitboss.table import SatOut
    >>> SatOut(seat=3, who="ann").who
    'ann'
    """

    seat: int
    who: str


class Owes(Struct, frozen=True):
    """A player missed blinds in this hand. `owes` is their total debt.

    >>> from pitboss.table import Owes
    >>> Owes(seat=3, who="ann", missed=20, amount=30).amount
    30
    """

    seat: int
    who: str
    missed: int
    amount: int


class Returned(Struct, frozen=True):
    """A player who was not in the previous hand is in this one, and paid this debt into the pot.

    >>> from pitboss.table import Returned
    >>> Returned(seat=3, who="ann", paid=30).paid
    30
    """

    seat: int
    who: str
    paid: int


class ButtonMoved(Struct, frozen=True):
    """The button moved to another seat.

    >>> from pitboss.table import ButtonMoved, Table, TableStakes
    >>> table = Table.open(TableStakes(small_blind=1, big_blind=2), seat_count=6).sit("ann", 100).sit("bob", 100)
    >>> [change for change in table.next().changes if isinstance(change, ButtonMoved)]
    [ButtonMoved(seat=0)]
    """

    seat: int


Change: TypeAlias = Left | SatOut | Owes | Returned | ButtonMoved | Posted


def changes_of(
    before: Sequence[Chair], after: Sequence[Chair], buttons: tuple[int | None, int | None], order: Sequence[int]
) -> tuple[Change, ...]:
    """Return the changes: those of players, then the button, then the blinds in the order of places."""
    chairs = {chair.seat: chair for chair in after}
    found: list[Change] = []
    for old in before:
        chair = chairs.get(old.seat)
        if chair is None:
            found.append(Left(old.seat, old.who, old.chips))
        elif chair.out:
            if old.played:
                found.append(SatOut(chair.seat, chair.who))
            if chair.charged:
                found.append(Owes(chair.seat, chair.who, chair.charged, chair.owes))
        elif not old.played:
            found.append(Returned(chair.seat, chair.who, old.chips - chair.chips))
    if buttons[1] not in (None, buttons[0]):
        found.append(ButtonMoved(buttons[1]))
    for place, seat in enumerate(order):
        chair = chairs[seat]
        blind = min(abs(chair.blind), chair.chips - min(chair.ante, chair.chips))
        if blind:
            left = chair.chips - min(chair.ante, chair.chips) - blind
            found.append(Posted(place, blind, live=True, all_in=not left))
    return tuple(found)
