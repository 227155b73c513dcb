"""A stage for the page: a server on a free port that serves its files and sends spectators what a test wants sent."""

import asyncio
import threading
from collections.abc import Coroutine, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from aiohttp import WSCloseCode, web

import pitboss.arena
from pitboss.arena.wire.messages import ServerMessage, write

PAGE = Path(pitboss.arena.__file__).parent / "page"
PATIENCE = 20.0  #: seconds after which a stage that does not come up or go down is an error

T = TypeVar("T")


class Stage:
    """What the stage's server sends; a late spectator receives everything from the start, table by table."""

    def __init__(self) -> None:
        self.url = ""
        self.tables: list[dict[str, Any]] = []  #: the answer of `/api/tables`
        self.arena: dict[str, Any] = {}  #: what `/api/arena` says besides
        self.histories: dict[str, dict[str, Any]] = {}  #: how matches have gone, by table
        self.rules = "Play a card."  #: of the game
        self.unknown: set[str] = set()  #: tables that there are none of
        self.closed_for: str | None = None  #: why newcomers are sent away, if they are
        self.transcripts: dict[str, list[str]] = {}
        self._watching: dict[web.WebSocketResponse, str] = {}
        self._loop = asyncio.new_event_loop()

    def send(self, *messages: ServerMessage | str, table: str = "T-1") -> None:
        """Send messages, or raw frames, to all spectators of this table, now or later."""
        frames = [message if isinstance(message, str) else write(message) for message in messages]
        self._do(self._send(frames, table))

    def drop(self, reason: str = "") -> None:
        """Close all connections."""
        self._do(self._drop(reason))

    def _do(self, doing: Coroutine[Any, Any, T]) -> T:
        future: Future[T] = asyncio.run_coroutine_threadsafe(doing, self._loop)
        return future.result(PATIENCE)

    # --- within the server's thread

    def _serve(self) -> None:
        try:
            self._loop.run_forever()
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        finally:
            self._loop.close()

    async def _send(self, frames: Sequence[str], table: str) -> None:
        self.transcripts.setdefault(table, []).extend(frames)
        for socket, watched in list(self._watching.items()):
            if watched == table:
                for frame in frames:
                    await socket.send_str(frame)

    async def _drop(self, reason: str) -> None:
        for socket in list(self._watching):
            await socket.close(code=WSCloseCode.GOING_AWAY, message=reason.encode())

    async def _watch(self, request: web.Request) -> web.WebSocketResponse:
        table = request.query.get("table", "T-1")
        if table in self.unknown:
            raise web.HTTPNotFound(text="there is no such table")
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        if self.closed_for is not None:
            await socket.close(code=WSCloseCode.GOING_AWAY, message=self.closed_for.encode())
            return socket
        transcript = self.transcripts.setdefault(table, [])
        sent = 0
        while sent < len(transcript):  # more may come meanwhile
            await socket.send_str(transcript[sent])
            sent += 1
        self._watching[socket] = table
        try:
            async for _ in socket:
                pass
        finally:
            del self._watching[socket]
        return socket

    async def _start(self) -> web.AppRunner:
        app = web.Application()
        app.router.add_get("/", _index)
        app.router.add_static("/page", PAGE)
        app.router.add_get("/watch", self._watch)
        app.router.add_get("/api/tables", self._list)
        app.router.add_get("/api/tables/{table}/history", self._tell_history)
        app.router.add_get("/api/tables/{table}", self._tell_rules)
        app.router.add_get("/api/arena", self._tell)
        runner = web.AppRunner(app, shutdown_timeout=1.0)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0][:2]
        self.url = f"http://{host}:{port}/"
        return runner

    async def _list(self, _: web.Request) -> web.Response:
        return web.json_response(self.tables)

    async def _tell_history(self, request: web.Request) -> web.Response:
        return web.json_response(self.histories.get(request.match_info["table"], {"hands": [], "stacks": {}}))

    async def _tell_rules(self, _: web.Request) -> web.Response:
        return web.json_response({"rules": self.rules})

    async def _tell(self, _: web.Request) -> web.Response:
        bots = self.url.replace("http:", "ws:") + "ws"
        return web.json_response({"command": "pitboss", "bots": bots, "keep_open": False, **self.arena})

    async def _stop(self, runner: web.AppRunner) -> None:
        """Close the server and all connections, those too that were accepted in this very moment."""
        server = runner.server
        await self._drop("")
        await runner.cleanup()
        async with asyncio.timeout(PATIENCE):
            while others := asyncio.all_tasks() - {asyncio.current_task()}:
                for connection in server.connections if server is not None else ():
                    if connection.transport is not None:  # a browser may be too busy to read
                        connection.transport.abort()
                await asyncio.wait(others, timeout=0.05)
        await asyncio.sleep(0)  # aborted transports close their sockets now

    @contextmanager
    def running(self) -> Iterator["Stage"]:
        """Serve, in another thread, until the block ends."""
        thread = threading.Thread(target=self._serve, name="stage", daemon=True)
        thread.start()
        try:
            runner = self._do(self._start())
            try:
                yield self
            finally:
                self._do(self._stop(runner))
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            thread.join(PATIENCE)


async def _index(_: web.Request) -> web.FileResponse:
    return web.FileResponse(PAGE / "index.html")
