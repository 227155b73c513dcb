"""Recorded hands, read and replayed through both libraries' public names: the same text, every hand to its end."""

import warnings
from typing import TypeAlias

from pokerkit import HandHistory

from pitboss.formats.phh import read_phhs
from pitboss.records.replay import replay

Stacks: TypeAlias = list[tuple[int, ...]]
"""Return all stacks at the end of each hand."""


def pitboss(text: str) -> Stacks:
    """Read and replay every hand."""
    return [tuple(map(int, replay(record).finishing_stacks)) for _, record in read_phhs(text)]


def pokerkit(text: str) -> Stacks:
    """The same through PokerKit's hand histories."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [tuple(map(int, list(history)[-1].stacks)) for history in HandHistory.loads_all(text)]


def first_hands(text: str, count: int) -> str:
    """The first hands of a file in which they are numbered from 1.

    >>> first_hands("[1]\\na = 1\\n[2]\\na = 2\\n", 1)
    '[1]\\na = 1\\n'
    """
    end = text.find(f"\n[{count + 1}]\n")
    return text if end < 0 else text[: end + 1]
