"""`ts` is for debugging: whatever clients put there, their messages are read."""

import pytest

from pitboss.arena.journal.records import Settings
from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.messages import Rejected, read
from tests.support.arena.rooms import Parlour
from tests.support.for_each import for_each

ANSWER = '{{"type":"action","v":1,"hand_id":"H-1","action":"CALL","ts":{}}}'


@for_each("ts", ["1763298000", "1763298000.25", "-1", "0", "1e300", '"2026-11-16T12:00:00Z"', "null"])
def test_text_or_number_as_ts_is_not_a_reason_to_refuse(ts: str) -> None:
    message = read(ANSWER.format(ts))
    assert isinstance(message, wire.Action)
    assert message.action == "CALL"


@pytest.mark.parametrize("ts", ["[]", "{}", "true"])
def test_anything_else_is_named(ts: str) -> None:
    with pytest.raises(Rejected, match=r"\$\.ts"):
        read(ANSWER.format(ts))


def test_an_answer_with_a_numeric_ts_is_played() -> None:
    parlour = Parlour(Settings(seats=2), seed=3)
    first, _ = parlour.seat(2)
    hand_id = parlour.match.hand_id
    first.say({"type": "action", "v": 1, "hand_id": hand_id, "action": "CALL", "ts": 1763298000123})
    assert not first.got(wire.Error)
    assert parlour.match.to_act == 1
