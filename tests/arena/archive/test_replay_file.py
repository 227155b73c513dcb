"""Hands in one HTML file: modules joined, policies that name hashes, and any record in the words of the page."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from typing import Any

import pytest

from pitboss.arena.archive.replay_file import (
    PAGE,
    BundleError,
    bundle,
    is_transcript,
    open_cards,
    page_hand,
    read_modules,
    summarize,
    transcript_hands,
    write_html,
)
from pitboss.arena.journal.records import Settings
from pitboss.formats.phh import read_phhs
from pitboss.records.record import Record
from pitboss.records.replay import replay
from tests.support.arena.rooms import Parlour

NAME = "</script><script>alert(1)</script>"


def hand() -> Record:
    """A hand of three, won at showdown."""
    fields: dict[str, Any] = {
        "variant": "NT",
        "antes": (1, 1, 1),
        "blinds_or_straddles": (1, 2, 4),
        "min_bet": 2,
        "starting_stacks": (100, 50, 80),
        "actions": (
            *("d dh p1 AsKs", "d dh p2 ????", "d dh p3 QhQd", "p1 cbr 99", "p2 f", "p3 cc"),
            *("d db 2c3d4h", "d db 5c", "d db 9s", "p1 sm AsKs", "p3 sm QhQd"),
        ),
        "players": (NAME, "Ben", "Cleo"),
        "seats": (2, 4, 6),
    }
    return Record(**fields)


def test_recorded_hand_uses_the_words_of_the_page() -> None:
    record = hand()
    page = page_hand(record, replay(record), 7, "file", 1)
    events = [message.get("ev", message["type"]) for message in page["messages"]]
    assert events[:5] == ["start_hand", "POST_ANTES", "POST", "POST", "POST"]
    assert events[-2:] == ["POT_AWARD", "end_hand"]
    posts = [(m["seat"], m["amount"], m["name"]) for m in page["messages"] if m.get("ev") == "POST"]
    assert posts == [(1, 1, "small blind"), (3, 2, "big blind"), (5, 4, "straddle")]
    held = {m["seat"]: m["cards"] for m in page["messages"] if m["type"] == "held"}
    assert held == {1: ["As", "Ks"], 3: [], 5: ["Qh", "Qd"]}
    assert page["messages"][0]["button"] == 5
    assert [m["seq"] for m in page["messages"]] == list(range(1, len(events) + 1))
    row = summarize(page)
    assert (row["showdown"], row["all_in"], row["winners"]) == (True, True, [1])
    assert row["teams"] == {1: NAME, 3: "Ben", 5: "Cleo"}
    assert sum(row["delta"].values()) == 0


def test_heads_up_small_blind_is_named_first_and_numbers_only_once() -> None:
    record = Record(
        variant="NT",
        antes=(0, 0),
        blinds_or_straddles=(1, 2),
        min_bet=2,
        starting_stacks=(100, 100),
        actions=("d dh p1 AsKs", "d dh p2 QhQd", "p2 f"),
        hand=1,
    )
    page = page_hand(record, replay(record), 1, "file", 1)
    posts = [(m["amount"], m["name"]) for m in page["messages"] if m.get("ev") == "POST"]
    assert posts == [(1, "small blind"), (2, "big blind")]
    assert page["label"] == ""
    assert page_hand(record, replay(record), 2, "file", 1)["label"] == "hand 1"


def test_hands_of_money_with_fractions_are_brought_to_one_unit() -> None:
    record = hand()
    plain, cents = (page_hand(record, replay(record), 1, "file", scale) for scale in (1, 100))
    paid = [[m["amount"] for m in page["messages"] if m.get("ev") == "CALL"] for page in (plain, cents)]
    assert paid[1] == [100 * amount for amount in paid[0]]
    pots = [[m["pot"] for m in page["messages"] if m.get("ev") == "POT_AWARD"] for page in (plain, cents)]
    assert pots[0] == pots[1], "a pot's number is no amount"


def test_file_runs_only_scripts_of_its_policy_and_names_stay_text() -> None:
    record = hand()
    text = write_html(NAME, "a note", [summarize(page_hand(record, replay(record), 1, "file", 1))])
    assert NAME not in text
    (script,) = re.findall(r'<script type="module">(.*?)</script>', text, re.DOTALL)
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    for kind, body in (("script", script), ("style", style)):
        hashed = b64encode(sha256(body.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{hashed}'" in text
    assert "default-src 'none'" in text
    assert not re.search(r"""(?:src|href)=["'](?!#)""", text.partition("<body")[2].partition("<script")[0])
    (data,) = re.findall(r'id="record">(.*?)</script>', text, re.DOTALL)
    assert json.loads(data)["title"] == NAME


