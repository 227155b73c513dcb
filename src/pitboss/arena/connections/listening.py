"""Where the arena listens: sockets that are bound before anything else is begun, so that a taken port begins none.

And, where it listens on every address, under which of them the machine is known to others.
"""

import errno
import os
import socket
from collections.abc import Sequence
from contextlib import ExitStack

BACKLOG = 4096
ELSEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses that are nobody's, of each kind (RFC 5737, RFC 3849): the way to them leads out of this machine."""


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


def own_name(everywhere: str) -> str:
    """An address of this machine that others can use where it listens on all of them; else its name.

    Nothing is sent: the system is only asked from which address it would be.
    """
    kinds = {"0.0.0.0": [socket.AF_INET], "::": [socket.AF_INET6]}.get(everywhere, list(ELSEWHERE))
    for kind in kinds:
        try:
            with socket.socket(kind, socket.SOCK_DGRAM) as asking:
                asking.connect((ELSEWHERE[kind], 9))
                return str(asking.getsockname()[0])
        except OSError:  # no way leads out
            continue
    return socket.gethostname()


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
