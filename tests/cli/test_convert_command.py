"""`pitboss convert`: hands between every format that can be written, in all directions."""

import gc
import json
import subprocess
import sys
import tracemalloc
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pitboss.documents.fields import read_document
from pitboss.documents.hands import finishing_stacks
from pitboss.formats.ohh import read_ohh, write_ohh
from pitboss.formats.phh import read_phh, read_phhs
from pitboss.histories import ENDINGS
from pitboss.records.record import Record
from pitboss.records.replay import replay
from tests.support.cli.runs import clean, run, run_apart
from tests.support.for_each import for_each
from tests.support.formats.pokerstars import read_pokerstars
from tests.support.records.recorded_hands import pokerkit

PHH = """\
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [0.50, 1, 0]
min_bet = 1
starting_stacks = [100, 40.25, 99.50]
actions = ['d dh p1 ????', 'd dh p2 ????', 'd dh p3 AsKd', 'p3 cbr 3', 'p1 f', 'p2 f']
hand = 12345
seats = [1, 2, 3]
seat_count = 6
table = 'Circe'
players = ['Ann', 'Bob', 'Cid']
"""
HEADS_UP = """\
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
actions = ['d dh p1 AsAd', 'd dh p2 KsKd', 'p2 f']
hand = 7
players = ['Ann', 'Bob']
"""
TEXT = """\
PokerStars Hand #12345:  Hold'em No Limit ($0.50/$1 USD) - 2016/03/01 1:29:41 ET
Table 'Circe' 6-max Seat #3 is the button
Seat 1: Ann ($100 in chips)
Seat 2: Bob ($40.25 in chips)
Seat 3: Cid ($99.50 in chips)
Ann: posts small blind $0.50
Bob: posts big blind $1
*** HOLE CARDS ***
Dealt to Cid [As Kd]
Cid: raises $2 to $3
Ann: folds
Bob: folds
Uncalled bet ($2) returned to Cid
Cid collected $2.50 from pot
Cid: doesn't show hand
*** SUMMARY ***
Total pot $2.50 | Rake $0
Seat 1: Ann (small blind) folded before Flop
Seat 2: Bob (big blind) folded before Flop
Seat 3: Cid (button) collected ($2.50)
"""
BROKEN_TEXT = TEXT.replace("Bob: folds", "Bob: somersaults").replace("12345", "12346")
DEAD_POST = (
    TEXT.replace("Seat 3: Cid ($99.50 in chips)", "Seat 3: Cid ($99.50 in chips)\nSeat 4: Dan ($50 in chips)")
    .replace("Bob: posts big blind $1", "Bob: posts big blind $1\nDan: posts small & big blinds $1.50")
    .replace("Cid: raises $2 to $3", "Cid: raises $2 to $3\nDan: folds")
    .replace("$2.50", "$4")
)
STUD = (
    "variant = 'F7S'\nantes = [1, 1]\nbring_in = 1\nsmall_bet = 2\nbig_bet = 4\nstarting_stacks = [50, 50]\n"
    "actions = []\n"
)
UNWILLED = HEADS_UP + "_intents = [0, 9]\n"
DOCUMENT: dict[str, Any] = {
    "hand": 3,
    "players": ["Ann", "Bob", "Cid", "Dan"],
    "startingStacks": [50, 100, 75.25, 60],
    "blindsOrStraddles": [0, 1, 2, 0],
    "seats": [1, 2, 3, 4],
    "seatCount": 6,
    "actions": ["d dh p1 2h2d", "d dh p2 3s3d", "d dh p3 4c4d", "p1 cc", "p3 cc", "d db 5cAhQh", "p3 cbr 2", "p1 f"],
    "_inactive": [0, 1, 0, 1],
    "_intents": [0, 1, 0, 2],
    "_deadBlinds": [0, 0, 0, 3],
    "_deadMoney": 1.5,
}
STACKS = (Decimal("99.50"), Decimal("39.25"), Decimal(101))


