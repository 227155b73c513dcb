"""Wheel and sdist install in an empty environment, without extras, on every Python that is at hand."""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.support.environments import ROOT

pytestmark = pytest.mark.check

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
TRIED = """
import io, contextlib, pitboss
hand, events = pitboss.Hand.deal("no_limit_holdem", stacks=(1000, 1000, 30), blinds=(10, 20), seed=7)
hand, _ = hand.act("raise 30")
print(hand.pot, pitboss.__version__)
for name in pitboss.__all__:
    getattr(pitboss, name)
"""


def interpreter(version: str) -> str | None:
    """A Python of this version: on the path, or among those of pyenv."""
    found = shutil.which(f"python{version}")
    installed = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    usable = [str(path) for path in (*([found] if found else []), *installed) if _runs(str(path), version)]
    return usable[0] if usable else None


def _runs(python: str, version: str) -> bool:
    said = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([python, "-c", said], capture_output=True, text=True, check=False)
    return done.stdout.strip() == version


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the wheel and the sdist of this checkout."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def test_wheel_and_sdist_hold_the_package_and_no_tests(built: Path) -> None:
    [wheel], [sdist] = built.glob("*.whl"), built.glob("*.tar.gz")
    inside = zipfile.ZipFile(wheel).namelist()
    sources = {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src" / "pitboss").rglob("*.py")}
    assert sources <= set(inside)
    assert {"pitboss/py.typed", "pitboss/__init__.pyi", "pitboss/ranks/standard.bin"} <= set(inside)
    assert not [name for name in inside if name.startswith(("tests", "benchmarks", "docs"))]
    with tarfile.open(sdist) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    assert {"pyproject.toml", "README.md", "src/pitboss/__init__.py"} <= names


@pytest.mark.slow
def test_the_readme_s_first_line_installs_from_the_folder_as_typed(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    line = next(line for line in readme.splitlines() if "pip install" in line)
    command = line.partition(" #")[0]
    assert command.startswith("python3 -m venv .venv && .venv/bin/pip install ")
    folder = tmp_path / "pitboss"
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".venv", ".git", ".mypy_cache", "dist", "tests"))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    for typed in (command, ". .venv/bin/activate && pitboss evaluate AsKsQsJsTs"):
        done = subprocess.run(
            ["sh", "-c", typed], cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["*.whl", "*.tar.gz"])
@pytest.mark.parametrize("version", PYTHONS)
def test_it_installs_and_works_without_extras(built: Path, tmp_path: Path, version: str, kind: str) -> None:
    python = interpreter(version)
    if python is None:
        pytest.skip(f"no Python {version} is at hand")
    [package] = built.glob(kind)
    subprocess.run([python, "-m", "venv", str(tmp_path / "empty")], check=True)
    inside = str(tmp_path / "empty" / "bin" / "python")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [inside, *arguments], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )

    installed = run("-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(package))
    if installed.returncode and "No matching distribution" in installed.stderr:
        pytest.skip(f"no packages for Python {version} can be had here: {installed.stderr.splitlines()[-1]}")
    assert installed.returncode == 0, installed.stderr
    tried = run("-c", TRIED)
    assert (tried.returncode, tried.stdout.split()[0]) == (0, "60"), tried.stderr
    for command in ("evaluate AsKsQsJsTs", "equity AhAd KsKc --board Qs7d2c", "icm --stacks 5,3,2 --payouts 50,30"):
        done = run("-m", "pitboss", *command.split())
        assert done.returncode == 0, f"{command}: {done.stderr}"
