"""Which judges a game has, with their tables as lists for plain code and as arrays for compiled."""

from functools import cache
from typing import Any

from pitboss.cards import DECK
from pitboss.fast.equity import low_tables
from pitboss.fast.equity.judging import ANY_FIVE, BADUGI, FROM_TWO, LOW, LOW_FROM_TWO, NOTHING, Judge
from pitboss.fast.lookup import plain_ranks
from pitboss.fast.ranking import Ranks
from pitboss.fast.records import record
from pitboss.hand.structure import Ranking, Structure
from pitboss.ranks import badugis, lows
from pitboss.ranks.layout import FEWEST

MOST_RANKINGS = 2


def why_not(structure: Structure) -> str | None:
    """Why a game's showdowns cannot be judged here, or nothing."""
    if len(structure.showdown) > MOST_RANKINGS:
        return f"its pots are split into {len(structure.showdown)} parts"
    cards = structure.own_by[-1] + structure.common_by[-1]
    for ranking in structure.showdown:
        if ranking.order == "deuce_to_seven" and cards > FEWEST:
            return f"it finds the worst five of {cards} cards"
        if ranking.from_two and ranking.order not in ("high", "short", "low"):
            return f"two hole cards make a hand of the order {ranking.order} in it"
    return None


def judges(structure: Structure, compiled: bool) -> Any:
    """A game's judges, the second of which may look at nothing: a list of two, or an array of two records."""
    first, *others = structure.showdown
    return _judges(first, others[0] if others else None, compiled)


@cache
def _judges(first: Ranking, second: Ranking | None, compiled: bool) -> Any:
    both = [_judge(first), _judge(second)]
    if not compiled:
        return both
    import numpy as np

    wide = dict.fromkeys(Judge._fields, np.int64) | dict.fromkeys(("blocks", "places", "flushes", "hands"), np.uint32)
    fields: list[tuple[Any, ...]] = [("kind", np.int64), ("suited", np.int64)]
    fields += [(name, wide[name], len(getattr(both[0], name))) for name in Judge._fields[2:]]
    packed = np.zeros(len(both), record(fields))
    for row, judge in zip(packed, both, strict=True):
        for name in Judge._fields:
            row[name] = getattr(judge, name)
    return packed


@cache
def _judge(ranking: Ranking | None) -> Judge:
    """A judge with lists, all as long whatever the ranking is, so that one compiled loop does for all."""
    order = "high" if ranking is None or ranking.order in ("low", "badugi") else ranking.order
    kind, suited = NOTHING, False
    if ranking is not None:
        match ranking.order:
            case "low":
                kind = LOW_FROM_TWO if ranking.from_two else LOW
            case "badugi":
                kind = BADUGI
            case _:
                kind = FROM_TWO if ranking.from_two else ANY_FIVE
                suited = ranking.order in ("high", "short")
    return Judge(
        kind,
        int(suited),
        *_ranks(order),
        low_ranks=[lows.BITS[card] for card in DECK],
        lows=lows.LOWS,
        badugis=[badugis.BITS[card] for card in DECK],
    )


def _ranks(order: str) -> Ranks:
    if order in ("high", "short"):
        return plain_ranks(order)
    made = low_tables.ace_to_five_lists() if order == "ace_to_five" else low_tables.deuce_to_seven_lists()
    return plain_ranks()._replace(**made)
