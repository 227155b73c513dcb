"""Many holdings ranked with one board are as strong as each alone, and what cannot be ranked is refused alike."""

import random

import pytest

from pitboss.cards import DECK, SHORT_DECK, CardError, read_cards
from pitboss.ranks.highs import SHORT_TABLES, STANDARD_TABLES, Tables
from pitboss.ranks.layout import RankError
from tests.support.for_each import for_each


@for_each("tables, deck", [(STANDARD_TABLES, DECK), (SHORT_TABLES, SHORT_DECK)])
@for_each("own, common", [(2, 5), (7, 0), (6, 1), (5, 0)])
def test_each_holding_is_as_strong_as_alone(tables: Tables, deck: tuple[str, ...], own: int, common: int) -> None:
    draw = random.Random(7)
    for _ in range(200):
        cards = draw.sample(deck, 4 * own + common)
        holes, board = [cards[k * own : (k + 1) * own] for k in range(4)], cards[4 * own :]
        made = tables.best_on(board, holes, (0, 2, 3))
        assert made == {place: (tables.best((*holes[place], *board)),) for place in (0, 2, 3)}


def test_too_many_cards_and_unknown_ones_are_refused() -> None:
    board = read_cards("2c 3d 4h 9s Tc")
    with pytest.raises(RankError, match="expected 5 to 7 cards, got 8"):
        STANDARD_TABLES.best_on(board, [read_cards("As Kd Qh")], (0,))
    with pytest.raises(CardError, match=r"card '\?\?' cannot be ranked"):
        STANDARD_TABLES.best_on(board, [read_cards("As ??")], (0,))
