"""Pages of another origin, and names that are not ours."""

import pytest

from pitboss.arena.connections.addresses import OriginError, Origins, parse_origin
from tests.support.for_each import for_each

NUMBERS = {"PORT": "8765", "OTHER": "3000", "TOO_HIGH": "99999"}


def why_not(ours: Origins, host: str | None, origin: str | None, *, upgrade: bool) -> str | None:
    """Ask with numbers in place of the words for ports."""
    for word, number in NUMBERS.items():
        host, origin = host and host.replace(word, number), origin and origin.replace(word, number)
    return ours.refusal(host, origin, upgrade=upgrade)


@for_each(
    "host, origin",
    [
        ("127.0.0.1:PORT", None),
        (None, None),
        ("127.0.0.1:PORT", "http://127.0.0.1:PORT"),
        ("localhost:PORT", "http://127.0.0.1:PORT"),
        ("127.0.0.1:PORT", "http://LOCALHOST:PORT"),
        ("[::1]:PORT", "http://[::1]:PORT"),
        ("table.localhost:PORT", "http://table.localhost:PORT"),
        ("arena.example", "https://arena.example"),
        ("127.0.0.1:PORT", "https://arena.example:443"),
        ("arena.example:443", "https://arena.example"),
    ],
)
def test_our_own_pages_and_bots_are_welcome(host: str | None, origin: str | None) -> None:
    assert why_not(Origins("127.0.0.1", ["https://arena.example/x"]), host, origin, upgrade=True) is None


@for_each(
    "origin",
    [
        "https://evil.example",
        "http://127.0.0.1:OTHER",
        "http://localhost",
        "null",
        "",
        "file://",
        "http://127.0.0.1:PORT.evil.example",
        "http://127.0.0.1:PORT@evil.example",
        "http://arena.example",
        "https://arena.example:8443",
        "http://localhost.evil.example:PORT",
        "http://127.0.0.1:TOO_HIGH",
        "http://[::1",
    ],
)
def test_a_page_of_another_origin_may_not_play(origin: str) -> None:
    ours = Origins("127.0.0.1", ["https://arena.example"])
    reason = why_not(ours, "127.0.0.1:PORT", origin, upgrade=True)
    assert reason is not None
    assert reason.endswith("start the server with --public-url")
    assert why_not(ours, "127.0.0.1:PORT", origin, upgrade=False) is None, "what it cannot read it may ask for"


@for_each("host", ["evil.example:PORT", "127.0.0.1.evil.example", "10.0.0.7", "x y", "a@127.0.0.1", ""])
def test_a_name_that_was_made_to_point_here_is_refused_on_the_loopback_address(host: str) -> None:
    for at in ("127.0.0.1", "localhost", "::1"):
        assert why_not(Origins(at), host, None, upgrade=False) is not None


def test_public_server_answers_to_any_name_but_not_to_any_page() -> None:
    everywhere = Origins("0.0.0.0")
    assert why_not(everywhere, "arena.lan:PORT", "http://arena.lan:PORT", upgrade=True) is None
    assert why_not(everywhere, "arena.lan:PORT", "http://evil.example", upgrade=True) is not None
    assert why_not(everywhere, "10.0.0.7:PORT", "http://localhost:PORT", upgrade=True) is not None


@for_each("url", ["arena.example", "ftp://arena.example", "https://", "https://a:b:c", ""])
def test_invalid_public_address_is_refused(url: str) -> None:
    with pytest.raises(OriginError):
        parse_origin(url)
