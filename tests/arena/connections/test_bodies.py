"""Bodies of requests: none that is compressed, unexpected or too long is read, and none is ever inflated."""

import asyncio
import logging
import zlib
from pathlib import Path

import pytest

from pitboss.arena.connections import connection
from pitboss.arena.connections.admission import Capacity
from pitboss.arena.connections.budget import RateLimits
from pitboss.arena.connections.connection import LINES_IN, MOST_LINES, Connections, RequestLog
from pitboss.arena.connections.web import BODY_BYTES
from tests.support.arena.servers import Place, arena, raw, within

ERRORS = "POST /api/tables/T-1/errors"
BODY = b'{"team":"x","code":"y"}'


async def answer(place: Place, request: str, *headers: str, body: bytes = b"") -> str:
    """The first line of the answer to a request, of which no more than this is ever sent."""
    async with raw(place.port) as (reader, writer):
        head = "\r\n".join((f"{request} HTTP/1.1", "Host: 127.0.0.1", *headers, "", ""))
        writer.write(head.encode() + body)
        return (await reader.readline()).decode().strip().partition(" ")[2]


def test_a_body_that_is_refused_is_refused_before_any_of_it_comes(tmp_path: Path) -> None:
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


def test_nothing_inflates_a_body(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
