"""Mixed strategies: answers with several entries, from which one is drawn by chance.

An entry has the fields of a single answer and its probability `p`.
"""

from collections.abc import Sequence
from math import fsum
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

MOST_ENTRIES = 64
"""The maximum number of entries of a strategy."""
TOLERANCE = 1e-6
"""How much the sum of the probabilities may differ from 1."""

Answered = TypeVar("Answered", bound=Struct)


def entries(message: Answered) -> tuple[tuple[Answered, float], ...]:
    """Return the single answers that an `action` or a `move` consists of, with their probabilities."""
    strategy: Sequence[Any] | None = getattr(message, "strategy", None)
    if strategy is None:
        return ((message, 1.0),)
    plain: Any = replace(message, strategy=None)
    return tuple([(replace(plain, **_fields(entry)), entry.p) for entry in strategy])


def _fields(entry: Any) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in entry.__struct_fields__ if name != "p"}


def parts_fault(message: Any) -> str | None:
    """Return what is wrong with an `action` or a `move` that has a strategy, or None."""
    names = {name for entry in message.strategy for name in _fields(entry)}
    if any(getattr(message, name) is not None for name in names):
        return "expected either a single answer or a strategy, got both"
    return weights_fault([entry.p for entry in message.strategy])


def weights_fault(weights: Sequence[float]) -> str | None:
    """Return what is wrong with the probabilities of a strategy, or None.

    >>> weights_fault([0.2, 0.8]), weights_fault([0.2, 0.7])
    (None, 'expected probabilities that add up to 1, got 0.9')
    """
    if not 1 <= len(weights) <= MOST_ENTRIES:
        return f"expected 1 to {MOST_ENTRIES} entries, got {len(weights)}"
    for weight in weights:
        if not 0 <= weight <= 1:  # this includes not-a-number
            return f"expected probabilities from 0 to 1, got {weight:g}"
    total = fsum(weights)
    return None if abs(total - 1) <= TOLERANCE else f"expected probabilities that add up to 1, got {total:.6g}"


def drawn_entry(weights: Sequence[float], number: float) -> int:
    """Return the index of the entry that a number from 0 to 1 (excluded) draws; an entry with probability 0 never.

    The weights are added in order, in double precision. The first entry is drawn whose sum is above the number times
    the sum of all weights.

    >>> [drawn_entry([0.25, 0.0, 0.75], number) for number in (0.0, 0.2499, 0.25, 0.999)]
    [0, 0, 2, 2]
    """
    total = 0.0
    for weight in weights:
        total += weight
    bound, below = number * total, 0.0
    for at, weight in enumerate(weights):
        below += weight
        if below > bound:
            return at
    return max(at for at, weight in enumerate(weights) if weight)
