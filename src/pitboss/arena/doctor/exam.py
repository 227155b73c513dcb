"""The examination as a script, which uses no socket and no clock.

It contains the messages to send, the answers to wait for, and the notes. A script is a generator that yields steps and
receives the bot's replies, so it can run with a bot behind a socket or, in a test, with a plain function.
"""

import json
from collections.abc import Generator, Sequence
from typing import Any, Literal, TypeAlias, TypeVar

from msgspec import Struct, field

from pitboss.arena.doctor.scenes import SCENES, ExamGame, Refusal, Scene, make_table
from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.answers import Question, answer_of, read_answer
from pitboss.arena.wire.messages import Rejected, read
from pitboss.hand.games import NO_LIMIT_HOLDEM

T = TypeVar("T")


MOST_QUOTED = 150
LARGEST_FRAME = 8192
"""The maximum number of bytes in a frame. The arena closes the connection after a longer frame."""
MOST_MISSES = 6
MOST_TRIES = 5
"""Wrong answers to one question after which the doctor stops asking."""
NOT_BACK = "did not come back"
NO_ANSWER = "did not answer in time"
REPLACED = 4000


# --- the steps of a script


class SendFrame(Struct, frozen=True):
    """Send a frame to the bot."""

    frame: str | bytes


class Listen(Struct, frozen=True):
    """Wait until the bot sends a message or disconnects, for at most this number of seconds."""

    seconds: float


class Cut(Struct, frozen=True):
    """Close the connection, with or without a close code and a reason."""

    code: int | None = None
    reason: str = ""


class Admit(Struct, frozen=True):
    """Wait until the bot connects (again) and sends its first message."""

    seconds: float


class BotMessage(Struct, frozen=True):
    """The bot sent a message. `after_ms` is the time since the last message in either direction."""

    frame: str | bytes
    after_ms: float = 0.0


class Disconnected(Struct, frozen=True):
    """The bot has closed the connection."""

    code: int | None = None


AnswerMessage: TypeAlias = wire.Action | wire.MoveMessage
Step: TypeAlias = SendFrame | Listen | Cut | Admit
Reply: TypeAlias = BotMessage | Disconnected | None
Script: TypeAlias = Generator[Step, Reply, T]


class Pace(Struct, frozen=True, kw_only=True):
    """The times that the doctor waits, in seconds; the move time is in milliseconds."""

    comes: float = 30.0  #: for a bot to connect, or to connect again
    leaves: float = 3.0  #: for a bot to disconnect after the end of the match
    quiet: float = 0.06  #: for a second answer to the same question
    thinks: float = 0.3  #: for another seat to act, and for a bot to correct a wrong answer
    grace: float = 0.3  #: for a late answer, after the time is up
    move_time_ms: int = 3000
    short_time_ms: int = 1000


# --- the notes


class Answered(Struct, frozen=True):
    """The bot's answer to a question."""

    scene: str
    act: Question
    frame: str | bytes
    after_ms: float


class Missed(Struct, frozen=True):
    """A question without an answer in time."""

    scene: str
    act: Question


class UnaskedMessage(Struct, frozen=True):
    """A message that the bot sent without a question. `act` is the last question."""

    scene: str
    frame: str | bytes
    act: Question | None
    answered: bool


class Greeting(Struct, frozen=True):
    """The first message on a connection, and the last `seq` that the bot can have received before."""

    scene: str
    frame: str | bytes
    seq: int


Ending = Literal["left", "stayed", "spoke", "came back"]


class Notes(Struct):
    """All notes, in order."""

    greetings: list[Greeting] = field(default_factory=list)
    answers: list[Answered] = field(default_factory=list)
    missed: list[Missed] = field(default_factory=list)
    strays: list[UnaskedMessage] = field(default_factory=list)
    scenes: dict[str, str] = field(default_factory=dict)  #: by scene: the fault, or an empty text
    stopped: str | None = None  #: why not all scenes were played
    ending: Ending | None = None


class Fault(Struct, frozen=True):
    """A fault in a bot's message: the failed check, and a sentence."""

    check: str
    sentence: str


