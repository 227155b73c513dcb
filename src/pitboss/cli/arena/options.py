"""Options that the commands of `pitboss arena` share: the limits of a bot's process, and the client's log."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import click

from pitboss.arena.bots.sandbox import BotLimits
from pitboss.cli.output import echo

DEFAULT = BotLimits()
MIB = 1 << 20

memory_option = click.option(
    "--memory-mib",
    default=DEFAULT.memory // MIB,
    show_default=True,
    type=click.IntRange(64, 1 << 30),
    help="Memory of a bot's process, in MiB.",
)


def bot_limits(memory_mib: int) -> BotLimits:
    """The limits with so much memory."""
    return BotLimits(memory=memory_mib * MIB, file=DEFAULT.file)


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
