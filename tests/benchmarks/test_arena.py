"""The arena's benchmark runs, counts correctly and prints its findings; no test depends on speed."""

import asyncio
import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from benchmarks import __main__ as command
from benchmarks.arena import QUICK, ArenaReport, FlatOut, Memory, Paced, measure_arena
from benchmarks.arena_load import Bot, Swarm, framed
from benchmarks.arena_page import rows, section
from benchmarks.arena_script import script
from benchmarks.page import with_section
from benchmarks.rules import Spread
from tests.support.for_each import for_each

GOOD = ArenaReport(
    load=0.5,
    sync_ms=1.5,
    paced=Paced(200, 20, 19_000, 0, 5.0, 99.4, 150.0, 9_900.0, 0.3, 170.0),
    flat_out=FlatOut(100, 7, Spread(6e4, 5e4, 7e4), Spread(1e5, 9e4, 1.1e5), Spread(0.5, 0.4, 0.6), 0, 9.9, 325.0),
    memory=Memory(1000, 199.4, 2000, 99.4),
)
ACT = '{"type":"act","hand_id":"H-1","legal":["CHECK","FOLD"],"turn":%d}'


@pytest.mark.check
def test_it_runs_and_loses_no_turn() -> None:
    said: list[str] = []
    found = measure_arena(QUICK, said.append)
    paced, flat = found.paced, found.flat_out
    assert len(said) == 3
    assert (paced.lost, flat.lost) == (0, 0)
    assert paced.actions > 0
    assert 0 < paced.p50_ms <= paced.p99_ms <= paced.max_ms
    assert flat.ratio.median == pytest.approx(flat.arena.median / flat.bare.median)
    assert flat.bare.median > 0
    assert flat.frames_per_action > 6
    assert found.memory.connections == QUICK.connections


# --- the bots


