"""`pitboss sting simulate`: many hands by the Player's policies, and how they did."""

import inspect
from collections.abc import Sequence
from math import isfinite

import click
import msgspec
from rich import box
from rich.table import Table

from pitboss.cli.counting import count
from pitboss.cli.echo import echo
from pitboss.cli.progress import progress, screen
from pitboss.cli.sting.options import (
    answers_option,
    cards_option,
    deck_option,
    fail,
    narc_option,
    read_answers,
    read_cards,
)
from pitboss.sting.cards import CardsError
from pitboss.sting.policies import PLAYERS
from pitboss.sting.simulate import Average, Experiment, PolicyResult, Share, UnknownPolicy, blocks
from pitboss.sting.simulate import simulate as play_all

ABOUT = "\b\nPolicies:\n" + "\n".join(f"  {name:<13} {inspect.getdoc(play)}" for name, play in PLAYERS.items())


@click.command(short_help="let policies play many hands, and say how they did", epilog=ABOUT)
@click.option("--player", "--policy", "player", metavar="POLICY", help="Only this policy; else all of them.")
@click.option("--hands", required=True, type=click.IntRange(1, 100_000_000), help="Hands for each policy.")
@click.option("--seed", default=0, show_default=True, type=int, help="The same seed gives the same hands.")
@deck_option
@narc_option
@answers_option
@cards_option
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes at work; the result does not depend on it.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a policy.")
def simulate(
    player: str | None,
    hands: int,
    seed: int,
    deck: str | None,
    narc: str | None,
    answers: str | None,
    cards_file: str | None,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Let policies play many single hands, all with the same deals, and print win, bust and fold rates and means.

    Below every figure stands its 95 % interval. Profit, Heat and cards are means a hand; paid are hands with a profit.

    \b
    Examples:
      pitboss sting simulate --hands 100000 --seed 1
      pitboss sting simulate --player dumper --hands 20000 --seed 7 --deck kingpin --narc detective --json
    """
    cards = read_cards("simulate", cards_file)
    players = list(PLAYERS) if player is None else [player]
    try:
        game = Experiment.of(cards, deck=deck, narc=narc, answers=read_answers(answers), seed=seed)
        with progress("playing", total=len(blocks(players, hands))) as advance:
            results = play_all(game, players, hands, jobs=jobs, advance=advance)
    except (CardsError, UnknownPolicy) as error:
        fail("simulate", error)
    setting = {
        "seed": seed,
        "deck": deck or next(iter(cards.decks["player"])),
        "narc": narc or next(iter(cards.decks["narc"])),
        "answers": game.answers.name.lower(),
    }
    if as_json:
        for result in results:
            echo(msgspec.json.encode({**msgspec.to_builtins(result), **setting}))
    else:
        settings = ", ".join(f"{name} {value}" for name, value in setting.items())
        _print(results, f"{count(hands, 'hand')} of sting by each policy, {settings}")


def _print(results: Sequence[PolicyResult], title: str) -> None:
    caption = "below each figure its 95 % interval"
    table = Table(title=title, title_justify="left", caption=caption, caption_justify="left")
    table.box, table.pad_edge = box.SIMPLE_HEAD, False
    table.add_column("policy", no_wrap=True)
    for heading in ("win %", "bust %", "fold %", "paid %", "profit", "Heat", "cards"):
        table.add_column(heading, justify="right")
    for result in sorted(results, key=lambda result: -result.profit.mean):
        shares = [_percent(share) for share in (result.win, result.bust, result.fold, result.paid)]
        table.add_row(result.player, *shares, *map(_average, (result.profit, result.heat, result.cards)))
    screen(0, piped=120).print(table)


def _percent(share: Share) -> str:
    return _figure(100 * share.rate, 100 * share.low, 100 * share.high)


def _average(average: Average) -> str:
    return _figure(average.mean, average.low, average.high)


def _figure(value: float, low: float, high: float) -> str:
    """A figure and under it its interval, where it has one."""
    return f"{value:.1f}\n{low:.1f} – {high:.1f}" if isfinite(high - low) else f"{value:.1f}"
