"""Which policy sits at which seat, as a caller says it."""

from collections.abc import Callable, Iterable, Sequence
from itertools import cycle, islice
from typing import Any, NamedTuple

from pitboss.errors import PitbossError
from pitboss.fast.play import policies
from pitboss.fast.play.game import is_holdem
from pitboss.hand.structure import Structure

Policy = str | Callable[..., Any]

SAMPLING, OWN = 40, 4


class PolicyError(PitbossError, ValueError):
    """A policy that is not known, or that did what the rules forbid."""


class Team(NamedTuple):
    """Who sits where."""

    functions: tuple[Callable[..., Any], ...]  #: the caller's own among the house's; empty: the house's alone
    kinds: tuple[int, ...]  #: by seat, the number of its policy
    names: tuple[str, ...]  #: by seat

    @classmethod
    def of(cls, given: Policy | Sequence[Policy], seats: int) -> "Team":
        """Let policies go round the seats in turn.

        >>> Team.of(("tight", "calling"), 3).names
        ('tight', 'calling', 'tight')
        """
        if not isinstance(given, str | Iterable) and not callable(given):
            raise PolicyError(f"{given!r} is no policy: give a name, a function, or several")
        listed: list[Policy] = [given] if isinstance(given, str) or callable(given) else list(given)
        if not 1 <= len(listed) <= seats:
            raise PolicyError(f"{len(listed)} policies for {seats} seats: give one a seat, or fewer that go round")
        for policy in listed:
            if not callable(policy) and policy not in policies.NAMES:
                raise PolicyError(f"no policy is called {policy!r}: there are {', '.join(policies.NAMES)}")
        by_seat = list(islice(cycle(listed), seats))
        names = tuple([policy if isinstance(policy, str) else _name(policy) for policy in by_seat])
        if not any(callable(policy) for policy in listed):
            return cls((), tuple([policies.NAMES.index(name) for name in names]), names)
        distinct = list(dict.fromkeys(by_seat))
        functions = [getattr(policies, policy) if isinstance(policy, str) else policy for policy in distinct]
        return cls(tuple(functions), tuple([distinct.index(policy) for policy in by_seat]), names)

    def check_game(self, structure: Structure) -> None:
        """Refuse policies of the house that do not know the game."""
        for name in policies.HOLDEM_ONLY:
            if not is_holdem(structure) and (name in self.names or getattr(policies, name) in self.functions):
                others = " and ".join(other for other in policies.NAMES if other not in policies.HOLDEM_ONLY)
                raise PolicyError(f"policy {name!r} knows only hold'em, not {structure.name}; {others} play any game")

    @property
    def weight(self) -> int:
        """How much longer than an easy hand one between these takes in plain Python."""
        return SAMPLING if "equity" in self.names else OWN if self.functions else 1


def _name(policy: Callable[..., Any]) -> str:
    return str(getattr(policy, "__name__", type(policy).__name__))