class Transport(asyncio.Transport):
    """Keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []

    def write(self, data: Any) -> None:
        self.written.append(bytes(data))


def server_frame(text: str, opcode: int = 1) -> bytes:
    """A frame as a server sends it."""
    data = text.encode()
    size = len(data)
    long = b"\x7e" + size.to_bytes(2) if size < 1 << 16 else b"\x7f" + size.to_bytes(8)
    return bytes([0x80 | opcode]) + (size.to_bytes(1) if size < 126 else long) + data


def heard(work: Callable[[Bot], None]) -> tuple[Swarm, list[bytes]]:
    """A swarm whose one bot, connected and recording, was given something."""

    async def connected() -> tuple[Swarm, list[bytes]]:
        swarm, transport = Swarm(), Transport()
        bot = Bot(swarm, "/ws", 1, recording=True)
        swarm.bots.append(bot)
        bot.connection_made(transport)
        bot.data_received(b"HTTP/1.1 101 Switching Protocols\r\n\r\n")
        transport.written.clear()
        work(bot)
        return swarm, transport.written

    return asyncio.run(connected())


@for_each("piece", [1, 2, 3, 7, 130, 10**6])
def test_frames_of_every_length_are_counted_however_they_arrive(piece: int) -> None:
    texts = ["", "x" * 125, "y" * 126, "é" * 400, "z" * 70_000, '{"auto":true}', '{"type":"error"}']
    stream = b"".join(map(server_frame, texts))

    def work(bot: Bot) -> None:
        for at in range(0, len(stream), piece):
            bot.data_received(stream[at : at + piece])

    swarm, written = heard(work)
    assert [text.decode() for text in swarm.bots[0].heard] == texts
    assert (swarm.received, swarm.autos, swarm.errors, swarm.sent) == (len(texts), 1, 1, 0)
    assert swarm.lost_turns == 2
    assert written == []


def test_a_ping_is_answered_and_not_counted_as_a_message() -> None:
    swarm, written = heard(lambda bot: bot.data_received(server_frame("hello", opcode=9)))
    assert written == [framed(b"hello", opcode=10)]
    assert swarm.messages == 0


def test_answers_are_held_back_and_timed_until_the_next_message() -> None:
    async def play() -> tuple[Swarm, list[bytes]]:
        swarm, transport = Swarm(), Transport()
        bot = Bot(swarm, "/ws", 1, recording=False)
        bot.connection_made(transport)
        bot.data_received(b"HTTP/1.1 101 Switching Protocols\r\n\r\n" + server_frame(ACT % 7))
        transport.written.clear()
        await swarm.wait_for_questions(1)
        playing = asyncio.create_task(swarm.play(0))
        async with asyncio.timeout(10):
            while not swarm.sent:
                await asyncio.sleep(0)
        assert swarm.waits == []
        bot.data_received(server_frame("next"))
        bot.data_received(server_frame("next but one"))
        await playing
        return swarm, transport.written

    swarm, written = asyncio.run(play())
    (frame,) = written
    assert json.loads(frame[6:]) == {"type": "action", "v": 1, "hand_id": "H-1", "action": "CHECK", "turn": 7}
    assert (swarm.sent, swarm.received, len(swarm.waits)) == (1, 3, 1)


def test_a_refused_connection_is_an_error() -> None:
    async def refused() -> None:
        bot = Bot(Swarm(), "/ws", 1, recording=False)
        bot.connection_made(Transport())
        with pytest.raises(ConnectionError, match="404"):
            bot.data_received(b"HTTP/1.1 404 Not Found\r\n\r\n")

    asyncio.run(refused())


# --- the script


def test_a_script_has_the_frames_after_each_action_and_the_next_turn() -> None:
    start, end = '{"type":"start_hand"}', '{"type":"end_hand"}'
    first = ["lobby", start, ACT % 2, "a", "b", end, start]
    second = ["lobby", "lobby", start, "a", ACT % 3, "b", end, start, ACT % 5]
    assert script([[text.encode() for text in texts] for texts in (first, second)]) == [
        [((0, 1), "a"), ((1,), ACT % 3)],
        [((0, 1), "b"), ((0, 1), end), ((0, 1), start), ((1,), ACT % 5)],
    ]


# --- its report


@pytest.mark.parametrize(
    ("report", "sentence"),
    [
        (replace(GOOD, paced=replace(GOOD.paced, lost=1)), "1 turns were lost"),
        (replace(GOOD, flat_out=replace(GOOD.flat_out, lost=2)), "2 turns were lost"),
        (replace(GOOD, paced=replace(GOOD.paced, p99_ms=100.0)), "within 100 ms"),
        (replace(GOOD, flat_out=replace(GOOD.flat_out, ratio=Spread(0.49, 0.4, 0.7))), "0.49 of a bare server"),
        (replace(GOOD, memory=replace(GOOD.memory, kib_per_table=200.0)), "200 KiB a table"),
        (replace(GOOD, memory=replace(GOOD.memory, connections_mib=100.0)), "100 MiB of connections"),
    ],
)
def test_a_missed_goal_is_reported_and_fails(
    monkeypatch: pytest.MonkeyPatch, report: ArenaReport, sentence: str
) -> None:
    assert GOOD.missed() == []
    assert len(report.missed()) == 1
    monkeypatch.setattr(command, "measure_arena", lambda *_: report)
    result = CliRunner().invoke(command.main, ["arena"])
    assert result.exit_code == 1
    assert sentence in result.stderr
    assert sentence in section(report, dt.date(2026, 1, 2))


def test_the_figures_are_printed_and_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    page = tmp_path / "benchmarks.md"
    page.write_text(with_section("", "## The rules\n\nfast\n"), encoding="utf-8")
    monkeypatch.setattr(command, "PAGE", page)
    monkeypatch.setattr(command, "measure_arena", lambda *_: GOOD)
    result = CliRunner().invoke(command.main, ["arena", "--json", "--write"])
    assert result.exit_code == 0
    assert json.loads(result.stdout)["arena"]["flat_out"]["ratio"]["median"] == 0.5
    text = page.read_text(encoding="utf-8")
    assert "## The rules\n\nfast\n\n## The arena\n" in text
    assert "| share of the bare server's | 0.50 | at least 0.5 | 0.40 to 0.60 |" in text
    assert "All goals are met" in text
    assert ("idle connections", "99 MiB", "under 100 MiB", "2,000: half players, half spectators") in rows(GOOD)


def test_section_is_replaced_in_its_place() -> None:
    page = with_section(with_section("", "## A\n\nold\n"), "## B\n\nkept\n")
    assert with_section(page, "## A\n\nnew\n") == "# Benchmarks\n\n## A\n\nnew\n\n## B\n\nkept\n"
    introduced = page.replace("# Benchmarks\n", "# Benchmarks\n\nRead this.\n")
    assert with_section(introduced, "## B\n\nkept\n") == introduced
