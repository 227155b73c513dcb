"""The witness: where every table ended when somebody was last told of it, in a file of its own beside the journal.

A journal that has lost its end chains as well as one that never had it: SQLite takes a damaged write-ahead file for a
shorter one. So the head of every table goes into a second file, after the journal's commit and before anybody is told;
a journal that ends before its witness has lost something. The other way round nothing is: the process ended between
the two, and what only the journal has was told to nobody.

The file is lines of text, each a checksum, a space and JSON: first what it belongs to, then heads by table, newest
last. It has its full size from the start, filled up with zeros, so that a sync writes a line and nothing about the
file; when it is full a new one takes its place. A last line that is torn was never synced, and counts for nothing.
"""

import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

from pitboss.store.chain import Head
from pitboss.store.errors import StoreError
from pitboss.store.files import PRIVATE, WatchedNames, sync_folder

DAMAGED = "THE WITNESS IS DAMAGED"
"""How the notice begins that something of a witness cannot be read."""
SIZE = 1 << 20
"""How long the file is, unless that holds only few lines a table."""
_SPARE = 4
_CHECKSUM = 32  # letters


class Belonging(Struct, frozen=True):
    """The first line: the journal it belongs to, and its own length."""

    journal: str
    size: int
    version: int = 1


class Testimony(Struct):
    """What a witness says, and what is wrong with it."""

    journal: str = ""
    heads: dict[str, Head] = msgspec.field(default_factory=dict)
    damage: str = ""


_belonging = msgspec.json.Decoder(Belonging)
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
        content = _line(Belonging(self._journal, self._size)) + known
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


def read_witness(path: Path) -> Testimony | None:
    """Read a witness, or as much of it as is sound; None where there is none."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    found = Testimony()
    lines = [line for line in content.rstrip(b"\0").split(b"\n") if line]
    try:
        belonging = _belonging.decode(_sound(lines[0]) if lines else b"")
    except (msgspec.DecodeError, StoreError):
        found.damage = "line 1 is not as it was written"
    else:
        found.journal = belonging.journal
        if belonging.size != len(content):
            found.damage = f"it has {len(content)} of {belonging.size} bytes"
    unsound = 0
    for number, line in enumerate(lines[1:], 2):
        try:
            heads = _heads.decode(_sound(line)).items()
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


def _sound(line: bytes) -> bytes:
    """Return what a line says, if it is as it was written."""
    checksum, text = line[:_CHECKSUM], line[_CHECKSUM + 1 :]
    if line[_CHECKSUM : _CHECKSUM + 1] != b" " or checksum != _checksum(text):
        raise StoreError("a line is not as it was written")
    return text


def _checksum(text: bytes) -> bytes:
    return sha256(text).hexdigest()[:_CHECKSUM].encode()
