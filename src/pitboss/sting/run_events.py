"""What happens in a run beside its hands: what the Player may do between two of them, and the facts that follow."""

from typing import Literal, TypeAlias

from msgspec import Struct

from pitboss.betting.refusals import Refused
from pitboss.sting.actions import StingAction, format_action, parse_action
from pitboss.sting.events import StingEvent

Ending = Literal["target", "night_over", "busted", "caught"]
"""The night is over with the target reached, or without; a bust; too much Heat."""
NEXT, BUY = "next", "buy"


class NextHand(Struct, frozen=True, tag=NEXT):
    """Leave the shop and have the next hand dealt."""


class Buy(Struct, frozen=True, tag=BUY):
    """Buy a card that is on offer between two hands; it is put on top of the deck."""

    card: str


RunAction: TypeAlias = StingAction | NextHand | Buy


class HandBegun(Struct, frozen=True, tag="hand_begun"):
    """A hand begins, with the Heat and the cash brought to it."""

    number: int
    heat: int
    cash: int


class PutAway(Struct, frozen=True, tag="put_away"):
    """What the Player did not play in the hand before was put to his discards: only a fold keeps it."""

    cards: tuple[str, ...]


class Pressed(Struct, frozen=True, tag="pressed"):
    """The least Heat has risen: nothing cools below it any more; `heat` is what the run has now."""

    least: int
    heat: int


class Grown(Struct, frozen=True, tag="grown"):
    """An opponent got one more card, shuffled into his deck."""

    place: int
    card: str


class Reshuffled(Struct, frozen=True, tag="reshuffled"):
    """Somebody's deck was short, so what he had played was shuffled and put under it."""

    place: int
    cards: int


class FoldPaid(Struct, frozen=True, tag="fold_paid"):
    """What a fold cost."""

    cash: int
    heat: int


class IdlePaid(Struct, frozen=True, tag="idle_paid"):
    """What a hand cost that was played to its end and sold nothing."""

    cash: int


class Seized(Struct, frozen=True, tag="seized"):
    """The cash that a bust, or being caught, took."""

    cash: int


class Banked(Struct, frozen=True, tag="banked"):
    """What the run has after a hand."""

    heat: int
    cash: int


class ShopOpened(Struct, frozen=True, tag="shop_opened"):
    """Cards are on offer until the next hand, with their prices."""

    cards: tuple[tuple[str, int], ...]


class Bought(Struct, frozen=True, tag="bought"):
    """The Player has bought a card, which lies on top of his deck; `cash` is what is left."""

    card: str
    price: int
    cash: int


class RunEnded(Struct, frozen=True, tag="run_ended"):
    """The run is over."""

    ending: Ending
    cash: int


RunOnlyEvent: TypeAlias = (
    HandBegun
    | PutAway
    | Pressed
    | Grown
    | Reshuffled
    | FoldPaid
    | IdlePaid
    | Seized
    | Banked
    | ShopOpened
    | Bought
    | RunEnded
)
"""What happens beside a hand, which is for all to see."""
RunEvent: TypeAlias = StingEvent | RunOnlyEvent


def format_run_action(action: RunAction) -> str:
    """The words that `parse_run_action` reads."""
    match action:
        case NextHand():
            return NEXT
        case Buy(card=card):
            return f"{BUY} {card}"
        case _:
            return format_action(action)


def parse_run_action(text: str) -> RunAction:
    """An action of a run in words; raises `Refused` where there is no such action.

    >>> parse_run_action("buy Plea Bargain"), parse_run_action("next"), parse_run_action("raise Weed")
    (Buy(card='Plea Bargain'), NextHand(), StingRaise(card='Weed'))
    """
    word, _, card = text.strip().partition(" ")
    if word == BUY:
        if not card.strip():
            raise Refused("card_missing", "say which card, as in: buy Weed")
        return Buy(card.strip())
    return NextHand() if text.strip() == NEXT else parse_action(text)
