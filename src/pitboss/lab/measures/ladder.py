"""The ladder: ratings of players with more and more time to think. Every pair of players meets in some games."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from math import exp, log, sqrt
from typing import Any

from msgspec import Struct

from pitboss import chance
from pitboss.chance import MASK
from pitboss.fast.compiled import Function, compile_function
from pitboss.lab.codes import BUDGET
from pitboss.lab.engine import steps as engine
from pitboss.lab.engine.modules import ENGINE, KERNEL
from pitboss.lab.engine.program import packed_program, plain_program
from pitboss.lab.engine.state import GameState, PlainStates, packed_states
from pitboss.lab.genome import Genome
from pitboss.lab.measures.figures import Measure
from pitboss.lab.policies import choice, knowledge
from pitboss.lab.policies.choice import NAMES, decide
from pitboss.lab.policies.knowledge import packed_work, plain_work
from pitboss.lab.solver.tree import StageProgress

WINNERS, STACKS = range(2)
"""The columns of a game's row. The last columns are the chips of each seat, from `STACKS` on."""
GAME = 0
PLAYERS = {
    "random": ("random", 0),
    "greedy": ("greedy", 0),
    "search 25": ("search", 25),
    "search 100": ("search", 100),
    "search 400": ("search", 400),
}
"""For each player: the policy, and the number of trials per decision."""
ELO = 400 / log(10)
ROUNDS = 200
DEALS = 10
STANDARD_ERRORS = 1.96  # half the width of a 95 % interval


def play_rungs(
    program: Any, kinds: Any, budgets: Any, seed: int, numbers: Any, positions: int, states: Any, work: Any, out: Any
) -> None:
    """Play the games with these numbers or, if `positions` is not 0, choose moves in that many positions.

    Each position is decided once per number. `kinds` and `budgets` are per seat. State 0 is used for playing, and the
    positions are in the states after it.
    """
    g, rules, s, moves = program.games[0], program.rules, states[GAME], work.moves[0]
    for i in range(len(numbers)):
        stream = chance.fork(seed, numbers[i])
        if positions > 0:
            for k in range(positions):
                states[GAME] = states[1 + k]
                count = engine.legal(g, rules, s, moves)
                work.facts[BUDGET] = budgets[s.to_act]
                move, stream = decide(kinds[s.to_act], g, rules, s, moves, count, work, stream)
                out[i][k] = move
            continue
        s.chance, s.arranged = chance.fork(stream, stream), 0
        engine.set_out(g, s)
        engine.go_on(g, rules, s)
        while not s.over:
            count = engine.legal(g, rules, s, moves)
            work.facts[BUDGET] = budgets[s.to_act]
            move, stream = decide(kinds[s.to_act], g, rules, s, moves, count, work, stream)
            engine.do(g, rules, s, move)
            engine.go_on(g, rules, s)
        out[i][WINNERS] = s.winners
        for p in range(g.n):
            out[i][STACKS + p] = s.stacks[p]


@cache
def compiled_rungs() -> Function:
    """Return the compiled version of `play_rungs`."""
    wide = (*ENGINE, knowledge, choice)
    return compile_function(play_rungs, *KERNEL, wide=wide, purpose="the ladder of players", seconds=20)


