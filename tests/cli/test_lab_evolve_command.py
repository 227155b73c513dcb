"""`pitboss lab evolve`: the archive it writes, what it prints, interrupts and folders that cannot be."""

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pitboss.lab.evolution.evolve import Evolution, Survivor, read_archive
from pitboss.lab.genome.parts import Genome
from pitboss.lab.genome.validity import problems
from pitboss.lab.policies import simulate as play
from pitboss.lab.variation.mutations import OPERATORS
from tests.support.cli.runs import COMMAND, clean, lines, run

EVOLVE = ("lab", "evolve")
SMALL = ("--generations", "2", "--population", "5", "--games", "2")


def survivors(folder: Path) -> list[Survivor]:
    """What the archive in a folder says."""
    return list(read_archive((folder / "archive.json").read_bytes()))


def printed(*arguments: str) -> dict[str, Any]:
    """The one JSON object of a run."""
    result = run(*EVOLVE, *arguments, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    (found,) = lines(result.stdout)
    return found


def test_the_archive_holds_valid_survivors_best_first(tmp_path: Path) -> None:
    result = run(*EVOLVE, "--out", str(tmp_path / "deep" / "found"), *SMALL, "--seed", "1")
    assert (result.exit_code, result.stderr) == (0, "")
    found = survivors(tmp_path / "deep" / "found")
    assert 1 <= len(found) <= 5
    scores = [survivor.score for survivor in found]
    assert scores == sorted(scores, reverse=True)
    assert all(problems(survivor.genome) == () for survivor in found)
    assert all(survivor.score == survivor.parts.score for survivor in found)
    assert all(name in OPERATORS or name == "Crossover" for survivor in found for name in survivor.history[1:])


def test_the_same_seed_writes_the_same_file(tmp_path: Path) -> None:
    for folder, seed in (("a", "7"), ("b", "7"), ("c", "8")):
        run(*EVOLVE, "--out", str(tmp_path / folder), *SMALL, "--seed", seed)
    one, twin, other = ((tmp_path / folder / "archive.json").read_bytes() for folder in "abc")
    assert one == twin != other


def test_an_archive_that_is_there_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "archive.json").write_text("an old one " * 10_000, encoding="utf-8")
    run(*EVOLVE, "--out", str(tmp_path), *SMALL)
    assert survivors(tmp_path)


def test_json_is_one_object_that_counts_every_operator(tmp_path: Path) -> None:
    found = printed("--out", str(tmp_path), *SMALL, "--seed", "4")
    assert [found[name] for name in ("generations", "population", "games", "seed")] == [2, 5, 2, 4]
    assert found["archive"] == str(tmp_path / "archive.json")
    assert found["survivors"] == len(survivors(tmp_path))
    assert set(found["operators"]) <= {*OPERATORS, "Crossover"}
    assert sum(found["operators"].values()) >= 2 * 3
    best = survivors(tmp_path)[0]
    assert found["best"][0] == {
        "name": best.genome.name,
        "score": best.score,
        **msgspec.to_builtins(best.parts),
    }


def test_the_table_shows_the_best_with_their_scores(tmp_path: Path) -> None:
    output = run(*EVOLVE, "--out", str(tmp_path), *SMALL).stdout
    found = survivors(tmp_path)
    assert f"survivors are in {tmp_path / 'archive.json'}" in output.replace("\n", " ")
    for survivor in found:
        [line] = [line for line in output.splitlines() if f" {survivor.genome.name} " in line]
        assert line.split()[0] == f"{survivor.score:.3f}"


def test_an_interrupt_writes_what_there_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, judged = Evolution._play, []

    def interrupted(evolution: Evolution, genome: Genome) -> object:
        judged.append(genome)
        if len(judged) == 7:
            raise KeyboardInterrupt
        return whole(evolution, genome)

    monkeypatch.setattr(Evolution, "_play", interrupted)
    result = run(*EVOLVE, "--out", str(tmp_path), *SMALL, "--json")
    assert result.exit_code == 130
    assert result.stderr == "interrupted after 0 of 2 generations\n"
    assert lines(result.stdout)[0]["judged"] == 6
    assert len(survivors(tmp_path)) == 5


def test_an_interrupt_before_anything_is_there_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(play, "simulate", interrupted)
    result = run(*EVOLVE, "--out", str(tmp_path), *SMALL)
    assert result.exit_code == 130
    assert (result.stdout, result.stderr.strip()) == ("", "Aborted!")
    assert not (tmp_path / "archive.json").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="interrupts are sent otherwise on Windows")
def test_an_interrupted_process_ends_with_its_archive(tmp_path: Path) -> None:
    """The judge says that it is at work; only then is the interrupt sent."""
    code = """
import sys
from pitboss.cli.main import main
from pitboss.lab.evolution.evolve import Evolution, Parts

def judge(evolution, genome):
    if evolution.judged == 30:
        print("judging", file=sys.stderr, flush=True)
    return Parts(choices=1.0, share=0.5, length=1.0, ends=1.0)

Evolution._play = judge
main()
"""
    arguments = [*COMMAND[:-1], code, *EVOLVE, "--out", str(tmp_path), "--generations", "100000", "--games", "1"]
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=clean())
    try:
        assert process.stderr is not None
        assert process.stderr.readline() == b"judging\n"
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    assert b"survivors are in" in output
    assert errors.startswith(b"interrupted after ")
    assert survivors(tmp_path)


def test_a_folder_that_cannot_be_is_told_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Evolution, "run", lambda *_: pytest.fail("it began"))
    (tmp_path / "file").write_text("", encoding="utf-8")
    (tmp_path / "full" / "archive.json").mkdir(parents=True)
    for out in ("file", "file/under", "full"):
        result = run(*EVOLVE, "--out", str(tmp_path / out), *SMALL)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.startswith(f"pitboss lab evolve: {tmp_path / out}")
        assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        SMALL,
        ("--out", "x", "--generations", "0"),
        ("--out", "x", "--population", "1"),
        ("--out", "x", "--games", "0"),
        ("--out", "x", "--seed", "many"),
    ],
)
def test_bad_numbers_are_refused(arguments: tuple[str, ...]) -> None:
    result = run(*EVOLVE, *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""


def test_help_has_examples() -> None:
    assert "pitboss lab evolve" in run(*EVOLVE, "--help").stdout.split("Examples:")[1]
