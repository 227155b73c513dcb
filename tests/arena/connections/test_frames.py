"""A player's short frames are handled where they arrive, with no visible change: in order, once, closed as usual."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from pitboss.arena.connections.budget import SPEAKS, FrameMeter, RateLimit, RateLimits, unmask
from pitboss.arena.connections.connection import Connection
from tests.support.arena.servers import Arena, arena, code_of, framed, raw, shake_hands, within
from tests.support.for_each import for_each

WORD, LAST = framed(b"{}"), framed((1000).to_bytes(2, "big"), opcode=8)
GENEROUS = RateLimits(stranger=RateLimit(1000, 10_000))


def masked(frame: bytes, key: bytes) -> bytes:
    """A short frame masked with zeros, masked with this instead."""
    return frame[:2] + key + bytes(sign ^ key[at % 4] for at, sign in enumerate(frame[6:]))


# --- the budget


def test_short_frame_costs_the_same_on_the_fast_path() -> None:
    for size in (0, 1, 60, 125):
        frame, quick, close = framed(bytes(size)), FrameMeter(RateLimits(), 0.0), FrameMeter(RateLimits(), 0.0)
        assert quick.one_frame(frame)
        assert close.frames(frame, 0.0) == len(frame)
        assert abs(quick._tokens - close._tokens) < 1e-9
        assert quick.messages == close.messages == 1


def stopped(meter: FrameMeter) -> None:
    """It has spent all, and gone on."""
    assert meter.frames(WORD * 100, 0.0) < 800
    meter.refund()
    meter.refund()


@for_each(
    "before, data",
    [
        (lambda meter: meter.frames(WORD[:1], 0.0), WORD),
        (lambda meter: meter.frames(WORD[:-1], 0.0), WORD),
        (FrameMeter.watch, WORD),
        (stopped, WORD),
        (lambda meter: meter.spend(80, 0.0), WORD),
        (lambda meter: None, b""),
        (lambda meter: None, WORD[:-1]),
        (lambda meter: None, WORD + WORD),
        (lambda meter: None, framed(b"{}", last=False)),
        (lambda meter: None, framed(b"{}", opcode=2)),
        (lambda meter: None, framed(b"", opcode=9)),
        (lambda meter: None, framed(bytes(126))),
        (lambda meter: None, bytes((0x81, 0x06)) + b"unmask"),
        (lambda meter: None, bytes((0xC1, 0x82)) + bytes(6)),
    ],
)
def test_anything_but_one_short_frame_within_the_budget_is_looked_at_closely(
    before: Callable[[FrameMeter], object], data: bytes
) -> None:
    meter = FrameMeter(RateLimits(), 0.0)
    before(meter)
    stands = [getattr(meter, name) for name in FrameMeter.__slots__]
    assert not meter.one_frame(data)
    assert [getattr(meter, name) for name in FrameMeter.__slots__] == stands


def test_spectator_message_in_a_short_frame_is_detected() -> None:
    meter = FrameMeter(RateLimits(), 0.0)
    meter.watch()
    assert not meter.one_frame(WORD)
    assert meter.frames(WORD, 0.0) == 0
    assert meter.fault == SPEAKS


def test_messages_are_counted_once_on_every_path() -> None:
    meter = FrameMeter(GENEROUS, 0.0)
    pieces = framed(b"{", last=False) + framed(b"", opcode=9) + framed(b" ", opcode=0, last=False)
    for data, count in ((WORD, 1), (pieces, 2), (framed(b"}", opcode=0), 2), (framed(b"", opcode=8), 3)):
        if not meter.one_frame(data):
            meter.frames(data, 0.0)
        assert meter.messages == count


def test_a_short_frame_is_read_under_any_mask() -> None:
    chance = Random(1)
    for size in range(126):
        said = chance.randbytes(size)
        assert unmask(masked(framed(said), chance.randbytes(4))) == said


# --- over sockets


@pytest.fixture
def ways(monkeypatch: pytest.MonkeyPatch) -> Counter[bool]:
    """How many short frames of seated players were handled at once, and how many went to aiohttp."""
    counted: Counter[bool] = Counter()
    handle = Connection._handle_short_frame

    def count(connection: Connection, frame: bytes, heard: Callable[[str], None]) -> bool:
        counted[at_once := handle(connection, frame, heard)] += 1
        return at_once

    monkeypatch.setattr(Connection, "_handle_short_frame", count)
    return counted


async def sit(place: Arena, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Take a seat on a bare connection, and read everything up to the lobby."""
    await shake_hands(reader, writer)
    hello = {"type": "hello", "v": 1, "team": "One", "join_code": code_of("One")}
    writer.write(framed(json.dumps(hello).encode()))
    while (await heard(reader))["type"] != "lobby":
        pass


