"""What a power failure leaves of a journal: files built from recorded changes, at any moment, torn in any way."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from msgspec import Struct

from pitboss.store import Chain, Store, open_store
from tests.support.store.disk import Change, Disk

SECTOR = 512
WAYS = ("nothing unsynced", "everything", "torn", "some", "zeros")
"""What can happen to writes that are not synced yet."""

Files = dict[str, bytearray]


class Moment(Struct):
    """The disk at one moment: what is synced, what is not yet, and what clients have been sent."""

    sure: Files
    unsure: list[Change]
    sent: dict[str, tuple[int, str]]


def moments(changes: Sequence[Change]) -> Iterator[Moment]:
    """The disk after every change, from the first on."""
    now = Moment({}, [], {})
    for change in changes:
        if change.kind == "sent":
            now.sent = json.loads(change.name)
        elif change.kind == "sync":
            mine = [each for each in now.unsure if each.name == change.name]
            now.unsure = [each for each in now.unsure if each.name != change.name]
            for each in mine:
                _apply(now.sure, each)
        elif change.kind in ("delete", "replace"):
            _apply(now.sure, change)
            gone = {change.name, change.other}
            now.unsure = [each for each in now.unsure if each.name not in gone]
        else:
            now.unsure.append(change)
        yield now


def image(moment: Moment, way: str, chance: Random) -> Files:
    """One possible state of the files after a failure."""
    files = {name: bytearray(content) for name, content in moment.sure.items()}
    for number, change in enumerate(moment.unsure):
        last = number == len(moment.unsure) - 1
        if way == "nothing unsynced" or (way == "some" and chance.random() < 0.5):
            continue
        if way == "zeros" and last and change.kind == "write":
            change = Change("write", change.name, change.at, bytes(len(change.data)))
        elif (way == "torn" and last) or (way == "some" and chance.random() < 0.3):
            change = _torn(change, chance)
        _apply(files, change)
    return files


def _torn(change: Change, chance: Random) -> Change:
    """Some sectors of a write, from its beginning on."""
    if change.kind != "write":
        return change
    left = chance.randrange(len(change.data) // SECTOR + 1) * SECTOR
    return Change("write", change.name, change.at, change.data[:left])


def _apply(files: Files, change: Change) -> None:
    if change.kind == "delete":
        files.pop(change.name, None)
        return
    if change.kind == "replace":
        files[change.other] = files.pop(change.name, bytearray())
        return
    content = files.setdefault(change.name, bytearray())
    if change.kind == "truncate":
        del content[change.at :]
        content.extend(bytes(change.at - len(content)))
    elif change.data:
        content.extend(bytes(max(0, change.at - len(content))))
        content[change.at : change.at + len(change.data)] = change.data


# --- a journal that is written, and one that is found


def write_journal(path: Path, disk: Disk, seed: int, batches: int, *, lives: int = 3, off: bool = False) -> None:
    """Write a journal of three tables, reopened now and then; after each batch clients are sent its end."""
    chance, chains = Random(seed), dict[str, Chain]()
    for life in range(lives):
        with open_store(str(path)) as store:
            _hasten(store, off)
            for table in ("T-1", "T-2", "T-3"):
                store.claim(table)
                chains[table] = Chain(table, store.read(table).head)
            for _ in range(batches // lives):
                _write_batch(store, chains, chance)
                disk.sent(json.dumps({name: [each.head.seq, each.head.hash.hex()] for name, each in chains.items()}))
            if life == lives - 1:
                return


def _hasten(store: Store, off: bool) -> None:
    """Make checkpoints of the write-ahead file frequent, so that failures hit these too."""
    connection = getattr(store, "connection")  # noqa: B009  # only this kind of journal has one
    connection.execute("PRAGMA wal_autocheckpoint = 12")
    if off:
        connection.execute("PRAGMA synchronous = OFF")


def _write_batch(store: Store, chains: dict[str, Chain], chance: Random) -> None:
    entries = [
        chains[table].append(chance.randbytes(chance.choice((20, 200, 3000))), seals=chance.random() < 0.3)
        for table in chance.choices(sorted(chains), k=1 + chance.randrange(4))
    ]
    store.append(entries)


def look_at(folder: Path, files: Files, sent: dict[str, tuple[int, str]]) -> list[str]:
    """Write the files, open the journal and return its faults; it must also accept one more entry."""
    for name, content in files.items():
        (folder / name).write_bytes(content)
        (folder / name).chmod(0o600)
    problems: list[str] = []
    path = folder / "pitboss.db"
    if not path.exists():
        return [f"lost: {table} was sent of entry {seq}" for table, (seq, _) in sent.items() if seq]
    with open_store(str(path)) as store:
        problems += [f"alarm: {notice}" for notice in getattr(store, "notices", [])]
        there = set(store.tables())
        for table, (seq, digest) in sent.items():
            reading = store.read(table) if table in there else None
            if reading is not None and reading.torn_at is not None:
                problems.append(f"torn: {table}: {reading.tear}")
            hashes = {entry.seq: entry.hash.hex() for entry in reading.entries} if reading is not None else {}
            if seq and hashes.get(seq) != digest:
                problems.append(f"lost: {table} was sent of entry {seq}, and {len(hashes)} are there")
        if not problems:
            store.claim("T-1")
            store.append([Chain("T-1", store.read("T-1").head).append(b"on we go")])
    return problems
