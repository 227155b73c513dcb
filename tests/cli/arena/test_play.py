"""`pitboss arena play`: a table or one JSON object, the same for the same seed; own bots, bad bots, interrupts."""

import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pitboss.arena.bots.namespaces import TRUSTED, find_sandbox
from pitboss.arena.bots.offline import OfflineMatch
from pitboss.cli.arena import play as play_module
from tests.support.cli.runs import COMMAND, clean, lines, run, run_apart
from tests.support.for_each import for_each

FIRST = ("arena", "play")

FUNCTION = """
def decide(act):
    return "CHECK" if "CHECK" in act.legal else "CALL"
"""
CLASS = """
class Bot:
    def __init__(self):
        self.asked = 0

    def act(self, act):
        self.asked += 1
        return "CHECK" if "CHECK" in act.legal else "CALL"
"""
LATER = """
import asyncio

async def decide(act):
    await asyncio.sleep(0)
    return "CHECK" if "CHECK" in act.legal else "CALL"
"""


def play(*arguments: str) -> dict[str, Any]:
    """The one JSON object of a run."""
    result = run(*FIRST, "--json", *arguments)
    assert result.exit_code == 0
    assert result.stderr == ""
    (found,) = lines(result.stdout)
    return found


def results(*arguments: str) -> list[dict[str, Any]]:
    """The players of a run, without times."""
    return untimed(play(*arguments)["players"])


