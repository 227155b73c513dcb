"""Positions of recorded hands are written and read back without a change."""

from itertools import islice
from pathlib import Path

import pytest

from pitboss.errors import PitbossError
from pitboss.hand.position import read_position, write_position
from pitboss.histories import read
from pitboss.records.steps import replay_steps

pytestmark = pytest.mark.check

HANDS_PER_FILE = 25  # from each file
"""How many hands of each file are tried."""


def test_positions_of_recorded_hands_read_back(shared_data: Path) -> None:
    tried = 0
    for path in sorted((shared_data / "phh").glob("*.phhs")):
        for record in islice(read(path, lenient=True), HANDS_PER_FILE):
            try:
                steps = list(replay_steps(record, lenient=True))
            except PitbossError:
                continue  # tested in test_recorded_hands.py
            for step in steps:
                assert read_position(write_position(step.hand)) == step.hand
            tried += len(steps)
    assert tried > 1000
