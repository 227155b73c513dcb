"""A disk that remembers: every write and sync of a journal in order, by a shim around SQLite's own file system.

SQLite gets a file system that is its own except for the calls that change files: these are recorded and
passed on, or fail if a test wants that. The witness's file, which Python writes, is recorded too. `power.py` makes
images from the record. Nothing is really synced, which also makes it fast.
"""

import ctypes
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

IOERR_READ, IOERR_WRITE, IOERR_FSYNC, FULL = 10 | 1 << 8, 10 | 3 << 8, 10 | 4 << 8, 13
"""SQLite's codes for errors of a disk."""

Kind = Literal["write", "truncate", "sync", "delete", "replace", "sent"]


class Change(Struct, frozen=True):
    """One change of a file, or a note that an end was sent to clients."""

    kind: Kind
    name: str
    at: int = 0
    data: bytes = b""
    other: str = ""


class _Methods(Structure):
    _fields_ = (("version", c_int), *[(f"method{k}", c_void_p) for k in range(18)])


class _File(Structure):
    _fields_ = (("methods", POINTER(_Methods)),)


class _Vfs(Structure):
    _fields_ = (
        ("version", c_int),
        ("file_size", c_int),
        ("path_length", c_int),
        ("next", c_void_p),
        ("name", c_char_p),
        ("data", c_void_p),
        ("open", c_void_p),
        ("delete", c_void_p),
        *[(f"method{k}", c_void_p) for k in range(14)],
    )


# A path is a bare pointer here: SQLite keeps it, and one made from Python's bytes would point to nothing soon.
_OPEN = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, POINTER(c_int))
_DELETE = CFUNCTYPE(c_int, c_void_p, c_char_p, c_int)
_READ = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
_WRITE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
_TRUNCATE = CFUNCTYPE(c_int, c_void_p, c_int64)
_SYNC = CFUNCTYPE(c_int, c_void_p, c_int)
_READ_AT, _WRITE_AT, _TRUNCATE_AT, _SYNC_AT = 1, 2, 3, 4  # in the table of a file's methods


