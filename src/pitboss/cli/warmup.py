"""`pitboss warmup`: compile everything now, so that later commands start quickly."""

import signal
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

import click
import msgspec

from pitboss.batch import Batch
from pitboss.cli.output import echo
from pitboss.cli.progress import progress
from pitboss.fast.compiled import NotInstalled, cache_folder, numba
from pitboss.fast.equity.equity import equity
from pitboss.fast.equity.forms import form
from pitboss.fast.evaluate import FEW_HIGH_HANDS, evaluate
from pitboss.fast.play.simulate import SMALL, simulate
from pitboss.fast.threads import available_cores
from pitboss.lab.measures.measure import warm_up_ladder, warm_up_measures
from pitboss.lab.policies.simulate import warm_up


def hands() -> None:
    """Compile the loops of `simulate`."""
    simulate(SMALL + 1)


def lockstep() -> None:
    """Compile the loops of `Batch`."""
    batch = Batch(1)
    batch.step(batch.observe().legal[:, :2].argmax(axis=1))


def equities() -> None:
    """Compile the loops of `evaluate` and `equity`, for exact and sampled answers."""
    import numpy as np

    form(compiled=True)  # from here on, small questions are compiled too
    equity("QQ+", "AK", board="2c7d9h")
    equity("AhAd", "KsKc", samples=1)
    for kind in (np.uint8, np.int64):
        evaluate(np.tile(np.arange(7, dtype=kind), (FEW_HIGH_HANDS + 1, 1)))
    for game, hole, board in (("omaha_hi_lo", 4, 5), ("razz", 7, 0), ("badugi", 4, 0)):
        cards = np.tile(np.arange(hole + board, dtype=np.uint8), (FEW_HIGH_HANDS + 1, 1))
        evaluate(cards[:, :hole], game=game, board=cards[:, hole:])


STEPS: dict[str, Callable[[], None]] = {
    "measure": warm_up_measures,
    "ladder": warm_up_ladder,
    "lab": warm_up,
    "equity": equities,
    "simulate": hands,
    "batch": lockstep,
}
"""The longest first, so that two cores finish at about the same time; the first three belong to the lab."""


@click.command()
@click.argument("parts", nargs=-1, type=click.Choice(list(STEPS)))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def warmup(parts: Sequence[str], as_json: bool) -> None:
    """Compile the fast loops and save them in your cache folder ($PITBOSS_CACHE, or the cache folder of the system).

    By default all parts are compiled. Other parts are compiled when they are first used. The lab takes most of the
    time. Parts that were compiled before are only loaded; a new version of pitboss compiles them again.

    \b
    Examples:
      pitboss warmup
      pitboss warmup simulate equity
      PITBOSS_CACHE=/srv/cache pitboss warmup --json
    """
    begun = time.perf_counter()
    try:
        numba()
    except NotInstalled as error:
        echo(f"pitboss warmup: {error}", err=True)
        sys.exit(1)
    named = {name: step for name, step in STEPS.items() if name in parts or not parts}
    with (
        progress("compiling", total=len(named)) as advance,
        ProcessPoolExecutor(
            min(available_cores(), len(named)),
            mp_context=get_context("spawn"),
            initializer=signal.signal,
            initargs=(signal.SIGINT, signal.SIG_DFL),  # Ctrl-C ends the workers without a traceback
        ) as pool,
    ):
        running = {name: pool.submit(_time, step) for name, step in named.items()}
        for step in as_completed(running.values()):
            step.result()
            advance()
    seconds = time.perf_counter() - begun
    folder = cache_folder() / "compiled"
    if as_json:
        used = {name: round(step.result(), 3) for name, step in running.items()}
        echo(msgspec.json.encode({"seconds": round(seconds, 3), "folder": str(folder), "processor_seconds": used}))
    else:
        echo(f"ready in {seconds:.1f} s, saved in {folder}")


def _time(step: Callable[[], None]) -> float:
    """Run a step and return the processor time it took."""
    begun = time.process_time()
    step()
    return time.process_time() - begun
