"""The games that are files keep the laws of every hand, against a second account of chips, cards and strengths."""

from collections import Counter

import pytest

from pitboss.chance import Chance
from pitboss.hand.games import file_games
from tests.laws.random_play import play_table
from tests.support.laws.tables import REOPENINGS, some_table

HANDS = [16, pytest.param(2000, marks=pytest.mark.slow)]


@pytest.mark.parametrize("hands", HANDS)
@pytest.mark.parametrize("name", [game.key for game in file_games()])
def test_hands_of_a_file_keep_the_laws(name: str, hands: int) -> None:
    [structure] = [game for game in file_games() if game.key == name]
    counts: Counter[str] = Counter()
    for number in range(hands):
        chance = Chance(11).fork(number)
        reopening = REOPENINGS[number % len(REOPENINGS)]
        counts += play_table(some_table(chance, structure, reopening, house=number % 4 > 0), chance)
    assert counts["hands of X"] == hands
    assert counts["pots"] > hands
    assert counts["moments in two worlds"] > 2 * hands
