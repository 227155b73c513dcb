"""A whole arena from one seed: a server's process that lives and dies, its disk, its network, and all its clients.

`python -m tests.sim SEED` plays one and prints what happened.
"""

import gc
import logging
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from unittest.mock import patch

from aiohttp.web_app import _cached_build_middleware
from msgspec import Struct

from pitboss.arena.connections import outbox
from pitboss.arena.connections.admission import Capacity
from pitboss.arena.connections.outbox import OUTBOX_BYTES
from pitboss.arena.hosts import poker
from pitboss.arena.journal.commitment import shuffle
from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.logins import Limits
from pitboss.arena.rooms.tables import OpeningError, RoomSetup, open_tables
from pitboss.arena.server import GARBAGE_THRESHOLDS, Server
from pitboss.arena.wire.messages import Action, read, read_server, write
from pitboss.client import conversation
from pitboss.store.chain import StoreError
from tests.support.arena import witness
from tests.support.sim.auditor import Auditor
from tests.support.sim.bots import Bot, NoEquities, QuickChecker, Style, TimedHouse, Visitor
from tests.support.sim.chaos import Chaos
from tests.support.sim.disk import Disk, DiskStore, TimedWriter
from tests.support.sim.network import Link, Peer
from tests.support.sim.process import Process
from tests.support.sim.world import World

LONGEST = 3600.0
"""Virtual seconds after which every match must have ended."""
DAY = "2026-11-15"
READ, DEALT = 4096, 64
"""The number of frames and decks to remember."""


class Plan(Struct, frozen=True):
    """What a seed sets up."""

    settings: Settings
    limits: Limits
    tables: int
    trouble: float  #: the time until which things go wrong
    house: tuple[str, ...] = ()
    outbox: int = OUTBOX_BYTES  #: bytes that can wait for a client
    capacity: Capacity = Capacity()


def plan(world: World) -> Plan:
    """Draw the settings from the seed."""
    chance = world.chance
    big = chance.choice((2, 10, 100))
    seats = 2 + chance.below(5)
    house = ("calling", "tight")[: chance.choice((0, 0, 0, 1))]
    settings = Settings(
        seats=seats + len(house),
        stack=1 + chance.below(chance.choice((5, 50, 200)) * big),
        small_blind=big // 2,
        big_blind=big,
        move_time_ms=1000 + chance.below(8_000),
        max_hands=10 + chance.below(30),
        timeout_policy=chance.choice(("check_call", "check_fold")),
        time_bank_ms=chance.choice((0, 200 + chance.below(2_000), 5_000 + chance.below(20_000))),
        button=chance.choice(("moving", "moving", "dead")),
        freeze_out=world.one_in(4),
        away_pace_ms=chance.choice((0, 0, 300)),
    )
    limits = Limits(delay=chance.choice((0.0, 0.0, 3.0)), grace=float(chance.below(15)))
    may_wait = chance.choice((OUTBOX_BYTES, OUTBOX_BYTES, 6000))
    small = Capacity(connections=60, strangers=8, spectators=6, strangers_of_address=4, spectators_of_address=3)
    capacity = chance.choice((Capacity(), Capacity(), small))
    return Plan(settings, limits, 1 + chance.below(3), 20.0 + chance.below(60), house, may_wait, capacity)


