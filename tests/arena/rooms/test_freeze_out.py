"""A freeze-out: after the first hand has begun no seat is given, so that no player returns under another name."""

import pytest

from pitboss.arena.journal.history import History, HistoryError
from pitboss.arena.journal.records import Lock, Seated, Settings
from pitboss.arena.wire import messages as wire
from tests.support.arena.rooms import Parlour

SETTINGS = Settings(seats=3, freeze_out=True)


def test_teams_may_join_before_the_first_hand() -> None:
    parlour = Parlour(Settings(seats=3, start_at=3, freeze_out=True))
    assert [guest.seat for guest in parlour.seat(3)] == [0, 1, 2]
    assert parlour.at[0].last(wire.Welcome).config.freeze_out


def test_table_is_full_after_the_first_hand_and_gives_the_reason() -> None:
    parlour = Parlour(SETTINGS)
    parlour.seat(2)
    assert parlour.match.underway
    error = parlour.join("C").last(wire.Error)
    assert error.code == "TABLE_FULL"
    assert error.msg == "this freeze-out has begun: it does not accept new teams"
    parlour.play_hand()
    assert parlour.join("D").last(wire.Error).code == "TABLE_FULL"


def test_table_stays_closed_after_a_restart_and_seated_teams_return() -> None:
    parlour = Parlour(SETTINGS)
    parlour.seat(2)
    parlour.restart()
    assert parlour.join("C").last(wire.Error).code == "TABLE_FULL"
    assert parlour.join("A").last(wire.Welcome).seat == 0


def test_it_is_closed_as_soon_as_the_first_hands_numbers_are_bound() -> None:
    parlour = Parlour(SETTINGS)
    parlour.join("A", next="ab" * 32)
    parlour.join("B")
    assert parlour.history.bound is not None
    assert parlour.join("C").last(wire.Error).code == "TABLE_FULL"


def test_listed_team_that_joins_too_late_is_refused() -> None:
    parlour = Parlour(SETTINGS, teams={team: f"code-of-{team}" for team in "ABC"})
    parlour.seat(2)
    assert parlour.join("C").last(wire.Error).code == "TABLE_FULL"


def test_journal_with_a_late_team_is_refused() -> None:
    history = History("T-1", settings=SETTINGS)
    lock = Lock("0" * 32, "0" * 64)
    history.check(Seated(seat=0, team="A", stack=10_000, lock=lock))
    history.hands = 1
    with pytest.raises(HistoryError, match="freeze-out"):
        history.check(Seated(seat=0, team="A", stack=10_000, lock=lock))


def test_other_tables_stay_open_without_a_notice() -> None:
    parlour = Parlour(Settings(seats=3))
    parlour.seat(2)
    assert parlour.join("C").seat == 2
    assert not any("freeze" in frame for frame in parlour.at[2].frames)
