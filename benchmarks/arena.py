"""The arena measured from outside: turns kept under load, messages for processor time, and memory."""

import os
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct

from benchmarks.arena_bare import SEATS
from benchmarks.arena_load import Swarm
from benchmarks.arena_script import Step, script
from benchmarks.arena_servers import TICK, Served, arena, run, seats, serving, sync_seconds
from benchmarks.rules import Spread

THINK = 0.2
SLOWEST_MS, LEAST_RATIO, TABLE_KIB, CONNECTIONS_MIB = 100, 0.5, 200, 100
"""The goals: 99 in 100 answers within, of a bare server's messages at least, a table and all connections under."""
FULL = ("--start-at", str(SEATS))
UNHURRIED = ("--move-time-ms", "600000")


class Size(Struct, frozen=True, kw_only=True):
    """How much is measured."""

    tables: int = 200
    seconds: float = 20
    flat_tables: int = 100
    rounds: int = 7
    round_seconds: float = 3
    recorded: int = 300
    idle_tables: int = 1000
    connections: int = 2000


QUICK = Size(
    tables=2, seconds=1, flat_tables=2, rounds=1, round_seconds=0.3, recorded=10, idle_tables=10, connections=10
)
"""Enough to see that it runs."""


class Paced(Struct, frozen=True):
    """Tables of bots that think for a while."""

    tables: int
    seconds: float
    actions: int
    lost: int  #: turns that ran out of time, actions refused, connections closed
    p50_ms: float  #: from an action to the next message
    p99_ms: float
    max_ms: float
    messages_per_second: float
    processor: float  #: the server's share of one core
    kib_per_table: float  #: in the end, with its connections


class FlatOut(Struct, frozen=True):
    """Messages for a second of a server's processor time, bots that answer at once; `ratio` is within a round."""

    tables: int
    rounds: int
    arena: Spread
    bare: Spread
    ratio: Spread
    lost: int
    frames_per_action: float
    bytes_per_frame: float


class Memory(Struct, frozen=True):
    """What is held for those who do nothing."""

    tables: int
    kib_per_table: float
    connections: int
    connections_mib: float


class ArenaReport(Struct, frozen=True):
    """All figures of the arena."""

    load: float  #: how many processes wanted a processor in the minute before
    sync_ms: float  #: how long the disk takes to keep something
    paced: Paced
    flat_out: FlatOut
    memory: Memory

    def missed(self) -> list[str]:
        """A sentence for each goal that was not reached."""
        paced, flat, memory = self.paced, self.flat_out, self.memory
        found = [
            (paced.lost + flat.lost == 0, f"{paced.lost + flat.lost} turns were lost; the goal is none"),
            (paced.p99_ms < SLOWEST_MS, f"99 in 100 answers within {paced.p99_ms:.0f} ms; the goal is {SLOWEST_MS}"),
            (flat.ratio.median >= LEAST_RATIO, f"{flat.ratio.median:.2f} of a bare server; the goal is {LEAST_RATIO}"),
            (memory.kib_per_table < TABLE_KIB, f"{memory.kib_per_table:.0f} KiB a table; the goal is {TABLE_KIB}"),
            (
                memory.connections_mib < CONNECTIONS_MIB,
                f"{memory.connections_mib:.0f} MiB of connections; the goal is {CONNECTIONS_MIB}",
            ),
        ]
        return [sentence for reached, sentence in found if not reached]


