"""Rewrite the expected games of the house bots: `python -m tests.golden.bots [NAME ...]`, all without a name.

Read the difference before it is committed, and say in the commit why a bot plays otherwise.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from pitboss.arena.bots import HOUSE
from pitboss.arena.bots.dealers import OfflineStakes
from pitboss.arena.bots.offline import OfflineMatch
from pitboss.arena.wire.answers import Answer
from pitboss.arena.wire.messages import Act
from pitboss.chance import Chance

FOLDER = Path(__file__).resolve().parent / "bots"
LETTERS = {"FOLD": "f", "CHECK": "k", "CALL": "c"}


class Game(NamedTuple):
    """Who plays, with how many chips at blinds of 50 and 100, and how many hands."""

    bots: tuple[str, ...]
    stack: int
    hands: int


GAMES = {
    "heads_up": Game(("sharp", "sharp"), 10_000, 60),
    "heads_up_short": Game(("sharp", "sharp"), 700, 60),
    "against_calling": Game(("sharp", "calling"), 10_000, 60),
    "against_folding": Game(("sharp", "folding"), 10_000, 30),
    "against_random": Game(("sharp", "random"), 6_000, 60),
    "three": Game(("sharp", "folding", "sharp"), 3_000, 40),
    "six": Game(("sharp",) * 6, 10_000, 40),
    "six_short": Game(("sharp",) * 6, 1_100, 40),
    "ten": Game(("sharp",) * 10, 8_000, 12),
    "all_kinds": Game(("sharp", "equity", "tight", "calling", "random", "folding"), 5_000, 40),
}


def hands(name: str) -> str:
    """Every hand of a game in a line: the answers in their order, each with its seat; a number is raised to."""
    game = GAMES[name]
    said: list[str] = []

    def heard(kind: str, seat: int) -> Callable[[Act], Answer]:
        bot = HOUSE[kind](Chance(seat))

        def answer(act: Act) -> Answer:
            given = bot(act)
            word = given[1] if isinstance(given, tuple) else LETTERS[str(given)]
            said.append(f"{seat}{word}" if isinstance(given, str) else f"{seat}:{word}")
            return given

        return answer

    bots = [(kind, heard(kind, seat)) for seat, kind in enumerate(game.bots)]
    match = OfflineMatch(bots, chance=Chance(1), stakes=OfflineStakes(stack=game.stack))
    lines = []
    for _ in range(game.hands):
        said.clear()
        match.play_hand()
        lines.append(" ".join(said))
    return "".join(f"{line}\n" for line in lines)


def main(wanted: list[str]) -> None:
    """Write these games, or all."""
    for name in wanted or GAMES:
        (FOLDER / f"{name}.txt").write_text(hands(name), encoding="utf-8", newline="\n")
        print(f"wrote {name}.txt")


if __name__ == "__main__":
    main(sys.argv[1:])
