"""How seats behave: time they take and frames that were refused, in sums for all and in full for the team."""

from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.logins import Limits
from pitboss.arena.rooms.team_stats import MOST_REFUSED
from tests.support.arena.rooms import Parlour


def heads_up(**limits: float) -> Parlour:
    """Two at a table."""
    table = Parlour(Settings(seats=2), limits=Limits(**limits))  # type: ignore[arg-type]  # what a test gives
    table.seat(2)
    return table


def test_the_time_of_each_turn_is_counted_for_its_seat() -> None:
    table = heads_up()
    first = table.to_act.seat
    assert first is not None
    table.pass_time(2.0)
    table.play("CALL")
    table.pass_time(0.5)
    table.play(("RAISE_TO", 300))
    table.pass_time(3.0)
    table.play("FOLD")
    sums = table.room.team_stats.sums()
    assert (sums[first].turns, sums[first].ms, sums[first].longest_ms) == (2, 5000, 3000)
    assert (sums[1 - first].turns, sums[1 - first].ms) == (1, 500)


def test_sums_of_a_hand_wait_until_it_is_over() -> None:
    table = heads_up()
    table.to_act.answer("RAISE_TO", 101)
    table.pass_time(1.0)
    assert table.room.team_stats.sums() == {}
    table.play("FOLD")
    assert sum(each.errors for each in table.room.team_stats.sums().values()) == 1


def test_sums_of_a_hand_wait_until_spectators_have_seen_it() -> None:
    table = heads_up(delay=30.0)
    table.play("FOLD")
    table.pass_time(1.0)
    assert table.room.team_stats.sums() == {}
    table.pass_time(30.0)
    assert sum(each.turns for each in table.room.team_stats.sums().values()) >= 1


def test_refused_actions_are_counted_with_hand_and_turn() -> None:
    table = heads_up()
    guest = table.to_act
    asked = guest.question()
    assert guest.seat is not None
    table.pass_time(1.0)
    guest.answer("RAISE_TO", 101)
    guest.say("no JSON")
    newest, oldest = table.room.team_stats.refused(guest.seat)
    assert (oldest.code, oldest.turn, oldest.at) == ("INVALID_ACTION", asked.turn, 101.0)
    assert oldest.hand_id == table.match.hand_id
    assert "200" in oldest.msg
    assert newest.code == "BAD_SCHEMA"
    assert table.room.team_stats.refused(1 - guest.seat) == ()


def test_only_the_last_refusals_are_kept() -> None:
    table = heads_up(frames_a_second=1e6, burst=1e6)
    guest = table.to_act
    assert guest.seat is not None
    for amount in range(MOST_REFUSED + 10):
        guest.answer("RAISE_TO", 10_000_000 + amount)
    found = table.room.team_stats.refused(guest.seat)
    assert len(found) == MOST_REFUSED
    assert "10000209" in found[0].msg.replace(",", "")


def test_refused_hello_does_not_count_as_an_error_of_its_team() -> None:
    table = heads_up()
    table.join("A", "a wrong code")
    assert table.room.team_stats.refused(0) == ()


def test_after_a_restart_it_is_known_from_which_hand_on_it_is_counted() -> None:
    table = heads_up()
    assert table.room.team_stats.since == 1
    table.play("FOLD")
    table.restart()
    assert table.room.team_stats.since == table.history.hands + 1
