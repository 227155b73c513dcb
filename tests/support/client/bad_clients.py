"""Sick bots for the doctor: each is the healthy one with one thing wrong."""

import json
from typing import Any

from tests.support.client.bad_bots import Frame, Healthy, Words


class AnswersTwice(Healthy):
    def say(self, answer: dict[str, Any], after_ms: float = 5) -> Words:
        return super().say(answer, after_ms) * 2


class AnswersDuplicates(Healthy):
    def on_question(self, question: dict[str, Any], hand_id: str) -> Words:
        self.turn = -1
        return super().on_question(question, hand_id)


class WrongHand(Healthy):
    def on_question(self, question: dict[str, Any], hand_id: str) -> Words:
        return super().on_question(question, "H-0")


class OldTurn(Healthy):
    def say(self, answer: dict[str, Any], after_ms: float = 5) -> Words:
        return super().say({**answer, "turn": answer["turn"] - 1}, after_ms)


class NoTurn(Healthy):
    def say(self, answer: dict[str, Any], after_ms: float = 5) -> Words:
        return super().say({key: value for key, value in answer.items() if key != "turn"}, after_ms)


class Raises(Healthy):
    """Raises to whatever it was made for."""

    def amount(self, question: dict[str, Any]) -> Any:
        return question["min_raise_to"]

    def choose(self, question: dict[str, Any]) -> dict[str, Any]:
        if "RAISE_TO" in question["legal"]:
            return {"action": "RAISE_TO", "amount": self.amount(question)}
        return super().choose(question)


class RaisesTooLittle(Raises):
    def amount(self, question: dict[str, Any]) -> Any:
        return question["min_raise_to"] - 1


class RaisesTooMuch(Raises):
    def amount(self, question: dict[str, Any]) -> Any:
        return question["max_raise_to"] + 1


class WritesAmounts(Raises):
    def amount(self, question: dict[str, Any]) -> Any:
        return str(question["min_raise_to"])


class HalvesChips(Raises):
    def amount(self, question: dict[str, Any]) -> Any:
        return question["min_raise_to"] + 0.5


class TrueAmounts(Raises):
    def amount(self, question: dict[str, Any]) -> Any:
        return True


class NoAmounts(Raises):
    def amount(self, question: dict[str, Any]) -> Any:
        return None


class AlwaysChecks(Healthy):
    def choose(self, question: dict[str, Any]) -> dict[str, Any]:
        return {"action": "CHECK"}


class AlwaysCalls(Healthy):
    def choose(self, question: dict[str, Any]) -> dict[str, Any]:
        return {"action": "CALL"}


class OddWord(Healthy):
    def choose(self, question: dict[str, Any]) -> dict[str, Any]:
        return {"action": "ALL_IN"}


class Slow(Healthy):
    def say(self, answer: dict[str, Any], after_ms: float = 5) -> Words:
        return super().say(answer, 3100)


class VerySlow(Healthy):
    def say(self, answer: dict[str, Any], after_ms: float = 5) -> Words:
        return super().say(answer, 60_000)


class MindsNoShortTime(Healthy):
    def say(self, answer: dict[str, Any], after_ms: float = 5) -> Words:
        return super().say(answer, 1200)


class NeverComesBack(Healthy):
    def cut(self, code: int | None) -> None:
        super().cut(code)
        self.over = True


class ComesBackAsAnother(Healthy):
    def hello(self) -> dict[str, Any]:
        return {**super().hello(), "join_code": "KF7Q9C" if self.seq is None else "XXXXXX"}


class ComesBackWithoutHello(Healthy):
    def connect(self) -> Words | None:
        words = super().connect()
        return words if self.seq is None or words is None else [(0, '{"type":"hello"}')]


class ForgetsSeq(Healthy):
    def hello(self) -> dict[str, Any]:
        return {"type": "hello", "v": 1, "team": "Alpha", "join_code": "KF7Q9C"}


class InventsSeq(Healthy):
    def hello(self) -> dict[str, Any]:
        return {**super().hello(), "resume_from": 10**6}


class DeafToSnapshots(Healthy):
    def on_snapshot(self, snapshot: dict[str, Any]) -> Words:
        return []


class AnswersEverySnapshot(Healthy):
    def on_snapshot(self, snapshot: dict[str, Any]) -> Words:
        if snapshot["at_hand_id"] is None or "legal" in snapshot:
            return super().on_snapshot(snapshot)
        return self.say({"type": "action", "v": 1, "hand_id": snapshot["at_hand_id"], "action": "FOLD"})


