"""Who ranks seven cards besides pitboss, each through its fastest public function, the cards built beforehand."""

import random
from collections.abc import Callable, Sequence
from itertools import starmap

from benchmarks.fast_peers import Peer, imported
from pitboss.cards import DECK

Rank = Callable[[], list[int]]
"""Ranks all hands, and gives the library's numbers for them in order."""
Hand = tuple[str, ...]


def hands(count: int) -> list[Hand]:
    """Seven cards each, the same for all entrants."""
    source = random.Random(1)
    return [tuple(source.sample(DECK, 7)) for _ in range(count)]


def eval7(given: Sequence[Hand]) -> Rank:
    """Lists of cards."""
    library = imported("eval7")
    cards = {card: library.Card(card) for card in DECK}
    built = [[cards[card] for card in hand] for hand in given]
    return lambda: list(map(library.evaluate, built))


def pkrbot(given: Sequence[Hand]) -> Rank:
    """Lists of cards, as with eval7."""
    library = imported("pkrbot")
    cards = {card: library.Card(card) for card in DECK}
    built = [[cards[card] for card in hand] for hand in given]
    return lambda: list(map(library.evaluate, built))


def pkrbot_raw(given: Sequence[Hand]) -> Rank:
    """Bytes of ranks and of suits."""
    library = imported("pkrbot")
    places = {card: number for number, card in enumerate(DECK)}
    numbers = [[places[card] for card in hand] for hand in given]
    built = [(bytes([n // 4 for n in hand]), bytes([n % 4 for n in hand]), len(hand)) for hand in numbers]
    return lambda: list(starmap(library.evaluate_raw, built))


def phevaluator(given: Sequence[Hand]) -> Rank:
    """Card numbers."""
    library = imported("phevaluator")
    numbers = {card: library.Card.to_id(card) for card in DECK}
    built = [[numbers[card] for card in hand] for hand in given]
    evaluate = library.evaluate_7cards
    return lambda: list(starmap(evaluate, built))


def treys(given: Sequence[Hand]) -> Rank:
    """Card numbers, two in the hand and five on the board."""
    library = imported("treys")
    numbers = {card: library.Card.new(card) for card in DECK}
    built = [([numbers[card] for card in hand[:2]], [numbers[card] for card in hand[2:]]) for hand in given]
    evaluate = library.Evaluator().evaluate
    return lambda: list(starmap(evaluate, built))


EVAL7 = "eval7"

EVALUATORS = (
    Peer(EVAL7, "eval7", "`evaluate` on lists of `Card`", eval7),
    Peer("pkrbot", "pkrbot", "`evaluate` on lists of `Card`", pkrbot),
    Peer("pkrbot, raw", "pkrbot", "`evaluate_raw`, which its page does not name, on bytes", pkrbot_raw),
    Peer("phevaluator", "phevaluator", "`evaluate_7cards` on card numbers", phevaluator),
    Peer("treys", "treys", "`Evaluator.evaluate` on card numbers", treys),
)
