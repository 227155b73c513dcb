"""`arena serve` asks for ratings of a run's game: by itself only on this machine, and on request everywhere."""

from pathlib import Path
from typing import Any

import click
import pytest

from pitboss.arena.hosts.games import chosen_game
from pitboss.cli.arena.serve import ratings_folder
from tests.support.for_each import for_each
from tests.support.lab.runs import run_with_leduc


def folder_for(game: str, rate: bool | None = None, host: str = "127.0.0.1", urls: tuple[str, ...] = ()) -> Path | None:
    """The folder for ratings with these options."""
    given: dict[str, Any] = {"game": game, "rate": rate, "host": host, "public_urls": urls}
    return ratings_folder(given, chosen_game(game))


def test_a_server_for_this_machine_asks_by_itself(tmp_path: Path) -> None:
    game = str(run_with_leduc(tmp_path))
    assert folder_for(game) == tmp_path.resolve()
    assert folder_for(game, rate=False) is None


def test_a_server_for_others_asks_on_request(tmp_path: Path) -> None:
    game = str(run_with_leduc(tmp_path))
    assert folder_for(game, host="0.0.0.0") is folder_for(game, urls=("https://arena.example",)) is None
    assert folder_for(game, rate=True, host="0.0.0.0") == tmp_path.resolve()


@for_each("game", ["leduc", "omaha", "sting"])
def test_a_game_of_no_run_is_not_rated(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_with_leduc(tmp_path)
    monkeypatch.chdir(tmp_path / "games")  # where the name of a game could be taken for a file of the run
    assert folder_for(game) is None
    with pytest.raises(click.UsageError, match=f"--rate: expected --game DIR/games/cell_R_C.json of a run, got {game}"):
        folder_for(game, rate=True)
