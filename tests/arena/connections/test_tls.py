"""TLS: bots play over wss://, browsers are served over https://, and strangers are held off as without it."""

import asyncio
import importlib
import json
import ssl
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from http.client import HTTPSConnection
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from click.testing import CliRunner

from pitboss.arena.connections.admission import Capacity
from pitboss.arena.connections.listeners import CertificateError, server_context
from pitboss.cli.main import cli
from pitboss.client import ArenaError, Patience, Unreachable, check, join
from tests.support.arena.certificates import certificate
from tests.support.arena.servers import BOUND, Arena, Peer, arena, code_of, framed, refused, served, within

Runner = Callable[[Coroutine[Any, Any, None]], None]
LOOPS = [asyncio.run] if find_spec("uvloop") is None else [asyncio.run, importlib.import_module("uvloop").run]
WHO = {"type": "hello", "v": 1, "team": "Alpha", "join_code": code_of("Alpha")}


def trust() -> ssl.SSLContext:
    """What a client needs that trusts the test's certificate."""
    context = ssl.create_default_context(cafile=certificate()[0])
    context.verify_flags |= ssl.VERIFY_X509_STRICT  # as from Python 3.13 on
    return context


@asynccontextmanager
async def visit(place: Arena, path: str = "/ws") -> AsyncIterator[Peer]:
    """Connect to an arena by TLS."""
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"wss://127.0.0.1:{place.port}{path}", ssl=trust(), max_msg_size=0) as ws,
    ):
        yield Peer(ws)


def test_bots_play_over_wss_and_the_page_is_served_over_https(tmp_path: Path) -> None:
    async def scene() -> None:
        async with arena(tmp_path, tls=server_context(*certificate()), seats=2, max_hands=2) as place:
            url = f"wss://127.0.0.1:{place.port}/ws"
            trusted = certificate()[0]
            teams = [join(lambda act: check(), url, team=team, code=team, tls_ca=trusted) for team in ("A", "B")]
            one, other = await asyncio.gather(*teams)
            assert one == other
            async with aiohttp.ClientSession() as session:
                async with session.get(f"https://127.0.0.1:{place.port}/", ssl=trust()) as answer:
                    assert answer.status == 200
                async with session.get(f"https://127.0.0.1:{place.port}/api/arena", ssl=trust()) as answer:
                    about = await answer.json()
            assert (about["bots"], about["page"]) == (url, f"https://127.0.0.1:{place.port}/")

    within(scene())


def test_a_client_that_does_not_trust_it_ends_at_once_with_a_sentence(tmp_path: Path) -> None:
    async def scene() -> None:
        async with arena(tmp_path, tls=server_context(*certificate())) as place:
            with pytest.raises(ArenaError, match=r"a certificate that is not trusted .*--tls-ca FILE"):
                await join(lambda act: check(), f"wss://127.0.0.1:{place.port}/ws", team="A", code="a")

    within(scene())


def test_client_without_tls_gets_the_https_address(tmp_path: Path) -> None:
    async def scene() -> None:
        hasty = Patience(give_up_after=0)
        async with arena(tmp_path, tls=server_context(*certificate())) as place:
            with pytest.raises(Unreachable, match="if the server uses TLS, give an address that begins with wss://"):
                await join(lambda act: check(), f"ws://127.0.0.1:{place.port}/ws", team="A", code="a", patience=hasty)

    within(scene())


@pytest.mark.parametrize("run", LOOPS)
def test_simultaneous_handshakes_succeed_on_every_event_loop(tmp_path: Path, run: Runner) -> None:
    async def comes(place: Arena) -> int:
        async with visit(place, "/watch") as peer:
            return len(await peer.receive("table"))

    async def scene() -> None:
        async with asyncio.timeout(BOUND), arena(tmp_path, tls=server_context(*certificate())) as place:
            assert all(await asyncio.gather(*[comes(place) for _ in range(40)]))
            assert place.server._connections.admission.strangers == 0

    run(scene())


def test_a_flood_of_frames_is_cut_off_over_tls_too(tmp_path: Path) -> None:
    async def scene() -> None:
        async with arena(tmp_path, limits=None, tls=server_context(*certificate())) as place, visit(place) as peer:
            writer = peer.ws._response.connection.transport  # type: ignore[union-attr]  # beneath aiohttp's manners
            writer.write(framed(b"", opcode=9) * 200)  # type: ignore[union-attr]  # as above
            code, reason = await peer.closed()
            assert (code, reason) == (1008, "too many frames")

    within(scene())


def test_pending_handshakes_are_counted_and_closed_first(tmp_path: Path) -> None:
    capacity = Capacity(strangers=3, strangers_of_address=3, first_request=60.0)

    async def scene() -> None:
        async with arena(tmp_path, tls=server_context(*certificate()), capacity=capacity) as place:
            silent = [await asyncio.open_connection("127.0.0.1", place.port) for _ in range(6)]
            for reader, _ in silent[:3]:
                assert await reader.read() == b"", "older ones have to go"
            async with visit(place) as peer:
                await peer.say(WHO)
                assert (await peer.receive("welcome"))["seat"] == 0, "who takes a seat is never kept out by them"
            assert place.server._connections.admission.strangers <= 3
            for _, writer in silent:
                writer.transport.abort()

    within(scene())


def test_slow_handshake_or_plain_text_is_cut_off(tmp_path: Path) -> None:
    async def scene() -> None:
        capacity = Capacity(first_request=0.2)
        async with arena(tmp_path, tls=server_context(*certificate()), capacity=capacity) as place:
            reader, silent = await asyncio.open_connection("127.0.0.1", place.port)
            assert await reader.read() == b""
            silent.transport.abort()
            reader, plain = await asyncio.open_connection("127.0.0.1", place.port)
            plain.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert b"HTTP" not in await reader.read()
            plain.transport.abort()
            while place.server._connections.admission.strangers:
                await asyncio.sleep(0)

    within(scene())


def test_invalid_certificate_is_named(tmp_path: Path) -> None:
    certified, key = certificate()
    (tmp_path / "none").write_text("none", encoding="utf-8")
    with pytest.raises(CertificateError, match="missing cannot be read"):
        server_context(tmp_path / "missing", key)
    with pytest.raises(CertificateError, match="are not a certificate and its key"):
        server_context(certified, tmp_path / "none")


def test_other_machines_require_tls_or_an_explicit_insecure_option(tmp_path: Path) -> None:
    status, said = refused(tmp_path, "--host", "0.0.0.0")
    assert status == 2
    assert (
        "--host 0.0.0.0 accepts connections from other machines: give --tls-cert and --tls-key, or --insecure"
        in " ".join(said.split())
    )
    assert not list(tmp_path.glob("arena.db*")), "it creates nothing"
    for options in (("--tls-cert", "x"), ("--insecure", "--tls-cert", "x", "--tls-key", "y")):
        assert CliRunner().invoke(cli, ["arena", "serve", *options]).exit_code == 2


def test_command_serves_tls_and_prints_the_working_address(tmp_path: Path) -> None:
    certified, key = certificate()
    with served(tmp_path, "--tls-cert", str(certified), "--tls-key", str(key)) as process:
        asking = HTTPSConnection("127.0.0.1", process.port, context=trust(), timeout=BOUND)
        asking.request("GET", "/api/arena")
        about = json.loads(asking.getresponse().read())
        asking.close()  # a client on an event loop that ends at once would leave its socket open
        assert about["bots"] == f"wss://127.0.0.1:{process.port}/ws"
        assert about["page"] == f"https://127.0.0.1:{process.port}/"
        assert process.end() == 0
