"""Which line of a bot's own code an exception or a stack leads to, rather than one of Python's or of a package's."""

import sysconfig
import traceback
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pitboss


def own_line(calls: Sequence[tuple[str, int]]) -> str:
    """The innermost call of a bot's own, as `in bot.py, line 7`; calls are files and lines, the innermost last.

    Where none is the bot's, it is the innermost of all.

    >>> own_line([("bots/bot.py", 7), (traceback.__file__, 3)]), own_line([])
    ('in bot.py, line 7', '')
    """
    own = [call for call in calls if not _is_of_others(call[0])]
    for file, line in (own or list(calls))[-1:]:
        return f"in {Path(file).name}, line {line}"
    return ""


def error_in_words(error: BaseException) -> str:
    """An exception with its message and where the bot's own code led to it."""
    what = f"{type(error).__name__} ({error})" if str(error) else type(error).__name__
    calls = [(frame.filename, frame.lineno or 0) for frame in traceback.extract_tb(error.__traceback__)]
    return f"{what} {own_line(calls)}".rstrip()


def _is_of_others(file: str) -> bool:
    return file.startswith("<") or any(Path(file).is_relative_to(folder) for folder in _folders_of_others())


@cache
def _folders_of_others() -> tuple[str, ...]:
    """Where Python, installed packages and pitboss itself are."""
    places = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    return (*filter(None, places), str(Path(pitboss.__file__).parent))
