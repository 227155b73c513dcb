"""Many seeds over all cores: how often each event happened, which seeds failed, and which events never happened."""

import os
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor

from msgspec import Struct, field

from tests.support.sim.arena import Arena

RARE = (
    "a bank is used",
    "a bank is used up",
    "a code is checked for longer than a turn",
    "a client complains of its number",
    "a journal and its witness lost their ends",
    "a number is opened",
    "a number is withheld",
    "a bot learns that it was replaced",
    "alarm: a client has seen more than there is",
    "all blinds all-in",
    "an answer is sent before its question is read",
    "an answer is sent twice",
    "closed: replaced by a newer connection",
    "closed: spectators send nothing",
    "closed: the server is stopping; the match will go on",
    "closed: too many frames",
    "closed: too many wrong hellos",
    "could not take its tables up",
    "dead small blind",
    "disk is full",
    "error ACTION_TOO_LATE",
    "error INVALID_ACTION",
    "error OUT_OF_TURN",
    "error RATE_LIMITED",
    "fragments",
    "half frame and gone",
    "hand void after a lost end",
    "hand void after a torn tail",
    "killed in a read",
    "killed in a sync",
    "killed in a witness",
    "killed in a write",
    "killed while taking its tables up",
    "odd chips",
    "partition",
    "pause",
    "played for a seat that is gone",
    "played for a seat that is silent",
    "played for a seat that left",
    "read fails",
    "resumed after a crash",
    "resumed with what was missed",
    "side pots",
    "split",
    "survived, though nobody was told",
    "sync fails",
    "taken up from a copy",
    "takeover",
    "takeover in its own turn",
    "talking_spectator",
    "timeout",
    "wrong codes are slowed down",
    "wrong_code",
    "witness fails",
    "write fails",
)
"""The events that must happen at least once in five hundred seeds; otherwise the simulation tests too little."""


TOGETHER = 5
"""Seeds that one core gets at a time."""


class Summary(Struct):
    """The results of many seeds."""

    seeds: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    failures: dict[int, str] = field(default_factory=dict)
    seconds: float = 0.0  #: of processor time

    @property
    def never(self) -> list[str]:
        """The expected events that never happened."""
        return [what for what in RARE if not self.counts[what]]

    @property
    def actions_a_second(self) -> float:
        """Audited actions per second of processor time."""
        return self.counts["actions"] / self.seconds if self.seconds else 0.0

    def add(self, other: "Summary") -> None:
        """Add the results of other seeds."""
        self.seeds += other.seeds
        self.counts += other.counts
        self.failures |= other.failures
        self.seconds += other.seconds


def play(seeds: Iterable[int]) -> Summary:
    """Play seeds one after the other; a failure ends only its own seed."""
    summary = Summary()
    began = time.process_time()
    for seed in seeds:
        summary.seeds += 1
        try:
            summary.counts += Arena(seed).play()
        except Exception as error:
            summary.failures[seed] = f"{type(error).__name__}: {error} (python -m tests.sim {seed})"
    summary.seconds = time.process_time() - began
    return summary


def play_on_all_cores(
    first: int,
    seeds: int,
    jobs: int | None = None,
    *,
    on_failure: Callable[[str], None] = lambda sentence: None,
    on_progress: Callable[[int], None] = lambda done: None,
) -> Summary:
    """Play these seeds on all cores; print failures at once, and the progress after every few."""
    parts = [range(start, min(start + TOGETHER, first + seeds)) for start in range(first, first + seeds, TOGETHER)]
    summary = Summary()
    with ProcessPoolExecutor(jobs or os.cpu_count() or 1) as pool:
        for part in pool.map(play, parts):
            summary.add(part)
            on_progress(summary.seeds)
            for seed, failure in part.failures.items():
                on_failure(f"seed {seed}: {failure}")
    return summary
