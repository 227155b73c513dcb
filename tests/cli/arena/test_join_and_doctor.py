"""`pitboss arena join` and `pitboss arena doctor`, as processes and in this one."""

import asyncio
import json
import re
import signal
import subprocess
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import click
import pytest

from pitboss.arena.journal.records import Settings
from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.messages import Lobby, LobbyPlayer
from pitboss.cli.arena.join import _Printer
from pitboss.extras import install_command
from tests.support.arena.rooms import Parlour
from tests.support.arena.servers import served
from tests.support.cli.runs import COMMAND, clean, lines, run, run_apart
from tests.support.client.bad_bots import Healthy
from tests.support.client.scripted import END, HASH, Guest, Script, act, arena, table_of, within
from tests.support.client.sockets import wired

pytestmark = pytest.mark.check

CALLS = "def decide(act):\n    return 'CHECK' if 'CHECK' in act.legal else 'CALL'\n"


@pytest.fixture
def bot(tmp_path: Path) -> str:
    file = tmp_path / "shark.py"
    file.write_text(CALLS, encoding="utf-8")
    return str(file)


@asynccontextmanager
async def process(*arguments: str) -> AsyncIterator[Process]:
    """The command as a process, which is ended in any case."""
    started = await asyncio.create_subprocess_exec(*COMMAND, *arguments, stdout=PIPE, stderr=PIPE, env=clean())
    try:
        yield started
    finally:
        if started.returncode is None:
            started.kill()
        await started.communicate()


def stacks(**by_seat: int) -> tuple[wire.SeatStack, ...]:
    return tuple(wire.SeatStack(seat=int(seat[1:]), stack=stack) for seat, stack in by_seat.items())


async def match(guest: Guest) -> None:
    """Two hands, one of them taken back, and the end."""
    await guest.seat()
    await guest.say(
        wire.StartHand(hand_id="H-1", seed=1, button=0, stacks=stacks(s0=10_000, s3=10_000), commit=HASH, seq=1),
        act(7),
    )
    assert (await guest.receive())["action"] == "CALL"
    await guest.say(
        wire.EndHand(hand_id="H-1", stacks=stacks(s0=8_500, s3=11_500), chain=HASH, seq=2),
        wire.StartHand(hand_id="H-2", seed=1, button=3, stacks=stacks(s0=8_500, s3=11_500), commit=HASH, seq=3),
        wire.VoidMessage(hand_id="H-2", seq=4, reason="damaged"),
        wire.EndHand(hand_id="H-2", stacks=stacks(s0=8_500, s3=11_500), chain=HASH, seq=5),
        END,
    )
    assert await guest.left()


def joined(script: Script, *arguments: str) -> tuple[int, str, str, dict[str, Any]]:
    """Run the command against a script: its status, what it printed, and the hello it sent."""
    hellos: list[dict[str, Any]] = []

    async def listening(guest: Guest) -> None:
        seat = guest.receive

        async def receive() -> dict[str, Any]:
            said = await seat()
            if said["type"] == "hello":
                hellos.append(said)
            return said

        guest.receive = receive  # type: ignore[method-assign]  # only to see the hello go by
        await script(guest)

    async def both() -> tuple[int, str, str]:
        async with arena(listening) as place, process("arena", "join", arguments[0], place.url, *arguments[1:]) as ran:
            out, err = await ran.communicate()
            assert ran.returncode is not None
            return ran.returncode, out.decode(), err.decode()

    status, out, err = within(both())
    return status, out, err, hellos[0]


def test_join_prints_a_line_a_hand_and_how_it_ended(bot: str) -> None:
    status, out, err, hello = joined(match, bot)
    assert (status, err) == (0, "")
    seat, watch, back, first, second, *end = out.splitlines()
    assert seat == "shark has seat 3 at T-1: no-limit hold'em, 10,000 chips"
    assert re.fullmatch(r"watch: http://127\.0\.0\.1:\d+/\?table=T-1", watch)
    assert back.startswith(f"to come back: pitboss arena join {bot} ws://127.0.0.1:")
    assert back.endswith("--team shark")
    assert hello["join_code"] not in out
    assert first.split() == ["H-1", "+1,500", "11,500", "the", "others", "folded"]
    assert second.split() == ["H-2", "0", "11,500", "taken", "back"]
    assert end == ["shark wins: place 1 of 1, 20,000 chips", "   1        20,000  Alpha  (this bot)"]


