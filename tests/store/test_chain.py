"""The hash chain: what was written reads back, and every later change is noticed, at the right entry."""

import hashlib
from collections.abc import Callable, Sequence

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pitboss.store import Chain, Entry, Head, StoreError, entry_hash, read_chain, start_hash
from pitboss.store.chain import read_witnessed
from tests.support.for_each import for_each

TABLE = "T-1"
Journal = tuple[list[Entry], Head]


def journal(bodies: Sequence[tuple[bytes, bool]], table: str = TABLE) -> Journal:
    """Write entries, some of which seal, and return them with the head that would be recorded."""
    chain = Chain(table, start_hash(table))
    return [chain.append(body, seals=seals) for body, seals in bodies], chain.head


def plain(length: int, *, sealed: int = 0) -> Journal:
    """Write entries, of which one seals."""
    return journal([(b"entry %d" % seq, seq == sealed) for seq in range(1, length + 1)])


def rewritten(entries: Sequence[Entry], since: int, body: bytes = b"forged") -> list[Entry]:
    """Rewrite everything from an entry on, with hashes that fit."""
    chain = Chain(TABLE, read_chain(TABLE, entries[: since - 1], head_of(entries[: since - 1])).head)
    return [*entries[: since - 1], *(chain.append(body, seals=entry.seals) for entry in entries[since - 1 :])]


def head_of(entries: Sequence[Entry]) -> Head:
    """Return the head that is recorded with the last of these entries."""
    head = start_hash(TABLE)
    for entry in entries:
        head = head.then(entry)
    return head


bodies = st.lists(st.tuples(st.binary(max_size=40), st.booleans()), max_size=12)
some_bodies = st.lists(st.tuples(st.binary(max_size=40), st.booleans()), min_size=1, max_size=12)


# --- writing


@given(bodies, st.text(max_size=8))
def test_written_entries_read_back(written: Sequence[tuple[bytes, bool]], table: str) -> None:
    assume(table.isprintable())
    entries, head = journal(written, table)
    reading = read_chain(table, reversed(entries), head)
    assert reading.entries == tuple(entries)
    assert reading.head == head
    assert (reading.torn_at, reading.tear, reading.finished, reading.last) == (None, "", False, len(entries))


def test_entries_are_numbered_from_one_and_hang_on_the_one_before() -> None:
    entries, head = plain(3, sealed=2)
    assert [(entry.seq, entry.after, entry.seals) for entry in entries] == [(1, 0, False), (2, 1, True), (3, 2, False)]
    assert (head.seq, head.hash) == (3, entries[2].hash)
    assert (head.sealed, head.seal) == (2, entries[1].hash)


def test_hash_follows_the_documented_format() -> None:
    """Journals outlive versions: this test changes only together with the journal's version."""
    begun = hashlib.sha256(b"pitboss journal 1 table\0T-1").digest()
    assert start_hash("T-1") == Head(seq=0, hash=begun, sealed=0, seal=b"")
    written = b"".join(
        [
            b"pitboss journal 1 entry\0",
            begun,
            (7).to_bytes(8, "big"),
            (5).to_bytes(8, "big"),
            b"\x01",
            (3).to_bytes(4, "big"),
            b"T-1",
            b"body",
        ]
    )
    assert entry_hash(begun, "T-1", 7, 5, True, b"body") == hashlib.sha256(written).digest()


def test_distinct_entries_have_distinct_hash_inputs() -> None:
    before = start_hash(TABLE).hash
    hashes = {
        entry_hash(before, "T", 1, 0, False, b""),
        entry_hash(before, "T", 1, 0, False, b"\0"),
        entry_hash(before, "T", 1, 0, True, b""),
        entry_hash(before, "T", 2, 0, False, b""),
        entry_hash(before, "T", 2, 1, False, b""),
        entry_hash(before, "", 1, 0, False, b"T"),
        entry_hash(before, "TT", 1, 0, False, b""),
        entry_hash(before, "T", 1, 0, False, b"T"),
        entry_hash(start_hash("T").hash, "T", 1, 0, False, b""),
    }
    assert len(hashes) == 9


# --- tears

ALTERATIONS: dict[str, Callable[[Entry], Entry]] = {
    "body": lambda entry: msgspec.structs.replace(entry, body=entry.body + b"!"),
    "hash": lambda entry: msgspec.structs.replace(entry, hash=entry.hash[1:] + entry.hash[:1]),
    "no hash": lambda entry: msgspec.structs.replace(entry, hash=b""),
    "seals": lambda entry: msgspec.structs.replace(entry, seals=not entry.seals),
    "after": lambda entry: msgspec.structs.replace(entry, after=entry.after + 1),
    "after nothing": lambda entry: msgspec.structs.replace(entry, after=-1),
    "table": lambda entry: msgspec.structs.replace(entry, table="T-2"),
    "seq": lambda entry: msgspec.structs.replace(entry, seq=entry.seq + 100),
    "no seq": lambda entry: msgspec.structs.replace(entry, seq=0),
}


