"""What a table has logged for its organiser: who comes and goes, how a match begins and ends, and wrong codes."""

from collections.abc import Iterable

from pitboss.arena.rooms.match import Match
from pitboss.arena.rooms.output import Output

LINES, LINES_IN = 20, 10.0
"""How many lines whoever connects may cause at a table in how many seconds."""


class TableNotes:
    """Puts lines into a room's output; of many that clients cause, some."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._begun = match.history.hands > 0
        self._lines, self._since, self._left_out = 0, 0.0, 0

    def client(self, out: Output, sentence: str, now: float) -> None:
        """Note what a client caused."""
        if now - self._since >= LINES_IN:
            if self._left_out:
                self._put(out, f"and {self._left_out} more such lines")
            self._lines, self._since, self._left_out = 0, now, 0
        self._lines += 1
        if self._lines <= LINES:
            self._put(out, sentence)
        else:
            self._left_out += 1

    def away(self, out: Output, seats: Iterable[int], now: float) -> None:
        """Note seats that are not waited for any more."""
        for seat in sorted(seats):
            self.client(out, f"{self._name(seat)} is away and not waited for", now)

    def begins(self, out: Output) -> None:
        """Note who begins the match, once it has."""
        if self._begun or not self._match.history.hands:
            return
        self._begun = True
        self._put(out, f"the match begins: {', '.join(map(self._name, sorted(self._match.history.seats)))}")

    def over(self, out: Output, stacks: dict[int, int]) -> None:
        """Note who has won, and everybody's chips."""
        won = " and ".join(self._name(seat) for seat in self._match.history.winners())
        chips = ", ".join(f"{self._name(seat)} {stack:,}" for seat, stack in stacks.items())
        self._put(out, f"the match is over, won by {won}: {chips}")

    def _name(self, seat: int) -> str:
        return f"{self._match.history.seats[seat].team!r} (seat {seat})"

    def _put(self, out: Output, sentence: str) -> None:
        out.notes.append(f"{self._match.table_id}: {sentence}")
