"""A client that has seen more than the journal leads to: a journal may have lost its end, and somebody must hear it."""

from pitboss.arena.rooms.match import Match
from pitboss.arena.rooms.output import Output
from pitboss.arena.v1.messages import Error, Hello, write

EVERY = 60.0
"""Seconds from one line in the log about a seat to the next: a client that invents numbers must not fill it."""


class ResumeAlarm:
    """Looks at the last number that each hello at a table says it has seen."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._said: dict[int, float] = {}

    def look(self, out: Output, session: int, seat: int, hello: Hello, now: float) -> None:
        """Have the client told, and the log, where the number is beyond the last one that was ever sent."""
        last = self._match.seq
        error = self.check(hello, last)
        if error is None:
            return
        out.put((session,), write(error))
        sentence = self.sentence(seat, hello, last, now)
        if sentence is not None:
            out.alarms.append(f"{self._match.table_id}: {sentence}")

    def check(self, hello: Hello, last: int) -> Error | None:
        """What a client is told whose number is beyond the last one."""
        if hello.resume_from is None or hello.resume_from <= last:
            return None
        sentence = f"you have seen message {hello.resume_from}, but this table has sent only {last}"
        return Error(code="RESUME_AHEAD", msg=f"{sentence}: keep your record, and ask the organiser")

    def sentence(self, seat: int, hello: Hello, last: int, now: float) -> str | None:
        """What the log must say about it; None where it was just said."""
        if now - self._said.get(seat, -EVERY) < EVERY:
            return None
        self._said[seat] = now
        return (
            f"ALARM: {hello.team!r} at seat {seat} says it has seen message {hello.resume_from}, but the journal leads "
            f"to {last} only: the journal has lost its end, or the client invents numbers"
        )
