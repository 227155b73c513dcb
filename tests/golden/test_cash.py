"""A golden game at a cash table: one player does everything that 004 allows, by WebSocket and by document."""

import json
from typing import Any

import pytest

from pitboss.arena.verify.transcript import verify_transcript
from tests.golden.cash import FOLDER, GAMES

SENT = {"POST_DEAD", "SAT_OUT", "SAT_IN", "LEFT", "TOPPED_UP", "RAKE", "STRADDLE"}


def recorded(name: str) -> list[dict[str, Any]]:
    """The lines of a transcript."""
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("name", GAMES)
def test_a_cash_table_is_played_as_it_was(name: str) -> None:
    hint = f"if it changed on purpose: python -m tests.golden.cash {name}"
    now = [json.loads(line) for line in GAMES[name]().play().splitlines()]
    for number, (line, then) in enumerate(zip(now, recorded(name), strict=True), 1):
        assert line == then, f"{name}.jsonl, line {number}; {hint}"


def test_spectators_receive_the_same_for_a_connection_and_a_document() -> None:
    by_websocket, by_document = [[line for line in recorded(name) if "sent" in line] for name in GAMES]
    assert by_websocket == by_document
    assert {line["sent"] for line in by_websocket} >= SENT


def test_a_spectators_record_of_it_can_be_verified() -> None:
    game = GAMES["websocket"]()
    game.play()
    report = verify_transcript("spectator", game.spectator.frames)
    assert report.problems == []
    assert report.hands > 15
