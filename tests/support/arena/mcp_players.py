"""A player that uses an arena through the tools of MCP, as a model would."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import pytest

Client: Any = pytest.importorskip("mcp", reason="the extra mcp is not installed: make .venv/.dev").Client
"""The client of the SDK."""
TABLE, TEAM = "T-1", "Ada"


class Refused(Exception):
    """An error of a tool, as the model reads it."""


async def call(client: Any, tool: str, **given: Any) -> dict[str, Any]:
    """Call a tool and return its result."""
    result = await client.call_tool(tool, given)
    if result.is_error:
        raise Refused(result.content[0].text)
    found = result.structured_content
    assert isinstance(found, dict)
    return found


async def play_match(client: Any, moves: Sequence[str]) -> tuple[dict[str, Any], int]:
    """Play at the first table until the match is over; of these moves, make the first legal one each turn."""
    await call(client, "join_table", table=TABLE, team=TEAM)
    played = 0
    while True:
        turn = await call(client, "wait_for_turn", timeout_s=50)
        if turn["status"] == "match_over":
            return dict(turn["result"]), played
        assert turn["status"] == "your_turn", turn
        for move in moves:
            with suppress(Refused):
                await call(client, "act", move=move)
                played += 1
                break
        else:
            raise AssertionError(f"none of {moves} was legal: {turn}")
