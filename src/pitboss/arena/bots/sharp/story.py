"""What has happened in a hand, read off nothing but the questions one seat was asked: who raised, called and checked.

Between two of its turns a seat sees only how the bets have changed. Taken in the order of speaking, that is enough:
who stands above the last bet has raised, who has come up to it has called, who is level without paying has checked.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from pitboss.arena.bots.reading import clockwise, opponents, order, raised
from pitboss.arena.v1.answers import Answer
from pitboss.arena.v1.messages import Act, Phase

What = Literal["raise", "call", "check", "fold"]


class Observed(NamedTuple):
    """One thing somebody did, on which board, and how often this street was raised by then."""

    seat: int
    what: What
    phase: Phase
    board: tuple[str, ...]
    raised: int


@dataclass
class Story:
    """One hand as one seat has seen it."""

    hand_id: str
    phase: Phase = "WAITING"
    board: tuple[str, ...] = ()
    top: int = 0  #: the highest bet on this street when the seat had last answered
    seen: dict[int, int] = field(default_factory=dict)  #: everybody's bet on this street, as last seen
    spoken: set[int] = field(default_factory=set)  #: who has spoken on this street
    silent: set[int] = field(default_factory=set)  #: who speaks no more: folded or all-in
    raised: int = 0  #: how often this street was raised
    leader: int | None = None  #: who raised last in the hand

    def follow(self, act: Act) -> list[Observed]:
        """What has been done since the seat's last answer."""
        observed: list[Observed] = []
        if act.phase != self.phase:
            observed += self._close(act)
            self._open(act)
        return observed + list(self._walk(act))

    def answered(self, act: Act, answer: Answer) -> None:
        """Note what the seat itself has answered."""
        self.spoken.add(act.seat)
        if (total := raised(answer)) is not None:
            self._raise(act.seat, total)

    def _close(self, act: Act) -> Iterator[Observed]:
        """How the last street ended: who is still there has called the last bet, or checked where there was none.

        Of who is not there one cannot know whether he folded on that street or on this one.
        """
        self.silent |= {player.seat for player in act.players if player.has_folded and self.seen}
        for player in opponents(act):
            seat = player.seat
            if seat in self.silent or seat not in self.seen:
                continue
            if self.seen[seat] < self.top:
                yield self._observed(seat, "call")
            elif seat not in self.spoken:
                yield self._observed(seat, "check")

    def _open(self, act: Act) -> None:
        """Begin a street; before the flop the blinds are there already."""
        self.phase, self.board, self.spoken, self.raised, self.top = act.phase, act.community, set(), 0, 0
        self.seen = {player.seat: 0 for player in act.players}
        if act.phase == "PRE_FLOP":
            seats = clockwise(act)
            small, big = seats[:2] if len(seats) > 2 else seats[::-1]
            self.seen |= {small: act.table.sb, big: act.table.bb}
            self.top = act.table.bb
        spent = [player for player in act.players if player.stack == 0]
        self.silent |= {player.seat for player in spent if player.committed <= self.seen[player.seat]}

    def _walk(self, act: Act) -> Iterator[Observed]:
        """Go through those who have spoken since, in their order."""
        players = {player.seat: player for player in act.players}
        for seat in self._between(act):
            player, before = players[seat], self.seen[seat]
            if seat in self.silent:
                continue
            self.seen[seat] = player.committed
            self.spoken.add(seat)
            if player.has_folded or player.stack == 0:
                self.silent.add(seat)
            if player.has_folded:
                yield self._observed(seat, "fold")
            elif player.committed > self.top:
                self._raise(seat, player.committed)
                yield self._observed(seat, "raise")
            else:
                yield self._observed(seat, "call" if player.committed > before else "check")

    def _between(self, act: Act) -> Sequence[int]:
        """The seats whose turn came since this seat's last, or since the street began."""
        seats = order(act)
        here = seats.index(act.seat)
        return seats[here + 1 :] + seats[:here] if act.seat in self.spoken else seats[:here]

    def _raise(self, seat: int, total: int) -> None:
        self.top, self.leader = total, seat
        self.raised += 1

    def _observed(self, seat: int, what: What) -> Observed:
        return Observed(seat, what, self.phase, self.board, self.raised)
