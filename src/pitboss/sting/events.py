"""Actions in a hand and between hands, and the events that follow from them.

An action is a request and can be refused. An event is a fact.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from pitboss.betting.refusals import Refused
from pitboss.sting.cards import Totals

NEXT, BUY = "next", "buy"


class StingCheck(Struct, frozen=True, tag="check"):
    """Stay in the hand without playing a card."""


class StingRaise(Struct, frozen=True, tag="raise"):
    """Play a card face down."""

    card: str


class StingFold(Struct, frozen=True, tag="fold"):
    """Leave the hand. This is possible in the betting and, for the Player, at a decision point."""


class Continue(Struct, frozen=True, tag="continue"):
    """Go on to the next round."""


StingAction: TypeAlias = StingCheck | StingRaise | StingFold | Continue

_WORDS: dict[str, StingAction] = {"check": StingCheck(), "fold": StingFold(), "continue": Continue()}


def parse_action(text: str) -> StingAction:
    """Read an action of a hand. Raise `Refused` if the action does not exist.

    >>> parse_action("raise Safe House"), parse_action("check")
    (StingRaise(card='Safe House'), StingCheck())
    """
    word, _, card = text.strip().partition(" ")
    if word == "raise":
        return StingRaise(_named_card(word, card))
    if text.strip() not in _WORDS:
        raise Refused("unknown_action", f"expected check, raise CARD, fold or continue, got {text!r}")
    return _WORDS[text.strip()]


def _named_card(word: str, card: str) -> str:
    if not card.strip():
        raise Refused("card_missing", f"expected a card after {word}, as in: {word} Weed")
    return card.strip()


StingState = Literal["Betting", "DecisionPoint", "Bust", "Success", "Folded"]
"""The states in which a hand waits or ends. Draw, Flip and Resolution happen within one action and are not states."""
Outcome = Literal["success", "bust", "fold"]


class Drawn(Struct, frozen=True, tag="drawn"):
    """A player drew up to three cards."""

    place: int
    cards: tuple[str, ...]


class StingChecked(Struct, frozen=True, tag="checked"):
    """A player stayed in the hand without playing a card."""

    place: int


class StingRaised(Struct, frozen=True, tag="raised"):
    """A player played a card face down. If it was their last card, they are all-in."""

    place: int
    card: str
    all_in: bool = False


class StingFolded(Struct, frozen=True, tag="folded"):
    """A player left the hand."""

    place: int


class Flipped(Struct, frozen=True, tag="flipped"):
    """The cards of the round were turned up: (place, card) in the order in which they were played."""

    cards: tuple[tuple[int, str], ...]
    totals: Totals


class Continued(Struct, frozen=True, tag="continued"):
    """The Player continued to the next round."""


class Insured(Struct, frozen=True, tag="insured"):
    """An insurance prevented a bust, for this cost and Heat. The card is removed from the deck."""

    card: str
    cost: int
    heat: int


class Resolved(Struct, frozen=True, tag="resolved"):
    """The hand is over, with this profit and Heat."""

    outcome: Outcome
    profit: int
    heat: int


StingEvent: TypeAlias = Drawn | StingChecked | StingRaised | StingFolded | Flipped | Continued | Insured | Resolved


Ending = Literal["target", "night_over", "busted", "caught"]
"""How a run ends: after the last hand with or without the target, by a bust, or by too much Heat."""


class NextHand(Struct, frozen=True, tag=NEXT):
    """Leave the shop and start the next hand."""


class Buy(Struct, frozen=True, tag=BUY):
    """Buy a card that is for sale between two hands. The card goes on top of the deck."""

    card: str


RunAction: TypeAlias = StingAction | NextHand | Buy


class HandBegun(Struct, frozen=True, tag="hand_begun"):
    """A hand begins, with the Heat and cash of the run."""

    number: int
    heat: int
    cash: int


class PutAway(Struct, frozen=True, tag="put_away"):
    """The Player's unplayed cards of the previous hand were discarded."""

    cards: tuple[str, ...]


class Pressed(Struct, frozen=True, tag="pressed"):
    """The minimum Heat has risen to `least`. `heat` is the Heat of the run now."""

    least: int
    heat: int


class Grown(Struct, frozen=True, tag="grown"):
    """An opponent got a new card. It was shuffled into their deck."""

    place: int
    card: str


class Reshuffled(Struct, frozen=True, tag="reshuffled"):
    """A deck had too few cards, so the owner's discards were shuffled and put under it."""

    place: int
    cards: int


class FoldPaid(Struct, frozen=True, tag="fold_paid"):
    """The cash and the Heat that a fold cost."""

    cash: int
    heat: int


class IdlePaid(Struct, frozen=True, tag="idle_paid"):
    """The cash that a hand cost because it was played to the end without a Product."""

    cash: int


class Seized(Struct, frozen=True, tag="seized"):
    """The cash that the Player lost by a bust or by being caught."""

    cash: int


class Banked(Struct, frozen=True, tag="banked"):
    """The Heat and the cash of the run after a hand."""

    heat: int
    cash: int


class ShopOpened(Struct, frozen=True, tag="shop_opened"):
    """These cards are for sale until the next hand, with their prices."""

    cards: tuple[tuple[str, int], ...]


class Bought(Struct, frozen=True, tag="bought"):
    """The Player bought a card. It goes on top of the deck. `cash` is the cash that is left."""

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
"""Events outside of a hand. All of them are public."""
RunEvent: TypeAlias = StingEvent | RunOnlyEvent


def format_action(action: RunAction) -> str:
    """Return the words for an action, as `parse_run_action` reads them."""
    word = action.__struct_config__.tag
    return f"{word} {action.card}" if isinstance(action, StingRaise | Buy) else str(word)


def parse_run_action(text: str) -> RunAction:
    """Read an action of a run. Raise `Refused` if the action does not exist.

    >>> parse_run_action("buy Plea Bargain"), parse_run_action("next"), parse_run_action("raise Weed")
    (Buy(card='Plea Bargain'), NextHand(), StingRaise(card='Weed'))
    """
    word, _, card = text.strip().partition(" ")
    if word == BUY:
        return Buy(_named_card(word, card))
    return NextHand() if text.strip() == NEXT else parse_action(text)
