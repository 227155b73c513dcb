"""The best strategies so far: in memory if they are small, else in a temporary file."""

from tempfile import TemporaryFile
from typing import Any

from pitboss.solver.engine import Engine

IN_MEMORY = 64 << 20


class BestSoFar:
    """Keeps the average strategies with the least exploitability, because later ones can be worse."""

    def __init__(self, engine: Engine) -> None:
        """Watch an engine; nothing is copied yet."""
        self._engine, self._best = engine, float("inf")
        self._copies: list[Any] = []
        self._file: Any = None
        self._current = False

    def _sums(self) -> list[Any]:
        return [side.store.sums for side in self._engine.sides]

    def offer(self, exploitability: float, final: bool = False) -> None:
        """Keep the present strategies if they are the best; a copy is not needed if nothing follows."""
        if exploitability >= self._best:
            return
        self._best, self._current = exploitability, True
        if not final:
            self._copy()

    def set_aside(self) -> None:
        """Note that the present strategies will change, so that `restore` uses the copy."""
        self._current = False

    @property
    def has_any(self) -> bool:
        """Whether strategies are kept."""
        return self._best < float("inf")

    def _copy(self) -> None:
        sums = self._sums()
        if sum(array.nbytes for array in sums) <= IN_MEMORY:
            self._copies = [array.copy() for array in sums]
            return
        self._file = self._file or TemporaryFile()  # noqa: SIM115  # open until `restore`
        self._file.seek(0)
        for array in sums:
            self._file.write(memoryview(array).cast("B"))

    def restore(self) -> float:
        """Bring the best strategies back, and return their exploitability."""
        if not self._current:
            for number, array in enumerate(self._sums()):
                if self._file is None:
                    array[:] = self._copies[number]
                    continue
                if number == 0:
                    self._file.seek(0)
                self._file.readinto(memoryview(array).cast("B"))
        if self._file is not None:
            self._file.close()
        return self._best
