"""Which connections are admitted, which are closed for them, and which are never counted."""

from random import Random

from pitboss.arena.connections.admission import (
    ADDRESSES,
    RESERVE,
    Admission,
    Capacity,
    RequestLimiter,
    capacity_for,
)
from pitboss.arena.connections.budget import RateLimit, RateLimits


class Caller:
    """A connection that follows every request."""

    def __init__(
        self, *, seated: bool = False, pending: bool = False, upgraded: bool = False, heard: bool = False
    ) -> None:
        self.seated = seated
        self.pending = pending
        self.upgraded = upgraded
        self.heard = heard


def test_oldest_pending_connection_is_closed_for_the_newest_never_a_seat() -> None:
    admission = Admission(Capacity(strangers=3, strangers_of_address=100))
    seated, first, second, third = Caller(seated=True), Caller(), Caller(), Caller()
    for visitor in (seated, first, second):
        assert admission.arrive(visitor, "a", 0.0) == (True, None)
    assert admission.arrive(third, "b", 1.0) == (True, first)
    assert admission.arrive(Caller(), "b", 1.0) == (True, None), "who has a seat is no stranger any more"
    assert admission.arrive(Caller(), "b", 1.0) == (True, second)
    assert len(admission) == 4


def test_connection_with_a_running_code_check_is_kept() -> None:
    admission = Admission(Capacity(strangers=1000, strangers_of_address=3))
    whole_class = [Caller(pending=True) for _ in range(200)]
    for visitor in whole_class:
        assert admission.arrive(visitor, "class", 0.0) == (True, None)
    silent = Caller()
    assert admission.arrive(silent, "class", 0.0) == (True, None)
    assert admission.arrive(Caller(), "class", 0.0) == (True, silent)
    for visitor in whole_class:
        visitor.seated, visitor.pending = True, False
    assert admission.overdue(1.0) == []
    assert (admission.strangers, len(admission)) == (1, 201)


def test_strangers_are_counted_by_address_and_seats_are_not() -> None:
    admission = Admission(Capacity(strangers_of_address=2))
    for _ in range(500):
        assert admission.arrive(Caller(seated=True), "class", 0.0) == (True, None)
    one, two = Caller(), Caller()
    assert admission.arrive(one, "class", 0.0) == (True, None)
    assert admission.arrive(two, "class", 0.0) == (True, None)
    assert admission.arrive(Caller(), "elsewhere", 0.0) == (True, None)
    assert admission.arrive(Caller(), "class", 0.0) == (True, one)


def test_spectators_are_refused_at_the_limit_and_admitted_after_departures() -> None:
    admission = Admission(Capacity(spectators=3, spectators_of_address=2))
    callers = [Caller() for _ in range(5)]
    for visitor, address in zip(callers, ("a", "a", "a", "b", "c"), strict=True):
        admission.arrive(visitor, address, 0.0)
    assert [admission.watch(visitor) for visitor in callers] == [True, True, False, True, False]
    assert (admission.spectators, admission.strangers) == (3, 2)
    admission.leave(callers[0])
    admission.leave(callers[0])
    assert admission.watch(callers[2])


def test_a_player_finds_room_where_spectators_have_taken_all_they_may() -> None:
    capacity = capacity_for(RESERVE + 40, seats=12)
    admission = Admission(capacity)
    watching = 0
    for _ in range(200):
        visitor = Caller()
        let_in, gone = admission.arrive(visitor, "crowd", 0.0)
        assert let_in
        assert gone is None or not gone.upgraded
        watching += admission.watch(visitor)
    assert watching == capacity.spectators == 18
    for _ in range(12):
        assert admission.arrive(Caller(seated=True), "crowd", 0.0)[0]
    assert len(admission) <= 40


def test_new_connection_is_refused_if_none_can_be_closed() -> None:
    admission = Admission(Capacity(connections=2))
    for _ in range(2):
        assert admission.arrive(Caller(seated=True), "a", 0.0) == (True, None)
    assert admission.arrive(Caller(), "a", 0.0) == (False, None)


def test_connection_without_a_request_is_overdue_and_a_player_is_not() -> None:
    admission = Admission(Capacity(first_request=10, requests=60))
    silent, asking, playing, seated = Caller(), Caller(heard=True), Caller(upgraded=True), Caller(seated=True)
    for visitor in (silent, asking, playing, seated):
        admission.arrive(visitor, "a", 0.0)
    assert admission.overdue(9.9) == []
    assert admission.overdue(10.0) == [silent]
    assert admission.overdue(60.0) == [silent, asking]
    assert admission.strangers == 3


def test_closed_connections_leave_no_state() -> None:
    chance, admission, here = Random(1), Admission(Capacity(strangers=50, strangers_of_address=20)), set[Caller]()
    for step in range(5000):
        if here and chance.random() < 0.5:
            gone: Caller | None = chance.choice(sorted(here, key=id))
            assert gone is not None
            admission.leave(gone)
            here.discard(gone)
        else:
            visitor = Caller(seated=chance.random() < 0.2)
            let_in, pushed = admission.arrive(visitor, f"a{chance.randrange(5)}", float(step))
            assert let_in
            here.add(visitor)
            if pushed is not None:
                assert not pushed.seated
                here.remove(pushed)  # type: ignore[arg-type]  # all visitors here are callers
            if chance.random() < 0.3:
                admission.watch(visitor)
        assert len(admission) == len(here)
    for visitor in here:
        admission.leave(visitor)
    assert len(admission) == 0
    assert not admission._of_address
    assert not admission._spectators_of


def test_limit_of_the_process_reserves_file_handles() -> None:
    for handles in (100, 256, 1024, 4096, 20_000, 10**6):
        for seats in (2, 60, 12_000):
            found = capacity_for(handles, seats)
            assert found.connections <= handles - RESERVE
            assert found.strangers >= 1
            assert found.spectators == max(0, found.connections - found.strangers)
            assert found.strangers_of_address == 1000 + seats


def test_seats_of_two_hundred_tables_return_at_once_from_one_address() -> None:
    admission = Admission(capacity_for(65_536, seats=1200))
    for _ in range(1000):
        assert admission.arrive(Caller(), "class", 0.0) == (True, None)
    for _ in range(1200):
        assert admission.arrive(Caller(), "class", 0.0) == (True, None), "who comes back is cut off for another one"
    assert admission.arrive(Caller(), "class", 0.0)[1] is not None


# --- requests over many connections


def test_address_has_one_budget_for_all_its_connections() -> None:
    requests = RequestLimiter(RateLimits(address=RateLimit(5, 10), everybody=RateLimit(50, 100)))
    assert [requests.spend("a", 0.0) for _ in range(50)] == [True] * 10 + [False] * 40
    assert [requests.is_exhausted(address, 0.0) for address in ("a", "b")] == [True, False]
    assert not requests.is_exhausted("a", 1.0)
    assert len(requests) == 1, "to look counts nothing"
    assert requests.spend("b", 0.0)
    assert sum(requests.spend("a", 1.0) for _ in range(50)) == 5
    assert sum(requests.spend("a", 1000.0) for _ in range(50)) == 10, "what is saved up has an end"


def test_all_addresses_share_a_budget_with_limited_memory() -> None:
    requests = RequestLimiter(RateLimits(address=RateLimit(5, 10), everybody=RateLimit(50, 100)))
    assert sum(requests.spend(str(address), 0.0) for address in range(2 * ADDRESSES)) == 100
    assert len(requests) == ADDRESSES
    assert sum(requests.spend("late", 2.0) for _ in range(50)) == 10
