"""Journals of an earlier version still verify, export and resume as they did then; their files say what came out.

`finished.db` is a match of nine hands, `stopped.db` one killed (`kill -9`) in the middle of its sixth. Both were played
by version 0.1.0 before tables were typed, with two players of the house and two teams; `*.alpha.jsonl` is what one of
the teams was sent, the other files what `verify`, `export` and a restart gave.
"""

import json
import shutil
from collections import deque
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.output import Output
from pitboss.arena.rooms.room import Room
from pitboss.arena.rooms.tables import RoomSetup, open_tables
from pitboss.cli.main import cli
from pitboss.store import Store, open_store
from tests.support.arena.codes import checked
from tests.support.arena.rooms import sends_of

FOLDER = Path(__file__).resolve().parent / "journals"
HAND = "H-2026-11-15-00006"
ALPHA = 3
"""The session of the team whose frames were kept."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy, because opening a database may change it."""
    for file in FOLDER.iterdir():
        shutil.copy(file, tmp_path)
        (tmp_path / file.name).chmod(0o644)  # as that version made them
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> str:
    result = CliRunner().invoke(cli, ["arena", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize("name", ["finished", "stopped"])
def test_a_journal_of_before_verifies_as_it_did(folder: Path, name: str) -> None:
    reports = run("verify", f"{name}.db", "--json")
    reports += run("verify", f"{name}.db", "--against", f"{name}.alpha.jsonl", "--json")
    reports += run("verify", f"{name}.alpha.jsonl", "--json")
    assert reports == (folder / f"{name}.verify.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["finished", "stopped"])
def test_a_journal_of_before_exports_the_same_hands(folder: Path, name: str) -> None:
    run("export", f"{name}.db", "out")
    assert (folder / "out" / "T-1.phhs").read_bytes() == (folder / f"{name}.phhs").read_bytes()


def test_a_match_of_before_that_is_over_stays_over(folder: Path) -> None:
    with open_store(str(folder / "finished.db")) as store:
        tables = open_tables(store, RoomSetup(day=lambda: "2026-11-15", entropy=bytes), Settings(), named=())
        assert "finished.db could be read by other users" in tables.report[0]
        assert tables.report[1:] == ["T-1: resumed after its match, 9 played, chips audited"]
        assert tables.rooms["T-1"].deadline is None


def test_a_hand_of_before_is_played_on_from_where_it_was_killed(folder: Path) -> None:
    wanted = (folder / "stopped.resumed.jsonl").read_text(encoding="utf-8").splitlines()
    with open_store(str(folder / "stopped.db")) as store:
        tables = open_tables(store, RoomSetup(day=lambda: "2026-11-15", entropy=bytes), Settings(), named=())
        assert "stopped.db could be read by other users" in tables.report[0]
        assert tables.report[1:] == json.loads(wanted[0])["report"]
        table = Resumed(store, tables.rooms["T-1"])
        table.seat_everybody()
        table.play_hand()
    assert table.frames == wanted[1:]
    assert f'"hand_id":"{HAND}"' in table.frames[-1]
    assert table.frames[-1].startswith('{"type":"end_hand"')
    assert json.loads(run("verify", "stopped.db", "--json"))["hands"] == 6


class Resumed:
    """Return the room of the killed match, its seats taken again, and what Alpha receives."""

    def __init__(self, store: Store, room: Room) -> None:
        self.frames: list[str] = []
        self._store, self._room = store, room
        self._questions: deque[tuple[int, dict[str, Any]]] = deque()

    def seat_everybody(self) -> None:
        """Let the house and both teams return; the teams request what they missed."""
        for session, team in ((1, "calling (house)"), (2, "tight (house)")):
            self._do(self._room.attach(session, team, 0.0))
        for session, team, code in ((ALPHA, "Alpha", "KF7Q9C"), (4, "Beta", "9PLM2Q")):
            self._do(self._room.connect(session, 0.0))
            self._say(session, type="hello", team=team, join_code=code, resume_from=110)

    def play_hand(self) -> None:
        """Let all players check or call until the hand is over."""
        while self._questions:
            session, asked = self._questions.popleft()
            if asked.get("hand_id", asked.get("at_hand_id")) != HAND:
                break
            word = "CHECK" if "CHECK" in asked["legal"] else "CALL"
            self._say(session, type="action", hand_id=HAND, action=word, turn=asked["turn"])

    def _say(self, session: int, **message: Any) -> None:
        self._do(self._room.receive(session, json.dumps({"v": 1, **message}), 0.0))

    def _do(self, out: Output) -> None:
        out = checked(self._room, out, 0.0)
        self._store.append(out.entries)
        for send in sends_of(out):
            message = json.loads(send.frame)
            for session in send.to:
                if session == ALPHA:
                    self.frames.append(send.frame)
                if message["type"] in ("act", "snapshot") and "legal" in message:
                    self._questions.append((session, message))
        if out.entries:
            self._do(self._room.committed(out.entries[-1].seq, 0.0))
