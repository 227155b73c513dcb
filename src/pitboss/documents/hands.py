"""A table from hand to hand: open it, go on to the next hand, and bring more chips."""

import re
from typing import Any

from msgspec.structs import replace

from pitboss.documents.chairs import DocumentChairs, small_blind
from pitboss.documents.fields import LEAVES, Document, DocumentError, half_of, is_amount
from pitboss.documents.play import play_actions
from pitboss.errors import PitbossError
from pitboss.hand.games import STRUCTURES
from pitboss.records.money import Amount
from pitboss.records.record import EXPECTED_VARIANT
from pitboss.records.table_fields import BROUGHT, DEAD_PAID, DEAD_POSTS, OPENER
from pitboss.table.table import Moving, Table

_PASSING = ("winnings", "_smallBlind", "_smallSeat", "_smallAfter", "_bigBlind", DEAD_POSTS, DEAD_PAID, BROUGHT, OPENER)
"""Fields of one hand that the next does not inherit."""


def next_hand(document: Document, *, moving: Moving = "big_blind") -> Document:
    """The document of the next hand, nothing dealt yet; where fewer than two can be dealt in, the table waits.

    Needs a finished hand: one whose actions play out to the end, or whose `finishingStacks` are given.
    """
    seated = DocumentChairs(
        document, stacks=None if is_waiting(document) else finishing_stacks(document), moving=moving
    )
    table = seated.table.next()
    waits = table.phase == "waiting"
    following = replace(
        seated.document(table),
        hand=document.hand if waits else _next_id(document.hand),
        actions=(),
        author=None,
        finishing_stacks=None,
    )
    rest = _rest(document, seated.table, table, following)
    if paid := _debts_paid(seated, table):
        rest[DEAD_PAID] = {**rest.get(DEAD_PAID, {}), **paid}
    return replace(following, rest=rest)


def _debts_paid(seated: DocumentChairs, table: Table) -> dict[str, Amount]:
    """Who has just paid what he owed: nothing else leaves a stack between hands."""
    before = {chair.who: chair.chips for chair in seated.table.chairs}
    return {
        chair.who: seated.unit.amount(before[chair.who] - chair.chips)
        for chair in table.chairs
        if chair.chips < before[chair.who]
    }


def is_waiting(document: Document) -> bool:
    """Whether a table stands still because fewer than two can be dealt in."""
    return not document.actions and document.finishing_stacks is None and sum(document.dealt_in) < 2


def finishing_stacks(document: Document) -> tuple[Amount, ...]:
    """Everybody's chips once the hand is over."""
    if document.finishing_stacks is not None:
        return document.finishing_stacks
    playback = play_actions(document)
    if not playback.hand.over:
        raise DocumentError("the hand is not finished: play it to its end or give finishingStacks")
    return playback.finishing_stacks()


def _next_id(hand: int | str | None) -> int | str | None:
    """What the hand after this one is called: a number counts on, also at the end of a text.

    >>> _next_id(9), _next_id("H-9"), _next_id("day 2, 0099")
    (10, 'H-10', 'day 2, 0100')
    """
    if hand is None:
        return None
    if isinstance(hand, int):
        return hand + 1
    counted = re.fullmatch(r"(.*?)([0-9]+)", hand, re.DOTALL)
    if counted is None or len(counted[2]) > 400:
        raise DocumentError(f"hand is {hand!r}, which does not end with a number to count on")
    return counted[1] + str(int(counted[2]) + 1).rjust(len(counted[2]), "0")


def _rest(document: Document, before: Table, table: Table, following: Document) -> dict[str, Any]:
    """The fields that the next hand inherits, and what its arrays cannot show."""
    inherited = (DEAD_PAID,) if table.pot and is_waiting(document) else ()
    rest = {name: value for name, value in document.rest.items() if name not in _PASSING or name in inherited}
    if DEAD_PAID in rest:
        rest[DEAD_PAID] = {who: paid for who, paid in rest[DEAD_PAID].items() if who in following.players}
    if document.has_blinds:
        rest |= _blinds_not_shown(document, before, table, following)
    left = [name for name, intent in zip(document.players, document.intents, strict=True) if intent == LEAVES]
    if left:
        gone = (*rest.get("_left", ()), *left)
        rest["_left"] = tuple(dict.fromkeys(gone))
    return rest


def _blinds_not_shown(document: Document, before: Table, table: Table, following: Document) -> dict[str, Any]:
    """Sizes and places of the blinds that the array of the next hand does not show."""
    rest: dict[str, Any] = {}
    small, big = small_blind(document), document.big_blind
    if small not in following.blinds or not 0 < small < big:
        rest["_smallBlind"] = small
    if big != document.min_bet:
        rest["_bigBlindSize"] = big
    if table.small is None and table.small_at is not None and table.chairs:
        if document.seats is not None:
            rest["_smallSeat"] = table.small_at
        else:
            rest["_smallAfter"] = _last_before(table, table.small_at)
    if small == big and (before.big is not None or table.big is not None):
        seats = [chair.seat for chair in table.chairs]
        rest["_bigBlind"] = seats.index(table.big) if table.big in seats else -1
    return rest


def _last_before(table: Table, place: int) -> int:
    """Who of those listed is the last before a place, clockwise."""
    around = sorted(range(len(table.chairs)), key=lambda player: table.chairs[player].seat)
    before = [player for player in around if table.chairs[player].seat < place]
    return before[-1] if before else around[-1]


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

    >>> from pitboss.documents import join, next_hand
    >>> table = open_document(small_blind=1, big_blind=2, seat_count=6)
    >>> table = next_hand(join(join(table, "ann", 100), "bob", 100))
    >>> table.blinds, table.hand
    ((1, 2), 1)
    """
    game = STRUCTURES.get(variant)
    if game is None:
        raise DocumentError(f"variant: {EXPECTED_VARIANT}, got {variant!r:.40}")
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
