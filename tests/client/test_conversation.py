"""The client's half of the conversation: whatever the server says, in whatever order, it keeps its head."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.answers import safe_action
from pitboss.client.conversation import (
    LONGEST_RETRY_MS,
    AskBot,
    Conversation,
    Effect,
    Reconnect,
    ReportTrouble,
    SendAnswer,
    SendAnyway,
)
from tests.support.client.scripted import END, HASH, WELCOME, act, snapshot

SAID: list[wire.ServerMessage] = [
    WELCOME,
    act(7),
    act(8, free=True),
    snapshot(7, seq=3),
    snapshot(None, seq=4),
    wire.StartHand(hand_id="H-1", seed=1, button=0, stacks=(), commit=HASH, seq=1),
    wire.FoldMessage(hand_id="H-1", seq=5, seat=3),
    wire.BetMessage(hand_id="H-1", seq=6, seat=0, amount=100, to=200),
    wire.EndHand(hand_id="H-1", stacks=(), chain=HASH, seq=7),
    wire.Error(code="INVALID_ACTION", msg="no"),
    wire.Error(code="RATE_LIMITED", msg="no", retry_after_ms=5),
    wire.Error(code="OUT_OF_TURN", msg="no"),
    END,
]
values = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.lists(st.integers())


@st.composite
def frames(draw: st.DrawFn) -> str:
    """A message of the server's, perhaps with one field lost or spoilt."""
    message: dict[str, Any] = json.loads(wire.write(draw(st.sampled_from(SAID))))
    change = draw(st.sampled_from(["nothing", "lose", "spoil", "add"]))
    field = draw(st.sampled_from(sorted(message)))
    if change == "lose":
        del message[field]
    elif change == "spoil":
        message[field] = draw(values)
    elif change == "add":
        message[draw(st.text(max_size=5))] = draw(values)
    return json.dumps(message)


@given(st.lists(frames() | st.text(max_size=10) | st.binary(max_size=10), max_size=30))
def test_no_frame_upsets_it(said: list[str | bytes]) -> None:
    talk = Conversation("Alpha", "x")
    talk.begin()
    for frame in said:
        for effect in talk.receive(frame):
            if isinstance(effect, AskBot):
                talk.answered(safe_action(effect.act))


def test_question_without_time_is_answered_although_the_turn_is_over() -> None:
    """So a client that was stopped is back at a table that does not wait for it (A9b)."""
    talk = Conversation("Alpha", "x")
    talk.begin()
    talk.receive(wire.write(WELCOME))
    asked = act(7, time_ms=0)
    effects = [
        effect for effect in talk.receive(wire.write(asked)) if isinstance(effect, AskBot | SendAnyway | ReportTrouble)
    ]
    assert [type(effect) for effect in effects] == [ReportTrouble, SendAnyway]
    assert effects[1] == SendAnyway(safe_action(asked))
    talk.receive(wire.write(wire.FoldMessage(hand_id="H-1", seq=5, seat=3, auto=True)))
    again = talk.receive(wire.write(act(8)))
    assert any(isinstance(effect, AskBot) for effect in again)


def test_a_turn_of_another_hand_is_another_question_although_its_number_is_the_same() -> None:
    """So a client whose arena has lost the end of its journal plays on, and does not repeat an old answer."""
    talk = Conversation("Alpha", "x")
    talk.begin()
    talk.receive(wire.write(WELCOME))
    talk.receive(wire.write(act(7)))
    talk.answered(safe_action(act(7)))
    talk.begin()
    talk.receive(wire.write(WELCOME))
    effects = talk.receive(wire.write(act(7, hand_id="H-2")))
    assert [effect for effect in effects if isinstance(effect, AskBot | SendAnswer)] == [AskBot(act(7, hand_id="H-2"))]


OPERATIONS = st.lists(st.sampled_from(["act", "snapshot", "answer", "drop", "refuse", "settle"]), max_size=40)


@given(OPERATIONS)
def test_a_question_is_put_once_a_connection_and_answered_in_its_own_words(operations: list[str]) -> None:
    """Whatever is repeated, lost or refused: no connection asks twice, and no answer is given to a settled question."""
    talk, turn, seq = Conversation("Alpha", "x"), 1, 10
    talk.begin()
    talk.receive(wire.write(WELCOME))
    asked: set[int] = set()
    for operation in operations:
        effects: list[Effect] = []
        if operation == "act":
            effects = talk.receive(wire.write(act(turn)))
        elif operation == "snapshot":
            effects = talk.receive(wire.write(snapshot(turn, seq=seq)))
        elif operation == "answer" and talk.is_open(act(turn)):
            talk.answered(safe_action(act(turn)))
        elif operation == "refuse":
            effects = talk.receive(wire.write(wire.Error(code="INVALID_ACTION", msg="no")))
        elif operation == "settle":
            seq += 1
            talk.receive(wire.write(wire.FoldMessage(hand_id="H-1", seq=seq, seat=3)))
            turn += 1
        elif operation == "drop":
            talk.begin()
            talk.receive(wire.write(WELCOME))
            asked.clear()
        for effect in effects:
            if isinstance(effect, AskBot):
                assert effect.act.turn == turn
                assert turn not in asked
                asked.add(turn)
            elif isinstance(effect, SendAnswer):
                assert effect.action.turn == turn
                assert talk.is_current(effect.action)


def test_a_question_has_the_events_of_its_hand_once_each() -> None:
    talk = Conversation("Alpha", "x")
    talk.begin()

    def asked(*said: wire.ServerMessage) -> wire.Act:
        effects = [effect for message in said for effect in talk.receive(wire.write(message))]
        return next(act for effect in effects if isinstance(effect, AskBot) and isinstance(act := effect.act, wire.Act))

    bet = wire.BetMessage(hand_id="H-1", seq=6, seat=0, amount=100, to=200)
    old = wire.BetMessage(hand_id="H-0", seq=7, seat=0, amount=100, to=200)
    start = wire.StartHand(hand_id="H-1", seed=1, button=0, stacks=(), commit=HASH, seq=1)
    assert asked(WELCOME, start, bet, bet, old, act(7)).history == (bet,)
    assert asked(replace(start, seq=8), act(9)).history == ()


def test_no_arena_can_ask_for_a_wait_of_more_than_a_minute() -> None:
    talk = Conversation("team", "code")
    talk.begin()
    for asked, waited in ((5, 5), (LONGEST_RETRY_MS, LONGEST_RETRY_MS), (2**53 - 1, LONGEST_RETRY_MS)):
        error = wire.Error(code="RATE_LIMITED", msg="no", retry_after_ms=asked)
        assert Reconnect(waited) in talk.receive(wire.write(error))
