"""Bots for the doctor that are plain objects, healthy and faulty, and a stage for them without sockets and clocks."""

import json
from collections import deque
from typing import Any, TypeVar

from pitboss.arena.doctor.exam import (
    Admit,
    BotMessage,
    Cut,
    Disconnected,
    Exam,
    Listen,
    Pace,
    Reply,
    Script,
    SendFrame,
    Step,
)
from pitboss.arena.doctor.verdicts import ExamCheck, judge

T = TypeVar("T")
Frame = str | bytes
Words = list[tuple[float, Frame]]
"""What a bot sends, each item after this many milliseconds."""

PACE = Pace()


class Healthy:
    """A bot that does everything right, written from the protocol alone."""

    def __init__(self) -> None:
        self.seq: int | None = None
        self.turn = -1
        self.answer: dict[str, Any] | None = None
        self.over = False
        self.here = False

    # --- the connection

    def connect(self) -> Words | None:
        """Connect, with a hello; None: stay away."""
        if self.over:
            return None
        self.here = True
        self.turn = -1
        return [(0, json.dumps(self.hello()))]

    def cut(self, code: int | None) -> None:
        """The connection is lost."""
        self.here = False
        if code == 4000:
            self.over = True

    def hello(self) -> dict[str, Any]:
        resume = {} if self.seq is None else {"resume_from": self.seq}
        return {"type": "hello", "v": 1, "team": "Alpha", "join_code": "KF7Q9C", **resume}

    # --- messages

    def receive(self, frame: Frame) -> Words:
        """The bot's answer to a frame."""
        try:
            message = json.loads(frame)
        except ValueError:
            return []
        if not isinstance(message, dict) or not isinstance(message.get("type"), str):
            return []
        if isinstance(message.get("seq"), int):
            self.seq = max(message["seq"], self.seq or 0)
        handler = getattr(self, f"on_{message['type']}", None)
        return handler(message) if handler else []

    def on_act(self, act: dict[str, Any]) -> Words:
        return self.on_question(act, act["hand_id"])

    def on_snapshot(self, snapshot: dict[str, Any]) -> Words:
        if "legal" not in snapshot:
            return []
        return self.on_question(snapshot, snapshot["at_hand_id"])

    def on_question(self, question: dict[str, Any], hand_id: str) -> Words:
        if question["turn"] == self.turn:
            return []
        self.turn = question["turn"]
        choice = self.choose(question)
        self.answer = {"type": "action", "v": 1, "hand_id": hand_id, "turn": self.turn, **choice}
        return self.say(self.answer)

    def choose(self, question: dict[str, Any]) -> dict[str, Any]:
        return {"action": "CHECK" if "CHECK" in question["legal"] else "CALL"}

    def say(self, answer: dict[str, Any], after_ms: float = 5) -> Words:
        return [(after_ms, json.dumps(answer))]

    def on_error(self, error: dict[str, Any]) -> Words:
        if error["code"] in ("TEAM_TAKEN", "TEAM_UNKNOWN", "TABLE_FULL"):
            return self.leave()
        if self.answer is None or error["code"] not in ("INVALID_ACTION", "RATE_LIMITED"):
            return []
        return self.say(self.answer, error.get("retry_after_ms", 0) + 5)

    def on_event(self, event: dict[str, Any]) -> Words:
        self.answer = None
        return []

    def on_match_end(self, end: dict[str, Any]) -> Words:
        return self.leave()

    def leave(self) -> Words:
        self.over = True
        self.here = False
        return []


def perform(script: Script[T], bot: Healthy) -> T:
    """Run a script against a bot, without waiting."""
    stage = _Stage(bot)
    reply: Reply = None
    try:
        while True:
            reply = stage.do(script.send(reply))
    except StopIteration as stop:
        result: T = stop.value
        return result


class _Stage:
    def __init__(self, bot: Healthy) -> None:
        self.bot = bot
        self.now = 0.0
        self.said: deque[tuple[float, Frame]] = deque()

    def do(self, step: Step) -> Reply:
        match step:
            case SendFrame(frame):
                if self.bot.here:
                    self.keep(self.bot.receive(frame))
            case Cut(code):
                self.said.clear()
                self.bot.cut(code)
            case Admit():
                return self.admit()
            case Listen(seconds):
                return self.listen(seconds)
        return None

    def keep(self, words: Words) -> None:
        self.said.extend((self.now + after_ms, frame) for after_ms, frame in words)

    def admit(self) -> Reply:
        self.said.clear()
        words = self.bot.connect()
        if words is None:
            return None
        self.keep(words)
        return BotMessage(self.said.popleft()[1]) if self.said else Disconnected()

    def listen(self, seconds: float) -> Reply:
        until = self.now + seconds * 1000
        if self.said and self.said[0][0] <= until:
            at, frame = self.said.popleft()
            passed, self.now = max(0.0, at - self.now), max(at, self.now)
            return BotMessage(frame, passed)
        if not self.said and not self.bot.here:
            return Disconnected()
        self.now = until
        return None


def examined(bot: Healthy, pace: Pace = PACE, seed: int = 0) -> dict[str, ExamCheck]:
    """A bot's verdicts by name."""
    exam = Exam(pace, seed=seed)
    perform(exam.run(), bot)
    return {check.name: check for check in judge(exam.notes)}


def failed(checks: dict[str, ExamCheck]) -> set[str]:
    """The names of the failed checks."""
    return {name for name, check in checks.items() if check.verdict == "fail"}


def advised(checks: dict[str, ExamCheck]) -> set[str]:
    """The names of the checks with advice."""
    return {name for name, check in checks.items() if check.verdict == "advice"}
