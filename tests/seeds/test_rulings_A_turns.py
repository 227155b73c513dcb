"""Rulings A4, A5 and A6: clocks and actions for absent seats, turns and their numbers, takeover."""

from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.logins import Limits
from pitboss.arena.wire import messages as wire
from tests.support.arena.rooms import Guest, Parlour, deal_where, ranked
from tests.support.for_each import for_each

TWO = Settings(seats=2, stack=10_000, move_time_ms=10_000, away_pace_ms=0)
THREE = Settings(seats=3, stack=10_000, start_at=3, move_time_ms=10_000, away_pace_ms=0)


def autos(guest: Guest) -> list[str]:
    """The actions that the server played for seats whose time was up, in words."""
    return [type(message).__name__ for message in guest.inbox if getattr(message, "auto", False)]


def table(settings: Settings = TWO, **more: Any) -> Parlour:
    """A table with all players connected."""
    parlour = Parlour(settings, seed=3, **more)
    parlour.seat(settings.seats)
    return parlour


# --- A4: timeouts


def test_ruling_A4_timeout_is_check_else_call_as_printed() -> None:
    parlour = table()
    parlour.pass_time(10.0)
    parlour.pass_time(10.0)
    assert autos(parlour.at[0]) == ["CallMessage", "CheckMessage"]


def test_ruling_A4_check_fold_is_the_other_policy() -> None:
    parlour = table(replace(TWO, timeout_policy="check_fold"))
    parlour.play("CALL")
    parlour.pass_time(10.0)
    assert autos(parlour.at[0]) == ["CheckMessage"]
    parlour.play(("RAISE_TO", 300))
    parlour.pass_time(10.0)
    assert autos(parlour.at[0]) == ["CheckMessage", "FoldMessage"]
    assert parlour.at[0].last(wire.Welcome).config.timeout_policy == "check_fold"


def test_ruling_A4_the_clock_runs_from_the_question_to_the_millisecond() -> None:
    parlour = table()
    parlour.pass_time(9.999)
    assert autos(parlour.at[0]) == []
    assert parlour.to_act.question().turn is not None
    parlour.pass_time(0.001)
    assert autos(parlour.at[0]) == ["CallMessage"]


def test_ruling_A4_the_clock_starts_when_the_question_is_sent_and_not_before() -> None:
    parlour = table()
    with parlour.held():
        parlour.play("CALL")
        parlour.pass_time(60.0)
        assert autos(parlour.at[0]) == [], "the disk was slow, and nobody was asked yet"
    parlour.pass_time(9.9)
    assert autos(parlour.at[0]) == []
    parlour.pass_time(0.1)
    assert autos(parlour.at[0]) == ["CheckMessage"]


def let_pass(parlour: Parlour) -> str:
    """Let the player to act run out of time; return the action that the server plays."""
    parlour.pass_time(10.0)
    return autos(parlour.at[0])[-1]


def absent_three_times() -> Parlour:
    """Heads-up: seat 1 has let three turns in a row pass, on two streets, and was checked for at once on the turn."""
    parlour = table()
    parlour.play("CALL")
    assert let_pass(parlour) == "CheckMessage"
    assert let_pass(parlour) == "CheckMessage"
    parlour.play(("RAISE_TO", 100))
    let_pass(parlour)
    assert autos(parlour.at[0])[-2:] == ["CallMessage", "CheckMessage"], "after two in a row it is still called for it"
    assert parlour.history.seats[1].timeouts == 4
    assert parlour.match.to_act == 0
    return parlour


def test_ruling_A4_three_timeouts_in_a_row_and_it_is_checked_and_folded() -> None:
    parlour = absent_three_times()
    parlour.play(("RAISE_TO", 100))
    assert autos(parlour.at[0])[-1] == "FoldMessage"


def test_ruling_A4_clock_waits_until_the_seat_sends_a_message() -> None:
    parlour = absent_three_times()
    parlour.at[1].answer("CHECK", turn=1)
    assert parlour.at[1].error() == "ACTION_TOO_LATE", "too late, and yet a word"
    parlour.play("CHECK")
    parlour.at[1].answer("CHECK")
    assert parlour.history.seats[1].timeouts == 0
    parlour.play(("RAISE_TO", 100))
    assert let_pass(parlour) == "CallMessage"


def test_ruling_A4_each_seat_has_its_own_streak() -> None:
    parlour = absent_three_times()
    parlour.at[1].say({"type": "action", "v": 1, "hand_id": "", "action": "CHECK"})
    parlour.play("CHECK")
    parlour.at[1].answer("RAISE_TO", 100)
    assert let_pass(parlour) == "CallMessage", "seat 0 has always spoken until now"


