"""How this command was called, so that another can be printed that works where it is read: in the same folder."""

import os
import shlex
import shutil
import sys
from collections.abc import Sequence

NAME = "pitboss"


def invoked_as(typed: str | None = None, words: Sequence[str] | None = None) -> str:
    """How one calls pitboss in this folder, as a shell takes it; by default, as this process was called.

    `typed` is the program's path as it was given, `words` the whole command line.

    >>> invoked_as(".venv/bin/pitboss", [])
    '.venv/bin/pitboss'
    >>> invoked_as("my tools/pitboss", [])
    "'my tools/pitboss'"
    >>> invoked_as("pitboss/__main__.py", ["python3", "-m", "pitboss", "arena"])
    'python3 -m pitboss'
    """
    typed = sys.argv[0] if typed is None else typed
    words = sys.orig_argv if words is None else words
    if "-m" in words[:-1] and words[list(words).index("-m") + 1] == NAME:
        return f"{shlex.quote(words[0])} -m {NAME}"
    if os.path.basename(typed) != NAME:
        return NAME  # a test, or a program of somebody's own
    found = shutil.which(NAME)
    if os.path.isabs(typed) and found is not None and os.path.abspath(found) == typed:
        return NAME
    return shlex.quote(typed)
