"""Decks for real games, shuffled with the randomness of the operating system."""

from random import SystemRandom

from pitboss.cards import Card
from pitboss.hand.games import NO_LIMIT_HOLDEM, find_structure
from pitboss.hand.structure import Structure


def secure_deck(game: Structure | str = NO_LIMIT_HOLDEM) -> tuple[Card, ...]:
    """Return the deck of a game in an order that no one can predict or repeat.

    `Chance` and `seed=` are for study and tests: a seed repeats their decks.

    >>> deck = secure_deck("short_deck_holdem")
    >>> len(deck), deck == secure_deck("short_deck_holdem")
    (36, False)
    """
    structure = find_structure(game)
    return tuple(SystemRandom().sample(structure.deck, len(structure.deck)))
