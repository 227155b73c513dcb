"""Compute main and side pots from the players' payments, and split pots between winners."""

from collections.abc import Sequence

from msgspec import Struct

from pitboss.errors import PitbossError


class PotError(PitbossError, ValueError):
    """Invalid payments, or a pot without a winner.

    >>> from pitboss import pots
    >>> pots([-1], [False])
    Traceback (most recent call last):
    pitboss.PotError: paid: expected whole numbers of chips from 0, got -1
    """


class Pot(Struct, frozen=True, gc=False):
    """An amount of chips, and the places that can win it.

    >>> from pitboss import pots
    >>> pots([50, 100, 100], [False, False, False])
    (Pot(amount=150, places=(0, 1, 2)), Pot(amount=100, places=(1, 2)))
    """

    amount: int
    places: tuple[int, ...]


def pots(paid: Sequence[int], folded: Sequence[bool], dead: int = 0, betting: Sequence[int] = ()) -> tuple[Pot, ...]:
    """Return the pots, starting with the main pot. The live players who paid for a pot can win it.

    If all players who paid for a pot have folded, it joins the previous pot. Places in `betting` may still pay more, so
    they can win every pot. `dead` money belongs to the main pot.

    >>> pots([50, 100, 100, 20], [False, False, False, True])
    (Pot(amount=170, places=(0, 1, 2)), Pot(amount=100, places=(1, 2)))
    """
    if len(paid) != len(folded):
        raise PotError(f"paid: expected {len(folded)} payments, one per player, got {len(paid)}")
    if paid and min(paid) < 0:
        raise PotError(f"paid: expected whole numbers of chips from 0, got {min(paid)}")
    live = [p for p, out in enumerate(folded) if not out]
    whole = sum(paid) + (dead if live else 0)  # without live players there is no main pot to start with
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
    """Return the upper limits of all pots except the last, in chips paid per player."""
    for p in live:
        if claims[p] != claims[live[0]]:
            return sorted({claims[p] for p in live})[:-1]
    return ()


def share(amount: int, winners: Sequence[object]) -> tuple[int, ...]:
    """Split a pot evenly. Remaining chips go one by one to the winners in the given order.

    >>> share(101, (0, 3))
    (51, 50)
    """
    if not winners:
        raise PotError("winners: expected at least one")
    if len(winners) == 1:
        return (amount,)
    each, odd = divmod(amount, len(winners))
    return (each + 1,) * odd + (each,) * (len(winners) - odd)
