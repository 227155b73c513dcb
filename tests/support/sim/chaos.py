"""The trouble in a simulated arena: on the network, in the process, on the disk, and from clients that misbehave."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from pitboss.arena.wire.messages import Action, Hello, Leave, write
from tests.support.arena.bad_frames import BAD
from tests.support.sim.bots import Bot, Visitor
from tests.support.sim.network import PING, PONG, TEXT, Link, masked
from tests.support.sim.process import QUICK, Process

if TYPE_CHECKING:
    from tests.support.sim.arena import Arena
    from tests.support.sim.world import Timer


class Chaos:
    """Makes something go wrong again and again, until it ends."""

    def __init__(self, arena: "Arena") -> None:
        self.arena = arena
        self.world = arena.world
        self._next: Timer | None = None
        self._doubles: list[Bot] = []
        self._paused_at = 0.0
        acts: list[tuple[int, Callable[[], None]]] = [
            (6, self.drop),
            (4, self.half_frame),
            (5, self.stall),
            (2, self.partition),
            (3, self.pause),
            (2, self.crash),
            (1, self.crash_twice),
            (2, self.slow_disk),
            (3, self.slow_threads),
            (1, self.full_disk),
            (2, self.broken_disk),
            (3, self.lying_disk),
            (3, self.stay_away),
            (3, self.leave),
            (4, self.take_over),
            (3, self.fight),
            (6, self.garbage),
            (3, self.flood),
            (3, self.pings),
            (3, self.fragments),
            (2, self.wrong_code),
            (5, self.late_answer),
            (5, self.wrong_answer),
            (4, self.watch),
            (2, self.talking_spectator),
            (2, self.silent_stranger),
            (2, self.churn),
            (1, self.not_found),
        ]
        self._wheel = [act for weight, act in acts for _ in range(weight)]
        self._tempo = self.world.chance.choice((0.2, 0.5, 1.5))

    def begin(self) -> None:
        """Begin."""
        self._next = self.world.after(self.world.between(0.0, 2 * self._tempo), self._again)

    def _again(self) -> None:
        act = self.world.chance.choice(self._wheel)
        self.world.counts[act.__name__] += 1
        self.world.note(f"! {act.__name__}")
        act()
        self.begin()

    def end(self) -> None:
        """Stop all trouble."""
        if self._next is not None:
            self._next.cancel()
        disk, process = self.arena.disk, self.arena.process
        disk.failing.clear()
        disk.full, disk.slow, disk.lies = False, 0.002, ()
        if process is not None:
            _quicken(process)
            self._go_on()
        for double in self._doubles:
            double.go()
        for link in self.arena.links:
            link.flow()

    def between_lives(self) -> None:
        """The server is down: the disk may have room again, and open hands may be torn."""
        disk = self.arena.disk
        disk.full = False
        disk.forget(self.world.chance.below(4))
        disk.lies = ()
        if self.arena.healed or not self.world.one_in(4):
            return
        tables = [table for table in disk.rows if disk.heads[table].seq > disk.heads[table].sealed]
        if tables:
            table = self.world.chance.choice(tables)
            head = disk.heads[table]
            seq = head.sealed + 1 + self.world.chance.below(head.seq - head.sealed)
            lose = self.world.one_in(2)
            self.world.note(f"entry {seq} of {table} is {'lost' if lose else 'altered'}")
            disk.tear(table, seq, lose=lose)

    # --- random victims

    def _bot(self) -> Bot | None:
        here = [bot for bot in self.arena.bots if bot.link is not None and bot.link.is_open]
        return self.world.chance.choice(here) if here else None

    def _link(self) -> Link | None:
        links = [link for link in self.arena.links if link.peer is not None]
        return self.world.chance.choice(links) if links else None

    def _table(self) -> str:
        return f"T-{1 + self.world.chance.below(self.arena.plan.tables)}"

    # --- the network

    def drop(self) -> None:
        """A connection breaks."""
        if link := self._link():
            link.reset()

    def half_frame(self) -> None:
        """Half a frame, and the rest of it late or never."""
        bot = self._bot()
        if bot is None or bot.link is None:
            return
        link, frame = bot.link, masked(TEXT, b'{"type":"action","v":1,"hand_id":"H-1","action":"CALL"}')
        cut = 1 + self.world.chance.below(len(frame) - 1)
        link.send(frame[:cut])
        if self.world.one_in(2):
            self.world.after(self.world.between(0.0, 0.5), link.reset)
            self.world.counts["half frame and gone"] += 1
        else:
            link.send(frame[cut:])

    def stall(self) -> None:
        """A connection stalls for a while, in one direction or both."""
        if link := self._link():
            way = self.world.chance.below(3)
            link.stall(to_server=way != 1, to_client=way != 2)
            self.world.after(self.world.between(0.1, 12.0), link.flow)

    def partition(self) -> None:
        """All clients on one side of the network are cut off for a while."""
        side = f"10.0.0.{1 + self.world.chance.below(3)}"
        links = [link for link in self.arena.links if link.address == side]
        ends_badly = self.world.one_in(2)
        for link in links:
            link.stall()
            self.world.after(self.world.between(1.0, 10.0), link.reset if ends_badly else link.flow)

    # --- the process

    def pause(self) -> None:
        """The process pauses while frames and timers wait."""
        process = self.arena.process
        if process is not None and not process.dead and not process.paused:
            process.pause()
            self._paused_at = self.world.now
            self.world.after(self.world.between(0.1, 6.0), self._go_on)

    def _go_on(self) -> None:
        process, auditor = self.arena.process, self.arena.auditor
        if process is not None and process.paused and not process.dead:
            auditor.standing_still = self.world.now
            auditor.stood_still += self.world.now - self._paused_at
            process.go_on()

    def crash(self) -> None:
        """The process is killed."""
        if self.arena.process is not None:
            self.arena.process.kill()

    def crash_twice(self) -> None:
        """The process is killed, and its next life while it opens its tables, or soon after."""
        disk = self.arena.disk
        disk.failing[disk.operations + 1 + self.world.chance.below(3 + 3 * self.arena.plan.tables)] = "killed"
        self.crash()

    # --- the disk

    def slow_disk(self) -> None:
        """Writes are slow for a while."""
        disk = self.arena.disk
        disk.slow = self.world.chance.choice((0.05, 0.5, 5.0))
        self.world.after(self.world.between(0.5, 10.0), self._fast_disk)

    def _fast_disk(self) -> None:
        self.arena.disk.slow = 0.002

    def slow_threads(self) -> None:
        """Code checks are slow for a while, and some bots return just then."""
        process = self.arena.process
        if process is not None:
            process.slow = self.world.chance.choice((0.05, 0.5, 5.0))
            self.world.after(self.world.between(0.5, 10.0), lambda: _quicken(process))
            for _ in range(3):
                self.drop()

    def full_disk(self) -> None:
        """All writes fail until the server is down."""
        self.arena.disk.full = True

    def broken_disk(self) -> None:
        """One of the next operations fails, or the process dies in it."""
        disk = self.arena.disk
        kind = self.world.chance.choice(("broken", "killed"))
        disk.failing[disk.operations + 1 + self.world.chance.below(8)] = kind

    def lying_disk(self) -> None:
        """Syncs do nothing, for the journal alone or for its witness too; the power may fail meanwhile."""
        disk, world = self.arena.disk, self.world
        disk.lies = world.chance.choice((("journal",), ("journal",), ("journal", "witness")))
        wait = world.between(0.2, 3.0)
        if world.one_in(2):
            world.after(wait, self.crash)
        world.after(wait, self._honest_disk)

    def _honest_disk(self) -> None:
        self.arena.disk.lies = ()

    # --- clients

    def stay_away(self) -> None:
        """A bot goes away for a while."""
        bot = self._bot()
        if bot is not None and bot.link is not None:
            bot.asleep = True
            bot.link.reset()
            self.world.after(self.world.between(1.0, 40.0), bot.wake)

    def leave(self) -> None:
        """A bot sends `leave`, and disconnects or stays; after a while it is back."""
        bot = self._bot()
        if bot is not None and bot.link is not None:
            self.arena.auditor.leaves(bot.link, bot.table, bot.team)
            bot.link.say(write(Leave(v=1)))
            bot.asleep = True
            if self.world.one_in(2):
                bot.leave(0.0)
            self.world.after(self.world.between(0.5, 20.0), bot.wake)

    def take_over(self) -> None:
        """A bot connects again while its old connection is there."""
        if bot := self._bot():
            bot.connect()

    def fight(self) -> None:
        """A second process plays for a team at the same time, for a while."""
        bot = self.world.chance.choice(self.arena.bots)
        bot.doubled = True
        double = Bot(self.arena, bot.table, bot.team, bot.code, bot.style)
        double.doubled = True
        double.come()
        self.world.after(self.world.between(0.2, 6.0), double.go)
        self._doubles.append(double)

    def garbage(self) -> None:
        """Frames that mean nothing."""
        if bot := self._bot():
            for _ in range(1 + self.world.chance.below(3)):
                if bot.link is not None:
                    bot.link.say(self.world.chance.choice(BAD)[1])

    def flood(self) -> None:
        """Send more frames than needed."""
        if bot := self._bot():
            assert bot.link is not None
            bot.link.send(masked(TEXT, b"[]") * self.world.chance.choice((30, 80, 300)))

    def pings(self) -> None:
        """Send pings, or pongs without a ping."""
        if link := self._link():
            link.send(masked(self.world.chance.choice((PING, PONG)), b"?") * self.world.chance.choice((10, 100, 400)))

    def fragments(self) -> None:
        """A frame in many pieces, some of them empty."""
        if link := self._link():
            pieces = [masked(TEXT, b"[", fin=False), *[masked(0, b"", fin=False)] * self.world.chance.choice((3, 200))]
            link.send(b"".join([*pieces, masked(0, b"]")]))

    def wrong_code(self) -> None:
        """Guess a team's code."""
        table = self._table()
        audit = self.arena.auditor.tables.get(table)
        if audit is None or "bot0" not in audit.witness.teams.values():
            return  # the first client takes a free seat, and its code locks it
        guesses = 1 + self.world.chance.below(8)

        def guess(visitor: Visitor) -> None:
            assert visitor.link is not None
            for number in range(guesses):
                visitor.link.say(write(Hello(v=1, team="bot0", join_code=f"guess-{number}")))
            visitor.count_error("RATE_LIMITED", "wrong codes are slowed down")

        self._visit(guess, f"/ws?table={table}")

    def _visit(self, then: Callable[[Visitor], None], path: str) -> None:
        visitor = Visitor(then)
        visitor.link = self.arena.connect(visitor, path)

    def late_answer(self) -> None:
        """An answer is sent again, long after its turn."""
        bot = self._bot()
        if bot is not None and bot.link is not None and bot.last is not None:
            self.arena.send(bot.link, bot.table, bot.team, bot.last)

    def wrong_answer(self) -> None:
        """An answer that does not fit: another seat's turn, another hand, an impossible amount."""
        bot = self._bot()
        if bot is None or bot.link is None or bot.last is None:
            return
        chance, last = self.world.chance, bot.last
        wrong: list[Action] = [
            replace(last, turn=chance.below(500)),
            replace(last, action="RAISE_TO", amount=chance.choice((0, 1, 10**12)), turn=None),
            replace(last, hand_id="H-2026-11-15-00001"),
            replace(last, action="FOLD", amount=None, turn=None),
        ]
        self.arena.send(bot.link, bot.table, bot.team, chance.choice(wrong))

    def watch(self) -> None:
        """A spectator connects, and may disconnect."""
        visitor = self.arena.watch(self._table())
        if self.world.one_in(2) and visitor.link is not None:
            self.world.after(self.world.between(0.1, 20.0), visitor.link.reset)

    def talking_spectator(self) -> None:
        """A spectator that sends something."""
        visitor = self.arena.watch(self._table())
        link = visitor.link
        assert link is not None
        self.world.after(0.2, lambda: link.say("[]"))

    def silent_stranger(self) -> None:
        """A connection that never says hello."""
        self._visit(lambda visitor: None, f"/ws?table={self._table()}")

    def churn(self) -> None:
        """Many connections that end at once."""
        for _ in range(self.world.chance.choice((3, 10))):
            visitor = Visitor()
            visitor.link = self.arena.connect(visitor, "/ws")
            self.world.after(self.world.between(0.0, 0.1), visitor.link.reset)

    def not_found(self) -> None:
        """A request for a table that does not exist."""
        self._visit(lambda visitor: None, "/ws?table=nowhere")


def _quicken(process: Process) -> None:
    """Make its threads fast again."""
    process.slow = QUICK
