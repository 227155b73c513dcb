"""Calls every compiled loop once, so that it is compiled, or loaded from where it was saved."""

from pitboss.fast.equity.counting import form
from pitboss.fast.equity.equity import equity
from pitboss.fast.equity.evaluate import SMALL as SMALL_ARRAY
from pitboss.fast.equity.evaluate import evaluate
from pitboss.fast.play.backends import SMALL
from pitboss.fast.play.batch import Batch
from pitboss.fast.play.simulate import simulate


def hands() -> None:
    """What `simulate` needs."""
    simulate(SMALL + 1)


def lockstep() -> None:
    """What `Batch` needs."""
    batch = Batch(1)
    batch.step(batch.observe().legal[:, :2].argmax(axis=1))


def equities() -> None:
    """What `evaluate` and `equity` need, for exact answers and sampled ones."""
    import numpy as np

    form(compiled=True)  # from here on small questions are compiled too
    equity("QQ+", "AK", board="2c7d9h")
    equity("AhAd", "KsKc", samples=1)
    for kind in (np.uint8, np.int64):
        evaluate(np.tile(np.arange(7, dtype=kind), (SMALL_ARRAY + 1, 1)))
    for game, hole, board in (("omaha_hi_lo", 4, 5), ("razz", 7, 0), ("badugi", 4, 0)):
        cards = np.tile(np.arange(hole + board, dtype=np.uint8), (SMALL_ARRAY + 1, 1))
        evaluate(cards[:, :hole], game=game, board=cards[:, hole:])
