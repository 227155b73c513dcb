"""What one player or a spectator may see of a hand and of its events; whatever leaves a table passes through here.

Both are complete by type: a new kind of event without a case here, and a new field of a hand that is not named here,
do not pass the type checker.
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
    """The hand with the deck gone and other players' cards turned down; None is a spectator.

    A view is a hand like any other, but chance has to deal it.
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
    """A player's cards as the others see them."""
    return tuple([card if up else UNKNOWN for card, up in zip(hole, faces, strict=False)])


def view_event(event: Event, place: int | None) -> Event:
    """The event as one place may see it; None is a spectator."""
    match event:
        case HoleDealt():
            return event if event.place == place else HoleDealt(event.place, (UNKNOWN,) * len(event.cards))
        case Discarded():
            return event if event.place == place else Discarded(event.place, (UNKNOWN,) * len(event.cards))
        case Posted() | Folded() | Checked() | Called() | BroughtIn() | Raised() | Refunded() | Raked() | Won():
            return event  # chips are counted before everybody's eyes
        case UpDealt() | BoardDealt() | RunBegun() | Shown() | Mucked():
            return event  # cards that are up, and the fact that some stay down
        case _:
            assert_never(event)
