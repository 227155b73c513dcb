"""A journal played again entry by entry: everything in it must follow from what stands before it.

The hands are played by the match itself, as they were when the journal was written: no rule is written down twice.
What is sent of every entry comes out of it too, so that a participant's record can be held against it.
"""

from collections.abc import Sequence
from datetime import date
from typing import Any, assert_never

import msgspec

from pitboss.arena.hosts.games import make_host
from pitboss.arena.journal.fold import History, HistoryError
from pitboss.arena.journal.records import (
    Acted,
    HandStarted,
    HandVoided,
    MatchEnded,
    NumbersBound,
    Record,
    Seated,
    Settings,
    TableOpened,
    read_record,
)
from pitboss.arena.rooms.changes import change_settings
from pitboss.arena.rooms.match import Match
from pitboss.arena.rooms.recovery import may_have_sent
from pitboss.arena.v1.messages import ServerMessage
from pitboss.store.chain import Entry

LATER = {"game", "reopening", "ante", "bring_in", "time_bank_ms", "button", "freeze_out"}
WRITTEN_FIRST = frozenset(Settings.__struct_fields__) - LATER
"""The settings that every journal names; the others came later, and one of before plays by what they are without."""


class JournalReplay:
    """A table played again from its first entry; an entry that cannot follow raises an error of one sentence."""

    def __init__(self, opening: Entry) -> None:
        opened = read_record(opening.body)
        if not isinstance(opened, TableOpened):
            raise HistoryError("it does not begin with the table's settings")
        _check_fields(opening, opened)
        _check_settings(opening)
        if (opening.seq, opening.after, opening.seals) != (1, 0, True):
            raise HistoryError("the table is not opened as tables are (its number)")
        history = History(opening.table)
        history.take(opened, over=True)
        self.match = Match(history, make_host(opened.settings))
        self.record: Record = opened  #: the last one, read
        self.turn = 0  #: the entry that led to the open question
        self.hands = 0  #: that are over
        self.voided = 0  #: of them
        self._day = ""

    @property
    def where(self) -> str:
        """The hand that the next entry belongs to."""
        hand = self.match.history.hand
        return hand.started.hand_id if hand is not None else f"after hand {self.match.history.hands}"

    def take(self, entry: Entry) -> Sequence[ServerMessage]:
        """Do again what one more entry says; gives back what everybody was sent of it."""
        record = read_record(entry.body)
        if entry.after != entry.seq - 1 and not isinstance(record, HandVoided):
            raise HistoryError(f"entry {entry.seq} steps over others, and voids no hand")
        match, last = self.match, self.match.history.last
        record = self.record = self._do(entry, record)
        _check_fields(entry, record)
        if (hand := match.history.last) is not None and hand is not last:
            self.hands, self.voided = self.hands + 1, self.voided + hand.void
        if entry.seals == match.underway:
            raise HistoryError(f"entry {entry.seq} {'seals' if entry.seals else 'does not seal'}, and should not be so")
        match.audit()
        if not isinstance(record, Seated):
            self.turn = entry.seq
        return match.messages(record, entry.hash, over=not match.underway)

    def _do(self, entry: Entry, record: Record) -> Record:
        match = self.match
        match record:
            case TableOpened():
                _check_settings(entry)
                change_settings(match, record)
                return record
            case Seated():
                return match.play_again(record)
            case NumbersBound():
                self._check_begins(record)
                return match.play_again(record)
            case HandStarted():
                self._check_begins(record)
                return match.play_again(record)
            case Acted():
                self._check_absence(record)
                return match.play_again(record)
            case HandVoided():
                self._check_void(entry, record)
                return match.void(record.torn_at, record.reason, record.seq)
            case MatchEnded():
                match.history.check(record)
                return match.end()
            case _:
                assert_never(record)

    def _check_begins(self, record: HandStarted | NumbersBound) -> None:
        """A hand is called and numbered as the one that comes next."""
        match, day = self.match, record.hand_id[2:12]
        if not match.can_start:
            raise HistoryError(f"{record.hand_id} begins when no hand can")
        if record.hand_id != f"H-{day}-{match.history.hands + 1:05d}" or not _is_day(day) or day < self._day:
            raise HistoryError(f"{record.hand_id} is not what the hand after hand {match.history.hands} is called")
        if record.seq != match.seq + 1:
            raise HistoryError(f"{record.hand_id} begins with message {record.seq}, not {match.seq + 1}")
        self._day = day

    def _check_absence(self, acted: Acted) -> None:
        """Whose time was up is played as the settings say."""
        match = self.match
        if acted.cause != "timeout" or match.asked != acted.seat:
            return
        actions = [match.host.in_absence(policy) for policy in match.policies_in_absence(acted.seat)]
        if match.host.read_acted(acted).action not in actions:
            raise HistoryError(f"seat {acted.seat} is not played as the table plays a seat whose time is up")

    def _check_void(self, entry: Entry, voided: HandVoided) -> None:
        match, lost = self.match, entry.seq - entry.after - 1
        if lost < 1:
            raise HistoryError(f"hand {voided.number} is void, and nothing of the journal was lost")
        if match.over or match.decided:
            raise HistoryError(f"hand {voided.number} is void, and the match was decided")
        hand = match.history.hand
        number, hand_id = (match.history.hands, hand.started.hand_id) if hand else (match.history.hands + 1, "")
        due = number, hand_id, entry.after + 1, match.seq + may_have_sent(lost)
        if (voided.number, voided.hand_id, voided.torn_at, voided.seq) != due:
            raise HistoryError(f"hand {voided.number} is void otherwise than what was lost makes it")


def _check_settings(entry: Entry) -> None:
    """A table is opened by settings that are written down."""
    missing = WRITTEN_FIRST - msgspec.json.decode(entry.body)["settings"].keys()
    if missing:
        raise HistoryError(f"the table is not opened as tables are ({', '.join(sorted(missing))})")


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _check_fields(entry: Entry, record: Record) -> None:
    """A record has no field but its own: what is not read could say anything."""
    extra = _extra(msgspec.json.decode(entry.body), msgspec.json.decode(msgspec.json.encode(record)))
    if extra is not None:
        raise HistoryError(f"entry {entry.seq} has {extra!r}, which no {type(record).__name__} has")


def _extra(written: Any, read: Any) -> str | None:
    """The first field that is written and not read."""
    if isinstance(written, dict) and isinstance(read, dict):
        for name, value in written.items():
            if name not in read:
                return str(name)
            if (extra := _extra(value, read[name])) is not None:
                return extra
    if isinstance(written, list) and isinstance(read, list):
        return next((extra for pair in zip(written, read, strict=False) if (extra := _extra(*pair)) is not None), None)
    return None
