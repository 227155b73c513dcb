"""Hand histories made to take memory, time or the stack: each is refused in one sentence, and at once."""

import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from pitboss.documents import DocumentError, read_document
from pitboss.formats.phh import PhhError, read_phh
from pitboss.formats.phh.reader import LONGEST_HAND, MOST_KEYS
from pitboss.formats.scan import DEEPEST_JSON, ReadError
from pitboss.histories import scan_file
from pitboss.records.record import MOST_PLAYERS
from tests.support.for_each import for_each

HAND = """variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
actions = []
"""
MOST_MEMORY = 20 * 2**20


def with_players(count: int) -> str:
    """A hand of PHH with this many players."""
    blinds = [1, 2] + [0] * (count - 2)
    lists = f"antes = {[0] * count}\nblinds_or_straddles = {blinds}\nstarting_stacks = {[100] * count}\n"
    return f"variant = 'NT'\n{lists}min_bet = 2\nactions = []\n"


def document(count: int, more: str = "") -> str:
    """A table document with this many players."""
    blinds = [1, 2] + [0] * (count - 2)
    fields = {"players": [f"p{n}" for n in range(count)], "startingStacks": [100] * count, "antes": [0] * count}
    text = json.dumps({"variant": "NT", "minBet": 2, "actions": [], "blindsOrStraddles": blinds, **fields})
    return text[:-1] + more + "}"


def ohh(players: int, more: str = "") -> str:
    """A hand of Open Hand History with this many players and nothing else."""
    listed = [{"id": n, "seat": n, "name": f"p{n}", "starting_stack": 100} for n in range(players)]
    bets = {"bet_type": "NL"}
    inner = {"spec_version": "1.4.7", "game_type": "Holdem", "bet_limit": bets, "players": listed, "rounds": []}
    return '{"ohh": ' + json.dumps(inner)[:-1] + more + "}}"


@for_each(
    "name, text, reason",
    [
        ("keys.phh", HAND + "_" + ".".join(["a"] * 16_000) + " = 1\n", "expected a dotted key of at most 40 levels"),
        ("quoted.phh", HAND + "_a" + ".'x y'" * 8_000 + " = 1\n", "expected a dotted key of at most 40 levels"),
        ("spaced.phh", HAND + "_a" + " . a" * 8_000 + " = 1\n", "expected a dotted key of at most 40 levels"),
        ("header.phhs", f"[1]\n{HAND}[{'a.' * 16_000}a]\n", "expected a dotted key of at most 40 levels"),
        ("inline.phh", HAND + "_a = {" + "a." * 16_000 + "a = 1}\n", "expected a dotted key of at most 40 levels"),
        (
            "many.phh",
            HAND + "".join(f"_{n} = 1\n" for n in range(MOST_KEYS)),
            "expected a hand with at most 10,000 keys",
        ),
        ("long.phh", HAND + f"_a = '{'x' * LONGEST_HAND}'\n", "expected a hand of at most 1,048,576 characters"),
        ("deep.phh", HAND + "_a = " + "[" * 16_000, "nested too deeply"),
        ("players.phh", with_players(30_000), "expected at most 100 players, got 30000"),
        ("players.json", document(30_000), "players: expected at most 100, got 30000"),
        ("deep.json", document(2, ', "_x": ' + "[" * 500 + "]" * 500), "expected at most 100 levels of nested objects"),
        ("deepest.json", document(2, ', "_x": ' + '{"a":' * 50_000), "expected at most 100 levels of nested objects"),
        ("players.ohh", ohh(10_000), "players: expected at most 100, got 10000"),
        ("deep.ohh", ohh(2, ', "x": ' + "[" * 500 + "]" * 500), "expected at most 100 levels of nested"),
    ],
)
def test_a_file_that_takes_too_much_is_refused_at_once(tmp_path: Path, name: str, text: str, reason: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    tracemalloc.start()
    try:
        errors = [found.error for found in scan_file(path, lenient=True) if found.error is not None]
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert any(reason in str(error) for error in errors), errors
    assert most < MOST_MEMORY


def test_a_site_text_has_no_more_players_than_a_hand(tmp_path: Path) -> None:
    head = "PokerStars Hand #1: Hold'em No Limit ($1/$2 USD) - 2020/01/01 0:00:00 ET\n"
    head += "Table 'A' 9-max Seat #1 is the button\n"
    seats = "".join(f"Seat {n}: p{n} ($100 in chips)\n" for n in range(1, MOST_PLAYERS + 2))
    path = tmp_path / "x.txt"
    path.write_text(head + seats + "p1: posts small blind $1\n", encoding="utf-8")
    (found,) = scan_file(path)
    assert f"expected at most {MOST_PLAYERS} players" in str(found.error)


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (read_phh, HAND + "_a" + ".b" * 39 + " = 1\n"),
        (read_phh, HAND + "_a = 'so. many. words. " * 1 + "that. end. in. a. dot.'\n"),
        (read_document, document(2, ', "_x": ' + "[" * (DEEPEST_JSON - 1) + "]" * (DEEPEST_JSON - 1))),
        (read_document, document(MOST_PLAYERS)),
    ],
)
def test_input_within_the_limits_is_read(read: Callable[[str], object], text: str) -> None:
    assert read(text) is not None


def test_one_more_than_the_bound_is_refused() -> None:
    with pytest.raises(PhhError, match="of at most 40 levels"):
        read_phh(HAND + "_a" + ".b" * 41 + " = 1\n")
    with pytest.raises(DocumentError, match="expected at most 100"):
        read_document(document(MOST_PLAYERS + 1))
    with pytest.raises(ReadError, match="expected at most 100 players"):
        read_phh(with_players(MOST_PLAYERS + 1))
