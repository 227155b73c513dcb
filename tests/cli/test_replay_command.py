"""`pitboss replay`: what it prints of good and bad files, and how it exits."""

from pathlib import Path

import pytest

from pitboss.arena.journal.records import Settings
from pitboss.records.record import EXPECTED_VARIANT
from pitboss.store import open_store
from tests.support.arena.rooms import Parlour
from tests.support.cli.runs import lines, run
from tests.support.for_each import for_each

FIELDS = ["file", "index", "variant", "finishing_stacks", "mended", "error", "line", "notes"]
HAND = """\
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
actions = ['d dh p1 AsAd', 'd dh p2 KsKd', 'p2 f']
"""
SHORT = HAND.replace(", 'p2 f'", ", 'p2 cbr 6'")
CENTS = HAND.replace("[1, 2]", "[0.50, 1]").replace("[100, 100]", "[100.00, inf]")
BROKEN = "variant = 'NT'\nantes = [0 0]\n"


def table(index: object, hand: str = HAND) -> str:
    return f"[{index}]\n{hand}\n"


@pytest.fixture
def hands(tmp_path: Path) -> Path:
    file = tmp_path / "hands.phhs"
    file.write_text(table(1) + table(2, CENTS) + table(3), encoding="utf-8")
    return file


def written(tmp_path: Path, text: str, name: str = "x.phhs") -> str:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_json_has_these_fields_one_object_a_line(hands: Path) -> None:
    result = run("replay", "--json", str(hands))
    assert result.exit_code == 0
    found = lines(result.stdout)
    assert [list(line) for line in found] == [FIELDS] * 3
    assert found[0] == {
        "file": str(hands),
        "index": 1,
        "variant": "NT",
        "finishing_stacks": [101, 99],
        "mended": [],
        "error": None,
        "line": 1,
        "notes": [],
    }
    assert result.stderr == "3 hands, 0 failed, 0 mended\n"


def test_fractions_are_strings_and_unknown_depths_inf(hands: Path) -> None:
    assert lines(run("replay", "--json", str(hands)).stdout)[1]["finishing_stacks"] == ["100.5", "inf"]


def test_fractions_are_never_written_with_an_exponent(tmp_path: Path) -> None:
    tiny = HAND.replace("[1, 2]", "[0.00000001, 0.00000002]").replace("[100, 100]", "[0.00000005, 0.00000005]")
    file = written(tmp_path, table(1, tiny.replace("min_bet = 2", "min_bet = 0.00000002")))
    assert lines(run("replay", "--json", file).stdout)[0]["finishing_stacks"] == ["0.00000006", "0.00000004"]


def test_chips_beyond_64_bits(tmp_path: Path) -> None:
    huge = 10**25
    file = written(tmp_path, table(1, HAND.replace("[100, 100]", f"[{huge}, {huge}]")))
    result = run("replay", "--json", file)
    assert result.exit_code == 0
    assert f'"finishing_stacks":[{huge + 1},{huge - 1}]' in result.stdout


def test_text(hands: Path) -> None:
    result = run("replay", str(hands))
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        f"{hands} 1: NT 101 99",
        f"{hands} 2: NT 100.5 inf",
        f"{hands} 3: NT 101 99",
    ]
    assert result.stderr == "3 hands, 0 failed, 0 mended\n"


def test_a_failed_hand_names_file_table_action_and_rule_and_the_rest_is_replayed(tmp_path: Path) -> None:
    file = written(tmp_path, table(1) + table(2, HAND.replace("p2 f", "p1 f")) + table(3))
    result = run("replay", "--json", file)
    assert result.exit_code == 1
    found = lines(result.stdout)
    assert [line["error"] is None for line in found] == [True, False, True]
    assert found[1]["error"].startswith(f"{file}, table 2, action 3: 'p1 f': out_of_turn: ")
    assert (found[1]["variant"], found[1]["finishing_stacks"], found[1]["mended"]) == ("NT", None, [])
    assert result.stderr == "3 hands, 1 failed, 0 mended\n"


def test_a_failed_hand_as_text(tmp_path: Path) -> None:
    file = written(tmp_path, table(1, SHORT) + table(2))
    result = run("replay", file)
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        f"failed: {file}, table 1, the record stops before the hand is over, after 3 actions",
        f"{file} 2: NT 101 99",
    ]


