"""A journal is compared with guests' records: reconnects, crashes and void hands are no lies, all else is."""

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from click.testing import CliRunner, Result

from pitboss.arena.rooms.messages import TableMessages
from pitboss.arena.verify.frames import TableRecord
from pitboss.arena.verify.journal import Comparison, verify_table
from pitboss.arena.verify.transcript import read_transcript, verify_transcript
from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.messages import write
from pitboss.cli.main import cli
from pitboss.store import Chain, Entry, Reading, open_store, start_hash
from tests.support.arena.matches import RecordedMatch, played
from tests.support.arena.rooms import TABLE
from tests.support.arena.storms import Storm, storm

SEEDS = range(12)


@cache
def stormy(seed: int) -> Storm:
    return storm(seed)


@pytest.mark.check
@pytest.mark.parametrize("seed", SEEDS)
def test_honest_record_fits_its_journal_despite_failures(seed: int) -> None:
    made = stormy(seed)
    for team, frames in made.records.items():
        transcript = read_transcript(team, frames)
        assert transcript.report.problems == [], team
        report = verify_table(TABLE, made.reading, transcript.sittings)
        assert report.problems == [], team
        assert report.frames_compared > 0


def test_in_these_matches_enough_went_wrong() -> None:
    happened = sum((Counter(stormy(seed).happened) for seed in SEEDS), Counter[str]())
    assert min(happened[what] for what in ("came back", "spectator came back", "hand void", "crash")) >= 5, happened


def test_a_gap_that_a_reconnect_explains_is_noted() -> None:
    notes = [note for seed in SEEDS for note in read_transcript("A", stormy(seed).records["A"]).report.notes]
    assert any("sent while disconnected, and not checked" in note for note in notes)


def test_void_hand_is_not_a_forgery_and_its_loss_is_noted() -> None:
    notes: list[str] = []
    for seed in SEEDS:
        transcript = read_transcript("A", stormy(seed).records["A"])
        notes += verify_table(TABLE, stormy(seed).reading, transcript.sittings).notes
    assert any("is void, and the journal no longer has its frames" in note for note in notes)


# --- what the issue says passed before


def against(match: RecordedMatch, frames: list[str]) -> list[str]:
    """What is wrong with a journal, held against a record."""
    return verify_table("T-1", match.reading, read_transcript("me", frames).sittings).problems


def shortened(match: RecordedMatch, entries: int) -> Reading:
    """The journal without its last entries, its head rewritten."""
    left = match.entries[:-entries]
    chain = Chain("T-1", start_hash("T-1"))
    again = [chain.append(entry.body, seals=entry.seals) for entry in left]
    return Reading(tuple(again), chain.head, None, "", False, chain.head.seq)


def test_a_journal_without_the_last_hands_and_the_end_is_found_out() -> None:
    match = played(4)
    sittings = read_transcript("me", match.frames).sittings
    for entries in range(1, len(match.entries)):
        problems = verify_table("T-1", shortened(match, entries), sittings).problems
        assert any("not in the journal" in problem for problem in problems), entries


@pytest.mark.parametrize("field", ["seat", "amount"])
@pytest.mark.parametrize("event", ["POT_AWARD", "REFUND"])
def test_a_pot_paid_to_another_is_found_in_the_record_and_against_the_journal(event: str, field: str) -> None:
    match = played(4)
    at = next(k for k, frame in enumerate(match.frames) if f'"ev":"{event}"' in frame)
    message = json.loads(match.frames[at])
    message[field] = (message[field] + 1) % 4 if field == "seat" else message[field] + 1
    frames = [*match.frames[:at], json.dumps(message), *match.frames[at + 1 :]]
    assert any(event in problem for problem in verify_transcript("me", frames).problems)
    assert any(event in problem for problem in against(match, frames))


def test_every_head_of_a_record_must_be_in_the_journal() -> None:
    match = played(4)
    for at, frame in enumerate(match.frames):
        message = json.loads(frame)
        if message["type"] == "end_hand":
            message["chain"] = "00" * 32
            (problem,) = against(match, [*match.frames[:at], json.dumps(message), *match.frames[at + 1 :]])
            where = f"the record's line {at + 1}, end_hand of {message['hand_id']}"
            assert problem == f"{where}: the hash that was sent after this hand is not in the journal"


