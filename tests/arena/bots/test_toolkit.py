"""What house bots read from a question: the cards as policies see them, and their choice without a raise."""

from collections import Counter

import pytest
from msgspec.structs import replace

from pitboss.arena.bots import HOUSE
from pitboss.arena.bots.toolkit import known_cards, raise_about
from pitboss.arena.wire.answers import call, raise_to
from pitboss.cards import DECK
from pitboss.chance import Chance
from pitboss.fast.play.flop import UNSEEN
from tests.support.arena.bot_spots import ask, deal


def test_cards_are_hole_cards_then_board_then_unseen_cards() -> None:
    act = ask(deal("AsAd", "KsKd"), range(2))
    assert known_cards(act) == [*map(DECK.index, act.you.hole)] + [UNSEEN] * 5
    board = ("2c", "3c", "4d")
    assert known_cards(replace(act, community=board))[2:] == [*map(DECK.index, board), UNSEEN, UNSEEN]


def test_where_raising_is_not_on_offer_the_random_bot_folds_and_calls_as_often() -> None:
    act = ask(deal("AsAd", "KsKd"), range(2))
    asked = replace(act, legal=("FOLD", "CALL"), min_raise_to=None, max_raise_to=None)
    bot = HOUSE["random"](Chance(1))
    counts = Counter(str(bot(asked)) for _ in range(600))
    assert set(counts) == {"FOLD", "CALL"}
    assert 250 < counts["FOLD"] < 350


@pytest.mark.parametrize("bounds", [(None, None), (None, 100), (20, None)])
def test_bot_without_both_bounds_of_a_raise_stays(bounds: tuple[int | None, int | None]) -> None:
    act = ask(deal("AsAd", "KsKd"), range(2))
    assert raise_about(replace(act, min_raise_to=bounds[0], max_raise_to=bounds[1]), 50) == call()
    assert raise_about(replace(act, min_raise_to=20, max_raise_to=100), 50) == raise_to(50)
