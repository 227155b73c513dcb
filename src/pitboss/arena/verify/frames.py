"""A participant's record, frame by frame: which table each frame is of, whether any is missing, and how two differ.

Every public frame has a running number. A number that is left out is explained by a reconnect, which a `welcome`
or, for a spectator, a `table` shows, or by a void hand, whose frames are numbered past all that may have been
sent.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from pitboss.arena.rooms.messages import TableMessages
from pitboss.arena.wire import messages as wire

View: TypeAlias = wire.Snapshot | wire.GameView
Public: TypeAlias = wire.Mix | wire.StartHand | wire.HandEvent | wire.EndHand | wire.MatchEnd

_ENDING = (wire.Reveal, wire.MatchEnd)
ADDED = ("pots", "hands")
"""Fields of events that older arenas did not send."""


class RecordLine(Struct, frozen=True):
    """A frame of a record, and its line."""

    number: int
    message: wire.ServerMessage


class TableRecord(Struct):
    """What somebody was sent of one table, in order."""

    table: str
    lines: list[RecordLine] = field(default_factory=list)
    gaps: list[tuple[int, int]] = field(default_factory=list)  #: numbers of frames that were missed, and explained
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)  #: what does not follow by the rules from what was sent before
    later: list[wire.ServerMessage] = field(default_factory=list)  #: what ended this match, sent in a later sitting

    @property
    def first(self) -> int:
        """The line that it begins with."""
        return self.lines[0].number

    @property
    def ends(self) -> list[RecordLine]:
        """Where it was sent a head of the journal's hash chain."""
        return [line for line in self.lines if isinstance(line.message, wire.EndHand)]

    @property
    def hands(self) -> set[tuple[str, str]]:
        """Each hand whose beginning it was sent, and the commitment to its deck."""
        return _hands(self.lines)

    @property
    def seat(self) -> int | None:
        """The participant's seat; None for a spectator."""
        return next((line.message.seat for line in self.lines if isinstance(line.message, wire.Welcome)), None)

    @property
    def ended(self) -> int | None:
        """The line in which the match's end was sent."""
        return next((line.number for line in self.lines if isinstance(line.message, wire.MatchEnd)), None)

    @property
    def from_its_beginning(self) -> bool:
        """Whether the first frame with a number is the first that its match has sent, or there is none."""
        return next((seq for line in self.lines if (seq := getattr(line.message, "seq", None)) is not None), 1) == 1


def read_frames(lines: Iterable[str]) -> tuple[list[RecordLine], list[str], list[str]]:
    """The messages of a record, what of it is none, and where it was cut off and begun again."""
    frames, problems, notes = list[RecordLine](), list[str](), list[str]()
    torn: int | None = None  # the line before, if it is only the beginning of one
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            message: wire.ServerMessage | None = wire.read_server(line)
        except (msgspec.DecodeError, UnicodeError):
            message = None
        if torn is not None and isinstance(message, wire.Welcome | wire.TableMessage | wire.Error):
            notes.append(f"line {torn} is cut off: in line {number} another connection begins")
        elif torn is not None:
            problems.append(f"line {torn} is no message of the protocol")
        torn = number if message is None and _is_cut_off(line) else None
        if message is not None:
            frames.append(RecordLine(number, message))
        elif torn is None:
            problems.append(f"line {number} is no message of the protocol")
    if torn is not None:
        notes.append(f"line {torn}, the last one, is cut off")
    return frames, problems, notes


def _is_cut_off(line: str) -> bool:
    """Whether a line is the beginning of a frame."""
    try:
        msgspec.json.decode(line)
    except msgspec.DecodeError as error:
        return line.startswith("{") and "truncated" in str(error)
    return False


def split_by_table(frames: Sequence[RecordLine]) -> tuple[list[TableRecord], list[str]]:
    """A record's frames told apart by table, and what belongs to none; every sitting is looked through for gaps."""
    found: list[TableRecord] = []
    problems: list[str] = []
    now: TableRecord | None = None
    for at, line in enumerate(frames):
        message = line.message
        if isinstance(message, wire.Welcome | wire.TableMessage):
            known = [sitting for sitting in found if sitting.table == message.table_id]
            if known and _is_changed(known[-1], message):
                known[-1].lines.clear()  # nothing was played by them
                known[-1].notes.append(f"line {line.number}: the table's settings were changed before its first hand")
            elif not known or _begins_anew(known[-1], message, frames[at + 1 :]):
                known.append(TableRecord(message.table_id))
                found.append(known[-1])
            now = known[-1]
        if now is not None:
            now.lines.append(line)
        elif not isinstance(message, wire.Error):
            problems.append(f"line {line.number} is of no table: there is no welcome before it")
    for sitting in found:
        _look_for_gaps(sitting)
    _join_matches(found)
    return found, problems


