"""A group of commands, each in its own module, which is imported when the command is called."""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any

import click

INTERRUPTED = 130
"""The exit code after Ctrl-C that shells expect: 128 plus the number of the signal."""


class LazyGroup(click.Group):
    """A group in which command `x` is the object `x` of the module `prefix + x`.

    `listed` has the short help of each command, `modules` the module of a command that shares one with another
    command, and `sections` the headings under which commands are listed.
    """

    def __init__(
        self,
        *args: Any,
        listed: dict[str, str],
        prefix: str,
        modules: Mapping[str, str] = MappingProxyType({}),
        sections: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.listed = listed
        self.prefix = prefix
        self.modules = modules
        self.sections = sections

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("\nAborted!", err=True)
            ctx.exit(INTERRUPTED)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(self.listed)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self.listed:
            return None
        command = getattr(import_module(f"{self.prefix}{self.modules.get(name, name)}"), name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for heading, names in self._by_section().items():
            with formatter.section(heading):
                formatter.write_dl([(name, self.listed[name]) for name in names])

    def _by_section(self) -> dict[str, list[str]]:
        """Return the commands under their headings; those without a heading come last."""
        found = {heading: [name for name in names if name in self.listed] for heading, names in self.sections.items()}
        placed = {name for names in found.values() for name in names}
        found["More" if placed else "Commands"] = sorted(self.listed.keys() - placed)
        return {heading: names for heading, names in found.items() if names}