def test_join_with_json_prints_only_json(bot: str, tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    status, out, err, hello = joined(
        match, bot, "--json", "--team", "Haie", "--code", "KF7Q9C", "--record", str(record)
    )
    assert (status, err) == (0, "")
    assert (hello["team"], hello["join_code"]) == ("Haie", "KF7Q9C")
    seat, first, second, end = lines(out)
    assert seat.pop("page").endswith("/?table=T-1")
    assert seat == {"type": "seat", "team": "Haie", "table_id": "T-1", "seat": 3}
    assert first == {
        "type": "hand",
        "hand_id": "H-1",
        "won": 1500,
        "stack": 11_500,
        "voided": False,
        "how": "the others folded",
    }
    assert (second["won"], second["voided"]) == (0, True)
    assert end == json.loads(wire.write(END))
    assert len(record.read_text(encoding="utf-8").splitlines()) == 8


def test_join_reports_client_repairs_on_standard_error(tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text("def decide(act):\n    return 'CHECK'\n", encoding="utf-8")

    async def script(guest: Guest) -> None:
        await guest.seat()
        await guest.say(act(7))
        assert (await guest.receive())["action"] == "FOLD"
        await guest.say(END)

    status, _, err, _ = joined(script, str(file))
    assert status == 0
    assert err == "CHECK is not on offer: answer one of FOLD, CALL, RAISE_TO; the answer is FOLD instead\n"


def test_refused_join_gives_the_reason_and_fails(bot: str) -> None:
    async def script(guest: Guest) -> None:
        await guest.receive()
        await guest.say(wire.Error(code="TEAM_TAKEN", msg="'shark' plays already"))

    status, out, err, _ = joined(script, bot)
    assert (status, out) == (1, "")
    assert err == (
        "pitboss arena join: the team's name is taken: give its code, or another name (TEAM_TAKEN: "
        "'shark' plays already); give --code with the code that was printed when the team got its seat, "
        "or --team with another name\n"
    )


def test_wrong_code_for_a_listed_team_does_not_advise_another_name(bot: str) -> None:
    parlour = Parlour(Settings(seats=3, start_at=3), teams={"shark": "a", "Beta": "b"})
    refused = parlour.join("shark", "wrong").last(wire.Error)
    parlour.join("shark", "a")
    assert parlour.join("shark", "wrong").last(wire.Error).msg == refused.msg  # also where it sits already

    async def script(guest: Guest) -> None:
        await guest.receive()
        await guest.say(wire.Error(code=refused.code, msg=refused.msg))

    status, _, err, _ = joined(script, bot)
    assert status == 1
    assert err == (
        "pitboss arena join: this is not the team's code: the organiser has it (TEAM_TAKEN: 'shark' is on the "
        "organiser's list with another join_code)\n"
    )


@pytest.mark.parametrize(
    ("name", "variant", "sentence"),
    [
        ("sharp", "PO", "the house bot sharp plays hold'em with the full deck only: take calling, random or folding\n"),
        ("sharp", "leduc", "the house bot sharp does not play leduc: take random, greedy or search\n"),
    ],
)
def test_join_of_a_house_bot_that_cannot_play_the_game_ends_with_a_sentence(
    name: str, variant: str, sentence: str
) -> None:
    async def script(guest: Guest) -> None:
        await guest.receive()
        await guest.say(table_of(variant), act(7))
        assert await guest.left()

    status, out, err, _ = joined(script, name)
    assert (status, out) == (1, "")
    assert err.startswith(f"pitboss arena join: {sentence}")
    assert err.count("\n") == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_join_leaves_on_ctrl_c_and_says_so(bot: str, number: signal.Signals) -> None:
    async def both() -> tuple[int | None, str, str]:
        async with arena(waits) as place, process("arena", "join", bot, place.url) as ran:
            assert ran.stdout is not None
            await ran.stdout.readline()
            await ran.stdout.readline()
            back = (await ran.stdout.readline()).decode().strip()
            ran.send_signal(number)
            _, err = await ran.communicate()
            return ran.returncode, err.decode(), back

    async def waits(guest: Guest) -> None:
        await guest.seat()
        assert await guest.receive() == {"type": "leave", "v": 1}
        assert await guest.left()

    status, err, back = within(both())
    assert (status, err) == (128 + number, f"shark has left: seat 3 at T-1 keeps its chips; {back}\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("no.py", "ws://127.0.0.1/ws"), "file no.py was not found"),
        (("calling", "nowhere"), "expected an arena's address such as "),
    ],
)
def test_join_reports_errors_in_one_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    result = run("arena", "join", *arguments)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"pitboss arena join: {sentence}")
    assert result.stderr.count("\n") == 1