def test_ruling_A4_rejected_answer_does_not_end_the_turn() -> None:
    parlour = table()
    parlour.to_act.answer("CHECK")
    parlour.pass_time(10.0)
    assert parlour.history.seats[0].timeouts == 1


def test_ruling_A4_the_streak_is_kept_across_a_restart() -> None:
    parlour = absent_three_times()
    parlour.restart()
    parlour.join("A")
    parlour.join("B")
    assert parlour.history.seats[1].timeouts == 4
    parlour.play(("RAISE_TO", 100))
    assert let_pass(parlour) == "FoldMessage", "it has come back and has its time, but has answered nothing yet"


def test_ruling_A4_the_streak_is_kept_across_a_restart_in_the_next_hand() -> None:
    parlour = absent_three_times()
    parlour.play(("RAISE_TO", 100))
    assert parlour.history.hands == 3, "in the second hand it has the small blind, and folds at once too"
    parlour.restart()
    assert parlour.history.seats[1].timeouts == 6


def test_ruling_A4_after_a_restart_the_clock_starts_when_the_seat_is_connected_again() -> None:
    parlour = table(limits=Limits(grace=30.0))
    parlour.pass_time(8.0)
    parlour.restart()
    parlour.pass_time(25.0)
    assert autos_on_disk(parlour) == 0
    guest = parlour.join("A")
    snapshot = guest.last(wire.Snapshot)
    assert (snapshot.next_actor, snapshot.time_ms_remaining) == (0, 10_000), "a fresh clock"
    parlour.pass_time(9.9)
    assert autos_on_disk(parlour) == 0
    parlour.pass_time(0.1)
    assert autos_on_disk(parlour) == 1


def test_ruling_A4_clock_starts_after_the_grace_period_at_the_latest() -> None:
    parlour = table(limits=Limits(grace=30.0))
    parlour.restart()
    parlour.pass_time(39.9)
    assert autos_on_disk(parlour) == 0
    parlour.pass_time(0.1)
    assert autos_on_disk(parlour) == 1


def test_ruling_A4_return_of_another_seat_does_not_start_the_clock() -> None:
    parlour = table(limits=Limits(grace=30.0))
    parlour.restart()
    other = parlour.join("B")
    assert other.last(wire.Snapshot).time_ms_remaining == 10_000
    parlour.pass_time(29.0)
    assert autos_on_disk(parlour) == 0


def test_ruling_A4_after_a_restart_the_next_seats_clock_waits_for_it_too() -> None:
    """Seat 0 is back at once and answers; seat 1 is still connecting when its turn comes."""
    parlour = table(limits=Limits(grace=30.0))
    parlour.restart()
    parlour.join("A").answer("CALL")
    parlour.pass_time(25.0)
    assert autos_on_disk(parlour) == 0, "seat 1 was not connected again, and its grace was not over"
    back = parlour.join("B")
    assert back.last(wire.Snapshot).time_ms_remaining == 10_000


def autos_on_disk(parlour: Parlour) -> int:
    """The number of turns in which the server acted for a seat."""
    return sum(acted.cause == "timeout" for _, acted in parlour.witness.acts)


def test_ruling_A4_without_a_restart_absent_seats_are_not_awaited() -> None:
    parlour = table()
    parlour.at[0].leave()
    parlour.pass_time(10.0)
    assert autos_on_disk(parlour) == 1


# --- A5: a turn has an id


def test_ruling_A5_act_carries_the_turn_and_an_action_may_echo_it() -> None:
    parlour = table()
    first = parlour.at[0].last(wire.Act).turn
    parlour.at[0].answer("CALL", turn=first)
    second = parlour.at[1].last(wire.Act).turn
    assert second > first
    parlour.at[1].answer("CHECK", turn=second)
    assert parlour.at[0].got(wire.Flop)


def test_ruling_A5_action_without_turn_counts_if_this_connection_received_the_question() -> None:
    parlour = table()
    parlour.at[0].answer("CALL", turn=None)
    assert parlour.at[0].got(wire.CallMessage)


def test_ruling_A5_it_counts_only_once() -> None:
    """The big blind checks and acts first on the flop. The second answer is a duplicate, the third is too late."""
    parlour = table()
    parlour.play("CALL")
    guest = parlour.at[1]
    with parlour.held():
        guest.answer("CHECK", turn=None)
        guest.answer("CHECK", turn=None)
        guest.answer("CHECK", turn=None)
    assert len(guest.got(wire.CheckMessage)) == 1
    assert [error.code for error in guest.got(wire.Error)] == ["ACTION_TOO_LATE"]


def test_ruling_A5_action_without_turn_does_not_count_on_another_connection() -> None:
    """Nor does one on a connection that was replaced."""
    parlour = table()
    old = parlour.at[0]
    parlour.join("A")
    old.answer("CALL", turn=None)
    assert not parlour.at[1].got(wire.CallMessage)


