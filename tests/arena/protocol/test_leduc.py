"""The protocol page's game of Leduc: its bot plays matches, and the question on the page is a real one."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from pitboss.arena.protocol.page import LEDUC, worked_moves
from pitboss.lab.game_type import lab_game
from tests.support.arena.docs import blocks
from tests.support.arena.servers import arena, within


@pytest.fixture(scope="module")
def bot() -> dict[str, Any]:
    """What the page's program defines."""
    [source] = [block for block in blocks("python") if '"move"' in block]
    names: dict[str, Any] = {"__name__": "duchess"}
    exec(compile(source, "protocol.md", "exec"), names)
    return names


def test_two_of_the_pages_bots_play_a_match_to_its_end(
    tmp_path: Path, bot: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    async def match() -> list[dict[str, Any]]:
        async with arena(tmp_path, game="leduc", seats=2, stack=100, max_hands=30, move_time_ms=60_000) as place:
            bots = [bot["play"](place.ws(), team, "code") for team in ("Duchess", "Countess")]
            return list(await asyncio.gather(*bots))

    ends = within(match())
    assert ends[0] == ends[1]
    assert ends[0]["reason"] in ("max_hands", "last_standing")
    assert capsys.readouterr().out == "", "no answer was refused"


def test_bot_plays_the_example_game(bot: dict[str, Any]) -> None:
    lines = [json.loads(line[2:]) for line in worked_moves("leduc", 2, 1, LEDUC)]
    asked = [line for line in lines if line["type"] == "ask"]
    assert [line["legal"] for line in asked] == [["check", "bet"], ["fold", "call", "raise"]] * 2
    assert bot["choose"](asked[0]) == "check", "with a queen"


def test_the_page_shows_the_game_whole() -> None:
    [shown] = [block for block in blocks("text") if '"ask"' in block and "hearts" not in block]
    assert shown.splitlines() == worked_moves("leduc", 2, 1, LEDUC)
    last = json.loads(shown.splitlines()[-1][2:])
    assert (last["type"], [row["stack"] for row in last["stacks"]]) == ("end_hand", [100, 100])


def test_every_event_of_the_game_is_explained(bot: dict[str, Any]) -> None:
    page = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text(encoding="utf-8")
    happened = [json.loads(line[2:]) for line in worked_moves("leduc", 2, 1, LEDUC) if '"HAPPENED"' in line]
    kinds = {line["event"]["type"] for line in happened}
    assert len(kinds) == 9
    assert not [kind for kind in kinds if f"`{kind}`" not in page]
    assert lab_game("leduc").places == range(2, 3)
