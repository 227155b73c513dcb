"""Whether the cards of a finished hand were dealt from its deck, by whatever rules it was played."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from pitboss.cards import Card
from pitboss.hand.drawing import Draw, replacements, start_draws
from pitboss.hand.events import BoardDealt, Discarded, Event, HoleDealt, Shown, UpDealt


def dealing_faults(events: Sequence[Event], deck: tuple[Card, ...]) -> Iterator[str]:
    """What cannot be right about who got which card, a sentence each."""
    left, draw = deck, start_draws(deck)
    held: dict[int, tuple[Card, ...]] = {}
    thrown: tuple[Card, ...] = ()  # the last discard, which does not come back to whoever gave it away
    for kind, group in groupby(events, key=type):
        together = [*group]
        if kind is Discarded:
            for event in together:
                assert isinstance(event, Discarded)
                draw, thrown = Draw((), draw.discards + thrown, draw.order), event.cards
                if not set(thrown) <= set(held.get(event.place, ())):
                    yield "somebody changed cards that were not dealt to him"
                held[event.place] = tuple([card for card in held.get(event.place, ()) if card not in thrown])
        elif kind in (HoleDealt, UpDealt, BoardDealt):
            dealt = _in_order(together)
            given, left, draw = replacements(left, draw, len(dealt))
            if given != dealt:
                yield "cards were not dealt from the top of the deck"
                return
            for event in together:
                if isinstance(event, HoleDealt | UpDealt):
                    held[event.place] = held.get(event.place, ()) + event.cards
        elif any(held.get(event.place) != event.cards for event in together if isinstance(event, Shown)):
            yield "somebody showed cards that were not dealt to him"


def _in_order(events: Sequence[Event]) -> tuple[Card, ...]:
    """Cards as they came from the deck: one to each in turn, street after street to the middle."""
    board = [card for event in events if isinstance(event, BoardDealt) for card in event.cards]
    hands = [event.cards for event in events if isinstance(event, HoleDealt | UpDealt)]
    most = max(map(len, hands), default=0)
    return (*board, *[cards[k] for k in range(most) for cards in hands if k < len(cards)])