@for_each("hand_id", ["H-2026-11-15-00001", "H-2026-11-15-00003", "H-1", "", "x" * 64])
def test_ruling_A5_any_hand_but_the_current_one_is_too_late(hand_id: str) -> None:
    parlour = table()
    parlour.play_hand()
    before = parlour.stacks
    for guest in parlour.at.values():
        guest.news()
        guest.answer("CALL", turn=None, hand_id=hand_id)
        assert guest.error() == "ACTION_TOO_LATE"
        guest.answer("CALL", turn=guest.last(wire.Act).turn, hand_id=hand_id)
        assert guest.error() == "ACTION_TOO_LATE"
    assert parlour.stacks == before


def test_ruling_A5_before_any_hand_every_action_is_too_late() -> None:
    parlour = Parlour(TWO)
    guest = parlour.join("A")
    guest.news()
    guest.answer("CHECK", turn=None, hand_id="H-2026-11-15-00001")
    assert guest.error() == "ACTION_TOO_LATE"


def test_ruling_A5_old_turn_is_too_late_for_the_seat_to_act() -> None:
    parlour = table()
    old = parlour.at[0].last(wire.Act).turn
    parlour.play("CALL", "CHECK", "CHECK")
    assert parlour.match.to_act == 0
    guest = parlour.at[0]
    guest.news()
    guest.answer("CHECK", turn=old)
    assert guest.error() == "ACTION_TOO_LATE"
    guest.answer("CHECK")
    assert not [message for message in guest.news() if isinstance(message, wire.Error)]


def test_ruling_A5_a_resent_call_is_not_played_on_the_next_street() -> None:
    parlour = table()
    guest = parlour.at[0]
    parlour.play(("RAISE_TO", 300), ("RAISE_TO", 600))
    turn = guest.last(wire.Act).turn
    guest.answer("CALL", turn=turn)
    parlour.play(("RAISE_TO", 500))
    stack = parlour.stacks[0]
    guest.news()
    guest.answer("CALL", turn=turn)
    assert guest.error() == "ACTION_TOO_LATE"
    assert parlour.stacks[0] == stack


def test_ruling_A5_out_of_turn() -> None:
    parlour = table()
    guest = parlour.at[1]
    guest.news()
    for turn in (None, parlour.at[0].last(wire.Act).turn):
        guest.answer("CALL", turn=turn, hand_id=parlour.room.match.hand_id)
        assert guest.error() == "OUT_OF_TURN"


def test_ruling_A5_ignored_action_changes_nothing_but_gets_an_answer() -> None:
    parlour = table()
    rows = len(parlour.disk.rows["T-1"])
    guest = parlour.at[1]
    guest.news()
    guest.answer("FOLD", turn=1, hand_id=parlour.room.match.hand_id)
    assert guest.error() == "ACTION_TOO_LATE"
    assert len(parlour.disk.rows["T-1"]) == rows


@for_each("amount", [None, True, "300", 300.0, 1.5, -1, 2**53, [300]])
def test_ruling_A5_raise_to_without_a_whole_number_is_bad_schema(amount: Any) -> None:
    parlour = table()
    guest = parlour.at[0]
    guest.news()
    asked = guest.last(wire.Act)
    action = {"type": "action", "v": 1, "hand_id": asked.hand_id, "action": "RAISE_TO", "amount": amount}
    guest.say(action)
    assert "amount" in guest.last(wire.Error).msg
    assert guest.error() == "BAD_SCHEMA"


def test_ruling_A5_raise_to_with_no_amount_at_all_is_bad_schema() -> None:
    parlour = table()
    guest = parlour.at[0]
    guest.news()
    guest.answer("RAISE_TO")
    assert guest.error() == "BAD_SCHEMA"


def test_ruling_A5_a_rejected_action_keeps_the_turn_and_the_clock() -> None:
    parlour = table()
    guest = parlour.at[0]
    parlour.pass_time(9.0)
    guest.news()
    for word, amount in (("CHECK", None), ("RAISE_TO", 199), ("RAISE_TO", 10_001)):
        guest.answer(word, amount)
        assert guest.error() == "INVALID_ACTION"
    assert parlour.match.to_act == 0
    parlour.pass_time(0.9)
    guest.answer("RAISE_TO", 200)
    assert guest.last(wire.BetMessage).to == 200
    parlour.pass_time(0.2)
    assert autos(guest) == []


def test_ruling_A5_a_rejected_action_does_not_lengthen_the_clock() -> None:
    parlour = table()
    parlour.pass_time(9.0)
    parlour.at[0].answer("CHECK")
    parlour.pass_time(1.0)
    assert autos(parlour.at[0]) == ["CallMessage"]


