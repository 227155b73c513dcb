"""`pitboss stats`: its table, JSON, CSV and page, what it says of hands it cannot read, and how it ends."""

import csv
import io
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from pitboss.arena.journal.records import Settings
from pitboss.store import open_store
from pitboss.study.statistics import statistics
from tests.study.test_definitions import CONTRACT
from tests.support.arena.rooms import Parlour
from tests.support.cli.runs import clean, lines, run
from tests.support.study.generator import write_hands


@pytest.fixture(scope="module")
def texts() -> list[str]:
    """Some hands, each a text."""
    return list(write_hands(30, seed=3))


@pytest.fixture
def file(tmp_path: Path, texts: Sequence[str]) -> Path:
    """The same as a file."""
    path = tmp_path / "hands.txt"
    path.write_text("".join(texts), encoding="utf-8")
    return path


def test_json_is_one_object_a_player(file: Path) -> None:
    result = run("stats", str(file), "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    rows = lines(result.stdout)
    expected = statistics(file)
    assert [row["player"] for row in rows] == [row.player for row in expected]
    assert [field for field in rows[0] if field in CONTRACT] == list(CONTRACT)
    assert [row["won"] for row in rows] == [float(row.won or 0) for row in expected]
    assert [row["vpip"] for row in rows] == [None if row.vpip is None else round(row.vpip, 6) for row in expected]


def test_csv_has_the_same_fields(file: Path) -> None:
    result = run("stats", str(file), "--csv", "--by", "position")
    assert (result.exit_code, result.stderr) == (0, "")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    [first, *_] = lines(run("stats", str(file), "--json", "--by", "position").stdout)
    assert list(rows[0]) == list(first)
    assert rows[0]["position"] == first["position"]
    assert float(rows[0]["won"]) == first["won"]


def test_html_writes_a_file_with_a_plot_of_each_player(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    made = run("stats", str(file), "--html", str(out))
    rows = statistics(file)
    assert len(rows) > 6
    assert (made.exit_code, made.stdout) == (0, "")
    assert made.stderr == f"{out}: 30 hands, {len(rows)} rows\n"
    page = out.read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert page.count("<svg class=") == len(rows)
    assert run("stats", str(file), "--html").stdout == page, "without a file name the page is printed, as before"


def test_html_refuses_to_overwrite_a_file_that_is_not_a_page(file: Path, tmp_path: Path) -> None:
    before = file.read_bytes()
    made = run("stats", str(file), "--html", str(file))
    assert made.exit_code == 2
    assert f"--html writes the page to {file}, which exists and is not a page: use another name" in made.stderr
    assert file.read_bytes() == before
    nowhere = run("stats", str(file), "--html", str(tmp_path / "nowhere" / "page.html"))
    assert nowhere.exit_code == 2
    assert f"--html: the folder {tmp_path / 'nowhere'} does not exist" in nowhere.stderr


def test_the_table_is_followed_by_a_line_of_winnings_of_each_player(file: Path) -> None:
    table = run("stats", str(file), "--sort", "hands")
    assert table.exit_code == 0
    above, below = table.stdout.split("winnings, hand by hand:\n")
    for word in ("player", "vpip", "w$sd", "Player 2"):
        assert word in above
    shown = statistics(file, sort="hands")[:30]
    assert [line[:16].rstrip() for line in below.splitlines()] == [row.player for row in shown]
    assert max(map(len, table.stdout.splitlines())) <= 88
    one = run("stats", str(file), "--player", "Player 2").stdout
    for word in ("winnings of Player 2 over", "all-in adjusted", "without showdown"):
        assert word in one


def test_players_are_sorted_by_result(file: Path) -> None:
    rows = lines(run("stats", str(file), "--json").stdout)
    assert [row["won"] for row in rows] == sorted([row["won"] for row in rows], reverse=True)
    most = lines(run("stats", str(file), "--json", "--sort", "hands").stdout)
    assert [row["hands"] for row in most] == sorted([row["hands"] for row in most], reverse=True)


def test_player_with_zero_winnings_has_an_interval(tmp_path: Path) -> None:
    hand = (
        'variant = "NT"\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\nstarting_stacks = [50, 50]\n'
        'actions = ["d dh p1 ????", "d dh p2 ????", "p2 f"]\nplayers = '
    )
    path = tmp_path / "even.phhs"
    path.write_text(f'[1]\n{hand}["a", "b"]\n[2]\n{hand}["b", "a"]\n', encoding="utf-8")
    rows = [line.split() for line in run("stats", str(path)).stdout.splitlines()[1:3]]
    assert [row[:4] for row in rows] == [["a", "2", "+0", "+0.0"], ["b", "2", "+0", "+0.0"]]
    assert [float(row[4].replace(",", "")) > 0 for row in rows] == [True, True]


def test_a_journal_counts_like_the_hands_exported_from_it(tmp_path: Path, file: Path) -> None:
    journal = written_journal(tmp_path, Settings(seats=3, start_at=3, max_hands=20))
    assert run("arena", "export", str(journal), str(tmp_path / "out")).exit_code == 0
    [exported] = (tmp_path / "out").glob("*.phhs")
    result = run("stats", str(journal), "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    rows = lines(result.stdout)
    assert rows == lines(run("stats", str(exported), "--json").stdout)
    assert sum(row["won"] for row in rows) == 0
    assert [row["won"] for row in rows] == sorted([row["won"] for row in rows], reverse=True)
    both = lines(run("stats", str(journal), str(file), "--json").stdout)
    assert {row["player"] for row in both} == {row["player"] for row in rows} | {row.player for row in statistics(file)}


def written_journal(folder: Path, settings: Settings) -> Path:
    """The journal of a match that was played to its end."""
    table = Parlour(settings)
    table.seat(settings.seats)
    while not table.match.over:
        table.play_hand("CALL")
    with open_store(str(folder / "arena.db")) as store:
        store.claim("T-1")
        store.append(table.disk.rows["T-1"])
    return folder / "arena.db"


def test_a_narrow_window_shows_one_line_per_figure(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    shown = run("stats", str(file)).stdout.splitlines()
    assert max(map(len, shown)) <= 40
    words = [line.split() for line in shown]
    for row in statistics(file)[:30]:
        assert ["player", *row.player.split()] in words
        assert ["hands", f"{row.hands:,}"] in words
    assert any(line.startswith("Player 2 ") and line.endswith(" bb") for line in shown)


def test_one_player(file: Path) -> None:
    [row] = lines(run("stats", str(file), "--player", "Player 2", "--json").stdout)
    assert row["player"] == "Player 2"
    result = run("stats", str(file), "--player", "Plyer 2")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(
        "pitboss stats: no player in these hands is called 'Plyer 2'; similar names: Player 2"
    )
    assert result.stderr.count("\n") == 1


def test_a_broken_hand_is_named_and_the_rest_counts(file: Path, texts: Sequence[str]) -> None:
    file.write_text(
        "".join([texts[0], texts[1].replace("*** HOLE CARDS ***", "*** HOLE CARTS ***"), *texts[2:]]), encoding="utf-8"
    )
    result = run("stats", str(file), "--json")
    assert result.exit_code == 0
    line = 1 + (texts[0] + texts[1].partition("*** HOLE")[0]).count("\n")
    assert result.stderr.startswith(f"pitboss stats: {file}, line {line}: ")
    assert result.stderr.count("\n") == 1
    assert sum(row["hands"] for row in lines(result.stdout)) == 6 * 29


def test_missing_files_and_files_without_hands(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("nothing of the kind\n", encoding="utf-8")
    for named in (tmp_path / "absent.txt", other):
        alone = run("stats", str(named))
        assert (alone.exit_code, alone.stdout) == (1, "")
        assert alone.stderr.startswith(f"pitboss stats: {named}")
        assert alone.stderr.endswith("pitboss stats: found no hands\n")
        beside = run("stats", str(file), str(named), "--json")
        assert beside.exit_code == 1
        assert beside.stderr.count("\n") == 1
        assert lines(beside.stdout) == lines(run("stats", str(file), "--json").stdout)
    folder = run("stats", str(tmp_path), "--json")
    assert folder.exit_code == 0
    assert folder.stderr.count("\n") == 1


def test_a_dash_is_standard_input(file: Path, texts: Sequence[str]) -> None:
    result = run("stats", "-", "--json", given="".join(texts))
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == run("stats", str(file), "--json").stdout
    broken = run("stats", "-", given="nothing of the kind\n")
    assert (broken.exit_code, broken.stdout) == (1, "")
    assert broken.stderr.startswith("pitboss stats: -")


def test_no_cell_of_csv_begins_a_formula(file: Path, texts: Sequence[str]) -> None:
    file.write_text("".join(texts).replace("Player 2", "=cmd()"), encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(run("stats", str(file), "--csv").stdout)))
    assert "'=cmd()" in {row["player"] for row in rows}
    assert not [cell for row in rows for name, cell in row.items() if name == "player" and cell[0] in "=+-@"]
    assert any(row["won"].startswith("-") for row in rows), "numbers stay numbers"


def test_only_one_output_format_can_be_given(file: Path) -> None:
    result = run("stats", str(file), "--json", "--csv")
    assert result.exit_code == 2
    assert "give only one of --json, --csv and --html" in result.stderr
    assert run("stats").exit_code == 2


@pytest.mark.parametrize("kind", ["json", "csv"])
def test_an_output_file_as_an_argument_is_refused(file: Path, kind: str) -> None:
    result = run("stats", str(file), f"--{kind}", str(file.parent / f"out.{kind}"))
    assert result.exit_code == 2
    assert f"--{kind} writes to standard output: use --{kind} > {file.parent / f'out.{kind}'}" in result.stderr
    assert result.stdout == ""


def test_help_has_examples() -> None:
    text = run("stats", "--help").stdout
    assert "pitboss stats hands.txt" in text
    assert "--by [position|stake|day]" in text


@pytest.mark.skipif(sys.platform == "win32", reason="interrupts are sent otherwise on Windows")
def test_an_interrupt_ends_it_with_all_that_count_for_it(tmp_path: Path) -> None:
    """As a terminal sends it, to the command and to the processes it has started."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    code = f"""
from pitboss.cli import main
from pitboss.study import statistics
from pitboss.study.statistics import FilePiece
statistics.cut_file = lambda path: [FilePiece({str(pipe)!r}, "pokerstars", size=10**9, whole=True)] * 3
main.main()
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code, "stats", str(tmp_path / "hands.txt"), "--cores", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=clean(),
        start_new_session=True,
    )
    try:
        with pipe.open("wb"):  # waits until the pipe is read
            os.killpg(process.pid, signal.SIGINT)
            output, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert output == b""
    assert errors.strip().endswith(b"Aborted!")
    assert b"Traceback" not in errors
    assert process.returncode == 130
