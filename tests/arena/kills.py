"""`kill -9` at random moments under load: worlds of bots on a real server, and an audit after every kill.

Likewise for a power failure: the journal's files as they are on disk at a random moment, and a server on that copy.
Outside CI: `python -m tests.arena.kills --kills 1000 --seed 1`.
"""

import argparse
import asyncio
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Coroutine, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from random import Random
from typing import Any

import aiohttp
from msgspec import Struct

from tests.support.arena.journals import Journal, check_bots, read_journal
from tests.support.arena.poker import stacks_of
from tests.support.arena.processes import Forked, ForkServer
from tests.support.arena.raw_bots import Count, HonestTable, RawBot
from tests.support.arena.servers import Frame, NotServing, Place, Process, arena, within
from tests.support.figures import write_row

SECONDS_A_LIFE = 60.0
"""Without an end after this many seconds, something hangs."""


class Shape(Struct, frozen=True, kw_only=True):
    """What kind of load a world puts on its server."""

    tables: int
    seats: int
    stack: int = 1_000_000
    boldness: float = 0.0
    sleepy: float = 0.0  #: how often a bot lets its time pass
    move_time_ms: int = 15_000

    @property
    def options(self) -> tuple[str, ...]:
        """The command's."""
        heard = {"tables": self.tables, "seats": self.seats, "start-at": self.seats, "stack": self.stack}
        heard["move-time-ms"] = self.move_time_ms
        return tuple(part for name, value in heard.items() for part in (f"--{name}", str(value)))


SHAPES = (
    Shape(tables=3, seats=3),
    Shape(tables=1, seats=6, stack=20_000, boldness=0.004),
    Shape(tables=6, seats=2),
    Shape(tables=2, seats=4, sleepy=0.03, move_time_ms=40),
    Shape(tables=1, seats=10),
)


class FrameCount(Count):
    """The number of frames a world has received; at the last one the server is killed at once."""

    victim: Process | Forked | None = None
    last = 0

    def add(self) -> None:
        """One more."""
        super().add()
        if self.victim is not None and self.value >= self.last:
            self.victim.strike()
            self.victim = None


class Hasty(RawBot):
    """A bot that repeats some answers and lets some turns pass, and counts the frames received in its whole world."""

    def __init__(self, team: str, chance: Random, shape: Shape, heard: "FrameCount", *, table: str) -> None:
        super().__init__(team, chance, table=table, echo=chance.random() < 0.8)
        self.boldness = shape.boldness
        self._sleepy = shape.sleepy
        self._heard = heard

    async def receive(self, frame: Frame) -> None:
        """Take in a frame, which may be the last one."""
        self._heard.add()
        await super().receive(frame)

    async def answer(self, question: Frame) -> None:
        """Answer once, twice, or not at all; sometimes an old answer comes first."""
        if self._chance.random() < self._sleepy:
            return
        old = max((turn for turn in self.sent if turn < question["turn"]), default=None)
        if self._echo and old is not None and self._chance.random() < 0.1:
            await self.repeat(old)
        await super().answer(question)
        if self._echo and self._chance.random() < 0.1:
            await self.repeat(question["turn"])

    async def play(self, session: aiohttp.ClientSession, place: Place) -> None:
        """Play until the connection is cut off."""
        with suppress(aiohttp.ClientError, ConnectionError):
            await super().play(session, place)


