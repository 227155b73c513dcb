"""How a game that can be played is made one that makes sense: parts that serve its aim, bets on what is not yet known.

Repair asks only that a game can be played. Here stands what a designer would strike out at first sight: cards of a hand
that is compared thrown away, points that decide nothing, two endings that contradict each other, bets without an ante,
bets on cards that have not changed since the last, stakes that no stack notices, draws that nobody would decline.
"""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from pitboss.lab.genome.parts import CardEffect, CardPoints, Genome, LaySets, Phase, TrickPoints, WinCondition
from pitboss.lab.phases.betting import BettingPhase
from pitboss.lab.phases.claim import ClaimPhase
from pitboss.lab.phases.community import CommunityPhase
from pitboss.lab.phases.discard import DiscardPhase
from pitboss.lab.phases.draw import DrawPhase
from pitboss.lab.phases.play import PlayPhase
from pitboss.lab.phases.trick import TrickPhase
from pitboss.lab.variation.edits import with_phases, with_setup, with_structure
from pitboss.lab.variation.repair import repair
from pitboss.lab.wins.best_hand import BestHand
from pitboss.lab.wins.capture_all import CaptureAll
from pitboss.lab.wins.empty_hand import EmptyHand
from pitboss.lab.wins.first_to_score import FirstToScore
from pitboss.lab.wins.high_card import HighCard
from pitboss.lab.wins.high_score import HighScore
from pitboss.lab.wins.least_deadwood import LeastDeadwood
from pitboss.lab.wins.low_score import LowScore
from pitboss.lab.wins.most_tricks import MostTricks

Kinds = tuple[type[Any], ...]

HELD: Kinds = (BestHand, HighCard, LeastDeadwood)
"""Aims that compare what is held at the end: no card is played away from such a hand."""
POINTS: Kinds = (HighScore, LowScore, FirstToScore)
SERVES: dict[type[WinCondition], Kinds] = {
    BestHand: (CommunityPhase, DrawPhase, DiscardPhase),
    HighCard: (DrawPhase, DiscardPhase),
    LeastDeadwood: (DrawPhase, DiscardPhase),
    MostTricks: (TrickPhase, DrawPhase, DiscardPhase),
    EmptyHand: (PlayPhase, ClaimPhase, DrawPhase),
    CaptureAll: (PlayPhase, TrickPhase, DrawPhase),
    HighScore: (PlayPhase, TrickPhase, DrawPhase, DiscardPhase),
    LowScore: (TrickPhase, DrawPhase, DiscardPhase),
    FirstToScore: (PlayPhase, TrickPhase, DrawPhase, DiscardPhase),
}
"""By aim, the phases with cards that can serve it."""

MOST_STEPS = 7
MOST_BETS = 4
STACKS = (10, 40)
"""A stack is so many of the greatest bet."""
BETTING_DEALS, PLAIN_DEALS = (5, 20), (1, 4)
ANTES = (1, 2, 5, 10)
MOST_ROUNDS_HELD, MOST_ROUNDS = 3, 8
LEAST_TURNS, MOST_TURNS = 200, 600


def tidy(genome: Genome) -> Genome:
    """The nearest game in which every part serves its aim; one that makes sense already comes back as it is.

    >>> from pitboss.lab.files import load
    >>> tidy(load("kuhn")).setup.deals
    5
    """
    for _ in range(4):
        before = genome
        for mend in (_aim, _steps, _bets, _rules, _table, _span, _stakes):
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
    if isinstance(first, FirstToScore) and genome.scoring and _fair_share(genome) < first.target:
        first = HighScore()
    if isinstance(first, POINTS) and genome.betting_phases:
        first = MostTricks() if _has(phases, TrickPhase) else CaptureAll() if _captures(genome) else BestHand()
    if isinstance(first, MostTricks) and not _has(phases, TrickPhase):
        first = CaptureAll() if _captures(genome) else HighCard()
    if isinstance(first, CaptureAll) and not _captures(genome):
        first = EmptyHand() if _has(phases, PlayPhase, ClaimPhase) else HighCard()
    if isinstance(first, EmptyHand) and not _sheds(genome):
        first = MostTricks() if _has(phases, TrickPhase) else BestHand()
    if isinstance(first, BestHand) and first.ranking == "points" and first.bust == 0:
        first = replace(first, bust=21)
    others = [win for win in genome.win_conditions[1:] if isinstance(win, EmptyHand)]
    ends = isinstance(first, POINTS) and others and not _has(phases, TrickPhase)
    return replace(genome, win_conditions=(first, others[0]) if ends else (first,))


