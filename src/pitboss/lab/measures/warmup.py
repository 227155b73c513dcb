"""The compiled loops of the measures, made ready before anybody waits for them."""

from pitboss.lab.files import load
from pitboss.lab.measures.climbing.loop import Climbing
from pitboss.lab.measures.watching.loop import Watching
from pitboss.lab.measures.watching.players import RANDOM
from pitboss.lab.policies import choose


def watching() -> None:
    """What `lab measure` and `lab evolve` need."""
    Watching(load("kuhn"), 0).watch([RANDOM, RANDOM], range(1))


def climbing() -> None:
    """What `lab ladder` and the certificates of a report need."""
    Climbing(load("kuhn"), 0).play([choose.RANDOM, choose.RANDOM], [1, 1], range(1))
