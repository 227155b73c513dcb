"""Writes the figures of the known games into docs/lab-measures.md: `python -m tests.lab.measures.table`."""

from pathlib import Path

from pitboss.lab.files import known_games, load
from pitboss.lab.measures.measure import measure

PAGE = Path(__file__).parents[3] / "docs" / "lab-measures.md"
HEAD = "| game | length | decisions | mattered | tension | comeback | interaction | decisive | skill | bluffs |"


def table() -> list[str]:
    """The lines of the table, measured now."""
    names = [name.strip() for name in HEAD.split("|")[2:-1]]
    lines = [HEAD, "| --- |" + " ---: |" * len(names)]
    for game in known_games():
        found = measure(load(game)).measures
        figures = [f"{found[name].mean:.0f}" if name == "length" else f"{found[name].mean:.2f}" for name in names]
        lines.append(f"| {game} | {' | '.join(figures)} |")
    return lines


def written() -> list[str]:
    """The lines of the table in the docs."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    first = lines.index(HEAD)
    last = next((at for at in range(first, len(lines)) if not lines[at].startswith("|")), len(lines))
    return lines[first:last]


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(text.replace("\n".join(written()), "\n".join(table())), encoding="utf-8")
