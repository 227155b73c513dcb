"""Time banks: a seat's turn has its time first, then the seat's bank, which lasts for the whole match."""

import pytest
from msgspec.structs import replace

from pitboss.arena.journal.history import HistoryError
from pitboss.arena.journal.records import Acted, Settings, read_record, write_record
from pitboss.arena.verify.journal import verify_table
from pitboss.arena.verify.transcript import verify_transcript
from pitboss.arena.wire import messages as wire
from tests.support.arena.any_game import AnyTable
from tests.support.arena.rooms import TABLE, Guest, Parlour

TWO = Settings(seats=2, move_time_ms=10_000, time_bank_ms=5_000, away_pace_ms=0)
THREE = Settings(seats=3, start_at=3, stack=1_000_000, move_time_ms=10_000, time_bank_ms=5_000, away_pace_ms=0)


def table(settings: Settings = TWO) -> Parlour:
    """A table with all players connected; seat 0 acts first."""
    parlour = Parlour(settings, seed=3)
    parlour.seat(settings.seats)
    return parlour


def banks(parlour: Parlour) -> list[int]:
    """The time left in each bank."""
    return [parlour.history.bank_ms(seat) for seat in sorted(parlour.history.seats)]


def timeouts(parlour: Parlour) -> int:
    """Turns in a row that seat 0 let pass."""
    return parlour.history.seats[0].timeouts


def times_given(guest: Guest) -> tuple[int, int | None]:
    """The time and the bank that a guest was last asked with."""
    you = guest.last(wire.Act).you
    return you.time_ms, you.bank_ms


def test_the_config_and_every_question_name_the_bank() -> None:
    parlour = table()
    guest, other = parlour.at[0], parlour.at[1]
    assert guest.last(wire.Welcome).config.time_bank_ms == 5_000
    assert times_given(guest) == (10_000, 5_000)
    parlour.play("CALL")
    assert times_given(other) == (10_000, 5_000)
    assert parlour.watch().last(wire.Turn).bank_ms == 5_000


def test_without_banks_no_message_mentions_them() -> None:
    parlour = table(Settings(seats=2))
    watcher = parlour.watch()
    assert not [frame for guest in (*parlour.at.values(), watcher) for frame in guest.frames if "bank" in frame]
    assert b"bank" not in b"".join(entry.body for entry in parlour.disk.rows[TABLE])


def test_the_time_of_the_move_runs_first_and_an_answer_within_it_costs_no_bank() -> None:
    parlour = table()
    parlour.pass_time(9.9)
    parlour.play("CALL")
    assert banks(parlour) == [5_000, 5_000]


def test_bank_is_charged_with_the_time_beyond_the_move_time() -> None:
    parlour = table()
    parlour.pass_time(12.5)
    parlour.play("CALL")
    assert banks(parlour) == [2_500, 5_000]
    parlour.play("CHECK", "CHECK")
    assert times_given(parlour.at[0]) == (10_000, 2_500)
    parlour.pass_time(11.0)
    parlour.play("CHECK")
    assert banks(parlour) == [1_500, 5_000], "the bank is not filled again"


def test_time_is_up_when_both_are_and_a_timeout_burns_the_bank() -> None:
    parlour = table()
    parlour.pass_time(14.9)
    assert parlour.match.to_act == 0
    assert timeouts(parlour) == 0
    parlour.pass_time(0.2)
    assert timeouts(parlour) == 1
    assert banks(parlour) == [0, 5_000]
    parlour.play("CHECK", "CHECK")
    assert times_given(parlour.at[0]) == (10_000, 0)
    parlour.pass_time(10.1)
    assert timeouts(parlour) == 2


def test_snapshot_states_the_rest_of_a_running_bank() -> None:
    parlour = table()
    parlour.pass_time(12.0)
    snapshot = parlour.join("A").last(wire.Snapshot)
    assert (snapshot.time_ms_remaining, snapshot.you.bank_ms) == (0, 3_000)
    assert parlour.join("B").last(wire.Snapshot).you.bank_ms == 5_000
    turn = parlour.watch().last(wire.Turn)
    assert (turn.time_ms, turn.bank_ms) == (0, 3_000)


def test_bank_survives_a_restart_and_the_open_turn_restarts() -> None:
    parlour = table()
    parlour.pass_time(12.0)
    parlour.play("CALL")
    parlour.pass_time(13.0)
    parlour.restart()
    assert banks(parlour) == [3_000, 5_000]
    parlour.join("A")
    parlour.join("B")
    parlour.pass_time(14.9)
    assert not parlour.history.seats[1].timeouts
    parlour.play("CHECK")
    assert banks(parlour) == [3_000, 100]


@pytest.mark.parametrize("how", ["leave", "disconnected", "silent"])
def test_a_seat_that_is_away_uses_no_bank_and_costs_no_waiting(how: str) -> None:
    parlour = table(THREE)
    if how == "leave":
        parlour.at[0].say({"type": "leave", "v": 1})
    elif how == "disconnected":
        parlour.at[0].leave()
        parlour.pass_time(10.0)
    else:
        while parlour.history.seats[0].timeouts < 3:
            if parlour.match.to_act == 0:
                parlour.pass_time(15.0)
            else:
                _go_on(parlour)
    before, began, hands = banks(parlour)[0], parlour.now, parlour.history.played
    assert before == (0 if how == "silent" else 5_000)
    while parlour.history.played < hands + 20:
        assert parlour.match.to_act != 0, "seat 0 is played at once"
        _go_on(parlour)
    assert parlour.now == began
    assert banks(parlour)[0] == before


