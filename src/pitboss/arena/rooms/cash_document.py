"""Make the document of a cash table (specification 004), and read the requests in posted documents.

Amounts are whole chips. During a hand the document has the actions so far. Between hands no seat is dealt in and there
are no actions: the table waits, and finished hands are in the archive.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

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
    shown,
    write_document,
)
from pitboss.documents.hands import open_document
from pitboss.documents.intents import merge
from pitboss.documents.views import actions_for, personalize
from pitboss.hand.events import Discarded, Event, RunsChosen
from pitboss.hand.game_file import OWN_CODE, game_fields
from pitboss.hand.games import STRUCTURES
from pitboss.hand.structure import Stakes, Structure
from pitboss.records.moves import Move, MoveError, read_move, spell_moves
from pitboss.records.table_fields import DEAD_PAID, GAME, REOPENING, house_fields
from pitboss.table.rotation import Chair
from pitboss.table.stakes import TableStakes
from pitboss.table.table import Table

_DEFAULTS = (Folded, BroughtIn, Discarded, RunsChosen)
"""The actions of the server for a seat that has sat out or left; a document leaves them out (T3)."""

_VERBS = ("f", "cc", "cbr", "pb", "sd", "sm", "runs")
"""The actions of players."""


class NumberedDocument(Struct, frozen=True):
    """A document as text for one viewer, with the number of the last journal entry that it includes."""

    number: int
    body: bytes


class DocumentRequest(Struct, frozen=True, kw_only=True):
    """The request in a team's document, and a sentence for each part that is ignored."""

    hello: Hello | None = None  #: the hello of a team that wants to join
    request: CashRequest | None = None
    action: Action | None = None
    rejected: Rejected | None = None  #: why the action cannot be played
    ignored: tuple[str, ...] = ()


def see_document(match: Match, team: str | None, number: int, late: NumberedDocument | None = None) -> NumberedDocument:
    """Return the document that a team may see; a team of None is a spectator.

    `number` is the number of the last journal entry. A team that is not at the table, has left or is leaving gets the
    document of spectators, which is `late` if spectators are delayed.
    """
    assert isinstance(match, CashTable), "only cash tables have documents"
    seat = None if team is None else match.seat_of(team)
    if seat is None or match.standing(seat)[0] == LEAVES:
        if late is not None:
            return late
        team = None
    return NumberedDocument(number, document_for(match, team))


def document_for(match: CashTable, team: str | None) -> bytes:
    """Return the document as text with the cards that a team may see; a team of None is a spectator."""
    return write_document(personalize(document_of(match), team))


def empty_document(match: Match) -> bytes:
    """Return the document of the table without its players and without a hand, as JSON text."""
    assert isinstance(match, CashTable), "only cash tables have documents"
    game = match.host.games.games[0]
    stakes = game.at(match.host.table.stakes, 1)
    known = STRUCTURES.get(game.structure.code, game.structure)
    opened = open_document(big_blind=stakes.least, seat_count=match.settings.seats, game=known)
    return write_document(replace(opened, rest=_rest(match, game.structure, stakes)))


def read_posted(match: Match, team: str, body: bytes) -> DocumentRequest:
    """Return the request in a team's document; raise `DocumentError` if it cannot be read.

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
    ignored = tuple([sentence for sentence in merged.ignored if not sentence.startswith("actions:")])
    own = _own_move(document, fields, team)
    if not isinstance(own, Move):
        return DocumentRequest(request=request, ignored=ignored if own is None else (*ignored, f"actions: {own}"))
    open = match.host.open
    assert open is not None, "only a hand has actions"
    try:
        return DocumentRequest(request=request, action=action_message(own, open.hand, match.hand_id), ignored=ignored)
    except Rejected as rejected:
        return DocumentRequest(request=request, rejected=rejected, ignored=ignored)


def _request(wish: int) -> CashRequest:
    """Return the message that requests an intent."""
    if wish == PLAYS:
        return SitIn(v=1)
    if wish == LEAVES:
        return Leave(v=1)
    return SitOut(v=1, until="big_blind" if wish == WAITS_FOR_BIG_BLIND else None)


def _own_move(document: Document, fields: dict[str, Any], team: str) -> Move | str | None:
    """Return the move that a team's document adds to the actions of the server, or the reason why it cannot be played.

    Return None if the document adds no action.
    """
    given, hand = fields.get("actions"), fields.get("hand", document.hand)
    current = [actions_for(document, team), [*document.actions]]
    if "actions" not in fields or given in current:
        return None
    if not isinstance(given, list):
        return f"expected a list, got {shown(given)}"
    if not document.actions:
        return "nothing can be played between hands"
    if hand != document.hand:
        return f"expected the actions of hand {document.hand}, got those of hand {shown(hand)}; read the document again"
    count = len(document.actions)
    if given[:count] not in current:
        return "the actions before the new one are not the current ones; read the document again"
    if len(given) > count + 1:
        return f"expected one new action, got {len(given) - count}"
    return _read_own(given[-1], document.index(team), len(document.players))


def _read_own(text: Any, own: int, players: int) -> Move | str:
    """Return the move of the team, or the fault of the text."""
    if not isinstance(text, str):
        return f"expected an action as text, got {shown(text)}"
    try:
        move = read_move(text, players)
    except MoveError as error:
        return f"{error!s:.200}"
    if move.place is not None and move.place != own:
        return f"expected an action of yours (p{own + 1}), got one of p{move.place + 1}"
    if move.place is None or move.verb not in _VERBS:
        return f"expected p{own + 1} and one of {', '.join(_VERBS)}, got {shown(text)}"
    return move


def document_of(match: CashTable) -> Document:
    """Return the document of a table, with all cards that were dealt."""
    history, table = match.history, match.host.table
    hand = history.hand
    structure = table.structure if match.host.open is None else match.host.open.hand.structure
    chairs = {chair.seat: chair for chair in table.chairs if chair.seat in history.seats}
    seats = [*chairs, *sorted(history.seats.keys() - chairs.keys())]  # seats that were just taken are last
    now = chairs if hand is not None else {}  # the chairs during the open hand
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
    if structure.code == OWN_CODE:
        rest[GAME] = game_fields(structure)
    return rest | house_fields(structure, Stakes(min_bet=1, rake=stakes.rake))


def _of_hand(hand: HandHistory, table: Table, seats: list[int], blinds: tuple[int, ...]) -> dict[str, Any]:
    """Return the debts that were paid into the pot, and the places of blinds that the other fields do not show."""
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
