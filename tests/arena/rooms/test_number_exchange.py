"""Clients mix in numbers: all are bound before any opens, a withholding one is named, and no crash chooses a deck."""

from typing import Any

import pytest

from pitboss.arena.journal.commitment import bind_number, mix_numbers
from pitboss.arena.journal.records import Acted, HandStarted, HandVoided, Settings, read_record
from pitboss.arena.rooms.recovery import recover
from pitboss.arena.verify.journal import verify_table
from pitboss.arena.verify.transcript import verify_transcript
from pitboss.arena.wire import messages as wire
from tests.support.arena.mixing import MixingAnyTable, MixingTable, number
from tests.support.arena.rooms import TABLE

MINE, NEXT, AFTER = bytes(range(32)), bytes(range(32, 64)), bytes(range(64, 96))


def verified(table: MixingTable) -> list[str]:
    """What `verify` finds wrong."""
    return verify_table(TABLE, table.parlour.disk.read(TABLE)).problems


# --- as it should go


def test_every_hand_uses_all_numbers_and_shows_them() -> None:
    table = MixingTable()
    a, b, c = table.seat("ABc")
    for _ in range(5):
        table.play_hand()
    mixed = [record for record in table.started if record.numbers]
    assert len(mixed) >= 5
    for started, bound in zip(mixed, table.bound, strict=True):
        numbers = {seat: bytes.fromhex(text) for seat, text in started.numbers.items()}
        assert set(numbers) == {0, 1}
        assert mix_numbers(started.hand_id, bytes.fromhex(bound.server_number), numbers).hex() == started.secret
    assert [mixer.mixed for mixer in table.mixers.values()] == [len(mixed)] * 2
    assert table.complaints == verified(table) == []
    for guest in (a, b, c):  # a client that does not mix sees it too, and no message contains the server's number
        lists = guest.got(wire.Mix)
        assert [one.hand_id for one in lists] == [bound.hand_id for bound in table.bound][-len(lists) :]
        assert not [frame for frame in guest.frames if any(bound.server_number in frame for bound in table.bound)]


def test_without_mixing_clients_nothing_changes() -> None:
    table = MixingTable()
    guests = table.seat("ab")
    table.play_hand()
    assert table.bound == []
    assert not [guest for guest in guests if guest.got(wire.Mix)]
    assert all(b'"numbers"' not in entry.body for entry in table.parlour.disk.rows[TABLE])
    assert '"numbers"' not in "".join(guests[0].frames)


def test_the_first_hand_is_mixed_too() -> None:
    table = MixingTable()
    table.seat("AB")
    assert set(table.started[0].numbers) == {0, 1}


def test_at_the_end_the_servers_numbers_are_revealed() -> None:
    table = MixingTable(Settings(seats=2, max_hands=3))
    a, _ = table.seat("AB")
    for _ in range(3):
        table.play_hand()
    revealed = [hand for reveal in a.got(wire.Reveal) for hand in reveal.hands]
    lists, starts = a.got(wire.Mix), a.got(wire.StartHand)
    assert len(revealed) == 3
    for hand, mix, start in zip(revealed, lists, starts, strict=True):
        assert hand.server_number is not None
        server = bytes.fromhex(hand.server_number)
        assert bind_number(server) == mix.commit
        numbers = {one.seat: bytes.fromhex(one.number) for one in start.numbers}
        assert mix_numbers(hand.hand_id, server, numbers).hex() == hand.secret


def test_a_seat_taken_while_numbers_are_bound_is_dealt_in_with_the_hand_after() -> None:
    table = MixingTable()
    table.seat("AB")
    table.mute = {"A"}
    table.play_hand()
    mix = table.parlour.at[0].last(wire.Mix)
    table.join("C")
    table.mute = set()
    table.parlour.at[0].say(number_of(table, "A", mix))
    table.answer()
    assert set(table.started[-1].stacks) == set(mix.seats) == {0, 1}
    table.play_hand()
    assert set(table.started[-1].stacks) == {0, 1, 2}
    assert set(table.started[-1].numbers) == {0, 1, 2}
    assert table.complaints == verified(table) == []


