"""Bad input and bad clients: each gets its error or is closed with a reason, and the honest table plays on unmoved."""

from collections import Counter
from collections.abc import Callable

import pytest

from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.logins import Limits
from pitboss.arena.wire import messages as wire
from tests.support.arena.bad_frames import BAD, DEEP, ODD, Bad
from tests.support.arena.rooms import CODE, TABLE, Guest, Parlour
from tests.support.for_each import for_each

SETTINGS = Settings(seats=3, start_at=2)


def honest_table(limits: Limits | None = None) -> Parlour:
    """Two players, with a free seat next to them."""
    parlour = Parlour(SETTINGS, seed=2, limits=limits)
    parlour.seat(2)
    return parlour


def plays_on(parlour: Parlour) -> None:
    """The two honest players finish a hand, and no other client took part in it."""
    for team in "AB":
        if team not in {guest.team for guest in parlour.at.values()}:
            parlour.join(team)
    number = parlour.history.hands
    parlour.play_hand("CALL")
    assert parlour.history.hands == number + 1


def unmoved(parlour: Parlour, misbehave: Callable[[], None]) -> None:
    """Check that misbehaviour moves no chip and is not recorded, and that the table plays on."""
    rows, chips, asked = len(parlour.disk.rows[TABLE]), parlour.stacks, parlour.match.to_act
    misbehave()
    assert (len(parlour.disk.rows[TABLE]), parlour.stacks, parlour.match.to_act) == (rows, chips, asked)
    plays_on(parlour)


def codes(guest: Guest) -> Counter[str]:
    """How often it received each error."""
    return Counter(error.code for error in guest.got(wire.Error))


# --- frames


@pytest.mark.parametrize("who", ["stranger", "asked", "waiting"])
def test_every_bad_frame_gets_its_error_and_changes_nothing(who: str) -> None:
    parlour = honest_table(Limits(hello=1e9, burst=1e9))
    guest = {"stranger": parlour.connect("?"), "asked": parlour.at[0], "waiting": parlour.at[1]}[who]

    def misbehave() -> None:
        for bad in BAD:
            guest.news()
            guest.say(bad[1])
            assert guest.error() == bad[2], bad[0]

    unmoved(parlour, misbehave)
    assert guest.end() is None


@for_each("bad", BAD[::12], ids=lambda bad: bad[0])
def test_bad_frame_among_good_ones_changes_nothing_for_the_sender(bad: Bad) -> None:
    parlour = honest_table()
    parlour.at[0].say(bad[1])
    parlour.at[0].answer("CALL")
    assert parlour.at[0].got(wire.CallMessage)


def test_odd_and_deep_frames_change_nothing() -> None:
    parlour = honest_table(Limits(burst=1e9, wrong_hellos=10**9))
    guest = parlour.at[0]

    def misbehave() -> None:
        for odd in ODD:
            guest.news()
            guest.say(odd[1])
            assert guest.error() in {"BAD_SCHEMA", "ACTION_TOO_LATE"}, odd[0]
        for deep in DEEP:
            guest.say(deep)

    unmoved(parlour, misbehave)


def test_errors_repeat_long_input_only_in_part() -> None:
    parlour = honest_table(Limits(burst=1e9))
    guest = parlour.connect("?")
    for bad in BAD:
        guest.say(bad[1])
    assert max(len(error.msg) for error in guest.got(wire.Error)) < 300


# --- actions


@for_each(
    "word, amount, turn, hand_id, code",
    [
        ("CALL", None, "open", "current", "OUT_OF_TURN"),
        ("CALL", None, None, "current", "OUT_OF_TURN"),
        ("CALL", None, "old", "current", "ACTION_TOO_LATE"),
        ("CALL", None, "open", "before", "ACTION_TOO_LATE"),
        ("CALL", None, None, "before", "ACTION_TOO_LATE"),
        ("RAISE_TO", 1, "open", "current", "OUT_OF_TURN"),
    ],
)
def test_an_action_that_is_not_ones_turn(
    word: str, amount: int | None, turn: str | None, hand_id: str, code: str
) -> None:
    parlour = honest_table()
    plays_on(parlour)
    parlour.play("CALL")
    parlour.pass_time(1.0)
    waiting = parlour.at[1 - (parlour.match.to_act or 0)]
    asked = parlour.to_act.last(wire.Act)
    turns = {"open": asked.turn, "old": asked.turn - 1, None: None}
    hands = {"current": asked.hand_id, "before": "H-2026-11-15-00001"}

    def misbehave() -> None:
        waiting.news()
        waiting.answer(word, amount, turn=turns[turn], hand_id=hands[hand_id])
        assert waiting.error() == code

    unmoved(parlour, misbehave)


