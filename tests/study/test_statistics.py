"""Rows from files and records: groups, currencies, broken hands, pieces and processes, frames."""

import sys
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pitboss import NotInstalled, Record
from pitboss.study import statistics as statistics_module
from pitboss.study.rows import Statistics
from pitboss.study.statistics import StudyError, count_piece, cut_file, scan_piece, statistics
from pitboss.study.tally import MOST_POINTS, Tallies, add_tallies
from tests.support.formats.pokerstars import read_pokerstars
from tests.support.study.generator import write_hands

HANDS = 120


@pytest.fixture(scope="module")
def texts() -> list[str]:
    """Return some hands, one text each."""
    return list(write_hands(HANDS))


@pytest.fixture
def file(tmp_path: Path, texts: Sequence[str]) -> Path:
    """Return the same hands as a file."""
    path = tmp_path / "hands.txt"
    path.write_text("".join(texts), encoding="utf-8")
    return path


def walk(**fields: Any) -> Record:
    """A hand in which the small blind folds."""
    given: dict[str, Any] = {
        "variant": "NT",
        "antes": (0, 0),
        "blinds_or_straddles": (1, 2),
        "min_bet": 2,
        "starting_stacks": (50, 50),
        "actions": ("d dh p1 ????", "d dh p2 ????", "p2 f"),
        "players": ("Ann", "Bo"),
    }
    return Record(**(given | fields))


# --- counting


def test_totals_add_up(file: Path, texts: Sequence[str]) -> None:
    rows = statistics(file)
    records = read_pokerstars("".join(texts))
    assert rows.hands == HANDS
    assert rows.skipped == ()
    assert sum(row.hands for row in rows) == 6 * HANDS
    rake = sum(Decimal(str(record.user["_rake"])) for record in records)
    assert rake > 0
    assert sum(row.won or 0 for row in rows) == -rake
    assert sum(row.all_in_adjusted or 0 for row in rows) == -rake
    assert sum(row.all_in_hands for row in rows) > 0
    for row in rows:
        assert row.currency == "USD"
        for share in (row.vpip, row.pfr, row.three_bet, row.c_bet, row.aggression, row.wtsd, row.wsd):
            assert share is None or 0 <= share <= 1
        assert row.bb_per_100 is not None
        assert row.bb_per_100 == pytest.approx(float(row.won or 0) * 1000 / row.hands)


def test_vpip_and_pfr_equal_a_count_from_the_text(texts: Sequence[str]) -> None:
    """A second way to count, from the text itself."""
    for text in texts:
        before = text.partition("*** FLOP ***")[0].partition("*** SUMMARY ***")[0]
        for row in statistics(read_pokerstars(text)):
            said = [line for line in before.splitlines() if line.startswith(f"{row.player}: ")]
            assert bool(row.vpip) == any(": calls" in line or ": raises" in line for line in said)
            assert bool(row.pfr) == any(": raises" in line for line in said)


