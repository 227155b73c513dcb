"""What the commands of `pitboss arena` share: the limits and the sandbox of a bot's process, and the client's log."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from pitboss.arena.bots.namespaces import TRUSTED, Sandbox, find_sandbox
from pitboss.arena.bots.sandbox import BotLimits
from pitboss.cli.output import echo
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


trust_option = click.option(
    "--trust-bots", is_flag=True, help="Run bots without a sandbox: they can then do what your account can do."
)


def sandbox_for_bots(command: str, *, trusted: bool, required: bool) -> Sandbox:
    """Test the sandbox with a hostile process, print what it enforces, and return it; or none if the bots are trusted.

    If something is not enforced, warn, or exit if the sandbox is required.
    """
    if trusted:
        return TRUSTED
    found = find_sandbox()
    for layer in found.layers:
        echo(printable(str(layer)), err=True)
    if found.holds:
        return found
    missing = ", ".join(layer.name for layer in found.layers if not layer.enforced)
    advice = "install bubblewrap, or give --trust-bots if you trust every bot (docs/security.md)"
    if required:
        echo(f"{command}: the sandbox does not enforce: {missing}; {advice}", err=True)
        sys.exit(1)
    echo(f"{command}: warning: the sandbox does not enforce: {missing}; {advice}", err=True)
    return found if found.starts else TRUSTED


def bot_limits(memory_mib: int) -> BotLimits:
    """The limits with this much memory."""
    return BotLimits(memory=memory_mib * MIB)


class _Echo(logging.Handler):
    """Prints through click, which knows where standard error is now."""

    def emit(self, record: logging.LogRecord) -> None:
        echo(self.format(record), err=True)


@contextmanager
def client_log(*, shown: bool) -> Iterator[None]:
    """For as long as a command runs, print what the client says, or keep it to itself."""
    log = logging.getLogger("pitboss.client")
    handler = _Echo() if shown else logging.NullHandler()
    propagated, log.propagate = log.propagate, False
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.propagate = propagated