def write(folder: Path, name: str, text: object) -> str:
    path = folder / name
    path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8", newline="")
    return str(path)


def converted(source: str, target: Path, *, hands: int = 1) -> str:
    """Convert without a fault, and return what was written."""
    result = run("convert", source, str(target))
    assert result.stdout == ""
    assert result.stderr == f"{hands} converted, 0 failed\n"
    assert result.exit_code == 0
    return target.read_text(encoding="utf-8")


@pytest.fixture
def sources(tmp_path: Path) -> dict[str, str]:
    """The same hand in every format."""
    return {
        ".phh": write(tmp_path, "in.phh", PHH),
        ".phhs": write(tmp_path, "in.phhs", f"[1]\n{PHH}"),
        ".json": write(
            tmp_path,
            "in.json",
            {
                "variant": "NT",
                "antes": [0, 0, 0],
                "blindsOrStraddles": [0.50, 1, 0],
                "minBet": 1,
                "startingStacks": [100, 40.25, 99.50],
                "actions": ["d dh p1 ????", "d dh p2 ????", "d dh p3 AsKd", "p3 cbr 3", "p1 f", "p2 f"],
                "hand": 12345,
                "seats": [1, 2, 3],
                "seatCount": 6,
                "table": "Circe",
                "players": ["Ann", "Bob", "Cid"],
            },
        ),
        ".txt": write(tmp_path, "in.txt", TEXT),
        ".ohh": write(tmp_path, "in.ohh", write_ohh(read_pokerstars(TEXT)[0])),
    }


@for_each("source", [".phh", ".phhs", ".json", ".txt", ".ohh"])
@for_each("target", [".phh", ".phhs", ".json", ".txt", ".ohh"])
def test_every_direction_keeps_the_hand(tmp_path: Path, sources: dict[str, str], source: str, target: str) -> None:
    text = converted(sources[source], tmp_path / f"out{target}")
    if target == ".json":
        document = read_document(text)
        found = (document.players, document.stacks, finishing_stacks(document), document.hand, document.seats)
    else:
        record = {
            ".phh": lambda: read_phh(text),
            ".phhs": lambda: records(text)[0],
            ".txt": lambda: read_pokerstars(text)[0],
            ".ohh": lambda: read_ohh(text)[0],
        }[target]()
        found = (
            record.players or (),
            record.starting_stacks,
            replay(record).finishing_stacks,
            record.hand,
            record.seats,
        )
    players, stacks, ended, hand, seats = found
    assert players == ("Ann", "Bob", "Cid")
    assert stacks == (100, Decimal("40.25"), Decimal("99.5"))
    assert ended == STACKS
    assert str(hand) == "12345"
    assert seats == (1, 2, 3)


def records(text: str) -> list[Record]:
    """The hands of a .phhs text."""
    return [record for _, record in read_phhs(text)]


@pytest.mark.parametrize("ending", [".phh", ".phhs", ".json", ".txt"])
def test_there_and_back_is_the_same_file(tmp_path: Path, sources: dict[str, str], ending: str) -> None:
    """A file written by pitboss survives the way through every other format that can express all of it."""
    ours = converted(sources[".phh"], tmp_path / f"ours{ending}")
    if ending == ".txt":
        return
    for other in (".phhs", ".json"):
        between = tmp_path / f"between{other}"
        converted(str(tmp_path / f"ours{ending}"), between)
        back = converted(str(between), tmp_path / f"back{ending}")
        if other == ".phhs" or ending == ".json":
            assert back == ours


def test_json_of_plain_phh_heads_up_has_the_button_last(tmp_path: Path) -> None:
    text = converted(write(tmp_path, "in.phh", HEADS_UP), tmp_path / "out.json")
    found = json.loads(text)
    assert found["blindsOrStraddles"] == [2, 1]
    assert found["_button"] == 1
    back = read_phh(converted(str(tmp_path / "out.json"), tmp_path / "back.phh"))
    assert replay(back).finishing_stacks == (101, 99)


