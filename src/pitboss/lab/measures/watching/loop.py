"""The measuring loop, plain or compiled, and the room that it needs."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from pitboss.chance import MASK
from pitboss.fast.compiled import Function, compile_function
from pitboss.lab.engine.modules import ENGINE, KERNEL
from pitboss.lab.engine.program import Program, packed_program, plain_program
from pitboss.lab.engine.state import PlainStates, packed_states
from pitboss.lab.genome.parts import Genome
from pitboss.lab.measures.watching import look, players, watch
from pitboss.lab.policies import greedy, knowledge, work
from pitboss.lab.policies.work import packed_work, plain_work

MOST_TURNS = 1 << 60


@cache
def compiled_watch() -> Function:
    """The compiled loop."""
    return compile_function(watch.watch, *KERNEL, wide=(*ENGINE, work, knowledge, greedy, players, look))


class Watched:
    """What was seen: a row of `watch`'s columns a game, and for games looked at closely a row of `look`'s a moment."""

    def __init__(self, games: range, rows: Any, looks: Any) -> None:
        self.games, self.rows, self.looks = games, rows, looks

    def moments(self) -> Any:
        """All moments that were looked at, one after another."""
        flat = self.looks.reshape(-1, look.WIDTH)
        return flat[flat[:, look.HERE] == 1]


class Watching:
    """A genome ready to be watched."""

    def __init__(self, genome: Genome, seed: int, *, compiled: bool = True) -> None:
        self.program: Program = (packed_program if compiled else plain_program)(genome)
        self.seed, self.compiled = seed & MASK, compiled
        self.shown = any(phase.plays or phase.takes_known for phase in genome.turn_structure.phases)

    def watch(
        self,
        kinds: Sequence[int],
        games: range,
        *,
        closely: int = 0,
        budget: int = 0,
        most: int = MOST_TURNS,
    ) -> Watched:
        """Let players of these kinds play, moving on a seat each game; look at the first few closely.

        Looking ends when `budget` moves were spent on it, and playing, but for a few games, after `most` turns.
        """
        import numpy as np

        closely = min(closely, len(games))
        meter = [budget, most, int(self.shown)]
        shape, shown = (len(games), watch.WIDTH), (max(1, closely), watch.POINTS, look.WIDTH)
        if not self.compiled:
            rows: Any = [[0] * shape[1] for _ in games]
            looks: Any = [[[0.0] * look.WIDTH for _ in range(watch.POINTS)] for _ in range(shown[0])]
            states: Any = PlainStates(watch.STATES)
            played = watch.watch(
                self.program, kinds, closely, self.seed, games, meter, states, plain_work(), rows, looks
            )
            return Watched(games[:played], np.array(rows[:played], np.int64), np.array(looks))
        rows, looks = np.zeros(shape, np.int64), np.zeros(shown)
        played = compiled_watch()(
            self.program,
            np.array(kinds, np.int64),
            closely,
            np.uint64(self.seed),
            np.arange(games.start, games.stop, dtype=np.uint64),
            np.array(meter, np.int64),
            packed_states(watch.STATES),
            packed_work(),
            rows,
            looks,
        )
        return Watched(games[:played], rows[:played], looks)
