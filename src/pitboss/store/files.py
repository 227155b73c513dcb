"""The files of a journal: their owner, their permissions and names, and the witness file.

The files contain decks and unfinished hands, so only their owner may read them. The owner locks the journal through a
descriptor that is opened before SQLite's descriptors and closed after them. The lock therefore ends with the process.
When a process closes any descriptor of a file, it loses all of its POSIX locks on it. So a file that is open here is
never opened again; it is examined only by name.

A journal that has lost its last entries is still a valid chain, and SQLite reads a damaged write-ahead file as a
shorter one. The witness file detects this. The head of every table is written to it after the commit and before
messages are sent. If the journal ends before the witness, it has lost entries. If the witness ends before the journal,
the process stopped between the two writes, and nothing is lost.

Each line of the witness is a checksum, a space and JSON. The first line contains the ID of the journal. Every other
line contains the heads of one or more tables, and a later line replaces the heads in an earlier one. The file is
created with its full size and filled with zeros, so that writing a line does not change its metadata. When the file is
full, a new one replaces it. An incomplete last line was never synced and is ignored.
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
"""The mode of a file with secrets: only its owner can read and write it."""
BESIDE = ("-wal", "-shm", "-witness")
"""The suffixes of the other files next to the journal."""
MOUNTS = Path("/proc/self/mountinfo")
LOCKABLE = sys.platform == "linux"
"""Whether a lock on the whole file is independent of SQLite's locks. This is the case only on Linux."""
CHECK_EVERY = 0.02
"""The number of seconds between two checks of the files' names. A check is slow while the event loop is busy."""

_owned: set[tuple[int, int]] = set()  # device and inode of the files that this process owns
_owning = threading.Lock()

DAMAGED = "THE WITNESS IS DAMAGED"
"""The start of the notice that a part of a witness cannot be read."""
SIZE = 1 << 20
"""The minimum size of the file. It is larger if there are many tables."""
_SPARE = 4
_CHECKSUM = 32  # letters


class WatchedNames:
    """Open files, and the names under which the next process opens them."""

    def __init__(self) -> None:
        self._watched: dict[Path, tuple[int, int]] = {}
        self._checked = 0.0

    def watch(self, file: Path) -> None:
        """Watch a file: `check` raises an error once it is removed or replaced."""
        self._watched[file] = _identity(os.stat(file))

    def check(self) -> None:
        """Raise `StoreError` if a watched file was removed or replaced. Calls within `CHECK_EVERY` do nothing."""
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
    """The file of a journal. It is created if it does not exist, and locked while this process owns it."""

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
        # Check before SQLite opens the journal, because SQLite creates its other files as this user.
        self._wide = [file.name for file in (self.path, *side_files(self.path)) if _is_open_to_others(file)]
        if LOCKABLE:
            import fcntl

            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise _in_use(self.path) from None
        if _identity(os.stat(self.path)) != _identity(found):  # another file replaced it between opening and locking
            raise _in_use(self.path)
        return _identity(found)

    def narrow(self) -> list[str]:
        """Remove the access of other users to the journal's files. Return a notice if they had access."""
        for file in (self.path, *side_files(self.path)):
            _make_private(file)
        if not self._wide:
            return []
        sentence = "could be read by other users of this machine: from now on only by their owner"
        return [f"{' and '.join(self._wide)} {sentence}; other users may know hands and decks up to now"]

    def close(self) -> None:
        """Close and unlock the file."""
        with _owning:
            _owned.discard(self._identity)
            os.close(self._descriptor)


def side_files(path: Path) -> tuple[Path, ...]:
    """Return the paths of the journal's other files, which may not exist."""
    return tuple(path.with_name(path.name + end) for end in BESIDE)


def check_names(path: Path, found: os.stat_result) -> None:
    """Raise `StoreError` if a journal has several names, or if one of its files is mounted alone.

    SQLite looks for a journal's other files next to the name that it was opened by, and would not find them.
    """
    if not stat.S_ISREG(found.st_mode):
        raise StoreError(f"{path}: expected a regular file")
    if found.st_nlink > 1:
        raise StoreError(
            f"{path} has {found.st_nlink} names (hard links), but its other files are next to only one of them: "
            f"remove the others (find them with find -inum {found.st_ino}), or use a copy made with cp"
        )
    mounted = _mount_points()
    for file in (path, *side_files(path)):
        if str(file) in mounted:
            raise StoreError(
                f"{file} is mounted as a single file, so the journal's other files are not next to it: "
                "mount the folder that holds it, or use a copy"
            )


def open_private(path: Path, mode: str) -> IO[str]:
    """Open a text file for secrets. Only its owner can read it, whatever the umask is."""
    return open(path, mode, encoding="utf-8", buffering=1, opener=_open_as_private)


def sync_folder(path: Path) -> None:
    """Sync the folder of a file, so that new names in it survive a power failure."""
    if os.name != "posix":
        return  # folders cannot be opened on this system
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
    """Open the file or create it. SQLite would create it with the mode of the umask."""
    flags = os.O_RDWR | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:
        return os.open(path, flags)
    except FileNotFoundError:
        try:
            descriptor = os.open(path, flags | os.O_CREAT | os.O_EXCL, PRIVATE)
        except FileExistsError:
            return os.open(path, flags)  # another process has created it meanwhile
    if os.name == "posix":
        os.fchmod(descriptor, PRIVATE)  # a umask can remove even the owner's access
    sync_folder(path)
    return descriptor


def _make_open_file_private(descriptor: int) -> None:
    """Remove the access of other users to an open file, if this user owns it."""
    found = os.fstat(descriptor)
    if (
        os.name == "posix"
        and found.st_uid == os.geteuid()
        and stat.S_ISREG(found.st_mode)
        and _is_readable_by_others(found)
    ):
        os.fchmod(descriptor, PRIVATE)


