"""Public functions refuse arguments of a wrong type or a wrong name with an error of ours."""

from collections.abc import Callable
from typing import Any

import pytest

import pitboss
from pitboss import Hand, Stakes, Table, TableStakes
from pitboss.documents import open_document
from pitboss.errors import PitbossError
from tests.support.for_each import for_each

HAND = Hand.deal("no_limit_holdem", stacks=(1000, 1000), blinds=(10, 20), seed=7)[0]
TABLE = Table.open(TableStakes(small_blind=1, big_blind=2))
STAKES: Any = Stakes(min_bet=2)
ANY: Any = pitboss
OPEN: Any = open_document

WRONG: dict[str, Callable[[], object]] = {
    "a view of a name": lambda: ANY.Hand.view(HAND, "p1"),
    "a view of a place": lambda: ANY.view(HAND, "p1"),
    "PHH of a list": lambda: ANY.write_phh([HAND]),
    "PHH of a hand": lambda: ANY.write_phh(HAND),
    "PHHS of a number": lambda: ANY.write_phhs(1),
    "PHHS of numbers": lambda: ANY.write_phhs([1]),
    "PHHS of pairs": lambda: ANY.write_phhs([("hand 1", 2)]),
    "a replay of a number": lambda: ANY.replay(3),
    "steps of a number": lambda: list(ANY.replay_steps(3)),
    "a lenient replay of a number": lambda: ANY.replay_leniently(3),
    "a game that does not exist": lambda: Hand.start("xx", stacks=(100, 100), stakes=STAKES),
    "a game that is a number": lambda: ANY.Hand.start(3, stacks=(100, 100), stakes=STAKES),
    "stacks that are text": lambda: ANY.Hand.start("NT", stacks="ab", stakes=STAKES),
    "stacks that are a number": lambda: ANY.Hand.start("NT", stacks=3, stakes=STAKES),
    "stakes that are a number": lambda: ANY.Hand.start("NT", stacks=(100, 100), stakes=3),
    "a deck that is a number": lambda: ANY.Hand.start("NT", stacks=(100, 100), stakes=STAKES, deck=3),
    "a dealt deck that is a number": lambda: ANY.Hand.deal("NT", stacks=(9, 9), blinds=(1, 2), deck=3),
    "a batch of an unknown game": lambda: ANY.Batch(4, game="xx"),
    "a batch of a number": lambda: ANY.Batch(4, game=3),
    "a simulation of an unknown game": lambda: ANY.simulate(100, game="xx"),
    "a compiled simulation of a game with draws": lambda: ANY.simulate(100, game="badugi", compiled=True),
    "a position of a number": lambda: ANY.write_position(3),
    "a position of a list": lambda: ANY.read_position([]),
    "statistics of a number": lambda: ANY.statistics(3),
    "a picture of a number": lambda: ANY.draw_svg(3),
    "a player who is a number": lambda: ANY.Table.sit(TABLE, 3, 100),
    "a document of an unknown game": lambda: OPEN(big_blind=2, seat_count=6, variant=[]),
}


@for_each("call", WRONG.values(), ids=WRONG)
def test_a_wrong_argument_is_refused_with_an_error_of_ours(call: Callable[[], object]) -> None:
    with pytest.raises(PitbossError):
        call()


def test_games_are_given_by_name_everywhere() -> None:
    omaha, _ = Hand.start("omaha", stacks=(100, 100), stakes=STAKES)
    assert omaha.structure is pitboss.OMAHA
    assert pitboss.simulate(4, game="omaha").hands == 4
    assert pitboss.simulate(4, structure="PLO", seed=3).seats == pitboss.simulate(4, game=pitboss.OMAHA, seed=3).seats
    assert Table.open(TableStakes(small_blind=1, big_blind=2), game="omaha").structure is pitboss.OMAHA


@pytest.mark.check
def test_a_batch_takes_a_game_by_name() -> None:
    pytest.importorskip("numba")
    assert pitboss.Batch(4, game="omaha").setup.structure is pitboss.OMAHA
