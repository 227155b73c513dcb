"""What can go wrong with a journal, each in one sentence that says what to do."""

from pitboss.errors import PitbossError


class StoreError(PitbossError):
    """The journal cannot be opened, read or written."""


class InUse(StoreError):
    """Another live process has the journal, or one table of it."""


class Fenced(StoreError):
    """This process is not, or no longer, the one that may write here; nothing was written."""


class WriterClosed(StoreError, RuntimeError):
    """Entries handed to a writer that has stopped."""
