"""Plays many games of a genome between policies, and reports the results: wins, length and betting."""

import time
from collections.abc import Sequence
from functools import cache
from itertools import cycle, islice
from math import sqrt
from typing import Any

from msgspec import Struct

from pitboss import chance
from pitboss.chance import MASK
from pitboss.errors import PitbossError
from pitboss.fast.compiled import Function, compile_function
from pitboss.fast.threads import Progress, available_cores, in_order
from pitboss.lab import codes
from pitboss.lab.codes import COUNTED, COUNTING
from pitboss.lab.engine import steps as engine
from pitboss.lab.engine.modules import ENGINE, KERNEL
from pitboss.lab.engine.program import Program, packed_program, plain_program
from pitboss.lab.files import load
from pitboss.lab.genome import Genome
from pitboss.lab.policies import choice, knowledge
from pitboss.lab.policies.choice import NAMES, decide
from pitboss.lab.policies.knowledge import packed_work, plain_work
from pitboss.stats import Interval, Mean

WINNERS, TURNS, STOPPED, DECISIONS, CHOICES, ILLEGAL, BETTING = range(7)
STACKS = BETTING + COUNTED
"""The columns of a game's row. The betting counts follow them, and then each player's chips."""
SAFE_TO_SQUARE = 1 << 25
BY_GAME = {
    "bets": codes.BETS,
    "raises": codes.RAISES,
    "calls": codes.CALLS,
    "folds": codes.FOLDS,
    "all_ins": codes.ALL_INS,
}
RATIOS = {
    "showdowns": (codes.SHOWDOWNS, codes.DEALS),
    "pot": (codes.POTS, codes.DEALS),
    "steals": (codes.STEALS, codes.DEALS),
    "to_best": (codes.TO_BEST, codes.POTS),
}
POLICIES = (knowledge, choice)
MOST_PLAIN, MOST_PLAIN_THINKING = 1000, 30
"""The maximum number of games in plain Python, between random players and between others. More games are compiled."""
BLOCK, BLOCK_SEARCHING = 1000, 10


class Averaged(Struct, frozen=True):
    """A mean over games and its 95 % confidence interval."""

    mean: float
    interval: Interval


class BettingFigures(Struct, frozen=True, kw_only=True):
    """Moves per game and results per deal. An all-in is also counted as the bet, raise or call that it is."""

    bets: Averaged
    raises: Averaged
    calls: Averaged
    folds: Averaged
    all_ins: Averaged  #: moves that bet a player's last chip
    deals: int  #: over all games
    showdowns: Averaged  #: share of deals that ended with several players still in
    pot: Averaged  #: chips in the pot at the end of a deal, without uncalled chips
    largest_pot: int
    steals: Averaged  #: share of deals won by folds although a player who folded had better cards
    to_best: Averaged  #: share of the pots' chips won by players with the best cards of all players dealt in


class BettingSums:
    """Integer sums over blocks of games. The order of the blocks does not matter."""

    def __init__(self) -> None:
        self.games, self.largest = 0, 0
        self.products = [[0] * codes.COUNTED for _ in range(codes.COUNTED)]
        self.sums = [0] * codes.COUNTED

    def add(self, rows: Any) -> None:
        """Add a block of rows."""
        counted = rows[:, BETTING : BETTING + codes.COUNTED]
        self.games += len(rows)
        self.largest = max(self.largest, int(counted[:, codes.LARGEST].max(initial=0)))
        exact = in_full(counted)
        products = exact.T.dot(exact)
        for one in range(codes.COUNTED):
            self.sums[one] += int(exact[:, one].sum())
            for other in range(codes.COUNTED):
                self.products[one][other] += int(products[one][other])

    def result(self) -> BettingFigures:
        """Return the figures of all blocks."""
        by_game = {name: self._average(column) for name, column in BY_GAME.items()}
        ratios = {name: self._ratio(*columns) for name, columns in RATIOS.items()}
        return BettingFigures(deals=self.sums[codes.DEALS], largest_pot=self.largest, **by_game, **ratios)

    def _average(self, column: int) -> Averaged:
        mean = Mean.of_sums(self.games, self.sums[column], self.products[column][column])
        return Averaged(mean.mean, mean.interval())

    def _ratio(self, part: int, whole: int) -> Averaged:
        """Return the ratio of two sums. Each game is one observation of both."""
        games, total = self.games, self.sums[whole]
        if total == 0:
            return Averaged(0.0, (0.0, 0.0))
        share = self.sums[part] / total
        squares = self.products[part][part] - 2 * share * self.products[part][whole]
        squares = max(0.0, squares + share * share * self.products[whole][whole])
        low, high = Mean.of_sums(
            games, 0, games
        ).interval()  # the interval if the standard deviation is 1; it is scaled below
        if games > 1:
            spread = sqrt(squares / games) * games / total
            low, high = share + low * spread, share + high * spread
        return Averaged(share, (low, high))


def in_full(rows: Any) -> Any:
    """Return the rows in a type whose products do not overflow."""
    return rows.astype(object) if abs(rows).max(initial=0) > SAFE_TO_SQUARE else rows


