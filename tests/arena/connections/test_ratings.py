"""Players rate the game of a run over HTTP: only with their code, after a game, once, and within limits."""

import asyncio
import json
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from pitboss.arena.hosts.games import chosen_game
from pitboss.lab.ratings import RATINGS, Rating, read_ratings
from tests.support.arena.servers import Arena, Peer, Place, arena, visit, within
from tests.support.lab.runs import run_with_leduc

GAMMA = {"team": "Gamma", "code": "KF7Q9C"}
GOOD = {**GAMMA, "stars": 4, "word": " quick "}


async def rate(place: Place, body: dict[str, Any] | str | bytes, table: str = "T-1") -> tuple[int, str]:
    """The status and the sentence of the answer to a rating."""
    data = json.dumps(body) if isinstance(body, dict) else body
    address = f"{place.http}/api/tables/{table}/ratings"
    async with aiohttp.ClientSession() as session, session.post(address, data=data) as answer:
        return answer.status, await answer.text()


@asynccontextmanager
async def seated(folder: Path, *, asks: bool = True, hands: int = 1) -> AsyncIterator[tuple[Arena, Peer]]:
    """A table with the game of a run, where Gamma has a turn and more than one hand can follow."""
    file = run_with_leduc(folder / "run")
    game = chosen_game(str(file))
    own: dict[str, Any] = {
        "game": game.game,
        "own_game": game.own_game,
        "seats": 2,
        "max_hands": hands,
        "house": ("random",),
    }
    async with arena(folder, ratings=folder / "run" if asks else None, **own) as place, visit(place.ws()) as bot:
        await bot.hello(GAMMA["team"], GAMMA["code"])
        yield place, bot


async def play(bot: Peer) -> None:
    """Play with the first legal move until the match is over."""
    while (frame := await bot.receive("ask", "match_end"))["type"] == "ask":
        await bot.say({"type": "move", "v": 1, "hand_id": frame["hand_id"], "turn": frame["turn"], "index": 0})


def stored(folder: Path) -> list[Rating]:
    """The ratings of the run."""
    return [*read_ratings(folder / "run").given]


def test_a_rating_is_stored_where_the_next_evolution_reads_it(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as (place, bot):
            await play(bot)
            assert await rate(place, GOOD) == (204, "")

    within(scene())
    (rating,) = stored(tmp_path)
    assert (rating.game, rating.stars, rating.word, rating.by) == ("evolved_leduc", 4, "quick", "Gamma")
    assert stat.S_IMODE((tmp_path / "run" / RATINGS).stat().st_mode) == 0o600


def test_a_team_rates_a_game_once_even_at_the_same_time_and_after_a_restart(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as (place, bot):
            await play(bot)
            answers = await asyncio.gather(*[rate(place, GOOD) for _ in range(5)])
            assert sorted(answers) == [(204, "")] + [(409, "Gamma has already rated this game")] * 4

    async def again() -> None:
        async with arena(tmp_path, ratings=tmp_path / "run") as place:
            assert await rate(place, GOOD) == (409, "Gamma has already rated this game")

    within(scene())
    within(again())
    assert len(stored(tmp_path)) == 1


def test_a_game_can_be_rated_only_when_one_is_over(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as (place, bot):
            await bot.receive("ask")
            status, said = await rate(place, GOOD)
            assert (status, said) == (409, "a game can be rated when it is over, and none is over at this table")

    within(scene())
    assert stored(tmp_path) == []


def test_only_players_with_their_code_rate(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as (place, bot):
            await play(bot)
            for other in ({"code": "wrong"}, {"team": "Delta"}, {"team": "random (house)"}):
                status, said = await rate(place, {**GOOD, **other})
                assert (status, said) == (403, "no team with this name and code has a seat at this table"), other

    within(scene())
    assert stored(tmp_path) == []


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"stars": 0}, "stars: expected a whole number from 1 to 5, got 0"),
    ({"stars": 6}, "stars: expected a whole number from 1 to 5, got 6"),
    ({"stars": -1}, "stars: expected a whole number from 1 to 5, got -1"),
    ({"stars": 10**30}, "expected a JSON object"),
    ({"stars": 2.5}, "expected a JSON object"),
    ({"stars": True}, "expected a JSON object"),
    ({"stars": "5"}, "expected a JSON object"),
    ({"stars": None}, "expected a JSON object"),
    ({"word": 7}, "expected a JSON object"),
    ({"word": "x" * 201}, "word: expected at most 200 characters, got 201"),
    ({"word": "a\nb"}, "word: expected no control or invisible characters, got U+000A"),
    ({"word": "\x1b[2J"}, "word: expected no control or invisible characters, got U+001B"),
    ({"word": "a\u202eb"}, "word: expected no control or invisible characters, got U+202E"),
    ({"team": ""}, "expected a JSON object"),
]


def test_a_refused_rating_is_one_sentence_and_the_table_plays_on(tmp_path: Path) -> None:
    bodies: list[tuple[dict[str, Any] | str | bytes, str]] = [({**GOOD, **wrong}, said) for wrong, said in REFUSED]
    bodies += [(body, "expected a JSON object") for body in ("", "[]", "4", "[" * 8000, b"\xff", GAMMA)]

    async def scene() -> None:
        async with seated(tmp_path, hands=2) as (place, bot):
            for body, expected in bodies:
                status, said = await rate(place, body)
                assert (status, said.startswith(expected), "\n" in said) == (400, True, False), (body, said)
            assert (await rate(place, "x" * 9000))[0] == 413
            assert await rate(place, GOOD, "T-9") == (404, "unknown table; the lobby lists all tables")
            await play(bot)
            assert (await rate(place, GOOD))[0] == 204

    within(scene())
    assert len(stored(tmp_path)) == 1


def test_a_server_that_does_not_ask_and_a_game_of_no_run_store_nothing(tmp_path: Path) -> None:
    async def silent() -> None:
        async with seated(tmp_path, asks=False) as (place, _):
            assert await rate(place, GOOD) == (404, "the organiser does not collect ratings of this game")

    async def poker() -> None:
        (tmp_path / "other").mkdir()
        async with arena(tmp_path / "other", ratings=tmp_path / "run") as place:
            assert await rate(place, GOOD) == (404, "the organiser does not collect ratings of this game")

    within(silent())
    within(poker())
    assert stored(tmp_path) == []


def test_a_file_that_cannot_be_written_is_reported_to_the_organiser_alone(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as (place, bot):
            await play(bot)
            (tmp_path / "run" / RATINGS).mkdir()
            assert await rate(place, GOOD) == (503, "the server cannot store ratings now")
            assert [line for line in place.logged if line.startswith("a rating is lost: ") and RATINGS in line]
            (tmp_path / "run" / RATINGS).rmdir()
            assert (await rate(place, GOOD))[0] == 204, "the same answer again, once there is a place for it"

    within(scene())
    assert len(stored(tmp_path)) == 1


@pytest.mark.parametrize("origin", ["http://evil.example", "null"])
def test_a_page_of_another_site_cannot_rate(tmp_path: Path, origin: str) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as (place, _), aiohttp.ClientSession() as session:
            address = f"{place.http}/api/tables/T-1/ratings"
            async with session.post(address, data=json.dumps(GOOD), headers={"Origin": origin}) as answer:
                assert answer.status == 403

    within(scene())
