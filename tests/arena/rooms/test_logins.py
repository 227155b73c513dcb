"""Hellos whose codes are checked slowly and elsewhere: who gets the seat, whatever the order in which checks end."""

import hashlib
from collections import Counter

import msgspec
import pytest

from pitboss.arena.journal.records import Lock, RecordError, Seated, Settings, read_record, write_record
from pitboss.arena.rooms import logins
from pitboss.arena.rooms.logins import FORGIVEN_EVERY, FREE_WRONG_CODES, LONGEST_WAIT, MOST_REMEMBERED, LoginThrottle
from pitboss.arena.wire import messages as wire
from tests.support.arena.rooms import CODE, Parlour

SIX = Settings(seats=6, start_at=6)
OLD = Lock("00" * 16, hashlib.blake2b(b"KF7Q9C", digest_size=32, salt=bytes(16)).hexdigest())


# --- locks


def test_code_is_locked_by_scrypt_and_the_record_names_it() -> None:
    lock = Lock.on("KF7Q9C", bytes(range(16)))
    wanted = hashlib.scrypt(b"KF7Q9C", salt=bytes(range(16)), n=4096, r=8, p=1, dklen=32).hex()
    assert (lock.kind, lock.digest) == ("scrypt", wanted)
    body = write_record(Seated(seat=0, team="A", stack=1, lock=lock))
    assert b'"kind":"scrypt"' in body
    assert read_record(body) == Seated(seat=0, team="A", stack=1, lock=lock)


def test_a_lock_of_before_still_opens_and_is_written_as_it_was() -> None:
    body = b'{"type":"seated","seat":0,"team":"A","stack":1,"lock":' + msgspec.json.encode(OLD) + b"}"
    assert b"kind" not in body
    seated = read_record(body)
    assert isinstance(seated, Seated)
    assert seated.lock is not None
    assert seated.lock.opens("KF7Q9C")
    assert not seated.lock.opens("KF7Q9D")
    assert write_record(seated) == body


@pytest.mark.parametrize("lock", [{"salt": "zz", "digest": "0" * 64}, {"salt": "0" * 32, "digest": ""}])
def test_invalid_lock_is_not_a_record(lock: dict[str, str]) -> None:
    with pytest.raises(RecordError):
        read_record(msgspec.json.encode({"type": "seated", "seat": 0, "team": "A", "stack": 1, "lock": lock}))


def test_a_check_never_shows_its_code() -> None:
    parlour = Parlour(SIX)
    with parlour.slow_checks() as checks:
        parlour.join("A", "very-secret")
        assert "very-secret" not in repr(checks)


# --- order


def test_seat_is_given_only_after_the_code_check_while_others_play() -> None:
    parlour = Parlour(SIX)
    with parlour.slow_checks():
        a, b = parlour.join("A"), parlour.join("B")
        assert (a.inbox, b.inbox) == ([], [])
        a.say({"type": "action", "v": 1, "hand_id": "H-1", "action": "CALL"})
        assert a.error() == "RATE_LIMITED", "what comes meanwhile is not heard"
        assert len(parlour.checks) == 1, "new teams take their seats in the order in which they came"
        parlour.finish_check()
        assert (a.seat, b.seat) == (0, None)
    assert b.seat == 1


@pytest.mark.parametrize("first", [0, 1])
def test_latest_hello_gets_the_seat_whichever_check_ends_first(first: int) -> None:
    parlour = Parlour(SIX)
    parlour.join("A")
    with parlour.slow_checks():
        older, newer = parlour.join("A"), parlour.join("A")
        parlour.finish_check(first)
        parlour.finish_check()
    assert older.end() == (4000, "replaced by a newer connection")
    assert newer.end() is None
    assert parlour.at[0] is newer


def test_new_name_belongs_to_its_first_hello() -> None:
    parlour = Parlour(SIX)
    with parlour.slow_checks() as checks:
        first, second = parlour.join("A", "one"), parlour.join("A", "two")
        third = parlour.join("A", "one")
        assert len(checks) == 1, "the others wait until it is known whose name it is"
        parlour.finish_check()
        assert first.seat == 0
        assert len(checks) == 2
    assert second.error() == "TEAM_TAKEN"
    assert third.seat == 0
    assert first.end() == (4000, "replaced by a newer connection")


def test_result_for_a_closed_connection_is_ignored() -> None:
    parlour = Parlour(SIX)
    with parlour.slow_checks():
        gone, behind = parlour.join("A", "one"), parlour.join("A", "two")
        gone.leave()
        parlour.finish_check()
        assert not parlour.history.seats
    assert behind.seat == 0, "who waited behind it gets the name"


def test_two_new_teams_for_the_last_seat() -> None:
    parlour = Parlour(Settings(seats=2))
    parlour.join("A")
    with parlour.slow_checks():
        b, c = parlour.join("B"), parlour.join("C")
    assert b.seat == 1
    assert c.error() == "TABLE_FULL"


def test_connection_waiting_for_a_check_has_a_longer_but_limited_time() -> None:
    parlour = Parlour(SIX)
    parlour.join("A")
    with parlour.slow_checks():
        thief = parlour.join("A", "wrong")
        parlour.pass_time(11.0)
        assert thief.end() is None
        parlour.finish_check()
    assert thief.error() == "TEAM_TAKEN"
    parlour.pass_time(10.0)
    assert thief.end() == (1008, "no hello within 10 seconds")


