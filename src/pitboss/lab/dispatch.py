"""Builds one function that calls the right kind's function, as a chain of ifs, so that Numba can compile it.

The chain comes from the list of kinds. To add a kind, add it to that list; nothing changes here.

>>> import cmath, math
>>> roots = Dispatch(__name__, (math, cmath), "kind")
>>> sqrt = roots.one("sqrt", "kind, x", passing="x")
>>> sqrt(0, 4), sqrt(1, -4)
(2.0, 2j)
"""

from collections.abc import Sequence
from types import ModuleType
from typing import Any


class Dispatch:
    """Builds dispatch functions for a module. `kind` is an expression that gives a kind's index in the list."""

    def __init__(self, module: str, kinds: Sequence[ModuleType], kind: str) -> None:
        self.module, self.kinds, self.kind = module, kinds, kind

    def one(self, name: str, parameters: str, otherwise: str = "None", passing: str = "") -> Any:
        """A function that calls the kind's function of this name; kinds without one return `otherwise`."""
        lines = [f"def {name}({parameters}):", f"    kind = {self.kind}"]
        for number, module in enumerate(self.kinds):
            if hasattr(module, name):
                lines += [f"    if kind == {number}:", f"        return kind_{number}.{name}({passing or parameters})"]
        return self._made(name, [*lines, f"    return {otherwise}"])

    def all(self, name: str, parameters: str) -> Any:
        """A function that calls the functions of this name of all kinds that have one."""
        having = [number for number, module in enumerate(self.kinds) if hasattr(module, name)]
        calls = [f"    kind_{number}.{name}({parameters})" for number in having]
        return self._made(name, [f"def {name}({parameters}):", *calls, "    return None"])

    def _made(self, name: str, lines: Sequence[str]) -> Any:
        """Compile the source. Functions are looked up in the modules on each call, so tests can replace them."""
        names: dict[str, Any] = {f"kind_{number}": module for number, module in enumerate(self.kinds)}
        names["__name__"] = self.module
        exec("\n".join(lines), names)
        return names[name]
