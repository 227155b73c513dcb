"""The client's side of the protocol. It turns frames into effects, and uses no socket, clock or thread.

It outlives connections. It knows the last `seq` received, the open question and its answer, so the bot is called only
once after a reconnect. It also draws the numbers for the shuffle: a number is revealed only when no seat can choose
another one any more, and the dealt cards are checked against all numbers.
"""

import logging
import os
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pitboss.arena.journal.commitment import bind_number
from pitboss.arena.wire.answers import Question, safe_action, spell_reply
from pitboss.arena.wire.messages import (
    Act,
    Action,
    Ask,
    BetMessage,
    BringIn,
    CallMessage,
    CheckMessage,
    DrawMessage,
    EndHand,
    Error,
    EventMessage,
    FoldMessage,
    GameView,
    HandEvent,
    Happened,
    Hello,
    Leave,
    LeftMessage,
    Lobby,
    MatchEnd,
    Mix,
    MoveMessage,
    Number,
    RunsMessage,
    ServerMessage,
    SitOut,
    Snapshot,
    StartHand,
    TableFacts,
    VoidMessage,
    Welcome,
    You,
    read_server,
)
from pitboss.client.errors import REFUSALS, ArenaError, LeftTable, Trouble, refusal
from pitboss.printing import printable

Reply: TypeAlias = Action | MoveMessage
_PlayersEvent: TypeAlias = BetMessage | BringIn | CallMessage | CheckMessage | DrawMessage | FoldMessage | RunsMessage

log = logging.getLogger("pitboss.client")

SITTING_OUT = (1, 2)
"""The intents of a seat that waits for the big blind or sits out."""
RETRY_MS = 1000
"""Milliseconds to wait if the server sends RATE_LIMITED without a time."""
LONGEST_RETRY_MS = 60_000
"""The maximum time to wait, even if the server asks for more."""


class NumberMixer:
    """Draws the numbers that a seat adds to shuffles, and checks that the arena uses them."""

    def __init__(self, draw: Callable[[int], bytes] = os.urandom) -> None:
        self.mixed = 0  #: hands whose shuffle includes this seat's number
        self.complaints: list[str] = []  #: faults that an honest arena does not make
        self._draw = draw
        self._seat = -1
        self._next = draw(32)
        self._mix: Mix | None = None  # the list for which a number was revealed, until its hand is dealt
        self._number = b""  # that number
        self._seen_all = True  # whether every message since that list was received
        self._opened: deque[tuple[str, str]] = deque(maxlen=8)  # recent hands, and the commitments that were revealed

    def hello(self) -> str:
        """Return the commitment for the `hello` of a new connection."""
        self._seen_all = self._mix is None
        return bind_number(self._next)

    def receive(self, message: ServerMessage) -> Number | None:
        """Receive a message; return the number to send at once, if the message requests one."""
        match message:
            case Welcome(seat=seat):
                self._seat = seat
            case Mix():
                return self._listed(replace(message, ts=None))
            case StartHand():
                self._dealt(message)
            case VoidMessage():
                if self._mix is not None:
                    self.complaints.append(f"{self._mix.hand_id}: voided after its numbers were revealed")
                self._mix = None
        return None

    def _listed(self, mix: Mix) -> Number | None:
        """Return this seat's number for a list of commitments, if the list has its hash and can be trusted."""
        before, commit = self._mix, _commits(mix).get(self._seat)
        if before == mix:  # the same list again, after a reconnect or a restart
            return self._open(mix)
        if before is not None and (fault := _fault_after(before, mix, self._seat)):
            sentence, by_absence = fault
            if self._seen_all or not by_absence:
                self.complaints.append(sentence)
            self._mix = None
            if mix.hand_id == before.hand_id:
                return None  # another list for a hand for which a number was revealed
        if commit is None or (mix.hand_id, commit) in self._opened:  # or an old list once more
            return None
        if commit != bind_number(self._next):
            self.complaints.append(f"{mix.hand_id}: the arena lists another number for seat {self._seat} than it sent")
            return None
        self._mix, self._number, self._next, self._seen_all = mix, self._next, self._draw(32), True
        self._opened.append((mix.hand_id, commit))
        return self._open(mix)

    def _open(self, mix: Mix) -> Number:
        return Number(v=1, hand_id=mix.hand_id, number=self._number.hex(), next=bind_number(self._next))

    def _dealt(self, start: StartHand) -> None:
        """Check that the numbers of a dealt hand are those of the list."""
        mix, self._mix = self._mix, None
        if mix is None or (mix.hand_id != start.hand_id and not self._seen_all):
            return
        if not self._seen_all and _goes_on_without(start, mix, self._seat):
            return
        faults = list(_faults_at(start, mix, self._seat))
        self.complaints += [f"{start.hand_id}: {fault}" for fault in faults]
        self.mixed += not faults


