"""What waits for a client that does not read is bounded, and a long row waits for its reader."""

import asyncio
from collections.abc import Iterator
from typing import Any, cast

import pytest

from pitboss.arena.connections.outbox import (
    LEAST_BYTES,
    OUTBOX_BYTES,
    SPECTATORS_BYTES,
    TOO_SLOW,
    Outbox,
    OutboxLimit,
    _tasks,
    text_frame,
)
from tests.support.for_each import for_each


class Wire:
    """A socket that records everything written to it: a WebSocket, its protocol and its transport in one."""

    def __init__(self, *, deaf: bool = False, hangs: bool = False) -> None:
        self.deaf = deaf  #: whether the client reads nothing
        self.hangs = hangs  #: whether it never answers that it is closed
        self.written: list[bytes] = []
        self.closed: tuple[int, bytes] | None = None
        self.aborted = False
        self.writing_paused = False

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def get_write_buffer_size(self) -> int:
        return sum(map(len, self.written)) if self.deaf else 0

    def is_closing(self) -> bool:
        return self.aborted

    def abort(self) -> None:
        self.aborted = True

    async def close(self, *, code: int, message: bytes) -> None:
        self.closed = code, message
        if self.hangs:
            await asyncio.Event().wait()


def outbox_on(wire: Wire, limit: OutboxLimit | None = None) -> Outbox:
    """An outbox that writes to it."""
    socket = cast(Any, wire)
    return Outbox(socket, socket, socket, limit or OutboxLimit())


def is_open(outbox: Outbox) -> bool:
    """Whether something may still be pushed."""
    return outbox.is_open


async def turns(count: int = 50) -> None:
    """Let the event loop run this many turns."""
    for _ in range(count):
        await asyncio.sleep(0)


async def _is_bounded() -> None:
    wire = Wire(deaf=True)
    outbox = outbox_on(wire)
    outbox.push(bytes(OUTBOX_BYTES))
    assert is_open(outbox), "so much may wait"
    outbox.push(b"x")
    assert not is_open(outbox)
    outbox.push(b"more")
    await turns()
    assert wire.closed == (TOO_SLOW, b"too slow: frames were not read")
    assert wire.aborted, "who does not listen is cut off"
    assert wire.written == [bytes(OUTBOX_BYTES), b"x"]


async def _counts_what_waits_behind_a_row() -> None:
    wire = Wire()
    outbox = outbox_on(wire)
    outbox.push_row(iter([b"row"]))
    outbox.push(bytes(OUTBOX_BYTES))
    assert is_open(outbox)
    await turns()
    assert wire.written == [b"row", bytes(OUTBOX_BYTES)]
    outbox.push_row(iter([b"row"]))
    outbox.push(bytes(OUTBOX_BYTES))
    assert is_open(outbox), "what has been written does not wait any more"
    outbox.push(b"x")
    assert not is_open(outbox)


async def _writes_a_row_as_it_is_read() -> None:
    wire = Wire()
    outbox = outbox_on(wire)
    made: list[int] = []

    def row() -> Iterator[bytes]:
        for number in range(3):
            made.append(number)
            yield b"%d" % number

    outbox.push_row(row())
    outbox.push(b"after")
    assert wire.written == []
    await turns(1)
    assert wire.written == [b"0"], "others have their turn before the next"
    wire.writing_paused = True
    await turns()
    assert made == [0]
    wire.writing_paused = False
    outbox.pump()
    await turns()
    assert wire.written == [b"0", b"1", b"2", b"after"]
    outbox.push(b"at once")
    assert wire.written[-1] == b"at once"


async def _is_closed_once() -> None:
    wire = Wire()
    outbox = outbox_on(wire)
    outbox.push_row(iter([b"row"]))
    outbox.close(1001, "the server stops")
    outbox.close(1008, "again")
    assert len(_tasks) == 1
    await turns()
    assert _tasks == set(), "nothing is left of a connection that is closed"
    assert wire.closed == (1001, b"the server stops")
    assert wire.written == [], "what waited is dropped"


async def _cuts_off_who_does_not_take_leave() -> None:
    wire = Wire(hangs=True)
    outbox_on(wire).close(1001, "the server stops")
    assert not wire.aborted
    await turns()
    assert wire.aborted


def test_queue_of_a_client_that_does_not_read_is_limited() -> None:
    asyncio.run(_is_bounded())


def test_bytes_behind_a_long_series_count() -> None:
    asyncio.run(_counts_what_waits_behind_a_row())


def test_a_row_is_made_and_written_as_it_is_read() -> None:
    asyncio.run(_writes_a_row_as_it_is_read())


def test_connection_is_closed_once_and_not_written_after() -> None:
    asyncio.run(_is_closed_once())


def test_client_that_does_not_complete_the_close_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.arena.connections.outbox.PATIENCE", 0.0)
    asyncio.run(_cuts_off_who_does_not_take_leave())


@pytest.mark.parametrize(
    ("spectators", "most"),
    [
        (0, OUTBOX_BYTES),
        (SPECTATORS_BYTES // OUTBOX_BYTES, OUTBOX_BYTES),
        (48, OUTBOX_BYTES // 2),
        (10**6, LEAST_BYTES),
    ],
)
def test_spectators_share_the_output_budget(spectators: int, most: int) -> None:
    limit = OutboxLimit()
    assert limit.most == OUTBOX_BYTES
    limit.share(spectators)
    assert limit.most == most


@for_each("size", [0, 1, 125, 126, 127, 65_535, 65_536, 70_000])
def test_frame_header_states_its_length(size: int) -> None:
    data = text_frame("x" * size)
    assert data[0] == 0x81, "a whole text"
    long = {126: 2, 127: 8}.get(data[1], 0)
    length = int.from_bytes(data[2 : 2 + long], "big") if long else data[1]
    assert length == size
    assert data[2 + long :] == b"x" * size
    assert long == (0 if size < 126 else 2 if size < 65_536 else 8)
