"""The strength of hands as numbers to compare: high, short-deck, low and Omaha hands, badugis and up-cards.

Unknown or duplicate cards, cards that are not in the deck, and a wrong number of cards raise a ``ValueError``.
"""

from pitboss.ranks.highs import Rank, from_two, high, high_name, short, short_name
from pitboss.ranks.lows import (
    ace_to_five,
    ace_to_five_name,
    badugi,
    badugi_name,
    deuce_to_seven,
    deuce_to_seven_name,
    low,
    low_name,
)
from pitboss.ranks.pairs import showing_high, showing_low

__all__ = [
    "Rank",
    "ace_to_five",
    "ace_to_five_name",
    "badugi",
    "badugi_name",
    "deuce_to_seven",
    "deuce_to_seven_name",
    "from_two",
    "high",
    "high_name",
    "low",
    "low_name",
    "short",
    "short_name",
    "showing_high",
    "showing_low",
]
