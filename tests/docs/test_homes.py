"""Guides, tutorials, examples and starter bots import only public names, from the seven homes."""

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tests.support.for_each import for_each

ROOT = Path(__file__).parents[2]
HOMES = ("pitboss", *(f"pitboss.{name}" for name in ("table", "documents", "formats", "batch", "lab", "client")))
BLOCK = re.compile(r"^ *```(?:python|py|pycon)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
PROMPT = re.compile(r"^ *(?:>>>|\.\.\.)(?: |$)", re.MULTILINE)
IMPORT = re.compile(r"^\s*(from pitboss[\w.]* import (?:\([^)]*\)|.+)|import pitboss.*)$", re.MULTILINE)
GUIDES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
STARTERS = sorted((ROOT / "src/pitboss/client/starters").glob("*.py"))
DOCUMENTED = {
    "pitboss.batch": ("FOLD", "ALL_IN", "Batch"),
    "pitboss.betting.core": ("owed",),
    "pitboss.fast.equity.ranges": ("read_range", "write_range"),
    "pitboss.fast.play.policies": ("by_the_pot", "give_up", "stay"),
    "pitboss.formats.acpc": ("read_acpc", "write_acpc"),
    "pitboss.formats.ohh": ("read_ohh", "write_ohh"),
    "pitboss.lab.files": ("load",),
    "pitboss.lab.solver.solver": ("solve",),
    "pitboss.ranks": ("high_name",),
}
"""What earlier guides imported from other modules."""


def imports(source: str) -> Iterator[tuple[str, str]]:
    """Yield the module and the name of each import of pitboss. The name is empty for `import pitboss.x`."""
    for text in IMPORT.findall(PROMPT.sub("", source)):
        for node in ast.parse(text.strip()).body:
            if isinstance(node, ast.ImportFrom):
                yield from ((node.module or "", alias.name) for alias in node.names)
            elif isinstance(node, ast.Import):
                yield from ((alias.name, "") for alias in node.names)


def foreign(source: str) -> list[str]:
    """Return the imports that are not public names of a home."""
    return [
        f"{module} {name}".strip()
        for module, name in imports(source)
        if module not in HOMES or (name not in ("", "*") and name not in import_module(module).__all__)
    ]


def test_python_blocks_of_the_guides_import_only_from_the_homes() -> None:
    blocks = [(page.name, block) for page in GUIDES for block in BLOCK.findall(page.read_text(encoding="utf-8"))]
    assert len(blocks) > 200
    assert sum(1 for _, block in blocks for _ in imports(block)) > 50
    assert [(name, wrong) for name, block in blocks if (wrong := foreign(block))] == []


def test_starter_bots_import_only_from_the_homes() -> None:
    assert len(STARTERS) >= 2
    assert [(bot.name, wrong) for bot in STARTERS if (wrong := foreign(bot.read_text(encoding="utf-8")))] == []


def test_a_foreign_import_is_found() -> None:
    text = ">>> from pitboss.hand.games import RAZZ\n>>> from pitboss import nonsense\nimport pitboss.store\n"
    assert foreign(text) == ["pitboss.hand.games RAZZ", "pitboss nonsense", "pitboss.store"]
    assert foreign(">>> from pitboss import *\n>>> from pitboss.batch import (\n...     FOLD,\n... )\n") == []


@for_each("home", HOMES)
def test_every_name_of_a_home_is_there(home: str) -> None:
    module = import_module(home)
    assert len(module.__all__) == len(set(module.__all__)) > 5
    assert [name for name in module.__all__ if not hasattr(module, name)] == []
    assert set(module.__all__) <= set(dir(module))
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = module.nonsense


def test_the_page_about_stability_lists_the_homes() -> None:
    page = (ROOT / "docs" / "stable.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(pitboss[.\w]*)` \|", page, re.MULTILINE) == list(HOMES)


@for_each("module", DOCUMENTED)
def test_names_that_earlier_guides_imported_are_still_there(module: str) -> None:
    assert [name for name in DOCUMENTED[module] if not hasattr(import_module(module), name)] == []
