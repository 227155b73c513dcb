"""Ruling A9b: which seats are away, how the server plays for them and how they return; final places, and ties."""

import msgspec
import pytest
from msgspec.structs import replace

from pitboss.arena.journal.history import History, HistoryError, TakenSeat
from pitboss.arena.journal.records import MatchEnded, Settings
from pitboss.arena.rooms.logins import Limits
from pitboss.arena.wire import messages as wire
from tests.support.arena.rooms import Guest, Parlour, deal_where, ranked
from tests.support.for_each import for_each

TWO = Settings(seats=2, stack=10_000, move_time_ms=10_000, away_pace_ms=0)
THREE = Settings(seats=3, stack=1_000_000, start_at=3, move_time_ms=15_000, away_pace_ms=0)
LEAVE = {"type": "leave", "v": 1}
ORDER_4, ORDER_5 = (2, 0, 1), (1, 2)
"""The seats of hands 4 and 5 of a match in which the third team comes late, from the button's left."""


def table(settings: Settings = TWO, limits: Limits | None = None) -> Parlour:
    """A table with all players connected."""
    parlour = Parlour(settings, limits=limits, seed=3)
    parlour.seat(settings.seats)
    return parlour


def played_for(parlour: Parlour) -> list[tuple[int, str]]:
    """The seats something was played for, and what."""
    acts = [acted for _, acted in parlour.witness.acts if acted.cause == "timeout"]
    return [(acted.seat, type(acted.action).__name__.lower()) for acted in acts]


def is_away(guest: Guest) -> list[bool]:
    """Who is away, by seat, as a guest was last told."""
    return [player.away for player in guest.last(wire.Lobby).players]


def asks(guest: Guest) -> int:
    """How many questions it received."""
    return len(guest.got(wire.Act))


def play_hands(parlour: Parlour, seats: set[int], hands: int) -> float:
    """Let some seats answer every question at once, for this many hands; return the seconds it took."""
    began, last = parlour.now, parlour.history.played + hands
    while parlour.history.played < last:
        if parlour.match.to_act in seats:
            legal = parlour.to_act.question().legal or ()
            parlour.play("CHECK" if "CHECK" in legal else "CALL")
        else:
            assert parlour.room.deadline is not None
            parlour.pass_time(parlour.room.deadline - parlour.now)
    return parlour.now - began


# --- leave


def test_ruling_A9b_leave_in_ones_turn_plays_the_turn_at_once() -> None:
    parlour = table()
    parlour.at[0].say(LEAVE)
    assert played_for(parlour)[0] == (0, "fold"), "nothing is paid for who is away, whatever the timeout policy"
    assert parlour.now == 100.0
    assert is_away(parlour.at[1]) == [True, False]


def test_ruling_A9b_leave_costs_no_time_in_any_hand_and_no_chip_but_the_blinds() -> None:
    parlour = table(THREE)
    parlour.at[2].say(LEAVE)
    assert play_hands(parlour, {0, 1}, 30) == 0.0
    assert parlour.history.seats[2].stack == 1_000_000 - 10 * 50 - 10 * 100 + won_by(parlour, 2)
    assert asks(parlour.at[2]) <= 1, "who has taken leave is not asked"


def won_by(parlour: Parlour, seat: int) -> int:
    """What a seat won of the pots: a big blind that is not raised is checked to the end, and may win."""
    return sum(event.amount for event in parlour.log if isinstance(event, wire.PotAward) and event.seat == seat)


def test_ruling_A9b_leave_before_hello_is_refused() -> None:
    parlour = Parlour(TWO, seed=3)
    stranger = parlour.connect()
    stranger.say(LEAVE)
    assert stranger.error() == "OUT_OF_TURN"


def test_ruling_A9b_leave_waits_for_the_disk_like_other_messages() -> None:
    parlour = table()
    with parlour.held():
        parlour.play("CALL")
        parlour.at[1].say(LEAVE)
        assert played_for(parlour) == []
    assert played_for(parlour)[0] == (1, "check")


