"""The benchmark runs, compares what is comparable, and says so; no test depends on speed."""

import datetime as dt
import json
import socket
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from benchmarks import __main__ as command
from benchmarks import stud
from benchmarks.page import rows, section, with_section
from benchmarks.players import Play, pitboss, pokerkit
from benchmarks.rules import GOAL, STUD_GOAL, Comparison, RecordedHands, Report, Spread, compare, measure

TINY = ("--rounds", "2", "--hands", "20", "--pokerkit-hands", "6", "--evaluations", "50")


@pytest.fixture(scope="module")
def report() -> Report:
    return measure(rounds=2, hands=20, pokerkit_hands=6, evaluations=50, recorded=Path("nowhere"))


def run(monkeypatch: pytest.MonkeyPatch, report: Report, *arguments: str) -> Result:
    """The command with these figures."""
    monkeypatch.setattr(command, "measure", lambda **_: report)
    return CliRunner().invoke(command.main, ["rules", *arguments])


def with_ratio(report: Report, ratio: float, *, similar: bool = True) -> Report:
    play = report.play
    enough = msgspec.structs.replace(report.stud, ratio=Spread(STUD_GOAL, STUD_GOAL, STUD_GOAL), similar=True)
    changed = Comparison(play.rounds, play.pitboss, play.pokerkit, Spread(ratio, ratio, ratio), similar)
    return msgspec.structs.replace(report, play=changed, stud=enough, random_stud=enough)


@pytest.mark.check
@pytest.mark.parametrize("players", [(pitboss, pokerkit), stud.PLAIN, stud.RANDOM], ids=["holdem", "plain", "random"])
def test_both_play_hands_of_the_same_length(players: tuple[Play, Play]) -> None:
    """Under the same policy, so that their rates can be compared."""
    found = compare((players[0], 400), (players[1], 60), rounds=2)
    assert found.similar
    assert found.pitboss.actions_per_hand > 4
    assert found.pokerkit.actions_per_hand > 4


@pytest.mark.check
@pytest.mark.parametrize("play", [pitboss, pokerkit, *stud.RANDOM], ids=["ours", "theirs", "our stud", "their stud"])
def test_the_same_seed_plays_the_same_hands(play: Play) -> None:
    assert play(5, 8) == play(5, 8)
    assert len(play(5, 8)) == 8
    assert min(play(5, 8)) >= 1
    assert play(5, 8) != play(6, 8)


def test_figures_are_medians_of_rounds(report: Report) -> None:
    assert Spread.of([3, 1, 10]) == Spread(3, 1, 10)
    for spread in (report.play.ratio, report.play.pitboss.hands_per_second, report.high.per_second):
        assert 0 < spread.low <= spread.median <= spread.high
    assert report.play.rounds == 2
    assert report.replay is None


def test_the_command_runs_and_prints_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "RECORDED", Path("nowhere"))
    result = CliRunner().invoke(command.main, ["rules", *TINY, "--json"])
    assert result.exit_code in (0, 1)  # so few hands say nothing about speed
    assert result.exception is None or isinstance(result.exception, SystemExit)
    found = json.loads(result.stdout)
    assert list(found) == ["goal", "machine", "play", "stud", "random_stud", "recorded", "replay", "read", "high"]
    assert found["goal"] == GOAL == 40
    assert list(found["machine"]) == ["system", "processor", "cores", "python"]
    assert result.stdout.count("\n") == 1


def test_the_table_names_both_the_ratio_and_the_goal(monkeypatch: pytest.MonkeyPatch, report: Report) -> None:
    monkeypatch.setenv("COLUMNS", "140")
    result = run(monkeypatch, with_ratio(report, 41.26))
    assert result.exit_code == 0
    for text in ("pitboss", "PokerKit 0.7", "actions a hand", "41.3", "goal: 40", "the same seeds"):
        assert text in result.stdout


@pytest.mark.parametrize(("ratio", "code"), [(39.9, 1), (40, 0), (99, 0)])
def test_below_the_goal_it_fails(monkeypatch: pytest.MonkeyPatch, report: Report, ratio: float, code: int) -> None:
    result = run(monkeypatch, with_ratio(report, ratio))
    assert result.exit_code == code
    assert ("the goal is 40" in result.stderr) == bool(code)


def test_where_the_hands_differ_it_fails(monkeypatch: pytest.MonkeyPatch, report: Report) -> None:
    result = run(monkeypatch, with_ratio(report, 99, similar=False))
    assert result.exit_code == 1
    assert "different length" in result.stderr


def test_missing_recorded_hands_are_reported(monkeypatch: pytest.MonkeyPatch, report: Report) -> None:
    result = run(monkeypatch, with_ratio(report, 99))
    assert "recorded hands not measured: " in result.stderr
    assert ("recorded hands replayed", "–", "–", "no recorded hands") in rows(report)


@pytest.mark.check
def test_recorded_hands_are_replayed_where_they_are(shared_data: Path) -> None:
    found = measure(rounds=1, hands=2, pokerkit_hands=2, evaluations=1, recorded=shared_data / "phh" / "pluribus.phhs")
    assert found.replay is not None
    assert found.replay.pieces == 4267
    assert found.recorded is not None
    assert found.recorded.hands == 2
    assert found.recorded.same


@pytest.mark.parametrize(
    ("ratio", "same", "sentence"),
    [(2.9, True, "the goal is 3"), (3, True, ""), (9, False, "to different stacks")],
)
def test_recorded_hands_are_held_to_their_goal(
    monkeypatch: pytest.MonkeyPatch, report: Report, ratio: float, same: bool, sentence: str
) -> None:
    once = Spread(ratio, ratio, ratio)
    found = msgspec.structs.replace(with_ratio(report, 99), recorded=RecordedHands(2, once, once, once, same))
    result = run(monkeypatch, found)
    assert result.exit_code == bool(sentence)
    assert sentence in result.stderr
    assert ("times as many recorded hands", f"{ratio:.1f}", f"{ratio:.1f} to {ratio:.1f}", "goal: 3") in rows(found)


def test_page_is_written_only_on_request(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, report: Report) -> None:
    page = tmp_path / "docs" / "benchmarks.md"
    monkeypatch.setattr(command, "PAGE", page)
    run(monkeypatch, with_ratio(report, 99))
    assert not page.exists()
    assert run(monkeypatch, with_ratio(report, 99), "--write").exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert text == with_section("", section(with_ratio(report, 99), dt.date.today()))
    assert text.startswith("# Benchmarks\n\n## The rules\n\n`make bench")


def test_page_names_the_kind_of_machine_but_not_the_machine(report: Report) -> None:
    page = section(with_ratio(report, 41.26), dt.date(2026, 1, 2))
    assert "2026-01-02: CPython 3." in page
    assert "| times as many hands | 41.3 | 41.3 to 41.3 | goal: 40 |" in page
    assert socket.gethostname() not in page
