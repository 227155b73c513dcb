"""Run a bot's file in a process of its own; `python -m pitboss.client.bot_process` is that process.

The process gives up every permission that a bot does not need before it reads the bot's first line. Everything that the
bot prints goes to standard error; questions and answers use other descriptors.
"""

import asyncio
import atexit
import shlex
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import msgspec

from pitboss.arena.bots.namespaces import TRUSTED, Enclosure, Sandbox
from pitboss.arena.bots.runner import (
    LOADING,
    AnswerLine,
    AskLine,
    BotRunner,
    LoadedLine,
    LoadLine,
    to_stderr,
)
from pitboss.arena.bots.sandbox import BotLimits, LineHandler, confine, describe_error, serve_lines
from pitboss.arena.wire.answers import Question, read_answer
from pitboss.arena.wire.messages import read_server
from pitboss.client.bots import LoadError, ReadyBot, bot_file, bot_name, is_command, load_bot, prepare_bot
from pitboss.client.driver import await_result

COMMANDS = "pitboss.client.command_process"
"""The module that runs bots given as commands."""


def start_bot(
    spec: str,
    *,
    limits: BotLimits | None = None,
    loading: float = LOADING,
    say: Callable[[str], None] = to_stderr,
    folder: Path | None = None,
    name: str | None = None,
    sandbox: Sandbox = TRUSTED,
    hidden: Sequence[Path] = (),
    processor: int | None = None,
    stretch: float | None = None,
) -> BotRunner:
    """Start a bot, named as on the command line, in a process of its own, in `folder`.

    `name` is the team's name that a command receives. In a sandbox the bot can read its own folder except the `hidden`
    paths, and runs only on `processor` if one is given. With `stretch`, the time in which the bot waits for a processor
    does not count, up to `stretch` times the time for an answer.
    """
    limits = limits or BotLimits()

    def enclose() -> Enclosure:
        program = shlex.split(spec)[0] if is_command(spec) else None
        return Enclosure(
            sandbox.kind,
            bot_file(spec),
            limits,
            folder=folder,
            program=program,
            hidden=hidden,
            processor=processor,
        )

    return BotRunner(
        COMMANDS if is_command(spec) else __name__,
        spec,
        limits=limits,
        loading=loading,
        say=say,
        folder=folder,
        name=name or bot_name(spec),
        stretch=stretch,
        enclose=None if sandbox.kind == "none" else enclose,
    )


def begin(line: bytes) -> tuple[bytes, LineHandler | None]:
    """Load the bot of the first line; return the function that handles all other lines."""
    first = msgspec.json.decode(line, type=LoadLine)
    limits, lacking = first.confinement.limits, confine(first.confinement)
    sys.path[:] = [*first.path, *(entry for entry in sys.path if entry not in first.path)]
    try:
        bot = prepare_bot(load_bot(first.bot))
    except (LoadError, TypeError) as error:
        too_much = isinstance(error.__cause__, MemoryError)
        return msgspec.json.encode(LoadedLine(error=f"{error}{_allowed(limits) if too_much else ''}")), None
    runner = asyncio.Runner()  # one loop for all calls, so that an async bot may keep its objects
    atexit.register(runner.close)
    return msgspec.json.encode(LoadedLine(lacking=lacking, wants_messages=bot.on_message is not None)), partial(
        _answer_line, bot, runner, limits
    )


_decode = msgspec.json.Decoder(AskLine).decode


def _answer_line(bot: ReadyBot, runner: asyncio.Runner, limits: BotLimits, line: bytes) -> bytes | None:
    request = _decode(line)
    if request.ask is not None:
        return msgspec.json.encode(_answer(bot, runner, limits, request.ask))
    if request.message is not None and bot.on_message is not None:
        try:
            await_result(runner, bot.on_message(read_server(request.message)))
        except BaseException as error:  # the match continues, as in the client
            print(f"on_message raised {describe_error(error)}", file=sys.stderr, flush=True)
    return None


def _answer(bot: ReadyBot, runner: asyncio.Runner, limits: BotLimits, act: Question) -> AnswerLine:
    """Return the bot's answer, or a sentence about the error."""
    try:
        answer = await_result(runner, bot.ask(act))
    except MemoryError as error:
        return AnswerLine(raised=describe_error(error) + _allowed(limits))
    except BaseException as error:  # a bot may raise anything
        return AnswerLine(raised=describe_error(error))
    try:
        return AnswerLine(action=read_answer(answer, act))
    except Exception as error:  # also an object that raises when it is examined
        return AnswerLine(wrong=str(error))


def _allowed(limits: BotLimits) -> str:
    """Return the limit that led to an error, as the end of a sentence."""
    return f": a bot may have {limits.memory >> 20:,} MiB of memory"


if __name__ == "__main__":
    serve_lines(begin)