def test_lenient_lists_its_repairs(tmp_path: Path) -> None:
    file = written(tmp_path, table(1, SHORT))
    found = lines(run("replay", "--lenient", "--json", file).stdout)
    assert found[0]["finishing_stacks"] == [98, 102]
    assert found[0]["mended"] == ["the record stops early, so p1 folds"]
    assert found[0]["error"] is None
    result = run("replay", "--lenient", file)
    assert result.exit_code == 0
    assert result.stdout == f"{file} 1: NT 98 102\n    mended: the record stops early, so p1 folds\n"
    assert result.stderr == "1 hand, 0 failed, 1 mended\n"


LIMIT = """\
variant = 'FT'
antes = [0, 0]
blinds_or_straddles = [1, 2]
small_bet = 2
big_bet = 4
starting_stacks = [100, 100]
actions = ['d dh p1 AsAd', 'd dh p2 KsKd', 'p2 cbr 4', 'p1 cbr 6', 'p2 cbr 8', 'p1 cbr 10', 'p2 f']
"""


def test_a_cap_on_raises_is_enforced_where_it_is_given(tmp_path: Path) -> None:
    file = written(tmp_path, table(1, LIMIT))
    assert run("replay", file).stdout == f"{file} 1: FT 108 92\n"
    assert run("replay", "--cap", "5", file).stdout == f"{file} 1: FT 108 92\n"
    for how in ((), ("--lenient",)):
        result = run("replay", "--cap", "4", *how, file)
        assert result.exit_code == 1
        sentence = "'p1 cbr 10': raise_cap: this round already has all 4 raises"
        assert result.stdout == f"failed: {file}, table 1, action 6: {sentence}\n"


@pytest.mark.parametrize("cap", ["-1", "x", "1.5"])
def test_a_cap_is_a_number_of_raises(tmp_path: Path, cap: str) -> None:
    result = run("replay", "--cap", cap, written(tmp_path, table(1)))
    assert result.exit_code == 2
    assert "--cap" in result.stderr


def test_an_unknown_game_fails_with_its_name(tmp_path: Path) -> None:
    result = run("replay", "--json", written(tmp_path, table(1, HAND.replace("'NT'", "'NX'"))))
    assert result.exit_code == 1
    error = lines(result.stdout)[0]["error"]
    assert "table 1, field variant: expected a code of PHH (NT, " in error
    assert error.endswith(" or another code from docs/games.md, got NX (line 2)")


def test_a_broken_table_in_the_middle_costs_no_other(tmp_path: Path) -> None:
    file = written(tmp_path, table(1) + table(2, BROKEN) + table(3))
    result = run("replay", "--json", file)
    assert result.exit_code == 1
    found = lines(result.stdout)
    assert [line["index"] for line in found] == [1, 2, 3]
    assert [line["finishing_stacks"] for line in found] == [[101, 99], None, [101, 99]]
    assert found[1]["variant"] is None
    assert found[1]["error"].startswith(f"{file}, table 2: not TOML, ")
    assert [list(line) for line in found] == [FIELDS] * 3


def test_a_broken_table_as_text(tmp_path: Path) -> None:
    file = written(tmp_path, table(1) + table(2, BROKEN))
    assert run("replay", file).stdout.splitlines()[1].startswith(f"failed: {file}, table 2: not TOML, ")


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    file = tmp_path / "x.phhs"
    file.write_bytes(table(1).encode() + b"\xff")
    good = written(tmp_path, table(7), "good.phhs")
    result = run("replay", "--json", str(file), good)
    assert result.exit_code == 1
    bad, well = lines(result.stdout)
    assert list(bad) == FIELDS
    assert bad["index"] is None
    assert bad["error"] == f"{file}, line 9: not text: byte 1 of the line is not UTF-8"
    assert well["finishing_stacks"] == [101, 99]


def test_a_file_that_is_not_text_as_text(tmp_path: Path) -> None:
    file = tmp_path / "x.phhs"
    file.write_bytes(b"\xff")
    assert "None" not in run("replay", str(file)).stdout


def test_a_missing_file_exits_with_2(tmp_path: Path) -> None:
    result = run("replay", str(tmp_path / "nowhere.phhs"))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "nowhere.phhs' does not exist" in result.stderr


def test_an_empty_folder_exits_with_1(tmp_path: Path) -> None:
    result = run("replay", str(tmp_path))
    assert result.exit_code == 1
    assert "pitboss replay: found no hands" in result.stderr


