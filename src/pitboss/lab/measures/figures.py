"""Measures calculated from observed games: sums and shares with their intervals.

Some games are not won by their own rules, because the turn limit stops them or several players share the win. In such
games the measures of quality are 0.
"""

from itertools import pairwise
from operator import itemgetter
from typing import Any

from msgspec import Struct

from pitboss.betting import core
from pitboss.lab.codes import MOST_CARDS
from pitboss.lab.genome import CardEffect, Genome, Phase
from pitboss.lab.measures import moments, watch
from pitboss.lab.measures.watch import Watched
from pitboss.lab.phases.betting import VERBS
from pitboss.stats import Mean, proportion

CURVE = 20
LEAST_WORTH, LEAST_SEEN = 0.05, 12
"""A step is idle if its best move beats its worst by less than `LEAST_WORTH`, in units of luck.

Only steps with at least `LEAST_SEEN` observed choices are judged.
"""
NO_LIMIT = 1e9
FOLD = VERBS + core.FOLD


class Measure(Struct, frozen=True):
    """A mean and its 95 % confidence interval."""

    mean: float
    low: float
    high: float


def average(values: Any, low: float = 0.0, high: float = 1.0) -> Measure:
    """Return the mean of the values with its interval. Both are limited to the possible range."""
    mean = Mean([float(value) for value in values])
    middle = max(low, min(high, mean.mean))
    if mean.count < 2:
        return Measure(middle, low, high)
    least, most = mean.interval()
    return Measure(middle, max(low, min(middle, least)), min(high, max(middle, most)))


def step_name(at: int, phase: Phase) -> str:
    """Return the name of a step in the list of rules."""
    return f"{at} {type(phase).__name__}"


def share(successes: int, trials: int) -> Measure:
    """Return a share with its interval, or 0 without trials."""
    return Measure(successes / trials, *proportion(successes, trials)) if trials else NOTHING


def unfairness(found: Measure, fair: float) -> Measure:
    """Return the distance of a share from the fair share. If the interval contains the fair share, its lower end is 0.

    >>> unfairness(Measure(0.25, 0.125, 0.375), 0.5)
    Measure(mean=0.25, low=0.125, high=0.375)
    """
    ends = sorted([abs(found.low - fair), abs(found.high - fair)])
    return Measure(abs(found.mean - fair), 0.0 if found.low <= fair <= found.high else ends[0], ends[1])


def exact_measure(number: float) -> Measure:
    """Return a measure without uncertainty."""
    return Measure(float(number), float(number), float(number))


NOTHING = exact_measure(0)