@pytest.mark.parametrize("late", [False, True])
def test_ruling_A9b_seat_that_left_is_back_with_its_next_message(late: bool) -> None:
    parlour = table(THREE)
    parlour.at[1].say(LEAVE)
    if late:
        parlour.at[1].say({"type": "action", "v": 1, "hand_id": "H-0", "action": "CALL"})
    else:
        parlour.at[1].leave()
        parlour.join("B")
    assert is_away(parlour.at[0]) == [False, False, False]
    parlour.play("CALL")
    parlour.pass_time(14.9)
    assert played_for(parlour) == []
    assert parlour.match.to_act == 1


def test_ruling_A9b_seat_that_left_is_not_asked_for_a_number_and_withholds_none() -> None:
    parlour = Parlour(TWO, seed=3)
    guest = parlour.join("A", next="0" * 64)
    guest.say(LEAVE)
    parlour.join("B")
    assert parlour.history.hands > 0
    assert not guest.got(wire.Mix)
    assert not parlour.history.withheld


def test_ruling_A9b_unreadable_frame_does_not_return_a_seat() -> None:
    parlour = table(THREE)
    parlour.at[1].say(LEAVE)
    parlour.at[1].say("garbage")
    assert is_away(parlour.at[0]) == [False, True, False]


def test_ruling_A9b_no_hand_begins_if_all_seats_have_left() -> None:
    parlour = table()
    for seat in (0, 1):
        parlour.at[seat].say(LEAVE)
    parlour.pass_time(3600.0)
    hands = parlour.history.hands
    assert hands <= 2
    assert parlour.hand is None
    parlour.at[0].say({"type": "action", "v": 1, "hand_id": "", "action": "CHECK"})
    assert parlour.history.hands > hands


# --- disconnected


def test_ruling_A9b_a_seat_is_away_once_it_was_disconnected_for_a_whole_move_time() -> None:
    parlour = table(THREE)
    parlour.at[1].leave()
    parlour.pass_time(14.0)
    parlour.play("CALL")
    parlour.pass_time(0.9)
    assert played_for(parlour) == []
    assert is_away(parlour.at[0]) == [False, False, False]
    parlour.pass_time(0.1)
    assert played_for(parlour) == [(1, "fold")], "its clock had 14 seconds left"
    assert is_away(parlour.at[0]) == [False, True, False]


def test_ruling_A9b_until_then_the_clock_runs_as_ever() -> None:
    parlour = table()
    parlour.pass_time(3.0)
    parlour.at[0].leave()
    parlour.pass_time(6.9)
    assert played_for(parlour) == []
    parlour.pass_time(0.1)
    assert played_for(parlour) == [(0, "call")], "its turn ran out before it was away: the printed rule"


def test_ruling_A9b_seat_that_returns_in_time_has_the_rest_of_its_turn() -> None:
    parlour = table(THREE)
    parlour.at[1].leave()
    parlour.pass_time(14.0)
    parlour.play("CALL")
    back = parlour.join("B")
    assert back.last(wire.Snapshot).time_ms_remaining == 15_000
    parlour.pass_time(14.0)
    back.answer("CALL")
    assert played_for(parlour) == []


@pytest.mark.check
def test_ruling_A9b_absent_seat_does_not_stall_the_table() -> None:
    """As it was measured: 2,349 hands in 20 seconds became 18, because each waited for the seat that was gone."""
    parlour = table(THREE)
    parlour.at[2].leave()
    assert play_hands(parlour, {0, 1}, 500) <= 15.0
    assert sum(taken.stack for taken in parlour.history.seats.values()) == 3_000_000


# --- three turns in a row


def let_three_pass(settings: Settings = TWO) -> Parlour:
    """Seat 1 is connected and has let three turns in a row pass; seat 0 is to act."""
    parlour = table(settings)
    while parlour.history.seats[1].timeouts < 3:
        if parlour.match.to_act == 0:
            parlour.play("CHECK" if "CHECK" in (parlour.to_act.question().legal or ()) else "CALL")
        else:
            parlour.pass_time(10.0)
    assert parlour.match.to_act == 0
    return parlour


def test_ruling_A9b_three_turns_in_a_row_and_it_is_played_at_once() -> None:
    parlour = let_three_pass()
    assert is_away(parlour.at[0]) == [False, True]
    assert play_hands(parlour, {0}, 50) == 0.0


