"""Finished hands over HTTP: from a server that plays, as strangers ask for them."""

import asyncio
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from pitboss.arena.connections import web
from pitboss.arena.connections.web import PHH
from pitboss.arena.rooms.logins import Limits
from pitboss.formats.phh import read_phh, read_phhs
from tests.support.arena.servers import Arena, arena, visit, within

HOUSE = ("calling", "random")


async def ask(place: Arena, path: str) -> tuple[int, Any, str]:
    """The status, the answer and its kind."""
    async with aiohttp.ClientSession() as session, session.get(f"{place.http}/api/tables/{path}") as answer:
        kind = answer.content_type
        return answer.status, await (answer.json() if kind == "application/json" else answer.text()), kind


async def played(place: Arena) -> list[dict[str, Any]]:
    """Watch a match of the house to its end; return the messages to a spectator."""
    async with visit(place.watch()) as spectator:
        await spectator.receive("match_end")
        return spectator.heard


def test_a_finished_match_can_be_listed_replayed_charted_and_taken_home(tmp_path: Path) -> None:
    async def scene() -> None:
        async with arena(tmp_path, seats=2, max_hands=6, house=HOUSE, stack=100_000) as place:
            heard = await played(place)
            status, listed, _ = await ask(place, "T-1/hands")
            assert (status, [hand["number"] for hand in listed["hands"]]) == (200, [6, 5, 4, 3, 2, 1])
            assert set(listed["hands"][0]) == {"number", "hand_id", "pot", "winners", "delta", "showdown", "all_in"}
            assert listed["over"]
            _, history, _ = await ask(place, "T-1/history")
            assert history["hands"] == [0, 1, 2, 3, 4, 5, 6]
            assert set(history["stacks"]) == {"0", "1"}
            _, hand, _ = await ask(place, "T-1/hands/6")
            start = next(k for k, m in enumerate(heard) if m.get("hand_id") == hand["hand_id"])
            live = [m for m in heard[start:] if m["type"] in ("start_hand", "event", "end_hand")]
            assert hand["messages"] == live[-len(hand["messages"]) :]
            assert [m["type"] for m in hand["before"]] == ["table", "lobby"]
            assert {seat: len(cards) for seat, cards in hand["cards"].items()} == {"0": 2, "1": 2}
            status, text, kind = await ask(place, "T-1/hands/6.phh")
            assert (status, kind, read_phh(text).hand) == (200, PHH, 6)
            _, text, _ = await ask(place, "T-1/hands.phhs")
            assert len(list(read_phhs(text))) == 6

    within(scene())


def test_missing_replay_is_reported_in_a_sentence(tmp_path: Path) -> None:
    async def scene() -> None:
        async with arena(tmp_path, seats=2, max_hands=1, house=HOUSE) as place:
            await played(place)
            expected = {
                "T-9/hands": (404, "unknown table; the lobby lists all tables"),
                "T-1/hands/7": (404, "T-1 has no finished hand 7; the last one is 1"),
                "T-1/hands/0": (404, "T-1 has no finished hand 0; the last one is 1"),
                "T-1/hands/-1": (404, "T-1: expected the number of a hand, from 1"),
                "T-1/hands/9.phh": (404, "T-1 has no finished hand 9; the last one is 1"),
                "T-1/hands.phhs?from=5": (404, "T-1 has no finished hand from number 5 on that can be written as PHH"),
                "T-1/hands?team=nobody": (404, "no team with this name has played at T-1"),
                "T-1/hands?before=x": (400, "before: expected a whole number"),
                "T-1/hands?sort=up": (400, "sort: expected one of newest, pots, wins, losses"),
            }
            for path, answer in expected.items():
                assert (await ask(place, path))[:2] == answer, path
            assert (await ask(place, "T-1/hands?limit=100000000"))[0] == 200

    within(scene())


def test_delayed_spectators_get_replays_no_sooner(tmp_path: Path) -> None:
    async def scene() -> None:
        limits = Limits(delay=3600.0)
        async with arena(tmp_path, seats=2, max_hands=2, house=HOUSE, limits=limits) as place:
            asked = 0
            while not place.tables.rooms["T-1"].match.over:
                if asked < 10:  # more requests of one address, on a busy machine, would be cut off
                    await ask(place, "T-1/hands")
                    asked += 1
                await asyncio.sleep(0)
            assert await ask(place, "T-1/hands") == (
                200,
                {"hands": [], "more": False, "finished": 0, "teams": {}, "over": False},
                "application/json",
            )
            assert (await ask(place, "T-1/history"))[1] == {"hands": [], "stacks": {}, "teams": {}}
            for path in ("T-1/hands/1", "T-1/hands/1.phh"):
                assert (await ask(place, path))[:2] == (404, "T-1 has no finished hand 1; none is finished yet")

    within(scene())


def test_a_table_of_another_game_is_replayed_too_but_has_no_phh(tmp_path: Path) -> None:
    async def scene() -> None:
        async with arena(tmp_path, seats=2, max_hands=2, house=("random", "random"), game="kuhn") as place:
            await played(place)
            status, hand, _ = await ask(place, "T-1/hands/1")
            assert status == 200
            assert (hand["messages"][0]["type"], hand["messages"][-1]["type"]) == ("start_hand", "end_hand")
            assert "cards" not in hand
            assert (await ask(place, "T-1/hands/1.phh"))[:2] == (404, "hand 1 of T-1 cannot be written as PHH")

    within(scene())


def test_too_many_requests_are_asked_to_retry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "MOST_REPLAYS_WAITING", 2)

    async def scene() -> None:
        async with arena(tmp_path, seats=2, max_hands=2, house=HOUSE) as place:
            await played(place)
            answers = await asyncio.gather(*[ask(place, "T-1/hands") for _ in range(30)])
            assert {status for status, _, _ in answers} == {200, 503}
            assert {text for status, text, _ in answers if status == 503} == {
                "too many requests for finished hands; try again later"
            }
            assert (await ask(place, "T-1/hands"))[0] == 200

    within(scene())