def untimed(players: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Everything but the time per answer, which differs from run to run."""
    return [{name: value for name, value in player.items() if name != "ms_per_answer"} for player in players]


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sandbox is on, but its lines are not printed; `tests/arena/bots/test_attacks.py` looks at them."""
    monkeypatch.setattr(
        play_module, "sandbox_for_bots", lambda *_, trusted, **__: TRUSTED if trusted else find_sandbox()
    )


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """A bot of one's own."""
    file = tmp_path / "mybot.py"
    file.write_text(FUNCTION, encoding="utf-8")
    return file


# --- what is printed


def test_json_is_one_line_and_one_object() -> None:
    result = run(*FIRST, "tight", "calling", "random", "--json", "--hands", "20", "--seed", "5")
    assert result.stdout.count("\n") == 1
    found = lines(result.stdout)[0]
    assert list(found) == ["hands", "seed", "seconds", "players"]
    assert (found["hands"], found["seed"]) == (20, 5)
    assert found["seconds"] > 0
    assert [list(player) for player in found["players"]] == [
        [
            "name",
            "seat",
            "net",
            "bb_per_100",
            "low",
            "high",
            "illegal",
            "answers",
            "ms_per_answer",
            "place",
            "tied_with",
        ]
    ] * 3
    thinking = sum(player["ms_per_answer"] * player["answers"] for player in found["players"])
    assert 0 < thinking < 1000 * found["seconds"]
    assert sorted(player["place"] for player in found["players"]) == [1, 2, 3]
    assert [(player["name"], player["seat"]) for player in found["players"]] == [
        ("tight", 0),
        ("calling", 1),
        ("random", 2),
    ]
    assert {player["illegal"] for player in found["players"]} == {0}


def test_zero_winnings_are_not_negative_zero() -> None:
    result = run(*FIRST, "folding", "folding", "--json", "--hands", "20", "--seed", "5")
    assert "-0.0" not in re.split(r"[,:}\]]", result.stdout)
    assert [player["bb_per_100"] for player in lines(result.stdout)[0]["players"]] == [0.0, 0.0]


@pytest.mark.parametrize("seed", [0, 1, -3, 2**70])
def test_winnings_sum_to_zero(seed: int) -> None:
    players = results("random", "calling", "tight", "--hands", "100", "--seed", str(seed))
    assert sum(player["net"] for player in players) == 0
    assert {type(player["net"]) for player in players} == {int}
    assert any(player["net"] for player in players)


def test_the_same_seed_gives_the_same_result_and_another_another() -> None:
    bots = ("random", "equity", "sharp", "--hands", "20")
    assert results(*bots, "--seed", "7") == results(*bots, "--seed", "7") != results(*bots, "--seed", "8")


def test_every_run_without_a_seed_has_its_own_and_prints_it() -> None:
    bots = ("random", "calling", "--hands", "20")
    one, other = play(*bots), play(*bots)
    assert one["seed"] != other["seed"]
    assert one["players"] != other["players"]
    assert untimed(one["players"]) == results(*bots, "--seed", str(one["seed"]))


SHOWS_PARENT = """
import os, sys

shown = open(f"/proc/{os.getppid()}/cmdline", "rb").read().rstrip(b"\\0")
print("at import", shown, file=sys.stderr, flush=True)
"""


@pytest.mark.check
@pytest.mark.skipif(sys.platform != "linux", reason="what a process hides of itself is Linux's doing")
@pytest.mark.parametrize(
    ("command", "options"), [("play", ("calling", "--hands", "5")), ("doctor", ("--move-time-ms", "1000"))]
)
def test_a_bot_does_not_see_the_seed(tmp_path: Path, command: str, options: tuple[str, ...]) -> None:
    file = tmp_path / "seer.py"
    file.write_text(SHOWS_PARENT + FUNCTION, encoding="utf-8")
    done = run_apart("arena", command, str(file), *options, "--seed", "918273645")
    assert b"seer: at import b'" in done.stderr
    assert b"918273645" not in done.stderr
    done = run_apart("arena", command, "--trust-bots", str(file), *options, "--seed", "918273645")
    shown = {line for line in done.stderr.decode().splitlines() if "at import" in line}
    assert shown == {f"seer: at import b'pitboss arena {command}'"}


def test_the_rate_and_its_interval_follow_from_the_chips() -> None:
    for player in results("random", "calling", "--hands", "40", "--bb", "200", "--sb", "100"):
        assert player["bb_per_100"] == pytest.approx(player["net"] / 200 / 40 * 100, abs=0.001)
        assert player["low"] <= player["bb_per_100"] <= player["high"]


def test_one_hand_has_no_interval() -> None:
    players = results("random", "calling", "--hands", "1")
    assert {(player["low"], player["high"]) for player in players} == {(None, None)}
    result = run(*FIRST, "random", "calling", "--hands", "1")
    assert "1 hand of no-limit hold'em" in result.stdout
    assert result.exit_code == 0
    assert "nan" not in result.stdout
    assert "inf" not in result.stdout


def test_a_table_the_winner_first() -> None:
    result = run(*FIRST, "folding", "calling", "--hands", "20", "--seed", "3")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "20 hands of no-limit hold'em, seed 3" in result.stdout
    assert "bb/100" in result.stdout
    assert "± 95 %" in result.stdout
    assert "\x1b" not in result.stdout
    assert result.stdout.index(" calling ") < result.stdout.index(" folding ")


def test_the_same_bot_twice_gets_two_names() -> None:
    names = [player["name"] for player in results("tight", "random", "tight", "random", "tight", "--hands", "2")]
    assert names == ["tight", "random", "tight 2", "random 2", "tight 3"]


def test_duplicate_uses_whole_decks_and_equal_bots_win_nothing() -> None:
    found = play("calling", "calling", "calling", "--duplicate", "--hands", "10")
    assert found["hands"] == 12
    assert [player["net"] for player in found["players"]] == [0, 0, 0]


def test_small_blind_is_half_of_the_big_blind_and_stud_has_none() -> None:
    assert results("calling", "folding", "--hands", "2", "--seed", "1", "--bb", "20") == results(
        "calling", "folding", "--hands", "2", "--seed", "1", "--bb", "20", "--sb", "10"
    )
    assert play("calling", "folding", "--hands", "2", "--game", "razz", "--bb", "20")["hands"] == 2
    result = run(*FIRST, "calling", "folding", "--game", "razz", "--sb", "10")
    assert (result.exit_code, "razz has a bring-in, but no small blind: leave out --sb" in result.stderr) == (2, True)


def test_stack_and_blinds_are_settings() -> None:
    players = results("random", "random", "--stack", "300", "--sb", "1", "--bb", "3", "--hands", "1", "--seed", "4")
    assert all(abs(player["net"]) <= 300 for player in players)
    players = results("folding", "folding", "--sb", "7", "--bb", "9", "--hands", "1")
    assert sorted(player["net"] for player in players) == [-7, 7]


# --- bots of one's own


@pytest.mark.parametrize("source", [FUNCTION, CLASS, LATER], ids=["function", "class", "async"])
def test_a_file_plays_as_the_house_would(tmp_path: Path, source: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(source, encoding="utf-8")
    mine, other = results(str(file), "random", "--hands", "30", "--seed", "0")
    twin, _ = results("calling", "random", "--hands", "30", "--seed", "0")
    assert (mine["name"], other["name"]) == ("mine", "random")
    assert {**mine, "name": "calling"} == twin


def test_the_table_prints_a_bots_name_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")  # wide enough for the name on one line, whatever the places are
    file = tmp_path / "[bold]x[1] :cat:.py"
    file.write_text(FUNCTION, encoding="utf-8")
    result = run(*FIRST, str(file), "tight", "--hands", "2")
    assert result.exit_code == 0
    assert "[bold]x[1]" in result.stdout
    assert ":cat:" in result.stdout


def test_the_same_file_twice_is_two_bots(tmp_path: Path) -> None:
    """Each with its own memory."""
    file = tmp_path / "counting.py"
    file.write_text(CLASS.replace('"CALL"', '"CALL" if self.asked == 1 else "FOLD"'), encoding="utf-8")
    both = results(str(file), str(file), "--hands", "2")
    assert [player["name"] for player in both] == ["counting", "counting 2"]
    assert [player["illegal"] for player in both] == [0, 0]


def test_a_module_and_a_name(bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(bot.parent))
    assert [player["name"] for player in results("mybot:decide", "tight", "--hands", "3")] == ["mybot", "tight"]


def test_illegal_answers_are_counted_and_the_first_is_shown(bot: Path) -> None:
    bot.write_text("def decide(act):\n    return ('RAISE_TO', 3)\n", encoding="utf-8")
    result = run(*FIRST, str(bot), "calling", "--hands", "10", "--json")
    assert result.exit_code == 1  # not one of its answers could be played
    mine, other = lines(result.stdout)[0]["players"]
    assert mine["illegal"] > 5
    assert other["illegal"] == 0
    assert result.stderr == (
        f"mybot: {mine['illegal']} illegal answers, the first: "
        "RAISE_TO 3 is out of bounds: raise to 200 at least and 10000 at most\n"
    )


def test_one_illegal_answer_is_one(bot: Path) -> None:
    bot.write_text(CLASS.replace('"CALL"', '"CALL" if self.asked > 1 else 1 / 0'), encoding="utf-8")
    result = run(*FIRST, str(bot), "folding", "--hands", "9")
    assert result.exit_code == 0
    assert result.stderr == "mybot: 1 illegal answer: raised ZeroDivisionError (division by zero) in mybot.py, line 8\n"


@pytest.mark.check
def test_a_bot_that_hangs_loses_its_turns_and_then_its_match_and_the_others_play_on(bot: Path) -> None:
    bot.write_text("def decide(act):\n    while True:\n        pass\n", encoding="utf-8")
    result = run(*FIRST, str(bot), "calling", "--hands", "20", "--seed", "0", "--json", "--move-time-ms", "1000")
    assert result.exit_code == 1
    mine, other = lines(result.stdout)[0]["players"]
    assert mine["illegal"] == 3
    assert mine["net"] == -other["net"] < 0
    first, last = (line for line in result.stderr.splitlines() if line.startswith("mybot: "))
    assert re.fullmatch(r"mybot: 3 illegal answers, .* gave no answer in 1 s, in mybot.py, line [23]", first)
    assert re.fullmatch(r"mybot: lost its match, because it has lost 3 processes; .*, in mybot.py, line [23]", last)
    assert "Fatal Python error" not in result.stderr, "sentences, not stacks"


def test_disqualified_bot_is_marked_and_last_whatever_it_won(bot: Path) -> None:
    bot.write_text("import os\n\n\ndef decide(act):\n    os._exit(1)\n", encoding="utf-8")
    result = run(*FIRST, str(bot), "folding", "--hands", "9", "--seed", "0")
    assert result.exit_code == 1
    rows = [line for line in result.stdout.splitlines() if "mybot" in line or "folding" in line]
    assert ["folding" in row for row in rows] == [True, False]
    assert [row.split()[1] for row in rows] == ["1–2", "out"]


@pytest.mark.check
def test_a_bot_that_hangs_once_loses_one_turn(bot: Path) -> None:
    """The next process starts afresh and does not hang, because of the file that the first one left."""
    mark = bot.with_suffix(".hung")
    bot.write_text(
        f"""
from pathlib import Path

def decide(act):
    while not Path({str(mark)!r}).exists():
        Path({str(mark)!r}).touch()
        while True:
            pass
    return "CHECK" if "CHECK" in act.legal else "CALL"
""",
        encoding="utf-8",
    )
    options = ("--trust-bots", "--hands", "20", "--json", "--move-time-ms", "3000")
    result = run(*FIRST, str(bot), "calling", *options)
    assert result.exit_code == 0
    assert [player["illegal"] for player in lines(result.stdout)[0]["players"]] == [1, 0]


@pytest.mark.check
@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("import os; os._exit(3)", "ended with status 3"),
        ("import ctypes; ctypes.string_at(0)", r"ended by signal 11 \(.*\), in .*, line \d+"),
        ("x = bytearray(4 << 30)", r"raised MemoryError in mybot.py, line 2: a bot may have 2,048 MiB of memory"),
        ("raise SystemExit(3)", r"raised SystemExit \(3\) in mybot.py, line 2"),
        ("raise KeyboardInterrupt", "raised KeyboardInterrupt in mybot.py, line 2"),
        ("import os; os.close(4); return 'FOLD'", "ended .*"),
    ],
)
def test_crashing_bot_does_not_stop_the_others_and_its_error_is_located(bot: Path, body: str, words: str) -> None:
    bot.write_text(f"def decide(act):\n    {body}\n", encoding="utf-8")
    result = run(*FIRST, str(bot), "calling", "--hands", "5", "--json")
    assert result.exit_code == 1
    said = [line for line in result.stderr.splitlines() if " illegal answers, " in line]
    assert re.fullmatch(rf"mybot: \d+ illegal answers, the first: {words}", said[0])


