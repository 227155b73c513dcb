"""Importing pitboss is quick: nothing is loaded before it is needed, and every module can be imported first."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import pitboss

SOURCE = Path(pitboss.__file__).parent
HEAVY = ("msgspec", "click", "rich", "numpy", "numba", "tomllib", "asyncio", "decimal", "concurrent", "multiprocessing")


def run(code: str, *arguments: str) -> str:
    """What a fresh interpreter prints."""
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def test_import_loads_no_heavy_module() -> None:
    loaded = set(run("import sys, pitboss; print(*sys.modules)").split())
    assert "pitboss" in loaded
    assert {name for name in loaded if name.partition(".")[0] in HEAVY} == set()
    assert {name for name in loaded if name.startswith("pitboss.")} == {
        "pitboss.aliases",
        "pitboss.errors",
        "pitboss.homes",
    }


@pytest.mark.timing
def test_import_takes_less_time_than_that_of_asyncio() -> None:
    """Compare processor time, and the best of seven, which are measured in turns."""
    code = "import time; before = time.process_time(); import {}; print(time.process_time() - before)"
    times = [(float(run(code.format("pitboss"))), float(run(code.format("asyncio")))) for _ in range(7)]
    ours, theirs = map(min, zip(*times, strict=True))
    assert ours < theirs


@pytest.mark.parametrize(
    ("name", "absent"),
    [("Hand", ("fast", "formats", "records", "table")), ("read_cards", ("betting", "hand", "fast", "formats"))],
)
def test_a_name_loads_no_package_that_it_does_not_need(name: str, absent: tuple[str, ...]) -> None:
    loaded = set(run(f"import sys; from pitboss import {name}; print(*sys.modules)").split())
    assert {f"pitboss.{package}" for package in absent} & loaded == set()


def test_the_names_that_are_loaded_later_are_those_of_the_stub() -> None:
    tree = ast.parse((SOURCE / "__init__.pyi").read_text(encoding="utf-8"))
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    assert [alias.name for node in imports for alias in node.names if alias.asname != alias.name] == []
    assert {alias.name: node.module for node in imports for alias in node.names} == pitboss._HOME
    assert {*pitboss._HOME, "RULES_VERSION"} == set(pitboss.__all__)
    assert len(pitboss.__all__) == len(set(pitboss.__all__)) > 180
    for name, module in pitboss._HOME.items():
        assert getattr(pitboss, name) is getattr(sys.modules[module], name)


def test_names_that_there_are_not_are_refused_as_python_does() -> None:
    with pytest.raises(AttributeError, match=r"^module 'pitboss' has no attribute 'nonsense'$"):
        pitboss.nonsense  # type: ignore[attr-defined]  # noqa: B018  # a missing name
    assert set(pitboss.__all__) <= set(dir(pitboss))


def test_error_is_shown_by_its_public_name_before_the_name_is_imported() -> None:
    again = "import pickle; pickle.loads(pickle.dumps(Refused))"
    code = f"from pitboss.betting.refusals import Refused; print(Refused); {again}"
    assert run(code) == "<class 'pitboss.Refused'>\n"


ONE_BY_ONE = """
import os, sys
for name in sys.argv[1:]:
    child = os.fork()
    if not child:
        try:
            __import__(name)
        except BaseException as error:
            print(f"{name}: {error!r}", flush=True)
        os._exit(0)
    os.waitpid(child, 0)
"""


def modules() -> list[str]:
    """Every module of pitboss but those that run when they are imported."""
    paths = [path.relative_to(SOURCE.parent).with_suffix("") for path in sorted(SOURCE.rglob("*.py"))]
    return [".".join(path.parts).removesuffix(".__init__") for path in paths if path.name != "__main__"]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system starts no process by fork")
def test_every_module_can_be_imported_first() -> None:
    assert len(modules()) > 300
    assert run(ONE_BY_ONE, *modules()) == ""