def _is_open_to_others(file: Path) -> bool:
    """Return whether other users can access a file. Raise `StoreError` if another user owns it."""
    try:
        found = os.lstat(file)
    except FileNotFoundError:
        return False
    if not stat.S_ISREG(found.st_mode):
        raise StoreError(f"{file}: expected a regular file; remove it")
    if os.name != "posix":
        return False
    if found.st_uid != os.geteuid():
        raise StoreError(
            f"{file} belongs to another user (number {found.st_uid}), who could read all cards in it: "
            "run the server as that user, or give another file"
        )
    return bool(found.st_mode & 0o066)


def _make_private(file: Path) -> None:
    """Remove the access of other users to a file, if it exists."""
    with suppress(FileNotFoundError):
        if os.name == "posix" and _is_readable_by_others(os.lstat(file)):
            os.chmod(file, PRIVATE)


def _is_readable_by_others(found: os.stat_result) -> bool:
    return bool(stat.S_IMODE(found.st_mode) & ~PRIVATE)


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def _mount_points() -> set[str]:
    """Return the paths of all mounts, or an empty set if the system does not list them."""
    try:
        lines = MOUNTS.read_bytes().splitlines()
    except OSError:
        return set()
    places = (line.split(b" ")[4] for line in lines if line.count(b" ") > 4)
    return {os.fsdecode(place.decode("unicode_escape").encode("latin-1")) for place in places}


def _in_use(path: Path) -> InUse:
    return InUse(f"{path} is in use by another process: stop that process, or give this one a file of its own")


def _name_gone(file: Path) -> StoreError:
    return StoreError(
        f"{file} was removed, renamed or replaced while the server was running, so the server stops before it sends "
        "anything else: put back the file that it wrote, and start again"
    )


class WitnessHeader(Struct, frozen=True):
    """The first line of a witness: the journal that it belongs to, and the size of the file."""

    journal: str
    size: int
    version: int = 1


class WitnessReading(Struct):
    """The contents of a witness, and a description of its damage."""

    journal: str = ""
    heads: dict[str, Head] = msgspec.field(default_factory=dict)
    damage: str = ""


_belonging = msgspec.json.Decoder(WitnessHeader)
_heads = msgspec.json.Decoder(dict[str, tuple[int, bytes, int, bytes]])


def witness_of(journal: Path) -> Path:
    """Return the path of the witness of a journal."""
    return journal.with_name(journal.name + "-witness")


def new_journal_id() -> str:
    """Return a random id for a journal and its witness."""
    return secrets.token_hex(16)


class Witness:
    """The witness of a journal that this process owns. It is a new file that begins with all known heads."""

    def __init__(self, path: Path, journal: str, heads: Mapping[str, Head]) -> None:
        self.heads = dict(heads)
        self.path = path
        self._journal = journal
        self._descriptor: int | None = None
        self._size = self._end = 0
        self._names = WatchedNames()
        self._renew()

    def write(self, heads: Mapping[str, Head]) -> None:
        """Write heads of tables to disk. Raise `StoreError` if the file was removed or replaced."""
        self._names.check()
        self.heads.update(heads)
        line = _heads_line(heads)
        if self._end + len(line) > self._size:
            self._renew()
            return
        assert self._descriptor is not None, "expected an open witness"
        if os.pwrite(self._descriptor, line, self._end) != len(line):
            raise StoreError(f"{self.path} cannot be written: check the disk, and start again")
        if not hasattr(os, "O_DSYNC"):
            os.fsync(self._descriptor)
        self._end += len(line)

    def close(self) -> None:
        """Close the file. Closing it again has no effect."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    def _renew(self) -> None:
        """Replace the file by a new one. The old one is valid until the new one is complete."""
        self.close()
        known = b"".join(_heads_line({table: head}) for table, head in self.heads.items())
        self._size = max(SIZE, _SPARE * len(known))
        content = _line(WitnessHeader(self._journal, self._size)) + known
        new = self.path.with_name(self.path.name + "-new")
        with suppress(FileNotFoundError):
            new.unlink()  # left by a process that stopped before it replaced the file
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
    """Return the readable part of a witness, or None if the file does not exist."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    found = WitnessReading()
    lines = [line for line in content.rstrip(b"\0").split(b"\n") if line]
    try:
        belonging = _belonging.decode(_read_line(lines[0]) if lines else b"")
    except (msgspec.DecodeError, StoreError):
        found.damage = "line 1 is damaged"
    else:
        found.journal = belonging.journal
        if belonging.size != len(content):
            found.damage = f"the file has {len(content)} of {belonging.size} bytes"
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
        found.damage = found.damage or f"line {unsound} is damaged"
    return found


def _heads_line(heads: Mapping[str, Head]) -> bytes:
    """Return heads as one line of JSON. If the last entry of a table seals, its hash is written once."""
    return _line(
        {
            table: (head.seq, head.hash, head.sealed, b"" if head.sealed == head.seq else head.seal)
            for table, head in heads.items()
        }
    )


def _line(content: object) -> bytes:
    text = msgspec.json.encode(content)
    return b"%s %s\n\n" % (_checksum(text), text)  # with two line ends, a single changed byte cannot join two lines


def _read_line(line: bytes) -> bytes:
    """Return the content of a line. Raise `StoreError` if its checksum does not fit."""
    checksum, text = line[:_CHECKSUM], line[_CHECKSUM + 1 :]
    if line[_CHECKSUM : _CHECKSUM + 1] != b" " or checksum != _checksum(text):
        raise StoreError("a line is damaged")
    return text


def _checksum(text: bytes) -> bytes:
    return sha256(text).hexdigest()[:_CHECKSUM].encode()
