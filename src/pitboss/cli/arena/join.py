"""`pitboss arena join`: play a bot at a server's table until the match is over."""

import json
import os
import secrets
import shlex
import sys
import time
from contextlib import redirect_stdout, suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TextIO
from urllib.parse import parse_qsl, urlsplit, urlunsplit

import click
import msgspec

from pitboss.arena.agents.models import PREFIX, ModelError, is_model
from pitboss.arena.agents.thoughts import append_thought, thoughts_file
from pitboss.arena.wire.messages import Config, ServerMessage, Welcome
from pitboss.arena.wire.poker import find_games
from pitboss.cli.arena.options import client_log, model_player, models_option
from pitboss.cli.output import echo, program
from pitboss.client import ArenaError, JoinRefused, LoadError, Patience, bot_name, load_bot, play
from pitboss.client.announcer import Announcement, Announcer
from pitboss.client.errors import NOT_ITS_CODE
from pitboss.client.network import address_of, page_of
from pitboss.printing import printable, printable_text
from pitboss.store.files import open_private

TAKEN = "; give --code with the code that was printed when the team got its seat, or --team with another name"
BETWEEN_MATCHES = 2.0
"""Seconds to wait before joining again if the last match had no hand for this bot."""


@click.command(short_help="play a bot at a server's table")
@click.argument("bot")
@click.argument("url")
@click.option("--team", help="Name of the team. Default: the bot's name.")
@click.option(
    "--code",
    envvar="PITBOSS_CODE",
    show_envvar=True,
    help="Secret code of the team. Default: a new one, saved for this server and team. Other users of this machine can "
    "read a command line, so prefer --code-file or the variable.",
)
@click.option("--code-file", type=click.File(encoding="utf-8"), help="Read the code from the first line of this file.")
@models_option
@click.option("--again", is_flag=True, help="After a match, join the next one.")
@click.option("--record", type=click.Path(dir_okay=False), help="Append every frame to this file, for arena verify.")
@click.option(
    "--give-up-after",
    default=60.0,
    show_default=True,
    type=click.FloatRange(0),
    help="Seconds without a connection before the command ends.",
)
@click.option(
    "--tls-ca",
    default=None,
    metavar="FILE",
    help="Also trust the certificate in this file, for a wss:// address.",
)
@click.option("--no-mix", is_flag=True, help="Do not contribute random numbers to the shuffle.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
def join(
    bot: str,
    url: str,
    team: str | None,
    code: str | None,
    code_file: TextIO | None,
    models: Path,
    again: bool,
    record: str | None,
    give_up_after: float,
    tls_ca: str | None,
    no_mix: bool,
    as_json: bool,
) -> None:
    """Play BOT at the server with the address URL until the match is over. A lost connection is opened again.

    BOT is a Python file (bot.py, or bot.py:name), module:name, a house bot, or a language model (llm:NAME, with its
    settings in models.toml). A file must have a function decide or a class Bot. If no code is given, a code is
    generated and saved, so that the same command takes the seat again. Codes are saved in ~/.local/state/pitboss, or
    in the folder that PITBOSS_STATE names.

    \b
    Examples:
      pitboss arena join mybot.py ws://127.0.0.1:8765/ws
      pitboss arena join mybot.py ws://127.0.0.1:8765/ws --again
      pitboss arena join llm:local ws://127.0.0.1:8765/ws
      pitboss arena join mybot.py:Cautious 'ws://127.0.0.1:8765/ws?table=T-2' --team Alpha --code-file alpha.code
    """
    if again and "table" in dict(parse_qsl(urlsplit(url).query)):
        raise click.UsageError("--again: leave ?table= out of the address, because the next match has another table")
    try:
        team = team or (bot.removeprefix(PREFIX) if is_model(bot) else bot_name(bot))
        code = code if code_file is None else code_in(code_file)
        saved = None if code else SavedCode(url, team)
        printer = _Printer(bot, url, team, saved, as_json, tls_ca)
        with client_log(shown=True), redirect_stdout(sys.stderr):  # for what the bot prints
            noting = None if record is None else partial(append_thought, thoughts_file(Path(record)))
            player = model_player(bot, models, on_thought=noting) if is_model(bot) else None
            loaded = load_bot(bot) if player is None else player
            while True:
                play(
                    loaded,
                    url,
                    team=team,
                    code=code or (saved.code if saved is not None else ""),
                    record=record,
                    mix=not no_mix,
                    patience=Patience(give_up_after=give_up_after),
                    on_message=printer.receive,
                    say=None,
                    tls_ca=tls_ca,
                )
                if player is not None:
                    echo(f"{bot}: {player.costs.line()}", err=True)
                if not again:
                    break
                if not printer.played:
                    time.sleep(BETWEEN_MATCHES)
                printer.next_match()
    except (LoadError, ModelError, ArenaError, TypeError) as error:
        taken = isinstance(error, JoinRefused) and error.code == "TEAM_TAKEN" and NOT_ITS_CODE not in str(error)
        echo(f"pitboss arena join: {error}{TAKEN if taken else ''}", err=True)
        sys.exit(1)
    except KeyboardInterrupt:  # between two matches
        sys.exit(130)
    except SystemExit:  # Ctrl-C or SIGTERM
        printer.leave()
        raise


class SavedCode:
    """The code of a team at a server, in a file that only this user can read."""

    def __init__(self, url: str, team: str) -> None:
        parts = urlsplit(address_of(url))
        server = urlunsplit(parts._replace(query="", fragment=""))
        state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
        folder = Path(os.environ.get("PITBOSS_STATE") or Path(state) / "pitboss")
        self._entry = {"server": server, "team": team}
        self.path = folder / "codes" / f"{sha256(json.dumps([server, team]).encode()).hexdigest()[:32]}.json"
        self.is_saved = False  #: whether the code is in the file
        self.code = self._read() or secrets.token_hex(4)

    def save(self) -> None:
        """Write the code to the file; if that fails, `is_saved` stays false."""
        if self.is_saved:
            return
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            new = self.path.with_suffix(f".{secrets.token_hex(4)}")
            with open_private(new, "x") as file:
                json.dump({**self._entry, "code": self.code}, file)
            os.replace(new, self.path)
            self.is_saved = True

    def _read(self) -> str | None:
        try:
            found = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        code = found.get("code") if isinstance(found, dict) else None
        self.is_saved = isinstance(code, str) and bool(code)
        return code if self.is_saved else None


def code_in(file: TextIO) -> str:
    """Return the code in the first line of a file."""
    try:
        code = file.readline().strip()
    except UnicodeError:
        code = ""
    if not code:
        raise click.UsageError("--code-file: expected a code in the first line, found none")
    return code


def _check_plays(bot: str, config: Config) -> None:
    """Raise `ArenaError` if a house bot cannot play the table's game."""
    from pitboss.arena.bots import HOUSE, why_not  # here, because other bots do not need them

    games = find_games(config.variant, config.game)
    reason = why_not(bot, games, config.variant) if bot in HOUSE else None
    if reason is not None:
        raise ArenaError(reason)


class _Printer:
    """Prints the bot's seat, one line per hand, and the result, as text or as JSON objects."""

    def __init__(
        self, bot: str, url: str, team: str, saved: SavedCode | None, as_json: bool, tls_ca: str | None = None
    ) -> None:
        self._bot, self._url, self._team, self._saved_code = bot, url, team, saved
        self._as_json, self._out = as_json, sys.stdout
        self._trust = () if tls_ca is None else ("--tls-ca", tls_ca)
        self.next_match()

    def next_match(self) -> None:
        """Prepare for another match."""
        self._announcer = Announcer(self._team)
        self.played = False  #: whether the bot was in a hand of this match

    def receive(self, message: ServerMessage) -> None:
        """Print the lines about a message."""
        if isinstance(message, Welcome) and self._announcer.welcome is None:
            _check_plays(self._bot, message.config)
            if self._saved_code is not None:
                self._saved_code.save()
        for line in self._announcer.announce(message):
            self.played = self.played or line.kind == "hand"
            self._print(line)

    def leave(self) -> None:
        """Print what happens to the seat when the command ends before the match."""
        echo(self._announcer.leave_line() + self._way_back("; "), err=True)

    def _print(self, line: Announcement) -> None:
        fields, text = line.fields, line.text
        if line.kind == "waiting":
            echo(text, err=True)
            return
        if line.kind == "seat":
            page = page_of(self._url, fields["table_id"])
            fields = {**fields, "page": page} | ({} if self._saved_code is None else {"code": self._saved_code.code})
            text = f"{text}\nwatch: {page}{self._way_back(chr(10))}"
        shown = printable(msgspec.json.encode(fields).decode()) if self._as_json else printable_text(text)
        print(shown, file=self._out, flush=True)

    def _way_back(self, before: str) -> str:
        """Return the command that takes this seat again; nothing if the user gave the code."""
        if self._saved_code is None or self._announcer.welcome is None:
            return ""
        seat = ("--team", self._team, *(() if self._saved_code.is_saved else ("--code", self._saved_code.code)))
        words = (program(), "arena", "join", self._bot, self._url, *seat, *self._trust)
        return f"{before}to come back: {shlex.join(words)}"
