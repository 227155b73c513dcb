"""What mixing costs: the server's processor time per action if every client mixes, and if none does."""

import asyncio
import statistics
from pathlib import Path

import pytest

from benchmarks.arena_load import Swarm
from benchmarks.arena_servers import TICK, Served, arena, seats
from tests.support.figures import write_row

TABLES, ROUNDS, SECONDS = 20, 5, 3.0


async def _seated(served: Served, *, mixes: bool) -> Swarm:
    swarm = Swarm(mixes=mixes)
    await swarm.connect(served.port, seats(TABLES))
    await swarm.wait_for_questions(TABLES)
    return swarm


async def _actions(served: Served, swarm: Swarm, seconds: float) -> tuple[float, float]:
    """Actions for a second of processor time, and for a second of the clock."""
    before, used = swarm.sent, served.cpu_seconds()
    await swarm.play(seconds)
    done = swarm.sent - before
    return done / max(TICK, served.cpu_seconds() - used), done / seconds


@pytest.mark.slow
@pytest.mark.timing
def test_number_exchange_less_than_doubles_the_cost_of_an_action(tmp_path: Path) -> None:
    async def measure() -> tuple[list[tuple[float, float]], list[tuple[float, float]], int]:
        options = ("--start-at", "6", "--move-time-ms", "600000")
        with arena(tmp_path, TABLES, *options) as plain, arena(tmp_path, TABLES, *options) as mixed:
            sides = [(plain, await _seated(plain, mixes=False)), (mixed, await _seated(mixed, mixes=True))]
            for side in sides:
                await _actions(*side, 1.0)
            rounds = [[await _actions(*side, SECONDS) for side in sides] for _ in range(ROUNDS)]
            lost = sum(swarm.lost_turns for _, swarm in sides)
            return [one for one, _ in rounds], [other for _, other in rounds], lost

    plain, mixed, lost = asyncio.run(measure())
    assert lost == 0
    ratio = statistics.median(with_[0] / without[0] for without, with_ in zip(plain, mixed, strict=True))
    assert ratio > 0.5
    write_row(
        "mixing-costs",
        tables=TABLES,
        actions_a_cpu_second_without=round(statistics.median(rate for rate, _ in plain)),
        actions_a_cpu_second_with_six_mixers=round(statistics.median(rate for rate, _ in mixed)),
        share=round(ratio, 3),
        actions_a_second_without=round(statistics.median(rate for _, rate in plain)),
        actions_a_second_with=round(statistics.median(rate for _, rate in mixed)),
    )
