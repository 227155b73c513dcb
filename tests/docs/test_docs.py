"""The pages match the program: examples run, packages are listed as they are, and public names are pinned."""

import doctest
import pydoc
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest

import pitboss
from pitboss.cli.main import cli
from pitboss.cli.solve import SolveGroup
from tests.support.for_each import for_each

ROOT = Path(__file__).parents[2]
MODULE_PATH = re.compile(r"(?<![\w./~:-])\w+(?:/\w+)+\.py\b")
CODE = re.compile(r"^ *```.*?^ *```|`[^`]*`", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCED = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
PRINTED = re.compile(r"pitboss [\w ]+: ")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
PAGES = ("README", "docs/formats", "docs/games", "docs/hands", "docs/position", "docs/rules", "docs/table")


@for_each("page", PAGES)
def test_every_example_of_a_page_runs(page: str) -> None:
    failures, examples = doctest.testfile(str(ROOT / f"{page}.md"), module_relative=False, encoding="utf-8")
    assert failures == 0
    assert examples > 0


def test_the_first_screen_of_the_readme_is_something_to_run() -> None:
    first_screen = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:40]
    assert ">>> from pitboss import *" in first_screen


def test_modules_that_pages_name_exist() -> None:
    """A path such as `rooms/room.py` may leave out the folders above; the reference quotes code."""
    modules = [
        f"/{path.relative_to(ROOT).as_posix()}"
        for folder in ("src", "tests", "benchmarks")
        for path in (ROOT / folder).rglob("*.py")
    ]
    pages = [*ROOT.glob("*.md"), *(page for page in (ROOT / "docs").rglob("*.md") if page.parent.name != "reference")]
    named = [(page.name, path) for page in pages for path in MODULE_PATH.findall(page.read_text(encoding="utf-8"))]
    assert len(named) > 100
    assert [pair for pair in named if not any(module.endswith(f"/{pair[1]}") for module in modules)] == []


def test_module_paths_are_found_in_text() -> None:
    text = "see `rooms/room.py`, (tests/a_b/test_c.py), https://x.org/a/b.py, bot.py and ~/x/bot.py"
    assert MODULE_PATH.findall(text) == ["rooms/room.py", "tests/a_b/test_c.py"]


def broken_links(page: Path) -> list[str]:
    """Return the links of a Markdown page to files or headings of this project that do not exist."""
    wrong = []
    for link in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8"))):
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if ":" in path:
            continue
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
            wrong.append(f"{page.name}: {link}")
    return wrong


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as a reader of Markdown makes them, and those that are written out."""
    text = page.read_text(encoding="utf-8")
    headings = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(text)}
    return headings | set(re.findall(r'<a id="([^"]+)">', text))


def test_no_page_links_to_a_file_or_heading_that_does_not_exist() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / ".github").rglob("*.md")]
    assert len(pages) > 100
    assert [link for page in pages for link in broken_links(page)] == []


def test_broken_links_are_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# One's `x`\n[a](page.md#ones-x) [b](page.md#two) [c](none.md) [d](https://x.org) `[e](f.md)`\n", "utf-8"
    )
    assert broken_links(page) == ["page.md: page.md#two", "page.md: none.md"]


def unknown_options(line: str) -> list[str]:
    """Return the options of a `pitboss` command that it does not have, or the command if there is none of that name."""
    words = shlex.split(line, comments=True)[1:]
    command: click.Command = cli
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        below = command.get_command(click.Context(command), words[0])
        if below is None and not isinstance(command, SolveGroup):
            return [line]
        command = below or command.commands["spot"]
        words = words if below is None else words[1:]
    if isinstance(command, SolveGroup):
        command = command.commands["spot"]
    known = {name for option in command.params for name in (*option.opts, *option.secondary_opts)} | {"--help", "-h"}
    return [f"{word}: {line}" for word in words if word.startswith("--") and word.partition("=")[0] not in known]


@pytest.mark.check
def test_commands_on_pages_exist_with_their_options() -> None:
    lines = []
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        blocks = [text for kind, text in FENCED.findall(page.read_text(encoding="utf-8")) if kind in ("", "sh")]
        lines += [line.strip() for block in blocks for line in re.sub(r"\\\n\s*", " ", block).splitlines()]
    commands = [re.split(r" [|>&] | && ", line)[0] for line in lines if line.startswith("pitboss ")]
    commands = [command for command in commands if not PRINTED.match(command)]
    assert len(commands) > 100
    assert [wrong for line in commands for wrong in unknown_options(line)] == []


def test_unknown_commands_and_options_are_found() -> None:
    assert unknown_options("pitboss arena serve --house tight  # it's here") == []
    assert unknown_options("pitboss arena host") == ["pitboss arena host"]
    assert unknown_options("pitboss stats --fast a.txt") == ["--fast: pitboss stats --fast a.txt"]


def test_contributing_lists_the_packages_in_the_order_that_imports_must_keep() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["containers"] == ["pitboss"])
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = [line.split(" | ")[0] for line in page.splitlines() if line.startswith("| `")]
    listed = [["__main__"], *[sorted(re.findall(r"`(\w+)/?`", row)) for row in rows]]
    assert listed == [sorted(re.findall(r"\w+", layer)) for layer in layers]


def test_names_in_the_tour_of_help_exist() -> None:
    """The first text of `help(pitboss)` lists names by their purpose, and each is a public one."""
    doc = pitboss.__doc__ or ""
    _, _, listed = doc.partition("The names, by what they are for:")
    names = re.findall(r"\b(?:[A-Z]\w+|[a-z]+_\w+)\b", listed.partition("Every name")[0])
    assert len(names) > 60
    assert [name for name in names if name not in pitboss.__all__] == []
    rendered = pydoc.plain(pydoc.render_doc(pitboss))
    assert "class Hand(" in rendered
    assert "read_position(text: str)" in rendered


def test_command_without_arguments_lists_the_commands() -> None:
    done = subprocess.run([sys.executable, "-m", "pitboss"], capture_output=True, check=True, text=True)
    for word in ("# study hands", "# write a bot", "# invent games", "help(pitboss)", "Recorded hands:"):
        assert word in done.stdout
    assert done.stderr == ""
