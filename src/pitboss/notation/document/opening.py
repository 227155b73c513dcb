"""A document for a table that is just opened, and chips brought to it later."""

from msgspec.structs import replace

from pitboss.errors import PitbossError
from pitboss.hand.games import STRUCTURES
from pitboss.notation.chips import Amount
from pitboss.notation.document.chairs import DocumentChairs
from pitboss.notation.document.fields import LEAVES, Document, DocumentError, half_of, is_amount
from pitboss.notation.document.hands import finishing_stacks
from pitboss.notation.document.recorded import BROUGHT
from pitboss.notation.phh.check import NO_SUCH_GAME


def open_document(
    *,
    small_blind: Amount = 0,
    big_blind: Amount,
    seat_count: int,
    ante: Amount = 0,
    variant: str = "NT",
    bring_in: Amount | None = None,
) -> Document:
    """The document of an empty table; where a game has a bring-in, the big blind is its small bet.

    >>> from pitboss.notation.document import join, next_hand
    >>> table = open_document(small_blind=1, big_blind=2, seat_count=6)
    >>> table = next_hand(join(join(table, "ann", 100), "bob", 100))
    >>> table.blinds, table.hand
    ((1, 2), 1)
    """
    game = STRUCTURES.get(variant)
    if game is None:
        raise DocumentError(f"variant {variant!r:.40} {NO_SUCH_GAME}")
    rest: dict[str, Amount] = {"_ante": ante}
    if game.betting.bring_in:
        rest["bring_in"] = half_of(big_blind) if bring_in is None else bring_in
    else:
        rest["_smallBlind"] = small_blind
    big_bet = game.usual_big_bet(big_blind)
    if big_bet is not None:
        rest |= {"small_bet": big_blind, "big_bet": big_bet}
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
        variant=variant,
        rest=rest,
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
    if not finished:
        return richer
    brought = dict(document.rest.get(BROUGHT, {}))
    brought[name] = brought.get(name, 0) + amount
    rest = {**richer.rest, BROUGHT: brought}
    return replace(
        richer, stacks=document.stacks, finishing_stacks=richer.stacks, dead_money=document.dead_money, rest=rest
    )
