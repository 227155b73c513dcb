"""Teams over HTTP: their results, which are public, and their refused messages, which need their code."""

import json
from pathlib import Path
from typing import Any

import aiohttp

from pitboss.arena.rooms.logins import Limits
from tests.support.arena.servers import Arena, arena, visit, within

HOUSE = ("calling", "random")


async def get(place: Arena, path: str) -> tuple[int, Any]:
    """The status and the answer."""
    async with aiohttp.ClientSession() as session, session.get(f"{place.http}/api/tables/{path}") as answer:
        return answer.status, await (answer.json() if answer.status == 200 else answer.text())


async def post(
    place: Arena, body: dict[str, Any] | str, *, table: str = "T-1", origin: str | None = None
) -> tuple[int, Any]:
    """The status and the answer to a request for errors."""
    data = body if isinstance(body, str) else json.dumps(body)
    headers = {} if origin is None else {"Origin": origin}
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{place.http}/api/tables/{table}/errors", data=data, headers=headers) as answer,
    ):
        return answer.status, await (answer.json() if answer.status == 200 else answer.text())


def test_the_teams_of_a_finished_match_add_up(tmp_path: Path) -> None:
    async def scene() -> None:
        async with arena(tmp_path, seats=2, max_hands=6, house=HOUSE, stack=100_000) as place:
            async with visit(place.watch()) as spectator:
                await spectator.receive("match_end")
            status, found = await get(place, "T-1/teams")
            assert (status, found["hands"], found["finished"], found["since"]) == (200, 6, 6, 1)
            assert [team["team"] for team in found["teams"]] == ["calling (house)", "random (house)"]
            assert sum(team["won"] for team in found["teams"]) == 0
            for team in found["teams"]:
                assert team["time"]["turns"] == team["turns"] > 0
                assert (team["timeouts"], team["errors"]) == (0, 0)
            assert await get(place, "T-9/teams") == (404, "unknown table; the lobby lists all tables")

    within(scene())


def test_the_teams_figures_lag_behind_with_the_spectators(tmp_path: Path) -> None:
    async def scene() -> None:
        limits = Limits(delay=3600.0)
        async with arena(tmp_path, seats=2, max_hands=3, house=HOUSE, limits=limits) as place:
            over = False
            while not over:
                over = place.tables.rooms["T-1"].match.over
                _, found = await get(place, "T-1/teams")
                assert (found["hands"], found["finished"], found["teams"]) == (0, 0, [])

    within(scene())


def test_team_errors_can_be_read_only_with_the_teams_code(tmp_path: Path) -> None:
    async def scene() -> None:
        async with arena(tmp_path, seats=3, house=("calling",)) as place, visit(place.ws()) as bot:
            await bot.hello("Gamma", "KF7Q9C")
            act = await bot.receive("act")
            asked = {"hand_id": act["hand_id"], "turn": act["turn"]}
            await bot.say({"type": "action", "v": 1, "action": "RAISE_TO", "amount": 1, **asked})
            await bot.error()
            status, found = await post(place, {"team": "Gamma", "code": "KF7Q9C"})
            assert (status, found["team"], found["seat"]) == (200, "Gamma", 1)
            (error,) = found["errors"]
            assert (error["code"], error["hand_id"], error["turn"]) == ("INVALID_ACTION", act["hand_id"], act["turn"])
            assert 0 <= error["ago_ms"] < 60_000
            wrong = (403, "no team with this name and code has a seat at this table")
            assert await post(place, {"team": "Gamma", "code": "guess"}) == wrong
            assert await post(place, {"team": "Nobody", "code": "guess"}) == wrong
            assert await post(place, {"team": "calling (house)", "code": "guess"}) == wrong
            assert (await post(place, {"team": "Gamma", "code": "KF7Q9C"}, table="T-9"))[0] == 404
            _, found = await get(place, "T-1/teams")
            assert "KF7Q9C" not in json.dumps(found)

    within(scene())


def test_guessing_a_code_is_as_slow_here_as_with_hellos(tmp_path: Path) -> None:
    async def scene() -> None:
        async with arena(tmp_path, seats=3) as place, visit(place.ws()) as bot:
            await bot.hello("Gamma", "KF7Q9C")
            await bot.receive("welcome")
            guesses = [(await post(place, {"team": "Gamma", "code": "guess"}))[0] for _ in range(7)]
            assert guesses[:5] == [403] * 5
            assert 429 in guesses
            status, sentence = await post(place, {"team": "Gamma", "code": "KF7Q9C"})
            assert (status, sentence) == (429, "too many wrong codes for this team from your address")
            async with visit(place.ws()) as other:
                await other.hello("Gamma", "KF7Q9C")
                assert await other.error() == "RATE_LIMITED"

    within(scene())


def test_invalid_error_request_is_refused(tmp_path: Path) -> None:
    async def scene() -> None:
        async with arena(tmp_path, seats=3) as place:
            for body in ("", "{", "[]", '{"team": 1, "code": "x"}', '{"team": "x"}', '{"team": "", "code": "x"}'):
                assert (await post(place, body))[0] == 400, body
            assert (await post(place, "x" * 9000))[0] == 413
            assert (await post(place, {"team": "x", "code": "y"}, origin="http://evil.example"))[0] == 403
            assert (await get(place, "T-1/errors"))[0] == 405

    within(scene())


def test_deeply_nested_json_is_refused_like_any_other_nonsense(tmp_path: Path) -> None:
    async def scene() -> None:
        async with arena(tmp_path, seats=3) as place:
            for body in ("[" * 8000, '{"team":' * 800, '{"team":"x","code":"y","z":' + "[" * 7000):
                assert (await post(place, body))[0] == 400, body[:20]
            assert not [line for line in place.logged if "RecursionError" in line or "Traceback" in line]

    within(scene())
