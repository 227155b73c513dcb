"""A client that has seen messages after the end of the journal causes an alarm for the organiser and the client."""

import logging
import os
from pathlib import Path

import msgspec
import pytest

from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.output import ALARM_EVERY, Output, Send, TableLog
from pitboss.arena.wire.messages import Error, Hello, write
from pitboss.client.conversation import Conversation
from tests.arena.laws.test_lost_ends import back_up
from tests.support.arena.raw_bots import honest_table
from tests.support.arena.rooms import Parlour
from tests.support.arena.servers import THREE, arena, served, visit, within
from tests.support.client.scripted import WELCOME


def table_log() -> TableLog:
    """The log of a table that has sent seven messages."""
    match = Parlour(Settings(), seed=1).room.match
    match.seq = 7
    return TableLog(match)


def resumed(log: TableLog, seen: int | None, *, seat: int = 1, now: float = 0.0) -> Output:
    """The output after a hello that names the last message it has seen."""
    out = Output()
    log.resumed(out, 5, seat, Hello(v=1, team="Alpha", join_code="x", resume_from=seen), now)
    return out


def test_only_a_number_after_the_last_message_is_an_alarm() -> None:
    log = table_log()
    assert [resumed(log, seen) for seen in (None, 0, 6, 7)] == [Output()] * 4
    out = resumed(log, 8)
    (send,) = out.sends
    assert isinstance(send, Send)
    error = msgspec.json.decode(send.frame, type=Error)
    assert error.code == "RESUME_AHEAD"
    assert "message 8" in error.msg
    assert "only 7" in error.msg
    assert len(out.alarms) == 1


def test_each_seat_causes_one_alarm_per_minute_in_the_log() -> None:
    log = table_log()
    times = [0.0, 1.0, ALARM_EVERY - 1, ALARM_EVERY, ALARM_EVERY + 1, 2 * ALARM_EVERY]
    assert [len(resumed(log, 8, now=now).alarms) for now in times] == [1, 0, 0, 1, 0, 1]
    assert resumed(log, 8, seat=2, now=1.0).alarms, "another seat is another alarm"


def test_a_client_with_a_newer_message_reveals_a_rewound_match(tmp_path: Path) -> None:
    """An old copy is put back and its witness file removed: only the clients know the newer messages."""
    db = tmp_path / "arena.db"

    async def play() -> int:
        async with arena(tmp_path, seats=3, start_at=3) as place, honest_table(place) as table:
            await table.play(2)
            back_up(db, tmp_path / "old.db")
            await table.play(2)
        return max(table.bots[0].frames)

    seen = within(play())
    os.replace(tmp_path / "old.db", db)
    (tmp_path / "arena.db-witness").unlink()
    with served(tmp_path, *THREE) as place:

        async def come_back() -> list[str]:
            async with visit(place.ws()) as peer:
                await peer.hello("Honest 0", resume_from=seen)
                await peer.receive("snapshot")
                return [str(frame.get("code", frame["type"])) for frame in peer.heard]

        heard = within(come_back())
        assert heard[:3] == ["welcome", "RESUME_AHEAD", "snapshot"]
        assert "THE WITNESS IS MISSING" in place.said
        assert "ALARM: 'Honest 0' at seat" in place.said
        assert f"has seen message {seen}, but the journal ends with message" in place.said


def test_the_client_logs_the_error_and_plays_on(caplog: pytest.LogCaptureFixture) -> None:
    talk = Conversation("Alpha", "x")
    talk.begin()
    talk.receive(write(WELCOME))
    effects = talk.receive(
        write(Error(code="RESUME_AHEAD", msg="you have seen message 8, but this table has sent only 7"))
    )
    assert [type(effect).__name__ for effect in effects] == ["DeliverMessage"]
    assert [record.levelno for record in caplog.records] == [logging.ERROR]
    assert "RESUME_AHEAD: you have seen message 8" in caplog.text
