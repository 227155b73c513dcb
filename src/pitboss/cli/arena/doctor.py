"""`pitboss arena doctor`: test a bot with every message of the protocol, and with errors."""

import asyncio
import secrets
import sys

import click
import msgspec
from msgspec import Struct

from pitboss.arena.bots.namespaces import Sandbox
from pitboss.arena.bots.runner import BotNotReady
from pitboss.arena.bots.sandbox import BotLimits, hide_arguments
from pitboss.arena.doctor.endpoint import DoctorError, Start, check_installed, examine
from pitboss.arena.doctor.exam import Pace
from pitboss.arena.doctor.scenes import ExamGame
from pitboss.arena.doctor.verdicts import ExamCheck, ExamReport, judge_troubles, report
from pitboss.arena.hosts.games import chosen_game
from pitboss.arena.hosts.moves import MovesHost
from pitboss.cli.arena.options import bot_limits, client_log, memory_option, sandbox_for_bots, trust_option
from pitboss.cli.arena.play import game_to_play
from pitboss.cli.output import echo
from pitboss.cli.progress import wrapped
from pitboss.client import Act, ArenaError, Patience, Trouble, bot_name, join
from pitboss.client.bot_process import start_bot
from pitboss.printing import printable

ORDER = ("pass", "advice", "fail")
"""Failures are printed last, just above the prompt."""
MARKS = {"pass": ("ok", "green"), "fail": ("FAIL", "red"), "advice": ("advice", "yellow")}
INDENT = 8
SEATS = 6
EAGER = Patience(first_wait=0.05, longest_wait=0.5, give_up_after=10.0)


@click.command(short_help="examine a bot and report its mistakes")
@click.argument("bot", required=False)
@click.option(
    "--listen", metavar="PORT", type=click.IntRange(0, 65535), help="Wait for a bot at this port; 0: any free port."
)
@click.option("--wait", default=60.0, show_default=True, type=click.FloatRange(0), help="Seconds to wait for a bot.")
@click.option(
    "--move-time-ms", default=3000, show_default=True, type=click.IntRange(1), help="Time limit for an answer."
)
@click.option("--seed", default=0, show_default=True, help="Seed of the cards.")
@click.option(
    "--game",
    default="no_limit_holdem",
    show_default=True,
    metavar="NAME|FILE",
    help="Game to examine, such as razz, hearts, mine.toml or mine.json; games other than hold'em have fewer tests.",
)
@memory_option
@trust_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def doctor(
    bot: str | None,
    listen: int | None,
    wait: float,
    move_time_ms: int,
    seed: int,
    game: str,
    memory_mib: int,
    trust_bots: bool,
    as_json: bool,
) -> None:
    """Test a bot with every message of the protocol, and with errors such as lost connections.

    BOT runs in pitboss.client, in a sandbox. With --listen the command waits for a bot in any language, which must
    connect to ws://127.0.0.1:PORT/ws. The exit code is 1 if a test failed. Advice is not a failure.

    \b
    Examples:
      pitboss arena doctor mybot.py
      pitboss arena doctor --listen 9000
      pitboss arena doctor mybot.py --game razz
    """
    hide_arguments("pitboss arena doctor")  # the seed determines every card
    if (bot is None) == (listen is None):
        raise click.UsageError("give a bot or --listen PORT" + (", not both" if bot is not None else ""))
    games = _game(game)
    pace = Pace(comes=wait, move_time_ms=move_time_ms, short_time_ms=min(1000, move_time_ms))
    try:
        check_installed()
        if bot is not None:
            sandbox = sandbox_for_bots("pitboss arena doctor", trusted=trust_bots, required=False)
            found = _examine_here(_Visit(bot, bot_limits(memory_mib), sandbox), pace, seed, games)
        else:
            found = _examine_there(listen or 0, pace, seed, games)
    except (BotNotReady, ArenaError, DoctorError) as error:
        echo(f"pitboss arena doctor: {error}", err=True)
        sys.exit(1)
    if as_json:
        echo(msgspec.json.encode(found))
    else:
        click.echo(_text(found))
    sys.exit(1 if found.failed else 0)


def _game(name: str) -> ExamGame:
    """Return the game of `--game`."""
    games = game_to_play(name)
    if isinstance(games, MovesHost):
        return chosen_game(name)
    if games.most_players < SEATS:
        raise click.UsageError(
            f"--game: expected a game for {SEATS} players, got {games.name} for {games.most_players}"
        )
    return games


class _Visit(Struct):
    """The examination of a bot in a file; `troubles` are the answers that the client replaced."""

    spec: str
    limits: BotLimits
    sandbox: Sandbox
    troubles: list[Trouble] = []

    def starter(self) -> Start:
        team, code = bot_name(self.spec), secrets.token_hex(4)
        start_bot(self.spec, limits=self.limits, sandbox=self.sandbox).close()  # raises now if the bot cannot start

        async def start(url: str) -> object:
            bot = await asyncio.to_thread(start_bot, self.spec, limits=self.limits, sandbox=self.sandbox)
            try:
                return await join(bot, url, team=team, code=code, patience=EAGER, on_trouble=self.troubles.append)
            finally:
                await asyncio.to_thread(bot.close)

        return start


def _examine_here(visit: _Visit, pace: Pace, seed: int, games: ExamGame) -> ExamReport:
    with client_log(shown=False):
        found = asyncio.run(examine(visit.starter(), pace=pace, seed=seed, games=games))
    own = judge_troubles((trouble.kind, _trouble(trouble)) for trouble in visit.troubles)
    return report([*own, *found.checks])


def _trouble(trouble: Trouble) -> str:
    """Return the sentence of a trouble, with the phase in poker."""
    return f"{trouble.act.phase}: {trouble.sentence}" if isinstance(trouble.act, Act) else trouble.sentence


def _examine_there(port: int, pace: Pace, seed: int, games: ExamGame) -> ExamReport:
    return asyncio.run(
        examine(None, port=port, pace=pace, seed=seed, games=games, say=lambda text: echo(text, err=True))
    )


def _text(found: ExamReport) -> str:
    lines = [_line(check) for check in sorted(found.checks, key=lambda check: ORDER.index(check.verdict))]
    return "\n".join([*lines, f"{found.passed} passed, {found.failed} failed, {found.advice} advice"])


def _line(check: ExamCheck) -> str:
    mark, colour = MARKS[check.verdict]
    sentence = "" if check.verdict == "pass" else f": {printable(check.sentence)}"
    return f"{click.style(f'{mark:<{INDENT}}', fg=colour)}{wrapped(check.name + sentence, indent=INDENT)}"
