"""`pitboss arena play --save`: every hand is there when the match is over, for any reader, and for no bot before."""

import errno
import os
from pathlib import Path

import pokerkit
import pytest

import pitboss
from pitboss.arena.bots.offline import OfflineMatch
from pitboss.cli.arena import play
from pitboss.formats.phh import read_phhs
from tests.support.cli.runs import lines, run

FIRST = ("arena", "play")

PRYING = """
from pathlib import Path

FOLDER = Path(__file__).parent / "games"
seen = []


def decide(act):
    seen.extend(path.name for path in FOLDER.iterdir())
    (FOLDER.parent / "seen.txt").write_text("\\n".join([str(FOLDER.is_dir()), *seen]), encoding="utf-8")
    return "CHECK" if "CHECK" in act.legal else "CALL"
"""


@pytest.mark.parametrize("game", ["no_limit_holdem", "razz", "F2L3D", "horse"])
def test_saved_hands_replay_to_the_reported_results(tmp_path: Path, game: str) -> None:
    options = ("--hands", "40", "--game", game, "--save", str(tmp_path / "new" / "games"), "--json")
    result = run(*FIRST, "calling", "random", "random", *options)
    assert (result.exit_code, result.stderr) == (0, f"{tmp_path / 'new' / 'games' / 'hands.phhs'}: 40 hands\n")
    records = list(pitboss.read(tmp_path / "new" / "games" / "hands.phhs"))
    assert [record.hand for record in records] == list(range(1, 41))
    won = dict.fromkeys(("calling", "random", "random 2"), 0)
    for record in records:
        stacks = pitboss.replay(record).finishing_stacks
        assert stacks == record.finishing_stacks
        assert record.players is not None
        for name, before, after in zip(record.players, record.starting_stacks, stacks, strict=True):
            won[name] += int(after - before)
    (found,) = lines(result.stdout)
    assert won == {player["name"]: player["net"] for player in found["players"]}


def test_pokerkit_reads_the_saved_hands(tmp_path: Path) -> None:
    run(*FIRST, "calling", "random", "tight", "--hands", "30", "--save", str(tmp_path))
    with (tmp_path / "hands.phhs").open("rb") as file:
        histories = list(pokerkit.HandHistory.load_all(file))
    assert len(histories) == 30
    for history in histories:
        *_, state = history
        assert list(state.stacks) == history.finishing_stacks


def test_duplicate_hands_are_all_saved(tmp_path: Path) -> None:
    run(*FIRST, "calling", "random", "--hands", "9", "--duplicate", "--save", str(tmp_path))
    tables = read_phhs((tmp_path / "hands.phhs").read_text(encoding="utf-8"))
    assert len(tables) == 10


def test_existing_files_are_never_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "hands.phhs"
    file.write_text("mine", encoding="utf-8")
    result = run(*FIRST, "calling", "random", "--hands", "1", "--save", str(tmp_path))
    assert (result.exit_code, result.stdout, file.read_text(encoding="utf-8")) == (1, "", "mine")
    assert result.stderr == (f"pitboss arena play: {file} already exists and was not changed: give another folder\n")


def test_impossible_folder_is_reported_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = run(*FIRST, "calling", "random", "--hands", "1", "--save", str(tmp_path / "file" / "games"))
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert result.stderr.startswith(
        f"pitboss arena play: {tmp_path / 'file' / 'games' / 'hands.phhs'} cannot be written: "
    )


def test_hands_that_were_played_before_an_interrupt_are_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play_hand = OfflineMatch.play_hand

    def strikes(match: OfflineMatch) -> None:
        if match.hands == 3:
            raise KeyboardInterrupt
        play_hand(match)

    monkeypatch.setattr(OfflineMatch, "play_hand", strikes)
    assert run(*FIRST, "calling", "random", "--hands", "9", "--save", str(tmp_path)).exit_code == 130
    assert len(list(pitboss.read(tmp_path / "hands.phhs"))) == 3


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="this system has no files without a name")
def test_a_bot_finds_no_hands_of_others_while_it_plays(tmp_path: Path) -> None:
    (tmp_path / "prying.py").write_text(PRYING, encoding="utf-8")
    options = ("--trust-bots", "--hands", "5", "--save", str(tmp_path / "games"))
    result = run(*FIRST, str(tmp_path / "prying.py"), "random", *options)
    assert result.exit_code == 0
    assert (tmp_path / "seen.txt").read_text(encoding="utf-8") == "True"
    assert os.stat(tmp_path / "games" / "hands.phhs").st_mode & 0o777 == 0o600


def test_where_files_need_a_name_hands_are_saved_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "HANDLES", tmp_path / "no such folder")
    run(*FIRST, "calling", "random", "--hands", "2", "--save", str(tmp_path))
    assert len(list(pitboss.read(tmp_path / "hands.phhs"))) == 2
    assert os.stat(tmp_path / "hands.phhs").st_mode & 0o777 == 0o600


def test_a_full_disk_costs_the_hands_and_not_the_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: object) -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(play, "write_phhs", full)
    result = run(*FIRST, "calling", "random", "--hands", "5", "--json", "--save", str(tmp_path))
    assert result.exit_code == 1
    assert lines(result.stdout)[0]["hands"] == 5
    file = tmp_path / "hands.phhs"
    assert result.stderr == f"{file}: the hands could not be saved: No space left on device\n"
    assert not file.exists()


def test_a_bot_that_cannot_be_loaded_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "HANDLES", tmp_path / "no such folder")
    assert run(*FIRST, "nowhere.py", "random", "--save", str(tmp_path)).exit_code == 1
    assert list(tmp_path.iterdir()) == []


def test_codes_that_are_ours_alone_are_named(tmp_path: Path) -> None:
    result = run(*FIRST, "calling", "random", "--hands", "2", "--game", "NB", "--save", str(tmp_path))
    assert "variant NB: only pitboss uses this code" in result.stderr