def number_of(table: MixingTable, team: str, mix: wire.Mix) -> wire.Number:
    """What a team's mixer would answer once more."""
    answer = table.mixers[team].receive(mix)
    assert answer is not None
    return answer


@pytest.mark.parametrize(("game", "seats"), [("leduc", 2), ("sting", 3)])
def test_games_other_than_poker_are_mixed(game: str, seats: int) -> None:
    table = MixingAnyTable(Settings(game=game, seats=seats, start_at=seats, stack=1000, max_hands=6), seed=3)
    while table.last is None:
        table.move()
    started = [hand.started for hand in table.games]
    assert len(started) == 6
    assert all(set(hand.numbers) == {0} for hand in started[1:])  # who joined mixes from the second on
    assert table.mixer.mixed == 5
    assert table.mixer.complaints == verify_table(TABLE, table.disk.read(TABLE)).problems == []


# --- who withholds


def test_withholding_seat_is_named_and_excluded_and_the_others_start_again() -> None:
    table = MixingTable(Settings(seats=3, start_at=3))
    a, _, _ = table.seat("ABC")
    table.mute = {"B"}
    table.play_hand()
    opened = table.mixers["A"]
    assert len(table.started) == 1
    table.pass_time(1.9)
    assert len(table.started) == 1
    table.pass_time(0.2)
    first, again = table.bound[-2:]
    assert (again.hand_id, again.attempt, again.withheld) == (first.hand_id, 2, (1,))
    assert set(again.commits) == {0, 2}
    assert set(again.commits.values()).isdisjoint(first.commits.values())
    assert again.server_number != first.server_number
    assert a.got(wire.Mix)[-1].withheld == (1,)
    assert set(table.started[-1].numbers) == {0, 2}
    table.mute = set()
    for _ in range(3):
        table.play_hand()
    assert all(set(started.numbers) == {0, 2} for started in table.started[1:])
    assert opened.complaints == []  # A received its question twice, rightly
    assert verified(table) == []


def test_if_all_withhold_the_hand_is_dealt_unmixed_and_names_them() -> None:
    table = MixingTable(Settings(seats=2))
    a, _ = table.seat("AB")
    table.mute = {"A", "B"}
    table.play_hand()
    table.pass_time(2.1)
    assert (table.started[-1].numbers, table.started[-1].withheld) == ({}, (0, 1))
    assert a.last(wire.StartHand).withheld == (0, 1)
    assert len(table.complaints) == 2
    assert verified(table) == []


def test_waiting_is_short_where_turns_are() -> None:
    table = MixingTable(Settings(seats=2, move_time_ms=100))
    table.seat("AB")
    table.mute = {"B"}
    table.play_hand()
    table.pass_time(0.026)
    assert table.started[-1].numbers.keys() == {0}


def test_the_clock_of_a_round_starts_once_it_is_on_disk() -> None:
    table = MixingTable(Settings(seats=2))
    table.seat("AB")
    table.parlour.holding = True
    table.play_hand()
    table.pass_time(60)
    assert len(table.started) == 1
    table.parlour.holding = False
    table.parlour.settle()
    table.answer()
    assert table.started[-1].numbers.keys() == {0, 1}
    assert table.complaints == []


def test_rounds_are_bounded_by_seats() -> None:
    table = MixingTable(Settings(seats=4, start_at=4))
    table.seat("ABCD")
    for team in "ABC":
        table.mute.add(team)
    table.play_hand()
    table.pass_time(2.1)
    assert table.bound[-1].withheld == (0, 1, 2)
    table.mute.add("D")
    table.play_hand()
    table.pass_time(2.1)
    assert (table.started[-1].numbers, table.started[-1].withheld) == ({}, (3,))
    attempts = len(table.bound)
    table.mute = set()
    for _ in range(3):
        table.play_hand()
    assert len(table.bound) == attempts


# --- requests for numbers


