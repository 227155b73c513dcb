"""What a game is like, measure by measure, each with an interval and none of them weighed against another.

All follows from the genome, the number of games and the seed. Measures that claim to be about quality are 0 where a
game is not won by its own rules: what is stopped at the turn limit, or never won alone, is worth nothing.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any, Literal

from msgspec import Struct

from pitboss.betting import core
from pitboss.lab.genome.parts import CardEffect, Genome, LaySets
from pitboss.lab.measures.watching import look, watch
from pitboss.lab.measures.watching.loop import NO_HABITS, Watched, Watching
from pitboss.lab.measures.watching.players import CALM, GREEDY, MIXED, RANDOM
from pitboss.lab.rulebook.rulebook import rulebook
from pitboss.stats import Mean, proportion

Progress = Callable[[str, int, int], object]

MEANINGS = {
    "length": "turns a game: actions, and phases that passed without one",
    "decisions": "how many of the turns leave a choice",
    "mattered": "how much the best move is better than the worst, as a share of what could be won or lost by them",
    "lead_changes": "how often the lead changes in a game, of ten looks at it",
    "tension": "how open the deal is for whoever is asked: 1 is as open as at the start, 0 is decided",
    "comeback": "how far behind the winner has been, as a share of a fair share",
    "interaction": "how many of the choices change what somebody else then can do",
    "seat_advantage": "how much more often than its fair share the luckiest seat wins",
    "decisive": "games that one player wins alone, by the game's own rules and not at the turn limit",
    "draws": "games that several share",
    "skill": "what a greedy player wins of what is at stake, from random and from calm players, whichever is less",
    "bets": "bets a deal",
    "raises": "raises a deal",
    "folds": "folds a deal",
    "all_ins": "all-ins a deal",
    "showdowns": "deals that end with a comparison and not by folding",
    "pot": "the pot of a deal, as a share of all chips",
    "bluffs": "deals in which a bet took a pot that it would have lost if called",
    "chips_follow_cards": "chips in pots with bets that go where they would go if nobody had folded",
    "open_bets": "bets made while everybody can see who will win, in the betting phase where it is worst",
    "bet_share": "how many of the choices are bets",
    "complexity": "words in the rulebook",
    "rule_use": "how much of the rules is used, on average over the rules",
}
NAMES = tuple(MEANINGS)
QUALITY = ("decisions", "mattered", "tension", "comeback", "interaction", "decisive", "skill")
"""Those that claim to be about quality: more is better, and a game that nobody wins has none of it."""

CURVE = 20
CLOSELY, BUDGET = 12, 150_000
"""How many of the games are looked at closely, and how many moves may be spent on that."""
MORE_CLOSELY, LARGE_BUDGET = 100, 5_000_000
OBVIOUS, LEAST_SEEN = 0.95, 8
"""A phase has an obvious move if it is best so often, seen at least so many times."""


class Measure(Struct, frozen=True):
    """A mean, and where the true one lies with 95 % confidence."""

    mean: float
    low: float
    high: float


class Rung(Struct, frozen=True, kw_only=True):
    """A player's place on the ladder."""

    player: str
    rating: Measure  #: in points of Elo; random has 0


class Solved(Struct, frozen=True, kw_only=True):
    """What is known for sure of a game that could be solved, or of a miniature of it."""

    miniature: bool  #: whether it is a smaller game of the same rules
    value: float  #: what the first seat wins on average, in chips or wins
    bluffing: float  #: how often the weakest holding bets or raises at equilibrium
    information_sets: int
    exploitability: dict[str, float]  #: by player: what the best answers win, on average of both seats


class Measured(Struct, frozen=True, kw_only=True):
    """A game measured."""

    measures: dict[str, Measure]  #: by name, in the order of NAMES
    tension: tuple[float, ...]  #: over the course of a game, 20 points, 0 to 1
    lead: tuple[tuple[float, ...], ...]  #: by seat: its prospects through an example game, 20 points, 0 to 1
    rules: dict[str, Measure]  #: by rule, the share of games in which it was used
    solved: Solved | None  #: only at depth "full", where the game or a miniature is small
    ladder: tuple[Rung, ...]  #: only at depth "full"