class CheckedAnswer(Struct, frozen=True):
    """An answer: the action if it is valid, otherwise the fault and the arena's reply."""

    action: AnswerMessage | None = None
    fault: Fault | None = None
    error: wire.Error | None = None


def given_ms(question: Question) -> int:
    """Return the time of a turn, without the time bank."""
    return question.you.time_ms if isinstance(question, wire.Act) else question.time_ms


def check_answer(frame: str | bytes, act: Question) -> CheckedAnswer:
    """Return an answer to a question, checked."""
    message = parse_message(frame)
    if isinstance(message, CheckedAnswer):
        return message
    if isinstance(message, wire.Hello):
        return _fail("messages", "BAD_SCHEMA", "sent a second hello on one connection: send only one")
    if isinstance(message, wire.MoveMessage) != isinstance(act, wire.Ask):
        wanted = "an ask with a move" if isinstance(act, wire.Ask) else "an act with an action"
        return _fail("messages", "INVALID_ACTION", f"sent a wrong type of answer: answer {wanted}")
    if message.hand_id != act.hand_id:
        sentence = f"sent hand_id {message.hand_id!r:.80} when asked with {act.hand_id}: copy the act's hand_id"
        return _fail("hand_id", "ACTION_TOO_LATE", sentence)
    if message.turn is not None and message.turn != act.turn:
        sentence = f"sent turn {message.turn} in its answer to turn {act.turn}: copy the act's turn"
        return _fail("turn", "ACTION_TOO_LATE", sentence)
    try:
        read_answer(answer_of(message), act)
    except ValueError as error:
        amount = isinstance(message, wire.Action) and message.action == "RAISE_TO" and message.action in act.legal
        check = "amounts" if amount else "legal answers"
        return _fail(check, "INVALID_ACTION", f"sent an illegal answer: {error}")
    return CheckedAnswer(message)


def parse_message(frame: str | bytes) -> wire.Hello | AnswerMessage | CheckedAnswer:
    """Return a bot's message, or the fault of a frame that is not a message of the protocol."""
    if isinstance(frame, bytes):
        return _fail("messages", "BAD_SCHEMA", "sent a binary frame: send JSON in text frames")
    if len(frame.encode("utf-8", "surrogatepass")) > LARGEST_FRAME:
        return _fail(
            "messages",
            "BAD_SCHEMA",
            f"sent a frame of more than {LARGEST_FRAME} bytes, after which arenas disconnect",
        )
    try:
        message = read(frame)
    except Rejected as rejected:
        check = "amounts" if str(rejected).endswith("`$.amount`") else "messages"
        said = frame if len(frame) <= MOST_QUOTED else f"{frame[: MOST_QUOTED - 3]}..."
        return _fail(check, rejected.code, f"sent {said or 'nothing'} ({rejected})")
    if isinstance(message, wire.ViewRequest):
        return _fail("messages", "INVALID_ACTION", "sent view: the question contains everything")
    if isinstance(message, wire.Leave):
        return _fail(
            "keeps quiet", "OUT_OF_TURN", "sent leave before the match was over: the server then plays for its seat"
        )
    if isinstance(message, wire.Number):
        return _fail("messages", "ACTION_TOO_LATE", "sent a number without a mix that lists its seat")
    if isinstance(message, wire.SitOut | wire.SitIn | wire.TopUp):
        return _fail("messages", "INVALID_ACTION", "sent a message that is only valid at cash tables")
    return message


def _fail(check: str, code: wire.ErrorCode, sentence: str) -> CheckedAnswer:
    return CheckedAnswer(None, Fault(check, sentence), wire.Error(code=code, msg=sentence))


class _BotLeft(Exception):
    """The bot has closed the connection."""


class _ExamOver(Exception):
    """The exam cannot continue; the message says why."""


