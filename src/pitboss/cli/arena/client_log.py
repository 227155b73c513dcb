"""What the client logs while a command plays a bot: printed on standard error, or not at all."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from pitboss.cli.echo import echo


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
