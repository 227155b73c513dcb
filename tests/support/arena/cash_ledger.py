"""A scorekeeper of a cash table that reads who comes, what seats want and all public messages.

It works out the rules T5 to T7 a second time, by going round the seats one by one, and shares no code with the arena.
"""

from pitboss.arena.journal.records import HandVoided, NumbersBound, Record, Seated, Wished
from pitboss.arena.wire import messages as wire


class CashLedger:
    """One table's public story; a message or a lobby that does not fit fails an assertion."""

    def __init__(self, seats: int, big_blind: int, straddle: int = 0) -> None:
        self.seats, self.big, self.straddle = seats, big_blind, straddle
        self.taken = self.rake = 0
        self.chips: dict[int, int] = {}  # of every player at the table, between hands
        self.wish: dict[int, str] = {}
        self.owes: dict[int, int] = {}
        self.hands = 0
        self.seen: dict[str, int] = {}
        self._big_at: int | None = None
        self._small_at: int | None = None
        self._played: set[int] = set()  # dealt in the last hand
        self._stayed: set[int] = set()  # of them, those who have not sat out since
        self._gone = False  # whether a player of the last hand has left
        self._dealt: list[int] = []
        self._open = False
        self._excused: int | None = None
        self._dead: dict[int, int] = {}
        self._fresh = True  # no blinds yet
        self._is_bound = False  # whether numbers for the next hand are bound, and with them who is dealt in
        self._later: list[Seated | Wished] = []  # what counts after that deal

    # --- what is not in the messages

    def wants(self, record: Record) -> None:
        """Take in a player who comes, or an intent."""
        match record:
            case NumbersBound():
                self._is_bound = True
            case HandVoided():
                self._is_bound = False
            case Seated() | Wished() if self._is_bound:
                self._later.append(record)
                if isinstance(record, Seated):
                    self.owes[record.seat] = 0
            case Seated(seat=seat, stack=chips):
                assert seat not in self.chips
                self.chips[seat], self.wish[seat], self.owes[seat] = chips, "plays", 0
            case Wished(seat=seat, state=state):
                self.wish[seat] = state
                if state != "plays":
                    self._stayed.discard(seat)
            case _:
                pass

    def wait(self) -> None:
        """Between hands: see whether the table waits because no hand can be dealt."""
        if self._open or any(wish == "leaves" for wish in self.wish.values()) or 0 in self.chips.values():
            return
        plays = [seat for seat, wish in self.wish.items() if wish == "plays" and self._can_play(seat)]
        waiting = [seat for seat, wish in self.wish.items() if wish == "waits"]
        alone = len(plays) == 1 and not self._fresh and self._next(self._big_at or 0, plays + waiting) in waiting
        if len(plays) >= 2 or alone:
            return
        self._gone = False
        if self._big_at not in self.chips:
            self._fresh, self._small_at = True, None

    def _can_play(self, seat: int) -> bool:
        return seat in self._stayed or self.chips[seat] >= self.owes[seat] + self.big

    # --- messages

    def see(self, message: wire.ServerMessage) -> None:
        """Take in the next message."""
        self.seen[type(message).__name__] = self.seen.get(type(message).__name__, 0) + 1
        match message:
            case wire.StartHand():
                self._start(message)
            case wire.PostDead(seat=seat, amount=amount):
                assert self.owes[seat] == amount > 0, (seat, amount, self.owes)
                self.owes[seat] = 0
                self._dead[seat] = amount
            case wire.PostBlinds():
                self._blinds(message)
            case wire.StraddleMessage(seat=seat, amount=amount):
                assert self.straddle
                assert len(self._dealt) >= 4
                assert seat == self._next(self._big_at or 0, self._dealt)
                assert amount == min(self.straddle, self.chips[seat] - self._dead.get(seat, 0))
            case wire.RakeMessage(amount=amount):
                self.rake += amount
                self._raked = amount
            case wire.EndHand(stacks=stacks):
                self._end({stack.seat: stack.stack for stack in stacks})
            case wire.SatOutMessage(seat=seat, until=until):
                later = [each.state for each in self._later if isinstance(each, Wished) and each.seat == seat]
                assert [self.wish.get(seat), *later][-1] == ("waits" if until else "pauses")
            case wire.LeftMessage(seat=seat, stack=stack):
                self._leave(seat, stack)
            case wire.ToppedUpMessage(seat=seat, amount=amount):
                assert not self._open, "chips come between hands"
                self.chips[seat] += amount
            case _:
                pass

    def _next(self, seat: int, among: list[int]) -> int:
        for step in range(1, self.seats + 1):
            if (seat + step) % self.seats in among:
                return (seat + step) % self.seats
        raise AssertionError(f"no seat among {among}")

    def _between(self, start: int, end: int) -> list[int]:
        found, seat = [], (start + 1) % self.seats
        while seat != end and start != end:
            found.append(seat)
            seat = (seat + 1) % self.seats
        return found

    def _start(self, start: wire.StartHand) -> None:
        assert not self._open
        self.hands, self._open, self._raked, self._dead = self.hands + 1, True, 0, {}
        stacks = {stack.seat: stack.stack for stack in start.stacks}
        assert stacks == {seat: self.chips[seat] for seat in stacks}, (stacks, self.chips)
        dealt, big = sorted(stacks), start.bb_seat
        assert big in dealt
        before, small_before = self._big_at, self._small_at
        excused = big if self.wish[big] == "waits" else None
        for seat in self.chips:
            if seat not in dealt:
                assert self.wish[seat] != "plays" or not self._can_play(seat), f"seat {seat} is not dealt in"
        assert all(self.wish[seat] == "plays" and self._can_play(seat) for seat in dealt if seat != excused)
        staying = [*self.chips]
        if self._fresh:
            assert (start.sb_seat, big) == (dealt[0], dealt[1])
        elif len(staying) == 2 and self._gone:
            assert {start.sb_seat, big} == {*staying}
        else:
            assert before is not None
            reachable = [*dealt, *[s for s in self.chips if self.wish[s] == "waits" and self.chips[s]]]
            assert big == self._next(before, reachable), f"the big blind jumped from {before} to {big}"
            assert start.sb_seat == before, f"the small blind is at {start.sb_seat}, the big one was at {before}"
            for seat in staying:
                if seat in dealt or self.wish[seat] == "plays":
                    continue
                missed = self.big * (seat in self._between(before, big))
                missed += self.big // 2 * (small_before is not None and seat in self._between(small_before, before))
                missed += self.big // 2 * (seat == before)
                self.owes[seat] = min(self.owes[seat] + missed, 3 * self.big // 2)
        if excused is not None:
            self.owes[excused] = 0
            self.wish[excused] = "plays"
        self._big_at, self._small_at, self._dealt = big, start.sb_seat, dealt
        self._fresh = self._gone = False
        self._played, self._stayed = {*dealt}, {*dealt}
        later, self._later, self._is_bound = self._later, [], False
        for record in later:
            self.wants(record)

    def _blinds(self, posted: wire.PostBlinds) -> None:
        assert (posted.bb_seat, posted.sb_seat) == (self._big_at, self._small_at)
        assert all(not self.owes[seat] for seat in self._dealt), "who owes pays before the blinds"
        chips = {seat: self.chips[seat] - self._dead.get(seat, 0) for seat in self._dealt}
        assert posted.bb_posted == min(self.big, chips[posted.bb_seat])
        small = posted.sb_seat if posted.sb_seat in self._dealt and posted.sb_seat != posted.bb_seat else None
        assert posted.sb_posted == (0 if small is None else min(posted.sb, chips[small]))

    def _end(self, stacks: dict[int, int]) -> None:
        began = sum(self.chips[seat] for seat in stacks)
        assert sum(stacks.values()) + self._raked == began, "chips were lost or made"
        self.chips.update(stacks)
        self._open = False

    def _leave(self, seat: int, stack: int) -> None:
        assert self.chips.pop(seat) == stack
        self.taken += stack
        del self.wish[seat], self.owes[seat]
        self._stayed.discard(seat)
        if seat in self._played:
            self._gone = True
