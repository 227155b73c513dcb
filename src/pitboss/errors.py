"""What every error that pitboss raises on purpose has in common: one family, picklable, shown by its public name."""

from collections.abc import Iterable, Mapping
from typing import Any

_PACKAGES: dict[str, str] = {}
"""The errors of modules that may not be imported yet, each with the package that exports it."""


class PitbossError(Exception):
    """Something that cannot be done as asked; its text is one sentence that says why."""

    __module__ = "pitboss"

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        package = _PACKAGES.get(cls.__name__)
        if package is not None and cls.__module__.startswith(f"{package}."):
            cls.__module__ = package

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self.args), self.__dict__


def _restore(kind: type[PitbossError], args: tuple[Any, ...]) -> PitbossError:
    """An error from its text, whatever more its `__init__` asks for; pickle adds the attributes."""
    return kind.__new__(kind, *args)


def show_by_public_name(package: str, names: Mapping[str, object], exported: Iterable[str]) -> None:
    """Let tracebacks call the errors that a package exports by the package's name, not by the file they stand in."""
    for name in exported:
        value = names[name]
        if isinstance(value, type) and issubclass(value, PitbossError):
            value.__module__ = package


def show_later_by_public_name(package: str, exported: Iterable[str]) -> None:
    """The same for a package that imports what it exports only when it is asked for."""
    _PACKAGES.update(dict.fromkeys(exported, package))