def test_absent_seat_is_skipped_and_mixes_again_after_its_return() -> None:
    table = MixingTable(Settings(seats=3, start_at=3))
    _, _, c = table.seat("ABC")
    c.leave()
    while table.parlour.match.to_act == 2:
        table.pass_time(15)
    table.play_hand()
    assert set(table.bound[-1].commits) == {0, 1}
    table.join("C")
    while set(table.bound[-1].commits) == {0, 1}:
        table.play_hand()
    assert set(table.bound[-1].commits) == {0, 1, 2}
    assert not table.parlour.history.withheld
    assert table.complaints == verified(table) == []


def test_seat_that_returns_without_mixing_is_skipped() -> None:
    table = MixingTable(Settings(seats=2))
    table.seat("AB")
    del table.mixers["B"]
    table.join("B", mixes=False)
    table.play_hand()
    assert set(table.bound[-1].commits) == {0}
    assert not table.parlour.history.withheld


def test_seat_without_chips_is_skipped() -> None:
    table = MixingTable(Settings(seats=3, start_at=3, stack=100))
    table.seat("ABC")
    table.parlour.play("FOLD", "CALL")
    table.answer()
    with_chips = {seat for seat, stack in table.started[1].stacks.items() if stack}
    assert len(with_chips) == 2
    assert set(table.bound[1].commits) == set(table.bound[1].seats) == with_chips


# --- forged, late, double


def test_forged_late_duplicate_and_unexpected_numbers_are_refused() -> None:
    table = MixingTable(Settings(seats=2))
    table.join("A")
    b = table.join("B", mixes=False, next=bind_number(MINE))
    hand_id = b.last(wire.Mix).hand_id
    rows = len(table.parlour.disk.rows[TABLE])
    stranger = table.parlour.connect("?")
    for guest, message, code in (
        (b, number(hand_id, NEXT), "BAD_SCHEMA"),  # not the one it is bound to
        (b, number("H-2026-11-15-00099", MINE), "ACTION_TOO_LATE"),
        (table.parlour.at[0], number(hand_id, MINE), "ACTION_TOO_LATE"),  # has opened already
        (stranger, number(hand_id, MINE), "OUT_OF_TURN"),
    ):
        guest.news()
        guest.say(message)
        assert guest.error() == code
    assert len(table.parlour.disk.rows[TABLE]) == rows
    b.say(number(hand_id, MINE, NEXT))
    assert table.started[0].numbers[1] == MINE.hex()
    b.news()
    b.say(number(hand_id, MINE, AFTER))  # once more, when the hand is dealt
    assert b.error() == "ACTION_TOO_LATE"
    table.play_hand()
    assert table.bound[-1].commits[1] == bind_number(NEXT)


def test_a_number_without_a_next_one_is_the_last() -> None:
    table = MixingTable(Settings(seats=2))
    table.join("A")
    b = table.join("B", mixes=False, next=bind_number(MINE))
    b.say(number(b.last(wire.Mix).hand_id, MINE))
    table.play_hand()
    assert table.bound[-1].commits.keys() == {0}
    assert not table.started[-1].withheld


def test_an_honest_mixer_is_never_limited_by_its_frames() -> None:
    table = MixingTable(Settings(seats=2))
    guests = table.seat("AB")
    for _ in range(100):
        table.play_hand()
    assert not [error for guest in guests for error in guest.got(wire.Error)]
    assert all(set(started.numbers) == {0, 1} for started in table.started)


# --- connections and crashes


@pytest.mark.parametrize("resumes", [True, False])
def test_seat_that_returns_in_time_opens_the_same_number(resumes: bool) -> None:
    table = MixingTable(Settings(seats=2))
    _, b = table.seat("AB")
    table.mute = {"B"}
    table.play_hand()
    commit = table.bound[-1].commits[1]
    b.leave()
    table.pass_time(1.0)
    table.mute = set()
    more: dict[str, Any] = {"resume_from": b.last(wire.EndHand).seq} if resumes else {}
    back = table.join("B", **more)
    assert len(back.got(wire.Mix)) == 1
    assert not back.got(wire.Error)
    assert bind_number(bytes.fromhex(table.started[-1].numbers[1])) == commit
    assert table.complaints == verified(table) == []