def _commits(mix: Mix) -> dict[int, str]:
    return {one.seat: one.commit for one in mix.numbers}


def _fault_after(before: Mix, mix: Mix, seat: int) -> tuple[str, bool] | None:
    """Return why a list cannot follow a list for which this seat revealed its number; None if it can.

    The second value tells whether a lost connection can explain the fault: a seat that is disconnected when new numbers
    are collected is left out, and does not receive the list.
    """
    another = mix.hand_id != before.hand_id
    if seat in mix.withheld:
        return f"{before.hand_id}: the arena says that seat {seat} withheld its number, but it was sent", another
    if another:
        return f"{before.hand_id}: not dealt after its numbers were revealed", True
    withheld, listed = set(mix.withheld), set(_commits(before))
    follows = mix.attempt == before.attempt + 1 and mix.seats == before.seats
    if not follows or not withheld or not withheld <= listed or withheld & set(_commits(mix)):
        return f"{mix.hand_id}: new numbers are requested after numbers were revealed, but no seat withheld one", False
    if seat not in _commits(mix):
        return f"{mix.hand_id}: the shuffle leaves out this seat, which had revealed its number", True
    return None


def _goes_on_without(start: StartHand, mix: Mix, seat: int) -> bool:
    """Return whether a hand is dealt without numbers, because a seat withheld its number and all others were away.

    This seat may have revealed its number and then been away. Then `mix` is the last list that it received, and the
    withheld number is still in it.
    """
    withheld = set(start.withheld)
    of_list = start.hand_id == mix.hand_id and withheld <= set(_commits(mix)) - {seat}
    return of_list and bool(withheld) and not start.numbers


def _faults_at(start: StartHand, mix: Mix, seat: int) -> Iterator[str]:
    """Yield the faults of a dealt hand, compared with its list."""
    if seat in start.withheld:
        yield f"the arena says that seat {seat} withheld its number, but it was sent"
    elif start.hand_id != mix.hand_id:
        yield f"{mix.hand_id} should have been dealt first, from the numbers revealed for it"
    elif {one.seat: bind_number(bytes.fromhex(one.number)) for one in start.numbers} != _commits(mix):
        yield "its numbers do not match the commitments"
    if tuple(stack.seat for stack in start.stacks) != mix.seats:
        yield "the seats that are dealt in are not the seats of the list"


class DeliverMessage(Struct, frozen=True):
    """Deliver a message to the bot and to other listeners."""

    message: ServerMessage


class AskBot(Struct, frozen=True):
    """Ask the bot, with a time limit."""

    act: Question


class SendAnswer(Struct, frozen=True):
    """Send an answer, after a delay if one is given."""

    action: Reply
    after_ms: int = 0


class SendAnyway(Struct, frozen=True):
    """Send an answer even if its turn is over, to show that the seat is not away."""

    action: Reply


class DropQuestion(Struct, frozen=True):
    """Discard the bot's answer, because the question is no longer open."""


class ReportTrouble(Struct, frozen=True):
    """Report an answer that was replaced."""

    trouble: Trouble


class OpenNumber(Struct, frozen=True):
    """Send the number that this seat adds to the next shuffle."""

    number: Number


class ReportArena(Struct, frozen=True):
    """Report a fault that an honest arena does not make."""

    sentence: str


class Reconnect(Struct, frozen=True):
    """Close the connection, and connect again after a delay."""

    after_ms: int