def test_table_fields_survive_phh(tmp_path: Path) -> None:
    source = write(tmp_path, "table.json", DOCUMENT)
    phh = converted(source, tmp_path / "table.phh")
    for words in (
        "_inactive = [0, 1, 0, 1]",
        "_intents = [0, 1, 0, 2]",
        "_deadBlinds = [0, 0, 0, 3]",
        "_deadMoney = 1.5",
    ):
        assert words in phh
    back = converted(str(tmp_path / "table.phh"), tmp_path / "back.json")
    assert read_document(back) == read_document(json.dumps(DOCUMENT))


def test_folds_of_players_who_left_are_written(tmp_path: Path) -> None:
    phh = read_phh(converted(write(tmp_path, "table.json", DOCUMENT), tmp_path / "table.phh"))
    assert [text.partition(" #")[0] for text in phh.actions][3:6] == ["p3 cc", "p1 f", "p2 cc"]
    assert phh.players == ("Bob", "Cid", "Ann")


def test_pokerkit_replays_a_document_with_a_pause_and_dead_money_to_our_stacks(tmp_path: Path) -> None:
    phh = read_phh(converted(write(tmp_path, "table.json", DOCUMENT), tmp_path / "table.phh"))
    ended = dict(zip(DOCUMENT["players"], finishing_stacks(read_document(json.dumps(DOCUMENT))), strict=True))
    assert phh.players is not None
    assert pokerkit(phh).stacks == replay(phh).finishing_stacks == tuple(ended[name] for name in phh.players)


def test_amounts_in_json_are_exact_numbers(tmp_path: Path) -> None:
    text = converted(write(tmp_path, "table.json", DOCUMENT), tmp_path / "out.json")
    assert '"startingStacks":[50,100,75.25,60]' in text
    assert '"_deadMoney":1.5' in text


def test_a_table_that_waits_is_converted_too(tmp_path: Path) -> None:
    waiting = {"players": ["a", "b"], "startingStacks": [50, 60], "blindsOrStraddles": [1, 2], "_inactive": [0, 1],
               "_intents": [0, 2], "hand": 4}  # fmt: skip
    source = write(tmp_path, "table.json", waiting)
    converted(source, tmp_path / "table.phh")
    back = converted(str(tmp_path / "table.phh"), tmp_path / "back.json")
    assert read_document(back) == read_document(json.dumps(waiting))


def test_a_time_of_day_survives_json(tmp_path: Path) -> None:
    source = write(tmp_path, "in.phh", PHH + "time = 12:30:00\nday = 1\nmonth = 3\nyear = 2016\n")
    converted(source, tmp_path / "out.json")
    back = read_phh(converted(str(tmp_path / "out.json"), tmp_path / "back.phh"))
    assert back.time == read_phh(Path(source).read_text(encoding="utf-8")).time
    assert (back.day, back.month, back.year) == (1, 3, 2016)


def test_a_stack_of_unknown_depth_survives_json(tmp_path: Path) -> None:
    source = write(tmp_path, "in.phh", HEADS_UP.replace("[100, 100]", "[100, inf]"))
    converted(source, tmp_path / "out.json")
    back = read_phh(converted(str(tmp_path / "out.json"), tmp_path / "back.phh"))
    assert back.starting_stacks == (100, Decimal("Infinity"))


# --- many hands


def test_many_hands_in_every_format_of_many(tmp_path: Path) -> None:
    phhs = write(tmp_path, "in.phhs", f"[1]\n{PHH}\n[2]\n{HEADS_UP}\n")
    found = json.loads(converted(phhs, tmp_path / "out.json", hands=2))
    assert [document["hand"] for document in found] == [12345, 7]
    text = converted(str(tmp_path / "out.json"), tmp_path / "out.txt", hands=2)
    assert text.count("PokerStars Hand #") == 2
    back = converted(str(tmp_path / "out.txt"), tmp_path / "back.phhs", hands=2)
    assert [record.players for record in records(back)] == [("Ann", "Bob", "Cid"), ("Ann", "Bob")]


