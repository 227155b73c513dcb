"""The command's front door: which commands there are, and how an interrupt or a closed pipe ends one."""

import os
import sys
from importlib import import_module

import click

from pitboss import __version__

COMMANDS = {
    "convert": "convert hands between PHH, table documents and PokerStars text",
    "house": "play a table of house players and print how they did",
    "replay": "replay recorded hands (.phh, .phhs) and print finishing stacks",
    "table": "keep a table document: merge, next, auto, act, view",
    "trace": "follow one hand or betting round, action by action, as JSON",
}


class LazyGroup(click.Group):
    """A group that imports a command's module only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command = getattr(import_module(f"pitboss.cli.{name}"), name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name]) for name in self.list_commands(ctx)])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", message="pitboss %(version)s")
def cli() -> None:
    """Betting card games: one exact betting kernel, played, hosted, studied and invented.

    \b
    Examples:
      pitboss house --hands 500
      pitboss replay hands.phhs --json
      echo '{"betting": {"system": "no_limit", "small_blind": 10, "big_blind": 20},
             "stacks": [1000, 1000], "actions": ["call", "check"]}' | pitboss trace
    """


def main() -> None:
    """Run the command; what cannot be written any more ends it, without a word if the reader has just gone away."""
    try:
        try:
            cli(prog_name="pitboss")
        finally:
            sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            where = f"{error.filename}: " if error.filename else ""
            print(f"pitboss: {where}{error.strerror or error}", file=sys.stderr)
        sys.exit(1)
