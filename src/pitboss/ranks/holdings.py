"""What the cards of a holding stand for in a table, or why they cannot be ranked."""

from collections.abc import Iterable, Mapping

from pitboss.cards import Card
from pitboss.ranks.layout import FEWEST, MOST
from pitboss.ranks.refusals import not_a_holding, not_in_deck


def looked_up(held: tuple[Card, ...], table: Mapping[Card, int], fewest: int = FEWEST, most: int = MOST) -> list[int]:
    """What stands in a table for each card of a holding of so many different cards."""
    if not fewest <= len(held) == len(set(held)) <= most:
        raise not_a_holding(held, fewest, most)
    return numbers(held, table)


def numbers(cards: Iterable[Card], table: Mapping[Card, int]) -> list[int]:
    """What stands in a table for each card."""
    try:
        return [table[card] for card in cards]
    except KeyError as missing:
        raise not_in_deck(missing.args[0]) from None
