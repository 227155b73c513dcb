"""Come and go: what a client may ask for, and how the server merges one request into its document."""

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
    is_amount,
    is_name,
    to_fields,
)
from pitboss.documents.play import personalize
from pitboss.records.money import Amount

_WISHES = ("players", "startingStacks", "seats", "_intents")


class Merged(Struct, frozen=True):
    """The server's document with the author's wish in it, and what of the client's document was ignored."""

    document: Document
    ignored: tuple[str, ...]


# --- the client's wishes


def join(document: Document, name: str, stack: Amount, *, seat: int | None = None) -> Document:
    """Ask for a chair, with this many chips, from the next hand on."""
    if name in document.players:
        raise DocumentError(f"{name!r} sits at this table already")
    if not is_name(name) or not is_amount(stack) or not stack:
        raise DocumentError(f"{name!r} cannot sit down with {stack!r}: it takes a name and a number of chips")
    return _add(document, name, stack, seat, PLAYS)


def pause(document: Document, name: str) -> Document:
    """Ask for a pause of any length; missed blinds are owed."""
    return _with_intent(document, document.index(name), PAUSES)


def wait_for_big_blind(document: Document, name: str) -> Document:
    """Ask for a pause until the big blind comes round, which costs nothing."""
    return _with_intent(document, document.index(name), WAITS_FOR_BIG_BLIND)


def resume(document: Document, name: str) -> Document:
    """Ask to be dealt in again from the next hand on, paying what is owed."""
    return _with_intent(document, document.index(name), PLAYS)


def leave(document: Document, name: str) -> Document:
    """Ask to leave for good."""
    return _with_intent(document, document.index(name), LEAVES)


# --- the server's merge


def merge(server: Document, client: object, author: str, *, grant: Amount | None = None) -> Merged:
    """Take the author's wish from a client's document and nothing else.

    The author is who the connection says. `grant` is the most the house lets a newcomer bring.
    """
    fields: Mapping[str, Any] = {}
    if isinstance(client, Document):
        fields = to_fields(client)
    elif isinstance(client, Mapping):
        fields = client
    if grant is not None and not is_amount(grant):
        raise DocumentError(f"the house cannot grant {grant!r}: say a number of chips")
    merge_wish = _merge_intent if author in server.players else _merge_newcomer
    document, ignored = merge_wish(server, fields, author, grant)
    ignored += _ignored(server, document, fields, author)
    return Merged(document, tuple(sentence.encode("utf-8", "replace").decode() for sentence in ignored))


def _merge_intent(
    server: Document, fields: Mapping[str, Any], author: str, grant: Amount | None
) -> tuple[Document, list[str]]:
    wish = _entry(fields, author, "_intents")
    if type(wish) is not int or not PLAYS <= wish <= LEAVES:
        return server, [f"_intents: {wish!r} is no wish; say 0, 1, 2 or 3"]
    if server.intents[server.index(author)] == LEAVES:
        return server, [] if wish == LEAVES else [f"_intents: {author!r} has left for good"]
    seated = DocumentChairs(server)
    return seated.document(seated.table.wish(author, STATES[wish])), []


def _merge_newcomer(
    server: Document, fields: Mapping[str, Any], author: str, grant: Amount | None
) -> tuple[Document, list[str]]:
    if _position(fields, author) is None:
        raise DocumentError(f"{author!r} is not at this table and does not ask to join it")
    wished, intent = _entry(fields, author, "startingStacks"), _entry(fields, author, "_intents")
    if not is_amount(wished) or not wished:
        raise DocumentError(f"{author!r} must bring a number of chips, not {wished!r}")
    if intent is not None and (type(intent) is not int or not PLAYS <= intent <= PAUSES):
        raise DocumentError(f"{author!r} must join with an intent of 0, 1 or 2, not {intent!r}")
    if not is_name(author):
        raise DocumentError(f"{author!r} is no name to sit under")
    stack = wished if grant is None else min(wished, grant)
    if not stack:
        raise DocumentError(f"the house grants {author!r} no chips")
    less = [] if stack == wished else [f"startingStacks: {stack} of the {wished} wished for is granted"]
    return _add(server, author, stack, _entry(fields, author, "seats"), intent or PLAYS), less


