"""`pitboss house`: a table of house players, hand after hand, and how they did."""

import click
import msgspec
from msgspec import Struct
from rich.console import Console
from rich.table import Table

from pitboss.arena.bots import HOUSE
from pitboss.chance import Chance
from pitboss.cli.progress import progress
from pitboss.hand.hand import Hand
from pitboss.hand.structure import NO_LIMIT_HOLDEM, Stakes, blinds
from pitboss.stats import Mean
from pitboss.table.rotation import next_button, order_of_play

SMALL_BLIND, BIG_BLIND, BUY_IN = 50, 100, 10_000
CAST = ("tight", "calling", "random", "tight", "calling", "folding")


class Result(Struct):
    """How one seat did; winnings in big blinds per hundred hands, with a 95 % interval."""

    seat: int
    player: str
    hands: int
    chips: int
    bb_per_100: float
    low: float
    high: float


@click.command()
@click.option("--hands", default=1000, show_default=True, type=click.IntRange(1, 10_000_000), help="Hands to play.")
@click.option("--seed", default=0, show_default=True, help="The same seed deals the same cards.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def house(hands: int, seed: int, as_json: bool) -> None:
    """Play six house players at no-limit hold'em, blinds 50/100, everybody topped up to 10,000 before each hand.

    \b
    Examples:
      pitboss house
      pitboss house --hands 5000 --seed 7 --json
    """
    winnings = [Mean() for _ in CAST]
    chance, button = Chance(seed), 0
    with progress("playing", total=hands) as advance:
        for _ in range(hands):
            for seat, chips in enumerate(play_hand(chance, button)):
                winnings[seat].add(chips)
            button = next_button([True] * len(CAST), button)
            advance()
    results = [_result(seat, won) for seat, won in enumerate(winnings)]
    if as_json:
        click.echo(msgspec.json.encode({"hands": hands, "seed": seed, "players": results}))
    else:
        _print(results, hands, seed)


def play_hand(chance: Chance, button: int) -> list[int]:
    """What every seat wins or loses in one hand."""
    seats = order_of_play([True] * len(CAST), button)
    hand, _ = Hand.start(
        NO_LIMIT_HOLDEM,
        stacks=[BUY_IN] * len(seats),
        stakes=Stakes(min_bet=BIG_BLIND, posts=blinds(len(seats), SMALL_BLIND, BIG_BLIND)),
        deck=chance.shuffled(NO_LIMIT_HOLDEM.deck, 2 * len(seats) + 5),
    )
    while not hand.over:
        place = hand.round.turn
        hand, _ = hand.act(HOUSE[CAST[seats[place]]](hand.view(place), chance))
    won = [0] * len(seats)
    for place, seat in enumerate(seats):
        won[seat] = hand.stacks[place] - BUY_IN
    return won


def _result(seat: int, won: Mean) -> Result:
    scale = 100 / BIG_BLIND
    low, high = won.interval() if won.count > 1 else (float("nan"), float("nan"))
    bb_per_100, low, high = (round(value * scale, 3) for value in (won.mean, low, high))
    return Result(seat, CAST[seat], won.count, round(won.mean * won.count), bb_per_100, low, high)


def _print(results: list[Result], hands: int, seed: int) -> None:
    table = Table(title=f"{hands} hands of no-limit hold'em, seed {seed}", title_justify="left")
    for heading in ("seat", "player", "chips won", "bb/100", "95 % interval"):
        table.add_column(heading, justify="left" if heading == "player" else "right")
    for result in sorted(results, key=lambda result: -result.chips):
        table.add_row(
            str(result.seat),
            result.player,
            f"{result.chips:+,}",
            f"{result.bb_per_100:+.1f}",
            f"{result.low:+.1f} to {result.high:+.1f}" if result.hands > 1 else "–",
        )
    Console().print(table)
