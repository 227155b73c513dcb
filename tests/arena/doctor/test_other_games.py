"""The doctor in games other than poker: a bot that answers what is not on offer, or plays another game, is told so."""

from typing import Any

import pytest

from pitboss.arena.doctor.exam import Exam, check_answer
from pitboss.arena.doctor.scenes import IN_ANY_GAME, GameExamTable
from pitboss.arena.doctor.verdicts import judge
from pitboss.arena.hosts.games import chosen_game
from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.messages import write
from tests.support.client.bad_bots import PACE


def question(game: str = "leduc") -> wire.Ask:
    """Return the first question to the examined bot."""
    table = GameExamTable("mine", hands=1, move_time_ms=1000, seed=0, game=chosen_game(game))
    table.start("quiet")
    while table.to_act != table.examined:
        table.go_on("quiet")
    ask = table.question(1000)
    assert isinstance(ask, wire.Ask)
    return ask


def answered(**fields: Any) -> str:
    ask = question()
    return write(wire.MoveMessage(v=1, hand_id=ask.hand_id, **{"turn": ask.turn, **fields}))


@pytest.mark.parametrize(
    ("frame", "check"),
    [
        (answered(index=99), "legal answers"),
        (answered(move="fly"), "legal answers"),
        (answered(index=0, turn=999), "turn"),
        ('{"type":"action","v":1,"hand_id":"H-2025-10-17-00001","action":"FOLD"}', "messages"),
    ],
)
def test_a_wrong_answer_fails_the_check_that_it_belongs_to(frame: str, check: str) -> None:
    fault = check_answer(frame, question()).fault
    assert fault is not None
    assert fault.check == check


@pytest.mark.parametrize("fields", [{"index": 0}, {"move": "check"}])
def test_a_move_by_number_or_as_itself_is_accepted(fields: dict[str, Any]) -> None:
    assert check_answer(answered(**fields), question()).fault is None


@pytest.mark.parametrize("game", ["hearts", "leduc", "sting", "gin"])
def test_a_table_of_any_game_reaches_the_end_of_its_match(game: str) -> None:
    table = GameExamTable("mine", hands=2, move_time_ms=1000, seed=0, game=chosen_game(game))
    for _ in range(2):
        table.start("quiet")
        while table.match.underway:
            table.go_on("quiet")
    table.end()
    assert isinstance(table.transcript[-1], wire.MatchEnd)


def test_an_exam_without_a_bot_says_so() -> None:
    exam = Exam(PACE, scenes=IN_ANY_GAME, games=chosen_game("leduc"))
    script = exam.run()
    next(script)
    with pytest.raises(StopIteration):
        script.send(None)
    assert [check.verdict for check in judge(exam.notes, IN_ANY_GAME) if check.name == "hello"] == ["fail"]
