"""`pitboss arena join`: a bot takes a seat at an arena's table and plays until the match is over."""

import secrets
import shlex
import sys
from contextlib import redirect_stdout
from typing import TextIO

import click
import msgspec

from pitboss.arena.wire.messages import ServerMessage, Welcome
from pitboss.arena.wire.poker import find_variant
from pitboss.cli.arena.options import client_log
from pitboss.cli.output import echo, program
from pitboss.client import ArenaError, JoinRefused, LoadError, Patience, bot_name, load_bot, play
from pitboss.client.announcer import Announcement, Announcer
from pitboss.client.errors import NOT_ITS_CODE
from pitboss.printing import printable, printable_text

TAKEN = "; --code takes the code that was printed when it sat down, --team another name"


@click.command(short_help="let a bot play at a table")
@click.argument("bot")
@click.argument("url")
@click.option("--team", help="The team's name; without it, the bot's.")
@click.option(
    "--code",
    envvar="PITBOSS_CODE",
    show_envvar=True,
    help="What only this team knows; without it one is made up and printed. Others on the machine can read a command "
    "line: better give it in the environment or in a file.",
)
@click.option("--code-file", type=click.File(encoding="utf-8"), help="The code is the first line of this file.")
@click.option("--record", type=click.Path(dir_okay=False), help="Append every frame to this file, for arena verify.")
@click.option(
    "--give-up-after",
    default=60.0,
    show_default=True,
    type=click.FloatRange(0),
    help="Seconds without an arena after which to end.",
)
@click.option(
    "--tls-ca",
    default=None,
    metavar="FILE",
    help="Trust the certificate in this file at a wss:// address, beside those that this machine trusts.",
)
@click.option("--no-mix", is_flag=True, help="Mix no numbers into the shuffle: trust the organiser's.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
def join(
    bot: str,
    url: str,
    team: str | None,
    code: str | None,
    code_file: TextIO | None,
    record: str | None,
    give_up_after: float,
    tls_ca: str | None,
    no_mix: bool,
    as_json: bool,
) -> None:
    """Let BOT play at the arena at URL until the match is over; a lost connection is sought again.

    BOT is a Python file (bot.py, or bot.py:name), module:name, or a house bot. In a file the function decide
    or the class Bot is taken.

    \b
    Examples:
      pitboss arena join mybot.py ws://127.0.0.1:8765/ws
      pitboss arena join mybot.py:Cautious 'ws://127.0.0.1:8765/ws?table=T-2' --team Alpha --code-file alpha.code
    """
    try:
        team = team or bot_name(bot)
        code = code if code_file is None else _code_in(code_file)
        printer = _Printer(bot, url, team, None if code else (made_up := secrets.token_hex(4)), as_json, tls_ca)
        with client_log(shown=True), redirect_stdout(sys.stderr):  # what a bot prints is not ours to print
            loaded = load_bot(bot)
            play(
                loaded,
                url,
                team=team,
                code=code or made_up,
                record=record,
                mix=not no_mix,
                patience=Patience(give_up_after=give_up_after),
                on_message=printer.hear,
                say=None,
                tls_ca=tls_ca,
            )
    except (LoadError, ArenaError, TypeError) as error:
        taken = isinstance(error, JoinRefused) and error.code == "TEAM_TAKEN" and NOT_ITS_CODE not in str(error)
        echo(f"pitboss arena join: {error}{TAKEN if taken else ''}", err=True)
        sys.exit(1)
    except SystemExit:  # Ctrl-C or SIGTERM
        printer.leave()
        raise


def _code_in(file: TextIO) -> str:
    try:
        code = file.readline().strip()
    except UnicodeError:
        code = ""
    if not code:
        raise click.UsageError("--code-file: its first line is no code")
    return code


def _check_plays(bot: str, variant: str) -> None:
    """A house bot that cannot play the table's game must not sit there and fail at every decision."""
    from pitboss.arena.bots import HOUSE, why_not  # here, because a bot of one's own should not wait for them

    reason = why_not(bot, find_variant(variant)) if bot in HOUSE else None
    if reason is not None:
        raise ArenaError(reason)


class _Printer:
    """Prints where the bot sits, a line a hand, and how the match ended; as JSON, an object each."""

    def __init__(
        self, bot: str, url: str, team: str, made_up: str | None, as_json: bool, tls_ca: str | None = None
    ) -> None:
        self._bot, self._url, self._team, self._made_up = bot, url, team, made_up
        self._as_json, self._out = as_json, sys.stdout
        self._trust = () if tls_ca is None else ("--tls-ca", tls_ca)
        self._announcer = Announcer(team)

    def hear(self, message: ServerMessage) -> None:
        """Print what is worth a line."""
        if isinstance(message, Welcome) and self._announcer.welcome is None:
            _check_plays(self._bot, message.config.variant)
        for line in self._announcer.hear(message):
            self._print(line)

    def leave(self) -> None:
        """Say what became of the seat when the match is not over."""
        echo(self._announcer.leave_line() + self._way_back("; "), err=True)

    def _print(self, line: Announcement) -> None:
        fields, text = line.fields, line.text
        if line.kind == "waiting":
            echo(text, err=True)
            return
        if line.kind == "seat" and self._made_up is not None:
            fields, text = {**fields, "code": self._made_up}, text + self._way_back("\n")
        shown = printable(msgspec.json.encode(fields).decode()) if self._as_json else printable_text(text)
        print(shown, file=self._out, flush=True)

    def _way_back(self, before: str) -> str:
        """How to take this seat again, where the code is nobody's but ours to tell."""
        if self._made_up is None or self._announcer.welcome is None:
            return ""
        seat = ("--team", self._team, "--code", self._made_up)
        words = (program(), "arena", "join", self._bot, self._url, *seat, *self._trust)
        return f"{before}to come back: {shlex.join(words)}"
