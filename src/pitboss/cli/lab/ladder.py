"""`pitboss lab ladder`: how much better thinking makes a player at a game, and what each can lose where it is known."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

import click
import msgspec
from rich import box
from rich.table import Table

from pitboss.cli.counting import count
from pitboss.cli.echo import echo
from pitboss.cli.lab.options import fail, genome_argument, read_game
from pitboss.cli.progress import Advance, print_table, progress, screen
from pitboss.fast.compiled import NotInstalled
from pitboss.lab.measures.ladder import Rung
from pitboss.lab.measures.ladder import ladder as climb
from pitboss.lab.measures.solved import Solved, solve_small
from pitboss.lab.solver.tree import Progress


@click.command(short_help="rate random, greedy and searching players at a game")
@genome_argument
@click.option(
    "--games", default=40, show_default=True, type=click.IntRange(2, 10**6), help="Games for every two players."
)
@click.option("--seed", default=0, show_default=True, type=int, help="The same seed gives the same ratings.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def ladder(genome: str, games: int, seed: int, as_json: bool) -> None:
    """Rate players at a game, all against all, in every seat: random, greedy, and search at three strengths.

    GENOME is the name of a known game, a file, or - for standard input. Ratings are in points of Elo, with 95 %
    intervals; random has 0. Beating random players is not skill yet: where the game, or a miniature of it, has up to
    1,000 information sets, it is also said what the best answer wins from each player.

    \b
    Examples:
      pitboss lab ladder whist
      pitboss lab ladder kuhn --games 200 --seed 3
      pitboss lab ladder mygame.json --json
    """
    game = read_game("ladder", genome)
    try:
        with steps() as tell:
            rungs = climb(game, games=games, seed=seed, progress=tell)
            solved = solve_small(game, seed=seed, progress=tell)
    except NotInstalled as error:
        fail("ladder", error)
    if as_json:
        fields = {"name": game.name, "games": games, "seed": seed, "ladder": rungs, "solved": solved}
        echo(msgspec.json.encode(fields))
        return
    screen(0).print(f"{game.name}, {count(games, 'game')} for every two players")
    print_table(ladder_table(rungs))
    if solved:
        tell_solved(solved)
    else:
        screen(0).print("it is too large to be solved, and so is every miniature of it")


def ladder_table(rungs: Sequence[Rung]) -> Table:
    """The ratings, the best first."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("player", no_wrap=True)
    for heading in ("rating", "from", "to", "ahead of others"):
        table.add_column(heading, justify="right", no_wrap=True)
    for rung in rungs:
        rating = rung.rating
        figures = [f"{number:+,.0f}" for number in (rating.mean, rating.low, rating.high)]
        table.add_row(rung.player, *figures, f"{100 * rung.score:.1f} %")
    return table


def tell_solved(solved: Solved) -> None:
    """What is known for sure."""
    console, each = screen(0), "chips a deal" if solved.unit == "chips" else "wins less losses a deal"
    what = f"a miniature with {solved.miniature}" if solved.miniature else "the game itself"
    console.print(f"solved: {what}, {count(solved.information_sets, 'information set')}")
    console.print(f"its value is {solved.value:+.4f} {each} to the first seat")
    console.print(f"{100 * solved.bluffing:.1f} % of the bets at equilibrium would lose if they were called")
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("player", no_wrap=True)
    table.add_column(f"the best answer wins, {each}", justify="right")
    for name, lost in solved.exploitability.items():
        table.add_row(name, f"{lost:.4f}")
    print_table(table)


@contextmanager
def steps() -> Iterator[Progress]:
    """A bar for each thing that is done, one after another."""
    advance: dict[str, Advance] = {}
    done: dict[str, int] = {}
    with ExitStack() as bars:

        def tell(what: str, now: int, total: int) -> None:
            if what not in advance or now < done[what]:
                bars.close()
                advance[what] = bars.enter_context(progress(what, total))
                done[what] = 0
            advance[what](now - done[what])
            done[what] = now

        yield tell