@pytest.mark.check
def test_the_result_does_not_depend_on_pieces_or_processes(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = statistics(file, cores=1)
    monkeypatch.setattr(statistics_module, "FEW_PIECES", 0)
    together = statistics(file, cores=2)
    assert list(together) == list(alone)
    assert together.skipped == alone.skipped
    assert [together.line(at) for at in range(len(together))] == [alone.line(at) for at in range(len(alone))]


@pytest.mark.check
@pytest.mark.parametrize("size", [300, 5000, 10**7])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_file_is_cut_only_where_hands_begin(file: Path, texts: Sequence[str], size: int, ends: str) -> None:
    spoilt = texts[40].replace("*** HOLE CARDS ***", "*** HOLE CARTS ***")
    whole = "".join([*texts[:40], spoilt, *texts[41:]])
    file.write_bytes(whole.replace("\n", ends).encode())
    pieces = list(cut_file(file, size))
    assert pieces[0].start == 0
    assert sum(piece.size for piece in pieces) == file.stat().st_size
    total: Tallies = {}
    skipped = []
    for piece in pieces:
        counted = count_piece(piece)
        add_tallies(total, counted.tallies)
        skipped += counted.skipped
    expected = statistics([file], cores=1)
    rows = list(Statistics(total))
    assert rows == list(expected)
    assert skipped == list(expected.skipped)
    [broken] = skipped
    assert whole.splitlines()[broken.line - 1] == "*** HOLE CARTS ***"
    assert (len(pieces) > 10) == (size < 10**7)


def test_wide_letters_are_one_piece(file: Path, texts: Sequence[str]) -> None:
    file.write_bytes("".join(texts).encode("utf-16"))
    [piece] = cut_file(file, 300)
    assert piece.whole
    assert len([found for found in scan_piece(piece) if found.record is not None]) == HANDS


def test_a_long_line_of_winnings_is_thinned_and_ends_where_it_should(tmp_path: Path) -> None:
    rows = statistics([walk() for _ in range(5 * MOST_POINTS)])
    line = rows.line(0)
    assert MOST_POINTS / 2 < len(line) <= 2 * MOST_POINTS
    assert sum(point.hands for point in line) == 5 * MOST_POINTS
    assert sum(point.won for point in line) == 5 * MOST_POINTS * 0.5


# --- groups and money


def test_by_position_stake_and_day(file: Path) -> None:
    whole = {row.player: row for row in statistics(file)}
    player = next(iter(whole))
    for by in ("position", "stake", "day"):
        rows = statistics(file, player=player, by=by)
        assert {row.player for row in rows} == {player}
        assert sum(row.hands for row in rows) == whole[player].hands
        assert sum(row.won or 0 for row in rows) == whole[player].won
        assert [row[by] for row in rows.to_dicts()] == [row.group for row in rows]
    positions = [row.group for row in statistics(file, player=player, by="position")]
    assert positions == [name for name in ("UTG", "HJ", "CO", "BTN", "SB", "BB") if name in positions]
    assert [row.group for row in statistics(file, player=player, by="stake")] == ["0.05/0.10 USD"]
    days = [row.group or "" for row in statistics(file, player=player, by="day")]
    assert days == sorted(days)
    assert days[0].startswith("2024-03-")


def test_several_currencies_have_one_rate_but_no_sum() -> None:
    rows = statistics([walk(currency="USD"), walk(currency="EUR", min_bet=4, blinds_or_straddles=(2, 4))])
    ann = rows[0]
    assert (ann.player, ann.won, ann.currency, ann.all_in_adjusted) == ("Ann", None, None, None)
    assert ann.won_by_currency == {"EUR": 2, "USD": 1}
    assert ann.bb_per_100 == 50.0
    assert (ann.bb_per_100_low, ann.bb_per_100_high) == (50.0, 50.0)
    assert [row.currency for row in statistics(walk())] == ["chips", "chips"]


@pytest.mark.parametrize(("symbol", "code"), [("$", "USD"), ("€", "EUR"), ("£", "GBP")])
def test_a_currency_sign_and_its_code_are_one_currency(symbol: str, code: str) -> None:
    ann, *_ = statistics([walk(currency=code, currency_symbol=symbol), walk(currency_symbol=symbol)])
    assert (ann.won, ann.currency, ann.won_by_currency) == (2, code, {code: 2})


def test_unknown_currency_signs_are_kept() -> None:
    assert [row.currency for row in statistics(walk(currency_symbol="kr"))] == ["kr", "kr"]


def test_hands_without_names_and_recorded_winnings() -> None:
    rows = statistics(walk(players=None, winnings=(2, 0)))
    assert [(row.player, row.won) for row in rows] == [("p1", 1), ("p2", -1)]


def test_stack_of_unknown_depth_wins_its_pots() -> None:
    rows = statistics(walk(starting_stacks=(Decimal("Infinity"), Decimal("Infinity")), winnings=(2, 0)))
    assert [row.won for row in rows] == [1, -1]


# --- what cannot be


def test_a_broken_hand_skips_only_that_hand(file: Path, texts: Sequence[str]) -> None:
    cut = texts[7][: len(texts[7]) // 2]
    file.write_text("".join([*texts[:7], cut, "\n\n", *texts[8:]]), encoding="utf-8")
    rows = statistics(file)
    assert rows.hands == HANDS - 1
    [skipped] = rows.skipped
    assert skipped.file == str(file)
    first = sum(text.count("\n") for text in texts[:7])
    assert first < skipped.line <= first + cut.count("\n") + 2
    assert str(skipped).startswith(f"{file}, line {skipped.line}: ")


def test_a_hand_that_breaks_the_rules_is_skipped() -> None:
    rows = statistics([walk(), walk(actions=("d dh p1 ????", "d dh p2 ????", "p2 cbr 1"))])
    assert rows.hands == 1
    assert len(rows.skipped) == 1


def test_folders_are_read_recursively(tmp_path: Path, texts: Sequence[str]) -> None:
    (tmp_path / "deeper").mkdir()
    (tmp_path / ".hidden").write_text(texts[2], encoding="utf-8")
    (tmp_path / "deeper" / "a.txt").write_text(texts[0], encoding="utf-8")
    (tmp_path / "b.txt").write_text(texts[1], encoding="utf-8")
    (tmp_path / "notes.md").write_text("nothing of the kind\n", encoding="utf-8")
    rows = statistics(tmp_path)
    assert rows.hands == 2
    assert [skipped.file for skipped in rows.skipped] == [str(tmp_path / "notes.md")]


def test_an_unknown_player_gets_similar_names(file: Path) -> None:
    with pytest.raises(StudyError, match=r"no player in these hands is called 'player 2x'; similar names: Player 2"):
        statistics(file, player="player 2x")
    with pytest.raises(StudyError, match="by: expected position, stake, day, got 'seat'"):
        statistics(file, by="seat")  # type: ignore[arg-type]  # what is not on the list
    with pytest.raises(StudyError, match="cores: expected a whole number from 1, got 0"):
        statistics(file, cores=0)


def test_progress_ends_at_the_whole(file: Path) -> None:
    seen: list[tuple[int, int]] = []
    statistics(file, progress=lambda done, whole: seen.append((done, whole)))
    assert seen[-1] == (file.stat().st_size, file.stat().st_size)


# --- frames


def test_frames_of_installed_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = statistics([walk(min_bet=Decimal("2.5"), blinds_or_straddles=(1, Decimal("2.5")))], by="position")
    for name in ("pandas", "polars"):
        package = ModuleType(name)
        package.DataFrame = lambda columns, **_: columns  # type: ignore[attr-defined]  # replaces the frame
        package.Float64 = float  # type: ignore[attr-defined]  # and this for its kind of column
        monkeypatch.setitem(sys.modules, name, package)
        frame = rows.to_pandas() if name == "pandas" else rows.to_polars()
        assert frame["player"] == ["Ann", "Bo"]
        assert frame["position"] == ["BB", "BTN"]
        assert frame["won"] == [1, -1]
        assert [type(won) for won in frame["won"]] == [float, float]  # polars refuses integers among floats
        assert [type(share) for share in frame["wsd"]] == [type(None) if name == "polars" else float] * 2
        assert frame["won_by_currency"] == ["chips 1", "chips -1"]
        assert list(frame) == list(rows.to_dicts()[0])


@pytest.mark.parametrize("name", ["pandas", "polars"])
def test_frames_of_missing_packages_are_refused(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    rows = statistics(walk())
    with pytest.raises(NotInstalled, match=f"{name} is not installed: pip install {name}"):
        rows.to_pandas() if name == "pandas" else rows.to_polars()


@pytest.mark.parametrize("name", ["pandas", "polars"])
def test_frames_as_the_packages_make_them(name: str) -> None:
    pytest.importorskip(name, reason=f"{name} is not installed")
    rows = statistics([walk(), walk()])
    frame = rows.to_pandas() if name == "pandas" else rows.to_polars()
    assert list(frame["player"]) == ["Ann", "Bo"]
    assert list(frame["hands"]) == [2, 2]


def test_the_repr_of_statistics_is_short() -> None:
    rows = statistics(walk())
    assert repr(rows) == "<Statistics of 1 hands, 2 rows>"
    assert (len(rows), rows[0].player, rows[-1].player) == (2, "Ann", "Bo")