def _fair_share(genome: Genome) -> float:
    """The points that an average player can have after all deals, at the most."""
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
    return points * genome.setup.deals / genome.player_count


def _captures(genome: Genome) -> bool:
    sets = any(isinstance(effect, LaySets) for effect in genome.effects)
    return sets or any(phase.captures or phase.tricks for phase in genome.turn_structure.phases)


def _sheds(genome: Genome) -> bool:
    """Whether somebody can run out of cards before others do."""
    sets = any(isinstance(effect, LaySets) for effect in genome.effects)
    return _has(genome.turn_structure.phases, PlayPhase, ClaimPhase) or sets


# --- phases


def _steps(genome: Genome) -> Genome:
    """Only phases that serve the aim, and at least one that does."""
    aim = genome.win_conditions[0]
    serving: Kinds = (*SERVES[type(aim)], BettingPhase)
    phases = [phase for phase in genome.turn_structure.phases if isinstance(phase, serving)]
    if _has(phases, ClaimPhase):  # a pile of claims and a pile of plays do not go together
        phases = [phase for phase in phases if not isinstance(phase, PlayPhase)]
    if _has(phases, TrickPhase):
        phases = [phase for phase in phases if not isinstance(phase, PlayPhase)]
    if not isinstance(aim, (BestHand, HighCard)) and not any(isinstance(phase, serving[:2]) for phase in phases):
        phases = [*_default(aim), *phases]
    phases = [_sensible(phase, phases, genome) for phase in phases]
    left: list[Phase] = []
    for phase in phases:  # two steps of a kind, one after the other, are one
        if not left or type(phase) is not type(left[-1]):
            left.append(phase)
    left = left[:MOST_STEPS]
    if isinstance(aim, HELD):
        left = _balanced(left, aim)
    return with_phases(genome, tuple(left) or _default(aim))


def _sensible(phase: Phase, phases: Sequence[Phase], genome: Genome) -> Phase:
    """The phase without choices that nobody would make, and without dead ends."""
    aim = genome.win_conditions[0]
    if isinstance(phase, DrawPhase):
        costs = aim.limit > 0 or isinstance(aim, (EmptyHand, LowScore))
        optional = phase.optional and costs and not isinstance(aim, EmptyHand)
        stuck = phase.only_if_stuck or (isinstance(aim, EmptyHand) and _has(phases, PlayPhase))
        source = phase.source
        if source in ("discard", "either") and not any(one.discards for one in phases):
            source = "deck"
        if source in ("opponent", "ask") and isinstance(aim, HELD):
            source = "deck"
        if aim.limit:
            return replace(phase, optional=True, source="deck", only_if_stuck=False, count=max(3, phase.count))
        many = min(phase.count, 2) if source in ("deck", "either") else 1
        return replace(phase, optional=optional, only_if_stuck=stuck, source=source, count=many)
    if isinstance(phase, TrickPhase):
        return replace(phase, blind=False, to="captured")
    if isinstance(phase, DiscardPhase) and not isinstance(aim, (*HELD, LowScore)):
        return replace(phase, replace=True)
    return _pile(phase, genome) if isinstance(phase, PlayPhase) else phase


def _pile(phase: PlayPhase, genome: Genome) -> PlayPhase:
    """A play that is a choice: something has to fit, or something is taken."""
    aim = genome.win_conditions[0]
    if not isinstance(aim, EmptyHand):
        taking = phase.capture if phase.capture != "none" else "rank"
        return PlayPhase(target="tableau", match=("any",), capture=taking)
    match = phase.match if "any" not in phase.match else ("suit", "rank")
    climbing = any(name.startswith("higher") for name in match)
    return replace(
        phase,
        target="discard",
        match=match,
        capture="none",
        clear_after_passes=climbing,
        optional=phase.optional and climbing,
    )