@pytest.mark.parametrize("at_once", [1, 5, 20])
def test_ruling_A5_twenty_frames_a_second_are_always_tolerated(at_once: int) -> None:
    parlour = Parlour(TWO)
    guest = parlour.join("A")
    for _ in range(60 * 20 // at_once):
        for _ in range(at_once):
            guest.say("nonsense")
        parlour.pass_time(at_once / 20)
    assert guest.closed is None
    assert {error.code for error in guest.got(wire.Error)} == {"BAD_SCHEMA"}
    assert len(guest.got(wire.Error)) == 1200, "each was answered"


# --- A6: takeover


def test_ruling_A6_a_second_hello_replaces_the_first_connection_which_is_closed() -> None:
    parlour = table()
    old = parlour.at[0]
    new = parlour.join("A")
    assert old.end() == (4000, "replaced by a newer connection")
    assert parlour.at[0] is new


def test_ruling_A6_late_frames_and_close_of_the_old_connection_have_no_effect() -> None:
    parlour = table()
    old = parlour.at[0]
    new = parlour.join("A")
    rows, sent = len(parlour.disk.rows["T-1"]), len(parlour.at[1].inbox)
    asked = new.last(wire.Snapshot)
    old.say({"type": "action", "v": 1, "hand_id": asked.at_hand_id, "action": "FOLD", "turn": asked.turn})
    old.hello()
    old.say("garbage")
    old.leave()
    assert (len(parlour.disk.rows["T-1"]), len(parlour.at[1].inbox)) == (rows, sent)
    assert parlour.room.connected == (1, 0)
    new.answer("CALL")
    assert new.got(wire.CallMessage)


def test_ruling_A6_the_new_one_gets_welcome_then_snapshot() -> None:
    parlour = table()
    parlour.pass_time(4.0)
    new = parlour.join("A")
    assert [type(message) for message in new.inbox[:2]] == [wire.Welcome, wire.Snapshot]
    snapshot = new.last(wire.Snapshot)
    assert snapshot.time_ms_remaining == 6000
    assert snapshot.legal == ("FOLD", "CALL", "RAISE_TO")
    assert snapshot.turn is not None


def test_ruling_A6_running_clock_continues() -> None:
    parlour = table()
    for _ in range(3):
        parlour.pass_time(3.0)
        parlour.join("A")
    parlour.pass_time(0.9)
    assert autos_on_disk(parlour) == 0
    parlour.pass_time(0.1)
    assert autos_on_disk(parlour) == 1


def test_ruling_A6_also_when_its_seat_has_folded() -> None:
    parlour = table(THREE)
    parlour.play("FOLD")
    new = parlour.join("A")
    snapshot = new.last(wire.Snapshot)
    assert (snapshot.you.seat, snapshot.you.to_call, snapshot.legal) == (0, 0, None)
    assert len(snapshot.you.hole) == 2, "it may see its own cards"
    assert next(player for player in snapshot.players if player.seat == 0).has_folded


def test_ruling_A6_also_when_its_seat_is_out() -> None:
    parlour = table(THREE, secrets=[deal_where(3, ranked(2, 0, 1))])
    parlour.play(("RAISE_TO", 10_000), "CALL", "FOLD")
    assert parlour.history.seats[1].stack == 0
    new = parlour.join("B")
    snapshot = new.last(wire.Snapshot)
    assert (snapshot.you.seat, snapshot.you.hole, snapshot.you.stack) == (1, (), 0)
    assert [player.seat for player in snapshot.players] == [0, 2]


def test_ruling_A6_also_when_its_seat_is_all_in() -> None:
    parlour = table(THREE)
    parlour.play(("RAISE_TO", 10_000))
    snapshot = parlour.join("A").last(wire.Snapshot)
    assert (snapshot.you.stack, snapshot.you.to_call, snapshot.legal) == (0, 0, None)


def test_ruling_A6_also_between_hands() -> None:
    parlour = Parlour(TWO)
    parlour.join("A")
    snapshot = parlour.join("A").last(wire.Snapshot)
    assert (snapshot.at_hand_id, snapshot.phase, snapshot.you.hole) == (None, "WAITING", ())


def test_ruling_A6_wrong_code_does_not_replace_a_connection() -> None:
    parlour = table()
    old = parlour.at[0]
    thief = parlour.join("A", "guess")
    assert thief.error() == "TEAM_TAKEN"
    assert old.closed is None
    assert parlour.at[0] is old


def test_ruling_A6_takeover_before_the_question_is_on_disk_gets_it_afterwards() -> None:
    parlour = table()
    with parlour.held():
        parlour.play("CALL")
        new = parlour.join("B")
        assert new.inbox == []
    assert new.last(wire.Snapshot).legal is not None
    new.answer("CHECK", turn=None)
    assert new.got(wire.CheckMessage)
