"""The repository's own rules, as tests: what a reviewer would otherwise have to repeat."""

import ast
import os
import re
import tokenize
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

import pytest

import pitboss
from tests.support.for_each import for_each

ROOT = Path(__file__).resolve().parent.parent
SKIPPED = {"__pycache__", "dist", "node_modules"}
WRITTEN = {".py", ".md", ".toml", ".lock", ".js", ".mjs", ".css", ".html", ".sh", ".yml", ".yaml", ""}
MOST_LINES = 900
LATE_CONSTANTS: dict[str, int] = {"arena": 12, "cli": 2, "fast": 13, "hand": 3, "ranks": 6, "sting": 4}
"""How many constants of each package are defined below a function or class: these numbers may only shrink."""

# Put together from pieces, so that this file does not find itself.
UNFINISHED = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "X" * 3]) + r")\b")
MACHINE_PATH = re.compile(r"(?<![\w.$}~/-])/(?:home|root|Users|work|opt|tmp)/|\b[A-Z]:\\Users")
SILENCER = re.compile(r"#\s*(?:type:\s*ignore|noqa)")
REASONED = re.compile(r"#\s*(?:type:\s*ignore\[[\w, -]+\]|noqa:\s*[A-Z]+\d+(?:,\s*[A-Z]+\d+)*)\s+#\s*\S+ \S+")
WAITING = re.compile(r"\bsleep\((?!0\))")
FIXED_PORT = re.compile(r"(?:localhost|127\.0\.0\.1|\[?::1\]?)[\"']?\s*[:,]\s*[1-9]|\bport\s*[=:]\s*[1-9]")
FINE_WORD = re.compile(
    r"told|kept|sheets?|deeds?|doors?|desks?|courses?|company|nursery|patients?|nights?|slips?|tastes?|halls?|tellers?|bouts?"
    r"|series"
)
"""Words that were used for something ordinary; docs/glossary.md has the ordinary ones."""
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
ADDRESS = re.compile(r"://|--(?:index-url|extra-index-url|find-links|trusted-host)")


def own_files() -> Iterator[Path]:
    """Yield the project's own written files, without environments, caches and recorded data."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name == ".ci" or (name[0] != "." and name not in SKIPPED)]
        # In a worktree of git, .git is a file.
        yield from (Path(folder, name) for name in names if Path(name).suffix in WRITTEN and name != ".git")


def python_files(folder: str) -> list[Path]:
    """Return the Python files under a folder of the repository."""
    return [path for path in own_files() if path.suffix == ".py" and path.is_relative_to(ROOT / folder)]


def found(pattern: re.Pattern[str], paths: Iterable[Path]) -> list[str]:
    """Return the places where a pattern occurs, as ``path:line: text``."""
    return [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in paths
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if pattern.search(line)
    ]


def test_no_module_is_too_long() -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in python_files("src")}
    assert lengths
    assert [f"{path.relative_to(ROOT)}: {n} lines" for path, n in lengths.items() if n > MOST_LINES] == []


def late_constants(source: str) -> dict[str, int]:
    """Return the constants with literal values below the first function or class of a module, each with its line."""
    found = dict[str, int]()
    below = False
    for node in ast.parse(source).body:
        below = below or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        match node:
            case ast.Assign(targets=targets, value=ast.expr() as value):
                pass
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                targets = [target]
            case _:
                continue
        names = [target.id for target in targets if isinstance(target, ast.Name) and target.id.isupper()]
        if below and names and is_literal(value):
            found.update(dict.fromkeys(names, node.lineno))
    return found


def set_twice(source: str) -> dict[str, int]:
    """Return the names that the top level of a module sets a second time, each with the line."""
    first, again = set[str](), dict[str, int]()
    for node in ast.parse(source).body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        parts = [part for target in targets for part in (target.elts if isinstance(target, ast.Tuple) else [target])]
        for name in [part.id for part in parts if isinstance(part, ast.Name)]:
            again.update({name: node.lineno} if name in first else {})
            first.add(name)
    return again


def test_no_module_sets_a_name_twice() -> None:
    """The second value would count for functions above it too, as when two modules with the same names become one."""
    places = [(path, set_twice(path.read_text(encoding="utf-8"))) for path in python_files("")]
    assert [f"{path.relative_to(ROOT)}:{line}: {name}" for path, found in places for name, line in found.items()] == []
    assert set_twice("A, B = 1, 2\ndef f(): A = 3\nC: int = 4\nC += 1\nB = 5\n") == {"B": 5}


def is_literal(value: ast.expr) -> bool:
    """Return whether an expression is written out: text, numbers, and containers of them."""
    try:
        ast.literal_eval(value)
    except ValueError:
        return False
    return True


def test_constants_are_at_the_top_of_their_module() -> None:
    places: dict[str, list[str]] = {}
    for path in python_files("src"):
        package = path.relative_to(ROOT / "src" / "pitboss").parts[0].removesuffix(".py")
        for name, line in late_constants(path.read_text(encoding="utf-8")).items():
            places.setdefault(package, []).append(f"{path.relative_to(ROOT)}:{line}: {name}")
    assert {name: found for name, found in places.items() if len(found) > LATE_CONSTANTS.get(name, 0)} == {}


def test_late_constants_are_found() -> None:
    source = "A = 1\nB: int = 2\ndef f(): C = 3\nD, e = 4, 5\nF = (6, -7)\n_G: str = 'g'\nH = f()\nI: int\nj = 8\n"
    assert late_constants(source) == {"F": 5, "_G": 6}


def imports(source: str, modules: Collection[str]) -> set[str]:
    """Return the modules that a source imports anywhere: at its top, in functions, and under ``TYPE_CHECKING``."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                submodule = f"{node.module}.{alias.name}"
                found.add(submodule if submodule in modules else node.module)
    return found & set(modules)


