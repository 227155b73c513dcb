"""Where the arena listens: sockets that are bound before anything else is begun, so that a taken port begins none."""

import errno
import os
import socket
from collections.abc import Sequence
from contextlib import ExitStack

BACKLOG = 4096


def listen(host: str, port: int) -> list[socket.socket]:
    """Listen on every address of a host that this machine has, 0 for any port that is free; OSError where none is."""
    with ExitStack() as opened:
        sockets: list[socket.socket] = []
        missing: OSError | None = None
        found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, kind, protocol, _, address in dict.fromkeys(found):
            if port == 0 and sockets:
                address = (address[0], sockets[0].getsockname()[1], *address[2:])
            try:
                sockets.append(opened.enter_context(_listening(family, kind, protocol, address)))
            except OSError as error:
                if error.errno not in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
                    raise
                missing = error  # "localhost" names an address of IPv6 where there is no IPv6 too
        if missing is not None and not sockets:
            raise missing
        opened.pop_all()
        return sockets


def port_of(sockets: Sequence[socket.socket]) -> int:
    """The port that all of them have."""
    port = sockets[0].getsockname()[1]
    assert isinstance(port, int)
    return port


def _listening(family: int, kind: int, protocol: int, address: tuple[object, ...]) -> socket.socket:
    with ExitStack() as opened:
        bound = opened.enter_context(socket.socket(family, kind, protocol))
        if os.name == "posix":
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        bound.bind(address)
        bound.listen(BACKLOG)  # two could be bound, but only one listens
        opened.pop_all()
        return bound
