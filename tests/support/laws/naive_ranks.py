"""Compares hands the way a rule book does: every choice of cards is tried, and nothing is looked up.

Strengths are tuples, of which the greater wins; the empty one is a holding that does not qualify. No code is shared
with `pitboss.ranks`.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import TypeAlias

from pitboss.cards import Card
from pitboss.hand.structure import Ranking

Strength: TypeAlias = tuple[tuple[int, ...], ...]
Five = Callable[[Sequence[Card]], Strength]

PIPS = {pip: number for number, pip in enumerate("23456789TJQKA", 2)}
ACE_LOW = {**PIPS, "A": 1}
SUIT = {suit: number for number, suit in enumerate("cdhs")}


def grouped(cards: Sequence[Card], pips: dict[str, int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The counts of the ranks, largest first, and the ranks in that order; equal counts by rank, high to low."""
    counts = sorted(Counter(pips[card[0]] for card in cards).items(), key=lambda rank: (-rank[1], -rank[0]))
    return tuple([count for _, count in counts]), tuple([rank for rank, _ in counts])


def below(strength: tuple[tuple[int, ...], ...]) -> Strength:
    """The strength with which the lesser wins."""
    return tuple([tuple([-number for number in part]) for part in strength])


def _category(cards: Sequence[Card], wheel: Sequence[int], order: Sequence[str]) -> Strength:
    """The category of five cards, by its place in an order, and the ranks that decide within it."""
    counts, ranks = grouped(cards, PIPS)
    flush = len({card[1] for card in cards}) == 1
    straight = counts == (1,) * 5 and (ranks[0] - ranks[4] == 4 or list(ranks) == wheel)
    if straight and list(ranks) == wheel:
        ranks = (ranks[1],)
    kinds = {(4, 1): "four", (3, 2): "full", (3, 1, 1): "three", (2, 2, 1): "pairs", (2, 1, 1, 1): "pair"}
    kind = kinds.get(counts, "none")
    if straight or flush:
        kind = "straight flush" if straight and flush else "straight" if straight else "flush"
    return ((order.index(kind),), ranks)


USUAL = ("none", "pair", "pairs", "three", "straight", "flush", "full", "four", "straight flush")
SHORT = ("none", "pair", "pairs", "three", "straight", "full", "flush", "four", "straight flush")


def high(cards: Sequence[Card]) -> Strength:
    """The usual order."""
    return _category(cards, [14, 5, 4, 3, 2], USUAL)


def short(cards: Sequence[Card]) -> Strength:
    """With cards from six up a flush beats a full house, and the ace is below the six, too."""
    return _category(cards, [14, 9, 8, 7, 6], SHORT)


def ace_to_five(cards: Sequence[Card]) -> Strength:
    """The lowest wins, aces are low, straights and flushes do not count."""
    return below(_by_pairs(cards))


def _by_pairs(cards: Sequence[Card]) -> Strength:
    counts, ranks = grouped(cards, ACE_LOW)
    return (counts, ranks)


def eight_or_better(cards: Sequence[Card]) -> Strength:
    """Ace to five, of five different ranks up to the eight."""
    counts, ranks = grouped(cards, ACE_LOW)
    return below((ranks,)) if counts == (1,) * 5 and ranks[0] <= 8 else ()


def deuce_to_seven(cards: Sequence[Card]) -> Strength:
    """The worst hand of the usual order wins, and aces are high only."""
    return below(_category(cards, [], USUAL))


def badugi(cards: Sequence[Card]) -> Strength:
    """As many cards as possible of different ranks and suits, and among these the lowest, aces low."""
    best: Strength = ((0,),)
    for count in range(1, 5):
        for chosen in combinations(cards, count):
            if len({card[0] for card in chosen}) == len({card[1] for card in chosen}) == count:
                ranks = sorted([ACE_LOW[card[0]] for card in chosen], reverse=True)
                best = max(best, ((count,), *below((tuple(ranks),))))
    return best


THREES = ("none", "pair", "flush", "straight", "three", "straight flush")


def three_card(cards: Sequence[Card]) -> Strength:
    """Three cards, of which a straight beats a flush; the ace is also below the two."""
    counts, ranks = grouped(cards, PIPS)
    flush = len({card[1] for card in cards}) == 1
    straight = len(ranks) == 3 and (ranks[0] - ranks[2] == 2 or ranks == (14, 3, 2))
    kind = {(3,): "three", (2, 1): "pair"}.get(counts, "flush" if flush else "none")
    if straight:
        kind, ranks = "straight flush" if flush else "straight", (3 if ranks == (14, 3, 2) else ranks[0],)
    return ((THREES.index(kind),), ranks)


FIVE: dict[str, Five] = {
    "high": high,
    "short": short,
    "low": eight_or_better,
    "ace_to_five": ace_to_five,
    "deuce_to_seven": deuce_to_seven,
}


def wild_five(cards: Sequence[Card], wild: str) -> Strength:
    """Five cards with wild ones: every card that these can stand for is tried, and five of a kind beats all."""
    natural = [card for card in cards if card[0] not in wild]
    ranks = {card[0] for card in natural}
    if len(ranks) < 2:
        return ((len(USUAL),), (max([PIPS[rank] for rank in ranks], default=14),))
    free = [rank + suit for rank in PIPS for suit in SUIT if rank + suit not in natural]
    return max(high((*natural, *others)) for others in combinations(free, len(cards) - len(natural)))


def strength(ranking: Ranking, hole: Sequence[Card], board: Sequence[Card], wild: str = "") -> Strength:
    """The strength of a holding under one ranking."""
    if wild:
        return max([wild_five(cards, wild) for cards in choices(ranking, hole, board)])
    if ranking.order == "badugi":
        return badugi(hole)
    if ranking.order == "three_card":
        return max(map(three_card, combinations((*hole, *board), 3)))
    return max([FIVE[ranking.order](cards) for cards in choices(ranking, hole, board)])


def choices(ranking: Ranking, hole: Sequence[Card], board: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """Every five cards that may be played."""
    if not ranking.from_two:
        yield from combinations((*hole, *board), 5)
        return
    for two in combinations(hole, 2):
        for three in combinations(board, 3):
            yield (*two, *three)


# --- up-cards


def opener(opens: str, ups: dict[int, Sequence[Card]]) -> int:
    """The player whose up-cards make them act first; of equals, the first."""
    if opens == "low_card":
        return min(ups, key=lambda p: min((PIPS[card[0]], SUIT[card[1]]) for card in ups[p]))
    if opens == "high_card":
        return max(ups, key=lambda p: max((ACE_LOW[card[0]], SUIT[card[1]]) for card in ups[p]))
    if opens == "high_hand":
        return max(ups, key=lambda p: grouped(ups[p], PIPS))
    assert opens == "low_hand", opens
    return min(ups, key=lambda p: grouped(ups[p], ACE_LOW))
