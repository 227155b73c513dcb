"""What commands print when files and wires say the worst: nothing that a terminal would obey, no path leads out."""

import asyncio
import json
import logging
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from pitboss import RULES_VERSION
from pitboss.arena.journal.records import Lock, Record, Seated, Settings, TableOpened, write_record
from pitboss.arena.wire import messages as wire
from pitboss.cli.arena.verify import file_name
from pitboss.cli.output import LogFormatter
from pitboss.printing import printable, printable_text
from pitboss.store import open_store
from pitboss.store.chain import Chain, start_hash
from tests.support.cli.runs import COMMAND, clean
from tests.support.client.scripted import HASH, Guest, Script, arena, within
from tests.support.for_each import for_each

pytestmark = pytest.mark.check

EVIL = "\x1b[2J\x1b]0;owned\x07\x9b31m\x7f\x85\u202egnihton\u2066\r\x00"
TABLE = f"../../{EVIL}\nT-1: all right"
OBEYED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069]")


def harmless(*outputs: bytes) -> str:
    """The outputs as text, with nothing in them that a terminal obeys."""
    text = b"".join(outputs).decode()
    assert text
    found = OBEYED.search(text)
    assert found is None, (text[: found.start()][-80:], found[0])
    return text


def run(*arguments: str, check: bool = False) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*COMMAND, *arguments], capture_output=True, env=clean(), timeout=60, check=check)


def hostile_journal(db: Path) -> None:
    """A journal whose table and teams are called the worst."""
    lock = Lock.on("code", bytes(16))
    records: list[Record] = [TableOpened(rules=f"{RULES_VERSION}{EVIL}", settings=Settings(seats=2))]
    records += [Seated(seat=seat, team=f"{EVIL}{seat}", stack=10_000, lock=lock) for seat in range(2)]
    with open_store(str(db)):
        pass
    with closing(sqlite3.connect(db)) as database, database:  # no server of ours would make such a table
        for number, table in enumerate((TABLE, "T-2"), 1):
            chain = Chain(table, start_hash(table))
            entries = [chain.append(write_record(record), seals=True) for record in records]
            if table == TABLE:
                entries.append(chain.append(json.dumps({"type": EVIL}).encode(), seals=True))
            for one in entries:
                row = (number, one.seq, one.after, one.seals, one.body, one.hash)
                database.execute("INSERT INTO pitboss_entry VALUES (?, ?, ?, ?, ?, ?)", row)
            head = chain.head
            end = (number, table, 1, head.seq, head.hash, head.sealed, head.seal)
            database.execute("INSERT INTO pitboss_table VALUES (?, ?, ?, ?, ?, ?, ?)", end)


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_verify_prints_no_terminal_control_characters(tmp_path: Path, more: tuple[str, ...]) -> None:
    hostile_journal(tmp_path / "evil.db")
    done = run("arena", "verify", str(tmp_path / "evil.db"), *more)
    text = harmless(done.stdout, done.stderr)
    assert not any(line.startswith("T-1: all right") for line in text.splitlines()), "no name makes a line of its own"
    if more:
        assert {json.loads(line)["name"] for line in done.stdout.splitlines()} == {TABLE, "T-2"}


def test_verify_of_a_hostile_record(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    lines = [
        {"type": "welcome", "v": 1, "table_id": EVIL[:60], "seat": 0, "config": {}},
        {"type": "start_hand", "v": 1, "hand_id": EVIL, "seed": 1, "button": 0, "stacks": [], "commit": EVIL, "seq": 1},
        {"type": EVIL, "v": 1},
        {"type": "end_hand", "v": 1, "hand_id": EVIL, "stacks": [], "chain": "0" * 64, "seq": 2},
    ]
    record.write_text("".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines) + EVIL, encoding="utf-8")
    for more in ((), ("--json",)):
        done = run("arena", "verify", str(record), *more)
        harmless(done.stdout, done.stderr)


def test_export_stays_in_its_folder_and_prints_no_escape_codes(tmp_path: Path) -> None:
    hostile_journal(tmp_path / "evil.db")
    folder = tmp_path / "deep" / "hands"
    done = run("arena", "export", str(tmp_path / "evil.db"), str(folder))
    harmless(done.stdout, done.stderr)
    files = {path for path in tmp_path.rglob("*") if path.is_file() and not path.name.startswith("evil.db")}
    assert all(path.parent == folder for path in files), files