@pytest.mark.check
@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("import json; return json.loads('{')", r"raised JSONDecodeError \(.*\) in mybot.py, line 2"),
        ("import re; return re.match('(a+)+$', 'a' * 40 + 'b')", "gave no answer in 0.2 s, in mybot.py, line 2"),
    ],
)
def test_where_a_bot_failed_is_a_line_of_its_own_and_not_of_a_library(bot: Path, body: str, words: str) -> None:
    bot.write_text(f"def decide(act):\n    {body}\n", encoding="utf-8")
    result = run(*FIRST, str(bot), "calling", "--hands", "2", "--json", "--move-time-ms", "200")
    said = [line for line in result.stderr.splitlines() if line.startswith("mybot: ")]
    assert re.fullmatch(rf"mybot: \d+ illegal answers?(, the first)?: {words}", said[0])


@pytest.mark.check
def test_memory_is_a_setting(bot: Path) -> None:
    bot.write_text("big = bytearray(300 << 20)\n" + FUNCTION, encoding="utf-8")
    result = run(*FIRST, str(bot), "calling", "--hands", "2", "--memory-mib", "200")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        f"pitboss arena play: {bot} raises MemoryError in line 1 when it is loaded: a bot may have 200 MiB of memory\n"
    )
    assert run(*FIRST, str(bot), "calling", "--hands", "2").exit_code == 0


