"""The page of promises: every test that it names exists, and every row of figures is written by something."""

import re
from pathlib import Path

import pytest

from tests.support.figures import PAGE, ROOT, write_row

TEXT = PAGE.read_text(encoding="utf-8")
ROWS = re.findall(r"^\| ([a-z-]+) \| (?:none|\d{4}-\d\d-\d\d) \|", TEXT, re.MULTILINE)


def test_every_test_and_target_it_names_exists() -> None:
    named = re.findall(r"`(tests/[\w./]+|docs/[\w./]+)`", TEXT)
    assert len(named) > 30
    assert [name for name in named if not (ROOT / name).exists()] == []
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert [name for name in re.findall(r"`make (\w+)`", TEXT) if f"\n{name}:" not in makefile] == []


def test_every_row_has_one_writer() -> None:
    files = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py") if path != Path(__file__)]
    written = [name for text in files for name in re.findall(r'write_row\(\s*"([a-z-]+)"', text)]
    assert sorted(written) == sorted(ROWS)


def test_a_row_is_replaced_and_no_other(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# Page\n\n| a | 2026-01-01 | x 1 | `make a` |\n| b | 2026-01-01 | x 1 | `make b` |\n", encoding="utf-8"
    )
    write_row("b", page, big_hands=12000, share=0.95561, seed="s")
    first, second = page.read_text(encoding="utf-8").splitlines()[2:]
    assert first == "| a | 2026-01-01 | x 1 | `make a` |"
    assert re.fullmatch(r"\| b \| 2\d{3}-\d\d-\d\d \| big hands 12,000, share 0\.9556, seed s \| `make b` \|", second)
    with pytest.raises(ValueError, match="unpack"):
        write_row("c", page, x=1)
