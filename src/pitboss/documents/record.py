"""Convert a document to a record and back. The fields of pitboss become the author's fields of PHH."""

from collections.abc import Iterator, Mapping
from json import JSONDecodeError
from typing import Any

from msgspec.structs import replace

from pitboss.betting.events import BroughtIn, Folded
from pitboss.documents.fields import (
    PAUSES,
    UNIT,
    Document,
    DocumentError,
    FinerThanUnit,
    Source,
    camel,
    from_fields,
    read_document,
    read_json,
)
from pitboss.formats.scan import HandFound, Lines, ReadError, describe_json_fault
from pitboss.hand.events import Discarded, Mucked, RunsChosen, Shown
from pitboss.records.moves import spell_moves
from pitboss.records.record import STANDARD, Record
from pitboss.records.replay import Playback, find_unit, read_moves, start_playback

_OF_THE_TABLE = {
    "_inactive": "inactive",
    "_intents": "intents",
    "_deadBlinds": "dead_blinds",
    "_deadMoney": "dead_money",
}
SITS_OUT = " # sits out"

_SPOKEN = (Folded, BroughtIn, Discarded, RunsChosen, Shown, Mucked)


def to_record(document: Source) -> Record:
    """Return the document as a record. Fields with a counterpart in PHH are not repeated.

    >>> from pitboss import NO_LIMIT_HOLDEM, Chance
    >>> from pitboss.documents import deal, join, next_hand, open_document, to_record
    >>> table = open_document(small_blind=1, big_blind=2, seat_count=6)
    >>> table = next_hand(join(join(table, "ann", 100), "bob", 100))
    >>> to_record(deal(table, Chance(1).shuffled(NO_LIMIT_HOLDEM.deck))).starting_stacks
    (100, 100)
    """
    document = read_document(document)
    standard, user = _fields_of_rest(document)
    for name in _OF_THE_TABLE:
        value = getattr(document, _OF_THE_TABLE[name])
        if any(value) if isinstance(value, tuple) else value:
            user[name] = value
    if any(document.inactive):
        user["_intents"] = document.intents
    if document.seat_count_in_a_list and document.seat_count is not None:
        user["_seatCount"] = (document.seat_count,)
    blinds, antes = document.blinds, document.antes
    if _is_plain(document):
        if len(document.players) == 2:
            blinds, antes = blinds[::-1], antes[::-1]
    elif document.button is not None:
        user["_button"] = document.button
    return Record(
        variant=document.variant,
        antes=antes,
        blinds_or_straddles=None if "bring_in" in standard else blinds,
        min_bet=None if "small_bet" in standard else document.min_bet,
        starting_stacks=document.stacks,
        actions=document.actions,
        hand=document.hand,
        seats=document.seats,
        seat_count=document.seat_count,
        players=document.players,
        finishing_stacks=document.finishing_stacks,
        author=document.author,
        user=user,
        **standard,
    )


def _fields_of_rest(document: Document) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the other fields of a document: those of the standard, and those whose name begins with _."""
    user = {name: value for name, value in document.rest.items() if name.startswith("_")}
    standard = {name: value for name, value in document.rest.items() if not name.startswith("_")}
    unknown = [name for name in standard if name not in STANDARD]
    if unknown:
        raise DocumentError(f"unknown field {camel(unknown[0])}: expected a field of PHH, or a name that begins with _")
    if document.antes_alike and not standard.setdefault("ante_trimming_status", True):
        del standard["ante_trimming_status"]
    return standard, user


def _is_plain(document: Document) -> bool:
    """Return whether the players are in the order of PHH, from the button's left to the button."""
    playing = [player for player in document.clockwise if document.dealt_in[player]]
    if document.button not in playing:
        return False
    first = playing.index(document.button) + 1
    return playing[first:] + playing[:first] == sorted(playing)


