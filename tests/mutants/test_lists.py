"""The lists of the tool fit the project: folders and files of tests, packages, and faults with a reason to survive."""

import ast

from tests.mutants.__main__ import NOT_HERE, PACKAGES, ROOT, TESTS, find_tests, read_reasons

PATHS = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "tests").rglob("test_*.py"))]


def scopes(source: str) -> set[str]:
    """Return the qualified names of all functions and classes of a source, and "" for the module itself."""
    found = {""}

    def visit(node: ast.AST, name: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                found.add(f"{name}{child.name}")
                visit(child, f"{name}{child.name}.")
            else:
                visit(child, name)

    visit(ast.parse(source), "")
    return found


def test_every_folder_of_tests_and_every_package_exists() -> None:
    assert [name for name in TESTS if not (ROOT / "tests" / name).is_dir()] == []
    assert [name for name in PACKAGES if not (ROOT / "src" / "pitboss" / name).is_dir()] == []


def test_every_part_of_a_path_that_is_left_out_matches_a_file() -> None:
    assert [part for part in NOT_HERE if not any(part in path for path in PATHS)] == []


def test_tests_in_subfolders_are_run_and_those_left_out_are_not() -> None:
    found = {path.relative_to(ROOT).as_posix() for path in find_tests()}
    assert {"tests/betting/test_round.py", "tests/arena/rooms/test_room.py", "tests/formats/test_acpc.py"} <= found
    assert not any(part in path for part in NOT_HERE for path in found)


def test_every_reason_names_a_file_and_a_function_that_exist() -> None:
    reasons = read_reasons()
    paths = {path for path, *_ in reasons}
    assert [path for path in paths if not (ROOT / path).is_file()] == []
    known = {path: scopes((ROOT / path).read_text(encoding="utf-8")) for path in paths}
    assert [(path, within) for path, within, *_ in reasons if within not in known[path]] == []


def test_scopes_are_the_names_that_reasons_use() -> None:
    source = "class A:\n    def b(self):\n        def c(): ...\nasync def d(): ...\n"
    assert scopes(source) == {"", "A", "A.b", "A.b.c", "d"}
