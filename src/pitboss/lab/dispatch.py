"""One function for all kinds: it finds the kind's own by its number, in a chain of ifs so that it compiles.

The chain is made from the list of kinds, so that a new kind is a line there and nothing here.

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
    """Makes functions for a module: `kind` is an expression of their parameters, the place of a kind among these."""

    def __init__(self, module: str, kinds: Sequence[ModuleType], kind: str) -> None:
        self.module, self.kinds, self.kind = module, kinds, kind

    def one(self, name: str, parameters: str, otherwise: str = "None", passing: str = "") -> Any:
        """The function of this name that calls the kind's own; a kind that has none gives what `otherwise` says."""
        lines = [f"def {name}({parameters}):", f"    kind = {self.kind}"]
        for number, module in enumerate(self.kinds):
            if hasattr(module, name):
                lines += [f"    if kind == {number}:", f"        return kind_{number}.{name}({passing or parameters})"]
        return self._made(name, [*lines, f"    return {otherwise}"])

    def all(self, name: str, parameters: str) -> Any:
        """The function of this name that calls those of all kinds which have one."""
        having = [number for number, module in enumerate(self.kinds) if hasattr(module, name)]
        calls = [f"    kind_{number}.{name}({parameters})" for number in having]
        return self._made(name, [f"def {name}({parameters}):", *calls, "    return None"])

    def _made(self, name: str, lines: Sequence[str]) -> Any:
        """Kinds are asked as modules, at every call: the function calls what stands there then."""
        names: dict[str, Any] = {f"kind_{number}": module for number, module in enumerate(self.kinds)}
        names["__name__"] = self.module
        exec("\n".join(lines), names)
        return names[name]
