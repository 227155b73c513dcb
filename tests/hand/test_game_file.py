"""Game files: every game is read as it is written, and a file that cannot be played names the line and the key."""

from pathlib import Path

import pytest

from pitboss.hand.game_file import (
    LONGEST_FILE,
    GameFileError,
    game_fields,
    game_from_fields,
    parse_game,
    write_game,
)
from pitboss.hand.games import (
    NO_LIMIT_HOLDEM,
    RAZZ,
    STRUCTURES,
    NoSuchStructure,
    file_games,
    find_game,
    find_structure,
    read_game,
)
from tests.support.for_each import for_each

ALL = {game.key: game for game in (*STRUCTURES.values(), *file_games())}
ROYAL = write_game(find_game("royal_holdem")).replace("royal_holdem", "mine")


@for_each("name", ALL)
def test_a_game_is_read_as_it_is_written(name: str, tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    path.write_text(write_game(ALL[name]), encoding="utf-8")
    assert read_game(path) == ALL[name]
    assert game_from_fields(game_fields(ALL[name])) == ALL[name]


@for_each("name", [game.key for game in file_games()])
def test_a_game_that_is_a_file_is_found_by_all_its_names(name: str) -> None:
    assert all(find_structure(key) == find_game(key) == ALL[name] for key in ALL[name].keys)


def test_big_o_is_five_card_omaha_hi_lo() -> None:
    assert find_structure("big_o") is STRUCTURES["PO5/8"]


def test_a_game_is_found_by_the_path_of_its_file_but_a_name_is_never_a_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(ROYAL, encoding="utf-8")
    assert find_game(path) == find_game(str(path)) == parse_game(ROYAL)
    assert find_game(RAZZ) is find_game("FR") is RAZZ
    with pytest.raises(NoSuchStructure):
        find_structure(str(path))


@for_each(
    "old, new, line, key",
    [
        ("hole = 2", "hol = 2", 14, "streets[1].hol"),
        ("hole = 2", "hole = 'two'", 14, "streets[1].hole"),
        ("hole = 2", "hole = true", 14, "streets[1].hole"),
        ("hole = 2", "hole = -2", 14, "streets[1].hole"),
        ("hole = 2", "hole = 1.5", 14, "streets[1].hole"),
        ("hole = 2", "board = 2", 12, "streets[1].hole"),
        ("hole = 2", "hole = 2\nopens = 'right'", 15, "streets[1].opens"),
        ("hole = 2", "hole = 2\nopens = 'low_card'", 15, "streets[1].opens"),
        ("hole = 2", "hole = 9", 16, "streets[2]"),  # nine each and three on the board: 21 of 20 cards
        ("board = 3", "board = 9", 31, "showdown[1].order"),
        ("board = 3", "draw = true\nboard = 3", 16, "streets[2]"),
        ('"FLOP"', '"PRE_FLOP"', 17, "streets[2].name"),
        ('"FLOP"', '"flop"', 17, "streets[2].name"),
        ('order = "high"', 'order = "low"', 31, "showdown[1].order"),
        ('order = "high"', 'order = "tall"', 31, "showdown[1].order"),
        ('order = "high"', 'order = "badugi"', 31, "showdown[1].order"),
        ('order = "high"', 'order = "high"\nfrom_two = 1', 32, "showdown[1].from_two"),
        ('"TJQKA"', '"TJQKX"', 9, "deck.ranks"),
        ('"TJQKA"', '"23456789TJQKA"\ncards = "AsAs"', 10, "deck.cards"),
        ('"no_limit"', '"limitless"', 5, "betting"),
        ('"no_limit"', '"no_limit"\nwild = "2"', 6, "wild"),
        ("[deck]", "[rules]\nbring_in = true\n\n[deck]", 9, "rules.bring_in"),
        ("[deck]", "[rules]\ncap = -3\n\n[deck]", 9, "rules.cap"),
        ("[deck]", "[rules]\ncompletes = true\n\n[deck]", 9, "rules.completes"),
        ("hole = 2", "hole = 2\ndiscard = 1", 15, "streets[1].discard"),
        ("board = 3", "board = 3\ndiscard = 2", 19, "streets[2].discard"),
        ("board = 3", "board = 3\ndiscard_up = true", 19, "streets[2].discard_up"),
        ('"no_limit"', '"no_limit"\nboards = 9', 6, "boards"),
        ('"no_limit"', '"no_limit"\nboards = 2\nmost_runs = 2', 7, "most_runs"),
        ('"no_limit"', '"no_limit"\nboards = 4', 26, "streets[4]"),
        ('"no_limit"', '"spread_limit"', 5, "betting"),
        ("[deck]", "[rules]\nleast_bet = 5\nmost_bet = 2\n\n[deck]", 10, "rules.most_bet"),
        ("[deck]", "[wild]\n\n[deck]", 8, "wild"),
        ("[deck]", "[wild]\nranks = '2'\n\n[deck]", 9, "wild.ranks"),
        ('"mine"', '"My Game"', 3, "name"),
        ('"mine"', '"mine"\ncode = "NT"', 4, "code"),
        ('"mine"', '"mine"\ncode = "ZZ"', 4, "code"),
        ('"mine"', '"razz"', 3, "name"),
        ('"no_limit_mine"', '"nlhe"', 6, "aliases[1]"),
        ('title = "no-limit royal', 'title = "\\u0007', 4, "title"),
    ],
)
def test_a_file_that_cannot_be_played_names_the_line_and_the_key(
    old: str, new: str, line: int, key: str, tmp_path: Path
) -> None:
    text = ROYAL.replace(old, new, 1)
    assert text != ROYAL
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(GameFileError) as caught:
        read_game(path)
    assert (caught.value.line, caught.value.key) == (line, key), caught.value
    assert str(caught.value) == f"{path}, line {line}, {key}: {caught.value.sentence}"


def test_a_short_deck_has_no_eight_or_better_low() -> None:
    text = write_game(STRUCTURES["NS"]).replace('code = "NS"', "#") + "\n[[showdown]]\norder = 'low'\n"
    with pytest.raises(GameFileError, match="no one can win it: the deck has fewer than five ranks up to the eight"):
        parse_game(text)


def test_a_pot_always_has_a_winner() -> None:
    text = write_game(NO_LIMIT_HOLDEM).replace('code = "NT"', "#").replace('order = "high"', 'order = "low"')
    with pytest.raises(GameFileError, match="showdown: no one wins a pot if no player has a low up to the eight"):
        parse_game(text)


def test_a_card_outside_the_order_is_refused() -> None:
    text = write_game(NO_LIMIT_HOLDEM).replace('code = "NT"', "#").replace('order = "high"', 'order = "short"')
    with pytest.raises(GameFileError, match="'short' cannot compare 2c, which is in the deck"):
        parse_game(text)


@for_each(
    "text",
    [
        "x = " + "[" * 10_000,
        ".".join("a" * 20) + " = 1",
        "[[streets]]\n" * 10_000,
        "a" * (LONGEST_FILE + 1),
        "x = 1e99999999999999999999",
        "x = " + "9" * 10_000,
        "x = {" * 200,
    ],
    ids=["nested", "dotted", "many", "long", "exponent", "digits", "tables"],
)
def test_invalid_game_text_is_refused(text: str) -> None:
    with pytest.raises(GameFileError) as caught:
        parse_game(text, "x.toml")
    assert len(str(caught.value)) < 400
    assert "\n" not in str(caught.value)


@for_each("content", [b"\xff\xfe", b"\x00" * 10, b"#" * (5 * LONGEST_FILE)], ids=["bytes", "zeros", "huge"])
def test_file_that_is_not_text_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(content)
    with pytest.raises(GameFileError):
        read_game(path)


def test_a_missing_file_and_a_folder_are_refused_in_a_sentence(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere.toml", tmp_path):
        with pytest.raises(GameFileError, match=str(path)):
            read_game(path)


@for_each("fields", [None, 7, [], {}, {"name": "x"}, {"name": {"name": {}}}])
def test_invalid_game_fields_of_a_message_are_refused(fields: object) -> None:
    with pytest.raises(GameFileError):
        game_from_fields(fields)


def test_betting_that_no_file_can_describe_is_not_written() -> None:
    with pytest.raises(GameFileError, match="second_step"):
        write_game(RAZZ.with_betting(second_step=7))
