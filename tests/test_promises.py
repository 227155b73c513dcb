"""The page of promises: it is what its parts say, and every test it names is there."""

import ast
import re
from pathlib import Path

import pytest

from tests.support import promises
from tests.support.for_each import for_each
from tests.support.promises import Promise, format_page, read_promises, write_figures

ROOT = Path(__file__).parent.parent
ALL = [promise for group in read_promises() for promise in group.promise]
TARGETS = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


def test_the_page_is_what_its_parts_say() -> None:
    assert promises.PAGE.read_text(encoding="utf-8") == format_page(), "run python -m tests.support.promises"


def test_a_promise_has_a_name_of_its_own_and_something_that_holds_it() -> None:
    assert len({promise.id for promise in ALL}) == len(ALL)
    assert [promise.id for promise in ALL if not promise.tests] == []


@for_each("promise", ALL, ids=lambda promise: promise.id)
def test_what_holds_a_promise_is_there(promise: Promise) -> None:
    for test in promise.tests:
        if test.startswith("make "):
            assert test.split()[1] in TARGETS
            continue
        path, _, name = test.partition("::")
        assert (ROOT / path).exists(), f"{promise.id}: {test}"
        if name:
            tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
            assert name.split("::")[-1] in {node.name for node in ast.walk(tree) if hasattr(node, "name")}, test


def test_every_figure_is_of_a_promise() -> None:
    written = {path.stem for path in (promises.FOLDER / "figures").glob("*.json")}
    assert written <= {promise.id for promise in ALL}


def test_figures_of_no_promise_are_refused() -> None:
    with pytest.raises(AssertionError, match="no promise"):
        write_figures("something else", hands=1)


def test_figures_are_written_where_that_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.toml").write_text(
        'heading = "A"\norder = 1\n[[promise]]\nid = "fair"\nsays = "Fair."\ntests = ["make laws"]\n', encoding="utf-8"
    )
    monkeypatch.delenv(promises.SWITCH, raising=False)
    write_figures("fair", tmp_path, decks=5)
    assert "Last figures" not in format_page(tmp_path)
    monkeypatch.setenv(promises.SWITCH, "1")
    write_figures("fair", tmp_path, decks=5000)
    assert "decks 5,000" in format_page(tmp_path)
