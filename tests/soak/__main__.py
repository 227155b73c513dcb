"""`python -m tests.soak`: many tables for an hour, with connections cut, floods, pauses and kills; nothing may be lost.

Bots answer at once and reconnect when they are disconnected, so the server has lost every turn that the clock plays.
The server's memory is watched all the time: after the first tenth it must not grow by more than a journal of that
many hands accounts for.
"""

import argparse
import asyncio
import json
import os
import random
import resource
import signal
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path

import msgspec
from msgspec import Struct

from benchmarks.arena_load import ERROR, Bot, Swarm, framed
from benchmarks.arena_servers import ARENA, Served, run, seats, serving
from tests.support.figures import write_row

MINUTES, TABLES = 60, 200
MOVE_MS = 5000
GROWTH_BYTES_A_HAND = 400
"""What a hand may leave behind in memory while its match goes on: its secret and its number, to be revealed."""
GROWTH_FREE = 50 << 20
SNAPSHOT = b'{"type":"snapshot"'
RATE_LIMITED = b'"RATE_LIMITED"'
PING = framed(b"", opcode=9)


class SnapshotAsked(Struct):
    """What a bot reads of a snapshot: the question in it, if there is one."""

    you: dict[str, object]
    next_actor: int | None = None
    at_hand_id: str | None = None
    legal: tuple[str, ...] | None = None
    turn: int | None = None


_read_snapshot = msgspec.json.Decoder(SnapshotAsked).decode


class Stayer(Bot):
    """A bot that reconnects to its seat, and answers open questions."""

    def __init__(self, soak: "Soak", path: str, number: int) -> None:
        super().__init__(soak.swarm, path, number, recording=True)
        self._soak = soak
        self._seat = (path, number)

    def send(self, frame: bytes) -> None:
        """Send, unless the connection was cut meanwhile; the reaction is answered on the next one."""
        if not self.transport.is_closing():
            super().send(frame)

    def data_received(self, data: bytes) -> None:
        """Also look for a question in a snapshot."""
        super().data_received(data)
        for frame in self.heard:
            if frame.startswith(SNAPSHOT):
                self._answer_snapshot(_read_snapshot(frame))
            elif frame.startswith(ERROR) and RATE_LIMITED in frame:  # its hello: nothing else of it comes too often
                self.transport.abort()
        self.heard.clear()

    def _answer_snapshot(self, found: SnapshotAsked) -> None:
        if found.legal and found.turn is not None and found.next_actor == found.you.get("seat"):
            word = "CHECK" if "CHECK" in found.legal else "CALL" if "CALL" in found.legal else "FOLD"
            answer = {"type": "action", "v": 1, "hand_id": found.at_hand_id, "action": word, "turn": found.turn}
            self.send(framed(json.dumps(answer).encode()))

    def connection_lost(self, exc: Exception | None) -> None:
        """Come back soon."""
        self._swarm.unanswered -= self._asked_at > 0
        if not self.open.done():
            self.open.cancel()
        self._soak.come_back(*self._seat)