@pytest.mark.parametrize("opened", [False, True])
def test_crash_with_bound_numbers_requests_the_same_numbers(opened: bool) -> None:
    table = MixingTable(Settings(seats=2))
    table.seat("AB")
    table.mute = {"B"} if opened else {"A", "B"}
    table.play_hand()
    bound = table.bound[-1]
    table.parlour.restart()
    assert recover(TABLE, table.parlour.disk.read(TABLE)).match.history.bound == bound
    table.mute = set()
    for team in "AB":
        table.join(team)
    assert table.bound[-1] == bound
    assert {seat: bind_number(bytes.fromhex(text)) for seat, text in table.started[-1].numbers.items()} == bound.commits
    assert table.complaints == verified(table) == []


def test_absent_seat_after_a_crash_has_the_time_of_a_turn() -> None:
    table = MixingTable(Settings(seats=2))
    table.seat("AB")
    table.mute = {"B"}
    table.play_hand()
    table.parlour.restart()
    table.join("A")
    hands = len(table.started)
    table.pass_time(29)
    assert len(table.started) == hands
    table.pass_time(2)
    assert table.bound[-1].withheld == (1,)
    assert table.started[-1].numbers.keys() == {0}
    assert verified(table) == []


def test_a_crash_after_the_hand_began_plays_it_again_with_its_numbers() -> None:
    table = MixingTable()
    table.seat("AB")
    table.play_hand()
    started = table.started[-1]
    table.parlour.restart()
    for team in "AB":
        table.join(team)
    table.play_hand()
    table.play_hand()
    assert started in table.started
    assert table.complaints == verified(table) == []


@pytest.mark.parametrize("lost", ["start", "act"])
def test_damaged_hand_of_mixed_numbers_is_voided_and_the_next_is_mixed(lost: str) -> None:
    table = MixingTable()
    table.seat("ABC")
    for _ in range(3):
        table.play_hand()
    table.parlour.play("CALL")
    last = table.parlour.disk.rows[TABLE][-2 if lost == "start" else -1]
    assert isinstance(read_record(last.body), HandStarted if lost == "start" else Acted)
    table.parlour.disk.alter(last.seq, body=b"damaged")
    table.parlour.restart_torn()
    assert isinstance(table.records[-1], HandVoided)
    assert table.parlour.history.bound is None
    for team in "ABC":
        table.join(team)
    for _ in range(2):
        table.play_hand()
    assert set(table.started[-1].numbers) == {0, 1, 2}
    assert verified(table) == []


@pytest.mark.parametrize("resumes", [True, False])
def test_frames_stay_in_order_after_a_voided_hand(resumes: bool) -> None:
    table = MixingTable(Settings(seats=3))
    table.seat("ABC")
    table.play_hand()
    table.parlour.disk.alter(table.parlour.disk.rows[TABLE][-1].seq, body=b"damaged")
    table.parlour.restart_torn()
    table.mute = {"A", "B"}
    for team in "ABC":
        table.join(team)
    table.parlour.play_hand()
    table.parlour.pass_time(3)
    table.answer()
    last = table.bound[-1]
    table.parlour.restart()
    more: dict[str, Any] = {"resume_from": last.seq} if resumes else {}
    back = table.parlour.join("B", next=bind_number(MINE), **more)  # which looks at every number
    assert len(back.got(wire.VoidMessage)) == (0 if resumes else 1)
    assert back.last(wire.Mix).seq == last.seq


@pytest.mark.parametrize("first", [1, 2])
@pytest.mark.parametrize("finished", [False, True])
def test_after_a_crash_the_lists_of_the_last_hand_are_sent_again_too(finished: bool, first: int) -> None:
    table = MixingTable(Settings(seats=3))
    _, b, _ = table.seat("ABC")
    table.mute = {"C"}
    table.play_hand()
    seen = b.last(wire.Mix).seq
    b.leave()
    table.pass_time(3)
    assert table.started[-1].numbers.keys() == {0}, "B was gone, and C said nothing"
    hands = table.parlour.history.hands
    while finished and table.parlour.history.played < hands:
        if table.parlour.match.to_act in table.parlour.at:
            table.parlour.play("FOLD")
        else:
            table.parlour.pass_time(10)
    table.parlour.restart()
    before = seen + first - 2
    back = table.join("B", resume_from=before)
    sent = [message for message in back.inbox if getattr(message, "seq", 0) > before]
    assert isinstance(sent[0], wire.Mix)
    assert (sent[0].attempt, sent[0].seq) == (first, before + 1)
    assert table.mixers["B"].complaints == verified(table) == []


