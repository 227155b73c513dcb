"""Other rules have another version, which the rules page lists for good."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

import pitboss
from tests.support.rules_version import (
    PAGE,
    ROOMS,
    ROOT,
    ROW,
    is_current,
    listed,
    meaning,
    next_version,
    number,
    sources,
)

TEXT = (ROOT / PAGE).read_text(encoding="utf-8")
TOOL = 'python -m tests.support.rules_version "What changed."'


def test_000_9_rules_page_changes_with_the_rules_and_the_version() -> None:
    assert is_current(listed(TEXT)), f"the rules have changed: say so in docs/rules.md and CHANGELOG.md, and run {TOOL}"
    assert listed(TEXT)[-1] == pitboss.RULES_VERSION


def test_versions_are_numbered_and_end_the_page() -> None:
    assert [number(version) for version in listed(TEXT)] == list(range(1, len(listed(TEXT)) + 1))
    assert ROW.match(TEXT.splitlines()[-1])


def test_no_version_that_was_ever_listed_is_gone() -> None:
    """Who writes over a line has other rules under a number that was given away."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("the page's past is not looked at: this is no checkout of git")
    command = [git, "-C", str(ROOT), "log", "--format=", "--patch", "--", PAGE.as_posix()]
    done = subprocess.run(command, capture_output=True, check=False, text=True, encoding="utf-8")
    if done.returncode != 0:
        pytest.skip(f"the page's past is not looked at: {done.stderr.strip()}")
    committed = {line[1:] for line in done.stdout.splitlines() if line.startswith("+| ")}
    assert set(listed("\n".join(sorted(committed)))) <= set(listed(TEXT))


def test_all_rooms_of_rules_are_covered() -> None:
    """Rules are what may read no clock and no generator, but for notations; and what is dealt by chance."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    [pure] = [contract for contract in contracts if contract["name"] == "Rules take chance and time as arguments"]
    rooms = {module.removeprefix("pitboss.") for module in pure["source_modules"]} - {"notation"} | {"chance"}
    assert {name.removesuffix(".py") for name in ROOMS} == rooms


# --- the guard itself


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of the rules."""
    for file in sources():
        target = tmp_path / file.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, target)
    return tmp_path


def test_any_change_of_any_file_is_another_version(copy: Path) -> None:
    before, seen = "1-00000000", {next_version("1-00000000", copy)}
    for file in sources(copy):
        content = file.read_bytes()
        file.write_bytes(content + (b"\nadded = 1\n" if file.suffix == ".py" else b"\0"))
        seen.add(next_version(before, copy))
        file.write_bytes(content)
    (copy / "src" / "pitboss" / "hand" / "new.py").write_text("rule = 1\n", encoding="utf-8")
    seen.add(next_version(before, copy))
    assert len(seen) == 2 + len(sources()) > 25


def test_comments_docstrings_and_layout_are_no_rules(copy: Path) -> None:
    before = next_version(None, copy)
    for file in sources(copy):
        if file.suffix == ".py":
            text = re.sub(r"\n\n+", "\n\n\n\n# said aside\n", file.read_text(encoding="utf-8"))
            file.write_text(f'"""Something else."""\n{text}\n"""Said at the end."""\n', encoding="utf-8")
    assert next_version(None, copy) == before


def test_the_last_line_cannot_be_written_over(copy: Path) -> None:
    """The same number would be another version, and one that the constant and the journals do not name."""
    old = next_version(None, copy)
    (copy / "src" / "pitboss" / "hand" / "new.py").write_text("rule = 1\n", encoding="utf-8")
    assert not is_current([old], copy)
    over, after = next_version(None, copy), next_version(old, copy)
    assert over != old
    assert is_current([old, after], copy)
    assert not is_current(["1-00000000", after], copy)  # a line before it is covered too


def test_meaning_is_what_python_reads() -> None:
    assert meaning("def f(a: int = 1) -> int:\n    'Say.'\n    return a") == meaning("def f(a:int=1)->int: return (a)")
    assert meaning("f'{a!r:>{b}}'") != meaning("f'{a!s:>{b}}'")
    assert meaning("a and b or c") != meaning("a and (b or c)")
    assert meaning("x = 'text'") != meaning("x = 'other'")
