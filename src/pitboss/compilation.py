"""Compile the fast loops before they are needed."""

import time
from collections.abc import Callable

from pitboss.batch import Batch
from pitboss.betting.refusals import SetupError
from pitboss.fast.compiled import numba
from pitboss.fast.equity.equity import equity
from pitboss.fast.evaluate import evaluate
from pitboss.fast.play.simulate import simulate
from pitboss.solver.sizes import Sizes
from pitboss.solver.solution import solve
from pitboss.solver.spot import Spot


def _measures() -> None:
    from pitboss.lab.measures.measure import warm_up_measures  # needs the extra `lab`

    warm_up_measures()


def _ladder() -> None:
    from pitboss.lab.measures.measure import warm_up_ladder

    warm_up_ladder()


def _lab() -> None:
    from pitboss.lab.policies.simulate import warm_up

    warm_up()


def _hands() -> None:
    """Compile the loops of `simulate`."""
    simulate(1, compiled=True)


def _lockstep() -> None:
    """Compile the loops of `Batch`."""
    batch = Batch(1)
    batch.step(batch.observe().legal[:, :2].argmax(axis=1))


def _equities() -> None:
    """Compile the loops of `evaluate` and `equity`, for exact and sampled answers."""
    import numpy as np

    equity("QQ+", "AK", board="2c7d9h", compiled=True)
    equity("AhAd", "KsKc", samples=1, compiled=True)
    for cards in (5, 7):
        evaluate(np.arange(cards, dtype=np.uint8), compiled=True)
    for game, hole, board in (("omaha_hi_lo", 4, 5), ("razz", 7, 0), ("badugi", 4, 0)):
        row = np.arange(hole + board, dtype=np.uint8)
        evaluate(row[:hole], game=game, board=row[hole:], compiled=True)


def _solver() -> None:
    """Compile the loops of `solve`."""
    spot = Spot(oop="AA", ip="KK", board="2c7d9hTcJd", pot=2, stack=2, sizes=Sizes(river="a"))
    solve(spot, target=0.5, progress=lambda _state: None)


PARTS: dict[str, Callable[[], None]] = {
    "measure": _measures,
    "ladder": _ladder,
    "lab": _lab,
    "solve": _solver,
    "equity": _equities,
    "simulate": _hands,
    "batch": _lockstep,
}
"""The longest first, so that two cores finish at about the same time; measure, ladder and lab belong to the lab."""


def chosen(parts: tuple[str, ...]) -> dict[str, Callable[[], None]]:
    """Return the parts with these names, or all parts if there are no names. Raise `SetupError` for unknown names."""
    for part in parts:
        if part not in PARTS:
            raise SetupError(f"warmup: expected {', '.join(PARTS)}, got {part!r:.40}")
    return {name: step for name, step in PARTS.items() if name in parts or not parts}


def warmup(*parts: str) -> dict[str, float]:
    """Compile the fast loops, save them for later programs, and load them. Return the seconds of each part.

    The parts are measure, ladder and lab (all three for the lab), solve, equity, simulate and batch; without names all
    are compiled, which takes a minute or more the first time. `pitboss warmup` does the same with a process per core.
    The extra `fast` is needed, and for the parts of the lab also the extra `lab`.

    `warmup("simulate", "batch")` compiles two parts.

    >>> warmup("poker")
    Traceback (most recent call last):
    pitboss.SetupError: warmup: expected measure, ladder, lab, solve, equity, simulate, batch, got 'poker'
    """
    steps = chosen(parts)
    numba()  # is missing without the extra `fast`
    return {name: measure(step) for name, step in steps.items()}


def measure(step: Callable[[], None]) -> float:
    """Run a step and return the processor time it took."""
    begun = time.process_time()
    step()
    return time.process_time() - begun