@pytest.mark.parametrize("columns", ["40", "60", "80", ""])
def test_figures_are_whole_in_any_window_and_in_a_pipe(columns: str) -> None:
    chips = ("--stack", "1000000000000", "--bb", "1000000000", "--seed", "3", "--hands", "20")
    done = run_apart(*FIRST, "calling", "random", *chips, COLUMNS=columns)
    text = done.stdout.decode()
    assert text.count("5,980,000,000,000") == 2
    assert text.count("37522.6") == 2
    if columns:
        assert max(map(len, text.splitlines()[1:])) <= int(columns)


def test_bot_output_is_neither_an_answer_nor_a_terminal_command(bot: Path) -> None:
    prints = '    print("CALL\\x1b[2J")\n    import os\n    os.write(1, b\'{"answer":"FOLD"}\\n\')\n'
    bot.write_text(FUNCTION.replace("    return", f"{prints}    return"), encoding="utf-8")
    result = run(*FIRST, str(bot), "random", "--hands", "2", "--json")
    assert result.exit_code == 0
    assert len(lines(result.stdout)) == 1
    assert set(result.stderr.splitlines()) == {r"mybot: CALL\u001b[2J", 'mybot: {"answer":"FOLD"}'}


# --- errors are one sentence


@pytest.mark.parametrize(
    ("bots", "sentence"),
    [
        (("tight", "tigt"), "no bot is called tigt: name a Python file, module:name, or a house bot: calling, "),
        (("tight", "nowhere.py"), "file nowhere.py was not found"),
        (("tight", "no_such_module_at_all:bot"), "module no_such_module_at_all was not found"),
    ],
)
def test_no_such_bot(bots: tuple[str, ...], sentence: str) -> None:
    result = run(*FIRST, *bots, "--hands", "5")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith(f"pitboss arena play: {sentence}")
    assert result.stderr.count("\n") == 1


