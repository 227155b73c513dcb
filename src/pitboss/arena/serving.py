"""Running a server until it is told to stop: its clock, its signals, and as many handles as it may have."""

import asyncio
import gc
import signal
import socket
import ssl
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from pitboss.arena.bots.house import House
from pitboss.arena.connections.admission import capacity_for
from pitboss.arena.connections.handles import raise_handles
from pitboss.arena.connections.listening import port_of
from pitboss.arena.rooms.tables import OpenTables
from pitboss.arena.server import Server

GARBAGE = (10_000, 20, 20)
"""How seldom the collector of cyclic garbage looks."""


async def serve(
    opened: Callable[[float], OpenTables],
    host: str,
    sockets: Sequence[socket.socket],
    *,
    think: float,
    ready: Callable[[int], None],
    of_address: int,
    public_urls: Sequence[str] = (),
    command: str = "pitboss",
    tls: ssl.SSLContext | None = None,
    house: Callable[[Callable[[int, str], None]], House] = House,
) -> None:
    """Serve on sockets that listen already, until SIGTERM or Ctrl-C; raises what kept the journal from being written.

    The tables are opened here because their clocks are this server's.
    """
    loop = asyncio.get_running_loop()
    tables = opened(time.monotonic())
    seats = sum(room.match.settings.seats for room in tables.rooms.values())
    server = Server(
        tables,
        think=think,
        house=house,
        clock=time.monotonic,  # the loop's own may lag behind
        capacity=capacity_for(raise_handles(), seats, of_address),
        public_urls=public_urls,
        command=command,
        tls=tls,
    )
    async with server.running(host, port_of(sockets), sockets) as bound:
        for number in (signal.SIGINT, signal.SIGTERM):
            with suppress(NotImplementedError):  # where the platform has no signal handlers, Ctrl-C interrupts
                loop.add_signal_handler(number, server.stop)
        gc.freeze()  # tables and connections live long: looking for garbage among them again and again finds none
        gc.set_threshold(*GARBAGE)
        ready(bound)
        await server.stopped()
    if server.failure is not None:
        raise server.failure
