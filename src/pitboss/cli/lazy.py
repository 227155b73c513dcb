"""A group of commands, each in a module of its own that is imported only when it is called."""

from importlib import import_module
from typing import Any

import click


class LazyGroup(click.Group):
    """Commands by name with a short help; command `x` is the object `x` of the module `prefix + x`."""

    def __init__(self, *args: Any, listed: dict[str, str], prefix: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.listed = listed
        self.prefix = prefix

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(self.listed)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self.listed:
            return None
        command = getattr(import_module(f"{self.prefix}{name}"), name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, self.listed[name]) for name in self.list_commands(ctx)])
