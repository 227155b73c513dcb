"""How a game that can be played is made one that makes sense: parts that serve its aim, bets on what is not yet known.

Repair asks only that a game can be played. Here stands what a designer would strike out at first sight: cards of a hand
that is compared thrown away, points that decide nothing, two endings that contradict each other, bets without an ante,
steps after the last bet that nobody bets on, decks of three ranks. `steps.py` says which steps there are, `size.py` how
many cards and chips.
"""

from collections.abc import Sequence
from math import ceil, gcd

from msgspec.structs import replace

from pitboss.lab.genome.facts import dealt, deck_size
from pitboss.lab.genome.parts import (
    CardEffect,
    CardPoints,
    Effect,
    Genome,
    LaySets,
    Phase,
    Scoring,
    TrickPoints,
    WinCondition,
)
from pitboss.lab.phases.claim import ClaimPhase
from pitboss.lab.phases.discard import DiscardPhase
from pitboss.lab.phases.draw import DrawPhase
from pitboss.lab.phases.play import PlayPhase
from pitboss.lab.phases.trick import TrickPhase
from pitboss.lab.variation import size
from pitboss.lab.variation.mechanics import PLAYED, POINTS, has, lays_sets
from pitboss.lab.variation.repair import repair
from pitboss.lab.variation.steps import steps
from pitboss.lab.wins.best_hand import BestHand
from pitboss.lab.wins.capture_all import CaptureAll
from pitboss.lab.wins.empty_hand import EmptyHand
from pitboss.lab.wins.first_to_score import FirstToScore
from pitboss.lab.wins.high_card import HighCard
from pitboss.lab.wins.high_score import HighScore
from pitboss.lab.wins.low_score import LowScore
from pitboss.lab.wins.most_tricks import MostTricks

PASSES = 8
"""A change makes others needful; after so many times through there are none left."""
LEAST_DEALS = 2
"""A race to a number of points takes so many deals at the least."""
MOST_EFFECTS, MOST_LINES = 3, 4
"""A player remembers so many special cards, and so many lines of points."""


def tidy(genome: Genome) -> Genome:
    """The nearest game in which every part serves its aim; one that makes sense already comes back as it is.

    >>> from pitboss.lab.files import load
    >>> tidy(load("kuhn")).setup.deals
    5
    """
    for _ in range(PASSES):
        before = genome
        for mend in (_aim, steps, _rules, size.deck, size.span, size.table, size.stakes):
            genome = mend(genome)
        genome = repair(genome)
        if genome == before:
            break
    return genome


def only_compares(genome: Genome) -> bool:
    """Whether hands are shown and nothing is at stake: without bets, to keep one's best cards is no game.

    >>> from pitboss.lab.files import load
    >>> only_compares(load("war")), only_compares(load("kuhn")), only_compares(load("gin"))
    (False, False, False)
    """
    return isinstance(genome.win_conditions[0], (BestHand, HighCard)) and not genome.betting_phases


# --- the aim


def _aim(genome: Genome) -> Genome:
    """One aim; beside points, running out of cards may end a deal. Pots never go by points of earlier deals."""
    first = genome.win_conditions[0]
    phases = genome.turn_structure.phases
    if isinstance(first, FirstToScore) and genome.scoring:
        first = _race(first, genome)
    if isinstance(first, POINTS) and genome.betting_phases:
        first = MostTricks() if has(phases, TrickPhase) else CaptureAll() if _captures(genome) else BestHand()
    if isinstance(first, HighScore) and len(genome.scoring) == 1 and not genome.effects:
        first = _plainer(first, genome.scoring[0])
    if isinstance(first, MostTricks) and not has(phases, TrickPhase):
        first = CaptureAll() if _captures(genome) else HighCard()
    if isinstance(first, CaptureAll) and has(phases, TrickPhase):
        first = MostTricks()  # all tricks have as many cards
    if isinstance(first, CaptureAll) and not _captures(genome):
        first = EmptyHand() if has(phases, PlayPhase, ClaimPhase) else HighCard()
    if isinstance(first, EmptyHand) and not (has(phases, PlayPhase, ClaimPhase) or lays_sets(genome)):
        first = MostTricks() if has(phases, TrickPhase) else BestHand()
    if isinstance(first, BestHand):
        by_points = first.ranking == "points"
        first = replace(first, bust=(first.bust or 21) if by_points else 0)
    others = [win for win in genome.win_conditions[1:] if isinstance(win, EmptyHand)]
    ends = isinstance(first, POINTS) and others and not has(phases, *PLAYED)
    return replace(genome, win_conditions=(first, others[0]) if ends else (first,))


def _plainer(aim: WinCondition, rule: Scoring) -> WinCondition:
    """The same aim without points, where every trick or every card taken counts alike."""
    if isinstance(rule, TrickPoints):
        return MostTricks() if rule.points > 0 else aim
    return CaptureAll() if _counts_all(rule) and rule.points > 0 else aim


