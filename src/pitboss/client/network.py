"""Play over the network: the socket, certificates, time limits, and reconnecting after a lost connection."""

import asyncio
import contextlib
import logging
import os
import random
import signal
import ssl
import sys
import threading
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit, urlunsplit

from msgspec import Struct

from pitboss.arena.bots.runner import to_stderr
from pitboss.arena.wire.messages import REFUSAL, MatchEnd, ServerMessage
from pitboss.client.announcer import Announcer
from pitboss.client.bots import Bot, prepare_bot
from pitboss.client.conversation import Conversation, NumberMixer
from pitboss.client.driver import ANSWERS_WITHIN, BotDriver, BotThread, ConnectionEnd, Recorder
from pitboss.client.errors import ArenaError, Trouble, Unreachable
from pitboss.extras import install_command
from pitboss.printing import printable

if TYPE_CHECKING:
    import aiohttp

log = logging.getLogger("pitboss.client")
HEARTBEAT = 15.0
CLOSES_WITHIN = 2.0
LARGEST_FRAME = 16 * 2**20
STEADY_AFTER = 1.0
"""Seconds after which a connection counts as accepted, so that the next wait is short again."""
PERHAPS_TLS = "; if the server uses TLS, give an address that begins with wss://"


def trusted_authority(authority: str | Path | None) -> ssl.SSLContext | bool:
    """Return aiohttp's `ssl` argument: True if the certificates of this machine suffice (including SSL_CERT_FILE)."""
    if authority is None:
        return True
    context = ssl.create_default_context()
    try:
        context.load_verify_locations(authority)
    except OSError as error:  # SSLError is a subclass
        reason = "it contains no certificate" if isinstance(error, ssl.SSLError) else error.strerror
        raise ArenaError(f"the certificates in {authority} cannot be used: {reason}") from None
    return context


class Patience(Struct, frozen=True, kw_only=True):
    """How to reconnect: waits that double, each shortened at random, until a time limit.

    >>> from pitboss.client import Patience
    >>> Patience(give_up_after=600).give_up_after
    600
    """

    first_wait: float = 0.25
    longest_wait: float = 5.0
    give_up_after: float = 60.0

    def wait(self, failures: int) -> float:
        """Return the seconds to wait after this many failures in a row; random, so that bots do not connect at once."""
        longest = min(self.longest_wait, self.first_wait * 2.0 ** min(failures, 30))
        return longest * random.uniform(0.5, 1.0)


DEFAULT_PATIENCE = Patience()


def play(
    bot: Bot,
    url: str,
    *,
    team: str,
    code: str,
    record: str | Path | None = None,
    mix: bool = True,
    patience: Patience = DEFAULT_PATIENCE,
    on_message: Callable[[ServerMessage], object] | None = None,
    on_trouble: Callable[[Trouble], object] | None = None,
    say: Callable[[str], object] | None = to_stderr,
    tls_ca: str | Path | None = None,
) -> MatchEnd:
    """Play a bot until the match is over, and return the result; Ctrl-C or SIGTERM leaves the match.

    `say` receives one line for the seat, one for each hand and one for the result; by default they are printed on
    standard error. An `ArenaError` that is not caught ends the program with its message only.

    `record` is a file to which every frame is appended, for `pitboss arena verify`. With `mix` the bot adds random
    numbers to the shuffle, so that the arena cannot choose a deck; a dishonest shuffle is logged as an error.
    `tls_ca` is a file with a certificate to trust at a `wss://` address, in addition to those of this machine.

    >>> from pitboss.client import play
    >>> play(7, "ws://127.0.0.1:8765/ws", team="Pairs", code="KF7Q9C")
    Traceback (most recent call last):
    pitboss.client.NotABot: expected a function decide(act), or a class with a method act(self, act), got 7
    """
    announcer = Announcer(team)

    def print_lines(message: ServerMessage) -> None:
        if say is not None:
            for line in announcer.announce(message):
                say(line.text)
        if on_message is not None:
            on_message(message)

    if sys.excepthook is sys.__excepthook__:
        sys.excepthook = _print_arena_error
    playing = join(
        bot,
        url,
        team=team,
        code=code,
        record=record,
        mix=mix,
        patience=patience,
        on_message=print_lines,
        on_trouble=on_trouble,
        tls_ca=tls_ca,
    )
    try:
        return asyncio.run(_until_terminated(playing))
    except (KeyboardInterrupt, asyncio.CancelledError) as error:
        if say is not None:
            say(announcer.leave_line())
        number = signal.SIGINT if isinstance(error, KeyboardInterrupt) else signal.SIGTERM
        raise SystemExit(128 + number) from None


