"""Verify a match from its journal; `transcript.py` verifies it from the frames of one participant.

Every hand is replayed entry by entry, and each entry must follow from the previous ones. The frames of each entry are
made again, and a participant's record is compared with them frame by frame. Each failed check gives one sentence.
Nothing is repaired. All values that can be computed are computed and not trusted.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any, TypeAlias, assert_never

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pitboss import RULES_VERSION
from pitboss.arena.hosts.games import make_host
from pitboss.arena.hosts.host import Step
from pitboss.arena.journal.history import History, HistoryError, day_of, hands_of, read_entries
from pitboss.arena.journal.records import (
    Acted,
    DecksRevealed,
    HandStarted,
    HandVoided,
    MatchEnded,
    NumbersBound,
    Record,
    Seated,
    Settings,
    TableOpened,
    TeamLeft,
    ToppedUp,
    TopUpAsked,
    Wished,
    read_record,
)
from pitboss.arena.rooms.cash import open_match
from pitboss.arena.rooms.match import Change
from pitboss.arena.rooms.messages import TableMessages
from pitboss.arena.rooms.recovery import change_settings, may_have_sent, recover
from pitboss.arena.verify.frames import (
    RecordLine,
    TableRecord,
    as_older,
    as_received,
    changed_fields,
    describe_frame,
    hand_of,
    is_reconnect,
    is_view,
    lowest_bank,
    name_actions,
    name_frames,
    question_of,
    without_places,
)
from pitboss.arena.verify.report import NONSENSE, Report, in_order
from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.messages import ServerMessage
from pitboss.store.chain import Entry, Reading

ADDED_LATER = {"game", "reopening", "ante", "bring_in", "time_bank_ms", "button", "freeze_out", "away_pace_ms"}
ADDED_LATER |= {"cash", "min_buy_in", "rake", "rake_cap", "straddle", "bots_rebuy", "own_game"}
WRITTEN_FIRST = frozenset(Settings.__struct_fields__) - ADDED_LATER
"""The settings that every journal has.

