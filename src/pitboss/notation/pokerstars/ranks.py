"""What a holding is called at a PokerStars showdown: `two pair, Kings and Tens`."""

from collections.abc import Sequence

from pitboss.cards import RANKS, Card, is_known
from pitboss.ranks import high, high_name

_WORDS = ("Deuce", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King", "Ace")
_NAMES = dict(zip(RANKS, _WORDS, strict=True))
_RUNS = (*[RANKS[first : first + 5] for first in range(len(RANKS) - 5, -1, -1)], "A2345")
_FEWEST, _MOST = 5, 7


def describe(cards: Sequence[Card]) -> str:
    """The best hand in words, or nothing where five known cards are not there.

    >>> describe(("Ks", "Kh", "Th", "Jh", "Ts", "8d", "7s"))
    'two pair, Kings and Tens'
    """
    if not _FEWEST <= len(cards) <= _MOST or len(set(cards)) < len(cards) or not all(map(is_known, cards)):
        return ""
    ranks = [card[0] for card in cards]
    often = sorted(set(ranks), key=lambda rank: (-ranks.count(rank), -RANKS.index(rank)))
    match high_name(high(cards)):
        case "high_card":
            return f"high card {_NAMES[often[0]]}"
        case "pair":
            return f"a pair of {_several(often[0])}"
        case "two_pair":
            return f"two pair, {_several(often[0])} and {_several(often[1])}"
        case "three_of_a_kind":
            return f"three of a kind, {_several(often[0])}"
        case "straight":
            return f"a straight, {_run(ranks)}"
        case "flush":
            return f"a flush, {_NAMES[max(_suited(cards), key=RANKS.index)]} high"
        case "full_house":
            return f"a full house, {_several(often[0])} full of {_several(often[1])}"
        case "four_of_a_kind":
            return f"four of a kind, {_several(often[0])}"
    run = _run(_suited(cards))
    return "a Royal Flush" if run == "Ten to Ace" else f"a straight flush, {run}"


def _several(rank: str) -> str:
    name = _NAMES[rank]
    return f"{name}es" if name == "Six" else f"{name}s"


def _run(ranks: Sequence[str]) -> str:
    """The highest five in a row: `Seven to Jack`."""
    best = next(run for run in _RUNS if set(run) <= set(ranks))
    return f"{_NAMES[best[0]]} to {_NAMES[best[-1]]}"


def _suited(cards: Sequence[Card]) -> list[str]:
    """The ranks of the suit that has the most cards."""
    suits = [card[1] for card in cards]
    return [card[0] for card in cards if card[1] == max(suits, key=suits.count)]
