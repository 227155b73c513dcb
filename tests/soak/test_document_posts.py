"""How long posting a document takes with 50 document clients at five cash tables, and what it costs the server."""

import asyncio
import os
import time
from pathlib import Path
from random import Random

import aiohttp
import pytest

from tests.support.arena.servers import Process, code_of, served, within
from tests.support.figures import write_row

TABLES, SEATS, SECONDS = 5, 10, 10.0
RESTS = 0.5
"""Seconds, on average, between two posts of a client."""
MOST_CPU_MS = 10.0
"""What a post may cost the server, with everything that follows from it: a round trip is not shorter."""
OPTIONS = f"--cash --tables {TABLES} --seats {SEATS} --start-at {SEATS} --move-time-ms 600000".split()


def cpu_seconds(process: Process) -> float:
    """The processor time that a server has used."""
    fields = Path(f"/proc/{process.process.pid}/stat").read_text(encoding="ascii").rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Client:
    """A team that sits out and returns by document, from an address of its own."""

    def __init__(self, place: Process, number: int) -> None:
        self.times: list[float] = []
        self._team, self._chance = f"team{number}", Random(number)
        self._url = f"{place.http}/api/tables/T-{1 + number % TABLES}/document?team={self._team}"
        self._headers = {"Authorization": f"Bearer {code_of(self._team)}"}
        self._address = f"127.0.2.{number + 1}"

    async def play(self, seated: asyncio.Barrier) -> None:
        """Join, and once all have, post again and again."""
        connector = aiohttp.TCPConnector(local_addr=(self._address, 0))
        async with aiohttp.ClientSession(connector=connector) as session:
            async with session.get(self._url.partition("?")[0]) as answer:
                fields = await answer.json()
            own = {"players": self._team, "startingStacks": 5_000, "_intents": 0}
            async with session.post(
                self._url,
                json={**fields, **{name: [*fields[name], value] for name, value in own.items()}},
                headers=self._headers,
            ) as answer:
                assert answer.status == 200, await answer.text()
                fields = (await answer.json())["document"]
            await seated.wait()
            end = time.perf_counter() + SECONDS
            while time.perf_counter() < end:
                await asyncio.sleep(self._chance.expovariate(1 / RESTS))
                at = fields["players"].index(self._team)
                fields["_intents"][at] = 2 - fields["_intents"][at]
                began = time.perf_counter()
                async with session.post(self._url, json=fields, headers=self._headers) as answer:
                    assert answer.status == 200, await answer.text()
                    fields = (await answer.json())["document"]
                self.times.append(time.perf_counter() - began)


async def measure(place: Process) -> dict[str, float]:
    """Let all clients post for a while."""
    clients = [Client(place, number) for number in range(TABLES * SEATS)]
    seated, before = asyncio.Barrier(len(clients) + 1), 0.0
    async with asyncio.TaskGroup() as playing:
        for client in clients:
            playing.create_task(client.play(seated))
        await seated.wait()
        before = cpu_seconds(place)
    times = sorted(seconds * 1000 for client in clients for seconds in client.times)
    return {
        "clients": len(clients),
        "posts": len(times),
        "p50_ms": times[len(times) // 2],
        "p99_ms": times[len(times) * 99 // 100],
        "cpu_ms_a_post": (cpu_seconds(place) - before) * 1000 / len(times),
    }


@pytest.mark.slow
@pytest.mark.timing
def test_cost_of_posting_a_document(tmp_path: Path) -> None:
    with served(tmp_path, *OPTIONS) as place:
        figures = within(measure(place), bound=300)
    assert figures["posts"] > 100
    assert figures["cpu_ms_a_post"] < MOST_CPU_MS, figures
    write_row("document-posts", **figures)
