"""`pitboss lab measure` and `pitboss lab ladder`: measures of a game, and ratings of players."""

from collections.abc import Sequence
from typing import Any

import click
import msgspec
from rich import box
from rich.table import Table

from pitboss.cli.lab.options import genome_argument, read_game, step_bars
from pitboss.cli.output import count, echo, fail
from pitboss.cli.progress import print_table, screen
from pitboss.fast.compiled import NotInstalled
from pitboss.lab.genome import Genome
from pitboss.lab.measures.figures import Measure
from pitboss.lab.measures.ladder import Rung
from pitboss.lab.measures.ladder import ladder as climb
from pitboss.lab.measures.measure import MEANINGS, Measured, impossible_measures
from pitboss.lab.measures.measure import measure as measure_game
from pitboss.lab.measures.small_games import Solved, solve_small

BARS = " ▁▂▃▄▅▆▇█"
HEIGHT = 4
"""The lines of a curve."""


@click.command(short_help="rate random, greedy and searching players at a game")
@genome_argument
@click.option(
    "--games", default=40, show_default=True, type=click.IntRange(2, 10**6), help="Games for each pair of players."
)
@click.option("--seed", default=0, show_default=True, type=int, help="The same seed gives the same ratings.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def ladder(genome: str, games: int, seed: int, as_json: bool) -> None:
    """Rate players at a game: random, greedy, and search at three strengths. Every pair meets in every seat.

    GENOME is the name of a known game, a file, or - for standard input. Ratings are Elo points with 95 % intervals;
    random has 0. A player that beats random players can still be exploited. If the game, or a miniature of it, has at
    most 1,000 information sets, the command also prints what the best response wins from each player.

    \b
    Examples:
      pitboss lab ladder whist
      pitboss lab ladder kuhn --games 200 --seed 3
      pitboss lab ladder mygame.json --json
    """
    game = read_game("ladder", genome)
    try:
        with step_bars() as tell:
            rungs = climb(game, games=games, seed=seed, progress=tell)
            solved = solve_small(game, seed=seed, progress=tell)
    except NotInstalled as error:
        fail("lab ladder", error)
    if as_json:
        fields = {"name": game.name, "games": games, "seed": seed, "ladder": rungs, "solved": solved}
        echo(msgspec.json.encode(fields))
        return
    screen(0).print(f"{game.name}, {count(games, 'game')} for each pair of players")
    print_table(ladder_table(rungs))
    if solved:
        print_solved(solved)
    else:
        screen(0).print("the game and all miniatures of it are too large to solve")


def ladder_table(rungs: Sequence[Rung]) -> Table:
    """The table of ratings, best first."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("player", no_wrap=True)
    for heading in ("rating", "from", "to", "score"):
        table.add_column(heading, justify="right", no_wrap=True)
    for rung in rungs:
        rating = rung.rating
        figures = [f"{number:+,.0f}" for number in (rating.mean, rating.low, rating.high)]
        table.add_row(rung.player, *figures, f"{100 * rung.score:.1f} %")
    return table


def print_solved(solved: Solved) -> None:
    """Print the exact results."""
    console, each = screen(0), "chips per deal" if solved.unit == "chips" else "wins minus losses per deal"
    what = f"a miniature with {solved.miniature}" if solved.miniature else "the game itself"
    console.print(f"solved: {what}, {count(solved.information_sets, 'information set')}")
    console.print(f"its value is {solved.value:+.4f} {each} to the first seat")
    console.print(f"{100 * solved.bluffing:.1f} % of the bets at equilibrium would lose if called")
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("player", no_wrap=True)
    table.add_column(f"the best response wins, {each}", justify="right")
    for name, lost in solved.exploitability.items():
        table.add_row(name, f"{lost:.4f}")
    print_table(table)


@click.command(short_help="measure a game: length, choices, tension, skill, bets")
@genome_argument
@click.option("--games", default=1000, show_default=True, type=click.IntRange(2, 10**7), help="Games to play.")
@click.option("--seed", default=0, show_default=True, type=int, help="The same seed gives the same measures.")
@click.option("--full", is_flag=True, help="Measure more closely, rate players, solve small games (minutes).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def measure(genome: str, games: int, seed: int, full: bool, as_json: bool) -> None:
    """Measure a game: its length, choices, tension, skill, bets and rules, each with a 95 % interval.

    GENOME is the name of a known game, a file, or - for standard input. In half of the games, all players are mostly
    greedy. In the other half, a greedy player meets random and calm players in every seat. No player sees hidden
    cards. The table leaves out what cannot happen in the game. docs/lab-measures.md explains each measure.

    \b
    Examples:
      pitboss lab measure community_poker
      pitboss lab measure mygame.json --games 5000 --seed 7 --json
      pitboss lab measure leduc --full
    """
    game = read_game("measure", genome)
    try:
        with step_bars() as tell:
            found = measure_game(game, games=games, seed=seed, depth="full" if full else "quick", progress=tell)
    except NotInstalled as error:
        fail("lab measure", error)
    if as_json:
        echo(msgspec.json.encode(_as_json(found, game.name, games, seed)))
    else:
        _print(found, game, games)


def _as_json(found: Measured, name: str, games: int, seed: int) -> dict[str, Any]:
    fields = {field: getattr(found, field) for field in Measured.__struct_fields__}
    return {"name": name, "games": games, "seed": seed, **fields}


def _print(found: Measured, game: Genome, games: int) -> None:
    console, left_out = screen(0), impossible_measures(game)
    console.print(f"{game.name}, {count(games, 'game')}")
    possible = {name: one for name, one in found.measures.items() if name not in left_out}
    print_table(_table("measure", possible, MEANINGS))
    console.print("tension over the course of a deal, from 0 to 1")
    for line in curve(found.tension):
        console.print(line)
    console.print()
    console.print("share of games in which each rule is used")
    print_table(_table("rule", found.rules, {}))
    if found.ladder:
        print_table(ladder_table(found.ladder))
    if found.solved:
        print_solved(found.solved)


def _table(heading: str, measures: dict[str, Measure], meanings: dict[str, str]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(heading, no_wrap=True)
    for title in ("mean", "from", "to"):
        table.add_column(title, justify="right", no_wrap=True)
    if meanings:
        table.add_column("what it means")
    for name, one in measures.items():
        cells = [name, *[figure(number) for number in (one.mean, one.low, one.high)]]
        table.add_row(*cells, *([meanings[name]] if meanings else []))
    return table


def figure(number: float) -> str:
    """A number with two decimals, or fewer if it is large.

    >>> figure(0.1234), figure(52.04), figure(1041.36)
    ('0.12', '52.0', '1,041')
    """
    return f"{number:.2f}" if abs(number) < 10 else f"{number:.1f}" if abs(number) < 100 else f"{number:,.0f}"


def curve(points: tuple[float, ...]) -> list[str]:
    """A small plot; each point is a column of two characters.

    >>> curve((0.0, 0.5, 1.0))
    ['1 │    ██', '  │    ██', '  │  ████', '0 │  ████']
    """
    lines = []
    for row in range(HEIGHT - 1, -1, -1):
        cells = [BARS[max(0, min(8, round((point * HEIGHT - row) * 8)))] * 2 for point in points]
        edge = "1" if row == HEIGHT - 1 else "0" if row == 0 else " "
        lines.append(f"{edge} │{''.join(cells)}")
    return lines
