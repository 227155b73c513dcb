"""A table from hand to hand, in whole chips: chairs, button, blinds, debts, stakes, and the order of play."""

from pitboss.errors import show_by_public_name
from pitboss.table.changes import ButtonMoved, Change, Left, Owes, Returned, SatOut
from pitboss.table.mixed import EIGHT_GAME, HORSE, MIXED, GameAtStakes, Mixed, find_mixed
from pitboss.table.rotation import Chair, RotationError, TableError
from pitboss.table.stakes import Level, StakesError, TableStakes
from pitboss.table.table import DealtHand, HandSetup, Table

__all__ = [
    "EIGHT_GAME",
    "HORSE",
    "MIXED",
    "ButtonMoved",
    "Chair",
    "Change",
    "DealtHand",
    "GameAtStakes",
    "HandSetup",
    "Left",
    "Level",
    "Mixed",
    "Owes",
    "Returned",
    "RotationError",
    "SatOut",
    "StakesError",
    "Table",
    "TableError",
    "TableStakes",
    "find_mixed",
]

show_by_public_name(__name__, globals(), __all__)