def test_no_file_exits_with_2() -> None:
    result = run("replay")
    assert result.exit_code == 2
    assert "Missing argument 'FILES...'" in result.stderr


def test_an_empty_file_has_no_hands(tmp_path: Path) -> None:
    file = written(tmp_path, "")
    result = run("replay", file)
    assert (result.exit_code, result.stderr) == (1, "1 hand, 1 failed, 0 mended\n")
    assert result.stdout == f"failed: {file}, line 1: the file has no hands\n"


def test_an_empty_phh_is_a_hand_without_fields(tmp_path: Path) -> None:
    file = written(tmp_path, "", "x.phh")
    result = run("replay", "--json", file)
    assert result.exit_code == 1
    assert lines(result.stdout)[0]["error"] == f"{file}, field variant: missing; {EXPECTED_VARIANT}"


def test_phh_holds_one_hand_without_a_table(tmp_path: Path) -> None:
    file = written(tmp_path, HAND, "x.phh")
    result = run("replay", "--json", file)
    assert result.exit_code == 0
    assert lines(result.stdout)[0] == {
        "file": file,
        "index": 1,
        "variant": "NT",
        "finishing_stacks": [101, 99],
        "mended": [],
        "error": None,
        "line": 1,
        "notes": [],
    }


def test_a_hand_without_a_table_in_a_phhs_is_an_error_not_silence(tmp_path: Path) -> None:
    result = run("replay", "--json", written(tmp_path, HAND))
    assert result.exit_code == 1
    found = lines(result.stdout)
    assert len(found) == 1
    assert "expected a table header such as" in found[0]["error"]


@for_each("header, index", [("[7]", 7), ("['7b']", "7b"), ("[-1]", "-1"), ('["a b"]', "a b"), ("[0012]", 12)])
def test_the_index_is_the_table_s_name_and_a_number_where_it_is_one(
    tmp_path: Path, header: str, index: int | str
) -> None:
    file = written(tmp_path, f"{header}\n{HAND}")
    assert lines(run("replay", "--json", file).stdout)[0]["index"] == index


@pytest.mark.parametrize("digits", ["9" * 30, "9" * 5000], ids=len)
def test_an_index_may_be_of_any_length(tmp_path: Path, digits: str) -> None:
    result = run("replay", "--json", written(tmp_path, table(digits)))
    assert result.exit_code == 0
    assert digits in result.stdout


def test_several_files_in_their_order(tmp_path: Path) -> None:
    files = [written(tmp_path, table(n), f"{name}.phhs") for n, name in enumerate("zya", 1)]
    found = lines(run("replay", "--json", *files).stdout)
    assert [(line["file"], line["index"]) for line in found] == list(zip(files, (1, 2, 3), strict=True))


def test_names_that_are_not_ascii(tmp_path: Path) -> None:
    file = written(tmp_path, table("'größe'"), "händé.phhs")
    found = lines(run("replay", "--json", file).stdout)[0]
    assert found["file"] == file
    assert found["index"] == "größe"


def test_windows_line_ends_and_a_byte_order_mark(tmp_path: Path) -> None:
    file = tmp_path / "x.phhs"
    file.write_bytes(b"\xef\xbb\xbf" + table(1).replace("\n", "\r\n").encode())
    assert run("replay", "--json", str(file)).exit_code == 0


@for_each(
    "action", ["p2 cbr 1e401", "p2 cbr 1e9999999", f"p{'1' * 5000} f", "p2 sm", "d db ????", "\\u0000", "p2 cbr 0x10"]
)
def test_no_action_makes_it_fall_over(tmp_path: Path, action: str) -> None:
    file = written(tmp_path, table(1, HAND.replace("'p2 f'", f'"{action}"')) + table(2))
    result = run("replay", "--json", file)
    assert result.exit_code == 1
    found = lines(result.stdout)
    assert [line["error"] is None for line in found] == [False, True]


def test_a_pot_that_cannot_be_decided_does_not_make_it_fall_over(tmp_path: Path) -> None:
    actions = (
        *("d dh p1 AsAd", "d dh p2 KsKd", "d dh p3 QsQd", "p3 cbr 100", "p1 cc", "p2 cc"),
        *("d db 2c3c4d", "d db 9h", "d db ??", "p1 sm AsAd", "p2 sm KsKd", "p3 sm"),
    )
    hand = (
        "variant = 'NT'\nantes = [0, 0, 0]\nblinds_or_straddles = [1, 2, 0]\nmin_bet = 2\n"
        f"starting_stacks = [100, 100, 100]\nactions = {list(actions)}\n"
    )
    result = run("replay", "--json", written(tmp_path, table(1, hand)))
    assert result.exit_code == 1
    assert "cards_unknown" in lines(result.stdout)[0]["error"]


