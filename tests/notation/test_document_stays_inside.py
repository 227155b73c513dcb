"""The fields of tables stand in the document's own codec and nowhere else in notation/; table/ knows no file format."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.check

SOURCE = Path(__file__).parents[2] / "src" / "pitboss"
CODEC = SOURCE / "notation" / "document"
OUTSIDE = [path for path in sorted((SOURCE / "notation").rglob("*.py")) if CODEC not in path.parents]
TABLE = sorted((SOURCE / "table").glob("*.py"))
FIELDS = (
    *("_inactive", "_intents", "_deadBlinds", "_deadMoney", "_deadPosts", "_button", "_smallBlind", "_smallSeat"),
    *("_smallAfter", "_bigBlind", "_ante", "_left", "_reopening", "_unposted", "seatCount", "startingStacks"),
)


def texts(source: str) -> Iterator[str]:
    """Every text of a module, its docstrings among them."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def named(source: str) -> list[str]:
    """The fields of tables that a module names."""
    return [field for field in FIELDS if any(re.search(rf"(?<!\w){field}\b", text) for text in texts(source))]


@pytest.mark.parametrize("path", [*OUTSIDE, *TABLE], ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_no_field_of_a_table_is_named_outside_the_codec(path: Path) -> None:
    assert named(path.read_text(encoding="utf-8")) == []


def test_the_codec_is_where_they_are_named() -> None:
    inside = "\n".join(path.read_text(encoding="utf-8") for path in sorted(CODEC.glob("*.py")))
    assert set(named(inside)) == set(FIELDS) - {"_unposted"}


@pytest.mark.parametrize("path", TABLE, ids=lambda path: path.name)
def test_the_table_imports_no_notation(path: Path) -> None:
    assert "pitboss.records" not in path.read_text(encoding="utf-8")