def test_join_gives_up_after_the_time_given(bot: str) -> None:
    async def nobody() -> str:
        async with arena(no_script) as place:
            return place.url

    async def no_script(guest: Guest) -> None:
        raise AssertionError("nobody should come")

    url = within(nobody())
    result = run("arena", "join", bot, url, "--give-up-after", "0")
    assert result.exit_code == 1
    assert f"pitboss arena join: no arena at {url} for 0 s" in result.stderr


def without_sandbox(stderr: str) -> str:
    """What is printed, without the lines on the sandbox."""
    return "".join(line for line in stderr.splitlines(keepends=True) if not line.startswith("sandbox: "))


@pytest.mark.check
def test_doctor_outlives_a_bot_that_ends_its_process(tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text("import os\n\ndef decide(act):\n    print('bye', flush=True)\n    os._exit(5)\n", encoding="utf-8")
    result = run("arena", "doctor", str(file), "--json")
    assert result.exit_code == 1
    (found,) = lines(result.stdout)
    failed = {check["name"]: check["sentence"] for check in found["checks"] if check["verdict"] == "fail"}
    assert "the bot ended with status 5, so the answer is " in failed["exceptions"]
    assert set(without_sandbox(result.stderr).splitlines()) == {"bad: bye"}


@pytest.mark.check
def test_doctor_finds_a_good_bot_healthy(bot: str) -> None:
    result = run("arena", "doctor", bot, "--json", "--seed", "3")
    (found,) = lines(result.stdout)
    assert [check for check in found["checks"] if check["verdict"] != "pass"] == []
    assert (result.exit_code, found["failed"], found["advice"]) == (0, 0, 0)
    assert found["passed"] == len(found["checks"])
    assert without_sandbox(result.stderr) == ""


@pytest.mark.check
def test_doctor_takes_a_bot_through_another_game() -> None:
    result = run("arena", "doctor", "random", "--json", "--game", "F2L3D")
    (found,) = lines(result.stdout)
    assert (result.exit_code, found["failed"]) == (0, 0), found
    refused = run("arena", "doctor", "random", "--game", "chess")
    assert (refused.exit_code, "horse, eight_game" in refused.stderr) == (2, True)


@pytest.mark.check
def test_doctor_reports_client_repairs(tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text(
        "def decide(act):\n    if act.phase == 'RIVER':\n        return 1 / 0\n    return 'CHECK'\n",
        encoding="utf-8",
    )
    result = run("arena", "doctor", str(file))
    assert result.exit_code == 1
    failed = [line for line in result.stdout.splitlines() if line.startswith("FAIL")]
    assert len(failed) == 2
    assert "exceptions: RIVER: the bot raised ZeroDivisionError (division by zero) in bad.py, line 3" in failed[0]
    assert "own answers: PRE_FLOP: CHECK is not on offer" in failed[1]
    assert result.stdout.splitlines()[-1].endswith(" passed, 2 failed, 0 advice")
    assert result.stdout.splitlines()[-3:-1] == failed, "the failures are what one reads first"


@pytest.mark.check
def test_doctor_wraps_sentences_in_a_narrow_window_but_not_in_a_pipe(tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text("def decide(act):\n    return ('RAISE_TO', 123456789)\n", encoding="utf-8")
    narrow = run_apart("arena", "doctor", str(file), COLUMNS="40", FORCE_COLOR="1").stdout.decode()
    narrow = click.unstyle(narrow)
    assert max(map(len, narrow.splitlines())) <= 40
    assert narrow.count("123456789") == 1
    piped = run_apart("arena", "doctor", str(file)).stdout.decode()
    assert " ".join(narrow.split()) == " ".join(piped.split())
    assert all(line.split()[0] in ("ok", "FAIL", "advice") for line in piped.splitlines()[:-1])


@pytest.mark.check
def test_doctor_listens_for_a_bot_in_any_language() -> None:
    async def both() -> tuple[int | None, dict[str, Any]]:
        async with process("arena", "doctor", "--listen", "0", "--wait", "3", "--json") as ran:
            assert ran.stderr is not None
            url = (await ran.stderr.readline()).decode().split()[-1]
            await wired(Healthy(), url)
            out, _ = await ran.communicate()
            (found,) = lines(out.decode())
            return ran.returncode, found

    status, found = within(both())
    assert [check["name"] for check in found["checks"] if check["verdict"] != "pass"] == ["TEAM_TAKEN"]
    assert (status, found["failed"], found["advice"]) == (0, 0, 1)


def test_doctor_reports_in_one_sentence_that_no_bot_connected() -> None:
    result = run("arena", "doctor", "--listen", "0", "--wait", "0.05")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "pitboss arena doctor: no bot came to ws://127.0.0.1:" in result.stderr


@pytest.mark.parametrize("arguments", [(), ("calling", "--listen", "0")])
def test_doctor_requires_a_bot_or_a_port(arguments: tuple[str, ...]) -> None:
    result = run("arena", "doctor", *arguments)
    assert result.exit_code == 2
    assert "give a bot or --listen PORT" in result.stderr
    assert ("not both" in result.stderr) == bool(arguments)


def test_doctor_reports_a_faulty_bot_in_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text("class Bot:\n    def __init__(self): 1 / 0\n    def act(self, act): pass\n", encoding="utf-8")
    result = run("arena", "doctor", str(file))
    assert (result.exit_code, result.stdout) == (1, "")
    assert without_sandbox(result.stderr) == (
        "pitboss arena doctor: class Bot: raises ZeroDivisionError when it starts: division by zero\n"
    )


WITHOUT = """
import sys
sys.modules["aiohttp"] = None
from pitboss.client import play, load_bot
try:
    play(load_bot("folding"), "ws://127.0.0.1/ws", team="a", code="b")
except Exception as error:
    print(type(error).__name__, error)
from pitboss.cli.main import cli
cli(["arena", "doctor", "folding"])
"""


def test_client_imports_without_aiohttp_and_playing_names_the_install_command() -> None:
    ran = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False, timeout=60)
    assert ran.stdout == f"ArenaError playing over the network needs aiohttp: {install_command('arena')}\n"
    assert (
        without_sandbox(ran.stderr) == f"pitboss arena doctor: the doctor needs aiohttp: {install_command('arena')}\n"
    )
    assert ran.returncode == 1


@pytest.mark.parametrize("command", ["join", "doctor"])
def test_help_explains_what_a_bot_is(command: str) -> None:
    assert "BOT" in run_apart("arena", command, "--help").stdout.decode()


# --- codes that no list of processes shows


async def says_code(guest: Guest) -> None:
    hello = await guest.receive()
    assert hello["join_code"] == "KF7Q9C"
    await guest.say(wire.Error(code="TEAM_UNKNOWN", msg="that will do"))


@pytest.mark.parametrize("way", ["environment", "file"])
def test_code_can_be_given_outside_the_command_line(bot: str, tmp_path: Path, way: str) -> None:
    (tmp_path / "code").write_text("KF7Q9C\n", encoding="utf-8")
    more = ["--code-file", str(tmp_path / "code")] if way == "file" else []
    given = {} if way == "file" else {"PITBOSS_CODE": "KF7Q9C"}

    async def scene() -> None:
        async with arena(says_code) as place:
            command = [*COMMAND, "arena", "join", bot, place.url, "--team", "Alpha", *more]
            joined = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=PIPE, env=clean(given))
            out, err = await joined.communicate()
            assert b"that will do" in err
            assert b"KF7Q9C" not in out + err

    within(scene())
    assert "PITBOSS_CODE" in run("arena", "join", "--help").output


def test_code_file_without_a_code_is_reported(bot: str, tmp_path: Path) -> None:
    (tmp_path / "code").write_text("\n", encoding="utf-8")
    result = run("arena", "join", bot, "ws://nowhere.invalid/ws", "--code-file", str(tmp_path / "code"))
    assert result.exit_code == 2
    assert "expected a code in the first line" in result.output


def test_lonely_bot_reports_once_that_it_waits(capsys: pytest.CaptureFixture[str]) -> None:
    printer = _Printer("calling", "ws://nowhere.invalid/ws", "Alpha", None, as_json=False)
    alone = Lobby(players=(LobbyPlayer(seat=0, team="Alpha", connected=True, stack=100),))
    for _ in range(2):
        printer.receive(alone)
    assert capsys.readouterr().err == "waiting for other players\n"


# --- the same command again


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of kept codes."""
    monkeypatch.setenv("PITBOSS_STATE", str(tmp_path / "state"))
    return tmp_path / "state"


async def run_join(url: str, *arguments: str) -> tuple[str, str]:
    async with process("arena", "join", arguments[0], url, *arguments[1:]) as ran:
        out, err = await ran.communicate()
        return out.decode(), err.decode()


def test_the_same_command_sends_the_same_code_from_a_file_of_its_own(bot: str, state: Path) -> None:
    hellos: list[dict[str, Any]] = []

    async def script(guest: Guest) -> None:
        hellos.append(await guest.seat(END))
        assert await guest.left()

    async def scene() -> None:
        async with arena(script) as place:
            for team in ("Alpha", "Alpha", "Beta"):
                await run_join(place.url, bot, "--team", team)

    within(scene())
    first, again, other = (hello["join_code"] for hello in hellos)
    assert first == again != other
    files = [*(state / "codes").iterdir()]
    assert len(files) == 2
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
    assert {json.loads(file.read_text())["code"] for file in files} == {first, other}


def test_a_code_that_cannot_be_kept_is_printed(bot: str, state: Path) -> None:
    state.write_text("a file where the folder should be", encoding="utf-8")
    status, out, err, hello = joined(match, bot)
    assert (status, err) == (0, "")
    assert out.splitlines()[2].endswith(f"--team shark --code {hello['join_code']}")


def test_again_joins_the_next_match(bot: str) -> None:
    async def waits(guest: Guest) -> None:
        await guest.seat()
        assert await guest.receive() == {"type": "leave", "v": 1}

    async def scene() -> list[str]:
        async with arena(match, match, waits) as place, process("arena", "join", bot, place.url, "--again") as ran:
            assert ran.stdout is not None
            said: list[str] = []
            while sum("has seat" in line for line in said) < 3:
                said.append((await ran.stdout.readline()).decode())
            ran.send_signal(signal.SIGTERM)
            await ran.communicate()
            return said

    said = within(scene())
    assert sum(line.startswith("shark wins") for line in said) == 2
    assert run("arena", "join", bot, "ws://arena.example/ws?table=T-2", "--again").exit_code == 2


@pytest.mark.check
@pytest.mark.parametrize(("game", "rivals"), [("hearts", 3), ("leduc", 1), ("sting", 2)])
def test_a_new_bot_joins_a_table_of_any_game(game: str, rivals: int, tmp_path: Path) -> None:
    bot = tmp_path / "first.py"
    assert run("arena", "new", str(bot), "--game", game).exit_code == 0
    house = ",".join(["random"] * rivals)

    async def scene() -> tuple[str, str]:
        options = ("--game", game, "--house", house, "--max-hands", "2", "--house-think-ms", "0")
        with served(tmp_path, *options) as place:
            return await run_join(place.ws(), str(bot), "--json")

    out, err = within(scene())
    kinds = [json.loads(line)["type"] for line in out.splitlines()]
    assert kinds == ["seat", "hand", "hand", "match_end"]
    assert err == ""


def test_join_refuses_a_house_bot_of_poker_at_another_game(tmp_path: Path) -> None:
    async def scene() -> None:
        with served(tmp_path, "--game", "leduc") as place:
            out, err = await run_join(place.ws(), "tight")
            reason = "the house bot tight does not play leduc: take random, greedy or search"
            assert (out, err) == ("", f"pitboss arena join: {reason}\n")

    within(scene())
