"""The comparisons of `twins.py` for a process of its own, in which compiled code checks all bounds.

`NUMBA_BOUNDSCHECK=1 python -m tests.lab.checked` compares known and drawn games, and prints how many; compiling for it
takes a minute or two.
"""

import argparse
import json
import sys

from pitboss.fast.compiled import numba
from pitboss.lab.files import load
from pitboss.lab.policies.simulate import SeatedGame, seat_players
from tests.support.lab.twins import compare_all, drawn, known


def main() -> None:
    """Compare, then reach too far on purpose."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--genomes", type=int, default=300)
    parser.add_argument("--games", type=int, default=5)
    options = parser.parse_args()
    counts = compare_all(known(), "random", 1, options.games)
    counts += compare_all(known(), "greedy", 1, 1)
    counts += compare_all(drawn(5, options.genomes), "random", 2, options.games)
    checked = bool(numba().config.BOUNDSCHECK)
    print(json.dumps({"checked": checked, "counts": counts, "noticed": reach_too_far() if checked else None}))
    sys.exit(not checked)


def reach_too_far() -> str:
    """What happens to the loop with a row too few for its columns."""
    genome = load("leduc")
    table = SeatedGame(genome, seat_players("random", 2), 1, compiled=True)
    table.wide -= 1
    try:
        table.play(range(1))
    except IndexError as error:
        return str(error)
    return "nothing"


if __name__ == "__main__":
    main()
