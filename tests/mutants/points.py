"""Where a small fault can be put into a file, and what the file is with it."""

import ast
import copy
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from msgspec import Struct

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
REACHED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
OTHER_NAME = {"min": "max", "max": "min", "any": "all", "all": "any"}
SMALL = 4
"""Numbers up to this are changed by one, larger ones by more: an off-by-one in a large limit is not a fault."""
SILENT = {"log", "print", "gc"}
"""What is said to a log is not tested word for word, and when garbage is collected is only speed."""
MAKING = {"frozen", "kw_only", "gc"}
"""How a class is made: what these refuse, the type checker refuses first."""

Key = tuple[str, str, str, str, int]


class Mutant(Struct, frozen=True, kw_only=True):
    """One fault: its place, its new code, and the number of equal ones before it in the file."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    kind: str
    before: str
    after: str
    nth: int = 0

    @property
    def key(self) -> Key:
        """The identity of the fault, wherever in its file it is."""
        return self.path, self.kind, self.before, self.after, self.nth

    @property
    def name(self) -> str:
        """The fault in one line."""
        return f"{self.path}:{self.line}: {self.kind}: {_short(self.before)} → {_short(self.after)}"

    def put_into(self, source: str) -> str:
        """The file with the fault, in as many lines; columns count bytes, as the parser does."""
        lines = source.encode().splitlines(keepends=True)
        first, last = lines[self.line - 1], lines[self.end_line - 1]
        changed = first[: self.column] + self.after.encode() + last[self.end_column :]
        changed += b"\n" * (self.end_line - self.line)
        return b"".join([*lines[: self.line - 1], changed, *lines[self.end_line :]]).decode()


def find_mutants(path: str, source: str) -> list[Mutant]:
    """All faults that can be put into a file.

    >>> for mutant in find_mutants("a.py", "def f(a, b):\\n    return a + 1 if a < b else 0\\n"):
    ...     print(mutant.name)
    a.py:2: condition: a < b → not (a < b)
    a.py:2: comparison: a < b → (a <= b)
    a.py:2: arithmetic: a + 1 → (a - 1)
    a.py:2: number: 1 → 2
    a.py:2: number: 0 → 1
    """
    found = []
    lines = source.encode().splitlines(keepends=True)
    like: Counter[tuple[str, str, str]] = Counter()
    for node, kind, after in _changes(ast.parse(source)):
        before = _text_of(lines, node)
        mutant = Mutant(
            path=path,
            line=node.lineno,
            column=node.col_offset,
            end_line=node.end_lineno,
            end_column=node.end_col_offset,
            kind=kind,
            before=before,
            after=after,
            nth=like[kind, before, after],
        )
        like[kind, before, after] += 1
        found.append(mutant)
    return found


def runs_at_import(source: str, line: int) -> bool:
    """Whether a line is outside of all functions: every test that loads the file depends on it.

    >>> [runs_at_import("LIMIT = 1\\n\\n\\ndef f():\\n    return LIMIT\\n", line) for line in (1, 5)]
    [True, False]
    """
    functions = [node for node in _defined(source) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return not any(node.body[0].lineno <= line <= (node.end_lineno or 0) for node in functions)


def within(source: str, line: int) -> str:
    """The function or class that contains a line.

    >>> within("class A:\\n    def f(self):\\n        return 1\\n", 3)
    'A.f'
    """
    return ".".join([node.name for node in _defined(source) if node.lineno <= line <= (node.end_lineno or 0)])


@cache
def _defined(source: str) -> list[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    """The functions and classes of a file, from the outside in."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    return [node for node in ast.walk(ast.parse(source)) if isinstance(node, kinds)]


def _text_of(lines: list[bytes], node: Any) -> str:
    """Return the source of a node; columns count bytes."""
    text = lines[node.lineno - 1 : node.end_lineno]
    text[-1] = text[-1][: node.end_col_offset]
    text[0] = text[0][node.col_offset :]
    return b"".join(text).decode()


def _changes(node: ast.AST) -> Iterator[tuple[Any, str, str]]:
    """Yield the nodes below one that can be changed, with their replacements."""
    for child in _worth_changing(node):
        change = CHANGES.get(type(child))
        if change is not None:
            yield from change(child)
        yield from _changes(child)