@for_each("amount", [0, 1, 99, 100, 199, 10_001, 2**53 - 1])
def test_a_raise_below_or_above_the_bounds_is_refused_and_may_be_tried_again(amount: int) -> None:
    parlour = honest_table()
    guest = parlour.at[0]

    def misbehave() -> None:
        guest.news()
        guest.answer("RAISE_TO", amount)
        assert guest.error() == "INVALID_ACTION"

    unmoved(parlour, misbehave)


def test_an_invalid_action_does_not_deadlock_the_table() -> None:
    parlour = honest_table()
    guest = parlour.at[0]
    for _ in range(10):
        guest.answer("CHECK")
    assert codes(guest) == {"INVALID_ACTION": 10}
    guest.answer("RAISE_TO", 200)
    assert parlour.match.to_act == 1


def test_an_action_twice_counts_once() -> None:
    parlour = honest_table()
    guest = parlour.at[0]
    asked = guest.last(wire.Act)
    for _ in range(5):
        guest.answer("CALL", turn=asked.turn, hand_id=asked.hand_id)
    assert len(guest.got(wire.CallMessage)) == 1
    assert codes(guest) == {"ACTION_TOO_LATE": 4}
    assert parlour.stacks[0] == 9900


def test_action_before_its_question_is_on_disk_is_too_late() -> None:
    parlour = honest_table()
    with parlour.held():
        parlour.play("CALL")
        guest = parlour.at[1]
        rows = len(parlour.waiting)
        for turn in (None, parlour.waiting[-1].seq):
            guest.answer("CHECK", turn=turn, hand_id=parlour.room.match.hand_id)
        assert len(parlour.waiting) == rows
        assert parlour.match.to_act == 1
    assert codes(guest) == {"ACTION_TOO_LATE": 2}
    guest.answer("CHECK")
    assert guest.got(wire.CheckMessage)


def test_the_same_act_answered_by_two_connections_of_one_team_counts_once() -> None:
    parlour = honest_table()
    old = parlour.at[0]
    asked = old.last(wire.Act)
    new = parlour.join("A")
    new.answer("CALL")
    old.answer("RAISE_TO", 400, turn=asked.turn)
    assert parlour.stacks[0] == 9900


# --- hellos


def test_a_hello_flood_on_one_connection() -> None:
    parlour = honest_table()
    guest = parlour.at[1]

    def misbehave() -> None:
        for _ in range(40):
            guest.hello()

    unmoved(parlour, misbehave)
    assert codes(guest) == {"BAD_SCHEMA": 40}


def test_wrong_hellos_are_answered_and_then_the_connection_is_closed() -> None:
    parlour = honest_table()
    thief = parlour.connect("A")

    def misbehave() -> None:
        for number in range(20):
            thief.hello(f"guess {number}") if thief.closed is None else None

    unmoved(parlour, misbehave)
    assert codes(thief) == {"TEAM_TAKEN": 5}
    assert thief.end() == (1008, "too many wrong hellos")


def test_guessing_codes_over_many_connections_gives_no_seat() -> None:
    parlour = honest_table()

    def misbehave() -> None:
        for number in range(100):
            guess = parlour.join("A", f"guess {number}")
            assert guess.error() == ("TEAM_TAKEN" if number < 5 else "RATE_LIMITED")
            guess.leave()

    unmoved(parlour, misbehave)
    assert parlour.at[0].closed is None


def test_a_flood_of_new_teams_fills_the_table_and_no_more() -> None:
    parlour = honest_table()
    strangers = [parlour.join(f"new{number}") for number in range(50)]
    assert sum(bool(guest.got(wire.Welcome)) for guest in strangers) == 1
    assert sum(codes(guest)["TABLE_FULL"] for guest in strangers) == 49
    assert parlour.stacks[2] == 10_000
    plays_on(parlour)


def test_connection_without_hello_times_out() -> None:
    parlour = honest_table()
    silent, late = parlour.connect("silent"), parlour.connect("late")
    parlour.pass_time(9.0)
    late.hello()
    assert silent.end() is None
    parlour.pass_time(1.0)
    assert silent.end() == (1008, "no hello within 10 seconds")
    assert late.end() is None
    silent.hello()
    assert silent.inbox == [], "from a connection that was closed it is nothing"
    plays_on(parlour)


def test_garbage_does_not_count_as_a_hello() -> None:
    parlour = honest_table()
    guest = parlour.connect("?")
    for _ in range(19):
        guest.say("[]")
        parlour.pass_time(0.5)
    assert guest.end() is None
    parlour.pass_time(0.5)
    assert guest.end() is not None


