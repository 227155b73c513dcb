"""What a bot is (a function of a question, or a class) and where it comes from: a file, a module or the house bots."""

import importlib
import importlib.util
import inspect
import os
import secrets
import shlex
import sys
import traceback
from collections.abc import Awaitable, Callable, Collection, Sequence
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol, TypeAlias, cast

from msgspec import Struct

from pitboss.arena.wire.answers import Answer, GameAnswer, Question
from pitboss.arena.wire.messages import Act, Ask, ServerMessage
from pitboss.chance import Chance
from pitboss.client.errors import NotABot
from pitboss.errors import PitbossError

NAMES = ("decide", "Bot")
"""The names that are tried if no name is given."""
COMMON_FILES = ("bot", "main", "__main__")
"""Common file names; a bot in such a file gets the name of its folder."""


class Actor(Protocol):
    """A bot with state: `act` answers. If it has `on_message`, that receives every message first; `close` ends it.

    >>> from pitboss.client import Act, Actor, Answer, call
    >>> class Caller:
    ...     def act(self, act: Act) -> Answer:
    ...         return call()
    >>> actor: Actor = Caller()
    >>> actor.act is not None
    True
    """

    def act(self, act: Act, /) -> Answer | Awaitable[Answer]:
        """Return the answer to a question."""
        ...


class GameActor(Protocol):
    """A bot with state for games other than poker: as `Actor`, but `act` answers an `Ask`.

    >>> from pitboss.client import Ask, GameAnswer, GameActor
    >>> class First:
    ...     def act(self, ask: Ask) -> GameAnswer:
    ...         return ask.moves[0]
    >>> actor: GameActor = First()
    """

    def act(self, ask: Ask, /) -> GameAnswer | Awaitable[GameAnswer]:
        """Return the answer to a question."""
        ...


PokerBot: TypeAlias = Callable[[Act], Answer] | Callable[[Act], Awaitable[Answer]] | Actor | type[Actor]
GameBot: TypeAlias = Callable[[Ask], GameAnswer] | Callable[[Ask], Awaitable[GameAnswer]] | GameActor | type[GameActor]
Bot: TypeAlias = PokerBot | GameBot


class ReadyBot(Struct, frozen=True):
    """A bot ready to be called. Its answers are not checked yet, and may have to be awaited."""

    ask: Callable[[Question], object]
    on_message: Callable[[ServerMessage], object] | None = None
    close: Callable[[], object] | None = None  #: called when the match is over


def prepare_bot(bot: object) -> ReadyBot:
    """Return a bot of any form ready to be called; a class is instantiated without arguments.

    >>> prepare_bot(lambda act: "FOLD").on_message is None
    True
    >>> prepare_bot("fold")
    Traceback (most recent call last):
    pitboss.client.NotABot: expected a function decide(act), or a class with a method act(self, act), got 'fold'
    """
    check_bot(bot)
    if isinstance(bot, type):
        bot = _instantiate(bot)
    on_message: Any = getattr(bot, "on_message", None)
    ask: Any = getattr(bot, "act", None) or bot
    close: Any = getattr(bot, "close", None)
    return ReadyBot(ask, on_message if callable(on_message) else None, close if callable(close) else None)


def check_bot(bot: object) -> None:
    """Raise `NotABot` for an object that cannot be a bot; the object is not called."""
    if isinstance(bot, type):
        if not callable(getattr(bot, "act", None)):
            raise NotABot(f"class {bot.__name__}: expected a method act(self, act)")
        try:
            inspect.signature(bot).bind()
        except TypeError as error:
            raise NotABot(f"class {bot.__name__}: must take no arguments: {error}") from None
    elif not callable(getattr(bot, "act", None) or bot):
        raise NotABot(f"expected a function decide(act), or a class with a method act(self, act), got {bot!r}")


def _instantiate(bot: type) -> object:
    try:
        made: object = bot()
    except Exception as error:
        raise NotABot(f"class {bot.__name__}: raises {type(error).__name__} when it starts: {error}") from error
    return made


class LoadError(PitbossError, ValueError):
    """A bot was not found or cannot be loaded; the message says what to do.

    >>> from pitboss.client import load_bot
    >>> load_bot("nowhere.py")
    Traceback (most recent call last):
    pitboss.client.LoadError: file nowhere.py was not found
    """


def load_bot(spec: str, *, chance: Chance | None = None) -> Bot:
    """Load a bot named as on the command line: `bot.py`, `bot.py:name`, `module:name`, or the name of a house bot.

    A house bot uses `chance`; without one, the operating system's randomness.

    >>> from pitboss.client import load_bot
    >>> load_bot("nowhere.py")
    Traceback (most recent call last):
    pitboss.client.LoadError: file nowhere.py was not found
    """
    place, name = _split(spec)
    if place.endswith(".py"):
        return _find_bot(_from_file(Path(place)), place, name)
    from pitboss.arena.bots import HOUSE, of_any_game  # here, because other bots should not wait for this import

    if spec in HOUSE:
        chance = chance or Chance(secrets.randbits(64))
        return cast(Bot, of_any_game(HOUSE[spec](chance), chance))
    if name is None:
        known = ", ".join(sorted(HOUSE))
        raise LoadError(f"no bot is called {spec}: name a Python file, module:name, or a house bot: {known}")
    return _find_bot(_from_module(place), place, name)


def is_command(spec: str) -> bool:
    """Return whether a bot's name is a command: several words, or a program that is not a Python file.

    >>> is_command("node bot.mjs"), is_command("bot.py"), is_command("my.bots:decide"), is_command("/bin/sh")
    (True, False, False, True)
    """
    if Path(spec).is_file():
        return not spec.endswith(".py") and os.access(spec, os.X_OK)
    return len(spec.split()) > 1


