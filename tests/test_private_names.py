"""No source file uses a private attribute (`_name`) of an object that another library defines."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

SRC = Path(__file__).resolve().parent.parent / "src" / "pitboss"
DOCUMENTED = {"_asdict", "_fields", "_make", "_replace"}
"""Public methods of a named tuple, whose names only avoid those of fields."""


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in DOCUMENTED


def bound_names(tree: ast.AST) -> set[str]:
    """Private names that a module or class defines, as attributes, functions, fields or slots."""
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.Attribute(attr=name, ctx=ast.Store()) | ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
    return {name for name in found if is_private(name)}


def foreign_uses(trees: dict[str, ast.Module]) -> Iterator[str]:
    """Private attributes that no class of ours defines: of `self`, its own class and bases; of others, any class."""
    bound: set[str] = set().union(*map(bound_names, trees.values()))
    bases: defaultdict[str, set[str]] = defaultdict(set)
    own: defaultdict[str, set[str]] = defaultdict(set)
    for tree in trees.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                own[node.name] |= bound_names(node)
                bases[node.name] |= {ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in node.bases}

    def inherited(name: str) -> set[str]:
        return own[name].union(*(inherited(base) for base in bases[name] if base in own and base != name))

    for path, tree in trees.items():
        for scope in ast.walk(tree):
            if not isinstance(scope, ast.ClassDef):
                continue
            known = inherited(scope.name)
            for node in ast.walk(scope):
                match node:
                    case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name) if is_private(name):
                        if name not in known:
                            yield f"{path}:{node.lineno}: {ast.unparse(node)}"
        for node in ast.walk(tree):
            match node:
                case ast.Attribute(value=ast.Name(id="self" | "cls")):
                    pass
                case ast.Attribute(attr=name) if is_private(name) and name not in bound:
                    yield f"{path}:{node.lineno}: {ast.unparse(node)}"


def test_no_private_attribute_of_another_library_is_used() -> None:
    trees = {str(path.relative_to(SRC)): ast.parse(path.read_text()) for path in SRC.rglob("*.py")}
    assert sorted(set(foreign_uses(trees))) == []


def test_private_attributes_of_others_are_found() -> None:
    module = """
class Own:
    def __init__(self):
        self._mine = 1

class Child(Own, asyncio.Protocol):
    def go(self, other, point):
        self._mine, other._mine, point._replace(x=1)
        self._loop, other._transport
"""
    assert sorted(foreign_uses({"m.py": ast.parse(module)})) == ["m.py:9: other._transport", "m.py:9: self._loop"]
    base = ast.parse("class Child:\n    def go(self):\n        self._close = False")
    assert list(foreign_uses({"a.py": base, "b.py": ast.parse("class A(B):\n    x = lambda self: self._close")})) == [
        "b.py:2: self._close"
    ]