def measure(
    genome: Genome,
    *,
    games: int = 200,
    seed: int = 0,
    depth: Literal["quick", "full"] = "quick",
    progress: Progress | None = None,
) -> Measured:
    """Measure a game over so many games."""
    full = depth == "full"
    n, watching = genome.player_count, Watching(genome, seed)
    half = max(1, games // 2)
    own = watching.watch(
        [MIXED] * n,
        range(half),
        closely=MORE_CLOSELY if full else CLOSELY,
        budget=LARGE_BUDGET if full else BUDGET,
    )
    habits = obvious(own)
    pairs = [watching.watch([GREEDY, *[RANDOM] * (n - 1)], range(half, half + max(n, games - half)))]
    if genome.betting_phases or habits != NO_HABITS:
        pairs.append(
            watching.watch([GREEDY, *[CALM] * (n - 1)], range(2 * games, 2 * games + max(n, half)), habits=habits)
        )
    found = Figures(genome, own, habits)
    measures = {
        **found.play(),
        **found.drama(),
        **found.seats(),
        **found.bets(),
        "skill": min([found.skill(pair) for pair in pairs], key=lambda one: one.mean),
        "complexity": exactly(len(rulebook(genome).split())),
    }
    rules = found.rules()
    measures["rule_use"] = average([use.mean for use in rules.values()])
    return Measured(
        measures={name: measures[name] for name in NAMES},
        tension=found.tension_curve(),
        lead=found.lead_curves(),
        rules=rules,
        solved=None,
        ladder=(),
    )


def obvious(own: Watched) -> tuple[int, ...]:
    """By phase, the move that is best whenever there is a choice, or -1 where none is."""
    habits, moments = list(NO_HABITS), own.moments()
    chosen = moments[moments[:, look.COUNT] > 1]
    for phase in set(chosen[:, look.PHASE].astype(int)):
        best = chosen[chosen[:, look.PHASE] == phase][:, look.BEST].astype(int).tolist()
        move = max(set(best), key=lambda one: (best.count(one), -one))
        if len(best) >= LEAST_SEEN and best.count(move) >= OBVIOUS * len(best):
            habits[phase] = move
    return tuple(habits)


def average(values: Any, low: float = 0.0, high: float = 1.0) -> Measure:
    """The mean of these with its interval, kept within what is possible."""
    mean = Mean([float(value) for value in values])
    if mean.count < 2:
        return Measure(mean.mean, low, high)
    least, most = mean.interval()
    return Measure(mean.mean, max(low, least), min(high, most))


def share(successes: int, trials: int) -> Measure:
    """A share with its interval."""
    return Measure(successes / max(1, trials), *proportion(successes, trials))


def exactly(number: float) -> Measure:
    """A number that is known."""
    return Measure(float(number), float(number), float(number))


NOTHING = exactly(0)
MANY = 1e9


class Figures:
    """Measures from games among mixed players."""

    def __init__(self, genome: Genome, own: Watched, habits: tuple[int, ...]) -> None:
        self.genome, self.own, self.habits = genome, own, habits
        self.rows, self.moments = own.rows, own.moments()
        self.games, self.n = len(own.rows), genome.player_count
        self.alone = [int(row[watch.WINNERS]).bit_count() == 1 and not row[watch.STOPPED] for row in self.rows]
        self.closely = [game for game, looks in enumerate(own.looks) if looks[0][look.HERE]]
        self.worthless = not any(self.alone)

    def play(self) -> dict[str, Measure]:
        """How long it is, and how much there is to choose."""
        rows, won = self.rows, [float(alone) for alone in self.alone]
        chosen = self.moments[self.moments[:, look.COUNT] > 1]
        ends = sum(won) / self.games
        plain = [self.habits[int(phase)] == NO_HABITS[0] for phase in chosen[:, look.PHASE]]
        worth = [
            max(-1.0, min(1.0, value)) * real * ends for value, real in zip(chosen[:, look.WORTH], plain, strict=True)
        ]
        return {
            "length": average(rows[:, watch.TURNS], 0, MANY),
            "decisions": average(
                [
                    won * min(1.0, row[watch.DECISIONS] / max(1, row[watch.TURNS]))
                    for row, won in zip(rows, won, strict=True)
                ]
            ),
            "mattered": average(worth) if worth else NOTHING,
            "interaction": average(chosen[:, look.OTHERS] * ends) if len(chosen) else NOTHING,
            "bet_share": self.ratio(watch.BETTING, watch.DECISIONS),
            "decisive": share(sum(self.alone), self.games),
            "draws": share(sum([int(row[watch.WINNERS]).bit_count() != 1 for row in rows]), self.games),
        }

    def seats(self) -> dict[str, Measure]:
        """Whether a seat is better than another."""
        if self.worthless:
            return {"seat_advantage": NOTHING}
        wins = [0.0] * self.n
        for row in self.rows:
            bits = int(row[watch.WINNERS])
            for seat in range(self.n):
                wins[seat] += ((bits >> seat) & 1) / max(1, bits.bit_count())
        best = max(wins)
        low, high = proportion(int(best), self.games)
        fair = 1 / self.n
        return {"seat_advantage": Measure(best / self.games - fair, max(0.0, low - fair), max(0.0, high - fair))}

    def drama(self) -> dict[str, Measure]:
        """Tension, changes of the lead, and comebacks, from games looked at closely."""
        changes, tension, comeback = [], [], []
        for game in self.closely:
            won = float(self.alone[game])
            looks = self.own.looks[game]
            looks = looks[looks[:, look.HERE] == 1]
            leads = looks[:, look.LEAD : look.LEAD + self.n]
            tension.append(won * looks[:, look.TENSE].mean())
            leaders = [int(lead.argmax()) for lead in leads if lead.max() - sorted(lead)[-2] > 1e-9]
            changes.append(won * sum([a != b for a, b in pairwise(leaders)]))
            winner = int(self.rows[game][watch.WINNERS]).bit_length() - 1
            comeback.append(won * max(0.0, 1 - self.n * float(leads[:, winner].min())) if won else 0.0)
        if not tension:
            return dict.fromkeys(("tension", "lead_changes", "comeback"), NOTHING)
        return {
            "tension": average(tension),
            "lead_changes": average(changes, 0, MANY),
            "comeback": average(comeback),
        }

    def bets(self) -> dict[str, Measure]:
        """What the bets do."""
        names = ("bets", "raises", "folds", "all_ins", "showdowns", "pot", "bluffs", "chips_follow_cards", "open_bets")
        if not self.genome.betting_phases:
            return dict.fromkeys(names, NOTHING)
        chips = self.n * self.genome.setup.starting_chips
        verbs = {"bets": core.BET, "raises": core.RAISE, "folds": core.FOLD, "all_ins": core.ALL_IN}
        deals = int(self.rows[:, watch.DEALS].sum())
        return {
            **{name: self.ratio(watch.VERB + verb, watch.DEALS, MANY) for name, verb in verbs.items()},
            "showdowns": share(min(deals, int(self.rows[:, watch.SHOWDOWNS].sum())), deals),
            "pot": average(self.rows[:, watch.POTS] / self.rows[:, watch.DEALS].clip(1) / chips),
            "bluffs": share(int(self.rows[:, watch.BLUFFS].sum()), deals),
            "chips_follow_cards": self.ratio(watch.RIGHT, watch.CHIPS_BET),
            "open_bets": self.open_bets(),
        }

    def open_bets(self) -> Measure:
        """The worst betting phase."""
        bets = self.moments[self.moments[:, look.KNOWN] >= 0]
        worst = NOTHING
        for phase in sorted(set(bets[:, look.PHASE])):
            known = bets[bets[:, look.PHASE] == phase][:, look.KNOWN]
            here = share(int(known.sum()), len(known))
            worst = max(worst, here, key=lambda one: one.low)
        return worst

    def ratio(self, part: int, whole: int, high: float = 1.0) -> Measure:
        """One column by another, game by game."""
        rows = self.rows[self.rows[:, whole] > 0]
        return average(rows[:, part] / rows[:, whole], 0, high) if len(rows) else NOTHING

    def skill(self, pair: Watched) -> Measure:
        """What the player wins of what is at stake who is named first; each game it sits a seat further on."""
        won = [self.result(row, -number % self.n) for number, row in zip(pair.games, pair.rows, strict=True)]
        return average(won, -1.0) if not self.worthless else NOTHING

    def result(self, row: Any, seat: int) -> float:
        """A game's result for a seat: 1 if it won all there was to win, 0 for a fair share."""
        if row[watch.STOPPED]:
            return 0.0
        bits = int(row[watch.WINNERS])
        part = ((bits >> seat) & 1) / max(1, bits.bit_count())
        return (part * self.n - 1) / (self.n - 1)

    def rules(self) -> dict[str, Measure]:
        """How many games each rule played a part in."""
        found, rows, games = dict[str, Measure](), self.rows, self.games
        for at, phase in enumerate(self.genome.turn_structure.phases):
            used = rows[:, watch.PHASE + at] > 0
            found[f"{at} {type(phase).__name__}"] = share(int(used.sum()), games)
        ranks = self.genome.setup.deck.ranks
        for effect in self.genome.effects:
            if isinstance(effect, CardEffect):
                used = rows[:, watch.EFFECT + ranks.index(effect.rank)] > 0
                found[f"{effect.effect} {effect.rank}"] = share(int(used.sum()), games)
            elif isinstance(effect, LaySets):
                found["LaySets"] = exactly(1)
        for at, win in enumerate(self.genome.win_conditions):
            used = rows[:, watch.ENDED + at] > 0
            found[type(win).__name__] = share(games if at == 0 else int(used.sum()), games)
        return found

    # --- pictures

    def tension_curve(self) -> tuple[float, ...]:
        """The mean over the games looked at."""
        points = []
        for point in range(watch.POINTS):
            here = self.own.looks[:, point]
            here = here[here[:, look.HERE] == 1]
            points.append(float(here[:, look.TENSE].mean()) if len(here) else 0.0)
        return stretched(points)

    def lead_curves(self) -> tuple[tuple[float, ...], ...]:
        """The first game looked at that was won alone."""
        game = next((game for game in self.closely if self.alone[game]), 0)
        looks = self.own.looks[game]
        looks = looks[looks[:, look.HERE] == 1]
        seats = [list(map(float, looks[:, look.LEAD + seat])) for seat in range(self.n)]
        return tuple([stretched(seat or [1 / self.n]) for seat in seats])


def stretched(points: list[float]) -> tuple[float, ...]:
    """The same curve in as many points as are shown."""
    last = len(points) - 1
    found = []
    for k in range(CURVE):
        place = k * last / (CURVE - 1)
        here = int(place)
        there = min(here + 1, last)
        found.append(round(points[here] + (points[there] - points[here]) * (place - here), 4))
    return tuple(found)
