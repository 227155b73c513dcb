"""The archive file: round trips, errors in other files, and a full disk."""

from pathlib import Path

import msgspec
import pytest

from pitboss.lab.evolution.archive import (
    Cell,
    EvolutionError,
    GameArchive,
    Recipe,
    keep_games,
    read_archive,
    write_archive,
)
from pitboss.lab.files import load
from pitboss.lab.measures.figures import Measure
from tests.support.for_each import for_each


def small(seed: int = 3) -> GameArchive:
    """A map with one game."""
    cell = Cell(cell=(1, 2), genome=load("kuhn"), measures={"skill": Measure(0.5, 0.4, 0.6)}, lineage=("war", "leduc"))
    return GameArchive(recipe=Recipe(seed=seed, founders=(load("war"),)), generation=4, cells=(cell,))


def test_an_archive_reads_back_as_it_was_written(tmp_path: Path) -> None:
    write_archive(tmp_path, small())
    assert read_archive(tmp_path) == small()
    written = msgspec.json.decode((tmp_path / "archive.json").read_bytes())
    assert written["seed"] == 3
    assert written["axes"] == ["skill", "length"]
    [cell] = written["cells"]
    assert cell["cell"] == [1, 2]
    assert cell["genome"]["name"] == "kuhn"
    assert cell["measures"] == {"skill": {"mean": 0.5, "low": 0.4, "high": 0.6}}
    assert cell["lineage"] == ["war", "leduc"]


def test_a_read_archive_is_written_with_the_same_bytes(tmp_path: Path) -> None:
    [cell] = small().cells
    whole = msgspec.structs.replace(cell, measures={"bluffs": Measure(0, 0, 1)})  # measures may be whole numbers
    write_archive(tmp_path, msgspec.structs.replace(small(), cells=(whole,)))
    first = (tmp_path / "archive.json").read_bytes()
    write_archive(tmp_path, read_archive(tmp_path))
    assert (tmp_path / "archive.json").read_bytes() == first


def test_a_cell_knows_its_founder_and_its_parent() -> None:
    [cell] = small().cells
    assert (cell.name, cell.founder, cell.parent) == ("kuhn", "war", "leduc")
    invented = msgspec.structs.replace(cell, lineage=())
    assert (invented.founder, invented.parent) == ("kuhn", "kuhn")


@for_each(
    "text", ["", "[]", "{}", "[" * 5000, '{"cells": ' + "[" * 5000, '{"cells": 3}', '{"cells": [{}], "founders": []}']
)
def test_other_files_are_refused_with_one_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "archive.json").write_text(text, encoding="utf-8")
    with pytest.raises(EvolutionError, match=r"archive\.json: expected an archive"):
        read_archive(tmp_path)
    with pytest.raises(EvolutionError, match=r"has no archive\.json"):
        read_archive(tmp_path / "nowhere")


def test_a_generation_below_the_first_is_refused(tmp_path: Path) -> None:
    write_archive(tmp_path, small())
    written = msgspec.json.decode((tmp_path / "archive.json").read_bytes())
    (tmp_path / "archive.json").write_bytes(msgspec.json.encode({**written, "generation": -(10**15)}))
    with pytest.raises(EvolutionError, match=r"archive\.json: expected an archive"):
        read_archive(tmp_path)


def test_links_in_a_run_lead_to_no_other_file(tmp_path: Path) -> None:
    victim = tmp_path / "victim" / "cell_1_2.json"
    victim.parent.mkdir()
    victim.write_text("precious", encoding="utf-8")
    run = tmp_path / "run"
    run.mkdir()
    (run / ".archive.json.part").symlink_to(victim)
    write_archive(run, small())
    (run / "games").symlink_to(victim.parent)
    found = read_archive(run)
    with pytest.raises(EvolutionError, match="games: expected a folder, got a symbolic link"):
        keep_games(run, found, found)
    assert victim.read_text(encoding="utf-8") == "precious"


def test_a_full_disk_keeps_the_old_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_archive(tmp_path, small())

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(EvolutionError, match="No space left on device"):
        write_archive(tmp_path, small(seed=4))
    assert read_archive(tmp_path) == small()
    assert [path.name for path in tmp_path.iterdir()] == ["archive.json"]


def test_a_strangers_archive_names_no_file(tmp_path: Path) -> None:
    victim = tmp_path / "victim" / "config.json"
    victim.parent.mkdir()
    victim.write_text("precious", encoding="utf-8")
    run = tmp_path / "runs" / "found"
    run.mkdir(parents=True)
    [cell] = small().cells
    names = ("../../../victim/config", str(victim.with_suffix("")), "..", "a/b", "cell_1_2", "aux")
    hostile = [msgspec.structs.replace(cell, genome=msgspec.structs.replace(cell.genome, name=name)) for name in names]
    cells = tuple([msgspec.structs.replace(each, cell=(k, k)) for k, each in enumerate(hostile)])
    archive = msgspec.structs.replace(small(), cells=cells)
    write_archive(run, archive)
    found = read_archive(run)
    keep_games(run, found, GameArchive(recipe=found.recipe))
    assert sorted(path.name for path in (run / "games").iterdir()) == [f"cell_{k}_{k}.json" for k in range(len(names))]
    keep_games(run, GameArchive(recipe=found.recipe), found)
    assert list((run / "games").iterdir()) == []
    assert victim.read_text(encoding="utf-8") == "precious"
    assert sorted(path.name for path in tmp_path.rglob("*.json")) == ["archive.json", "config.json"]
