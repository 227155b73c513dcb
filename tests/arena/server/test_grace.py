"""After a restart a real server's clock waits for the seat to act (A4)."""

import asyncio
from pathlib import Path

import pytest

from tests.support.arena.servers import served, visit, within

pytestmark = pytest.mark.check


def test_clock_waits_for_the_seat_to_act_after_a_restart(tmp_path: Path) -> None:
    async def scene() -> None:
        with served(tmp_path, "--move-time-ms", "60000") as first:
            async with visit(first.ws()) as a, visit(first.ws()) as b:
                await a.hello("A")
                await b.hello("B")
                asked = (await a.receive("act"))["seat"]
                first.kill()
        assert asked == 0
        with served(tmp_path, "--move-time-ms", "60000") as second:
            async with visit(second.ws()) as b:
                await b.hello("B")
                before = (await b.receive("snapshot"))["time_ms_remaining"]
                with pytest.raises(TimeoutError):
                    await asyncio.wait_for(b.receive("event"), 1.0)
            async with visit(second.ws()) as b:
                await b.hello("B")
                after = (await b.receive("snapshot"))["time_ms_remaining"]
                assert before == after == 60_000, "the clock ran although its seat had not come"

    within(scene())