class Arena:
    """Everything that one seed decides."""

    def __init__(self, seed: int, given: Plan | None = None) -> None:
        self.world = world = World(seed)
        self.plan = given or plan(world)
        self.disk = Disk(world)
        self.auditor = Auditor(self, self.plan.limits)
        self.disk.on_durable = self.auditor.durable
        self.process: Process | None = None
        self.healed = False
        self.links: list[Link] = []  #: of living connections
        self.lives = 0
        self.bots: list[Bot] = []
        self._connections = 0
        self._writer: TimedWriter | None = None
        self._store: DiskStore | None = None
        self._server: Server | None = None
        self.chaos = Chaos(self)

    def play(self) -> Counter[str]:
        """Play all matches to their end; return how often each event happened."""
        with _quiet(), _sparing(), patch.object(outbox, "OUTBOX_BYTES", self.plan.outbox), self._ending():
            self._boot()
            for number in range(1, self.plan.tables + 1):
                for seat in range(self.plan.settings.seats - len(self.plan.house)):
                    self._bring(f"T-{number}", f"bot{seat}")
            self.chaos.begin()
            self._run_until(lambda: self.world.now >= 1000.0 + self.plan.trouble or self._over())
            self._heal()
            self._run_until(self._over)
            self._finish()
        return self.world.counts

    def _run_until(self, done: Callable[[], bool]) -> None:
        while not done():
            for _ in range(20):
                assert self.world.step(), "nothing will ever happen again"
            assert self.world.now < 1000.0 + LONGEST, "the matches do not end"

    def _over(self) -> bool:
        tables = self.auditor.tables
        return len(tables) == self.plan.tables and all(audit.witness.over for audit in tables.values())

    # --- clients

    def _bring(self, table: str, team: str) -> None:
        chance = self.world.chance
        style = Style(
            names_turn=not self.world.one_in(4),
            hasty=chance.choice((3, 1000)),
            think=chance.choice((0.01, 0.03, 0.2)),
            sleeps=chance.choice((30, 100, 1000)),
            mixes=self.world.one_in(3),
            withholds=chance.choice((8, 1000)),
        )
        bot = Bot(self, table, team, f"code-of-{team}", style)
        self.bots.append(bot)
        self.world.after(self.world.between(0.0, 1.0), bot.come)

    def connect(self, peer: Peer, path: str) -> Link:
        """A new connection to the running server, if there is one."""
        self._connections += 1
        assert self.process is not None
        address = f"10.0.0.{1 + self._connections % 3}"
        link = Link(self.world, self.process, peer, path, self._connections, address)
        link.on_frame = self.auditor.frame
        self.links = [old for old in self.links if old.peer is not None]
        self.links.append(link)
        return link

    def play_again(self, table: str) -> None:
        """A table was rewound: clients that thought its match was over connect again."""
        for bot in self.bots:
            if bot.table == table and bot.over:
                bot.over = False
                self.world.after(1.0, bot.come)

    def watch(self, table: str) -> Visitor:
        """A spectator."""
        visitor = Visitor()
        visitor.link = self.connect(visitor, f"/watch?table={table}")
        self.auditor.watches(visitor.link, table)
        return visitor

    def send(self, link: Link, table: str, team: str, action: Action) -> None:
        """Send an action, and report it to the auditor."""
        self.auditor.answers(table, team, action, link)
        link.say(write(action))

    # --- the server's lives

    def _boot(self) -> None:
        self.lives += 1
        self.world.counts["life"] += 1
        process = Process(self.world, self.lives, self._ended)
        process.after_turn = self.auditor.after_turn
        self.process = process
        self.world.note(f"life {self.lives} begins")
        process.start(self._serve(process))

    async def _serve(self, process: Process) -> None:
        """What `pitboss.arena.server.serve` does, with this world's writer and house."""
        setup = RoomSetup(limits=self.plan.limits, entropy=process.entropy, day=lambda: DAY)
        store = self._store = DiskStore(self.disk, process)
        opened = open_tables(
            store, setup, self.plan.settings, tables=self.plan.tables, house=self.plan.house, now=process.loop.time()
        )
        for line in opened.report:
            self.world.note(line)
            if "is void" in line:
                lost = "LOST: " in line
                self.world.count("hand void after a lost end" if lost else "hand void after a torn tail")
        if len(opened.rooms) < len(self.disk.rows):
            raise OpeningError("not all tables can be taken up")
        self.disk.taken_up()
        self.auditor.restarted(opened)
        server = self._server = Server(
            opened,
            writer=partial(self._make_writer, process),
            house=partial(TimedHouse, process, self._house_says),
            checker=partial(QuickChecker, self.auditor),
            equities=NoEquities,
            capacity=self.plan.capacity,
        )
        async with server.running("arena.test", 80):
            await server.stopped()
        if server.failure is not None:
            raise server.failure

    def _make_writer(self, process: Process, *more: object) -> TimedWriter:
        self._writer = TimedWriter(process, self.disk, self.auditor.put, *more)
        return self._writer

    def _house_says(self, session: int, frame: str) -> None:
        assert self._server is not None
        room = self._server._house.seats[session][0]
        action = read(frame)
        assert isinstance(action, Action)
        seat = room._sessions[session].seat
        assert seat is not None
        self.auditor.answers(room.match.table_id, room.match.history.seats[seat].team, action)

    def _ended(self, process: Process, error: BaseException | None) -> None:
        """A life of the server is over, however it ended; another begins after a while."""
        world = self.world
        world.note(f"life {process.number} ends: {error}")
        if isinstance(error, OpeningError):  # finished hands are lost, so no client plays on
            world.count("taken up from a copy")
            self.disk.restore()
        elif error is not None and not isinstance(error, StoreError):
            raise AssertionError(f"the server ended with {error!r}") from error
        for link in self.links:
            if link.process is process:
                world.after(world.between(0.0, 0.05), link.reset)
        if process is self.process and self._server is None:
            world.count("killed while taking its tables up" if error is None else "could not take its tables up")
        self._keep_some()
        self.chaos.between_lives()
        world.after(world.between(0.05, 2.0), self._boot)

    def _keep_some(self) -> None:
        """Decide how much of an unfinished write is on disk when the process dies."""
        batch = self._writer.in_flight if self._writer is not None else ()
        batch = batch or (self._store.syncing if self._store is not None else ())
        if batch and self.world.one_in(2):
            self.world.count("survived, though nobody was told")
            self.disk.keep(batch)
        self._writer = self._store = self._server = None

    # --- the end

    def _heal(self) -> None:
        """Stop all trouble, and let all bots play."""
        self.healed = True
        self.world.note("healed")
        self.chaos.end()
        for bot in self.bots:
            bot.wake()

    def _finish(self) -> None:
        """Check that all clients receive the end, and that the record is complete."""
        self._run_until(lambda: all(bot.over for bot in self.bots))
        counts = self.world.counts
        counts["actions"] = self.auditor.actions
        counts["matches"] = self.plan.tables
        for audit in self.auditor.tables.values():
            counts.update(audit.witness.referee.seen)

    @contextmanager
    def _ending(self) -> Iterator[None]:
        """Leave no process behind, whatever the result."""
        try:
            yield
        finally:
            if self.process is not None:
                self.process.end()
            _cached_build_middleware.cache_clear()  # aiohttp keeps servers in it, and all that they know


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence prints, because bots' warnings are expected here, and collect garbage rarely, as the server does."""
    threshold = gc.get_threshold()
    gc.set_threshold(*GARBAGE_THRESHOLDS)
    names = ("pitboss.client", "pitboss.arena", "aiohttp.server", "aiohttp.access", "asyncio")
    before = {name: logging.getLogger(name).level for name in names}
    for name in names:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        gc.set_threshold(*threshold)
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)


@contextmanager
def _sparing() -> Iterator[None]:
    """Compute once what the server, the auditor and six bots would otherwise each compute from the same bytes.

    Every reader gets the same message from a frame, and a secret decides the same deck: both are values that do not
    change.
    """
    read_once, shuffle_once = lru_cache(READ)(read_server), lru_cache(DEALT)(shuffle)
    with (
        patch.object(conversation, "read_server", read_once),
        patch.object(witness, "read_server", read_once),
        patch.object(poker, "shuffle", shuffle_once),
    ):
        yield
