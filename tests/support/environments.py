"""Virtual environments for tests: pitboss and, of all that is installed here, only what a lock names."""

import re
import sys
import venv
from importlib.metadata import distribution
from pathlib import Path, PurePosixPath

from packaging.markers import Marker

import pitboss

ROOT = Path(__file__).parents[2]
SOURCES = Path(pitboss.__file__).parents[1]
PINNED = re.compile(r"^([\w.-]+)==(\S+)(?: ; (.*?))? \\$", re.MULTILINE)


def locked(name: str) -> dict[str, str]:
    """The distributions that `requirements/NAME.lock` installs on this machine, with their versions."""
    text = (ROOT / "requirements" / f"{name}.lock").read_text(encoding="utf-8")
    return {what: version for what, version, marker in PINNED.findall(text) if not marker or Marker(marker).evaluate()}


def environment(folder: Path, lock: str | None) -> Path:
    """Make an environment with the packages of a lock, by links to those installed here; return its folder of programs.

    Without a lock it holds what pitboss needs without any extra.
    """
    programs = folder / ("Scripts" if sys.platform == "win32" else "bin")
    venv.create(folder, symlinks=True)
    packages = folder / "packages"
    packages.mkdir()
    for name in locked(lock) if lock else ("click", "markdown-it-py", "mdurl", "msgspec", "pygments", "rich"):
        link(name, packages)
    [site] = folder.glob("**/site-packages")
    (site / "packages.pth").write_text(f"{packages}\n{SOURCES}\n", encoding="utf-8")
    program = programs / "pitboss"
    program.write_text(f"#!{programs / 'python'}\nfrom pitboss.cli.main import main\n\nmain()\n", encoding="utf-8")
    program.chmod(0o755)
    return programs


def link(name: str, packages: Path) -> None:
    """Link all that a distribution has put where modules are found."""
    installed = distribution(name)
    tops = {PurePosixPath(file).parts[0] for file in installed.files or ()}
    for top in tops - {"..", "__pycache__"}:
        target = packages / top
        if not target.exists():
            target.symlink_to(str(installed.locate_file(top)))
