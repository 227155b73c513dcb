"""What somebody may wish to do in a hand of sting, and how it is written; a wish can be refused."""

from typing import TypeAlias

from msgspec import Struct

from pitboss.betting.refusals import Refused


class Check(Struct, frozen=True, tag="check"):
    """Stay in without a card."""


class Raise(Struct, frozen=True, tag="raise"):
    """Play a card face down."""

    card: str


class Fold(Struct, frozen=True, tag="fold"):
    """Leave the hand: anybody may in the betting, the Player also at a decision point."""


class Continue(Struct, frozen=True, tag="continue"):
    """Go on to the next round."""


Action: TypeAlias = Check | Raise | Fold | Continue

_WORDS: dict[str, Action] = {"check": Check(), "fold": Fold(), "continue": Continue()}


def read_action(text: str) -> Action:
    """An action in words; raises `Refused` where there is no such action.

    >>> read_action("raise Safe House"), read_action("check")
    (Raise(card='Safe House'), Check())
    """
    word, _, card = text.strip().partition(" ")
    if word == "raise":
        if not card.strip():
            raise Refused("card_missing", "say which card, as in: raise Weed")
        return Raise(card.strip())
    if text.strip() not in _WORDS:
        raise Refused("unknown_action", f"{text!r} is none of check, raise CARD, fold, continue")
    return _WORDS[text.strip()]


def write_action(action: Action) -> str:
    """The words that `read_action` reads."""
    if isinstance(action, Raise):
        return f"raise {action.card}"
    return type(action).__name__.lower()
