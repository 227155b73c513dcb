"""A disk that keeps what was synced, and can be slow, full, broken, torn or lying; and a writer without a thread.

Every read, write and sync is one operation, counted over all lives of the server, so that any of them can fail.
"""

from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import Any, Self

from msgspec.structs import replace

from pitboss.store import Entry, Store, Writer
from pitboss.store.chain import Fenced, Head, Reading, StoreError, is_linked, read_witnessed, start_hash
from tests.support.sim.process import Process
from tests.support.sim.world import World


class Killed(BaseException):
    """The process dies within an operation."""


class Disk:
    """The data that every life of the server finds again."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.rows: dict[str, list[Entry]] = {}
        self.heads: dict[str, Head] = {}
        self.epochs: dict[str, int] = {}
        self.operations = 0
        self.failing: dict[int, str] = {}  #: operation → what goes wrong: "broken", "killed"
        self.full = False
        self.lies: tuple[str, ...] = ()  #: the files, "journal" and "witness", whose syncs are reported but not done
        self.witnessed: dict[str, Head] = {}  #: the second file: the ends of tables that clients were last sent
        self.damaged = False  #: whether any entry that was synced, or reported as synced, was ever lost
        self.rewound: set[str] = set()  #: tables that lost their end without a file that shows it
        self._unsynced: list[tuple[Sequence[Entry], dict[str, Head]]] = []  # with the witness as it was before
        self._copy: tuple[dict[str, list[Entry]], dict[str, Head], dict[str, Head]] | None = None  # before damage
        self.slow = 0.002  #: the maximum seconds of a write
        self.on_durable: Callable[[Sequence[Entry]], None] = lambda entries: None

    def operate(self, what: str, process: Process) -> None:
        """Count one more operation, and let it fail if it should."""
        self.operations += 1
        trouble = self.failing.pop(self.operations, None)
        if trouble == "killed":
            self.world.count(f"killed in a {what}")
            process.kill()
            raise Killed
        if trouble is not None:
            self.world.count(f"{what} fails")
            raise StoreError(f"the disk fails at operation {self.operations}: {what}")
        if self.full and what != "read":
            self.world.count("disk is full")
            raise StoreError("the disk is full: make room and start again")

    def keep(self, entries: Iterable[Entry]) -> None:
        """Put entries on disk for good."""
        for entry in entries:
            self.rows[entry.table].append(entry)
            self.heads[entry.table] = self.heads[entry.table].then(entry)

    def sync(self, entries: Sequence[Entry]) -> None:
        """Report entries, and all before them, as synced."""
        if not self.lies:
            self._unsynced.clear()
        else:
            self._unsynced.append((entries, dict(self.witnessed)))

    def forget(self, count: int) -> None:
        """The power fails: some of the last batches that were reported as synced are gone."""
        if self._unsynced and count:
            self._damage()
        for batch, witnessed in [self._unsynced.pop() for _ in range(min(count, len(self._unsynced)))]:
            gone = set(batch)
            for table in sorted({entry.table for entry in batch}):
                self.rows[table] = [row for row in self.rows[table] if row not in gone]
                self.heads[table] = start_hash(table)
                for row in self.rows[table]:
                    self.heads[table] = self.heads[table].then(row)
                if "witness" in self.lies:
                    self.rewound.add(table)
                    self.witnessed = witnessed
        self._unsynced.clear()

    def _damage(self) -> None:
        self.damaged = True
        if self._copy is None:
            rows = {table: list(rows) for table, rows in self.rows.items()}
            self._copy = rows, dict(self.heads), dict(self.witnessed)

    def taken_up(self) -> None:
        """A server continues from what is there: that is the journal from now on."""
        self._copy = None

    def restore(self) -> None:
        """Put a copy from before the damage back."""
        assert self._copy is not None, "refused, and nothing was damaged"
        (self.rows, self.heads, self.witnessed), self._copy = self._copy, None

    def tear(self, table: str, seq: int, *, lose: bool) -> None:
        """Lose an entry, or alter it without its hash."""
        self._damage()
        rows = self.rows[table]
        if lose:
            self.rows[table] = [row for row in rows if row.seq != seq]
        else:
            self.rows[table] = [replace(row, body=row.body[:-1] + b"?") if row.seq == seq else row for row in rows]

    def read(self, table: str) -> Reading:
        """All entries, as the auditor reads them."""
        return read_witnessed(table, self.rows[table], self.heads[table], self.witnessed.get(table))


class DiskStore:
    """The journal as one life of the server has it open."""

    def __init__(self, disk: Disk, process: Process) -> None:
        self._disk = disk
        self._process = process
        self._epochs: dict[str, int] = {}
        self.syncing: Sequence[Entry] = ()  #: written, and not known to be synced

    @property
    def notices(self) -> Sequence[str]:
        """There is nothing to report."""
        return ()

    def tables(self) -> tuple[str, ...]:
        """Every table."""
        self._disk.operate("read", self._process)
        return tuple(self._disk.rows)

    def claim(self, table: str) -> None:
        """Create the table if it is new, and own it."""
        disk = self._disk
        disk.operate("write", self._process)
        disk.operate("sync", self._process)
        disk.rows.setdefault(table, [])
        disk.heads.setdefault(table, start_hash(table))
        disk.epochs[table] = self._epochs[table] = disk.epochs.get(table, 0) + 1

    def read(self, table: str) -> Reading:
        """All entries."""
        disk = self._disk
        disk.operate("read", self._process)
        reading = disk.read(table)
        if reading.torn_at is None:
            disk.witnessed[table] = reading.head  # an owner may send what it has read
        return reading

    def newest(self, table: str) -> Entry | None:
        """The last entry."""
        rows = self._disk.rows.get(table)
        return rows[-1] if rows else None

    def part(self, table: str, after: int, most: int) -> tuple[Entry, ...]:
        """Some entries."""
        self._disk.operate("read", self._process)
        return tuple([row for row in self._disk.rows[table] if row.seq > after][:most])

    def open_reader(self) -> Store:
        """Reading needs no second connection here."""
        return self

    def append(self, entries: Sequence[Entry]) -> None:
        """Write entries and sync them."""
        if self._process.dead:
            return
        disk = self._disk
        heads = dict(disk.heads)
        for entry in entries:
            if disk.epochs.get(entry.table) != self._epochs.get(entry.table):
                raise Fenced(f"another process has taken over table {entry.table}")
            head = heads[entry.table]
            repairs = entry.after < entry.seq - 1
            assert repairs or (entry.seq == head.seq + 1 and is_linked(entry, entry.table, head.hash)), (
                "out of its chain"
            )
            heads[entry.table] = head.then(entry)
        disk.operate("write", self._process)
        self.syncing = entries
        disk.operate("sync", self._process)
        self.syncing = ()
        disk.keep(entries)
        disk.sync(entries)
        disk.operate("witness", self._process)
        disk.witnessed |= {entry.table: disk.heads[entry.table] for entry in entries}
        disk.on_durable(entries)

    def give_up(self) -> None:
        """Nothing is waiting."""

    def close(self) -> None:
        """Nothing is open."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class TimedWriter(Writer):
    """The journal's writer on the world's clock instead of a thread: a batch takes as long as the disk takes."""

    def __init__(self, process: Process, disk: Disk, on_put: Callable[[Sequence[Entry]], None], *args: Any) -> None:
        super().__init__(*args)
        self.process = process
        self.disk = disk
        self._on_put = on_put
        self._batch: Sequence[Entry] = ()
        self._started = False
        self._count = 0

    @property
    def in_flight(self) -> Sequence[Entry]:
        """What is being written."""
        return self._batch

    def start(self) -> None:
        """Start writing."""
        self._started = True
        self._begin()

    def put(self, entries: Sequence[Entry]) -> None:
        """Hand over entries; the disk writes them when it is free."""
        if entries and not self.process.dead:
            self._on_put(entries)
        super().put(entries)
        self._count += bool(entries) and not self._failed
        self._begin()

    def close(self) -> None:
        """Write what was put, then stop."""
        self._closed = True
        if self._batch:
            self._finish()
        while self._count and not self._failed:
            self._gather_batch()
            self._finish()

    def _begin(self) -> None:
        if self._started and self._count and not self._batch and not self._failed and not self.process.dead:
            self._gather_batch()
            world = self.disk.world
            self.process.thread(world.between(0.0, self.disk.slow), self._finish)

    def _gather_batch(self) -> None:
        self._batch, _ = self._gather()
        self._count = 0

    def _finish(self) -> None:
        batch, self._batch = self._batch, ()
        if not batch or self.process.dead:
            return
        try:
            self._write(batch)
        finally:
            self._begin()