def command_file(command: str) -> Path:
    """Return the file that a command names: the last word that is a file, else the program.

    >>> command_file("node bots/shark.mjs")
    PosixPath('bots/shark.mjs')
    """
    words = shlex.split(command)
    files = [word for word in words[1:] if Path(word).suffix and not word.startswith("-")]
    return Path(files[-1] if files else words[0])


def bot_name(spec: str) -> str:
    """Return the name of a bot for which none was given; a file bot.py or main.py is called by its folder.

    >>> bot_name("bots/shark.py"), bot_name("shark.py:Cautious"), bot_name("my.bots:decide"), bot_name("tight")
    ('shark', 'Cautious', 'bots', 'tight')
    >>> bot_name("bert/bot.py"), bot_name("node carl/main.mjs")
    ('bert', 'carl')
    """
    if is_command(spec):
        return _name_of_file(command_file(spec))
    place, name = _split(spec)
    if name is not None and name not in NAMES:
        return name
    return _name_of_file(Path(place)) if place.endswith(".py") else place.rpartition(".")[2]


def _name_of_file(file: Path) -> str:
    folder = file.resolve().parent.name if file.stem in COMMON_FILES else ""
    return folder or file.stem


def bot_names(specs: Sequence[str]) -> list[str]:
    """Return different names for all bots: files with the same name get the names of their folders, then numbers.

    >>> bot_names(["alice/bot.py", "bert/bot.py", "tight", "tight"])
    ['alice', 'bert', 'tight', 'tight 2']
    """
    names = [bot_name(spec) for spec in specs]
    for name in set(names):
        places = {spec: _file(spec) for spec, other in zip(specs, names, strict=True) if other == name}
        folders = _folders({file for file in places.values() if file is not None})
        if len(folders) > 1 and None not in places.values():
            names = [
                folders[place] if (place := places.get(spec)) else other
                for spec, other in zip(specs, names, strict=True)
            ]
    counts = [names[:seat].count(name) for seat, name in enumerate(names)]
    return [f"{name} {before + 1}" if before else name for name, before in zip(names, counts, strict=True)]


def _file(spec: str) -> Path | None:
    """Return the file of a bot, None if it is a module or a house bot."""
    place = command_file(spec) if is_command(spec) else Path(_split(spec)[0])
    return place.resolve() if place.suffix else None


def bot_file(spec: str) -> Path | None:
    """Return the file or the package of a bot in this or another folder; None if it is installed or a house bot."""
    place, _ = _split(spec)
    if is_command(spec):
        found = command_file(spec)
    elif place.endswith(".py"):
        found = Path(place)
    else:
        spec_of_package = PathFinder.find_spec(place.partition(".")[0], [str(Path.cwd()), *sys.path])
        if spec_of_package is None or spec_of_package.origin is None:
            return None
        origin = Path(spec_of_package.origin)
        if origin.is_relative_to(sys.prefix) or origin.is_relative_to(sys.base_prefix):
            return None
        found = origin.parent if origin.name == "__init__.py" else origin
    return found.resolve() if found.exists() else None


def _folders(files: Collection[Path]) -> dict[Path, str]:
    """Return the nearest folders whose names distinguish these files; empty if there are none."""
    for up in range(min((len(file.parents) for file in files), default=0)):
        named = {file: file.parents[up].name for file in files}
        if len(set(named.values())) == len(named) and all(named.values()):
            return named
    return {}


def _split(spec: str) -> tuple[str, str | None]:
    """Return the place and the name in it; the colon after a drive's letter does not count."""
    place, colon, name = spec.rpartition(":")
    return (place, name) if colon and name.isidentifier() and len(place) > 1 else (spec, None)


def _from_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise LoadError(f"file {path} was not found")
    name = f"pitboss_bot_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # before it runs, as in Python's own import: dataclasses look up their module there
    _add_to_path(path.resolve().parent)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise LoadError(_describe_failure(str(path), path.resolve(), error)) from error
    return module


def _from_module(name: str) -> ModuleType:
    _add_to_path(Path.cwd())
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            raise LoadError(f"module {name} was not found, neither here nor installed") from None
        raise LoadError(f"the module {name} needs {error.name}, which is not installed") from error
    except (Exception, SystemExit) as error:
        spec = importlib.util.find_spec(name)
        raise LoadError(_describe_failure(f"the module {name}", Path((spec and spec.origin) or name), error)) from error


def _add_to_path(folder: Path) -> None:
    """Let a bot import the files next to it, as if it were started by itself."""
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


def _describe_failure(what: str, path: Path, error: BaseException) -> str:
    """Return one sentence about an exception, with the line of the bot's own file that led to it."""
    if isinstance(error, SyntaxError):
        return f"{what} is not Python: {error.msg}, line {error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    line = next((frame.lineno for frame in reversed(frames) if Path(frame.filename) == path), None)
    where = f" in line {line}" if line else ""
    why = f": {error}" if str(error) else ""
    return f"{what} raises {type(error).__name__}{where} when it is loaded{why}"


def _find_bot(module: ModuleType, place: str, name: str | None) -> Bot:
    names = (name,) if name else NAMES
    found = next((getattr(module, each) for each in names if hasattr(module, each)), None)
    if found is None:
        wanted = name or "function decide and no class Bot"
        raise LoadError(f"{place} has no {wanted}: a bot is a function decide(act), or a class Bot with a method act")
    try:
        check_bot(found)
    except TypeError as error:
        raise LoadError(f"{place}: {error}") from error
    return cast(Bot, found)  # checked by `check_bot`
