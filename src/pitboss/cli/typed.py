"""How this program was called, so that a command it prints can be typed in again as it stands."""

import os
import shlex
import shutil
import sys
from pathlib import Path

NAME = "pitboss"


def program() -> str:
    """`pitboss` where the shell finds it by that name, else its path from this folder, `.venv/bin/pitboss` for one.

    >>> program()
    'pitboss'
    """
    called = Path(sys.argv[0])
    if called.name != NAME or not called.is_file():
        return NAME  # as a module or from a test: nobody has typed it
    found = shutil.which(NAME)
    if found is not None and os.path.samefile(found, called):
        return NAME
    path = called.absolute()
    return shlex.quote(os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path))
