"""A team that returns to its seat loses no time while its code is checked, and cannot gain much by it."""

import pytest

from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.logins import Limits
from tests.support.arena.rooms import Guest, Parlour

TURN = 10.0
GRACE = 30.0
TWO = Settings(seats=2, stack=10_000, move_time_ms=10_000)


def table() -> tuple[Parlour, Guest]:
    """Two players at a table, and the one to act."""
    parlour = Parlour(TWO, limits=Limits(grace=GRACE), seed=3)
    parlour.seat(2)
    return parlour, parlour.to_act


def played_for(parlour: Parlour) -> int:
    """How many turns the clock has played."""
    return sum(acted.cause == "timeout" for _, acted in parlour.witness.acts)


def test_turn_clock_stops_while_the_code_of_its_seat_is_checked() -> None:
    parlour, asked = table()
    parlour.pass_time(2.0)
    asked.leave()
    parlour.pass_time(1.0)
    with parlour.slow_checks():
        back = parlour.join(asked.team)
        parlour.pass_time(25.0)
        assert played_for(parlour) == 0, "it has come back, and it is we who keep it waiting"
        parlour.finish_check()
    parlour.pass_time(TURN - 3.0 - 0.1)
    assert played_for(parlour) == 0, "what the check took is given back"
    parlour.pass_time(0.2)
    assert played_for(parlour) == 1, "and no more than that"
    assert back.end() is None


def test_seat_is_not_away_while_its_code_is_checked() -> None:
    parlour, asked = table()
    other = next(guest for guest in parlour.at.values() if guest is not asked)
    other.leave()
    parlour.pass_time(1.0)
    with parlour.slow_checks():
        parlour.join(other.team)
        parlour.pass_time(8.0)
        asked.answer("CALL")
        parlour.pass_time(20.0)
        assert played_for(parlour) == 0, "asked while it waits: its turn has not begun to run"
        parlour.finish_check()
    parlour.pass_time(TURN - 0.1)
    assert played_for(parlour) == 0
    parlour.pass_time(0.2)
    assert played_for(parlour) == 1


@pytest.mark.parametrize("before", [0.0, 20.0, GRACE])
def test_a_check_holds_a_table_up_no_longer_than_the_grace_in_all(before: float) -> None:
    parlour, asked = table()
    asked.leave()
    with parlour.slow_checks():
        parlour.join(asked.team)
        parlour.pass_time(before)
        parlour.finish_check()
        parlour.guests[max(parlour.guests)].leave()
        parlour.join(asked.team)
        parlour.pass_time(GRACE - before + TURN - 0.1)
        assert played_for(parlour) == 0
        parlour.pass_time(0.2)
        assert played_for(parlour) == 1, "a code that is never checked holds nobody up for ever"


def test_wrong_code_for_an_absent_seat_adds_only_the_time_of_its_check() -> None:
    parlour, asked = table()
    asked.leave()
    with parlour.slow_checks():
        parlour.join(asked.team, "wrong")
        parlour.pass_time(4.0)
        parlour.finish_check()
        parlour.pass_time(TURN - 0.1)
        assert played_for(parlour) == 0
        parlour.pass_time(0.2)
        assert played_for(parlour) == 1


@pytest.mark.parametrize("code", [None, "wrong"])
def test_absent_seat_gets_a_turn_only_after_its_code_is_accepted(code: str | None) -> None:
    parlour, asked = table()
    asked.leave()
    parlour.pass_time(TURN + 5.0)
    before = played_for(parlour)
    other = next(iter(parlour.at.values()))
    with parlour.slow_checks():
        back = parlour.join(asked.team, code)
        while played_for(parlour) == before:
            other.answer("CHECK" if "CHECK" in (other.question().legal or ()) else "CALL")
        assert parlour.now == 100.0 + TURN + 5.0, "it is played for at once, as before it came"
        parlour.finish_check()
    assert (back.seat is None) == (code is not None)
    before = played_for(parlour)
    while parlour.match.to_act == other.seat:
        other.answer("CHECK" if "CHECK" in (other.question().legal or ()) else "CALL")
    assert (played_for(parlour) == before) == (code is None), "a wrong code does not bring it back"


def test_code_check_for_a_connected_seat_does_not_change_the_clock() -> None:
    parlour, asked = table()
    with parlour.slow_checks():
        parlour.join(asked.team, "wrong")
        parlour.pass_time(TURN - 0.1)
        assert played_for(parlour) == 0
        parlour.pass_time(0.2)
        assert played_for(parlour) == 1


def test_after_a_restart_a_check_that_outlasts_the_grace_is_waited_for() -> None:
    parlour, _ = table()
    parlour.restart()
    with parlour.slow_checks():
        for team in "AB":
            parlour.join(team)
        parlour.pass_time(GRACE + 20.0)
        assert played_for(parlour) == 0
        parlour.finish_check()
        parlour.finish_check()
        parlour.to_act.answer("CALL")
    assert played_for(parlour) == 0
