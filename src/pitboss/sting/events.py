"""What can be done in a hand and between two hands, and what has happened.

Actions are requests and can be refused; events are facts and never fail.
"""

from typing import Literal, TypeAlias, assert_never

from msgspec import Struct

from pitboss.betting.refusals import Refused
from pitboss.sting.cards import Totals

NEXT, BUY = "next", "buy"


class StingCheck(Struct, frozen=True, tag="check"):
    """Stay in without a card."""


class StingRaise(Struct, frozen=True, tag="raise"):
    """Play a card face down."""

    card: str


class StingFold(Struct, frozen=True, tag="fold"):
    """Leave the hand: anybody may in the betting, the Player also at a decision point."""


class Continue(Struct, frozen=True, tag="continue"):
    """Go on to the next round."""


StingAction: TypeAlias = StingCheck | StingRaise | StingFold | Continue

_WORDS: dict[str, StingAction] = {"check": StingCheck(), "fold": StingFold(), "continue": Continue()}


def parse_action(text: str) -> StingAction:
    """An action in words; raises `Refused` where there is no such action.

    >>> parse_action("raise Safe House"), parse_action("check")
    (StingRaise(card='Safe House'), StingCheck())
    """
    word, _, card = text.strip().partition(" ")
    if word == "raise":
        if not card.strip():
            raise Refused("card_missing", "say which card, as in: raise Weed")
        return StingRaise(card.strip())
    if text.strip() not in _WORDS:
        raise Refused("unknown_action", f"{text!r} is none of check, raise CARD, fold, continue")
    return _WORDS[text.strip()]


def format_action(action: StingAction) -> str:
    """The words that `parse_action` reads."""
    match action:
        case StingRaise(card=card):
            return f"raise {card}"
        case StingCheck():
            return "check"
        case StingFold():
            return "fold"
        case Continue():
            return "continue"
        case _:
            assert_never(action)


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


Ending = Literal["target", "night_over", "busted", "caught"]
"""The night is over with the target reached, or without; a bust; too much Heat."""


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