@pytest.mark.parametrize("ending", ["phh", "phhs", "json", "txt", "ohh"])
def test_a_dash_is_standard_output(
    tmp_path: Path, sources: dict[str, str], ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = set(tmp_path.iterdir())
    source = sources[".txt"]
    result = run("convert", source, "-", "--to", ENDINGS[f".{ending}"])
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (0, "1 converted, 0 failed")
    assert set(tmp_path.iterdir()) == before
    assert result.stdout == converted(source, tmp_path / f"out.{ending}")


def test_standard_output_holds_hands_or_the_summary(sources: dict[str, str]) -> None:
    result = run("convert", sources[".txt"], "-", "--to", "phh", "--json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--json cannot be used when the hands go to standard output: name a file for OUT" in result.stderr


def test_many_hands_do_not_fit_one_phh(tmp_path: Path) -> None:
    source = write(tmp_path, "in.phhs", f"[1]\n{PHH}\n[2]\n{HEADS_UP}\n")
    result = run("convert", source, str(tmp_path / "out.phh"))
    assert result.exit_code == 2
    assert f"{source} has more than one hand, but a .phh file holds one: use .phhs" in result.stderr
    assert not (tmp_path / "out.phh").exists()


# --- a broken hand in the middle


def test_broken_pokerstars_hand_in_the_middle_is_named_with_its_line(tmp_path: Path) -> None:
    source = write(tmp_path, "in.txt", "\n\n\n".join([TEXT, BROKEN_TEXT, TEXT.replace("12345", "12347")]))
    result = run("convert", source, str(tmp_path / "out.phhs"))
    assert result.exit_code == 1
    assert result.stdout == ""
    sentence, summary = result.stderr.splitlines()
    line = 1 + "\n\n\n".join([TEXT, BROKEN_TEXT]).split("\n").index("Bob: somersaults")
    assert sentence.startswith(f"pitboss convert: {source}")
    assert str(line) in sentence
    assert summary == "2 converted, 1 failed"
    found = records((tmp_path / "out.phhs").read_text(encoding="utf-8"))
    assert [str(record.hand) for record in found] == ["12345", "12347"]


def test_broken_phhs_table_in_the_middle_is_named_with_its_line(tmp_path: Path) -> None:
    source = write(tmp_path, "in.phhs", f"[1]\n{PHH}\n[2]\nvariant = 'NT'\nantes = [0 0]\n\n[3]\n{HEADS_UP}")
    result = run("convert", source, str(tmp_path / "out.json"))
    assert result.exit_code == 1
    sentence, summary = result.stderr.splitlines()
    assert sentence.startswith(f"pitboss convert: {source}")
    assert str(PHH.count("\n") + 5) in sentence
    assert summary == "2 converted, 1 failed"
    assert [document["hand"] for document in json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))] == [
        12345,
        7,
    ]


def test_broken_document_in_the_middle_is_named_with_its_number(tmp_path: Path) -> None:
    source = write(tmp_path, "in.json", [DOCUMENT, DOCUMENT | {"_intents": [0]}, 5, DOCUMENT | {"hand": 4}])
    result = run("convert", source, str(tmp_path / "out.phhs"))
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        f"pitboss convert: {source}: document 2: _intents: expected 4 entries, one per player, got 1",
        f"pitboss convert: {source}: document 3: expected a JSON object",
        "2 converted, 2 failed",
    ]
    assert [record.hand for record in records((tmp_path / "out.phhs").read_text(encoding="utf-8"))] == [3, 4]


