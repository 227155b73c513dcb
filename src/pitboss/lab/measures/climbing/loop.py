"""The ladder's loop, plain or compiled, and the room that it needs."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from pitboss.chance import MASK
from pitboss.fast.compiled import Function, compile_function
from pitboss.lab.engine.modules import ENGINE, KERNEL
from pitboss.lab.engine.program import packed_program, plain_program
from pitboss.lab.engine.state import GameState, PlainStates, packed_states
from pitboss.lab.genome.parts import Genome
from pitboss.lab.measures.climbing import climb
from pitboss.lab.policies import choose, greedy, knowledge, search, work
from pitboss.lab.policies.work import packed_work, plain_work


@cache
def compiled_climb() -> Function:
    """The compiled loop."""
    return compile_function(climb.climb, *KERNEL, choose, wide=(*ENGINE, work, knowledge, greedy, search))


class Climbing:
    """A genome ready for the ladder."""

    def __init__(self, genome: Genome, seed: int, *, compiled: bool = True) -> None:
        self.program = (packed_program if compiled else plain_program)(genome)
        self.players, self.seed, self.compiled = genome.player_count, seed & MASK, compiled

    def play(self, kinds: Sequence[int], budgets: Sequence[int], games: range) -> Any:
        """Play the games of these numbers; a row of `climb`'s columns each."""
        return self._run(kinds, budgets, games, [], climb.STACKS + self.players)

    def decide(self, kind: int, budget: int, positions: Sequence[GameState], times: int) -> Any:
        """What a policy does in these positions, so many times: a row each time."""
        seats = range(self.players)
        return self._run([kind for _ in seats], [budget for _ in seats], range(times), positions, len(positions))

    def _run(
        self, kinds: Sequence[int], budgets: Sequence[int], numbers: range, positions: Sequence[GameState], wide: int
    ) -> Any:
        import numpy as np

        if not self.compiled:
            plain = PlainStates(1 + len(positions))
            for at, position in enumerate(positions):
                plain[1 + at] = position
            rows = [[0] * wide for _ in numbers]
            climb.climb(self.program, kinds, budgets, self.seed, numbers, len(positions), plain, plain_work(), rows)
            return np.array(rows, np.int64).reshape(len(numbers), wide)
        states = packed_states(1 + len(positions))
        for at, position in enumerate(positions):
            for name in GameState.__slots__:
                states[1 + at][name] = getattr(position, name)
        out = np.zeros((len(numbers), wide), np.int64)
        compiled_climb()(
            self.program,
            np.array(kinds, np.int64),
            np.array(budgets, np.int64),
            np.uint64(self.seed),
            np.arange(numbers.start, numbers.stop, dtype=np.uint64),
            len(positions),
            states,
            packed_work(),
            out,
        )
        return out
