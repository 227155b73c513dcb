"""What one place, or a spectator, may see of a game of the lab and learn from its events: both leave here.

Which cards those are, `engine/sight.py` says. All else in a state is open: chips, bets, points, how many cards lie
where, whose turn it is.
"""

from typing import Any, assert_never

from msgspec.structs import replace

from pitboss.cards import UNKNOWN
from pitboss.lab.codes import MOST_CARDS, NOBODY
from pitboss.lab.engine.sight import mark_seen
from pitboss.lab.engine.state import FLAGS, NUMBERS, ROWS, GameState
from pitboss.lab.events import (
    CardsMoved,
    CardsShown,
    ChipsPut,
    ChipsTaken,
    DealBegun,
    DealEnded,
    DeckMade,
    GameEnded,
    HandShown,
    LabEvent,
    MoveMade,
    PhaseBegun,
)

HIDDEN = 255
"""What stands in a row of card numbers for a card that is not seen."""


def view_state(g: Any, s: GameState, place: int | None) -> GameState:
    """The state with every card turned down that this place does not see, and without what chance will bring."""
    seen = [0] * (HIDDEN + 1)
    mark_seen(g, s, NOBODY if place is None else place, seen)
    shown = GameState()
    for name in NUMBERS:
        setattr(shown, name, getattr(s, name))
    for name in (*FLAGS, *ROWS):
        getattr(shown, name)[: g.n] = getattr(s, name)[: g.n]

    def look(name: str, first: int, end: int) -> None:
        row = getattr(s, name)
        getattr(shown, name)[first:end] = [card if seen[card] else HIDDEN for card in row[first:end]]

    look("deck", s.drawn, s.undrawn)
    look("discards", 0, s.discarded)
    look("tableau", 0, s.tabled)
    look("pile", 0, s.piled)
    look("trick", 0, s.tricked)
    look("community", 0, s.shared)
    for p, first in enumerate(range(0, g.n * MOST_CARDS, MOST_CARDS)):
        look("hands", first, first + s.held[p])
        look("captured", first, first + s.won[p])
    return shown


def view_event(event: LabEvent, place: int | None) -> LabEvent:
    """What one place, or for None a spectator, learns from an event."""
    match event:
        case CardsMoved():
            if event.seen_by is None or place in event.seen_by:
                return event
            return replace(event, cards=(UNKNOWN,) * len(event.cards))
        case MoveMade():
            if not event.face_down or event.place == place:
                return event
            return replace(event, move=f"{event.move.split()[0]} {UNKNOWN}")
        case (
            DealBegun()
            | PhaseBegun()
            | DeckMade()
            | ChipsPut()
            | ChipsTaken()
            | CardsShown()
            | HandShown()
            | DealEnded()
            | GameEnded()
        ):
            return event
        case _:
            assert_never(event)