def _go_on(parlour: Parlour) -> None:
    legal = parlour.to_act.question().legal or ()
    parlour.play("CHECK" if "CHECK" in legal else "CALL")


def test_seat_played_at_once_is_given_neither_time_nor_bank() -> None:
    parlour = table(THREE)
    while parlour.history.seats[0].timeouts < 3:
        if parlour.match.to_act == 0:
            parlour.pass_time(15.0)
        else:
            _go_on(parlour)
    while times_given(parlour.at[0])[0]:
        _go_on(parlour)
    assert times_given(parlour.at[0]) == (0, 0)


def test_spectators_see_the_time_and_bank_of_a_seat_played_at_once() -> None:
    parlour = table(THREE)
    watching = parlour.watch()
    parlour.at[0].say({"type": "leave", "v": 1})
    for _ in range(12):
        _go_on(parlour)
    turns = [turn for turn in watching.got(wire.Turn) if turn.seat == 0]
    assert (turns[-1].time_ms, turns[-1].bank_ms) == (0, 0)


def test_lost_connection_is_charged_its_bank_until_it_is_away() -> None:
    parlour = table(replace(THREE, move_time_ms=2_000, time_bank_ms=60_000))
    parlour.pass_time(3.0)
    parlour.at[0].leave()
    parlour.pass_time(10.0)
    assert parlour.match.to_act != 0
    assert banks(parlour)[0] == 57_000, "one second before he was lost, and two until he was away"


def test_time_that_a_code_check_takes_is_given_back_to_the_bank() -> None:
    parlour = table(replace(THREE, move_time_ms=4_000, time_bank_ms=20_000))
    parlour.pass_time(6.0)
    parlour.at[0].leave()
    with parlour.slow_checks():
        parlour.join("A")
        parlour.pass_time(3.0)
    parlour.pass_time(1.0)
    _go_on(parlour)
    assert banks(parlour)[0] == 17_000, "two seconds before and one after, and not the three of the check"


def test_a_hand_that_is_taken_back_gives_its_banks_back() -> None:
    parlour = table()
    parlour.pass_time(12.0)
    parlour.play("CALL")
    parlour.play("CHECK")
    parlour.disk.alter(parlour.disk.rows[TABLE][-1].seq, body=b"{}")
    parlour.restart_torn()
    assert parlour.history.last is not None
    assert parlour.history.last.void
    assert banks(parlour) == [5_000, 5_000]


def test_record_contains_the_time_taken_and_older_ones_do_not() -> None:
    parlour = table()
    parlour.play("CALL")
    parlour.pass_time(11.0)
    parlour.play("CHECK")
    first, second = [record for _, record in parlour.witness.acts]
    assert (first.bank_ms, second.bank_ms) == (0, 1_000)
    assert b"bank_ms" not in write_record(first)
    assert isinstance(again := read_record(write_record(second)), Acted)
    assert again.bank_ms == 1_000


@pytest.mark.parametrize("bank_ms", [-1, 5_001])
def test_no_record_uses_more_than_there_is(bank_ms: int) -> None:
    parlour = table()
    act = parlour.match.host.act(0, wire.Action(v=1, hand_id="", action="CALL"), 1, bank_ms).record
    with pytest.raises(HistoryError, match="bank_ms: expected 0 to "):
        parlour.history.check(act)


def test_a_match_with_banks_verifies_from_its_journal_and_against_a_record() -> None:
    parlour, lines = _played()
    reading = parlour.disk.read(TABLE)
    assert not verify_table(TABLE, reading).problems
    report = verify_transcript("record", lines)
    assert not report.problems, report.problems
    assert report.hands == 4


def test_a_record_in_which_a_bank_grows_does_not_verify() -> None:
    _, lines = _played()
    wrong = [line.replace('"bank_ms":3000', '"bank_ms":5000') for line in lines]
    changed = [k for k, line in enumerate(lines) if line != wrong[k]]
    assert len(changed) > 1
    wrong[: changed[-1]] = lines[: changed[-1]]
    assert any("time bank: expected at most " in problem for problem in verify_transcript("record", wrong).problems)


def _played() -> tuple[Parlour, list[str]]:
    """The messages of a match of four hands in which seat 0 uses two seconds of its bank at its first turn."""
    parlour = table(replace(TWO, max_hands=4))
    guest = parlour.at[0]
    parlour.pass_time(12.0)
    while not parlour.match.over:
        _go_on(parlour)
    return parlour, guest.frames


def test_a_game_of_the_lab_has_banks_too() -> None:
    table = AnyTable(Settings(game="leduc", seats=2, stack=100, move_time_ms=1_000, time_bank_ms=700), seed=1)
    _, question = table.open_question
    assert question.bank_ms == 700
    assert not table.room.tick(1.6).entries
    (record,) = [read_record(entry.body) for entry in table.room.tick(1.8).entries][:1]
    assert isinstance(record, Acted)
    assert (record.cause, record.bank_ms) == ("timeout", 700)


def test_bank_cannot_be_negative() -> None:
    with pytest.raises(ValueError, match="time_bank_ms: expected 0 to"):
        Settings(time_bank_ms=-1)


def test_the_client_hands_the_bank_on() -> None:
    you = wire.You(hole=(), stack=1, to_call=0, time_ms=1_000, bank_ms=500)
    assert you.whole_ms == 1_500
    assert replace(you, bank_ms=None).whole_ms == 1_000
