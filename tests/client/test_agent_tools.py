"""The tools of an agent at an arena in this process, called by the MCP client of the SDK."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from pitboss.client.agent_tools import AgentTools, CodeFile, ToolFault
from pitboss.client.errors import ArenaError
from pitboss.client.mcp_server import TOOLS, make_server
from tests.support.arena.mcp_players import Client, Refused, call, play_match
from tests.support.arena.servers import Arena, arena, free_port, within


@asynccontextmanager
async def playing(folder: Path, *house: str, **settings: Any) -> AsyncIterator[tuple[Any, Arena]]:
    """An arena and a client of the tools."""
    async with arena(folder, house=house, **{"seats": 2, **settings}) as place:
        tools = AgentTools(place.http)
        try:
            async with Client(make_server(tools)) as client:
                yield client, place
        finally:
            await tools.close()


def test_the_ten_tools_have_the_names_and_arguments_of_the_contract(tmp_path: Path) -> None:
    async def names() -> dict[str, list[str]]:
        async with Client(make_server(AgentTools("http://arena.invalid"))) as client:
            return {tool.name: [*tool.input_schema["properties"]] for tool in (await client.list_tools()).tools}

    assert within(names()) == {
        "list_tables": [],
        "join_table": ["table", "team"],
        "wait_for_turn": ["timeout_s"],
        "act": ["move", "amount"],
        "table_view": [],
        "rules": ["game"],
        "equity": ["hands", "board", "game"],
        "evaluate": ["cards", "game"],
        "stats": ["team"],
        "replay_hand": ["number"],
    }
    assert len(TOOLS) == 10


@pytest.mark.parametrize(
    ("game", "house", "moves"),
    [("no_limit_holdem", "calling", ("CHECK", "CALL")), ("leduc", "random", ("0",))],
)
def test_a_whole_match_of_poker_and_of_a_lab_game(tmp_path: Path, game: str, house: str, moves: Sequence[str]) -> None:
    async def match() -> None:
        async with playing(tmp_path, house, game=game, max_hands=3) as (client, _):
            (table,) = (await call(client, "list_tables"))["tables"]
            assert (table["table"], table["free"], table["over"]) == ("T-1", 1, False)
            result, played = await play_match(client, moves)
            assert result["reason"] == "max_hands"
            assert played >= 3
            assert (await call(client, "stats", team="Ada"))["hands"] == 3
            replayed = await call(client, "replay_hand", number=2)
            assert replayed["events"][0]["type"] == "start_hand"
            assert "you: " in (await call(client, "table_view"))["text"]

    within(match())


def test_errors_are_sentences_that_say_what_is_legal(tmp_path: Path) -> None:
    async def errors() -> None:
        async with playing(tmp_path, "calling", max_hands=2) as (client, _):
            for tool, given, sentence in (
                ("wait_for_turn", {}, "you have no seat: call list_tables, then join_table"),
                ("act", {"move": "CALL"}, "you have no seat"),
                ("rules", {"game": "nothing"}, "no game is called 'nothing'"),
                ("evaluate", {"cards": "AhAh"}, "Ah"),
                ("join_table", {"table": "T-9", "team": "Ada"}, "T-9"),
            ):
                with pytest.raises(Refused, match=sentence):
                    await call(client, tool, **given)
            await call(client, "join_table", table="T-1", team="Ada")
            turn = await call(client, "wait_for_turn", timeout_s=50)
            assert "Your moves:\n1. " in turn["text"]
            for move, amount, sentence in (
                ("JUMP", None, "JUMP: expected one of"),
                ("RAISE_TO", None, "RAISE_TO needs an amount"),
                ("RAISE_TO", 1, "RAISE_TO 1 is out of bounds"),
                ("9", None, "move 9: expected a number from 1 to"),
                ('[{"action": "FOLD", "p": 0.4}]', None, "add up to 1, got 0.4"),
            ):
                with pytest.raises(Refused, match=sentence) as refused:
                    await call(client, "act", move=move, amount=amount)
                assert "; legal: 1. " in str(refused.value)
            with pytest.raises(Refused, match="finish that match first"):
                await call(client, "join_table", table="T-1", team="Bea")
            with pytest.raises(Refused, match="timeout_s: expected more than 0"):
                await call(client, "wait_for_turn", timeout_s=0)
            again = await call(client, "wait_for_turn", timeout_s=5)
            assert again["text"] == turn["text"]

    within(errors())


def test_a_model_answers_with_a_mixed_strategy(tmp_path: Path) -> None:
    async def mixing() -> None:
        async with playing(tmp_path, "calling", max_hands=1) as (client, place):
            await call(client, "join_table", table="T-1", team="Ada")
            turn = await call(client, "wait_for_turn", timeout_s=50)
            stay = "CHECK" if "check" in turn["text"].partition("Your moves:")[2] else "CALL"
            entries = f'[{{"action":"{stay}","p":0.5}},{{"action":"FOLD","p":0.5}}]'
            assert (await call(client, "act", move=entries))["status"] == "played"
            (room,) = place.tables.rooms.values()
            hand = room.match.history.hand or room.match.history.last
            assert hand is not None
            assert any(act.strategy for act in hand.acts)

    within(mixing())


def test_waiting_ends_in_time_and_is_repeated(tmp_path: Path) -> None:
    async def waiting() -> None:
        async with playing(tmp_path) as (client, _):  # the other seat stays free
            await call(client, "join_table", table="T-1", team="Ada")
            turn = await call(client, "wait_for_turn", timeout_s=0.2)
            assert turn["status"] == "waiting"
            with pytest.raises(Refused, match="it is not your turn"):
                await call(client, "act", move="FOLD")

    within(waiting())


def test_a_seat_is_taken_again_with_the_code_that_was_kept(tmp_path: Path) -> None:
    async def again() -> None:
        async with arena(tmp_path, seats=2) as place:
            first = AgentTools(place.http, codes=tmp_path / "state" / "codes.json")
            seat = await first.join_table("T-1", "Ada")
            await first.close()
            second = AgentTools(place.http, codes=tmp_path / "state" / "codes.json")
            assert await second.join_table("T-1", "Ada") == seat
            await second.close()
            stranger = AgentTools(place.http)
            with pytest.raises(ArenaError, match="code"):
                await stranger.join_table("T-1", "Ada")

    within(again())


def test_an_arena_that_is_down_is_named(tmp_path: Path) -> None:
    async def down() -> None:
        nowhere = f"http://127.0.0.1:{free_port()}"
        with pytest.raises(ToolFault, match=f"{nowhere} cannot be reached"):
            await AgentTools(nowhere).list_tables()

    asyncio.run(down())


def test_codes_are_kept_in_a_file_that_only_the_user_can_read(tmp_path: Path) -> None:
    path = tmp_path / "a" / "codes.json"
    code = CodeFile(path).code("here")
    assert CodeFile(path).code("here") == code
    assert CodeFile(path).code("there") != code
    assert path.stat().st_mode & 0o077 == 0
    path.write_bytes(b"\xff not JSON")
    assert CodeFile(path).code("here") != code
