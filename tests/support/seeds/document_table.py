"""A table document with its functions as methods, for tests that play hand after hand."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pitboss import documents as functions
from pitboss.cards import Card
from pitboss.documents import Document
from pitboss.documents.play import play_actions
from pitboss.records.money import Amount
from pitboss.table.table import Moving

WISHES = {
    "pause": functions.pause,
    "wait": functions.wait_for_big_blind,
    "resume": functions.resume,
    "leave": functions.leave,
}


class DocumentTable(Struct, frozen=True, kw_only=True):
    """A document between or within hands."""

    document: Document
    moving: Moving = "big_blind"

    @property
    def is_hand_over(self) -> bool:
        """Whether the present hand has ended."""
        if self.document.finishing_stacks is not None:
            return True
        return bool(self.document.actions) and play_actions(self.document).hand.over

    def sit(self, name: str, stack: Amount, *, seat: int | None = None) -> "DocumentTable":
        """Seat a player who asks for a place."""
        return self._merged(functions.join(self.document, name, stack, seat=seat), name)

    def wish(self, name: str, what: str) -> "DocumentTable":
        """Let a player `pause`, `wait` for the big blind, `resume` or `leave`."""
        return self._merged(WISHES[what](self.document, name), name)

    def top_up(self, name: str, amount: Amount) -> "DocumentTable":
        """Bring more chips."""
        return self._with(functions.top_up(self.document, name, amount))

    def next(self) -> "DocumentTable":
        """Go on to the next hand, or wait."""
        return self._with(functions.next_hand(self.document, moving=self.moving))

    def deal(self, deck: Sequence[Card]) -> "DocumentTable":
        """Deal the cards that are due from the hand's deck."""
        return self._with(functions.deal(self.document, deck))

    def act(self, name: str, action: str) -> "DocumentTable":
        """Play a player's action."""
        return self._with(functions.act(self.document, name, action))

    def auto(self, **policy: Any) -> "DocumentTable":
        """Play for the player whose time is up."""
        return self._with(functions.auto(self.document, **policy))

    def _merged(self, client: Document, name: str) -> "DocumentTable":
        return self._with(functions.merge(self.document, client, name).document)

    def _with(self, document: Document) -> "DocumentTable":
        return replace(self, document=document)


def open_table(
    *,
    small_blind: Amount,
    big_blind: Amount,
    seat_count: int,
    ante: Amount = 0,
    moving: Moving = "big_blind",
    unit: Amount | None = None,
) -> DocumentTable:
    """Return an empty table."""
    document = functions.open_document(
        small_blind=small_blind, big_blind=big_blind, seat_count=seat_count, ante=ante, unit=unit
    )
    return DocumentTable(document=document, moving=moving)