def _join_matches(found: Sequence[TableRecord]) -> None:
    """Let an earlier sitting know how its match ended, where a later one goes on with it.

    A seat that is welcomed again is shown the table; else a server could cut off whatever it does not want compared.
    """
    for at, later in enumerate(found):
        for before in found[:at]:
            if before.table != later.table or before.ended is not None or not _continues(before, later):
                continue
            before.later += [line.message for line in later.lines if isinstance(line.message, _ENDING)]
            if before.seat == later.seat:
                later.problems.append(
                    f"line {later.first}: seat {later.seat} is welcomed again and shown no snapshot: something is "
                    "hidden, or this is another match, whose record belongs into a file of its own"
                )


def _continues(before: TableRecord, later: TableRecord) -> bool:
    """Whether a sitting's numbers go on where those of another ended, as only those of one match do."""
    earlier, here = _numbers(before), _numbers(later)
    return bool(earlier and here) and max(earlier) < min(here)


def _numbers(sitting: TableRecord) -> list[int]:
    return [seq for line in sitting.lines if (seq := getattr(line.message, "seq", None)) is not None]


def _is_changed(before: TableRecord, message: wire.Welcome | wire.TableMessage) -> bool:
    """Whether a table has other settings than before, and has not begun to play yet."""
    first = before.lines[0].message
    other = isinstance(first, wire.Welcome | wire.TableMessage) and not same_settings(first.config, message.config)
    return other and not any(_numbers(before))


def _begins_anew(before: TableRecord, message: wire.ServerMessage, after: Sequence[RecordLine]) -> bool:
    """Whether somebody who comes to a table that is known by its name comes to another match."""
    if isinstance(message, wire.Welcome):
        return not is_reconnect(after)
    shown = list(takewhile(lambda line: not isinstance(line.message, wire.Welcome | wire.TableMessage), after))
    hands, known = _hands(shown), before.hands
    if before.ended is not None:  # whoever comes back is sent the end again, and nothing after it
        return not hands & known if hands else not any(isinstance(line.message, wire.MatchEnd) for line in shown)
    return bool(hands and known) and not hands & known and TableRecord(before.table, shown).from_its_beginning


def _hands(lines: Iterable[RecordLine]) -> set[tuple[str, str]]:
    return {(line.message.hand_id, line.message.commit) for line in lines if isinstance(line.message, wire.StartHand)}


def is_reconnect(after: Sequence[RecordLine]) -> bool:
    """Whether a welcome is to a seat that was taken before: its snapshot comes before the next lobby."""
    for line in after:
        match line.message:
            case wire.Snapshot() | wire.GameView():
                return True
            case wire.Lobby() | wire.Welcome() | wire.TableMessage() | wire.Act() | wire.AskMessage():
                return False
    return False


class _Numbers(Struct):
    """How far a sitting's numbers have come."""

    last: int | None = None
    here: int | None = None  #: of the last frame since somebody came
    notice: bool = False  #: that frame said that a hand is void: who was away is sent this alone
    back: bool = False  #: a reconnect explains a jump, and that frames come again
    watches: bool = False  #: a spectator, who is shown the hand from its start after the lobby
    over: bool = False  #: the match's end was sent, which is sent again to whoever comes back
    unseen: bool = False  #: a player has come and was not shown the table yet
    revealed: str = ""  #: the last hand whose deck was revealed, since somebody came
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
            if not numbers.unseen:
                yield "a snapshot that no welcome announced"
            if numbers.last is not None and seq < numbers.last - numbers.over:
                yield f"the server had sent {numbers.last} frames and says that it has sent {seq}"
            if numbers.here not in (None, seq) and not numbers.notice:
                yield f"it follows frame {numbers.here}, and is of frame {seq}"
            _skip_to(sitting, numbers, seq, line)
            numbers.unseen, numbers.here = False, seq
        case wire.Act(turn=turn) | wire.AskMessage(turn=turn):
            if turn <= numbers.turn:
                yield f"turn {turn} is asked after turn {numbers.turn}"
            numbers.turn = turn
        case wire.Lobby():
            numbers.back, numbers.unseen = numbers.back and numbers.watches, False  # a player's greeting ends with it
        case wire.Reveal(hands=hands):
            for hand in hands:
                if hand.hand_id <= numbers.revealed or (numbers.over and not numbers.back):
                    yield f"the deck of {hand.hand_id} is revealed out of its order"
                numbers.revealed = hand.hand_id
        case wire.Turn() | wire.Error() | wire.Equities():
            pass
        case _:
            if numbers.revealed and not isinstance(message, wire.MatchEnd):
                yield "decks were revealed before it, and the match was not over"
            yield from _number_public(sitting, numbers, line, message)


