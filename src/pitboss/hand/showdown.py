"""Who wins which pot once the cards are up."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from pitboss.betting.pots import Pot, share
from pitboss.cards import Card
from pitboss.hand.events import Won
from pitboss.hand.structure import Structure
from pitboss.ranks import (
    ace_to_five,
    ace_to_five_name,
    badugi,
    badugi_name,
    deuce_to_seven,
    deuce_to_seven_name,
    from_two,
    high,
    high_name,
    low,
    low_name,
    short,
    short_name,
)

Rank = Callable[[Iterable[Card]], int]

_ORDERS: Mapping[str, tuple[Rank, Callable[[int], str]]] = {
    "high": (high, high_name),
    "short": (short, short_name),
    "low": (low, low_name),
    "ace_to_five": (ace_to_five, ace_to_five_name),
    "deuce_to_seven": (deuce_to_seven, deuce_to_seven_name),
    "badugi": (badugi, badugi_name),
}


def strengths(structure: Structure, hole: Sequence[Card], board: Sequence[Card]) -> tuple[int, ...]:
    """How strong a holding is under each of the game's rankings; greater wins, 0 is nothing at all."""
    made = []
    for ranking in structure.showdown:
        rank, _ = _ORDERS[ranking.order]
        made.append(from_two(rank, hole, board) if ranking.from_two else rank((*hole, *board)))
    return tuple(made)


def rank_name(structure: Structure, made: Sequence[int]) -> str:
    """Strengths in words, under the game's first ranking."""
    _, name = _ORDERS[structure.showdown[0].order]
    return name(made[0])


def winnings(structure: Structure, pots: Sequence[Pot], made: Mapping[int, Sequence[int]]) -> tuple[Won, ...]:
    """What every winner gets of every pot, given what each place has made.

    Places count clockwise from the button's left, and so do odd chips.
    """
    won: list[Won] = []
    for number, pot in enumerate(pots):
        if len(pot.places) == 1:
            won.append(Won(pot.places[0], pot.amount, number))
        else:
            won += _split(structure, number, pot, made)
    return tuple(won)


def _split(structure: Structure, number: int, pot: Pot, made: Mapping[int, Sequence[int]]) -> list[Won]:
    """One contested pot: an equal part for every ranking that somebody makes, odd chips to the first."""
    claims = [made[place] for place in pot.places]
    best = list(map(max, zip(*claims, strict=True)))
    ways = [way for way, top in enumerate(best) if top]
    won = []
    for way, part in zip(ways, share(pot.amount, ways), strict=True):
        winners = [place for place, claim in zip(pot.places, claims, strict=True) if claim[way] == best[way]]
        for place, amount in zip(winners, share(part, winners), strict=True):
            if amount:
                won.append(Won(place, amount, number, structure.showdown[way].order))
    return won
