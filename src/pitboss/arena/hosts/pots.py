"""The pots of one hand while chips are paid into them, as the messages to everybody show them."""

from collections.abc import Iterable, Sequence

from pitboss.arena.wire import messages as wire
from pitboss.betting.events import Posted
from pitboss.betting.pots import pots as cut_pots


class PotTracker:
    """The pots of one hand, followed by what each place pays. Methods return the pots only if they must be sent."""

    def __init__(self, seats: Sequence[int], stacks: Sequence[int]) -> None:
        self._seats, self._stacks = seats, [*stacks]
        self._paid, self._folded = [0] * len(seats), [False] * len(seats)
        self._all_in = False  # whether a stack has been empty: until then all chips are in one pot
        self._sent: tuple[wire.ContestedPot, ...] = ()

    def pay(self, place: int, amount: int) -> tuple[wire.ContestedPot, ...]:
        """A place puts chips in the middle; a negative amount is given back."""
        self._paid[place] += amount
        self._stacks[place] -= amount
        if not self._stacks[place]:
            self._all_in = True
        return self._news() if self._all_in else ()

    def pay_forced(self, posted: Iterable[Posted]) -> tuple[wire.ContestedPot, ...]:
        """Antes or blinds are paid, all at once."""
        pots: tuple[wire.ContestedPot, ...] = ()
        for event in posted:
            pots = self.pay(event.place, event.amount) or pots
        return pots

    def fold(self, place: int) -> tuple[wire.ContestedPot, ...]:
        """A place folds."""
        self._folded[place] = True
        return self._news() if self._all_in else ()

    def _news(self) -> tuple[wire.ContestedPot, ...]:
        """The pots, if there are several, or were, and they differ from those sent last."""
        betting = [place for place, stack in enumerate(self._stacks) if stack]
        made = cut_pots(self._paid, self._folded, betting=betting)
        if len(made) < 2 and not self._sent:
            return ()
        seats = self._seats
        now = tuple(
            [wire.ContestedPot(amount=pot.amount, seats=tuple(sorted([seats[p] for p in pot.places]))) for pot in made]
        )
        if now == self._sent:
            return ()
        self._sent = now
        return now
