"""A journal's files: who owns them, who may read them, under which names they are known, and the witness beside
them.

They hold decks and hands in mid-hand, so they belong to their owner alone. The owner locks the journal itself, by
a descriptor that is opened before SQLite's own and closed after it: the lock is gone when the process is, however
that ended. Closing any descriptor of a file gives up every lock of SQLite's kind that this process holds on it;
so a file that is open here is never opened a second time, and what is only looked at is asked by its name.

The witness records where every table ended when someone was last told of it. A journal that has lost its end
chains as well as one that never had it: SQLite takes a damaged write-ahead file for a shorter one. So the head of
every table goes into a second file, after the journal's commit and before anyone is told; a journal that ends
before its witness has lost something. The other way round nothing is lost: the process ended between the two.

The witness is lines of text, each a checksum, a space and JSON: first what it belongs to, then heads by table,
newest last. It has its full size from the start, filled up with zeros, so that a sync writes a line and nothing
about the file; when it is full a new one takes its place. A last line that is torn was never synced, and counts
for nothing.
"""

import os
import secrets
import stat
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import IO

import msgspec
from msgspec import Struct

from pitboss.store.chain import Head, InUse, StoreError

PRIVATE = 0o600
"""The mode of a file that holds secrets: its owner reads and writes it, and nobody else does anything."""
BESIDE = ("-wal", "-shm", "-witness")
"""What the names of the journal's other files end with."""
MOUNTS = Path("/proc/self/mountinfo")
LOCKABLE = sys.platform == "linux"
"""Whether the whole file can be locked beside SQLite's own locks; elsewhere the two get into each other's way."""
CHECK_EVERY = 0.02
"""Seconds from one look at the files' names to the next: beside a busy event loop a look costs more than it seems."""

_owned: set[tuple[int, int]] = set()  # the files that this process has open as their owner, by device and number
_owning = threading.Lock()

DAMAGED = "THE WITNESS IS DAMAGED"
"""How the notice begins that something of a witness cannot be read."""
SIZE = 1 << 20
"""How long the file is, unless that holds only few lines a table."""
_SPARE = 4
_CHECKSUM = 32  # letters


class WatchedNames:
    """Files that this process has open, under the names by which the next process will look for them."""

    def __init__(self) -> None:
        self._watched: dict[Path, tuple[int, int]] = {}
        self._checked = 0.0

    def watch(self, file: Path) -> None:
        """Notice from now on where a file is removed or replaced."""
        self._watched[file] = _identity(os.stat(file))

    def check(self) -> None:
        """Make sure, some times a second, that the files still are what their names stand for."""
        now = time.monotonic()
        if now < self._checked + CHECK_EVERY:
            return
        self._checked = now
        for file, identity in self._watched.items():
            try:
                found = os.stat(file)
            except FileNotFoundError:
                raise _name_gone(file) from None
            if _identity(found) != identity:
                raise _name_gone(file)


class OwnedFile(WatchedNames):
    """The journal's file, made if it is new, and locked for as long as this process owns it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        with _owning:
            with suppress(FileNotFoundError):
                if _identity(os.stat(path)) in _owned:
                    raise _in_use(path)
            self._descriptor = _open(path)
            try:
                self._identity = self._lock()
            except BaseException:
                os.close(self._descriptor)
                raise
            _owned.add(self._identity)
        self._watched[path] = self._identity

    def _lock(self) -> tuple[int, int]:
        found = os.fstat(self._descriptor)
        check_names(self.path, found)
        # Before SQLite opens anything, which would make its other files this user's, and as wide as the journal is.
        self._wide = [file.name for file in (self.path, *side_files(self.path)) if _is_open_to_others(file)]
        if LOCKABLE:
            import fcntl

            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise _in_use(self.path) from None
        if _identity(os.stat(self.path)) != _identity(found):  # replaced between the opening and the lock
            raise _in_use(self.path)
        return _identity(found)

    def narrow(self) -> list[str]:
        """Take the journal's files away from other users; says so where somebody could have read them."""
        for file in (self.path, *side_files(self.path)):
            _make_private(file)
        if not self._wide:
            return []
        sentence = "could be read by other users of this machine: from now on only by their owner"
        return [f"{' and '.join(self._wide)} {sentence}; whoever looked may know hands and decks up to now"]

    def close(self) -> None:
        """Give the file back."""
        with _owning:
            _owned.discard(self._identity)
            os.close(self._descriptor)