def test_help_shows_examples() -> None:
    result = run("replay", "--help")
    assert result.exit_code == 0
    assert "Examples:\n    pitboss replay pluribus.phhs\n" in result.stdout
    assert "--lenient" in result.stdout
    assert "--json" in result.stdout


def test_html_takes_one_file_and_describes_it(hands: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.html"
    made = run("replay", str(hands), "--html", str(out))
    assert (made.exit_code, made.stdout) == (0, "")
    assert "3 hands." in made.stderr
    assert out.stat().st_mode & 0o077 == 0, "it may hold folded cards"
    for options in (("--hand", "1"), ("--html", str(out), str(hands))):
        assert run("replay", str(hands), *options).exit_code == 2


def test_html_of_one_hand_and_of_an_empty_file(hands: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "out.html")
    assert "1 hand." in run("replay", str(hands), "--html", out, "--hand", "2").stderr
    missing = run("replay", str(hands), "--html", out, "--hand", "9")
    assert missing.exit_code == 1
    assert "hand 9 was not found, or cannot be shown" in missing.stderr
    broken = run("replay", written(tmp_path, BROKEN), "--html", out)
    assert broken.exit_code == 1
    assert "Traceback" not in broken.stderr


def test_html_names_the_folder_or_file_that_it_cannot_use(hands: Path, tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    made = run("replay", str(hands), "--html", str(nowhere / "out.html"))
    assert made.exit_code == 2
    assert f"--html: the folder {nowhere} does not exist: make it, or give another one" in made.stderr
    assert "Errno" not in made.stderr
    picture = tmp_path / "x.png"
    picture.write_bytes(b"\x89PNG\r\n")
    made = run("replay", str(picture), "--html", str(tmp_path / "out.html"))
    assert made.exit_code == 1
    assert made.stderr.endswith(", arena journal, record of arena join --record\n")


def test_html_leaves_out_hands_that_cannot_be_replayed_and_names_the_first(tmp_path: Path) -> None:
    file = written(tmp_path, table(1) + table(2, SHORT) + table(3))
    made = run("replay", file, "--html", str(tmp_path / "out.html"))
    assert made.exit_code == 0
    assert "2 hands. 1 hand cannot be replayed and is left out; the first: hand 2: " in made.stderr


def test_html_of_a_long_file_has_its_first_hands_and_reads_no_further(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitboss.cli.replay_page.MOST_HANDS", 2)
    file = written(tmp_path, "".join(map(table, range(1, 5))) + BROKEN)
    made = run("replay", file, "--html", str(tmp_path / "out.html"))
    assert made.exit_code == 0
    assert "2 hands. The record has more hands: these are the first 2; --hand selects any other." in made.stderr


def test_html_of_a_journal_and_of_a_record_of_frames_has_all_cards_that_they_know(tmp_path: Path) -> None:
    table = Parlour(Settings(seats=2, start_at=2, max_hands=3))
    guest, _ = table.seat(2)
    while not table.match.over:
        table.play_hand("FOLD")
    with open_store(str(tmp_path / "arena.db")) as store:
        store.claim("T-1")
        store.append(table.disk.rows["T-1"])
    (tmp_path / "frames.jsonl").write_text("\n".join(guest.frames), encoding="utf-8")
    for name, cards in (("arena.db", '"cards":{"0":['), ("frames.jsonl", '"type":"held"')):
        made = run("replay", str(tmp_path / name), "--html", str(tmp_path / "out.html"))
        assert made.exit_code == 0, made.stderr
        assert "3 hands." in made.stderr
        assert cards in (tmp_path / "out.html").read_text(encoding="utf-8")
    one = run("replay", str(tmp_path / "arena.db"), "--html", str(tmp_path / "out.html"), "--hand", "2")
    assert "1 hand." in one.stderr
    none = run("replay", str(tmp_path / "arena.db"), "--html", str(tmp_path / "out.html"), "--hand", "4")
    assert (none.exit_code, "hand 4 was not found, or cannot be shown" in none.stderr) == (1, True)
