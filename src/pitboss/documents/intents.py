"""The wishes of clients: to join, pause, resume or leave. `merge` puts a client's wish into the server's document."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pitboss.documents.chairs import STATES, DocumentChairs
from pitboss.documents.fields import (
    LEAVES,
    PAUSES,
    PLAYS,
    WAITS_FOR_BIG_BLIND,
    Document,
    DocumentError,
    Source,
    check_unit,
    is_amount,
    is_name,
    read_document,
    read_fields,
    shown,
    to_amount,
    to_fields,
)
from pitboss.documents.views import actions_for
from pitboss.records.money import Amount

_WISHES = ("players", "startingStacks", "seats", "_intents")


class Merged(Struct, frozen=True):
    """The result of `merge`: a document, and a sentence for each ignored field of the client's document.

    >>> from pitboss.documents import join, merge, open_document, pause
    >>> table = open_document(small_blind=1, big_blind=2, seat_count=6)
    >>> table = join(join(table, "ann", 100), "bob", 100)
    >>> merged = merge(table, pause(table, "bob"), "bob")
    >>> merged.document.intents, merged.ignored
    ((0, 2), ())
    """

    document: Document
    ignored: tuple[str, ...]


# --- the client's wishes


def join(document: Source, name: str, stack: Amount | float, *, seat: int | None = None) -> Document:
    """Return the document with a new player, who brings these chips and may ask for a seat.

    >>> from pitboss.documents import join, open_document
    >>> table = open_document(small_blind=1, big_blind=2, seat_count=6)
    >>> table = join(join(table, "ann", 100), "bob", 100)
    >>> table.players
    ('ann', 'bob')
    """
    document = read_document(document)
    if name in document.players:
        raise DocumentError(f"{name!r} already sits at this table")
    if not is_name(name):
        raise DocumentError(f"name: expected text, got {name!r:.40}")
    chips = to_amount("stack", stack)
    if not chips:
        raise DocumentError("stack: expected a number of chips, above 0, got 0")
    return _add(document, name, chips, seat, PLAYS)


def pause(document: Source, name: str) -> Document:
    """Return the document with the wish to pause. The player will owe the blinds that they miss.

    >>> from pitboss.documents import join, open_document, pause
    >>> table = open_document(small_blind=1, big_blind=2, seat_count=6)
    >>> table = join(join(table, "ann", 100), "bob", 100)
    >>> pause(table, "bob").intents
    (0, 2)
    """
    return _with_intent(document, name, PAUSES)


def wait_for_big_blind(document: Source, name: str) -> Document:
    """Return the document with the wish to pause until the player has the big blind, which costs no debt.

    >>> from pitboss.documents import join, open_document, wait_for_big_blind
    >>> table = open_document(small_blind=1, big_blind=2, seat_count=6)
    >>> table = join(join(table, "ann", 100), "bob", 100)
    >>> wait_for_big_blind(table, "bob").intents
    (0, 1)
    """
    return _with_intent(document, name, WAITS_FOR_BIG_BLIND)


def resume(document: Source, name: str) -> Document:
    """Return the document with the wish to play from the next hand on, and to pay owed blinds.

    >>> from pitboss.documents import join, open_document, pause, resume
    >>> table = open_document(small_blind=1, big_blind=2, seat_count=6)
    >>> table = join(join(table, "ann", 100), "bob", 100)
    >>> resume(pause(table, "bob"), "bob") == table
    True
    """
    return _with_intent(document, name, PLAYS)


def leave(document: Source, name: str) -> Document:
    """Return the document with the wish to leave the table for good.

    >>> from pitboss.documents import join, leave, next_hand, open_document
    >>> table = open_document(small_blind=1, big_blind=2, seat_count=6)
    >>> table = join(join(table, "ann", 100), "bob", 100)
    >>> next_hand(leave(table, "bob")).players
    ('ann',)
    """
    return _with_intent(document, name, LEAVES)


# --- the server's merge


def merge(server: Source, client: object, author: str, *, grant: Amount | float | None = None) -> Merged:
    """Copy the author's wish from a client's document to the server's document. Other fields are ignored.

    `author` is the name of the player on the connection, whatever the client's document contains. `client` is the
    document as received, of any type. `grant` is the maximum number of chips that a new player can bring.

    >>> from pitboss.documents import join, merge, open_document, pause
    >>> table = open_document(small_blind=1, big_blind=2, seat_count=6)
    >>> table = join(join(table, "ann", 100), "bob", 100)
    >>> merged = merge(table, pause(table, "bob"), "bob")
    >>> merged.document.intents, merged.ignored
    ((0, 2), ())
    """
    server = read_document(server)
    fields, unreadable = _read_client(client)
    most = None if grant is None else to_amount("grant", grant)
    merge_wish = _merge_intent if author in server.players else _merge_newcomer
    document, ignored = merge_wish(server, fields, author, most)
    ignored = unreadable + ignored + _ignored(server, document, fields, author)
    return Merged(document, tuple(sentence.encode("utf-8", "replace").decode() for sentence in ignored))


def _merge_intent(
    server: Document, fields: Mapping[str, Any], author: str, grant: Amount | None
) -> tuple[Document, list[str]]:
    wish = _entry(fields, author, "_intents")
    if type(wish) is not int or not PLAYS <= wish <= LEAVES:
        return server, [f"_intents: expected 0, 1, 2 or 3, got {shown(wish)}"]
    if server.intents[server.index(author)] == LEAVES:
        return server, [] if wish == LEAVES else [f"_intents: {author!r} has left, and can join again in the next hand"]
    seated = DocumentChairs(server)
    return seated.document(seated.table.wish(author, STATES[wish])), []


def _merge_newcomer(
    server: Document, fields: Mapping[str, Any], author: str, grant: Amount | None
) -> tuple[Document, list[str]]:
    if _position(fields, author) is None:
        raise DocumentError(f"players: expected {author!r} among the players of the client's document")
    wished, intent = _entry(fields, author, "startingStacks"), _entry(fields, author, "_intents")
    if not is_amount(wished) or not wished:
        raise DocumentError(f"startingStacks: expected the chips that {author!r} brings, above 0, got {shown(wished)}")
    check_unit("startingStacks", wished, server.unit)
    if intent is not None and (type(intent) is not int or not PLAYS <= intent <= PAUSES):
        raise DocumentError(f"_intents: expected 0, 1 or 2 for a new player, got {shown(intent)}")
    if not is_name(author):
        raise DocumentError(f"players: expected a name, got {author!r:.40}")
    stack = wished if grant is None else min(wished, grant)
    if not stack:
        raise DocumentError("grant: expected a number of chips, above 0, got 0")
    less = [] if stack == wished else [f"startingStacks: asked for {wished}, got {stack}"]
    return _add(server, author, stack, _entry(fields, author, "seats"), intent or PLAYS), less


def _add(document: Document, name: str, stack: Amount, seat: Any, intent: int) -> Document:
    """Return the document with a new player. The player is in the current hand only if no cards are dealt yet."""
    check_unit("startingStacks", stack, document.unit)
    if document.seat_count is not None and len(document.players) >= document.seat_count:
        raise DocumentError(f"all {document.seat_count} seats are taken")
    if document.seats is None and seat is not None:
        document = replace(document, **_numbered(document))
    if document.seats is not None:
        seat = _free_seat(document.seats, seat, document.seat_count)
    seated = DocumentChairs(document, brings=stack)
    number = seated.table.free_seats[0] + 1 if seat is None else seat
    table = seated.table.sit(name, seated.unit.chips(stack), seat=number, state=STATES[intent])
    added = seated.document(table)
    rest = dict(document.rest)
    left = tuple(other for other in rest.pop("_left", ()) if other != name)
    return replace(added, stacks=(*document.stacks, stack), rest=rest | ({"_left": left} if left else {}))


def _numbered(document: Document) -> dict[str, Any]:
    """Return seat numbers from 1, in the order of the arrays. If the small blind has left, one number is skipped."""
    rest, n = dict(document.rest), len(document.players)
    after = rest.pop("_smallAfter", n)
    if not -1 <= after < n:
        after = n
    else:
        rest["_smallSeat"] = after + 2
    return {"seats": tuple(at + 1 if at <= after else at + 2 for at in range(n)), "rest": rest}


def _free_seat(taken: Sequence[int], wished: Any, seat_count: int | None) -> int:
    highest = seat_count or max(taken, default=0) + 1
    if wished is None:
        return next(seat for seat in range(1, highest + 2) if seat not in taken)
    if type(wished) is not int or not 1 <= wished <= highest:
        raise DocumentError(f"seat: expected 1 to {highest}, got {shown(wished)}")
    if wished in taken:
        raise DocumentError(f"seat {wished} is taken")
    return wished


def _with_intent(document: Source, name: str, intent: int) -> Document:
    document = read_document(document)
    intents = list(document.intents)
    intents[document.index(name)] = intent
    return replace(document, intents=tuple(intents))


# --- reading an unchecked document


def _read_client(client: object) -> tuple[Mapping[str, Any], list[str]]:
    """Return the fields of a client's document, or no fields and a sentence if it is not a JSON object."""
    if not isinstance(client, Document | Mapping | str | bytes):
        return {}, []
    try:
        return read_fields(client), []
    except DocumentError as error:
        return {}, [str(error)]