All other settings were added later, and have their default in older journals.
"""

MOST_NAMED = 20
"""The maximum number of differences listed for one record."""
OTHER_HEAD = "the hash that was sent after this hand is not in the journal"
ONLY_IN_RECORD = "in the record, but not in the journal"
NEVER = "the table was never in this state during the match"


class JournalReplay:
    """A table replayed from its first entry; an entry that cannot follow raises an error."""

    def __init__(self, opening: Entry) -> None:
        opened = read_record(opening.body)
        if not isinstance(opened, TableOpened):
            raise HistoryError(f"expected a table_opened record, got {type(opened).__name__}")
        _check_fields(opening, opened)
        _check_settings(opening)
        if (opening.seq, opening.after, opening.seals) != (1, 0, True):
            found = f"number {opening.seq} after {opening.after}, {'sealed' if opening.seals else 'not sealed'}"
            raise HistoryError(f"expected the first entry to have number 1 after 0, sealed, got {found}")
        history = History(opening.table)
        history.take(opened, over=True)
        self.match = open_match(history, make_host(opened.settings))
        self.messages = TableMessages(self.match)
        self.record: Record = opened  #: the last record
        self.turn = 0  #: the entry that led to the open question
        self.hands = 0  #: finished hands
        self.voided = 0  #: the number of void hands

    @property
    def where(self) -> str:
        """Describe the hand that the next entry belongs to."""
        hand = self.match.history.hand
        return hand.started.hand_id if hand is not None else f"after hand {self.match.history.hands}"

    def take(self, entry: Entry) -> Sequence[ServerMessage]:
        """Replay the next entry and return its public frames."""
        record = read_record(entry.body)
        if entry.after != entry.seq - 1 and not isinstance(record, HandVoided):
            raise HistoryError(
                f"entry {entry.seq} voids no hand: expected it to follow entry {entry.seq - 1}, got {entry.after}"
            )
        match, last = self.match, self.match.history.last
        change = self._do(entry, record)
        record = self.record = change.record if isinstance(change, Step) else change
        _check_fields(entry, record)
        if (hand := match.history.last) is not None and hand is not last:
            self.hands, self.voided = self.hands + 1, self.voided + hand.void
        if entry.seals == match.underway:
            expected, found = ("unsealed", "sealed") if entry.seals else ("sealed", "unsealed")
            raise HistoryError(f"expected entry {entry.seq} to be {expected}, got a {found} one")
        match.audit()
        if isinstance(record, HandStarted | Acted):
            self.turn = entry.seq
        return self.messages.of(change, entry.hash)

    def _do(self, entry: Entry, record: Record) -> Change:
        match = self.match
        match record:
            case TableOpened():
                _check_settings(entry)
                change_settings(match, record)
                return record
            case Seated() | Wished() | TopUpAsked() | ToppedUp() | TeamLeft() | DecksRevealed():
                self._check_due(record)
                return match.replay(record)
            case NumbersBound():
                self._check_begins(record)
                return match.replay(record)
            case HandStarted():
                self._check_begins(record)
                return match.replay(record)
            case Acted():
                self._check_absence(record)
                return match.replay(record)
            case HandVoided():
                self._check_void(entry, record)
                return match.void(record.torn_at, record.reason, record.seq)
            case MatchEnded():
                match.history.check(record)
                return match.end()
            case _:
                assert_never(record)

    def _check_begins(self, record: HandStarted | NumbersBound) -> None:
        """Check that the next hand may begin, and that its ID and message number are right."""
        match, day, last = self.match, day_of(record), self.match.history.day
        if not match.can_start:
            raise HistoryError(
                f"{record.hand_id} begins, but the match is over, a hand is open, or too few seats have chips"
            )
        number = f"{match.history.hands + 1:05d}"
        if record.hand_id != f"H-{day}-{number}" or not _is_day(day) or day < last:
            since = f" from {last} on" if last else ""
            raise HistoryError(f"hand_id: expected H-, a day{since} and -{number}, got {record.hand_id}")
        if record.seq != match.seq + 1:
            raise HistoryError(f"{record.hand_id}: expected message number {match.seq + 1}, got {record.seq}")

    def _check_due(self, record: Record) -> None:
        """Check that a team leaves a cash table only after a request, or if it has no chips."""
        match = self.match
        if isinstance(record, TeamLeft) and record != match.due_record():
            raise HistoryError(f"seat {record.seat} leaves with {record.stack} chips, which is not due")

    def _check_absence(self, acted: Acted) -> None:
        """Check that the action of a seat whose time was up follows the timeout policy."""
        match = self.match
        if acted.cause == "client" or match.to_act != acted.seat:
            return
        if (acted.cause == "out") != (acted.seat in match.folding):
            raise HistoryError(f"seat {acted.seat}: an action for a seat that sits out, but the seat does not sit out")
        actions = [match.host.default_action(policy) for policy in match.default_policies(acted.seat)]
        action = match.host.read_acted(acted).action
        if action not in actions:
            expected, found = name_actions(actions), name_actions([action])
            raise HistoryError(f"seat {acted.seat}, action on a timeout: expected {expected}, got {found}")

    def _check_void(self, entry: Entry, voided: HandVoided) -> None:
        match, lost = self.match, entry.seq - entry.after - 1
        if lost < 1:
            raise HistoryError(f"hand {voided.number} is void, but no entry of the journal is missing")
        if match.over or match.decided:
            raise HistoryError(f"hand {voided.number} is void, but the match was decided before")
        hand = match.history.hand
        number, hand_id = (match.history.hands, hand.started.hand_id) if hand else (match.history.hands + 1, "")
        due = number, hand_id, entry.after + 1, match.seq + may_have_sent(lost)
        found = voided.number, voided.hand_id, voided.torn_at, voided.seq
        if found != due:
            raise HistoryError(f"void hand: expected number, hand_id, torn_at and seq to be {due}, got {found}")


def _check_settings(entry: Entry) -> None:
    """Check that the record has all required settings."""
    missing = WRITTEN_FIRST - msgspec.json.decode(entry.body)["settings"].keys()
    if missing:
        raise HistoryError(f"the table_opened record lacks the settings {', '.join(sorted(missing))}")


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _check_fields(entry: Entry, record: Record) -> None:
    """Check that a record has no unknown field, because such a field is not verified."""
    extra = _extra(msgspec.json.decode(entry.body), msgspec.json.decode(msgspec.json.encode(record)))
    if extra is not None:
        raise HistoryError(
            f"entry {entry.seq} has the field {extra!r}, which a record of type {type(record).__name__} does not have"
        )


def _extra(written: Any, read: Any) -> str | None:
    """Return the first written field that was not read."""
    if isinstance(written, dict) and isinstance(read, dict):
        for name, value in written.items():
            if name not in read:
                return str(name)
            if (extra := _extra(value, read[name])) is not None:
                return extra
    if isinstance(written, list) and isinstance(read, list):
        return next((extra for pair in zip(written, read, strict=False) if (extra := _extra(*pair)) is not None), None)
    return None


class _Between(Struct):
    """A frame without a number, and the frame numbers between which it was sent."""

    line: RecordLine
    last: int
    next: int | None = None


class Comparison:
    """Compares one record with its table while the journal is replayed."""

    def __init__(self, sitting: TableRecord) -> None:
        self.sitting = sitting
        self.compared = 0
        self.heads = 0
        self.problems: list[str] = []
        self.notes: list[str] = []
        self._heads: set[tuple[str, str]] = set()  # in the journal: hand ID and head
        self._commits: set[tuple[str, str]] = set()  # in the journal: hand ID and commitment of the deck
        self._other_heads: list[str] = []
        self._numbered: dict[int, list[RecordLine]] = defaultdict(list)
        self._questions: dict[int, list[RecordLine]] = defaultdict(list)
        self._asked_after: dict[int, int] = {}  # the frame before each question, by line
        self._coming: list[_Between] = []  # in reverse order
        self._here: list[_Between] = []  # the frames that may have been sent at the current entry
        self._constant: list[RecordLine] = []  # frames whose content does not depend on the time
        self._seat = next((line.message.seat for line in sitting.lines if isinstance(line.message, wire.Welcome)), None)
        self._sat_down: int | None = None  # the number of the last frame before the participant's seat was taken
        self._seq = 0  # the number of the last frame according to the journal
        self._question: tuple[int, int] | None = None  # the seat to act, and its turn
        self._sort()
        self._sent = set(self._numbered)
        self._asked = {getattr(line.message, "turn", None) for line in sitting.lines}

    def _sort(self) -> None:
        """Group the frames by their position in the journal."""
        last, here, waiting, found, came = 0, 0, list[_Between](), list[_Between](), False
        for line in self.sitting.lines:
            message = line.message
            match message:
                case wire.Act(turn=turn) | wire.Ask(turn=turn):
                    self._questions[turn].append(line)
                    self._asked_after[line.number] = here
                case wire.Error() | wire.Equities():
                    pass  # not in the journal
                case wire.Snapshot(seq=seq) | wire.GameView(seq=seq):
                    found.append(_Between(line, seq, seq + 1))
                    last = here = max(last, seq)
                case wire.Welcome() | wire.TableMessage() | wire.Reveal():
                    self._constant.append(line)
                    came = isinstance(message, wire.TableMessage)
                case wire.Lobby() | wire.Turn():
                    # A new spectator first receives the lobby, and then the hand from its start.
                    (found if came else waiting).append(_Between(line, here))
                    came = False
                case _:
                    self._numbered[message.seq].append(line)
                    here, last = message.seq, max(last, message.seq)
                    found += [_Between(frame.line, frame.last, here) for frame in waiting if frame.last < here]
                    waiting = [frame for frame in waiting if frame.last >= here]
        self._coming = sorted([*found, *waiting], key=lambda frame: frame.last, reverse=True)

    # --- during the replay

    def see(self, replay: JournalReplay, entry: Entry, messages: Sequence[wire.ServerMessage]) -> None:
        """Compare the frames of an entry with the record."""
        match = replay.match
        if self._sat_down is None and self._seat in match.history.seats:
            self._sat_down = self._seq
        if isinstance(replay.record, Acted) and replay.record.cause == "client":
            self._check_asked()
        for message in messages:
            if isinstance(message, wire.VoidMessage):
                self._let_pass(entry, message)
            if isinstance(message, wire.EndHand):
                self._heads.add((message.hand_id, message.chain))
            if isinstance(message, wire.StartHand):
                self._commits.add((message.hand_id, message.commit))
            seq = getattr(message, "seq", None)
            if seq is not None:
                self._seq = seq
                for line in self._numbered.pop(seq, ()):
                    self._compare(line, message)
        if match.to_act is not None:
            for line in self._questions.pop(replay.turn, ()):
                self._compare(line, question_of(replay.messages, replay.turn, line.message))
                if self._seat != match.to_act:
                    self._differs(
                        line, f"the journal asks seat {match.to_act}, but the participant has seat {self._seat}"
                    )
                if (after := self._asked_after[line.number]) != self._seq:
                    self._differs(line, f"expected it after frame {self._seq}, got it after frame {after}")
        self._question = None if match.to_act is None else (match.to_act, replay.turn)
        self._look_around(replay.messages, replay.turn)

    def _check_asked(self) -> None:
        """Check that the record has the question for each answer, if no frame near it is missing."""
        seat, turn = self._question or (None, 0)
        if seat == self._seat and turn not in self._asked and self._sent >= {self._seq, self._seq + 1}:
            self.problems.append(f"turn {turn}: seat {seat} answered it, but the record has no question for it")

    def _look_around(self, messages: TableMessages, turn: int) -> None:
        """Find the unnumbered frames that may have been sent at this entry."""
        while self._coming and self._coming[-1].last <= self._seq:
            self._here.append(self._coming.pop())
        here = []
        for frame in self._here:
            if frame.next is not None and frame.next <= self._seq:
                self._differs(frame.line, NEVER)
            elif _may_have_been_sent(frame.line.message, messages, turn, self._seat):
                self.compared += 1
            else:
                here.append(frame)
        self._here = here

    def _let_pass(self, entry: Entry, voided: wire.VoidMessage) -> None:
        """Drop the frames of a damaged hand, because the journal has lost them. Frames that end a hand are kept."""
        lost = [seq for seq in sorted(self._numbered) if self._seq < seq < voided.seq]
        passed = 0
        for seq in lost:
            hands = {hand_of(line.message) for line in self._numbered[seq]}
            final = any(
                isinstance(line.message, wire.EndHand | wire.MatchEnd | wire.VoidMessage)
                for line in self._numbered[seq]
            )
            if not final and len({*hands, voided.hand_id or next(iter(hands))}) == 1:
                del self._numbered[seq]
                passed += 1
        for turn in [turn for turn in self._questions if entry.after < turn < entry.seq]:
            passed += len(self._questions.pop(turn))
        numbers = {line.number: getattr(line.message, "seq", 0) for line in self.sitting.lines}
        until = next((number for number, seq in numbers.items() if seq >= voided.seq), None)
        pending = [*self._here, *self._coming]
        passing = [frame for frame in pending if until is None or frame.line.number < until]
        passed += len(passing)
        self._here = [frame for frame in self._here if frame not in passing]
        self._coming = [frame for frame in self._coming if frame not in passing]
        if passed:
            self.notes.append(
                f"{voided.hand_id or 'a hand'} is void, and the journal no longer has its frames: {passed} not compared"
            )

    def _compare(self, line: RecordLine, sent: wire.ServerMessage) -> None:
        self.compared += 1
        message = line.message
        if isinstance(message, wire.EndHand) and isinstance(sent, wire.EndHand):
            sent = replace(sent, chain=message.chain)  # heads are compared separately
        sent = as_older(sent, message)
        if message not in (sent, as_received(sent), without_places(sent)):
            self._differs(line, f"differs from the journal ({changed_fields(message, sent)})")

    def _differs(self, line: RecordLine, what: str) -> None:
        self.problems.append(f"line {line.number}, {describe_frame(line.message)}: {what}")

    # --- after the replay

    def finish(self, messages: TableMessages) -> None:
        """Report frames that are not in the journal, and compare the frames that may be sent at any time."""
        self._leftovers()
        self._compare_heads()
        revealed = {hand.hand_id: hand for frame in messages.farewell() for hand in _hands_of(wire.read_server(frame))}
        heard: dict[str, wire.RevealedHand] = {}
        for line in self._constant:
            message = line.message
            self.compared += 1
            match message:
                case wire.Welcome(seat=seat):
                    if seat not in messages.match.history.seats:
                        self._differs(line, f"the journal has no seat {seat}")
                    elif seat != self._seat:
                        self._differs(line, f"expected seat {self._seat}, got seat {seat}")
                    else:
                        self._compare_constant(line, as_older(as_received(messages.welcome(seat)), message))
                case wire.TableMessage():
                    self._compare_constant(line, as_older(as_received(messages.table()), message))
                case wire.Reveal(hands=hands):
                    heard |= {hand.hand_id: hand for hand in hands}
                    if other := [hand.hand_id for hand in hands if revealed.get(hand.hand_id) != hand]:
                        self._differs(line, f"the revealed decks differ from the journal ({', '.join(other)})")
        ended = any(isinstance(line.message, wire.MatchEnd) for line in self.sitting.lines)
        if ended and heard != revealed:
            self.problems.append(f"expected {len(revealed)} revealed decks as in the journal, got {len(heard)}")
        gap = next(iter(self.sitting.gaps), (0, 0))
        fresh = self._seat is not None and not is_reconnect(self.sitting.lines[1:])
        if fresh and gap[0] == 1 and self._sat_down is not None and gap[1] > self._sat_down:
            self.problems.append(f"{name_frames(self._sat_down + 1, gap[1])} missing at the beginning")

    def _compare_constant(self, line: RecordLine, sent: wire.ServerMessage) -> None:
        if line.message != sent:
            self._differs(line, f"differs from the journal ({changed_fields(line.message, sent)})")

    def _compare_heads(self) -> None:
        """Check that the journal has every head of the record at the same hand."""
        self.heads = len(self.sitting.ends)
        for line in self.sitting.ends:
            assert isinstance(line.message, wire.EndHand)
            if (line.message.hand_id, line.message.chain) not in self._heads:
                self._other_heads.append(f"line {line.number}, {describe_frame(line.message)}: {OTHER_HEAD}")

    def sum_up(self, table: str, entries: Sequence[Entry]) -> None:
        """Compare heads, chips and the end of the match with a journal that cannot be replayed."""
        history = History(table)
        steps = read_entries(history, entries)
        hands = {step.hand.started.hand_id: step.hand for step in steps if step.hand is not None}
        self._heads = {(hand_id, hand.chain.hex()) for hand_id, hand in hands.items()}
        self._compare_heads()
        for line in self.sitting.lines:
            message = line.message
            if isinstance(message, wire.EndHand):
                hand = hands.get(message.hand_id)
                self.compared += 1
                if hand is None:
                    self._differs(line, ONLY_IN_RECORD)
                elif hand.stacks != (stacks := {stack.seat: stack.stack for stack in message.stacks}):
                    self._differs(line, f"chips by seat: expected {hand.stacks} as in the journal, got {stacks}")
            elif isinstance(message, wire.MatchEnd):
                final = {stack.seat: stack.stack for stack in message.final_stacks}
                ended = history.ended.stacks if history.ended is not None else "no end of the match"
                if ended != final:
                    self._differs(line, f"chips by seat: expected {ended} as in the journal, got {final}")
        self.notes.append("only the hash chain and the chips were compared")

    def _leftovers(self) -> None:
        by_hand: dict[str, list[RecordLine]] = defaultdict(list)
        for lines in (*self._numbered.values(), *self._questions.values()):
            for line in lines:
                by_hand[hand_of(line.message)].append(line)
        for hand, lines in by_hand.items():
            first = min(line.number for line in lines)
            what = f"{hand}, {len(lines)} frames" if hand else "the end of the match"
            self.problems.append(f"line {first}, {what}: {ONLY_IN_RECORD}")
        for frame in (*self._here, *self._coming):
            self._differs(frame.line, NEVER)

    @property
    def of_this_journal(self) -> bool:
        """Whether a hand of the record has the same commitment or the same head in the journal."""
        return bool(self.sitting.hands & self._commits) or len(self._other_heads) < self.heads

    def may_be_of_another(self, ended: int | None) -> bool:
        """Whether the record may be of another match. `ended` is the line in which the match of this journal ended."""
        wrong = bool(self._other_heads or self.problems)
        apart = self.sitting.from_its_beginning or (ended is not None and ended < self.sitting.first)
        return wrong and apart and not self.of_this_journal

    def add_to(self, report: Report) -> None:
        """Add the result to a report."""
        sitting = self.sitting
        report.frames_compared += self.compared
        report.notes += [f"the record's {note}" for note in (*sitting.notes, *self.notes)]
        report.notes.append(f"heads of the hash chain compared with the record: {self.heads}")
        problems = in_order([*self._other_heads, *sitting.problems, *self.problems])
        if self._other_heads and len(self._other_heads) == self.heads:
            report.problems.append(
                f"none of the record's {self.heads} chain heads is in the journal: the record is of another match, "
                "or the journal was rewritten"
            )
        report.problems += [f"the record's {problem}" for problem in problems[:MOST_NAMED]]
        if len(problems) > MOST_NAMED:
            report.problems.append(f"the record has {len(problems) - MOST_NAMED} more differences")


def _hands_of(message: wire.ServerMessage) -> tuple[wire.RevealedHand, ...]:
    return message.hands if isinstance(message, wire.Reveal) else ()


def _may_have_been_sent(message: wire.ServerMessage, messages: TableMessages, turn: int, seat: int | None) -> bool:
    """Whether a frame without a number may have been sent in this state of the match."""
    match = messages.match
    match message:
        case wire.Lobby(players=players):
            taken = match.history.seats
            here = [player.seat for player in players if player.connected]
            away = [player.seat for player in players if player.away]
            return (
                message == messages.lobby(here, away) and (seat is None or seat in here) and len(players) == len(taken)
            )
        case wire.Turn(time_ms=time, bank_ms=bank):
            if (seat := match.to_act) is None or time > match.move_time_ms:
                return False
            left = match.bank_ms(seat)
            bank = lowest_bank(bank, left)
            return message == messages.turn(seat, time, left if bank is None else bank)
        case wire.Snapshot() | wire.GameView():
            return is_view(message, messages, turn, seat)
        case _:
            return False


Advance: TypeAlias = Callable[[int], None]
"""A function that is called with the number of entries that were just checked."""


def verify_table(
    table: str, reading: Reading, sittings: Sequence[TableRecord] = (), advance: Advance = lambda pieces: None
) -> Report:
    """Check a table's journal by its hash chain and a replay, and compare records of frames with it."""
    report = Report(table)
    if reading.torn_at is not None:
        where = "a finished part" if reading.finished else "the open hand"
        report.problems.append(f"the hash chain is broken in {where}: {reading.tear}")
    if not reading.entries:
        report.problems.append(f"the journal has no readable entry ({reading.tear or 'it is empty'})")
        return report
    comparisons = [Comparison(sitting) for sitting in sittings]
    rules, fault = _play_again(report, reading.entries, comparisons, advance)
    if fault is not None:
        if rules == RULES_VERSION:
            report.problems.append(fault)
        else:
            report.notes.append(
                f"the match was played with rules version {rules[:40]!r}, and a replay with version {RULES_VERSION!r} "
                f"fails ({fault}): only decks, chips and hashes were checked"
            )
        _sum_up(report, table, reading)
        comparisons = [_summed_up(report, sitting, reading) for sitting in sittings]
    known = [comparison.sitting for comparison in comparisons if comparison.of_this_journal]
    ended = min((sitting.ended for sitting in known if sitting.ended is not None), default=None)
    for comparison in comparisons:
        if known and comparison.may_be_of_another(ended):
            report.notes.insert(0, _no_proof_of(comparison.sitting))
        else:
            comparison.add_to(report)
    return report