class SpeaksOutOfTurn(Healthy):
    def on_start_hand(self, start: dict[str, Any]) -> Words:
        return self.say({"type": "action", "v": 1, "hand_id": start["hand_id"], "action": "FOLD"})


class StopsAt(Healthy):
    """Closes the connection at a message it does not understand, and never returns."""

    def upset(self, frame: Frame) -> bool:
        return False

    def receive(self, frame: Frame) -> Words:
        return self.leave() if self.upset(frame) else super().receive(frame)


class StopsAtUnknownTypes(StopsAt):
    def upset(self, frame: Frame) -> bool:
        return b"weather" in (frame if isinstance(frame, bytes) else frame.encode())


class StopsAtUnknownFields(StopsAt):
    def upset(self, frame: Frame) -> bool:
        return b"mood" in (frame if isinstance(frame, bytes) else frame.encode())


class StopsAtGarbage(StopsAt):
    def upset(self, frame: Frame) -> bool:
        return frame == "no JSON"


class StopsAtBinary(StopsAt):
    def upset(self, frame: Frame) -> bool:
        return isinstance(frame, bytes)


class StopsAtErrors(StopsAt):
    def upset(self, frame: Frame) -> bool:
        return isinstance(frame, str) and '"error"' in frame


class StumblesOverGarbage(StopsAtGarbage):
    """Ends the connection, but comes back."""

    def leave(self) -> Words:
        self.here = False
        return []

    def on_match_end(self, end: dict[str, Any]) -> Words:
        return super().leave() if self.over else Healthy.leave(self)


class GivesUpWhenRefused(Healthy):
    def on_error(self, error: dict[str, Any]) -> Words:
        return [] if error["code"] == "INVALID_ACTION" else super().on_error(error)


class GivesUpWhenLimited(Healthy):
    def on_error(self, error: dict[str, Any]) -> Words:
        return [] if error["code"] == "RATE_LIMITED" else super().on_error(error)


class DoesNotWait(Healthy):
    def on_error(self, error: dict[str, Any]) -> Words:
        return super().on_error({**error, "retry_after_ms": 0})


class Chats(Healthy):
    def on_lobby(self, lobby: dict[str, Any]) -> Words:
        return [(0, '{"type":"chat","v":1,"text":"hi"}')]


class SendsBytes(Healthy):
    def say(self, answer: dict[str, Any], after_ms: float = 5) -> Words:
        return [(after_ms, json.dumps(answer).encode())]


class SendsNoVersion(Healthy):
    def say(self, answer: dict[str, Any], after_ms: float = 5) -> Words:
        return super().say({key: value for key, value in answer.items() if key != "v"}, after_ms)


class SendsMuch(Healthy):
    def say(self, answer: dict[str, Any], after_ms: float = 5) -> Words:
        return super().say({**answer, "thoughts": "x" * 9000}, after_ms)


class SaysHelloTwice(Healthy):
    def on_welcome(self, welcome: dict[str, Any]) -> Words:
        return [(0, json.dumps(self.hello()))]


class NoCode(Healthy):
    def hello(self) -> dict[str, Any]:
        return {"type": "hello", "v": 1, "team": "Alpha"}


class NumberedTeam(Healthy):
    def hello(self) -> dict[str, Any]:
        return {**super().hello(), "team": 7}


class ActsFirst(Healthy):
    def hello(self) -> dict[str, Any]:
        return {"type": "action", "v": 1, "hand_id": "H-1", "action": "FOLD"}


class SaysNothing(Healthy):
    def connect(self) -> Words | None:
        self.over, self.here = True, True
        return []


class Stays(Healthy):
    def on_match_end(self, end: dict[str, Any]) -> Words:
        return []


class TalksOn(Healthy):
    def on_match_end(self, end: dict[str, Any]) -> Words:
        return [(0, json.dumps(self.hello()))]


class ComesAgain(Healthy):
    def on_match_end(self, end: dict[str, Any]) -> Words:
        self.here = False
        return []


class KnocksAgain(Healthy):
    def on_error(self, error: dict[str, Any]) -> Words:
        self.here = False
        return []


class BegsOn(Healthy):
    def on_error(self, error: dict[str, Any]) -> Words:
        return [(0, json.dumps(self.hello()))]


class Fights(Healthy):
    def cut(self, code: int | None) -> None:
        self.here = False
