"""Which hands an opponent may hold: a weight for each of the 1,326, made smaller where a hand does not fit what he did.

How a hand stands is said by the share of all hands that are better: on the board, or before the flop by `ranges`.
"""

from bisect import bisect
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import TypeAlias

from pitboss.arena.bots.sharp.habits import Habits
from pitboss.arena.bots.sharp.ranges import BEST_FIRST, PAIRS
from pitboss.arena.bots.sharp.story import Observed
from pitboss.cards import DECK, RANKS, SUITS, Card
from pitboss.chance import Chance
from pitboss.ranks import high

NARROWER = (1, 1, 3, 6)
"""How much smaller the range of a raise, of a raise over it, and of one over that."""


Bands: TypeAlias = tuple[tuple[float, float], ...]
"""Hands from the best down: up to this share of them, this likely."""


class Belief:
    """The weights of one opponent's hands, in the order of `PAIRS`."""

    def __init__(self) -> None:
        self.weights = [1.0] * len(PAIRS)

    def narrow(self, observed: Observed, habits: Habits) -> None:
        """Make every hand as much less likely as it is to be played so by somebody with these habits."""
        places, start = best_first(observed.board), 0
        for share, likely in (after_flop if observed.board else before_flop)(observed, habits):
            end = int(share * len(places))
            for at in places[start:end]:
                self.weights[at] *= likely
            start = max(start, end)

    def forget(self, cards: Sequence[Card]) -> None:
        """Leave out every hand with a card that lies elsewhere."""
        for card in cards:
            for at in _WITH[card]:
                self.weights[at] = 0.0


def before_flop(observed: Observed, habits: Habits) -> Bands:
    """Who raises has the best hands, as many as he is used to raise; who calls the next best; who checks any."""
    wide = max(0.02, habits.raises.value / NARROWER[min(observed.raised, 3)])
    if observed.what == "raise":
        return (wide, 1.0), (1.5 * wide, 0.3), (1.0, 0.15 * wide)
    if observed.what == "call":
        return (wide / 2, 0.4), (max(habits.enters.value, wide + 0.1), 1.0), (1.0, 0.1)
    return ()


def after_flop(observed: Observed, habits: Habits) -> Bands:
    """Who bets has the better hands on this board, who calls seldom the worst, who checks seldom the best."""
    if observed.what == "raise":
        bold = habits.bets.value / max(1, observed.raised)
        return (bold, 1.0), (1.5 * bold, 0.4), (1.0, 0.3 * bold)
    if observed.what == "call":
        return (0.1, 0.6), (1 - habits.gives_way[observed.phase].value, 1.0), (1.0, 0.15)
    return ((0.2, 0.5),)


_WITH: dict[Card, list[int]] = {card: [at for at, pair in enumerate(PAIRS) if card in pair] for card in DECK}


class Urn:
    """An opponent's hands to draw from, each as often as it weighs."""

    def __init__(self, belief: Belief, board: tuple[Card, ...]) -> None:
        self._places = best_first(board)
        self._sums = list(accumulate([belief.weights[at] for at in self._places]))

    def draw(self, chance: Chance) -> tuple[int, float]:
        """The number of a hand in `PAIRS`, and the share of all hands that are better."""
        above = min(bisect(self._sums, chance.uniform() * self._sums[-1]), len(self._sums) - 1)
        return self._places[above], above / len(self._places)


@lru_cache(maxsize=64)
def best_first(board: tuple[Card, ...]) -> tuple[int, ...]:
    """The hands that a board leaves, the best first; before the river a good draw counts as a fair pair."""
    if not board:
        return BEST_FIRST
    made = {at: high((*pair, *board)) for at, pair in enumerate(PAIRS) if not (pair[0] in board or pair[1] in board)}
    places = sorted(made, key=made.__getitem__, reverse=True)
    if len(board) < 5:
        fair = made[places[len(places) // 3]]
        made |= {at: max(made[at], fair) for at in _draws(board, places)}
        places.sort(key=made.__getitem__, reverse=True)
    return tuple(places)


def _draws(board: tuple[Card, ...], places: Sequence[int]) -> list[int]:
    """The hands that lack one card for a flush, or have four in a row that the board alone has not."""
    ranks, suits = _mask(board), [card[1] for card in board]
    flush = {suit: 4 - suits.count(suit) for suit in SUITS if suits.count(suit) in (2, 3)}
    found = []
    for at in places:
        first, second = PAIRS[at][0][1], PAIRS[at][1][1]
        lacking = flush.get(first) or flush.get(second)
        if (lacking == 2 and first == second) or lacking == 1 or (_row(ranks | _MASKS[at]) and not _row(ranks)):
            found.append(at)
    return found


_BIT = {rank: 1 << number for number, rank in enumerate(RANKS)}


def _mask(cards: Sequence[Card]) -> int:
    """The ranks of some cards as bits."""
    return sum({_BIT[card[0]] for card in cards})


def _row(ranks: int) -> int:
    """Whether four of the ranks follow each other."""
    return ranks & ranks >> 1 & ranks >> 2 & ranks >> 3


_MASKS = tuple(_mask(pair) for pair in PAIRS)
