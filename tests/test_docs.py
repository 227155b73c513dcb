"""The pages say what the program does: examples run, and the rules page knows the rules' version."""

import ast
import doctest
import hashlib
import re
import tokenize
import tomllib
from io import StringIO
from pathlib import Path

import pytest

import pitboss

ROOT = Path(__file__).parent.parent
RULES = ("betting/core.py", "betting/rules.py", "betting/pots.py", "hand/structure.py", "hand/showdown.py")


@pytest.mark.parametrize("page", ["README.md", "docs/rules.md", "docs/table.md"])
def test_every_example_of_a_page_runs(page: str) -> None:
    failures, examples = doctest.testfile(str(ROOT / page), module_relative=False, encoding="utf-8")
    assert failures == 0
    assert examples > 0


def test_the_first_screen_of_the_readme_is_something_to_run() -> None:
    first_screen = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:40]
    assert ">>> from pitboss import *" in first_screen


def code_lines(source: str) -> list[str]:
    """The lines of a module without comments, docstrings and blank lines, the same under every Python."""
    lines = source.splitlines()
    for token in tokenize.generate_tokens(StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            for row in range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1):
                lines[row - 1] = ""
    return [line.rstrip() for line in lines if line.strip()]


def fingerprint() -> str:
    """A hash of the code of the rules, whose comments and docstrings may change freely."""
    digest = hashlib.sha256()
    for name in RULES:
        source = (ROOT / "src" / "pitboss" / name).read_text(encoding="utf-8")
        digest.update("\n".join(code_lines(source)).encode())
    return digest.hexdigest()[:16]


def test_000_9_rules_page_changes_with_the_rules_and_the_version() -> None:
    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    versions = re.findall(r"^\| (\d+\.\d+\.\d+) \| (\S+) \|$", page, re.MULTILINE)
    assert versions[-1] == (pitboss.__version__, fingerprint()), (
        "the rules have changed: say so in docs/rules.md and CHANGELOG.md, raise the version once it is released, "
        f"and end the page with | {pitboss.__version__} | {fingerprint()} |"
    )
    assert len({version for version, _ in versions}) == len(versions)


def test_public_names_are_pinned() -> None:
    """Whoever adds or removes a public name does it on purpose: the count and the names stand here."""
    missing = [name for name in pitboss.__all__ if not hasattr(pitboss, name)]
    assert missing == []
    assert len(pitboss.__all__) == len(set(pitboss.__all__))
    pinned = (ROOT / "tests" / "public_names.txt").read_text(encoding="utf-8").split()
    assert sorted(pitboss.__all__) == pinned


def test_contributing_lists_the_rooms_in_the_order_that_imports_must_keep() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["containers"] == ["pitboss"])
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = [line.split(" | ")[0] for line in page.splitlines() if line.startswith("| `")]
    listed = [["__main__"], *[sorted(re.findall(r"`(\w+)/?`", row)) for row in rows]]
    assert listed == [sorted(re.findall(r"\w+", layer)) for layer in layers]