class Figures:
    """Calculates measures from observed games. The players in them are mixed: greedy, with some random moves."""

    def __init__(self, genome: Genome, own: Watched) -> None:
        self.genome, self.own = genome, own
        self.rows, self.moments = own.rows, own.moments()
        self.games, self.n = len(own.rows), genome.player_count
        self.alone = _array([len(self.winners(row)) == 1 and not row[watch.STOPPED] for row in self.rows])
        self.closely = [game for game, looks in enumerate(own.looks) if looks[0][moments.HERE]]

    def play(self) -> dict[str, Measure]:
        """Return the measures of length and of choice."""
        rows = self.rows
        return {
            "length": average(rows[:, watch.TURNS], 0, NO_LIMIT),
            "decisions": average(self.alone * rows[:, watch.DECISIONS] / rows[:, watch.TURNS].clip(1)),
            "bet_share": self.divided(rows[:, watch.BETTING], rows[:, watch.DECISIONS]),
            "decisive": share(int(self.alone.sum()), self.games),
            "stopped": share(int((rows[:, watch.STOPPED] > 0).sum()), self.games),
            "draws": share(sum([len(self.winners(row)) != 1 for row in rows]), self.games),
            **self.choices(),
        }

    def choices(self) -> dict[str, Measure]:
        """Return the measures of the worth of moves, from the observed moments with a choice."""
        chosen = self.moments[self.moments[:, moments.COUNT] > 1]
        if not len(chosen):
            return dict.fromkeys(("mattered", "interaction", "idle_steps"), NOTHING)
        ends = float(self.alone.mean())
        steps, worth = chosen[:, moments.PHASE].astype(int), chosen[:, moments.WORTH].clip(-1, 1)
        idle, seen = 0, 0
        for step in sorted(set(steps.tolist())):
            here = worth[steps == step]
            seen += len(here) >= LEAST_SEEN
            idle += len(here) >= LEAST_SEEN and float(here.mean()) < LEAST_WORTH
        return {
            "mattered": average(best_less_worst(chosen) * (chosen[:, moments.TENSE] > 0) * ends),
            "interaction": average(chosen[:, moments.OTHERS] * ends),
            "idle_steps": share(idle, seen),
        }

    def seats(self) -> dict[str, Measure]:
        """Return the measures of the advantage of a seat."""
        wins = [0.0] * self.n
        for row in self.rows:
            for seat in self.winners(row):
                wins[seat] += 1 / len(self.winners(row))
        fair, best = 1 / self.n, max(wins)
        low, high = proportion(int(best), self.games)
        return {
            "seat_advantage": Measure(max(0.0, best / self.games - fair), max(0.0, low - fair), high - fair),
            "start_advantage": self.starting(),
        }

    def starting(self) -> Measure:
        """Return how far the starting player's share of the deals with a single winner is from a fair share."""
        alone = int(self.rows[:, watch.ALONE].sum())
        return unfairness(share(int(self.rows[:, watch.STARTERS].sum()), alone), 1 / self.n) if alone else NOTHING

    def drama(self) -> dict[str, Measure]:
        """Return tension, changes of the lead, and comebacks, from the closely observed games."""
        changes, tension, comeback = [], [], []
        for game in self.closely:
            won = float(self.alone[game])
            looks = self.own.looks[game]
            looks = looks[looks[:, moments.HERE] == 1]
            leads = looks[:, moments.LEAD : moments.LEAD + self.n]
            tension.append(won * float((looks[:, moments.TENSE] * (looks[:, moments.COUNT] > 1)).mean()))
            leaders = [int(lead.argmax()) for lead in leads if max(lead) > sorted(lead)[-2]]
            changes.append(won * sum([a != b for a, b in pairwise(leaders)]))
            behind = [1 - self.n * float(leads[:, seat].min()) for seat in self.winners(self.rows[game])]
            comeback.append(won * max(0.0, *behind, 0.0))
        if not tension:
            return dict.fromkeys(("tension", "lead_changes", "comeback"), NOTHING)
        return {
            "tension": average(tension),
            "lead_changes": average(changes, 0, NO_LIMIT),
            "comeback": average(comeback),
        }

    def bets(self) -> dict[str, Measure]:
        """Return the measures of betting."""
        names = ("bets", "raises", "folds", "all_ins", "showdowns", "pot", "bluffs", "chips_follow_cards", "open_bets")
        if not self.genome.betting_phases:
            return dict.fromkeys(names, NOTHING)
        rows, chips = self.rows, self.n * self.genome.setup.starting_chips
        verbs = {"bets": core.BET, "raises": core.RAISE, "folds": core.FOLD, "all_ins": core.ALL_IN}
        deals, dealt = rows[:, watch.DEALS], int(rows[:, watch.DEALS].sum())
        return {
            **{name: self.divided(rows[:, watch.VERB + verb], deals, NO_LIMIT) for name, verb in verbs.items()},
            "showdowns": share(min(dealt, int(rows[:, watch.SHOWDOWNS].sum())), dealt),
            "pot": self.divided(rows[:, watch.POTS] / chips, deals),
            "bluffs": share(int(rows[:, watch.BLUFFS].sum()), dealt),
            "chips_follow_cards": self.divided(rows[:, watch.RIGHT], rows[:, watch.CHIPS_BET]),
            "open_bets": worst_bets(self.moments),
        }

    @staticmethod
    def divided(part: Any, whole: Any, high: float = 1.0) -> Measure:
        """Return the mean ratio of two columns, over the games in which the second column is not 0."""
        some = whole > 0
        return average(part[some] / whole[some], 0, high) if some.any() else NOTHING

    @staticmethod
    def winners(row: Any) -> list[int]:
        """Return the seats that won a game."""
        bits = int(row[watch.WINNERS])
        return [seat for seat in range(bits.bit_length()) if (bits >> seat) & 1]

    def skill(self, pair: Watched) -> Measure:
        """Return the share of the stakes that the first player of a pair wins.

        This player takes the next seat in each game.

        With chips, it is a share of the chips that changed hands. Without chips, 1 means that the player won every
        game, and 0 means a fair share of the games.
        """
        if not self.alone.any():
            return NOTHING
        seats, chips = [-number % self.n for number in pair.games], self.genome.setup.starting_chips
        if chips:
            won = [float(row[watch.STACK + seat]) - chips for seat, row in zip(seats, pair.rows, strict=True)]
            scale = sum([abs(one) for one in won]) / len(won)
            return average([one / scale for one in won], -1.0) if scale else NOTHING
        results = []
        for seat, row in zip(seats, pair.rows, strict=True):
            winners = self.winners(row)
            part = (seat in winners) / max(1, len(winners))
            results.append(0.0 if row[watch.STOPPED] else (part * self.n - 1) / (self.n - 1))
        return average(results, -1.0)

    def rules(self) -> dict[str, Measure]:
        """Return the share of games in which each rule was used."""
        found, rows, games = dict[str, Measure](), self.rows, self.games
        for at, phase in enumerate(self.genome.turn_structure.phases):
            used = rows[:, watch.PHASE + at] > 0
            if not used.any():  # no player ever moves in this step
                used = (
                    rows[:, watch.DRAWN] > 0 if phase.traits.uses_deck else rows[:, watch.TURNS] > rows[:, watch.ASKED]
                )
            found[step_name(at, phase)] = share(int(used.sum()), games)
        ranks = self.genome.setup.deck.ranks
        for effect in self.genome.effects:
            if isinstance(effect, CardEffect):
                used = rows[:, watch.EFFECT + ranks.index(effect.rank)] > 0
                found[f"{effect.effect} {effect.rank}"] = share(int(used.sum()), games)
            else:
                found["LaySets"] = share(int((rows[:, watch.LAID] > 0).sum()), games)
        if self.genome.scoring:
            found["scoring"] = share(int((rows[:, watch.POINTS_MADE] > 0).sum()), games)
        for at, win in enumerate(self.genome.win_conditions):
            used = rows[:, watch.ENDED + at] > 0
            found[type(win).__name__] = share(games if at == 0 else int(used.sum()), games)
        return found

    def tension_curve(self) -> tuple[float, ...]:
        """Return the mean tension over the observed games. Each game is stretched to the same length."""
        curves = []
        for game in self.closely:
            looks = self.own.looks[game]
            curves.append(stretch_curve(looks[looks[:, moments.HERE] == 1][:, moments.TENSE].tolist()))
        return tuple([round(sum(points) / len(points), 4) for points in zip(*curves, strict=True)]) or (0.0,) * CURVE

    def lead_curves(self) -> tuple[tuple[float, ...], ...]:
        """Return each seat's prospects in the first observed game that had a single winner."""
        game = next((game for game in self.closely if self.alone[game]), 0)
        looks = self.own.looks[game]
        looks = looks[looks[:, moments.HERE] == 1]
        seats = [list(map(float, looks[:, moments.LEAD + seat])) for seat in range(self.n)]
        return tuple([stretch_curve(seat or [1 / self.n]) for seat in seats])


