"""What a player of any game may hold, as text: cards, cards without their suits, and what is left open.

    AhAdKhKd   these cards             AAKK   two aces and two kings of any suits
    AhAd       these, others unknown   AA     two aces, others unknown; AAxx says the same
    random     nothing is known        2c3d4h/Kd   where cards are changed: what is kept, what is thrown away

`items.py` has weights and what is taken out. In a board game several such hands are a set of whole hands, each counted
once; where more cards are still to come, all that somebody may hold must be as many cards.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any

from pitboss.cards import DECK, RANKS, SUITS, Card, is_known, read_cards
from pitboss.fast.equity.items import RangeError, collect_hands, read_items
from pitboss.fast.equity.weights import read_weight
from pitboss.hand.structure import Structure

Holdings = dict[str, Fraction]
"""Cards written together, highest first, with how often they are held beside others: all as many cards."""

MOST_HANDS = 300_000
"""A set of hands is listed up to this size."""
OPEN = ("random", "any", "100%")

_CARD = re.compile(rf"([{RANKS}Xx*])([{SUITS}Xx]?)", re.IGNORECASE)
_PLACE = {card: number for number, card in enumerate(DECK)}


def read_holdings(given: Any, structure: Structure) -> Holdings:
    """What a player may hold in this game.

    >>> from pitboss.hand.games import OMAHA, SEVEN_CARD_STUD
    >>> list(read_holdings("KdAhKhAd", OMAHA))
    ['AhAdKhKd']
    >>> len(read_holdings("AAKK", OMAHA)), len(read_holdings("AA", SEVEN_CARD_STUD))
    (36, 6)
    """
    if isinstance(given, Mapping):
        return _one_size(
            {
                hand: share * read_weight(text, weight)
                for text, weight in given.items()
                for hand, share in read_holdings(text, structure).items()
                if read_weight(text, weight)
            },
            structure,
        )
    if isinstance(given, str):
        return _read(given, structure)
    if not isinstance(given, Iterable):
        raise RangeError(f"{given!r} is no hand of {structure.name}: write its cards as text, such as AhKd")
    items = list(given)
    if items and all(isinstance(card, str) and is_known(card) for card in items):
        return _read("".join(items), structure)
    return _one_size(
        {hand: weight for item in items for hand, weight in read_holdings(item, structure).items()}, structure
    )


def _read(text: str, structure: Structure) -> Holdings:
    pieces = text.replace(",", " ").split()
    if all(_all_cards(piece) for piece in pieces) and ("," not in text or all(len(piece) == 2 for piece in pieces)):
        text = "".join(pieces)  # one hand, written as people type cards
    items = read_items(text)
    own = structure.own_by[-1]
    single = len(items) == 1 and not items[0].removed and len(_holdings(items[0].text, structure)) == 1
    whole = structure.common_by[-1] > 0 and not single

    def expand(hands: str, item: str) -> Iterable[str]:
        found = _holdings(hands, structure)
        return _whole(found, own, structure, item) if whole else found

    return _one_size(collect_hands(text, expand, lambda: expand("random", "random")), structure)


def _all_cards(text: str) -> bool:
    return len(text) % 2 == 0 and all(is_known(_card(text[i : i + 2])) for i in range(0, len(text), 2)) and bool(text)


def _card(text: str) -> Card:
    return text[0].upper() + text[1].lower()


def write_holding(cards: Iterable[Card]) -> str:
    """Cards written together, highest first.

    >>> write_holding(("Kd", "As"))
    'AsKd'
    """
    return "".join(sorted(cards, key=_PLACE.__getitem__, reverse=True))


def _holdings(text: str, structure: Structure) -> dict[str, None]:
    """The holdings of one item, without the cards that are left open."""
    if text.lower() in OPEN:
        return {"": None}
    specs = _CARD.findall(text)
    if "".join([rank + suit for rank, suit in specs]) != text or not specs:
        raise RangeError(
            f"{text!r} is no hand of {structure.name}: write cards such as AhAdKhKd, or ranks such as AAKK"
        )
    own = structure.own_by[-1]
    if len(specs) > own:
        raise RangeError(f"{text!r} is no hand of {structure.name}: it has {len(specs)} cards, and a hand has {own}")
    wanted = [(rank.upper(), suit.lower()) for rank, suit in specs if rank not in "Xx*" or suit not in ("", "x", "X")]
    suits = {suit in ("", "x") for _, suit in wanted}
    if len(suits) > 1:
        raise RangeError(f"{text!r} is no hand of {structure.name}: write the suit of every card, or of none")
    choices = [[card for card in structure.deck if _fits(card, *one)] for one in wanted]
    if any(not cards for cards in choices):
        raise RangeError(f"{text!r} is no hand of {structure.name}: its deck has no such card")
    found = {write_holding(cards): None for cards in _limited(product(*choices)) if len({*cards}) == len(cards)}
    if not found:
        raise RangeError(f"{text!r} is no hand of {structure.name}: a card stands twice")
    return found


def _fits(card: Card, rank: str, suit: str) -> bool:
    return rank in ("X", "*", card[0]) and suit in ("", "x", card[1])


def _limited(found: Iterator[tuple[Card, ...]]) -> Iterator[tuple[Card, ...]]:
    for number, cards in enumerate(found):
        if number > MOST_HANDS * 10:
            raise RangeError("so many hands are left open that they cannot be listed: write more of their cards")
        yield cards


def _whole(found: Iterable[str], own: int, structure: Structure, item: str) -> dict[str, None]:
    """All whole hands that these cards may belong to."""
    hands: dict[str, None] = {}
    found = list(found)
    if sum([comb(len(structure.deck) - len(hand) // 2, own - len(hand) // 2) for hand in found]) > 3 * MOST_HANDS:
        raise RangeError(f"{item!r} stands for too many hands of {structure.name} to list: write more of their cards")
    for hand in found:
        held = read_cards(hand)
        left = [card for card in structure.deck if card not in held]
        hands |= {write_holding((*held, *rest)): None for rest in combinations(left, own - len(held))}
    return hands


def _one_size(found: Holdings, structure: Structure) -> Holdings:
    sizes = sorted({len(hand) // 2 for hand in found})
    if len(sizes) > 1:
        raise RangeError(
            f"hands of {sizes[0]} and of {sizes[-1]} cards are no range of {structure.name}: show as many of each"
        )
    return found
