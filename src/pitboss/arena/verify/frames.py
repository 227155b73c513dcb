"""Read a participant's record of frames: group the frames by table, find missing ones, and compare two frames.

Every public frame has a running number. Two things explain a gap in the numbers: a reconnect, which starts with a
`welcome` (or a `table` for a spectator), and a void hand, which continues with a number higher than any frame that
may have been sent.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from pitboss.arena.hosts.host import ALL_EVENTS, AskParts
from pitboss.arena.rooms.messages import TableMessages
from pitboss.arena.wire import messages as wire
from pitboss.printing import printable

View: TypeAlias = wire.Snapshot | wire.GameView
Public: TypeAlias = wire.Mix | wire.StartHand | wire.HandEvent | wire.EndHand | wire.MatchEnd

_MOST_FIELDS = 3
_ENDING = (wire.Reveal, wire.MatchEnd)
ADDED = ("pots", "hands")
"""Fields of events that older versions do not have."""


class RecordLine(Struct, frozen=True):
    """A frame of a record, and its line number."""

    number: int
    message: wire.ServerMessage


class TableRecord(Struct):
    """The frames that one client received from one table, in order."""

    table: str
    lines: list[RecordLine] = field(default_factory=list)
    gaps: list[tuple[int, int]] = field(
        default_factory=list
    )  #: ranges of frame numbers that are missing, with a known reason
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)  #: frames that contradict the rules or earlier frames
    later: list[wire.ServerMessage] = field(default_factory=list)  #: frames in later parts of the record

    @property
    def first(self) -> int:
        """The number of the first line."""
        return self.lines[0].number

    @property
    def ends(self) -> list[RecordLine]:
        """The frames that contain a head of the journal's hash chain."""
        return [line for line in self.lines if isinstance(line.message, wire.EndHand)]

    @property
    def hands(self) -> set[tuple[str, str]]:
        """The ID and the deck's commitment of each hand whose start is in the record."""
        return _hands(self.lines)

    @property
    def seat(self) -> int | None:
        """The participant's seat; None for a spectator."""
        return next((line.message.seat for line in self.lines if isinstance(line.message, wire.Welcome)), None)

    @property
    def ended(self) -> int | None:
        """The line of the end of the match, if the record has it."""
        return next((line.number for line in self.lines if isinstance(line.message, wire.MatchEnd)), None)

    @property
    def from_its_beginning(self) -> bool:
        """Whether no numbered frame is missing at the beginning."""
        return next((seq for line in self.lines if (seq := getattr(line.message, "seq", None)) is not None), 1) == 1


def read_frames(lines: Iterable[str]) -> tuple[list[RecordLine], list[str], list[str]]:
    """Return the messages of a record, the problems of unreadable lines, and notes on lines that were cut off."""
    frames, problems, notes = list[RecordLine](), list[str](), list[str]()
    torn: int | None = None  # the previous line, if it was cut off
    fault = ""  # why the current line or the cut-off line cannot be read
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            message: wire.ServerMessage | None = wire.read_server(line)
        except (msgspec.DecodeError, UnicodeError) as error:
            message, fault = None, printable(str(error))
        if torn is not None and isinstance(message, wire.Welcome | wire.TableMessage | wire.Error):
            notes.append(f"line {torn} is cut off; a new connection begins in line {number}")
        elif torn is not None:
            problems.append(f"line {torn} is not a protocol message (it is cut off)")
        torn = number if message is None and _is_cut_off(line) else None
        if message is not None:
            frames.append(RecordLine(number, message))
        elif torn is None:
            problems.append(f"line {number} is not a protocol message ({fault})")
    if torn is not None:
        notes.append(f"line {torn}, the last line, is cut off")
    return frames, problems, notes


def _is_cut_off(line: str) -> bool:
    """Whether a line is only the first part of a frame."""
    try:
        msgspec.json.decode(line)
    except msgspec.DecodeError as error:
        return line.startswith("{") and "truncated" in str(error)
    return False


def split_by_table(frames: Sequence[RecordLine]) -> tuple[list[TableRecord], list[str]]:
    """Group a record's frames by table and match, find gaps, and report frames that belong to no table."""
    found: list[TableRecord] = []
    problems: list[str] = []
    now: TableRecord | None = None
    for at, line in enumerate(frames):
        message = line.message
        if isinstance(message, wire.Welcome | wire.TableMessage):
            known = [sitting for sitting in found if sitting.table == message.table_id]
            if known and _is_changed(known[-1], message):
                known[-1].lines.clear()  # no hand was played with the old settings
                known[-1].notes.append(
                    f"line {line.number}: the settings of the table were changed before the first hand"
                )
            elif not known or _begins_anew(known[-1], message, frames[at + 1 :]):
                known.append(TableRecord(message.table_id))
                found.append(known[-1])
            now = known[-1]
        if now is not None:
            now.lines.append(line)
        elif not isinstance(message, wire.Error):
            problems.append(f"line {line.number}: expected welcome or table first, got {describe_frame(message)}")
    for sitting in found:
        _look_for_gaps(sitting)
    _join_matches(found)
    return found, problems


