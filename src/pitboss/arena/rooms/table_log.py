"""The lines that a table writes to the server's log: arrivals, departures, results, wrong codes and alarms."""

from collections.abc import Iterable

from pitboss.arena.journal.history import History
from pitboss.arena.rooms.match import Match
from pitboss.arena.rooms.output import Output
from pitboss.arena.wire.messages import Error, Hello, write

ALARM_EVERY = 60.0
"""Seconds from one line in the log about a seat to the next: a client that invents numbers must not fill it."""

MOST_LINES, LINES_IN = 20, 10.0
"""How many lines whoever connects may cause at a table in how many seconds."""
MOST_TEAMS_NAMED = 5
"""How many of those who are missing are named."""


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
        if now - self._said.get(seat, -ALARM_EVERY) < ALARM_EVERY:
            return None
        self._said[seat] = now
        return (
            f"ALARM: {hello.team!r} at seat {seat} says it has seen message {hello.resume_from}, but the journal leads "
            f"to {last} only: the journal has lost its end, or the client invents numbers"
        )


def missing_teams(history: History) -> str:
    """Who of the list has not come yet; without a list, how many seats are taken.

    >>> from pitboss.arena.journal.records import Lock
    >>> lock = Lock.on("sesame", bytes(16))
    >>> missing_teams(History("T-1", teams={"Alpha": lock, "Beta": lock}))
    "0 of 2 teams have come, missing: 'Alpha', 'Beta'"
    """
    if history.teams is None:
        return f"{len(history.seats)} of {history.settings.seats} seats are taken"
    here = {taken.team for taken in history.seats.values()}
    missing = [repr(team) for team in history.teams if team not in here]
    came = f"{len(history.teams) - len(missing)} of {len(history.teams)} teams have come"
    if not missing:
        return f"all {len(history.teams)} teams have come"
    more = f" and {len(missing) - MOST_TEAMS_NAMED} more" if len(missing) > MOST_TEAMS_NAMED else ""
    return f"{came}, missing: {', '.join(missing[:MOST_TEAMS_NAMED])}{more}"


class TableLog:
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
        if self._lines <= MOST_LINES:
            self._put(out, sentence)
        else:
            self._left_out += 1

    def away(self, out: Output, seats: Iterable[int], now: float) -> None:
        """Note seats that are not waited for any more."""
        for seat in sorted(seats):
            self.client(out, f"{self.name(seat)} is away and not waited for", now)

    def begins(self, out: Output) -> None:
        """Note who begins the match, once it has."""
        if self._begun or not self._match.history.hands:
            return
        self._begun = True
        self._put(out, f"the match begins: {', '.join(map(self.name, sorted(self._match.history.seats)))}")

    def over(self, out: Output, stacks: dict[int, int]) -> None:
        """Note who has won, and everybody's place and chips, a line each."""
        history = self._match.history
        won, places = history.winners(), history.places()
        names = " and ".join(self.name(seat) for seat in won)
        hands = f"{history.played:,} hand{'s' if history.played != 1 else ''}"
        self._put(out, f"the match is over after {hands}: {names} {'has won' if len(won) == 1 else 'tie for the win'}")
        shared = [place for place in places.values() if [*places.values()].count(place) > 1]
        for seat, stack in stacks.items():
            place = f"{places[seat]}{'=' if places[seat] in shared else '.'}"
            self._put(out, f"{place:>5} {stack:>12,}  {history.seats[seat].team}")

    def arrival(self, seat: int, again: bool) -> str:
        """Who has come, and who is missing: of the list where there is one, else how many seats are free."""
        history = self._match.history
        who = f"{history.seats[seat].team!r} {'is back at' if again else 'takes'} seat {seat}"
        return who if again else f"{who}; {missing_teams(history)}"

    def name(self, seat: int) -> str:
        """A team and where it sits."""
        return f"{self._match.history.seats[seat].team!r} (seat {seat})"

    def _put(self, out: Output, sentence: str) -> None:
        out.notes.append(f"{self._match.table_id}: {sentence}")
