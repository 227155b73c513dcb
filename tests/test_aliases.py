"""Old module paths keep working, and name the new ones."""

import importlib
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec

import pytest

from pitboss.aliases import OLD_MODULES

DOCUMENTED = {
    "fast.equity.evaluate": ["evaluate"],
    "fast.play.batch": ["ALL_IN", "FOLD", "Batch"],
    "notation.acpc": ["read_acpc", "write_acpc"],
    "notation.document": ["join", "merge", "next_hand", "open_document", "pause", "personalize"],
    "notation.ohh": ["read_ohh", "write_ohh"],
    "notation.phh": ["foreign_words", "read_phh", "scan", "write_phh"],
    "notation.recording": ["record_hand"],
}
"""What earlier versions of the documentation import from old modules."""


@pytest.fixture
def _forgotten() -> Iterator[None]:
    """Let old modules be imported as if for the first time."""
    before = dict(sys.modules)
    yield
    for name in sys.modules.keys() - before.keys():
        if name.removeprefix("pitboss.").startswith(tuple(OLD_MODULES)):
            del sys.modules[name]


@pytest.mark.usefixtures("_forgotten")
def test_every_old_module_gives_the_names_of_the_new_one_and_warns() -> None:
    for old, new in OLD_MODULES.items():
        sys.modules.pop(f"pitboss.{old}", None)
        with pytest.warns(DeprecationWarning, match=rf"^pitboss\.{old} is now pitboss\.{new}$") as warned:
            module = importlib.import_module(f"pitboss.{old}")
        assert len(warned) == 1
        replacement = importlib.import_module(f"pitboss.{new}")
        for name in DOCUMENTED.get(old, ()):
            assert getattr(module, name) is getattr(replacement, name)


def test_unknown_module_is_not_found() -> None:
    assert find_spec("pitboss.nonsense") is None
    with pytest.raises(ModuleNotFoundError, match=r"^No module named 'pitboss\.nonsense'$"):
        importlib.import_module("pitboss.nonsense.deeper")


def test_a_warning_names_the_line_that_imports() -> None:
    code = "import warnings\nwarnings.simplefilter('always')\nfrom pitboss.notation.acpc import read_acpc\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert "<string>:3: DeprecationWarning: pitboss.notation.acpc is now pitboss.formats.acpc" in done.stderr