@pytest.mark.parametrize("alteration", ALTERATIONS)
@given(some_bodies, st.data())
def test_an_altered_entry_is_seen_where_it_is(
    alteration: str, written: Sequence[tuple[bytes, bool]], data: st.DataObject
) -> None:
    entries, head = journal(written)
    at = data.draw(st.integers(1, len(entries)))
    bad = ALTERATIONS[alteration](entries[at - 1])
    reading = read_chain(TABLE, [*entries[: at - 1], bad, *entries[at:]], head)
    assert reading.torn_at == at
    assert str(at) in reading.tear
    assert reading.entries == tuple(entries[: at - 1])
    assert reading.head == head_of(entries[: at - 1])
    assert reading.finished == (at <= head.sealed or bad.seals)  # in doubt, it is finished
    assert reading.last == max(len(entries), bad.seq)


@given(some_bodies, st.data())
def test_removed_entries_are_seen_where_the_first_is_missing(
    written: Sequence[tuple[bytes, bool]], data: st.DataObject
) -> None:
    entries, head = journal(written)
    gone = data.draw(st.sets(st.integers(1, len(entries)), min_size=1))
    reading = read_chain(TABLE, [entry for entry in entries if entry.seq not in gone], head)
    at = min(gone)
    assert (reading.torn_at, reading.tear) == (at, f"entry {at} is missing")
    assert reading.entries == tuple(entries[: at - 1])
    assert reading.finished == (at <= head.sealed)
    assert reading.last == len(entries)


@given(some_bodies, st.data())
def test_a_journal_cut_short_is_seen(written: Sequence[tuple[bytes, bool]], data: st.DataObject) -> None:
    entries, head = journal(written)
    left = data.draw(st.integers(0, len(entries) - 1))
    reading = read_chain(TABLE, entries[:left], head)
    assert reading.torn_at == left + 1
    assert reading.finished == (left < head.sealed)


@given(some_bodies, st.data())
def test_swapped_entries_are_seen_at_the_first(written: Sequence[tuple[bytes, bool]], data: st.DataObject) -> None:
    assume(len(written) > 1)
    entries, head = journal(written)
    one, other = sorted(data.draw(st.sets(st.sampled_from(range(len(entries))), min_size=2, max_size=2)))
    swapped = list(entries)
    swapped[one] = msgspec.structs.replace(entries[other], seq=one + 1, after=one)
    swapped[other] = msgspec.structs.replace(entries[one], seq=other + 1, after=other)
    assert read_chain(TABLE, swapped, head).torn_at == one + 1


@given(some_bodies, bodies)
def test_entries_past_the_recorded_end_are_seen(
    written: Sequence[tuple[bytes, bool]], more: Sequence[tuple[bytes, bool]]
) -> None:
    entries, _ = journal([*more, *written])
    head = head_of(entries[: len(more)])
    reading = read_chain(TABLE, entries, head)
    assert reading.torn_at == len(more) + 1
    assert reading.entries == tuple(entries[: len(more)])
    assert reading.last == len(entries)


@given(some_bodies, st.data())
def test_a_history_rewritten_with_fitting_hashes_is_not_the_recorded_one(
    written: Sequence[tuple[bytes, bool]], data: st.DataObject
) -> None:
    entries, head = journal(written)
    since = data.draw(st.integers(1, len(entries)))
    forged = rewritten(entries, since, body=b"something that no example writes, being longer than forty bytes")
    reading = read_chain(TABLE, forged, head)
    assert reading.torn_at is not None
    assert reading.finished == (since <= head.sealed)


@given(st.data())
def test_rewritten_finished_entries_are_seen_even_before_an_open_tear(data: st.DataObject) -> None:
    """The forgery fits up to an open entry that is unchanged; the seal shows that more than the open one is torn."""
    sealed = data.draw(st.integers(1, 6))
    entries, head = plain(9, sealed=sealed)
    since = data.draw(st.integers(1, sealed))
    intact_from = data.draw(st.integers(sealed + 1, 9))
    forged = rewritten(entries, since)[: intact_from - 1] + entries[intact_from - 1 :]
    reading = read_chain(TABLE, forged, head)
    assert reading.finished
    assert reading.torn_at == sealed


