"""The wheel and the source archive, installed in an empty environment, run the README's examples and play a match."""

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.support.cli.runs import clean
from tests.support.environments import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = sorted(PROJECT["optional-dependencies"].keys() - {"bench", "dev", "fuzz"})
WHEEL, SDIST = ".whl", ".tar.gz"
NOT_INSTALLABLE = ("No matching distribution", "Could not find a version", "Temporary failure in name resolution")
LONGEST_RUN = 900
"""Seconds for one command, on a busy machine."""


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel and the source archive as `make dist` does; return their folder."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return folder


def built(dist: Path, ending: str) -> Path:
    """Return the file that was built with this ending."""
    [file] = dist.glob(f"*{ending}")
    return file


@pytest.mark.check
def test_the_distribution_is_called_pitboss_cards_and_the_command_pitboss(dist: Path) -> None:
    wheel = built(dist, WHEEL)
    assert wheel.name.startswith("pitboss_cards-")
    names = zipfile.ZipFile(wheel).namelist()
    [entry_points] = [name for name in names if name.endswith("entry_points.txt")]
    assert "pitboss = pitboss.cli.main:main" in zipfile.ZipFile(wheel).read(entry_points).decode()
    assert {name.split("/")[0] for name in names} == {"pitboss", entry_points.split("/")[0]}


@pytest.mark.check
def test_source_archive_builds_the_wheel_and_has_no_generated_output(dist: Path) -> None:
    with tarfile.open(built(dist, SDIST)) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    with zipfile.ZipFile(built(dist, WHEEL)) as wheel:
        modules = {f"src/{name}" for name in wheel.namelist() if name.startswith("pitboss/")}
    assert {"pyproject.toml", "README.md", "LICENSE", "PKG-INFO"} <= names
    assert modules <= names
    assert not [name for name in names if name.startswith(("dist/", ".venv/", "pitboss.db")) or name.endswith(".pyc")]


@pytest.mark.slow
@pytest.mark.parametrize("extra", EXTRAS)
def test_the_wheel_with_an_extra_runs_the_readme_examples_and_plays_a_match(
    dist: Path, tmp_path: Path, extra: str
) -> None:
    check_installed(built(dist, WHEEL), extra, tmp_path)


@pytest.mark.slow
def test_the_source_archive_runs_the_readme_examples_and_plays_a_match(dist: Path, tmp_path: Path) -> None:
    check_installed(built(dist, SDIST), "arena", tmp_path)


def check_installed(file: Path, extra: str, folder: Path) -> None:
    """Install a built file with an extra, and check that the README's examples and a match work."""
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    programs = folder / "venv" / "bin"
    variables = {name: value for name, value in clean().items() if not name.startswith("PYTHON")}
    variables["PATH"] = f"{programs}{os.pathsep}{variables['PATH']}"

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=folder,
            env=variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LONGEST_RUN,
            check=False,
        )

    installed = run(str(programs / "python"), "-m", "pip", "install", "--quiet", f"{file}[{extra}]")
    if installed.returncode and any(words in installed.stderr for words in NOT_INSTALLABLE):
        pytest.skip(f"the packages of the extra {extra} cannot be installed here: {installed.stderr.splitlines()[-1]}")
    assert installed.returncode == 0, installed.stderr

    (folder / "README.md").write_text(README, encoding="utf-8")
    examples = run(str(programs / "python"), "-m", "doctest", "README.md")
    assert examples.returncode == 0, examples.stdout

    [bot] = [code for code in re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL) if "Act" in code]
    (folder / "pairs.py").write_text(bot.partition("\n\nif __name__")[0] + "\n", encoding="utf-8")
    match = run("pitboss", "arena", "play", "pairs.py", "sharp", "--hands", "20", "--seed", "1")
    assert match.returncode == 0, match.stderr
    assert "pairs" in match.stdout
