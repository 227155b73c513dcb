"""A game file is accepted wherever the name of a game is."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pitboss import (
    Chance,
    Hand,
    PositionError,
    Record,
    ReplayError,
    Table,
    TableStakes,
    equity,
    evaluate,
    find_game,
    read_game,
    read_phh,
    read_position,
    replay,
    simulate,
    statistics,
    write_phh,
    write_position,
)
from pitboss.decks import secure_deck
from pitboss.formats.phh.fields import PhhError
from pitboss.hand.game_file import GameFileError, game_fields, own_game, write_game
from pitboss.hand.games import file_games
from tests.support.for_each import for_each

MINE = (
    write_game(find_game("omaha"))
    .replace('"omaha"', '"mine"')
    .replace('code = "PO"', "")
    .replace('aliases = ["pot_limit_omaha"]', "")
    .replace('title = "pot-limit Omaha"', 'title = "my Omaha"')
)
"""Omaha under another name."""

USES: dict[str, Callable[[str | Path], object]] = {
    "deal": lambda game: Hand.deal(game, stacks=(100, 100), blinds=(1, 2), seed=1)[0].holes,
    "deck": lambda game: sorted(secure_deck(game)),
    "equity": lambda game: equity("AsAhKsKh", "7c7d8c8d", structure=game, samples=100).equity,
    "evaluate": lambda game: evaluate("AsAhKsKh", board="2c3c4d5d9h", game=game),
    "simulate": lambda game: simulate(20, seats=2, structure=game, cores=1).chips_out,
    "table": lambda game: Table.open(TableStakes(small_blind=1, big_blind=2), structure=game).games.most_players,
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(MINE, encoding="utf-8")
    return path


@for_each("use", USES)
def test_a_file_works_like_a_name(use: str, path: Path) -> None:
    by_name = USES[use]("omaha")
    assert USES[use](path) == USES[use](str(path)) == by_name


@for_each("use", USES)
def test_a_wrong_file_is_refused(use: str, path: Path) -> None:
    with pytest.raises(GameFileError):
        USES[use](path.with_name("other.toml"))


def test_the_game_of_a_file_has_no_code_of_pitboss(path: Path) -> None:
    game = read_game(path)
    assert (game.code, game.key, game.streets) == ("X", "mine", find_game("omaha").streets)


@for_each("name", [game.key for game in file_games()])
def test_a_record_and_a_position_carry_the_game(name: str) -> None:
    game = find_game(name)
    stakes = {"ante": 1, "min_bet": 4, "bring_in": 2} if game.betting.bring_in else {"blinds": (1, 2)}
    hand, events = Hand.deal(game, stacks=(100, 90, 80), seed=5, **stakes)
    chance = Chance(3)
    while not hand.over:
        assert read_position(write_position(hand)) == hand
        hand, more = hand.act(chance.choice(hand.legal()[1:] or hand.legal()))
        events += more
    record = Record.from_hand(hand, events)
    assert (record.variant, record.user["_game"]) == ("X", game_fields(game))
    assert find_game(name) == own_game(record.user["_game"])
    again = read_phh(write_phh(record))
    assert again == record
    played = replay(again)
    assert (played.finishing_stacks, played.hand.structure) == (hand.stacks, game)
    assert len(statistics([again])) == 3


@for_each(
    "change, sentence",
    [
        ("", "_game: expected a table, got"),
        ("_game = {name = 'mine'}", "_game: the key title is missing"),
        ("_game = 7", "_game: expected a table"),
    ],
)
def test_a_record_without_its_game_is_refused(change: str, sentence: str) -> None:
    text = "variant = 'X'\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\nstarting_stacks = [9, 9]\n"
    with pytest.raises(PhhError, match=sentence):
        read_phh(f"{text}actions = []\n{change}\n")
    record = Record(
        variant="X", antes=(0, 0), blinds_or_straddles=(1, 2), min_bet=2, starting_stacks=(9, 9), actions=()
    )
    with pytest.raises(ReplayError, match="_game"):
        replay(record)


@for_each("game", ["{", "7", "{}", '{"name":"x"}', "[" * 5000], ids=["open", "number", "empty", "name", "nested"])
def test_a_position_with_a_wrong_game_is_refused(game: str) -> None:
    with pytest.raises(PositionError):
        read_position(f"X={game} 10/20 | PRE_FLOP bet p1 | p1 10+90 | p2 20+80")
