"""What two games do differently, rule by rule and in words, and which known game is nearest to a game."""

from collections.abc import Iterator, Sequence
from functools import cache

from msgspec import Struct
from msgspec.structs import asdict

from pitboss.lab.base.english import ordinal
from pitboss.lab.files import load
from pitboss.lab.genome.known import known_games
from pitboss.lab.genome.parts import Genome, Phase
from pitboss.lab.report.rules import APART, effect_words, facts_of, heading, plain, scoring_words, sentences
from pitboss.lab.rulebook.possible import scoring_rules

CHANGED, MOST_CHANGED = 0.15, 0.6
"""How much each number changed in a step counts, and the most they count together."""
MOVED = 0.4


class Difference(Struct, frozen=True):
    """One thing that a game does differently from another."""

    words: str  #: a sentence about the first of them
    weight: float


class Nearest(Struct, frozen=True):
    """The known game that is most like a game."""

    name: str
    differences: tuple[Difference, ...]

    @property
    def distance(self) -> float:
        """How far it is; 0 is the same game."""
        return sum([difference.weight for difference in self.differences])


def differences(genome: Genome, other: Genome) -> tuple[Difference, ...]:
    """What the first game does differently from the other; names do not matter.

    >>> for difference in differences(load("crazy_eights"), load("mau_mau"))[:2]:
    ...     print(difference.words)
    Players: two instead of three.
    Deck: 52 cards (two to ace) instead of 32 cards (seven to ten, jack, queen, king, ace).
    """
    return (*_facts(genome, other), *_steps(genome, other), *_wins(genome, other), *_rules(genome, other))


@cache
def _known() -> tuple[Genome, ...]:
    return tuple([load(name) for name in known_games()])


def nearest_known(genome: Genome) -> Nearest:
    """The known game that is least different; the first of equal ones.

    >>> nearest_known(load("kuhn")).name, nearest_known(load("kuhn")).distance
    ('kuhn', 0)
    """
    candidates = [Nearest(known.name, differences(genome, known)) for known in _known()]
    return min(candidates, key=lambda nearest: nearest.distance)


# --- facts: what a game has exactly one of


def _facts(genome: Genome, other: Genome) -> Iterator[Difference]:
    for new, old in zip(facts_of(genome), facts_of(other), strict=True):
        if new.words and old.words and new.words != old.words:
            yield Difference(f"{new.name}: {new.words} instead of {old.words}.", new.weight)


# --- steps: the same ones in the same order are one another's; of those left over, the same kind has moved


def _steps(genome: Genome, other: Genome) -> Iterator[Difference]:
    mine, theirs = genome.turn_structure.phases, other.turn_structure.phases
    for at, old in with_moved(matched(mine, theirs), mine, theirs):
        if at is None and old is not None:
            yield Difference(f"Without the step “{plain(theirs[old].step(other, old))}”", APART)
        elif old is None and at is not None:
            yield Difference(f"With the step “{plain(mine[at].step(genome, at))}”", APART)
        elif at is not None and old is not None:
            yield from _moved(genome, other, at, old)
            yield from _changed(genome, other, at, old)


Pairs = list[tuple[int | None, int | None]]
"""Steps of two games that stand for each other, by their places; None where there is no such step."""


def with_moved(pairs: Pairs, mine: Sequence[Phase], theirs: Sequence[Phase]) -> Pairs:
    """The pairs, where steps left over in both stand for each other too: equal ones first, then those of a kind."""
    pairs = list(pairs)
    for alike in (lambda one, two: one == two, lambda one, two: type(one) is type(two)):
        for new in [pair for pair in pairs if pair[1] is None]:
            for old in [pair for pair in pairs if pair[0] is None]:
                assert new[0] is not None
                assert old[1] is not None
                if alike(mine[new[0]], theirs[old[1]]):
                    pairs[pairs.index(new)] = (new[0], old[1])
                    pairs.remove(old)
                    break
    return pairs


def _moved(genome: Genome, other: Genome, at: int, old: int) -> Iterator[Difference]:
    """That a step comes elsewhere among those which both games have."""
    pairs = matched(genome.turn_structure.phases, other.turn_structure.phases)
    if (at, old) not in pairs and at != old:
        step = heading(genome.turn_structure.phases[at].step(genome, at))
        yield Difference(f"The step “{step}” comes {ordinal(at + 1)} instead of {ordinal(old + 1)}.", MOVED)


