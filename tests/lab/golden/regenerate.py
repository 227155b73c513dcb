"""Rewrite the expected dialogues of `pitboss lab play`: `python -m tests.lab.golden.regenerate [NAME ...]`.

A dialogue is the final content of a terminal 48 columns wide: the output, and after each `>` the input.
"""

import sys
from pathlib import Path

from pitboss.cli.lab.play import TerminalGame
from pitboss.lab.files import load

FOLDER = Path(__file__).resolve().parent
WIDTH = 48
DIALOGUES = {
    "leduc": (3, ("bet", "1", "call", "call", "call")),
    "crazy_eights": (4, ("1", "nonsense", "help", "2", "quit")),
    "betting_war": (2, ("bet", "call", "check", "raise", "bet", "call", "check", "call", "call", "check", *["1"] * 4)),
    "cheat": (1, ("1", "stop", "doubt", "believe", "doubt", "2", "stop")),
}
"""By name: the seed, and the lines that are typed; then the input ends."""


def dialogue(name: str) -> str:
    """The whole of it."""
    seed, answers = DIALOGUES[name]
    genome, lines, typed = load(name), list[str](), iter(answers)

    def ask(prompt: str) -> str | None:
        answer = next(typed, None)
        lines.append(prompt + (answer or ""))
        return answer

    TerminalGame(genome, 0, ["you", *["random"] * (genome.player_count - 1)], seed, WIDTH).play(ask, lines.append)
    return "\n".join([line.rstrip() for line in lines]) + "\n"


if __name__ == "__main__":
    for name in sys.argv[1:] or DIALOGUES:
        FOLDER.joinpath(f"{name}.txt").write_text(dialogue(name), encoding="utf-8", newline="\n")
        print(f"wrote {name}.txt")
