"""A client that has seen more than the journal leads to is an alarm, for the organiser and for the client."""

import logging
import os
from pathlib import Path

import pytest

from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.table_log import ALARM_EVERY, ResumeAlarm
from pitboss.arena.wire.messages import Error, Hello, write
from pitboss.client.conversation import Conversation
from tests.arena.laws.test_lost_ends import back_up
from tests.support.arena.raw_bots import honest_table
from tests.support.arena.rooms import Parlour
from tests.support.arena.servers import THREE, arena, served, visit, within
from tests.support.client.scripted import WELCOME


def hello(seen: int | None) -> Hello:
    """A hello that says what it has seen."""
    return Hello(v=1, team="Alpha", join_code="x", resume_from=seen)


def test_only_a_number_beyond_the_last_is_an_alarm() -> None:
    alarm = ResumeAlarm(Parlour(Settings(), seed=1).room.match)
    assert [alarm.check(hello(seen), 7) for seen in (None, 0, 6, 7)] == [None] * 4
    error = alarm.check(hello(8), 7)
    assert error is not None
    assert error.code == "RESUME_AHEAD"
    assert "message 8" in error.msg
    assert "only 7" in error.msg


def test_the_log_hears_of_a_seat_once_a_minute() -> None:
    alarm, times = (
        ResumeAlarm(Parlour(Settings(), seed=1).room.match),
        [0.0, 1.0, ALARM_EVERY - 1, ALARM_EVERY, ALARM_EVERY + 1, 2 * ALARM_EVERY],
    )
    assert [alarm.sentence(1, hello(8), 7, now) is not None for now in times] == [True, False, False, True, False, True]
    assert alarm.sentence(2, hello(8), 7, 1.0) is not None, "another seat is another alarm"


def test_a_rewound_match_is_an_alarm_as_soon_as_a_client_comes_that_knows_better(tmp_path: Path) -> None:
    """An old copy is put back and its witness removed: only the players still know."""
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
                await peer.hear("snapshot")
                return [str(frame.get("code", frame["type"])) for frame in peer.heard]

        heard = within(come_back())
        assert heard[:3] == ["welcome", "RESUME_AHEAD", "snapshot"]
        assert "THE WITNESS IS MISSING" in place.said
        assert "ALARM: 'Honest 0' at seat" in place.said
        assert f"says it has seen message {seen}, but the journal leads to" in place.said


def test_the_client_says_it_loudly_and_plays_on(caplog: pytest.LogCaptureFixture) -> None:
    talk = Conversation("Alpha", "x")
    talk.begin()
    talk.hear(write(WELCOME))
    effects = talk.hear(
        write(Error(code="RESUME_AHEAD", msg="you have seen message 8, but this table has sent only 7"))
    )
    assert [type(effect).__name__ for effect in effects] == ["DeliverMessage"]
    assert [record.levelno for record in caplog.records] == [logging.ERROR]
    assert "RESUME_AHEAD: you have seen message 8" in caplog.text
