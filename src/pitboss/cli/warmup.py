"""`pitboss warmup`: compile everything now, so that later commands start quickly."""

import signal
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

import click
import msgspec

from pitboss.cli.output import echo
from pitboss.cli.progress import progress
from pitboss.compilation import PARTS, chosen, measure
from pitboss.fast.compiled import NotInstalled, cache_folder, numba
from pitboss.fast.threads import available_cores


@click.command()
@click.argument("parts", nargs=-1, type=click.Choice(list(PARTS)))
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
    named = chosen(tuple(parts))
    with (
        progress("compiling", total=len(named)) as advance,
        ProcessPoolExecutor(
            min(available_cores(), len(named)),
            mp_context=get_context("spawn"),
            initializer=signal.signal,
            initargs=(signal.SIGINT, signal.SIG_DFL),  # Ctrl-C ends the workers without a traceback
        ) as pool,
    ):
        running = {name: pool.submit(measure, step) for name, step in named.items()}
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
