"""The list of win conditions, and functions that call the module of a condition.

To add a kind, add its module and one line in this list. The index of a kind in the list is its number in a program.
`__init__.py` describes the functions of a module.
"""

from types import ModuleType
from typing import Any

from pitboss.lab.dispatch import Dispatch
from pitboss.lab.genome import Genome, WinCondition
from pitboss.lab.wins import (
    best_hand,
    capture_all,
    empty_hand,
    first_to_score,
    high_card,
    high_score,
    least_deadwood,
    low_score,
    most_tricks,
)

KINDS: dict[type[WinCondition], ModuleType] = {
    best_hand.BestHand: best_hand,
    high_card.HighCard: high_card,
    high_score.HighScore: high_score,
    low_score.LowScore: low_score,
    first_to_score.FirstToScore: first_to_score,
    empty_hand.EmptyHand: empty_hand,
    capture_all.CaptureAll: capture_all,
    most_tricks.MostTricks: most_tricks,
    least_deadwood.LeastDeadwood: least_deadwood,
}

TYPES = tuple(KINDS)
MODULES = tuple(KINDS.values())
BY_TAG = {str(kind.__struct_config__.tag): kind for kind in TYPES}
PLAINEST: WinCondition = high_card.HighCard()
"""An aim that suits every game in which players hold cards."""

_ask = Dispatch(__name__, MODULES, "g.win[win]")

worth: Any = _ask.one("worth", "g, s, win, p", otherwise="0")
triggered: Any = _ask.one("triggered", "g, s, win", otherwise="False")
decided: Any = _ask.one("decided", "g, s, win", otherwise="False")
standing: Any = _ask.one("standing", "g, s, win, p", otherwise="0")
went_over: Any = _ask.one("went_over", "g, s, win, p", otherwise="False")
limited: Any = _ask.one("limited", "g, win", otherwise="False")


def sensible(aim: WinCondition, genome: Genome) -> WinCondition:
    """Return the aim, or the most similar aim that makes sense in this game."""
    while kind := aim.instead(genome):
        aim = BY_TAG[kind]()
    return aim.sensible(genome)
