"""A participant's own transcript: every frame the server has sent, one JSON text a line."""

import logging
import os
from pathlib import Path
from types import TracebackType
from typing import IO

import msgspec

from pitboss.client.errors import ArenaError
from pitboss.store.files import open_private

log = logging.getLogger("pitboss.client")


class _Frame(msgspec.Struct):
    """What every frame has."""

    type: str
    v: int


def _is_torn(path: Path) -> bool:
    """Whether a record's last line is cut off; raises `ArenaError` where a file is something else than a record."""
    if not path.is_file() or not path.stat().st_size:
        return False
    with path.open("rb") as file:
        first = file.readline()
        file.seek(-1, os.SEEK_END)
        torn = file.read(1) != b"\n"
    try:
        msgspec.json.decode(first, type=_Frame)
    except (msgspec.DecodeError, UnicodeError):
        if not first.startswith(b'{"type":') or first.endswith(b"\n"):  # not even the beginning of a first frame
            raise ArenaError(
                f"{path} is no record of frames, and nothing is appended to it: give --record a new file"
            ) from None
    return torn


class Recorder:
    """Appends to a file, or to none; a file that cannot be written any more does not end the match."""

    def __init__(self, path: str | Path | None) -> None:
        self._path = path
        self._file: IO[str] | None = None

    def __enter__(self) -> "Recorder":
        if self._path is not None:
            torn = _is_torn(Path(self._path))
            self._file = open_private(Path(self._path), "a")  # it holds this seat's cards
            if torn:
                self._file.write("\n")  # what is cut off stays a line of its own
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._close()

    def write(self, frame: str) -> None:
        """Keep a frame; what is no JSON is left out, so that every line is."""
        if self._file is None:
            return
        try:
            line = msgspec.json.format(frame, indent=-1)  # without line breaks
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return
        try:
            self._file.write(f"{line}\n")
        except OSError as error:
            log.error("%s cannot be written any more (%s): play goes on without a record", self._path, error)
            self._close()

    def _close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            try:
                file.close()
            except OSError as error:
                log.error("%s: %s", self._path, error)
