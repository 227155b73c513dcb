"""The hands of a match as a file that nobody can read before the match is over, also no bot that plays in it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO

from pitboss.errors import PitbossError
from pitboss.notation.phh import foreign_words, write_phhs
from pitboss.notation.record import Record
from pitboss.store.files import open_private

NAME = "hands.phhs"
HANDLES = Path("/proc/self/fd")
"""Through which a file without a name is given one."""


class SavingError(PitbossError):
    """Hands cannot be saved; says in one sentence why."""


class HandFile:
    """Writes hand after hand into `folder`, made where there is none; at the end they are its `hands.phhs`.

    Until then the file has no name, where the system has such files: a bot on the same account could read what others
    folded. So a program that is killed leaves none.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        self.hands = 0
        self.error: str | None = None
        self.foreign: set[str] = set()  #: what other programs may not know of these hands
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if os.path.lexists(self.path):
                raise SavingError(f"there is a {self.path} already, and it stays as it is: give another folder")
            self._file = self._open(folder)
        except OSError as error:
            raise SavingError(f"{self.path} cannot be written: {error.strerror or error}") from None

    def _open(self, folder: Path) -> IO[str]:
        flag: int = getattr(os, "O_TMPFILE", 0) if HANDLES.is_dir() else 0
        try:
            handle = os.open(folder, flag | os.O_WRONLY | os.O_CLOEXEC, 0o600) if flag else -1
        except OSError:  # not every file system has such files
            handle = -1
        self._unnamed = handle >= 0
        return os.fdopen(handle, "w", encoding="utf-8") if self._unnamed else open_private(self.path, "x")

    def write(self, record: Record) -> None:
        """Add a hand; where that fails the match goes on, and `error` says why."""
        if self.error is None:
            with self._noting():
                self._file.write(write_phhs([(str(self.hands + 1), record)]))
                self.foreign |= set(foreign_words(record))
                self.hands += 1

    def __enter__(self) -> "HandFile":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with self._noting(), self._file:
            self._file.flush()
            if not self.hands and not self._unnamed:
                self.path.unlink()
            elif self.hands and self._unnamed:
                handle = self._file.fileno()
                # Python's `link` follows the handle to its file only where a folder is given too; none is used.
                os.link(HANDLES / str(handle), self.path, src_dir_fd=handle, follow_symlinks=True)

    @contextmanager
    def _noting(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self.error = self.error or f"the hands could not be saved: {error.strerror or error}"
