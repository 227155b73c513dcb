"""The doctor: a healthy bot passes every check, and every faulty one fails the check for its fault."""

import json
from collections.abc import Iterable
from typing import Any, get_args

import pytest

from pitboss.arena.doctor.exam import Exam, Notes, check_answer, refuse_hello, replace_bot
from pitboss.arena.doctor.scenes import IN_ANY_GAME, REFUSED_HELLOS, SCENES
from pitboss.arena.doctor.verdicts import ExamCheck, judge, judge_refusal, judge_troubles, report
from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.poker import variant_of
from pitboss.table.mixed import MIXED
from tests.support.client import bad_clients as sick
from tests.support.client.bad_bots import PACE, Frame, Healthy, Words, advised, examined, failed, perform
from tests.support.client.scripted import act
from tests.support.for_each import for_each


class Attentive(Healthy):
    """Keeps every frame it was sent."""

    def __init__(self) -> None:
        super().__init__()
        self.frames: list[Frame] = []

    def receive(self, frame: Frame) -> Words:
        self.frames.append(frame)
        return super().receive(frame)

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


@for_each("seed", range(5))
@for_each("bot", HEALTHY)
def test_a_healthy_bot_passes_every_check_however_it_plays(bot: type[Healthy], seed: int) -> None:
    checks = examined(bot(), seed=seed)
    assert {name: check.sentence for name, check in checks.items() if check.verdict != "pass"} == {}
    assert set(checks) >= {scene.name for scene in SCENES}
    assert set(checks) >= {"hello", "hello again", "resume_from", "match end", "turn", "in time", "one answer"}


# The failed checks of each, and no others: a check that fails for another reason would be noise.
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
    sick.VerySlow: {"in time", "examination"},
    sick.MindsNoShortTime: {"in time", "short time"},
    sick.NeverComesBack: {"reconnect between hands", "examination"},
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
    sick.StopsAtUnknownTypes: {"unknown messages", "examination"},
    sick.StopsAtUnknownFields: {"unknown messages", "examination"},
    sick.StopsAtGarbage: {"garbage", "examination"},
    sick.StopsAtBinary: {"garbage", "examination"},
    sick.StopsAtErrors: {"errors", "examination"},
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
    sick.SaysNothing: {"hello", "examination"},
    sick.TalksOn: {"match end"},
    sick.ComesAgain: {"match end"},
}


@for_each("bot, illness", ILLNESSES.items(), ids=lambda each: getattr(each, "__name__", " "))
def test_a_sick_bot_is_caught_by_name(bot: type[Healthy], illness: set[str]) -> None:
    checks = examined(bot())
    assert failed(checks) == illness
    for name in illness:
        assert 20 < len(checks[name].sentence) < 400
        assert "\n" not in checks[name].sentence


def test_silent_bot_does_not_delay_the_exam_to_the_end() -> None:
    checks = examined(sick.VerySlow())
    assert "did not answer 6 questions in a row" in checks["examination"].sentence
    assert "garbage" not in checks


@pytest.mark.parametrize(
    ("bot", "name"), [(sick.NoTurn, "turn"), (sick.ForgetsSeq, "resume_from"), (sick.Stays, "match end")]
)
def test_unwise_behaviour_is_only_advice(bot: type[Healthy], name: str) -> None:
    checks = examined(bot())
    assert failed(checks) == set()
    assert advised(checks) == {name}


def test_stumbling_bot_is_examined_to_the_end_if_it_returns() -> None:
    checks = examined(sick.StumblesOverGarbage())
    assert checks["garbage"].sentence.startswith("it ended the connection: ignore frames")
    assert checks["match end"].verdict == "pass"


def test_bot_that_stays_away_gets_the_number_of_skipped_checks() -> None:
    checks = examined(sick.NeverComesBack())
    left = len(SCENES) - 1 - [scene.name for scene in SCENES].index("reconnect between hands")
    assert f"so {left} scenes were not played" in checks["examination"].sentence
    assert "match end" not in checks


