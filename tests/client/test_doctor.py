"""The doctor: a healthy bot passes every check, and every sick one is caught by the name of what it has."""

import json
from collections.abc import Iterable
from typing import Any, get_args

import pytest

from pitboss.arena.doctor.answers import examined as examined_answer
from pitboss.arena.doctor.checks import Check, judge, judge_refusal, judge_troubles, report
from pitboss.arena.doctor.notes import Notes
from pitboss.arena.doctor.scenes import REFUSED_HELLOS, SCENES
from pitboss.arena.doctor.script import Course, refused_hello, replaced
from pitboss.arena.v1 import messages as m
from tests.support.client import bad_clients as sick
from tests.support.client.bad_bots import PACE, Frame, Healthy, Words, advised, examined, failed, perform
from tests.support.client.scripted import act


class Attentive(Healthy):
    """Keeps every frame it was sent."""

    def __init__(self) -> None:
        super().__init__()
        self.frames: list[Frame] = []

    def hear(self, frame: Frame) -> Words:
        self.frames.append(frame)
        return super().hear(frame)

    def messages(self, *types: str) -> list[dict[str, Any]]:
        """What it was sent, of some types."""
        found = []
        for frame in self.frames:
            try:
                message = json.loads(frame)
            except ValueError:
                continue
            if isinstance(message, dict) and message.get("type") in types:
                found.append(message)
        return found


class AttentiveFolder(Attentive):
    def choose(self, question: dict[str, Any]) -> dict[str, Any]:
        return {"action": "FOLD"}


class AttentiveShover(Attentive):
    def choose(self, question: dict[str, Any]) -> dict[str, Any]:
        if "RAISE_TO" in question["legal"]:
            return {"action": "RAISE_TO", "amount": question["max_raise_to"]}
        return super().choose(question)


HEALTHY = [Attentive, AttentiveFolder, AttentiveShover, sick.Raises]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("patient", HEALTHY)
def test_a_healthy_bot_passes_every_check_however_it_plays(patient: type[Healthy], seed: int) -> None:
    checks = examined(patient(), seed=seed)
    assert {name: check.sentence for name, check in checks.items() if check.verdict != "pass"} == {}
    assert set(checks) >= {scene.name for scene in SCENES}
    assert set(checks) >= {"hello", "hello again", "resume_from", "match end", "turn", "in time", "one answer"}


# What each has, and nothing else: a check that fails for no reason of its own would be noise.
OFFERS = {"free check", "one raise size", "call for less"}
ILLNESSES: dict[type[Healthy], set[str]] = {
    sick.AnswersTwice: {"one answer"},
    sick.AnswersDuplicates: {"one answer"},
    sick.WrongHand: {"hand_id", *OFFERS},
    sick.OldTurn: {"turn", *OFFERS},
    sick.RaisesTooLittle: {"amounts", "free check", "one raise size"},
    sick.RaisesTooMuch: {"amounts", "free check", "one raise size"},
    sick.WritesAmounts: {"amounts", "free check", "one raise size"},
    sick.HalvesChips: {"amounts", "free check", "one raise size"},
    sick.TrueAmounts: {"amounts", "free check", "one raise size"},
    sick.NoAmounts: {"amounts", "free check", "one raise size"},
    sick.AlwaysChecks: {"legal answers", "one raise size", "call for less"},
    sick.AlwaysCalls: {"legal answers", "free check"},
    sick.OddWord: {"messages", *OFFERS},
    sick.Slow: {"in time", "short time"},
    sick.VerySlow: {"in time", "course"},
    sick.MindsNoShortTime: {"in time", "short time"},
    sick.NeverComesBack: {"reconnect between hands", "course"},
    sick.ComesBackAsAnother: {"hello again"},
    sick.ComesBackWithoutHello: {"hello again"},
    sick.InventsSeq: {"resume_from"},
    sick.DeafToSnapshots: {
        "in time",
        "reconnect in mid-turn",
        "snapshot on the turn",
        "snapshot on the river",
    },
    sick.AnswersEverySnapshot: {"keeps quiet"},
    sick.SpeaksOutOfTurn: {"keeps quiet", "one answer", "hand_id"},
    sick.StopsAtUnknownTypes: {"unknown messages", "course"},
    sick.StopsAtUnknownFields: {"unknown messages", "course"},
    sick.StopsAtGarbage: {"garbage", "course"},
    sick.StopsAtBinary: {"garbage", "course"},
    sick.StopsAtErrors: {"errors", "course"},
    sick.StumblesOverGarbage: {"garbage"},
    sick.GivesUpWhenRefused: {"refused answer", "in time"},
    sick.GivesUpWhenLimited: {"rate limit", "in time"},
    sick.DoesNotWait: {"rate limit"},
    sick.Chats: {"messages"},
    sick.SendsBytes: {"messages", *OFFERS},
    sick.SendsNoVersion: {"messages", *OFFERS},
    sick.SendsMuch: {"messages", *OFFERS},
    sick.SaysHelloTwice: {"messages"},
    sick.NoCode: {"hello", "hello again"},
    sick.NumberedTeam: {"hello", "hello again"},
    sick.ActsFirst: {"hello", "hello again"},
    sick.SaysNothing: {"hello", "course"},
    sick.TalksOn: {"match end"},
    sick.ComesAgain: {"match end"},
}


