"""The low orders in the places of the high one, so that one compiled loop looks up both."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement

from pitboss.cards import DECK, RANKS, SUITS, Card
from pitboss.fast.equity.arrays import padded_ranks
from pitboss.fast.ranking import Ranks
from pitboss.ranks import ace_to_five, deuce_to_seven
from pitboss.ranks.highs import STANDARD_TABLES
from pitboss.ranks.layout import FEWEST, HIGH_SHIFT, LOW_MASK, MOST, SUIT_SHIFT

ALL_SUITS = (1 << 4 * len(SUITS)) - 1 << SUIT_SHIFT


def ace_to_five_ranks() -> Ranks:
    """The strengths of five to seven cards; suits do not count."""
    import numpy as np

    ranks = padded_ranks(STANDARD_TABLES, compiled=True)
    return ranks._replace(keys=ranks.keys & ~ALL_SUITS, hands=np.array(_ace_to_five(), np.uint32))


def deuce_to_seven_ranks() -> Ranks:
    """The strengths of five cards: of more, those of one suit do not tell what the worst five are."""
    import numpy as np

    flushes, hands = _deuce_to_seven()
    ranks = padded_ranks(STANDARD_TABLES, compiled=True)
    return ranks._replace(flushes=np.array(flushes, np.uint32), hands=np.array(hands, np.uint32))


def ace_to_five_lists() -> dict[str, list[int]]:
    """What differs from the plain tables of the high order."""
    return {"keys": [STANDARD_TABLES.keys[card] & ~ALL_SUITS for card in DECK], "hands": _ace_to_five()}


def deuce_to_seven_lists() -> dict[str, list[int]]:
    """The same for five cards."""
    flushes, hands = _deuce_to_seven()
    return {"flushes": flushes, "hands": hands}


@cache
def _ace_to_five() -> list[int]:
    return _by_ranks(ace_to_five, MOST)


@cache
def _deuce_to_seven() -> tuple[list[int], list[int]]:
    flushes = [0] * len(STANDARD_TABLES.flushes)
    for places in combinations(range(len(RANKS)), FEWEST):
        flushes[sum([1 << place for place in places])] = deuce_to_seven([RANKS[place] + SUITS[0] for place in places])
    return flushes, _by_ranks(deuce_to_seven, FEWEST)


def _by_ranks(order: Callable[[tuple[Card, ...]], int], most: int) -> list[int]:
    """The strengths of all holdings of so many cards where no suit has five, each where the high tables look for it."""
    tables = STANDARD_TABLES
    strengths = [0] * len(tables.hands)
    for cards in _holdings(most):
        total = sum([tables.keys[card] for card in cards])
        strengths[tables.blocks[total >> HIGH_SHIFT] + tables.places[total & LOW_MASK]] = order(cards)
    return strengths


def _holdings(most: int) -> Iterator[tuple[Card, ...]]:
    """One holding of every choice of ranks, never five of a suit."""
    for size in range(FEWEST, most + 1):
        for letters in combinations_with_replacement(RANKS, size):
            if all(first != fifth for first, fifth in zip(letters, letters[4:], strict=False)):
                yield tuple([letter + SUITS[place % len(SUITS)] for place, letter in enumerate(letters)])
