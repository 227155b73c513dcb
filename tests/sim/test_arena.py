"""Hundreds of matches, each from one number: bad clients, slow disks, crashes; and nothing is lost or shown.

The parlour and its witness look at every frame and every chip, the bots at every action. A failure names its seed:
`python -m tests.support.sim.simulated SEED` plays it again.
"""

from collections import Counter

import pytest

from tests.support.sim.simulated import SimulatedMatch

MATCHES = 30
"""In each of the parts."""


def played(seeds: range) -> Counter[str]:
    """Play matches; the first that fails names its seed."""
    counts = Counter[str]()
    for seed in seeds:
        try:
            counts += SimulatedMatch(seed).play()
        except Exception as error:
            raise AssertionError(f"seed {seed}: {type(error).__name__}: {error}") from error
    return counts


@pytest.mark.parametrize("part", range(10))
def test_nothing_is_lost_doubled_or_shown_whatever_happens(part: int) -> None:
    counts = played(range(part * MATCHES, (part + 1) * MATCHES))
    assert counts["MatchEnd"] == MATCHES
    assert counts["StartHand"] == counts["EndHand"], "every hand ends"
    wanted = ("crash", "timeout", "client", "twice", "take_over", "misbehave", "drop", "all-in", "run-out", "side pots")
    assert [what for what in wanted if counts[what] < 3] == [], "hardly ever came up, so nothing was tried"


def test_one_number_decides_a_whole_night() -> None:
    one, other = SimulatedMatch(7), SimulatedMatch(7)
    assert one.play() == other.play()
    assert one.parlour.disk.rows == other.parlour.disk.rows
    assert SimulatedMatch(8).play() != one.counts