@pytest.mark.parametrize(("patient", "illness"), ILLNESSES.items(), ids=lambda each: getattr(each, "__name__", " "))
def test_a_sick_bot_is_caught_by_name(patient: type[Healthy], illness: set[str]) -> None:
    checks = examined(patient())
    assert failed(checks) == illness
    for name in illness:
        assert 20 < len(checks[name].sentence) < 400
        assert "\n" not in checks[name].sentence


def test_a_bot_that_answers_nothing_is_not_waited_for_to_the_end() -> None:
    checks = examined(sick.VerySlow())
    assert "left 6 questions in a row unanswered" in checks["course"].sentence
    assert "garbage" not in checks


@pytest.mark.parametrize(
    ("patient", "name"), [(sick.NoTurn, "turn"), (sick.ForgetsSeq, "resume_from"), (sick.Stays, "match end")]
)
def test_what_is_only_unwise_is_advice(patient: type[Healthy], name: str) -> None:
    checks = examined(patient())
    assert failed(checks) == set()
    assert advised(checks) == {name}


def test_a_bot_that_stumbles_is_examined_to_the_end_if_it_comes_back() -> None:
    checks = examined(sick.StumblesOverGarbage())
    assert checks["garbage"].sentence.startswith("it ended the connection: skip frames")
    assert checks["match end"].verdict == "pass"


def test_a_bot_that_stays_away_is_told_how_much_was_not_examined() -> None:
    checks = examined(sick.NeverComesBack())
    left = len(SCENES) - 1 - [scene.name for scene in SCENES].index("reconnect between hands")
    assert f"so {left} scenes were not played" in checks["course"].sentence
    assert "match end" not in checks


# --- the course


TYPES = {"welcome", "lobby", "start_hand", "act", "event", "end_hand", "snapshot", "error", "reveal", "match_end"}


def phases(questions: Iterable[dict[str, Any]]) -> set[str]:
    return {question["phase"] for question in questions if "legal" in question}


def test_every_message_of_the_protocol_is_sent() -> None:
    patient = Attentive()
    examined(patient)
    assert {message["type"] for message in patient.messages(*TYPES)} == TYPES
    events = {event["ev"] for event in patient.messages("event")}
    assert events == {str(event.__struct_config__.tag) for event in get_args(m.HandEvent)} | {"RABBIT_HUNT"}
    assert phases(patient.messages("act")) == {"PRE_FLOP", "FLOP", "TURN", "RIVER"}
    assert {snapshot["phase"] for snapshot in patient.messages("snapshot")} >= {"PRE_FLOP", "FLOP", "TURN", "RIVER"}
    assert any("legal" not in snapshot for snapshot in patient.messages("snapshot"))


def test_every_error_code_is_sent_in_the_course_or_to_a_hello() -> None:
    patient = Attentive()
    examined(patient)
    codes = {error["code"] for error in patient.messages("error")} | set(REFUSED_HELLOS)
    assert codes == {*get_args(m.ErrorCode), "TEA_BREAK"}


@pytest.mark.parametrize("patient", HEALTHY[:3])
def test_a_bot_is_asked_in_every_phase_whatever_it_does(patient: type[Attentive]) -> None:
    attentive = patient()
    examined(attentive)
    assert phases(attentive.messages("act", "snapshot")) == {"PRE_FLOP", "FLOP", "TURN", "RIVER"}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("patient", HEALTHY[:3])
def test_the_scenes_show_what_they_promise(patient: type[Attentive], seed: int) -> None:
    course = Course(PACE, seed=seed)
    perform(course.run(), patient())
    first: dict[str, m.Act] = {}
    for answer in course.notes.answers:
        first.setdefault(answer.scene, answer.act)
    assert "CHECK" in first["free check"].legal
    assert first["free check"].call_amount is None
    assert first["garbage"].you.to_call > 100 or first["garbage"].phase != "PRE_FLOP"
    squeezed = first["one raise size"]
    assert squeezed.min_raise_to == squeezed.max_raise_to == squeezed.you.stack + squeezed.players[1].committed
    short = first["call for less"]
    assert short.legal == ("FOLD", "CALL")
    assert short.call_amount == short.you.stack == short.you.to_call
    assert first["reconnect between hands"].phase == "FLOP"
    assert first["snapshot on the turn"].phase == "TURN"
    assert first["snapshot on the river"].phase == "RIVER"
    assert first["short time"].you.time_ms == PACE.short_time_ms


