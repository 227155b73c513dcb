"""A table of a game file: its settings, what clients receive, and the games that messages cannot describe."""

from pathlib import Path

import pytest

from pitboss.arena.hosts.games import chosen_game, find_places, games_of, make_host
from pitboss.arena.hosts.poker import PokerHost
from pitboss.arena.journal.records import Settings, SettingsError
from pitboss.arena.wire.poker import find_games, unsent
from pitboss.hand.game_file import game_fields, parse_game, write_game
from pitboss.hand.games import STRUCTURES, file_games, find_game
from tests.support.for_each import for_each

MINE = write_game(find_game("royal_holdem")).replace("royal_holdem", "mine")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    path = tmp_path / "mine.toml"
    path.write_text(MINE, encoding="utf-8")
    assert find_places(str(path)) == range(2, 8)
    return chosen_game(str(path))


def test_the_settings_contain_the_game(settings: Settings) -> None:
    game = parse_game(MINE)
    assert (settings.game, settings.own_game) == ("mine", game_fields(game))
    found = games_of(settings)
    assert found is not None
    assert [each.structure for each in found.games] == [game]


def test_clients_receive_the_game(settings: Settings) -> None:
    host = make_host(settings)
    assert isinstance(host, PokerHost)
    assert (host.variant, host.own_game) == ("X", settings.own_game)
    assert find_games(host.variant, host.own_game) == (parse_game(MINE),)
    assert find_games("X", None) == find_games("X", {"name": 7}) == ()


def test_a_name_from_a_stranger_opens_no_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MINE, encoding="utf-8")
    with pytest.raises(SettingsError, match="no game is called"):
        make_host(Settings(game=str(path)))


def test_settings_with_a_game_that_cannot_be_played_are_refused() -> None:
    with pytest.raises(SettingsError, match="game: the key name is missing"):
        make_host(Settings(game="mine", own_game={}))


@for_each("game", [*STRUCTURES.values(), *file_games()], ids=lambda game: game.key)
def test_messages_can_describe_every_game(game: object) -> None:
    assert unsent(game) is None  # type: ignore[arg-type]  # every game is a Structure


@for_each(
    "old, new, reason",
    [
        ('"TURN"', '"FOURTH"', "the protocol has no street called FOURTH"),
        ("board = 3", "up = 2", "FLOP deals 2 up-cards"),
        ('"TURN"\nboard = 1', '"TURN"\nboard = 2', "TURN deals 2 board cards"),
        ('"TURN"\nboard = 1', '"TURN"\nhole = 1', "TURN deals cards face down"),
    ],
)
def test_a_game_that_messages_cannot_describe_is_refused(old: str, new: str, reason: str) -> None:
    text = MINE.replace('"FLOP"\nboard = 3', '"FLOP"\nboard = 2') if "up" not in new else MINE
    game = parse_game(text.replace(old, new).replace("board = 3", "board = 2"))
    with pytest.raises(SettingsError, match=reason):
        make_host(Settings(seats=2, game="mine", own_game=game_fields(game)))