def test_hellos_while_the_disk_is_slow_take_one_seat_each() -> None:
    parlour = Parlour(Settings(seats=6, start_at=6), seed=2)
    with parlour.held():
        for team in ("A", "A", "B", "A"):
            parlour.join(team)
        assert all(guest.inbox == [] for guest in parlour.guests.values()), "nothing is on disk yet"
    assert {seat: chair.team for seat, chair in parlour.history.seats.items()} == {0: "A", 1: "B"}
    a1, a2, b, a3 = parlour.guests.values()
    assert a3.end() is None
    assert a3.seat == 0
    assert b.seat == 1
    assert a1.end() is not None
    assert a2.end() is not None


# --- floods


@for_each("frame", ["garbage", "hello", "action"])
@for_each("seat", [0, 1])
def test_ten_thousand_frames_in_a_second_close_only_the_flooder(frame: str, seat: int) -> None:
    parlour = honest_table()
    guest = parlour.at[seat]
    hand = parlour.room.match.hand_id
    sent = {
        "garbage": "x",
        "hello": '{"type":"hello","v":1,"team":"A","join_code":"x"}',
        "action": f'{{"type":"action","v":1,"hand_id":"{hand}","action":"CHECK","turn":1}}',
    }[frame]

    def misbehave() -> None:
        for number in range(10_000):
            if number % 100 == 0:
                parlour.now += 0.01
            if guest.closed is None:
                guest.say(sent)

    rows, chips = len(parlour.disk.rows[TABLE]), parlour.stacks
    misbehave()
    assert (len(parlour.disk.rows[TABLE]), parlour.stacks) == (rows, chips)
    assert guest.end() == (1008, "too many frames")
    assert codes(guest)["RATE_LIMITED"] >= 1
    assert len(guest.got(wire.Error)) < 100, "an answer to each would be a flood too"
    assert not parlour.at[1 - seat].last(wire.Lobby).players[seat].connected
    back = parlour.join("AB"[seat])
    assert back.got(wire.Welcome), "it may come back"
    plays_on(parlour)


def test_a_flooder_that_never_stops_coming_back_does_not_stop_the_table() -> None:
    parlour = honest_table()
    for _ in range(30):
        guest = parlour.connect("B")
        guest.hello(CODE + "B")
        for _ in range(300):
            if guest.closed is None:
                guest.say("x")
        parlour.pass_time(1.0)
    assert parlour.history.hands >= 1
    parlour.pass_time(20.0)
    plays_on(parlour)


def test_a_short_burst_is_forgiven_and_strikes_are_forgotten() -> None:
    parlour = honest_table()
    guest = parlour.at[1]
    for _ in range(10):
        for _ in range(150):
            guest.say("x")
        assert guest.end() is None
        parlour.now += 10.0
    assert guest.end() is None


def test_answers_to_questions_are_never_rate_limited() -> None:
    parlour = honest_table()
    for _ in range(400):  # all in one moment: the room itself sets the pace
        parlour.play("CHECK" if "CHECK" in (parlour.to_act.question().legal or ()) else "CALL")
    assert not [guest.team for guest in parlour.at.values() if guest.got(wire.Error)]


def test_a_rate_limited_frame_is_not_read() -> None:
    parlour = honest_table()
    guest = parlour.at[0]
    for _ in range(60):
        guest.say("x")
    guest.answer("CALL")
    assert parlour.match.to_act == 0
    parlour.now += 1.0
    guest.answer("CALL")
    assert parlour.match.to_act == 1


def test_rate_limit_error_states_when_to_send_again() -> None:
    parlour = Parlour(SETTINGS, limits=Limits(frames_a_second=10.0, burst=4.0))
    guest = parlour.connect()
    for _ in range(4):
        guest.say("x")
    assert codes(guest)["RATE_LIMITED"] == 0
    parlour.now += 0.03
    guest.say("x")
    limited = guest.last(wire.Error)
    assert (limited.code, limited.retry_after_ms) == ("RATE_LIMITED", 70)


# --- two processes, one seat


def test_two_processes_that_fight_for_a_seat_are_slowed_down() -> None:
    parlour = honest_table()
    fighters = [parlour.join("A") for _ in range(30)]
    limited = [guest for guest in fighters if codes(guest)["RATE_LIMITED"]]
    assert len(limited) == 22
    assert limited[0].last(wire.Error).retry_after_ms == 10_000
    for guest in limited:
        assert guest.end() == (1008, "too many connections have taken over this seat; reconnect in 10000 ms")
    assert parlour.at[0] is fighters[7], "the last who came in time has the seat"
    parlour.at[0].answer("CALL")
    assert parlour.match.to_act == 1
    parlour.pass_time(10.0)
    assert parlour.join("A").got(wire.Welcome)
    plays_on(parlour)


