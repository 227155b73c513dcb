"""`pitboss sting`: a small game of three rounds to play, to simulate and to script; one file a command."""

import click

from pitboss.cli.lazy import LazyGroup

COMMANDS = {
    "play": "play a run at a full-screen table in the terminal",
    "replay": "play a saved run again, step by step",
    "scores": "show the best runs, by deck and difficulty",
    "script": "play given cards and actions, and print every step as JSON",
    "search": "search for a better policy, and say how it does",
    "simulate": "let policies play many hands or runs, and say how they did",
    "tables": "make the tables of docs/sting.md anew, by experiment",
}

MODULES = {"scores": "replay"}


@click.group(cls=LazyGroup, listed=COMMANDS, prefix="pitboss.cli.sting.", modules=MODULES)
def sting() -> None:
    """Play Sting: make the deal, but let the Evidence never outgrow your Cover. The rules: docs/sting.md.

    \b
    Examples:
      pitboss sting play
      pitboss sting simulate --hands 100000 --seed 1
      pitboss sting script deal.json
    """