# --- the scenes


STUD_AND_DRAW = (wire.PostAntes, wire.BringIn, wire.UpCard, wire.DownCard, wire.CommunityCard, wire.DrawMessage)
TYPES = {"welcome", "lobby", "start_hand", "act", "event", "end_hand", "snapshot", "error", "reveal", "match_end"}


def phases(questions: Iterable[dict[str, Any]]) -> set[str]:
    return {question["phase"] for question in questions if "legal" in question}


def test_every_message_of_the_protocol_is_sent() -> None:
    bot = Attentive()
    examined(bot)
    assert {message["type"] for message in bot.messages(*TYPES)} == TYPES
    events = {event["ev"] for event in bot.messages("event")}
    others = (
        wire.Happened,
        wire.RunsMessage,
        wire.RunMessage,
        *STUD_AND_DRAW,
        *get_args(wire.CashEvent),
    )  # the doctor plays a match of hold'em
    poker = [event for event in get_args(wire.HandEvent) if event not in others]
    assert events == {str(event.__struct_config__.tag) for event in poker} | {"RABBIT_HUNT"}
    assert phases(bot.messages("act")) == {"PRE_FLOP", "FLOP", "TURN", "RIVER"}
    assert {snapshot["phase"] for snapshot in bot.messages("snapshot")} >= {"PRE_FLOP", "FLOP", "TURN", "RIVER"}
    assert any("legal" not in snapshot for snapshot in bot.messages("snapshot"))


def test_every_error_code_is_sent_in_the_scenes_or_to_a_hello() -> None:
    bot = Attentive()
    examined(bot)
    codes = {error["code"] for error in bot.messages("error")} | set(REFUSED_HELLOS)
    only_for_cash = {"BUY_IN_OUT_OF_RANGE", "NOT_SEATED", "TOP_UP_OUT_OF_RANGE"}
    assert codes == {*get_args(wire.ErrorCode), "TEA_BREAK"} - only_for_cash


@pytest.mark.parametrize("bot", HEALTHY[:3])
def test_bot_gets_a_question_in_every_phase_whatever_it_does(bot: type[Attentive]) -> None:
    attentive = bot()
    examined(attentive)
    assert phases(attentive.messages("act", "snapshot")) == {"PRE_FLOP", "FLOP", "TURN", "RIVER"}


@for_each("seed", range(5))
@for_each("bot", HEALTHY[:3])
def test_scenes_show_what_they_promise(bot: type[Attentive], seed: int) -> None:
    exam = Exam(PACE, seed=seed)
    perform(exam.run(), bot())
    first: dict[str, wire.Act] = {}
    for answer in exam.notes.answers:
        assert isinstance(answer.act, wire.Act)
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


def test_scene_frames_are_valid_and_conserve_chips() -> None:
    bot = Attentive()
    examined(bot)
    last: tuple[wire.SeatStack, ...] | None = None
    for message in bot.messages("start_hand", "end_hand"):
        stacks = wire.read_server(json.dumps(message))
        assert isinstance(stacks, wire.StartHand | wire.EndHand)
        assert sum(each.stack for each in stacks.stacks) == 60_000
        if isinstance(stacks, wire.StartHand) and last is not None:
            assert stacks.stacks == tuple(each for each in last if each.stack)
        last = stacks.stacks


def test_hidden_cards_are_never_sent_to_the_bot() -> None:
    bot = Attentive()
    examined(bot)
    shown: dict[str, set[str]] = {}
    for message in bot.messages("act", "snapshot", "event"):
        if message["type"] == "event" and message["ev"] == "SHOWDOWN":
            continue
        hole = message.get("you", {}).get("hole", [])
        shown.setdefault(message.get("hand_id") or message.get("at_hand_id") or "", set()).update(hole)
    assert all(len(cards) <= 2 for cards in shown.values())


