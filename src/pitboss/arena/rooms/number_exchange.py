"""Collect the random numbers that clients contribute to the deck of the next hand.

The server and the clients commit to their numbers before any number is opened. The seats that are dealt in are fixed at
the same time. If a client does not open its number in time, all seats learn its name, and it cannot contribute again.
The other clients start again with new numbers; otherwise that client could choose between two decks.
"""

from collections.abc import Callable, Collection

from pitboss.arena.hosts.host import Step
from pitboss.arena.journal.commitment import bind_number, mix_numbers
from pitboss.arena.journal.records import NumbersBound
from pitboss.arena.rooms.match import Match
from pitboss.arena.wire.messages import Number, Rejected


class NumberExchange:
    """The numbers of the next hand. The commitments are in the journal; opened numbers are only in memory."""

    def __init__(self, match: Match, seconds: float) -> None:
        self._match = match
        self._seconds = min(seconds, match.move_time_ms / 4000)  # the maximum time to wait for numbers
        self._expires: float | None = None  # the end of that time; None if it has not begun yet
        self._commits: dict[int, str] = {}  # seat → its next commitment, if it wants to take part
        self._numbers: dict[int, str] = {}  # opened in this attempt

    @property
    def bound(self) -> NumbersBound | None:
        return self._match.history.bound

    @property
    def missing(self) -> tuple[int, ...]:
        """The seats that have committed to a number and not opened it."""
        bound = self.bound
        return tuple(seat for seat in bound.commits if seat not in self._numbers) if bound is not None else ()

    def due(self, away: Collection[int]) -> float | None:
        """Return the time to continue: now if every missing seat is away, otherwise the end of the waiting time."""
        return self._expires if any(seat not in away for seat in self.missing) else 0.0

    def committed(self, now: float) -> None:
        """Start the clock for the numbers once the commitments are on disk."""
        if self._expires is None and self._match.history.bound is not None:
            self._expires = now + self._seconds

    def resume(self, expires: float) -> None:
        """Wait for the numbers of an attempt that a restart interrupted."""
        self._expires = expires if self.bound is not None else None

    def ask_again(self, seat: int, now: float) -> NumbersBound | None:
        """Return the attempt if a returning seat must still open its number. If the time was up, it starts again."""
        bound = self.bound
        if bound is None or seat not in self.missing:
            return None
        if self._expires is not None and self._expires <= now:
            self._expires = now + self._seconds
        return bound

    def offer(self, seat: int, commit: str | None) -> None:
        """Note a seat's commitment to its next number; None: it does not take part."""
        self._commits.pop(seat, None)
        if commit is not None:
            self._commits[seat] = commit

    def open(self, seat: int | None, message: Number) -> None:
        """Take a number that a seat has opened; raise `Rejected` if it does not match the commitment."""
        bound = self.bound
        if seat is None:
            raise Rejected("OUT_OF_TURN", "send a hello first")
        if bound is None or message.hand_id != bound.hand_id or seat not in self.missing:
            raise Rejected("ACTION_TOO_LATE", f"{message.hand_id!r}: no number is expected from seat {seat}")
        if bind_number(bytes.fromhex(message.number)) != bound.commits[seat]:
            raise Rejected("BAD_SCHEMA", "expected the number that your seat has committed to - at `$.number`")
        self._numbers[seat] = message.number
        self.offer(seat, message.next)

    def proceed(self, connected: Collection[int], entropy: Callable[[int], bytes], day: str) -> NumbersBound | Step:
        """Deal the hand, or start a new attempt with the connected seats that take part."""
        match, bound, withheld = self._match, self.bound, self.missing
        numbers, self._numbers, self._expires = self._numbers, {}, None
        if bound is not None and not withheld:
            ordered = {seat: numbers[seat] for seat in sorted(numbers)}
            opened = {seat: bytes.fromhex(number) for seat, number in ordered.items()}
            secret = mix_numbers(bound.hand_id, bytes.fromhex(bound.server_number), opened)
            return match.start(secret, day, numbers=ordered)
        left_out = match.history.withheld.union(withheld)
        may_mix = bound.seats if bound is not None else match.playing
        mixers = [seat for seat in may_mix if seat in self._commits and seat in connected and seat not in left_out]
        if mixers:
            return match.bind(entropy(32), {seat: self._commits.pop(seat) for seat in mixers}, day, withheld)
        return match.start(entropy(32), day, withheld=withheld)
