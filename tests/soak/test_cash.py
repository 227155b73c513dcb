"""A small version of `make cash`: two lives of a cash table, and an audit of all hands."""

from pathlib import Path

import pytest

from tests.soak.cash import CashGames
from tests.support.arena.servers import within

SEEN = {"PostDead", "SatOutMessage", "SatIn", "LeftMessage", "ToppedUpMessage", "RakeMessage", "StraddleMessage"}


@pytest.mark.slow
def test_chips_and_blinds_are_correct_over_three_interfaces(tmp_path: Path) -> None:
    games = CashGames(tmp_path, seed=2)
    audited = within(games.play(240, hands_a_life=120), bound=900)
    assert games.kills == 2
    assert audited.hands >= 240
    assert games.verify() == audited.hands
    assert audited.seen.keys() >= SEEN, SEEN - audited.seen.keys()
    assert games.counts["document: action"] > 0