def test_ruling_A9b_absent_seat_has_no_time_and_returns_with_a_late_answer() -> None:
    parlour = let_three_pass()
    dead = parlour.at[1]
    asked = asks(dead)
    play_hands(parlour, {0}, 1)
    assert asks(dead) > asked
    assert dead.last(wire.Act).you.time_ms == 0
    dead.say({"type": "action", "v": 1, "hand_id": dead.last(wire.Act).hand_id, "action": "FOLD"})
    assert is_away(parlour.at[0]) == [False, False]
    while parlour.match.to_act == 0:
        parlour.play("CHECK" if "CHECK" in (parlour.to_act.question().legal or ()) else "CALL")
    assert dead.last(wire.Act).you.time_ms == 10_000
    dead.answer("CHECK" if "CHECK" in dead.last(wire.Act).legal else "CALL")
    assert parlour.history.seats[1].timeouts == 0


def test_ruling_A9b_a_table_of_connected_bots_that_never_answer_does_not_spin() -> None:
    parlour = table(replace(TWO, stack=1_000_000))
    parlour.pass_time(3600.0)
    assert parlour.history.seats[0].timeouts >= 3
    assert parlour.history.seats[1].timeouts >= 3
    assert len(parlour.witness.acts) <= 360, "one turn a move time, as ever"
    asked = parlour.to_act
    assert asked.last(wire.Act).you.time_ms == 10_000, "who wakes up is asked in earnest"
    asked.answer("CHECK" if "CHECK" in asked.last(wire.Act).legal else "CALL")
    assert played_for(parlour)[-1][0] != asked.seat or parlour.history.seats[asked.seat or 0].timeouts == 0


# --- the pace of hands with an away seat


def test_ruling_A9b_a_hand_with_a_disconnected_seat_takes_at_least_a_second() -> None:
    parlour = table(replace(THREE, away_pace_ms=1000))
    parlour.at[2].leave()
    parlour.pass_time(15.0)
    play_hands(parlour, {0, 1}, 1)
    assert 29.0 <= play_hands(parlour, {0, 1}, 30) <= 30.0


def test_ruling_A9b_half_a_minute_away_costs_thirty_hands_at_most() -> None:
    """At full speed the seat that stays would play thousands of hands in that time."""
    parlour = table(replace(TWO, stack=1_000_000, away_pace_ms=1000))
    parlour.at[1].leave()
    parlour.pass_time(10.0)
    hands = parlour.history.hands
    began = parlour.now
    while parlour.now < began + 30.0:
        play_hands(parlour, {0}, 1)
    assert parlour.history.hands - hands <= 31
    parlour.join("B")
    parlour.pass_time(1.0)
    before, began = parlour.history.hands, parlour.now
    play_hands(parlour, {0, 1}, 20)
    assert parlour.history.hands == before + 20
    assert parlour.now == began, "with both seats back, hands follow each other at once"


def test_ruling_A9b_silent_seat_is_paced_and_one_that_sent_leave_is_not() -> None:
    parlour = let_three_pass(replace(TWO, stack=1_000_000, away_pace_ms=700))
    play_hands(parlour, {0}, 1)
    assert play_hands(parlour, {0}, 10) == pytest.approx(7.0)
    parlour.at[1].say(LEAVE)
    parlour.pass_time(0.7)
    assert play_hands(parlour, {0}, 10) == 0.0


def test_ruling_A9b_the_pace_counts_from_the_beginning_of_the_hand() -> None:
    parlour = table(replace(THREE, away_pace_ms=20_000))
    parlour.at[2].leave()
    parlour.pass_time(14.0)
    parlour.play("CALL")
    parlour.pass_time(1.0)
    play_hands(parlour, {0, 1}, 2)
    assert parlour.now == 120.0, "the first hand began at 100"


def test_ruling_A9b_the_pace_is_a_setting_that_older_journals_do_not_name() -> None:
    assert msgspec.json.decode(msgspec.json.encode(Settings(seats=2)), type=Settings).away_pace_ms == 1000
    assert b"away_pace_ms" not in msgspec.json.encode(Settings(seats=2)), "a journal from before it is read alike"
    parlour = table(replace(TWO, away_pace_ms=250))
    assert parlour.at[0].last(wire.Welcome).config.away_pace_ms == 250


# --- restarts