class Soak:
    """A server, its bots, and the trouble for both."""

    def __init__(self, folder: Path, tables: int, seed: int, think: float) -> None:
        self.swarm = Swarm(think, seed)
        self.chance = random.Random(seed)
        self.tables = tables
        self.bots: dict[tuple[str, int], Stayer] = {}
        self.counts = {"cuts": 0, "floods": 0, "churned": 0, "pauses": 0, "kills": 0, "turns": 0}
        self.memory: list[tuple[float, int, int]] = []  #: when, bytes, turns
        self._arguments = (*ARENA, "--db", str(folder / "pitboss.db"), "--tables", str(tables))
        self._options = ("--stack", "10000000", "--start-at", "6", "--move-time-ms", str(MOVE_MS))
        self._servers = ExitStack()
        self._ending = False
        self._tasks: set[asyncio.Task[None]] = set()
        self.served: Served

    async def run(self, seconds: float) -> None:
        """Play for so long."""
        loop = asyncio.get_running_loop()
        began = last = loop.time()
        with self._servers:
            self.served = self._start()
            for number, path in enumerate(seats(self.tables), 1):
                await self._connect(path, number)
            self.swarm._held = None  # all bots answer at once from the first hand on
            while (now := loop.time()) - began < seconds:
                await asyncio.sleep(1.0)
                await self._disturb(now - began)
                if now - last >= 10:
                    last = now
                    self._look(now - began)
            self._ending = True

    def _start(self) -> Served:
        return self._servers.enter_context(serving(*self._arguments, *self._options))

    async def _connect(self, path: str, number: int) -> None:
        loop = asyncio.get_running_loop()
        _, bot = await loop.create_connection(partial(Stayer, self, path, number), "127.0.0.1", self.served.port)
        self.bots[path, number] = bot

    def come_back(self, path: str, number: int) -> None:
        """Take the seat again after a moment."""
        if not self._ending:
            task = asyncio.ensure_future(self._come_back(path, number))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _come_back(self, path: str, number: int) -> None:
        while not self._ending:
            await asyncio.sleep(0.05 + self.chance.random() / 4)
            with suppress(OSError):
                await self._connect(path, number)
                return

    async def _disturb(self, at: float) -> None:
        """Every second disconnect some bots and let strangers come; sometimes stop or kill the server."""
        for bot in self.chance.sample(sorted(self.bots), k=min(3, len(self.bots))):
            self.bots[bot].transport.abort()
            self.counts["cuts"] += 1
        await self._strangers()
        if at >= 60 * self.counts["pauses"] + 30:
            self.counts["pauses"] += 1
            os.kill(self.served.pid, signal.SIGSTOP)
            await asyncio.sleep(MOVE_MS / 1000 / 2)
            os.kill(self.served.pid, signal.SIGCONT)
        if at >= 600 * self.counts["kills"] + 300:
            self.counts["kills"] += 1
            self._servers.close()  # kill -9
            self.served = self._start()

    async def _strangers(self) -> None:
        """Flood the server with pings, and let some clients come and go."""
        for _ in range(5):
            with suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", self.served.port)
                path = f"/watch?table=T-{1 + self.chance.randrange(self.tables)}"
                writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
                self.counts["churned"] += 1
                if self.chance.random() < 0.2:
                    self.counts["floods"] += 1
                    writer.write(PING * 500)
                writer.close()

    def _look(self, at: float) -> None:
        with suppress(FileNotFoundError):
            self.memory.append((at, self.served.memory(), self.swarm.sent))
        self.counts["turns"] = self.swarm.sent
        print(
            f"{at:.0f} s: {self.swarm.sent} turns, {self.swarm.autos} lost, {self.swarm.errors} errors, "
            f"{self.memory[-1][1] >> 20} MiB, {self.counts}",
            file=sys.stderr,
            flush=True,
        )


def growth(memory: list[tuple[float, int, int]]) -> tuple[int, int]:
    """By how many bytes the server grew between the first tenth and the last, and in how many turns."""
    tenth = max(1, len(memory) // 10)
    first, last = memory[tenth : 2 * tenth] or memory[:1], memory[-tenth:]
    bytes_ = statistics.median(m[1] for m in last) - statistics.median(m[1] for m in first)
    return int(bytes_), int(statistics.median(m[2] for m in last) - statistics.median(m[2] for m in first))


def main() -> int:
    """Soak, and report the result."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=MINUTES, help="how long (60)")
    parser.add_argument("--tables", type=int, default=TABLES, help="how many tables of six (200)")
    parser.add_argument("--think-ms", type=float, default=200, help="how long a bot thinks (200)")
    parser.add_argument("--seed", type=int, default=1, help="what is disturbed, and when (1)")
    given = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory(prefix="pitboss-soak-") as folder:
        soak = Soak(Path(folder), given.tables, given.seed, given.think_ms / 1000)
        began = time.monotonic()
        run(soak.run(given.minutes * 60))
        size = sum(path.stat().st_size for path in Path(folder).iterdir())
    grown, turns = growth(soak.memory)
    allowed = GROWTH_FREE + GROWTH_BYTES_A_HAND * turns // 8
    lost = soak.swarm.autos
    figures = {
        "minutes": round((time.monotonic() - began) / 60, 1),
        "tables": given.tables,
        "think_ms": round(given.think_ms),
        "lost_turns": lost,
        **soak.counts,
        "grown_mib": round(grown / (1 << 20), 1),
        "journal_mib": size >> 20,
    }
    print(json.dumps(figures))
    if given.minutes >= MINUTES and given.tables >= TABLES:  # a short run is not evidence
        write_row("soak", **figures)
    undisturbed = [what for what, count in soak.counts.items() if not count]
    if undisturbed and given.minutes >= MINUTES:
        print(f"never happened: {', '.join(undisturbed)}", file=sys.stderr)
        return 1
    return 1 if lost or grown > allowed else 0


if __name__ == "__main__":
    sys.exit(main())
