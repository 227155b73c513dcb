"""Coming and going: what a client may wish for, and how the server merges one wish into its document."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pitboss.notation.chips import Amount
from pitboss.table.document import (
    LEAVES,
    PAUSES,
    PLAYS,
    WAITS_FOR_BIG_BLIND,
    Document,
    DocumentError,
    is_amount,
    is_name,
    to_fields,
    with_button,
)


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
    document, told = merge_wish(server, fields, author, grant)
    told += _ignored(server, document, fields, author)
    return Merged(document, tuple(sentence.encode("utf-8", "replace").decode() for sentence in told))


def _merge_intent(
    server: Document, fields: Mapping[str, Any], author: str, grant: Amount | None
) -> tuple[Document, list[str]]:
    player = server.index(author)
    wish = _entry(fields, author, "_intents")
    if type(wish) is not int or not PLAYS <= wish <= LEAVES:
        return server, [f"_intents: {wish!r} is no wish; say 0, 1, 2 or 3"]
    if server.intents[player] == LEAVES:
        return server, [] if wish == LEAVES else [f"_intents: {author!r} has left for good"]
    document = _with_intent(server, player, wish)
    if wish != PLAYS and not server.inactive[player]:
        document = _sit_out(document, player)
    return document, []


def _sit_out(document: Document, player: int) -> Document:
    """Take somebody out of the hand; before the deal the button may move, and a blind that waits for him is noted."""
    out = replace(document, inactive=_put(document.inactive, player, 1))
    if document.actions:
        return out
    if document.blinds[player] > 0:
        unposted = (*document.rest.get("_unposted", ()), document.players[player])
        out = replace(out, rest={**document.rest, "_unposted": unposted})
    return with_button(out)


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
    told = [] if stack == wished else [f"startingStacks: {stack} of the {wished} wished for is granted"]
    return _add(server, author, stack, _entry(fields, author, "seats"), intent or PLAYS), told


def _add(document: Document, name: str, stack: Amount, seat: Any, intent: int) -> Document:
    """The document with one more player, who sits out until the next hand."""
    taken = document.seats
    if document.seat_count is not None and len(document.players) >= document.seat_count:
        raise DocumentError(f"all {document.seat_count} seats are taken")
    if taken is not None:
        taken = (*taken, _free_seat(taken, seat, document.seat_count))
    finishing = document.finishing_stacks
    same_ante = document.antes[0] if len(set(document.antes)) == 1 else document.rest.get("_ante", 0)
    return replace(
        document,
        players=(*document.players, name),
        stacks=(*document.stacks, stack),
        blinds=(*document.blinds, 0),
        antes=(*document.antes, same_ante),
        inactive=(*document.inactive, 1),
        intents=(*document.intents, intent),
        dead_blinds=(*document.dead_blinds, 0),
        seats=taken,
        finishing_stacks=None if finishing is None else (*finishing, stack),
    )


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
    return replace(document, intents=_put(document.intents, player, intent))


def _put(values: tuple[int, ...], at: int, value: int) -> tuple[int, ...]:
    return (*values[:at], value, *values[at + 1 :])


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


_WISHES = ("players", "startingStacks", "seats", "_intents")


def _ignored(server: Document, merged: Document, fields: Mapping[str, Any], author: str) -> list[str]:
    """A sentence for every field of the client's that differs from the server's, his own wish left aside."""
    told = []
    ours, now, position = to_fields(server), to_fields(merged), _position(fields, author)
    newcomer = author not in server.players
    for name, value in fields.items():
        theirs: Any = value[0] if name == "seatCount" and isinstance(value, list) and len(value) == 1 else value
        expected: Any = ours.get(name)
        if name == "author":
            if value != author:
                told.append(f"author: the connection is {author!r}'s")
            continue
        if name not in ours:
            told.append(f"{name}: not the client's to set")
            continue
        if isinstance(expected, tuple) and isinstance(theirs, list | tuple):
            theirs, expected = list(theirs), list(expected)
            if position is not None and position < len(theirs):
                if newcomer and len(theirs) == len(expected) + 1:
                    own = theirs.pop(position)
                    if name not in (*_WISHES, "_inactive", "actions") and not _exactly(own, now[name][-1]):
                        told.append(f"{name}: {author!r}'s own entry is the server's to set")
                elif name == "_intents" and server.players[position : position + 1] == (author,):
                    theirs[position] = expected[position]
        if not _exactly(theirs, expected):
            told.append(f"{name}: kept as the server has it")
    return told


def _exactly(theirs: Any, ours: Any) -> bool:
    """Equal, with no boolean taken for a number."""
    if isinstance(theirs, list) and isinstance(ours, list):
        return len(theirs) == len(ours) and all(map(_exactly, theirs, ours))
    return bool(theirs == ours) and not (isinstance(theirs, bool) ^ isinstance(ours, bool))
