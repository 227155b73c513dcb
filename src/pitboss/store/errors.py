"""What can go wrong with a journal, each in one sentence that says what to do."""

from pitboss.errors import PitbossError


class StoreError(PitbossError):
    """The journal cannot be opened, read or written."""


class InUse(StoreError):
    """Another live process has the journal, or one table of it."""


class Fenced(StoreError):
    """This process is not, or no longer, the one that may write here; nothing was written."""


class NoAnswer(StoreError):
    """The database is gone, silent or busy; it may be over in a moment, and whether a write was done is not known."""


class EndLost(StoreError):
    """The database came back without entries that it had committed."""


class WriterClosed(StoreError, RuntimeError):
    """Entries handed to a writer that has stopped."""
