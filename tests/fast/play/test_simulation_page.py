"""docs/simulation.md is right: its examples run, and it names every policy."""

import doctest
import re
from pathlib import Path

import pytest

from pitboss.fast.play.policies import NAMES
from tests.support.cli.runs import run

PAGE = Path(__file__).parents[3] / "docs" / "simulation.md"
TEXT = PAGE.read_text(encoding="utf-8")


@pytest.mark.check
def test_every_example_of_the_page_runs() -> None:
    pytest.importorskip("numba", reason="Numba is not installed: nothing to compile with")
    failures, examples = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert failures == 0
    assert examples > 20


def test_the_page_names_every_policy_once_in_its_table() -> None:
    assert tuple(re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE)) == NAMES


def test_the_commands_of_the_page_are_accepted() -> None:
    """With few hands instead of many."""
    commands = re.findall(r"^pitboss (simulate .*)$", TEXT, re.MULTILINE)
    assert len(commands) == 4
    for command in commands:
        assert run(*re.sub(r"--hands \d+", "--hands 20", command).split()).exit_code == 0


@pytest.mark.parametrize("page", ["simulation.md", "decisions/010-compiled-hands.md"])
def test_the_links_of_the_page_exist(page: str) -> None:
    path = PAGE.parent / page
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", path.read_text(encoding="utf-8"))
    assert [link for link in links if not (path.parent / link).exists()] == []
    files = re.findall(r"`((?:fast|betting|hand|table)/\w+\.py)`", path.read_text(encoding="utf-8"))
    assert files
    assert [file for file in files if not (PAGE.parents[1] / "src" / "pitboss" / file).exists()] == []