def side_files(path: Path) -> tuple[Path, ...]:
    """Return the journal's other files, which need not be there."""
    return tuple(path.with_name(path.name + end) for end in BESIDE)


def check_names(path: Path, found: os.stat_result) -> None:
    """Refuse a file that is known by other names too: its other files would be looked for beside each of them."""
    if not stat.S_ISREG(found.st_mode):
        raise StoreError(f"{path} is no ordinary file: give one that is")
    if found.st_nlink > 1:
        raise StoreError(
            f"{path} has {found.st_nlink} names (hard links), and under another one its end is not found: "
            f"remove the others (find them with find -inum {found.st_ino}), or use a copy made with cp"
        )
    mounted = _mount_points()
    for file in (path, *side_files(path)):
        if str(file) in mounted:
            raise StoreError(
                f"{file} is mounted as a single file, and under its other name its end is not found: "
                "mount the folder that holds it, or use a copy"
            )


def open_private(path: Path, mode: str) -> IO[str]:
    """Open a text file that holds secrets, as its owner's alone whatever the umask says."""
    return open(path, mode, encoding="utf-8", buffering=1, opener=_open_as_private)


def sync_folder(path: Path) -> None:
    """Make the names in a file's folder survive a power failure."""
    if os.name != "posix":
        return  # a folder cannot be opened there
    descriptor = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _open_as_private(path: str, flags: int) -> int:
    descriptor = os.open(path, flags | getattr(os, "O_CLOEXEC", 0), PRIVATE)
    try:
        _make_open_file_private(descriptor)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _open(path: Path) -> int:
    """Open the file, or make it: here, because SQLite would make it as the umask says."""
    flags = os.O_RDWR | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:
        return os.open(path, flags)
    except FileNotFoundError:
        try:
            descriptor = os.open(path, flags | os.O_CREAT | os.O_EXCL, PRIVATE)
        except FileExistsError:
            return os.open(path, flags)  # another process was faster
    if os.name == "posix":
        os.fchmod(descriptor, PRIVATE)  # an umask may take even the owner's rights
    sync_folder(path)
    return descriptor


def _make_open_file_private(descriptor: int) -> None:
    """Make an open file its owner's alone, if it is ours and is not."""
    found = os.fstat(descriptor)
    if (
        os.name == "posix"
        and found.st_uid == os.geteuid()
        and stat.S_ISREG(found.st_mode)
        and _is_readable_by_others(found)
    ):
        os.fchmod(descriptor, PRIVATE)


def _is_open_to_others(file: Path) -> bool:
    """Whether other users can do something with a file; one that is another user's is refused."""
    try:
        found = os.lstat(file)
    except FileNotFoundError:
        return False
    if not stat.S_ISREG(found.st_mode):
        raise StoreError(f"{file} is no ordinary file: remove it")
    if os.name != "posix":
        return False
    if found.st_uid != os.geteuid():
        raise StoreError(
            f"{file} belongs to another user (number {found.st_uid}), who could read all cards in it: "
            "serve as that user, or give a file of your own"
        )
    return bool(found.st_mode & 0o066)


def _make_private(file: Path) -> None:
    """Make a file its owner's alone, if it is there."""
    with suppress(FileNotFoundError):
        if os.name == "posix" and _is_readable_by_others(os.lstat(file)):
            os.chmod(file, PRIVATE)


def _is_readable_by_others(found: os.stat_result) -> bool:
    return bool(stat.S_IMODE(found.st_mode) & ~PRIVATE)


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def _mount_points() -> set[str]:
    """The paths at which something is mounted, as far as the system tells."""
    try:
        lines = MOUNTS.read_bytes().splitlines()
    except OSError:
        return set()
    places = (line.split(b" ")[4] for line in lines if line.count(b" ") > 4)
    return {os.fsdecode(place.decode("unicode_escape").encode("latin-1")) for place in places}


def _in_use(path: Path) -> InUse:
    return InUse(f"{path} is in use by another process: stop that one, or give this one a file of its own")


def _name_gone(file: Path) -> StoreError:
    return StoreError(
        f"{file} was removed, renamed or replaced under the running server, which therefore stops before it tells "
        "anybody more: put the file back that it wrote, and start again"
    )


class WitnessHeader(Struct, frozen=True):
    """The first line: the journal it belongs to, and its own length."""

    journal: str
    size: int
    version: int = 1


class WitnessReading(Struct):
    """What a witness says, and what is wrong with it."""

    journal: str = ""
    heads: dict[str, Head] = msgspec.field(default_factory=dict)
    damage: str = ""