def _add(document: Document, name: str, stack: Amount, seat: Any, intent: int) -> Document:
    """The document with one more player: in the hand where nothing is dealt yet, else from the next hand on."""
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
    """Seats for players who sit as they are listed, from 1 on; an empty small blind's place keeps a seat between."""
    rest, n = dict(document.rest), len(document.players)
    after = rest.pop("_smallAfter", n)
    if not 0 <= after < n:
        after = n
    else:
        rest["_smallSeat"] = after + 2
    return {"seats": tuple(at + 1 if at <= after else at + 2 for at in range(n)), "rest": rest}


def _free_seat(taken: Sequence[int], wished: Any, seat_count: int | None) -> int:
    highest = seat_count or max(taken, default=0) + 1
    if wished is None:
        return next(seat for seat in range(1, highest + 2) if seat not in taken)
    if type(wished) is not int or not 1 <= wished <= highest:
        raise DocumentError(f"there is no seat {wished!r}; seats are 1 to {highest}")
    if wished in taken:
        raise DocumentError(f"seat {wished} is taken")
    return wished


def _with_intent(document: Document, player: int, intent: int) -> Document:
    intents = list(document.intents)
    intents[player] = intent
    return replace(document, intents=tuple(intents))


# --- reading a document that nobody has checked


def _position(fields: Mapping[str, Any], author: str) -> int | None:
    players = fields.get("players")
    if not isinstance(players, list | tuple) or author not in players:
        return None
    return players.index(author)


def _entry(fields: Mapping[str, Any], author: str, name: str) -> Any:
    """The author's own entry of an array, or None."""
    position, values = _position(fields, author), fields.get(name)
    if position is None or not isinstance(values, list | tuple) or position >= len(values):
        return None
    return values[position]


def _ignored(server: Document, merged: Document, fields: Mapping[str, Any], author: str) -> list[str]:
    """A sentence for every field of the client's that differs from what he was sent, his own wish left aside."""
    ours, position = to_fields(server), _position(fields, author)
    newcomer = author not in server.players
    if newcomer and position is not None and server.seats is None:
        ours["seats"] = _numbered(server)["seats"]
    differing: dict[str, str] = {}
    for name, value in fields.items():
        if name == "author":
            if value != author:
                differing[name] = f"author: the connection is {author!r}'s"
        elif name not in ours:
            differing[name] = f"{name}: not the client's to set"
        elif not _is_as_sent(server, name, value, ours[name], author, position):
            differing[name] = f"{name}: kept as the server has it"
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
    """Whether a field is as the author was sent it, but for what he may wish for."""
    if name == "seatCount":
        return _exactly(_one(value), _one(expected))
    if not isinstance(expected, tuple) or not isinstance(value, list | tuple):
        return _exactly(value, expected)
    theirs, expected = list(value), list(expected)
    if name == "actions":
        return _exactly(theirs, expected) or _exactly(theirs, _seen_actions(server, author))
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
    """What a newcomer claims about himself that is not his to wish for."""
    claimed = {}
    for name, expected in ours.items():
        value: Any = fields.get(name)
        if name in (*_WISHES, "_inactive", "actions") or not isinstance(expected, tuple):
            continue
        added = isinstance(value, list | tuple) and position < len(value) == len(expected) + 1
        if added and not _exactly(value[position], now[name][-1]):
            claimed[name] = f"{name}: {author!r}'s own entry is the server's to set"
    return claimed


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _one(value: Any) -> Any:
    """A number that may be spelt as a list of one."""
    return value[0] if isinstance(value, list | tuple) and len(value) == 1 else value


def _seen_actions(server: Document, author: str) -> list[str]:
    """The actions as the author was sent them; nobody who left was sent any."""
    known = author in server.players and server.intents[server.index(author)] == LEAVES
    return [] if known else list(personalize(server, author).actions)


def _exactly(theirs: Any, ours: Any) -> bool:
    """Equal, with no boolean taken for a number."""
    if isinstance(theirs, list) and isinstance(ours, list):
        return len(theirs) == len(ours) and all(map(_exactly, theirs, ours))
    return bool(theirs == ours) and not (isinstance(theirs, bool) ^ isinstance(ours, bool))
