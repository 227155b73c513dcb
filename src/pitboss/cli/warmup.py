"""`pitboss warmup`: compile everything now, so that nothing waits for the compiler later."""

import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

import click
import msgspec

from pitboss.cli.echo import echo
from pitboss.cli.progress import progress
from pitboss.fast.blocks import available_cores
from pitboss.fast.compiled import NotInstalled, cache_folder, numba
from pitboss.fast.warmup import equities, hands, lockstep
from pitboss.lab.policies.simulate import warm_up

STEPS: tuple[Callable[[], None], ...] = (warm_up, hands, lockstep, equities)
"""The longest first, so that two cores end at about the same time."""


@click.command(short_help="compile what simulation, equities and the lab need, once a machine")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def warmup(as_json: bool) -> None:
    """Compile the fast loops and save them in your cache folder ($PITBOSS_CACHE, or the system's place for caches).

    What is there already is only loaded; a newer pitboss compiles anew.

    \b
    Examples:
      pitboss warmup
      PITBOSS_CACHE=/srv/cache pitboss warmup --json
    """
    begun = time.perf_counter()
    try:
        numba()
    except NotInstalled as error:
        echo(f"pitboss warmup: {error}", err=True)
        sys.exit(1)
    if not as_json and not sys.stderr.isatty():
        echo("compiling, which takes up to a minute where nothing was compiled yet", err=True)
    with (
        progress("compiling", total=len(STEPS)) as advance,
        ProcessPoolExecutor(
            min(available_cores(), len(STEPS)),
            mp_context=get_context("spawn"),
            initializer=signal.signal,
            initargs=(signal.SIGINT, signal.SIG_DFL),  # Ctrl-C reaches them too, and they have nothing to say
        ) as pool,
    ):
        for step in as_completed([pool.submit(step) for step in STEPS]):
            step.result()
            advance()
    seconds = time.perf_counter() - begun
    folder = cache_folder() / "compiled"
    if as_json:
        echo(msgspec.json.encode({"seconds": round(seconds, 3), "folder": str(folder)}))
    else:
        echo(f"ready in {seconds:.1f} s, saved in {folder}")
