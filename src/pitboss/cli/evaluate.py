"""`pitboss evaluate`: name the hand that cards make in a game, and order several hands."""

import sys
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any, TypeAlias

import click
import msgspec
from msgspec.structs import replace
from rich import box
from rich.table import Table

from pitboss.cards import RANKS, Card, check_distinct, read_cards, write_cards
from pitboss.cli.output import echo
from pitboss.cli.progress import screen
from pitboss.hand.games import find_game
from pitboss.hand.showdown import rank_name, strengths
from pitboss.hand.structure import Structure
from pitboss.ranks.layout import FEWEST, FROM_BOARD, FROM_HOLE
from pitboss.ranks.orders import ORDERS
from pitboss.ranks.pairs import ACE_LOW

Cards: TypeAlias = tuple[Card, ...]

ONE_CARD = 2  # letters


@click.command()
@click.argument("hands", nargs=-1, required=True, metavar="CARDS…")
@click.option(
    "--game",
    default="no_limit_holdem",
    show_default=True,
    metavar="NAME|FILE",
    help="Game, or a game file; docs/games.md lists games.",
)
@click.option("--board", default="", metavar="CARDS", help="Cards that all hands share.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def evaluate(hands: tuple[str, ...], game: str, board: str, as_json: bool) -> None:
    """Name the hand that cards make; several hands are printed best first.

    CARDS are the cards of a hand without spaces (commas are allowed), or the cards of one hand one by one. The greater
    strength wins, and equal strengths tie. A hand is the best five of five to seven cards, board included. Some games
    differ: in Omaha exactly two hole cards play with three of the board, in badugi up to four cards play. In hi-lo
    games the best low follows, if there is one.

    \b
    Examples:
      pitboss evaluate AsKsQsJsTs2d3c
      pitboss evaluate As Ks Qs Js Ts
      pitboss evaluate AhAd KsKc --board 7c7d2s --json
      pitboss evaluate AhAd7c7d KsKc8c8d --game omaha --board 7h8s2s
      pitboss evaluate As2d3c5h7hKdKc 2s3s4d6d8h9hTc --game razz
    """
    given = ("".join(hands),) if all(len(hand) == ONE_CARD for hand in hands) else hands
    try:
        structure = find_game(game)
        shared = _read(board)
        ranked = [_evaluated(structure, _read(cards), shared) for cards in given]
    except ValueError as error:
        echo(f"pitboss evaluate: {error}", err=True)
        sys.exit(1)
    ranked.sort(key=lambda hand: -hand["strength"])
    if as_json:
        echo(msgspec.json.encode({"hands": ranked}))
    else:
        _print(ranked, [ranking.order for ranking in structure.showdown[1:]])


def _read(text: str) -> Cards:
    return read_cards(text.replace(",", " "))


def _evaluated(structure: Structure, cards: Cards, board: Cards) -> dict[str, Any]:
    """Return the name of the hand in the game's first order, and in each other order, such as the low."""
    check_distinct(cards + board)
    first, *others = [replace(structure, showdown=(ranking,)) for ranking in structure.showdown]
    also: dict[str, Any] = {other.showdown[0].order: _made(other, cards, board) for other in others}
    return {"cards": write_cards(cards), **_made(first, cards, board), **also}


def _made(structure: Structure, cards: Cards, board: Cards) -> dict[str, Any]:
    made = strengths(structure, cards, board)
    best = playing(structure, cards, board) if made[0] else ()
    return {"strength": made[0], "name": rank_name(structure, made), "best": write_cards(best)}


def playing(structure: Structure, cards: Cards, board: Cards = ()) -> Cards:
    """Return the cards that play in a game's first order: pairs and sets first, then from high to low.

    >>> playing(find_game("NT"), ("2c", "Ah", "3d", "Ad", "4s", "5h", "Kc"))
    ('5h', '4s', '3d', '2c', 'Ah')
    """
    ranking = structure.showdown[0]
    made = strengths(structure, cards, board)
    choices = _from_two(cards, board) if ranking.from_two else _from_all(cards + board)
    own, shared = next(choice for choice in choices if strengths(structure, *choice)[0] == made[0])
    used = own + shared
    ranks = [card[0] for card in used]
    # In a straight without a king, the ace is the lowest card.
    wheel = "K" not in ranks and rank_name(structure, made).startswith("straight")
    order = ACE_LOW if wheel or ORDERS[ranking.order].ace_low else RANKS
    return tuple(sorted(used, key=lambda card: (-ranks.count(card[0]), -order.index(card[0]))))


def _from_two(cards: Cards, board: Cards) -> Iterator[tuple[Cards, Cards]]:
    return product(combinations(cards, FROM_HOLE), combinations(board, FROM_BOARD))


def _from_all(cards: Cards) -> Iterator[tuple[Cards, Cards]]:
    """Return every choice of five cards. Fewer than five cards are chosen in every number."""
    counts = [FEWEST] if len(cards) >= FEWEST else range(1, len(cards) + 1)
    return ((chosen, ()) for count in counts for chosen in combinations(cards, count))


def _print(hands: list[dict[str, Any]], others: list[str]) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("place", justify="right")
    for heading in ("cards", "hand", "made of"):
        table.add_column(heading, no_wrap=True)
    table.add_column("strength", justify="right")
    for other in others:
        table.add_column(other, no_wrap=True)
    places = [hand["strength"] for hand in hands]
    for hand in hands:
        place = str(places.index(hand["strength"]) + 1)
        best = " ".join(read_cards(hand["best"]))
        also = [_words(hand[other]["name"]) for other in others]
        table.add_row(place, hand["cards"], _words(hand["name"]), best, str(hand["strength"]), *also)
    screen(0).print(table)


def _words(name: str) -> str:
    return name.replace("_", " ") or "–"
