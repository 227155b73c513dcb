"""The base class of all errors that pitboss raises on purpose; they can be pickled and show their public names."""

from collections.abc import Iterable, Mapping
from typing import Any

_PACKAGES: dict[str, str] = {}
"""The names of exported errors whose modules are not always imported yet, each with the package that exports it."""


class PitbossError(Exception):
    """A request that cannot be carried out; the text is one sentence that says why."""

    __module__ = "pitboss"

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        package = _PACKAGES.get(cls.__name__)
        if package is not None and cls.__module__.startswith(f"{package}."):
            cls.__module__ = package

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self.args), self.__dict__


def _restore(kind: type[PitbossError], args: tuple[Any, ...]) -> PitbossError:
    """Return an error with this text without calling `__init__`; pickle restores the attributes."""
    return kind.__new__(kind, *args)


def show_by_public_name(package: str, names: Mapping[str, object], exported: Iterable[str]) -> None:
    """Make tracebacks show a package's exported errors under the package's name, not under that of their module."""
    for name in exported:
        value = names[name]
        if isinstance(value, type) and issubclass(value, PitbossError):
            value.__module__ = package


def show_later_by_public_name(package: str, exported: Iterable[str]) -> None:
    """Do the same for a package that imports its names on first use."""
    _PACKAGES.update(dict.fromkeys(exported, package))
