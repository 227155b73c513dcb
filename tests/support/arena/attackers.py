"""Attackers that try to stall an arena, in their own process: `python -m tests.support.arena.attackers PORT KIND`.

Each kind is a coroutine that runs until its input ends; loopback only. The process prints how often it attacked.
"""

import asyncio
import socket
import struct
import sys
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path

from tests.support.arena.servers import HANDSHAKE, framed

ROOT = Path(__file__).resolve().parents[3]
MANY = 64 * 1024
"""The number of bytes per write."""
REQUEST = b"GET /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
SMALL_BODY, LARGE_BODY = 8_000, 400_000
"""The size of a compressed body; it inflates to a thousand times as many bytes."""
LOST = (ConnectionError, asyncio.IncompleteReadError, OSError)

Attack = Callable[[int], Awaitable[int]]


async def connect(port: int, *, small: bool = False) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A bare connection; a small one has tiny receive buffers."""
    connection = socket.socket()
    if small:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    connection.setblocking(False)
    try:
        await asyncio.get_running_loop().sock_connect(connection, ("127.0.0.1", port))
    except OSError:
        connection.close()
        raise
    return await asyncio.open_connection(sock=connection, limit=2**10 if small else 2**16)


async def upgrade(port: int, path: str, *, small: bool = False) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A WebSocket connection."""
    reader, writer = await connect(port, small=small)
    writer.write(HANDSHAKE.format(path).encode())
    await reader.readuntil(b"\r\n\r\n")
    return reader, writer


def flood(path: str, piece: bytes) -> Attack:
    """Write the same bytes over and over; connect again after being disconnected."""

    async def attack(port: int) -> int:
        reader, writer = await (upgrade(port, path) if path else connect(port))
        done, pieces = 0, piece * max(1, MANY // len(piece))
        ears = asyncio.ensure_future(_swallow(reader))
        try:
            while not ears.done():
                writer.write(pieces)
                await writer.drain()
                done += 1
                await asyncio.sleep(0)
        finally:
            ears.cancel()
            writer.transport.abort()
        return done

    return attack


@cache
def inflating(size: int) -> bytes:
    """The beginning of a body that inflates to a thousand times its size; made once, piece by piece."""
    packer, packed = zlib.compressobj(9), bytearray()
    while len(packed) < size:
        packed += packer.compress(bytes(2**20))
    return bytes(packed[:size])


def compressed(size: int) -> Attack:
    """Send a request whose body inflates to a thousand times its size, over and over."""

    async def attack(port: int) -> int:
        body = inflating(size)
        head = f"POST /api/tables/T-1/errors HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {size}\r\n"
        return await flood("", f"{head}Content-Encoding: deflate\r\n\r\n".encode() + body)(port)

    return attack


async def _swallow(reader: asyncio.StreamReader) -> None:
    with suppress(*LOST):
        while await reader.read(MANY):
            pass


async def churn(port: int) -> int:
    """Connect and close."""
    _, writer = await connect(port)
    writer.transport.abort()
    return 1


async def churn_upgraded(port: int) -> int:
    """Become a spectator and leave at once."""
    _, writer = await upgrade(port, "/watch")
    writer.transport.abort()
    return 1


async def reset(port: int) -> int:
    """Request a table and reset the connection before the answer can come."""
    _, writer = await connect(port)
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.write(HANDSHAKE.format("/ws").encode())
    await asyncio.sleep(0)
    writer.transport.abort()
    return 1


async def ask_anew(port: int) -> int:
    """Request the tables twenty times over one connection, then open another."""
    reader, writer = await connect(port)
    writer.write(REQUEST * 20)
    with suppress(*LOST):
        await reader.read(MANY)
    writer.transport.abort()
    return 1


def crowd(path: str, count: int, *, small: bool = False) -> Attack:
    """Hold as many connections as possible, and never read from them."""

    async def attack(port: int) -> int:
        held: list[asyncio.StreamWriter] = []
        try:
            while len(held) < count:
                with suppress(*LOST):
                    _, writer = await (upgrade(port, path, small=small) if path else connect(port, small=small))
                    held.append(writer)
                await asyncio.sleep(0)
                held = [writer for writer in held if not writer.transport.is_closing()] if len(held) >= count else held
            await asyncio.Event().wait()
        finally:
            for writer in held:
                writer.transport.abort()
        return len(held)

    return attack


KINDS: dict[str, Attack] = {
    "pings of a spectator": flood("/watch", framed(b"", opcode=9)),
    "pings of a stranger": flood("/ws", framed(b"x" * 125, opcode=9)),
    "pongs": flood("/watch", framed(b"", opcode=10)),
    "empty fragments": flood("/watch", framed(b"", opcode=0, last=False)),
    "fragments of a stranger": flood("/ws", framed(b"", last=False) + framed(b"", opcode=0, last=False) * 10_000),
    "binary": flood("/ws", framed(b"x" * 100, opcode=2)),
    "words of a spectator": flood("/watch", framed(b"{}")),
    "oversized": flood("/ws", framed(b"x" * 60_000)),
    "requests": flood("", REQUEST),
    "requests over new connections": ask_anew,
    "compressed bodies": compressed(SMALL_BODY),
    "large compressed bodies": compressed(LARGE_BODY),
    "malformed requests": flood("", b"\0"),
    "slow headers": crowd("", 300),
    "churn": churn,
    "churn of spectators": churn_upgraded,
    "resets": reset,
    "deaf spectators": crowd("/watch", 1200, small=True),
}


async def go_on(port: int, attack: Attack) -> int:
    """Attack again and again."""
    done = 0
    while True:
        with suppress(*LOST):
            done += await attack(port)
        print(done, flush=True)
        await asyncio.sleep(0)


async def main(port: int, kind: str) -> None:
    """Attack until the input ends, four times at once."""
    loop = asyncio.get_running_loop()
    tasks = [asyncio.create_task(go_on(port, KINDS[kind])) for _ in range(4)]
    await loop.run_in_executor(None, sys.stdin.read)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@asynccontextmanager
async def attacked(port: int, kind: str) -> AsyncIterator[None]:
    """Attack an arena from another process, which ends with the context.

    It runs at the lowest priority, because real attackers have processors of their own.
    """
    command = ("nice", "-n", "19", sys.executable, "-m", "tests.support.arena.attackers", str(port), kind)
    process = await asyncio.create_subprocess_exec(
        *command, cwd=ROOT, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL
    )
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.communicate()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2]))
