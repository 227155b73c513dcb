"""What has happened in a hand of sting: facts, which never fail."""

from typing import Literal, TypeAlias

from msgspec import Struct

from pitboss.sting.cards import Totals

StingState = Literal["Betting", "DecisionPoint", "Bust", "Success", "Folded"]
"""Where a hand stands. Draw, Flip and Resolution ask nobody, so a hand passes through them and events tell of it."""
Outcome = Literal["success", "bust", "fold"]


class Drawn(Struct, frozen=True, tag="drawn"):
    """Somebody drew up to three cards."""

    place: int
    cards: tuple[str, ...]


class StingChecked(Struct, frozen=True, tag="checked"):
    """Somebody stayed in without a card."""

    place: int


class StingRaised(Struct, frozen=True, tag="raised"):
    """Somebody played a card face down; with his last one he is all-in."""

    place: int
    card: str
    all_in: bool = False


class StingFolded(Struct, frozen=True, tag="folded"):
    """Somebody left the hand."""

    place: int


class Flipped(Struct, frozen=True, tag="flipped"):
    """The round's cards are turned up, as (place, card) in the order they were played."""

    cards: tuple[tuple[int, str], ...]
    totals: Totals


class Continued(Struct, frozen=True, tag="continued"):
    """The Player goes on."""


class Insured(Struct, frozen=True, tag="insured"):
    """An insurance saved the Player: what it cost, the Heat it brought; the card is burnt."""

    card: str
    cost: int
    heat: int


class Resolved(Struct, frozen=True, tag="resolved"):
    """The hand is over: profit banked, Heat gained."""

    outcome: Outcome
    profit: int
    heat: int


StingEvent: TypeAlias = Drawn | StingChecked | StingRaised | StingFolded | Flipped | Continued | Insured | Resolved