class Exam:
    """The exam of one bot. `run` is the script, and `notes` are the results."""

    def __init__(
        self,
        pace: Pace,
        *,
        seed: int = 0,
        scenes: Sequence[Scene] = SCENES,
        games: ExamGame = NO_LIMIT_HOLDEM,
    ) -> None:
        self.notes = Notes()
        self._pace, self._scenes = pace, scenes
        self._table = make_table("?", hands=len(scenes), move_time_ms=pace.move_time_ms, seed=seed, games=games)
        self._sent = 0  #: the number of messages of the transcript that were sent to the bot
        self._scene = scenes[0]
        self._last: Question | None = None
        self._answered = True
        self._misses = 0  #: the number of unanswered questions in a row
        self._overdue: dict[int, Question] = {}  #: the questions that have not been answered, by turn
        self._seen_seq = 0
        self._wrong = self._hasty = ""  #: the fault of the last answer, for the scene

    # --- the whole

    def run(self) -> Script[None]:
        """Run all scenes."""
        try:
            yield from self._arrive()
            for scene in self._scenes:
                self._scene = scene
                yield from self._play(scene)
            yield from self._finish()
        except _ExamOver as gone:
            self.notes.stopped = f"in {self._scene.name!r} it {gone}"

    def _arrive(self) -> Script[None]:
        team = (yield from self._admit()).get("team")
        if isinstance(team, str):
            self._table.match.history.seats[self._table.examined].team = team
        yield from self._send(self._table.welcome(), self._table.lobby())

    def _play(self, scene: Scene) -> Script[None]:
        """Play one scene. A bot that disconnects during a scene may connect again for the next one."""
        self.notes.scenes[scene.name] = NOT_BACK
        try:
            yield from self._hand(scene)
        except _BotLeft:
            self.notes.scenes[scene.name] = "ended the connection"
            self._play_out(scene)
            yield from self._come_back()

    def _finish(self) -> Script[None]:
        """End the match; the bot should then disconnect."""
        try:
            yield from self._overhear(self._pace.quiet)
        except _BotLeft:
            yield from self._come_back()
        self._table.end()
        yield from self._tell()
        reply = yield Listen(self._pace.leaves)
        if isinstance(reply, BotMessage):
            self.notes.ending = "spoke"
        elif reply is None:
            self.notes.ending = "stayed"
            yield Cut(1001, "the match is over")
        else:
            back = yield Admit(self._pace.leaves)
            self.notes.ending = "left" if back is None else "came back"

    # --- one hand

    def _hand(self, scene: Scene) -> Script[None]:
        table = self._table
        before = [message for message in table.transcript if isinstance(message, wire.EventMessage)][-5:]
        if scene.voided:
            table.start(scene.style)
            yield from self._tell()
            table.void()
            yield from self._tell()
        if scene.drop == "before":
            yield Cut()
        table.start(scene.style)
        if scene.drop == "before":
            self._play_until(scene)
            yield from self._come_back()
        if scene.theirs:
            yield from self._overhear(self._pace.thinks)
        yield from self._tell()
        if scene.stale:
            yield from self._send(*before)
        fresh = True
        while table.match.underway:
            yield from self._tell()
            if table.to_act != table.examined:
                table.go_on(scene.style)
                continue
            answer = yield from (self._first_question(scene) if fresh else self._question(scene))
            fresh = False
            if answer is None:
                table.act_by_default()
            else:
                table.answer(answer)
        if fresh:  # in some games a deal can end before the bot is asked
            self.notes.scenes[scene.name] = ""
        yield from self._tell()

    def _first_question(self, scene: Scene) -> Script[AnswerMessage | None]:
        """Ask the first question of the scene."""
        if scene.pause:
            yield from self._overhear(self._pace.thinks)
        for frame in scene.noise:
            yield SendFrame(frame)
        act = self._act(scene)
        if scene.drop != "before" or scene.theirs:  # otherwise the snapshot contains the question
            yield from self._ask(act)
        if scene.twice:
            yield from self._send(act)
        if scene.drop == "in turn":
            yield Cut()
            yield from self._come_back()
        answer = yield from self._answer(act)
        if answer is not None and scene.refused is not None:
            yield from self._send(scene.refused)
            answer = yield from self._answer(act, not_before_ms=scene.refused.retry_after_ms or 0)
        self.notes.scenes[scene.name] = self._hasty or (self._wrong if answer is None else "")
        return answer

    def _question(self, scene: Scene) -> Script[AnswerMessage | None]:
        """Ask another question of the hand."""
        act = self._act(scene)
        yield from self._ask(act)
        return (yield from self._answer(act))

    def _act(self, scene: Scene) -> Question:
        return self._table.question(self._pace.short_time_ms if scene.short else self._pace.move_time_ms)

    def _ask(self, act: Question) -> Script[None]:
        """Record all unrequested messages of the bot, and send a question."""
        yield from self._overhear(0.0)
        yield from self._send(act)
        self._last, self._answered = act, False

    def _answer(self, act: Question, *, not_before_ms: int = 0) -> Script[AnswerMessage | None]:
        """Wait for an answer that the arena would accept, and a little longer for a second one."""
        self._last, self._answered = act, False
        self._wrong, self._hasty = NO_ANSWER, ""
        tries, passed_ms = 0, 0.0
        while tries < MOST_TRIES:
            left_ms = given_ms(act) + self._pace.grace * 1000 - passed_ms
            reply = yield from self._word(min(left_ms, self._pace.thinks * 1000) if tries else left_ms)
            if reply is None:
                if tries == 0:
                    self._miss(act)
                return None
            passed_ms += reply.after_ms
            if self._is_overdue(reply.frame, act):
                continue
            tries += 1
            self._misses = 0
            self.notes.answers.append(Answered(self._scene.name, act, reply.frame, passed_ms))
            if passed_ms < not_before_ms:
                self._hasty = f"did not wait for the requested {not_before_ms} ms"
            if passed_ms > given_ms(act):
                self._wrong = NO_ANSWER if self._scene.short else ""
                return None
            result = check_answer(reply.frame, act)
            if result.action is not None:
                self._answered = True
                yield from self._overhear(self._pace.quiet)
                return result.action
            yield from self._reject(result, may_try_again=tries < MOST_TRIES)
        return None

    def _miss(self, act: Question) -> None:
        """Record that a question was not answered; after too many in a row, end the exam."""
        self.notes.missed.append(Missed(self._scene.name, act))
        self._overdue[act.turn] = act
        self._misses += 1
        if self._misses == MOST_MISSES:
            raise _ExamOver(f"did not answer {MOST_MISSES} questions in a row")

    def _word(self, left_ms: float) -> Script[BotMessage | None]:
        """Return the bot's next message, or None if it does not come in time."""
        reply = yield Listen(max(0.0, left_ms) / 1000)
        if isinstance(reply, Disconnected):
            raise _BotLeft
        return reply

    def _reject(self, result: CheckedAnswer, *, may_try_again: bool) -> Script[None]:
        """Send the bot an error for its answer, if there is time for another answer."""
        assert result.fault is not None
        assert result.error is not None
        self._wrong = result.fault.sentence if self._scene.exacting else ""  # others have their own check
        if may_try_again:
            yield from self._send(result.error)

    def _is_overdue(self, frame: str | bytes, act: Question) -> bool:
        """Record a message if it answers an earlier question. Return whether it does."""
        message = parse_message(frame)
        if not isinstance(message, AnswerMessage) or (message.turn is None and message.hand_id == act.hand_id):
            return False
        turns = [late for late in self._overdue.values() if late.hand_id == message.hand_id]
        late = next((late for late in turns if message.turn in (None, late.turn)), None)
        if late is None:
            return False
        del self._overdue[late.turn]
        self.notes.strays.append(UnaskedMessage(self._scene.name, frame, late, False))
        return True

    def _overhear(self, seconds: float) -> Script[None]:
        """Record an unrequested message of the bot."""
        for _ in range(MOST_TRIES):
            reply = yield from self._word(seconds * 1000)
            if reply is None:
                return
            self.notes.strays.append(UnaskedMessage(self._scene.name, reply.frame, self._last, self._answered))

    # --- during the bot's absence

    def _play_until(self, scene: Scene) -> None:
        """Play for the absent bot until its turn in the scene's phase, or until the turn before it."""
        table = self._table
        while table.phase != scene.until or (table.to_act != table.examined and not scene.theirs):
            self._play_on(scene)

    def _play_out(self, scene: Scene) -> None:
        """Play the hand to its end without the bot."""
        while self._table.match.underway:
            self._play_on(scene)

    def _play_on(self, scene: Scene) -> None:
        if self._table.to_act == self._table.examined:
            self._table.act_by_default()
        else:
            self._table.go_on(scene.style)

    def _come_back(self) -> Script[None]:
        """Seat the bot again as the arena does: send `welcome`, the missed messages, `snapshot` and `lobby`."""
        hello = yield from self._admit()
        resume_from = hello.get("resume_from")
        missed = [
            message
            for message in self._table.transcript
            if type(resume_from) is int and getattr(message, "seq", 0) > resume_from
        ]
        self._sent = len(self._table.transcript)
        snapshot = self._table.snapshot(None if self._table.to_act is None else self._pace.move_time_ms)
        yield from self._send(self._table.welcome(), *missed, snapshot, self._table.lobby())

    def _admit(self) -> Script[dict[str, Any]]:
        """Wait for the bot, and read its hello even if it has faults."""
        reply = yield Admit(self._pace.comes)
        if reply is None:
            raise _ExamOver(NOT_BACK)
        frame = reply.frame if isinstance(reply, BotMessage) else ""
        self.notes.greetings.append(Greeting(self._scene.name, frame, self._seen_seq))
        if isinstance(reply, Disconnected):
            raise _ExamOver("said nothing")
        self._last, self._answered = None, True
        try:
            hello = json.loads(reply.frame)
        except ValueError:
            return {}
        return hello if isinstance(hello, dict) else {}

    # --- sending

    def _tell(self) -> Script[None]:
        """Send the bot the new public messages."""
        fresh, self._sent = self._table.transcript[self._sent :], len(self._table.transcript)
        yield from self._send(*fresh)

    def _send(self, *messages: wire.ServerMessage) -> Script[None]:
        for message in messages:
            self._seen_seq = max(self._seen_seq, getattr(message, "seq", 0))
            frame = wire.write(message)
            yield SendFrame(_with_unknown_fields(frame) if self._scene.grown else frame)