def measure_arena(size: Size, say: Callable[[str], None]) -> ArenaReport:
    """Measure everything; Linux only, whose /proc tells what a process uses."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    reports: list[ArenaReport] = []
    load = os.getloadavg()[0]

    async def measure() -> None:
        with tempfile.TemporaryDirectory(prefix="pitboss-bench-") as name:
            folder = Path(name)
            sync = sync_seconds(folder) * 1000
            say(f"arena: {size.tables} tables of bots that think")
            paced = await _paced(folder, size)
            say(f"arena: {size.flat_tables} tables flat out, and a bare server")
            flat = await _flat_out(folder, size)
            say("arena: memory")
            reports.append(ArenaReport(load, sync, paced, flat, await _memory(folder, size)))

    run(measure())
    return reports[0]


async def _paced(folder: Path, size: Size) -> Paced:
    with arena(folder, size.tables, *FULL) as served:
        empty = served.memory()
        swarm = await _seated(served, size.tables, think=THINK)
        await swarm.play(min(3, size.seconds / 4))
        swarm.reset()
        begun, used = time.perf_counter(), served.cpu_seconds()
        await swarm.play(size.seconds)
        seconds, used = time.perf_counter() - begun, served.cpu_seconds() - used
        waits = sorted(swarm.waits)
        return Paced(
            tables=size.tables,
            seconds=size.seconds,
            actions=swarm.sent,
            lost=swarm.lost_turns,
            p50_ms=1000 * waits[len(waits) // 2],
            p99_ms=1000 * waits[len(waits) * 99 // 100],
            max_ms=1000 * waits[-1],
            messages_per_second=swarm.messages / seconds,
            processor=used / seconds,
            kib_per_table=(served.memory() - empty) / size.tables / 1024,
        )


async def _flat_out(folder: Path, size: Size) -> FlatOut:
    """Use both servers in turn; the other one is idle."""
    steps = await _record(folder, size.recorded)
    file = folder / "script.json"
    file.write_bytes(msgspec.json.encode(steps))
    tables = size.flat_tables
    with arena(folder, tables, *FULL, *UNHURRIED) as ours, serving("-m", "benchmarks.arena_bare", str(file)) as bare:
        sides = [(served, await _seated(served, tables)) for served in (ours, bare)]
        for _, swarm in sides:
            await swarm.play(min(1, size.round_seconds))
        rates: list[tuple[float, float]] = []
        for number in range(size.rounds):
            found = {side: await _rate(*side, size.round_seconds) for side in (sides if number % 2 else sides[::-1])}
            rates.append((found[sides[0]], found[sides[1]]))
        lost = sides[0][1].lost_turns + sides[1][1].lost
    lengths = [len(frame) for step in steps for players, frame in step for _ in players]
    return FlatOut(
        tables=tables,
        rounds=size.rounds,
        arena=Spread.of([a for a, _ in rates]),
        bare=Spread.of([b for _, b in rates]),
        ratio=Spread.of([a / b for a, b in rates]),
        lost=lost,
        frames_per_action=len(lengths) / len(steps),
        bytes_per_frame=sum(lengths) / len(lengths),
    )


async def _record(folder: Path, actions: int) -> list[Step]:
    """A table's script; the bots think a little, so that none of them sends more frames a second than it may."""
    with arena(folder, 1, *FULL, *UNHURRIED) as served:
        swarm = await _seated(served, 1, think=0.02, recording=True)
        while swarm.sent < actions:
            await swarm.play(0.5)
        return script([bot.heard for bot in swarm.bots])


async def _rate(served: Served, swarm: Swarm, seconds: float) -> float:
    """Messages for a second of processor time, from silence to silence."""
    before, used = swarm.messages, served.cpu_seconds()
    await swarm.play(seconds)
    return (swarm.messages - before) / max(TICK, served.cpu_seconds() - used)


async def _memory(folder: Path, size: Size) -> Memory:
    """Tables that were just opened; then connections, half of them players who wait for one more, half spectators."""
    with arena(folder, 1) as served:
        one = served.memory()
    with arena(folder, size.idle_tables) as served:
        many = served.memory()
    each = SEATS - 1
    tables = size.connections // (2 * each)
    with arena(folder, tables, *FULL) as served:
        before, swarm = served.memory(), Swarm()
        await swarm.connect(served.port, seats(tables, each))
        await swarm.connect(served.port, [path.replace("/ws", "/watch") for path in seats(tables, each)], hello=False)
        await swarm.quiet()
        after = served.memory()
    return Memory(
        tables=size.idle_tables,
        kib_per_table=(many - one) / (size.idle_tables - 1) / 1024,
        connections=len(swarm.bots),
        connections_mib=(after - before) / 2**20,
    )


async def _seated(served: Served, tables: int, *, think: float = 0.0, recording: bool = False) -> Swarm:
    """Bots on all seats, which wait with their answers."""
    swarm = Swarm(think)
    await swarm.connect(served.port, seats(tables), recording=recording)
    await swarm.wait_for_questions(tables)
    return swarm
