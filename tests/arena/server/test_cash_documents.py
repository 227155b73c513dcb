"""Cash tables by document at a real server: reading, posting, topping up and following, with each status code."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

from pitboss.arena.connections.document_exchange import DOCUMENT_BYTES
from pitboss.arena.rooms.logins import Limits
from tests.support.arena.servers import Arena, arena, code_of, visit, within

SETTINGS: dict[str, Any] = {
    "cash": True,
    "stack": 10_000,
    "min_buy_in": 2_000,
    "timeout_policy": "check_fold",
    "move_time_ms": 600_000,
}
WHERE = "/api/tables/T-1/document"


class Player:
    """A client that only uses documents; without a team it is a spectator."""

    def __init__(self, place: Arena, session: aiohttp.ClientSession, team: str = "", code: str = "") -> None:
        self.team, self._session, self._url = team, session, place.http + WHERE
        self._query = f"?team={team}" if team else ""
        self._headers = {"Authorization": f"Bearer {code or code_of(team)}"} if team else {}

    async def get(self, **headers: str) -> tuple[int, str, dict[str, Any]]:
        """The status, the tag and the document."""
        async with self._session.get(self._url + self._query, headers={**self._headers, **headers}) as answer:
            body = await answer.text()
            found = json.loads(body) if answer.content_type == "application/json" else {"said": body}
            return answer.status, answer.headers.get("ETag", ""), found

    async def post(self, what: Any, where: str = "") -> tuple[int, dict[str, Any]]:
        """The status and the answer."""
        body = what if isinstance(what, bytes) else json.dumps(what).encode()
        url = self._url + where + self._query
        async with self._session.post(url, data=body, headers=self._headers) as answer:
            said = await answer.text()
            return answer.status, json.loads(said) if answer.content_type == "application/json" else {"said": said}

    async def join(self, stack: Any = 5_000, **more: Any) -> tuple[int, dict[str, Any]]:
        """Append oneself to the spectators' document, and post it."""
        async with self._session.get(self._url) as answer:
            fields = await answer.json()
        own = {"players": self.team, "startingStacks": stack, "_intents": 0, **more}
        return await self.post({**fields, **{name: [*fields[name], value] for name, value in own.items()}})


@asynccontextmanager
async def cash(folder: Path, **more: Any) -> AsyncIterator[tuple[Arena, aiohttp.ClientSession]]:
    async with arena(folder, **{**SETTINGS, **more}) as place, aiohttp.ClientSession() as session:
        yield place, session


def test_a_hand_is_played_by_documents_alone(tmp_path: Path) -> None:
    async def scene() -> None:
        async with cash(tmp_path) as (place, session):
            players = {team: Player(place, session, team) for team in ("ann", "bob")}
            for player in players.values():
                status, answer = await player.join()
                assert (status, answer["ignored"]) == (200, []), answer
            for _ in range(40):
                for player in players.values():
                    status, tag, fields = await player.get()
                    assert status == 200
                    assert (await Player(place, session).get())[1] == tag, "one number for every viewer"
                    if fields["hand"] > 1:
                        return
                    own = fields["players"].index(player.team) + 1
                    assert len([text for text in fields["actions"] if "????" in text]) == 1
                    await player.post({**fields, "actions": [*fields["actions"], f"p{own} cc"]})
            raise AssertionError("the hand does not end")

    within(scene())


def test_a_bot_and_a_document_play_at_one_table(tmp_path: Path) -> None:
    async def scene() -> None:
        async with cash(tmp_path) as (place, session), visit(place.ws()) as bot:
            await bot.hello("bot")
            await bot.receive("welcome")
            ann = Player(place, session, "ann")
            assert (await ann.join())[0] == 200
            for _ in range(60):
                _, _, fields = await ann.get()
                if fields["hand"] > 1:
                    return
                own = fields["players"].index("ann") + 1
                status, answer = await ann.post({**fields, "actions": [*fields["actions"], f"p{own} cc"]})
                if status == 409:  # it is the bot's turn
                    assert answer["refused"]
                    act = await bot.receive("act")
                    word = "CHECK" if "CHECK" in act["legal"] else "CALL"
                    await bot.say(
                        {"type": "action", "v": 1, "hand_id": act["hand_id"], "turn": act["turn"], "action": word}
                    )
                    while (await ann.get())[2]["actions"] == fields["actions"]:
                        await asyncio.sleep(0)
            raise AssertionError("the hand does not end")

    within(scene())


