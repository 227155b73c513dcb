"""How a rake that a record names as one sum was taken of several pots: as the record's finishing stacks have it.

Houses differ: Full Tilt took all of it from the main pot, PokerStars rounded in each pot by itself, and a record says
only what was taken altogether.
"""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from pitboss.betting.pots import Pot
from pitboss.hand.actions import Action
from pitboss.hand.events import Event, Raked
from pitboss.hand.hand import Hand
from pitboss.hand.rake import Rake

Ending = tuple[Hand, tuple[Event, ...]]
_FEW = 8  # so few parts are tried one by one


class PartedRake(Rake, frozen=True, kw_only=True):
    """So much of each pot, the main one first."""

    parts: tuple[int, ...]

    def taken(self, pots: Sequence[Pot], *, first_street: bool) -> tuple[int, ...]:
        """The parts as they were given."""
        return self.parts


def end_as_recorded(before: Hand, action: Action, place: int | None, ended: Ending, stacks: Sequence[int]) -> Ending:
    """The end of a hand with its rake taken otherwise from the pots, where that gives these stacks; else as it is."""
    taken = [0] * len(ended[0].paid_pots)
    for event in ended[1]:
        if isinstance(event, Raked):
            taken[event.pot] = event.amount
    whole = [pot.amount + part for pot, part in zip(ended[0].paid_pots, taken, strict=True)]

    def end(parts: Sequence[int]) -> Ending:
        rake = PartedRake(thousandths=0, parts=tuple(parts))
        hand, events = replace(before, stakes=replace(before.stakes, rake=rake)).act(action, place)
        return replace(hand, stakes=before.stakes), events

    def distance(parts: Sequence[int]) -> int:
        return sum([abs(here - there) for here, there in zip(end(parts)[0].stacks, stacks, strict=True)])

    for side in range(1, len(whole)):
        taken = _best_between_two(distance, taken, whole, side)
    return end(taken) if distance(taken) == 0 else ended


def _best_between_two(
    distance: Callable[[Sequence[int]], int], taken: Sequence[int], whole: Sequence[int], side: int
) -> list[int]:
    """The parts with the least distance of those in which the main pot and one other give together what they gave."""
    both = taken[0] + taken[side]

    def parts(part: int) -> list[int]:
        return [both - part, *taken[1:side], part, *taken[side + 1 :]]

    return parts(_least(lambda part: distance(parts(part)), max(0, both - whole[0]), min(both, whole[side])))


def _least(function: Callable[[int], int], low: int, high: int) -> int:
    """Where a function that falls and then rises is least, between these two."""
    while high - low > _FEW:
        third = (high - low) // 3
        if function(low + third) <= function(high - third):
            high -= third
        else:
            low += third
    return min(range(low, high + 1), key=function)