def from_record(record: Record) -> Document:
    """Return a record as a document. Without `_button`, the last player has the button.

    A player who sits out and has no `_intents` pauses. A record with amounts finer than 0.01 gets a smaller `_unit`.

    >>> from pitboss import Record
    >>> from pitboss.documents import from_record
    >>> record = Record(variant="NT", antes=(0, 0), blinds_or_straddles=(1, 2), min_bet=2, starting_stacks=(50, 50),
    ...                 actions=("d dh p1 ????", "d dh p2 ????", "p2 cbr 6", "p1 f"), players=("Ann", "Bo"))
    >>> from_record(record).players
    ('Ann', 'Bo')
    """
    fields = {camel(name): _thawed(getattr(record, name)) for name in STANDARD if getattr(record, name) is not None}
    fields |= {name: _thawed(value) for name, value in record.user.items()}
    if len(set(record.antes)) == 1 and any(record.antes) and fields.setdefault("anteTrimmingStatus", False):
        del fields["anteTrimmingStatus"]
    listed = fields.pop("_seatCount", None)
    if listed is not None and listed == [fields.get("seatCount")]:
        fields["seatCount"] = listed
    n = len(record.starting_stacks)
    fields.setdefault("players", [f"p{i + 1}" for i in range(n)])
    if isinstance(fields.get("_inactive"), list) and "_intents" not in fields:
        fields["_intents"] = [PAUSES * bool(out) for out in fields["_inactive"]]
    try:
        document = from_fields(fields)
    except FinerThanUnit:
        document = from_fields(fields | {UNIT: find_unit(record, read_moves(record)).amount(1)})
    if "_button" in record.user or sum(document.dealt_in) < 2:
        return document
    blinds, antes = document.blinds, document.antes
    if n == 2:
        blinds, antes = blinds[::-1], antes[::-1]
    button = max(player for player, dealt in enumerate(document.dealt_in) if dealt)
    return replace(document, blinds=blinds, antes=antes, button=button)


def _thawed(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _thawed(entry) for name, entry in value.items()}
    return list(map(_thawed, value)) if isinstance(value, tuple) else value


# --- folds written out


def written_out(document: Source) -> Record:
    """Return a record that other programs can replay: players who left have fold actions, with a mark.

    >>> from pitboss import NO_LIMIT_HOLDEM, Chance
    >>> from pitboss.documents import deal, join, next_hand, open_document, written_out
    >>> table = open_document(small_blind=1, big_blind=2, seat_count=6)
    >>> table = next_hand(join(join(table, "ann", 100), "bob", 100))
    >>> written_out(deal(table, Chance(1).shuffled(NO_LIMIT_HOLDEM.deck))).players
    ('ann', 'bob')
    """
    document = read_document(document)
    record = to_record(document)
    if not any(document.inactive) or sum(document.dealt_in) < 2:
        return record
    playback = start_playback(record)
    actions: list[str] = []
    for move, text in zip((*playback.moves, None), (*record.actions, None), strict=True):
        asked = len(playback.events)
        playback.fold_absent(move)
        spoken = [event for event in playback.events[asked:] if isinstance(event, _SPOKEN)]
        actions += [_spelt(playback, event) + SITS_OUT for event in spoken]
        if move is not None and text is not None:
            playback.play(move)
            actions.append(text)
    return replace(record, actions=tuple(actions))


def _spelt(playback: Playback, event: Folded | BroughtIn | Discarded | RunsChosen | Shown | Mucked) -> str:
    """Return the event as a move, with the number of its player in the record."""
    (text,) = spell_moves((event,))
    _, _, rest = text.partition(" ")
    return f"{playback.name(event.place)} {rest}"


def read_back(record: Record) -> Document:
    """Return the document that `written_out` turned into this record. The added folds are removed.

    >>> from pitboss import Record
    >>> from pitboss.documents import read_back
    >>> record = Record(variant="NT", antes=(0, 0), blinds_or_straddles=(1, 2), min_bet=2, starting_stacks=(50, 50),
    ...                 actions=("d dh p1 ????", "d dh p2 ????", "p2 cbr 6", "p1 f"), players=("Ann", "Bo"))
    >>> read_back(record).variant
    'NT'
    """
    return from_record(replace(record, actions=tuple(a for a in record.actions if not a.endswith(SITS_OUT))))


def scan_documents(lines: Lines, name: str, lenient: bool) -> Iterator[HandFound]:
    """Yield each document of a file as a record. Folds of players who left are included."""
    try:
        value = read_json("\n".join(line for _, line in lines))
    except DocumentError as error:
        yield HandFound(1, error=_not_json(error, name))
        return
    for number, fields in enumerate(value if isinstance(value, list) else [value], 1):
        try:
            if not isinstance(fields, dict):
                raise DocumentError("expected a JSON object")
            yield HandFound(1, written_out(from_fields(fields)), label=str(number))
        except ValueError as error:
            yield HandFound(1, error=ReadError(f"document {number}: {error}", name=name), label=str(number))


def _not_json(error: DocumentError, name: str) -> ReadError:
    """Return the error for a file with invalid JSON, with the line if it is known."""
    cause = error.__cause__
    if not isinstance(cause, JSONDecodeError):
        return ReadError(str(error), name=name, line=1)
    return ReadError(f"expected JSON: {describe_json_fault(cause)}", name=name, line=cause.lineno)
