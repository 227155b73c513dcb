"""Old paths of modules. They still work, with a warning.

`OLD_MODULES` has the new path for each old one. Both are relative to `pitboss`.
"""

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

OLD_MODULES = {
    "cli.echo": "cli.output",
    "fast.equity.evaluate": "fast.evaluate",
    "fast.equity.order": "fast.equity.ranges",
    "fast.play.batch": "batch",
    "notation.acpc": "formats.acpc",
    "notation.document": "documents",
    "notation.ohh": "formats.ohh",
    "notation.phh": "formats.phh",
    "notation.recording": "records.record",
}


class OldModules(MetaPathFinder, Loader):
    """Finds old modules. Python calls it only for modules that were not found otherwise."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the specification of an old module, or of a package with an old module."""
        package, _, old = name.partition(".")
        if package == "pitboss" and any(f"{row}.".startswith(f"{old}.") for row in OLD_MODULES):
            return ModuleSpec(name, self, is_package=True)
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Make the names of the new module available in the old one, and warn."""
        new = OLD_MODULES.get(module.__name__.partition(".")[2])
        if new is not None:
            warnings.warn(f"{module.__name__} is now pitboss.{new}", DeprecationWarning, stacklevel=2)
            replacement = import_module(f"pitboss.{new}")
            module.__getattr__ = lambda name: getattr(replacement, name)  # type: ignore[method-assign]  # PEP 562


def keep_old_modules() -> None:
    """Register the finder of old modules."""
    if not any(isinstance(finder, OldModules) for finder in sys.meta_path):
        sys.meta_path.append(OldModules())
