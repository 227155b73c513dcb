"""`pitboss sting tables`: update the tables of docs/sting.md by experiment."""

from pathlib import Path

import click

from pitboss.cli.output import echo, fail
from pitboss.cli.progress import progress
from pitboss.sting.cards import default_cards
from pitboss.sting.experiments import Sizes, parts_of, write_tables


@click.command(short_help="update the tables of docs/sting.md")
@click.argument("page", type=click.Path(path_type=Path))
@click.option("--hands", type=click.IntRange(2), default=20_000, show_default=True, help="Hands per row.")
@click.option("--runs", type=click.IntRange(2), default=400, show_default=True, help="Runs per row.")
@click.option("--seed", default=1, show_default=True, help="Seed of all tables.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Number of processes; it does not change the result.")
@click.option("--write", is_flag=True, help="Write the page instead of printing it.")
def tables(page: Path, hands: int, runs: int, seed: int, jobs: int | None, write: bool) -> None:
    """Update the tables of a page by playing all experiments again.

    PAGE is docs/sting.md. Each table is between <!-- begin NAME --> and <!-- end NAME -->.

    \b
    Examples:
      pitboss sting tables docs/sting.md --write
      pitboss sting tables docs/sting.md --runs 50 --hands 1000
    """
    try:
        text = page.read_text(encoding="utf-8")
    except OSError as error:
        fail("sting tables", f"{page} cannot be read: {error.strerror or error}")
    except UnicodeError:
        fail("sting tables", f"{page} cannot be read: it is not UTF-8 text")
    if not parts_of(text):
        fail("sting tables", f"{page} has no tables: mark one with <!-- begin runs --> and <!-- end runs -->")
    sizes = Sizes(hands=hands, runs=runs, seed=seed, jobs=jobs)
    with progress("updating tables", total=len(parts_of(text))) as advance:
        made = write_tables(text, default_cards(), sizes, advance)
    if not write:
        echo(made, nl=False)
        return
    try:
        page.write_text(made, encoding="utf-8")
    except OSError as error:
        fail("sting tables", f"{page} cannot be written: {error.strerror or error}")
