"""How often a hand is held beside others: a number from 0 to 1, as a caller gives it."""

from fractions import Fraction
from typing import Any

from pitboss.fast.equity.items import RangeError

FINEST = 10**6
"""Weights that are no fractions are rounded to millionths, and so are all where hands are drawn by them."""


def read_weight(hands: object, weight: Any) -> Fraction:
    """A weight as an exact fraction.

    >>> read_weight("AKs", 0.1), read_weight("AKs", Fraction(1, 3))
    (Fraction(1, 10), Fraction(1, 3))
    """
    try:
        share = Fraction(weight)
    except (TypeError, ValueError, OverflowError):
        share = Fraction(-1)
    if not 0 <= share <= 1:
        raise RangeError(f"{hands!r} has the weight {weight}: write a number from 0 to 1")
    return share if isinstance(weight, int | Fraction) else Fraction(round(share * FINEST), FINEST)
