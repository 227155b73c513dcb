"""A table view as numbers of a fixed length, for programs that learn.

The numbers come from a `TableView`, so they have no hidden information. Seats are listed from the viewer's own seat on.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from pitboss.game import TableSeat, TableView, TableZone, ZoneCard

STATUSES = ("in", "folded", "all_in", "out")
_NUMBER = re.compile(r"[-+−]?\d+")


class ObservationLayout(Struct, frozen=True, kw_only=True):
    """What an observation of a game contains, whatever the cards are."""

    places: int  #: the number of seats
    cards: tuple[str, ...]  #: all different cards
    own: tuple[str, ...]  #: the names of the zones of each seat
    common: tuple[str, ...]  #: the names of the zones that belong to all; a name can be repeated
    facts: tuple[tuple[str, tuple[str, ...]], ...]  #: titles of facts; a text without a number is one of the words

    @property
    def size(self) -> int:
        """The number of numbers in an observation."""
        row = 1 + len(self.cards)
        seat = 1 + len(STATUSES) + 5 + row * len(self.own) + len(self.cards)
        return self.places + self.places * seat + row * len(self.common) + 1 + len(self.facts)


def observe(table: TableView, place: int | None, layout: ObservationLayout) -> tuple[float, ...]:
    """Return a table view as numbers; a spectator has the view of the first place without its cards."""
    return tuple([float(number) for number in _numbers(table, place, layout)])


def _numbers(table: TableView, place: int | None, layout: ObservationLayout) -> Iterator[float]:
    seats = {seat.seat: seat for seat in table.seats}
    for each in range(layout.places):
        yield each == place
    for offset in range(layout.places):
        at = ((place or 0) + offset) % layout.places
        yield from _seat(seats[at], is_next=table.turn == at)
        for name in layout.own:
            zones = [zone for zone in table.zones if (zone.name, zone.seat) == (name, at)]
            yield from _cards(zones[0] if zones else None, layout.cards)
        played = Counter(
            card.card
            for zone in table.zones
            for card in zone.cards
            if isinstance(card, ZoneCard) and card.seat == at and card.card is not None
        )
        yield from (played[card] for card in layout.cards)
    taken: Counter[str] = Counter()
    for name in layout.common:
        zones = [zone for zone in table.zones if zone.name == name and zone.seat is None][taken[name] :]
        taken[name] += 1
        yield from _cards(zones[0] if zones else None, layout.cards)
    yield sum(pot.amount for pot in table.pots)
    texts = {fact.title: fact.text for fact in table.facts}
    for title, words in layout.facts:
        yield _fact(texts.get(title, ""), words)


def _seat(seat: TableSeat, *, is_next: bool) -> Iterator[float]:
    yield is_next
    for status in STATUSES:
        yield seat.status == status
    yield seat.role is not None
    yield from (seat.stack or 0, seat.bet or 0, seat.score or 0)
    yield sum(_fact(text, ()) for text in seat.facts)


def _cards(zone: TableZone | None, cards: Sequence[str]) -> Iterator[float]:
    """Yield the number of cards in a zone, then how often each card is face up in it."""
    yield 0 if zone is None else zone.count
    shown = [] if zone is None else [card.card if isinstance(card, ZoneCard) else card for card in zone.cards]
    counts = Counter(shown)
    yield from (counts[card] for card in cards)


def _fact(text: str, words: Sequence[str]) -> float:
    """Return the first number of a text, otherwise its position among the words, from 1; 0 if it is neither."""
    if found := _NUMBER.search(text):
        return float(found[0].replace("−", "-"))
    return float(words.index(text) + 1 if text in words else bool(text) and not words)
