"""What one pair of eyes may see of a hand of sting and of what happened: both leave here and nowhere else."""

from typing import TYPE_CHECKING, assert_never

from msgspec.structs import replace

from pitboss.betting.refusals import Refused
from pitboss.sting.cards import HIDDEN, ROLES
from pitboss.sting.events import (
    Continued,
    Drawn,
    Flipped,
    Insured,
    Resolved,
    StingChecked,
    StingEvent,
    StingFolded,
    StingRaised,
)

if TYPE_CHECKING:
    from pitboss.sting.hand import StingHand

BACK = (HIDDEN,)


def view(hand: "StingHand", place: int | None) -> "StingHand":
    """The hand without others' cards, any deck, what others have face down, or what chance will decide."""
    if place is not None and not 0 <= place < len(ROLES):
        raise Refused("no_such_place", f"there is no place {place}")
    hands = [BACK * len(held) for held in hand.hands]
    if place is not None:
        hands[place] = hand.hands[place]
    return replace(
        hand,
        hands=tuple(hands),
        decks=tuple([BACK * len(deck) for deck in hand.decks]),
        down=tuple([(p, card if p == place else HIDDEN) for p, card in hand.down]) if hand.down else (),
        seed=None,
    )


def view_event(event: StingEvent, place: int | None) -> StingEvent:
    """What one place, or for None a spectator, learns from an event."""
    match event:
        case Drawn():
            return event if event.place == place else Drawn(event.place, BACK * len(event.cards))
        case StingRaised():
            return event if event.place == place else replace(event, card=HIDDEN)
        case StingChecked() | StingFolded() | Flipped() | Continued() | Insured() | Resolved():
            return event
        case _:
            assert_never(event)