@pytest.mark.parametrize(("ending", "unsaid"), [(".json", UNWILLED), (".txt", STUD)])
def test_hand_that_the_target_format_cannot_express_is_named_and_skipped(
    tmp_path: Path, ending: str, unsaid: str
) -> None:
    """A table document has no such intent, PokerStars text no such game."""
    source = write(tmp_path, "in.phhs", f"[1]\n{PHH}\n[2]\n{unsaid}\n[3]\n{HEADS_UP}\n")
    result = run("convert", source, str(tmp_path / f"out{ending}"))
    assert result.exit_code == 1
    assert result.stderr.splitlines()[0].startswith(f"pitboss convert: {source}, line 14, hand 2: ")
    assert result.stderr.splitlines()[-1] == "2 converted, 1 failed"


@for_each("ending", [".phh", ".phhs", ".json", ".txt"])
@for_each(
    "source, text, sentence",
    [
        ("in.txt", BROKEN_TEXT, "somersaults"),
        ("in.txt", "", "has no hands"),
        ("in.phhs", "", "has no hands"),
        ("in.json", "[]", "has no hands"),
        ("in.json", "", "has no hands"),
        ("in.json", "{", "expected JSON"),
    ],
)
def test_failed_conversion_leaves_the_target_unchanged(
    tmp_path: Path, source: str, text: str, sentence: str, ending: str
) -> None:
    target = tmp_path / f"keep{ending}"
    target.write_text("as it was", encoding="utf-8")
    result = run("convert", write(tmp_path, source, text), str(target))
    assert result.exit_code == 1
    assert sentence in result.stderr
    assert "write a .phhs" not in result.stderr
    assert result.stderr.splitlines()[-1] == "0 converted, 1 failed"
    assert target.read_text(encoding="utf-8") == "as it was"
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([source, target.name])


def test_the_only_hand_cannot_be_written(tmp_path: Path) -> None:
    """Nothing to write: the target stays unchanged."""
    target = tmp_path / "out.json"
    target.write_text("[1]", encoding="utf-8")
    result = run("convert", write(tmp_path, "in.phh", UNWILLED), str(target))
    assert result.exit_code == 1
    assert target.read_text(encoding="utf-8") == "[1]"


def test_replaced_target_keeps_its_mode_and_leaves_no_other_file(tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    target.write_text("[1]", encoding="utf-8")
    target.chmod(0o600)
    converted(write(tmp_path, "in.phh", PHH), target)
    assert target.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.phh", "out.json"]


# --- bad input


@pytest.mark.parametrize("name", ["out.csv", "out"])
def test_output_format_follows_from_the_extension(tmp_path: Path, name: str) -> None:
    source = write(tmp_path, "in.phh", PHH)
    result = run("convert", source, str(tmp_path / name))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "expected one of the endings .phh, .phhs, .json, .txt, .ohh, .log, or the option --to" in result.stderr
    assert not (tmp_path / name).exists()
    assert run("convert", "--to", "phh", source, str(tmp_path / name)).exit_code == 0
    assert read_phh((tmp_path / name).read_text(encoding="utf-8")).hand == 12345


def test_input_format_follows_from_the_content_and_a_wrong_extension_is_reported(tmp_path: Path) -> None:
    assert read_phh(converted(write(tmp_path, "in.doc", TEXT), tmp_path / "out.phh")).hand == 12345
    source, hint = write(tmp_path, "in.phhs", TEXT), "rename the file, or set its format to pokerstars"
    result = run("convert", source, str(tmp_path / "out.json"))
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        f"pitboss convert: {source}, line 1: expected PHH because of the ending .phhs, got PokerStars text: {hint}",
        "0 converted, 1 failed",
    ]
    assert run("convert", "--format", "pokerstars", source, str(tmp_path / "out.json")).exit_code == 0
    assert run("convert", "--format", "word", source, str(tmp_path / "out.json")).exit_code == 2


def test_standard_input_is_read_too(tmp_path: Path) -> None:
    result = run("convert", "-", str(tmp_path / "out.phh"), given=TEXT)
    assert result.stderr == "1 converted, 0 failed\n"
    assert read_phh((tmp_path / "out.phh").read_text(encoding="utf-8")).hand == 12345