def test_client_is_asked_to_retry_when_checks_are_busy() -> None:
    parlour = Parlour(SIX)
    with parlour.slow_checks():
        guest = parlour.join("A")
        parlour.finish_check(busy=2.0)
        error = guest.last(wire.Error)
        assert (error.code, error.retry_after_ms) == ("RATE_LIMITED", 2000)
        guest.hello()
    assert guest.seat == 0


@pytest.mark.parametrize("teams", [{"Alpha": "one"}, None])
def test_a_refusal_costs_as_much_as_a_wrong_code(teams: dict[str, str] | None) -> None:
    parlour = Parlour(SIX, teams=teams, house=("calling",))
    if teams is None:
        parlour.join("Alpha", "one")
    with parlour.slow_checks() as checks:
        for team in ("Alpha", "Nobody", "calling (house)"):
            parlour.join(team, "two")
        kinds = [check.lock.kind if check.lock is not None else "scrypt" for check in checks]
        assert kinds == ["scrypt"] * 3


# --- guessing


def test_wrong_codes_make_the_next_wait_and_the_right_one_too() -> None:
    parlour = Parlour(SIX)
    home = parlour.join("A", address="home")
    for number in range(FREE_WRONG_CODES):
        assert parlour.join("A", f"guess {number}", address="thief").error() == "TEAM_TAKEN"
    for code in ("guess", CODE + "A"):
        limited = parlour.join("A", code, address="thief")
        error = limited.last(wire.Error)
        assert (error.code, error.retry_after_ms) == ("RATE_LIMITED", 1000), "not even the right one is tried"
    assert parlour.join("B", address="thief").seat == 1, "another team from there is none of it"
    assert home.end() is None
    assert parlour.join("A", address="home").seat == 0, "nor is the team from elsewhere"
    parlour.pass_time(1.0)
    assert parlour.join("A", address="thief").seat == 0, "with the right code, after the wait"


def test_waits_grow_to_a_bound_and_time_forgives() -> None:
    throttle, now = LoginThrottle(), 100.0
    waits = []
    for _ in range(FREE_WRONG_CODES + 10):
        assert throttle.ask("T", "A", "x", now) == 0
        throttle.result("T", "A", "x", False, now)
        assert throttle.is_suspect("x", now)
        wait = throttle.ask("T", "A", "x", now)
        if wait:
            waits.append(wait)
            now += wait
        else:
            throttle.result("T", "A", "x", None, now)
    assert waits[:4] == pytest.approx([1, 2, 4, 8], rel=0.2)
    assert waits[-2:] == pytest.approx([LONGEST_WAIT, LONGEST_WAIT], rel=0.1)
    now += 20 * FORGIVEN_EVERY
    assert not throttle.is_suspect("x", now)
    for _ in range(FREE_WRONG_CODES):
        assert throttle.ask("T", "A", "x", now) == 0
        throttle.result("T", "A", "x", False, now)
    assert throttle.ask("T", "A", "x", now) > 0


def test_simultaneous_wrong_codes_are_no_faster_than_in_a_row() -> None:
    throttle = LoginThrottle()
    answers = Counter(throttle.ask("T", "A", "x", 0.0) == 0 for _ in range(100))
    assert answers[True] == FREE_WRONG_CODES


def test_memory_of_wrong_codes_is_limited() -> None:
    throttle = LoginThrottle()
    for number in range(MOST_REMEMBERED + 1000):
        throttle.ask("T", f"team {number}", f"address {number}", 0.0)
        throttle.result("T", f"team {number}", f"address {number}", number % 2 == 0, 0.0)
    assert len(throttle._tallies) <= MOST_REMEMBERED
    assert len(throttle._suspects) <= MOST_REMEMBERED


def test_oldest_wrong_codes_are_removed_first_unless_being_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logins, "MOST_REMEMBERED", 3)
    throttle = LoginThrottle()
    throttle.ask("T", "checked", "x0", 0.0)
    for number in range(1, 6):
        throttle.ask("T", f"team {number}", f"x{number}", 0.0)
        throttle.result("T", f"team {number}", f"x{number}", False, 0.0)
    assert [team for _, team, _ in throttle._tallies] == ["checked", "team 4", "team 5"]
    assert [throttle.is_suspect(f"x{number}", 0.0) for number in range(1, 6)] == [False, False, True, True, True]
    throttle.ask("T", "team 3", "x3", 1.0)
    throttle.result("T", "team 3", "x3", False, 1.0)
    throttle.ask("T", "team 6", "x6", 1.0)
    throttle.result("T", "team 6", "x6", False, 1.0)
    assert [throttle.is_suspect(f"x{number}", 1.0) for number in (3, 4, 5, 6)] == [True, False, True, True]
    assert not throttle.is_suspect("x3", 61.0)
    assert throttle.is_suspect("x3", 60.9)


def test_correct_code_leaves_no_trace() -> None:
    throttle = LoginThrottle()
    throttle.ask("T", "A", "x", 0.0)
    throttle.result("T", "A", "x", True, 0.0)
    assert not throttle._tallies
    assert not throttle.is_suspect("x", 0.0)
