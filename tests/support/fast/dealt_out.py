"""Equities of any game the long way: every missing card is dealt to its place, and the rules decide who wins."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from pitboss.cards import Card, read_cards
from pitboss.fast.equity.equity import Equity
from pitboss.hand.showdown import strengths
from pitboss.hand.structure import Structure


def dealt_out(
    structure: Structure, *players: dict[str, Fraction] | str, board: str = "", dead: str = ""
) -> dict[str, Any]:
    """The answer by dealing; a player is cards, or cards with their weights. Nothing of `fast` is used."""
    held = [{player: Fraction(1)} if isinstance(player, str) else player for player in players]
    lying, gone = read_cards(board), read_cards(dead)
    n, total, deals = len(held), Fraction(0), 0
    pots, won, tied = [Fraction(0)] * n, [Fraction(0)] * n, [Fraction(0)] * n
    parts = [[Fraction(0)] * n for _ in structure.showdown]
    for hands in product(*held):
        known = [read_cards(hand) for hand in hands]
        seen = [*lying, *gone, *[card for hand in known for card in hand]]
        if len({*seen}) < len(seen):
            continue
        weight = Fraction(1)
        for hand, weights in zip(hands, held, strict=True):
            weight *= weights[hand]
        left = [card for card in structure.deck if card not in seen]
        needs = [
            structure.board_by_street[-1] - len(lying),
            *[structure.hole_by_street[-1] - len(hand) for hand in known],
        ]
        for came in dealings(left, needs):
            deals, total = deals + 1, total + weight
            whole = (*lying, *came[0])
            made = [strengths(structure, (*hand, *more), whole) for hand, more in zip(known, came[1:], strict=True)]
            for p, row in enumerate(shared(made)):
                pots[p] += weight * sum(row)
                for part, share in zip(parts, row, strict=True):
                    part[p] += weight * share
                if sum(row):
                    (won if sum(row) == 1 else tied)[p] += weight
    rows = {"equity": pots, "win": won, "tie": tied}
    answer: dict[str, Any] = {name: tuple([float(share / total) for share in row]) for name, row in rows.items()}
    orders = [ranking.order for ranking in structure.showdown]
    split = {order: tuple([float(s / total) for s in part]) for order, part in zip(orders, parts, strict=True)}
    return answer | {"boards": deals, "parts": split if len(orders) > 1 else None}


def dealings(left: Sequence[Card], needs: Sequence[int]) -> Iterator[tuple[tuple[Card, ...], ...]]:
    """Yield all ways to deal these numbers of cards one after the other."""
    if not needs:
        yield ()
        return
    for cards in combinations(left, needs[0]):
        rest = [card for card in left if card not in cards]
        for others in dealings(rest, needs[1:]):
            yield (cards, *others)


def shared(made: Sequence[Sequence[int]]) -> list[list[Fraction]]:
    """Return by player the part of the pot that each ranking gives."""
    ways = [max(column) for column in zip(*made, strict=True)]
    parts = sum([best > 0 for best in ways])
    return [
        [
            Fraction(1, parts * sum([other[way] == best for other in made]))
            if best and row[way] == best
            else Fraction(0)
            for way, best in enumerate(ways)
        ]
        for row in made
    ]


def facts(answer: Equity) -> dict[str, Any]:
    """An exact answer in the form of `dealt_out`."""
    assert answer.exact
    assert answer.interval is None
    fields = ("equity", "win", "tie", "boards", "parts")
    return {name: getattr(answer, name) for name in fields}