def test_the_frames_can_be_read_by_the_protocols_own_reader_and_chips_are_kept_from_hand_to_hand() -> None:
    patient = Attentive()
    examined(patient)
    last: tuple[m.SeatStack, ...] | None = None
    for message in patient.messages("start_hand", "end_hand"):
        stacks = m.read_server(json.dumps(message))
        assert isinstance(stacks, m.StartHand | m.EndHand)
        assert sum(each.stack for each in stacks.stacks) == 60_000
        if isinstance(stacks, m.StartHand) and last is not None:
            assert stacks.stacks == tuple(each for each in last if each.stack)
        last = stacks.stacks


def test_what_the_bot_may_not_see_is_never_sent() -> None:
    patient = Attentive()
    examined(patient)
    shown: dict[str, set[str]] = {}
    for message in patient.messages("act", "snapshot", "event"):
        if message["type"] == "event" and message["ev"] == "SHOWDOWN":
            continue
        hole = message.get("you", {}).get("hole", [])
        shown.setdefault(message.get("hand_id") or message.get("at_hand_id") or "", set()).update(hole)
    assert all(len(cards) <= 2 for cards in shown.values())


def test_the_same_seed_is_the_same_course() -> None:
    frames = []
    for seed in (3, 3, 4):
        patient = Attentive()
        examined(patient, seed=seed)
        frames.append(patient.frames)
    assert frames[0] == frames[1] != frames[2]


# --- being sent away


@pytest.mark.parametrize("code", REFUSED_HELLOS)
@pytest.mark.parametrize(("patient", "verdict"), [(Healthy, "pass"), (sick.KnocksAgain, "fail"), (sick.BegsOn, "fail")])
def test_a_refused_hello_is_the_end(code: Any, patient: type[Healthy], verdict: str) -> None:
    check = judge_refusal(code, perform(refused_hello(code, "no", PACE), patient()))
    assert check is not None
    assert (check.name, check.verdict) == (code, verdict)


@pytest.mark.parametrize(("patient", "verdict"), [(Healthy, "pass"), (sick.Fights, "fail")])
def test_who_is_replaced_does_not_fight(patient: type[Healthy], verdict: str) -> None:
    check = judge_refusal("replaced", perform(replaced(PACE), patient()))
    assert check is not None
    assert check.verdict == verdict


def test_a_bot_that_does_not_come_again_is_not_judged() -> None:
    patient = Healthy()
    patient.over = True
    assert judge_refusal("replaced", perform(replaced(PACE), patient)) is None
    assert judge_refusal("TEAM_TAKEN", perform(refused_hello("TEAM_TAKEN", "no", PACE), patient)) is None


# --- judging


def test_troubles_that_the_client_mended_are_told_by_kind() -> None:
    checks = judge_troubles([("raised", "one"), ("raised", "two"), ("refused", "the doctor's own doing")])
    assert [(check.name, check.verdict) for check in checks] == [
        ("exceptions", "fail"),
        ("own answers", "pass"),
        ("own time", "pass"),
    ]
    assert checks[0].sentence == "one (and 1 more like it)"


def test_a_report_counts() -> None:
    found = report([Check("a", "pass", ""), Check("b", "fail", ""), Check("c", "fail", ""), Check("d", "advice", "")])
    assert (found.passed, found.failed, found.advice, len(found.checks)) == (1, 2, 1, 4)


def test_a_bot_that_never_came_fails_its_hello() -> None:
    assert failed({check.name: check for check in judge(Notes())}) == {"hello"}


@pytest.mark.parametrize(
    ("frame", "check", "code"),
    [
        ("", "messages", "BAD_SCHEMA"),
        ("[]", "messages", "BAD_SCHEMA"),
        ('{"type":"ping","v":1}', "messages", "UNKNOWN_TYPE"),
        ('{"type":"action","v":2,"hand_id":"H-1","action":"CALL"}', "messages", "BAD_SCHEMA"),
        ('{"type":"action","v":1,"hand_id":"H-1","action":"RAISE_TO"}', "amounts", "BAD_SCHEMA"),
        ('{"type":"action","v":1,"hand_id":"H-1","action":"RAISE_TO","amount":299}', "amounts", "INVALID_ACTION"),
        ('{"type":"action","v":1,"hand_id":"H-1","action":"CHECK"}', "legal answers", "INVALID_ACTION"),
        ('{"type":"action","v":1,"hand_id":"H-2","action":"CALL"}', "hand_id", "ACTION_TOO_LATE"),
        ('{"type":"action","v":1,"hand_id":"H-1","action":"CALL","turn":6}', "turn", "ACTION_TOO_LATE"),
    ],
)
def test_a_wrong_answer_gets_the_error_that_the_arena_would_give(frame: str, check: str, code: str) -> None:
    result = examined_answer(frame, act(7))
    assert result.action is None
    assert result.fault is not None
    assert result.error is not None
    assert (result.fault.check, result.error.code) == (check, code)
