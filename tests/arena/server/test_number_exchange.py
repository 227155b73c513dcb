"""Clients that mix over sockets: every hand has their numbers, records verify, and a killed server asks again."""

import asyncio
import logging
from pathlib import Path

import pytest

from pitboss.arena.journal.records import HandStarted, NumbersBound
from pitboss.arena.verify.transcript import verify_transcript
from pitboss.arena.wire.messages import Mix
from pitboss.client import Act, Answer, Patience, ServerMessage, call, check, join
from tests.support.arena.journals import read_journal
from tests.support.arena.servers import THREE, Process, arena, within

OPTIONS = (*THREE, "--max-hands", "60")
KILLED_AT = (1, 5, 20, 40)
"""Lists after which the server dies, with numbers on their way."""
EAGER = Patience(first_wait=0.01, longest_wait=0.1, give_up_after=50)


def calls(act: Act) -> Answer:
    """Check or call."""
    return check() if "CHECK" in act.legal else call()


def test_hands_use_the_numbers_of_all_clients_and_records_verify(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def match() -> None:
        async with arena(tmp_path, seats=3, start_at=3, max_hands=20, stack=100_000) as place:
            await asyncio.gather(
                *[
                    join(calls, place.ws(), team=team, code=team, record=tmp_path / team, mix=team != "plain")
                    for team in ("one", "two", "plain")
                ]
            )

    with caplog.at_level(logging.ERROR, "pitboss.client"):
        within(match())
    journal = read_journal(tmp_path / "arena.db")
    mixes = {seat for seat, taken in journal.match.history.seats.items() if taken.team != "plain"}
    started = [record for record in journal.records.values() if isinstance(record, HandStarted)]
    assert len(started) == 20
    assert all(set(hand.numbers) == mixes and not hand.withheld for hand in started)
    assert not caplog.records
    for team in ("one", "two", "plain"):
        report = verify_transcript(team, (tmp_path / team).read_text().splitlines())
        assert (report.problems, report.hands) == ([], 20)


@pytest.mark.slow
def test_killed_again_and_again_a_server_never_binds_a_hand_twice(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Each attempt of a hand is in the journal once, however often the server died, and no client complains."""

    async def match() -> None:
        process = Process(tmp_path, *OPTIONS)
        port, lists, struck = process.port, 0, asyncio.Event()

        def receive(message: ServerMessage) -> None:
            nonlocal lists
            if isinstance(message, Mix):
                lists += 1
                if lists in KILLED_AT:
                    process.strike()
                    struck.set()

        playing = [
            asyncio.create_task(
                join(
                    calls,
                    process.ws(),
                    team=team,
                    code=team,
                    patience=EAGER,
                    on_message=receive if team == "a" else None,
                )
            )
            for team in "abc"
        ]
        try:
            for _ in KILLED_AT:
                await struck.wait()
                struck.clear()
                await asyncio.to_thread(process.kill)
                process = await asyncio.to_thread(Process, tmp_path, *OPTIONS, "--port", str(port))
            await asyncio.gather(*playing)
        finally:
            for task in playing:
                task.cancel()
            process.kill()

    with caplog.at_level(logging.ERROR, "pitboss.client"):
        within(match())
    records = list(read_journal(tmp_path / "arena.db").records.values())
    attempts = [(record.hand_id, record.attempt) for record in records if isinstance(record, NumbersBound)]
    started = [record for record in records if isinstance(record, HandStarted)]
    assert len(attempts) == len(set(attempts)) == 60
    assert [len(hand.numbers) for hand in started] == [3] * 60
    assert not [record.message for record in caplog.records]
