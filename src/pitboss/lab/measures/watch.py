"""Plays whole games and records what happens in them. All measures use this loop, plain or compiled.

Each game gives one row of results. A closely observed game is played a second time with the same moves, and
`moments.py` evaluates it at several points.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

from pitboss import chance
from pitboss.betting import core
from pitboss.chance import MASK
from pitboss.fast.compiled import Function, compile_function
from pitboss.lab import piles
from pitboss.lab.codes import CERTAIN, MOST_CARDS, MOST_PHASES, MOST_PLAYERS, MOST_WINS, RANKS
from pitboss.lab.engine import steps as engine
from pitboss.lab.engine.modules import ENGINE, KERNEL
from pitboss.lab.engine.program import Program, packed_program, plain_program
from pitboss.lab.engine.state import PlainStates, packed_states
from pitboss.lab.genome import Genome
from pitboss.lab.measures import moments
from pitboss.lab.measures.moments import NONE, find_stay, pick, play_out, winners
from pitboss.lab.phases.betting import VERBS
from pitboss.lab.policies import choice, knowledge
from pitboss.lab.policies.knowledge import packed_work, plain_work
from pitboss.lab.wins import kinds as wins

WINNERS, TURNS, STOPPED, ASKED, DECISIONS, BETTING, DEALS, POTS, SHOWDOWNS, BLUFFS, RIGHT, CHIPS_BET = range(12)
VERB = CHIPS_BET + 1  # plus a verb of the betting core: the number of such moves
STACK = VERB + core.ALL_IN + 1  # plus a seat
PHASE = STACK + MOST_PLAYERS  # plus a phase: the number of moves in it
CHOICE = PHASE + MOST_PHASES  # plus a phase: the number of choices in it
EFFECT = CHOICE + MOST_PHASES  # plus a rank: the number of times its effect was played
ENDED = EFFECT + RANKS  # plus a win condition: whether it was met at the end
DRAWN, POINTS_MADE, LAID, ALONE, STARTERS = range(ENDED + MOST_WINS, ENDED + MOST_WINS + 5)
"""The number of times that cards were drawn without a choice; the number of seats with points at the end; the number
of cards laid down at the end; the number of deals with a single winner; those of them that the starting player won."""
WIDTH = STARTERS + 1
GAME, TRIAL, BASE = range(3)
STATES = 3
POINTS = 10  # number of points at which a game is observed
BUDGET, LEFT = 0, 1  # in `meter`: numbers of moves that are left for evaluating moments, and for playing
FEWEST = 20  # number of games that are always played
MOST_TURNS = 1 << 60


def watch_games(
    program: Any, kinds: Any, closely: int, seed: int, numbers: Any, meter: Any, states: Any, work: Any,
    out: Any, looks: Any,
) -> int:  # fmt: skip
    """Play the games with these numbers. Observe the first `closely` games closely.

    In each game every player takes the next seat.

    Return the number of games that were played before the meter ran out.
    """
    g, rules = program.games[0], program.rules
    for i in range(len(numbers)):
        if i >= FEWEST and meter[LEFT] <= 0:
            return i
        shift = int(numbers[i]) % g.n
        stream = chance.fork(seed, numbers[i])
        play(g, rules, kinds, shift, stream, 0, meter, states, work, out[i], looks[0])
        if i < closely and meter[BUDGET] > 0:
            play(g, rules, kinds, shift, stream, max(1, out[i][ASKED]), meter, states, work, out[i], looks[i])
        meter[LEFT] -= out[i][TURNS]
    return len(numbers)


def play(
    g: Any, rules: Any, kinds: Any, shift: int, stream: int, length: int, meter: Any, states: Any,
    work: Any, row: Any, seen: Any,
) -> None:  # fmt: skip
    """Play a game and write its row. If `length` is the game's number of decisions, observe it at several points."""
    s, moves = states[GAME], work.moves[0]
    s.chance, s.arranged = chance.fork(stream, stream), 0
    trying = chance.fork(s.chance, stream)
    for k in range(WIDTH):
        row[k] = 0
    point, bet = 0, 0
    engine.set_out(g, s)
    engine.go_on(g, rules, s)
    while not s.over:
        count = engine.legal(g, rules, s, moves)
        if length > 0 and point < POINTS and row[ASKED] * POINTS >= point * length:
            trying = moments.state_of_play(g, rules, s, point, meter, states, work, seen, trying)
            if count > 1:
                trying = moments.moves(g, rules, s, count, point, meter, states, work, seen, trying)
            count = engine.legal(g, rules, s, moves)
            point += 1
        move, stream = pick(kinds[(s.to_act + shift) % g.n], g, rules, s, moves, count, work, stream)
        note(g, s, move, count, row)
        if g.bets[s.phase]:
            bet += move - VERBS >= core.BET
            if move == VERBS + core.FOLD and bet > 0 and piles.live_count(s) == 2:
                trying = call_instead(g, rules, s, moves, count, states, work, row, trying)
        starter, own, all_won = s.starter, s.deals_won[s.starter], deals_won(g, s)
        engine.do(g, rules, s, move)
        middle, left, deal, drawn = in_the_middle(g, s), piles.live_count(s), s.deal, s.drawn
        engine.go_on(g, rules, s)
        row[DRAWN] += s.deal == deal and s.drawn != drawn
        if s.deal != deal:
            if deals_won(g, s) == all_won + 1:
                row[ALONE] += 1
                row[STARTERS] += s.deals_won[starter] - own
            row[POTS] += middle
            row[CHIPS_BET] += middle if bet > 0 else 0
            row[SHOWDOWNS] += left > 1
            row[RIGHT] += middle if left > 1 and bet > 0 else 0
            bet = 0
    row[WINNERS], row[TURNS], row[STOPPED], row[DEALS] = s.winners, s.turns, s.stopped, s.deal
    for p in range(g.n):
        row[STACK + p] = s.stacks[p]
        row[POINTS_MADE] += s.score[p] != 0
        row[LAID] += s.won[p]
    for win in range(g.wins):
        row[ENDED + win] = 1 if wins.triggered(g, s, win) else 0