def _balanced(phases: list[Phase], aim: WinCondition) -> list[Phase]:
    """A compared hand stays as large as it was dealt: what is put away comes back, unless a draw came before."""
    drawn = 0
    changed: list[Phase] = []
    for phase in phases:
        if isinstance(phase, DrawPhase) and not aim.limit:
            drawn += phase.count
        elif isinstance(phase, DiscardPhase):
            if aim.limit or not drawn:
                phase = replace(phase, replace=True)
            elif not phase.replace:
                phase = replace(phase, optional=False, count=min(drawn, phase.count))
                drawn -= phase.count
        changed.append(phase)
    if not isinstance(aim, LeastDeadwood):
        return changed  # more cards than were dealt do no harm: the best of them count
    if not _has(changed, DrawPhase):
        return [*_default(aim), *[phase for phase in changed if isinstance(phase, BettingPhase)]]
    if drawn and isinstance(last := changed[-1], DiscardPhase):
        drawn += 0 if last.replace else last.count
        changed.pop()
    return [*changed, DiscardPhase(count=drawn)] if drawn else changed


def _default(aim: WinCondition) -> tuple[Phase, ...]:
    """The plainest phases with which an aim is played for."""
    match aim:
        case LeastDeadwood():
            return (DrawPhase(source="either"), DiscardPhase())
        case MostTricks() | LowScore():
            return (TrickPhase(),)
        case EmptyHand():
            return (DrawPhase(only_if_stuck=True), PlayPhase(match=("suit", "rank")))
        case BestHand() if aim.limit:
            return (DrawPhase(count=3, optional=True),)
        case BestHand() | HighCard():
            return (DiscardPhase(count=2, optional=True, replace=True),)
        case _:
            return (PlayPhase(target="tableau", capture="rank"), DrawPhase())


# --- bets


def _bets(genome: Genome) -> Genome:
    """A bet only where something has become known since the last, and never more than a few a round."""
    phases = genome.turn_structure.phases
    left: list[Phase] = []
    for phase in phases:
        if not isinstance(phase, BettingPhase) or not left or not isinstance(left[-1], BettingPhase):
            left.append(phase)
    again = genome.turn_structure.rounds != 1
    if again and len(left) > 1 and isinstance(left[0], BettingPhase) and isinstance(left[-1], BettingPhase):
        left.pop()
    places = [at for at, phase in enumerate(left) if isinstance(phase, BettingPhase)]
    most = 1 if again and not isinstance(genome.win_conditions[0], HELD) else MOST_BETS
    for at in reversed(places[most:]):
        left.pop(at)
    return with_phases(genome, tuple(left))


def _stakes(genome: Genome) -> Genome:
    """An ante, bets of one, two or four antes that never fall, and stacks of some dozens of them."""
    if not genome.betting_phases:
        return with_setup(genome, starting_chips=0, ante=0, pots="single")
    wanted = genome.setup.ante or min([phase.min_bet for phase in genome.betting_phases])
    ante = max([amount for amount in ANTES if amount <= wanted], default=ANTES[0])
    phases: list[Phase] = []
    last = ante
    for phase in genome.turn_structure.phases:
        if isinstance(phase, BettingPhase):
            last = min(max([n * ante for n in (1, 2, 4) if n * ante <= phase.min_bet], default=ante), 4 * ante)
            earlier = [one.min_bet for one in phases if isinstance(one, BettingPhase)]
            last = max([last, *earlier])
            phase = replace(phase, min_bet=last, max_raises=max(1, min(3, phase.max_raises)))
        phases.append(phase)
    chips = max(STACKS[0] * last, min(STACKS[1] * last, genome.setup.starting_chips))
    return with_setup(with_phases(genome, tuple(phases)), ante=ante, starting_chips=chips, pots="side")


# --- rules and table


def _rules(genome: Genome) -> Genome:
    """Effects of cards that are played one after another, and points where points decide."""
    aim, phases, turns = genome.win_conditions[0], genome.turn_structure.phases, _in_turns(genome)
    plays = _has(phases, PlayPhase) and isinstance(aim, EmptyHand)
    effects = [
        effect
        for effect in genome.effects
        if (isinstance(effect, CardEffect) and plays and (turns or effect.effect == "draw_two"))
        or (isinstance(effect, LaySets) and _lays(effect, aim))
    ]
    scoring = [rule for rule in genome.scoring if isinstance(aim, POINTS) and _scores(rule, aim, phases)]
    return replace(genome, effects=tuple(effects), scoring=tuple(scoring))


