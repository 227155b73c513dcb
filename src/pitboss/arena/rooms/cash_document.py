"""The document of a cash table (004), made from the state of the table, and what a posted document asks for.

Amounts are whole chips. During a hand the document has the actions so far. Between hands no seat is dealt in and there
are no actions: the table waits, and finished hands are in the archive.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from pitboss.arena.journal.history import HandHistory
from pitboss.arena.journal.records import Acted, poker_events
from pitboss.arena.rooms.cash import CashTable
from pitboss.arena.rooms.match import Match
from pitboss.arena.wire.messages import Action, CashRequest, Hello, Leave, Rejected, SitIn, SitOut
from pitboss.arena.wire.poker import action_message
from pitboss.betting.events import BroughtIn, Folded
from pitboss.documents.fields import (
    LEAVES,
    PLAYS,
    SMALL_PLAYER,
    UNIT,
    WAITS_FOR_BIG_BLIND,
    Document,
    read_fields,
    write_document,
)
from pitboss.documents.intents import merge
from pitboss.documents.views import actions_for, personalize
from pitboss.hand.events import Discarded, Event
from pitboss.hand.games import STRUCTURES
from pitboss.hand.structure import Stakes, Structure
from pitboss.records.moves import Move, MoveError, read_move, spell_moves
from pitboss.records.table_fields import DEAD_PAID, REOPENING, house_fields
from pitboss.table.rotation import Chair
from pitboss.table.stakes import TableStakes
from pitboss.table.table import Table

_DEFAULTS = (Folded, BroughtIn, Discarded)
"""What is played for a seat that has sat out or left: a document leaves that out (T3)."""


class NumberedDocument(Struct, frozen=True):
    """A document as one viewer may see it, written, with the number of the last journal entry before it."""

    number: int
    body: bytes


class DocumentRequest(Struct, frozen=True, kw_only=True):
    """What a team asks for with a document, and a sentence for each part of it that is ignored."""

    hello: Hello | None = None  #: of a team that wants to join
    request: CashRequest | None = None
    action: Action | None = None
    rejected: Rejected | None = None  #: why the action cannot be played
    ignored: tuple[str, ...] = ()


def see_document(match: Match, team: str | None, number: int, late: NumberedDocument | None = None) -> NumberedDocument:
    """Return the document as a team, or None, a spectator may see it; `number` is that of the last journal entry.

    A team that is not at the table, has left or is about to sees what spectators see: `late`, if there is a delay.
    """
    assert isinstance(match, CashTable), "only cash tables have documents"
    seat = None if team is None else match.seat_of(team)
    if seat is None or match.standing(seat)[0] == LEAVES:
        if late is not None:
            return late
        team = None
    return NumberedDocument(number, document_for(match, team))


def document_for(match: CashTable, team: str | None) -> bytes:
    """Return the document as a team at the table may see it, None: as spectators may; written."""
    return write_document(personalize(document_of(match), team))


def empty_document(match: Match) -> bytes:
    """Return the document of the table without players, which shows nothing of any hand, as JSON text."""
    assert isinstance(match, CashTable), "only cash tables have documents"
    game = match.host.games.games[0]
    stakes = game.at(match.host.table.stakes, 1)
    empty = Document(
        players=(),
        stacks=(),
        blinds=(),
        antes=(),
        inactive=(),
        intents=(),
        dead_blinds=(),
        hand=0,
        seats=(),
        seat_count=match.settings.seats,
        min_bet=stakes.least,
        variant=game.structure.code,
        rest=_rest(match, game.structure, stakes),
    )
    return write_document(empty)


def read_posted(match: Match, team: str, body: bytes) -> DocumentRequest:
    """Return what a team asks for with a document; raise `DocumentError` if that cannot be read.

    Raises `Rejected` if it is a new team that cannot join.
    """
    assert isinstance(match, CashTable), "only cash tables have documents"
    if match.seat_of(team) is None:
        match.check_new(team)
    document, fields = document_of(match), read_fields(body)
    merged = merge(document, fields, team, grant=match.settings.stack)
    after, at = merged.document, merged.document.index(team)
    wish = after.intents[at]
    if team not in document.players:
        stack, seat = after.stacks[at], None if after.seats is None else after.seats[at] - 1
        hello = Hello(v=1, team=team, join_code="", buy_in=int(stack), seat=seat)
        return DocumentRequest(hello=hello, request=_request(wish) if wish != PLAYS else None, ignored=merged.ignored)
    request = _request(wish) if wish != document.intents[at] else None
    own = _own_move(document, fields, team)
    if own is None:
        return DocumentRequest(request=request, ignored=merged.ignored)
    open = match.host.open
    assert open is not None, "only a hand has actions"
    ignored = tuple([sentence for sentence in merged.ignored if not sentence.startswith("actions:")])
    try:
        return DocumentRequest(request=request, action=action_message(own, open.hand, match.hand_id), ignored=ignored)
    except Rejected as rejected:
        return DocumentRequest(request=request, rejected=rejected, ignored=ignored)


def _request(wish: int) -> CashRequest:
    """Return the message that asks for an intent."""
    if wish == PLAYS:
        return SitIn(v=1)
    if wish == LEAVES:
        return Leave(v=1)
    return SitOut(v=1, until="big_blind" if wish == WAITS_FOR_BIG_BLIND else None)


def _own_move(document: Document, fields: dict[str, Any], team: str) -> Move | None:
    """Return the move by which a client's actions continue the server's, if it is the author's own."""
    actions = fields.get("actions")
    if not document.actions or not isinstance(actions, list) or fields.get("hand", document.hand) != document.hand:
        return None
    *before, last = actions or [None]
    if not isinstance(last, str) or before not in (actions_for(document, team), [*document.actions]):
        return None
    try:
        move = read_move(last, len(document.players))
    except MoveError:
        return None
    own = document.index(team)
    return move if move.place == own and move.verb in ("f", "cc", "cbr", "pb", "sd", "sm") else None


