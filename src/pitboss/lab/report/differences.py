"""The differences of two games in rules and measures, and what each rule of a game contributes."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from msgspec import Struct
from msgspec.structs import asdict, replace

from pitboss.cards import RANKS, SUITS
from pitboss.lab.english import (
    RANK_NAMES,
    SUIT_NAMES,
    capital,
    chips,
    listed,
    number,
    ordinal,
    plural,
    points,
    ranks_of,
    some,
)
from pitboss.lab.files import known_games, load
from pitboss.lab.genome import CardEffect, Deck, Effect, Genome, LaySets, Phase, Scoring, problems
from pitboss.lab.measures.figures import Measure
from pitboss.lab.measures.measure import NAMES, QUALITY, Measured, measure
from pitboss.lab.rulebook import effect_sentence, scored_thing, scoring_rules, set_sentence
from pitboss.lab.variation.repair import repair
from pitboss.stats import Mean

LABELS = {
    "decisions": "choices",
    "mattered": "weight of choices",
    "lead_changes": "lead changes",
    "comeback": "comebacks",
    "seat_advantage": "seat advantage",
    "start_advantage": "starter's advantage",
    "decisive": "clear winners",
    "draws": "shared games",
    "all_ins": "all-ins",
    "pot": "size of pots",
    "chips_follow_cards": "chips that follow cards",
    "open_bets": "bets on a known winner",
    "bet_share": "share of bets",
    "complexity": "words of rules",
    "rule_use": "use of rules",
}
"""Labels for measures whose names are not clear."""
WEIGHT_OF_A_STEP = 1.0
"""The distance of two games if one has a step that the other does not have. Other weights are relative to it."""
CHANGED, MOST_CHANGED = 0.15, 0.6
"""The distance for each changed field of a step, and the maximum distance for one step."""
WEIGHT_OF_A_MOVE = 0.4
REPEATS, GAMES = 6, 60
MEASURED = (*QUALITY, "bluffs", "lead_changes")
"""The measures that are compared with and without each rule."""
CONFIDENCE = 0.99
MOST_SAID = 4
LEAST_DIFFERENCE = 0.03
"""The minimum difference that is reported. A smaller one is not, even if it is significant."""
SAMPLES = 10


def label(measure: str) -> str:
    """Return the label of a measure.

    >>> label("mattered"), label("tension"), label("some_new_one")
    ('weight of choices', 'tension', 'some new one')
    """
    return LABELS.get(measure, measure.replace("_", " "))


class Fact(Struct, frozen=True):
    """A property that every game has. Its words are empty if the property does not matter in a game."""

    name: str
    words: str
    weight: float  #: the distance of two games that differ in this property


def facts_of(genome: Genome) -> list[Fact]:
    """Return the properties of a game."""
    setup, turns = genome.setup, genome.turn_structure
    bets = setup.starting_chips > 0
    tricks = any(phase.tricks and phase.traits.looks for phase in turns.phases)
    trump = setup.trump_suit if tricks else None
    return [
        Fact("Players", number(genome.player_count), 0.3),
        Fact("Deck", _deck(setup.deck), 0.4),
        Fact("Cards for each player", number(setup.cards_per_player), 0.2),
        Fact("Cards on the discards at the start", _count(setup.initial_discard_count), 0.2),
        Fact("Cards on the table at the start", _count(setup.initial_tableau_count), 0.3),
        Fact("Trumps", "no suit" if trump is None else SUIT_NAMES.get(trump, "a random suit"), 0.4),
        Fact("Chips", "for each player" if bets else "none", WEIGHT_OF_A_STEP),
        Fact("Chips for each player", chips(setup.starting_chips) if bets else "", 0.1),
        Fact("Ante", (chips(setup.ante) if setup.ante else "none") if bets else "", 0.2),
        Fact("Pots", ("side pots for all-in players" if setup.pots == "side" else "one pot") if bets else "", 0.1),
        Fact("Deals", number(setup.deals), 0.2),
        Fact("Order", _order(genome), 0.5),
        Fact("Rounds in a deal", number(turns.rounds) if turns.rounds else "no limit", 0.2),
    ]


def _count(n: int) -> str:
    return number(n) if n else "none"


def _deck(deck: Deck) -> str:
    size = len(deck.ranks) * len(deck.suits)
    ranks = "two to ace" if deck.ranks == RANKS else ranks_of(deck)
    if len(deck.suits) == len(SUITS):
        return f"{some(size, 'card')} ({ranks})"
    return f"{some(size, 'card')} ({ranks}; {listed([SUIT_NAMES[suit] for suit in deck.suits])})"


def _order(genome: Genome) -> str:
    if all(phase.everybodys for phase in genome.turn_structure.phases):
        return "all players take part together"
    in_turns = genome.turn_structure.order == "turns"
    return "each player does all steps" if in_turns else "all players do each step"


def strip_markdown(step: str) -> str:
    """Return a step of the rulebook without Markdown and without references to other sections.

    >>> strip_markdown(load("kuhn").turn_structure.phases[0].step(load("kuhn"), 0))
    'Bet. A round of betting: a bet is 1 chip, and there are no raises.'
    """
    return step.replace("**", "").replace(", as described below", "")


def bold_word(step: str) -> str:
    """Return the bold word of a step.

    >>> bold_word("**Play a trick.** Each player turns up a card.")
    'Play a trick'
    """
    return step.partition("**")[2].partition("**")[0].rstrip(".")


def sentences(step: str) -> list[str]:
    """Return the sentences of a step after its bold word.

    >>> sentences("**Draw.** Take a card. If there is none, you pass.")
    ['Take a card.', 'If there is none, you pass.']
    """
    return re.split(r"(?<=[.:;]) ", strip_markdown(step.rpartition("** ")[2]))


def effect_words(effect: Effect, genome: Genome) -> str:
    """Return the effect in words, or an empty text if it cannot matter."""
    if isinstance(effect, LaySets):
        return set_sentence(effect, genome)
    text = effect_sentence(effect, genome)
    return f"{capital(plural(RANK_NAMES[effect.rank]))}: {text}" if text else ""


def scoring_words(rule: Scoring) -> str:
    """Return a scoring rule in words."""
    return f"{capital(scored_thing(rule))}: {points(rule.points)}."


def rules_of(genome: Genome) -> list[str]:
    """Return a game's rules, one sentence each, for comparing them with another game's."""
    first = genome.win_conditions[0]
    steps = [strip_markdown(phase.step(genome, at)) for at, phase in enumerate(genome.turn_structure.phases)]
    ends = [f"A deal ends as soon as {end}." for win in genome.win_conditions if (end := win.ends(genome))]
    effects = [words for effect in genome.effects if (words := effect_words(effect, genome))]
    scored = [scoring_words(rule) for rule in scoring_rules(genome)]
    facts = [f"{fact.name}: {fact.words}." for fact in facts_of(genome) if fact.words]
    return list(dict.fromkeys([*facts, *steps, *ends, f"The winner: {first.best()}.", *effects, *scored]))


class Difference(Struct, frozen=True):
    """One difference of a game from another."""

    words: str  #: a sentence about the first game
    weight: float


class Nearest(Struct, frozen=True):
    """The known game that is most similar to a game."""

    name: str
    differences: tuple[Difference, ...]

    @property
    def distance(self) -> float:
        """The distance of the two games. It is 0 for the same game."""
        return sum([difference.weight for difference in self.differences])


def differences(genome: Genome, other: Genome) -> tuple[Difference, ...]:
    """Return the differences of the first game from the other. Names do not matter.

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
    """Return the known game with the smallest distance. Of several, return the first.

    >>> nearest_known(load("kuhn")).name, nearest_known(load("kuhn")).distance
    ('kuhn', 0)
    """
    candidates = [Nearest(known.name, differences(genome, known)) for known in _known()]
    return min(candidates, key=lambda nearest: nearest.distance)


