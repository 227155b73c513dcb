"""A cash table at a real server: it is killed and restarted, reports where its chips are, and reveals its decks."""

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import aiohttp
import pytest

from pitboss.arena.verify.journal import verify_table
from pitboss.store import open_store
from tests.support.arena.servers import Frame, Place, Process, within

CASH = (
    "--cash",
    "--rake",
    "5:300",
    "--straddle",
    "200",
    "--house",
    "random,tight",
    "--house-think-ms",
    "0",
    "--bots-rebuy",
)


class CashBot:
    """A plain client that also sits out, returns, tops up and leaves at random."""

    def __init__(self, team: str, seed: int) -> None:
        self.team, self.random = team, Random(seed)
        self.got: list[Frame] = []
        self.errors: list[str] = []
        self.has_ended_hand = asyncio.Event()

    async def play(self, place: Place, hands: int) -> None:
        """Play until this many hands have ended, or the server is gone."""
        seat = -1
        async with aiohttp.ClientSession() as session, session.ws_connect(place.ws()) as ws:
            await ws.send_json({"type": "hello", "v": 1, "team": self.team, "join_code": "c" + self.team})
            async for message in ws:
                frame: Frame = message.json()
                self.got.append(frame)
                if frame["type"] in ("act", "snapshot") and "legal" in frame:
                    legal, hand_id = frame["legal"], frame.get("hand_id") or frame["at_hand_id"]
                    action = {"type": "action", "v": 1, "hand_id": hand_id, "turn": frame["turn"]}
                    word = "CHECK" if "CHECK" in legal else self.random.choice(["CALL", "FOLD"])
                    await ws.send_json({**action, "action": word})
                elif frame["type"] == "end_hand":
                    hands -= 1
                    self.has_ended_hand.set()
                    if hands <= 0:
                        return
                    await self._wish(ws)
                elif frame["type"] == "welcome":
                    seat = frame["seat"]
                elif frame.get("ev") == "LEFT" and frame["seat"] == seat:
                    hello = {"type": "hello", "v": 1, "team": self.team, "join_code": "c" + self.team, "buy_in": 5000}
                    await ws.send_json(hello)
                elif frame["type"] == "error":
                    self.errors.append(frame["code"])

    async def _wish(self, ws: aiohttp.ClientWebSocketResponse) -> None:
        wishes: list[dict[str, Any]] = [
            {"type": "sit_out"},
            {"type": "sit_out", "until": "big_blind"},
            {"type": "sit_in"},
            {"type": "sit_in"},
            {"type": "top_up", "amount": 100},
            {"type": "leave"},
        ]
        if self.random.random() < 0.5:
            await ws.send_json({"v": 1, **self.random.choice(wishes)})


async def table_of(place: Place) -> dict[str, Any]:
    async with aiohttp.ClientSession() as session, session.get(place.http + "/api/tables/T-1") as answer:
        assert answer.status == 200
        found: dict[str, Any] = await answer.json()
    assert found["brought"] == found["in_play"] + found["taken"] + found["rake"], found
    return found


@pytest.mark.check
def test_chips_are_conserved_over_kills_and_all_decks_are_public_in_the_end(tmp_path: Path) -> None:
    async def life(place: Process, number: int, bots: list[CashBot]) -> dict[str, Any]:
        done, pending = await asyncio.wait(
            [asyncio.create_task(bot.play(place, 15)) for bot in bots], return_when=asyncio.FIRST_COMPLETED
        )
        found = await table_of(place)
        for task in pending:
            task.cancel()
        await asyncio.gather(*done, *pending, return_exceptions=True)
        return found

    async def scene() -> CashBot:
        bots = [CashBot(f"team {k}", k) for k in range(3)]
        brought = 0
        for number in range(2):
            place = Process(tmp_path, *CASH)
            found = await life(place, number, bots)
            assert found["brought"] >= brought
            brought = found["brought"]
            place.kill()
        place = Process(tmp_path, *CASH)
        again = [CashBot(f"team {k}", 9 + k) for k in range(3)]
        playing = [asyncio.create_task(bot.play(place, 10**6)) for bot in again]
        await again[0].has_ended_hand.wait()
        assert await asyncio.to_thread(place.end) == 0
        await asyncio.gather(*playing)
        return again[0]

    last = within(scene())
    revealed = [hand["hand_id"] for frame in last.got if frame["type"] == "reveal" for hand in frame["hands"]]
    ended = [frame["hand_id"] for frame in last.got if frame["type"] == "end_hand"]
    assert set(ended) <= set(revealed)
    with open_store(str(tmp_path / "arena.db")) as store:
        report = verify_table("T-1", store.read("T-1"))
    assert report.problems == []
    assert report.hands > 10


def test_cash_table_accounts_for_its_chips(tmp_path: Path) -> None:
    async def scene(place: Place) -> None:
        found = await table_of(place)
        assert found["brought"] == 20_000
        assert found["config"]["cash"] is True
        assert found["config"]["min_buy_in"] == 2_000
        async with aiohttp.ClientSession() as session, session.get(place.http + "/api/tables/none") as answer:
            assert answer.status == 404

    place = Process(tmp_path, *CASH)
    try:
        within(scene(place))
    finally:
        place.kill()