class Disk:
    """The changes of the files, in order; `fails` can return the error code of the next call."""

    def __init__(self) -> None:
        self.changes: list[Change] = []
        self.fails: Callable[[str, str], int] = lambda call, name: 0
        self.calls = 0
        self._library = ctypes.CDLL("libsqlite3.so.0")
        self._library.sqlite3_vfs_find.restype = POINTER(_Vfs)
        self._library.sqlite3_vfs_find.argtypes = [c_char_p]
        self._library.sqlite3_vfs_register.argtypes = [POINTER(_Vfs), c_int]
        self._library.sqlite3_vfs_unregister.argtypes = [POINTER(_Vfs)]
        self._names: dict[int, str] = {}
        self._tables: dict[int, _Methods] = {}
        self._alive: list[Any] = []  # objects used by C calls, which Python must keep

    # --- while it records

    @contextmanager
    def following(self) -> Iterator["Disk"]:
        """Record all files that SQLite and the witness open meanwhile."""
        usual = self._library.sqlite3_vfs_find(None)
        ours = _Vfs.from_buffer_copy(usual.contents)
        ours.name = b"recording"
        opened, deleted = _OPEN(usual.contents.open), _DELETE(usual.contents.delete)
        ours.open = self._as_pointer(_OPEN(lambda vfs, *rest: self._open(opened, *rest)))
        ours.delete = self._as_pointer(_DELETE(lambda vfs, *rest: self._delete(deleted, *rest)))
        self._usual = ctypes.addressof(usual.contents)
        self._library.sqlite3_vfs_register(ctypes.byref(ours), 1)
        patched = self._follow_python()
        try:
            yield self
        finally:
            patched()
            self._library.sqlite3_vfs_unregister(ctypes.byref(ours))

    def sent(self, what: str) -> None:
        """Note that clients were sent this: later failures of the disk do not excuse its loss."""
        self.changes.append(Change("sent", what))

    def _as_pointer(self, callback: Any) -> int:
        self._alive.append(callback)
        return int(ctypes.cast(callback, c_void_p).value or 0)

    def _failing(self, call: str, name: str) -> int:
        self.calls += 1
        return self.fails(call, name)

    # --- SQLite's files

    def _open(self, usual: Any, path: int | None, file: int, flags: int, out: Any) -> int:
        name = os.path.basename(ctypes.string_at(path).decode()) if path else ""
        code: int = usual(self._usual, path, file, flags, out)
        if code == 0 and name:
            self._names[file] = name
            found = ctypes.cast(file, POINTER(_File)).contents
            found.methods = ctypes.pointer(self._following_table(found.methods))
        return code

    def _delete(self, usual: Any, path: bytes, sync: int) -> int:
        self.changes.append(Change("delete", os.path.basename(path.decode())))
        return int(usual(self._usual, path, sync))

    def _following_table(self, usual: Any) -> _Methods:
        """The methods of a file, with those that matter replaced."""
        key = ctypes.addressof(usual.contents)
        if key not in self._tables:
            table = _Methods.from_buffer_copy(usual.contents)
            read, write = _READ(self._method(usual, _READ_AT)), _WRITE(self._method(usual, _WRITE_AT))
            truncate, sync = _TRUNCATE(self._method(usual, _TRUNCATE_AT)), _SYNC(self._method(usual, _SYNC_AT))
            followed = {
                _READ_AT: _READ(lambda *given: self._failing("read", self._names[given[0]]) or read(*given)),
                _WRITE_AT: _WRITE(lambda *given: self._write(write, *given)),
                _TRUNCATE_AT: _TRUNCATE(lambda *given: self._truncate(truncate, *given)),
                _SYNC_AT: _SYNC(lambda *given: self._sync(sync, *given)),
            }
            for at, callback in followed.items():
                setattr(table, f"method{at}", self._as_pointer(callback))
            self._tables[key] = table
        return self._tables[key]

    @staticmethod
    def _method(table: Any, at: int) -> int:
        return int(getattr(table.contents, f"method{at}"))

    def _write(self, usual: Any, file: int, data: int, size: int, at: int) -> int:
        name = self._names[file]
        code = self._failing("write", name)
        if not code:
            self.changes.append(Change("write", name, at, ctypes.string_at(data, size)))
            code = usual(file, data, size, at)
        return code

    def _truncate(self, usual: Any, file: int, size: int) -> int:
        self.changes.append(Change("truncate", self._names[file], size))
        return int(usual(file, size))

    def _sync(self, usual: Any, file: int, flags: int) -> int:
        name = self._names[file]
        code = self._failing("sync", name)
        if not code:
            self.changes.append(Change("sync", name))
        return code

    # --- the witness's file

    def _follow_python(self) -> Callable[[], None]:
        """Record what Python itself writes; return a function that stops it."""
        pwrite, fsync, replace = os.pwrite, os.fsync, os.replace

        def name_of(descriptor: int) -> str:
            return os.path.basename(os.readlink(f"/proc/self/fd/{descriptor}"))

        def followed_pwrite(descriptor: int, data: bytes, at: int) -> int:
            name = name_of(descriptor)
            if self._failing("write", name):
                raise OSError(5, "Input/output error")
            self.changes += [Change("write", name, at, bytes(data)), Change("sync", name)]  # it is opened with O_DSYNC
            return pwrite(descriptor, data, at)

        def followed_fsync(descriptor: int) -> None:
            name, size = name_of(descriptor), os.fstat(descriptor).st_size
            if self._failing("sync", name):
                raise OSError(5, "Input/output error")
            if os.path.isfile(f"/proc/self/fd/{descriptor}"):  # a file written by other means: all of it at once
                content = Path(f"/proc/self/fd/{descriptor}").read_bytes()
                self.changes += [Change("truncate", name, size), Change("write", name, 0, content)]
            self.changes.append(Change("sync", name))

        def followed_replace(old: str | Path, new: str | Path) -> None:
            self.changes.append(Change("replace", os.path.basename(old), other=os.path.basename(new)))
            replace(old, new)

        os.pwrite, os.fsync, os.replace = followed_pwrite, followed_fsync, followed_replace  # type: ignore[assignment]  # as long as it is followed

        def end() -> None:
            os.pwrite, os.fsync, os.replace = pwrite, fsync, replace

        return end


def same_library() -> bool:
    """Whether Python's SQLite is the library that the shim can reach."""
    try:
        library = ctypes.CDLL("libsqlite3.so.0")
    except OSError:
        return False
    library.sqlite3_libversion.restype = c_char_p
    module = str(getattr(__import__("_sqlite3"), "__file__", ""))
    return bool(module) and library.sqlite3_libversion().decode() == sqlite3.sqlite_version