# --- properties


def _facts(genome: Genome, other: Genome) -> Iterator[Difference]:
    for new, old in zip(facts_of(genome), facts_of(other), strict=True):
        if new.words and old.words and new.words != old.words:
            yield Difference(f"{new.name}: {new.words} instead of {old.words}.", new.weight)


# --- steps
# Equal steps in the same order are paired first. Of the other steps, those of the same kind count as moved.


def _steps(genome: Genome, other: Genome) -> Iterator[Difference]:
    mine, theirs = genome.turn_structure.phases, other.turn_structure.phases
    for at, old in add_moved_steps(match_steps(mine, theirs), mine, theirs):
        if at is None and old is not None:
            yield Difference(f"Without the step “{strip_markdown(theirs[old].step(other, old))}”", WEIGHT_OF_A_STEP)
        elif old is None and at is not None:
            yield Difference(f"With the step “{strip_markdown(mine[at].step(genome, at))}”", WEIGHT_OF_A_STEP)
        elif at is not None and old is not None:
            yield from _moved(genome, other, at, old)
            yield from _changed(genome, other, at, old)


Pairs = list[tuple[int | None, int | None]]
"""Pairs of corresponding steps of two games, by index. None is in place of a missing step."""


def add_moved_steps(pairs: Pairs, mine: Sequence[Phase], theirs: Sequence[Phase]) -> Pairs:
    """Also pair the other steps of both games: first equal steps, then steps of the same kind."""
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
    """Yield a difference if a step has another position in the other game."""
    pairs = match_steps(genome.turn_structure.phases, other.turn_structure.phases)
    if (at, old) not in pairs and at != old:
        step = bold_word(genome.turn_structure.phases[at].step(genome, at))
        yield Difference(f"The step “{step}” comes {ordinal(at + 1)} instead of {ordinal(old + 1)}.", WEIGHT_OF_A_MOVE)


