"""Write the reference to docs/reference/: `python docs/_reference.py`. A test checks that it is current."""

import ast
import inspect
import json
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from textwrap import fill
from types import UnionType
from typing import Any, get_args

import click
import msgspec

import pitboss
from pitboss.arena.protocol.page import example_of
from pitboss.cli.main import cli

SUBJECTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "hands": ("Hands and games", ("hand", "game")),
    "betting": ("Betting", ("betting",)),
    "cards": ("Cards, chance and ranks", ("cards", "chance", "decks", "ranks")),
    "tables": ("Tables", ("table",)),
    "records": ("Recorded hands", ("records", "formats", "histories")),
    "numbers": ("Equities, simulation and training", ("fast", "batch", "compilation")),
    "solver": ("Solving", ("solver",)),
    "study": ("Statistics", ("study",)),
    "errors": ("Errors and versions", ("errors",)),
}
"""The pages of the names in `pitboss`: a title, and the packages that the names come from."""
DETAILS = {"tables": "pitboss.table", "records": "pitboss.formats", "numbers": "pitboss.batch"}
"""The packages whose other names follow on the page of a subject."""
MODULES = {
    "client": ("Writing a bot", "pitboss.client"),
    "documents": ("Table documents", "pitboss.documents"),
    "lab": ("The lab", "pitboss.lab"),
}
"""The pages of packages that are imported by their own names."""
HEAD = "<!-- Written by `make docs`. -->\n\n"
LONG_VALUE = 60
MESSAGES = "pitboss.arena.wire.messages"
"""The module of the protocol's messages. Their examples are those of docs/protocol.md."""
Defined = ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign


def write_reference(folder: Path) -> None:
    """Write a page per subject with every public name, and a page with the help of every command."""
    folder.mkdir(exist_ok=True)
    listed = set()
    for page, (title, packages) in SUBJECTS.items():
        names = {name for name in pitboss.__all__ if _package(name) in packages}
        listed |= names
        games = {name for name in names if isinstance(getattr(pitboss, name), pitboss.Structure)}
        others = set(import_module(DETAILS[page]).__all__) - names if page in DETAILS else set()
        entries = [_entry("pitboss", name) for name in _alphabetical(names - games)]
        entries += [_entry(DETAILS[page], name) for name in _alphabetical(others)]
        _write(folder / f"{page}.md", title, entries + ([_games(_alphabetical(games))] if games else []))
    if forgotten := set(pitboss.__all__) - listed:
        raise ValueError(f"the reference has no page for {', '.join(sorted(forgotten))}")
    for page, (title, module) in MODULES.items():
        details = _alphabetical(import_module(module).__all__)
        _write(folder / f"{page}.md", title, [_entry(module, name) for name in details])
    helps = [f"## {path}\n\n```text\n{text}\n```" for path, text in _helps(cli, "pitboss", None)]
    _write(folder / "commands.md", "Commands", ["What each command prints with `--help`.", *helps])


def _write(path: Path, title: str, parts: list[str]) -> None:
    path.write_text(f"{HEAD}# {title}\n\n" + "\n\n".join(parts) + "\n", encoding="utf-8")


def _alphabetical(names: Iterable[str]) -> list[str]:
    return sorted(names, key=lambda name: (name.lower(), name))


def _games(names: list[str]) -> str:
    """Return one section for all games, which are constants of one type."""
    listed = ",\n".join(f'<a id="pitboss.{name}"></a>`{name}`' for name in names)
    return f"## Games\n\nEach is a `Structure`; [games](../games.md) explains them: {listed}."


def _package(name: str) -> str:
    return pitboss._HOME.get(name, "pitboss.errors").split(".")[1]


def _entry(module: str, name: str) -> str:
    """Return the section of one name: how it is written, and its docstring."""
    value = getattr(import_module(module), name)
    head = f'<a id="{module}.{name}"></a>\n\n## {name}\n\n'
    if inspect.isclass(value):
        return head + _class(value, name)
    if inspect.isfunction(inspect.unwrap(value)):
        return head + _function(inspect.unwrap(value), name)
    return head + _code(_value(name, value))


