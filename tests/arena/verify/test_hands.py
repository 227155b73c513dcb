"""Finished hands of journals that may be altered: `verify`, `export` and `replay --html` accept and refuse the same."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pitboss.arena.verify.hands import JournalError, read_hands
from pitboss.arena.verify.journal import verify_table
from pitboss.cli.main import cli
from pitboss.store import Chain, Entry, Reading, open_store, read_chain, start_hash
from tests.support.arena.matches import played

NONSENSE: tuple[Any, ...] = (None, -1, 2**70, "", "??", [], {}, [[[]]], {"0": 0}, 1.5, True)


def chained(records: list[tuple[bytes, bool]]) -> tuple[list[Entry], Reading]:
    """A journal with these bodies, whose hashes are all right."""
    chain = Chain("T-1", start_hash("T-1"))
    entries = [chain.append(body, seals=seals) for body, seals in records]
    return entries, read_chain("T-1", entries, chain.head)


def altered(body: bytes) -> Iterator[bytes]:
    """The record with one of its values replaced by nonsense, or lost."""
    record = json.loads(body)
    for path in [*leaves(record)]:
        for value in NONSENSE:
            changed = json.loads(body)
            inner = changed
            for step in path[:-1]:
                inner = inner[step]
            inner[path[-1]] = value
            yield json.dumps(changed).encode()


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value."""
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from leaves(inner, (*path, key))


def test_an_honest_journal_gives_every_finished_hand() -> None:
    match = played(5)
    hands = list(read_hands("T-1", chained([(entry.body, entry.seals) for entry in match.entries])[1]))
    assert [hand.number for hand in hands] == list(range(1, len(hands) + 1))
    assert len(hands) > 3
    for hand in hands:
        assert hand.replay().number == hand.number
        record = hand.phh()
        assert record is None or record.hand == hand.number


@pytest.mark.check
def test_altered_record_is_refused_without_a_crash() -> None:
    match = played(5)
    bodies = [(entry.body, entry.seals) for entry in match.entries][:24]
    kinds = set[str]()
    for at, (body, seals) in enumerate(bodies):
        if (kind := json.loads(body)["type"]) in kinds:
            continue
        kinds.add(kind)
        for changed in altered(body):
            _, reading = chained([*bodies[:at], (changed, seals), *bodies[at + 1 :]])
            refusal = ""
            try:
                for hand in read_hands("T-1", reading):
                    hand.phh()
                    hand.replay()
            except JournalError as error:
                refusal = str(error)
            assert len(refusal) < 1000, changed
            assert refusal.isprintable(), changed
            if verify_table("T-1", reading).ok:
                assert not refusal, changed
    assert {"table_opened", "seated", "hand_started", "acted"} <= kinds


@pytest.mark.parametrize(
    "body", [b"[" * 5000, b'{"type":"acted","seat":0,"cause":"client","events":[],"action":' + b"[" * 5000]
)
def test_deep_json_in_a_journal_is_one_sentence_for_every_command(tmp_path: Path, body: bytes) -> None:
    match = played(5)
    entries, _ = chained([*[(entry.body, entry.seals) for entry in match.entries[:10]], (body, False)])
    path = tmp_path / "match.db"
    with open_store(str(path)) as store:
        store.claim("T-1")
        store.append(entries)
    commands = (
        ("arena", "verify", str(path)),
        ("arena", "export", str(path), str(tmp_path / "hands")),
        ("replay", str(path), "--html", str(tmp_path / "out.html")),
    )
    for command in commands:
        result = CliRunner().invoke(cli, command)
        assert result.exit_code == 1, command
        assert isinstance(result.exception, SystemExit), result.exception
        assert "entry 11" in result.output + result.stderr


@pytest.mark.parametrize("line", ["[" * 5000, '{"type":"welcome","v":1,"x":' + "[" * 5000])
def test_deep_json_in_a_record_of_frames_is_one_sentence(tmp_path: Path, line: str) -> None:
    path = tmp_path / "match.jsonl"
    path.write_text(line + "\n", encoding="utf-8")
    result = CliRunner().invoke(cli, ("replay", str(path), "--html", str(tmp_path / "out.html")))
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit), result.exception
