"""Rules that only files have keep the laws of every hand: wild cards, spread limit, and a choice of runs."""

from collections import Counter

import pytest
from msgspec.structs import replace

from pitboss.betting.rules import spread_limit
from pitboss.chance import Chance
from pitboss.hand.games import find_structure
from pitboss.hand.structure import Structure
from tests.laws.random_play import play_table
from tests.support.laws.tables import REOPENINGS, some_table

HANDS = [24, pytest.param(2000, marks=pytest.mark.slow)]


def play(structure: Structure, hands: int, seed: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    for number in range(hands):
        chance = Chance(seed).fork(number)
        counts += play_table(some_table(chance, structure, REOPENINGS[number % 2], house=number % 4 == 0), chance)
    return counts


@pytest.mark.parametrize("hands", HANDS)
@pytest.mark.parametrize("name", ["no_limit_holdem", "omaha_hi_lo", "courchevel", "crazy_pineapple"])
def test_hands_with_a_choice_of_runs_keep_the_laws(name: str, hands: int) -> None:
    counts = play(replace(find_structure(name), most_runs=3, code="X"), hands, seed=5)
    assert counts["runs chosen"] > hands / 24
    assert counts["further runs"] > hands / 24


@pytest.mark.parametrize("hands", HANDS)
@pytest.mark.parametrize("name", ["no_limit_holdem", "five_card_draw", "seven_card_stud"])
def test_hands_with_wild_cards_keep_the_laws(name: str, hands: int) -> None:
    counts = play(replace(find_structure(name), wild="2", code="X"), hands, seed=6)
    assert counts["pots"] > hands / 2


@pytest.mark.parametrize("hands", HANDS)
@pytest.mark.parametrize("name", ["no_limit_holdem", "no_limit_omaha_hi_lo"])
def test_hands_with_a_spread_limit_keep_the_laws(name: str, hands: int) -> None:
    rules = spread_limit(least_bet=1, most_bet=120)
    counts = play(replace(find_structure(name), betting=rules, code="X"), hands, seed=7)
    assert counts["pots"] > hands / 2