def _changed(genome: Genome, other: Genome, at: int, old: int) -> Iterator[Difference]:
    """Yield the differences of two steps of the same kind."""
    mine, theirs = genome.turn_structure.phases[at], other.turn_structure.phases[old]
    changed = sum([asdict(mine)[name] != value for name, value in asdict(theirs).items()])
    new_words, old_words = mine.step(genome, at), theirs.step(other, old)
    if changed and strip_markdown(new_words) != strip_markdown(old_words):
        yield Difference(_differing_words(genome, at, new_words, old_words), min(MOST_CHANGED, CHANGED * changed))


def _differing_words(genome: Genome, at: int, new_words: str, old_words: str) -> str:
    """Return the difference of two steps of the same kind in words, without their common sentences."""
    name, new, old = bold_word(new_words), sentences(new_words), sentences(old_words)
    if name != bold_word(old_words):
        return f"The step “{strip_markdown(new_words)}” instead of “{strip_markdown(old_words)}”"
    names = [bold_word(phase.step(genome, place)) for place, phase in enumerate(genome.turn_structure.phases)]
    which = f"In the step “{name}”" if names.count(name) == 1 else f"In step {at + 1}, “{name}”"
    only_new, only_old = [[one for one in some if one not in others] for some, others in ((new, old), (old, new))]
    if only_new and only_old:
        return f"{which}: “{' '.join(only_new)}” instead of “{' '.join(only_old)}”"
    return f"{which}, added: “{' '.join(only_new)}”" if only_new else f"{which}, left out: “{' '.join(only_old)}”"


def match_steps(mine: Sequence[Phase], theirs: Sequence[Phase]) -> Pairs:
    """Return the pairs of steps, in order, with the smallest total distance."""
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


# --- win conditions, effects and points


def _wins(genome: Genome, other: Genome) -> Iterator[Difference]:
    first, old_first = genome.win_conditions[0], other.win_conditions[0]
    if first != old_first:
        weight = MOST_CHANGED if type(first) is type(old_first) else 1.5 * WEIGHT_OF_A_STEP
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
            yield Difference(f"A deal does not end when {end}.", 0.7)


def _rules(genome: Genome, other: Genome) -> Iterator[Difference]:
    mine, theirs = _worded_rules(genome), _worded_rules(other)
    for words, weight in mine.items():
        if words not in theirs:
            yield Difference(f"With the rule “{words}”", weight)
    for words, weight in theirs.items():
        if words not in mine:
            yield Difference(f"Without the rule “{words}”", weight)


def _worded_rules(genome: Genome) -> dict[str, float]:
    """Return the effects and scoring rules that can matter, with their weights."""
    effects = {words: 0.6 for effect in genome.effects if (words := effect_words(effect, genome))}
    return effects | {scoring_words(rule): 0.4 for rule in scoring_rules(genome)}


def _clause(sentence: str) -> str:
    return (sentence[:1].lower() + sentence[1:]).rstrip(".")


class RuleAblation(Struct, frozen=True):
    """A game without one of its rules."""

    rule: str  #: the rule in words that can follow "without"
    genome: Genome
    mended: bool  #: whether other rules had to change to make the game playable


class Change(Struct, frozen=True):
    """The change of a measure when a rule is removed."""

    measure: str
    mean: float
    spread: float  #: half of the 95 % interval
    clear: bool  #: whether the change is significant and large enough to report

    @property
    def sentence(self) -> str:
        """The change in words.

        >>> Change("tension", -0.12, 0.03, True).sentence
        'tension drops 0.12 ± 0.03'
        """
        name = label(self.measure)
        verb = ("drop" if self.mean < 0 else "rise") + ("" if name.split(" of ")[0].endswith("s") else "s")
        return f"{name} {verb} {abs(self.mean):.2f} ± {self.spread:.2f}"


class RuleWorth(Struct, frozen=True):
    """What a rule contributes: the changes of measures without it."""

    rule: str
    mended: bool
    changes: tuple[Change, ...]  #: the largest change first

    @property
    def clear(self) -> tuple[Change, ...]:
        """The changes that are clear."""
        return tuple([change for change in self.changes if change.clear])

    @property
    def sentence(self) -> str:
        """The clear changes without the rule, in words."""
        also = " (and with the changes that this requires)" if self.mended else ""
        if not self.clear:
            return f"Without {self.rule}{also} no measure changes clearly."
        return f"Without {self.rule}{also} {listed([change.sentence for change in self.clear[:MOST_SAID]])}."


