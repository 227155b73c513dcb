"""What the hand that a table has set up needs to start: places, stacks, forced money and limits."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from pitboss.betting.round import Post
from pitboss.cards import Card
from pitboss.hand.events import Event
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Stakes, Structure
from pitboss.table.chairs import Chair
from pitboss.table.levels import TableStakes, killed
from pitboss.table.rotation import speaks_first

if TYPE_CHECKING:
    from pitboss.table.table import Table


class HandSetup(Struct, frozen=True):
    """What a hand needs to start; entry p of `order` is the seat of place p."""

    structure: Structure
    order: tuple[int, ...]
    stacks: tuple[int, ...]
    stakes: Stakes

    def start(self, deck: Sequence[Card] | None = None) -> tuple[Hand, tuple[Event, ...]]:
        """The hand; without a deck its cards are dealt by actions."""
        return Hand.start(self.structure, stacks=self.stacks, stakes=self.stakes, deck=deck)


def set_up(table: "Table") -> HandSetup:
    """The hand of a table whose order is known."""
    chairs = {chair.seat: chair for chair in table.chairs}
    players = [chairs[seat] for seat in table.order]
    stakes, structure, blinds = table.now, table.structure, table.has_blinds
    big_blind_ante = stakes.big_blind_ante if blinds else 0
    antes = tuple([chair.ante + big_blind_ante * (chair.seat == table.big) for chair in players])
    least, big_bet = _limits(table, stakes)
    price, opener = _price_and_opener(table, players, stakes) if blinds else (0, None)
    return HandSetup(
        structure,
        table.order,
        tuple([chair.chips for chair in players]),
        Stakes(
            min_bet=least,
            big_bet=big_bet,
            posts=tuple(
                [
                    Post(place, abs(chair.blind), option=chair.blind > 0)
                    for place, chair in enumerate(players)
                    if chair.blind
                ]
            ),
            antes=antes if any(antes) else (),
            dead=table.pot,
            equal_antes=not big_blind_ante,
            price=price,
            opener=opener,
            rake=stakes.rake,
            bring_in=(stakes.bring_in or 0) if structure.betting.bring_in else 0,
            runs=_runs(structure, len(players), stakes.runs),
            bomb=table.bomb_pot > 0,
            may_muck=stakes.may_muck,
        ),
    )


def _limits(table: "Table", stakes: TableStakes) -> tuple[int, int | None]:
    """The least bet and, of limit games, the bet of later streets; a kill raises both."""
    least, big_bet = stakes.least, stakes.big_bet
    if big_bet is None:
        big_bet = table.structure.usual_big_bet(least)
    if stakes.kill is not None and table.killer in table.order:
        return killed(least, stakes.kill), None if big_bet is None else killed(big_bet, stakes.kill)
    return least, big_bet


def _runs(structure: Structure, players: int, runs: int) -> int:
    """How often the board can be dealt, as far as there is one and the deck has cards for it."""
    common = structure.common_by[-1]
    if runs == 1 or not common:
        return 1
    return max(1, min(runs, (len(structure.deck) - players * structure.own_by[-1]) // common))


def _price_and_opener(table: "Table", players: Sequence[Chair], stakes: TableStakes) -> tuple[int, int | None]:
    """The price and who speaks first, where whoever has the big blind went before the deal; else what posts say.

    Heads-up the button speaks first, also where both blinds are of one size. A kill changes nothing about who does.
    """
    order, big = table.order, table.big
    if big is None or big in order:
        if big is not None and len(players) == 2:
            return 0, 1
        return 0, (order.index(big) + 1) % len(order) if big is not None and table.killer in order else None
    if len(players) > 2 and any(chair.blind >= stakes.big_blind for chair in players):
        return stakes.big_blind, None
    return stakes.big_blind, speaks_first(order, big)
