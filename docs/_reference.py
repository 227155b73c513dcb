"""The pages of the reference, made when the site is built: public names by subject, and what every command says."""

import inspect
from pathlib import Path

import click

import pitboss
from pitboss.cli.main import cli

SUBJECTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "hands": ("Hands and games", ("hand", "game")),
    "betting": ("Betting", ("betting",)),
    "cards": ("Cards, chance and ranks", ("cards", "chance", "ranks")),
    "tables": ("Tables", ("table",)),
    "records": ("Recorded hands", ("records", "formats", "histories")),
    "numbers": ("Equities, simulation and training", ("fast", "batch")),
    "study": ("Statistics", ("study",)),
    "errors": ("Errors and versions", ("errors",)),
}
"""A page of the reference, its title, and the rooms whose public names stand there."""


def write_reference(folder: Path) -> None:
    """One page a subject with every public name of its rooms."""
    folder.mkdir(exist_ok=True)
    listed = set()
    for page, (title, rooms) in SUBJECTS.items():
        names = [name for name in sorted(pitboss.__all__, key=str.lower) if _room(name) in rooms]
        listed |= set(names)
        blocks = "\n\n".join(_block(name) for name in names)
        text = f"# {title}\n\n```{{eval-rst}}\n.. currentmodule:: pitboss\n\n{blocks}\n```\n"
        (folder / f"{page}.md").write_text(text, encoding="utf-8")
    forgotten = set(pitboss.__all__) - listed
    if forgotten:
        raise ValueError(f"the reference has no page for {', '.join(sorted(forgotten))}")


def _block(name: str) -> str:
    """What Sphinx is to make of a name; plain values have no docstring of their own but that of their type."""
    value = getattr(pitboss, name)
    if isinstance(value, type):
        return f".. {'autoexception' if issubclass(value, Exception) else 'autoclass'}:: pitboss.{name}"
    if inspect.isfunction(value):
        return f".. autofunction:: pitboss.{name}"
    return f".. data:: {name}\n   :type: {type(value).__name__}"


def _room(name: str) -> str:
    return pitboss._HOME.get(name, "pitboss.errors").split(".")[1]


def write_commands(folder: Path) -> None:
    """One page with the help of every command."""
    parts = ["# Commands\n", "Every command says this of itself with `--help`.\n"]
    parts += [f"## {path}\n\n```text\n{text}\n```\n" for path, text in _helps(cli, "pitboss", None)]
    (folder / "commands.md").write_text("\n".join(parts), encoding="utf-8")


def _helps(command: click.Command, path: str, parent: click.Context | None) -> list[tuple[str, str]]:
    context = click.Context(command, info_name=path.rpartition(" ")[2], parent=parent, terminal_width=100)
    found = [(path, command.get_help(context))]
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None and not below.hidden:
                found += _helps(below, f"{path} {name}", context)
    return found
