"""Which steps a game that makes sense has, and in what order: few, each a choice, and bets where something is open.

A hand that is compared may be bettered between bets, and a bet comes last. A hand that is played away is bet on before
each card. Beside what a game is about and its bets there is one step more at the most.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from pitboss.lab.genome.parts import Genome, Phase, WinCondition
from pitboss.lab.phases.betting import BettingPhase
from pitboss.lab.phases.discard import DiscardPhase
from pitboss.lab.phases.draw import DrawPhase
from pitboss.lab.phases.play import PlayPhase
from pitboss.lab.phases.trick import TrickPhase
from pitboss.lab.variation.edits import with_phases
from pitboss.lab.variation.mechanics import FROM_OTHERS, HELD, PLAYED, SERVES, Kinds, default, has, lays_sets
from pitboss.lab.wins.empty_hand import EmptyHand
from pitboss.lab.wins.least_deadwood import LeastDeadwood
from pitboss.lab.wins.low_score import LowScore

MOST_STEPS, MOST_BETS = 5, 3
MOST_TAKEN = 2
"""So many cards come from the deck in a step, where there is no limit to what they may count."""
LIMIT_DRAWS = 3
"""Where there is, so many may be taken at least."""


def steps(genome: Genome) -> Genome:
    """Only phases that serve the aim, and at least one that does."""
    aim = genome.win_conditions[0]
    serving: Kinds = (*SERVES[type(aim)], BettingPhase)
    phases = [phase for phase in genome.turn_structure.phases if isinstance(phase, serving)]
    phases = [_sensible(phase, phases, genome) for phase in phases]
    left = _held(phases, genome) if isinstance(aim, HELD) else _played(phases, genome)
    return with_phases(genome, tuple(left) or default(aim))


# --- each step


def _sensible(phase: Phase, phases: Sequence[Phase], genome: Genome) -> Phase:
    """The phase without choices that nobody would make, and without dead ends."""
    aim = genome.win_conditions[0]
    if isinstance(phase, DrawPhase):
        return _draw(phase, phases, aim)
    if isinstance(phase, TrickPhase):  # no two cards of a deck are equal, so that nothing is ever tied
        return TrickPhase(follow=phase.follow)
    if isinstance(phase, DiscardPhase):
        exchange = phase.replace or has(phases, *PLAYED) or aim.limit > 0
        many = min(phase.count, genome.setup.cards_per_player)
        return replace(phase, count=many, replace=exchange, optional=exchange)  # nobody has to give up a good card
    return _pile(phase, aim) if isinstance(phase, PlayPhase) else phase


def _draw(phase: DrawPhase, phases: Sequence[Phase], aim: WinCondition) -> DrawPhase:
    if aim.limit:
        return DrawPhase(optional=True, count=max(LIMIT_DRAWS, phase.count))
    source = phase.source
    if source in ("discard", "either") and not any(one.discards for one in phases):
        source = "deck"
    if source in FROM_OTHERS and (isinstance(aim, HELD) or has(phases, TrickPhase)):
        source = "deck"
    shedding = isinstance(aim, EmptyHand)
    return DrawPhase(
        source=source,
        count=min(phase.count, MOST_TAKEN) if isinstance(aim, HELD) and source == "deck" else 1,
        optional=phase.optional and isinstance(aim, LowScore) and not has(phases, TrickPhase),
        only_if_stuck=shedding and has(phases, PlayPhase) and source not in FROM_OTHERS,
    )


def _pile(phase: PlayPhase, aim: WinCondition) -> PlayPhase:
    """A play that is a choice: something has to fit, or something is taken."""
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


# --- hands that are played away


def _played(phases: Sequence[Phase], genome: Genome) -> list[Phase]:
    """The bet, what there is to take or exchange, and the play; what comes from the deck comes after it."""
    aim = genome.win_conditions[0]
    main = next((phase for kind in PLAYED for phase in phases if isinstance(phase, kind)), None)
    bets = [phase for phase in phases if phase.bets][:1]
    draw = next((phase for phase in phases if isinstance(phase, DrawPhase)), None)
    if main is None:
        if draw is None or not (lays_sets(genome) or isinstance(aim, LowScore)):
            return [*bets, *default(aim)]
        if draw.source in FROM_OTHERS and lays_sets(genome):
            return [draw]
        return [replace(draw, source="either"), DiscardPhase()]
    exchange = next((phase for phase in phases if isinstance(phase, DiscardPhase)), None)
    if isinstance(aim, EmptyHand):
        fitting = isinstance(main, PlayPhase) and not main.clear_after_passes
        drawn = draw and (fitting or draw.source in FROM_OTHERS)  # else who has played most is nearest to the end
        return [*bets, *([draw] if draw and drawn else []), main]
    if exchange:
        return [*bets, exchange, main]
    if draw and not bets:  # with bets a deal is as long as the hand that was dealt
        return [main, draw]
    return [*bets, main]


# --- hands that are compared


def _held(phases: Sequence[Phase], genome: Genome) -> list[Phase]:
    """Bets with something between them, the last of them at the end, and hands as large as they were dealt."""
    aim = genome.win_conditions[0]
    left: list[Phase] = []
    for phase in phases:  # two steps of a kind, one after the other, are one
        if not left or type(phase) is not type(left[-1]):
            left.append(phase)
    draw = next((phase for phase in left if isinstance(phase, DrawPhase)), None)
    bets = [phase for phase in left if isinstance(phase, BettingPhase)]
    if isinstance(aim, LeastDeadwood) and (draw or not bets or not has(left, DiscardPhase)):
        return [*default(aim), *bets[:1]]  # what one throws away another can take: else everybody plays alone
    if not has(left, BettingPhase):
        return _balanced(left[:MOST_STEPS], aim)
    return _balanced(_bets_last(left, genome), aim)


def _bets_last(phases: list[Phase], genome: Genome) -> list[Phase]:
    """A few bets, the last of them after all that changes a hand; only where cards may be too many they come later."""
    again, aim = genome.turn_structure.rounds != 1, genome.win_conditions[0]
    bet = next(phase for phase in reversed(phases) if isinstance(phase, BettingPhase))
    left = phases[: MOST_STEPS - 1]
    if aim.limit and not has(left, DrawPhase):
        left = [bet, DrawPhase(optional=True, count=LIMIT_DRAWS)]
    risky = aim.limit and isinstance(left[-1], DrawPhase) and has(left, BettingPhase)
    if not isinstance(left[-1], BettingPhase) and not risky:
        left = [*left, bet]
    bets = [at for at, phase in enumerate(left) if isinstance(phase, BettingPhase)]
    spare = bets[: max(0, len(bets) - MOST_BETS)]
    if again and isinstance(left[0], BettingPhase) and isinstance(left[-1], BettingPhase) and len(left) > 1:
        spare = sorted({0, *spare})
    return [phase for at, phase in enumerate(left) if at not in spare]


def _balanced(phases: list[Phase], aim: WinCondition) -> list[Phase]:
    """A compared hand stays as large as it was dealt: what is put away comes back, unless a draw came before."""
    drawn = 0
    changed: list[Phase] = []
    for phase in phases:
        if isinstance(phase, DrawPhase) and not aim.limit:
            drawn += phase.count
        elif isinstance(phase, DiscardPhase) and not phase.replace:
            if drawn:
                phase = replace(phase, optional=False, count=min(drawn, phase.count))
                drawn -= phase.count
            else:
                phase = replace(phase, replace=True, optional=True)
        changed.append(phase)
    return changed