def test_another_name_in_the_lobby_is_found() -> None:
    match = played(4)
    frames = [frame.replace('"team 2"', '"team Z"') if '"lobby"' in frame else frame for frame in match.frames]
    assert any("lobby" in problem for problem in against(match, frames))


def test_void_hand_restores_all_stacks() -> None:
    frames = storm(12, hands=4, steps=100, damage=True).records["B"]
    at = next(number for number, frame in enumerate(frames) if '"ev":"HAND_VOIDED"' in frame) + 1
    message = json.loads(frames[at])
    assert (message["type"], json.loads(frames[at + 1])["type"]) == ("end_hand", "start_hand")
    message["stacks"][0]["stack"] += 1
    problems = verify_transcript("B", [*frames[:at], json.dumps(message), *frames[at + 1 :]]).problems
    left, seat = message["stacks"][0]["stack"], message["stacks"][0]["seat"]
    assert [problem.partition(": ")[2] for problem in problems] == [
        f"differs from the replay (stacks[0].stack: expected {left - 1}, got {left})",
        f"the chips differ from those after the previous hand (seat {seat}: expected {left}, got {left - 1})",
    ]


def test_a_hand_may_be_void_before_all_was_sent_that_its_last_action_led_to() -> None:
    frames = played(4).frames
    at = next(number for number, frame in enumerate(frames) if '"ev":"FLOP"' in frame)
    flop = json.loads(frames[at])
    void = write(wire.VoidMessage(hand_id=flop["hand_id"], reason="its record is damaged", seq=flop["seq"]))
    assert verify_transcript("me", [*frames[:at], void]).problems == []


# --- journals that cannot be replayed


def summed_up(frames: list[str], entries: Sequence[Entry]) -> Comparison:
    """A record held against what can be read off a journal of other rules."""
    (sitting,) = read_transcript("me", frames).sittings
    comparison = Comparison(sitting)
    comparison.sum_up("T-1", entries)
    return comparison


def changed(frames: list[str], kind: str, change: Callable[[dict[str, Any]], None]) -> tuple[int, list[str]]:
    """The frames with the last one of a kind changed, and its line."""
    at = max(number for number, frame in enumerate(frames) if json.loads(frame)["type"] == kind)
    message = json.loads(frames[at])
    change(message)
    return at + 1, [*frames[:at], json.dumps(message), *frames[at + 1 :]]


def test_by_other_rules_heads_chips_and_the_end_are_still_compared() -> None:
    match = played(4)
    hands = sum('"type":"end_hand"' in frame for frame in match.frames)
    whole = summed_up(match.frames, match.entries)
    assert (whole.problems, whole.compared, whole.heads) == ([], hands, hands)
    assert whole.notes == ["only the hash chain and the chips were compared"]
    assert whole.of_this_journal

    def one_more(message: dict[str, Any]) -> None:
        message["stacks"][0]["stack"] += 1

    def one_more_at_the_end(message: dict[str, Any]) -> None:
        message["final_stacks"][0]["stack"] += 1

    line, frames = changed(match.frames, "end_hand", one_more)
    (problem,) = summed_up(frames, match.entries).problems
    assert problem.startswith(f"line {line}, end_hand of H-")
    assert re.search(r": chips by seat: expected \{0: (\d+), .* as in the journal, got \{0: \d+, ", problem)
    line, frames = changed(match.frames, "match_end", one_more_at_the_end)
    (problem,) = summed_up(frames, match.entries).problems
    assert problem.startswith(f"line {line}, match_end: chips by seat: expected {{")


def test_by_other_rules_a_journal_without_its_end_is_found_out() -> None:
    match = played(4)
    hands = [number for number, frame in enumerate(match.frames, 1) if '"type":"end_hand"' in frame]
    (end,) = [number for number, frame in enumerate(match.frames, 1) if '"type":"match_end"' in frame]
    without_end = summed_up(match.frames, shortened(match, 1).entries)
    (problem,) = without_end.problems
    assert problem.startswith(
        f"line {end}, match_end: chips by seat: expected no end of the match as in the journal, got"
    )
    cut = next(at for at, entry in enumerate(match.entries) if entry.seals and b"acted" in entry.body) + 1
    one_hand = summed_up(match.frames, match.entries[:cut])
    missing = [problem for problem in one_hand.problems if problem.endswith("in the record, but not in the journal")]
    assert [int(problem.split(",")[0].removeprefix("line ")) for problem in missing] == hands[1:]
    assert one_hand.problems == [*missing, *without_end.problems]
    assert one_hand.of_this_journal, "its first head stands there"


