"""Records in a row: packed ones, which compiled code passes by address, and plain ones that behave alike."""

from collections.abc import Sequence
from typing import Any, TypeVar

Plain = TypeVar("Plain")


def record(fields: Sequence[tuple[Any, ...]]) -> Any:
    """The NumPy type of a record that compiled code reads by attribute and passes by address."""
    import numpy as np

    return np.dtype((np.record, np.dtype(list(fields), align=True)))


class PlainRecords(list[Plain]):
    """A row of plain objects that writes what is put into it over what is there, as an array of records does."""

    def __setitem__(self, at: Any, thing: Any) -> None:
        here = self[at]
        for name in type(here).__slots__:
            value = getattr(thing, name)
            setattr(here, name, value[:] if isinstance(value, list) else value)
