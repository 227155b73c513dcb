"""Bad input and bad clients over real sockets: each gets its error or is closed with a reason; the table plays on."""

import asyncio
import json
import re
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import aiohttp
import pytest

from pitboss.arena.connections import outbox
from pitboss.arena.connections.admission import Capacity
from pitboss.arena.rooms.logins import Limits
from pitboss.arena.server import FRAME_BYTES
from tests.support.arena.bad_frames import BAD
from tests.support.arena.journals import check_bots, read_journal
from tests.support.arena.raw_bots import HonestTable, RawBot, Rude, honest_table
from tests.support.arena.servers import (
    HANDSHAKE,
    Arena,
    Frame,
    Peer,
    Place,
    arena,
    code_of,
    framed,
    raw,
    served,
    shake_hands,
    visit,
    within,
)
from tests.support.arena.teams import beside, check_log
from tests.support.client.scripted import Guest
from tests.support.client.scripted import arena as scripted_arena

pytestmark = pytest.mark.check

ROOT = Path(__file__).resolve().parents[3]


# --- what cannot be read


def test_every_bad_frame_of_a_stranger_gets_its_error(tmp_path: Path) -> None:
    async def trouble(place: Arena, table: HonestTable) -> None:
        async with visit(place.ws()) as stranger:
            for name, frame, code, _ in BAD:
                await stranger.say(frame)
                assert await stranger.error() == code, name

    beside(tmp_path, trouble)


class Babbler(Rude):
    """Sends all wrong messages before the right one."""

    async def misbehave(self, question: Frame) -> None:
        for name, frame, code, _ in BAD:
            assert (await self.ask(frame))["code"] == code, name
        for team in (self.team, "Honest 0", "Nobody"):
            again = await self.ask({"type": "hello", "v": 1, "team": team, "join_code": code_of(team)})
            assert again["code"] == "BAD_SCHEMA"
        self.done.set()


class TooLong(Rude):
    """Says as much as is allowed, and then a letter more."""

    async def misbehave(self, question: Frame) -> None:
        assert self.ws is not None
        self.done.set()
        assert (await self.ask('"' + "x" * (FRAME_BYTES - 2) + '"'))["code"] == "BAD_SCHEMA"
        await self.ws.send_str('"' + "x" * (FRAME_BYTES - 1) + '"')


class Unruly(Rude):
    """Gives wrong answers: too low, too high, not on offer, an old turn, another hand."""

    async def misbehave(self, question: Frame) -> None:
        bad = self.worded(question, "CHECK" if "call_amount" in question else "CALL")
        assert (await self.ask(bad))["code"] == "INVALID_ACTION"
        if "RAISE_TO" in question["legal"]:
            for amount in (0, 1, question["min_raise_to"] - 1, question["max_raise_to"] + 1, 2**53 - 1):
                assert (await self.ask(self.worded(question, "RAISE_TO", amount)))["code"] == "INVALID_ACTION", amount
            self.done.set()
        turn = question["turn"]
        for wrong in ({"hand_id": "H-1"}, {"hand_id": ""}, {"turn": turn - 1}, {"turn": 0}, {"turn": turn + 1}):
            assert (await self.ask(bad | wrong))["code"] == "ACTION_TOO_LATE", wrong


@pytest.mark.parametrize("rude", [Babbler, TooLong, Unruly])
def test_misbehaving_player_receives_errors_and_keeps_the_turn(tmp_path: Path, rude: type[Rude]) -> None:
    crowd = beside(tmp_path, None, rude)
    assert crowd[0].closed == ([(1009, crowd[0].closed[0][1])] if rude is TooLong else [])


class Echo(Rude):
    """Says everything three times."""

    async def answer(self, question: Frame) -> None:
        await super().answer(question)
        assert self.ws is not None
        for _ in range(2):
            await self.ws.send_str(json.dumps(self.sent[question["turn"]][-1]))

    async def misbehave(self, question: Frame) -> None:
        if len(self.sent) > 10:
            self.done.set()


def test_an_action_sent_again_and_again_counts_once(tmp_path: Path) -> None:
    (echo,) = beside(tmp_path, None, Echo)
    assert {error["code"] for error in echo.errors} == {"ACTION_TOO_LATE"}
    assert len(echo.errors) >= 20


