"""`pitboss lab`: play, study, solve and vary card games with betting that are data; one file per command."""

import click

from pitboss.cli.lazy import LazyGroup

COMMANDS = {
    "compare": "compare two games: rules in words, measures with intervals",
    "evolve": "evolve new games, and fill a map with the best of each kind",
    "games": "list the games that come with pitboss",
    "ladder": "rate random, greedy and searching players at a game",
    "measure": "measure a game: length, choices, tension, skill, bets",
    "mutate": "change a game in one place, and print its JSON",
    "play": "play a game in the terminal against the policies of the lab",
    "report": "write a map of a run's games, with a page and a printed rulebook for each",
    "rulebook": "print a game's rules in plain English",
    "show": "print a game's JSON",
    "simulate": "play many games between policies, and print the results",
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