def _value(name: str, value: Any) -> str:
    """Return how a constant or an alias of types is written, without what is too long to read."""
    if isinstance(value, UnionType) and (kinds := get_args(value)):
        return fill(f"{name} = {' | '.join(kind.__name__ for kind in kinds)}", 100, subsequent_indent="    ")
    text = repr(value) if isinstance(value, str | int | float | tuple) else ""
    return f"{name}: {type(value).__name__}" + (f" = {text}" if 0 < len(text) <= LONG_VALUE else "")


def _class(value: type, name: str) -> str:
    bases = [base.__name__ for base in value.__bases__ if base.__module__.startswith("pitboss")]
    node = _definition(value)
    fields = [line for line in _fields(value) if line] if isinstance(node, ast.ClassDef) else []
    lines = [f"class {name}" + (f"({', '.join(bases)})" if bases else ""), *(f"    {line}" for line in fields)]
    parts = [_code("\n".join(lines)), _prose(value.__doc__), _message_example(value)]
    for method in node.body if isinstance(node, ast.ClassDef) else []:
        if isinstance(method, ast.FunctionDef) and not method.name.startswith("_") and ast.get_docstring(method):
            is_property = any(ast.unparse(mark) == "property" for mark in method.decorator_list)
            parts.append(f"### {name}.{method.name}")
            if not is_property:
                parts.append(_code(_signature(method, method.name)))
            parts.append(_prose(ast.get_docstring(method)))
    return "\n\n".join(part for part in parts if part)


def _message_example(value: type) -> str:
    """Return the JSON of a message of the arena, or of a part of one, from the protocol's examples."""
    if value.__module__ != MESSAGES or ">>>" in (value.__doc__ or ""):
        return ""
    written = json.dumps(msgspec.json.decode(msgspec.json.encode(example_of(value))))
    return "As JSON:\n\n```text\n" + fill(written, 100, break_long_words=False, break_on_hyphens=False) + "\n```"


def _fields(value: type) -> Iterator[str]:
    """Yield the public fields of a class as its source has them, with their comments."""
    for line in inspect.getsource(value).splitlines():
        if field := re.fullmatch(r"    ((?!_)\w+: .+)", line):
            yield field[1].replace("#:", "#")


def _function(value: Any, name: str) -> str:
    node = _definition(value)
    written = _signature(node, name) if isinstance(node, ast.FunctionDef) else name
    return "\n\n".join(part for part in (_code(written), _prose(inspect.getdoc(value))) if part)


def _signature(node: ast.FunctionDef, name: str) -> str:
    arguments = [argument.arg for argument in node.args.args]
    if arguments[:1] in (["self"], ["cls"]):
        node.args.args = node.args.args[1:]
    written = f"{name}({ast.unparse(node.args)})"
    return written + (f" -> {ast.unparse(node.returns)}" if node.returns else "")


@cache
def _definition(value: Any) -> Defined | None:
    try:
        return ast.parse(inspect.cleandoc("\n" + inspect.getsource(value))).body[0]  # type: ignore[return-value]  # sources define only these
    except (OSError, TypeError, SyntaxError):
        return None


def _code(text: str) -> str:
    return f"```python\n{text}\n```"


def _prose(docstring: str | None) -> str:
    """Return a docstring as Markdown: its examples become code."""
    text = inspect.cleandoc(docstring or "").replace("``", "`")
    blocks = [_code(block) if block.startswith(">>> ") else block for block in text.split("\n\n")]
    return "\n\n".join(blocks).replace("```\n\n```python\n>>>", "\n>>>")


def _helps(command: click.Command, path: str, parent: click.Context | None) -> list[tuple[str, str]]:
    """Return the help of a command and those below it, without the option `--help` and the lists of groups."""
    name = path.rpartition(" ")[2]
    context = click.Context(command, info_name=name, parent=parent, terminal_width=100, help_option_names=[])
    text = command.get_help(context)
    if not isinstance(command, click.Group):
        return [(path, text)]
    found = [(path, text.partition("\n\nCommands:")[0] if parent else text)]
    for below in command.list_commands(context):
        one = command.get_command(context, below)
        if one is not None and not one.hidden:
            found += _helps(one, f"{path} {below}", context)
    return found


if __name__ == "__main__":
    write_reference(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "reference")
