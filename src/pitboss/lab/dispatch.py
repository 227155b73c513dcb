"""Builds one function that calls the function of the right kind. It is a chain of ifs, so Numba can compile it.

The chain is built from the list of kinds. A new kind only has to be added to that list.
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
    """Builds functions that call the module of a kind. `kind` is an expression for a kind's index in the list."""

    def __init__(self, module: str, kinds: Sequence[ModuleType], kind: str) -> None:
        self.module, self.kinds, self.kind = module, kinds, kind

    def one(self, name: str, parameters: str, otherwise: str = "None", passing: str = "") -> Any:
        """Return a function that calls the kind's function of this name, or returns `otherwise` if there is none."""
        lines = [f"def {name}({parameters}):", f"    kind = {self.kind}"]
        for number, module in enumerate(self.kinds):
            if hasattr(module, name):
                lines += [f"    if kind == {number}:", f"        return kind_{number}.{name}({passing or parameters})"]
        return self._made(name, [*lines, f"    return {otherwise}"])

    def all(self, name: str, parameters: str) -> Any:
        """Return a function that calls the function of this name in every kind that has one."""
        having = [number for number, module in enumerate(self.kinds) if hasattr(module, name)]
        calls = [f"    kind_{number}.{name}({parameters})" for number in having]
        return self._made(name, [f"def {name}({parameters}):", *calls, "    return None"])

    def _made(self, name: str, lines: Sequence[str]) -> Any:
        """Compile the source. Each call looks functions up in the modules, so tests can replace them."""
        names: dict[str, Any] = {f"kind_{number}": module for number, module in enumerate(self.kinds)}
        names["__name__"] = self.module
        exec("\n".join(lines), names)
        return names[name]
