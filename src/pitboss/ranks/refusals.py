"""Why cards cannot be ranked, each reason in one sentence."""

from collections.abc import Sequence

from pitboss.cards import Card, CardError, check_distinct, is_known
from pitboss.ranks.errors import RankError
from pitboss.ranks.layout import FEWEST, MOST

NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven")


def not_in_deck(card: object) -> CardError:
    """The refusal of a card that is unknown or that this deck lacks."""
    return CardError(f"card {card!r} cannot be ranked: it is unknown or not in this deck")


def not_a_holding(held: Sequence[Card], fewest: int = FEWEST, most: int = MOST) -> CardError | RankError:
    """The refusal of cards that are too few, too many, or not all different."""
    if not fewest <= len(held) <= most:
        return RankError(f"{len(held)} cards cannot be ranked: it takes {NUMBERS[fewest]} to {NUMBERS[most]}")
    check_distinct(held)
    return not_in_deck(next(card for card in held if not is_known(card)))
