"""Decide who wins each pot at showdown."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from pitboss.betting.pots import Pot, share
from pitboss.cards import Card
from pitboss.hand.events import Won
from pitboss.hand.structure import Structure
from pitboss.ranks import from_two
from pitboss.ranks.orders import ORDERS, HandOrder


def strengths(structure: Structure, hole: Sequence[Card], board: Sequence[Card]) -> tuple[int, ...]:
    """Return the strength of a holding under each ranking of the game.

    The highest strength wins. A strength of 0 cannot win.
    """
    made = []
    for ranking in structure.showdown:
        rank = _rank(structure, ORDERS[ranking.order])
        made.append(from_two(rank, hole, board) if ranking.from_two else rank((*hole, *board)))
    return tuple(made)


def _rank(structure: Structure, order: HandOrder) -> Callable[[Iterable[Card]], int]:
    """Return the function that gives the strength of cards in this game."""
    wild, ranks = order.wild, structure.wild
    return order.rank if wild is None or not ranks else lambda cards: wild(cards, ranks)


def made_on(
    structure: Structure, board: Sequence[Card], holes: Sequence[Sequence[Card]], places: Iterable[int]
) -> dict[int, tuple[int, ...]]:
    """Return the strengths of several holdings on one board, by place."""
    first = structure.showdown[0]
    plain = len(structure.showdown) > 1 or first.from_two or structure.wild
    tables = None if plain else ORDERS[first.order].tables
    if tables is None:
        return {place: strengths(structure, holes[place], board) for place in places}
    return tables.best_on(board, holes, places)


def rank_name(structure: Structure, made: Sequence[int]) -> str:
    """Return the name of a hand under the game's first ranking."""
    return namer(structure)(made[0])


def namer(structure: Structure) -> Callable[[int], str]:
    """Return a function that names the strengths of the game's first ranking."""
    order = ORDERS[structure.showdown[0].order]
    return order.name_of if order.wild_name_of is None or not structure.wild else order.wild_name_of


def winnings(structure: Structure, pots: Sequence[Pot], made: Mapping[int, Sequence[int]]) -> tuple[Won, ...]:
    """Return the payments of each pot. `made` has the strengths of each place.

    Payments and odd chips begin left of the button and go clockwise.
    """
    won: list[Won] = []
    for number, pot in enumerate(pots):
        if len(pot.places) == 1:
            won.append(Won(pot.places[0], pot.amount, number))
        else:
            won += _split(structure, number, pot, made)
    return tuple(won)


def _split(structure: Structure, number: int, pot: Pot, made: Mapping[int, Sequence[int]]) -> list[Won]:
    """Split one contested pot.

    Each ranking with a winner receives an equal part. The first ranking receives the odd chips.
    """
    best: list[tuple[str, list[int]]] = []
    for way, ranking in enumerate(structure.showdown):
        top, winners = 0, []
        for place in pot.places:
            strength = made[place][way]
            if strength > top:
                top, winners = strength, [place]
            elif strength == top > 0:
                winners.append(place)
        if winners:
            best.append((ranking.order, winners))
    if len(best) == 1 and len(winners) == 1 and pot.amount:
        return [Won(winners[0], pot.amount, number, ranking.order)]
    won = []
    for (order, winners), part in zip(best, share(pot.amount, best), strict=True):
        for place, amount in zip(winners, share(part, winners), strict=True):
            if amount:
                won.append(Won(place, amount, number, order))
    return won