class Impatient(Rude):
    """Lets a partner answer its questions first, which the partner must not do."""

    async def misbehave(self, question: Frame) -> None:
        assert self.partner.ws is not None
        plain = RawBot("Plain", Random(0), echo=False)
        for action in (self.worded(question, "CALL"), plain.worded(question, "FOLD")):
            before = self.partner.complaints.value
            await self.partner.ws.send_str(json.dumps(action))
            await self.partner.complaints.reach(before + 1)
            assert self.partner.errors[-1]["code"] == "OUT_OF_TURN"
        self.done.set()


def test_an_action_out_of_turn_is_refused(tmp_path: Path) -> None:
    beside(tmp_path, None, Impatient, Impatient)


# --- frames that are none


@pytest.mark.check
@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (framed(b"x" * 5000, last=False) + framed(b"x" * 5000, opcode=0), 1009),
        (bytes((0x81, 0xFF)) + (2**62).to_bytes(8, "big") + bytes(4), 1009),
        (bytes((0x81, 0xFF)) + (2**63).to_bytes(8, "big") + bytes(4), 1009),
        (framed(b"x", opcode=3), 1002),
        (framed(b"x", opcode=0xF), 1002),
        (framed(b"x" * 126, opcode=9), 1002),
        (bytes((0xF1, 0x80)) + bytes(4), 1002),
        (framed(b"\xff\xfe"), 1007),
    ],
    ids=["pieces", "a long promise", "a promise too long", "an unknown kind", "an unknown control", "a long ping",
         "reserved bits", "text that is no UTF-8"],
)  # fmt: skip
def test_invalid_frame_closes_the_connection(tmp_path: Path, sent: bytes, code: int) -> None:
    async def trouble(place: Arena, table: HonestTable) -> None:
        async with raw(place.port) as (reader, writer):
            await shake_hands(reader, writer)
            writer.write(sent)
            answer = await reader.read()
            assert answer[:1] == b"\x88", f"{answer!r} is no close"
            assert int.from_bytes(answer[2:4], "big") == code

    beside(tmp_path, trouble, hands=1)


def test_a_frame_as_long_as_may_be_is_read_and_one_byte_more_closes_the_connection(tmp_path: Path) -> None:
    async def trouble(place: Arena, table: HonestTable) -> None:
        for size, first in ((FRAME_BYTES, b"\x81"), (FRAME_BYTES + 1, b"\x88")):
            async with raw(place.port) as (reader, writer):
                await shake_hands(reader, writer)
                writer.write(framed(b"x" * size))
                answer = await reader.readexactly(4)
                assert answer[:1] == first
                assert (int.from_bytes(answer[2:4], "big") == 1009) == (first == b"\x88")

    beside(tmp_path, trouble, hands=1)


def test_connections_that_break_off_anywhere_are_forgotten(tmp_path: Path) -> None:
    hello = framed(json.dumps({"type": "hello", "v": 1, "team": "Gone", "join_code": code_of("Gone")}).encode())

    async def trouble(place: Arena, table: HonestTable) -> None:
        chance = Random(1)
        for _ in range(40):
            async with raw(place.port) as (reader, writer):
                if chance.random() < 0.3:
                    writer.write(b"GET /ws HTTP/1.1\r\nHos")
                    continue
                await shake_hands(reader, writer, chance.choice(["/ws", "/watch"]))
                writer.write(hello[: chance.randrange(len(hello))])
        await table.play(1)
        async with visit(place.ws()) as stranger:
            await stranger.hello("Late")
            assert await stranger.error() == "TABLE_FULL"

    beside(tmp_path, trouble)


# --- hellos


def test_a_flood_of_wrong_hellos_is_closed_after_a_few(tmp_path: Path) -> None:
    async def trouble(place: Arena, table: HonestTable) -> None:
        for team, code, error in (("Honest 0", "guess", "TEAM_TAKEN"), ("Fourth", "x", "TABLE_FULL")):
            async with visit(place.ws()) as guesser:
                for k in range(2000):
                    if guesser.ws.closed:
                        break
                    await guesser.hello(team, f"{code}-opens-sesame-{k}")
                assert await guesser.closed() == (1008, "too many wrong hellos")
                assert [frame["code"] for frame in guesser.heard] == [error] * 5

    beside(tmp_path, trouble)


