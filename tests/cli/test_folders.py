"""A folder means the same in `replay`, `convert`, `stats` and `pitboss.read`."""

from pathlib import Path

import pytest

from pitboss import ReadError, Record, read, statistics, to_text, write
from tests.support.cli.runs import lines, run

NAMES = ("Ann", "Bo")


def hand(number: int) -> Record:
    """A hand that the second player wins, with a number to recognise it."""
    return Record(
        variant="NT",
        antes=(0, 0),
        blinds_or_straddles=(1, 2),
        min_bet=2,
        starting_stacks=(50 + number, 50),
        actions=("d dh p1 ????", "d dh p2 ????", "p2 cbr 6", "p1 f"),
        players=NAMES,
        hand=number,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files of several formats and endings in nested folders, a file without hands, and hidden files."""
    top = tmp_path / "hands"
    for below in ("b", "b/deep", ".hidden"):
        (top / below).mkdir(parents=True)
    write(top / "a.phh", hand(1))
    write(top / "b" / "one.ohh", hand(3))
    write(top / "b" / "deep" / "without_ending", hand(2), "phhs")
    write(top / "c.PHHS", [hand(4), hand(5)])
    write(top / ".hidden" / "x.phh", hand(6))
    write(top / ".y.phh", hand(7))
    (top / "notes.md").write_text("Remember: Bo raises.\n", encoding="utf-8")
    return top


ORDER = [51, 52, 53, 54, 55]
"""The first stacks of the hands in the order of the paths of their files."""


def test_replay_reads_all_files_in_the_order_of_their_paths(folder: Path) -> None:
    result = run("replay", str(folder), "--json")
    assert result.exit_code == 0
    assert [line["finishing_stacks"][0] + 2 for line in lines(result.stdout)] == ORDER
    assert result.stderr.count("skipped") == 1
    assert f"pitboss replay: {folder / 'notes.md'}, line 1: the format of the file was not recognised" in result.stderr


def test_convert_reads_the_same_files(folder: Path, tmp_path: Path) -> None:
    result = run("convert", str(folder), str(tmp_path / "all.phhs"))
    assert result.exit_code == 0
    assert [record.starting_stacks[0] for record in read(tmp_path / "all.phhs")] == ORDER
    assert result.stderr.count("skipped") == 1
    assert "5 converted, 0 failed" in result.stderr


def test_the_file_that_convert_writes_is_not_read(folder: Path) -> None:
    for _ in range(2):
        assert run("convert", str(folder), str(folder / "all.phhs")).exit_code == 0
        assert len(list(read(folder / "all.phhs"))) == 5


def test_stats_reads_the_same_files(folder: Path) -> None:
    result = run("stats", str(folder), "--json")
    assert result.exit_code == 0
    assert {line["player"]: line["hands"] for line in lines(result.stdout)} == dict.fromkeys(NAMES, 5)
    assert result.stderr.count("skipped") == 1
    assert statistics(folder).hands == 5


def test_read_reads_the_same_files_and_stops_at_one_without_hands(folder: Path) -> None:
    assert [record.starting_stacks[0] for record in read(folder, lenient=True)] == ORDER
    hands = read(folder)
    assert [next(hands).starting_stacks[0] for _ in ORDER] == ORDER
    with pytest.raises(ReadError, match=r"notes\.md, line 1: the format of the file was not recognised"):
        next(hands)
    (folder / "notes.md").unlink()
    assert [record.starting_stacks[0] for record in read(folder)] == ORDER


@pytest.mark.parametrize("command", ["replay", "convert", "stats"])
def test_a_damaged_hand_is_named_and_the_others_are_read(folder: Path, tmp_path: Path, command: str) -> None:
    text = to_text([hand(8), hand(9)], "phhs").replace("min_bet = 2", "min_bet = true", 1)
    (folder / "d.phhs").write_text(text, encoding="utf-8")
    result = run(command, str(folder), *([str(tmp_path / "all.phhs")] if command == "convert" else []))
    said = result.stdout + result.stderr
    assert f"{folder / 'd.phhs'}, " in said
    assert "expected a number, got a boolean" in said
    assert {"replay": "7 hands, 1 failed", "convert": "6 converted, 1 failed", "stats": "Bo"}[command] in said
    assert result.exit_code == (0 if command == "stats" else 1)


@pytest.mark.parametrize("command", ["replay", "convert", "stats"])
def test_a_folder_without_hands_is_an_error(tmp_path: Path, command: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "notes.md").write_text("nothing\n", encoding="utf-8")
    out = [str(tmp_path / "all.phhs")] if command == "convert" else []
    result = run(command, str(tmp_path / "empty"), *out)
    assert result.exit_code == 1
    assert "no hands" in result.stderr
    assert not (tmp_path / "all.phhs").exists()
    with pytest.raises(ReadError, match="the folder has no recorded hands"):
        list(read(tmp_path / "empty", lenient=True))
