"""The whole arena from one seed: real server, virtual clock, faked network and disk; everything is audited.

A failure names its seed: `python -m tests.sim SEED` plays it again and prints its trace.
"""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.support.figures import write_row
from tests.support.sim.arena import Arena, plan
from tests.support.sim.many import Summary, play, play_on_all_cores
from tests.support.sim.world import World

pytestmark = pytest.mark.check

ROOT = Path(__file__).parents[2]
PARTS, SEEDS = 4, 5
IN_CI = 500
SLOWEST = 300
"""Audited actions for every second of processor time that even a busy machine does; a free one does a thousand."""


def check(summary: Summary) -> None:
    """Fail with every seed that failed."""
    assert not summary.failures, "\n".join(f"seed {seed}: {why}" for seed, why in sorted(summary.failures.items()))


@pytest.mark.parametrize("part", range(PARTS))
def test_simulated_faults_lose_repeat_and_leak_nothing(part: int) -> None:
    summary = play(range(part * SEEDS, (part + 1) * SEEDS))
    check(summary)
    counts = summary.counts
    assert counts["match_end"] == counts["matches"] >= SEEDS
    assert counts["start_hand"] == counts["POST_BLINDS"]
    assert counts["client"] > 10 * counts["matches"], "hardly anybody played"


def test_repeated_code_checks_of_a_connection_delay_its_turn_by_their_sum() -> None:
    check(play([73]))


@pytest.mark.parametrize("seed", [3, 12])
def test_the_same_seed_gives_the_same_trace_byte_for_byte(seed: int) -> None:
    traces = []
    for hashes in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-m", "tests.sim", str(seed)],
            capture_output=True,
            check=True,
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": hashes},
        )
        traces.append(run.stdout)
    assert traces[0] == traces[1]
    assert len(traces[0].splitlines()) > 500
    assert b'"type":"match_end"' in traces[0]


@pytest.mark.slow
def test_five_hundred_seeds_and_every_rare_thing_among_them() -> None:
    summary = play_on_all_cores(0, IN_CI)
    check(summary)
    assert summary.never == [], "never happened, so it was not tried"
    assert summary.actions_a_second > SLOWEST
    counts = summary.counts
    write_row(
        "simulated",
        seeds=IN_CI,
        audited_actions=counts["actions"],
        actions_a_cpu_second=round(summary.actions_a_second),
        crashes=counts["life"],
        takeovers=counts["takeover"] + counts["takeover in its own turn"],
        hands=counts["start_hand"],
    )


@pytest.mark.parametrize("game", ["razz", "badugi"])
def test_simulated_faults_in_stud_and_draw_lose_repeat_and_leak_nothing(game: str) -> None:
    counts: Counter[str] = Counter()
    for seed in range(3):
        drawn = plan(World(seed))
        given = replace(drawn, settings=replace(drawn.settings, game=game), house=())
        counts += Arena(seed, given).play()
    assert counts["match_end"] == counts["matches"] >= 3
    assert counts["DRAW" if game == "badugi" else "UP_CARD"] > 10
    assert counts["client"] > 10 * counts["matches"], "hardly anybody played"
