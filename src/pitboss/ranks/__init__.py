"""Which holding wins: strengths to compare, for high, short-deck, eight-or-better low and Omaha hands.

Cards that are unknown, missing from the deck, there twice, too few or too many are refused with a ``ValueError``.
"""

from pitboss.ranks.highs import high, high_name, short, short_name
from pitboss.ranks.lows import low, low_name
from pitboss.ranks.omaha import Rank, from_two

__all__ = ["Rank", "from_two", "high", "high_name", "low", "low_name", "short", "short_name"]
