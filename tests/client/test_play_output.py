"""A program that calls `play` prints what happens, and ends with a sentence: disconnected, replaced, or by Ctrl-C."""

import asyncio
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from pitboss.arena.wire import messages as wire
from tests.support.cli.runs import clean
from tests.support.client.scripted import END, Guest, Script, arena, within

PROGRAM = """
from pitboss.client import play

def decide(act):
    return "CALL"

play(decide, {url!r}, team="Snake", code="KF7Q9C")
print("it is over")
"""


@asynccontextmanager
async def program(folder: Path, script: Script) -> AsyncIterator[Process]:
    """A bot that is a separate program, with a script."""
    async with arena(script) as place:
        file = folder / "snake.py"
        file.write_text(PROGRAM.format(url=place.url), encoding="utf-8")
        started = await asyncio.create_subprocess_exec(sys.executable, str(file), stdout=PIPE, stderr=PIPE, env=clean())
        try:
            yield started
        finally:
            if started.returncode is None:
                started.kill()
            await started.communicate()


def ended(folder: Path, script: Script) -> tuple[int | None, str, str]:
    """The program's status and what it printed."""

    async def scene() -> tuple[int | None, str, str]:
        async with program(folder, script) as bot:
            out, err = await bot.communicate()
            return bot.returncode, out.decode(), err.decode()

    return within(scene())


async def one_match(guest: Guest) -> None:
    await guest.seat()
    await guest.say(END)
    assert await guest.left()


async def refuses(guest: Guest) -> None:
    await guest.receive()
    await guest.say(wire.Error(code="TEAM_TAKEN", msg="TAKEN"))


async def replaces(guest: Guest) -> None:
    await guest.seat()
    await guest.ws.close(code=4000, message=b"replaced by a newer connection")


async def waits(guest: Guest) -> None:
    await guest.seat()
    assert await guest.receive() == {"type": "leave", "v": 1}
    assert await guest.left()


def test_program_prints_its_seat_and_the_result(tmp_path: Path) -> None:
    status, out, err = ended(tmp_path, one_match)
    assert (status, out) == (0, "it is over\n")
    assert err.splitlines() == [
        "Snake has seat 3 at T-1: no-limit hold'em, 10,000 chips",
        "Snake wins: place 1 of 1, 20,000 chips",
        "   1        20,000  Alpha  (this bot)",
    ]


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        (
            refuses,
            "the team's name is taken: give its code, or another name (TEAM_TAKEN: TAKEN)",
        ),
        (replaces, "a newer connection with the same team and code has taken the seat, so this one ends"),
    ],
)
def test_two_bots_of_one_name_get_a_sentence_and_no_traceback(tmp_path: Path, script: Script, sentence: str) -> None:
    status, out, err = ended(tmp_path, script)
    assert (status, out) == (1, "")
    assert err.splitlines()[-1] == sentence
    assert "Traceback" not in err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_takes_leave_and_ends_a_program_in_a_sentence(tmp_path: Path, number: signal.Signals) -> None:
    async def scene() -> tuple[int | None, str]:
        async with program(tmp_path, waits) as bot:
            assert bot.stderr is not None
            await bot.stderr.readline()
            bot.send_signal(number)
            _, err = await bot.communicate()
            return bot.returncode, err.decode()

    assert within(scene()) == (128 + number, "Snake has left: seat 3 at T-1 keeps its chips\n")


def test_an_error_of_the_programs_own_still_shows_its_traceback(tmp_path: Path) -> None:
    async def scene() -> str:
        async with arena(one_match) as place:
            file = tmp_path / "snake.py"
            file.write_text(PROGRAM.format(url=place.url) + "\n1 / 0\n", encoding="utf-8")
            bot = await asyncio.create_subprocess_exec(sys.executable, str(file), stdout=PIPE, stderr=PIPE, env=clean())
            _, err = await bot.communicate()
            return err.decode()

    assert "Traceback" in within(scene())