def test_a_seat_taken_while_numbers_are_bound_survives_a_crash() -> None:
    table = MixingTable()
    table.seat("AB")
    table.mute = {"A"}
    table.play_hand()
    table.join("C")
    table.parlour.restart()
    table.mute = set()
    for team in "ABC":
        table.join(team)
    assert set(table.started[-1].stacks) == {0, 1}
    table.parlour.restart()
    for team in "ABC":
        table.join(team)
    table.play_hand()
    assert set(table.started[-1].stacks) == {0, 1, 2}
    assert table.complaints == verified(table) == []


def test_numbers_wait_while_all_are_away() -> None:
    table = MixingTable(Settings(seats=2))
    a, b = table.seat("AB")
    table.mute = {"A", "B"}
    table.play_hand()
    a.leave()
    b.leave()
    table.pass_time(3600)
    assert len(table.started) == 1
    table.mute = set()
    table.join("A")
    assert len(table.started) == 1  # B is waited for
    table.join("B")
    assert set(table.started[-1].numbers) == {0, 1}
    assert table.complaints == verified(table) == []


def test_withholding_seat_stays_excluded_after_others_are_bound_again() -> None:
    table = MixingTable(Settings(seats=3, start_at=3))
    table.mute.add("A")
    table.seat("ABC")
    table.pass_time(3.0)
    assert [(list(bound.commits), list(bound.withheld)) for bound in table.bound] == [([0, 1, 2], []), ([1, 2], [0])]
    table.mute.clear()
    table.join("A")
    for _ in range(3):
        table.play_hand()
    assert len(table.bound) == 5
    assert all(list(bound.commits) == [1, 2] for bound in table.bound[1:])
    table.parlour.restart()
    for team in "ABC":
        table.join(team)
    table.play_hand()
    assert list(table.bound[-1].commits) == [1, 2]


def test_team_that_joined_during_an_exchange_plays_a_later_hand_after_a_crash() -> None:
    table = MixingTable()
    table.seat("AB")
    table.mute = {"A"}
    table.play_hand()
    table.join("C")
    table.mute = set()
    table.pass_time(3.0)
    table.play_hand()
    assert set(table.started[-1].stacks) == {0, 1, 2}
    table.parlour.restart()
    for team in "ABC":
        table.join(team)
    table.play_hand()
    assert set(table.started[-1].stacks) == {0, 1, 2}


# --- away seats


def test_seat_that_times_out_is_skipped_without_waiting() -> None:
    """Its connection would open no number: until its next message hands are dealt without it, and at once."""
    table = MixingTable(
        Settings(seats=3, start_at=3, stack=1_000_000, move_time_ms=4_000, time_bank_ms=1_000, away_pace_ms=0)
    )
    a, _, c = table.seat("ABC")
    parlour = table.parlour
    while parlour.history.seats[2].timeouts < 3:
        if parlour.to_act is c:
            table.pass_time(5.0)
        else:
            _check_or_call(table)
    table.mute = {"C"}
    hands = parlour.history.played
    while parlour.history.played < hands + 1:  # for the hand under way it was bound before
        _check_or_call(table)
    began = parlour.now
    while parlour.history.played < hands + 9:
        _check_or_call(table)
    assert parlour.now == began
    assert list(table.bound[-1].commits) == [0, 1]
    assert not parlour.history.withheld
    c.say({"type": "hello"})  # no good word, and no word that is read: it is not back
    table.mute = set()
    c.say({"type": "action", "v": 1, "hand_id": "H", "action": "FOLD"})
    while parlour.history.played < hands + 10:
        _check_or_call(table)
    assert list(table.bound[-1].commits) == [0, 1, 2], "back with its next word"
    assert a.last(wire.Mix).withheld == ()


