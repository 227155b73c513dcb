"""The doctor's verdicts, each with one sentence, from the notes of the examination."""

import json
from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from pitboss.arena.doctor.exam import (
    Answered,
    CheckedAnswer,
    Fault,
    Greeting,
    Notes,
    UnaskedMessage,
    check_answer,
    given_ms,
    parse_message,
)
from pitboss.arena.doctor.scenes import SCENES, Scene
from pitboss.arena.wire import messages as wire

Verdict = Literal["pass", "fail", "advice"]

ALWAYS = {
    "messages": "every frame was a well-formed message of the protocol",
    "hand_id": "every answer had the right hand_id",
    "legal answers": "every answer was legal",
    "amounts": "every amount was a whole number within the bounds",
    "in time": "every question was answered in time",
    "one answer": "every question was answered once",
    "keeps quiet": "no message was sent without a question",
}
"""The checks of every scene, each with the sentence for a bot that passes."""
TROUBLES: dict[str, tuple[str, str]] = {
    "raised": ("exceptions", "the bot's function raised no exception"),
    "illegal": ("own answers", "all answers of the bot's function were legal"),
    "late": ("own time", "the bot's function answered in time"),
}


class ExamCheck(Struct, frozen=True):
    """One point of the examination."""

    name: str
    verdict: Verdict
    sentence: str


class ExamReport(Struct, frozen=True):
    """The whole examination."""

    passed: int
    failed: int
    advice: int
    checks: tuple[ExamCheck, ...]


def report(checks: Iterable[ExamCheck]) -> ExamReport:
    """Count the verdicts.

    >>> report([ExamCheck("hello", "pass", "well said"), ExamCheck("turn", "advice", "echo it")]).advice
    1
    """
    made = tuple(checks)
    verdicts = [check.verdict for check in made]
    return ExamReport(verdicts.count("pass"), verdicts.count("fail"), verdicts.count("advice"), made)


def judge(notes: Notes, scenes: Sequence[Scene] = SCENES) -> list[ExamCheck]:
    """Return all verdicts on one bot."""
    faults = [*_answer_faults(notes), *_stray_faults(notes)]
    checks = [_hello(notes.greetings[:1])]
    checks += [_verdict(name, well, faults) for name, well in ALWAYS.items()]
    checks.append(_turn(notes, faults))
    if notes.answers:  # if a bot answers nothing, other verdicts would add nothing
        checks += [_scene(scene, notes.scenes[scene.name]) for scene in scenes if scene.name in notes.scenes]
    if len(notes.greetings) > 1:
        checks += [_hello_again(notes.greetings), _resume(notes.greetings)]
    if notes.ending is not None:
        checks.append(_ending(notes))
    if notes.stopped is not None:
        left = sum(scene.name not in notes.scenes for scene in scenes)
        checks.append(ExamCheck("examination", "fail", f"{notes.stopped}, so {left} scenes were not played"))
    return checks


# --- the examination as a whole


def _answer_faults(notes: Notes) -> list[tuple[str, Fault]]:
    found = []
    for answer in notes.answers:
        fault = _late(answer) or check_answer(answer.frame, answer.act).fault
        if fault is not None:
            found.append((answer.scene, fault))
    found += [
        (missed.scene, Fault("in time", f"gave no answer within {given_ms(missed.act)} ms")) for missed in notes.missed
    ]
    return found


def _late(answer: Answered) -> Fault | None:
    """Return the fault of an answer that came after its time."""
    if answer.after_ms > given_ms(answer.act):
        return Fault("in time", f"answered after {answer.after_ms:.0f} ms, but had only {given_ms(answer.act)} ms")
    return None


def _stray_faults(notes: Notes) -> list[tuple[str, Fault]]:
    return [(stray.scene, _stray_fault(stray)) for stray in notes.strays]


def _stray_fault(stray: UnaskedMessage) -> Fault:
    """Return the fault of an unexpected message: a second answer, a late answer, or one without a question."""
    message = parse_message(stray.frame)
    if isinstance(message, CheckedAnswer):
        assert message.fault is not None
        return message.fault
    if isinstance(message, wire.Hello):
        return Fault("messages", "sent a second hello on one connection: send only one")
    what = (message.action or "a strategy") if isinstance(message, wire.Action) else "a move"
    if stray.act is not None and message.hand_id == stray.act.hand_id and message.turn in (None, stray.act.turn):
        if stray.answered:
            return Fault("one answer", f"answered {what} to a question that it had answered before: answer once")
        return Fault("in time", f"answered {what} after the time was up")
    sentence = f"sent {what} without a question: wait for a question"
    return Fault("keeps quiet", sentence)


def _verdict(name: str, well: str, faults: Sequence[tuple[str, Fault]]) -> ExamCheck:
    """Return a pass if no fault belongs to this check; otherwise the first fault and the number of faults."""
    mine = [(scene, fault) for scene, fault in faults if fault.check == name]
    if not mine:
        return ExamCheck(name, "pass", well)
    scene, fault = mine[0]
    more = f" (and {len(mine) - 1} more like it)" if len(mine) > 1 else ""
    return ExamCheck(name, "fail", f"in {scene!r} it {fault.sentence}{more}")


