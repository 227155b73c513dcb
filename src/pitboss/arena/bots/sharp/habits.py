"""What a seat does how often: raise and call before the flop, bet after it, give way to a bet.

A few imagined hands of an ordinary player count along, so that one bold hand makes nobody a maniac.
"""

from dataclasses import dataclass, field

from pitboss.arena.v1.messages import Phase

ORDINARY = 0.55
"""How often an ordinary player stays against a bet."""


@dataclass
class Rate:
    """How often something was done of the times it could have been; `imagined` times at first, at the `usual` rate.

    >>> rate = Rate(usual=0.5, imagined=2)
    >>> rate.count(True)
    >>> rate.count(True)
    >>> rate.value
    0.75
    """

    usual: float
    imagined: int = 8
    done: int = 0
    times: int = 0

    def count(self, done: bool) -> None:
        """See it done, or not done, once more."""
        self.done += done
        self.times += 1

    @property
    def value(self) -> float:
        """The rate as it appears so far."""
        return (self.done + self.usual * self.imagined) / (self.times + self.imagined)


def _yielding() -> dict[Phase, Rate]:
    late = Rate(0.42)  # one rate for both, because how a bet on the river was answered one seldom sees
    return {"PRE_FLOP": Rate(0.5), "FLOP": Rate(1 - ORDINARY), "TURN": late, "RIVER": late}


@dataclass
class Habits:
    """The rates of one seat."""

    raises: Rate = field(default_factory=lambda: Rate(0.2))  #: before the flop, first word
    enters: Rate = field(default_factory=lambda: Rate(0.35))  #: the same, calls among them
    bets: Rate = field(default_factory=lambda: Rate(0.35))  #: after the flop, whenever it speaks and stays
    gives_way: dict[Phase, Rate] = field(default_factory=_yielding)  #: folds to a bet
