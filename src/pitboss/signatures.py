"""Short signatures, which `help()` prints on one line. Docstrings explain the arguments that they leave out."""

from collections.abc import Callable
from inspect import Parameter, Signature, signature
from typing import Any, TypeVar

from msgspec import StructMeta

F = TypeVar("F", bound=Callable[..., Any])


def brief(*names: str) -> Callable[[F], F]:
    """Make the signature of a function short: the arguments with these names, without types, and `**options`.

    >>> @brief("cards")
    ... def sort(cards: list[str], *, ascending: bool = True, key: str | None = None) -> None:
    ...     pass
    >>> print(signature(sort))
    (cards, **options)
    """

    def shorten(function: F) -> F:
        marked: Any = function
        marked.__signature__ = _shortened(signature(function), names)
        return function

    return shorten


def _shortened(full: Signature, names: tuple[str, ...]) -> Signature:
    shown = [one.replace(annotation=Parameter.empty) for one in full.parameters.values() if one.name in names]
    assert len(shown) == len(names), "every name is that of an argument"
    return Signature([*shown, Parameter("options", Parameter.VAR_KEYWORD)])


class BriefStruct(StructMeta):
    """The type of a struct with many fields. Its signature has only the fields without a default."""

    @property
    def __signature__(cls) -> Signature:
        full: Signature = super().__signature__
        return _shortened(full, tuple([one.name for one in full.parameters.values() if one.default is Parameter.empty]))
