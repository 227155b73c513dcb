"""Compute main and side pots from payments, and split pots."""

from collections.abc import Sequence

from msgspec import Struct

from pitboss.errors import PitbossError


class PotError(PitbossError, ValueError):
    """Invalid payments, or a pot without a winner."""


class Pot(Struct, frozen=True, gc=False):
    """An amount of chips, and the places that can win it."""

    amount: int
    places: tuple[int, ...]


def pots(paid: Sequence[int], folded: Sequence[bool], dead: int = 0, betting: Sequence[int] = ()) -> tuple[Pot, ...]:
    """Split all payments into layers of equal payment; live players who paid for a layer can win it.

    A layer whose payers all folded joins the layer below, so every chip has a claimant. `dead` money belongs to the
    main pot. Places in `betting` may still put in more, so they claim every layer.

    >>> pots([50, 100, 100, 20], [False, False, False, True])
    (Pot(amount=170, places=(0, 1, 2)), Pot(amount=100, places=(1, 2)))
    """
    if len(paid) != len(folded):
        raise PotError(f"paid: expected {len(folded)} payments, one per player, got {len(paid)}")
    if paid and min(paid) < 0:
        raise PotError(f"paid: expected whole numbers of chips from 0, got {min(paid)}")
    live = [p for p, out in enumerate(folded) if not out]
    whole = sum(paid) + (dead if live else 0)  # without live players there is no main pot
    claims = paid
    if betting:
        claims = [max(paid) if p in betting else amount for p, amount in enumerate(paid)]
    layers: list[Pot] = []
    rest, places = whole, live
    for ceiling in _ceilings(claims, live):
        above = sum([amount - ceiling for amount in paid if amount > ceiling])
        if rest != above:
            layers.append(Pot(rest - above, tuple(places)))
        rest, places = above, [p for p in places if claims[p] > ceiling]
    if rest:
        layers.append(Pot(rest, tuple(places)))
    return tuple(layers)


def _ceilings(claims: Sequence[int], live: Sequence[int]) -> Sequence[int]:
    """Return the upper bound of every layer but the last; empty if all live players paid the same, the usual case."""
    for p in live:
        if claims[p] != claims[live[0]]:
            return sorted({claims[p] for p in live})[:-1]
    return ()


def share(amount: int, winners: Sequence[object]) -> tuple[int, ...]:
    """Split a pot evenly. Odd chips go one at a time to the winners in their order.

    >>> share(101, (0, 3))
    (51, 50)
    """
    if not winners:
        raise PotError("winners: expected at least one")
    if len(winners) == 1:
        return (amount,)
    each, odd = divmod(amount, len(winners))
    return (each + 1,) * odd + (each,) * (len(winners) - odd)