def _join_matches(found: Sequence[TableRecord]) -> None:
    """If a later part of the record continues a match, copy the end of the match to the earlier part.

    A reconnected seat must receive a snapshot; otherwise a server could hide frames by a new connection.
    """
    for at, later in enumerate(found):
        for before in found[:at]:
            if before.table != later.table or before.ended is not None or not _continues(before, later):
                continue
            before.later += [line.message for line in later.lines if isinstance(line.message, _ENDING)]
            if before.seat == later.seat:
                later.problems.append(
                    f"line {later.first}: expected a snapshot after seat {later.seat} reconnected, got none: frames "
                    "are hidden, or another match begins here, whose record belongs in a separate file"
                )


def _continues(before: TableRecord, later: TableRecord) -> bool:
    """Whether the frame numbers of one part continue those of another part. Then both are of one match."""
    earlier, here = _numbers(before), _numbers(later)
    return bool(earlier and here) and max(earlier) < min(here)


def _numbers(sitting: TableRecord) -> list[int]:
    return [seq for line in sitting.lines if (seq := getattr(line.message, "seq", None)) is not None]


def _is_changed(before: TableRecord, message: wire.Welcome | wire.TableMessage) -> bool:
    """Whether the settings of a table were changed before its first hand."""
    first = before.lines[0].message
    other = isinstance(first, wire.Welcome | wire.TableMessage) and not same_settings(first.config, message.config)
    return other and not any(_numbers(before))


def _begins_anew(before: TableRecord, message: wire.ServerMessage, after: Sequence[RecordLine]) -> bool:
    """Whether a new connection to a table of the same name is to another match."""
    if isinstance(message, wire.Welcome):
        return not is_reconnect(after)
    shown = list(takewhile(lambda line: not isinstance(line.message, wire.Welcome | wire.TableMessage), after))
    hands, known = _hands(shown), before.hands
    if before.ended is not None:  # a reconnected client receives the end again, and no frame after it
        return not hands & known if hands else not any(isinstance(line.message, wire.MatchEnd) for line in shown)
    return bool(hands and known) and not hands & known and TableRecord(before.table, shown).from_its_beginning


def _hands(lines: Iterable[RecordLine]) -> set[tuple[str, str]]:
    return {(line.message.hand_id, line.message.commit) for line in lines if isinstance(line.message, wire.StartHand)}


def is_reconnect(after: Sequence[RecordLine]) -> bool:
    """Whether a welcome is for a seat that was taken before. In that case a snapshot comes before the next lobby."""
    for line in after:
        match line.message:
            case wire.Snapshot() | wire.GameView():
                return True
            case wire.Lobby() | wire.Welcome() | wire.TableMessage() | wire.Act() | wire.Ask():
                return False
    return False


class _Numbers(Struct):
    """The frame numbers of a record so far."""

    last: int | None = None
    here: int | None = None  #: of the last frame of this connection
    notice: bool = False  #: whether that frame voided a hand; a client that was away receives only this frame of it
    back: bool = False  #: after a reconnect: frames may be missing or repeated
    watches: bool = False  #: whether it is a spectator, who receives the lobby and then the open hand from its start
    over: bool = False  #: match_end was sent; a reconnected client receives it again
    unseen: bool = False  #: a player has connected and has not received a snapshot yet
    revealed: str = ""  #: the last hand whose deck was revealed in this connection
    turn: int = 0
    seen: dict[int, wire.ServerMessage] = field(default_factory=dict)


def _look_for_gaps(sitting: TableRecord) -> None:
    numbers = _Numbers()
    for line in sitting.lines:
        sitting.problems += [f"line {line.number}: {fault}" for fault in _number(sitting, numbers, line)]


