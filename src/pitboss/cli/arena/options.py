"""Options for bots, their sandbox and language models, and the client's log, for the commands of `pitboss arena`."""

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from pitboss.arena.agents.models import FILE, find_model
from pitboss.arena.agents.player import Costs, ModelPlayer, Thought
from pitboss.arena.bots.namespaces import TRUSTED, Sandbox, find_sandbox
from pitboss.arena.bots.sandbox import BotLimits
from pitboss.cli.output import echo
from pitboss.hand.rulebook import explain_game
from pitboss.printing import printable

DEFAULT = BotLimits()
MIB = 1 << 20

memory_option = click.option(
    "--memory-mib",
    default=DEFAULT.memory // MIB,
    show_default=True,
    type=click.IntRange(64, 1 << 30),
    help="Memory of a bot's process, in MiB.",
)


models_option = click.option(
    "--models",
    default=FILE,
    show_default=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="File with the settings of language models, for bots called llm:NAME.",
)


def model_player(
    spec: str,
    file: Path,
    *,
    costs: Costs | None = None,
    on_thought: Callable[[Thought], object] | None = None,
) -> ModelPlayer:
    """Return the player that `llm:NAME` names. Raise `ModelError` if the file does not have it."""
    return ModelPlayer(spec, find_model(spec, file), explain=explain_game, costs=costs, on_thought=on_thought)


trust_option = click.option(
    "--trust-bots", is_flag=True, help="Run bots without a sandbox, with all permissions of your account."
)


def sandbox_for_bots(command: str, *, trusted: bool, required: bool, brief: bool = False) -> Sandbox:
    """Return the sandbox, after a test with a hostile process; `TRUSTED` if the bots are trusted.

    The result of the test is printed, one line per layer. With `brief`, only one line is printed if all layers are
    enforced. If a layer is not enforced, exit if the sandbox is `required`, or warn.
    """
    if trusted:
        return TRUSTED
    found = find_sandbox()
    if found.holds and brief:
        echo(f"sandbox: enforced: {', '.join(layer.name for layer in found.layers)}", err=True)
        return found
    for layer in found.layers:
        echo(printable(str(layer)), err=True)
    if found.holds:
        return found
    missing = ", ".join(layer.name for layer in found.layers if not layer.enforced)
    advice = "install bubblewrap, or give --trust-bots if you trust every bot (docs/security.md)"
    if required:
        echo(f"{command}: these parts of the sandbox do not work here: {missing}; {advice}", err=True)
        sys.exit(1)
    echo(f"{command}: warning: these parts of the sandbox do not work here: {missing}; {advice}", err=True)
    return found if found.starts else TRUSTED


def bot_limits(memory_mib: int) -> BotLimits:
    """Return the limits of a bot with this memory."""
    return BotLimits(memory=memory_mib * MIB)


class _Echo(logging.Handler):
    """Prints through click, which uses the current standard error."""

    def emit(self, record: logging.LogRecord) -> None:
        echo(self.format(record), err=True)


@contextmanager
def client_log(*, shown: bool) -> Iterator[None]:
    """Print or discard the log of `pitboss.client` in this context."""
    log = logging.getLogger("pitboss.client")
    handler = _Echo() if shown else logging.NullHandler()
    propagated, log.propagate = log.propagate, False
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.propagate = propagated