def test_a_flood_of_strangers_finds_the_table_full(tmp_path: Path) -> None:
    async def trouble(place: Arena, table: HonestTable) -> None:
        async def knock(number: int) -> str:
            async with visit(place.ws()) as stranger:
                await stranger.hello(f"Stranger {number}")
                return await stranger.error()

        assert set(await asyncio.gather(*map(knock, range(200)))) == {"TABLE_FULL"}

    beside(tmp_path, trouble)


def test_connection_without_hello_is_closed(tmp_path: Path) -> None:
    async def trouble(place: Arena, table: HonestTable) -> None:
        async with visit(place.ws()) as silent, visit(place.ws()) as babbling:
            await babbling.say("hello?")
            assert await babbling.error() == "BAD_SCHEMA"
            for stranger in (silent, babbling):
                assert await stranger.closed() == (1008, "no hello within 0.5 seconds")

    beside(tmp_path, trouble, limits=Limits(hello=0.5))


def test_connection_without_request_is_closed(tmp_path: Path) -> None:
    async def trouble(place: Arena, table: HonestTable) -> None:
        async with raw(place.port) as (silent, _), raw(place.port) as (slow, writer):
            writer.write(b"GET /ws HTTP/1.1\r\nHost:")
            for reader in (silent, slow):
                with suppress(ConnectionError):
                    assert await reader.read() == b""

    beside(tmp_path, trouble, capacity=Capacity(first_request=0.5))


# --- those who do not read, or say too much


@pytest.fixture
def small_buffers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the server's connections buffer little, so that not reading shows soon."""
    create = asyncio.BaseEventLoop.create_server

    async def create_small(loop: asyncio.BaseEventLoop, *given: Any, **options: Any) -> asyncio.Server:
        found = await create(loop, *given, **options)
        for listener in found.sockets:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)  # connections inherit it
        return found

    monkeypatch.setattr(asyncio.BaseEventLoop, "create_server", create_small)
    monkeypatch.setattr(outbox, "OUTBOX_BYTES", 50_000)


@pytest.mark.usefixtures("small_buffers")
def test_spectator_that_does_not_read_is_closed(tmp_path: Path) -> None:
    async def trouble(place: Arena, table: HonestTable) -> None:
        async with raw(place.port, small=True) as (reader, writer), visit(place.watch()) as witness:
            await shake_hands(reader, writer, "/watch")

            async def dropped() -> None:
                while not writer.transport.is_closing():  # its frames cause a reset once the reader has gone
                    writer.write(framed(b"x", opcode=0xA))
                    await witness.receive()

            await table.until(dropped())
            assert "closing a connection: too slow: frames were not read" in place.logged

    beside(tmp_path, trouble)


class Deaf(Rude):
    """Takes its seat over a connection that it never reads; a spectator signals its turns, until it is disconnected."""

    on_record = False

    async def play(self, session: aiohttp.ClientSession, place: Place) -> None:
        """Be deaf first, and play like the others then."""
        if not self.done.is_set():
            async with raw(place.port, small=True) as (reader, writer), visit(place.watch()) as witness:
                await shake_hands(reader, writer)
                hello = {"type": "hello", "v": 1, "team": self.team, "join_code": code_of(self.team)}
                writer.write(framed(json.dumps(hello).encode()))
                await self._guess(witness, writer)
            self.done.set()
        await super().play(session, place)

    async def _guess(self, witness: Peer, writer: asyncio.StreamWriter) -> None:
        seat, numbers = -1, count()
        while True:
            frame = await witness.receive("lobby", "turn")
            if frame["type"] == "lobby":
                for player in frame["players"]:
                    if player["team"] == self.team and player["connected"]:
                        seat = player["seat"]
                    elif player["seat"] == seat:
                        return
            elif frame["seat"] == seat:
                for word in ("CHECK", "CALL"):
                    action = {"type": "action", "v": 1, "hand_id": frame["hand_id"], "action": word}
                    action["amount"] = next(numbers)  # has no meaning here; no answer repeats the one before
                    writer.write(framed(json.dumps(action).encode()))