class Ladder:
    """A genome with everything that is needed to play it for the ladder."""

    def __init__(self, genome: Genome, seed: int, *, compiled: bool = True) -> None:
        self.program = (packed_program if compiled else plain_program)(genome)
        self.players, self.seed, self.compiled = genome.player_count, seed & MASK, compiled

    def play(self, kinds: Sequence[int], budgets: Sequence[int], games: range) -> Any:
        """Play the games with these numbers. Return one row per game."""
        return self._run(kinds, budgets, games, [], STACKS + self.players)

    def decide(self, kind: int, budget: int, positions: Sequence[GameState], times: int) -> Any:
        """Return the moves of a policy in these positions, one row per repetition."""
        return self._run([kind] * self.players, [budget] * self.players, range(times), positions, len(positions))

    def _run(
        self, kinds: Sequence[int], budgets: Sequence[int], numbers: range, positions: Sequence[GameState], wide: int
    ) -> Any:
        import numpy as np

        if not self.compiled:
            plain = PlainStates(1 + len(positions))
            for at, position in enumerate(positions):
                plain[1 + at] = position
            rows = [[0] * wide for _ in numbers]
            play_rungs(self.program, kinds, budgets, self.seed, numbers, len(positions), plain, plain_work(), rows)
            return np.array(rows, np.int64).reshape(len(numbers), wide)
        states = packed_states(1 + len(positions))
        for at, position in enumerate(positions):
            for name in GameState.__slots__:
                states[1 + at][name] = getattr(position, name)
        out = np.zeros((len(numbers), wide), np.int64)
        compiled_rungs()(
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


class Rung(Struct, frozen=True, kw_only=True):
    """A player's rating."""

    player: str
    rating: Measure  #: in Elo points; the rating of random is 0
    score: float  #: share of games in which this player was ahead; a tie counts half


def ladder(
    genome: Genome, *, games: int = 40, seed: int = 0, progress: StageProgress | None = None
) -> tuple[Rung, ...]:
    """Rate the players by `games` games of every pair. Return the best player first."""
    climbing, names = Ladder(genome, seed), list(PLAYERS)
    pairs, results = list(combinations(range(len(names)), 2)), dict[tuple[int, int], tuple[float, int]]()
    for at, (one, other) in enumerate(pairs):
        results[one, other] = _meet(climbing, genome, names[one], names[other], range(at * games, (at + 1) * games))
        if progress:
            progress("playing", at + 1, len(pairs))
    strengths, errors = rate_players(len(names), results)
    rungs = []
    for at, name in enumerate(names):
        met = [
            score if at == one else count - score
            for (one, other), (score, count) in results.items()
            if at in (one, other)
        ]
        played = sum([count for pair, (_, count) in results.items() if at in pair])
        reach = STANDARD_ERRORS * errors[at]
        rating = Measure(ELO * strengths[at], ELO * (strengths[at] - reach), ELO * (strengths[at] + reach))
        rungs.append(Rung(player=name, rating=rating, score=sum(met) / max(1, played)))
    return tuple(sorted(rungs, key=lambda rung: -rung.rating.mean))


def _meet(climbing: Ladder, genome: Genome, one: str, other: str, games: range) -> tuple[float, int]:
    """Return the score of `one` against `other`, and the number of games.

    In half of the games `one` is alone against seats that all play as `other`, and in the other half `other` is alone.
    """
    n, setup, score = genome.player_count, genome.setup, 0.0
    bundle = DEALS if setup.starting_chips and setup.deals == 1 else 1
    for number in games:
        alone, among = (one, other) if number % 2 else (other, one)
        chips = [0, 0]
        ahead = 0.0
        for more in range(bundle):
            seat = (number // 2 + more) % n
            kinds = [alone if p == seat else among for p in range(n)]
            row = climbing.play(
                [NAMES.index(PLAYERS[kind][0]) for kind in kinds],
                [PLAYERS[kind][1] for kind in kinds],
                range(number * bundle + more, number * bundle + more + 1),
            )[0]
            if setup.starting_chips:
                chips[0] += (n - 1) * int(row[STACKS + seat])
                chips[1] += sum([int(row[STACKS + p]) for p in range(n) if p != seat])
            else:
                ahead = sum([_ahead(row, seat, p) for p in range(n) if p != seat]) / (n - 1)
        if setup.starting_chips:
            ahead = 1.0 if chips[0] > chips[1] else 0.5 if chips[0] == chips[1] else 0.0
        score += ahead if alone == one else 1 - ahead
    return score, len(games)


def _ahead(row: Any, one: int, other: int) -> float:
    """Return 1 if only the first seat won, 0 if only the second seat won, and 0.5 in all other cases."""
    bits = int(row[WINNERS])
    return (1 + ((bits >> one) & 1) - ((bits >> other) & 1)) / 2


def rate_players(players: int, results: dict[tuple[int, int], tuple[float, int]]) -> tuple[list[float], list[float]]:
    """Return the most likely strengths and their standard errors, in natural units. The first player's strength is 0.

    >>> strengths, errors = rate_players(2, {(0, 1): (25.0, 100)})
    >>> round(ELO * strengths[1]), errors[0]
    (189, 0.0)
    """
    import numpy as np

    met = [(one, other, score + 0.5, count + 1.0) for (one, other), (score, count) in results.items()]
    strengths = np.zeros(players)
    for _ in range(ROUNDS):  # Newton's method on a concave function needs few steps
        slope, curve = np.zeros(players), np.zeros((players, players))
        for one, other, score, count in met:
            likely = 1 / (1 + exp(strengths[other] - strengths[one]))
            for here, there, sign in ((one, other, 1), (other, one, -1)):
                slope[here] += sign * (score - count * likely)
                curve[here, here] += count * likely * (1 - likely)
                curve[here, there] -= count * likely * (1 - likely)
        step = np.linalg.solve(curve[1:, 1:], slope[1:])
        strengths[1:] += np.clip(step, -1, 1)
        if abs(step).max() < 1e-10:
            break
    spread = np.linalg.inv(curve[1:, 1:])
    return strengths.tolist(), [0.0, *[sqrt(spread[k, k]) for k in range(players - 1)]]
