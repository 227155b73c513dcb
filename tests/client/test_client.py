"""The client plays: it answers its questions, in time and legally, and ends when the match does."""

import asyncio
import json
import logging
import threading
from pathlib import Path
from typing import Any

import pytest

from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.answers import Answer, call, check, fold, raise_to
from pitboss.client import Act, ArenaError, JoinRefused, ServerMessage, Trouble, join
from pitboss.hand.games import STRUCTURES
from tests.support.client.scripted import END, HASH, Guest, Script, act, arena, played, table_of, within
from tests.support.for_each import for_each


def asks(*questions: wire.Act, heard: list[dict[str, Any]]) -> Script:
    """A script that asks and keeps the answers, then ends the match."""

    async def script(guest: Guest) -> None:
        await guest.seat()
        for question in questions:
            await guest.say(question)
            heard.append(await guest.receive())
        await guest.say(END)
        assert await guest.left()

    return script


def calls(act: Act) -> Answer:
    return "CALL" if "CALL" in act.legal else "CHECK"


def test_a_function_is_a_bot() -> None:
    heard: list[dict[str, Any]] = []
    assert played(calls, asks(act(7), act(8, free=True), heard=heard)) == END
    assert heard == [
        {"type": "action", "v": 1, "hand_id": "H-1", "action": "CALL", "turn": 7},
        {"type": "action", "v": 1, "hand_id": "H-1", "action": "CHECK", "turn": 8},
    ]


