"""House bots differ clearly in strength: at duplicate, heads-up, each beats those below it beyond chance.

Seeds are fixed, so the outcome is too. How strong they are at full tables is measured outside the tests.
"""

import pytest

from pitboss.arena.bots import HOUSE
from pitboss.arena.bots.offline import play
from pitboss.chance import Chance

pytestmark = pytest.mark.check

# The weaker bot of each pair, and hands enough that another seed would hardly give another answer.
NEXT = [
    ("equity", "tight", 1600),
    ("tight", "calling", 2000),
    ("tight", "random", 2000),
    ("tight", "folding", 1000),
]
FURTHER = [
    ("sharp", "equity", 2500),
    ("sharp", "tight", 1000),
    ("sharp", "calling", 100),
    ("sharp", "random", 200),
    ("sharp", "folding", 100),
    ("equity", "calling", 200),
    ("equity", "random", 600),
    ("equity", "folding", 200),
]


@pytest.mark.parametrize(
    ("better", "worse", "hands"), [*NEXT, *[pytest.param(*pair, marks=pytest.mark.slow) for pair in FURTHER]], ids=str
)
def test_each_bot_beats_those_below_it(better: str, worse: str, hands: int) -> None:
    chance = Chance(20)
    bots = [(name, HOUSE[name](chance.fork(seat))) for seat, name in enumerate((better, worse))]
    first, second = play(bots, hands=hands, chance=chance, duplicate=True)
    assert first.low > 0 > second.high
    assert first.illegal == second.illegal == 0
