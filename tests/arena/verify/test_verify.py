"""An honest match is verified, from its journal and from a participant's record; every single lie is found."""

import json
import os
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from pitboss.arena.hosts.poker import phh_of
from pitboss.arena.journal.history import hands_of
from pitboss.arena.journal.records import HandStarted, Record, read_record, write_record
from pitboss.arena.verify.journal import verify_table
from pitboss.arena.verify.transcript import verify_transcript
from pitboss.arena.wire.poker import TableFrame
from pitboss.cli.main import cli
from pitboss.formats.phh import read_phhs, write_phhs
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.records.replay import replay
from pitboss.store import Chain, open_store, read_chain, start_hash
from tests.support.arena.matches import RecordedMatch, played
from tests.support.for_each import for_each

LINE = re.compile(r"line (\d+)")

SEEDS = range(6)


@for_each("seed", SEEDS)
def test_an_honest_journal_is_all_right(seed: int) -> None:
    journal = played(seed)
    report = verify_table("T-1", journal.reading)
    assert report.problems == []
    assert report.hands == report.decks_checked == journal.match.history.played > 0


def test_open_hand_is_reported_without_a_problem() -> None:
    report = verify_table("T-1", played(1, hands=2, ended=False).reading)
    assert report.ok
    assert report.notes == ["hand 2 is being played"]


@for_each("seed", SEEDS)
def test_an_altered_entry_breaks_the_chain(seed: int) -> None:
    journal = played(seed)
    for number, entry in enumerate(journal.entries):
        rows = list(journal.entries)
        rows[number] = msgspec.structs.replace(entry, body=entry.body.replace(b'"', b"'", 1))
        report = verify_table("T-1", read_chain("T-1", rows, journal.chain.head))
        assert f"entry {entry.seq} was altered" in report.problems[0]


def forged(journal: RecordedMatch, lie: Callable[[Any], Record]) -> list[str]:
    """What is found if the server itself lies and chains its lie correctly."""
    chain, heard, entries = Chain("T-1", start_hash("T-1")), False, []
    for entry in journal.entries:
        record = read_record(entry.body)
        if isinstance(record, HandStarted) and not heard:
            record, heard = lie(record), True
        entries.append(chain.append(write_record(record), seals=entry.seals))
    return verify_table("T-1", read_chain("T-1", entries, chain.head)).problems


def test_a_server_that_keeps_another_deck_is_found_out() -> None:
    def lie(started: HandStarted) -> HandStarted:
        return msgspec.structs.replace(started, deck=started.deck[2:] + started.deck[:2])

    assert any("the deck does not follow from its secret" in problem for problem in forged(played(2), lie))


def test_a_server_that_deals_other_cards_is_found_out() -> None:
    def lie(started: HandStarted) -> HandStarted:
        return msgspec.structs.replace(started, secret="00" * 32)

    assert any("not dealt from the top of the deck" in problem for problem in forged(played(2), lie))


def test_a_server_that_makes_chips_is_found_out() -> None:
    def lie(started: HandStarted) -> HandStarted:
        return msgspec.structs.replace(started, stacks={seat: chips + 1 for seat, chips in started.stacks.items()})

    assert any(", chips by seat: expected {" in problem for problem in forged(played(2), lie))


# --- from a participant's record


@for_each("seed", SEEDS)
def test_an_honest_transcript_is_all_right(seed: int) -> None:
    journal = played(seed)
    report = verify_transcript("me", journal.frames)
    assert report.problems == []
    assert report.decks_checked == report.hands == journal.match.history.hands


def test_before_the_end_of_the_match_decks_are_unrevealed_and_this_is_reported() -> None:
    report = verify_transcript("me", played(3, ended=False).frames)
    assert report.ok
    assert report.decks_checked == 0
    assert "not revealed before the end of the match" in report.notes[0]


def lies(frames: list[str], kind: str, change: Callable[[dict[str, Any]], None]) -> list[str]:
    """What is found where one frame of a kind was another."""
    heard, done = [], False
    for frame in frames:
        message = json.loads(frame)
        if not done and kind in (message["type"], message.get("ev")):
            change(message)
            done = True
        heard.append(json.dumps(message))
    assert done, f"no {kind} in this match"
    return verify_transcript("me", heard).problems