def _number_public(sitting: TableRecord, numbers: _Numbers, line: RecordLine, message: Public) -> Iterator[str]:
    """A frame that everybody is sent, and that has a number."""
    seq, last, void = message.seq, numbers.last, isinstance(message, wire.VoidMessage)
    numbers.notice = void or (numbers.notice and isinstance(message, wire.EndHand))
    if numbers.here is not None and seq != numbers.here + 1 and not (void and seq > numbers.here):
        yield f"it is frame {seq}, and comes after frame {numbers.here}"
    if last is not None and seq <= last:
        if not numbers.back:
            yield f"frame {seq} comes after frame {last}"
        if numbers.seen.get(seq, message) != message:
            yield f"frame {seq} is another than when it was first sent"
    elif last is not None and seq > last + 1 and not (numbers.back or void):
        yield f"frames {last + 1} to {seq - 1} are missing before it, and no reconnect explains that"
    else:
        _skip_to(sitting, numbers, seq - 1, line)
        numbers.back = numbers.back and not numbers.watches
    numbers.seen[seq], numbers.here = message, seq
    numbers.last = max(seq, numbers.last or 0)
    if isinstance(message, wire.MatchEnd):
        numbers.over, numbers.revealed = True, ""


def _skip_to(sitting: TableRecord, numbers: _Numbers, seq: int, line: RecordLine) -> None:
    """Take in that everything up to this number was sent, here or while nobody was there."""
    last = numbers.last or 0
    if seq > last:
        sitting.gaps.append((last + 1, seq))
        when = "before it" if numbers.last is not None else "before it begins"
        sitting.notes.append(f"line {line.number}: frames {last + 1} to {seq} were sent {when}, and are not checked")
        numbers.last = seq


def is_view(view: View, messages: TableMessages, turn: int, seat: int | None) -> bool:
    """Whether a seat can have been shown the match so, with some of its time left."""
    match, time = messages.match, view.time_ms_remaining
    bank = view.you.bank_ms if isinstance(view, wire.Snapshot) else view.bank_ms
    if seat is None or seat not in match.history.seats or (time is None) != (match.to_act is None):
        return False
    using = lowest_bank(bank, match.bank_ms(seat))
    return (time or 0) <= match.move_time_ms and view == as_received(messages.snapshot(seat, turn, time, using))


def lowest_bank(sent: int | None, left: int | None) -> int | None:
    """What of a bank can have been sent while it may be in use: what was, but no more than there is."""
    return None if sent is None or left is None else min(sent, left)


def question_of(messages: TableMessages, turn: int, sent: wire.ServerMessage) -> wire.ServerMessage:
    """The open question, with as much time as was sent: a seat that is away is given less than a whole turn."""
    time = sent.you.time_ms if isinstance(sent, wire.Act) else getattr(sent, "time_ms", 0)
    match = messages.match
    hurried = not time and match.bank_ms(match.to_act) is not None
    return messages.question(turn, min(time, match.move_time_ms), 0 if hurried else None)


def same_settings(one: wire.Config, other: wire.Config) -> bool:
    """Whether two configs say the same, though older ones have no layouts of the games."""
    return one == other or (not (one.games and other.games) and replace(one, games=()) == replace(other, games=()))


def as_older(sent: wire.ServerMessage, message: wire.ServerMessage) -> wire.ServerMessage:
    """A frame as an older arena sent it, where the record's has none of the fields that were added since."""
    if isinstance(sent, wire.EventMessage):
        added = [name for name in ADDED if getattr(sent, name, ()) and not getattr(message, name, ())]
        return replace(sent, **dict.fromkeys(added, ())) if added else sent
    if isinstance(sent, wire.Welcome | wire.TableMessage) and isinstance(message, wire.Welcome | wire.TableMessage):
        return replace(sent, config=message.config) if same_settings(sent.config, message.config) else sent
    return sent


def without_places(message: wire.ServerMessage) -> wire.ServerMessage:
    """A match's end as it was sent before places stood in it."""
    if not isinstance(message, wire.MatchEnd):
        return message
    return replace(message, final_stacks=tuple([replace(row, place=None) for row in message.final_stacks]))


def as_received(message: wire.ServerMessage) -> wire.ServerMessage:
    """A message as whoever is sent it reads it."""
    return wire.read_server(wire.write(message))


def hand_of(message: wire.ServerMessage) -> str:
    """The hand that a frame is of, if any."""
    return str(getattr(message, "at_hand_id", None) or getattr(message, "hand_id", ""))


def describe_frame(message: wire.ServerMessage) -> str:
    """A frame as a sentence names it."""
    name = str(message.__struct_config__.tag)
    return f"{name} of {hand_of(message)}" if hand_of(message) else name


def changed_fields(message: Any, sent: Any) -> str:
    """The fields in which a frame is another than the one that should have been sent."""
    if type(message) is not type(sent):
        return f"it should be {describe_frame(sent)}"
    return ", ".join(name for name in message.__struct_fields__ if getattr(message, name) != getattr(sent, name))
