"""`pitboss sting scores`: what was played to its end, by deck and difficulty."""

import json
from pathlib import Path

import pytest

from pitboss.sting.saves import Score, write_scores
from tests.support.sting.tables import run

SCORES = [
    Score(deck="ghost", narc="patrolman", difficulty="easy", cash=cash, hands=10, ending="target", seed=cash, hints=2)
    for cash in (700, 650)
]


def test_best_runs_are_listed_by_deck_and_difficulty(tmp_path: Path) -> None:
    file = tmp_path / "sting-scores.json"
    file.write_bytes(write_scores(SCORES))
    printed = run("scores", str(file)).stdout
    rows = [line.split() for line in printed.splitlines()]
    assert ["easy", "ghost", "700", "10", "2", "won", "700"] in rows
    assert ["650", "10", "2", "won", "650"] in rows
    found = json.loads(run("scores", str(file), "--json").stdout)
    assert [score["cash"] for score in found["scores"]] == [700, 650]


def test_scores_of_the_user_are_shown_and_an_empty_list_is_valid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("click.get_app_dir", lambda name: str(tmp_path / name))
    assert run("scores").stdout == "No run is finished yet. Play one with: pitboss sting play\n"
    assert run("scores", "--json").stdout == '{"scores":[]}\n'
    (tmp_path / "pitboss").mkdir()
    (tmp_path / "pitboss" / "sting-scores.json").write_bytes(write_scores(SCORES[:1]))
    assert "700" in run("scores").stdout


@pytest.mark.parametrize(("text", "why"), [(b"{", "not a list of scores"), (None, "No such file or directory")])
def test_invalid_lists_are_refused_in_one_sentence(tmp_path: Path, text: bytes | None, why: str) -> None:
    file = tmp_path / "scores.json"
    if text is not None:
        file.write_bytes(text)
    result = run("scores", str(file))
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
    assert why in result.stderr
