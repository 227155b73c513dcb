"""What one player or a spectator may see of a hand and of its events; everything that leaves a table goes through here.

The type checker makes it complete: a new kind of event, or a new field of a hand, that is not handled here is a type
error.
"""

from typing import TypeVar, assert_never

from pitboss.betting.events import BroughtIn, Called, Checked, Folded, Posted, Raised, Refunded
from pitboss.cards import UNKNOWN, Card
from pitboss.game import NoSuchPlace
from pitboss.hand.events import (
    BoardDealt,
    Discarded,
    Event,
    HoleDealt,
    Mucked,
    Raked,
    RunBegun,
    Shown,
    UpDealt,
    Won,
)
from pitboss.hand.state import State

H = TypeVar("H", bound=State)


def view(hand: H, place: int | None) -> H:
    """Return the hand without its deck and without other players' face-down cards; None is a spectator.

    A view is an ordinary hand whose further cards are dealt by actions.
    """
    if place is not None and place not in range(hand.round.n):
        raise NoSuchPlace(f"place: expected 0 to {hand.round.n - 1}, or None for a spectator, got {place!r:.40}")
    faces = hand.structure.faces
    holes = tuple(
        [
            hole if p == place or p in hand.shown else _turned_down(hole, faces) if faces else (UNKNOWN,) * len(hole)
            for p, hole in enumerate(hand.holes)
        ]
    )
    return type(hand)(
        structure=hand.structure,
        stakes=hand.stakes,
        round=hand.round,
        street=hand.street,
        phase=hand.phase,
        holes=holes,
        board=hand.board,
        deck=None,
        shown=hand.shown,
        paid_pots=hand.paid_pots,
        house=hand.house,
        draw=None if hand.draw is None else hand.draw.hidden(),
        runs=hand.runs,
        aggressor=hand.aggressor,
    )


def _turned_down(hole: tuple[Card, ...], faces: tuple[bool, ...]) -> tuple[Card, ...]:
    """Return a player's cards as other players see them."""
    return tuple([card if up else UNKNOWN for card, up in zip(hole, faces, strict=False)])


def view_event(event: Event, place: int | None) -> Event:
    """Return the event as one player, or a spectator (None), may see it."""
    match event:
        case HoleDealt():
            return event if event.place == place else HoleDealt(event.place, (UNKNOWN,) * len(event.cards))
        case Discarded():
            return event if event.place == place else Discarded(event.place, (UNKNOWN,) * len(event.cards))
        case Posted() | Folded() | Checked() | Called() | BroughtIn() | Raised() | Refunded() | Raked() | Won():
            return event  # everyone sees the chips
        case UpDealt() | BoardDealt() | RunBegun() | Shown() | Mucked():
            return event  # cards that are up, and the fact that some are not shown
        case _:
            assert_never(event)
