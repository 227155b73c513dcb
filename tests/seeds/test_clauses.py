"""docs/reference/clauses.md: every heading of a specification is listed, and every test that a clause names exists."""

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "reference" / "clauses.md"
SPECIFICATIONS = ROOT.parent / "shared" / "seeds"
NUMBERS = ("000", "002", "004")


@cache
def sections() -> dict[str, list[list[str]]]:
    """The rows of each section's table: heading, clause, tests."""
    found: dict[str, list[list[str]]] = {}
    for section in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]:
        number, *lines = section.splitlines()
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
        found[number] = rows[2:]
    return found


@cache
def defined_tests() -> frozenset[str]:
    """The names of all test functions in tests/."""
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
    return frozenset(name for text in texts for name in re.findall(r"^def (test_\w+)\(", text, re.MULTILINE))


def rows_of(number: str) -> list[list[str]]:
    """The rows of one section."""
    rows = sections()[number]
    assert rows, f"docs/reference/clauses.md has no clauses of {number}"
    return rows


@pytest.mark.parametrize("number", NUMBERS)
def test_every_clause_names_tests_that_exist(number: str) -> None:
    unknown, untested = [], []
    for heading, clause, tests in rows_of(number):
        named = re.findall(r"`(test_\w+)`", tests)
        unknown += [name for name in named if name not in defined_tests()]
        if not named:
            untested.append(f"{heading}: {clause}")
    assert not unknown, f"docs/reference/clauses.md names tests that do not exist: {unknown}"
    assert not untested, f"docs/reference/clauses.md has clauses without a test: {untested}"


@pytest.mark.parametrize("number", NUMBERS)
def test_every_heading_of_a_specification_is_listed(number: str) -> None:
    if not SPECIFICATIONS.is_dir():
        pytest.skip("the specifications are not here: ../shared/seeds is absent")
    [path] = SPECIFICATIONS.glob(f"{number}_*.txt")
    lines = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE).splitlines()
    headings = {line.lstrip("#").strip() for line in lines if re.match(r"#+ ", line)}
    listed = {heading for heading, _, _ in rows_of(number)}
    missing = sorted(heading for heading in headings if heading.replace("|", "/") not in listed)
    assert headings
    assert not missing, f"docs/reference/clauses.md does not list these headings of {number}: {missing}"