# --- the command


def database(path: Path, entries: dict[str, list[Entry]]) -> str:
    with open_store(str(path)) as store:
        for table, rows in entries.items():
            store.claim(table)
            store.append(rows)
    return str(path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["arena", "verify", *arguments])


def at_table(match: RecordedMatch, table: str) -> tuple[list[Entry], list[str]]:
    """A match at a table of another name, its record with the heads that this makes."""
    chain = Chain(table, start_hash(table))
    entries = [chain.append(entry.body, seals=entry.seals) for entry in match.entries]
    heads = {old.hash.hex(): new.hash.hex() for old, new in zip(match.entries, entries, strict=True)}
    frames = []
    for frame in match.frames:
        message: dict[str, Any] = json.loads(frame)
        if "chain" in message:
            message["chain"] = heads[message["chain"]]
        if "table_id" in message:
            message["table_id"] = table
        frames.append(json.dumps(message))
    return entries, frames


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is not a journal or a record of frames"),
        ('{"type":"lobby","v":1,"players":[]}\n', "nothing was compared"),
    ],
)
def test_empty_record_proves_nothing_and_fails(tmp_path: Path, content: str, said: str) -> None:
    db = database(tmp_path / "match.db", {"T-1": played(5).entries})
    record = tmp_path / "match.jsonl"
    record.write_text(content)
    result = run(db, "--against", str(record))
    assert result.exit_code == 1
    assert said in result.stdout + result.stderr


def test_record_of_another_arena_fails_and_says_so(tmp_path: Path) -> None:
    db = database(tmp_path / "match.db", {"T-1": played(5).entries})
    record = tmp_path / "match.jsonl"
    record.write_text("\n".join(played(4).frames))
    result = run(db, "--against", str(record))
    assert result.exit_code == 1
    assert "the record is of another match, or the journal was rewritten" in result.stdout


def test_each_table_of_a_record_is_held_against_its_own(tmp_path: Path) -> None:
    first, second = at_table(played(5), "T-1"), at_table(played(4), "T-2")
    db = database(tmp_path / "match.db", {"T-1": first[0], "T-2": second[0]})
    record = tmp_path / "match.jsonl"
    record.write_text("\n".join([*first[1], *second[1]]))
    result = run(db, "--against", str(record), "--json")
    assert result.exit_code == 0, result.stdout
    reports = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(report["name"], report["ok"]) for report in reports] == [("T-1", True), ("T-2", True)]
    assert all(report["frames_compared"] > 50 for report in reports)


def test_table_missing_from_the_journal_fails_unless_another_was_selected(tmp_path: Path) -> None:
    first, second = at_table(played(5), "T-1"), at_table(played(4), "T-2")
    db = database(tmp_path / "match.db", {"T-1": first[0]})
    record = tmp_path / "match.jsonl"
    record.write_text("\n".join([*first[1], *second[1]]))
    result = run(db, "--against", str(record))
    assert result.exit_code == 1
    assert "its table T-2 is not in this journal" in result.stdout
    assert run(db, "--table", "T-1", "--against", str(record)).exit_code == 0


def test_a_table_is_judged_together_with_its_record(tmp_path: Path) -> None:
    first, second = at_table(played(5), "T-1"), at_table(played(4), "T-2")
    db = database(tmp_path / "match.db", {"T-1": first[0], "T-2": second[0]})
    record = tmp_path / "match.jsonl"
    record.write_text("\n".join(second[1]))
    result = run(db, "--table", "T-1", "--against", str(record), "--json")
    (report,) = [json.loads(line) for line in result.stdout.splitlines()]
    assert (result.exit_code, report["name"], report["ok"]) == (1, "T-1", False)
    assert "the record: nothing was compared: its tables are T-2" in report["problems"]
    record.write_text("\n".join([*first[1], "nonsense"]))
    result = run(db, "--table", "T-1", "--against", str(record))
    assert result.exit_code == 1
    assert result.stdout.startswith("T-1: NOT all right")
    assert "the record: line " in result.stdout


