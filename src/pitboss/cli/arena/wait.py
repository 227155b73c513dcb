"""`pitboss arena wait` and `pitboss arena act`: play from a shell, one command per turn."""

import asyncio
import sys
from collections.abc import Callable
from functools import partial
from typing import TextIO, TypeVar

import click
import msgspec

from pitboss.arena.agents.prompts import question_prompt
from pitboss.arena.wire.messages import Act, MatchEnd
from pitboss.arena.wire.poker import find_games
from pitboss.cli.arena.join import code_in
from pitboss.cli.output import echo, fail
from pitboss.client.errors import ArenaError
from pitboss.client.turns import ConnectionLost, OpenTurn, play_turn, read_move, wait_for_turn

OVER, TIMED_OUT = 3, 4

F = TypeVar("F", bound=Callable[..., object])


def _team_options(command: F) -> F:
    """Add the options that name a team."""
    options = (
        click.option("--team", required=True, help="Name of the team."),
        click.option(
            "--code-file",
            required=True,
            type=click.File(encoding="utf-8"),
            help="File with the team's code in its first line; the code locks the team's seat.",
        ),
        click.option("--tls-ca", metavar="FILE", help="Also trust the certificate in this file, for a wss:// address."),
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.command(short_help="wait for a team's turn and print the question")
@click.argument("url")
@_team_options
@click.option(
    "--timeout",
    default=3600.0,
    show_default=True,
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help="Longest time to wait.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the question as one JSON object, as the server sent it.")
def wait(url: str, team: str, code_file: TextIO, tls_ca: str | None, timeout: float, as_json: bool) -> None:
    """Wait until it is a team's turn, and print the question. A team without a seat takes a free one.

    After the command the seat is disconnected, and its clock runs until `pitboss arena act` answers. Host the table
    with a long turn, such as `serve --move-time-ms 300000`. The exit status is 0 with a question, 3 if the match is
    over, 4 if the time ran out, 1 after an error.

    \b
    Examples:
      pitboss arena wait ws://127.0.0.1:8765/ws --team Ada --code-file ada.code
      pitboss arena wait ws://127.0.0.1:8765/ws --team Ada --code-file ada.code --timeout 60 --json
    """
    try:
        found = asyncio.run(wait_for_turn(url, team, code_in(code_file), seconds=timeout, tls_ca=tls_ca))
    except ConnectionLost as lost:
        echo(f"pitboss arena wait: {lost}", err=True)
        sys.exit(TIMED_OUT)
    except ArenaError as error:
        fail("arena wait", error)
    except KeyboardInterrupt:
        sys.exit(130)
    if found is None:
        echo(f"pitboss arena wait: it was not the turn of {team} for {timeout:g} s", err=True)
        sys.exit(TIMED_OUT)
    if isinstance(found, MatchEnd):
        echo(_result(found) if not as_json else msgspec.json.encode(found))
        sys.exit(OVER)
    echo(msgspec.json.encode(found.question) if as_json else _question(found))


@click.command(short_help="answer a team's open question")
@click.argument("url")
@click.argument("move")
@_team_options
@click.option(
    "--amount",
    type=click.IntRange(0),
    help="For RAISE_TO: the total bet in this round. For RUNS: how often.",
)
def act(url: str, move: str, team: str, code_file: TextIO, tls_ca: str | None, amount: int | None) -> None:
    """Answer a team's open question. MOVE is FOLD, CHECK, CALL, RAISE_TO, RUNS or 'DRAW 9d 7c' in poker.

    In other games MOVE is the number of a move, as `wait` prints it, or the move as JSON. MOVE can also be a mixed
    strategy, a JSON list of actions or moves with their probabilities. The exit status is 0 if the move was played,
    and 1 with the reason if it was not; then the question is still open.

    \b
    Examples:
      pitboss arena act ws://127.0.0.1:8765/ws CALL --team Ada --code-file ada.code
      pitboss arena act ws://127.0.0.1:8765/ws RAISE_TO --amount 300 --team Ada --code-file ada.code
      pitboss arena act ws://127.0.0.1:8765/ws '[{"action": "CALL", "p": 0.3}, {"action": "FOLD", "p": 0.7}]' \
        --team Ada --code-file ada.code
    """
    choose = partial(read_move, move=move, amount=amount)
    try:
        asyncio.run(play_turn(url, team, code_in(code_file), choose, tls_ca=tls_ca))
    except ArenaError as error:
        fail("arena act", error)
    except KeyboardInterrupt:
        sys.exit(130)


def _question(turn: OpenTurn) -> str:
    """Return a question as text."""
    question, config = turn.question, turn.config
    if not isinstance(question, Act):
        moves = [f"{move.index}  {move.text}" for move in question.moves]
        return "\n".join([*filter(None, [question.rules]), question.text or "", *moves])
    structure, *_ = find_games(question.table.variant or config.variant, config.game)
    return question_prompt(question, structure, {})


def _result(end: MatchEnd) -> str:
    winners = [end.winner] if end.winner is not None else [*(end.winners or ())]
    return "the match is over; first: " + ", ".join(winner.team for winner in winners)
