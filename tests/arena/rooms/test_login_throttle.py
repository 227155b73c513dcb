"""Wrong codes: how long the next one waits, which addresses are suspect, and how much of that is remembered."""

import pytest

from pitboss.arena.rooms.logins import LoginThrottle


def wrong(throttle: LoginThrottle, team: str, address: str, now: float) -> float:
    """How long a wrong code had to wait; it was checked if it did not have to."""
    wait = throttle.ask("T-1", team, address, now)
    if not wait:
        throttle.result("T-1", team, address, False, now)
    return wait


def test_five_wrong_codes_are_free_and_then_each_costs_twice_the_last_up_to_a_minute() -> None:
    throttle, now, waits = LoginThrottle(), 0.0, list[float]()
    assert [wrong(throttle, "A", "here", now) for _ in range(5)] == [0.0] * 5
    while len(waits) < 12:
        waits.append(wrong(throttle, "A", "here", now))
        now += waits[-1]
        assert not wrong(throttle, "A", "here", now)
    assert waits[0] == 1.0
    assert waits[1:4] == pytest.approx([2, 4, 8], rel=0.1), "a little is forgiven meanwhile"
    assert 55.0 < max(waits) <= 60.0


def test_a_wait_is_of_one_team_from_one_address() -> None:
    throttle = LoginThrottle()
    for _ in range(5):
        wrong(throttle, "A", "here", 0.0)
    assert throttle.ask("T-1", "A", "here", 0.5) == 0.5
    assert throttle.ask("T-1", "A", "elsewhere", 0.5) == 0.0
    assert throttle.ask("T-1", "B", "here", 0.5) == 0.0
    assert throttle.ask("T-2", "A", "here", 0.5) == 0.0


def test_wrong_code_is_forgiven_after_a_minute_like_the_suspicion() -> None:
    throttle = LoginThrottle()
    for _ in range(4):
        wrong(throttle, "A", "here", 0.0)
    assert [throttle.is_suspect("here", at) for at in (0.0, 59.9, 60.0)] == [True, True, False]
    assert not throttle.is_suspect("elsewhere", 0.0)
    assert not wrong(throttle, "A", "here", 120.0), "of four two are forgiven"
    assert not wrong(throttle, "A", "here", 120.0)
    assert not wrong(throttle, "A", "here", 120.0)
    assert wrong(throttle, "A", "here", 120.0) == 1.0


def test_many_guesses_at_once_are_no_faster_than_in_a_row() -> None:
    throttle = LoginThrottle()
    assert [throttle.ask("T-1", "A", "here", 0.0) for _ in range(7)] == [0.0] * 5 + [1.0] * 2
    for _ in range(5):
        throttle.result("T-1", "A", "here", True, 0.0)
    assert throttle.ask("T-1", "A", "here", 0.0) == 0.0


def test_oldest_of_ten_thousand_addresses_is_removed_unless_being_checked() -> None:
    throttle = LoginThrottle()
    assert throttle.ask("T-1", "A", "slow", 0.0) == 0.0
    for number in range(10_001):
        wrong(throttle, "A", f"{number}", 0.0)
    assert [throttle.is_suspect(address, 0.0) for address in ("0", "1", "10000")] == [False, True, True]
    throttle.result("T-1", "A", "slow", False, 0.0)
    assert [throttle.is_suspect(address, 0.0) for address in ("1", "2", "slow")] == [False, True, True]
