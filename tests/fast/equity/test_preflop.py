"""The table of starting hands: its counts, published values, and the saved file."""

from pathlib import Path
from typing import Any

import pytest

from pitboss.fast.equity import preflop
from pitboss.fast.equity.equity import equity
from pitboss.fast.equity.forms import compiled_form
from pitboss.fast.equity.preflop import BOARDS, KINDS, against_random, counts_file, preflop_table, read_counts
from pitboss.fast.equity.ranges import BEST_AGAINST_ONE, HAND_CLASSES

np = pytest.importorskip("numpy", reason="NumPy is not installed: there are no arrays")
pytest.importorskip("numba", reason="Numba is not installed: nothing to compile with")


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use an own cache folder."""
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def counts() -> Any:
    """Return counts that add up, in which the class with the lower number wins everything."""
    made = np.zeros((3, KINDS, KINDS), np.int64)
    made[2] = 5
    made[0][np.triu_indices(KINDS, 1)] = 5 * BOARDS
    made[1][np.diag_indices(KINDS)] = 5 * BOARDS
    return made


@pytest.fixture(scope="module")
def rows() -> list[list[preflop.Matchup]]:
    return preflop._rows()


def test_every_deal_of_two_hands_is_counted_once(rows: list[list[preflop.Matchup]]) -> None:
    matchups = [matchup for row in rows for matchup in row]
    assert [(m.i, m.j) for m in matchups] == [(i, j) for i in range(KINDS) for j in range(i, KINDS)]
    assert sum([int(m.times.sum()) * (1 if m.i == m.j else 2) for m in matchups]) == 1326 * 1225


@pytest.mark.parametrize(("one", "other"), [("AA", "KK"), ("AA", "AA"), ("AKs", "QQ"), ("A2s", "A2o")])
def test_a_cell_is_the_equity_of_its_classes(rows: list[list[preflop.Matchup]], one: str, other: str) -> None:
    i, j = sorted([HAND_CLASSES.index(one), HAND_CLASSES.index(other)])
    (found,) = preflop._count_row(compiled_form(), [m for m in rows[i] if m.j == j])
    _, _, deals, won, tied, lost = found
    answer = equity(HAND_CLASSES[i], HAND_CLASSES[j], exact=True)
    assert won + tied + lost == deals * BOARDS == answer.boards
    assert (won / answer.boards, lost / answer.boards) == answer.win
    assert (2 * won + tied) / (2 * answer.boards) == answer.equity[0]


def test_the_table_is_counted_once_and_then_loaded(empty: Path, counts: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def count_all(_: object, cores: int, progress: object) -> Any:
        calls.append(cores)
        return counts

    monkeypatch.setattr(preflop, "count_all", count_all)
    first = preflop_table(cores=2)
    assert calls == [2]
    assert counts_file().is_relative_to(empty)
    assert (preflop_table() == first).all()
    assert len(calls) == 1
    written = {path.name for path in empty.iterdir()} - {"compiled"}  # that folder belongs to the compiler
    assert written == {counts_file().name}  # no partial file next to it
    assert first.shape == (169, 169)
    assert (first + first.T == 1).all()
    assert first[0, 1] == 1
    assert against_random()[0] == pytest.approx(1 - 0.5 / 169)


@pytest.mark.parametrize("wrong", ["nothing", "text", "half", "shape", "sums", "type"])
def test_invalid_files_are_counted_again(empty: Path, counts: Any, wrong: str) -> None:
    preflop.save_counts(counts)
    assert read_counts() is not None
    path = counts_file()
    if wrong == "nothing":
        path.unlink()
    elif wrong == "text":
        path.write_text("no counts")
    elif wrong == "half":
        path.write_bytes(path.read_bytes()[:-1000])
    else:
        changed = {"shape": counts[:, :5], "sums": counts + 1, "type": counts.astype(np.float64)}[wrong]
        np.save(path, changed)
    assert read_counts() is None


def test_an_unwritable_folder_is_ignored(tmp_path: Path, counts: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path / "file"))
    monkeypatch.setattr(preflop, "count_all", lambda *_: counts)
    assert preflop_table().shape == (169, 169)
    assert read_counts() is None


def test_progress_is_reported_row_by_row(rows: list[list[preflop.Matchup]], monkeypatch: pytest.MonkeyPatch) -> None:
    few = [rows[0][:2], rows[14][:1]]
    monkeypatch.setattr(preflop, "_rows", lambda: few)
    calls: list[tuple[int, int]] = []
    counted = preflop.count_all(compiled_form(), 2, lambda *call: calls.append(call))
    assert calls == [(1, 2), (2, 2)]
    assert int((counted[2] > 0).sum()) == 4  # AA v AA, AA v AKs and back, KK v KK
    assert (counted[0] + counted[0].T + counted[1] == BOARDS * counted[2]).all()


# --- the order of hands


def test_the_order_names_every_class_once() -> None:
    assert sorted(BEST_AGAINST_ONE) == sorted(HAND_CLASSES)


@pytest.mark.parametrize(("place", "better", "worse"), [(0, "AA", "KK"), (8, "77", "AQs"), (167, "42o", "32o")])
def test_the_order_follows_equities_against_random_hands(place: int, better: str, worse: str) -> None:
    assert BEST_AGAINST_ONE[place : place + 2] == (better, worse)
    one, other = [equity(name, "random", exact=True).equity[0] for name in (better, worse)]
    assert one > other
