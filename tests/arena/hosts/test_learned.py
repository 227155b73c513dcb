"""What a seat has learned by its question: everything up to a limit, or only what is new since the last one."""

import json
from typing import Any

import pytest

from pitboss.arena.hosts import moves
from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.room import VIEW_EVERY
from pitboss.arena.verify.journal import verify_table
from pitboss.arena.verify.transcript import read_transcript
from pitboss.arena.wire import messages as wire
from tests.support.arena.any_game import TABLE, AnyTable

SEATS = 4


def table(game: str = "whist", **more: Any) -> AnyTable:
    """A table of a game with long hands."""
    return AnyTable(Settings(game=game, seats=SEATS, start_at=SEATS, stack=100, max_hands=2), seed=3, **more)


def asks(played: AnyTable, seat: int) -> list[dict[str, Any]]:
    """The questions and views of a seat, as they were sent."""
    frames = [json.loads(frame) for frame in played.frames[seat]]
    return [frame for frame in frames if frame["type"] in ("ask", "view")]


def followed(questions: list[dict[str, Any]]) -> list[list[Any]]:
    """What a client knows after each question if it adds the new events."""
    known: list[Any] = []
    hand, after = "", []
    for question in questions:
        if question.get("hand_id") != hand:
            hand, known = question["hand_id"], []
        assert question.get("learned_from", 0) == len(known)
        known = [*known, *question["learned"]]
        after.append(known)
    return after


def test_client_with_learned_new_gets_every_event_once() -> None:
    old, new = table(), table(wants_new=range(SEATS))
    for played in (old, new):
        while played.last is None:
            played.move()
    for seat in range(SEATS):
        whole, parts = asks(old, seat), asks(new, seat)
        assert [question["learned"] for question in whole] == followed(parts)
        assert len(json.dumps(parts)) < len(json.dumps(whole)) / 2
        assert not any("learned_from" in question for question in whole)
    assert verify_table(TABLE, new.disk.read(TABLE)).ok


def test_a_question_has_the_last_events_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moves, "LARGEST_LEARNED", 1000)
    bounded, new = table(), table(wants_new=range(SEATS))
    for played in (bounded, new):
        while played.last is None:
            played.move()
    cut = 0
    for seat in range(SEATS):
        for question, known in zip(asks(bounded, seat), followed(asks(new, seat)), strict=True):
            first = question.get("learned_from", 0)
            assert question["learned"] == known[first:]
            assert len(json.dumps(question["learned"], separators=(",", ":"))) <= 1000 + 2
            cut += first > 0
    assert cut > 10


def test_view_shows_the_game_and_later_events_begin_after_it() -> None:
    played = table(wants_new=range(SEATS))
    for _ in range(5):
        played.move()
    seat, asked = played.open_question
    before = len(played.views)
    played.say(seat, wire.ViewRequest(v=1))
    (view,) = played.views[before:]
    assert view.legal is not None
    assert view.turn == asked.turn
    known = followed(asks(played, seat)[:-1])[-1]
    assert list(view.learned) == known
    played.move()
    while played.open_question[0] != seat:
        played.move()
    question = asks(played, seat)[-1]
    assert question["learned_from"] == len(view.learned)


def test_view_is_limited_to_one_a_second_and_games_other_than_poker() -> None:
    played = table()
    played.move()
    for _ in range(3):
        played.say(0, wire.ViewRequest(v=1))
    assert [(error.code, error.retry_after_ms) for error in played.errors] == [("RATE_LIMITED", VIEW_EVERY * 1000)] * 2
    poker = AnyTable(Settings(seats=2, start_at=2), seed=1)
    poker.say(0, wire.ViewRequest(v=1))
    assert poker.errors[-1].code == "INVALID_ACTION"
    stranger = 7
    played._do(played.room.connect(stranger, 0.0))
    played.say(stranger, wire.ViewRequest(v=1))
    assert played.errors[-1].code == "OUT_OF_TURN"


def test_a_record_with_new_events_and_views_fits_its_journal() -> None:
    played = table(wants_new=(0,))
    turns = 0
    while played.last is None:
        turns += 1
        if turns == 6:
            played.say(0, wire.ViewRequest(v=1))
        played.move()
    transcript = read_transcript("me", played.frames[0], None)
    assert transcript.report.problems == []
    report = verify_table(TABLE, played.disk.read(TABLE), transcript.sittings)
    assert report.problems == []
    assert report.frames_compared > 20
    lied = [
        frame.replace('"learned":[', '"learned":[{"type":"lie"},', 1) if '"type":"ask"' in frame else frame
        for frame in played.frames[0]
    ]
    report = verify_table(TABLE, played.disk.read(TABLE), read_transcript("me", lied, None).sittings)
    assert report.problems
