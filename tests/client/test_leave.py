"""Who ends takes leave, and who was stopped is back: a real arena waits for neither, and keeps both seats."""

import asyncio
import signal
from asyncio.subprocess import DEVNULL
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from pitboss.client import Act, Answer, Patience, join
from tests.support.arena.processes import ROOT
from tests.support.arena.servers import PITBOSS, Arena, Frame, Peer, arena, code_of, visit, within

pytestmark = pytest.mark.check

SETTINGS: dict[str, Any] = {"seats": 2, "stack": 1_000_000, "move_time_ms": 60_000}
BOT = "def decide(act):\n    return 'CHECK' if 'CHECK' in act.legal else 'CALL'\n"


def calls(act: Act) -> Answer:
    """Check or call."""
    return "CHECK" if "CHECK" in act.legal else "CALL"


async def lobby_where(peer: Peer, seat: int, **state: bool | int) -> Frame:
    """The next lobby in which a seat is as said."""
    while True:
        players = (await peer.receive("lobby"))["players"]
        found = next((player for player in players if player["seat"] == seat), None)
        if found is not None and all(found.get(name, False) is value for name, value in state.items()):
            return dict(found)


async def answers(peer: Peer, hands: int) -> None:
    """Let a raw client check or call for some hands."""
    ended = 0
    while ended < hands:
        frame = await peer.receive("act", "end_hand")
        ended += frame["type"] == "end_hand"
        if frame["type"] == "act":
            word = "CHECK" if "CHECK" in frame["legal"] else "CALL"
            await peer.say(
                {"type": "action", "v": 1, "hand_id": frame["hand_id"], "action": word, "turn": frame["turn"]}
            )


async def sit(place: Arena, peer: Peer) -> None:
    await peer.hello("Other")
    await peer.receive("welcome")


def test_cancelled_client_leaves_and_the_table_does_not_wait(tmp_path: Path) -> None:
    async def scene() -> None:
        async with (
            arena(tmp_path, **SETTINGS) as place,
            visit(place.watch()) as spectator,
            visit(place.ws()) as other,
        ):
            await sit(place, other)
            playing = asyncio.create_task(join(calls, place.ws(), team="Bot", code=code_of("Bot"), patience=Patience()))
            await other.receive("start_hand")
            playing.cancel()
            with suppress(asyncio.CancelledError):
                await playing
            left = await lobby_where(spectator, 1, connected=False)
            assert left["away"], "it has taken leave: nobody waits a minute to see whether it comes back"
            await answers(other, 20)

    within(scene())


def test_cancelled_client_at_a_cash_table_sits_out_and_can_return(tmp_path: Path) -> None:
    cash = {"cash": True, "min_buy_in": 1000, "timeout_policy": "check_fold"}

    async def scene() -> None:
        async with (
            arena(tmp_path, **{**SETTINGS, **cash}) as place,
            visit(place.watch()) as spectator,
            visit(place.ws()) as other,
        ):
            await sit(place, other)
            for intent in (2, 0):
                bot = join(calls, place.ws(), team="Bot", code=code_of("Bot"), patience=Patience())
                playing = asyncio.create_task(bot)
                if intent == 2:
                    await other.receive("start_hand")
                else:
                    back = await lobby_where(spectator, 1, connected=True, intent=0)
                    assert back["stack"] > 0
                playing.cancel()
                with suppress(asyncio.CancelledError):
                    await playing
                await lobby_where(spectator, 1, connected=False, intent=2)

    within(scene())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_join_leaves_when_ended_and_returns_with_its_code(tmp_path: Path, number: int) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(BOT, encoding="utf-8")

    async def scene() -> None:
        async with arena(tmp_path, **SETTINGS) as place, visit(place.ws()) as other:
            await sit(place, other)
            command = (*PITBOSS, "arena", "join", str(bot), place.ws(), "--team", "Bot")
            for _ in range(2):
                ran = await asyncio.create_subprocess_exec(
                    *command, "--code", code_of("Bot"), cwd=ROOT, stdout=DEVNULL, stderr=DEVNULL
                )
                await lobby_where(other, 1, connected=True, away=False)
                ran.send_signal(number)
                assert await ran.wait() == 128 + number
                assert (await lobby_where(other, 1, connected=False))["away"]

    within(scene())


def test_a_client_that_was_stopped_is_back_by_itself(tmp_path: Path) -> None:
    """It let three turns pass; the arena continues without it, and gets its message as soon as it is awake."""
    bot = tmp_path / "bot.py"
    bot.write_text(BOT, encoding="utf-8")

    async def scene() -> None:
        settings = SETTINGS | {"move_time_ms": 300}
        async with arena(tmp_path, **settings) as place, visit(place.ws()) as other:
            await sit(place, other)
            command = (*PITBOSS, "arena", "join", str(bot), place.ws(), "--team", "Bot")
            ran = await asyncio.create_subprocess_exec(
                *command, "--code", code_of("Bot"), cwd=ROOT, stdout=DEVNULL, stderr=DEVNULL
            )
            try:
                playing = asyncio.create_task(answers(other, 10**9))
                await until(place, away=False)
                ran.send_signal(signal.SIGSTOP)
                await until(place, away=True)
                ran.send_signal(signal.SIGCONT)
                await until(place, away=False)
                playing.cancel()
            finally:
                with suppress(ProcessLookupError):
                    ran.kill()
                await ran.wait()

    within(scene())


async def until(place: Arena, *, away: bool) -> None:
    """Watch until the bot has sat down and is away, or is not."""
    async with visit(place.watch()) as spectator:
        await lobby_where(spectator, 1, connected=True, away=away)
