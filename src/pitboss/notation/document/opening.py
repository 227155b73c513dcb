"""A document for a table that is just opened, and chips brought to it later."""

from msgspec.structs import replace

from pitboss.errors import PitbossError
from pitboss.notation.chips import Amount
from pitboss.notation.document.chairs import DocumentChairs
from pitboss.notation.document.fields import LEAVES, Document, DocumentError, is_amount
from pitboss.notation.document.hands import finishing_stacks


def open_document(*, small_blind: Amount, big_blind: Amount, seat_count: int, ante: Amount = 0) -> Document:
    """The document of an empty table.

    >>> from pitboss.notation.document import join, next_hand
    >>> table = open_document(small_blind=1, big_blind=2, seat_count=6)
    >>> table = next_hand(join(join(table, "ann", 100), "bob", 100))
    >>> table.blinds, table.hand
    ((1, 2), 1)
    """
    return Document(
        players=(),
        stacks=(),
        blinds=(),
        antes=(),
        inactive=(),
        intents=(),
        dead_blinds=(),
        hand=0,
        seats=(),
        seat_count=seat_count,
        min_bet=big_blind,
        rest={"_smallBlind": small_blind, "_ante": ante},
    )


def top_up(document: Document, name: str, amount: Amount) -> Document:
    """Bring more chips between hands; who had none left plays again."""
    player = document.index(name)
    if document.intents[player] == LEAVES and document.stacks[player]:
        raise DocumentError(f"{name!r} has left the table")
    if not is_amount(amount) or not amount:
        raise DocumentError(f"{amount!r} is no number of chips to bring")
    finished = bool(document.actions) or document.finishing_stacks is not None
    stacks = finishing_stacks(document) if finished else None
    seated = DocumentChairs(document, stacks=stacks, brings=amount)
    try:
        table = seated.table.top_up(name, seated.unit.chips(amount))
    except PitbossError as error:
        raise DocumentError(str(error)) from None
    richer = seated.document(table)
    return replace(richer, stacks=document.stacks, finishing_stacks=richer.stacks) if finished else richer