def test_every_status_of_the_contract(tmp_path: Path) -> None:
    async def scene() -> None:
        async with cash(tmp_path, seats=3) as (place, session):
            ann, bob, nobody = (Player(place, session, team) for team in ("ann", "bob", ""))
            assert (await nobody.get())[2]["players"] == []
            assert (await nobody.post({}))[0] == 401, "a post needs a code"
            assert (await ann.get())[0] == 401, "not at the table yet"
            assert (await ann.join())[0] == 200
            assert (await ann.join())[0] == 200, "what is there already is ignored"
            assert (await Player(place, session, "ann", "wrong").get())[0] == 401
            assert (await Player(place, session, "ann", "wrong").post({}))[0] == 401
            status, tag, fields = await ann.get()
            assert (status, fields["author"], fields["players"]) == (200, "ann", ["ann"])
            assert (await ann.get(**{"If-None-Match": tag}))[:2] == (304, tag)
            assert (await nobody.get(**{"If-None-Match": tag}))[0] == 304
            assert (await ann.get(**{"If-None-Match": '"0"'}))[0] == 200

            assert (await ann.post(b"[1"))[0] == 422
            assert (await ann.post(b'{"players": NaN}'))[0] == 422
            assert (await ann.post(b" " * DOCUMENT_BYTES + b"{}"))[0] == 413
            assert (await ann.post(b"{}" + b" " * (DOCUMENT_BYTES - 2)))[0] == 200

            async def pieces() -> AsyncIterator[bytes]:
                for _ in range(DOCUMENT_BYTES // 1024 + 1):
                    yield b" " * 1024

            headers = {"Authorization": f"Bearer {code_of('ann')}"}
            async with session.post(f"{place.http}{WHERE}?team=ann", data=pieces(), headers=headers) as refused:
                assert refused.status == 413, "a chunked body is counted"

            assert (await bob.join(10.5))[0] == 422
            assert (await bob.join(100))[0] == 422
            assert (await Player(place, session, "аnn").join())[0] in (409, 422), "a name that looks alike"
            assert (await bob.join(10**9))[1]["document"]["startingStacks"][1] == 10_000
            assert (await Player(place, session, "c").join())[0] == 200
            code, answer = await Player(place, session, "d").join()
            assert (code, answer["document"]["players"]) == (409, ["ann", "bob", "c"]), "the table is full"
            assert "????" in json.dumps(answer["document"])

            _, _, fields = await ann.get()
            moves = {own: [*fields["actions"], f"p{own} f"] for own in (1, 2, 3)}
            fresh = {team: (await Player(place, session, team).get())[2] for team in ("ann", "bob", "c")}
            found = []
            for own, team in enumerate(fresh, 1):
                posted = {**fresh[team], "actions": [*fresh[team]["actions"], f"p{own} cbr 7"]}
                status, answer = await Player(place, session, team).post(posted)
                assert (status, answer["document"]["author"]) == (409, team)
                assert answer["refused"]
                found.append(answer["document"]["actions"] == fresh[team]["actions"])
            assert all(found)
            stale = {**fields, "actions": moves[1][1:], "_intents": [2, 2, 2]}
            status, answer = await ann.post(stale)
            assert (status, answer["document"]["_intents"]) == (200, [2, 0, 0])
            assert [sentence for sentence in answer["ignored"] if sentence.startswith("actions")]

            assert (await bob.post({"amount": 500}, "/top_up"))[0] == 422, "it has the most already"
            assert (await ann.post({"amount": 500}, "/top_up"))[0] == 200
            for wrong in ({"amount": 0}, {"amount": 1.5}, {"amount": "x"}, {}, {"amount": 10**30}):
                assert (await ann.post(wrong, "/top_up"))[0] == 422, wrong
            assert (await ann.post(b" " * 9000, "/top_up"))[0] == 413
            assert (await nobody.post({"amount": 500}, "/top_up"))[0] == 401
            async with session.get(f"{place.http}/api/tables/none/document") as missing:
                assert missing.status == 404

    within(scene())


def test_a_team_that_has_left_gets_the_document_of_spectators(tmp_path: Path) -> None:
    async def scene() -> None:
        async with cash(tmp_path) as (place, session):
            ann, bob = (Player(place, session, team) for team in ("ann", "bob"))
            for player in (ann, bob):
                await player.join()
            _, _, fields = await ann.get()
            status, answer = await ann.post({**fields, "_intents": [3, 0]})
            assert status == 200
            assert answer["document"] == (await Player(place, session).get())[2] == (await ann.get())[2]
            assert "author" not in answer["document"]
            assert (await Player(place, session, "ann", "wrong").join())[0] == 401
            while "ann" in (await ann.get())[2]["players"]:
                await asyncio.sleep(0)
            assert (await ann.join(3_000))[0] == 200, "it may come back with its code"

    within(scene())


def test_too_many_requests_are_refused(tmp_path: Path) -> None:
    async def scene() -> None:
        limits = Limits(frames_a_second=0.001, burst=5)
        async with cash(tmp_path, limits=limits) as (place, session):
            ann = Player(place, session, "ann")
            await ann.join()
            statuses = [(await ann.post({}))[0] for _ in range(7)]
            assert statuses[0] == 200
            assert statuses[-1] == 429

    within(scene())


def test_wrong_codes_have_to_wait_and_do_not_lock_out_the_team(tmp_path: Path) -> None:
    async def scene() -> None:
        async with cash(tmp_path) as (place, session):
            ann = Player(place, session, "ann")
            await ann.join()
            statuses = [(await Player(place, session, "ann", f"guess {number}").get())[0] for number in range(7)]
            assert statuses[:5] == [401] * 5
            assert statuses[-1] == 429
            assert (await ann.get())[0] == 200, "its code is remembered"
            assert not [line for line in place.logged if code_of("ann") in line]

    within(scene())


def test_many_join_at_once_and_each_seat_is_given_once(tmp_path: Path) -> None:
    async def scene() -> None:
        async with cash(tmp_path, seats=6) as (place, session):
            teams = [Player(place, session, f"team{number}") for number in range(10)]
            same = [Player(place, session, "same", f"code {number}") for number in range(3)]
            found = await asyncio.gather(*[player.join() for player in (*same, *teams)])
            assert sorted(status for status, _ in found).count(200) == 6
            assert {status for status, _ in found} <= {200, 401, 409}
            players = (await Player(place, session).get())[2]["players"]
            assert len(set(players)) == 6

    within(scene())


async def numbers(stream: aiohttp.ClientResponse, count: int) -> list[int]:
    """The next numbers that a follower is sent."""
    found: list[int] = []
    while len(found) < count:
        line = (await stream.content.readline()).decode()
        if line.startswith("id: "):
            found.append(int(line[4:]))
            data = (await stream.content.readline()).decode()
            assert json.loads(data.removeprefix("data: ")) == {"number": found[-1]}
    return found


def test_a_follower_is_sent_the_number_of_each_change(tmp_path: Path) -> None:
    async def scene() -> None:
        async with cash(tmp_path) as (place, session), session.get(f"{place.http}{WHERE}/events") as stream:
            assert stream.headers["Content-Type"] == "text/event-stream"
            first = await numbers(stream, 1)
            ann = Player(place, session, "ann")
            assert (await ann.join())[0] == 200
            assert await numbers(stream, 1) == [first[0] + 1]
            _, tag, fields = await ann.get()
            assert tag == f'"{first[0] + 1}"'
            await ann.post({**fields, "_intents": [1]})
            await ann.post({**fields, "_intents": [2]})
            assert await numbers(stream, 2) == [first[0] + 2, first[0] + 3]
            place.server.stop()

    within(scene())


def test_documents_and_events_without_a_code_follow_the_delay(tmp_path: Path) -> None:
    async def scene() -> None:
        limits = Limits(frames_a_second=1e6, burst=1e6, delay=0.2)
        async with (
            cash(tmp_path, limits=limits) as (place, session),
            session.get(f"{place.http}{WHERE}/events") as stream,
        ):
            assert await numbers(stream, 1) == [0]
            status, tag, fields = await Player(place, session).get()
            assert (status, tag, fields["players"]) == (200, '"0"', [])
            ann = Player(place, session, "ann")
            _, answer = await ann.join()
            assert answer["document"]["players"] == ["ann"], "without a delay"
            number = (await numbers(stream, 1))[0]
            while (await Player(place, session).get())[1] == '"0"':
                await asyncio.sleep(0)
            _, tag, fields = await Player(place, session).get()
            assert int(tag.strip('"')) >= number
            assert fields["players"] == ["ann"]
            assert (await ann.get())[1] == tag, "nothing has changed since"

    within(scene())


def test_hostile_documents_do_not_affect_others(tmp_path: Path) -> None:
    async def scene() -> None:
        async with cash(tmp_path) as (place, session):
            ann, bob = Player(place, session, "ann"), Player(place, session, "bob")
            await ann.join()
            await bob.join()
            before = (await bob.get())[2]
            fields = (await ann.get())[2]
            for body in (b"", b"[]", b"[" * 60_000, b"\xff\xfe", b'{"startingStacks": 1e999999}'):
                assert (await ann.post(body))[0] == 422, body[:20]
            changes: list[dict[str, Any]] = [
                {"players": ["bob", "ann"]},
                {"players": []},
                {"startingStacks": [10**30, 10**30]},
                {"_deadBlinds": [5]},
                {"_inactive": [1, 1, 1, 1]},
                {"_intents": [0, 3]},
                {"author": "bob", "hand": 10**20},
                {"actions": ["d dh p1 AsAh"] * 500},
                {"blindsOrStraddles": "many", "antes": [[]], "seats": [[1], {}]},
            ]
            for change in changes:
                status, answer = await ann.post({**fields, **change})
                assert status == 200, (change, answer)
                assert answer["ignored"], change
                assert (await bob.get())[2] == before, change
            assert not [line for line in place.logged if "Traceback" in line]

    within(scene())
