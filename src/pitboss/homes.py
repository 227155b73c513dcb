"""Public names of a package that are imported when they are first used.

Such a package has a stub, `__init__.pyi`, which imports each of its names as itself. The stub is the only list of them.
"""

from collections.abc import Callable, Mapping
from importlib import import_module

from pitboss.errors import show_later_by_public_name


def read_homes(folder: str) -> dict[str, str]:
    """Return the module of each name that the stub of a package imports under the same name."""
    homes: dict[str, str] = {}
    module = ""
    with open(f"{folder}/__init__.pyi", encoding="utf-8") as stub:
        for line in stub:
            words = line.replace(",", " ").split()
            if words[:1] == ["from"]:
                module = words[1]
            homes.update((name, module) for name, other in zip(words, words[2:], strict=False) if name == other)
    return homes


def load_later(
    package: str, homes: Mapping[str, str], names: dict[str, object]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return the functions `__getattr__` and `__dir__` of a package. `names` are its global names."""
    show_later_by_public_name(package, homes)

    def get(name: str) -> object:
        """Import a public name from its module."""
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = names[name] = getattr(import_module(homes[name]), name)
        return value

    def names_of() -> list[str]:
        return sorted({*names, *homes})

    return get, names_of