def _lays(effect: LaySets, aim: WinCondition) -> bool:
    """Whether sets that are laid do somebody good: they go out of the hand by themselves."""
    if isinstance(aim, LowScore):
        return effect.points == 0
    return isinstance(aim, EmptyHand) or (isinstance(aim, POINTS) and effect.points > 0) or isinstance(aim, CaptureAll)


def _scores(rule: CardPoints | TrickPoints, aim: WinCondition, phases: Sequence[Phase]) -> bool:
    tricks = _has(phases, TrickPhase)
    if isinstance(rule, TrickPoints):
        return tricks
    if rule.where == "hand":
        return isinstance(aim, LowScore) and not tricks and rule.points > 0
    return tricks or any(phase.captures for phase in phases)


def _table(genome: Genome) -> Genome:
    """Cards lie open only where something is done with them, and there is a trump only where it takes tricks."""
    setup, phases = genome.setup, genome.turn_structure.phases
    captures = any(phase.captures and phase.plays for phase in phases)
    piled = any(isinstance(phase, PlayPhase) and phase.target == "discard" for phase in phases)
    taken = any(isinstance(phase, DrawPhase) and phase.source in ("discard", "either") for phase in phases)
    tricks = any(isinstance(phase, TrickPhase) and not phase.blind for phase in phases)
    return with_setup(
        genome,
        initial_tableau_count=max(3, min(6, setup.initial_tableau_count)) if captures else 0,
        initial_discard_count=1 if piled or taken else 0,
        trump_suit=setup.trump_suit if tricks else None,
        cards_per_player=_dealt(genome),
    )


def _dealt(genome: Genome) -> int:
    """Enough cards for a choice, and not so many that bets go on for ever."""
    cards, aim = genome.setup.cards_per_player, genome.win_conditions[0]
    if isinstance(aim, HELD):
        least = 5 if isinstance(aim, LeastDeadwood) else 1
        return max(least, min(7, cards))
    return max(3, min(6 if genome.betting_phases else 13, cards))


# --- how long it lasts


def _span(genome: Genome) -> Genome:
    """An end that comes: rounds where nothing else ends a deal, deals enough for chips to matter."""
    bets, aim, turns = bool(genome.betting_phases), genome.win_conditions[0], genome.turn_structure
    rounds = turns.rounds
    if isinstance(aim, (BestHand, HighCard)):
        still = not _has(turns.phases, DrawPhase, DiscardPhase, CommunityPhase)
        rounds = 1 if still or aim.limit else max(1, min(MOST_ROUNDS_HELD, rounds))
    elif isinstance(aim, LeastDeadwood):
        rounds = max(2, min(4, rounds)) if bets else max(5, min(20, rounds or 20))
    elif any(isinstance(phase, DrawPhase) and not phase.only_if_stuck for phase in turns.phases):
        rounds = max(3, min(MOST_ROUNDS if bets else 20, rounds or 12))
    else:
        rounds = 0
    most = BETTING_DEALS if bets else PLAIN_DEALS
    if isinstance(aim, FirstToScore):
        most = (5, 20)
    deals = max(most[0], genome.player_count if bets else 1, min(most[1], genome.setup.deals))
    if not bets and deals % 2 == 0:
        deals += 1  # deals won decide, and of an even number both may win half
    order = "rounds" if bets or _has(turns.phases, TrickPhase, CommunityPhase) else turns.order
    limit = 40 * deals * genome.player_count
    genome = replace(genome, max_turns=max(LEAST_TURNS, min(2000, max(genome.max_turns, limit))))
    return with_setup(with_structure(genome, rounds=rounds, order=order), deals=deals)


def _in_turns(genome: Genome) -> bool:
    return genome.turn_structure.order == "turns" and not genome.betting_phases


def _has(phases: Sequence[Phase], *kinds: type[Phase]) -> bool:
    return any(isinstance(phase, kinds) for phase in phases)
