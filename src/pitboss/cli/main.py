"""The command `pitboss`: its list of commands, and its errors for missing packages and files."""

import os
import sys

import click

from pitboss import __version__
from pitboss.cli.lazy import LazyGroup
from pitboss.extras import install_command
from pitboss.printing import printable

COMMANDS = {
    "arena": "host matches of bots, join them, play them here, and check them",
    "equity": "compute the equity of hands or ranges, exactly where that is quick",
    "evaluate": "name the poker hand that cards make, and the winner of several",
    "icm": "compute the prize money that tournament stacks are worth (independent chip model)",
    "convert": "convert recorded hands: site texts, PHH, Open Hand History, ACPC logs, table documents",
    "games": "list poker games; print, check and explain them as files, also your own",
    "mcp": "offer a seat and tools to a language model over the Model Context Protocol",
    "lab": "write card games with betting as data; play, simulate, solve and vary them",
    "replay": "replay recorded hands of any format and print finishing stacks",
    "solve": "solve hold'em after the flop: two ranges, a board and bet sizes to the best play",
    "stats": "print statistics of recorded hands for each player: winnings, VPIP, PFR and more",
    "simulate": "play millions of hold'em hands between policies and print the winnings of each seat",
    "table": "change a table document: join, pause, leave, next, deal, act, auto, view, merge",
    "sting": "play, simulate and script Sting, a small game of three rounds",
    "trace": "follow one hand or betting round, action by action, as JSON",
    "warmup": "compile the fast loops once per machine",
}

EXTRAS = {
    "aiohttp": "arena",
    "fpdf": "lab",
    "joblib": "lab",
    "mcp": "mcp",
    "numba": "fast",
    "numpy": "fast",
    "openskill": "lab",
    "psycopg": "postgres",
    "ray": "ray",
    "ribs": "lab",
    "textual": "sting",
    "uvicorn": "mcp",
}
"""The extra of pitboss that installs each optional package."""

SECTIONS = {
    "Recorded hands": ("replay", "convert", "stats", "table"),
    "Numbers": ("equity", "evaluate", "icm", "simulate", "solve", "warmup"),
    "Bots": ("arena", "mcp"),
    "Games": ("games", "lab", "sting"),
    "For other programs": ("trace",),
}
"""The headings under which the commands are listed."""


@click.group(
    cls=LazyGroup,
    listed=COMMANDS,
    sections=SECTIONS,
    prefix="pitboss.cli.",
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
)
@click.version_option(__version__, "-V", "--version", message="pitboss %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Play, host, study and invent betting card games.

    \b
    Examples:
      # study hands
      pitboss replay hands.phhs --json
      pitboss equity AhAd QQ+,AKs --board Ks7d2c
      # write a bot
      pitboss arena play sharp bot.py --hands 500
      pitboss arena serve --house tight,equity
      # invent games
      pitboss lab games
      pitboss lab play draw_poker
      # write poker software, in Python or another language
      python -c "import pitboss; help(pitboss)"
      echo '{"betting": {"system": "no_limit", "small_blind": 10, "big_blind": 20},
             "stacks": [1000, 1000], "actions": ["call", "check"]}' | pitboss trace
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main() -> None:
    """Run the command; print one line for a missing package or a failed file, and nothing for a closed pipe."""
    os.environ["PITBOSS_ANNOUNCE_COMPILING"] = "1"  # read by pitboss.fast.compiled, here and in worker processes
    try:
        try:
            cli(prog_name="pitboss")
        finally:
            sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            where = f"{error.filename}: " if error.filename else ""
            print(printable(f"pitboss: {where}{error.strerror or error}"), file=sys.stderr)
        sys.exit(1)
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRAS:
            raise
        print(f"pitboss: this needs {package}: {install_command(EXTRAS[package])}", file=sys.stderr)
        sys.exit(1)