def _no_proof_of(sitting: TableRecord) -> str:
    """Return a note on the part of a record that is of another match."""
    return (
        f"NOT COMPARED: from line {sitting.first} on the record is of another match at a table called {sitting.table}; "
        "compare it with the journal of that match"
    )


def _play_again(
    report: Report, entries: Sequence[Entry], comparisons: Sequence[Comparison], advance: Advance
) -> tuple[str, str | None]:
    """Replay all entries. Return the version of the rules, and the first problem."""
    rules, where = RULES_VERSION, "entry 1"
    try:
        replay = JournalReplay(entries[0])
        rules = replay.match.history.rules
        for entry in entries[1:]:
            where = f"{replay.where}, entry {entry.seq}"
            messages = replay.take(entry)
            for comparison in comparisons:
                comparison.see(replay, entry, messages)
            advance(1)
    except NONSENSE as error:
        return rules, f"{where}: {str(error) or type(error).__name__}"
    for comparison in comparisons:
        comparison.finish(replay.messages)
    report.hands, report.voided, report.decks_checked = replay.hands, replay.voided, replay.hands
    if replay.match.underway:
        report.notes.append(f"hand {replay.match.history.hands} is being played")
    return rules, None


def _summed_up(report: Report, sitting: TableRecord, reading: Reading) -> Comparison:
    """Compare a record with a journal that cannot be replayed."""
    comparison = Comparison(sitting)
    try:
        comparison.sum_up(report.name, reading.entries)
    except NONSENSE as error:
        report.problems.append(f"the record cannot be compared with this journal: {error}")
    return comparison


def _sum_up(report: Report, table: str, reading: Reading) -> None:
    """Run the checks that do not depend on the rules: decks, deals, chips, and the order of hands."""
    try:
        host = None
        for hand in hands_of(table, reading.entries):
            host = host or make_host(hand.settings)
            report.hands += 1
            report.voided += hand.void
            report.decks_checked += 1
            report.problems += [f"{hand.started.hand_id}: {fault}" for fault in host.faults(hand)]
        recovered = recover(table, reading)
        if recovered.tear is not None and reading.torn_at is None:
            report.problems.append(recovered.tear.sentence)
    except NONSENSE as error:
        report.problems.append(str(error) or f"the journal cannot be read ({type(error).__name__})")