def _print_arena_error(kind: type[BaseException], error: BaseException, at: TracebackType | None) -> None:
    """End a program that has called `play` with the error's message only: the bot's code is not at fault."""
    if isinstance(error, ArenaError):
        to_stderr(printable(str(error)))
    else:
        sys.__excepthook__(kind, error, at)


async def join(
    bot: Bot,
    url: str,
    *,
    team: str,
    code: str,
    record: str | Path | None = None,
    mix: bool = True,
    patience: Patience = DEFAULT_PATIENCE,
    on_message: Callable[[ServerMessage], object] | None = None,
    on_trouble: Callable[[Trouble], object] | None = None,
    tls_ca: str | Path | None = None,
) -> MatchEnd:
    """`play` for programs with an event loop. If cancelled, it leaves the match without waiting for the bot.

    >>> import asyncio
    >>> from pitboss.client import join
    >>> asyncio.run(join(7, "ws://127.0.0.1:8765/ws", team="Pairs", code="KF7Q9C"))
    Traceback (most recent call last):
    pitboss.client.NotABot: expected a function decide(act), or a class with a method act(self, act), got 7
    """
    _need_aiohttp()
    ready, address, trust = prepare_bot(bot), address_of(url), trusted_authority(tls_ca)
    with Recorder(record) as recorder:
        bot_thread = BotThread(ready)
        driver = BotDriver(
            Conversation(team, code, NumberMixer() if mix else None), bot_thread, recorder, on_message, on_trouble
        )
        try:
            return await _stay_connected(driver, address, patience, trust)
        finally:
            await driver.close()
            await bot_thread.close()