def _turn(notes: Notes, faults: Sequence[tuple[str, Fault]]) -> ExamCheck:
    """Return the verdict on `turn`. A wrong number is a failure, a missing one only leads to advice."""
    found = _verdict("turn", "every answer had the right turn", faults)
    if found.verdict == "fail":
        return found
    good = [check_answer(answer.frame, answer.act).action for answer in notes.answers]
    if any(action is not None and action.turn is None for action in good):
        sentence = "copy the act's `turn` into the action: after a reconnect only `turn` identifies the question"
        return ExamCheck("turn", "advice", sentence)
    return found


def _scene(scene: Scene, wrong: str) -> ExamCheck:
    if not wrong:
        return ExamCheck(scene.name, "pass", "answered as it should")
    return ExamCheck(scene.name, "fail", f"it {wrong}: {scene.advice}")


def _ending(notes: Notes) -> ExamCheck:
    name = "match end"
    match notes.ending:
        case "spoke":
            return ExamCheck(name, "fail", "it sent messages after match_end: the match is over, so disconnect")
        case "came back":
            return ExamCheck(name, "fail", "it connected again after match_end: the match is over, so do not reconnect")
        case "stayed":
            return ExamCheck(
                name, "advice", "it kept the connection open after match_end: no more messages follow, so disconnect"
            )
        case _:
            return ExamCheck(name, "pass", "it disconnected after the end of the match")


# --- hello


def _hello(greetings: Sequence[Greeting]) -> ExamCheck:
    name = "hello"
    if not greetings or not greetings[0].frame:
        return ExamCheck(name, "fail", "it sent nothing: begin every connection with a hello")
    message = parse_message(greetings[0].frame)
    if isinstance(message, wire.Hello):
        return ExamCheck(name, "pass", "it sent a hello with type, v, team and join_code")
    if isinstance(message, wire.Action | wire.MoveMessage):
        return ExamCheck(name, "fail", "it began with an answer: begin every connection with a hello")
    assert message.fault is not None
    return ExamCheck(name, "fail", f"it {message.fault.sentence}: hello needs type, v, team and join_code")


def _hello_again(greetings: Sequence[Greeting]) -> ExamCheck:
    name = "hello again"
    first = _identity(greetings[0])
    for greeting in greetings[1:]:
        if not isinstance(parse_message(greeting.frame), wire.Hello):
            return ExamCheck(name, "fail", f"in {greeting.scene!r} it came back without a proper hello")
        if _identity(greeting) != first:
            sentence = (
                f"in {greeting.scene!r} it came back with another team or join_code, which belong to another seat"
            )
            return ExamCheck(name, "fail", f"{sentence}: keep both")
    return ExamCheck(name, "pass", "it came back with the same team and join_code")


def _identity(greeting: Greeting) -> tuple[object, object]:
    try:
        hello = json.loads(greeting.frame)
    except ValueError:
        return None, None
    return (hello.get("team"), hello.get("join_code")) if isinstance(hello, dict) else (None, None)


def _resume(greetings: Sequence[Greeting]) -> ExamCheck:
    name = "resume_from"
    for greeting in greetings[1:]:
        message = parse_message(greeting.frame)
        if not isinstance(message, wire.Hello) or message.resume_from is None:
            sentence = "send the last `seq` you received as `resume_from`, to receive the messages that you missed"
            return ExamCheck(name, "advice", sentence)
        if message.resume_from > greeting.seq:
            sentence = f"it had received seq {greeting.seq} at most and sent {message.resume_from}"
            return ExamCheck(name, "fail", f"in {greeting.scene!r} {sentence}: send the last seq you received")
    return ExamCheck(name, "pass", "it sent the last seq that it had received")


# --- the short scripts, and the troubles of the client


def judge_refusal(name: str, wrong: str | None) -> ExamCheck | None:
    """The verdict on a refused hello or a replaced connection; None where no bot came for it."""
    if wrong is None:
        return None
    if wrong:
        return ExamCheck(name, "fail", f"it {wrong}: stop, and report the error to the owner of the bot")
    return ExamCheck(name, "pass", "it disconnected and did not come back")


def judge_troubles(troubles: Iterable[tuple[str, str]]) -> list[ExamCheck]:
    """Return verdicts on the troubles that the client corrected for its bot. Each trouble has a kind and a sentence."""
    sentences_of: dict[str, list[str]] = {kind: [] for kind in TROUBLES}
    for kind, sentence in troubles:
        sentences_of.setdefault(kind, []).append(sentence)
    return [_trouble(*TROUBLES[kind], sentences_of[kind]) for kind in TROUBLES]


def _trouble(name: str, well: str, sentences: Sequence[str]) -> ExamCheck:
    if not sentences:
        return ExamCheck(name, "pass", well)
    more = f" (and {len(sentences) - 1} more like it)" if len(sentences) > 1 else ""
    return ExamCheck(name, "fail", f"{sentences[0]}{more}")