def test_seat_that_leaves_with_an_unopened_number_is_not_awaited() -> None:
    table = MixingTable(Settings(seats=2, stack=1_000_000, move_time_ms=40_000))
    table.mute = {"B"}
    table.seat("AB")
    parlour = table.parlour
    began = parlour.now
    assert parlour.history.bound is not None
    parlour.at[1].say({"type": "leave", "v": 1})
    table.answer()
    assert parlour.now == began
    assert parlour.match.underway
    assert (list(table.started[-1].numbers), table.bound[-1].withheld) == ([0], (1,))


def _check_or_call(table: MixingTable) -> None:
    legal = table.parlour.to_act.question().legal or ()
    table.parlour.play("CHECK" if "CHECK" in legal else "CALL")
    table.answer()


# --- at a cash table


CASH = Settings(cash=True, seats=4, start_at=2, stack=10_000, min_buy_in=2_000, timeout_policy="check_fold")


def test_numbers_are_mixed_at_a_cash_table_with_arrivals_and_departures() -> None:
    table = MixingTable(CASH)
    a, b, c = table.seat("ABC")
    table.play_hand()
    b.say({"type": "sit_out", "v": 1})
    table.play_hand()
    table.play_hand()
    assert set(table.started[-1].numbers) == set(table.started[-1].stacks) == {0, 2}
    b.say({"type": "sit_in", "v": 1})
    c.say({"type": "leave", "v": 1})
    table.play_hand()
    table.play_hand()
    assert set(table.started[-1].numbers) == set(table.started[-1].stacks) == {0, 1}
    c.hello(next=table.mixers["C"].hello(), buy_in=3_000)
    table.play_hand()
    table.play_hand()
    assert set(table.started[-1].numbers) == set(table.started[-1].stacks) == {0, 1, 2}
    assert table.complaints == verified(table) == []
    assert len({hand.secret for hand in table.started}) == len(table.started)
    table.parlour.step(lambda room, now: room.reveal_all(now))
    revealed = {hand.hand_id: hand for reveal in a.got(wire.Reveal) for hand in reveal.hands}
    for start in a.got(wire.StartHand)[:-1]:
        numbers = {one.seat: bytes.fromhex(one.number) for one in start.numbers}
        hand = revealed[start.hand_id]
        if numbers:
            server = bytes.fromhex(hand.server_number or "")
            assert mix_numbers(hand.hand_id, server, numbers).hex() == hand.secret
    assert verify_transcript("A", a.frames).problems == []


@pytest.mark.parametrize("wish", ["sit_out", "leave", "top_up"])
def test_a_wish_while_numbers_are_bound_counts_after_the_deal(wish: str) -> None:
    table = MixingTable(CASH)
    a, _, c = table.seat("ABC")
    c.say({"type": "leave", "v": 1})
    table.play_hand()
    c.hello(next=table.mixers["C"].hello(), buy_in=3_000)
    table.play_hand()
    table.mute = {"A"}
    table.play_hand()
    mix = a.last(wire.Mix)
    assert mix.hand_id == table.bound[-1].hand_id
    c.say({"type": wish, "v": 1} | ({"amount": 500} if wish == "top_up" else {}))
    hands = len(table.started)
    table.parlour.restart()
    table.mute = set()
    for team in "ABC":
        table.join(team)
    assert len(table.started) == hands + 1
    assert set(table.started[-1].stacks) == set(mix.seats) == {0, 1, 2}, "the seats were bound with the numbers"
    table.play_hand()
    table.play_hand()
    assert verified(table) == []
    sums = table.parlour.room.sums
    assert sums is not None
    assert sums.brought == sums.in_play + sums.taken + sums.rake
    assert sums.brought == 33_000 + (500 if wish == "top_up" else 0)
    assert (2 in table.started[-1].stacks) == (wish == "top_up")
