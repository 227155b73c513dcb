"""`pitboss sting`: a small card game to play, simulate and script."""

import click

from pitboss.cli.lazy import LazyGroup

COMMANDS = {
    "play": "play a run in the terminal",
    "replay": "replay a saved run step by step",
    "scores": "show the best runs by deck and difficulty",
    "script": "play one hand from given cards, as JSON",
    "search": "search for a better policy",
    "simulate": "compare policies over many hands or runs",
    "tables": "update the tables of docs/sting.md",
}

MODULES = {"scores": "replay"} | dict.fromkeys(("script", "search", "simulate", "tables"), "study")


@click.group(cls=LazyGroup, listed=COMMANDS, prefix="pitboss.cli.sting.", modules=MODULES)
def sting() -> None:
    """Play and study Sting, a card game: sell your goods, and keep your Cover above the Evidence.

    \b
    Examples:
      pitboss sting play
      pitboss sting simulate --hands 100000 --seed 1
      pitboss sting script deal.json
    """