def test_two_processes_that_replace_each_other_for_minutes_cost_only_their_own_seat() -> None:
    parlour = honest_table()
    for number in range(240):
        if parlour.match.to_act == 1:
            parlour.play("CHECK" if "CHECK" in (parlour.to_act.question().legal or ()) else "CALL")
        guest = parlour.join("A")
        if number % 3 == 0:
            guest.leave()
        parlour.pass_time(0.5)
    assert parlour.at[1].closed is None
    assert parlour.history.hands > 1, "the clock ran on and the hands went on"


def test_every_lobby_names_the_connected_players() -> None:
    parlour = honest_table()
    old = parlour.at[0]
    parlour.join("A")
    assert all(player.connected for player in parlour.at[1].last(wire.Lobby).players)
    old.leave()
    assert all(player.connected for player in parlour.at[1].last(wire.Lobby).players)
    parlour.at[0].leave()
    assert [player.connected for player in parlour.at[1].last(wire.Lobby).players] == [False, True]


# --- spectators


def test_spectators_are_limited() -> None:
    parlour = honest_table(Limits(watchers=3))
    watchers = [parlour.watch() for _ in range(5)]
    assert [watcher.closed is None for watcher in watchers] == [True, True, True, False, False]
    assert watchers[4].end() == (1008, "too many spectators")
    assert watchers[4].inbox == []
    watchers[0].leave()
    assert parlour.watch().closed is None
    plays_on(parlour)


def test_spectator_messages_have_no_effect() -> None:
    parlour = honest_table()
    spectator = parlour.watch()
    heard = len(spectator.inbox)

    def misbehave() -> None:
        for _ in range(1000):
            spectator.hello()
            spectator.say("x")
        assert len(spectator.inbox) == heard

    unmoved(parlour, misbehave)


def test_spectator_that_leaves_receives_nothing_more() -> None:
    parlour = honest_table()
    spectator = parlour.watch()
    spectator.leave()
    plays_on(parlour)


# --- players of the house


def test_seat_of_a_house_bot_cannot_be_taken() -> None:
    parlour = Parlour(SETTINGS, house=["tight"], seed=1)
    (team,) = parlour.match.house_teams
    house = parlour.attach(team)
    for code in (" ", "x", "None", "null"):
        assert parlour.join(team, code).error() == "TEAM_TAKEN"
    assert parlour.at[0] is house


def test_house_bot_plays_and_returns_after_a_restart() -> None:
    parlour = Parlour(SETTINGS, house=["tight", "tight"], seed=1)
    teams = parlour.match.house_teams
    assert len(set(teams)) == 2
    for team in teams:
        parlour.attach(team)
    open_question = parlour.to_act.last(wire.Act)
    assert open_question.seat == 0
    parlour.restart()
    assert parlour.match.house_teams == teams
    for team in teams:
        parlour.attach(team)
    again = parlour.to_act.last(wire.Act)  # a house that is not asked again never answers
    assert (again.seat, again.turn, again.you.hole) == (0, open_question.turn, open_question.you.hole)
    assert again.you.time_ms == open_question.you.time_ms > 0
    parlour.play_hand("CALL")
    assert parlour.history.played == 1


def test_the_players_of_the_house_are_those_without_a_code() -> None:
    parlour = Parlour(SETTINGS, house=["tight"], seed=1)
    (team,) = parlour.match.house_teams
    parlour.attach(team)
    parlour.join("A")
    assert sorted(taken.team for taken in parlour.history.seats.values()) == sorted([team, "A"])
    assert parlour.match.house_teams == [team]


def test_returned_player_answers_an_unsent_question_only_by_its_number() -> None:
    parlour = honest_table()
    guest = parlour.at[1]
    guest.say({"type": "leave", "v": 1})
    with parlour.held():
        parlour.play("CALL")
        guest.answer("CHECK", turn=None, hand_id=parlour.match.hand_id)  # too early, and it is back by it
        turn = parlour.waiting[-1].seq
    guest.answer("CHECK", turn=None, hand_id=parlour.match.hand_id)
    assert codes(guest) == {"ACTION_TOO_LATE": 2}
    assert parlour.match.to_act == 1
    guest.answer("CHECK", turn=turn, hand_id=parlour.match.hand_id)
    assert codes(guest) == {"ACTION_TOO_LATE": 2}
    assert guest.got(wire.CheckMessage)


def test_organiser_sees_disconnected_teams() -> None:
    parlour = honest_table()
    notes = parlour.room.disconnect(parlour.at[1].session, parlour.now).notes
    assert [note for note in notes if "(seat 1) is disconnected" in note]
