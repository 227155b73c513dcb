"""The list of games on docs/games.md, written from the games themselves: `python -m tests.support.games_page`."""

from itertools import islice
from pathlib import Path

from pitboss.hand.games import PHH_CODES, STRUCTURES
from pitboss.hand.structure import Structure

PAGE = Path(__file__).parents[2] / "docs" / "games.md"
BEGIN, END = "<!-- games -->\n", "<!-- /games -->"
SISTERS = 3


def rows() -> str:
    """A row for each game with its no-limit, pot-limit and limit sister."""
    lines = ["| game | no-limit | pot-limit | limit | players |", "| --- | --- | --- | --- | --- |"]
    games = iter(STRUCTURES.values())
    while sisters := list(islice(games, SISTERS)):
        usual = min(sisters, key=lambda sister: len(sister.key))
        name = sisters[0].name.removeprefix("no-limit ")
        lines.append(f"| {name} | {' | '.join(map(_cell, sisters))} | 2 to {usual.most_players} |")
    return "\n".join(lines) + "\n"


def _cell(structure: Structure) -> str:
    code = f"**{structure.code}**" if structure.code in PHH_CODES else structure.code
    return f"{code} `{structure.key}`"


def page() -> str:
    """The page with its list as it should be."""
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    return before + BEGIN + rows() + END + rest.split(END)[1]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