def test_the_same_seed_is_the_same_examination() -> None:
    frames = []
    for seed in (3, 3, 4):
        bot = Attentive()
        examined(bot, seed=seed)
        frames.append(bot.frames)
    assert frames[0] == frames[1] != frames[2]


# --- being sent away


@for_each("code", REFUSED_HELLOS)
@for_each("bot, verdict", [(Healthy, "pass"), (sick.KnocksAgain, "fail"), (sick.BegsOn, "fail")])
def test_a_refused_hello_is_the_end(code: Any, bot: type[Healthy], verdict: str) -> None:
    check = judge_refusal(code, perform(refuse_hello(code, "no", PACE), bot()))
    assert check is not None
    assert (check.name, check.verdict) == (code, verdict)


@pytest.mark.parametrize(("bot", "verdict"), [(Healthy, "pass"), (sick.Fights, "fail")])
def test_replaced_connection_does_not_fight_back(bot: type[Healthy], verdict: str) -> None:
    check = judge_refusal("replaced", perform(replace_bot(PACE), bot()))
    assert check is not None
    assert check.verdict == verdict


def test_bot_that_does_not_reconnect_is_not_judged() -> None:
    bot = Healthy()
    bot.over = True
    assert judge_refusal("replaced", perform(replace_bot(PACE), bot)) is None
    assert judge_refusal("TEAM_TAKEN", perform(refuse_hello("TEAM_TAKEN", "no", PACE), bot)) is None


# --- judging


def test_repaired_client_errors_are_named_by_kind() -> None:
    checks = judge_troubles([("raised", "one"), ("raised", "two"), ("refused", "the doctor's own doing")])
    assert [(check.name, check.verdict) for check in checks] == [
        ("exceptions", "fail"),
        ("own answers", "pass"),
        ("own time", "pass"),
    ]
    assert checks[0].sentence == "one (and 1 more like it)"


def test_a_report_counts() -> None:
    found = report(
        [
            ExamCheck("a", "pass", ""),
            ExamCheck("b", "fail", ""),
            ExamCheck("c", "fail", ""),
            ExamCheck("d", "advice", ""),
        ]
    )
    assert (found.passed, found.failed, found.advice, len(found.checks)) == (1, 2, 1, 4)


def test_bot_that_never_connected_fails_its_hello() -> None:
    assert failed({check.name: check for check in judge(Notes())}) == {"hello"}


@for_each(
    "frame, check, code",
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
    result = check_answer(frame, act(7))
    assert result.action is None
    assert result.fault is not None
    assert result.error is not None
    assert (result.fault.check, result.error.code) == (check, code)


# --- mixed games


class Drawer(Attentive):
    """Stands pat, checks and calls."""

    def choose(self, question: dict[str, Any]) -> dict[str, Any]:
        return {"action": next(word for word in ("DRAW", "CHECK", "CALL") if word in question["legal"])}


@pytest.mark.parametrize("name", MIXED)
@pytest.mark.parametrize("seed", [0, 7])
def test_each_game_of_a_list_is_examined_with_its_bring_in_and_draw(name: str, seed: int) -> None:
    bot, games = Drawer(), MIXED[name]
    exam = Exam(PACE, seed=seed, scenes=IN_ANY_GAME, games=games)
    perform(exam.run(), bot)
    assert [check for check in judge(exam.notes, IN_ANY_GAME) if check.verdict != "pass"] == []
    asked: dict[str, set[tuple[str, ...]]] = {}
    for message in bot.messages("act"):
        asked.setdefault(message["table"]["variant"], set()).add(tuple(message["legal"]))
    assert asked.keys() == {variant_of(game.structure) for game in games.games}
    for game in games.games:
        structure = game.structure
        offered = asked[variant_of(structure)]
        assert not structure.betting.bring_in or ("CALL", "RAISE_TO") in offered
        assert not structure.draws or ("DRAW",) in offered