def _position(fields: Mapping[str, Any], author: str) -> int | None:
    players = fields.get("players")
    if not isinstance(players, list | tuple) or author not in players:
        return None
    return players.index(author)


def _entry(fields: Mapping[str, Any], author: str, name: str) -> Any:
    """Return the author's entry of an array, or None."""
    position, values = _position(fields, author), fields.get(name)
    if position is None or not isinstance(values, list | tuple) or position >= len(values):
        return None
    return values[position]


def _ignored(server: Document, merged: Document, fields: Mapping[str, Any], author: str) -> list[str]:
    """Return a sentence for each field that differs from the author's copy of the document, except the wish."""
    ours, position = to_fields(server), _position(fields, author)
    newcomer = author not in server.players
    if newcomer and position is not None and server.seats is None:
        ours["seats"] = _numbered(server)["seats"]
    differing: dict[str, str] = {}
    for name, value in fields.items():
        if name == "author":
            if value != author:
                differing[name] = f"author: expected {author!r}, the player of the connection"
        elif name not in ours:
            differing[name] = f"{name}: only the server can set it"
        elif not _is_as_sent(server, name, value, ours[name], author, position):
            differing[name] = f"{name}: only the server can change it"
    if not differing and not newcomer:
        return []
    now = to_fields(merged)
    if newcomer and position is not None:
        differing = _own_entries(fields, ours, now, author, position) | differing
    return [
        text
        for name, text in differing.items()
        if name not in now or not _exactly(_listed(fields[name]), _listed(now[name]))
    ]


