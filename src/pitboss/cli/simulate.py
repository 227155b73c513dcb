"""`pitboss simulate`: play millions of hands between built-in policies and print the winnings of each seat."""

import sys
from collections.abc import Sequence
from itertools import cycle, islice
from math import isfinite
from typing import Any

import click
import msgspec
from msgspec.structs import replace

from pitboss.betting.refusals import SetupError
from pitboss.betting.rules import Reopening
from pitboss.cli.output import count, echo
from pitboss.cli.progress import move_bar, progress
from pitboss.fast.compiled import NotInstalled
from pitboss.fast.play.policies import NAMES
from pitboss.fast.play.setup import MOST_SEATS, PolicyError, usual_stakes, why_not_compiled
from pitboss.fast.play.simulate import Simulation
from pitboss.fast.play.simulate import simulate as play_all
from pitboss.hand.game_file import GameFileError
from pitboss.hand.games import NoSuchStructure, find_game
from pitboss.hand.structure import Stakes, Structure

REOPENINGS = {"single": Reopening.SINGLE, "cumulative": Reopening.CUMULATIVE}
MOST_CHIPS = 10**12
TRIAL = 50
"""The hands that are played to measure the speed of plain Python."""
CHIPS = click.IntRange(1, MOST_CHIPS)
MAYBE_CHIPS = click.IntRange(0, MOST_CHIPS)


@click.command()
@click.option("--hands", required=True, type=click.IntRange(1, 10**12), help="Number of hands.")
@click.option("--seats", default=6, show_default=True, type=click.IntRange(2, MOST_SEATS), help="Number of players.")
@click.option("--policy", default="random", show_default=True, metavar="NAME,…", help=f"Any of {', '.join(NAMES)}.")
@click.option("--seed", default=0, show_default=True, type=int, help="The same seed gives the same hands.")
@click.option("--cores", type=click.IntRange(1, 4096), help="Cores to use; default all. Does not change the result.")
@click.option(
    "--stack", default="10000", show_default=True, metavar="CHIPS,…", help="Starting stacks, repeated for all seats."
)
@click.option("--sb", default=50, show_default=True, type=MAYBE_CHIPS, help="Small blind, or the bring-in of stud.")
@click.option("--bb", default=100, show_default=True, type=CHIPS, help="Big blind.")
@click.option("--straddle", multiple=True, type=CHIPS, help="A straddle after the blinds. Repeatable.")
@click.option("--ante", default=0, show_default=True, type=MAYBE_CHIPS, help="Ante of each player.")
@click.option(
    "--game",
    default="no_limit_holdem",
    show_default=True,
    metavar="NAME|FILE",
    help="Poker game, such as omaha, or a game file; docs/games.md lists games.",
)
@click.option(
    "--reopening",
    default="single",
    show_default=True,
    type=click.Choice(list(REOPENINGS)),
    help="Reopen the betting after one full raise, or after short all-ins that add up.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def simulate(
    hands: int, seats: int, policy: str, seed: int, cores: int | None, as_json: bool, game: str, **stakes: Any
) -> None:
    """Play hands of hold'em, Omaha or another poker game, each with the same starting stacks.

    The button moves one seat per hand. Policies are repeated for all seats. `random` chooses with equal chance between
    folding to a bet, checking or calling, the smallest raise, a pot-sized raise and all-in. Few hands are played in
    plain Python, many in compiled code, with the same result. Stud, draw games and games with discards, several boards
    or wild cards are always played in plain Python, by `random` and `calling`.

    \b
    Examples:
      pitboss simulate --hands 1000000
      pitboss simulate --hands 5000000 --seats 2 --policy equity,tight --seed 7 --json
      pitboss simulate --hands 200000 --seats 9 --ante 10 --straddle 200 --cores 1
      pitboss simulate --hands 1000000 --game omaha_hi_lo
      pitboss simulate --hands 5000 --game pineapple --policy random,calling
    """
    try:
        structure = find_game(game)
        structure = structure.with_betting(reopening=REOPENINGS[stakes["reopening"]])
        settings: dict[str, Any] = {
            "seats": seats,
            "policies": [name.strip() for name in policy.split(",")],
            "seed": seed,
            "stacks": _stacks(stakes["stack"], seats),
            "stakes": _stakes(structure, seats, **stakes),
            "game": structure,
        }
        if why_not_compiled(structure):
            speed = play_all(min(hands, TRIAL), **settings).hands_per_second
            note = f"{structure.key} is played in plain Python, about {_rounded(speed):,} hands per second"
            echo(note, err=True)
        with progress("playing", total=hands) as advance:
            played = play_all(hands, **settings, cores=cores, progress=move_bar(advance, hands))
    except (NoSuchStructure, GameFileError, PolicyError, SetupError, NotInstalled) as error:
        echo(f"pitboss simulate: {error}", err=True)
        sys.exit(1)
    if as_json:
        echo(msgspec.json.encode(_as_json(played)))
    else:
        _print(played)