@pytest.mark.check
@pytest.mark.usefixtures("small_buffers")
def test_player_that_does_not_read_is_closed_and_the_table_continues(tmp_path: Path) -> None:
    beside(tmp_path, None, Deaf)


class Flooder(Rude):
    """Sends ten thousand frames at once, some of them good, and comes back to answer when it is sent away."""

    async def misbehave(self, question: Frame) -> None:
        assert self.ws is not None
        self.done.set()
        bad = [json.dumps(self.worded(question, "CHECK") | {"turn": 0}), "hello?", '{"type":"hello"}', "{}"]
        with suppress(ConnectionError):
            for k in range(10_000):
                await self.ws.send_str(bad[k % len(bad)])


def test_ten_thousand_frames_a_second_from_one_seat_are_cut_off(tmp_path: Path) -> None:
    (flooder,) = beside(tmp_path, None, Flooder, limits=Limits())
    assert flooder.closed == [(1008, "too many frames")]
    codes = [error["code"] for error in flooder.errors]
    assert codes.count("RATE_LIMITED") in range(1, 10)
    assert len(codes) < 200, "an answer to each would be a flood too"
    assert all(error["retry_after_ms"] > 0 for error in flooder.errors if error["code"] == "RATE_LIMITED")


class Pinger(Rude):
    """Sends pings without end."""

    async def misbehave(self, question: Frame) -> None:
        assert self.ws is not None
        self.done.set()
        for _ in range(10_000):
            await self.ws.ping(b"x" * 100)


def test_ten_thousand_pings_do_not_disturb_others(tmp_path: Path) -> None:
    beside(tmp_path, None, Pinger, limits=Limits())


def test_number_of_spectators_is_limited(tmp_path: Path) -> None:
    async def trouble(place: Arena, table: HonestTable) -> None:
        async with visit(place.watch()) as one, visit(place.watch()) as two, visit(place.watch()) as three:
            assert await three.closed() == (1008, "too many spectators")
            for early in (one, two):
                await early.receive("event")
        async with visit(place.watch()) as four:
            await four.receive("event")

    beside(tmp_path, trouble, limits=Limits(watchers=2))


# --- the same seat from two processes


@asynccontextmanager
async def fighter(address: str, team: str) -> AsyncIterator[Process]:
    """Run a process that fights for a seat."""
    command = (sys.executable, "-m", "tests.support.arena.fighter", address, team, code_of(team))
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdin=PIPE, stdout=PIPE)
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.communicate()


async def said_by(process: Process) -> str:
    """The next line of a fighter, which must be alive to print it."""
    assert process.stdout is not None
    line = await process.stdout.readline()
    assert line, "the fighter has died"
    return line.decode().strip()


def test_duelling_client_that_is_cut_off_reconnects() -> None:
    """Why the test below was flaky: a client that waited for a processor was disconnected while it sent, and died."""

    async def cut_off(guest: Guest) -> None:
        await guest.ws.receive()
        await guest.say({"type": "error", "v": 1, "code": "RATE_LIMITED", "msg": "slowly"})
        assert guest.transport is not None
        guest.transport.abort()

    async def close(guest: Guest) -> None:
        await guest.ws.receive()
        await guest.ws.close(code=4000, message=b"replaced by a newer connection")

    async def scene() -> None:
        async with scripted_arena(cut_off, cut_off, cut_off, close) as place, fighter(place.url, "Rival") as rival:
            while (word := await said_by(rival)) == "RATE_LIMITED":
                pass
            assert word == "4000 replaced by a newer connection"

    within(scene())


@pytest.mark.check
def test_two_processes_that_fight_for_a_seat_are_slowed_down(tmp_path: Path) -> None:
    async def scene() -> None:
        limits = Limits(takeover_window=1.5)
        async with (
            arena(tmp_path, limits=limits, seats=4, start_at=4, stack=100_000) as place,
            fighter(place.ws(), "Rival") as one,
            fighter(place.ws(), "Rival") as other,
            honest_table(place) as table,
        ):
            for process in (one, other):
                words: Counter[str] = Counter()
                while words["4000 replaced by a newer connection"] < 3 or words["RATE_LIMITED"] < 5:
                    words[re.sub(r"reconnect in \d+ ms", "reconnect later", await said_by(process))] += 1
                assert words.keys() <= {
                    "4000 replaced by a newer connection",
                    "RATE_LIMITED",
                    "1008 too many connections have taken over this seat; reconnect later",
                }
            await table.play(3)
            table.check()
        journal = read_journal(place.db)
        check_bots(journal, table.bots)
        assert {acted.cause for acted in journal.answers.values()} == {"client"}, "somebody lost a turn"

    within(scene())


