"""Where the command begins: which commands there are, and how a closed pipe or a missing package ends one."""

import os
import sys

import click

from pitboss import __version__
from pitboss.cli.lazy import LazyGroup
from pitboss.extras import install_command
from pitboss.printing import printable

COMMANDS = {
    "arena": "host matches of bots, join them, play them here, and check them",
    "equity": "who wins how often: hands or ranges against each other, exactly where that is quick",
    "evaluate": "which poker hand cards make, and which of several wins",
    "icm": "what stacks are worth in a tournament's prizes, by the independent chip model",
    "convert": "convert recorded hands: sites' texts, PHH, Open Hand History, ACPC logs, table documents",
    "lab": "write card games with betting as data; play, simulate, solve and vary them",
    "replay": "replay recorded hands of any format and print finishing stacks",
    "stats": "statistics of recorded hands: winnings, VPIP, PFR and the rest, by player",
    "simulate": "play hold'em by the million between policies, and say what every seat won",
    "table": "keep a table document: join, pause, leave, next, deal, act, auto, view, merge",
    "sting": "play, simulate and script Sting, a small game of three rounds",
    "trace": "follow one hand or betting round, action by action, as JSON",
    "warmup": "compile what simulation and equities need, once a machine",
}

EXTRAS = {
    "aiohttp": "arena",
    "fpdf": "lab",
    "joblib": "lab",
    "numba": "fast",
    "numpy": "fast",
    "psycopg": "postgres",
    "ray": "ray",
    "ribs": "lab",
    "textual": "sting",
}
"""Packages that only some commands need, each with the extra of pitboss that installs it."""


SECTIONS = {
    "Recorded hands": ("replay", "convert", "stats", "table"),
    "Numbers": ("equity", "evaluate", "icm", "simulate", "warmup"),
    "Bots": ("arena",),
    "Games": ("lab", "sting"),
    "For other programs": ("trace",),
}
"""How the commands are listed; what is in none of these comes last."""


@click.group(
    cls=LazyGroup,
    listed=COMMANDS,
    sections=SECTIONS,
    prefix="pitboss.cli.",
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, "-V", "--version", message="pitboss %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Betting card games: one exact betting kernel, played, hosted, studied and invented.

    \b
    Examples:
      # you study hands
      pitboss replay hands.phhs --json
      pitboss equity AhAd QQ+,AKs --board Ks7d2c
      # you write a bot
      pitboss arena play sharp bot.py --hands 500
      pitboss arena serve --house tight,equity
      # you invent games
      pitboss lab games
      pitboss lab play draw_poker
      # you write poker software, in Python or in another language
      python -c "import pitboss; help(pitboss)"
      echo '{"betting": {"system": "no_limit", "small_blind": 10, "big_blind": 20},
             "stacks": [1000, 1000], "actions": ["call", "check"]}' | pitboss trace
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main() -> None:
    """Run the command; a package that is missing ends it with a sentence, a reader who has gone away without a word."""
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