def _number(sitting: TableRecord, numbers: _Numbers, line: RecordLine) -> Iterator[str]:
    message = line.message
    match message:
        case wire.Welcome() | wire.TableMessage():
            numbers.back, numbers.watches = True, isinstance(message, wire.TableMessage)
            numbers.unseen, numbers.revealed, numbers.here = not numbers.watches, "", None
        case wire.Snapshot(seq=seq) | wire.GameView(seq=seq):
            asked_for = isinstance(message, wire.GameView) and seq == numbers.last
            if not numbers.unseen and not asked_for:
                yield "expected a welcome before this snapshot"
            if numbers.last is not None and seq < numbers.last - numbers.over:
                yield f"expected a snapshot at frame {numbers.last} or later, got one at frame {seq}"
            if numbers.here not in (None, seq) and not numbers.notice:
                yield f"expected a snapshot at frame {numbers.here}, got one at frame {seq}"
            _skip_to(sitting, numbers, seq, line)
            numbers.unseen, numbers.here = False, seq
        case wire.Act(turn=turn) | wire.Ask(turn=turn):
            if turn <= numbers.turn:
                yield f"expected a turn above {numbers.turn}, got turn {turn}"
            numbers.turn = turn
        case wire.Lobby():
            numbers.back, numbers.unseen = (
                numbers.back and numbers.watches,
                False,
            )  # the lobby is the last frame that a player receives after a welcome
        case wire.Reveal(hands=hands):
            for hand in hands:
                if hand.hand_id <= numbers.revealed or (numbers.over and not numbers.back):
                    yield f"the deck of {hand.hand_id} is revealed out of order"
                numbers.revealed = hand.hand_id
        case wire.Turn() | wire.Error() | wire.Equities() | wire.TableViewMessage():
            pass
        case _:
            if numbers.revealed and not isinstance(message, wire.MatchEnd):
                yield "decks were revealed before this frame, but the match was not over"
            yield from _number_public(sitting, numbers, line, message)


def _number_public(sitting: TableRecord, numbers: _Numbers, line: RecordLine, message: Public) -> Iterator[str]:
    """Check the number of a public frame."""
    seq, last, void = message.seq, numbers.last, isinstance(message, wire.VoidMessage)
    numbers.notice = void or (numbers.notice and isinstance(message, wire.EndHand))
    if numbers.here is not None and seq != numbers.here + 1 and not (void and seq > numbers.here):
        yield f"expected frame {numbers.here + 1}, got frame {seq}"
    if last is not None and seq <= last:
        if not numbers.back:
            yield f"frame {seq} was sent again after frame {last}, without a reconnect"
        if numbers.seen.get(seq, message) != message:
            yield f"frame {seq} differs from the first time it was sent ({changed_fields(message, numbers.seen[seq])})"
    elif last is not None and seq > last + 1 and not (numbers.back or void):
        yield f"{name_frames(last + 1, seq - 1)} missing, and no reconnect explains the gap"
    else:
        _skip_to(sitting, numbers, seq - 1, line)
        numbers.back = numbers.back and not numbers.watches
    numbers.seen[seq], numbers.here = message, seq
    numbers.last = max(seq, numbers.last or 0)
    if isinstance(message, wire.MatchEnd):
        numbers.over, numbers.revealed = True, ""


def _skip_to(sitting: TableRecord, numbers: _Numbers, seq: int, line: RecordLine) -> None:
    """Count all frames up to this number as sent, and note the frames that are not in the record."""
    last = numbers.last or 0
    if seq > last:
        sitting.gaps.append((last + 1, seq))
        when = "while disconnected" if numbers.last is not None else "before the record begins"
        sitting.notes.append(f"line {line.number}: {name_frames(last + 1, seq)} sent {when}, and not checked")
        numbers.last = seq


def name_frames(first: int, last: int) -> str:
    """Return a range of frame numbers with its verb, such as `frame 3 was` or `frames 3 to 5 were`."""
    return f"frame {first} was" if first == last else f"frames {first} to {last} were"


def is_view(view: View, messages: TableMessages, turn: int, seat: int | None) -> bool:
    """Whether a snapshot shows the present state of the match. The time that is left is not compared."""
    match, time = messages.match, view.time_ms_remaining
    bank = view.you.bank_ms if isinstance(view, wire.Snapshot) else view.bank_ms
    if seat is None or seat not in match.history.seats or (time is None) != (match.to_act is None):
        return False
    using = lowest_bank(bank, match.bank_ms(seat))
    return (time or 0) <= match.move_time_ms and view == _without_text(
        as_received(messages.snapshot(seat, turn, time, using, table=getattr(view, "table", None) is not None)), view
    )


def lowest_bank(sent: int | None, left: int | None) -> int | None:
    """Return the time bank that a frame may show while it is in use: the value sent before, at most what is left."""
    return None if sent is None or left is None else min(sent, left)


def question_of(messages: TableMessages, turn: int, sent: wire.ServerMessage) -> wire.ServerMessage:
    """Return the open question with the time of the frame that was sent.

    A seat that is away gets less than a whole turn.
    """
    time = sent.you.time_ms if isinstance(sent, wire.Act) else getattr(sent, "time_ms", 0)
    match = messages.match
    hurried = not time and match.bank_ms(match.to_act) is not None
    parts = ALL_EVENTS
    if isinstance(sent, wire.Ask):
        parts = AskParts(sent.learned_from or 0, sent.rules is not None, sent.table is not None)
    question = messages.question(turn, min(time, match.move_time_ms), 0 if hurried else None, parts)
    return _without_text(question, sent)