async def heard(reader: asyncio.StreamReader) -> dict[str, object]:
    """The next frame of the server; its pongs are passed over."""
    while True:
        opcode, size = await reader.readexactly(2)
        if size == 126:
            size = int.from_bytes(await reader.readexactly(2), "big")
        said = await reader.readexactly(size)
        if opcode == 0x88:
            return {"closed": int.from_bytes(said[:2], "big")}
        if opcode == 0x81:
            message: dict[str, object] = json.loads(said)
            return message


@pytest.mark.check
def test_player_messages_arrive_once_and_in_order_on_every_path(tmp_path: Path, ways: Counter[bool]) -> None:
    chance = Random(1)

    def wrapped(word: bytes) -> list[bytes]:
        """A message in frames, as a client may send it, with the places where the network cuts them."""
        frame = masked(framed(word), chance.randbytes(4))
        half = len(word) // 2
        in_two = framed(word[:half], last=False), framed(word[half:], opcode=0)
        cut = 1 + chance.randrange(len(frame) - 1)
        return [
            *([frame], [frame], [frame], [in_two[0] + framed(b"?", opcode=9) + in_two[1]], [*in_two]),
            *([frame[:cut], frame[cut:]], [framed(word.ljust(200))], [framed(b"", opcode=9), frame]),
        ][chance.randrange(8)]

    async def go() -> None:
        async with arena(tmp_path) as place, raw(place.port) as (reader, writer):
            await sit(place, reader, writer)
            sent: list[str] = []
            answers: list[str] = []
            for number in range(400):
                sent.append(f"word {number}")
                for piece in wrapped(json.dumps({"type": sent[-1]}).encode()):
                    writer.write(piece)
                    if chance.random() < 0.3:
                        await asyncio.sleep(0)
                while chance.random() < 0.8 and len(answers) < len(sent):  # else it may come together with the next
                    answers.append(str((await heard(reader))["msg"]))
            while len(answers) < len(sent):
                answers.append(str((await heard(reader))["msg"]))
            assert answers == [f"no message of a client is called {word!r}" for word in sent]

    within(go())
    assert ways[True] > 50
    assert ways[False] >= 1  # aiohttp sees a frame now and then, and does not ping clients that send frames


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ([framed(b"\xff\xfe")], 1007),
        ([LAST + WORD], 1000),
        ([framed(b"{", last=False), WORD], 1002),
    ],
    ids=["text that is no UTF-8", "a word after the last", "a word within another"],
)
def test_seated_player_is_closed_for_the_same_faults_as_others(
    tmp_path: Path, sent: list[bytes], code: int, ways: Counter[bool]
) -> None:
    async def go() -> None:
        async with arena(tmp_path) as place, raw(place.port) as (reader, writer):
            await sit(place, reader, writer)
            for _ in range(3):
                writer.write(WORD)
                assert (await heard(reader))["type"] == "error"
            for piece in sent:
                writer.write(piece)
                if piece != sent[-1]:
                    writer.write(framed(b"", opcode=9))
                    assert await reader.readexactly(2) == b"\x8a\0"  # it has come before the next piece does
            assert await heard(reader) == {"closed": code}

    within(go())
    assert ways[True] >= 2