def _with_unknown_fields(frame: str) -> str:
    """A message with unknown fields."""
    message = json.loads(frame)
    for part in (message, message.get("you"), message.get("config")):
        if isinstance(part, dict):
            part["mood"] = {"calm": [1, None, "x"]}
    return json.dumps(message)


# --- separate short scripts


def refuse_hello(code: Refusal, msg: str, pace: Pace) -> Script[str | None]:
    """Refuse the hello.

    The bot must not try again. Return the fault or an empty text; None if no bot came.
    """
    if not isinstance((yield Admit(pace.comes)), BotMessage):
        return None
    yield SendFrame(wire.write(wire.Error(code=code, msg=msg)))
    reply = yield Listen(pace.leaves)
    if isinstance(reply, BotMessage):
        return "went on talking"
    if reply is None:
        yield Cut(1008, msg)
    return "came back at once" if isinstance((yield Admit(pace.leaves)), BotMessage) else ""


def replace_bot(pace: Pace, seed: int = 0, games: ExamGame = NO_LIMIT_HOLDEM) -> Script[str | None]:
    """Close with code 4000, which means that another process now plays for this team.

    The bot must not take the seat back.
    """
    if not isinstance((yield Admit(pace.comes)), BotMessage):
        return None
    table = make_table("?", hands=1, move_time_ms=pace.move_time_ms, seed=seed, games=games)
    table.start("quiet")
    while table.to_act != table.examined:
        table.go_on("quiet")
    for message in (table.welcome(), *table.transcript, table.question(pace.move_time_ms)):
        yield SendFrame(wire.write(message))
    yield Listen(pace.move_time_ms / 1000)  # in Node 20, an unread message can hide a close
    yield Cut(REPLACED, "replaced by a newer connection")
    return "came back at once" if isinstance((yield Admit(pace.leaves)), BotMessage) else ""