def _array(flags: list[bool] | list[float]) -> Any:
    import numpy as np

    return np.array(flags)


def best_less_worst(chosen: Any) -> Any:
    """Return for each choice how much better the best move is than the worst, in units of luck, from -1 to 1.

    The two moves are chosen with one half of the deals, and their difference is measured with the other half. Then the
    halves are exchanged, and the result is the mean. Folding is not compared: it is nearly always worst, so every bet
    would seem to matter. If there is only one other move, the value comes from `over_habit`.
    """
    found = over_habit(chosen).tolist()
    for at, row in enumerate(chosen):
        staying = [halves for code, *halves in zip(*map(_tried, [row] * 3, range(3)), strict=True) if code != FOLD]
        if len(staying) > 1:
            apart = 0.0
            for half, other in ((0, 1), (1, 0)):
                ranked = sorted(staying, key=itemgetter(half))
                apart += (ranked[-1][other] - ranked[0][other]) / 2
            found[at] = apart
    return _array(found).clip(-1, 1)


def over_habit(chosen: Any) -> Any:
    """Return for each choice how much better the best move is than a fixed habit, in units of luck, from -1 to 1.

    The best move is chosen with one half of the deals, and the difference is measured with the other half. Then the
    halves are exchanged, and the result is the mean. The habit is the move that is best on average over all choices
    with the same moves. If the moves are cards, the habit is a random move.
    """
    groups: dict[tuple[int, ...], list[int]] = {}
    codes = [tuple(sorted(map(int, _tried(row, 0)))) for row in chosen]
    for at, offer in enumerate(codes):
        cards = any(code < MOST_CARDS for code in offer)
        groups.setdefault((int(chosen[at][moments.PHASE]), *(() if cards else offer)), []).append(at)
    found = [0.0] * len(chosen)
    for group, places in groups.items():
        named = group[1:]
        values = [
            [dict(zip(_tried(chosen[at], 0), _tried(chosen[at], half), strict=True)) for half in (1, 2)]
            for at in places
        ]
        for half, other in ((0, 1), (1, 0)):
            sums = {code: sum([value[half][code] for value in values]) for code in named}
            habit = max(sorted(sums), key=sums.__getitem__) if sums else None
            for at, value in zip(places, values, strict=True):
                judged = value[other]
                usual = sum(judged.values()) / len(judged) if habit is None else judged[habit]
                best = max(sorted(value[half]), key=value[half].__getitem__)
                found[at] += (judged[best] - usual) / 2
    return _array(found).clip(-1, 1)


