"""A participant's record of a match of an own game: `arena join --record`, then `arena verify`."""

import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace

from pitboss.hand.games import NO_LIMIT_HOLDEM, find_game, write_game
from pitboss.hand.structure import Structure
from tests.support.arena.servers import PITBOSS, served
from tests.support.cli.runs import lines, run
from tests.support.for_each import for_each

pytestmark = pytest.mark.check

HANDS = 15
OWN = {"code": "X", "keys": ("mine",), "name": "my game"}
RUNS = replace(NO_LIMIT_HOLDEM, **OWN, most_runs=3)
DISCARDS = replace(find_game("crazy_pineapple"), **OWN)
ALL_IN = """def decide(act):
    if "RUNS" in act.legal:
        return "RUNS", act.most_runs
    if act.must_discard:
        return "DRAW", act.you.hole[: act.must_discard]
    if act.max_raise_to:
        return "RAISE_TO", act.max_raise_to
    return "CHECK" if "CHECK" in act.legal else "CALL"
"""
"""The house bot `calling` calls the first all-in, so the first hand has runs or discards."""


@for_each("game, asked", [(RUNS, '"RUNS"'), (DISCARDS, '"must_discard":1')], ids=["runs", "discards"])
def test_the_record_of_a_participant_is_verified(tmp_path: Path, game: Structure, asked: str) -> None:
    file, bot, record = tmp_path / "mine.toml", tmp_path / "bot.py", tmp_path / "match.jsonl"
    file.write_text(write_game(game), encoding="utf-8")
    bot.write_text(ALL_IN, encoding="utf-8")
    table = f"--seats 3 --start-at 3 --max-hands {HANDS} --stack 200000 --house random,calling --house-think-ms 0"
    with served(tmp_path, "--game", str(file), *table.split()) as place:
        join = [*PITBOSS, "arena", "join", str(bot), place.ws(), "--record", str(record)]
        done = subprocess.run(join, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        database = str(place.db)
    assert asked in record.read_text(encoding="utf-8")
    for command in ((str(record),), (database,), (database, "--against", str(record))):
        result = run("arena", "verify", *command, "--json")
        (report,) = lines(result.stdout)
        assert (result.exit_code, report["problems"]) == (0, [])
        assert 0 < report["hands"] <= HANDS
    spoilt = record.read_text(encoding="utf-8").replace(f'"name":"{game.key}"', '"name":"other"', 1)
    record.write_text(spoilt, encoding="utf-8")
    assert run("arena", "verify", database, "--against", str(record)).exit_code == 1
