"""A room as a state machine: clients come, go, send sense and nonsense, the disk lags, the server crashes.

Every frame is checked on its way out (`Witness`), and whatever happened before, a table at which all players play on
comes to the end of its match.
"""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.logins import Limits
from pitboss.arena.verify.journal import verify_table
from pitboss.arena.wire import messages as wire
from tests.support.arena.bad_frames import BAD
from tests.support.arena.mixing import MixingTable
from tests.support.arena.rooms import TABLE, Guest

TEAMS = ("A", "B", "x", "y")
"""One more than there are seats; the capitals mix."""
LEAVE = {"type": "leave", "v": 1}
WORDS = ("FOLD", "CHECK", "CALL", "RAISE_TO", "BET")
LONG = 100.0
"""Longer than anything in a room lasts, in seconds."""


class RoomMachine(RuleBasedStateMachine):
    """A table with its disk, its clock and all who are connected to it."""

    table: MixingTable

    @initialize(seed=st.integers(0, 1000), delay=st.sampled_from((0.0, 3.0)), short=st.booleans())
    def open(self, seed: int, delay: float, short: bool) -> None:
        """A new table."""
        plays = Settings(seats=3, stack=300 if short else 5000, move_time_ms=2000, max_hands=5)
        self.table = MixingTable(plays, seed=seed, limits=Limits(grace=4.0, delay=delay))
        self.parlour = self.table.parlour

    def entries(self) -> int:
        """How much has been decided, on disk or not."""
        return len(self.parlour.disk.rows[TABLE]) + len(self.parlour.waiting)

    def live(self, at: int) -> Guest | None:
        """One of the players' connections that are open, whether they have a seat or not."""
        found = [g for g in self.parlour.guests.values() if g.closed is None and not g.gone and g.team in TEAMS]
        return found[at % len(found)] if found else None

    # --- who comes and goes

    @rule(team=st.sampled_from(TEAMS))
    def connect(self, team: str) -> None:
        """A client connects and sends nothing yet."""
        self.parlour.connect(team)

    @rule(team=st.sampled_from(TEAMS), resume_from=st.none() | st.integers(0, 200))
    def join(self, team: str, resume_from: int | None) -> None:
        """A client says hello: it takes a seat, comes back to it, takes it over, or finds no seat."""
        more = {} if resume_from is None else {"resume_from": resume_from}
        self.table.join(team, mixes=team.isupper(), **more)

    @rule(team=st.sampled_from(TEAMS))
    def say_a_wrong_code(self, team: str) -> None:
        """A client with a wrong code gets no seat that is taken."""
        if self.parlour.match.seat_of(team) is None:
            return  # the first client at a seat chooses its code
        before = self.entries()
        guest = self.parlour.join(team, "wrong")
        assert guest.seat is None
        assert self.entries() == before

    @rule(at=st.integers(0, 20))
    def drop(self, at: int) -> None:
        """A connection is lost."""
        if (guest := self.live(at)) is not None:
            guest.leave()

    @rule(at=st.integers(0, 20))
    def take_leave(self, at: int) -> None:
        """A client sends leave."""
        if (guest := self.live(at)) is not None:
            guest.say(LEAVE)
            self.table.answer()

    @rule()
    def watch(self) -> None:
        """A spectator comes."""
        self.parlour.watch()

    @rule(team=st.sampled_from(("A", "B")))
    def withhold(self, team: str) -> None:
        """A client stops opening its numbers, or starts again."""
        self.table.mute ^= {team}

    # --- what they say

    @rule(at=st.integers(0, 20), which=st.integers(0, 20), amount=st.integers(0, 6000))
    def act(self, at: int, which: int, amount: int) -> None:
        """A client answers its last question with a move that was legal then, often too late."""
        guest = self.live(at)
        if guest is not None and (guest.got(wire.Act) or any(s.legal for s in guest.got(wire.Snapshot))):
            legal = guest.question().legal or ()
            word = legal[which % len(legal)]
            guest.answer(word, amount if word in ("BET", "RAISE_TO") else None)
            self.table.answer()

    @rule(word=st.sampled_from(WORDS), amount=st.none() | st.integers(-1, 6000), times=st.integers(1, 3))
    def act_in_turn(self, word: str, amount: int | None, times: int) -> None:
        """Clients whose turn it is answer anything; refused answers change nothing."""
        for _ in range(times):
            seat = self.parlour.match.to_act
            if seat is None or seat not in self.parlour.at or self.parlour.waiting:
                return
            guest, before = self.parlour.at[seat], self.entries()
            guest.news()
            guest.answer(word, amount)
            refused = any(isinstance(message, wire.Error) for message in guest.news())
            assert not refused or self.entries() == before
            self.table.answer()

    @rule(at=st.integers(0, 20), which=st.integers(0, len(BAD) - 1))
    def talk_nonsense(self, at: int, which: int) -> None:
        """A frame that makes no sense moves nothing."""
        if (guest := self.live(at)) is not None:
            before = self.entries()
            guest.say(BAD[which][1])
            assert self.entries() == before

    # --- time, disk and server

    @rule(seconds=st.sampled_from((0.1, 1.0, 2.0, 5.0, 20.0)))
    def wait(self, seconds: float) -> None:
        """Time passes."""
        self.table.pass_time(seconds)

    @precondition(lambda self: not self.parlour.holding)
    @rule()
    def hold(self) -> None:
        """The disk stops."""
        self.parlour.holding = True

    @precondition(lambda self: self.parlour.holding)
    @rule(count=st.none() | st.integers(1, 3))
    def commit(self, count: int | None) -> None:
        """The disk takes some of what waits for it, or all and goes on."""
        if count is None:
            self.parlour.holding = False
        self.parlour.commit(count)
        self.parlour.settle()
        self.table.answer()

    @precondition(lambda self: not self.parlour.checking)
    @rule()
    def let_codes_wait(self) -> None:
        """Code checks end without a result for lack of time."""
        self.parlour.checking = True

    @precondition(lambda self: self.parlour.checking)
    @rule(at=st.integers(0, 20), busy=st.sampled_from((0.0, 0.0, 1.0)))
    def check_a_code(self, at: int, busy: float) -> None:
        """One of the codes that wait is checked, or cannot be; where none waits, they are checked at once again."""
        if self.parlour.checks:
            self.parlour.finish_check(at % len(self.parlour.checks), busy=busy)
            self.table.answer()
        else:
            self.parlour.checking = False

    @rule(survived=st.integers(0, 5))
    def crash(self, survived: int) -> None:
        """The server dies and restarts; of the writes on their way to the disk, the first ones are kept."""
        self.parlour.restart(survived=survived)

    # --- what holds

    @invariant()
    def every_chip_is_there(self) -> None:
        """Chips are neither made nor lost, and the room is what the disk says."""
        self.parlour.audit()
        chips = sum(self.parlour.stacks.values())
        assert chips <= self.parlour.settings.stack * len(self.parlour.history.seats)

    @invariant()
    def a_seat_has_one_connection(self) -> None:
        """A replaced connection is closed."""
        if not self.parlour.waiting:
            live = [g.seat for g in self.parlour.guests.values() if g.seat is not None and not (g.closed or g.gone)]
            assert len(live) == len(set(live))
            assert set(live) == set(self.parlour.room.connected)

    @invariant()
    def whoever_is_asked_knows_it(self) -> None:
        """A seat whose turn it is and that is connected has the question."""
        seat = self.parlour.match.to_act
        if seat is not None and not self.parlour.waiting and (guest := self.parlour.at.get(seat)) is not None:
            assert guest.question().turn == max(self.parlour.witness.questions)

    def teardown(self) -> None:
        """All clients come back and play on: the match ends, all receive its end, and the journal verifies."""
        if not hasattr(self, "table"):
            return
        parlour, table = self.parlour, self.table
        parlour.holding = parlour.checking = False
        while parlour.checks:
            parlour.finish_check()
        parlour.settle()
        table.mute.clear()
        table.answer()
        table.pass_time(LONG)
        for team in TEAMS:
            table.join(team, mixes=team.isupper())
        for _ in range(500):
            if parlour.match.over:
                break
            if parlour.match.to_act is None:
                table.pass_time(1.0)
            else:
                legal = parlour.to_act.question().legal or ()
                parlour.play("CHECK" if "CHECK" in legal else "CALL")
                table.answer()
        assert parlour.match.over, "the match does not end"
        table.pass_time(LONG)
        assert len(parlour.at) == len(parlour.history.seats) >= 2
        for guest in parlour.at.values():
            assert guest.got(wire.MatchEnd)
        complaints = [sentence for sentence in table.complaints if "withheld" not in sentence]  # as what is late is
        assert not complaints
        report = verify_table(TABLE, parlour.disk.read(TABLE))
        assert not report.problems, report.problems


TestRoomMachine = RoomMachine.TestCase
TestRoomMachine.settings = settings(max_examples=25, stateful_step_count=40, deadline=None)