def test_modules_follow_their_imports_and_unexpected_ones_are_refused() -> None:
    modules = read_modules(PAGE)
    joined = bundle(modules, "file.js")
    assert not re.search(r"^(?:import|export)\b", joined, re.MULTILINE)
    assert joined.index("const BOTTOMLESS") < joined.index('"#record"')
    assert "WebSocket" not in joined
    for source, sentence in {
        'import x from "./b.js";\n': "does not support",
        "export default 1;\n": "does not support",
        'const x = await import("./b.js");\n': "does not support",
        'import { x } from "./none.js";\n': "which does not exist",
        'import { x } from "./a.js";\n': "import each other",
    }.items():
        with pytest.raises(BundleError, match=sentence):
            bundle({"a.js": source, "b.js": ""}, "a.js")
    nested = bundle({"v/a.js": 'import { x } from "../b.js";\nx();\n', "b.js": "export function x() {}\n"}, "v/a.js")
    assert "const { x } = module_0;" in nested


def test_transcript_shows_own_cards_and_all_cards_once_revealed() -> None:
    table = Parlour(Settings(seats=3, start_at=3, max_hands=2))
    guest, *_ = table.seat(3)
    while table.match.underway or not table.match.over:
        table.play_hand("CALL" if table.history.hands == 1 else "FOLD")
    lines = [frame.encode() for frame in guest.frames]
    assert is_transcript(lines[0])
    assert not is_transcript(b"variant = 'NT'")
    found = list(transcript_hands(lines))
    hands = [each for each in found if "reveals" not in each]
    assert [each["number"] for each in hands] == [1, 2]
    held = [{m["seat"] for m in each["messages"] if m["type"] == "held"} for each in hands]
    assert held[0] == {guest.seat}
    decks = {each["reveals"]: each["deck"] for each in found if "reveals" in each}
    for each in hands:
        open_cards(each, decks[each["label"]])
        assert {m["seat"] for m in each["messages"] if m["type"] == "held"} == {0, 1, 2}
        shown = {m["seat"]: m["hand"] for m in each["messages"] if m.get("ev") == "SHOWDOWN"}
        dealt = {m["seat"]: m["cards"] for m in each["messages"] if m["type"] == "held"}
        assert shown.items() <= dealt.items()
        assert summarize(each)["delta"].keys() == {0, 1, 2}
    assert [bool(shown) for shown in [summarize(each)["showdown"] for each in hands]] == [True, False]


def test_every_game_of_a_mixed_file_is_described() -> None:
    stud = "d dh p1 2c3c4c", "d dh p2 2d3d4d"
    text = f"""[1]
variant = 'F7S'
antes = [1, 1]
bring_in = 1
small_bet = 2
big_bet = 4
starting_stacks = [50, 50]
actions = ['{stud[0]}', '{stud[1]}', 'p1 pb', 'p2 f']
"""
    ((_, record),) = list(read_phhs(text))
    page = page_hand(record, replay(record), 1, "file", 1)
    assert [m["card"] for m in page["messages"] if m.get("ev") == "UP_CARD"] == ["4c", "4d"]
    assert "BRING_IN" in [m.get("ev") for m in page["messages"]]
