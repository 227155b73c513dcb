"""Any table view as text: facts, seats, cards, pots, and the prompt with its moves."""

from collections.abc import Iterator, Sequence

from pitboss.game import TableSeat, TableView, TableZone, ZoneCard

HIDDEN = "??"


def table_text(table: TableView, viewer: int | None, names: Sequence[str], worth: str = "") -> str:
    """Return the table as lines. `names` has the name of each place, and `worth` describes the viewer's own hand."""
    return "\n".join(_lines(table, viewer, names, worth))


def called(place: int, viewer: int | None, names: Sequence[str]) -> str:
    """Return how a sentence to the viewer calls a place."""
    return "you" if place == viewer else names[place] if names else f"seat {place}"


def _lines(table: TableView, viewer: int | None, names: Sequence[str], worth: str) -> Iterator[str]:
    facts = [f"{fact.title.lower()} {fact.text}" for fact in table.facts]
    yield f"{table.title}{': ' if facts else ''}{', '.join(facts)}."
    for seat in table.seats:
        zones = [zone for zone in table.zones if zone.seat == seat.seat and (zone.count or zone.name == "hand")]
        yield f"  {called(seat.seat, viewer, names)}: {', '.join([*_seat(seat), *map(_cards, zones)])}"
    for zone in table.zones:
        if zone.seat is None and zone.count:
            text = _cards(zone, viewer, names)
            yield text[:1].upper() + text[1:]
    if table.pots:
        yield "Pot: " + ", ".join([str(pot.amount) for pot in table.pots])
    if worth:
        yield worth
    for entry in table.legend:
        yield f"{entry.title} is {entry.text}."
    if table.prompt:
        yield table.prompt


def _seat(seat: TableSeat) -> Iterator[str]:
    if seat.role:
        yield seat.role
    if seat.status != "in":
        yield seat.status.replace("_", "-")
    if seat.stack is not None:
        yield f"{seat.stack} chips"
    if seat.bet:
        yield f"bet {seat.bet}"
    if seat.score:
        yield f"{seat.score} points"
    yield from seat.facts


def _cards(zone: TableZone, viewer: int | None = None, names: Sequence[str] = ()) -> str:
    """Return a zone in words: its cards if all are listed and one is known, else their number."""
    if len(zone.cards) < zone.count or not any(_known(card) for card in zone.cards):
        top = _known(zone.cards[-1]) if zone.cards else None
        return f"{zone.title.lower()} {zone.count}" + (f", {top} on top" if top else "")
    return f"{zone.title.lower()} {', '.join([_card(card, viewer, names) for card in zone.cards])}"


def _known(card: str | ZoneCard | None) -> str | None:
    return card.card if isinstance(card, ZoneCard) else card


def _card(card: str | ZoneCard | None, viewer: int | None, names: Sequence[str]) -> str:
    shown = _known(card) or HIDDEN
    if isinstance(card, ZoneCard) and card.seat is not None:
        return f"{shown} ({called(card.seat, viewer, names)})"
    return shown