@for_each("table", ["..", ".", "", "/etc/passwd", "../x", "a/b", "a\\b", "\x00", "é" * 500, ".hidden", "T-1"])
def test_table_name_is_not_used_as_a_path(tmp_path: Path, table: str) -> None:
    name = file_name(table)
    assert re.fullmatch(r"[A-Za-z0-9_%~-][A-Za-z0-9._%~-]*\.phhs", name)
    assert len(name) < 200
    (tmp_path / name).write_text("", encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (table == "T-1") == (name == "T-1.phhs")


def test_files_of_two_tables_are_two() -> None:
    names = ["", "%", ".", "%2E", "..", "é" * 500, "é" * 501, "a/b", "a%2Fb"]
    assert len({file_name(name) for name in names}) == len(names)


def test_serve_logs_no_terminal_control_characters(tmp_path: Path) -> None:
    hostile_journal(tmp_path / "evil.db")
    command = [*COMMAND, "arena", "serve", "--port", "0", "--verbose", "--db", str(tmp_path / "evil.db")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=clean()) as server:
        assert server.stdout is not None
        said = server.stdout.readline()  # it listens
        server.terminate()
        out, err = server.communicate(timeout=20)
    assert "T-2: resumed" in harmless(said, out, err)


def test_a_log_line_has_one_line_for_each_of_its_own(caplog: pytest.LogCaptureFixture) -> None:
    try:
        raise ValueError(EVIL)
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "x", 1, "%s", (EVIL,), None)
        record.exc_info = sys.exc_info()
    harmless(LogFormatter("%(message)s").format(record).encode())


async def _evil_match(guest: Guest) -> None:
    await guest.seat()
    await guest.say(
        json.dumps({"type": "error", "v": 1, "code": "BAD_SCHEMA", "msg": EVIL}),
        json.dumps({"type": "error", "v": 1, "code": EVIL, "msg": EVIL}),
        json.dumps({"type": EVIL, "v": 1}),
        wire.StartHand(
            hand_id=EVIL[:40], seed=1, button=0, stacks=(wire.SeatStack(seat=3, stack=5),), commit=HASH, seq=1
        ),
        wire.EndHand(hand_id=EVIL[:40], stacks=(wire.SeatStack(seat=3, stack=5),), chain=HASH, seq=2),
        wire.MatchEnd(
            winner=wire.Winner(seat=3, team=EVIL),
            final_stacks=(wire.FinalStack(seat=3, team=EVIL, stack=5),),
            reason="last_standing",
            seq=3,
        ),
    )


async def _evil_refusal(guest: Guest) -> None:
    await guest.receive()
    await guest.say(wire.Error(code="TEAM_TAKEN", msg=EVIL))


@pytest.mark.check
@pytest.mark.parametrize("script", [_evil_match, _evil_refusal])
@pytest.mark.parametrize("more", [(), ("--json",)])
def test_join_prints_no_terminal_control_characters(script: Script, more: tuple[str, ...]) -> None:
    async def scene() -> None:
        async with arena(script) as place:
            process = await asyncio.create_subprocess_exec(
                *[*COMMAND, "arena", "join", "calling", place.url, "--team", "Me", *more],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=clean(),
            )
            harmless(*await process.communicate())

    within(scene())


def test_printable_text_is_unchanged_and_json_stays_valid() -> None:
    for text in ("Команда 日本 😀 é", "a\\b", ""):
        assert printable(text) == text
    assert printable_text("a\nb") == "a\nb"
    assert printable("a\nb") == "a\\u000ab"
    line = json.dumps({"team": EVIL + "\U000e0041"}, ensure_ascii=False)
    assert json.loads(printable(line)) == json.loads(line)


@pytest.mark.check
@pytest.mark.parametrize(
    ("command", "name", "content"),
    [
        (("replay",), "hands.phh", f'variant = "NT"\nplayers = [{json.dumps(EVIL)}]\n{EVIL}'),
        (("replay", "--json"), "hands.phhs", f"[1]\nvariant = {json.dumps(EVIL)}\n"),
        (("trace",), "trace.json", json.dumps({EVIL: EVIL}, ensure_ascii=False)),
        (("table", "view"), "table.json", json.dumps({"seats": [{"name": EVIL}], EVIL: EVIL}, ensure_ascii=False)),
        (("lab", "show"), "game.json", json.dumps({"name": EVIL}, ensure_ascii=False)),
    ],
)
def test_hostile_files_reach_no_terminal_raw(tmp_path: Path, command: tuple[str, ...], name: str, content: str) -> None:
    file = tmp_path / name
    file.write_text(content, encoding="utf-8")
    done = run(*command, str(file))
    harmless(done.stdout, done.stderr)