def test_invalid_bots(bot: Path) -> None:
    bot.write_text("decide = 7\n", encoding="utf-8")
    result = run(*FIRST, str(bot), "tight")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.count("\n") == 1
    assert "expected a function decide(act)" in result.stderr


@for_each(
    "arguments, sentence",
    [
        ((), "Missing argument"),
        (("tight",), "expected 2 to 10 bots, got 1"),
        (("tight",) * 11, "expected 2 to 10 bots, got 11"),
        (
            ("tight", "tight", "--sb", "50", "--bb", "20"),
            "expected --sb up to --bb, and --bb up to --stack, got 50, 20 and 10000",
        ),
        (("tight", "tight", "--stack", "99"), "expected --sb up to --bb, and --bb up to --stack, got 50, 100 and 99"),
        *((("tight", "tight", "--hands", hands), "'--hands'") for hands in ("0", "-1", "x", "1.5", "10000001")),
        (("tight", "tight", "--seed", "x"), "'--seed'"),
        (("tight", "tight", "--bb", "0"), "'--bb'"),
    ],
)
def test_impossible_matches(arguments: tuple[str, ...], sentence: str) -> None:
    result = run(*FIRST, *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert sentence in result.stderr


def test_help_describes_each_house_bot() -> None:
    result = run(*FIRST, "--help")
    assert result.exit_code == 0
    for name, words in {
        "sharp": "Plays by position",
        "folding": "Checks if checking is free",
        "equity": "Deals",
    }.items():
        assert f"  {name:<8} {words}" in result.stdout
    assert "pitboss arena play mybot.py tight" in result.stdout


# --- as a process


def test_interrupt_prints_the_results_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = OfflineMatch.play_hand

    def interrupted(match: OfflineMatch) -> None:
        if match.hands == 12:
            raise KeyboardInterrupt
        whole(match)

    monkeypatch.setattr(OfflineMatch, "play_hand", interrupted)
    result = run(*FIRST, "tight", "random", "--hands", "50", "--json")
    assert result.exit_code == 130
    assert lines(result.stdout)[0]["hands"] == 12
    assert result.stderr == "interrupted after 12 of 50 hands\n"


@pytest.mark.skipif(sys.platform == "win32", reason="interrupts are sent otherwise on Windows")
def test_an_interrupted_process_ends_at_once_with_its_table(tmp_path: Path) -> None:
    """The bot reports that it plays; only then is the interrupt sent."""
    file = tmp_path / "slow.py"
    file.write_text(
        """
import sys

class Bot:
    asked = 0

    def act(self, act):
        self.asked += 1
        if self.asked == 100:
            print("playing", file=sys.stderr, flush=True)
        return "FOLD"
""",
        encoding="utf-8",
    )
    arguments = [*COMMAND, *FIRST, str(file), "folding", "--hands", "10000000"]
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=clean())
    assert process.stderr is not None
    assert b"slow: playing\n" in iter(process.stderr.readline, b"")
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"bb/100" in output
    assert errors.startswith(b"interrupted after ")
    assert b"Traceback" not in errors


