"""What one pair of eyes may see of a hand and of what happened: the one door through which either leaves."""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from pitboss.cards import UNKNOWN
from pitboss.game import NoSuchPlace
from pitboss.hand.events import Event, HoleDealt

if TYPE_CHECKING:
    from pitboss.hand.hand import Hand


def view(hand: "Hand", place: int | None) -> "Hand":
    """The hand with the deck gone and other players' cards turned down; None is a spectator.

    A view is a hand like any other, but chance has to deal it.
    """
    if place is not None and not 0 <= place < hand.round.n:
        raise NoSuchPlace(f"there is no place {place}: places are 0 to {hand.round.n - 1}, None is a spectator")
    holes = tuple(
        [hole if p == place or p in hand.shown else (UNKNOWN,) * len(hole) for p, hole in enumerate(hand.holes)]
    )
    return replace(hand, holes=holes, deck=None)


def view_event(event: Event, place: int | None) -> Event:
    """The event as one place may see it."""
    if isinstance(event, HoleDealt) and event.place != place:
        return HoleDealt(event.place, (UNKNOWN,) * len(event.cards))
    return event