LOG = "STATE:0:r60f:AhKd|7c2s:-20|20:ann|bob\nhm\nSTATE:1:f:AhKd|7c2s:10|-10:bob|ann\n"
GAME = """\
GAMEDEF
nolimit
numPlayers = 2
numRounds = 4
stack = 500 500
blind = 20 10
firstPlayer = 2 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""


def test_lenient_reports_omissions_and_a_lost_hand_is_not_an_error(tmp_path: Path) -> None:
    source, game, target = write(tmp_path, "m.log", LOG), write(tmp_path, "m.game", GAME), str(tmp_path / "out.phhs")
    result = run("convert", source, target)
    assert result.exit_code == 1
    assert "the log has no header: give the game's definition, with --game-def FILE" in result.stderr
    result = run("convert", "--game-def", game, source, target)
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        f"pitboss convert: {source}, line 2: expected a line that begins with STATE, SCORE or #: 'hm'",
        "2 converted, 1 failed",
    ]
    result = run("convert", "--lenient", "--json", "--game-def", game, source, target)
    assert result.exit_code == 0
    assert result.stderr.splitlines() == [
        f"pitboss convert: {source}, line 2: expected a line that begins with STATE, SCORE or #",
        "2 converted, 0 failed",
    ]
    assert json.loads(result.stdout) == {"converted": 2, "failed": 0, "notes": 1, "to": "phhs"}
    back = converted(target, tmp_path / "back.log", hands=2)
    assert [line for line in back.split("\n") if line.startswith("STATE")] == LOG.replace("hm\n", "").split("\n")[:2]
    result = run("convert", "--game-def", game, write(tmp_path, "in.phh", PHH), target)
    assert "game_def: expected it only for an ACPC log, got PHH" in result.stderr


def many(folder: Path, hands: int) -> str:
    return write(folder, f"{hands}.phhs", "".join(f"[{number}]\n{PHH}\n" for number in range(1, hands + 1)))


@pytest.mark.slow
def test_many_hands_pass_through_in_flat_memory(tmp_path: Path) -> None:
    _, some, more = [peak(many(tmp_path, hands), tmp_path / "out.ohh") for hands in (100, 700, 1500)]
    assert more < some + 200_000  # 800 hands that are kept take twice that; 700 fill what a file is read by


@pytest.mark.slow
@pytest.mark.parametrize("command", [("convert", "{}", "out.ohh"), ("convert", "{}", "out.phhs"), ("replay", "{}")])
def test_thirty_thousand_hands_take_no_more_room_than_a_thousand(tmp_path: Path, command: tuple[str, ...]) -> None:
    sizes = [resident(tmp_path, command, many(tmp_path, hands)) for hands in (1000, 30_000)]
    assert sizes[1] < sizes[0] + 3000


def resident(folder: Path, command: tuple[str, ...], source: str) -> int:
    """The peak memory of a separate process, in kilobytes; `getrusage` also counts its parent's."""
    asked = [str(folder / part) if part.startswith("out") else part.format(source) for part in command]
    code = "print(open('/proc/self/status').read().split('VmHWM:')[1].split()[0], file=sys.stderr)"
    run = f"import sys, os\nfrom pitboss.cli.main import cli\ntry:\n cli({asked})\nexcept SystemExit:\n {code}"
    ended = subprocess.run([sys.executable, "-c", run], capture_output=True, check=True, text=True, env=clean())
    return int(ended.stderr.split()[-1])


def peak(source: str, target: Path) -> int:
    """The peak memory of converting, in bytes, without the garbage of earlier tests."""
    gc.collect()
    tracemalloc.start()
    try:
        assert run("convert", source, str(target)).exit_code == 0
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_endings_in_capitals(tmp_path: Path) -> None:
    assert read_phh(converted(write(tmp_path, "IN.PHH", PHH), tmp_path / "OUT.PHH")).hand == 12345


def test_missing_file(tmp_path: Path) -> None:
    result = run("convert", str(tmp_path / "nowhere.phh"), str(tmp_path / "out.json"))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "nowhere.phh" in result.stderr


