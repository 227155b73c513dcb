"""Bots are found by a word: a file, a module, or the house; errors are reported in one sentence."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.arena.bots import HOUSE
from pitboss.client import LoadError, bot_name, load_bot
from pitboss.client.bots import prepare_bot
from tests.support.client.scripted import act
from tests.support.for_each import for_each


@pytest.fixture(autouse=True)
def _nothing_left_behind() -> Iterator[None]:
    path, modules = list(sys.path), set(sys.modules)
    yield
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        if name.startswith(("pitboss_bot_", "loaded_")):
            del sys.modules[name]


def written(folder: Path, text: str, name: str = "bot.py") -> str:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return str(file)


def answer(spec: str) -> object:
    return prepare_bot(load_bot(spec)).ask(act(7))


def test_a_file_has_a_function_decide_or_a_class_bot(tmp_path: Path) -> None:
    assert answer(written(tmp_path, "def decide(act): return 'CALL'")) == "CALL"
    assert answer(written(tmp_path, "class Bot:\n    def act(self, act): return 'FOLD'", "b.py")) == "FOLD"
    both = "class Bot:\n    def act(self, act): return 'FOLD'\ndef decide(act): return 'CALL'"
    assert answer(written(tmp_path, both, "both.py")) == "CALL"
    assert answer(written(tmp_path, both, "both.py") + ":Bot") == "FOLD"


def test_bot_file_may_import_its_neighbours_and_define_dataclasses(tmp_path: Path) -> None:
    written(tmp_path, "WORD = 'CALL'", "loaded_helper.py")
    text = (
        "from __future__ import annotations\nfrom dataclasses import dataclass, field\nfrom loaded_helper import WORD\n"
        "@dataclass\nclass Bot:\n    seen: list[int] = field(default_factory=list)\n"
        "    def act(self, act): return WORD\n"
    )
    assert answer(written(tmp_path, text)) == "CALL"


def test_a_module_is_found_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "def shark(act): return 'CALL'", "loaded_module.py")
    assert answer("loaded_module:shark") == "CALL"


@for_each("name", sorted(HOUSE))
def test_a_player_of_the_house_is_found_by_name(name: str) -> None:
    assert answer(name)


@for_each(
    "text, sentence",
    [
        ("x = 1", "has no function decide and no class Bot: a bot is a function decide(act), or a class Bot"),
        ("decide = 7", "expected a function decide(act)"),
        ("class Bot: pass", "class Bot: expected a method act(self, act)"),
        ("class Bot:\n    def __init__(self, x): pass\n    def act(self, act): pass", "must take no arguments"),
        ("def decide(act):\nreturn", "is not Python: expected an indented block"),
        ("x = 1\ny = x / 0\n", "raises ZeroDivisionError in line 2 when it is loaded: division by zero"),
        ("import json\n\njson.loads('{')\n", "raises JSONDecodeError in line 3"),
        ("import no_such_module_at_all", "raises ModuleNotFoundError in line 1"),
        ("raise SystemExit('usage')", "raises SystemExit in line 1 when it is loaded: usage"),
    ],
)
def test_faulty_bot_file_is_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    spec = written(tmp_path, text)
    with pytest.raises(LoadError) as refused:
        load_bot(spec)
    assert sentence in str(refused.value)
    assert str(refused.value).count("bot.py") == 1
    assert "\n" not in str(refused.value)


def test_missing_bot_file_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "import loaded_absent", "loaded_needy.py")
    written(tmp_path, "1 / 0", "loaded_broken.py")
    for spec, sentence in [
        ("no.py", "file no.py was not found"),
        ("no.py:decide", "file no.py was not found"),
        ("nobody", "no bot is called nobody: name a Python file, module:name, or a house bot: calling"),
        ("", "no bot is called"),
        ("loaded_nowhere:decide", "module loaded_nowhere was not found"),
        ("loaded_nowhere.sub:decide", "module loaded_nowhere.sub was not found"),
        ("loaded_needy:decide", "the module loaded_needy needs loaded_absent, which is not installed"),
        ("loaded_broken:decide", "the module loaded_broken raises ZeroDivisionError in line 1"),
        ("json:nothing", "json has no nothing"),
    ]:
        with pytest.raises(LoadError) as refused:
            load_bot(spec)
        assert str(refused.value).startswith(sentence)


def test_class_that_cannot_start_gives_the_reason() -> None:
    class Broken:
        def __init__(self) -> None:
            raise OSError("no table of odds")

        def act(self, act: object) -> str:
            return "FOLD"

    with pytest.raises(TypeError, match="class Broken: raises OSError when it starts: no table of odds"):
        prepare_bot(Broken)


@for_each(
    "spec, name",
    [
        ("tight", "tight"),
        ("folder/shark.py", "shark"),
        ("shark.py:decide", "shark"),
        ("shark.py:Cautious", "Cautious"),
        ("my.bots:Bot", "bots"),
        ("my.bots:shark", "shark"),
        ("C:shark.py", "C:shark"),
        ("bert/bot.py", "bert"),
        ("bert/bot.py:decide", "bert"),
        ("bert/bot.py:Cautious", "Cautious"),
        ("carl/main.py", "carl"),
        ("carl/__main__.py", "carl"),
        ("node dora/bot.mjs", "dora"),
        ("/bot.py", "bot"),
    ],
)
def test_a_bot_has_a_name(spec: str, name: str) -> None:
    assert bot_name(spec) == name
