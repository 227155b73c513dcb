"""The documentation: examples run, commands of the tutorials work as printed, no link is broken, all is offline."""

import doctest
import fcntl
import os
import re
import shlex
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.support.environments import ROOT

pytestmark = pytest.mark.check

DOCS = ROOT / "docs"
TUTORIALS = sorted((DOCS / "tutorials").glob("*.md"))
REFERENCE = DOCS / "reference"
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if page.parent != REFERENCE]
EXAMPLES = [page for page in PAGES if ">>> " in page.read_text(encoding="utf-8")]  # docstrings' run in src/
IMPORTED = re.compile(r"^(?:>>> )?from (pitboss[\w.]*) import ([\w, ]+)$", re.MULTILINE)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """Return the documentation as `make docs` builds it, once for all workers; a warning of Sphinx is an error."""
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "site"
    with open(f"{folder}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            unfinished = folder.with_name("site-unfinished")
            command = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going", "-b", "html"]
            done = subprocess.run([*command, str(DOCS), str(unfinished)], capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
            unfinished.rename(folder)
    return folder


class _Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.fetched: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.add(given["href"])
        elif "src" in given:
            self.fetched.add(given["src"])
        elif tag == "link" and given.get("rel") in ("stylesheet", "icon"):
            self.fetched.add(given["href"])


@pytest.mark.parametrize("page", EXAMPLES, ids=lambda page: str(page.relative_to(DOCS)))
def test_every_example_of_every_page_runs(page: Path) -> None:
    failures, examples = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert failures == 0
    assert examples > 0


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_the_commands_of_a_tutorial_work_in_their_order(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for code in re.findall(r"Save this as `(\S+)`:\n\n```\w+\n(.*?)```", text, re.DOTALL):
        (tmp_path / code[0]).write_text(code[1], encoding="utf-8")
    commands = [line for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    for command in commands:
        written, _, target = command.partition(" > ")
        assert written.startswith("pitboss ")
        done = subprocess.run(
            [sys.executable, "-m", *shlex.split(written)],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=900,  # the first simulation on a machine compiles
        )
        assert done.returncode == 0, f"{command}: {done.stderr}"
        assert done.stdout or done.stderr, command
        if target:
            (tmp_path / target).write_text(done.stdout, encoding="utf-8")


def test_links_work_and_nothing_external_is_loaded(site: Path) -> None:
    pages = {path: _Page(path) for path in site.rglob("*.html") if path.name not in ("genindex.html", "search.html")}
    assert len(pages) > 30
    wrong = []
    for path, page in pages.items():
        wrong += [f"{path.name} fetches {link}" for link in page.fetched if urlsplit(link).netloc]
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.exists():
                wrong.append(f"{path.name} links to {link}, which is not there")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                wrong.append(f"{path.name} links to {link}, and there is no such part")
    assert wrong == []


def test_committed_reference_agrees_with_the_code(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(DOCS / "_reference.py"), str(tmp_path)], check=True)
    written = {page.name: page.read_text(encoding="utf-8") for page in tmp_path.glob("*.md")}
    pages = {page.name: page.read_text(encoding="utf-8") for page in REFERENCE.glob("*.md")}
    committed = {name: text for name, text in pages.items() if text.startswith("<!-- Written by `make docs`. -->")}
    changed = sorted(name for name in written | committed if written.get(name) != committed.get(name))
    assert changed == [], "run `make docs` and commit docs/reference"


def test_every_public_name_is_in_the_reference_and_can_be_searched(site: Path) -> None:
    import pitboss

    text = "".join(path.read_text(encoding="utf-8") for path in (site / "reference").glob("*.html"))
    assert [name for name in pitboss.__all__ if f'id="pitboss.{name}"' not in text] == []
    assert "replay_steps" in (site / "searchindex.js").read_text(encoding="utf-8")


def test_reference_contains_all_imports_of_the_pages() -> None:
    reference = "".join(page.read_text(encoding="utf-8") for page in REFERENCE.glob("*.md"))
    guides = "".join(page.read_text(encoding="utf-8") for page in [*PAGES, ROOT / "README.md"])
    names = {(module, name.strip()) for module, listed in IMPORTED.findall(guides) for name in listed.split(",")}
    assert len(names) > 20
    listed = set(re.findall(r'id="pitboss[\w.]*\.(\w+)"', reference)) | {"*", "chance", "core"}  # modules
    assert [f"{module}.{name}" for module, name in sorted(names) if name not in listed] == []
