"""Bodies of requests: none that is compressed, unexpected or too long is read, and none is ever inflated."""

import asyncio
import gc
import logging
import tracemalloc
import zlib
from contextlib import suppress
from pathlib import Path

import pytest
from aiohttp import StreamReader, web

from pitboss.arena.connections import connection
from pitboss.arena.connections.admission import Capacity
from pitboss.arena.connections.budget import RateLimits
from pitboss.arena.connections.connection import LINES_IN, MOST_LINES, Connections, RequestLog
from pitboss.arena.connections.web import BODY_BYTES
from tests.support.arena.attackers import LARGE_BODY, inflating
from tests.support.arena.servers import Place, arena, raw, within

ERRORS = "POST /api/tables/T-1/errors"
BODY = b'{"team":"x","code":"y"}'


async def answer(place: Place, request: str, *headers: str, body: bytes = b"") -> str:
    """The first line of the answer to a request, of which no more than this is ever sent."""
    async with raw(place.port) as (reader, writer):
        head = "\r\n".join((f"{request} HTTP/1.1", "Host: 127.0.0.1", *headers, "", ""))
        writer.write(head.encode() + body)
        return (await reader.readline()).decode().strip().partition(" ")[2]


def test_refused_body_is_refused_before_it_is_read(tmp_path: Path) -> None:
    async def scene() -> None:
        async with arena(tmp_path, seats=3) as place:
            for coding in ("gzip", "deflate", "br", "zstd", "identity"):
                said = await answer(place, ERRORS, f"Content-Encoding: {coding}", "Content-Length: 100")
                assert said == "415 Unsupported Media Type", coding
            assert await answer(place, ERRORS, f"Content-Length: {BODY_BYTES + 1}") == "413 Request Entity Too Large"
            for path in ("/", "/api/tables", "/ws", "/watch", "/no/such/page"):
                for header in ("Content-Length: 1", "Transfer-Encoding: chunked"):
                    assert await answer(place, f"GET {path}", header) == "400 Bad Request", (path, header)
            assert await answer(place, "GET /api/tables", "Content-Length: 0") == "200 OK"
            said = await answer(place, ERRORS, f"Content-Length: {len(BODY)}", body=BODY)
            assert said == "403 Forbidden", "a plain body is still read"

    within(scene())


def test_a_chunked_body_is_counted_while_it_is_read(tmp_path: Path) -> None:
    async def scene() -> None:
        async with arena(tmp_path, seats=3) as place:
            piece = b"1000\r\n" + b" " * 0x1000 + b"\r\n"
            for pieces, last in ((1, "403 Forbidden"), (3, "413 Request Entity Too Large")):
                body = piece * pieces + b"%x\r\n" % len(BODY) + BODY + b"\r\n0\r\n\r\n"
                assert await answer(place, ERRORS, "Transfer-Encoding: chunked", body=body) == last

    within(scene())


def test_bodies_are_never_inflated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def inflate(*arguments: object, **options: object) -> None:
        raise AssertionError("a body is inflated")

    monkeypatch.setattr("aiohttp.http_parser.DeflateBuffer.feed_data", inflate)
    body = zlib.compress(bytes(2**23))[:8000]

    async def scene() -> None:
        async with arena(tmp_path, seats=3) as place:
            said = await answer(place, ERRORS, "Content-Encoding: deflate", f"Content-Length: {len(body)}", body=body)
            assert said == "415 Unsupported Media Type"
            assert not [line for line in place.logged if "inflated" in line]

    within(scene())


@pytest.mark.parametrize(
    "head",
    [
        f"{ERRORS} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {LARGE_BODY}\r\nContent-Encoding: deflate\r\n\r\n",
        f"{ERRORS} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {LARGE_BODY}\r\nExpect: nothing\r\n\r\n",
        f"{ERRORS} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        "\0\r\n\r\n",
    ],
    ids=["compressed", "with expectations", "without a length", "malformed"],
)
def test_little_of_a_large_refused_request_is_kept_until_the_garbage_collector_runs(tmp_path: Path, head: str) -> None:
    requests, sent = 20, head.encode() + inflating(LARGE_BODY)

    async def scene() -> None:
        async with arena(tmp_path, seats=3) as place:
            admission = place.server._connections.admission
            before, _ = tracemalloc.get_traced_memory()
            for _ in range(requests):
                async with raw(place.port) as (reader, writer):
                    writer.write(sent)
                    with suppress(ConnectionError):
                        assert (await reader.readline()).startswith(b"HTTP/1.")
                    writer.transport.abort()
            while len(admission):
                await asyncio.sleep(0)
            held = tracemalloc.get_traced_memory()[0] - before
            assert held < requests * LARGE_BODY / 2, f"{held / requests:.0f} bytes per request"

    gc.collect()
    gc.disable()
    tracemalloc.start()
    try:
        within(scene())
    finally:
        tracemalloc.stop()
        gc.enable()


def test_an_error_that_a_request_causes_is_one_short_line_of_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, connection.log.name)

    async def scene() -> None:
        loop, now = asyncio.get_running_loop(), 1000.0
        monkeypatch.setattr(loop, "time", lambda: now)
        requests = RequestLog(Connections(Capacity(), RateLimits()))
        for _ in range(MOST_LINES + 7):
            try:
                raise ValueError("\x1b[2J" + "x" * 10_000)
            except ValueError as error:
                requests.exception("Error handling request", exc_info=error)
        assert len(caplog.records) == MOST_LINES
        (line,) = set(caplog.messages)
        assert line.startswith("a request failed: ValueError: ")
        assert "test_bodies.py:" in line
        assert len(line) < 500
        assert "\x1b" not in line
        assert not any(record.exc_info for record in caplog.records)
        now += LINES_IN

    asyncio.run(scene())


def test_a_client_that_leaves_while_its_refused_body_is_read_causes_no_error(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, connection.log.name)

    async def respond(_: web.BaseRequest) -> web.StreamResponse:
        return web.Response()

    async def scene() -> None:
        requests = RequestLog(Connections(Capacity(), RateLimits()))
        body = StreamReader(web.Server(respond)(), BODY_BYTES, loop=asyncio.get_running_loop())  # not connected
        try:
            await body.readany()
        except RuntimeError as error:
            requests.exception("Unhandled exception", exc_info=error)

    asyncio.run(scene())
    (record,) = caplog.records
    assert record.levelno == logging.DEBUG
    assert record.message == "a connection was lost: the client was still sending a refused body"
