"""The clients of a simulated arena: bots that play by the rules on connections that do not, and spectators."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from pitboss.arena.bots.house import House, HouseQuestion, answer
from pitboss.arena.code_checker import CodeChecker
from pitboss.arena.equities import EquitySpot, EquityWorker
from pitboss.arena.journal.records import Lock
from pitboss.arena.rooms.logins import CodeCheck, LoginThrottle
from pitboss.arena.wire.fields import EquityStep
from pitboss.arena.wire.messages import Act, Action, Word, write
from pitboss.client.conversation import (
    AskBot,
    Conversation,
    DeliverMessage,
    DropQuestion,
    EndOfMatch,
    NumberMixer,
    OpenNumber,
    Reconnect,
    ReportArena,
    SendAnswer,
    SendAnyway,
)
from pitboss.client.errors import JoinRefused
from tests.support.sim.network import Link
from tests.support.sim.process import Process

if TYPE_CHECKING:
    from pitboss.arena.bots import Bot as HouseBot
    from tests.support.sim.arena import Arena
    from tests.support.sim.auditor import Auditor
    from tests.support.sim.world import Timer

REPLACED = 4000


class Style(Struct, frozen=True):
    """How a bot plays."""

    names_turn: bool = True  #: whether its answers name their turn
    hasty: int = 1000  #: repeats one answer in this many before it has received what followed
    think: float = 0.03  #: seconds, at most
    sleeps: int = 60  #: sleeps through one turn in this many
    mixes: bool = False  #: whether it mixes numbers into the shuffles
    withholds: int = 1000  #: withholds one of its numbers in this many


class Bot:
    """A team that plays: the client's own conversation, on one connection after the other."""

    def __init__(self, arena: "Arena", table: str, team: str, code: str, style: Style) -> None:
        self.arena, self.table, self.team, self.code, self.style = arena, table, team, code, style
        draws = arena.world.chance.fork(len(arena.bots) + 1)
        mixer = NumberMixer(lambda count: b"".join(draws.bits().to_bytes(8, "big") for _ in range(count // 8)))
        self.talk = Conversation(team, code, mixer if style.mixes else None)
        self.link: Link | None = None
        self.last: Action | None = None  #: its last answer
        self._answered = 0  # the turn of that answer
        self.over = False
        self.doubled = False  #: whether another process has played for its team
        self.asleep = False  #: stays away until `wake`
        self.failures = 0
        self._thought: Timer | None = None
        self._coming: Timer | None = None

    def come(self) -> None:
        """Connect, if there is no connection."""
        self._coming = None
        if self.link is None and not self.over and not self.asleep:
            self.connect()

    def connect(self) -> None:
        """Make a new connection; an old one is not closed, and ends by itself."""
        connection = _Connection(self)
        self.link = connection.link = self.arena.connect(connection, f"/ws?table={self.table}")

    def say_hello(self, link: Link) -> None:
        """Send the first message on a connection."""
        hello = self.talk.begin()
        if self.arena.world.one_in(4) and not self.style.mixes:  # a bot that mixes has to see everything
            hello = replace(hello, resume_from=None)
        self.arena.auditor.says_hello(link, self.table, self.team, hello.resume_from)
        link.say(write(hello))

    def receive(self, text: str) -> None:
        """Do what the conversation says."""
        for effect in self.talk.receive(text):
            match effect:
                case DeliverMessage(message=Act() as act):
                    self._hear_again(act)
                case AskBot(Act() as act):
                    self._think(act)
                case DropQuestion():
                    self._forget()
                case SendAnswer(action, after_ms):
                    self.arena.world.after(after_ms / 1000, lambda action=action: self._say_again(action))  # type: ignore[misc]  # mypy cannot tell a default's type
                case SendAnyway(Action() as action):
                    if self.link is not None:
                        self.arena.send(self.link, self.table, self.team, action)
                case OpenNumber(number):
                    self._open(write(number))
                case ReportArena(sentence):
                    fair = "withheld its number, but it was sent" in sentence  # the frame may have been lost
                    fair = fair or self.doubled or self.arena.disk.damaged  # two mix for one seat; a hand is taken back
                    fair = fair or self._has_left()  # an absent client is not bound to its next number
                    assert fair, f"{self.team} complains of the arena: {sentence}"
                    self.arena.world.count("a client complains of its number")
                case Reconnect(after_ms):
                    self.leave(after_ms / 1000)
                    return
                case EndOfMatch(
                    JoinRefused(code="BAD_SCHEMA")
                ):  # garbage in its team's name, not its hello: it is started again
                    self.leave(0.0)
                    return
                case EndOfMatch():
                    self.over = True
                    self._forget()
                    return

    def _has_left(self) -> bool:
        """Whether it has sent `leave` on its connection, and not answered since."""
        return self.link is not None and self.arena.auditor.seen[self.link.number].left_at is not None

    def _open(self, number: str) -> None:
        world = self.arena.world
        if world.one_in(self.style.withholds) and not self.arena.healed:
            world.count("a number is withheld")
        elif self.link is not None:
            world.counts["a number is opened"] += 1
            self.link.say(number)

    def lost(self, code: int) -> None:
        """The connection is gone."""
        self.link = None
        self._forget()
        if code == REPLACED:
            self.arena.world.count("a bot learns that it was replaced")
        self._come_later(0.0)

    def leave(self, wait: float) -> None:
        """Disconnect, and come again."""
        link, self.link = self.link, None
        self._forget()
        if link is not None:
            link.hang_up()
        self._come_later(wait)

    def go(self) -> None:
        """Leave for good."""
        self.over = True
        if self.link is not None:
            self.link.reset()

    def _come_later(self, wait: float) -> None:
        self.failures = min(self.failures + 1, 5)
        if self._coming is None and not self.over and not self.asleep:
            world = self.arena.world
            self._coming = world.after(wait + world.between(0.05, 0.2 * 2**self.failures), self.come)

    def wake(self) -> None:
        """Come again after an absence, on a new connection."""
        if self.asleep and not self.over:
            self.asleep = False
            self.connect()
        else:
            self.come()

    # --- answers

    def _think(self, act: Act) -> None:
        self.failures = 0
        self._forget()
        world = self.arena.world
        move_time = act.you.time_ms / 1000
        if world.one_in(self.style.sleeps) and not self.arena.healed:
            think = move_time * world.chance.choice((0.98, 1.0, 1.5))
        else:
            think = world.between(0.0, min(self.style.think, move_time / 4))
        self._thought = world.after(think, lambda: self._answer(act))

    def _answer(self, act: Act) -> None:
        self._thought = None
        if self.talk.is_open(act):
            action = choose(self.arena, act, names_turn=self.style.names_turn)
            self.last, self._answered = action, act.turn
            if self.talk.answered(action):
                self.send(action)

    def _hear_again(self, act: Act) -> None:
        """Answer a repeated question again: the first answer, without a turn, may have been ignored."""
        answered = self.last is not None and self.talk.is_current(self.last) and self._answered == act.turn
        if answered and self.last is not None and not self.style.names_turn:
            self.arena.world.counts["a repeated question is answered again"] += 1
            self.send(self.last)

    def _say_again(self, action: Action) -> None:
        if self.talk.is_current(action):
            self.send(action)

    def send(self, action: Action) -> None:
        """Send an answer."""
        if self.link is not None:
            self.arena.send(self.link, self.table, self.team, action)
            if action.turn is not None:
                self.link.has_answered(action.hand_id, action.turn)
            if self.arena.world.one_in(30):
                self.arena.world.count("an answer is sent twice")
                self.arena.send(self.link, self.table, self.team, action)
            if action.turn is None and self.arena.world.one_in(self.style.hasty):
                self.arena.world.after(self.arena.world.between(0.0, 0.06), partial(self._blurt, self.link, action))

    def _blurt(self, link: Link, action: Action) -> None:
        """Send a cheap answer, whatever the question is now."""
        if self.link is link and not self.over:
            word: Word = "CALL" if self.arena.world.one_in(2) else "CHECK"
            self.arena.world.counts["an answer is sent before its question is read"] += 1
            self.arena.send(link, self.table, self.team, replace(action, action=word, amount=None, discard=None))

    def _forget(self) -> None:
        if self._thought is not None:
            self._thought.cancel()
            self._thought = None


class _Connection:
    """One connection of a bot; frames on an old one are ignored."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.link: Link | None = None

    def opened(self) -> None:
        if self.link is not None:
            self.bot.say_hello(self.link)

    def heard(self, text: str) -> None:
        if self.link is not None:
            self.bot.arena.auditor.read(self.link, text)
        if self.bot.link is self.link:
            self.bot.receive(text)

    def lost(self, code: int) -> None:
        if self.bot.link is self.link:
            self.bot.lost(code)


def choose(arena: "Arena", act: Act, *, names_turn: bool) -> Action:
    """An action on offer: mostly calls and checks, so that hands last."""
    chance = arena.world.chance
    turn = act.turn if names_turn else None
    if "DRAW" in act.legal:
        drawn = tuple(card for card in act.you.hole if chance.below(2))
        return Action(v=1, hand_id=act.hand_id, action="DRAW", discard=drawn, turn=turn)
    word = chance.choice((*act.legal, *["CALL"] * 8))
    if word not in act.legal:
        word = "CALL" if "CALL" in act.legal else "CHECK"
    amount = None
    if word == "RAISE_TO":
        assert act.min_raise_to is not None
        assert act.max_raise_to is not None
        low, high = act.min_raise_to, act.max_raise_to
        amount = chance.choice((low, low, low, low, low + chance.below(high - low + 1), high))
    return Action(v=1, hand_id=act.hand_id, action=word, amount=amount, turn=turn)  # type: ignore[arg-type]  # a word out of the offer


class Visitor:
    """A connection that only listens, or through which hostile frames are sent."""

    def __init__(self, then: Callable[["Visitor"], None] | None = None) -> None:
        self.link: Link | None = None
        self._word = self._counted = ""
        self._then = then

    def opened(self) -> None:
        """The handshake is done."""
        if self._then is not None:
            self._then(self)

    def heard(self, text: str) -> None:
        """A message came."""
        if self._word and self._word in text and self.link is not None:
            self.link.world.counts[self._counted] += 1

    def count_error(self, word: str, counted: str) -> None:
        """Count the messages that have a word in them."""
        self._word, self._counted = word, counted

    def lost(self, code: int) -> None:
        """The connection is gone."""


class NoEquities(EquityWorker):
    """Computes nothing: a separate process would not follow from the seed."""

    def ask(self, spots: Sequence[EquitySpot], answered: Callable[[tuple[EquityStep, ...]], None]) -> None:
        """Give no answer."""

    def compute(self, spots: Sequence[EquitySpot]) -> tuple[EquityStep, ...]:
        """Give no answer."""
        return ()


class QuickChecker(CodeChecker):
    """Checks codes as the server does, with a fast hash; reports to the auditor when a check begins and ends."""

    def __init__(
        self,
        auditor: "Auditor",
        guesses: LoginThrottle,
        awaited: Callable[[CodeCheck], bool],
        on_result: Callable[[CodeCheck, Lock | None, float], None],
    ) -> None:
        def report(check: CodeCheck, lock: Lock | None, busy: float) -> None:
            auditor.checked(check)
            on_result(check, lock, busy)

        super().__init__(guesses, awaited, report)
        self._auditor = auditor

    def put(self, check: CodeCheck, now: float) -> None:
        """Put a code in the queue."""
        self._auditor.checking(check)
        super().put(check, now)

    def run(self, check: CodeCheck) -> asyncio.Future[Lock | None]:
        """Run a check on the virtual clock."""
        return asyncio.get_running_loop().run_in_executor(None, _quick, check)


def _quick(check: CodeCheck) -> Lock | None:
    if check.lock is None:
        return Lock(check.salt.hex(), blake2b(check.code.encode(), digest_size=32, salt=check.salt).hexdigest())
    fits = check.lock.kind == "blake2b" and check.lock.opens(check.code)  # the others here are made to open never
    return check.lock if fits else None


class TimedHouse(House):
    """The house bots without their process: they answer after a while."""

    def __init__(
        self, process: Process, said: Callable[[int, str], None], answered: Callable[[int, str], None]
    ) -> None:
        super().__init__(answered)
        self._of = process
        self._said = said
        self._bots: dict[int, HouseBot] = {}

    def ask(self, question: HouseQuestion) -> None:
        """Let a bot answer."""
        frame = answer(question, self._bots)

        def done() -> None:
            self._said(question.session, frame)
            self._answered(question.session, frame)

        self._of.thread(0.001, done)

    def close(self) -> None:
        """Nothing is open."""
