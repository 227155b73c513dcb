"""A client's part in mixing: draws numbers, opens one only where nobody can choose any more, and checks what is dealt.

No socket and no clock. Every rule here guards against an arena, or an arena and other clients together, that would
like to know this client's number before they are bound to theirs, or to have it opened more than once for a hand.
"""

import os
from collections import deque
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from pitboss.arena.journal.numbers import bind_number
from pitboss.arena.v1.messages import Mix, Number, ServerMessage, StartHand, VoidMessage, Welcome


class Mixer:
    """One seat's numbers; it outlives connections."""

    def __init__(self, draw: Callable[[int], bytes] = os.urandom) -> None:
        self.mixed = 0  #: hands that have this seat's number in them
        self.complaints: list[str] = []  #: what no honest arena does, a sentence each
        self._draw = draw
        self._seat = -1
        self._next = draw(32)
        self._mix: Mix | None = None  # the list that a number was opened for, until its hand is dealt
        self._number = b""  # that number
        self._seen_all = True  # nothing was missed since
        self._opened: deque[tuple[str, str]] = deque(maxlen=8)  # hands of late, and what was opened for them

    def hello(self) -> str:
        """What a new connection's `hello` binds the client to."""
        self._seen_all = self._mix is None
        return bind_number(self._next)

    def hear(self, message: ServerMessage) -> Number | None:
        """Take in what the arena sends; gives back what is to be sent at once."""
        match message:
            case Welcome(seat=seat):
                self._seat = seat
            case Mix():
                return self._listed(replace(message, ts=None))
            case StartHand():
                self._dealt(message)
            case VoidMessage():
                if self._mix is not None:
                    self.complaints.append(f"{self._mix.hand_id}: its numbers were opened, and it was taken back")
                self._mix = None
        return None

    def _listed(self, mix: Mix) -> Number | None:
        """A list of bound numbers: open this seat's, if it is in it and the list can be trusted."""
        before, commit = self._mix, _commits(mix).get(self._seat)
        if before == mix:  # asked again after a reconnect or a restart
            return self._open(mix)
        if before is not None and (fault := _fault_after(before, mix, self._seat)):
            sentence, by_absence = fault
            if self._seen_all or not by_absence:
                self.complaints.append(sentence)
            self._mix = None
            if mix.hand_id == before.hand_id:
                return None  # another list for a hand that a number was opened for
        if commit is None or (mix.hand_id, commit) in self._opened:  # or it is of the past, and was asked for again
            return None
        if commit != bind_number(self._next):
            self.complaints.append(f"{mix.hand_id}: the arena lists another number for seat {self._seat} than it gave")
            return None
        self._mix, self._number, self._next, self._seen_all = mix, self._next, self._draw(32), True
        self._opened.append((mix.hand_id, commit))
        return self._open(mix)

    def _open(self, mix: Mix) -> Number:
        return Number(v=1, hand_id=mix.hand_id, number=self._number.hex(), next=bind_number(self._next))

    def _dealt(self, start: StartHand) -> None:
        """A hand is dealt: its numbers must be those of the list."""
        mix, self._mix = self._mix, None
        if mix is None or (mix.hand_id != start.hand_id and not self._seen_all):
            return
        if not self._seen_all and _goes_on_without(start, mix, self._seat):
            return
        faults = list(_faults_at(start, mix, self._seat))
        self.complaints += [f"{start.hand_id}: {fault}" for fault in faults]
        self.mixed += not faults


def _commits(mix: Mix) -> dict[int, str]:
    return {one.seat: one.commit for one in mix.numbers}


def _fault_after(before: Mix, mix: Mix, seat: int) -> tuple[str, bool] | None:
    """Why a list cannot follow one that this seat has opened its number for, or None; and if its absence explains it.

    Who is gone when numbers are bound anew is left out, and does not hear how the hand goes on.
    """
    another = mix.hand_id != before.hand_id
    if seat in mix.withheld:
        return f"{before.hand_id}: the arena says that seat {seat} withheld its number, which was sent", another
    if another:
        return f"{before.hand_id}: its numbers were opened, and it was not dealt", True
    withheld, listed = set(mix.withheld), set(_commits(before))
    follows = mix.attempt == before.attempt + 1 and mix.seats == before.seats
    if not follows or not withheld or not withheld <= listed or withheld & set(_commits(mix)):
        return f"{mix.hand_id}: its numbers were opened, and are asked for again though nobody withheld his", False
    if seat not in _commits(mix):
        return f"{mix.hand_id}: its numbers were opened, and are mixed without this seat", True
    return None


def _goes_on_without(start: StartHand, mix: Mix, seat: int) -> bool:
    """Whether a hand is dealt from nobody's numbers because one of the list was withheld, and no other seat was there.

    Who was gone then has opened his number and finds it left out; the list that would have said so was never made.
    """
    withheld = set(start.withheld)
    of_list = start.hand_id == mix.hand_id and withheld <= set(_commits(mix)) - {seat}
    return of_list and bool(withheld) and not start.numbers


def _faults_at(start: StartHand, mix: Mix, seat: int) -> Iterator[str]:
    """What is wrong with a hand that follows a list."""
    if seat in start.withheld:
        yield f"the arena says that seat {seat} withheld its number, which was sent"
    elif start.hand_id != mix.hand_id:
        yield f"{mix.hand_id} was to be dealt before it, from the numbers opened for it"
    elif {one.seat: bind_number(bytes.fromhex(one.number)) for one in start.numbers} != _commits(mix):
        yield "it is dealt from other numbers than those that were bound"
    if tuple(stack.seat for stack in start.stacks) != mix.seats:
        yield "others are dealt in than those its numbers were bound for"
