"""Our counts next to fpdb's, which are in `NAME.hp` next to some recorded hands: what agrees, what does not and why.

`python -m tests.support.study.fpdb` writes the section of docs/statistics.md.
"""

import ast
import re
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from pitboss.study.statistics import statistics

ROOT = Path(__file__).resolve().parents[3]
SITES = ROOT.parent / "shared" / "data" / "sites"
PAGE = ROOT / "docs" / "statistics.md"
SECTION = re.compile(r"(?<=<!-- fpdb -->\n).*?(?=<!-- /fpdb -->)", re.DOTALL)
CENTS = 100

REASONS: dict[tuple[str, str, str], str] = {}
"""Why a file's count differs, by the file's name, the player and the field."""


class Compared(NamedTuple):
    """One number of one player, in fpdb's count and in ours."""

    file: str
    player: str
    field: str
    fpdb: Decimal
    ours: Decimal

    @property
    def agrees(self) -> bool:
        """Whether both counts are equal."""
        return self.fpdb == self.ours


def counted_files(folder: Path = SITES) -> list[Path]:
    """The files of hands next to which fpdb's counts are."""
    return sorted(path.with_suffix("") for path in folder.rglob("*.hp"))


def compare(path: Path) -> list[Compared] | None:
    """Both counts of every player of a file; None if its hands cannot be read."""
    theirs: dict[str, dict[str, Any]] = ast.literal_eval(Path(f"{path}.hp").read_text(encoding="utf-8"))
    ours = {row.player: row for row in statistics(path, cores=1)}
    if not ours:
        return None
    compared = []
    for player, counts in theirs.items():
        row = ours.get(player)
        vpip = Decimal(0 if row is None else round((row.vpip or 0) * row.vpip_hands))
        won = Decimal(0 if row is None or row.won is None else row.won * CENTS)
        compared.append(Compared(path.name, player, "vpip", Decimal(int(counts["street0VPI"])), vpip))
        compared.append(Compared(path.name, player, "won", Decimal(counts["totalProfit"]), won))
    return compared


def reason_for(compared: Compared) -> str | None:
    """Why two counts differ, if that is known."""
    return REASONS.get((compared.file, compared.player, compared.field))


def write_section(folder: Path = SITES) -> str:
    """The comparison as a section of the page."""
    agreeing = players = 0
    differences, unread = [], []
    files = counted_files(folder)
    for path in files:
        compared = compare(path)
        if compared is None:
            reason = statistics(path, cores=1).skipped[0].reason
            unread.append(f"- `{path.parent.parent.name}/{path.name}`: {reason}")
            continue
        players += len(compared) // 2
        agreeing += sum(one.agrees for one in compared)
        differences += [
            f"- `{one.file}`, {one.player}, `{one.field}`: fpdb {one.fpdb}, here {one.ours}; {reason_for(one)}"
            for one in compared
            if not one.agrees
        ]
    read = len(files) - len(unread)
    summary = (
        f"{read} are read here, with {players} players: {agreeing} of {2 * players} counts of `vpip` and `won` agree."
    )
    lines = [
        f"Of {len(files)} files with counts by fpdb, {summary}",
        *(["", "They differ for these reasons (`won` in cents):", "", *differences] if differences else []),
        *(["", "Not read:", "", *unread] if unread else []),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(SECTION.sub(lambda _: write_section(), PAGE.read_text(encoding="utf-8")), encoding="utf-8")
