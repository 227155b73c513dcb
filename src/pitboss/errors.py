"""The base class of all errors that pitboss raises on purpose. They can be pickled, and show public names."""

from collections.abc import Iterable, Mapping
from typing import Any

_PACKAGES: dict[str, str] = {}
"""The package of each exported error whose module may not be imported yet."""


class PitbossError(Exception):
    """An error that pitboss raises on purpose. The message is one sentence with the reason.

    >>> from pitboss import PitbossError, equity
    >>> try:
    ...     equity("AhAd", "AhKs")
    ... except PitbossError as error:
    ...     print(type(error).__name__)
    CardTwiceError
    """

    __module__ = "pitboss"

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        package = _PACKAGES.get(cls.__name__)
        if package is not None and cls.__module__.startswith(f"{package}."):
            cls.__module__ = package

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self.args), self.__dict__


def _restore(kind: type[PitbossError], args: tuple[Any, ...]) -> PitbossError:
    """Return an error without calling `__init__`. Pickle sets its attributes afterwards."""
    return kind.__new__(kind, *args)


def show_by_public_name(package: str, names: Mapping[str, object], exported: Iterable[str]) -> None:
    """Set the module of exported errors to their package, so that a traceback shows the public name."""
    for name in exported:
        value = names[name]
        if isinstance(value, type) and issubclass(value, PitbossError):
            value.__module__ = package


def show_later_by_public_name(package: str, exported: Iterable[str]) -> None:
    """Do the same for a package whose names are imported on first use. The first, outermost package is kept."""
    for name in exported:
        _PACKAGES.setdefault(name, package)
