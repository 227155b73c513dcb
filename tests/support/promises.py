"""The promises of the arena: what each says, the tests that hold it, and the last figures that runs of them wrote.

A promise is an entry of a file in `docs/promises/`; figures lie in `docs/promises/figures/`, one file a promise,
written by tests where PITBOSS_FIGURES is set (`make slow` and the heavier targets set it).
`python -m tests.support.promises` writes `docs/promises.md` out of both.
"""

import json
import os
import tomllib
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import Struct, field

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "promises"
PAGE = ROOT / "docs" / "promises.md"
SWITCH = "PITBOSS_FIGURES"

Figure = int | float | str
Figures = dict[str, Figure]

HEAD = """# Promises

What the arena promises, what holds it to that, and what it does not promise. Each test named here fails if the promise
is broken; figures are of the last run that wrote them down, by `make slow` or by the target named. This page is written
by `python -m tests.support.promises` from `docs/promises/`.
"""


class Promise(Struct, frozen=True, forbid_unknown_fields=True):
    """One promise: its name, what it says, what holds it, and where it ends."""

    id: str
    says: str
    tests: tuple[str, ...]  #: as pytest names them, or a make target
    ends: str = ""  #: what is not promised


class PromiseGroup(Struct, frozen=True, forbid_unknown_fields=True):
    """The promises of one file, under one heading."""

    heading: str
    order: int
    promise: tuple[Promise, ...] = field(default=())


def read_promises(folder: Path = FOLDER) -> list[PromiseGroup]:
    """All promises, in the order of the page."""
    groups = [
        msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), PromiseGroup)
        for path in sorted(folder.glob("*.toml"))
    ]
    return sorted(groups, key=lambda group: group.order)


def read_figures(promise: str, folder: Path = FOLDER) -> Figures:
    """The last figures of a promise, with the day they were written."""
    path = folder / "figures" / f"{promise}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def write_figures(promise: str, folder: Path = FOLDER, **figures: Figure) -> None:
    """Put the figures of a promise down and write the page anew, where that is asked for; says so if there is none."""
    known = {each.id for group in read_promises(folder) for each in group.promise}
    assert promise in known, f"there is no promise {promise!r} in docs/promises"
    if not os.environ.get(SWITCH):
        return
    (folder / "figures").mkdir(exist_ok=True)
    found: Figures = {"day": f"{datetime.now(UTC):%Y-%m-%d}", **figures}
    path = folder / "figures" / f"{promise}.json"
    path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    if folder == FOLDER:
        PAGE.write_text(format_page(), encoding="utf-8")


def format_page(folder: Path = FOLDER) -> str:
    """The page, from the promises and their figures."""
    parts = [HEAD]
    for group in read_promises(folder):
        parts.append(f"\n## {group.heading}\n")
        parts += [format_promise(promise, read_figures(promise.id, folder)) for promise in group.promise]
    return "".join(parts)


def format_promise(promise: Promise, figures: Figures) -> str:
    """One promise as the page has it.

    >>> fair = Promise("fair", "Decks are fair.", ("tests/x.py::test_y",))
    >>> print(format_promise(fair, {"day": "2026-01-02", "decks": 9000}))
    <BLANKLINE>
    **Decks are fair.**
    <BLANKLINE>
    - Held by `tests/x.py::test_y`.
    - Last figures (2026-01-02): decks 9,000.
    <BLANKLINE>
    """
    lines = ["", f"**{promise.says}**", "", f"- Held by {', '.join(f'`{test}`' for test in promise.tests)}."]
    if promise.ends:
        lines.append(f"- Not promised: {promise.ends}")
    if figures:
        named = [f"{name.replace('_', ' ')} {_format(value)}" for name, value in figures.items() if name != "day"]
        lines.append(f"- Last figures ({figures['day']}): {', '.join(named)}.")
    return "\n".join([*lines, ""])


def _format(value: Figure) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4g}" if isinstance(value, float) else value


if __name__ == "__main__":
    PAGE.write_text(format_page(), encoding="utf-8")
