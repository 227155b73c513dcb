"""A game of the lab from a file, and the house bots of games other than poker."""

from pathlib import Path

import msgspec
import pytest

from pitboss.arena.bots import GAME_BOTS, why_not
from pitboss.arena.bots.game_bots import choose
from pitboss.arena.hosts.games import chosen_game, game_type, games_of, make_host, places_of
from pitboss.arena.journal.records import Settings, SettingsError
from pitboss.chance import Chance
from pitboss.game import PlayersTurn
from pitboss.lab.files import known_text
from pitboss.lab.genome import GenomeError
from tests.support.arena.any_game import AnyTable


def file_of(folder: Path, name: str, **changes: object) -> str:
    """Write a known game under another name; return the path."""
    fields = msgspec.json.decode(known_text(name)) | {"name": "evolved"} | changes
    (folder / "evolved.json").write_bytes(msgspec.json.encode(fields))
    return str(folder / "evolved.json")


def settings_of(path: str) -> Settings:
    named = chosen_game(path)
    return Settings(game=named.game, own_game=named.own_game, seats=places_of(named).start, max_hands=2)


def test_a_game_file_of_the_lab_is_hosted_by_its_content(tmp_path: Path) -> None:
    settings = settings_of(file_of(tmp_path, "hearts"))
    host = make_host(settings)
    assert (host.variant, host.own_game) == ("evolved", settings.own_game)
    assert games_of(settings) is None
    table = AnyTable(settings, seed=5)
    while table.last is None:
        table.move()
    assert table.last.reason == "max_hands"


def test_a_file_that_changes_under_a_table_does_not_matter(tmp_path: Path) -> None:
    path = file_of(tmp_path, "leduc")
    table = AnyTable(settings_of(path), seed=5)
    table.move()
    Path(path).write_text("no game any more", encoding="utf-8")
    table.start()  # as after a crash
    while table.last is None:
        table.move()
    assert table.last.reason == "max_hands"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"player_count": 99}, "player_count"),
        ({"extra": 1}, "extra"),
        ({"setup": 7}, "setup"),
    ],
)
def test_a_genome_that_cannot_be_played_is_refused_in_one_sentence(
    changes: dict[str, object], sentence: str, tmp_path: Path
) -> None:
    path = file_of(tmp_path, "leduc", **changes)
    with pytest.raises(GenomeError, match=sentence) as refused:
        chosen_game(path)
    assert "\n" not in str(refused.value)
    broken = msgspec.json.decode(known_text("leduc")) | changes
    with pytest.raises(SettingsError, match=sentence):
        game_type(Settings(game="evolved", own_game=broken))


@pytest.mark.parametrize(("game", "bot"), [("hearts", "greedy"), ("cheat", "greedy"), ("leduc", "search")])
def test_a_house_bot_of_the_lab_chooses_from_its_own_view(game: str, bot: str) -> None:
    kind = game_type(Settings(game=game))
    state, _ = kind.start(kind.places.start, Chance(4))
    for number in range(12):
        if not isinstance(state.turn, PlayersTurn):
            break
        index = choose(bot, state.view(state.turn.place), Chance(number))
        state, _ = state.act(state.legal()[index])
    assert number > 2


def test_stings_opponents_choose_from_their_own_view() -> None:
    kind = game_type(Settings(game="sting"))
    state, _ = kind.start(3, Chance(4))
    moves = 0
    while isinstance(state.turn, PlayersTurn):
        index = choose("opponent", state.view(state.turn.place), Chance(moves))
        state, _ = state.act(state.legal()[index])
        moves += 1
    assert moves > 2


def test_a_bot_is_refused_at_a_game_that_it_does_not_play() -> None:
    assert why_not("greedy", [], "hearts") is None
    assert why_not("opponent", [], "sting") is None
    refused = why_not("opponent", [], "hearts")
    assert refused == "the house bot opponent does not play hearts: take random, greedy or search"
    assert {*GAME_BOTS} == {"greedy", "search", "opponent"}
