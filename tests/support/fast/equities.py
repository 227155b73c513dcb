"""The ways in which tests compute equities: plainly, compiled, and by dealing every board."""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import pytest

from pitboss.cards import DECK, read_cards
from pitboss.fast.equity import holdem
from pitboss.fast.equity.equity import Equity, equity
from pitboss.fast.equity.ranges import as_range
from pitboss.ranks import high
from tests.support.fast import forms


@contextmanager
def forced(compiled: bool) -> Iterator[None]:
    """Within it, all loops are plain, or all that can be are compiled, even to list a few deals."""
    with forms.forced(compiled), pytest.MonkeyPatch.context() as patch:
        if compiled:
            patch.setattr(holdem, "HARDLY_ANY", 0)
        yield


def ask(*players: Any, compiled: bool, **settings: Any) -> Equity:
    """Ask with all loops plain, or all compiled."""
    with forced(compiled):
        return equity(*players, **settings)


def dealt(*players: Any, board: str = "", dead: str = "") -> dict[str, Any]:
    """The equity by dealing every hand and every board, using nothing of `fast` but the reading of ranges."""
    held = [as_range(player) for player in players]
    lying, gone = read_cards(board), read_cards(dead)
    n, total, boards = len(held), Fraction(0), 0
    won, tied, pots = [Fraction(0)] * n, [Fraction(0)] * n, [Fraction(0)] * n
    for hands in product(*held):
        cards = [*lying, *gone, *[card for hand in hands for card in read_cards(hand)]]
        if len(set(cards)) < len(cards):
            continue
        weight = Fraction(1)
        for hand, weights in zip(hands, held, strict=True):
            weight *= weights[hand]
        for rest in combinations([card for card in DECK if card not in cards], 5 - len(lying)):
            strengths = [high((*read_cards(hand), *lying, *rest)) for hand in hands]
            winners = [p for p in range(n) if strengths[p] == max(strengths)]
            boards, total = boards + 1, total + weight
            for p in winners:
                pots[p] += weight / len(winners)
                (won if len(winners) == 1 else tied)[p] += weight
    shares = {"equity": pots, "win": won, "tie": tied}
    return {name: tuple([float(share / total) for share in row]) for name, row in shares.items()} | {"boards": boards}


def shares(answer: Equity) -> dict[str, Any]:
    """An exact answer in the form of `dealt`."""
    assert answer.exact
    assert answer.interval is None
    return {"equity": answer.equity, "win": answer.win, "tie": answer.tie, "boards": answer.boards}
