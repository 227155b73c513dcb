"""Rewrites the known games' rulebooks: `python -m tests.lab.rulebooks.regenerate [NAME…]`."""

import sys
from pathlib import Path

from pitboss.lab.files import known_games, load
from pitboss.lab.rulebook import rulebook

FOLDER = Path(__file__).parent

if __name__ == "__main__":
    for name in sys.argv[1:] or known_games():
        (FOLDER / f"{name}.md").write_text(rulebook(load(name)), encoding="utf-8")