_belonging = msgspec.json.Decoder(WitnessHeader)
_heads = msgspec.json.Decoder(dict[str, tuple[int, bytes, int, bytes]])


def witness_of(journal: Path) -> Path:
    """Return where a journal's witness lies."""
    return journal.with_name(journal.name + "-witness")


def new_journal_id() -> str:
    """Return a name by which a journal and its witness know each other."""
    return secrets.token_hex(16)


class Witness:
    """The witness of a journal that this process owns: a new file, which begins with all that is known."""

    def __init__(self, path: Path, journal: str, heads: Mapping[str, Head]) -> None:
        self.heads = dict(heads)
        self.path = path
        self._journal = journal
        self._descriptor: int | None = None
        self._size = self._end = 0
        self._names = WatchedNames()
        self._renew()

    def write(self, heads: Mapping[str, Head]) -> None:
        """Put where some tables end now on disk, if that is still where it will be looked for."""
        self._names.check()
        self.heads.update(heads)
        line = _heads_line(heads)
        if self._end + len(line) > self._size:
            self._renew()
            return
        assert self._descriptor is not None, "a witness that was closed is not written"
        if os.pwrite(self._descriptor, line, self._end) != len(line):
            raise StoreError(f"{self.path} cannot be written: look after the disk, and start again")
        if not hasattr(os, "O_DSYNC"):
            os.fsync(self._descriptor)
        self._end += len(line)

    def close(self) -> None:
        """Give the file back; closing twice is harmless."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    def _renew(self) -> None:
        """Put a new file in the place of the old one; until it is whole the old one counts."""
        self.close()
        known = b"".join(_heads_line({table: head}) for table, head in self.heads.items())
        self._size = max(SIZE, _SPARE * len(known))
        content = _line(WitnessHeader(self._journal, self._size)) + known
        new = self.path.with_name(self.path.name + "-new")
        with suppress(FileNotFoundError):
            new.unlink()  # of a process that did not get further
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0)
        with open(os.open(new, flags, PRIVATE), "wb") as file:
            if os.name == "posix":
                os.fchmod(file.fileno(), PRIVATE)
            file.write(content.ljust(self._size, b"\0"))
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, self.path)
        sync_folder(self.path)
        flags = os.O_WRONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_DSYNC", 0)
        self._descriptor, self._end = os.open(self.path, flags), len(content)
        self._names.watch(self.path)


def read_witness(path: Path) -> WitnessReading | None:
    """Read a witness, or as much of it as is sound; None where there is none."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    found = WitnessReading()
    lines = [line for line in content.rstrip(b"\0").split(b"\n") if line]
    try:
        belonging = _belonging.decode(_read_line(lines[0]) if lines else b"")
    except (msgspec.DecodeError, StoreError):
        found.damage = "line 1 is not as it was written"
    else:
        found.journal = belonging.journal
        if belonging.size != len(content):
            found.damage = f"it has {len(content)} of {belonging.size} bytes"
    unsound = 0
    for number, line in enumerate(lines[1:], 2):
        try:
            heads = _heads.decode(_read_line(line)).items()
        except (msgspec.DecodeError, StoreError):
            unsound = unsound or number
            continue
        for table, (seq, hash_, sealed, seal) in heads:
            found.heads[table] = Head(seq=seq, hash=hash_, sealed=sealed, seal=hash_ if sealed == seq else seal)
    if unsound and unsound < len(lines):
        found.damage = found.damage or f"line {unsound} is not as it was written"
    return found


def _heads_line(heads: Mapping[str, Head]) -> bytes:
    """Write heads as short as can be: where the last entry seals, its hash stands there once."""
    return _line(
        {
            table: (head.seq, head.hash, head.sealed, b"" if head.sealed == head.seq else head.seal)
            for table, head in heads.items()
        }
    )


def _line(content: object) -> bytes:
    text = msgspec.json.encode(content)
    return b"%s %s\n\n" % (_checksum(text), text)  # two, so that a changed byte does not join two lines


def _read_line(line: bytes) -> bytes:
    """Return what a line says, if it is as it was written."""
    checksum, text = line[:_CHECKSUM], line[_CHECKSUM + 1 :]
    if line[_CHECKSUM : _CHECKSUM + 1] != b" " or checksum != _checksum(text):
        raise StoreError("a line is not as it was written")
    return text


def _checksum(text: bytes) -> bytes:
    return sha256(text).hexdigest()[:_CHECKSUM].encode()
