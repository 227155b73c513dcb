"""`python -m tests.sim SEED` plays one simulated arena and prints its trace; `--seeds N` plays many on all cores."""

import argparse
import sys
from functools import partial

from tests.support.sim.arena import Arena
from tests.support.sim.many import play_on_all_cores

ENOUGH = 500
"""Seeds in which every rare thing must have happened."""


def main() -> int:
    """Play what is requested; return 1 if something failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.sim", description=__doc__)
    parser.add_argument("seed", type=int, nargs="?", default=0, help="the seed, or the first of many")
    parser.add_argument("--seeds", type=int, help="how many to play")
    parser.add_argument("--jobs", type=int, help="on so many cores")
    given = parser.parse_args()
    if given.seeds is None:
        arena = Arena(given.seed)
        try:
            arena.play()
        finally:
            sys.stdout.write(arena.world.written_trace())
        print(f"seed {given.seed}: nothing wrong", file=sys.stderr)
        return 0
    if given.seeds < 1:
        parser.error("--seeds is a number from 1 on")
    summary = play_on_all_cores(
        given.seed,
        given.seeds,
        given.jobs,
        on_failure=partial(print, flush=True),
        on_progress=lambda done: print(f"\r{done} of {given.seeds} seeds", end="", file=sys.stderr, flush=True),
    )
    print(file=sys.stderr)
    for what, count in sorted(summary.counts.items()):
        print(f"{count:>9,}  {what}")
    print(
        f"{summary.seeds} seeds, {len(summary.failures)} failed; {summary.counts['actions']:,} audited actions, "
        f"{summary.actions_a_second:,.0f} for every second of processor time"
    )
    if summary.never:
        print(f"never happened: {', '.join(summary.never)}")
    return 1 if summary.failures or (summary.never and given.seeds >= ENOUGH) else 0


if __name__ == "__main__":
    sys.exit(main())
