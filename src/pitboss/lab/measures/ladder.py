"""A rating ladder: random, greedy and searching players of several strengths, all against all, in every seat.

Ratings are those under which the results are likeliest (Bradley and Terry's model, in points of Elo; random has 0), and
intervals follow from how much the games tell. A half-game is added to both sides of each pair, so that a player who
never loses has a rating too. More players than two: one of one kind among the other, and the other way round; every
game compares the one with the others, by chips or by who won. Where a game is one deal with chips, ten of them in all
seats count as one, for a single deal says little about who plays better.
"""

from itertools import combinations
from math import exp, log, sqrt
from typing import Any

from msgspec import Struct

from pitboss.lab.genome.parts import Genome
from pitboss.lab.measures.climbing import climb
from pitboss.lab.measures.climbing.loop import Climbing
from pitboss.lab.measures.figures import Measure
from pitboss.lab.policies.choose import NAMES
from pitboss.lab.solver.tree import Progress

PLAYERS = {
    "random": ("random", 0),
    "greedy": ("greedy", 0),
    "search 25": ("search", 25),
    "search 100": ("search", 100),
    "search 400": ("search", 400),
}
"""By name: the policy, and how often it tries what may happen before it decides."""
ELO = 400 / log(10)
ROUNDS = 200
DEALS = 10
SURE = 1.96  # standard deviations to both sides of a 95 % interval


class Rung(Struct, frozen=True, kw_only=True):
    """A player's place on the ladder."""

    player: str
    rating: Measure  #: in points of Elo; random has 0
    score: float  #: how often it was ahead of those it met, ties half


def ladder(genome: Genome, *, games: int = 40, seed: int = 0, progress: Progress | None = None) -> tuple[Rung, ...]:
    """Let every two kinds of players play so many games, the best first."""
    climbing, names = Climbing(genome, seed), list(PLAYERS)
    pairs, results = list(combinations(range(len(names)), 2)), dict[tuple[int, int], tuple[float, int]]()
    for at, (one, other) in enumerate(pairs):
        results[one, other] = _meet(climbing, genome, names[one], names[other], range(at * games, (at + 1) * games))
        if progress:
            progress("playing", at + 1, len(pairs))
    strengths, errors = rated(len(names), results)
    rungs = []
    for at, name in enumerate(names):
        met = [
            score if at == one else count - score
            for (one, other), (score, count) in results.items()
            if at in (one, other)
        ]
        played = sum([count for pair, (_, count) in results.items() if at in pair])
        reach = SURE * errors[at]
        rating = Measure(ELO * strengths[at], ELO * (strengths[at] - reach), ELO * (strengths[at] + reach))
        rungs.append(Rung(player=name, rating=rating, score=sum(met) / max(1, played)))
    return tuple(sorted(rungs, key=lambda rung: -rung.rating.mean))


def _meet(climbing: Climbing, genome: Genome, one: str, other: str, games: range) -> tuple[float, int]:
    """How often one was ahead of the other, and in how many games: in half of them one is alone among the others."""
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
                chips[0] += (n - 1) * int(row[climb.STACKS + seat])
                chips[1] += sum([int(row[climb.STACKS + p]) for p in range(n) if p != seat])
            else:
                ahead = sum([_ahead(row, seat, p) for p in range(n) if p != seat]) / (n - 1)
        if setup.starting_chips:
            ahead = 1.0 if chips[0] > chips[1] else 0.5 if chips[0] == chips[1] else 0.0
        score += ahead if alone == one else 1 - ahead
    return score, len(games)


def _ahead(row: Any, one: int, other: int) -> float:
    """Whether a seat came out ahead of another: 1, a half or nothing."""
    bits = int(row[climb.WINNERS])
    mine, theirs = (bits >> one) & 1, (bits >> other) & 1
    return 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0


def rated(players: int, results: dict[tuple[int, int], tuple[float, int]]) -> tuple[list[float], list[float]]:
    """The likeliest strengths, the first player's 0, and their standard errors, in natural units.

    >>> strengths, errors = rated(2, {(0, 1): (25.0, 100)})
    >>> round(ELO * strengths[1]), errors[0]
    (189, 0.0)
    """
    import numpy as np

    met = [(one, other, score + 0.5, count + 1.0) for (one, other), (score, count) in results.items()]
    strengths = np.zeros(players)
    for _ in range(ROUNDS):  # Newton's steps on a concave function: few are enough, none does harm
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