@pytest.mark.parametrize("game", ["razz", "FB", "horse"])
def test_any_poker_game_is_played_by_bots_that_can(game: str) -> None:
    result = play("random", "calling", "folding", "--game", game, "--hands", "40", "--seed", "5")
    assert sum(player["net"] for player in result["players"]) == 0
    assert [player["illegal"] for player in result["players"]] == [0, 0, 0]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("tight", "random", "--game", "razz"), "the house bot tight plays hold'em with the full deck only"),
        (("random", "random", "--game", "chess"), "no game is called 'chess'"),
        (("random",) * 9 + ("--game", "FR"), "expected 2 to 8 bots, got 9"),
    ],
)
def test_game_that_some_bots_cannot_play_is_refused(arguments: tuple[str, ...], sentence: str) -> None:
    result = run("arena", "play", *arguments)
    assert result.exit_code == 2
    assert sentence in " ".join(result.stderr.split())


# --- names, places, commands


def test_files_of_one_name_are_called_by_their_folders(tmp_path: Path) -> None:
    for name in ("alice", "bert"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bot.py").write_text(FUNCTION, encoding="utf-8")
    files = [str(tmp_path / name / "bot.py") for name in ("alice", "bert", "alice")]
    names = [player["name"] for player in results(*files, "tight", "--hands", "2")]
    assert names == ["alice", "bert", "alice 2", "tight"]


def test_places_are_ranges_where_intervals_overlap() -> None:
    bots = ("calling", "folding", "folding", "--hands", "200", "--seed", "1")
    players = results(*bots)
    assert sorted(player["place"] for player in players) == [1, 2, 3]
    assert [player["tied_with"] for player in players] == [[], ["folding 2"], ["folding"]]
    table = run(*FIRST, *bots).stdout
    assert [line.split()[1] for line in table.splitlines() if " folding" in line] == ["2–3", "2–3"]
    assert table.endswith("#: a range: more hands will decide\n")


def test_places_are_certain_where_no_interval_overlaps() -> None:
    bots = ("calling", "folding", "--hands", "200", "--seed", "1")
    assert [player["tied_with"] for player in results(*bots)] == [[], []]
    assert "more hands will decide" not in run(*FIRST, *bots).stdout


LINES = """
import json, os, sys

print("ready", os.environ["PITBOSS_TEAM"], flush=True)  # a line that is not JSON is printed
seen = []
for line in sys.stdin:
    message = json.loads(line)
    seen.append(message.get("ev") or message["type"])
    if message["type"] == "act":
        word = "CHECK" if "CHECK" in message["legal"] else WORD
        answer = {"type": "action", "v": 1, "hand_id": message["hand_id"], "action": word}
        print(json.dumps(answer), flush=True)
    elif message["type"] == "match_end":
        print(",".join(seen), file=sys.stderr, flush=True)
"""
SOCKET = """
import asyncio, os, aiohttp

async def main():
    async with aiohttp.ClientSession() as http, http.ws_connect(os.environ["PITBOSS_URL"]) as ws:
        await ws.send_json({"type": "hello", "v": 1, "team": os.environ["PITBOSS_TEAM"], "join_code": CODE})
        async for frame in ws:
            message = frame.json()
            if message["type"] == "error":
                print(message["msg"], flush=True)
                return
            if message["type"] == "act":
                word = "CHECK" if "CHECK" in message["legal"] else "CALL"
                answer = {"type": "action", "v": 1, "hand_id": message["hand_id"], "turn": message["turn"]}
                await ws.send_json({**answer, "action": word})

asyncio.run(main())
"""
NODE = """
import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  const { type, hand_id, turn, legal } = JSON.parse(line);
  if (type !== "act") continue;
  const action = legal.includes("CHECK") ? "CHECK" : "CALL";
  console.log(JSON.stringify({ type: "action", v: 1, hand_id, turn, action }));
}
"""


def command(folder: Path, source: str) -> str:
    """A command that runs a program, which is not a Python file by its name."""
    file = folder / "shark.script"
    file.write_text(source, encoding="utf-8")
    return shlex.join([sys.executable, str(file)])


@pytest.mark.check
def test_a_command_receives_the_messages_of_a_server_line_by_line(tmp_path: Path) -> None:
    words = command(tmp_path, LINES.replace("WORD", '"CALL"'))
    result = run(*FIRST, words, "calling", "--hands", "3", "--seed", "1", "--json")
    mine, _ = untimed(lines(result.stdout)[0]["players"])
    twin, _ = results("calling", "calling", "--hands", "3", "--seed", "1")
    assert {**mine, "name": "calling", "tied_with": twin["tied_with"]} == twin
    assert mine["name"] == "shark"
    said = result.stderr.split()
    assert said[:4] == ["shark:", "ready", "shark", "shark:"]
    seen = said[4].split(",")
    assert seen[:4] == ["welcome", "lobby", "start_hand", "POST_BLINDS"]
    assert seen[-1] == "match_end"
    assert [seen.count(kind) for kind in ("start_hand", "SHOWDOWN", "end_hand")] == [3, 6, 3]


@pytest.mark.check
def test_an_answer_of_a_command_that_is_not_legal_is_counted(tmp_path: Path) -> None:
    result = run(*FIRST, command(tmp_path, LINES.replace("WORD", '"BANANA"')), "calling", "--hands", "4", "--seed", "1")
    assert re.search(r"shark: \d+ illegal answers, the first: must be FOLD, CHECK", result.stderr)


@pytest.mark.check
def test_a_command_connects_by_websocket_with_its_team_and_code(tmp_path: Path) -> None:
    words = command(tmp_path, SOCKET.replace("CODE", 'os.environ["PITBOSS_CODE"]'))
    result = run(*FIRST, words, "calling", "--hands", "3", "--seed", "1", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    (player, _), (twin, _) = (
        untimed(lines(result.stdout)[0]["players"]),
        results("calling", "calling", "--hands", "3", "--seed", "1"),
    )
    assert (player["net"], player["illegal"], player["answers"]) == (twin["net"], 0, twin["answers"])


@pytest.mark.check
def test_a_command_with_a_wrong_code_gets_no_seat(tmp_path: Path) -> None:
    result = run(*FIRST, command(tmp_path, SOCKET.replace("CODE", '"wrong"')), "calling", "--hands", "3")
    assert result.exit_code == 1
    assert "expected the team in PITBOSS_TEAM and the code in PITBOSS_CODE" in result.stderr
    assert "shark: lost its match" in result.stderr


def test_a_program_that_is_not_there() -> None:
    result = run(*FIRST, "nosuchprogram bot.mjs", "calling")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "the program nosuchprogram was not found" in result.stderr


@pytest.mark.check
def test_a_bot_in_javascript_plays(tmp_path: Path) -> None:
    if shutil.which("node") is None:
        pytest.skip("bots in JavaScript are not tested: node is not installed (on Debian, install the package nodejs)")
    (tmp_path / "bot.mjs").write_text(NODE, encoding="utf-8")
    mine, _ = results(f"node {tmp_path}/bot.mjs", "calling", "--hands", "5", "--seed", "1")
    twin, _ = results("calling", "calling", "--hands", "5", "--seed", "1")
    assert (mine["name"], mine["net"], mine["illegal"]) == (tmp_path.name, twin["net"], 0)


@pytest.mark.check
@pytest.mark.parametrize("more", [(), ("--duplicate",)])
def test_match_time_limits_the_thinking_time_of_a_bot(bot: Path, more: tuple[str, ...]) -> None:
    given = (str(bot), "calling", "--hands", "6", "--seed", "1", "--json", *more)
    ample = run(*FIRST, *given, "--match-time", "1000")
    assert (ample.exit_code, ample.stderr) == (0, "")
    done = run(*FIRST, *given, "--match-time", "0.000001")
    assert done.exit_code == 1
    (found,) = lines(done.stdout)
    assert [player["answers"] for player in found["players"]] == [1, found["players"][1]["answers"]]
    assert found["hands"] == 6
    assert "mybot: lost its match: its answers took more than 1e-06 s in total" in done.stderr


def test_match_time_must_be_positive() -> None:
    assert run(*FIRST, "tight", "calling", "--match-time", "0").exit_code == 2