class World:
    """Bots at the tables of one server, which is killed again and again."""

    def __init__(self, folder: Path, shape: Shape, seed: int, forking_server: ForkServer | None = None) -> None:
        self.kills = 0
        self.heard = FrameCount()
        self._folder = folder
        self._shape = shape
        self._seed = seed
        self._chance = Random(seed)
        self.tables = {
            f"T-{number}": [self._bot(f"T-{number}", k) for k in range(shape.seats)]
            for number in range(1, shape.tables + 1)
        }
        self._fork_server = forking_server
        self._journals: dict[str, Journal] = {}

    def _bot(self, table: str, number: int) -> Hasty:
        return Hasty(f"{table} {number}", Random(self._chance.random()), self._shape, self.heard, table=table)

    @property
    def bots(self) -> list[Hasty]:
        """All of them."""
        return [bot for bots in self.tables.values() for bot in bots]

    async def run(self, kills: int) -> None:
        """Kill the server this many times, audit after each, and let it end in peace; a finished world ends sooner."""
        async with aiohttp.ClientSession() as session:
            while self.kills < kills and not all(bot.over.is_set() for bot in self.bots):
                try:
                    async with asyncio.timeout(SECONDS_A_LIFE):
                        await self._life(session)
                except BaseException as error:
                    error.add_note(f"in life {self.kills + 1} of a world of {self._shape} from seed {self._seed}")
                    raise
                self.kills += 1
            if self.kills == kills:
                await self._last_life(session)

    async def _life(self, session: aiohttp.ClientSession) -> None:
        """Start the server, let it send some frames, and kill it; sometimes before it has even started."""
        if self._chance.random() < 0.1:
            with suppress(NotServing):
                (await self._start(patience=self._chance.random() / (10 if self._fork_server else 1))).kill()
            return
        process = await self._start()
        try:
            self.heard.victim, self.heard.last = process, self.heard.value + int(10 ** (self._chance.random() * 2.8))
            playing = await self._play(session, process, self.heard.reach(self.heard.last))
        finally:
            process.kill()
        await self._end(playing)

    async def _last_life(self, session: aiohttp.ClientSession) -> None:
        process = await asyncio.to_thread(Process, self._folder, *self._shape.options)
        try:
            hands = [bots[0].hands for bots in self.tables.values() if not bots[0].over.is_set()]
            playing = await self._play(session, process, *[count.reach(count.value + 2) for count in hands])
            assert await asyncio.to_thread(process.end) == 0
        finally:
            process.kill()
        await self._end(playing)

    async def _start(self, patience: float = SECONDS_A_LIFE) -> Process | Forked:
        start = Process if self._fork_server is None else self._fork_server.serve
        return await asyncio.to_thread(start, self._folder, *self._shape.options, patience=patience)

    async def _play(
        self, session: aiohttp.ClientSession, place: Place, *enough: Coroutine[Any, Any, None]
    ) -> Sequence[asyncio.Task[None]]:
        """Let all bots play until there was enough of it, or nothing is left to play."""
        playing = [asyncio.create_task(bot.play(session, place)) for bot in self.bots]
        waits: list[asyncio.Future[Any]] = [
            asyncio.gather(*enough),
            asyncio.gather(*[b.over.wait() for b in self.bots]),
        ]
        await asyncio.wait([*waits, *playing], return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()
        await asyncio.gather(*waits, return_exceptions=True)
        return playing

    async def _end(self, playing: Sequence[asyncio.Task[None]]) -> None:
        """Let the bots read all bytes on their way, then audit."""
        await asyncio.gather(*playing)
        for bot in self.bots:
            assert not [code for code, _ in bot.closed if code not in (1001, 1006)], bot.closed
        for table, bots in self.tables.items():
            self._audit(table, bots)

    def _audit(self, table: str, bots: Sequence[Hasty]) -> None:
        before = self._journals.get(table)
        for bot in bots:
            if before is not None and bot.snapshots:
                check_resumed(before, bot)
            bot.snapshots.clear()
        journal = self._journals[table] = read_journal(self._folder / "arena.db", table)
        check_bots(journal, bots)
        check_questions(journal, bots)
        if not self._shape.sleepy:
            assert {acted.cause for acted in journal.answers.values()} <= {"client"}, "somebody lost a turn"


def check_resumed(before: Journal, bot: RawBot) -> None:
    """The first thing a seat saw after a restart is what the journal held before it."""
    seen = bot.snapshots[0]
    if seen["seq"] != before.last:
        assert seen["seq"] > before.last
        return  # another message was faster, and the table has moved on
    assert seen["next_actor"] == before.match.to_act
    assert seen.get("turn") == (before.turn if before.match.to_act == bot.seat else None)
    if before.match.underway or before.match.history.hands:  # until then others may have sat down sooner
        assert {player["seat"] for player in seen["players"]} <= before.match.history.seats.keys()
    assert seen["you"]["stack"] == stacks_of(before.match)[bot.seat]


def check_questions(journal: Journal, bots: Sequence[RawBot]) -> None:
    """The journal waits for the seat of the last question, unless its answer has arrived."""
    for bot in bots:
        for turn, (seq, _) in bot.asked.items():
            if seq == journal.last and turn == journal.turn:
                assert journal.match.to_act == bot.seat


# --- a power failure

WHOLE, GARBAGE, CUT = range(3)
"""How the end of the write-ahead file survives: unchanged, with garbage after it, or with a part missing."""


async def fail_power(folder: Path, shape: Shape, seed: int, failures: int) -> None:
    """Copy the journal's files at random moments while a server writes them, and play on from each copy."""
    chance, world = Random(seed), World(folder, shape, seed)
    copies: list[dict[str, Journal]] = []
    async with aiohttp.ClientSession() as session:
        process = await asyncio.to_thread(Process, folder, *shape.options)
        playing = [asyncio.create_task(bot.play(session, process)) for bot in world.bots]
        try:
            for number in range(failures):
                await world.heard.reach(world.heard.value + chance.randrange(5, 200))
                copy, how = folder / f"copy {number}", number % 3
                freeze(process, copy)
                bots = [bot.twin() if how != CUT else RawBot(bot.team, chance, table=bot.table) for bot in world.bots]
                tear(copy / "arena.db-wal", chance, how)
                copies.append({table: read_journal(copy / "arena.db", table) for table in world.tables})
                await play_on(session, copy, bots)
                if how != CUT:
                    for table in world.tables:
                        at_table = [bot for bot in bots if bot.table == table]
                        check_bots(read_journal(copy / "arena.db", table), at_table)
        finally:
            process.kill()
        await asyncio.gather(*playing)
    for table in world.tables:
        journal = read_journal(process.db, table)
        check_bots(journal, world.tables[table])
        for copied in copies:
            frames = copied[table].frames
            assert frames == {seq: journal.frames[seq] for seq in frames}, "a copy tells of things that never were"


def freeze(process: Process, copy: Path) -> None:
    """Copy the files as they are at this moment, which may be in the middle of a write."""
    copy.mkdir()
    process.process.send_signal(signal.SIGSTOP)
    try:
        _, status = os.waitpid(process.process.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
        for name in ("arena.db", "arena.db-wal"):
            shutil.copy(process.db.with_name(name), copy / name)
    finally:
        process.process.send_signal(signal.SIGCONT)


def tear(file: Path, chance: Random, how: int) -> None:
    """Do to a file's end what a power failure may do to it."""
    if how == GARBAGE:
        with file.open("ab") as end:
            end.write(chance.randbytes(chance.randrange(1, 20_000)))
    elif how == CUT:
        size = file.stat().st_size
        os.truncate(file, size - min(size, chance.randrange(1, 20_000)))


async def play_on(session: aiohttp.ClientSession, copy: Path, bots: Sequence[RawBot]) -> None:
    """Start a server on a copy and let every bot see two more hands end."""
    async with arena(copy) as place:
        report = place.tables.report
        assert sum(": resumed " in line for line in report) == len({bot.table for bot in bots}), report
        assert not [line for line in report if "void" in line], report
        playing = [asyncio.create_task(bot.play(session, place)) for bot in bots]
        table = HonestTable(bots, [], playing)
        await table.play(2)
        assert [bot.lost_turns for bot in bots if bot.lost_turns] == []
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)


# --- outside CI


def main() -> None:
    """Kill as often as asked, world after world."""
    parser = argparse.ArgumentParser(description="kill -9 an arena at random moments under load, and audit it")
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kills-a-world", type=int, default=20)
    given = parser.parse_args()
    print(f"seed {given.seed}")
    began, done, frames, worlds = time.monotonic(), 0, 0, 0
    with forking_server() as forking:
        while done < given.kills:
            shape, seed = SHAPES[worlds % len(SHAPES)], given.seed * 1_000_003 + worlds
            with tempfile.TemporaryDirectory() as folder:
                world = World(Path(folder), shape, seed, forking)
                kills = min(given.kills_a_world, given.kills - done)
                within(world.run(kills), bound=SECONDS_A_LIFE * (kills + 1))
            done, frames, worlds = done + world.kills, frames + world.heard.value, worlds + 1
            spent = time.monotonic() - began
            print(f"{done}/{given.kills} kills, {worlds} worlds, {frames} frames, {spent:.0f} s", flush=True)
    print(f"{done} kills in {worlds} worlds from seed {given.seed}: nothing lost, nothing twice, all chips there")
    if done >= 1000:  # a trial is not evidence
        write_row("kill", kills=done, worlds=worlds, frames=frames, seed=given.seed)


def forking_server() -> AbstractContextManager[ForkServer | None]:
    """Forks servers if the system lets us see their end; elsewhere every server is a fresh process."""
    return ForkServer() if hasattr(os, "pidfd_open") else nullcontext()


if __name__ == "__main__":
    main()
