"""Decks for real games, shuffled with random numbers of the operating system."""

from random import SystemRandom

from pitboss.cards import Card
from pitboss.hand.games import USUAL_GAME, AnyGame, find_game


def secure_deck(game: AnyGame = USUAL_GAME) -> tuple[Card, ...]:
    """Return the deck of a game in a random order, which cannot be predicted or repeated.

    `Chance` and arguments such as `seed=` are for study and tests, because a deck from a seed can be repeated.

    >>> deck = secure_deck("short_deck_holdem")
    >>> len(deck), deck == secure_deck("short_deck_holdem")
    (36, False)
    """
    structure = find_game(game)
    return tuple(SystemRandom().sample(structure.deck, len(structure.deck)))