def rule_ablations(genome: Genome) -> Iterator[RuleAblation]:
    """Yield the game without each of its rules, if a different playable game is left."""
    for rule, removed in _removed(genome):
        valid = not list(problems(removed))
        left = removed if valid else repair(removed)
        if left != genome:
            yield RuleAblation(rule, left, not valid)


def _removed(genome: Genome) -> Iterator[tuple[str, Genome]]:
    turns, setup = genome.turn_structure, genome.setup
    steps = [bold_word(phase.step(genome, at)) for at, phase in enumerate(turns.phases)]
    for at, step in enumerate(steps):
        if len(steps) > 1:
            which = f"step {at + 1} ({step.lower()})"
            yield which, replace(genome, turn_structure=replace(turns, phases=_all_but(turns.phases, at)))
    for at, effect in enumerate(genome.effects):
        if words := effect_words(effect, genome):
            rule = f"“{words}”" if isinstance(effect, CardEffect) else "the laying of sets"
            yield rule, replace(genome, effects=_all_but(genome.effects, at))
    matter = scoring_rules(genome)
    for at, scored in enumerate(genome.scoring):
        if scored not in matter:
            continue
        yield f"“{scoring_words(scored)}”", replace(genome, scoring=_all_but(genome.scoring, at))
    for at, win in enumerate(genome.win_conditions):
        if at and (end := win.ends(genome)):
            yield f"the end as soon as {end}", replace(genome, win_conditions=_all_but(genome.win_conditions, at))
    if setup.trump_suit is not None and any(phase.tricks and phase.traits.looks for phase in turns.phases):
        yield "trumps", replace(genome, setup=replace(setup, trump_suit=None))
    if setup.ante:
        yield "the ante", replace(genome, setup=replace(setup, ante=0))


def _all_but(parts: tuple[object, ...], at: int) -> tuple[object, ...]:
    return (*parts[:at], *parts[at + 1 :])


def rule_worths(genome: Genome, whole: Sequence[Measured], games: int = GAMES) -> tuple[RuleWorth, ...]:
    """Return what each rule contributes, the most important first. `whole` is `measure_often` of the complete game."""
    found = []
    for without in rule_ablations(genome):
        left = measure_often(without.genome, len(whole), games)
        found.append(RuleWorth(without.rule, without.mended, changes(whole, left)))
    return tuple(sorted(found, key=lambda one: -max([abs(change.mean) for change in one.clear], default=0.0)))


def measure_often(genome: Genome, repeats: int = REPEATS, games: int = GAMES) -> list[Measured]:
    """Measure a game with several seeds."""
    return [measure(genome, games=games, seed=again) for again in range(repeats)]


def changes(
    before: Sequence[Measured], after: Sequence[Measured], names: Sequence[str] = MEASURED
) -> tuple[Change, ...]:
    """Return the changes of these measures between two lists of measurements with the same seeds, the largest first."""
    found = []
    for name in names:
        pairs = zip(before, after, strict=True)
        mean = Mean([new.measures[name].mean - old.measures[name].mean for old, new in pairs])
        (low, high), (least, most) = mean.interval(), mean.interval(CONFIDENCE)
        clear = abs(mean.mean) >= LEAST_DIFFERENCE and not least <= 0 <= most
        found.append(Change(name, mean.mean, (high - low) / 2, clear))
    return tuple(sorted(found, key=lambda change: -abs(change.mean)))


class Compared(Struct, frozen=True):
    """A measure of two games."""

    one: Measure
    other: Measure
    change: Change  #: the change from the first game to the second


class GameComparison(Struct, frozen=True):
    """The comparison of two games."""

    rules: tuple[str, ...]  #: the differences of the second game from the first
    measures: dict[str, Compared]


def compare_games(
    one: Genome, other: Genome, *, games: int = 50, seed: int = 0, step: Callable[[], object] = lambda: None
) -> GameComparison:
    """Compare two games. Measure each ten times over `games` games, and call `step` after each measurement."""
    rows = [list[Measured](), list[Measured]()]
    for again in range(SAMPLES):
        for row, genome in zip(rows, (one, other), strict=True):
            row.append(measure(genome, games=games, seed=seed + again))
            step()
    by_name = {change.measure: change for change in changes(rows[0], rows[1], NAMES)}
    measures = {name: Compared(_spread(rows[0], name), _spread(rows[1], name), by_name[name]) for name in NAMES}
    return GameComparison(tuple([difference.words for difference in differences(other, one)]), measures)


def _spread(row: Sequence[Measured], name: str) -> Measure:
    mean = Mean([measured.measures[name].mean for measured in row])
    return Measure(mean.mean, *mean.interval())