def test_ruling_A9b_after_a_restart_the_grace_period_is_first() -> None:
    parlour = let_three_pass()
    parlour.play("CHECK" if "CHECK" in (parlour.to_act.question().legal or ()) else "CALL")
    for _ in range(20):  # until seat 1 is to act when the server stops
        with parlour.held():
            parlour.play("CHECK" if "CHECK" in (parlour.to_act.question().legal or ()) else "CALL")
            parlour.commit()
            if parlour.match.to_act == 1:
                break
    count = len(played_for(parlour))
    parlour.restart()
    if parlour.match.to_act == 0:
        parlour.join("A")
        parlour.play("CHECK" if "CHECK" in (parlour.to_act.question().legal or ()) else "CALL")
    else:
        parlour.join("A")
    parlour.pass_time(29.9)
    assert len(played_for(parlour)) == count, "seat 1 had let its turns pass before, but may be on its way"
    parlour.pass_time(0.1)
    assert len(played_for(parlour)) > count, "it has let three turns pass, and its grace is over"
    assert is_away(parlour.at[0]) == [False, True]


def test_ruling_A9b_after_a_restart_an_absent_seat_is_away_after_grace_and_move_time() -> None:
    parlour = table(THREE, limits=Limits(grace=30.0))
    parlour.restart()
    for team in "AC":
        parlour.join(team)
    parlour.pass_time(10.0)
    parlour.play("CALL")
    parlour.pass_time(34.9)
    assert played_for(parlour) == []
    parlour.pass_time(0.1)
    assert played_for(parlour) == [(1, "fold")], "its clock ran out at the moment from which it is away"
    assert play_hands(parlour, {0, 2}, 50) == 0.0


# --- ends


@pytest.mark.parametrize("restarts", [False, True])
def test_ruling_A9b_equal_chips_at_the_end_are_a_tie(restarts: bool) -> None:
    parlour = table(Settings(seats=2, max_hands=2))
    parlour.play("FOLD")
    parlour.play("FOLD")
    if restarts:
        parlour.restart()
        parlour.join("A")
    end = parlour.at[0].last(wire.MatchEnd)
    assert [row.stack for row in end.final_stacks] == [10_000, 10_000]
    assert end.winner is None
    assert end.winners == (wire.Winner(seat=0, team="A"), wire.Winner(seat=1, team="B"))
    assert [row.place for row in end.final_stacks] == [1, 1]
    assert '"winner":null' in next(frame for frame in parlour.at[0].frames if '"match_end"' in frame)


def test_ruling_A9b_only_the_first_place_is_shared() -> None:
    parlour = table(Settings(seats=3, start_at=3, max_hands=3))
    for _ in range(3):
        parlour.play("FOLD", "FOLD")
    end = parlour.at[0].last(wire.MatchEnd)
    assert [row.stack for row in end.final_stacks] == [10_000] * 3
    assert [winner.team for winner in end.winners or ()] == ["A", "B", "C"]


def test_ruling_A9b_in_one_hand_larger_starting_stacks_rank_higher() -> None:
    """In the first hand C wins a little from B; in the second it takes everything from both at once."""
    secrets = [deal_where(3, ranked(2, 1, 0)), deal_where(3, ranked(0, 2, 1))]
    parlour = Parlour(Settings(seats=3, start_at=3), seed=3, secrets=secrets)
    parlour.seat(3)
    parlour.play("FOLD", "FOLD")
    assert {seat: taken.stack for seat, taken in parlour.history.seats.items()} == {0: 10_000, 1: 9_950, 2: 10_050}
    parlour.play(("RAISE_TO", 9_950), ("RAISE_TO", 10_050), "CALL")
    end = parlour.at[0].last(wire.MatchEnd)
    rows = [(row.team, row.stack, row.place) for row in end.final_stacks]
    assert rows == [("C", 30_000, 1), ("A", 0, 2), ("B", 0, 3)]
    assert end.winner == wire.Winner(seat=2, team="C")


