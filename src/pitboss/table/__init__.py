"""Tables from hand to hand, in whole chips: chairs, button, blinds, debts, stakes, and the order of play."""

from pitboss.errors import show_by_public_name
from pitboss.table.chairs import Chair
from pitboss.table.levels import Level, StakesError, TableStakes
from pitboss.table.rotation import RotationError
from pitboss.table.table import DealtHand, HandSetup, Table, TableError

__all__ = [
    "Chair",
    "DealtHand",
    "HandSetup",
    "Level",
    "RotationError",
    "StakesError",
    "Table",
    "TableError",
    "TableStakes",
]

show_by_public_name(__name__, globals(), __all__)
