"""`pitboss lab`: card games with betting as data, played, studied, solved and varied; one file a command."""

import click

from pitboss.cli.lazy import LazyGroup

COMMANDS = {
    "compare": "set two games side by side: rules in words, measures with intervals",
    "evolve": "breed new games, and fill a map with the best of each kind",
    "games": "list the games that come with pitboss",
    "ladder": "rate random, greedy and searching players at a game",
    "measure": "say what a game is like, measure by measure, with intervals",
    "mutate": "change a game in one place, and print its JSON",
    "play": "play a game in the terminal against the policies of the lab",
    "report": "make a map of a run's games, with a page and a printed rulebook for each",
    "rulebook": "print a game's rules in plain English",
    "show": "print a game's JSON",
    "simulate": "let policies play many games, and say what came of them",
    "solve": "find a small game's value and its best strategies",
}

MODULES = {"compare": "report", "ladder": "measure", "mutate": "games", "rulebook": "games", "show": "games"}


@click.group(cls=LazyGroup, listed=COMMANDS, prefix="pitboss.cli.lab.", modules=MODULES)
def lab() -> None:
    """Write a card game with betting as a small JSON file, and play, simulate, solve and vary it. More: docs/lab.md.

    A GENOME is a file, or the name of a game that comes with pitboss.

    \b
    Examples:
      pitboss lab games
      pitboss lab rulebook leduc
      pitboss lab play simple_poker
      pitboss lab simulate betting_war --games 100000 --players greedy,random --seed 1
      pitboss lab show kuhn > mine.json
    """
