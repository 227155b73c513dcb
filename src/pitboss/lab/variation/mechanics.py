"""What players mainly do with their cards, in a word, and which steps serve which aim."""

from collections.abc import Sequence
from typing import Any

from pitboss.lab.genome.parts import Genome, LaySets, Phase, WinCondition
from pitboss.lab.phases.betting import BettingPhase
from pitboss.lab.phases.claim import ClaimPhase
from pitboss.lab.phases.community import CommunityPhase
from pitboss.lab.phases.discard import DiscardPhase
from pitboss.lab.phases.draw import DrawPhase
from pitboss.lab.phases.play import PlayPhase
from pitboss.lab.phases.trick import TrickPhase
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
PLAYED: Kinds = (TrickPhase, ClaimPhase, PlayPhase)
"""Steps in which a hand is played away, the one that decides what a game is first."""
SERVES: dict[type[WinCondition], Kinds] = {
    BestHand: (CommunityPhase, DrawPhase, DiscardPhase),
    HighCard: (DiscardPhase,),
    LeastDeadwood: (DrawPhase, DiscardPhase),
    MostTricks: (TrickPhase, DrawPhase, DiscardPhase),
    EmptyHand: (PlayPhase, ClaimPhase, DrawPhase),
    CaptureAll: (PlayPhase, DrawPhase, DiscardPhase),
    HighScore: (PlayPhase, TrickPhase, DrawPhase, DiscardPhase),
    LowScore: (TrickPhase, DrawPhase, DiscardPhase),
    FirstToScore: (PlayPhase, TrickPhase, DrawPhase, DiscardPhase),
}
"""By aim, the phases with cards that can serve it."""
FROM_OTHERS = ("opponent", "ask")


def mechanic(genome: Genome) -> str:
    """What players mainly do with their cards.

    >>> from pitboss.lab.files import load
    >>> [mechanic(load(name)) for name in ("whist", "scopa", "president", "mau_mau", "cheat")]
    ['tricks', 'captures', 'climbing', 'fitting', 'claims']
    >>> [mechanic(load(name)) for name in ("go_fish", "gin", "blackjack", "leduc", "kuhn")]
    ['asking', 'melds', 'limit', 'poker', 'high card']
    """
    phases, aim = genome.turn_structure.phases, genome.win_conditions[0]
    main = next((phase for kind in PLAYED for phase in phases if isinstance(phase, kind)), None)
    if isinstance(main, PlayPhase):
        return "captures" if main.capture != "none" else "climbing" if main.clear_after_passes else "fitting"
    if main is not None:
        return "tricks" if isinstance(main, TrickPhase) else "claims"
    if any(isinstance(phase, DrawPhase) and phase.source in FROM_OTHERS for phase in phases):
        return "asking"
    if aim.limit:
        return "limit"
    if isinstance(aim, (BestHand, HighCard)):
        return "poker" if isinstance(aim, BestHand) else "high card"
    return "melds"


def lays_sets(genome: Genome) -> bool:
    """Whether sets are laid from the hand."""
    return any(isinstance(effect, LaySets) for effect in genome.effects)


def has(phases: Sequence[Phase], *kinds: type[Phase]) -> bool:
    """Whether there is a phase of one of these kinds."""
    return any(isinstance(phase, kinds) for phase in phases)


def default(aim: WinCondition) -> tuple[Phase, ...]:
    """The plainest phases with which an aim is played for."""
    match aim:
        case LeastDeadwood():
            return (DrawPhase(source="either"), DiscardPhase())
        case MostTricks() | LowScore():
            return (TrickPhase(),)
        case EmptyHand():
            return (DrawPhase(only_if_stuck=True), PlayPhase(match=("suit", "rank")))
        case BestHand() if aim.limit:
            return (BettingPhase(), DrawPhase(count=3, optional=True))
        case BestHand() | HighCard():
            return (DiscardPhase(count=2, optional=True, replace=True),)
        case _:
            return (PlayPhase(target="tableau", capture="rank"), DrawPhase())
