"""Table documents as seed 004 prints them: short to write, and read back as the same plain lists."""

import json
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from msgspec.structs import replace

from pitboss.cards import Card, read_cards
from pitboss.documents.fields import Document, from_fields, read_document, to_fields
from pitboss.documents.hands import next_hand
from pitboss.documents.intents import merge
from pitboss.records.money import Amount

THREE: dict[str, Any] = {
    "players": ["Player1", "Player2", "Player3"],
    "startingStacks": [50, 100, 75.25],
    "antes": [0, 0, 0],
    "seatCount": [6],
}
"""What hands 2 to 8 of the seed have in common."""
CENTS = Decimal("75.25")


def doc(fields: dict[str, Any] | None = None, /, **others: Any) -> Document:
    """A document read from JSON, as a server would read it."""
    return read_document(json.dumps((fields or {}) | others))


def three(**fields: Any) -> Document:
    """The seed's table of three, with these fields."""
    return doc(THREE, **fields)


def some(n: int, *, big: Amount = 2, blinds: Sequence[Amount], **fields: Any) -> Document:
    """A table of n players a, b, c and so on with 100 chips each."""
    given: dict[str, Any] = {
        "hand": 1,
        "players": list("abcdefghij"[:n]),
        "startingStacks": [100] * n,
        "blindsOrStraddles": list(blinds),
        "minBet": big,
    }
    return from_fields(given | fields)


def printed(document: Document, *names: str) -> dict[str, Any]:
    """These fields of a document as JSON has them, arrays as lists."""
    fields = to_fields(document)
    return {name: list(fields[name]) if isinstance(fields[name], tuple) else fields[name] for name in names}


def after(document: Document, *stacks: Amount) -> Document:
    """The next hand, if the last one ended with the printed stacks, or with these (T11)."""
    return next_hand(replace(document, finishing_stacks=stacks or document.stacks))


def begun(document: Document) -> Document:
    """A hand under way, in which all who play have cards."""
    cards = [f"d dh p{player + 1} ????" for player, plays in enumerate(document.dealt_in) if plays]
    return document if document.actions or len(cards) < 2 else replace(document, actions=tuple(cards))


def wished(document: Document, player: str, intent: int) -> Document:
    """The server's document after an intent that is sent in the middle of the hand, if there is one."""
    document = begun(document)
    return merge(document, with_intent(document, player, intent), player).document


def wished_before_the_deal(document: Document, player: str, intent: int) -> Document:
    """The server's document after an intent that is sent before any cards are dealt."""
    return merge(document, with_intent(document, player, intent), player).document


def blinds_of(document: Document, hands: int) -> list[tuple[Amount, ...]]:
    """The blinds of the hands that follow if nothing else happens."""
    found = []
    for _ in range(hands):
        document = after(document)
        found.append(document.blinds)
    return found


def put(values: Sequence[int], at: int, value: int) -> tuple[int, ...]:
    """An array with one entry changed."""
    return (*values[:at], value, *values[at + 1 :])


def with_intent(document: Document, player: str, intent: int) -> Document:
    """A client's copy with only its own player's intent changed."""
    return replace(document, intents=put(document.intents, document.index(player), intent))


def deck(*holes: str, board: str = "") -> tuple[Card, ...]:
    """A deck in dealing order: one card after the other to each place from the button's left, then the board."""
    hands = [read_cards(hole) for hole in holes]
    return (*[hand[round] for round in range(2) for hand in hands], *read_cards(board))


def total(document: Document, stacks: Sequence[Amount]) -> Amount:
    """All chips of a table: in front of players and in the pot before the hand."""
    return sum(stacks) + document.dead_money