async def _until_terminated(playing: Coroutine[None, None, MatchEnd]) -> MatchEnd:
    """Play, and treat SIGTERM like Ctrl-C unless the program handles it."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        with contextlib.suppress(NotImplementedError):  # platforms without signal handlers
            loop.add_signal_handler(signal.SIGTERM, task.cancel)
    return await playing


def address_of(url: str) -> str:
    """Return the address to connect to; if only a host is given, the path for players is added.

    >>> address_of("ws://127.0.0.1:8765")
    'ws://127.0.0.1:8765/ws'
    """
    refusal = ArenaError(f"expected an arena's address such as ws://127.0.0.1:8765/ws, got {url}")
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018  # reading it is what checks it
    except ValueError:
        raise refusal from None
    if parts.scheme not in ("ws", "wss", "http", "https") or not parts.hostname:
        raise refusal
    return urlunsplit(parts._replace(path="/ws")) if parts.path in ("", "/") else url


def page_of(url: str, table: str) -> str:
    """Return the address of the page that shows a table, for the address that a bot has joined.

    >>> page_of("wss://arena.example/poker/ws?table=T-1", "T-2")
    'https://arena.example/poker/?table=T-2'
    """
    parts = urlsplit(address_of(url))
    scheme = {"ws": "http", "wss": "https"}.get(parts.scheme, parts.scheme)
    return urlunsplit((scheme, parts.netloc, parts.path.removesuffix("ws"), urlencode({"table": table}), ""))


def _need_aiohttp() -> None:
    try:
        import aiohttp  # noqa: F401  # only to check that it is installed
    except ImportError:
        raise ArenaError(f"playing over the network needs aiohttp: {install_command('arena')}") from None


async def _stay_connected(
    driver: BotDriver, address: str, patience: Patience, trust: ssl.SSLContext | bool
) -> MatchEnd:
    """Connect repeatedly, until the match is over or there was no connection for too long."""
    import aiohttp

    failures, welcomed_at = 0, time.monotonic()
    connector = aiohttp.TCPConnector(ssl=trust)
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=None), connector=connector) as http:
        while True:
            began = time.monotonic()
            ended = await _one_connection(driver, http, address)
            if isinstance(ended, MatchEnd):
                return ended
            now = time.monotonic()
            if driver.conversation.welcomed:
                welcomed_at = now
                failures = 0 if now - began > STEADY_AFTER else failures
            if now - welcomed_at >= patience.give_up_after:
                raise Unreachable(f"no arena at {address} for {patience.give_up_after:g} s: {ended.why}")
            wait = max(patience.wait(failures), ended.wait_ms / 1000)
            failures += 1
            log.warning("not connected to %s (%s): trying again in %.1f s", address, ended.why, wait)
            await asyncio.sleep(wait)


async def _one_connection(driver: BotDriver, http: "aiohttp.ClientSession", address: str) -> MatchEnd | ConnectionEnd:
    """Play on one connection until it ends; raise an error if another connection would fail too."""
    hello = driver.conversation.begin()
    ws = await open_socket(http, address)
    if isinstance(ws, ConnectionEnd):
        return ws
    async with ws:
        return await driver.run(ws, hello)


async def open_socket(http: "aiohttp.ClientSession", address: str) -> "aiohttp.ClientWebSocketResponse | ConnectionEnd":
    """Return a new connection, or why there is none; raise an error if another attempt would fail too."""
    import aiohttp

    timeout = aiohttp.ClientWSTimeout(ws_close=CLOSES_WITHIN)
    try:
        async with asyncio.timeout(ANSWERS_WITHIN):
            return await http.ws_connect(address, heartbeat=HEARTBEAT, max_msg_size=LARGEST_FRAME, timeout=timeout)
    except aiohttp.WSServerHandshakeError as error:
        if error.headers is not None and (sentence := error.headers.get(REFUSAL)) is not None:
            raise ArenaError(f"{address}: {printable(sentence)}") from None
        _check_is_arena(address, error.status)
        return ConnectionEnd(f"the server answered with status {error.status}")
    except aiohttp.InvalidURL:
        raise ArenaError(f"{address} is not the address of an arena") from None
    except TimeoutError:
        return ConnectionEnd("the server did not answer in time")
    except aiohttp.ClientConnectorCertificateError as error:
        why = getattr(error.certificate_error, "verify_message", "") or str(error.certificate_error)
        raise ArenaError(
            f"{address} has a certificate that is not trusted ({printable(why)}): give one to trust with --tls-ca FILE"
        ) from None
    except (aiohttp.ClientError, OSError) as error:
        return ConnectionEnd(
            _reason(error) + (PERHAPS_TLS if _hung_up(error) and address.startswith(("ws:", "http:")) else "")
        )


def _hung_up(error: Exception) -> bool:
    """Return whether the server closed the connection, as a server with TLS does without TLS."""
    import aiohttp

    return isinstance(error, aiohttp.ServerDisconnectedError | ConnectionResetError)


def _reason(error: Exception) -> str:
    """Return why there is no connection; operating system errors in the system's words."""
    number = getattr(getattr(error, "os_error", error), "errno", None)
    return os.strerror(number) if number and number > 0 else str(error) or type(error).__name__


def _check_is_arena(address: str, status: int) -> None:
    """Raise `ArenaError` for a status that another attempt would not change."""
    if 200 <= status < 500 and status not in (408, 429):
        raise ArenaError(f"{address} is not an arena: it answered with status {status}")