@for_each(
    "ends, order, winners, places",
    [
        ({0: (0, 3, (3, 100)), 1: (0, 3, (3, 200)), 2: (300, 9, (0, 0))}, [2, 1, 0], [2], [3, 2, 1]),
        ({0: (0, 4, (4, 100)), 1: (0, 3, (3, 200)), 2: (300, 9, (0, 0))}, [2, 0, 1], [2], [2, 3, 1]),
        ({0: (0, 12, (120, 100)), 1: (0, 90, (90, 50)), 2: (300, 9, (0, 0))}, [2, 1, 0], [2], [3, 2, 1]),
        ({0: (0, 12, (120, 100)), 1: (0, 12, (90, 50)), 2: (300, 9, (0, 0))}, [2, 0, 1], [2], [2, 3, 1]),
        ({0: (-5, 4, (4, 100)), 1: (0, 3, (3, 200)), 2: (300, 9, (0, 0))}, [2, 0, 1], [2], [2, 3, 1]),
        ({0: (-5, 3, (3, 100)), 1: (-2, 3, (3, 100)), 2: (0, 2, (2, 5))}, [1, 0, 2], [1], [2, 1, 3]),
        ({0: (0, 3, (3, 100)), 1: (0, 3, (3, 100)), 2: (0, 2, (2, 5))}, [0, 1, 2], [0, 1], [1, 1, 3]),
        ({0: (50, 1, (0, 0)), 1: (200, 9, (0, 0)), 2: (200, 2, (0, 0))}, [1, 2, 0], [1, 2], [3, 1, 1]),
    ],
    ids=[
        "same hand",
        "later",
        "more hands survived",
        "as many hands, later",
        "points",
        "more points",
        "all out",
        "tie",
    ],
)
def test_ruling_A9b_places_of_teams_that_are_out(
    ends: dict[int, tuple[int, int, tuple[int, int]]], order: list[int], winners: list[int], places: list[int]
) -> None:
    """Chips, hands played, and in which hand a seat went out with how many chips; points may be below 0."""
    history = History("T-1")
    for seat, (stack, hands, out) in ends.items():
        history.seats[seat] = TakenSeat(str(seat), stack, None, hands=hands, out=out)
    assert list(history.ranking()) == order
    assert history.winners() == winners
    assert [history.places()[seat] for seat in ends] == places


def test_ruling_A9b_a_team_that_sat_down_late_is_placed_by_the_hands_it_played() -> None:
    """A loses its chips to B in its 4th hand; C sits down for that hand and loses its chips in its 2nd, hand 5."""
    any_deal = deal_where(2, ranked(0, 1))
    secrets = [any_deal] * 3 + [deal_where(3, ranked(ORDER_4.index(1), ORDER_4.index(0), ORDER_4.index(2)))]
    parlour = Parlour(
        Settings(seats=3), seed=3, secrets=[*secrets, deal_where(2, ranked(ORDER_5.index(1), ORDER_5.index(2)))]
    )
    parlour.seat(2)
    parlour.play("FOLD", "FOLD")
    parlour.join("C")
    parlour.play("FOLD")
    for loser, order in ((0, ORDER_4), (2, ORDER_5)):
        assert parlour.history.hand is not None
        assert parlour.history.hand.order == order
        number = parlour.history.hands
        while parlour.match.to_act is not None and parlour.history.hands == number:
            seat, question = parlour.to_act.seat, parlour.to_act.question()
            if seat not in (loser, 1):
                parlour.play("FOLD")
            elif "RAISE_TO" in (question.legal or ()):
                parlour.play(("RAISE_TO", question.max_raise_to or 0))
            else:
                parlour.play("CALL")
    end = parlour.at[0].last(wire.MatchEnd)
    assert [(row.team, row.place) for row in end.final_stacks] == [("B", 1), ("A", 2), ("C", 3)]
    assert [player.team for player in parlour.room.summary().players] == ["B", "A", "C"], "the lobby's order"


def test_ruling_A9b_a_result_from_before_hands_were_counted_still_verifies() -> None:
    history = History("T-1", hands=120, played=120)
    for seat, (stack, hands, out) in {0: (0, 12, (120, 100)), 1: (0, 90, (90, 50)), 2: (300, 120, (0, 0))}.items():
        history.seats[seat] = TakenSeat(str(seat), stack, None, hands=hands, out=out)
    for order, places in (([2, 1, 0], [3, 2, 1]), ([2, 0, 1], [2, 3, 1])):
        history.ended = None
        ended = MatchEnded(reason="last_standing", stacks={seat: history.seats[seat].stack for seat in order})
        history.check(ended)
        history.take(ended, over=True)
        assert [history.places()[seat] for seat in range(3)] == places, "as they were announced"
    history.ended = None
    with pytest.raises(HistoryError):
        history.check(MatchEnded(reason="last_standing", stacks={0: 0, 1: 0, 2: 300}))