def _rounded(number: float) -> int:
    """Return a number with two digits."""
    return int(float(f"{number:.1e}"))


def _stacks(text: str, seats: int) -> list[int]:
    """Return the starting stack of each seat; fewer numbers than seats are repeated."""
    words = text.split(",")
    if not all(word.strip().isdecimal() for word in words) or len(words) > seats:
        raise SetupError(f"--stack: expected one number of chips, or up to one per seat, such as 500,10000, got {text}")
    return list(islice(cycle(int(word) for word in words), seats))


def _stakes(
    structure: Structure, seats: int, *, sb: int, bb: int, ante: int, straddle: tuple[int, ...], **_: Any
) -> Stakes:
    amounts = (sb, bb, *straddle)
    if list(amounts) != sorted(amounts):
        raise SetupError(f"expected rising blinds and straddles, got {', '.join(map(str, amounts))}")
    if len(amounts) > seats:
        raise SetupError(f"expected at most {seats} blinds and straddles for {seats} seats, got {len(amounts)}")
    if straddle and structure.betting.bring_in:
        raise SetupError(f"--straddle: {structure.name} has a bring-in instead of blinds")
    found = usual_stakes(structure, seats, *straddle, small=sb, big=bb)
    return replace(found, big_bet=structure.usual_big_bet(found.min_bet), antes=(ante,) * seats if ante else ())


def _as_json(played: Simulation) -> dict[str, Any]:
    return {
        "hands": played.hands,
        "seconds": round(played.seconds, 6),
        "hands_per_second": round(played.hands_per_second, 1),
        "cores": played.cores,
        "compiled": played.compiled,
        "seed": played.seed,
        "actions": played.actions,
        "chips_in": played.chips_in,
        "chips_out": played.chips_out,
        "winnings": [
            {"seat": seat, "policy": won.policy, "mean": won.mean, "low": won.interval[0], "high": won.interval[1]}
            for seat, won in enumerate(played.seats)
        ],
    }


def _print(played: Simulation) -> None:
    cores, plain = count(played.cores, "core"), "" if played.compiled else ", in plain Python"
    speed = f"{played.hands_per_second:,.0f} per second on {cores}{plain}"
    title = f"{count(played.hands, 'hand')} in {played.seconds:.2f} s: {speed}"
    caption = f"chips won per hand, with 95 % intervals; {played.chips_in:,} chips in, {played.chips_out:,} chips out"
    rows = [(str(seat), won.policy, *map(_figure, (won.mean, *won.interval))) for seat, won in enumerate(played.seats)]
    for line in (title, *_lines((("seat", "policy", "mean", "from", "to"), *rows)), caption):
        echo(line)


def _figure(chips: float) -> str:
    return f"{chips:,.1f}" if isfinite(chips) else "–"


def _lines(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return aligned rows: two columns of words, then columns of figures."""
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            [
                cell.ljust(size) if at < 2 else cell.rjust(size)
                for at, (cell, size) in enumerate(zip(row, wide, strict=True))
            ]
        )
        for row in rows
    ]
