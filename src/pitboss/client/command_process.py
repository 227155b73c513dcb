"""The process of a bot that is a command, in any language; `python -m pitboss.client.command_process` runs it.

The command receives the messages of the protocol on standard input and answers on standard output, one JSON object per
line. Or it connects by WebSocket to `PITBOSS_URL` with `PITBOSS_TEAM` and `PITBOSS_CODE`, as it would to a server.
"""

import asyncio
import atexit
import os
import secrets
import shlex
import shutil
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from pitboss.arena.bots.runner import AnswerLine, AskLine, LoadedLine, LoadLine
from pitboss.arena.bots.sandbox import LONGEST_LINE, LineHandler, confine, die_with_parent, serve_lines
from pitboss.arena.wire.answers import Question, answer_of, read_answer
from pitboss.arena.wire.messages import Action, Error, Hello, MoveMessage, Rejected, read, write

GRACE = 1.0
"""The time in seconds for a command to end after its input is closed; it must be less than `LAST_MOMENT`."""

if TYPE_CHECKING:
    from aiohttp import web


class _Head(Struct):
    type: str


class Command:
    """A running command, and the channel on which it answers."""

    def __init__(self, spec: str, team: str) -> None:
        self._words, self._team, self._code = shlex.split(spec), team, secrets.token_hex(4)
        self._answers: asyncio.Queue[str | bytes | None] = asyncio.Queue()  # None: the command has ended
        self._welcome: list[str] = []  # the messages before the first hand
        self._hand: list[str] = []  # the messages of this hand
        self._ws: web.WebSocketResponse | None = None
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Start the command; raises `OSError` if it cannot be started."""
        url = await self._listen()
        given = {"PITBOSS_TEAM": self._team, "PITBOSS_CODE": self._code, **({"PITBOSS_URL": url} if url else {})}
        self._process = await asyncio.create_subprocess_exec(
            *self._words,
            stdin=PIPE,
            stdout=PIPE,
            env={**os.environ, **given},
            limit=LONGEST_LINE,
            preexec_fn=die_with_parent,
        )
        self._tasks = [asyncio.create_task(self._read(self._process)), asyncio.create_task(self._wait(self._process))]

    async def close(self) -> None:
        """Close the command's standard input, and end the command if it does not end by itself."""
        if self._process.returncode is None and self._process.stdin is not None:
            self._process.stdin.close()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), GRACE)
        if self._process.returncode is None:
            self._process.kill()
            await self._process.wait()
        for task in self._tasks:
            task.cancel()

    async def receive(self, message: str) -> None:
        """Pass a message on."""
        kind = msgspec.json.decode(message, type=_Head).type
        if kind == "start_hand":
            self._hand = []
        (self._welcome if kind in ("welcome", "lobby") else self._hand).append(message)
        await self._send(message)

    async def ask(self, act: Question) -> AnswerLine:
        """Ask a question and return the answer, checked."""
        await self.receive(write(act))
        while (line := await self._answers.get()) is not None:
            found = _answer(line, act)
            if found is not None:
                return found
        sys.exit(self._process.returncode or 0)

    async def _send(self, message: str) -> None:
        if self._ws is not None:
            await self._ws.send_str(message)
        elif self._process.stdin is not None and not self._process.stdin.is_closing():
            self._process.stdin.write(message.encode() + b"\n")

    async def _read(self, process: Process) -> None:
        assert process.stdout is not None
        while line := await process.stdout.readline():
            self._answers.put_nowait(line)

    async def _wait(self, process: Process) -> None:
        await process.wait()
        await self._tasks[0]  # read its last lines before the end is reported
        self._answers.put_nowait(None)

    # --- WebSocket

    async def _listen(self) -> str | None:
        """Listen for the command's connection; return the address, None if aiohttp is not installed."""
        try:
            from aiohttp import web
        except ImportError:
            return None
        app = web.Application()
        app.router.add_get("/ws", self._connected)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0][:2]
        return f"ws://{host}:{port}/ws"

    async def _connected(self, request: "web.Request") -> "web.WebSocketResponse":
        from aiohttp import WSMsgType, web

        ws = web.WebSocketResponse()
        await ws.prepare(request)
        async for frame in ws:
            if frame.type is not WSMsgType.TEXT:
                continue
            if self._ws is ws:
                self._answers.put_nowait(frame.data)
            elif (refusal := self._refusal(frame.data)) is not None:
                await ws.send_str(write(refusal))
            else:
                self._ws = ws
                for message in (*self._welcome, *self._hand):
                    await ws.send_str(message)
        if self._ws is ws:
            self._ws = None
        return ws

    def _refusal(self, frame: str) -> Error | None:
        """Return the error for the first frame of a connection; None if the connection gets the seat."""
        try:
            hello = read(frame)
        except Rejected as rejected:
            return Error(code=rejected.code, msg=str(rejected))
        if not isinstance(hello, Hello):
            return Error(code="OUT_OF_TURN", msg="send a hello first")
        if (hello.team, hello.join_code) != (self._team, self._code):
            return Error(code="TEAM_UNKNOWN", msg="expected the team in PITBOSS_TEAM and the code in PITBOSS_CODE")
        return None


def _answer(line: str | bytes, act: Question) -> AnswerLine | None:
    """Return the answer that a line gives to a question; None if the line is not an answer to it."""
    try:
        msgspec.json.decode(line, type=_Head)
    except (msgspec.DecodeError, UnicodeError):
        text = line if isinstance(line, str) else line.decode(errors="replace")
        print(text.rstrip("\n"), file=sys.stderr, flush=True)  # a line for people, not an answer
        return None
    try:
        reply = read(line)
        if not isinstance(reply, Action | MoveMessage):
            return None
        if reply.hand_id != act.hand_id or reply.turn not in (None, act.turn):
            return None  # the answer is too late
        return AnswerLine(action=read_answer(answer_of(reply), act))
    except ValueError as error:
        return AnswerLine(wrong=str(error))


def begin(line: bytes) -> tuple[bytes, LineHandler | None]:
    """Start the command of the first line; return the function that handles all other lines."""
    first = msgspec.json.decode(line, type=LoadLine)
    lacking = confine(first.confinement)
    runner = asyncio.Runner()
    command = Command(first.bot, first.name)
    try:
        runner.run(command.start())
    except OSError as error:
        program = shlex.split(first.bot)[0]
        found = "cannot be started" if shutil.which(program) else "was not found"
        return msgspec.json.encode(LoadedLine(error=f"the program {program} {found}: {error.strerror or error}")), None
    atexit.register(lambda: runner.run(command.close()))
    return msgspec.json.encode(LoadedLine(lacking=lacking, wants_messages=True)), partial(_handle, command, runner)


def _handle(command: Command, runner: asyncio.Runner, line: bytes) -> bytes | None:
    request = msgspec.json.decode(line, type=AskLine)
    if request.ask is not None:
        return msgspec.json.encode(runner.run(command.ask(request.ask)))
    if request.message is not None:
        runner.run(command.receive(request.message))
    return None


if __name__ == "__main__":
    serve_lines(begin)
