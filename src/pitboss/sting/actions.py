"""What somebody may wish to do in a hand of sting, and how it is written; a wish can be refused."""

from typing import TypeAlias, assert_never

from msgspec import Struct

from pitboss.betting.refusals import Refused


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
