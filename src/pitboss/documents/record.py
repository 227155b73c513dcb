"""The table document as a recorded hand and back: the table's fields become the annotator's own fields of PHH."""

from collections.abc import Iterator, Mapping
from json import JSONDecodeError
from typing import Any

from msgspec.structs import replace

from pitboss.betting.events import BroughtIn, Folded
from pitboss.documents.fields import Document, DocumentError, camel, from_fields, read_json
from pitboss.formats.scan import HandFound, Lines, ReadError, describe_json_fault
from pitboss.hand.events import Discarded, Mucked, Shown
from pitboss.records.moves import spell_moves
from pitboss.records.record import STANDARD, Record
from pitboss.records.replay import Playback, begin

_OF_THE_TABLE = {
    "_inactive": "inactive",
    "_intents": "intents",
    "_deadBlinds": "dead_blinds",
    "_deadMoney": "dead_money",
}
SITS_OUT = " # sits out"

_SPOKEN = (Folded, BroughtIn, Discarded, Shown, Mucked)


def to_record(document: Document) -> Record:
    """The document as a recorded hand: the table's fields are user fields, left out where plain PHH says the same."""
    user = {name: value for name, value in document.rest.items() if name.startswith("_")}
    standard = {name: value for name, value in document.rest.items() if not name.startswith("_")}
    if document.antes_alike:
        standard.setdefault("ante_trimming_status", True)
        if not standard["ante_trimming_status"]:
            del standard["ante_trimming_status"]
    unknown = [name for name in standard if name not in STANDARD]
    if unknown:
        raise DocumentError(f"unknown field {camel(unknown[0])}: own fields begin with _")
    for name in _OF_THE_TABLE:
        value = getattr(document, _OF_THE_TABLE[name])
        if any(value) if isinstance(value, tuple) else value:
            user[name] = value
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


def _is_plain(document: Document) -> bool:
    """Whether the players stand as plain PHH lists them, from the button's left to the button."""
    playing = [player for player in document.clockwise if document.dealt_in[player]]
    if document.button not in playing:
        return False
    first = playing.index(document.button) + 1
    return playing[first:] + playing[:first] == sorted(playing)


def from_record(record: Record) -> Document:
    """A recorded hand as a table document; plain PHH has the button last."""
    fields = {camel(name): _thawed(getattr(record, name)) for name in STANDARD if getattr(record, name) is not None}
    fields |= {name: _thawed(value) for name, value in record.user.items()}
    if len(set(record.antes)) == 1 and any(record.antes) and fields.setdefault("anteTrimmingStatus", False):
        del fields["anteTrimmingStatus"]
    listed = fields.pop("_seatCount", None)
    if listed is not None and listed == [fields.get("seatCount")]:
        fields["seatCount"] = listed
    n = len(record.starting_stacks)
    fields.setdefault("players", [f"p{i + 1}" for i in range(n)])
    document = from_fields(fields)
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


def written_out(document: Document) -> Record:
    """The document as a record that any program can replay: the folds of those who left stand in it, marked."""
    record = to_record(document)
    if not any(document.inactive) or sum(document.dealt_in) < 2:
        return record
    playback = begin(record)
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


def _spelt(playback: Playback, event: Folded | BroughtIn | Discarded | Shown | Mucked) -> str:
    """A move, with the number that its player has in the record."""
    (text,) = spell_moves((event,))
    _, _, rest = text.partition(" ")
    return f"{playback.name(event.place)} {rest}"


def read_back(record: Record) -> Document:
    """The document of a record; folds that `written_out` put in are taken out again."""
    return from_record(replace(record, actions=tuple(a for a in record.actions if not a.endswith(SITS_OUT))))


def scan_documents(lines: Lines, name: str, lenient: bool) -> Iterator[HandFound]:
    """Every document of a file as a record, actions written out."""
    try:
        value = read_json("\n".join(line for _, line in lines))
    except DocumentError as error:
        yield HandFound(1, error=_not_json(error, name))
        return
    for number, fields in enumerate(value if isinstance(value, list) else [value], 1):
        try:
            if not isinstance(fields, dict):
                raise DocumentError("a document must be a JSON object")
            yield HandFound(1, written_out(from_fields(fields)), label=str(number))
        except ValueError as error:
            yield HandFound(1, error=ReadError(f"document {number}: {error}", name=name), label=str(number))


def _not_json(error: DocumentError, name: str) -> ReadError:
    """The same fault with the line at which it is."""
    cause = error.__cause__
    if not isinstance(cause, JSONDecodeError):
        return ReadError(str(error), name=name, line=1)
    return ReadError(f"this is not JSON: {describe_json_fault(cause)}", name=name, line=cause.lineno)