def _race(aim: FirstToScore, genome: Genome) -> WinCondition:
    """A race over several deals, but not over more than there are."""
    share = _fair_share(genome)
    if share * genome.setup.deals < aim.target:
        return HighScore()
    return replace(aim, target=max(aim.target, ceil(LEAST_DEALS * share)))


def _fair_share(genome: Genome) -> float:
    """The points that an average player can have of a deal, at the most."""
    deck, points = genome.setup.deck, 0
    for rule in genome.scoring:
        if isinstance(rule, TrickPoints):
            points += max(0, rule.points) * genome.setup.cards_per_player
        else:
            ranks, suits = [
                len(kinds) if one == "*" else 1 for one, kinds in zip(rule.cards, (deck.ranks, deck.suits), strict=True)
            ]
            points += max(0, rule.points) * ranks * suits
    for effect in genome.effects:
        if isinstance(effect, LaySets):
            points += max(0, effect.points) * (len(deck.ranks) * len(deck.suits) // effect.size)
    return points / genome.player_count


def _captures(genome: Genome) -> bool:
    return lays_sets(genome) or any(phase.captures or phase.tricks for phase in genome.turn_structure.phases)


# --- effects and points


def _rules(genome: Genome) -> Genome:
    """Effects of cards that are played one after another, and points where points decide, each line once."""
    aim, phases = genome.win_conditions[0], genome.turn_structure.phases
    plays = has(phases, PlayPhase) and isinstance(aim, EmptyHand)
    turns = genome.turn_structure.order == "turns" and not genome.betting_phases
    effects: list[Effect] = []
    for effect in genome.effects:
        if isinstance(effect, CardEffect):
            if plays and (turns or effect.effect == "draw_two"):
                effects.append(effect)
        elif _lays(effect, aim, phases):
            effects.append(replace(effect, points=max(0, effect.points) if isinstance(aim, POINTS) else 0))
    scoring = [rule for rule in genome.scoring if isinstance(aim, POINTS) and _scores(rule, aim, phases)]
    if has(phases, TrickPhase):  # all cards of all tricks: the tricks
        scoring = [TrickPoints(points=rule.points) if _counts_all(rule) else rule for rule in scoring]
    lines = joined([_seen(rule, genome) for rule in scoring])[:MOST_LINES]
    if not (effects or aim.final_score):
        lines = smallest(lines)
    return replace(genome, effects=tuple(effects[:MOST_EFFECTS]), scoring=lines)


def _seen(rule: Scoring, genome: Genome) -> Scoring:
    """The line; or the same of a whole suit where a single card would mostly be neither held nor taken by anybody."""
    if not isinstance(rule, CardPoints) or "*" in rule.cards:
        return rule
    dealt_out = has(genome.turn_structure.phases, DrawPhase) or 2 * dealt(genome) >= deck_size(genome)
    return rule if dealt_out and len(genome.scoring) > 1 else replace(rule, cards=f"*{rule.cards[1]}")


def _counts_all(rule: Scoring) -> bool:
    return isinstance(rule, CardPoints) and rule.cards == "**" and rule.where == "captured"


def smallest(rules: Sequence[Scoring]) -> tuple[Scoring, ...]:
    """The same lines in the smallest whole points.

    >>> smallest((CardPoints(cards="*h", points=4), TrickPoints(points=-6)))
    (CardPoints(cards='*h', points=2, where='captured'), TrickPoints(points=-3))
    """
    common = gcd(*[rule.points for rule in rules]) or 1
    return tuple([replace(rule, points=rule.points // common) for rule in rules])


def joined(rules: Sequence[Scoring]) -> tuple[Scoring, ...]:
    """Lines of the same cards, or of tricks, made one; a line that comes to nothing goes.

    >>> joined((TrickPoints(points=3), CardPoints(cards="*h"), TrickPoints(), CardPoints(cards="*h", points=-1)))
    (TrickPoints(points=4),)
    """
    lines: dict[Scoring, int] = {}
    for rule in rules:
        same = replace(rule, points=1)
        lines[same] = lines.get(same, 0) + rule.points
    return tuple([replace(rule, points=points) for rule, points in lines.items() if points])


def _lays(effect: LaySets, aim: WinCondition, phases: Sequence[Phase]) -> bool:
    """Whether sets that are laid do somebody good: they go out of the hand by themselves, so nothing else may."""
    if has(phases, *PLAYED) or not has(phases, DrawPhase):
        return False
    if isinstance(aim, LowScore):
        return effect.points == 0
    return isinstance(aim, (EmptyHand, CaptureAll)) or (isinstance(aim, POINTS) and effect.points > 0)


def _scores(rule: Scoring, aim: WinCondition, phases: Sequence[Phase]) -> bool:
    tricks = has(phases, TrickPhase)
    if isinstance(rule, TrickPoints):
        return tricks
    if rule.where == "hand":
        return isinstance(aim, LowScore) and not tricks and rule.points > 0 and has(phases, DiscardPhase)
    return tricks or any(phase.captures for phase in phases)
