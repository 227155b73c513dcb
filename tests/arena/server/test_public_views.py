"""What a server shows over real sockets: the page, the list of tables, and spectators' streams."""

import asyncio
import json
import re
from pathlib import Path
from random import Random

import aiohttp
import pytest

from pitboss.arena.connections.web import PAGE
from tests.support.arena.raw_bots import RawBot, honest_table, playing
from tests.support.arena.servers import THREE, arena, served, tables_of, visit, within

CARD = re.compile(r'"([2-9TJQKA][cdhs])"')
KINDS = {
    ".js": ("text/javascript", "application/javascript"),
    ".css": ("text/css",),
    ".svg": ("image/svg+xml",),
    ".html": ("text/html",),
}


def test_page_and_its_files_have_the_right_content_types(tmp_path: Path) -> None:
    async def scene() -> None:
        files = {f"/page/{file.relative_to(PAGE).as_posix()}": file for file in PAGE.rglob("*") if file.is_file()}
        async with arena(tmp_path) as place, aiohttp.ClientSession(place.http) as session:
            for path, file in {"/": PAGE / "index.html", **files}.items():
                async with session.get(path) as answer:
                    assert answer.status == 200
                    assert answer.content_type in KINDS[file.suffix], path
                    assert answer.headers["X-Content-Type-Options"] == "nosniff"
                    assert await answer.read() == file.read_bytes()
            page = (PAGE / "index.html").read_text(encoding="utf-8")
            linked = set(re.findall(r'(?:src|href)="(/?page/[^"]+)"', page))
            assert linked
            assert {"/" + path.lstrip("/") for path in linked} <= files.keys()

    within(scene())


def test_list_of_tables_contains_public_information(tmp_path: Path) -> None:
    async def scene() -> None:
        async with (
            arena(tmp_path, tables=3, seats=3, start_at=3, max_hands=900) as place,
            honest_table(place, table="T-2") as table,
            aiohttp.ClientSession(place.http) as session,
        ):
            await table.play(1)
            async with session.get("/api/tables") as answer:
                assert answer.status == 200
                assert answer.content_type == "application/json"
                shown = await answer.text()
            tables = json.loads(shown)
            assert [found["table_id"] for found in tables] == ["T-1", "T-2", "T-3"]
            assert [len(found["players"]) for found in tables] == [0, 3, 0]
            assert tables[0] | {"config": 0} == {
                "table_id": "T-1", "config": 0, "players": [], "hand_id": None, "phase": "WAITING", "over": False,
                "open": True, "free": 3, "missing": [],
            }  # fmt: skip
            assert tables[1]["config"]["max_hands"] == 900
            assert {player["team"] for player in tables[1]["players"]} == {bot.team for bot in table.bots}
            assert all(player["connected"] for player in tables[1]["players"])
            assert "sesame" not in shown
            assert not CARD.search(shown)

    within(scene())


def test_spectators_see_the_hand_from_its_start_and_no_hidden_card(tmp_path: Path) -> None:
    async def scene() -> None:
        async with arena(tmp_path, seats=3, start_at=3) as place, honest_table(place) as table:
            await table.play(1)
            async with visit(place.watch()) as witness:
                seen: set[str] = set()
                while not {"SHOWDOWN", "FOLD"} <= seen or witness.heard[-1]["type"] != "end_hand":
                    await table.until(witness.receive())
                    seen.add(witness.heard[-1].get("ev", ""))
            heard = witness.heard
            assert [frame["type"] for frame in heard[:3]] == ["table", "lobby", "start_hand"]
            numbers = [frame["seq"] for frame in heard if "seq" in frame]
            assert numbers == list(range(numbers[0], numbers[-1] + 1))
            assert {frame["type"] for frame in heard} <= {"table", "lobby", "start_hand", "event", "turn", "end_hand"}
            numbered = {frame["seq"]: frame for frame in heard if "seq" in frame}
            await table.play(1)
            bot = table.bots[0]
            assert numbered == {seq: bot.frames[seq] for seq in numbered}, "players and spectators are told the same"
            with_cards = {frame.get("ev") for frame in heard if CARD.search(json.dumps(frame))}
            assert with_cards <= {"FLOP", "TURN", "RIVER", "SHOWDOWN"}
            folded = {(f["hand_id"], f["seat"]) for f in heard if f.get("ev") == "FOLD"}
            shown = {(f["hand_id"], f["seat"]) for f in heard if f.get("ev") == "SHOWDOWN"}
            assert not folded & shown

    within(scene())


def test_spectator_that_sends_a_message_is_closed(tmp_path: Path) -> None:
    async def scene() -> None:
        async with arena(tmp_path) as place, visit(place.watch()) as peer:
            await peer.hello("Spectator")
            assert await peer.closed() == (1008, "spectators send nothing")

    within(scene())


@pytest.mark.check
def test_spectators_are_delayed_as_configured(tmp_path: Path) -> None:
    async def scene() -> None:
        clock = asyncio.get_running_loop().time
        first, last = [RawBot(f"Bot {k}", Random(k)) for k in range(2)], RawBot("Bot 3", Random(3))
        async with aiohttp.ClientSession() as session:
            with served(tmp_path, "--delay-ms", "700", *THREE) as process:
                async with visit(process.watch()) as witness:
                    await witness.receive("lobby")
                    until_stopped = [playing(session, process, first)]
                    for bot in first:
                        await bot.welcomes.reach(1)
                    before = clock()
                    until_stopped.append(playing(session, process, [last]))
                    await last.heard.reach(10)
                    (listed,) = await tables_of(session, process)
                    assert listed["hand_id"] is None, "the list of tables does not know better"
                    assert {player["stack"] for player in listed["players"]} <= {100_000}
                    start = await witness.receive("start_hand")
                    assert clock() > before + 0.69
                    assert last.board.seq > start["seq"], "the players themselves do not wait"
                assert await asyncio.to_thread(process.end) == 0
                await asyncio.gather(*until_stopped)

    within(scene())
