"""A card in two letters, as a genome's deck has it."""

from pitboss.cards import CardError
from pitboss.lab.genome.parts import Deck


def card_word(deck: Deck, card: int) -> str:
    """A card's two letters.

    >>> card_word(Deck(ranks="JQK", suits="sh"), 3)
    'Qh'
    """
    return deck.ranks[card // len(deck.suits)] + deck.suits[card % len(deck.suits)]


def card_number(deck: Deck, word: str) -> int:
    """The number of a card's two letters; the opposite of `card_word`."""
    if len(word) != 2 or word[0] not in deck.ranks or word[1] not in deck.suits:
        raise CardError(f"card {word!r} is not in this deck")
    return deck.ranks.index(word[0]) * len(deck.suits) + deck.suits.index(word[1])