class Counting:
    """A bot with a memory."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def on_message(self, message: ServerMessage) -> None:
        self.heard.append(type(message).__name__)

    def act(self, act: Act) -> Answer:
        return raise_to(300 + len(self.heard))


def test_class_and_instance_bots_receive_every_message_before_a_question() -> None:
    for bot in (Counting, Counting()):
        heard: list[dict[str, Any]] = []
        played(bot, asks(act(), heard=heard))
        assert heard[0]["amount"] == 302  # welcome and the act itself
        if isinstance(bot, Counting):
            assert bot.heard == ["Welcome", "Act", "MatchEnd"]


def test_a_bot_is_closed_in_its_own_loop_when_the_match_is_over(caplog: pytest.LogCaptureFixture) -> None:
    class Connected(Counting):
        async def act(self, act: Act) -> Answer:  # type: ignore[override]  # an answer may be awaited
            self.loop = asyncio.get_running_loop()
            return "CALL"

        async def close(self) -> None:
            assert self.loop is asyncio.get_running_loop()
            self.heard.append("close")
            raise OSError("the line is dead")

    bot = Connected()
    assert played(bot, asks(act(), heard=[])) == END
    assert bot.heard == ["Welcome", "Act", "MatchEnd", "close"]
    assert "the bot's close raised OSError (the line is dead)" in caplog.text


def test_an_async_function_is_a_bot() -> None:
    async def decide(act: Act) -> Answer:
        await asyncio.sleep(0)
        return "CALL"

    heard: list[dict[str, Any]] = []
    played(decide, asks(act(), act(8), heard=heard))
    assert [said["action"] for said in heard] == ["CALL", "CALL"]


@for_each(
    "answer, sent",
    [
        (fold(), ("FOLD", None)),
        (call(), ("CALL", None)),
        (raise_to(300), ("RAISE_TO", 300)),
        (["RAISE_TO", 10_000], ("RAISE_TO", 10_000)),
    ],
)
def test_every_form_of_answer_is_sent(answer: Any, sent: tuple[str, int | None]) -> None:
    heard: list[dict[str, Any]] = []
    played(lambda act: answer, asks(act(), heard=heard))
    assert (heard[0]["action"], heard[0].get("amount")) == sent


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        ("CHECK", "CHECK is not on offer: answer one of FOLD, CALL, RAISE_TO"),
        (check(), "CHECK is not on offer"),
        ("call", "'call' is not an answer"),
        ("RAISE_TO", "RAISE_TO needs an amount"),
        (("RAISE_TO", 299), "RAISE_TO 299 is out of bounds: raise to 300 at least and 10000 at most"),
        (("RAISE_TO", 10_001), "out of bounds"),
        (("RAISE_TO", 500.0), "expected a whole number of chips, got 500.0"),
        (("RAISE_TO", True), "got True"),
        (("RAISE_TO", "500"), "got '500'"),
        (None, "None is not an answer"),
        (500, "500 is not an answer"),
        (("RAISE_TO", 300, 1), "is not an answer"),
        ("x" * 100_000, "is not an answer"),
    ],
)
def test_an_answer_that_is_not_on_offer_becomes_the_safe_one(
    answer: Any, complaint: str, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[dict[str, Any]] = []
    troubles: list[Trouble] = []
    played(lambda act: answer, asks(act(), heard=heard), on_trouble=troubles.append)
    assert heard[0]["action"] == "FOLD"
    assert [trouble.kind for trouble in troubles] == ["illegal"]
    assert complaint in troubles[0].sentence
    assert len(troubles[0].sentence) < 300
    assert complaint in caplog.text


def test_bot_that_raises_an_exception_checks_if_free_and_continues(caplog: pytest.LogCaptureFixture) -> None:
    def decide(act: Act) -> Answer:
        if act.turn == 7:
            raise ZeroDivisionError("no odds")
        if act.turn == 8:
            raise SystemExit("enough")
        return "CALL"

    heard: list[dict[str, Any]] = []
    troubles: list[Trouble] = []
    played(decide, asks(act(7, free=True), act(8), act(9), heard=heard), on_trouble=troubles.append)
    assert [said["action"] for said in heard] == ["CHECK", "FOLD", "CALL"]
    assert [trouble.kind for trouble in troubles] == ["raised", "raised"]
    assert "ZeroDivisionError (no odds) in test_client.py, line " in troubles[0].sentence
    assert "so the answer is CHECK" in troubles[0].sentence
    assert "Traceback" in caplog.text


def test_repeated_exception_is_printed_in_full_once(caplog: pytest.LogCaptureFixture) -> None:
    def decide(act: Act) -> Answer:
        if act.turn < 9:
            raise ZeroDivisionError("no odds")
        raise KeyError("odds")

    played(decide, asks(act(7), act(8), act(9), heard=[]))
    assert caplog.text.count("Traceback") == 2, "one of each kind"
    assert caplog.text.count("so the answer is FOLD") == 3


def test_a_slow_bot_is_answered_for_and_its_late_answer_is_thrown_away() -> None:
    release = threading.Event()

    def decide(act: Act) -> Answer:
        if act.turn == 7:
            release.wait(20)
            return raise_to(500)
        return "CALL"

    async def script(guest: Guest) -> None:
        await guest.seat()
        await guest.say(act(7, time_ms=100, free=True))
        assert await guest.receive() == {"type": "action", "v": 1, "hand_id": "H-1", "action": "CHECK", "turn": 7}
        await guest.say(act(8))
        release.set()  # the late answer to turn 7 comes first, and is ignored
        assert await guest.receive() == {"type": "action", "v": 1, "hand_id": "H-1", "action": "CALL", "turn": 8}
        await guest.say(END)

    troubles: list[Trouble] = []
    assert played(decide, script, on_trouble=troubles.append) == END
    assert [(trouble.kind, trouble.act.turn) for trouble in troubles] == [("late", 7)]


def test_bot_that_never_returns_is_answered_for_without_delaying_others() -> None:
    release, asked = threading.Event(), []

    def decide(act: Act) -> Answer:
        asked.append(act.turn)
        release.wait(20)
        return "CALL"

    heard: list[dict[str, Any]] = []
    questions = [act(turn, time_ms=50) for turn in (7, 8, 9)]
    try:
        assert played(decide, asks(*questions, heard=heard)) == END
    finally:
        release.set()
    assert [(said["action"], said["turn"]) for said in heard] == [("FOLD", 7), ("FOLD", 8), ("FOLD", 9)]
    assert asked == [7], "never two calls at once"


def test_a_question_that_is_settled_meanwhile_is_not_answered() -> None:
    release = threading.Event()

    def decide(act: Act) -> Answer:
        if act.turn == 7:
            release.wait(20)
        return "CALL"

    async def script(guest: Guest) -> None:
        await guest.seat()
        await guest.say(act(7))
        await guest.say(wire.FoldMessage(hand_id="H-1", seq=5, seat=3, auto=True))  # the arena's clock was faster
        await guest.say(act(8, hand_id="H-2"))
        release.set()
        assert (await guest.receive())["turn"] == 8
        await guest.say(END)

    assert played(decide, script) == END


def test_repeated_question_is_answered_once_and_an_old_event_does_not_settle_it() -> None:
    release = threading.Event()

    def decide(act: Act) -> Answer:
        release.wait(20)
        return "CALL"

    async def script(guest: Guest) -> None:
        await guest.seat()
        await guest.say(wire.CheckMessage(hand_id="H-1", seq=5, seat=0), act(7), act(7))
        await guest.say(
            wire.CallMessage(hand_id="H-1", seq=4, seat=3, amount=100)
        )  # told before the question, came late
        release.set()
        assert (await guest.receive())["turn"] == 7
        await guest.say(act(7), act(8))
        assert (await guest.receive())["turn"] == 8
        await guest.say(END)
        assert await guest.left()

    assert played(decide, script) == END


STRANGE: list[str | bytes] = [
    "",
    "no JSON",
    "[]",
    "null",
    "{}",
    '{"type":"weather","v":1,"rain":true}',
    '{"type":"event","v":1,"ev":"RABBIT_HUNT","hand_id":"H-1","seq":3}',
    '{"type":"act","v":1}',
    '{"type":["act"]}',
    '{"type":"error","v":1,"code":"TEA_BREAK","msg":"back in five"}',
    "[" * 100_000,
    b"\x00\xff",
]


@pytest.mark.parametrize("frame", STRANGE, ids=lambda frame: repr(frame)[:30])
def test_unreadable_messages_are_skipped(frame: str | bytes, caplog: pytest.LogCaptureFixture) -> None:
    async def script(guest: Guest) -> None:
        await guest.seat()
        await guest.say(frame, act(7))
        assert (await guest.receive())["turn"] == 7
        await guest.say(END)

    with caplog.at_level(logging.INFO, "pitboss.client"):
        assert played(calls, script) == END
    assert [record for record in caplog.records if record.name == "pitboss.client"]


def test_unknown_fields_are_passed_over() -> None:
    async def script(guest: Guest) -> None:
        await guest.seat()
        question = json.loads(wire.write(act(7)))
        await guest.say({**question, "mood": "calm", "you": {**question["you"], "shoes": 2}})
        assert (await guest.receive())["turn"] == 7
        await guest.say(END)

    assert played(calls, script) == END


@pytest.mark.parametrize("code", ["INVALID_ACTION", "BAD_SCHEMA"])
def test_a_refused_answer_is_followed_by_the_safe_one_once(code: wire.ErrorCode) -> None:
    async def script(guest: Guest) -> None:
        await guest.seat()
        await guest.say(act(7))
        assert (await guest.receive())["action"] == "CALL"
        await guest.say(wire.Error(code=code, msg="no"))
        assert await guest.receive() == {"type": "action", "v": 1, "hand_id": "H-1", "action": "FOLD", "turn": 7}
        await guest.say(wire.Error(code=code, msg="no"), act(8))
        assert (await guest.receive())["turn"] == 8
        await guest.say(END)

    troubles: list[Trouble] = []
    played(calls, script, on_trouble=troubles.append)
    assert [trouble.kind for trouble in troubles] == ["refused"]


@for_each("code", ["OUT_OF_TURN", "ACTION_TOO_LATE", "UNKNOWN_TYPE", "TEAM_TAKEN", "RATE_LIMITED"])
def test_error_without_an_open_answer_changes_nothing(code: wire.ErrorCode) -> None:
    async def script(guest: Guest) -> None:
        await guest.seat()
        await guest.say(wire.Error(code=code, msg="no"), act(7))
        assert (await guest.receive())["turn"] == 7
        await guest.say(END)

    assert played(calls, script) == END


def test_a_rate_limited_answer_is_sent_again_after_the_time_given() -> None:
    async def script(guest: Guest) -> None:
        await guest.seat()
        await guest.say(act(7))
        first = await guest.receive()
        began = asyncio.get_running_loop().time()
        await guest.say(wire.Error(code="RATE_LIMITED", msg="slowly", retry_after_ms=50))
        assert await guest.receive() == first
        assert asyncio.get_running_loop().time() - began >= 0.05
        await guest.say(END)

    assert played(calls, script) == END


@pytest.mark.parametrize("code", ["TEAM_TAKEN", "TEAM_UNKNOWN", "TABLE_FULL", "BAD_SCHEMA"])
def test_a_refused_hello_ends_with_a_sentence_and_is_not_repeated(code: wire.ErrorCode) -> None:
    async def script(guest: Guest) -> None:
        await guest.receive()
        await guest.say(wire.Error(code=code, msg="so it is"))
        assert await guest.left()

    with pytest.raises(JoinRefused, match=rf"\({code}: so it is\)") as refused:
        played(calls, script)
    assert refused.value.code == code


def test_a_match_that_is_over_is_not_called_a_full_table() -> None:
    async def script(guest: Guest) -> None:
        await guest.receive()
        await guest.say(wire.Error(code="TABLE_FULL", msg="the match is over"))

    with pytest.raises(JoinRefused) as refused:
        played(calls, script)
    sentence = "the match is over at this table (TABLE_FULL): the organiser can open another with --new"
    assert (str(refused.value), refused.value.code) == (sentence, "TABLE_FULL")


@for_each("variant", ["HUNL", *STRUCTURES])
def test_every_variant_of_poker_is_played(variant: str) -> None:
    async def script(guest: Guest) -> None:
        await guest.receive()
        await guest.say(table_of(variant), END)

    assert played(calls, script) == END


def test_watcher_receives_every_message_and_the_record_has_every_frame(tmp_path: Path) -> None:
    file = tmp_path / "record.jsonl"
    heard: list[ServerMessage] = []
    lobby = wire.Lobby(players=(wire.LobbyPlayer(seat=3, team="Jörg", connected=True, stack=10_000),))

    async def script(guest: Guest) -> None:
        await guest.seat(lobby)
        await guest.say("garbage", '{"type":"weather",\n"v":1}', act(7))
        await guest.receive()
        await guest.say(END)

    played(calls, script, record=file, on_message=heard.append)
    assert [type(message).__name__ for message in heard] == ["Welcome", "Lobby", "Act", "MatchEnd"]
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [line["type"] for line in lines] == ["welcome", "lobby", "weather", "act", "match_end"]
    assert lines[1]["players"][0]["team"] == "Jörg"
    played(calls, script, record=str(file))
    assert len(file.read_text(encoding="utf-8").splitlines()) == 10, "a record is appended to"


@pytest.mark.parametrize("content", ["def decide(act):\n    ...\n", '{"name": "x"}\n', "[]", "x"])
def test_file_that_is_not_a_record_is_not_appended_to(tmp_path: Path, content: str) -> None:
    file = tmp_path / "bot.py"
    file.write_text(content)

    async def script(guest: Guest) -> None:
        raise AssertionError("nobody should come")

    with pytest.raises(
        ArenaError, match=r"expected a record of frames or a new file, got .*bot\.py, which was not changed"
    ):
        played(calls, script, record=file)
    assert file.read_text() == content


@pytest.mark.parametrize("before", ['{"type":"we', '{"type":"weather","v":1}\n{"type":"lobby","pl', ""])
def test_interrupted_record_continues_on_a_new_line(tmp_path: Path, before: str) -> None:
    file = tmp_path / "record.jsonl"
    file.write_text(before)

    async def script(guest: Guest) -> None:
        await guest.seat()
        await guest.say(END)

    played(calls, script, record=file)
    lines = file.read_text(encoding="utf-8").splitlines()
    assert lines[:-2] == before.splitlines()
    assert [json.loads(line)["type"] for line in lines[-2:]] == ["welcome", "match_end"]


def test_a_record_that_cannot_be_opened_is_reported_before_anything_is_played(tmp_path: Path) -> None:
    async def script(guest: Guest) -> None:
        raise AssertionError("nobody should come")

    with pytest.raises(OSError, match="no_such_folder"):
        played(calls, script, record=tmp_path / "no_such_folder" / "record.jsonl")


def test_end_of_hand_start_of_hand_and_void_all_drop_the_question() -> None:
    ends: list[ServerMessage] = [
        wire.EndHand(hand_id="H-1", stacks=(), chain=HASH, seq=8),
        wire.StartHand(hand_id="H-2", seed=1, button=0, stacks=(), commit=HASH, seq=9),
        wire.VoidMessage(hand_id="H-1", seq=9, reason="damaged"),
    ]
    for end in ends:
        release = threading.Event()

        def decide(act: Act, release: threading.Event = release) -> Answer:
            if act.turn == 7:
                release.wait(20)
            return "CALL"

        async def script(guest: Guest, end: ServerMessage = end, release: threading.Event = release) -> None:
            await guest.seat()
            await guest.say(act(7), end, act(8))
            release.set()
            assert (await guest.receive())["turn"] == 8
            await guest.say(END)

        assert played(decide, script) == END


@for_each("bot", ["fold", 7, None, object(), dict, type("Needy", (), {"act": 1})])
def test_invalid_bot_is_refused_before_play(bot: Any) -> None:
    with pytest.raises(TypeError, match="expected a"):
        played(bot, asks(heard=[]))


@for_each("url", ["", "127.0.0.1", "ftp://127.0.0.1/ws", "ws://", "ws://[", "ws://arena:port/ws"])
def test_invalid_address_is_refused(url: str) -> None:
    with pytest.raises(ArenaError, match="expected an arena's address"):
        within(join(calls, url, team="Alpha", code="x"))


def test_address_without_a_path_uses_the_players_path() -> None:
    async def both() -> wire.MatchEnd:
        async with arena(asks(heard=[])) as place:
            return await join(calls, place.url.removesuffix("/ws"), team="Alpha", code="x")

    assert within(both()) == END
