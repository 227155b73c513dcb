"""A table's history from its records: impossible records are refused with a sentence, and final places are right."""

import pytest
from msgspec.structs import replace

from pitboss.arena.journal.history import History, HistoryError
from pitboss.arena.journal.records import Acted, HandStarted, Lock, MatchEnded, Record, Seated, Settings, TableOpened
from tests.support.for_each import for_each

CODE = Lock("0" * 32, "0" * 64)
SETTINGS = Settings(seats=3, stack=100, small_blind=1, big_blind=2, max_hands=9)


def seated(seat: int, team: str) -> Seated:
    return Seated(seat=seat, team=team, stack=100, lock=CODE)


def started(number: int, stacks: dict[int, int]) -> HandStarted:
    return HandStarted(
        number=number, hand_id=f"H-{number}", secret="0" * 64, deck="", button=0, stacks=stacks, seq=number, events=()
    )


def ended(*stacks: int) -> Acted:
    """The last answer of a hand, after which the seats have these chips."""
    return Acted(seat=0, action="fold", cause="client", events=(), result=dict(enumerate(stacks)))


def table(*records: Record, settings: Settings = SETTINGS) -> History:
    history = History("T-1")
    opened = TableOpened(rules="1", settings=settings, teams={"ann": CODE, "bob": CODE, "cid": CODE})
    for record in (opened, *records):
        history.take(record, over=isinstance(record, Acted))
    return history


ANN, BOB, CID = seated(0, "ann"), seated(1, "bob"), seated(2, "cid")
ALL = (ANN, BOB, CID)
FIRST = started(1, {0: 100, 1: 100, 2: 100})


@for_each(
    "before, record, sentence",
    [
        ((), BOB, "expected seat 0 to be taken next, got seat 1"),
        ((ANN, BOB), ANN, "expected seat 2 to be taken next, got seat 0"),
        ((ANN,), replace(BOB, stack=99), "seat 1: expected 100 chips, got 99"),
        ((ANN,), replace(BOB, team="ann"), "team 'ann' takes a second seat"),
        ((ANN,), replace(BOB, team="eve"), "seat 1: team 'eve' is not on the list of teams"),
        (ALL, started(2, FIRST.stacks), "expected hand 1, got hand 2"),
        ((*ALL, FIRST), started(2, FIRST.stacks), "hand 2 begins before H-1 is over"),
        (ALL, started(1, {0: 100, 3: 100}), r"H-1: no team has taken the seats \[3\] dealt in"),
        (
            ALL,
            started(1, {0: 100, 1: 101, 2: 99}),
            r"H-1, chips by seat: expected .*1: 100, 2: 100}, got .*1: 101, 2: 99}",
        ),
        ((*ALL, FIRST, ended(300, 0, 0)), started(2, {0: 300}), "H-2 begins, but the match is over"),
        (ALL, ended(0), "seat 0 acts, but no hand with this seat is open"),
        ((*ALL, started(1, {1: 100, 2: 100})), ended(0), "seat 0 acts, but no hand with this seat is open"),
        (
            (*ALL, FIRST, ended(300, 0, 0)),
            MatchEnded(reason="max_hands", stacks={0: 300, 1: 0, 2: 0}),
            "expected last_standing .*, got max_hands ",
        ),
        (
            (*ALL, FIRST, ended(300, 0, 0)),
            MatchEnded(reason="last_standing", stacks={0: 300, 2: 0, 1: 0}),
            r"expected last_standing {0: 300, 1: 0, 2: 0}, got last_standing {0: 300, 2: 0, 1: 0}",
        ),
    ],
)
def test_impossible_successor_records_are_refused(before: tuple[Record, ...], record: Record, sentence: str) -> None:
    with pytest.raises(HistoryError, match=sentence):
        table(*before).check(record)


@for_each(
    "before, record",
    [
        ((), ANN),
        ((ANN,), replace(BOB, team="house", lock=None)),
        (ALL, FIRST),
        ((*ALL, FIRST), ended(0)),
        ((*ALL, FIRST, ended(300, 0, 0)), MatchEnded(reason="last_standing", stacks={0: 300, 1: 0, 2: 0})),
    ],
)
def test_possible_successor_records_are_accepted(before: tuple[Record, ...], record: Record) -> None:
    table(*before).check(record)


def test_later_eliminated_rank_higher_and_then_those_with_more_chips() -> None:
    history = table(*ALL, FIRST, ended(150, 120, 30), started(2, {0: 150, 1: 120, 2: 30}), ended(300, 0, 0))
    assert [*history.ranking().items()] == [(0, 300), (1, 0), (2, 0)]
    assert history.winners() == [0]
    other = table(*ALL, FIRST, ended(30, 120, 150), started(2, {0: 30, 1: 120, 2: 150}), ended(0, 300, 0))
    assert [*other.ranking()] == [1, 2, 0]
    alive = table(*ALL, FIRST, ended(30, 120, 150), started(2, {0: 30, 1: 120, 2: 150}), ended(1, 298, 1))
    assert [*alive.ranking()] == [1, 0, 2], "one chip is as good as another, wherever it comes from"
    later = table(*ALL, FIRST, ended(120, 180, 0), started(2, {0: 120, 1: 180}), ended(0, 300))
    assert [*later.ranking()] == [1, 0, 2]


def test_equal_chips_share_the_win_and_the_lower_seat_is_first() -> None:
    history = table(*ALL, FIRST, ended(110, 80, 110))
    assert [*history.ranking().items()] == [(0, 110), (2, 110), (1, 80)]
    assert history.winners() == [0, 2]


def test_why_a_match_is_over() -> None:
    assert table(*ALL).decided is None
    assert table(*ALL, FIRST).decided is None
    assert table(*ALL, FIRST, ended(120, 100, 80)).decided is None
    assert table(*ALL, FIRST, ended(300, 0, 0)).decided == "last_standing"
    short = replace(SETTINGS, max_hands=1)
    assert table(*ALL, FIRST, ended(120, 100, 80), settings=short).decided == "max_hands"
    few = table(*ALL, FIRST, ended(200, 100, 0))
    few.least = 3
    assert few.decided == "too_few"


def test_turns_that_a_seat_lets_pass_are_counted_until_it_answers() -> None:
    history = table(*ALL, FIRST)
    counts = []
    for cause in ("timeout", "timeout", "client", "timeout"):
        acted = Acted(seat=1, action="check", cause=cause, events=())
        history.take(acted, over=False)
        counts.append((history.seats[0].timeouts, history.seats[1].timeouts))
    assert counts == [(0, 1), (0, 2), (0, 0), (0, 1)]