def _tried(row: Any, what: int) -> list[float]:
    """Return the codes of the compared moves (0), or their gains in the first (1) or the second half (2)."""
    count = int(row[moments.TRIED])
    return list(map(float, row[moments.TRIED + 1 + what : moments.TRIED + 1 + 3 * count : 3]))


def worst_bets(seen: Any) -> Measure:
    """Return the share of bets made when all players can see who will win, in the worst betting phase and round.

    The worst is looked for among the phases, and among the rounds of a phase with at least `LEAST_SEEN` observed bets.
    """
    known: dict[tuple[int, ...], list[int]] = {}
    for bet in seen[seen[:, moments.KNOWN] >= 0]:
        phase, round = int(bet[moments.PHASE]), int(bet[moments.ROUND])
        for place in ((phase,), (phase, round)):
            known.setdefault(place, []).append(int(bet[moments.KNOWN]))
    seen = [known[place] for place in sorted(known) if len(place) == 1 or len(known[place]) >= LEAST_SEEN]
    return max([NOTHING, *[share(sum(bets), len(bets)) for bets in seen]], key=lambda one: one.low)


def stretch_curve(points: list[float]) -> tuple[float, ...]:
    """Return the curve interpolated to `CURVE` points."""
    last, found = len(points) - 1, []
    for k in range(CURVE):
        here, part = divmod(k * last / (CURVE - 1), 1)
        below, above = points[int(here)], points[min(int(here) + 1, last)]
        found.append(round(below + (above - below) * part, 4))
    return tuple(found)
