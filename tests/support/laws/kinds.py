"""A poker game of each kind, for tests that would take too long with all of them: the others come with `make slow`."""

from collections.abc import Iterable

import pytest
from _pytest.mark import ParameterSet

from pitboss.hand.games import STRUCTURES
from pitboss.hand.structure import Structure

KINDS = ("NT", "FO/8", "NS", "F7S", "FR", "F2L3D", "FB")
"""Hold'em, a game of two halves from four cards at fixed limit, another deck, stud, its low, a draw, badugi."""


def a_game_of_each_kind(structures: Iterable[Structure] = STRUCTURES.values()) -> list[ParameterSet]:
    """These games by their keys, all but one of each kind among the slow tests."""
    return [
        pytest.param(structure, id=structure.key, marks=() if structure.code in KINDS else pytest.mark.slow)
        for structure in structures
    ]