def _is_as_sent(server: Document, name: str, value: Any, expected: Any, author: str, position: int | None) -> bool:
    """Return whether a field equals the field in the author's copy of the document.

    The author's own wish, and in each list the entry of a new author, may differ.
    """
    if name == "seatCount":
        return _exactly(_one(value), _one(expected))
    if not isinstance(expected, tuple) or not isinstance(value, list | tuple):
        return _exactly(value, expected)
    theirs, expected = list(value), list(expected)
    if name == "actions":
        return _exactly(theirs, expected) or _exactly(theirs, actions_for(server, author))
    if position is not None and position < len(theirs):
        if author not in server.players and len(theirs) == len(expected) + 1:
            theirs.pop(position)
        elif name == "_intents" and server.players[position : position + 1] == (author,):
            theirs[position] = expected[position]
    if name == "seats" and server.seats is None and all(seat is None for seat in theirs):
        return True
    return _exactly(theirs, expected)


def _own_entries(
    fields: Mapping[str, Any], ours: Mapping[str, Any], now: Mapping[str, Any], author: str, position: int
) -> dict[str, str]:
    """Return a sentence for each of the new player's entries that only the server can set."""
    claimed = {}
    for name, expected in ours.items():
        value: Any = fields.get(name)
        if name in (*_WISHES, "_inactive", "actions") or not isinstance(expected, tuple):
            continue
        added = isinstance(value, list | tuple) and position < len(value) == len(expected) + 1
        if added and not _exactly(value[position], now[name][-1]):
            claimed[name] = f"{name}: only the server can set the entry of {author!r}"
    return claimed


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _one(value: Any) -> Any:
    """Return the number in a list with one number, and any other value unchanged."""
    return value[0] if isinstance(value, list | tuple) and len(value) == 1 else value


def _exactly(theirs: Any, ours: Any) -> bool:
    """Return whether two values are equal. A boolean and a number are never equal."""
    if isinstance(theirs, list) and isinstance(ours, list):
        return len(theirs) == len(ours) and all(map(_exactly, theirs, ours))
    return bool(theirs == ours) and not (isinstance(theirs, bool) ^ isinstance(ours, bool))