def test_missing_folder_of_the_target(tmp_path: Path) -> None:
    source, target = write(tmp_path, "in.phh", PHH), str(tmp_path / "nowhere" / "out.json")
    result = run_apart("convert", source, target)
    assert result.returncode in (1, 2)
    assert result.stdout == b""
    assert b"Traceback" not in result.stderr
    assert target.encode() in result.stderr


@pytest.mark.parametrize("ending", [".phh", ".phhs", ".json"])
def test_bytes_that_are_not_text(tmp_path: Path, ending: str) -> None:
    source = tmp_path / f"in{ending}"
    source.write_bytes(b"\xff\xfe\x00")
    result = run("convert", str(source), str(tmp_path / "out.phhs"))
    assert result.exit_code == 1
    assert f"pitboss convert: {source}" in result.stderr
    assert result.stderr.splitlines()[-1] == "0 converted, 1 failed"


@for_each("text", ["", "{", "[1, 2", '{"x": 1e99999999999999999999}', "[" * 100_000])
def test_broken_json(tmp_path: Path, text: str) -> None:
    source = write(tmp_path, "in.json", text)
    result = run("convert", source, str(tmp_path / "out.phhs"))
    assert result.exit_code == 1
    assert result.stderr.startswith(f"pitboss convert: {source}")
    assert result.stderr.splitlines()[-1] == "0 converted, 1 failed"


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_json_constants_are_not_numbers(tmp_path: Path, number: str) -> None:
    fields = json.dumps(DOCUMENT)[:-1] + f', "_x": {number}}}'
    result = run("convert", write(tmp_path, "in.json", fields), str(tmp_path / "out.json"))
    assert result.exit_code == 1


def test_dead_posts_of_pokerstars_become_a_document(tmp_path: Path) -> None:
    """T10: who posts small and big has the small part dead and the big part live, also in a table document."""
    phh = read_phh(converted(write(tmp_path, "in.txt", DEAD_POST), tmp_path / "out.phh"))
    expected = replay(phh).finishing_stacks
    document = read_document(converted(str(tmp_path / "in.txt"), tmp_path / "out.json"))
    assert finishing_stacks(document) == expected
    back = read_phh(converted(str(tmp_path / "out.json"), tmp_path / "back.phh"))
    assert replay(back).finishing_stacks == expected


def test_sitting_out_becomes_inactive(tmp_path: Path) -> None:
    text = TEXT.replace("($99.50 in chips)", "($99.50 in chips)\nSeat 5: Eve ($10 in chips) is sitting out")
    document = read_document(converted(write(tmp_path, "in.txt", text), tmp_path / "out.json"))
    assert document.players == ("Ann", "Bob", "Cid", "Eve")
    assert document.inactive == (0, 0, 0, 1)


def test_summary_is_all_that_is_printed(tmp_path: Path) -> None:
    result = run_apart("convert", write(tmp_path, "in.phh", PHH), str(tmp_path / "out.txt"))
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"1 converted, 0 failed\n")


def test_codes_and_fields_of_ours_are_written_with_a_warning_each(tmp_path: Path) -> None:
    hand = "antes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\nstarting_stacks = [9, 9]\nactions = []\n"
    source, target = tmp_path / "in.phhs", tmp_path / "out.phhs"
    tables = (f"[{number}]\nvariant = '{code}'\n{hand}" for number, code in enumerate(("NT", "PT", "PT", "NO5"), 1))
    source.write_text("".join(tables) + "_runs = 2\n", encoding="utf-8")
    result = run("convert", str(source), str(target))
    assert result.exit_code == 0
    assert result.stderr.splitlines() == [
        f"pitboss convert: {target}, _runs: only pitboss has this field; other programs cannot replay the hand",
        f"pitboss convert: {target}, variant NO5: only pitboss uses this code",
        f"pitboss convert: {target}, variant PT: only pitboss uses this code",
        "4 converted, 0 failed",
    ]