class PlayersError(PitbossError, ValueError):
    """The policies, their number, or the number of games are not valid."""


class Simulated(Struct, frozen=True, kw_only=True):
    """The results of many games. Only `seconds`, `cores` and `compiled` depend on the machine."""

    games: int
    finished: int
    stopped: int  #: games that the turn limit decided
    illegal: int  #: number of chosen moves that were not legal
    wins: tuple[int, ...]  #: games won alone, by seat or, if seats were swapped, by player
    draws: int  #: games with several winners
    chips_start: int  #: over all games
    chips_end: int
    chips_won: tuple[Averaged, ...]  #: per game, by seat or by player
    betting: BettingFigures | None = None  #: if there are chips
    turns: Averaged
    decisions: Averaged  #: per game
    choices: float  #: legal moves per decision
    players: tuple[str, ...]
    swapped: bool = False  #: whether every player played each game in every seat
    seconds: float
    cores: int
    compiled: bool


def seat_players(given: str | Sequence[str], seats: int) -> tuple[str, ...]:
    """Assign policies to the seats in turn.

    >>> seat_players("greedy,random", 3)
    ('greedy', 'random', 'greedy')
    """
    names = [name.strip() for name in given.split(",")] if isinstance(given, str) else list(given)
    for name in names:
        if name not in NAMES:
            raise PlayersError(f"expected policies from {', '.join(NAMES)}; got {name!r}")
    if not 1 <= len(names) <= seats:
        raise PlayersError(
            f"expected at most {seats} polic{'ies' if seats > 1 else 'y'}, one per seat; got {len(names)}"
        )
    return tuple(islice(cycle(names), seats))