def set_to(field: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda message: message.update({field: value})


def swap_hole(message: dict[str, Any]) -> None:
    message["you"]["hole"].reverse()


def other_flop(message: dict[str, Any]) -> None:
    message["opened"][0]["card"] = "As" if message["opened"][0]["card"] != "As" else "Ks"


def other_secret(message: dict[str, Any]) -> None:
    message["hands"][0]["secret"] = "00" * 32


def one_chip_more(message: dict[str, Any]) -> None:
    message["stacks"][0]["stack"] += 1


def hide_a_deck(message: dict[str, Any]) -> None:
    del message["hands"][0]


def give_chips_at_the_end(message: dict[str, Any]) -> None:
    message["final_stacks"][-1]["stack"] += 5000


def another_winner(message: dict[str, Any]) -> None:
    message["winner"] = {name: message["final_stacks"][-1][name] for name in ("seat", "team")}


@for_each(
    "kind, change, found",
    [
        ("start_hand", set_to("commit", "00" * 32), "the revealed deck does not match the commitment"),
        ("act", swap_hole, "differs from the replay (you.hole: expected ["),
        ("FLOP", other_flop, "of the deck does not match the commitment"),
        ("FLOP", set_to("cards", ["2c", "2d", "2h"]), "differs from the replay (cards: expected ["),
        ("SHOWDOWN", set_to("hand", ["2c", "2d"]), "differs from the replay (hand: expected ["),
        ("start_hand", set_to("seed", 1), "which the commitment gives, got 1"),
        ("SHOWDOWN", set_to("rank", "royal_flush"), 'got "royal_flush")'),
        ("reveal", other_secret, "the revealed deck does not match the commitment"),
        ("reveal", hide_a_deck, "the deck was not revealed"),
        ("match_end", give_chips_at_the_end, "the chips differ from those after the previous hand (seat "),
        ("match_end", another_winner, "winner: expected seat "),
        ("end_hand", one_chip_more, "differs from the replay (stacks[0].stack: expected "),
    ],
)
def test_every_forgery_in_a_transcript_is_found(
    kind: str, change: Callable[[dict[str, Any]], None], found: str
) -> None:
    assert any(found in problem for problem in lies(played(4).frames, kind, change))


@pytest.mark.parametrize("hand", [0, 1, 4])
def test_invalid_deck_is_reported_for_its_own_hand_only(hand: int) -> None:
    def other(message: dict[str, Any]) -> None:
        message["hands"][hand]["secret"] = "00" * 32

    problems = lies(played(4).frames, "reveal", other)
    assert problems
    assert [problem for problem in problems if f"-0000{hand + 1}" not in problem] == []


def test_pot_paid_to_the_loser_is_found_even_if_the_stacks_agree() -> None:
    def pay_another(message: dict[str, Any]) -> None:
        first, second = message["stacks"][:2]
        first["stack"], second["stack"] = first["stack"] + 7, second["stack"] - 7

    problems = lies(played(4).frames, "end_hand", pay_another)
    assert any("differs from the replay (stacks[0].stack: expected " in problem for problem in problems)
    assert any("the chips differ from those after the previous hand" in problem for problem in problems)


def test_a_frame_that_is_missing_without_a_reconnect_is_a_fault() -> None:
    heard = played(4).frames
    at = next(k for k, frame in enumerate(heard) if '"ev":"CHECK"' in frame)
    problems = verify_transcript("me", heard[:at] + heard[at + 1 :]).problems
    assert any("missing, and no reconnect explains the gap" in problem for problem in problems)


@pytest.mark.parametrize("missed", [0, 3])
def test_welcome_without_a_snapshot_does_not_hide_earlier_frames(missed: int) -> None:
    """A server that drops a client and greets it as if it were new must still reveal the earlier decks."""
    heard = played(4).frames
    welcome = next(frame for frame in heard if '"type":"welcome"' in frame)
    at = next(k for k, frame in enumerate(heard) if '"type":"end_hand"' in frame) + 1
    cut = [*heard[:at], welcome, *heard[at + missed :]]
    problems = verify_transcript("me", cut).problems
    assert any("reconnected, got none" in problem for problem in problems)
    first = json.loads(next(frame for frame in cut if '"type":"reveal"' in frame))
    first["hands"][0]["secret"] = "ab" * 32
    lied = [json.dumps(first) if '"type":"reveal"' in frame else frame for frame in cut]
    assert any(
        "the revealed deck does not match the commitment" in problem
        for problem in verify_transcript("me", lied).problems
    )


# --- exported


@for_each("seed", SEEDS)
@for_each("seats", [2, 3, 6])
def test_an_exported_hand_replays_to_the_stacks_the_journal_has(seed: int, seats: int) -> None:
    hands = list(hands_of("T-1", played(seed, seats=seats).entries))
    text = write_phhs([phh_of(hand, "T-1", NO_LIMIT_HOLDEM, TableFrame(50, 100)) for hand in hands])
    again = [replay(record).finishing_stacks for _, record in read_phhs(text)]
    assert again == [tuple(hand.stacks[seat] for seat in hand.order) for hand in hands]
    assert again


# --- the commands


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "match.db"
    with open_store(str(path)) as store:
        store.claim("T-1")
        store.append(played(5).entries)
    return path


def test_verify_and_export_read_a_database(database: Path, tmp_path: Path) -> None:
    run = CliRunner()
    checked = run.invoke(cli, ["arena", "verify", str(database), "--json"])
    assert checked.exit_code == 0
    assert json.loads(checked.stdout)["ok"] is True
    exported = run.invoke(cli, ["arena", "export", str(database), str(tmp_path / "hands")])
    assert exported.exit_code == 0
    replayed = run.invoke(cli, ["replay", "--json", str(tmp_path / "hands" / "T-1.phhs")])
    assert replayed.exit_code == 0
    assert len(replayed.stdout.splitlines()) == json.loads(checked.stdout)["hands"]


def test_verify_reads_a_transcript(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    path.write_text("\n".join(played(5).frames))
    checked = CliRunner().invoke(cli, ["arena", "verify", str(path)])
    assert checked.exit_code == 0
    assert "all right" in checked.stdout


def test_a_record_is_held_against_the_journal(database: Path, tmp_path: Path) -> None:
    record = tmp_path / "match.jsonl"
    record.write_text("\n".join(played(5).frames))
    fine = CliRunner().invoke(cli, ["arena", "verify", str(database), "--against", str(record)])
    assert fine.exit_code == 0
    assert "heads of the hash chain compared with the record: " in fine.stdout
    record.write_text("\n".join(other_heads()))
    lie = CliRunner().invoke(cli, ["arena", "verify", str(database), "--against", str(record)])
    assert lie.exit_code == 1
    assert "the hash that was sent after this hand is not in the journal" in lie.stdout


def other_heads() -> list[str]:
    """The frames to seat 0, without the heads of the chain."""
    heard = []
    for frame in played(5).frames:
        message = json.loads(frame)
        if message["type"] == "end_hand":
            message["chain"] = "00" * 32
        heard.append(json.dumps(message))
    return heard


def test_damaged_database_is_exported_up_to_the_damage_with_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "match.db"
    match = played(5)
    with open_store(str(path)) as store:
        store.claim("T-1")
        store.append(match.entries)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM pitboss_entry WHERE seq = 20")
    result = CliRunner().invoke(cli, ["arena", "export", str(path), str(tmp_path / "hands")])
    assert result.exit_code == 1
    assert "entry 20 is missing" in result.stderr


@pytest.mark.parametrize("content", ["", "hello\n", "def f():\n    return 1\n" * 50, '{"a": 1}\n[]\n'])
def test_verify_of_anything_else_is_one_sentence(tmp_path: Path, content: str) -> None:
    path = tmp_path / "something"
    path.write_text(content)
    checked = CliRunner().invoke(cli, ["arena", "verify", str(path)])
    assert checked.exit_code == 1
    assert (checked.stdout, len(checked.stderr.splitlines())) == ("", 1)
    assert "is not a journal or a record of frames: give " in checked.stderr


def test_a_record_without_a_hand_is_a_record(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    path.write_text("\n".join(played(5).frames[:4]))
    checked = CliRunner().invoke(cli, ["arena", "verify", str(path)])
    assert checked.exit_code == 1
    assert "the record has no hand, so no play was checked" in checked.stdout
    assert "neither" not in checked.stdout


def test_one_table_of_a_record_can_be_selected(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    path.write_text("\n".join(played(5).frames))
    assert CliRunner().invoke(cli, ["arena", "verify", str(path), "--table", "T-1"]).exit_code == 0
    checked = CliRunner().invoke(cli, ["arena", "verify", str(path), "--table", "T-9"])
    assert checked.exit_code == 1
    assert "expected frames of table T-9, got frames of: T-1" in checked.stdout


@pytest.mark.parametrize("content", [b"\xff\xfe\x00binary", None], ids=["binary", "missing"])
def test_unreadable_record_is_one_sentence_with_advice(database: Path, tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "something"
    commands = [[str(database), "--against", str(path)]]
    if content is not None:
        path.write_bytes(content)
        commands.append([str(path)])
    for arguments in commands:
        checked = CliRunner().invoke(cli, ["arena", "verify", *arguments])
        assert (checked.exit_code, checked.stdout, len(checked.stderr.splitlines())) == (1, "", 1)
        assert "give a file that pitboss arena join --record wrote" in checked.stderr
        assert "codec" not in checked.stderr
        assert "Errno" not in checked.stderr
    swapped = CliRunner().invoke(cli, ["arena", "verify", str(database), "--against", str(database)])
    assert "is a database: give it first" in swapped.stderr


def test_interrupted_and_continued_record_is_reported() -> None:
    frames = played(5).frames
    cut = frames[-1][:40]
    again = [*frames[:-1], cut, *played(4).frames]
    report = verify_transcript("me", again)
    assert report.ok, report.problems
    assert f"line {len(frames)} is cut off; a new connection begins in line {len(frames) + 1}" in report.notes
    last = verify_transcript("me", [*frames, cut])
    assert last.ok
    assert last.notes == [f"line {len(frames) + 1}, the last line, is cut off"]
    amid = verify_transcript("me", [*frames[:5], cut, *frames[5:]])
    assert amid.problems == ["line 6 is not a protocol message (it is cut off)"]


def test_problems_are_named_in_the_order_of_their_lines() -> None:
    frames = other_heads()
    frames[20:20] = ["nonsense"]
    frames[30] = frames[30].replace('"seq": ', '"seq": 9')
    frames += ["nonsense"]
    lines = [int(found[1]) for problem in verify_transcript("me", frames).problems if (found := LINE.search(problem))]
    assert len(lines) > 3
    assert lines == sorted(lines)


@pytest.mark.parametrize("witness", ["missing", "damaged", "whole"])
def test_witness_problems_are_reported(database: Path, witness: str) -> None:
    file = database.with_name(database.name + "-witness")
    if witness == "missing":
        file.unlink()
    elif witness == "damaged":
        os.truncate(file, 20)
    checked = CliRunner().invoke(cli, ["arena", "verify", str(database), "--json"])
    report = json.loads(checked.stdout)
    said = {"missing": "THE WITNESS IS MISSING", "damaged": "THE WITNESS IS DAMAGED", "whole": ""}[witness]
    assert report["ok"] is (witness != "damaged")
    assert checked.exit_code == (witness == "damaged")
    sentences = report["problems" if witness == "damaged" else "notes"]
    assert [said in sentence for sentence in sentences] == [True] * (witness != "whole")


def test_a_journal_of_which_only_the_witness_is_left_has_not_just_begun(database: Path) -> None:
    database.write_bytes(b"")  # as SQLite sees it once the -wal is lost that held everything
    checked = CliRunner().invoke(cli, ["arena", "verify", str(database)])
    assert checked.exit_code == 1
    assert "is empty, but players received T-1 up to entry" in checked.stderr + checked.stdout


def test_verify_and_export_of_an_empty_journal_is_one_sentence(tmp_path: Path) -> None:
    for arguments in (["verify", str(tmp_path / "no.db")], ["export", str(tmp_path / "no.db"), str(tmp_path)]):
        result = CliRunner().invoke(cli, ["arena", *arguments])
        assert result.exit_code == 1
        assert result.stdout == ""
        assert len(result.stderr.splitlines()) == 1


def test_record_without_a_lobby_gets_teams_from_the_end() -> None:
    frames = [frame for frame in played(4).frames if json.loads(frame)["type"] != "lobby"]
    assert verify_transcript("me", frames).problems == []
