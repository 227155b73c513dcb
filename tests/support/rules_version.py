"""The version of the rules: a number and a fingerprint of their code, listed with what changed in docs/rules.md.

The fingerprint of a version covers the code of all rooms that hold rules and the version before it, and it is part of
the version's name: other rules cannot go by the same name, and a line of the list cannot be replaced but only followed
by another. `python -m tests.support.rules_version "What changed."` adds the line where the rules have changed.
"""

import ast
import hashlib
import re
import sys
from functools import cache
from pathlib import Path

import pitboss

ROOT = Path(__file__).parents[2]
PAGE = Path("docs", "rules.md")
ROOMS = ("betting", "cards.py", "chance.py", "hand", "ranks", "table")
"""Where rules stand under src/pitboss; a new file in one of these rooms counts by itself."""
NO_RULES = Path("src", "pitboss", "hand", "look")
"""How a hand is printed, drawn and written in a line: that may change while the rules stay."""

ROW = re.compile(r"^\| (\d+-[0-9a-f]{8}) \| (\S.*\S) \|$", re.MULTILINE)
PINNED = re.compile(r'(?<=^RULES_VERSION = ")[^"]*(?="$)', re.MULTILINE)


def sources(root: Path = ROOT) -> list[Path]:
    """Every file that holds rules: code, and tables of hands as bytes."""
    rooms = [root / "src" / "pitboss" / name for name in ROOMS]
    files = [file for room in rooms for file in ([room] if room.is_file() else room.rglob("*")) if file.is_file()]
    return sorted(file for file in files if "__pycache__" not in file.parts and root / NO_RULES not in file.parents)


@cache
def meaning(code: str) -> str:
    """What a module says to Python, whatever its layout, comments and docstrings, and whichever Python reads it."""
    return repr(_plain(ast.parse(code)))


def _plain(value: object) -> object:
    if isinstance(value, list):
        return [_plain(item) for item in value if not _is_text_alone(item)]
    if not isinstance(value, ast.AST):
        return value
    fields = [(name, _plain(field)) for name, field in ast.iter_fields(value) if name != "kind"]
    return type(value).__name__, [(name, field) for name, field in fields if field not in (None, [])]


def _is_text_alone(item: object) -> bool:
    return isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant) and isinstance(item.value.value, str)


def next_version(before: str | None, root: Path = ROOT) -> str:
    """The name of the rules as they stand, as the version that follows another."""
    digest = hashlib.sha256((before or "").encode())
    for file in sources(root):
        content = meaning(file.read_text(encoding="utf-8")).encode() if file.suffix == ".py" else file.read_bytes()
        digest.update(f"{file.relative_to(root).as_posix()} {len(content)}\n".encode() + content)
    return f"{number(before) + 1}-{digest.hexdigest()[:8]}"


def number(version: str | None) -> int:
    """A version's number."""
    return 0 if version is None else int(version.partition("-")[0])


def listed(page: str) -> list[str]:
    """The versions that a page lists, oldest first."""
    return [version for version, _ in ROW.findall(page)]


def is_current(versions: list[str], root: Path = ROOT) -> bool:
    """Whether the last version of a list is the one of the rules as they stand."""
    return bool(versions) and versions[-1] == next_version(versions[-2] if len(versions) > 1 else None, root)


def main() -> None:
    """Follow the last version by the rules as they stand, in the page and in `pitboss.RULES_VERSION`."""
    page, package = ROOT / PAGE, Path(pitboss.__file__)
    versions = listed(text := page.read_text(encoding="utf-8"))
    if is_current(versions):
        print(f"the rules are still those of version {versions[-1]}")
        return
    if len(sys.argv) != 2 or not ROW.match(f"| 1-{'0' * 8} | {sys.argv[1]} |"):
        sys.exit('the rules have changed: say what in one line, python -m tests.support.rules_version "What changed."')
    version = next_version(versions[-1] if versions else None)
    page.write_text(f"{text.rstrip()}\n| {version} | {sys.argv[1]} |\n", encoding="utf-8")
    package.write_text(PINNED.sub(version, package.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"the rules have version {version} now")


if __name__ == "__main__":
    main()
