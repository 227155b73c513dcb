"""A bare aiohttp server that broadcasts recorded frames to tables, without any game: what the arena is held against.

`python -m benchmarks.arena_bare FILE`, where FILE has the steps of `arena_script.py` as JSON.
"""

import asyncio
import sys
from pathlib import Path

import msgspec
from aiohttp import WSMsgType, web

from benchmarks.arena_script import Step
from benchmarks.arena_servers import run

SEATS = 6
STEPS_APART = 37


class Table:
    """The connections of a table, and the step that comes next."""

    def __init__(self, step: int) -> None:
        self.players: list[web.WebSocketResponse] = []
        self.step = step


class Bare:
    """Takes every action for a sign to tell the next step, over and over."""

    def __init__(self, script: list[Step]) -> None:
        self._script = script
        self._tables: dict[str, Table] = {}

    async def play(self, request: web.Request) -> web.WebSocketResponse:
        """One connection: its first frame is a hello, the others are actions."""
        ws = web.WebSocketResponse(max_msg_size=8 * 1024, heartbeat=30, compress=False, timeout=2)
        await ws.prepare(request)
        apart = len(self._tables) * STEPS_APART  # so that the tables are not all in the same place of the script
        table = self._tables.setdefault(request.query["table"], Table(apart % len(self._script)))
        async for message in ws:
            if message.type in (WSMsgType.TEXT, WSMsgType.BINARY):
                if ws in table.players:
                    table.step = (table.step + 1) % len(self._script)
                    await self._tell(table, self._script[table.step])
                else:
                    table.players.append(ws)
                    if len(table.players) == SEATS:
                        await self._tell(table, self._script[-1][-1:])
        return ws

    async def _tell(self, table: Table, step: Step) -> None:
        for players, frame in step:
            for player in players:
                await table.players[player].send_str(frame)


async def serve(script: list[Step]) -> None:
    """Serve on any port that is free, and say which."""
    app = web.Application()
    app.router.add_get("/ws", Bare(script).play)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=4096).start()
    print(f"ws://127.0.0.1:{runner.addresses[0][1]}/ws", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    run(serve(msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=list[Step])))
