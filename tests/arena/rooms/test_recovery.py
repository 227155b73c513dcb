"""A damaged journal: a tear in the open hand takes the hand back, a tear in finished business refuses the table."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.arena.journal.history import HistoryError
from pitboss.arena.journal.records import HandStarted, HandVoided, Lock, Settings, read_record
from pitboss.arena.rooms.match import Match
from pitboss.arena.rooms.recovery import TableRefused, may_have_sent, recover
from pitboss.arena.rooms.tables import OpeningError
from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.messages import Hello, Rejected
from pitboss.chance import Chance
from pitboss.store.chain import Chain, start_hash
from tests.support.arena.rooms import TABLE, Disk, Move, Parlour, deal_where, ranked
from tests.support.for_each import for_each

SMALL = Settings(seats=3, stack=1000, start_at=3)
OPEN_HAND: tuple[Move, ...] = ("CALL", ("RAISE_TO", 300), "FOLD", "CALL", "CHECK")
"""Hand 2 of three: button seat 1, to seat 2's raise on the flop."""

Damage = Callable[[Disk, int], None]


def alter(disk: Disk, seq: int) -> None:
    """Change a letter."""
    body = next(row.body for row in disk.rows[TABLE] if row.seq == seq)
    disk.alter(seq, body=body.replace(b"0", b"1", 1) if b"0" in body else body[::-1])