def _changed(genome: Genome, other: Genome, at: int, old: int) -> Iterator[Difference]:
    """What is written otherwise in two steps of a kind."""
    mine, theirs = genome.turn_structure.phases[at], other.turn_structure.phases[old]
    changed = sum([asdict(mine)[name] != value for name, value in asdict(theirs).items()])
    new_words, old_words = mine.step(genome, at), theirs.step(other, old)
    if changed and plain(new_words) != plain(old_words):
        yield Difference(_differing_words(genome, at, new_words, old_words), min(MOST_CHANGED, CHANGED * changed))


def _differing_words(genome: Genome, at: int, new_words: str, old_words: str) -> str:
    """A step that differs from another of its kind, without the sentences that both have."""
    name, new, old = heading(new_words), sentences(new_words), sentences(old_words)
    if name != heading(old_words):
        return f"The step “{plain(new_words)}” instead of “{plain(old_words)}”"
    names = [heading(phase.step(genome, place)) for place, phase in enumerate(genome.turn_structure.phases)]
    which = f"In the step “{name}”" if names.count(name) == 1 else f"In step {at + 1}, “{name}”"
    only_new, only_old = [[one for one in some if one not in others] for some, others in ((new, old), (old, new))]
    if only_new and only_old:
        return f"{which}: “{' '.join(only_new)}” instead of “{' '.join(only_old)}”"
    return f"{which} also: “{' '.join(only_new)}”" if only_new else f"{which} not: “{' '.join(only_old)}”"


def matched(mine: Sequence[Phase], theirs: Sequence[Phase]) -> Pairs:
    """Which step stands for which, in their order, so that as little as possible is left over or changed."""
    costs = [[0.0] * (len(theirs) + 1) for _ in range(len(mine) + 1)]
    for i in reversed(range(len(mine) + 1)):
        for j in reversed(range(len(theirs) + 1)):
            ways = [1 + costs[i + 1][j]] if i < len(mine) else []
            ways += [1 + costs[i][j + 1]] if j < len(theirs) else []
            if i < len(mine) and j < len(theirs) and type(mine[i]) is type(theirs[j]):
                ways.append(CHANGED * (mine[i] != theirs[j]) + costs[i + 1][j + 1])
            costs[i][j] = min(ways, default=0.0)
    pairs, i, j = Pairs(), 0, 0
    while i < len(mine) or j < len(theirs):
        same = i < len(mine) and j < len(theirs) and type(mine[i]) is type(theirs[j])
        if same and costs[i][j] == CHANGED * (mine[i] != theirs[j]) + costs[i + 1][j + 1]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif i < len(mine) and costs[i][j] == 1 + costs[i + 1][j]:
            pairs.append((i, None))
            i += 1
        else:
            pairs.append((None, j))
            j += 1
    return pairs


# --- how it is won, effects and points


def _wins(genome: Genome, other: Genome) -> Iterator[Difference]:
    first, old_first = genome.win_conditions[0], other.win_conditions[0]
    if first != old_first:
        weight = MOST_CHANGED if type(first) is type(old_first) else 1.5 * APART
        aim, old_aim = first.aim(genome), old_first.aim(other)
        if first.best() != old_first.best():
            yield Difference(f"The winner: {first.best()} instead of {old_first.best()}.", weight)
        elif aim != old_aim:
            yield Difference(f"The aim: {_clause(aim)} instead of {_clause(old_aim)}.", weight)
    yield from _ends(genome, other)


def _ends(genome: Genome, other: Genome) -> Iterator[Difference]:
    both = (genome, other)
    new_ends, old_ends = [[end for win in game.win_conditions if (end := win.ends(game))] for game in both]
    for end in new_ends:
        if end not in old_ends:
            yield Difference(f"A deal also ends as soon as {end}.", 0.7)
    for end in old_ends:
        if end not in new_ends:
            yield Difference(f"A deal does not end because {end}.", 0.7)


def _rules(genome: Genome, other: Genome) -> Iterator[Difference]:
    mine, theirs = _worded_rules(genome), _worded_rules(other)
    for words, weight in mine.items():
        if words not in theirs:
            yield Difference(f"With the rule “{words}”", weight)
    for words, weight in theirs.items():
        if words not in mine:
            yield Difference(f"Without the rule “{words}”", weight)


def _worded_rules(genome: Genome) -> dict[str, float]:
    """Effects and points that can matter, with their weights."""
    effects = {words: 0.6 for effect in genome.effects if (words := effect_words(effect, genome))}
    return effects | {scoring_words(rule): 0.4 for rule in scoring_rules(genome)}


def _clause(sentence: str) -> str:
    return (sentence[:1].lower() + sentence[1:]).rstrip(".")