def _without_text(message: wire.ServerMessage, sent: wire.ServerMessage) -> wire.ServerMessage:
    """Return a message without its words and its default if the frame has none, because an older version sent it."""
    asking = wire.Ask | wire.GameView
    if isinstance(message, asking) and isinstance(sent, asking):
        text = None if sent.text is None else message.text
        return replace(message, text=text, default=None if sent.default is None else message.default)
    if isinstance(message, wire.Happened) and isinstance(sent, wire.Happened) and sent.text is None:
        return replace(message, text=None)
    return message


def same_settings(one: wire.Config, other: wire.Config) -> bool:
    """Whether two configs are equal. Older configs have no layouts of the games; layouts are then not compared."""
    return one == other or (not (one.games and other.games) and replace(one, games=()) == replace(other, games=()))


def as_older(sent: wire.ServerMessage, message: wire.ServerMessage) -> wire.ServerMessage:
    """Return a frame without the fields added later, if the recorded frame has none of them."""
    sent = _without_text(sent, message)
    if isinstance(sent, wire.EventMessage):
        added = [name for name in ADDED if getattr(sent, name, ()) and not getattr(message, name, ())]
        return replace(sent, **dict.fromkeys(added, ())) if added else sent
    if isinstance(sent, wire.Welcome | wire.TableMessage) and isinstance(message, wire.Welcome | wire.TableMessage):
        return replace(sent, config=message.config) if same_settings(sent.config, message.config) else sent
    return sent


def without_places(message: wire.ServerMessage) -> wire.ServerMessage:
    """Return the end of a match without places, as older versions sent it."""
    if not isinstance(message, wire.MatchEnd):
        return message
    return replace(message, final_stacks=tuple([replace(row, place=None) for row in message.final_stacks]))


def as_received(message: wire.ServerMessage) -> wire.ServerMessage:
    """Return a message in the form in which a client reads it."""
    return wire.read_server(wire.write(message))


def hand_of(message: wire.ServerMessage) -> str:
    """Return the ID of the hand that a frame belongs to, or an empty string."""
    return str(getattr(message, "at_hand_id", None) or getattr(message, "hand_id", ""))


def describe_frame(message: wire.ServerMessage) -> str:
    """Return a description of a frame, such as `FLOP of H-2026-02-28-00001`."""
    name = str(message.__struct_config__.tag)
    return f"{name} of {hand_of(message)}" if hand_of(message) else name


def name_actions(actions: Iterable[object]) -> str:
    """Return the names of actions, such as `check or fold`. Actions of other games are written as JSON."""
    names = [type(action).__name__.lower() if isinstance(action, Struct) else repr(action) for action in actions]
    return " or ".join(dict.fromkeys(names))


def changed_fields(message: Any, sent: Any) -> str:
    """Return the fields in which a frame differs from the expected one, each with the expected and the found value."""
    if type(message) is not type(sent):
        return f"expected {describe_frame(sent)}, got {describe_frame(message)}"
    found = [*_differences("", message, sent)]
    more = f"; and {len(found) - _MOST_FIELDS} more" if len(found) > _MOST_FIELDS else ""
    return "; ".join(found[:_MOST_FIELDS]) + more


def _differences(where: str, found: Any, expected: Any) -> Iterator[str]:
    """Yield a sentence for each value that differs, down to the fields of structs in lists."""
    if isinstance(expected, Struct) and type(found) is type(expected):
        names = expected.__struct_fields__
        inner = [(f"{where}.{name}".lstrip("."), getattr(found, name), getattr(expected, name)) for name in names]
    elif _is_list_of_structs(found) and _is_list_of_structs(expected):
        if len(found) != len(expected):
            yield f"{where}: expected {len(expected)} items, got {len(found)}"
            return
        inner = [(f"{where}[{k}]", *pair) for k, pair in enumerate(zip(found, expected, strict=True))]
    else:
        inner = []
        yield f"{where}: expected {_written(expected)}, got {_written(found)}"
    for path, one, other in inner:
        if one != other:
            yield from _differences(path, one, other)


def _is_list_of_structs(value: Any) -> bool:
    return isinstance(value, tuple) and any(isinstance(each, Struct) for each in value)


def _written(value: Any) -> str:
    """Return a value as JSON, cut after 60 characters."""
    text = printable(msgspec.json.encode(value).decode())
    return f"{text[:60]}…" if len(text) > 60 else text