def note(g: Any, s: Any, move: int, count: int, row: Any) -> None:
    """Count a move."""
    row[ASKED] += 1
    row[PHASE + s.phase] += 1
    if count > 1:
        row[DECISIONS] += 1
        row[CHOICE + s.phase] += 1
    if g.bets[s.phase]:
        row[VERB + move - VERBS] += 1
        if count > 1:
            row[BETTING] += 1
    elif move < MOST_CARDS and g.effect[move // g.suits] != 0:
        row[EFFECT + move // g.suits] += 1


def deals_won(g: Any, s: Any) -> int:
    """Return the number of deals won so far. A shared deal counts once per winner."""
    total = 0
    for p in range(g.n):
        total += s.deals_won[p]
    return int(total)


def in_the_middle(g: Any, s: Any) -> int:
    """Return the chips in the pot."""
    total = g.n * g.chips
    for p in range(g.n):
        total -= s.stacks[p]
    return int(total)


def call_instead(
    g: Any, rules: Any, s: Any, moves: Any, count: int, states: Any, work: Any, row: Any, stream: int
) -> int:
    """A bet ends the deal because this player folds. Record whether the bet would have lost the pot if called."""
    folder, taker = s.to_act, NONE
    for p in range(g.n):
        if p != folder and not s.folded[p]:
            taker = p
    pot = in_the_middle(g, s)
    states[TRIAL] = s
    t = states[TRIAL]
    engine.do(g, rules, t, moves[find_stay(moves, count)])
    engine.go_on(g, rules, t)
    if not t.over and t.deal == s.deal:
        stream, _ = play_out(g, rules, t, work.moves[1], CERTAIN, stream)
    if (winners(g, s, t) >> taker) & 1:
        row[RIGHT] += pot
    else:
        row[BLUFFS] += 1
    return stream


@cache
def compiled_watch() -> Function:
    """Return the compiled version of `watch_games`."""
    wide = (*ENGINE, knowledge, choice, moments)
    return compile_function(watch_games, *KERNEL, wide=wide, purpose="the measures of games", seconds=60)


class Watched:
    """Recorded games: one row per game, and one row per moment of the closely observed games."""

    def __init__(self, games: range, rows: Any, looks: Any) -> None:
        self.games, self.rows, self.looks = games, rows, looks

    def moments(self) -> Any:
        """Return all observed moments in order."""
        flat = self.looks.reshape(-1, moments.WIDTH)
        return flat[flat[:, moments.HERE] == 1]


class Watcher:
    """A genome with everything that is needed to observe its games."""

    def __init__(self, genome: Genome, seed: int, *, compiled: bool = True) -> None:
        self.program: Program = (packed_program if compiled else plain_program)(genome)
        self.seed, self.compiled = seed & MASK, compiled
        self.shown = any(phase.plays or phase.traits.takes_known for phase in genome.turn_structure.phases)

    def watch(
        self, kinds: Sequence[int], games: range, *, closely: int = 0, budget: int = 0, most: int = MOST_TURNS
    ) -> Watched:
        """Play games between players of these kinds, who take the next seat in each game. Observe some games closely.

        Observation ends after `budget` moves. Playing ends after `most` turns, but at least `FEWEST` games are played.
        """
        import numpy as np

        closely = min(closely, len(games))
        meter = [budget, most, int(self.shown)]
        shape, shown = (len(games), WIDTH), (max(1, closely), POINTS, moments.WIDTH)
        if not self.compiled:
            rows: Any = [[0] * shape[1] for _ in games]
            looks: Any = [[[0.0] * moments.WIDTH for _ in range(POINTS)] for _ in range(shown[0])]
            states: Any = PlainStates(STATES)
            played = watch_games(
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
            packed_states(STATES),
            packed_work(),
            rows,
            looks,
        )
        return Watched(games[:played], rows[:played], looks)
