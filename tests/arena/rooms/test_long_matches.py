"""A long match is over: its decks are opened in pieces, as fast as each one reads, and greeting costs nothing."""

import asyncio
import json
import socket
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pitboss.arena.connections import outbox
from pitboss.arena.rooms.messages import REVEALS_AT_ONCE
from tests.support.arena.raw_bots import honest_table
from tests.support.arena.servers import Arena, arena, code_of, framed, raw, shake_hands, visit, within
from tests.support.figures import write_row


@pytest.fixture
def small_buffers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the server's connections buffer little, so that not reading shows soon."""
    create = asyncio.BaseEventLoop.create_server

    async def create_small(loop: asyncio.BaseEventLoop, *given: Any, **options: Any) -> asyncio.Server:
        found = await create(loop, *given, **options)
        for listener in found.sockets:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)  # connections inherit it
        return found

    monkeypatch.setattr(asyncio.BaseEventLoop, "create_server", create_small)
    monkeypatch.setattr(outbox, "OUTBOX_BYTES", 100_000)


def lengthen(place: Arena, hands: int) -> list[int]:
    """Make a table's match as long as that, and count the decks that are made again from now on."""
    match, chance, made = place.tables.rooms["T-1"].match, Random(1), [0]
    match.history.secrets[:0] = [(f"H-2025-10-16-{n:05d}", chance.randbytes(32)) for n in range(hands)]
    revealed = match.host.revealed

    def counted(secret: bytes) -> Any:
        made[0] += 1
        return revealed(secret)

    match.host.revealed = counted  # type: ignore[method-assign]  # a test's ear
    return made


async def read_slowly(place: Arena, path: str, team: str) -> list[str]:
    """Read the end of a match with the smallest possible buffers; return the types of its messages."""
    async with raw(place.port, small=True) as (reader, writer):
        await shake_hands(reader, writer, path)
        if team:
            hello = {"type": "hello", "v": 1, "team": team, "join_code": code_of(team)}
            writer.write(framed(json.dumps(hello).encode()))
        return [kind async for kind in _kinds(reader)]


async def _kinds(reader: asyncio.StreamReader) -> Any:
    while True:
        head = await reader.readexactly(2)
        size = head[1]
        if size >= 126:
            size = int.from_bytes(await reader.readexactly(2 if size == 126 else 8), "big")
        text = await reader.readexactly(size)
        if head[0] == 0x89:  # a ping before a question
            continue
        assert head[0] == 0x81, (head, text)
        kind = json.loads(text)["type"]
        yield kind
        if kind == "match_end":
            return


@pytest.mark.usefixtures("small_buffers")
def test_decks_of_a_long_match_reach_slow_readers_and_are_made_once(tmp_path: Path) -> None:
    hands = 1500

    async def scene() -> None:
        async with arena(tmp_path, seats=2, max_hands=2) as place:
            made = lengthen(place, hands)
            async with visit(place.watch()) as witness, honest_table(place, seats=2) as table:
                for bot in table.bots:
                    await table.until(bot.over.wait())
                await witness.receive("match_end")
                assert sum(len(frame["hands"]) for frame in witness.heard if frame["type"] == "reveal") == hands + 2
            reveals = -(-(hands + 2) // REVEALS_AT_ONCE)
            slow = [read_slowly(place, "/ws", "Honest 0"), read_slowly(place, "/ws", "Honest 1")]
            slow += [read_slowly(place, "/watch", "") for _ in range(4)]
            for kinds in await asyncio.gather(*slow):
                assert kinds.count("reveal") == reveals
                assert kinds.index("match_end") == len(kinds) - 1
            assert made == [hands + 2], "each deck is made again once, whoever comes"
            assert not [line for line in place.logged if "too slow" in line]

    within(scene())


def test_client_that_does_not_read_is_sent_only_the_beginning(tmp_path: Path) -> None:
    async def scene() -> None:
        async with arena(tmp_path, seats=2, max_hands=1) as place:
            async with honest_table(place, seats=2) as table:
                for bot in table.bots:
                    await table.until(bot.over.wait())
            messages = place.tables.rooms["T-1"].messages
            made = lengthen(place, 60_000)
            messages._reveals._frames.clear()  # type: ignore[attr-defined]  # as if it had just ended
            async with raw(place.port, small=True) as (reader, writer):
                await shake_hands(reader, writer, "/watch")
                before = -1
                while made[0] != before:  # until no more is made
                    before = made[0]
                    for _ in range(20):
                        async with visit(place.watch()) as other:
                            await other.receive("table")
                assert 0 < made[0] < 60_000
                waiting = [found._transport.get_write_buffer_size() for found in place.server._outboxes.values()]
                assert max(waiting) < 2**17

    within(scene())


@pytest.mark.slow
@pytest.mark.timing
def test_a_match_of_twenty_thousand_hands_greets_two_hundred_without_a_stall(tmp_path: Path) -> None:
    hands, callers = 20_000, 200
    late: list[float] = []

    async def read_all(place: Arena) -> int:
        async with raw(place.port) as (reader, writer):
            await shake_hands(reader, writer, "/watch")
            size, end = 0, b""
            while b'"type":"match_end"' not in end:
                piece = await reader.read(2**18)
                assert piece, "closed before the end"
                size, end = size + len(piece), (end + piece)[-2000:]
            return size

    def tick(due: float) -> None:
        loop = asyncio.get_running_loop()
        late.append(loop.time() - due)
        if len(late) < 10**6 and ticking:
            loop.call_at(loop.time() + 0.01, tick, loop.time() + 0.01)

    async def scene() -> None:
        loop = asyncio.get_running_loop()
        async with arena(tmp_path, seats=2, max_hands=1) as place:
            made = lengthen(place, hands)
            async with honest_table(place, seats=2) as table:
                for bot in table.bots:
                    await table.until(bot.over.wait())
            before, begun = memory(), loop.time()
            tick(loop.time())
            sizes = await asyncio.gather(*[read_all(place) for _ in range(callers)])
            seconds, grown = loop.time() - begun, memory() - before
            ticking.clear()
        assert made == [hands + 1]
        assert min(sizes) > 200 * hands
        worst, p99 = max(late), sorted(late)[int(len(late) * 0.99)]
        write_row(
            "long-matches",
            hands=hands,
            greeted=callers,
            seconds=round(seconds, 1),
            p99_of_the_loop_ms=round(p99 * 1000, 1),
            grown_mib=round(grown / 2**20, 1),
        )
        assert p99 < 0.25, f"the loop was late by {p99:.3f} s, clients and server in one process, at worst {worst:.3f}"
        assert grown < 50 * 2**20

    ticking = [True]
    within(scene(), bound=300)


def memory() -> int:
    """Bytes of memory this process holds."""
    fields = Path("/proc/self/statm").read_text().split()
    return int(fields[1]) * 4096
