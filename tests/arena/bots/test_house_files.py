"""Bots' files that play for the house: a process each, which holds up no other, sees nothing, and comes back."""

import asyncio
import json
import secrets
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue

import pytest

from pitboss.arena.bots.house import House, HouseQuestion
from pitboss.arena.bots.runner import BotRunner
from pitboss.arena.wire.messages import write
from pitboss.client.bot_process import start_bot
from tests.support.arena import prying_bot
from tests.support.arena.bot_spots import ask, deal
from tests.support.arena.journals import read_journal
from tests.support.arena.plain import PLAIN
from tests.support.arena.servers import refused, served, visit, within
from tests.support.for_each import for_each

BOUND = 60.0
ROOT = Path(__file__).resolve().parents[3]
CALLS = "def decide(act):\n    return 'CHECK' if 'CHECK' in act.legal else 'CALL'\n"
HANGS = "def decide(act):\n    while True: pass\n"
ACT = write(ask(deal("AsAd", "KsKd"), range(2)))


def starter(folder: Path, name: str, source: str) -> Callable[[], BotRunner]:
    """How a bot with this source is started."""
    file = folder / f"{name}.py"
    file.write_text(source, encoding="utf-8")
    return lambda: start_bot(str(file), folder=folder)


@pytest.mark.check
def test_hanging_file_loses_its_turns_without_delaying_others(tmp_path: Path) -> None:
    answers: SimpleQueue[tuple[int, str]] = SimpleQueue()
    files = {"hangs": starter(tmp_path, "hangs", HANGS), "mine": starter(tmp_path, "mine", CALLS)}
    house = House(lambda session, frame: answers.put((session, frame)), files=files)
    try:
        for session, bot in enumerate(("hangs", "mine", "calling", "mine")):
            house.ask(HouseQuestion(session, bot, 1, ACT))
        found = dict(answers.get(timeout=BOUND) for _ in range(4))
        assert ["CALL" in found[session] for session in range(4)] == [False, True, True, True]
        assert "FOLD" in found[0]
        pids = {seat.pid for seat in house._seats.values() if seat.pid is not None} | {house.pid}
        assert len(pids) == 3  # two of the file's, one of the house's; the one that hung is gone
        for _ in range(5):  # it hangs again, loses its match, and then gets safe answers at once
            house.ask(HouseQuestion(0, "hangs", 1, ACT))
            assert "FOLD" in answers.get(timeout=BOUND)[1]
    finally:
        house.close()
    assert not [pid for pid in pids if Path(f"/proc/{pid}").exists()]


@pytest.mark.check
def test_file_plays_for_the_house_and_returns_with_the_same_command(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(CALLS, encoding="utf-8")
    options = ("--house-think-ms", "0", "--stack", "1000000")

    async def scene() -> None:
        with served(tmp_path, "--house", "mine.py,calling,mine.py", *options) as first:
            async with visit(first.watch()) as witness:
                lobby = await witness.receive("lobby")
                assert {player["team"] for player in lobby["players"]} == {
                    "mine (house)",
                    "calling (house)",
                    "mine 2 (house)",
                }
                for _ in range(3):
                    await witness.receive("end_hand")
                assert not [frame for frame in witness.heard if frame.get("auto")]
            first.kill()
        status, said = refused(tmp_path, "--house", "calling", *options)
        assert status == 1
        assert "mine (house) at T-1 is a bot in a file: give it again with --house mine.py" in said
        with served(tmp_path, "--house", "mine.py,calling,mine.py", *options) as second:
            async with visit(second.watch()) as witness:
                for _ in range(3):
                    await witness.receive("end_hand")
                assert not [frame for frame in witness.heard if frame.get("auto")]
            assert await asyncio.to_thread(second.end) == 0
        read_journal(second.db, "T-1")

    within(scene())


@for_each(
    "house, sentence",
    [
        ("nowhere.py", "nowhere.py was not found"),
        ("broken.py", "raises ZeroDivisionError in line 1 when it is loaded"),
        ("tight.py", "expected a file name of letters and digits that no other bot has"),
        ("mine.py,other/mine.py", "expected a file name of letters and digits that no other bot has"),
        ("tigt", "a file such as bot.py, or llm:NAME; got 'tigt'"),
    ],
)
def test_a_file_that_cannot_play_is_refused_at_once(tmp_path: Path, house: str, sentence: str) -> None:
    for name, source in {"broken": "1 / 0\n", "tight": CALLS, "mine": CALLS, "other/mine": CALLS}.items():
        file = tmp_path / f"{name}.py"
        file.parent.mkdir(exist_ok=True)
        file.write_text(source, encoding="utf-8")
    status, said = refused(tmp_path, "--house", house)
    assert status == 2
    assert sentence in said
    assert not (tmp_path / "arena.db").exists()


@pytest.mark.check
def test_a_file_plays_another_game_for_the_house_and_gets_its_moves_in_words(tmp_path: Path) -> None:
    chooses = "def decide(ask):\n    return min(ask.moves, key=lambda move: move.text)\n"
    (tmp_path / "mine.py").write_text(chooses, encoding="utf-8")
    options = ("--game", "leduc", "--max-hands", "3", "--house-think-ms", "0")

    async def scene() -> None:
        with served(tmp_path, "--house", "mine.py,random", *options) as place:
            async with visit(place.watch()) as witness:
                await witness.receive("match_end")
            assert await asyncio.to_thread(place.end) == 0
        answers = [acted for acted in read_journal(place.db, "T-1").answers.values() if acted.seat == 0]
        assert {acted.action for acted in answers} <= {"bet", "call", "check"}  # "check" where no bet is allowed
        assert any(acted.action in ("bet", "call") for acted in answers)
        assert all(acted.cause == "client" for acted in answers)

    within(scene())


@pytest.mark.skipif(sys.platform != "linux", reason="what is promised of processes is Linux's doing")
def test_house_bot_file_has_no_access_to_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The journal's name, a team's code and a variable are one secret, and the bot looks for it in mid-match.

    It has no sandbox: this much is hidden even from a trusted bot.
    """
    secret = "secret-" + secrets.token_hex(16)
    bots = tmp_path / "bots"
    bots.mkdir()
    shutil.copy(prying_bot.__file__, bots / "prying.py")
    monkeypatch.setenv("PGPASSWORD", secret)
    monkeypatch.setenv("PYTHONPATH", f"{ROOT / 'src'}:{ROOT}")
    house = ("--house", "bots/prying.py,calling", "--trust-bots")
    options = (*house, "--team", f"Alpha:{secret}", "--house-think-ms", "0")

    async def scene() -> str:
        with served(tmp_path, *options, db=f"{secret}.db", under=PLAIN) as server:
            async with visit(server.watch()) as witness:
                await witness.receive("end_hand")
            return server.said

    found = [line for line in within(scene()).splitlines() if "found {" in line]
    assert found
    for line in found:
        assert {way: secrets for way, secrets in json.loads(line.partition("found ")[2]).items() if secrets} == {}
