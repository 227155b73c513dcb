"""Who wins which pot at showdown."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from pitboss.betting.pots import Pot, share
from pitboss.cards import Card
from pitboss.hand.events import Won
from pitboss.hand.structure import Structure
from pitboss.ranks import from_two
from pitboss.ranks.orders import ORDERS


def strengths(structure: Structure, hole: Sequence[Card], board: Sequence[Card]) -> tuple[int, ...]:
    """Return the strengths of a holding under each ranking of the game; greater wins, 0 wins nothing."""
    made = []
    for ranking in structure.showdown:
        rank = ORDERS[ranking.order].rank
        made.append(from_two(rank, hole, board) if ranking.from_two else rank((*hole, *board)))
    return tuple(made)


def made_on(
    structure: Structure, board: Sequence[Card], holes: Sequence[Sequence[Card]], places: Iterable[int]
) -> dict[int, tuple[int, ...]]:
    """Return the strengths of the holdings of these places on a board."""
    first = structure.showdown[0]
    tables = None if len(structure.showdown) > 1 or first.from_two else ORDERS[first.order].tables
    if tables is None:
        return {place: strengths(structure, holes[place], board) for place in places}
    return tables.best_on(board, holes, places)


def rank_name(structure: Structure, made: Sequence[int]) -> str:
    """Return strengths in words, under the game's first ranking."""
    return namer(structure)(made[0])


def namer(structure: Structure) -> Callable[[int], str]:
    """Return the function that puts a strength under the game's first ranking in words."""
    return ORDERS[structure.showdown[0].order].name_of


def winnings(structure: Structure, pots: Sequence[Pot], made: Mapping[int, Sequence[int]]) -> tuple[Won, ...]:
    """Return what every winner gets of every pot, given the strengths of each place.

    Places and odd chips go clockwise from the button's left.
    """
    won: list[Won] = []
    for number, pot in enumerate(pots):
        if len(pot.places) == 1:
            won.append(Won(pot.places[0], pot.amount, number))
        else:
            won += _split(structure, number, pot, made)
    return tuple(won)


def _split(structure: Structure, number: int, pot: Pot, made: Mapping[int, Sequence[int]]) -> list[Won]:
    """Split one contested pot: an equal part for each ranking that a player qualifies for, odd chips to the first."""
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
