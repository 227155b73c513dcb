"""Remove hidden information from hands and events.

Everything that is sent to players and spectators passes through this module. If it does not handle a new event, or a
new field of a hand, the type checker reports an error.
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
    RunsChosen,
    Shown,
    UpDealt,
    Won,
)
from pitboss.hand.state import State

H = TypeVar("H", bound=State)


def view(hand: H, place: int | None) -> H:
    """Return the hand without its deck and without the hidden cards of other players.

    `place` is the player who sees the hand, or None for a spectator. The next cards of this hand are dealt by actions.

    >>> from pitboss import Hand, view
    >>> hand, events = Hand.deal("no_limit_holdem", stacks=(1000, 1000), blinds=(10, 20), seed=7)
    >>> view(hand, 0).holes
    (('7c', 'Ks'), ('??', '??'))
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
        more_boards=hand.more_boards,
    )


def _turned_down(hole: tuple[Card, ...], faces: tuple[bool, ...]) -> tuple[Card, ...]:
    """Return a player's cards as other players see them. Face-down cards are unknown."""
    return tuple([card if up else UNKNOWN for card, up in zip(hole, faces, strict=False)])


def view_event(event: Event, place: int | None) -> Event:
    """Return the event without what a player, or a spectator (None), may not see.

    >>> from pitboss import Hand, view_event
    >>> hand, events = Hand.deal("no_limit_holdem", stacks=(1000, 1000), blinds=(10, 20), seed=7)
    >>> view_event(events[2], 1)
    HoleDealt(place=0, cards=('??', '??'))
    """
    match event:
        case HoleDealt():
            return event if event.place == place else HoleDealt(event.place, (UNKNOWN,) * len(event.cards))
        case Discarded():
            hidden = not event.up and event.place != place
            return Discarded(event.place, (UNKNOWN,) * len(event.cards)) if hidden else event
        case Posted() | Folded() | Checked() | Called() | BroughtIn() | Raised() | Refunded() | Raked() | Won():
            return event  # all players see all chips
        case UpDealt() | BoardDealt() | RunsChosen() | RunBegun() | Shown() | Mucked():
            return event  # these events have face-up cards, or no cards
        case _:
            assert_never(event)