# --- HTTP


NONSENSE = {
    "POST /ws": (b"POST /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n{}", 405),
    "no upgrade": (b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 400),
    "no key": (b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n", 400),
    "watch without upgrade": (b"GET /watch HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 400),
    "no such table": (HANDSHAKE.format("/ws?table=T-2").encode(), 404),
    "no such table to watch": (HANDSHAKE.format("/watch?table=../T-1").encode(), 404),
    "no such page": (b"GET /admin HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 404),
    "no such file": (b"GET /page/no.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 404),
    "a folder": (b"GET /page/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 403),
    "out of the folder": (b"GET /page/../server.py HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 404),
    "out of the folder, written otherwise": (b"GET /page/%2e%2e/server.py HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 404),
    "out of the folder, slash too": (b"GET /page/..%2fserver.py HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 404),
    "out of the folder, twice": (b"GET /page/%252e%252e%252fserver.py HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 404),
    "from the root": (b"GET /page//etc/passwd HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", (403, 404)),
    "a zero byte": (b"GET /page/index.html%00.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", (400, 404)),
    "a huge header": (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * 100_000 + b"\r\n\r\n", (400, 431)),
    "a huge address": (b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", (400, 414)),
    "too many headers": (b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20_000 + b"\r\n", (400, 431)),
    "garbage": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
    "two lengths": (b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400),
    "a deletion": (b"DELETE /page/index.html HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 405),
}


def test_http_nonsense_gets_its_answer(tmp_path: Path) -> None:
    async def trouble(place: Arena, table: HonestTable) -> None:
        for name, (request, expected) in NONSENSE.items():
            async with raw(place.port) as (reader, writer):
                writer.write(request)
                with suppress(ConnectionError):
                    head = await reader.readuntil(b"\r\n\r\n")
                statuses = expected if isinstance(expected, tuple) else (expected,)
                assert int(head.split()[1]) in statuses, f"{name}: {head!r}"
                length = re.search(rb"Content-Length: (\d+)", head)
                body = await (reader.readexactly(int(length[1])) if length else reader.readuntil(b"0\r\n\r\n"))
                assert b"docstring" not in body
                assert b"import" not in body
                assert b"root:" not in body

    beside(tmp_path, trouble)


# --- the log of the real thing


def test_a_talkative_log_holds_no_code_no_deck_and_no_card(tmp_path: Path) -> None:
    async def scene() -> None:
        async with honest_table(process) as table:
            await table.play(2)
            for frame in (
                {"type": code_of("Eve")},
                {"type": "hello", "v": 1, "team": "Eve", "join_code": [code_of("Eve")]},
            ):
                async with visit(process.ws()) as eve:
                    await eve.say(frame)
                    await eve.error()
            async with visit(process.ws()) as guesser:
                for _ in range(5):
                    await guesser.hello("Honest 0", code_of("Eve"))
                assert (await guesser.closed())[0] == 1008
            async with visit(process.ws()) as twin:
                await twin.hello("Honest 1")
                await twin.receive("snapshot")
            async with raw(process.port) as (reader, writer):
                writer.write(f"GET /ws?table={code_of('Eve')} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
                await reader.readuntil(b"\r\n\r\n")
            async with raw(process.port) as (reader, writer):
                writer.write(b"Ah Kd garbage\r\n\r\n" + code_of("Eve").encode())
                await reader.readuntil(b"\r\n\r\n")

    options = ("--verbose", "--seats", "3", "--start-at", "3", "--stack", "100000")
    with served(tmp_path, *options) as process:
        within(scene())
        assert process.end() == 0
        assert "replaced by a newer connection" in process.said
        check_log(process.said, read_journal(process.db).secrets)
