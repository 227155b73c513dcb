"""`pitboss equity`: its JSON and its table, the options that matter, and one sentence for what cannot be."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pitboss.fast.equity.equity import equity
from pitboss.fast.equity.ranges import HAND_CLASSES
from tests.support.cli.runs import COMMAND, clean, lines, run, run_apart
from tests.support.for_each import for_each

KINGS = ("AhAd", "KsKc")


def equities(*arguments: str) -> dict[str, Any]:
    """What `--json` prints: one object on one line, and nothing else."""
    result = run("equity", *arguments, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    [line] = lines(result.stdout)
    return line


# --- answers


def test_json_of_an_exact_answer() -> None:
    result = run("equity", *KINGS, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        '{"equity":[0.812555,0.187445],"win":[0.810646,0.185536],"tie":[0.003818,0.003818],"exact":true,"boards":1712304}\n'
    )


def test_json_of_a_sampled_answer_has_an_interval() -> None:
    line = equities(*KINGS, "--samples", "3000", "--seed", "7")
    assert list(line) == ["equity", "win", "tie", "exact", "boards", "interval"]
    assert (line["exact"], line["boards"]) == (False, 3000)
    for share, (low, high) in zip(line["equity"], line["interval"], strict=True):
        assert low < share < high
    assert equities(*KINGS, "--samples", "3000", "--seed", "7") == line
    assert equities(*KINGS, "--samples", "3000", "--seed", "8") != line


def test_ranges_boards_and_dead_cards() -> None:
    line = equities("QQ+, AKs", "76s 22-33", "--board", "8h5c2c", "--dead", "QsQd")
    assert line == equities("QQ+, AKs", "76s 22-33", "--board", "8h, 5c,2c", "--dead", "Qs,Qd")
    answer = equity("QQ+, AKs", "76s 22-33", board="8h5c2c", dead="QsQd")
    assert line["equity"] == [round(share, 6) for share in answer.equity]
    assert (line["exact"], line["boards"]) == (True, answer.boards)


def test_the_table_names_every_player() -> None:
    result = run("equity", *KINGS, "QhJh", "--board", "2c7d9h")
    assert (result.exit_code, result.stderr) == (0, "")
    answer = equity(*KINGS, "QhJh", board="2c7d9h")
    rows = [line.split() for line in result.stdout.splitlines()]
    for player, *shares in zip((*KINGS, "QhJh"), answer.equity, answer.win, answer.tie, strict=True):
        assert [player, *[f"{100 * share:.3f}" for share in shares]] in rows
    assert "exact: all 903 deals counted" in result.stdout


def test_the_table_of_a_sampled_answer_shows_intervals() -> None:
    result = run("equity", *KINGS, "--samples", "2000")
    assert "equity from – to" in result.stdout
    assert "2,000 deals drawn" in result.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("AhAd", "[50]AKs[/50],QQ"),
        ("AhAd", "[50]AKs[/50],QQ", "--each", "--board", "2c7d9h"),
        ("AhAdKhKd", "[50]AAKK[/50]", "--game", "omaha", "--samples", "200"),
    ],
)
def test_a_weight_in_brackets_is_printed_as_it_was_given(arguments: tuple[str, ...]) -> None:
    result = run("equity", *arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    assert arguments[1] in result.stdout


def test_a_narrow_window_gets_a_line_for_each_figure() -> None:
    options = ("--samples", "200", "--each", "--board", "2c7d9h")
    done = run_apart("equity", *KINGS, *options, COLUMNS="40")
    assert (done.returncode, done.stderr) == (0, b"")
    shown = done.stdout.decode().splitlines()
    assert max(map(len, shown)) <= 40
    assert ["player", *KINGS[:1]] in [line.split() for line in shown]
    figures = [line.split() for line in run_apart("equity", *KINGS, *options).stdout.decode().splitlines()]
    [row] = [row for row in figures if row[:1] == ["AhAd"] and "–" in row]
    assert ["equity", "%", row[1]] in [line.split() for line in shown]


def test_as_a_process_it_answers_without_a_compiler() -> None:
    done = run_apart("equity", *KINGS, "--json", PITBOSS_CACHE=str(Path(sys.executable) / "no folder"))
    assert (done.returncode, done.stderr) == (0, b"")
    assert lines(done.stdout.decode())[0]["equity"] == [0.812555, 0.187445]


# --- other games, and hand by hand


def test_other_game_shows_the_shares_of_its_halves() -> None:
    line = equities("Ah2d3hKd", "7c7d8c9c", "--game", "omaha_hi_lo", "--board", "2c, 3d,8h")
    assert list(line) == ["equity", "win", "tie", "exact", "boards", "parts"]
    assert (line["exact"], line["boards"]) == (True, 820)
    assert [round(sum(both), 5) for both in zip(*line["parts"].values(), strict=True)] == [
        round(share, 5) for share in line["equity"]
    ]
    result = run("equity", "Ah2d3hKd", "7c7d8c9c", "--game", "omaha_hi_lo", "--board", "2c3d8h")
    assert "high %" in result.stdout
    assert "low %" in result.stdout


def test_each_hand_has_a_row() -> None:
    line = equities("AA", "KsKc", "--board", "2c7d9h", "--each")
    [aces, kings] = line["combos"]
    assert [row["hand"] for row in aces] == ["AsAh", "AsAd", "AsAc", "AhAd", "AhAc", "AdAc"]
    assert set(aces[0]) == {"hand", "weight", "equity", "win", "tie"}
    assert [row["equity"] for row in kings] == [line["equity"][1]]
    sampled = equities("AA", "KsKc", "--board", "2c7d9h", "--each", "--samples", "100")
    assert set(sampled["combos"][0][0]) == {"hand", "weight", "equity", "win", "tie", "interval"}
    result = run("equity", "AA", "KsKc", "--board", "2c7d9h", "--each")
    assert ["AsAh", "1"] in [line.split()[:2] for line in result.stdout.splitlines() if line.strip()]


def test_few_samples_wait_for_no_compiler() -> None:
    code = (
        "import sys; from pitboss.cli.main import cli\n"
        "cli(['equity', 'QQ+', 'random', '--samples', '1000', '--json'], standalone_mode=False)\n"
        "sys.exit('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


# --- all starting hands


@pytest.fixture
def cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder with a table in which the class with the lower number wins everything."""
    np = pytest.importorskip("numpy", reason="NumPy is not installed: there are no arrays")
    from pitboss.fast.equity import preflop

    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path))
    counts = np.zeros((3, 169, 169), np.int64)
    counts[2] = 3
    counts[0][np.triu_indices(169, 1)] = 3 * preflop.BOARDS
    counts[1][np.diag_indices(169)] = 3 * preflop.BOARDS
    preflop.save_counts(counts)
    return preflop.counts_file()


