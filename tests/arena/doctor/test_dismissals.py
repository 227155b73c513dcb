"""How a bot takes being sent away: it has to come once more, for which it has so long."""

import asyncio
from typing import Any

import pytest

from pitboss.arena.doctor import endpoint
from pitboss.arena.doctor.endpoint import RESTART_WAIT
from pitboss.arena.doctor.exam import Pace


@pytest.mark.parametrize(("comes", "waits"), [(RESTART_WAIT + 100, RESTART_WAIT), (RESTART_WAIT / 2, RESTART_WAIT / 2)])
def test_doctor_shows_how_long_it_waits_for_a_bot_started_by_the_user(
    comes: float, waits: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def perform(*_: Any) -> None:
        return None

    said: list[str] = []
    monkeypatch.setattr(endpoint, "_perform", perform)
    asyncio.run(endpoint._dismissals(None, None, Pace(comes=comes), said.append))  # type: ignore[arg-type]  # not used
    assert said
    assert all(line.startswith(f"start the bot once more within {waits:g} s") for line in said)