def simulate(
    genome: Genome,
    *,
    games: int,
    players: str | Sequence[str] = "random",
    seed: int = 0,
    cores: int | None = None,
    swap: bool = False,
    progress: Progress | None = None,
) -> Simulated:
    """Play this many games. The same seed gives the same result with any number of cores.

    With `swap`, each game is played once per seat with the same cards, and the players move one seat each time. The
    results are then by player instead of by seat.
    """
    if type(games) is not int or games < 1:
        raise PlayersError(f"games: expected a whole number of at least 1, got {games!r}")
    seated = seat_players(players, genome.player_count)
    few = MOST_PLAIN if set(seated) == {"random"} else MOST_PLAIN_THINKING
    rotations = genome.player_count if swap else 1
    compiled = games * rotations > few or compiled_run.cache_info().currsize > 0 or "search" in seated
    block = BLOCK_SEARCHING if "search" in seated else BLOCK
    tables = SwappedGame(genome, seated, seed, rotations, compiled=compiled)
    pieces = (range(first, min(first + block, games)) for first in range(0, games, block))
    cores = min(cores or available_cores(), 1 + games // block) if compiled else 1
    tables.play(range(0))  # compile before the time is measured
    begun = time.perf_counter()
    sums = Sums(genome, rotations)
    for rows in in_order(tables.play, pieces, cores):
        sums.add(rows)
        if progress:
            progress(sums.games // rotations, games)
    return sums.result(seated, time.perf_counter() - begun, cores, compiled)


def play_games(program: Any, kinds: Any, seed: int, numbers: Any, work: Any, out: Any) -> None:
    """Play the games with these numbers, and write one row for each."""
    g, rules, s, moves = program.games[0], program.rules, work.states[0], work.moves[0]
    for i in range(len(numbers)):
        stream = chance.fork(seed, numbers[i])  # the random numbers of the players; the cards have their own
        s.chance, s.arranged = chance.fork(stream, stream), 0
        illegal = 0
        for k in range(COUNTED):
            s.counts[k] = 0
        s.counts[COUNTING] = g.chips > 0
        engine.set_out(g, s)
        while True:  # `start` and `apply` would compile `go_on` twice
            engine.go_on(g, rules, s)
            if s.over:
                break
            count = engine.legal(g, rules, s, moves)
            s.decisions += 1
            s.choices += count
            move, stream = decide(kinds[s.to_act], g, rules, s, moves, count, work, stream)
            if not is_listed(moves, count, move):
                illegal += 1
                move = moves[0]
            engine.do(g, rules, s, move)
        out[i][WINNERS], out[i][TURNS], out[i][STOPPED] = s.winners, s.turns, s.stopped
        out[i][DECISIONS], out[i][CHOICES], out[i][ILLEGAL] = s.decisions, s.choices, illegal
        for k in range(COUNTED):
            out[i][BETTING + k] = s.counts[k]
        for p in range(g.n):
            out[i][STACKS + p] = s.stacks[p]


def is_listed(moves: Any, count: int, move: int) -> bool:
    """Return whether a move is legal."""
    for k in range(count):
        if moves[k] == move:
            return True
    return False


@cache
def compiled_run() -> Function:
    """Return the compiled loop."""
    wide = (*ENGINE, *POLICIES)
    return compile_function(play_games, *KERNEL, wide=wide, purpose="simulated games", seconds=5)


class SeatedGame:
    """A genome and its players, prepared to play blocks of games."""

    def __init__(self, genome: Genome, seated: Sequence[str], seed: int, *, compiled: bool) -> None:
        self.program: Program = (packed_program if compiled else plain_program)(genome)
        self.kinds = [NAMES.index(name) for name in seated]
        self.seed, self.wide, self.compiled = seed & MASK, STACKS + genome.player_count, compiled

    def play(self, numbers: range) -> Any:
        """Play the games with these numbers. Return one row per game."""
        import numpy as np

        if not self.compiled:
            rows = [[0] * self.wide for _ in numbers]
            play_games(self.program, self.kinds, self.seed, numbers, plain_work(), rows)
            return np.array(rows, np.int64).reshape(len(numbers), self.wide)
        out = np.zeros((len(numbers), self.wide), np.int64)
        labels = np.arange(numbers.start, numbers.stop, dtype=np.uint64)
        compiled_run()(self.program, np.array(self.kinds, np.int64), np.uint64(self.seed), labels, packed_work(), out)
        return out


class SwappedGame:
    """A genome and its players, who play each game once per rotation of the seats. The columns are by player."""

    def __init__(self, genome: Genome, seated: Sequence[str], seed: int, rotations: int, *, compiled: bool) -> None:
        self.seats, self.rotations = genome.player_count, rotations
        self.tables = [SeatedGame(genome, rotate(seated, by), seed, compiled=compiled) for by in range(rotations)]

    def play(self, numbers: range) -> Any:
        """Play the games with these numbers in every rotation. The rows of the first rotation come first."""
        import numpy as np

        played = [table.play(numbers) for table in self.tables]
        for by, rows in enumerate(played):
            own = [STACKS + (player + by) % self.seats for player in range(self.seats)]
            rows[:, STACKS:] = rows[:, own]
            winners = rows[:, WINNERS]
            rows[:, WINNERS] = (winners >> by) | ((winners << (self.seats - by)) & ((1 << self.seats) - 1))
        return np.concatenate(played)


def rotate(seated: Sequence[str], by: int) -> tuple[str, ...]:
    """Return the players, each moved by this many seats.

    >>> rotate(("a", "b", "c"), 1)
    ('c', 'a', 'b')
    """
    return tuple([seated[(seat - by) % len(seated)] for seat in range(len(seated))])


class Sums:
    """Integer sums over blocks of games. The order of the blocks does not matter."""

    def __init__(self, genome: Genome, rotations: int = 1) -> None:
        self.genome, self.rotations = genome, rotations
        self.games = self.draws = 0
        self.wins = [0] * genome.player_count
        self.betting = BettingSums()
        wide = STACKS + genome.player_count
        self.sums, self.squares = [0] * wide, [0] * wide

    def add(self, rows: Any) -> None:
        """Add a block. The chips won or lost are added up over the rotations of a game."""
        rows[:, STACKS:] -= self.genome.setup.starting_chips
        self.games += len(rows)
        winners = rows[:, WINNERS]
        alone = [int((winners == 1 << seat).sum()) for seat in range(self.genome.player_count)]
        self.draws += len(rows) - sum(alone)
        self.wins = [a + b for a, b in zip(self.wins, alone, strict=True)]
        self.betting.add(rows)
        chips = rows[:, STACKS:].reshape(self.rotations, -1, self.genome.player_count).sum(axis=0)
        self._add(0, rows[:, :STACKS])
        self._add(STACKS, chips)

    def _add(self, first: int, columns: Any) -> None:
        exact = in_full(columns)
        for at, column in enumerate(exact.T, first):
            self.sums[at] += int(column.sum())
            self.squares[at] += int((column * column).sum())

    def average(self, column: int) -> Averaged:
        """Return the mean of a column over games. For chips, all rotations of a game together are one observation."""
        rotations = self.rotations if column >= STACKS else 1
        mean = Mean.of_sums(self.games // rotations, self.sums[column], self.squares[column])
        low, high = mean.interval()
        return Averaged(mean.mean / rotations, (low / rotations, high / rotations))

    def result(self, seated: tuple[str, ...], seconds: float, cores: int, compiled: bool) -> Simulated:
        """Return the results of all blocks."""
        chips = self.games * self.genome.player_count * self.genome.setup.starting_chips
        seats = range(STACKS, STACKS + self.genome.player_count)
        return Simulated(
            games=self.games,
            finished=self.games,
            stopped=self.sums[STOPPED],
            illegal=self.sums[ILLEGAL],
            wins=tuple(self.wins),
            draws=self.draws,
            chips_start=chips,
            chips_end=chips + sum([self.sums[column] for column in seats]),
            chips_won=tuple([self.average(column) for column in seats]),
            betting=self.betting.result() if self.genome.setup.starting_chips else None,
            turns=self.average(TURNS),
            decisions=self.average(DECISIONS),
            choices=self.sums[CHOICES] / max(1, self.sums[DECISIONS]),
            players=seated,
            swapped=self.rotations > 1,
            seconds=seconds,
            cores=cores,
            compiled=compiled,
        )


def warm_up() -> None:
    """Compile the loop, or load the compiled loop."""
    simulate(load("kuhn"), games=MOST_PLAIN + 1)