def _worth_changing(node: ast.AST) -> Iterator[ast.AST]:
    """The children whose change a test could notice: no annotation, decorator, docstring, words or tuned measure."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_comment", "bases", "slice_annotation"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _is_silent(child) and not _is_measure(node, child):
                yield child


def _is_measure(node: ast.AST, child: ast.AST) -> bool:
    """Whether a child is a measure that is tuned and no test should repeat: a constant of a file or class that is no
    whole number (seconds, a bot's leaning), what a timeout is, how a class is made, what another system lacks."""
    if isinstance(node, ast.Module | ast.ClassDef) and isinstance(child, ast.Assign | ast.AnnAssign):
        return isinstance(child.value, ast.Constant) and isinstance(child.value.value, float)
    if isinstance(node, ast.Call) and ast.unparse(node).startswith("getattr(os, "):
        return isinstance(child, ast.Constant)
    if isinstance(child, ast.keyword) and isinstance(child.value, ast.Constant):
        name = child.arg or ""
        return name.endswith("timeout") or (isinstance(node, ast.ClassDef) and name in MAKING)
    return False


def _is_silent(node: ast.AST) -> bool:
    if isinstance(node, ast.JoinedStr | ast.Assert | ast.Import | ast.ImportFrom):
        return True
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return True
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        said = ast.unparse(node.value.func)
        return said.split(".")[0] in SILENT or said in ("assert_never", "show_by_public_name")
    return False


def _changed(node: ast.expr, **fields: Any) -> str:
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return f"({ast.unparse(other)})"


def _comparison(node: ast.Compare) -> Iterator[tuple[ast.AST, str, str]]:
    for at, op in enumerate(node.ops):
        ops = list(node.ops)
        ops[at] = COMPARED[type(op)]()
        yield node, "comparison", _changed(node, ops=ops)


def _arithmetic(node: ast.BinOp) -> Iterator[tuple[ast.AST, str, str]]:
    words = any(
        isinstance(side, ast.JoinedStr | ast.List | ast.Tuple)
        or (isinstance(side, ast.Constant) and isinstance(side.value, str | bytes))
        for side in (node.left, node.right)
    )
    if type(node.op) in REACHED and not words:
        yield node, "arithmetic", _changed(node, op=REACHED[type(node.op)]())


def _both(node: ast.BoolOp) -> Iterator[tuple[ast.AST, str, str]]:
    yield node, "and-or", _changed(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())


def _sign(node: ast.UnaryOp) -> Iterator[tuple[ast.AST, str, str]]:
    if isinstance(node.op, ast.Not | ast.USub):
        yield node, "sign", f"({ast.unparse(node.operand)})"


def _number(node: ast.Constant) -> Iterator[tuple[ast.AST, str, str]]:
    if isinstance(node.value, bool):
        yield node, "truth", str(not node.value)
    elif isinstance(node.value, int | float):
        yield node, "number", repr(node.value + 1 if abs(node.value) <= SMALL else node.value * 16)


def _condition(node: ast.If | ast.While | ast.IfExp) -> Iterator[tuple[ast.AST, str, str]]:
    yield node.test, "condition", f"not ({ast.unparse(node.test)})"


def _filter(node: ast.comprehension) -> Iterator[tuple[ast.AST, str, str]]:
    for test in node.ifs:
        yield test, "filter", "True"


def _gone(node: ast.stmt) -> Iterator[tuple[ast.AST, str, str]]:
    yield node, "gone", "pass"


def _assignment(node: ast.Assign) -> Iterator[tuple[ast.AST, str, str]]:
    if all(isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets):
        yield node, "gone", "pass"


def _call_gone(node: ast.Expr) -> Iterator[tuple[ast.AST, str, str]]:
    if isinstance(node.value, ast.Call | ast.Await):
        yield node, "gone", "pass"


def _jump(node: ast.Continue | ast.Break) -> Iterator[tuple[ast.AST, str, str]]:
    yield node, "jump", "break" if isinstance(node, ast.Continue) else "continue"


def _function(node: ast.Call) -> Iterator[tuple[ast.AST, str, str]]:
    if isinstance(node.func, ast.Name) and node.func.id in OTHER_NAME:
        yield node.func, "function", OTHER_NAME[node.func.id]


CHANGES: dict[type[ast.AST], Callable[[Any], Iterator[tuple[ast.AST, str, str]]]] = {
    ast.Compare: _comparison,
    ast.BinOp: _arithmetic,
    ast.BoolOp: _both,
    ast.UnaryOp: _sign,
    ast.Constant: _number,
    ast.If: _condition,
    ast.While: _condition,
    ast.IfExp: _condition,
    ast.comprehension: _filter,
    ast.AugAssign: _gone,
    ast.Raise: _gone,
    ast.Delete: _gone,
    ast.Assign: _assignment,
    ast.Expr: _call_gone,
    ast.Continue: _jump,
    ast.Break: _jump,
    ast.Call: _function,
}


def _short(text: str) -> str:
    one_line = " ".join(text.split())
    return one_line if len(one_line) <= 70 else one_line[:69] + "…"
