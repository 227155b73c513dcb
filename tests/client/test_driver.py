"""A lost connection is opened again and the hand continues; a client that was replaced does not fight."""

import asyncio
import threading

import pytest
from aiohttp import web

from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.answers import thinking_ms
from pitboss.client import Act, Answer, ArenaError, JoinRefused, Patience, Replaced, Trouble, Unreachable, join
from tests.support.arena.servers import free_port
from tests.support.client.scripted import END, HASH, Guest, act, arena, played, snapshot, within
from tests.support.for_each import for_each


def calls(act: Act) -> Answer:
    return "CALL"


async def ends(guest: Guest) -> None:
    await guest.seat(snapshot(None))
    await guest.say(END)


def test_reconnection_sends_hello_with_the_last_seen_seq() -> None:
    async def first(guest: Guest) -> None:
        assert "resume_from" not in await guest.seat()
        await guest.say(
            wire.CheckMessage(hand_id="H-1", seq=41, seat=0), wire.CheckMessage(hand_id="H-1", seq=40, seat=0)
        )

    async def second(guest: Guest) -> None:
        hello = await guest.seat()
        assert len(hello.pop("next")) == 64  # it mixes in numbers
        assert hello == {
            "type": "hello",
            "v": 1,
            "team": "Alpha",
            "join_code": "KF7Q9C",
            "resume_from": 41,
            "learned": "new",
            "ask_table": True,
        }
        await guest.say(snapshot(None, seq=12))  # a server that has started afresh

    async def third(guest: Guest) -> None:
        assert (await guest.seat())["resume_from"] == 12
        await guest.say(END)

    assert played(calls, first, second, third) == END


def test_a_connection_that_is_cut_without_a_word_is_sought_again() -> None:
    async def first(guest: Guest) -> None:
        await guest.seat()
        transport = guest.ws._req.transport if guest.ws._req else None
        assert transport is not None
        transport.abort()

    assert played(calls, first, ends) == END


@pytest.mark.parametrize("table", [True, False], ids=["with its table", "without, as the seed prints it"])
def test_a_snapshot_in_mid_turn_is_put_to_the_bot_as_an_act(table: bool) -> None:
    asked: list[Act] = []

    def decide(act: Act) -> Answer:
        asked.append(act)
        return "CALL"

    async def script(guest: Guest) -> None:
        await guest.seat(wire.StartHand(hand_id="H-1", seed=1, button=0, stacks=(), commit=HASH, seq=1))
        await guest.say(snapshot(7, seq=1, table=table))
        assert await guest.receive() == {"type": "action", "v": 1, "hand_id": "H-1", "action": "CALL", "turn": 7}
        await guest.say(END)

    assert played(decide, script) == END
    question = act(7, time_ms=5_000)
    assert asked == [question]


def test_an_answer_that_may_be_lost_is_given_again_without_asking_the_bot_twice() -> None:
    asked: list[int] = []

    def decide(act: Act) -> Answer:
        asked.append(act.turn)
        return ("RAISE_TO", 300 + len(asked))

    async def first(guest: Guest) -> None:
        await guest.seat()
        await guest.say(act(7))
        assert (await guest.receive())["amount"] == 301

    async def second(guest: Guest) -> None:
        await guest.seat(snapshot(7))
        answer = await guest.receive()
        assert (answer["amount"], answer["turn"]) == (301, 7)
        await guest.say(act(7), act(8))
        answer = await guest.receive()
        assert (answer["amount"], answer["turn"]) == (302, 8)
        await guest.say(END)

    assert played(decide, first, second) == END
    assert asked == [7, 8]


def test_a_thought_outlives_the_connection_and_is_answered_over_the_next() -> None:
    release, asked = threading.Event(), []

    def decide(act: Act) -> Answer:
        asked.append(act.turn)
        release.wait(20)
        return "CALL"

    async def first(guest: Guest) -> None:
        await guest.seat()
        await guest.say(act(7))

    async def second(guest: Guest) -> None:
        await guest.seat(snapshot(7))
        release.set()
        assert (await guest.receive())["action"] == "CALL"
        await guest.say(END)

    assert played(decide, first, second) == END
    assert asked == [7]


def test_time_after_a_reconnection_is_that_of_the_snapshot() -> None:
    release = threading.Event()

    def decide(act: Act) -> Answer:
        release.wait(20)
        return "CALL"

    async def first(guest: Guest) -> None:
        await guest.seat()
        await guest.say(act(7, time_ms=15_000))

    async def second(guest: Guest) -> None:
        await guest.seat(snapshot(7, time_ms=50))
        assert (await guest.receive())["action"] == "FOLD"
        await guest.say(END)

    troubles: list[Trouble] = []
    try:
        assert played(decide, first, second, on_trouble=troubles.append) == END
    finally:
        release.set()
    assert [trouble.kind for trouble in troubles] == ["late"]


def test_a_turn_that_went_by_meanwhile_is_not_answered() -> None:
    release = threading.Event()

    def decide(act: Act) -> Answer:
        if act.turn == 7:
            release.wait(20)
        return "CALL"

    async def first(guest: Guest) -> None:
        await guest.seat()
        await guest.say(act(7))

    async def second(guest: Guest) -> None:
        await guest.seat(snapshot(None))
        release.set()
        await guest.say(act(9))
        assert (await guest.receive())["turn"] == 9
        await guest.say(END)

    assert played(decide, first, second) == END