@for_each(
    "change, torn_at, finished",
    [
        ({"seq": 7}, 7, False),
        ({"seq": 4}, 4, False),
        ({"hash": bytes(32)}, 6, False),
        ({"sealed": 0, "seal": b""}, 3, True),
        ({"sealed": 2}, 3, True),
        ({"sealed": 5}, 5, True),
        ({"sealed": 600}, 6, True),
        ({"seal": bytes(32)}, 3, True),
    ],
)
def test_an_altered_record_of_the_end_is_seen(change: dict[str, object], torn_at: int, finished: bool) -> None:
    entries, head = plain(6, sealed=3)
    reading = read_chain(TABLE, entries, msgspec.structs.replace(head, **change))
    assert reading.torn_at == torn_at
    assert reading.finished is finished


def test_empty_table_that_claims_finished_entries_is_torn() -> None:
    reading = read_chain(TABLE, [], msgspec.structs.replace(start_hash(TABLE), sealed=4, seal=bytes(32)))
    assert (reading.torn_at, reading.finished) == (1, True)


def test_a_tear_is_reported_in_words() -> None:
    entries, head = plain(4)
    moved = msgspec.structs.replace(entries[2], after=1)
    assert read_chain(TABLE, [*entries[:2], moved], head).tear == "entry 3 follows entry 1 instead of entry 2"
    altered = msgspec.structs.replace(entries[2], body=b"?")
    assert "entry 3 was altered" in read_chain(TABLE, [*entries[:2], altered], head).tear


# --- mending


@given(some_bodies, st.data())
def test_torn_open_entries_are_repaired_for_later_readers(
    written: Sequence[tuple[bytes, bool]], data: st.DataObject
) -> None:
    entries, head = journal(written)
    assume(head.sealed < head.seq)
    chain = Chain(TABLE, head)
    rows = list(entries)
    for round_ in range(data.draw(st.integers(1, 3))):
        # What is open is destroyed in some way, mended, and written on.
        at = data.draw(st.integers(chain.head.sealed + 1, chain.head.seq))
        way = data.draw(st.sampled_from(["lost", "cut", "body", "hash", "after nothing"]))
        damaged = [ALTERATIONS[way](row) if way in ALTERATIONS and row.seq == at else row for row in rows]
        rows = [
            row for row in damaged if not (way == "lost" and row.seq == at) and not (way == "cut" and row.seq >= at)
        ]
        torn = read_chain(TABLE, rows, chain.head)
        if torn.torn_at is None:  # it was stepped over long ago
            continue
        assert not torn.finished
        seals = data.draw(st.booleans())
        repair = chain.mend(torn, b"void %d" % round_, seals=seals)
        after = chain.append(b"on with it")
        assert repair.seq == torn.last + 1
        assert repair.after == torn.head.seq
        rows += [repair, after]
        mended = read_chain(TABLE, rows, chain.head)
        assert mended.torn_at is None
        assert mended.entries == (*torn.entries, repair, after)
        assert mended.head == chain.head
        assert mended.head.sealed == (repair.seq if seals else torn.head.sealed)


@given(st.sets(st.integers(3, 6)))
def test_skipped_entries_can_reappear_or_vanish(left: set[int]) -> None:
    entries, head = plain(6, sealed=2)
    chain = Chain(TABLE, head)
    torn = read_chain(TABLE, entries[:2], head)
    repair = chain.mend(torn, b"void", seals=True)
    rows = [*entries[:2], *(entries[seq - 1] for seq in left), repair]
    assert read_chain(TABLE, rows, chain.head).entries == (*entries[:2], repair)


def test_a_broken_repair_leaves_the_tear_open_at_the_same_place() -> None:
    entries, head = plain(5, sealed=1)
    chain = Chain(TABLE, head)
    rows = [*entries[:2], *entries[3:]]
    repair = chain.mend(read_chain(TABLE, rows, head), b"void")
    torn = read_chain(TABLE, [*rows, msgspec.structs.replace(repair, body=b"?")], chain.head)
    assert (torn.torn_at, torn.finished, torn.last) == (3, False, 6)
    again = chain.mend(torn, b"void again")
    assert (again.seq, again.after) == (7, 2)
    assert read_chain(TABLE, [*rows, repair, again], chain.head).entries == (*entries[:2], again)


def test_complete_loss_is_repaired_from_the_start() -> None:
    _, head = plain(4)
    chain = Chain(TABLE, head)
    repair = chain.mend(read_chain(TABLE, [], head), b"void")
    assert (repair.seq, repair.after) == (5, 0)
    assert read_chain(TABLE, [repair], chain.head).entries == (repair,)


def test_stray_entries_are_skipped_up_to_the_last() -> None:
    entries, _ = plain(5)
    recorded = head_of(entries[:3])
    chain = Chain(TABLE, recorded)
    repair = chain.mend(read_chain(TABLE, entries, recorded), b"void")
    assert (repair.seq, repair.after) == (6, 3)
    assert read_chain(TABLE, [*entries, repair], chain.head).entries == (*entries[:3], repair)