def cycles(graph: Mapping[str, Iterable[str]]) -> list[set[str]]:
    """Return the groups of modules in which each module imports all others, directly or through others."""

    def reachable(start: str) -> set[str]:
        todo, seen = [start], set[str]()
        while todo:
            for module in graph[todo.pop()]:
                if module not in seen:
                    seen.add(module)
                    todo.append(module)
        return seen

    reached = {module: reachable(module) for module in graph}
    groups = {frozenset(m for m in reached[module] if module in reached[m]) for module in graph}
    return sorted(([*map(set, groups - {frozenset()})]), key=sorted)


def test_no_module_imports_itself_through_others() -> None:
    """Count imports in functions and for type checkers too; the lazy names of ``pitboss`` itself are data."""
    sources = {
        ".".join(path.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__"): path
        for path in python_files("src")
    }
    del sources["pitboss"]
    graph = {name: imports(path.read_text(encoding="utf-8"), sources) - {name} for name, path in sources.items()}
    found = [{module.removeprefix("pitboss.") for module in group} for group in cycles(graph)]
    assert found == []


def test_cycles_are_found() -> None:
    modules = {"a", "a.b", "c", "d"}
    source = "from a import b\nif TYPE_CHECKING:\n    import c\ndef f():\n    from d import x\n"
    assert imports(source, modules) == {"a.b", "c", "d"}
    assert imports("from a import other", modules) == {"a"}
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a", "e"}, "e": {"d"}, "f": {"a", "d"}}
    assert cycles(graph) == [{"a", "b", "c"}, {"d", "e"}]


def test_modules_open_with_a_sentence() -> None:
    paragraphs = {}
    for path in python_files("src"):
        docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        paragraphs[str(path.relative_to(ROOT))] = docstring.partition("\n\n")[0]
    wrong = {
        path: text
        for path, text in paragraphs.items()
        if not (text[:1].upper() == text[:1] and text and text.endswith((".", "?", "!")))
    }
    assert paragraphs
    assert wrong == {}


def test_no_unfinished_work_is_marked() -> None:
    assert found(UNFINISHED, own_files()) == []


def test_no_path_of_a_machine() -> None:
    files = [path for path in own_files() if path.name != "Dockerfile"]  # the paths of an image are its own
    assert found(MACHINE_PATH, files) == []


def test_locks_name_no_address() -> None:
    locks = sorted((ROOT / "requirements").glob("*.lock"))
    assert [lock.stem for lock in locks] == ["dev", "run"]
    assert found(ADDRESS, locks) == []


def test_silenced_checks_give_a_reason() -> None:
    """Write ``# type: ignore[code]  # why`` and ``# noqa: CODE  # why``, the reason in at least two words."""
    offenders = []
    for path in own_files():
        if path.suffix != ".py":
            continue
        with path.open("rb") as file:
            comments = [token for token in tokenize.tokenize(file.readline) if token.type == tokenize.COMMENT]
        offenders += [
            f"{path.relative_to(ROOT)}:{token.start[0]}: {token.string}"
            for token in comments
            if SILENCER.search(token.string) and not REASONED.search(token.string)
        ]
    assert offenders == []


def test_versions_agree() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    entries = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert project == pitboss.__version__ == entries[0]


def test_tests_wait_for_no_clock_and_claim_no_port() -> None:
    soak = set(python_files("tests/soak"))  # an hour of play is an hour
    assert found(WAITING, set(python_files("tests")) - soak) == []
    assert found(FIXED_PORT, python_files("tests")) == []


# --- words


def classes() -> dict[str, list[str]]:
    """Where each public class name of `src/` is defined."""
    defined: dict[str, list[str]] = {}
    for path in python_files("src"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                defined.setdefault(node.name, []).append(f"{path.relative_to(ROOT)}:{node.lineno}")
    return defined


def names(path: Path) -> Iterator[tuple[str, int]]:
    """Yield every name that a file gives to something, with its line; tests are named by sentences and left out."""
    yield path.stem, 1
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if not name.startswith("test_"):
                yield name, node.lineno
            case ast.ClassDef(name=name) | ast.alias(asname=str(name)):
                yield name, node.lineno
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield name, node.lineno


def fine_words(path: Path) -> dict[str, str]:
    """The fine words in the names of a file, each with a place."""
    return {
        word.lower(): f"{path}:{line}: {name}"
        for name, line in names(path)
        for word in WORD.findall(name)
        if FINE_WORD.fullmatch(word.lower())
    }


def test_class_names_are_unique() -> None:
    assert len(classes()) > 100
    assert {name: places for name, places in classes().items() if len(places) > 1} == {}


@pytest.mark.parametrize("folder", ["src", "tests", "benchmarks"])
def test_names_use_the_ordinary_word(folder: str) -> None:
    paths = python_files(folder)
    assert paths
    assert [place for path in paths for place in fine_words(path).values()] == []


def test_the_glossary_has_every_word_once_and_in_one_line() -> None:
    lines = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").splitlines()
    words = [line.split(" | ")[0].removeprefix("| ") for line in lines if line.startswith("| ")]
    words = [word for word in words if word not in ("word", "---")]
    assert {"seat", "place", "action", "event", "match", "policy", "bot", "journal", "genome"} <= set(words)
    assert sorted(words) == sorted(set(words))


def test_words_are_found_with_their_position(tmp_path: Path) -> None:
    source = "class OldDesk:\n    def _told_of(self, deeds, *, ok): self.KEPT = [x for slip in ok]\n"
    source += "def test_what_is_told(): stolen, tolder = 1, 2\nimport x as door\n"
    path = tmp_path / "hall.py"
    path.write_text(source, encoding="utf-8")
    assert fine_words(path).keys() == {"hall", "desk", "told", "deeds", "kept", "slip", "door"}


@for_each(
    "pattern, caught, passed",
    [
        (MACHINE_PATH, "open('" + "/home" + "/me/x')", "a/home/b, ~/x, https://host/work/"),
        (WAITING, "time.sleep" + "(1)", "asyncio.sleep(0)"),
        (FIXED_PORT, "url = 'http://localhost" + ":8080'", "port = 0"),
        (FIXED_PORT, "listen('127.0.0.1'" + ", 9000)", "listen('127.0.0.1', 0)"),
        (REASONED, "# noqa: E501  # a long table", "# noqa: E501"),
        (REASONED, "# type: ignore[misc]  # numba has no types", "# type: ignore[misc]"),
    ],
)
def test_patterns_match_their_examples(pattern: re.Pattern[str], caught: str, passed: str) -> None:
    assert pattern.search(caught)
    assert not pattern.search(passed)
