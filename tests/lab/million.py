"""Plays random games over random valid genomes, compiled, and checks the laws of `audit.py` at every decision.

`python -m tests.lab.million --games 1000000 --seed 1` plays many; a game is named by seed, genome and number. Some are
also played plainly, one by one, and must come to the same.
"""

import argparse
import sys
from collections import Counter
from functools import cache, partial
from multiprocessing import TimeoutError, get_context
from time import perf_counter
from typing import Any

from pitboss.fast.compiled import Function, compile_function
from pitboss.lab import codes
from pitboss.lab.engine.modules import ENGINE, KERNEL
from pitboss.lab.engine.program import packed_program, plain_program
from pitboss.lab.engine.state import PlainStates, packed_states
from pitboss.lab.genome import Genome
from tests.support.lab import audit
from tests.support.lab.genomes import some_genome
from tests.support.laws.laws import holds
from tests.support.laws.many import SHOWN, table

GAMES_A_GENOME = 100
PLAIN_EVERY, PLAIN_GAMES = 10, 3
HANGS = 900  # seconds without a genome done, the compiler's included
CHUNK, PARTS, NAMED = 5, 50, 20


@cache
def compiled_audit() -> Function:
    """The audit, compiled."""
    return compile_function(audit.audit, *KERNEL, wide=(*ENGINE, audit))


def play_compiled(genome: Genome, seed: int, numbers: range) -> list[list[int]]:
    """The audit's columns of these games, compiled."""
    import numpy as np

    out = np.zeros((len(numbers), audit.COLUMNS), np.int64)
    labels, rows = np.arange(numbers.start, numbers.stop, dtype=np.uint64), np.zeros((2, codes.MOST_MOVES), np.int64)
    compiled_audit()(packed_program(genome), _total(genome), np.uint64(seed), labels, packed_states(2), rows, out)
    return [[int(figure) for figure in row] for row in out]


def play_plain(genome: Genome, seed: int, numbers: range) -> list[list[int]]:
    """The same in plain Python."""
    out, rows = [[0] * audit.COLUMNS for _ in numbers], [[0] * codes.MOST_MOVES for _ in range(2)]
    states: Any = PlainStates(2)
    audit.audit(plain_program(genome), _total(genome), seed, numbers, states, rows, out)
    return [[int(figure) for figure in row] for row in out]


def _total(genome: Genome) -> int:
    return genome.player_count * genome.setup.starting_chips


def judged(genome: Genome, rows: list[list[int]]) -> Counter[str]:
    """Hold the games to the laws, and count them."""
    counts = Counter[str](genomes=1, games=len(rows))
    for number, row in enumerate(rows):
        holds(audit.LAWS[row[audit.BROKEN]], row[audit.BROKEN] == audit.ALL_HOLD, f"game {number}", row, genome)
        holds("every game ends", row[audit.OVER] == 1, f"game {number}", row, genome)
        counts += Counter(
            {
                "turns": row[audit.TURNS],
                "decisions": row[audit.DECISIONS],
                "moves tried on a copy": row[audit.TRIED],
                "decisions about bets": row[audit.BETS],
                "decisions about bets, less than a step behind": row[audit.SHORT],
                "decisions about bets, stacks unequal": row[audit.UNEQUAL],
                "deals": row[audit.DEALS],
                "games of several deals": row[audit.DEALS] > 1,
                "games decided at the turn limit": row[audit.STOPPED],
                "games in which stacks were unequal": row[audit.UNEQUAL] > 0,
            }
        )
    return counts


def play(seed: int, number: int, games: int = GAMES_A_GENOME) -> Counter[str]:
    """Play some games of the genome with this number."""
    genome = some_genome(seed, number)
    rows = play_compiled(genome, seed, range(games))
    counts = judged(genome, rows)
    counts += Counter(
        {
            f"genomes of {genome.player_count} players": 1,
            f"genomes of {genome.turn_structure.order}": 1,
            f"genomes with {genome.setup.pots} pots": 1,
            **{f"genomes with {kind}": 1 for kind in {type(p).__name__ for p in genome.turn_structure.phases}},
            **{f"genomes won by {kind}": 1 for kind in {type(win).__name__ for win in genome.win_conditions}},
        }
    )
    if number % PLAIN_EVERY == 0:
        plain = play_plain(genome, seed, range(min(games, PLAIN_GAMES)))
        holds("plain and compiled games are the same", plain == rows[: len(plain)], plain, rows[: len(plain)], genome)
        counts["games also played plainly"] += len(plain)
    return counts


def try_genomes(seed: int, numbers: range) -> tuple[Counter[str], list[str]]:
    """What was played of these genomes, and what failed."""
    counts, failures = Counter[str](), list[str]()
    for number in numbers:
        try:
            counts += play(seed, number)
        except Exception as error:
            counts += Counter({"games": GAMES_A_GENOME, "genomes": 1})
            failures.append(f"seed {seed}, genome {number}: {type(error).__name__}: {error}")
    return counts, failures


def main() -> None:
    """Read the command line, play, and report on stderr how far it is and what failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    started, counts, failures, part = perf_counter(), Counter[str](), list[str](), 0
    genomes = -(-options.games // GAMES_A_GENOME)
    play_compiled(some_genome(1, 0), 1, range(1))  # compiled once, for all processes
    with get_context("spawn").Pool(options.jobs) as pool:
        pieces = [range(first, min(first + CHUNK, genomes)) for first in range(0, genomes, CHUNK)]
        played = pool.imap_unordered(partial(try_genomes, options.seed), pieces)
        for _ in pieces:
            try:
                counted, failed = played.next(HANGS)
            except TimeoutError:
                counted, failed = Counter(), [f"nothing came for {HANGS} s: a game hangs"]
            counts += counted
            failures += failed
            for failure in failed[: max(0, NAMED + len(failed) - len(failures))]:
                print(failure[:SHOWN], file=sys.stderr)
            if not counted:
                break
            if counts["genomes"] * PARTS // genomes > part:
                part = counts["genomes"] * PARTS // genomes
                print(f"{counts['games']} of {options.games} games, {perf_counter() - started:.0f} s", file=sys.stderr)
    for line in table(counts, failures, perf_counter() - started):
        print(line)
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