def test_repair_of_an_intact_table_is_an_append() -> None:
    entries, head = plain(2)
    one, other = Chain(TABLE, head), Chain(TABLE, head)
    assert one.mend(read_chain(TABLE, entries, head), b"x") == other.append(b"x")


def test_finished_entries_are_not_repaired() -> None:
    entries, head = plain(5, sealed=3)
    chain = Chain(TABLE, head)
    torn = read_chain(TABLE, [entries[0], *entries[2:]], head)
    assert (torn.torn_at, torn.finished) == (2, True)
    with pytest.raises(StoreError, match="table T-1 cannot be repaired, because entry 2 is missing"):
        chain.mend(torn, b"void")
    assert chain.head == head


@for_each("repair_seals", [False, True])
@for_each("damage", ["altered before", "lost before", "altered itself", "cut after"])
def test_a_forged_repair_does_not_step_over_finished_entries(damage: str, repair_seals: bool) -> None:
    """Entry 4 is finished; a repair chained to entry 2 has a correct hash and is refused anyway."""
    entries, head = plain(6, sealed=4)
    left = {
        "altered before": [*entries[:2], ALTERATIONS["body"](entries[2]), *entries[3:]],
        "lost before": [*entries[:2], *entries[3:]],
        "altered itself": [*entries[:3], ALTERATIONS["body"](entries[3]), *entries[4:]],
        "cut after": [*entries[:2], entries[3]],
    }[damage]
    hung_on = 3 if damage == "altered itself" else 2
    forger = Chain(TABLE, head_of(entries[:hung_on]))
    repair = forger._add(7, b"forged", repair_seals)  # `append` and `mend` would refuse
    record = forger.head if repair_seals else msgspec.structs.replace(head, seq=7, hash=repair.hash)
    reading = read_chain(TABLE, [*left, repair], record)
    assert (reading.torn_at, reading.finished) == (hung_on + 1, True)
    assert reading.entries == tuple(entries[:hung_on])


def test_a_forged_repair_over_sound_entries_is_itself_the_tear() -> None:
    entries, head = plain(6, sealed=4)
    forger = Chain(TABLE, head_of(entries[:2]))
    repair = forger._add(7, b"forged", False)
    reading = read_chain(TABLE, [*entries, repair], msgspec.structs.replace(head, seq=7, hash=repair.hash))
    assert reading.entries == tuple(entries)
    assert (reading.torn_at, reading.finished) == (7, False)


def test_a_forged_repair_over_lost_finished_entries_leaves_the_tear_where_it_begins() -> None:
    """Nothing is left of entries 3 and 4 but the record that 4 was finished."""
    entries, head = plain(6, sealed=4)
    repair = Chain(TABLE, head_of(entries[:2]))._add(7, b"forged", False)
    record = msgspec.structs.replace(head, seq=7, hash=repair.hash)
    reading = read_chain(TABLE, [*entries[:2], *entries[4:], repair], record)
    assert (reading.torn_at, reading.finished) == (3, True)


def test_a_forged_repair_past_the_recorded_end_costs_no_entry() -> None:
    entries, head = plain(5)
    repair = Chain(TABLE, head_of(entries[:3]))._add(7, b"forged", False)
    reading = read_chain(TABLE, [*entries, repair], head)
    assert reading.entries == tuple(entries)
    assert (reading.torn_at, reading.finished, reading.last) == (7, False, 7)


def test_last_entry_that_differs_from_the_announced_one_is_torn() -> None:
    chain = Chain("T-1", start_hash("T-1"))
    entries = [chain.append(b"deal", seals=True), chain.append(b"cards")]
    other = Chain("T-1", start_hash("T-1"))
    for body in (b"deal", b"other cards"):
        other.append(body, seals=body == b"deal")
    reading = read_witnessed("T-1", entries, chain.head, other.head)
    assert (reading.torn_at, reading.tear) == (2, "entry 2 differs from the one that players received")
    assert [entry.seq for entry in reading.entries] == [1]


@pytest.mark.parametrize(("altered", "lost"), [(1, 0), (2, 0), (None, 1)])
def test_where_the_end_that_was_recorded_is_damaged_it_is_not_called_lost(altered: int | None, lost: int) -> None:
    entries, witnessed = plain(3)
    left = [msgspec.structs.replace(entry, body=b"other") if entry.seq == altered else entry for entry in entries[:2]]
    reading = read_witnessed(TABLE, left, head_of(entries[:2]), witnessed)
    assert (reading.torn_at, reading.lost) == (altered or 3, lost)
    assert ("players received everything" in reading.tear) == bool(lost)
