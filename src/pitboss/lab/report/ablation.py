"""Which rule carries how much: the game is measured with and without each of its rules.

Both are measured several times over, each time from another seed and both from the same one, so that the differences
have an interval of their own. A difference is clear if its 99 % interval leaves out 0: many are looked at, and with
95 % a few would seem clear by chance.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pitboss.lab.base.english import listed
from pitboss.lab.genome.parts import CardEffect, Genome
from pitboss.lab.genome.validity import problems
from pitboss.lab.measures.measure import QUALITY, Measured, measure
from pitboss.lab.report.rules import effect_words, heading, label, scoring_words
from pitboss.lab.rulebook.possible import scoring_rules
from pitboss.lab.variation.repair import repair
from pitboss.stats import Mean

REPEATS, GAMES = 6, 60
MEASURED = (*QUALITY, "bluffs", "lead_changes")
"""The measures in which a rule can carry something."""
CERTAIN = 0.99
MOST_SAID = 4
LEAST = 0.03
"""Differences below this are not worth a word, however clear."""


class Without(Struct, frozen=True):
    """A game without one of its rules."""

    rule: str  #: in words, as after "without"
    genome: Genome
    mended: bool  #: whether something else had to change for it to be playable


class Change(Struct, frozen=True):
    """How much a measure changes without a rule."""

    measure: str
    mean: float
    spread: float  #: half of its 95 % interval
    clear: bool

    @property
    def sentence(self) -> str:
        """The change in words.

        >>> Change("tension", -0.12, 0.03, True).sentence
        'tension drops 0.12 ± 0.03'
        """
        name = label(self.measure)
        verb = ("drop" if self.mean < 0 else "rise") + ("" if name.split(" of ")[0].endswith("s") else "s")
        return f"{name} {verb} {abs(self.mean):.2f} ± {self.spread:.2f}"


class Carried(Struct, frozen=True):
    """What a rule carries."""

    rule: str
    mended: bool
    changes: tuple[Change, ...]  #: the greatest first

    @property
    def clear(self) -> tuple[Change, ...]:
        """The changes that are clear."""
        return tuple([change for change in self.changes if change.clear])

    @property
    def sentence(self) -> str:
        """What happens without it, in words: what is clear, or that nothing is."""
        also = " (and with what follows from that)" if self.mended else ""
        if not self.clear:
            return f"Without {self.rule}{also} no measure changes clearly."
        return f"Without {self.rule}{also} {listed([change.sentence for change in self.clear[:MOST_SAID]])}."


def without_each(genome: Genome) -> Iterator[Without]:
    """The game without each of its rules in turn, as far as a different game that can be played is left."""
    for rule, removed in _removed(genome):
        valid = not list(problems(removed))
        left = removed if valid else repair(removed)
        if left != genome:
            yield Without(rule, left, not valid)


def _removed(genome: Genome) -> Iterator[tuple[str, Genome]]:
    turns, setup = genome.turn_structure, genome.setup
    steps = [heading(phase.step(genome, at)) for at, phase in enumerate(turns.phases)]
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
    if setup.trump_suit is not None and any(phase.tricks and phase.looks for phase in turns.phases):
        yield "trumps", replace(genome, setup=replace(setup, trump_suit=None))
    if setup.ante:
        yield "the ante", replace(genome, setup=replace(setup, ante=0))


def _all_but(parts: tuple[object, ...], at: int) -> tuple[object, ...]:
    return (*parts[:at], *parts[at + 1 :])


def carried_by_rules(genome: Genome, whole: Sequence[Measured], games: int = GAMES) -> tuple[Carried, ...]:
    """What each rule carries, the most important first, where `whole` is the game as it is, `measured_often`."""
    found = []
    for without in without_each(genome):
        left = measured_often(without.genome, len(whole), games)
        found.append(Carried(without.rule, without.mended, changes(whole, left)))
    return tuple(sorted(found, key=lambda one: -max([abs(change.mean) for change in one.clear], default=0.0)))


def measured_often(genome: Genome, repeats: int = REPEATS, games: int = GAMES) -> list[Measured]:
    """The same game measured from one seed after another."""
    return [measure(genome, games=games, seed=again) for again in range(repeats)]


def changes(
    before: Sequence[Measured], after: Sequence[Measured], names: Sequence[str] = MEASURED
) -> tuple[Change, ...]:
    """How much these measures have changed between two rows of the same seeds, the greatest change first."""
    found = []
    for name in names:
        pairs = zip(before, after, strict=True)
        mean = Mean([new.measures[name].mean - old.measures[name].mean for old, new in pairs])
        (low, high), (least, most) = mean.interval(), mean.interval(CERTAIN)
        clear = abs(mean.mean) >= LEAST and not least <= 0 <= most
        found.append(Change(name, mean.mean, (high - low) / 2, clear))
    return tuple(sorted(found, key=lambda change: -abs(change.mean)))
