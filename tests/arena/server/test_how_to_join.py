"""What a server reports about itself: how to take a seat, which tables can be joined, and which seats are empty."""

import json
from pathlib import Path
from typing import Any

import aiohttp

from pitboss import __version__
from pitboss.arena.connections.addresses import Addresses
from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.logins import Limits
from tests.support.arena.rooms import Parlour
from tests.support.arena.servers import Place, arena, within


async def about(place: Place, **headers: str) -> dict[str, Any]:
    """The answer of `/api/arena`."""
    async with aiohttp.ClientSession() as session, session.get(f"{place.http}/api/arena", headers=headers) as answer:
        assert answer.status == 200
        assert answer.content_type == "application/json"
        found: dict[str, Any] = json.loads(await answer.read())
        return found


def test_page_receives_instructions_for_joining(tmp_path: Path) -> None:
    async def scene() -> None:
        async with arena(tmp_path) as place:
            assert await about(place) == {
                "command": "pitboss",
                "bots": place.ws(),
                "page": f"{place.http}/",
                "public_url": None,
                "keep_open": False,
                "ratings": False,
                "version": __version__,
            }

    within(scene())


def test_proxy_headers_do_not_change_addresses(tmp_path: Path) -> None:
    async def scene() -> None:
        async with arena(tmp_path) as place:
            forged = {
                "X-Forwarded-Host": "evil.example",
                "X-Forwarded-Proto": "https",
                "Forwarded": "host=evil.example",
            }
            assert await about(place, **forged) == await about(place)

    within(scene())


def test_server_on_all_addresses_shows_the_requested_one() -> None:
    number = 443
    everywhere = Addresses(host="0.0.0.0", port=number)
    assert everywhere.bots("arena.local:443") == "ws://arena.local:443/ws"
    assert everywhere.page("192.0.2.7") == "http://192.0.2.7/"
    assert everywhere.bots("evil/../@x") == everywhere.bots(None) == "ws://0.0.0.0:443/ws"
    named = Addresses(host="127.0.0.1", public_url="https://arena.example", port=number)
    assert named.bots("evil.example") == "wss://arena.example/ws"
    assert named.page() == "https://arena.example/"
    assert Addresses(host="h", public_url="wss://arena.example/x/ws", port=number).page() == "https://arena.example/x/"


def test_table_shows_free_seats_until_its_match_is_over() -> None:
    parlour = Parlour(Settings(seats=3, start_at=2, max_hands=1))
    assert (parlour.room.summary().open, parlour.room.summary().free) == (True, 3)
    parlour.seat(2)
    assert (parlour.room.summary().open, parlour.room.summary().free) == (True, 1)
    parlour.play_hand()
    assert parlour.match.over
    assert (parlour.room.summary().open, parlour.room.summary().free) == (False, 0)


def test_table_with_a_list_names_missing_teams_and_does_not_invite_others() -> None:
    parlour = Parlour(Settings(seats=4, start_at=2), teams={"Alpha": "a", "Beta": "b", "Gamma": "c"})
    parlour.join("Beta", "b")
    summary = parlour.room.summary()
    assert (summary.open, summary.free, summary.missing) == (False, 2, ("Alpha", "Gamma"))
    parlour.join("Gamma", "c")
    parlour.join("Alpha", "a")
    summary = parlour.room.summary()
    assert (summary.open, summary.free, summary.missing) == (False, 0, ())


def test_free_seats_are_delayed_like_spectators() -> None:
    parlour = Parlour(Settings(seats=2, start_at=2, max_hands=1), limits=Limits(delay=5.0))
    parlour.seat(2)
    assert parlour.room.summary().free == 2
    parlour.pass_time(5.1)
    assert parlour.room.summary().free == 0
    late = Parlour(Settings(seats=3, start_at=2, max_hands=1), limits=Limits(delay=5.0))
    late.seat(2)
    late.pass_time(6.0)
    late.play_hand()
    assert late.match.over
    assert late.room.summary().open, "the end has not been shown yet"
    late.pass_time(5.1)
    assert not late.room.summary().open