def document_of(match: CashTable) -> Document:
    """Return the document of a table, with all cards that were dealt."""
    history, table = match.history, match.host.table
    hand = history.hand
    structure = table.structure if match.host.open is None else match.host.open.hand.structure
    chairs = {chair.seat: chair for chair in table.chairs if chair.seat in history.seats}
    seats = [*chairs, *sorted(history.seats.keys() - chairs.keys())]  # the last ones have just come
    now = chairs if hand is not None else {}  # the chairs as they are in the open hand
    none = Chair(0, "", 0)
    standing = [match.standing(seat) for seat in seats]
    blinds = tuple([now.get(seat, none).blind for seat in seats])
    return Document(
        players=tuple([history.seats[seat].team for seat in seats]),
        stacks=tuple([now[seat].chips if seat in now else history.seats[seat].stack for seat in seats]),
        blinds=blinds,
        antes=tuple([table.now.ante or 0 if hand is not None else 0 for _ in seats]),
        inactive=tuple([int(now.get(seat, none).out) for seat in seats]),
        intents=tuple([intent or 0 for intent, _ in standing]),
        dead_blinds=tuple([owes or 0 for _, owes in standing]),
        actions=() if hand is None else tuple(_actions(hand, seats)),
        hand=history.hands,
        seats=tuple([seat + 1 for seat in seats]),
        seat_count=history.settings.seats,
        dead_money=table.pot if hand is not None else 0,
        button=seats.index(table.button) if hand is not None and table.button in seats else None,
        min_bet=table.now.least,
        variant=structure.code,
        rest=_rest(match, structure, table.now) | ({} if hand is None else _of_hand(hand, table, seats, blinds)),
    )


def _actions(hand: HandHistory, seats: list[int]) -> Iterator[str]:
    """Yield the actions of a hand, with players by their index in the document."""
    events: list[Event] = [*poker_events(hand.started.events)]
    for act in hand.acts:
        events += _written_events(act)
    players = [f"p{seats.index(seat) + 1}" for seat in hand.order]
    for text in spell_moves(events):
        words = text.split(" ")
        at = 0 if words[0] != "d" else 2
        if words[:2] != ["d", "db"]:
            words[at] = players[int(words[at][1:]) - 1]
        yield " ".join(words)


def _written_events(act: Acted) -> list[Event]:
    events = poker_events(act.events)
    return [event for event in events if act.cause != "out" or not isinstance(event, _DEFAULTS)]


def _rest(match: CashTable, structure: Structure, stakes: TableStakes) -> dict[str, Any]:
    """Return the stakes and the rules of the house."""
    rest: dict[str, Any] = {UNIT: 1, "_ante": stakes.ante or 0}
    if structure.betting.bring_in:
        rest["bring_in"] = stakes.bring_in or 0
    else:
        rest["_smallBlind"] = stakes.small_blind
        if stakes.big_blind != stakes.least:
            rest["_bigBlindSize"] = stakes.big_blind
    if structure.betting.exact:
        usual = structure.usual_big_bet(stakes.least)
        rest |= {"small_bet": stakes.least, "big_bet": usual if stakes.big_bet is None else stakes.big_bet}
    known = STRUCTURES.get(structure.code)
    if known is not None and known.betting.reopening != structure.betting.reopening:
        rest[REOPENING] = match.settings.reopening
    return rest | house_fields(structure, Stakes(min_bet=1, rake=stakes.rake))


def _of_hand(hand: HandHistory, table: Table, seats: list[int], blinds: tuple[int, ...]) -> dict[str, Any]:
    """Return the debts that were paid into the pot, and the places of the blinds that the arrays do not show."""
    paid = {hand.teams[seat]: amount for seat, amount in hand.started.dead.items()}
    rest: dict[str, Any] = {DEAD_PAID: paid} if paid else {}
    if not table.has_blinds:
        return rest
    if not table.now.small_blind and table.small in seats:
        rest[SMALL_PLAYER] = seats.index(table.small)
    elif table.small is None and table.small_at is not None:
        rest["_smallSeat"] = table.small_at + 1
    if table.now.small_blind == table.now.big_blind and table.now.big_blind in blinds:
        rest["_bigBlind"] = seats.index(table.big) if table.big in seats else -1
    return rest
