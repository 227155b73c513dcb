"""The command that installs an extra, for each way in which pitboss can have been installed."""

import json
import re
import shlex
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest

from pitboss.extras import DISTRIBUTION, install_command

ROOT = Path(__file__).parents[1]
OTHER_PROJECT = re.compile(r"""pip\s+install\s+(?:-e\s+)?["']?pitboss(?![\w-])|["'`]pitboss\[""")

Installed = Callable[[object], None]


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Installed:
    """Return a function that pretends that pip wrote this `direct_url.json`, or none."""

    def pretend(origin: object) -> None:
        class Found:
            def read_text(self, name: str) -> str | None:
                assert name == "direct_url.json"
                return None if origin is None else json.dumps(origin)

        monkeypatch.setattr(metadata, "distribution", lambda name: Found() if name == DISTRIBUTION else None)
        monkeypatch.setattr("shutil.which", lambda name: str(Path(sys.executable).with_name(name)))

    return pretend


def test_a_copy_from_an_index_is_named_by_its_distribution(installed: Installed) -> None:
    installed(None)
    assert install_command("fast") == "pip install 'pitboss-cards[fast]'"


@pytest.mark.parametrize(("editable", "option"), [(True, "-e "), (False, "")])
def test_a_copy_from_a_folder_names_the_folder_unless_it_is_the_current_one(
    installed: Installed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, editable: bool, option: str
) -> None:
    folder = tmp_path / "my cards"
    folder.mkdir()
    installed({"url": folder.as_uri(), "dir_info": {"editable": True} if editable else {}})
    assert install_command("fast") == f"pip install {option}'{folder}[fast]'"
    monkeypatch.chdir(folder)
    assert install_command("fast") == f"pip install {option}'.[fast]'"


def test_a_copy_from_a_wheel_names_the_wheel_while_it_exists(installed: Installed, tmp_path: Path) -> None:
    wheel = tmp_path / "pitboss_cards-0.1.0-py3-none-any.whl"
    installed({"url": wheel.as_uri(), "archive_info": {}})
    assert install_command("arena") == "pip install 'pitboss-cards[arena]'"
    wheel.touch()
    assert install_command("arena") == f"pip install '{wheel}[arena]'"


def test_a_copy_from_a_url_names_the_url(installed: Installed) -> None:
    installed({"url": "https://cards.example/pitboss", "vcs_info": {"vcs": "git", "commit_id": "1"}})
    assert install_command("lab") == "pip install 'pitboss-cards[lab] @ git+https://cards.example/pitboss'"
    installed({"url": "https://cards.example/pitboss.whl", "archive_info": {}})
    assert install_command("lab") == "pip install 'pitboss-cards[lab] @ https://cards.example/pitboss.whl'"


def test_a_checkout_that_is_not_installed_counts_as_editable(
    installed: Installed, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> None:
        raise metadata.PackageNotFoundError(name)

    installed(None)
    monkeypatch.setattr(metadata, "distribution", missing)
    monkeypatch.chdir(ROOT)
    assert install_command("fast") == "pip install -e '.[fast]'"


def test_install_command_uses_this_python_if_the_shell_finds_another_pip(
    installed: Installed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    installed(None)
    python = tmp_path / ".venv" / "bin" / "python"
    monkeypatch.setattr(sys, "executable", str(python))
    for found in (None, "/usr/bin/pip"):
        monkeypatch.setattr("shutil.which", lambda name, found=found: found)
        assert install_command("fast") == f"{python} -m pip install 'pitboss-cards[fast]'"
    monkeypatch.chdir(tmp_path)
    assert shlex.split(install_command("fast"))[0] == ".venv/bin/python"


def test_pages_and_help_name_no_command_that_needs_an_index() -> None:
    """Whether the package index has `pitboss-cards` is not known; the errors know where pitboss came from."""
    files = [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md"), *(ROOT / "src" / "pitboss" / "cli").rglob("*.py")]
    assert [str(file) for file in files if "install 'pitboss-cards" in file.read_text(encoding="utf-8")] == []


def test_no_text_recommends_the_other_project() -> None:
    files = [*(ROOT / "src").rglob("*"), *(ROOT / "docs").rglob("*"), *ROOT.glob("*.md"), ROOT / "pyproject.toml"]
    texts = {file: file.read_text(encoding="utf-8") for file in files if file.suffix in {".py", ".pyi", ".md", ".toml"}}
    assert len(texts) > 300
    assert [
        (str(file), OTHER_PROJECT.findall(text)) for file, text in texts.items() if OTHER_PROJECT.search(text)
    ] == []
