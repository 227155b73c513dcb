"""Main and side pots as a pure function of payments, and how a pot is shared."""

from collections.abc import Sequence

from msgspec import Struct

from pitboss.errors import PitbossError


class PotError(PitbossError, ValueError):
    """Payments that make no pots, or a pot that nobody can win."""


class Pot(Struct, frozen=True, gc=False):
    """Chips, and the places that can win them."""

    amount: int
    places: tuple[int, ...]


def pots(paid: Sequence[int], folded: Sequence[bool], dead: int = 0, betting: Sequence[int] = ()) -> tuple[Pot, ...]:
    """Cut what everybody paid into layers of equal payment, each with those who paid for it and have not folded.

    A layer whose payers all folded joins the one below, so no chip is ever without a claimant. `dead` money belongs to
    the main pot. Places in `betting` may still put in more, so they claim every layer.

    >>> pots([50, 100, 100, 20], [False, False, False, True])
    (Pot(amount=170, places=(0, 1, 2)), Pot(amount=100, places=(1, 2)))
    """
    if len(paid) != len(folded):
        raise PotError(f"{len(paid)} payments for {len(folded)} players")
    if paid and min(paid) < 0:
        raise PotError("payments are chips from 0 on")
    live = [p for p, out in enumerate(folded) if not out]
    whole = sum(paid) + (dead if live else 0)  # where all may fold there may be no main pot
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
    """Up to where each layer but the last goes; none where all who are live have paid alike, as they mostly have."""
    for p in live:
        if claims[p] != claims[live[0]]:
            return sorted({claims[p] for p in live})[:-1]
    return ()


def share(amount: int, winners: Sequence[object]) -> tuple[int, ...]:
    """Split a pot evenly; odd chips go one at a time in the order of the winners.

    >>> share(101, (0, 3))
    (51, 50)
    """
    if not winners:
        raise PotError("a pot needs a winner")
    if len(winners) == 1:
        return (amount,)
    each, odd = divmod(amount, len(winners))
    return (each + 1,) * odd + (each,) * (len(winners) - odd)
