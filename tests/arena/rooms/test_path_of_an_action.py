"""How many calls between files one action takes, from `Room.receive` to its output."""

import sys
from collections import Counter
from pathlib import Path
from types import FrameType

import msgspec
import pytest

import pitboss
from pitboss.arena.journal.records import Settings
from tests.support.arena.rooms import Move, Parlour

SOURCE = str(Path(pitboss.__file__).parent) + "/"
CLOSING: tuple[Move, ...] = ("CALL", "CALL", "CHECK", ("RAISE_TO", 200), "CALL")
"""What comes before a call that ends the flop's betting, so that the turn card is dealt."""


def calls_between_files(parlour: Parlour) -> Counter[tuple[str, str, str]]:
    """Each call of one CALL whose caller and callee are in different files of the source: both files, and the name."""
    guest = parlour.to_act
    question = guest.question()
    action = {"type": "action", "v": 1, "hand_id": parlour.match.hand_id, "action": "CALL", "turn": question.turn}
    frame, calls = msgspec.json.encode(action), Counter[tuple[str, str, str]]()

    def count(at: FrameType, event: str, _: object) -> None:
        if event == "call" and at.f_back is not None:
            here, before = at.f_code.co_filename, at.f_back.f_code.co_filename
            if here != before and here.startswith(SOURCE) and before.startswith(SOURCE):
                calls[before[len(SOURCE) :], here[len(SOURCE) :], at.f_code.co_name] += 1

    sys.setprofile(count)
    try:
        out = parlour.room.receive(guest.session, frame, parlour.now)
    finally:
        sys.setprofile(None)
    assert len(out.entries) == 1, "it was refused"
    return calls


@pytest.mark.parametrize(
    ("before", "watched", "most_calls", "most_files"),
    [((), False, 39, 16), ((), True, 42, 17), (CLOSING, True, 56, 19)],
    ids=["alone", "watched", "a card is dealt"],
)
def test_an_action_crosses_few_files(before: tuple[Move, ...], watched: bool, most_calls: int, most_files: int) -> None:
    """Before the host returned one step per action it was 62 calls in 22 files, 72 in 23, and 90 in 27."""
    parlour = Parlour(Settings(seats=3, start_at=3))
    parlour.seat(3)
    if watched:
        parlour.watch()
    parlour.play(*before)
    calls = calls_between_files(parlour)
    files = {file for caller, callee, _ in calls for file in (caller, callee)}
    assert calls.total() <= most_calls, sorted(calls.items())
    assert len(files) <= most_files, sorted(files)