def test_replaced_client_ends_with_a_sentence_and_stays_away() -> None:
    async def script(guest: Guest) -> None:
        await guest.seat()
        await guest.ws.close(code=4000, message=b"replaced by a newer connection")

    async def both() -> None:
        async with arena(script) as place:
            with pytest.raises(Replaced, match="a newer connection"):
                await join(calls, place.url, team="Alpha", code="KF7Q9C")
            assert place.connections == 1

    within(both())


@for_each("code", [1000, 1001, 1008, 1011, 4001])
def test_every_other_close_is_followed_by_a_new_connection(code: int) -> None:
    async def first(guest: Guest) -> None:
        await guest.seat()
        await guest.ws.close(code=code, message=b"a reason")

    assert played(calls, first, ends) == END


def test_rate_limited_hello_is_repeated_after_the_given_time() -> None:
    times: list[float] = []

    async def first(guest: Guest) -> None:
        await guest.receive()
        times.append(asyncio.get_running_loop().time())
        await guest.say(wire.Error(code="RATE_LIMITED", msg="slowly", retry_after_ms=80))
        assert await guest.left()

    async def second(guest: Guest) -> None:
        times.append(asyncio.get_running_loop().time())
        await ends(guest)

    assert played(calls, first, second) == END
    assert times[1] - times[0] >= 0.08


def test_a_refusal_on_coming_back_is_final_too() -> None:
    async def first(guest: Guest) -> None:
        await guest.seat()

    async def second(guest: Guest) -> None:
        await guest.receive()
        await guest.say(wire.Error(code="TABLE_FULL", msg="too late"))

    with pytest.raises(JoinRefused, match=r"the table has no free seat \(TABLE_FULL: too late\)"):
        played(calls, first, second)


def test_unreachable_server_is_reported_in_one_sentence_after_a_limited_time() -> None:
    patience = Patience(first_wait=0.001, longest_wait=0.002, give_up_after=0.05)
    with pytest.raises(Unreachable, match=r"no arena at ws://127\.0\.0\.1:\d+/ws for 0\.05 s: Connection refused"):
        within(join(calls, f"ws://127.0.0.1:{free_port()}/ws", team="Alpha", code="x", patience=patience))


def test_a_server_that_dies_after_the_welcome_is_given_up_as_well() -> None:
    patience = Patience(first_wait=0.001, longest_wait=0.002, give_up_after=0.05)

    async def both() -> None:
        seated = asyncio.Event()

        async def seats_and_hangs_up(guest: Guest) -> None:
            await guest.seat()
            seated.set()

        async with arena(seats_and_hangs_up) as place:
            playing = asyncio.create_task(join(calls, place.url, team="Alpha", code="x", patience=patience))
            await seated.wait()
        with pytest.raises(Unreachable):
            await playing

    within(both())


def test_a_server_that_welcomes_is_never_given_up() -> None:
    async def drops(guest: Guest) -> None:
        await guest.seat()

    patience = Patience(first_wait=0.001, longest_wait=0.002, give_up_after=0.0)
    with pytest.raises(Unreachable):  # with no patience at all even a welcome does not help
        played(calls, drops, drops, ends, patience=patience)
    patience = Patience(first_wait=0.001, longest_wait=0.002, give_up_after=5.0)
    assert played(calls, *[drops] * 20, ends, patience=patience) == END


@pytest.mark.parametrize("path", ["/nothing", "/page"])
def test_an_address_where_no_arena_is_is_reported_at_once(path: str) -> None:
    async def page(request: web.Request) -> web.Response:
        return web.Response(text="hello")

    async def both() -> None:
        app = web.Application()
        app.router.add_get("/page", page)
        runner = web.AppRunner(app)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            port = runner.addresses[0][1]
            with pytest.raises(ArenaError, match="is not an arena: it answered"):
                await join(calls, f"http://127.0.0.1:{port}{path}", team="Alpha", code="x")
        finally:
            await runner.cleanup()

    within(both())


def test_waits_double_up_to_the_longest_and_are_never_the_same_for_all() -> None:
    patience = Patience(first_wait=0.25, longest_wait=8.0, give_up_after=60.0)
    for failures, longest in [(0, 0.25), (1, 0.5), (4, 4.0), (5, 8.0), (1000, 8.0)]:
        waits = [patience.wait(failures) for _ in range(200)]
        assert longest / 2 <= min(waits) < max(waits) <= longest


@for_each("time_ms, seconds", [(15_000, 14.5), (2_500, 2.0), (1_000, 0.8), (10, 0.008), (0, 0.0)])
def test_a_bot_thinks_for_its_time_less_a_margin(time_ms: int, seconds: float) -> None:
    assert thinking_ms(time_ms) / 1000 == pytest.approx(seconds)


def test_a_handshake_refused_for_now_is_tried_again() -> None:
    handshakes = 0

    async def busy(request: web.Request) -> web.StreamResponse:
        nonlocal handshakes
        handshakes += 1
        if handshakes < 3:
            return web.Response(status=503)
        ws = web.WebSocketResponse()
        await ws.prepare(request)
        await ends(Guest(ws))
        return ws

    async def both() -> wire.MatchEnd:
        app = web.Application()
        app.router.add_get("/ws", busy)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            port = runner.addresses[0][1]
            patience = Patience(first_wait=0.001)
            return await join(calls, f"ws://127.0.0.1:{port}", team="Alpha", code="x", patience=patience)
        finally:
            await runner.cleanup()

    assert within(both()) == END
    assert handshakes == 3
