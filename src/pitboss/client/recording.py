"""A participant's own transcript: every frame the server has sent, one JSON text a line."""

import logging
from pathlib import Path
from types import TracebackType
from typing import IO

import msgspec

from pitboss.store.files import open_private

log = logging.getLogger("pitboss.client")


class Recorder:
    """Appends to a file, or to none; a file that cannot be written any more does not end the match."""

    def __init__(self, path: str | Path | None) -> None:
        self._path = path
        self._file: IO[str] | None = None

    def __enter__(self) -> "Recorder":
        if self._path is not None:
            self._file = open_private(Path(self._path), "a")  # it holds this seat's cards
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
