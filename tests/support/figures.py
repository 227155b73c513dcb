"""The table of figures at the end of docs/promises.md: a slow test or a `make` target writes its own row."""

from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "promises.md"


def write_row(name: str, page: Path = PAGE, /, **figures: float | str) -> None:
    """Replace day and result in the row of that name."""
    lines = page.read_text(encoding="utf-8").splitlines()
    [at] = [number for number, line in enumerate(lines) if line.startswith(f"| {name} |")]
    result = ", ".join(f"{key.replace('_', ' ')} {_write(value)}" for key, value in figures.items())
    *_, target, _ = lines[at].split("|")
    lines[at] = f"| {name} | {datetime.now(UTC):%Y-%m-%d} | {result} |{target}|"
    page.write_text("\n".join([*lines, ""]), encoding="utf-8")


def _write(value: float | str) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4g}" if isinstance(value, float) else value