def test_without_hands_there_is_nothing_to_compare_unless_the_journal_is_empty(tmp_path: Path) -> None:
    match = played(5)
    begun = [json.loads(entry.body)["type"] for entry in match.entries].index("hand_started")
    record = tmp_path / "match.jsonl"
    record.write_text("\n".join(match.frames[:5]))
    result = run(database(tmp_path / "a", {"T-1": match.entries}), "--against", str(record))
    assert result.exit_code == 1
    assert "it contains no hand, so no play was compared" in result.stdout
    empty = database(tmp_path / "b", {"T-1": match.entries[:begun]})
    assert run(empty, "--against", str(record)).exit_code == 0
    record.write_text("\n".join(match.frames))
    result = run(empty, "--against", str(record))
    assert result.exit_code == 1
    assert "in the record, but not in the journal" in result.stdout


def test_a_frame_of_no_table_is_a_fault() -> None:
    problems = verify_transcript("me", played(4).frames[1:]).problems
    assert "line 1: expected welcome or table first, got lobby" in problems


# --- several matches of one name in one record


def watched(match: RecordedMatch) -> list[str]:
    """What a spectator of a match was sent."""
    private = ('"type":"welcome"', '"type":"act"')
    return [
        write(TableMessages(match.match).table()),
        *[f for f in match.frames if not any(word in f for word in private)],
    ]


@pytest.mark.parametrize("frames_of", [lambda match: match.frames, watched], ids=["player", "spectator"])
@pytest.mark.parametrize("ended", [True, False], ids=["ended", "broken off"])
def test_matches_with_a_shared_table_name_are_compared_with_their_own_journal(
    tmp_path: Path, frames_of: Callable[[RecordedMatch], list[str]], ended: bool
) -> None:
    first, second = played(5, ended=ended), played(4)
    frames = [*frames_of(first), *frames_of(second)]
    assert read_transcript("me", frames).report.problems == []
    record = tmp_path / "match.jsonl"
    record.write_text("\n".join(frames))
    for name, match, line in (("a", first, len(frames_of(first)) + 1), ("b", second, 1)):
        result = run(database(tmp_path / name, {"T-1": match.entries}), "--against", str(record))
        assert result.exit_code == 0, result.stdout
        assert (
            f"NOT COMPARED: from line {line} on the record is of another match at a table called T-1" in result.stdout
        )
    result = run(database(tmp_path / "c", {"T-1": played(6).entries}), "--against", str(record))
    assert result.exit_code == 1, "a journal of which no hand stands in the record"
    assert "the record is of another match, or the journal was rewritten" in result.stdout


def test_another_match_in_the_record_hides_no_forgery_of_this_one(tmp_path: Path) -> None:
    first, second = played(5), played(4)
    record = [*first.frames, *second.frames]
    for entries in range(1, len(second.entries) - 10):
        sittings = read_transcript("me", record).sittings
        assert not verify_table("T-1", shortened(second, entries), sittings).ok, entries


def test_hands_after_the_first_cannot_pass_for_another_match() -> None:
    """A client watched, then took a seat: the hands that it played are of the match that it watched."""
    match, other = played(5), played(4)
    at = next(k for k, frame in enumerate(match.frames) if '"type":"end_hand"' in frame) + 1
    seated = write(TableMessages(match.match).welcome(0))
    frames = [*watched(match)[:at], seated, *other.frames[at:]]
    assert not verify_table("T-1", match.reading, read_transcript("me", frames).sittings).ok


def test_visitor_of_a_match_without_a_hand_was_at_no_forged_hand() -> None:
    match, other = played(5), played(4, seats=3)
    for waiting in (other.frames[:3], watched(other)[:3]):
        report = verify_table("T-1", match.reading, read_transcript("me", [*match.frames, *waiting]).sittings)
        assert report.ok, report.problems
        assert report.notes[0].startswith(
            f"NOT COMPARED: from line {len(match.frames) + 1} on the record is of another match"
        )