def truncate(disk: Disk, seq: int) -> None:
    """Lose the end of an entry's body."""
    body = next(row.body for row in disk.rows[TABLE] if row.seq == seq)
    disk.alter(seq, body=body[: len(body) // 2])


def scramble(disk: Disk, seq: int) -> None:
    """Make it unreadable."""
    disk.alter(seq, body=b"\xff\x00\xfe")


def mislay(disk: Disk, seq: int) -> None:
    """Lose an entry."""
    disk.lose(seq)


def wrong_hash(disk: Disk, seq: int) -> None:
    """Change a hash."""
    disk.alter(seq, hash=bytes(32))


def wrong_place(disk: Disk, seq: int) -> None:
    """Chain an entry to another place."""
    disk.alter(seq, after=seq)


DAMAGES: list[Damage] = [alter, truncate, scramble, mislay, wrong_hash, wrong_place]


def two_hands(*moves: Move, settings: Settings = SMALL) -> tuple[Parlour, list[int]]:
    """A table in its second hand, and the numbers of that hand's entries."""
    parlour = Parlour(settings, seed=5)
    parlour.seat(3)
    while parlour.history.hands < 2:
        parlour.play("FOLD")
    parlour.play(*moves)
    return parlour, open_entries(parlour)


def open_entries(parlour: Parlour) -> list[int]:
    """The numbers of the open hand's entries."""
    return [row.seq for row in parlour.disk.rows[TABLE] if row.seq > parlour.disk.heads[TABLE].sealed]


def records(parlour: Parlour) -> list[object]:
    """Everything on disk that still counts."""
    return [read_record(entry.body) for entry in parlour.disk.read(TABLE).entries]


@for_each("damage", DAMAGES, ids=lambda damage: damage.__name__)
@for_each("at", range(1 + len(OPEN_HAND)))
def test_a_tear_in_the_open_hand_takes_it_back(damage: Damage, at: int) -> None:
    parlour, entries = two_hands(*OPEN_HAND)
    before = {seat: chair.stack for seat, chair in parlour.history.seats.items()}
    button = parlour.history.hand.started.button if parlour.history.hand else None
    last = parlour.at[0].got(wire.StartHand)[-1].seq
    damage(parlour.disk, entries[at])
    parlour.restart_torn()

    assert any(f"entry {entries[at]}" in line and "void" in line for line in parlour.tables.report), (
        parlour.tables.report
    )
    voided = records(parlour)[-1]
    assert isinstance(voided, HandVoided)
    assert (voided.number, voided.torn_at) == (2, entries[at])
    assert parlour.stacks == before
    assert parlour.hand is None

    again = [parlour.join(team) for team in "ABC"]
    for guest in again:
        sent = guest.last(wire.VoidMessage)
        assert sent.seq > last
        kinds = [type(message) for message in guest.inbox]
        assert kinds.index(wire.Welcome) < kinds.index(wire.VoidMessage) < kinds.index(wire.Snapshot)
        assert {seat.seat: seat.stack for seat in guest.got(wire.EndHand)[0].stacks} == before
    start_hash = again[0].last(wire.StartHand)
    assert start_hash.button == button, "the button stays"
    assert start_hash.hand_id.endswith("-00003"), "the number of the hand that was lost is not used again"
    assert {seat.seat: seat.stack for seat in start_hash.stacks} == before
    parlour.play_hand()
    assert parlour.history.hands == 4
    assert parlour.history.played == 2, "a hand taken back does not count as played"


@for_each("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_tear_in_finished_business_refuses_the_table(damage: Damage) -> None:
    whole, entries = two_hands(*OPEN_HAND)
    for seq in range(1, entries[0]):
        torn, _ = two_hands(*OPEN_HAND)
        damage(torn.disk, seq)
        with pytest.raises(OpeningError) as caught:
            torn.restart_torn()
        sentence = str(caught.value)
        assert sentence.startswith("T-1: ")
        assert "entry" in sentence
        assert "restore" in sentence
    whole.restart()
    assert whole.match.to_act is not None


def test_the_hand_that_seals_is_finished_business() -> None:
    parlour, entries = two_hands(*OPEN_HAND)
    parlour.play_hand()
    sealing = open_entries(parlour)[0] - 1
    assert sealing > entries[-1]
    for damage in DAMAGES:
        copy, _ = two_hands(*OPEN_HAND)
        copy.play_hand()
        damage(copy.disk, sealing)
        with pytest.raises(OpeningError, match=f"entry {sealing}"):
            copy.restart_torn()


def test_a_refused_table_does_not_keep_others_from_playing() -> None:
    parlour, entries = two_hands()
    rows = [replace(row, table="T-2") for row in parlour.disk.rows[TABLE]]
    parlour.disk.rows["T-2"], parlour.disk.heads["T-2"] = rows, parlour.disk.heads[TABLE]
    parlour.restart()
    assert [line[:5] for line in parlour.tables.report if "damaged" in line or "read" in line] == ["T-2: "]
    assert list(parlour.tables.rooms) == [TABLE]
    assert parlour.hand is not None
    assert entries


def test_torn_twice() -> None:
    parlour, entries = two_hands(*OPEN_HAND)
    stacks = {seat: chair.stack for seat, chair in parlour.history.seats.items()}
    scramble(parlour.disk, entries[2])
    parlour.restart_torn()
    for team in "ABC":
        parlour.join(team)
    assert parlour.history.hands == 3
    parlour.play("CALL", "CALL")
    mislay(parlour.disk, open_entries(parlour)[1])
    parlour.restart_torn()
    assert parlour.stacks == stacks
    numbers = [record.number for record in records(parlour) if isinstance(record, HandVoided)]
    assert numbers == [2, 3]
    guest = parlour.join("A")
    assert guest.last(wire.StartHand).hand_id.endswith("-00004")
    starts = [record for record in records(parlour) if isinstance(record, HandStarted)]
    assert [start_hash.number for start_hash in starts] == [1, 2, 3, 4]
    assert len({start_hash.secret for start_hash in starts}) == 4, "a voided hand's cards are not dealt again"


@for_each("at", range(1 + len(OPEN_HAND)))
def test_restart_after_a_void_restores_the_state(at: int) -> None:
    parlour, entries = two_hands(*OPEN_HAND)
    scramble(parlour.disk, entries[at])
    parlour.restart_torn()
    stacks, seq = parlour.stacks, parlour.room.match.seq
    parlour.restart()
    assert parlour.stacks == stacks
    assert parlour.room.match.seq == seq
    assert len(records(parlour)) == len(parlour.disk.read(TABLE).entries)
    assert sum(isinstance(record, HandVoided) for record in records(parlour)) == 1, "voided once"
    guest = parlour.join("A")
    assert guest.last(wire.StartHand).hand_id.endswith("-00003")
    for team in "BC":
        parlour.join(team)
    parlour.play_hand("CALL")
    parlour.restart()
    assert parlour.history.played == 2


def test_seat_that_returns_after_a_second_restart_learns_of_the_void() -> None:
    parlour, entries = two_hands(*OPEN_HAND)
    scramble(parlour.disk, entries[3])
    parlour.restart_torn()
    parlour.restart()
    assert parlour.join("B").got(wire.VoidMessage), "the hand that B was in is gone, and B was never told"


def test_seat_learns_of_the_void_once() -> None:
    parlour, entries = two_hands(*OPEN_HAND)
    scramble(parlour.disk, entries[3])
    parlour.restart_torn()
    assert [len(parlour.join("B").got(wire.VoidMessage)) for _ in range(2)] == [1, 0]


def test_resuming_seat_learns_of_the_void_once() -> None:
    parlour, entries = two_hands(*OPEN_HAND)
    seen = parlour.at[0].last(wire.BetMessage).seq
    scramble(parlour.disk, entries[-1])
    parlour.restart_torn()
    guest = parlour.join("A", resume_from=seen)
    assert len(guest.got(wire.VoidMessage)) == 1
    assert guest.got(wire.EndHand)[0].hand_id == guest.last(wire.VoidMessage).hand_id


def test_seat_that_knows_the_void_is_not_notified_after_another_restart() -> None:
    parlour, entries = two_hands(*OPEN_HAND)
    scramble(parlour.disk, entries[3])
    parlour.restart_torn()
    parlour.join("B")
    parlour.restart()
    guest = parlour.join("B", resume_from=parlour.match.seq)
    assert not guest.got(wire.VoidMessage)
    assert not guest.got(wire.EndHand)


@pytest.mark.parametrize("later", [1, 2, 3])
def test_seat_that_returns_hands_later_receives_everything_since_the_void_or_nothing(later: int) -> None:
    parlour, entries = two_hands(*OPEN_HAND)
    scramble(parlour.disk, entries[3])
    parlour.restart_torn()
    for team in "AB":
        parlour.join(team)
    while parlour.history.hands < 2 + later:
        if parlour.match.to_act in parlour.at:
            parlour.play("FOLD")
        else:
            parlour.pass_time(parlour.limits.grace)
    guest = parlour.join("C")
    numbers = [seq for message in guest.inbox if (seq := getattr(message, "seq", None)) is not None]
    now = guest.last(wire.Snapshot).seq
    if later == 1:
        assert numbers == [*range(guest.last(wire.VoidMessage).seq, now + 1), now]
    else:
        assert numbers == [now]


def test_time_outs_in_a_row_are_the_same_after_a_void_and_another_restart() -> None:
    parlour, _ = two_hands(settings=Settings(seats=3, stack=1000, start_at=3, move_time_ms=1000))
    parlour.pass_time(2.5)
    assert sum(chair.timeouts for chair in parlour.history.seats.values()) == 2
    parlour.play("CHECK")
    scramble(parlour.disk, open_entries(parlour)[-1])
    parlour.restart_torn()
    streaks = {seat: chair.timeouts for seat, chair in parlour.history.seats.items()}
    parlour.restart()
    assert {seat: chair.timeouts for seat, chair in parlour.history.seats.items()} == streaks


def test_a_first_hand_that_is_torn_is_taken_back_too() -> None:
    for at in (0, 1, 2):
        parlour = Parlour(Settings(seats=2, stack=1000), seed=9)
        parlour.seat(2)
        parlour.play("CALL", "CHECK")
        scramble(parlour.disk, open_entries(parlour)[at])
        parlour.restart_torn()
        assert parlour.stacks == {0: 1000, 1: 1000}
        assert (parlour.history.hands, parlour.history.played) == (1, 0)
        guests = [parlour.join(team) for team in "AB"]
        assert guests[0].got(wire.VoidMessage)
        assert guests[0].last(wire.StartHand).hand_id.endswith("-00002")
        parlour.restart()
        assert parlour.history.hands == 2


def test_lost_start_after_an_elimination_does_not_eliminate_again() -> None:
    wins = deal_where(3, ranked(2, 0, 1))
    parlour = Parlour(SMALL, secrets=[wins, wins])
    parlour.seat(3)
    parlour.play(("RAISE_TO", 1000), "CALL", "FOLD")
    assert parlour.witness.referee.seen["ELIMINATED"] == 1
    scramble(parlour.disk, open_entries(parlour)[0])
    parlour.restart_torn()
    guest = parlour.join("A")
    kinds = [type(message).__name__ for message in guest.inbox]
    assert "Eliminated" not in kinds[: kinds.index("EndHand")], kinds


def test_a_team_that_sat_down_during_the_torn_hand_keeps_its_seat_if_that_is_on_disk() -> None:
    parlour = Parlour(Settings(seats=4, stack=1000), seed=3)
    parlour.seat(2)
    parlour.play("CALL")
    parlour.join("C")
    parlour.play("CHECK", "CHECK")
    scramble(parlour.disk, open_entries(parlour)[-1])
    parlour.restart_torn()
    assert parlour.stacks == {0: 1000, 1: 1000, 2: 1000}
    for team in "ABC":
        parlour.join(team)
    assert len(parlour.at[0].last(wire.StartHand).stacks) == 3
    parlour.restart()
    parlour.match.audit()
    assert len(parlour.history.seats) == 3


@for_each("seed", range(12))
def test_torn_again_and_again_no_chip_and_no_number_is_lost(seed: int) -> None:
    chance = Chance(seed)
    parlour = Parlour(Settings(seats=4, stack=600, move_time_ms=1000), seed=seed)
    sent, number = 0, 0
    for _ in range(6):
        for team in "ABCD"[: 2 + chance.below(3)]:
            parlour.join(team)
        for _ in range(chance.below(25)):
            if parlour.match.to_act is None or parlour.match.to_act not in parlour.at or chance.below(4) == 0:
                parlour.pass_time(1.0)
            else:
                parlour.play(chance.choice(parlour.to_act.question().legal[:2]))  # type: ignore[index]  # it must act
            if parlour.witness.over:
                return
        torn = open_entries(parlour)
        if not torn:
            continue
        sent = max([sent, *parlour.witness.log])
        before = {seat: chair.stack for seat, chair in parlour.history.seats.items()}
        chance.choice(DAMAGES)(parlour.disk, chance.choice(torn))
        parlour.restart_torn()
        assert parlour.room.match.seq > sent, "a number is told twice"
        assert parlour.history.hands > number, "a hand's number is used twice"
        assert {seat: before[seat] for seat in parlour.stacks} == parlour.stacks
        number = parlour.history.hands
        parlour.restart()


def test_sequence_numbers_are_never_reused_after_a_torn_write() -> None:
    """Two players who min-raise each other chip by chip fill a hand with more events than usual."""
    parlour = Parlour(Settings(seats=2, stack=5000, small_blind=1, big_blind=1), seed=1)
    parlour.seat(2)
    for to in range(2, 1300):
        parlour.play(("RAISE_TO", to))
        parlour.now += 1.0
    sent = max(parlour.witness.log)
    scramble(parlour.disk, open_entries(parlour)[0])
    parlour.restart_torn()
    assert parlour.join("A").last(wire.VoidMessage).seq > sent


# --- entries whose hashes are right but which make no sense


def rewrite(parlour: Parlour, seq: int, body: bytes) -> None:
    """Write the journal again with another body at one place, with correct hashes."""
    chain = Chain(TABLE, start_hash(TABLE))
    rows = parlour.disk.rows[TABLE]
    parlour.disk.rows[TABLE] = [chain.append(body if r.seq == seq else r.body, seals=r.seals) for r in rows]
    parlour.disk.heads[TABLE] = chain.head


def nonsense(body: bytes) -> Iterator[bytes]:
    """A record with one thing wrong at a time: fields that lack, have another kind, or say something else."""
    yield from (b"", b"{}", b"null", b"\xff\xfe", body[:-1], b'{"type":"chat"}')
    record = json.loads(body)
    for path, value in _leaves(record):
        for other in _others(value):
            yield json.dumps(_with(record, path, other)).encode()
    for name in record:
        yield json.dumps({key: value for key, value in record.items() if key != name}).encode()


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    match value:
        case dict() | list():
            yield path, value
            for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
                yield from _leaves(inner, (*path, key))
        case _:
            yield path, value


def _others(value: Any) -> list[Any]:
    match value:
        case int():
            return [value + 1, -1, 99]
        case str():
            return ["", value[:-1], value[1:] + value[:1]]
        case list():
            return [[], value[:-1], value[::-1]]
        case dict():
            return [{}]
        case _:
            return []


def _with(record: Any, path: tuple[Any, ...], other: Any) -> Any:
    if not path:
        return other
    copy = dict(record) if isinstance(record, dict) else list(record)
    copy[path[0]] = _with(copy[path[0]], path[1:], other)
    return copy


def copy_of(whole: Parlour, seq: int, body: bytes) -> Parlour:
    """A parlour with the same journal, but for one body."""
    parlour = Parlour(whole.settings, seed=5)
    parlour.disk.rows[TABLE] = list(whole.disk.rows[TABLE])
    parlour.disk.heads[TABLE] = whole.disk.heads[TABLE]
    rewrite(parlour, seq, body)
    return parlour


def test_inconsistent_open_hand_is_voided_and_stays_void() -> None:
    whole, entries = two_hands(*OPEN_HAND)
    before = {seat: chair.stack for seat, chair in whole.history.seats.items()}
    torn = 0
    for row in whole.disk.rows[TABLE]:
        for body in nonsense(row.body) if row.seq in entries else ():
            parlour = copy_of(whole, row.seq, body)
            if recover(TABLE, parlour.disk.read(TABLE)).tear is None:
                continue  # it says the same, or something just as good
            torn += 1
            parlour.restart_torn()
            assert parlour.stacks == before, body
            parlour.restart()
            assert parlour.stacks == before, body
            assert parlour.join("A").last(wire.StartHand).hand_id.endswith("-00003"), body
    assert torn > 300


def test_an_entry_that_cannot_be_played_again_is_named_in_a_sentence() -> None:
    whole, entries = two_hands(*OPEN_HAND)
    body = next(row.body for row in whole.disk.rows[TABLE] if row.seq == entries[-1])
    parlour = copy_of(whole, entries[-1], body.replace(b"CHECK", b"CALL").replace(b"check", b"call"))
    tear = recover(TABLE, parlour.disk.read(TABLE)).tear
    assert tear is not None
    assert tear.at == entries[-1]
    assert tear.sentence.startswith(f"entry {entries[-1]} cannot be replayed: ")


def test_inconsistent_finished_entries_are_refused_or_read_as_written() -> None:
    whole, entries = two_hands(*OPEN_HAND)
    refused = 0
    for row in whole.disk.rows[TABLE]:
        for body in nonsense(row.body) if row.seq < entries[0] else ():
            parlour = copy_of(whole, row.seq, body)
            refused += is_refused(parlour)
    assert refused > 200


def is_refused(parlour: Parlour) -> bool:
    """Whether a table is refused; if it is, with a sentence that names it, and with no other error."""
    try:
        return recover(TABLE, parlour.disk.read(TABLE)).tear is not None
    except TableRefused as refusal:
        return str(refusal).startswith("T-1: ")


def test_chips_are_counted_when_a_table_is_taken_up(monkeypatch: pytest.MonkeyPatch) -> None:
    parlour, _ = two_hands(*OPEN_HAND)
    counted = []

    def audit(match: Match) -> None:
        counted.append(match.underway)
        if match.underway == in_hand:
            raise HistoryError("a chip is missing")

    monkeypatch.setattr(Match, "audit", audit)
    in_hand = False
    with pytest.raises(TableRefused, match="a chip is missing"):
        recover(TABLE, parlour.disk.read(TABLE))
    assert counted == [False]
    in_hand = True
    recovered = recover(TABLE, parlour.disk.read(TABLE))
    assert recovered.tear is not None
    assert "a chip is missing" in recovered.tear.sentence


# --- the end of a match


def test_finished_match_is_reported_and_not_continued() -> None:
    parlour = Parlour(Settings(seats=3, max_hands=1), seed=1)
    parlour.seat(2)
    parlour.play("FOLD")
    assert parlour.witness.over
    parlour.restart()
    guest = parlour.join("A")
    assert [type(message) for message in guest.inbox[:4]] == [wire.Welcome, wire.Snapshot, wire.Reveal, wire.MatchEnd]
    assert parlour.join("late").error() == "TABLE_FULL"
    rows = len(parlour.disk.rows[TABLE])
    parlour.pass_time(3600.0)
    assert (parlour.history.hands, len(parlour.disk.rows[TABLE])) == (1, rows)


@pytest.mark.parametrize(("last", "reason"), [("FOLD", "max_hands"), ("CALL", "last_standing")])
def test_a_match_that_was_decided_at_the_crash_is_ended_after_it(last: str, reason: str) -> None:
    parlour = decided_at_the_crash(last)
    ended = parlour.witness.over
    parlour.restart()
    assert (ended, parlour.witness.over) == (False, True)
    assert parlour.history.decided == reason
    guest = parlour.join("A")
    assert guest.last(wire.MatchEnd).reason == reason
    assert guest.got(wire.Reveal), "whoever was away when the match ended is shown the decks when he comes"


def decided_at_the_crash(last: str) -> Parlour:
    """A match of one hand, all-in or folded, whose last action has reached the disk, but not its end."""
    parlour = Parlour(Settings(seats=3, max_hands=1), secrets=[deal_where(2, ranked(0, 1))])
    parlour.seat(2)
    parlour.play(("RAISE_TO", 10_000))
    parlour.holding = True
    parlour.play(last)
    assert len(parlour.waiting) == 2, "the last action, and the end of the match"
    parlour.disk.append(parlour.waiting[:1])
    parlour.witness.take(parlour.waiting[0])
    parlour.waiting, parlour.holding = [], False
    return parlour


def test_new_team_cannot_reopen_a_decided_match() -> None:
    parlour = decided_at_the_crash("CALL")
    recovered = recover(TABLE, parlour.disk.read(TABLE))
    assert recovered.match.decided
    with pytest.raises(Rejected, match="over"):
        recovered.match.admit(Hello(v=1, team="late", join_code="x"), Lock.on("x", bytes(16)))


@pytest.mark.parametrize(("lost", "most"), [(0, 100), (1, 200), (7, 800)])
def test_effects_of_lost_entries_are_counted_consistently(lost: int, most: int) -> None:
    assert may_have_sent(lost) == most, "journals say by it where numbers went on"
