"""Wrong codes: how long a team's next code from one address has to wait, and which addresses guessed wrong of late.

Waits are by team (of one table) and address together, so that nobody who guesses keeps the team out that comes from
elsewhere; they grow with every wrong code up to a bound, and time forgives. What is remembered is bounded.
"""

from collections import OrderedDict

from msgspec import Struct

FREE = 5
"""Wrong codes that cost nothing; the next one costs a second of waiting, and each further one twice as much."""
LONGEST = 60.0
FORGIVEN_EVERY = 60.0
"""Seconds after which one wrong code is forgotten, and an address that guessed wrong is like any other."""
REMEMBERED = 10_000
"""Teams by address, and addresses, that are remembered; beyond it the oldest are forgotten."""


class _Tally(Struct):
    """A team's wrong codes from one address."""

    wrong: float = 0.0
    at: float = 0.0  #: when it was counted last
    until: float = 0.0  #: when the next code may come
    checking: int = 0

    def left(self, now: float) -> float:
        """The wrong codes that are not forgiven yet."""
        return max(0.0, self.wrong - (now - self.at) / FORGIVEN_EVERY)


class Guesses:
    """See the module's docstring; each code that is let through by `ask` must be reported by `result`."""

    def __init__(self) -> None:
        self._tallies: OrderedDict[tuple[str, str, str], _Tally] = OrderedDict()
        self._suspects: OrderedDict[str, float] = OrderedDict()  # address → its last wrong code

    def ask(self, table: str, team: str, address: str, now: float) -> float:
        """How many seconds a code has to wait, 0 where it may be checked now."""
        tally = self._tallies.setdefault((table, team, address), _Tally(at=now))
        if now < tally.until:
            return tally.until - now
        if tally.checking and tally.left(now) + tally.checking >= FREE:
            return 1.0  # otherwise many at once would be as good as many in a row
        tally.checking += 1
        return 0.0

    def result(self, table: str, team: str, address: str, fits: bool | None, now: float) -> None:
        """A code that was let through did fit, did not, or (None) was not checked after all."""
        key = table, team, address
        tally = self._tallies[key]
        tally.checking -= 1
        if fits is False:
            tally.wrong, tally.at = tally.left(now) + 1, now
            if tally.wrong >= FREE:
                tally.until = now + min(LONGEST, 2.0 ** (tally.wrong - FREE))
            self._suspects[address] = now
            self._suspects.move_to_end(address)
            self._tallies.move_to_end(key)
        elif not tally.wrong and not tally.checking:
            del self._tallies[key]
        self._forget()

    def suspects(self, address: str, now: float) -> bool:
        """Whether a wrong code came from this address of late."""
        return now - self._suspects.get(address, -FORGIVEN_EVERY) < FORGIVEN_EVERY

    def _forget(self) -> None:
        while len(self._suspects) > REMEMBERED:
            self._suspects.popitem(last=False)
        while len(self._tallies) > REMEMBERED:
            key, tally = self._tallies.popitem(last=False)
            if tally.checking:
                self._tallies[key] = tally
                return
