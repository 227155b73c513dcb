"""Where the arena listens: on every address of a host that this machine has, and nowhere if one is taken."""

import errno
import os
import socket
import sys
from collections.abc import Callable
from typing import Any

import pytest

from pitboss.arena.connections.addresses import listen, port_of

TWO = [
    (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 0)),
    (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.2", 0)),
]
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux listens on 127.0.0.2 without being requested to")


@pytest.fixture
def addresses(monkeypatch: pytest.MonkeyPatch) -> Callable[[list[Any]], None]:
    """Say which addresses a host has."""

    def says(found: list[Any]) -> None:
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)

    return says


@LINUX
def test_all_addresses_of_a_host_have_one_port(addresses: Callable[[list[Any]], None]) -> None:
    addresses([*TWO, TWO[0]])
    sockets = listen("both", 0)
    try:
        assert [bound.getsockname()[0] for bound in sockets] == ["127.0.0.1", "127.0.0.2"]
        assert {bound.getsockname()[1] for bound in sockets} == {port_of(sockets)}
        assert port_of(sockets) > 0
    finally:
        for bound in sockets:
            bound.close()


def test_an_address_that_this_machine_has_not_is_left_out(addresses: Callable[[list[Any]], None]) -> None:
    addresses([(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("192.0.2.1", 0)), TWO[0]])
    (bound,) = listen("partly", 0)
    with bound:
        assert bound.getsockname()[0] == "127.0.0.1"


def test_server_without_a_local_address_does_not_listen(addresses: Callable[[list[Any]], None]) -> None:
    addresses([(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("192.0.2.1", 0))])
    with pytest.raises(OSError, match=os.strerror(errno.EADDRNOTAVAIL)):
        listen("elsewhere", 0)


@LINUX
def test_a_port_that_is_taken_at_one_address_is_taken(addresses: Callable[[list[Any]], None]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.2", 0))
        other.listen()
        port = other.getsockname()[1]
        addresses([(family, kind, number, "", (host, port)) for family, kind, number, _, (host, _) in TWO])
        with pytest.raises(OSError, match=os.strerror(errno.EADDRINUSE)):
            listen("both", port)
        with socket.socket() as free:  # nothing is left open at the first
            free.bind(("127.0.0.1", port))