class SendSitIn(Struct, frozen=True):
    """Send the message that ends sitting out at a cash table."""


class EndOfMatch(Struct, frozen=True):
    """End play, with a result or an error."""

    result: MatchEnd | ArenaError


Effect: TypeAlias = (
    DeliverMessage
    | AskBot
    | SendAnswer
    | SendAnyway
    | DropQuestion
    | ReportTrouble
    | OpenNumber
    | SendSitIn
    | ReportArena
    | Reconnect
    | EndOfMatch
)


class _FrameHead(Struct):
    """The fields to log of a frame that this client cannot read."""

    type: str
    code: str = ""
    msg: str = ""


_frame_heads = msgspec.json.Decoder(_FrameHead)


class Conversation:
    """One team's conversation with the arena."""

    def __init__(self, team: str, code: str, mixer: NumberMixer | None = None) -> None:
        self.team, self.code, self.mixer = team, code, mixer
        self.seq: int | None = None
        self.welcome: Welcome | None = None
        self.welcomed = False  #: whether this connection has received a welcome
        self._start: StartHand | None = None
        self._history: list[HandEvent] = []
        self._learned: list[Any] = []  # all events of the current game that this seat can see, if it is not poker
        self._learned_of = ""  # the hand of these events
        self._rules: str | None = None
        self._question: Question | None = None
        self._asked_at = 0
        self._answer: Reply | None = None
        self._said = False  #: whether this connection has received the question or sent its answer
        self._refused = False

    def begin(self) -> Hello:
        """Prepare for a new connection; return its first message."""
        self.welcomed = self._said = False
        commit = self.mixer.hello() if self.mixer is not None else None
        return Hello(
            v=1,
            team=self.team,
            join_code=self.code,
            resume_from=self.seq,
            next=commit,
            learned="new",
            ask_table=True,
        )

    def farewell(self) -> Leave | SitOut:
        """Return the last message before the program ends. At a cash table the seat keeps its chips."""
        cash = self.welcome is not None and self.welcome.config.cash
        return SitOut(v=1) if cash else Leave(v=1)

    def is_open(self, act: Question) -> bool:
        """Return whether this is the question that waits for an answer."""
        return self._question is not None and self._question.turn == act.turn and self._answer is None

    def answered(self, action: Reply) -> bool:
        """Close the open question; return whether this connection has received it and can send the answer."""
        self._answer = action
        return self._said

    def is_current(self, action: Reply) -> bool:
        """Return whether this is still the answer to an open question."""
        return self._question is not None and self._answer is action

    def receive(self, frame: str | bytes) -> list[Effect]:
        """Return the effects of a frame from the server."""
        try:
            message = read_server(frame)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            return self._unread(frame, error)
        seq = getattr(message, "seq", None)
        if isinstance(message, Snapshot | GameView):
            self.seq = message.seq  # may be lower: a server that starts again counts from 1
        elif seq is not None:
            if isinstance(message, EventMessage) and seq > (self.seq or 0):  # an event may arrive twice
                self._history.append(message)
            self.seq = max(seq, self.seq or 0)
        return [*self._mix(message), DeliverMessage(message), *self._effects(message)]

    def _mix(self, message: ServerMessage) -> list[Effect]:
        """Send the number for the shuffle before the bot receives the message, because all seats wait for it."""
        if self.mixer is None:
            return []
        known = len(self.mixer.complaints)
        number = self.mixer.receive(message)
        complaints = [ReportArena(sentence) for sentence in self.mixer.complaints[known:]]
        return [*complaints, OpenNumber(number)] if number is not None else [*complaints]

    def _unread(self, frame: str | bytes, error: Exception) -> list[Effect]:
        """Log and skip a frame that cannot be read; it may come from a newer protocol or a faulty server."""
        try:
            telling = _frame_heads.decode(frame)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            log.warning("ignored a frame that is not a valid message: %s", printable(str(error)))
            return []
        if telling.type == "error":
            log.warning("the arena sent the error %s: %s", printable(telling.code), printable(telling.msg))
        else:
            log.info(
                "ignored a message of type %s that this client cannot read: %s",
                printable(telling.type),
                printable(str(error)),
            )
        return []

    def _effects(self, message: ServerMessage) -> list[Effect]:
        match message:
            case Welcome():
                self.welcome, self.welcomed = message, True
            case Act():
                return self._asked(message)
            case Ask():
                return self._asked(self._filled(message))
            case Snapshot():
                return self._resumed(self._act_from(message))
            case GameView():
                return self._resumed(self._ask_from(message))
            case Happened():
                if self._is_overtaken(message):
                    return self._gone()
            case Error():
                return self._error(message)
            case StartHand():
                self._start, self._history = message, []
                return self._gone()
            case EndHand() | VoidMessage():
                return self._gone()
            case (
                BetMessage()
                | BringIn()
                | CallMessage()
                | CheckMessage()
                | DrawMessage()
                | FoldMessage()
                | RunsMessage()
            ):
                if self._is_mine(message):
                    return self._gone()
            case MatchEnd():
                return [*self._gone(), EndOfMatch(message)]
            case Lobby(players=players) if self.welcomed:
                seat = None if self.welcome is None else self.welcome.seat
                sits_out = any(player.seat == seat and player.intent in SITTING_OUT for player in players)
                return [SendSitIn()] if sits_out else []
            case LeftMessage(seat=seat, stack=stack) if self._has(seat):
                return [
                    *self._gone(),
                    EndOfMatch(LeftTable(f"{self.team} has left the cash table with {stack:,} chips")),
                ]
        return []

    def _has(self, seat: int) -> bool:
        """Whether this is the bot's seat on this connection."""
        return self.welcomed and self.welcome is not None and self.welcome.seat == seat

    def _is_mine(self, event: _PlayersEvent) -> bool:
        """Return whether an event is the action that the open question asked for, and not an earlier one."""
        open_ = self._question
        if open_ is None or event.seq <= self._asked_at:
            return False
        return event.hand_id == open_.hand_id and event.seat == open_.seat

    def _is_overtaken(self, event: Happened) -> bool:
        """Return whether an event of a game came after the open question, so that the question is closed."""
        open_ = self._question
        return isinstance(open_, Ask) and event.seq > self._asked_at and event.hand_id == open_.hand_id

    def _gone(self) -> list[Effect]:
        was_open = self._question is not None and self._answer is None
        self._question = self._answer = None
        return [DropQuestion()] if was_open else []

    def _asked(self, act: Question) -> list[Effect]:
        """Handle a question, which may be new, repeated, or sent again after a reconnect."""
        asked = self._question
        # A restarted server begins again to number the turns, so the hand is compared too.
        if asked is None or (asked.turn, asked.hand_id) != (act.turn, act.hand_id):
            self._question, self._answer = act, None
            self._asked_at, self._refused, self._said = self.seq or 0, False, True
            return [self._ask(act)] if act.whole_ms else self._asked_while_away(act)
        if self._said:
            return []
        self._said = True
        return [self._ask(act)] if self._answer is None else [SendAnswer(self._answer)]

    def _ask(self, act: Question) -> AskBot:
        """Ask the bot, with the events of the hand that this client has received."""
        if isinstance(act, Ask):
            return AskBot(act)
        history = tuple([event for event in self._history if event.hand_id == act.hand_id])
        return AskBot(replace(act, history=history))

    def _asked_while_away(self, act: Question) -> list[Effect]:
        """Answer a question without time. The arena sends such questions until a seat that was away sends a message."""
        self._answer = safe = safe_action(act)
        sentence = (
            f"the arena did not wait for this seat, so the answer is {spell_reply(safe, act)}, and the seat is back"
        )
        return [ReportTrouble(Trouble("late", sentence, act)), SendAnyway(safe)]

    def _resumed(self, question: Question | None) -> list[Effect]:
        """Handle what this seat is asked after a reconnect, if it is asked."""
        return self._gone() if question is None else self._asked(question)

    # --- games other than poker

    def _filled(self, ask: Ask) -> Ask:
        """Return a question with all events that this seat has learned, and with the rules."""
        first, known = ask.learned_from or 0, self._learned if self._learned_of == ask.hand_id else []
        is_complete = first <= len(known)
        self._learned_of, self._learned = ask.hand_id, [*(known[:first] if is_complete else ()), *ask.learned]
        self._rules = ask.rules or self._rules
        left_out = None if is_complete else first
        return replace(ask, learned=tuple(self._learned), learned_from=left_out, rules=self._rules)

    def _ask_from(self, view: GameView) -> Ask | None:
        """Return the question in a view, if it is this seat's turn."""
        hand_id, place, turn, legal = view.at_hand_id, view.place, view.turn, view.legal
        self._learned_of, self._learned = hand_id or "", [*view.learned]
        if view.next_actor != view.seat or hand_id is None or place is None or turn is None or not legal:
            return None
        return Ask(
            hand_id=hand_id,
            seat=view.seat,
            place=place,
            learned=view.learned,
            legal=legal,
            time_ms=self._move_time_ms if view.time_ms_remaining is None else view.time_ms_remaining,
            bank_ms=view.bank_ms,
            turn=turn,
            text=view.text,
            rules=self._rules,
            default=view.default,
            table=view.table,
        )

    # --- poker

    @property
    def _move_time_ms(self) -> int:
        """The time of a turn."""
        return self.welcome.config.move_time_ms if self.welcome else RETRY_MS

    def _act_from(self, snapshot: Snapshot) -> Act | None:
        """Return the question in a snapshot, if it is this seat's turn."""
        you, hand_id, turn, legal = snapshot.you, snapshot.at_hand_id, snapshot.turn, snapshot.legal
        if snapshot.next_actor != you.seat or hand_id is None or turn is None or not legal:
            return None
        time_ms = self._move_time_ms if snapshot.time_ms_remaining is None else snapshot.time_ms_remaining
        return Act(
            hand_id=hand_id,
            seat=you.seat,
            phase=snapshot.phase,
            you=You(hole=you.hole, stack=you.stack, to_call=you.to_call, time_ms=time_ms, bank_ms=you.bank_ms),
            table=snapshot.table or self._table_facts(snapshot),
            players=snapshot.players,
            community=snapshot.community,
            legal=legal,
            call_amount=snapshot.call_amount,
            min_raise_to=snapshot.min_raise_to,
            max_raise_to=snapshot.max_raise_to,
            pot=snapshot.pot,
            turn=turn,
        )

    def _table_facts(self, snapshot: Snapshot) -> TableFacts:
        """Return the facts of the table from before the connection was lost."""
        config = self.welcome.config if self.welcome else None
        known = self._start is not None and self._start.hand_id == snapshot.at_hand_id
        return TableFacts(
            sb=config.sb if config else 0,
            bb=config.bb if config else 0,
            seats=len(snapshot.players),
            button=self._start.button if self._start and known else snapshot.you.seat,
        )

    def _error(self, error: Error) -> list[Effect]:
        wait = RETRY_MS if error.retry_after_ms is None else min(error.retry_after_ms, LONGEST_RETRY_MS)
        if not self.welcomed:
            if error.code in REFUSALS:
                return [EndOfMatch(refusal(error.code, error.msg))]
            if error.code == "RATE_LIMITED":
                return [Reconnect(wait)]
        loud = logging.ERROR if error.code == "RESUME_AHEAD" else logging.WARNING  # the arena has lost hands
        log.log(loud, "the arena sent the error %s: %s", error.code, printable(error.msg))
        if self._question is None or self._answer is None:
            return []
        if error.code == "RATE_LIMITED":
            return [SendAnswer(self._answer, wait)]
        if error.code in ("INVALID_ACTION", "BAD_SCHEMA"):
            return self._answer_refused(self._question, self._answer, printable(error.msg))
        return []

    def _answer_refused(self, act: Question, answer: Reply, why: str) -> list[Effect]:
        """Send the safe answer after the arena refused an answer, but only once per question."""
        if self._refused:
            return []
        safe = safe_action(act)
        self._answer, self._refused = safe, True
        refused, given = spell_reply(answer, act), spell_reply(safe, act)
        sentence = f"the arena refused {refused} ({why}), so the answer is {given}"
        return [ReportTrouble(Trouble("refused", sentence, act)), SendAnswer(self._answer)]
