"""What going on to the next hand changed at a table, as typed records."""

from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Struct

from pitboss.betting.events import Posted
from pitboss.table.rotation import Chair


class Left(Struct, frozen=True):
    """A player left the table and took these chips away."""

    seat: int
    who: str
    chips: int


class SatOut(Struct, frozen=True):
    """A player who was in the previous hand is not in this one."""

    seat: int
    who: str


class Owes(Struct, frozen=True):
    """A player missed blinds in this hand, and owes this much in all."""

    seat: int
    who: str
    missed: int
    amount: int


class Returned(Struct, frozen=True):
    """A player who was not in the previous hand is dealt in, and paid this debt into the pot."""

    seat: int
    who: str
    paid: int


class ButtonMoved(Struct, frozen=True):
    """The button went to another seat."""

    seat: int


Change: TypeAlias = Left | SatOut | Owes | Returned | ButtonMoved | Posted


def changes_of(
    before: Sequence[Chair], after: Sequence[Chair], buttons: tuple[int | None, int | None], order: Sequence[int]
) -> tuple[Change, ...]:
    """Return what changed: by player, then the button, then the blinds that the players of the hand post, by place."""
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
