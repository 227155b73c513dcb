"""`pitboss evaluate`: which poker hand cards make, and which of several wins."""

import sys
from itertools import combinations
from typing import Any

import click
import msgspec
from rich import box
from rich.console import Console
from rich.table import Table

from pitboss.cards import RANKS, Card, read_cards, write_cards
from pitboss.cli.echo import echo
from pitboss.ranks import high, high_name

ONE_CARD = 2  # letters


@click.command(short_help="which poker hand cards make, and which of several wins")
@click.argument("hands", nargs=-1, required=True, metavar="CARDS…")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def evaluate(hands: tuple[str, ...], as_json: bool) -> None:
    """Say which hand the best five of five to seven cards make; several hands come best first.

    CARDS are a hand's cards without spaces (commas do no harm), or one hand's cards one by one. Of strengths the
    greater wins, and equal ones tie.

    \b
    Examples:
      pitboss evaluate AsKsQsJsTs2d3c
      pitboss evaluate As Ks Qs Js Ts
      pitboss evaluate AhAd7c7d2s KsKc7c7d2s --json
    """
    given = ("".join(hands),) if all(len(hand) == ONE_CARD for hand in hands) else hands
    try:
        ranked = [_evaluated(cards) for cards in given]
    except ValueError as error:
        echo(f"pitboss evaluate: {error}", err=True)
        sys.exit(1)
    ranked.sort(key=lambda hand: -hand["strength"])
    if as_json:
        echo(msgspec.json.encode({"hands": ranked}))
    else:
        _print(ranked)


def _evaluated(text: str) -> dict[str, Any]:
    cards = read_cards(text.replace(",", " "))
    strength = high(cards)
    return {
        "cards": write_cards(cards),
        "strength": strength,
        "name": high_name(strength),
        "best": write_cards(best_five(cards)),
    }


def best_five(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """The five that make the hand: those of a kind first, then from high to low, an ace below a five last.

    >>> best_five(("2c", "Ah", "3d", "Ad", "4s", "5h", "Kc"))
    ('5h', '4s', '3d', '2c', 'Ah')
    """
    strength = high(cards)
    five = next(five for five in combinations(cards, 5) if high(five) == strength)
    ranks = [card[0] for card in five]
    low_ace = high_name(strength).startswith("straight") and {"A", "2"} <= set(ranks)

    def place(card: Card) -> tuple[int, int]:
        return -ranks.count(card[0]), 1 if low_ace and card[0] == "A" else -RANKS.index(card[0])

    return tuple(sorted(five, key=place))


def _print(hands: list[dict[str, Any]]) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("place", justify="right")
    for heading in ("cards", "hand", "made of"):
        table.add_column(heading, no_wrap=True)
    table.add_column("strength", justify="right")
    strengths = [hand["strength"] for hand in hands]
    for hand in hands:
        place = str(strengths.index(hand["strength"]) + 1)
        best = " ".join(read_cards(hand["best"]))
        table.add_row(place, hand["cards"], hand["name"].replace("_", " "), best, str(hand["strength"]))
    Console().print(table, highlight=False)