@pytest.mark.usefixtures("cached")
def test_the_preflop_table_as_json() -> None:
    line = equities("--preflop-table")
    assert line["classes"] == list(HAND_CLASSES)
    assert [len(row) for row in line["equity"]] == [169] * 169
    assert (line["equity"][0][1], line["equity"][1][0], line["equity"][5][5]) == (1.0, 0.0, 0.5)


def test_the_preflop_table_to_read(cached: Path) -> None:
    result = run("equity", "--preflop-table")
    assert (result.exit_code, result.stderr) == (0, "")
    rows = [line.split() for line in result.stdout.splitlines()]
    assert [row[0] for row in rows if len(row) == 26] == list(HAND_CLASSES[::13])
    assert rows[2][:4] == ["AA", "99.7", "AKs", "99.1"]
    assert str(cached) in "".join(result.stdout.split("\n"))


# --- what cannot be


@for_each(
    "arguments, sentence",
    [
        ((), "players: expected 2 to 10, got 0"),
        (("AhAd",), "players: expected 2 to 10, got 1"),
        (("random",) * 11, "players: expected 2 to 10, got 11"),
        (("AhAd", "KsKx"), "'KsKx': expected hands such as "),
        (("AhAd", "QQ++"), "'QQ++': expected hands such as "),
        (("AhAd", ""), "range '': expected at least one hand, but it is empty"),
        (("AhAd", "AhKs"), "card Ah appears twice"),
        ((*KINGS, "--board", "Ah2c3d"), "card Ah appears twice"),
        ((*KINGS, "--board", "2c"), "board of no-limit hold'em: expected 0, 3, 4, 5 cards, got 1"),
        ((*KINGS, "--board", "2c3d"), "board of no-limit hold'em: expected 0, 3, 4, 5 cards, got 2"),
        ((*KINGS, "--board", "2c3d4h5s6c7d"), "board of no-limit hold'em: expected 0, 3, 4, 5 cards, got 6"),
        ((*KINGS, "--board", "2c3d4x"), "unknown card '4x': "),
        ((*KINGS, "--dead", "Ks"), "card Ks appears twice"),
        (("AhAd", "AA", "--dead", "As"), "player 2: no hand of the range is possible: "),
        (("AA", "AA", "AA"), "the ranges exclude each other: "),
        ((*KINGS, "--exact", "--samples", "5"), "expected exact or samples, got both"),
        ((*KINGS, "--game", "nosuch"), "no game is called 'nosuch': "),
        (
            ("AA", "KK", "--game", "omaha", "--board", "2c"),
            "board of pot-limit Omaha: expected 0, 3, 4, 5 cards",
        ),
        (("AA, !AA", "KK"), "range 'AA, !AA': expected at least one hand, but every hand is removed with !"),
        (
            ("random",) * 4 + ("--exact",),
            "there are up to 3,357,431,190,779,073,408 possible deals, too many to count: ",
        ),
    ],
    ids=str,
)
def test_invalid_questions(arguments: tuple[str, ...], sentence: str) -> None:
    for form in ((), ("--json",)):
        result = run("equity", *arguments, *form)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.startswith(f"pitboss equity: {sentence}")
        assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((*KINGS, "--samples", "0"), "'--samples'"),
        ((*KINGS, "--seed", "x"), "'--seed'"),
        ((*KINGS, "--cores", "0"), "'--cores'"),
        ((*KINGS, "--preflop-table"), "--preflop-table covers all starting hands: leave out the players"),
    ],
)
def test_wrong_options(arguments: tuple[str, ...], sentence: str) -> None:
    result = run("equity", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert sentence in result.stderr


def test_long_questions_without_the_compiler_name_the_install_command(monkeypatch: pytest.MonkeyPatch) -> None:
    from pitboss.fast.compiled import NotInstalled
    from pitboss.fast.equity import forms

    def missing(*_: object, **_options: object) -> None:
        raise NotInstalled("this needs Numba and NumPy")

    monkeypatch.setattr(forms, "compile_function", missing)
    forms.compiled_form.cache_clear()
    result = run("equity", "random", "random", "--json")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "pitboss equity: this needs Numba and NumPy\n"


def test_help_shows_the_notation_and_examples() -> None:
    result = run("equity", "--help")
    assert result.exit_code == 0
    for text in ("QQ+", "76s+", "TT-77", "pitboss equity AhAd KsKc", "--preflop-table"):
        assert text in result.stdout


@pytest.mark.check
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_compiling_is_announced_on_a_terminal_and_in_a_pipe_only_if_it_happens(tmp_path: Path) -> None:
    arguments = ("equity", "QQ+", "AK,22+", "QQ+", "--samples", "3000000", "--json")
    above, below = os.openpty()
    environment = clean({"PITBOSS_CACHE": str(tmp_path / "terminal")})
    with subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=below, env=environment) as process:
        os.close(below)
        shown = read_to_end(above)
        output, _ = process.communicate(timeout=120)
    announced = b"pitboss: compiling sampled hold'em equities, which takes about 1 s"
    piped = run_apart(*arguments, PITBOSS_CACHE=str(tmp_path / "pipe"))
    again = run_apart(*arguments, PITBOSS_CACHE=str(tmp_path / "pipe"))
    assert [shown.count(announced), piped.stderr.count(announced), again.stderr] == [1, 1, b""]
    for printed in (output, piped.stdout, again.stdout):
        assert len(lines(printed.decode())) == 1


def read_to_end(terminal: int) -> bytes:
    """All that is written to a pseudo-terminal until the other side closes it."""
    found = b""
    try:
        while part := os.read(terminal, 10_000):
            found += part
    except OSError:
        pass  # Linux reports the end as an error
    finally:
        os.close(terminal)
    return found
