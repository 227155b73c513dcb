"""`pitboss arena join`: a bot takes a seat at an arena's table and plays until the match is over."""

import secrets
import sys
from contextlib import redirect_stdout
from typing import Any, TextIO

import click
import msgspec

from pitboss.arena.v1.messages import (
    EndHand,
    Lobby,
    MatchEnd,
    SeatStack,
    ServerMessage,
    StartHand,
    VoidMessage,
    Welcome,
)
from pitboss.arena.v1.poker import find_variant
from pitboss.cli.arena.client_log import client_log
from pitboss.cli.echo import echo
from pitboss.client import ArenaError, LoadError, Patience, bot_name, load_bot, play
from pitboss.printing import printable


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
        printer = _Printer(bot, team, None if code else (made_up := secrets.token_hex(4)), as_json)
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
            )
    except (LoadError, ArenaError, TypeError) as error:
        echo(f"pitboss arena join: {error}", err=True)
        sys.exit(1)


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
    """Prints a line a hand, and how the match ended."""

    def __init__(self, bot: str, team: str, made_up: str | None, as_json: bool) -> None:
        self._bot, self._team, self._made_up, self._as_json, self._out = bot, team, made_up, as_json, sys.stdout
        self._seat = -1
        self._before: int | None = None
        self._voided = False
        self._may_wait = True

    def hear(self, message: ServerMessage) -> None:
        """Print what is worth a line."""
        match message:
            case Welcome() if self._seat < 0:
                _check_plays(self._bot, message.config.variant)
                self._seated(message)
            case Lobby() if self._may_wait:
                self._may_wait = False
                if sum(player.connected for player in message.players) < 2:
                    echo("nobody else is here yet: waiting for others", err=True)
            case StartHand():
                self._before, self._voided = self._mine(message.stacks), False
            case VoidMessage():
                self._voided = True
            case EndHand():
                self._hand(message)
            case MatchEnd():
                self._ended(message)

    def _seated(self, welcome: Welcome) -> None:
        self._seat = welcome.seat
        code = {} if self._made_up is None else {"code": self._made_up}
        text = f"{self._team} has seat {welcome.seat} at {welcome.table_id}"
        if self._made_up is not None:
            text += f"; to come back: --team '{self._team}' --code {self._made_up}"
        self._print(text, type="seat", team=self._team, table_id=welcome.table_id, seat=welcome.seat, **code)

    def _hand(self, hand: EndHand) -> None:
        after, before = self._mine(hand.stacks), self._before
        self._before = None
        if after is None or before is None:  # out of the match, or only come in the middle of the hand
            return
        text = "taken back" if self._voided else f"{after - before:+,}"
        won = after - before
        self._print(
            f"{hand.hand_id}  {text:>10}  {after:>12,}",
            type="hand",
            hand_id=hand.hand_id,
            won=won,
            stack=after,
            voided=self._voided,
        )

    def _ended(self, end: MatchEnd) -> None:
        ranks = ", ".join(f"{final.team} {final.stack:,}" for final in end.final_stacks)
        fields = msgspec.to_builtins(end)
        tied = " and ".join(winner.team for winner in end.winners or ())
        self._print(f"{end.winner.team} wins: {ranks}" if end.winner else f"a tie of {tied}: {ranks}", **fields)

    def _mine(self, stacks: tuple[SeatStack, ...]) -> int | None:
        return next((each.stack for each in stacks if each.seat == self._seat), None)

    def _print(self, text: str, **fields: Any) -> None:
        line = msgspec.json.encode(fields).decode() if self._as_json else text
        print(printable(line), file=self._out, flush=True)
