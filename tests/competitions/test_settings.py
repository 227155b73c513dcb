"""FILE.toml: the example is read, and every bad input is one sentence with the line and the key."""

from pathlib import Path

import pytest

from pitboss.competitions.settings import (
    EXAMPLE,
    CompetitionFileError,
    folder_settings,
    least_deals,
    parse_settings,
    read_settings,
)
from tests.support.for_each import for_each

TWO = """
[[entrants]]
name = "Ann"
house = "calling"

[[entrants]]
name = "Bo"
house = "folding"
"""
"""Two entrants; the first line is empty."""


def refusal(text: str) -> str:
    """Return why a text is refused."""
    with pytest.raises(CompetitionFileError) as refused:
        parse_settings(text, "cup.toml")
    assert "\n" not in str(refused.value)
    return str(refused.value)


BAD = {
    "hand = 4" + TWO: "cup.toml, line 1, hand: unknown key; did you mean hands?",
    'colour = "red"' + TWO: "cup.toml, line 1, colour: unknown key; expected one of form, game,",
    'form = "league"' + TWO: "line 1, form: expected round_robin, table_round_robin, knock_out or swiss, got 'league'",
    "form = [" + TWO: "cup.toml, line",
    "hands = 0" + TWO: "line 1, hands: expected a whole number from 1 to 10000000, got 0",
    "hands = 400.0" + TWO: "line 1, hands: expected a whole number",
    "duplicate = 1" + TWO: "line 1, duplicate: expected true or false, got 1",
    'game = "bridge"' + TWO: "line 1, game: ",
    'game = "none.toml"' + TWO: "line 1, game: none.toml: No such file",
    'rank_by = "luck"' + TWO: "line 1, rank_by: expected bb_per_100, wins or runoff, got 'luck'",
    "hands = 3" + TWO: "line 1, hands: expected at least 4, which are two deals, each played from every seat",
    "match_time_s = 0" + TWO: "line 1, match_time_s: expected seconds, more than 0, got 0",
    "match_time_s = 0.5" + TWO: "line 1, match_time_s: is shorter than one move, 1000 ms",
    "big_blind = 20_000" + TWO: "stack: expected at least the big blind, 20000, got 10000",
    "small_blind = 200" + TWO: "line 1, small_blind: expected at most the big blind, 100",
    "rounds = 3" + TWO: "line 1, rounds: only swiss has rounds; round_robin decides them by the entrants",
    'form = "swiss"' + TWO: "line 1, form: swiss needs the key rounds",
    'form = "swiss"\nrounds = 2' + TWO: "line 2, rounds: expected at most 1 for 2 entrants, who meet once, got 2",
    "seats = 6" + TWO: "line 1, seats: round_robin is heads-up: expected 2 seats, or table_round_robin, got 6",
    'form = "table_round_robin"\nseats = 3' + TWO: "line 2, seats: 2 entrants cannot fill a table of 3 seats",
    'form = "table_round_robin"\nseats = 11' + TWO: "line 2, seats: expected a whole number from 2 to 10, got 11",
    'form = "knock_out"\nrank_by = "runoff"' + TWO: "line 2, rank_by: a knock_out ranks by wins: leave the key out",
    "stop_when_decided = true\nhands = 6" + TWO: "line 1, stop_when_decided: no result can decide a match before",
    TWO.replace('"Bo"', '"Ann"'): "line 7, entrants[2].name: the name 'Ann' is given twice",
    TWO.replace('"Bo"', '"ann"'): "line 7, entrants[2].name: the name 'ann' looks like 'Ann'",
    TWO.replace("folding", "foldy"): "line 8, entrants[2].house: expected one of sharp,",
    TWO.replace(
        'house = "folding"', ""
    ): "line 6, entrants[2]: Bo: expected one of path, command, house, llm, got none",
    TWO + 'llm = "x"': "line 6, entrants[2]: Bo: expected one of path, command, house, llm, got house and llm",
    TWO.replace('name = "Bo"\n', ""): "line 6, entrants[2]: the key name is missing",
    TWO.replace("house", "robot", 1): "line 4, entrants[1].robot: unknown key; expected one of name, path,",
    TWO.replace('house = "folding"', 'path = "none.py"'): "entrants[2].path: the file none.py was not found",
    TWO.replace('house = "folding"', 'command = "nosuchprogram x"'): "the program nosuchprogram was not found",
    TWO.replace('house = "folding"', 'command = "true -v none.mjs"'): "the file none.mjs was not found",
    TWO.replace('house = "folding"', "command = 'node \"'"): "the command cannot be split into words",
    'game = "omaha"' + TWO.replace("calling", "sharp"): "the house bot sharp plays hold'em with the full deck only",
    'entrants = "Ann"': "line 1, entrants: expected [[entrants]] tables",
    "hands = 40": "cup.toml, entrants: expected [[entrants]] tables",
    "[[entrants]]\nname = 'Ann'\nhouse = 'calling'": "line 1, entrants: expected 2 to 256 entrants, got 1",
}


@for_each("text, expected", BAD.items())
def test_bad_input_is_one_sentence_with_its_line_and_key(text: str, expected: str) -> None:
    assert expected in refusal(text)


def test_the_example_is_read_as_its_comments_say() -> None:
    settings = parse_settings(EXAMPLE).settings
    assert (settings.form, settings.seats, settings.hands, settings.seed) == ("round_robin", 2, 200, 7)
    assert (settings.deals, settings.rotations) == (100, 2)
    assert [entrant.name for entrant in settings.entrants] == ["sharp", "tight", "calling", "random"]


def test_defaults_are_those_of_a_folder_of_bots(tmp_path: Path) -> None:
    for name in ("ann.py", "bo/bot.py", "_tools.py", ".hidden.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    settings = folder_settings(tmp_path).settings
    assert [(entrant.name, entrant.kind) for entrant in settings.entrants] == [("ann", "path"), ("bo", "path")]
    assert (settings.form, settings.hands, settings.move_time_ms, settings.duplicate) == (
        "round_robin",
        1000,
        1000,
        True,
    )


def test_a_folder_without_two_bots_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ann.py").touch()
    with pytest.raises(CompetitionFileError, match="expected at least two bots"):
        folder_settings(tmp_path)


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "bo.py").touch()
    (tmp_path / "cup.toml").write_text(TWO.replace('house = "folding"', 'path = "bots/bo.py:Bo"'))
    file = read_settings(tmp_path / "cup.toml")
    assert file.settings.entrants[1].spec == f"{tmp_path}/bots/bo.py:Bo"
    assert file.places[1] == f"{tmp_path}/cup.toml, line 6, entrants[2]"


def test_a_missing_file_and_a_file_that_is_not_text_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CompetitionFileError, match=r"cup\.toml: cannot be read: No such file"):
        read_settings(tmp_path / "cup.toml")
    (tmp_path / "cup.toml").write_bytes(b"seed = 1\n\xff")
    with pytest.raises(CompetitionFileError, match=r"line 2: the file is not text in UTF-8"):
        read_settings(tmp_path / "cup.toml")


def test_a_match_that_can_stop_has_enough_deals_to_be_decided() -> None:
    assert parse_settings(f"stop_when_decided = true\nhands = {2 * least_deals()}" + TWO).settings.stop_when_decided