def test_foreign_heads_with_decks_of_the_journal_are_a_forgery() -> None:
    match = played(4)
    forged = [frame.replace(head, "00" * 32) for frame in match.frames for head in [_head_in(frame)]]
    honest, lie = (read_transcript("me", frames).sittings[0] for frames in (match.frames, forged))
    assert verify_table("T-1", match.reading, [honest]).ok
    report = verify_table("T-1", match.reading, [honest, lie])
    assert any(problem.startswith("none of the record's ") for problem in report.problems)


def _head_in(frame: str) -> str:
    """The head of the chain in a frame, or a placeholder if it has none."""
    head: str = json.loads(frame).get("chain") or "no head"
    return head


def test_each_forgery_in_a_record_of_two_tables_names_its_table() -> None:
    match = played(4)
    _, frames = at_table(match, "T-2")
    _, wrong = changed(frames, "end_hand", lambda message: message["stacks"][0].update(stack=1))
    alone, both = verify_transcript("me", wrong), verify_transcript("me", [*match.frames, *wrong])
    assert alone.problems
    assert not any(problem.startswith("T-2, ") for problem in alone.problems)
    assert both.problems
    assert all(problem.startswith("T-2, ") for problem in both.problems)


def test_end_missing_from_the_journal_is_reported() -> None:
    match = played(4)
    sittings = read_transcript("me", match.frames).sittings
    problems = verify_table("T-1", shortened(match, 1), sittings).problems
    assert any(
        problem.endswith(", the end of the match: in the record, but not in the journal") for problem in problems
    )


# --- single questions that whole records seldom ask


def compared(*messages: wire.ServerMessage) -> Comparison:
    """The frames of the client at seat 0, compared with a journal of which nothing has been read yet."""
    lines = [SimpleNamespace(number=number, message=message) for number, message in enumerate(messages, 1)]
    return Comparison(cast(TableRecord, SimpleNamespace(lines=lines)))


def test_answer_implies_a_question_even_if_few_frames_were_sent() -> None:
    found = compared(wire.FoldMessage(hand_id="H-1", seat=1, seq=1), wire.FoldMessage(hand_id="H-1", seat=0, seq=2))
    found._seat, found._seq, found._question = 0, 1, (0, 7)
    found._check_asked()
    assert found.problems == ["turn 7: seat 0 answered it, but the record has no question for it"]
    found._seq = 2
    found._check_asked()
    assert len(found.problems) == 1, "where the frame after it was missed the question may have been too"


@pytest.mark.parametrize(("hand", "passed"), [("H-1", 1), ("H-2", 0)])
def test_frames_of_a_void_hand_are_accepted_and_of_no_other(hand: str, passed: int) -> None:
    found = compared(wire.FoldMessage(hand_id=hand, seat=1, seq=1))
    found._let_pass(
        cast(Entry, SimpleNamespace(after=0, seq=1)),
        wire.VoidMessage(hand_id="H-1", reason="damaged", seq=2),
    )
    assert len(found._numbered) == 1 - passed
    assert found.notes == ["H-1 is void, and the journal no longer has its frames: 1 not compared"][:passed]


def test_a_lobby_that_waits_for_its_place_when_a_hand_is_void_waits_no_more() -> None:
    found = compared(wire.Lobby(players=()))
    found._here = found._coming
    found._coming = []
    found._let_pass(
        cast(Entry, SimpleNamespace(after=0, seq=1)),
        wire.VoidMessage(hand_id="H-1", reason="damaged", seq=2),
    )
    assert found._here == []


def test_question_after_a_view_was_sent_after_all_earlier_frames() -> None:
    view = wire.GameView(
        at_hand_id="H-1", seat=0, place=0, learned=(), stacks=(), next_actor=0, time_ms_remaining=1000, turn=9, seq=3
    )
    ask = wire.Ask(hand_id="H-1", seat=0, place=0, learned=(), legal=(), time_ms=1000, turn=9)
    found = compared(wire.FoldMessage(hand_id="H-1", seat=1, seq=5), view, ask)
    assert found._asked_after == {3: 5}
