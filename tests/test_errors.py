"""All errors raised on purpose are a `PitbossError`, can be pickled and have a public name."""

import ast
import builtins
import pickle
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import pitboss
from pitboss.arena.agents.endpoint import PassingError
from pitboss.arena.bots.runner import BotFailure
from pitboss.arena.wire.messages import Rejected
from pitboss.betting.refusals import Refused
from pitboss.client.errors import JoinRefused
from pitboss.client.turns import ConnectionLost
from pitboss.competitions.settings import CompetitionFileError
from pitboss.errors import PitbossError
from pitboss.formats.phh.fields import PhhError
from pitboss.formats.scan import ReadError
from pitboss.hand.game_file import GameFileError
from pitboss.records.replay import ReplayError
from tests.support.for_each import for_each

SOURCE = Path(pitboss.__file__).parent
PACKAGES = ("pitboss", "pitboss.client", "pitboss.store", "pitboss.table")

SAMPLES: dict[type[PitbossError], PitbossError] = {
    Refused: Refused("below_minimum", "to {to} is below {least}", chips={"to": 30, "least": 40}, places={"p": 1}),
    Rejected: Rejected("RATE_LIMITED", "slow down", 250),
    BotFailure: BotFailure("gave no answer in 1 s", late=True),
    CompetitionFileError: CompetitionFileError("expected a name", name="cup.toml", line=2, key="form"),
    GameFileError: GameFileError("expected a name", name="x.toml", line=2, key="title"),
    JoinRefused: JoinRefused("TABLE_FULL", "every seat is taken"),
    ConnectionLost: ConnectionLost("closed with 1008", 1.5),
    PassingError: PassingError("answered with status 429", 1.5),
    PhhError: PhhError("must be a number", name="x.phh", table="1", field="antes", line=2),
    ReadError: ReadError("no such line", name="x.txt", line=3, text="Dealt to"),
    ReplayError: ReplayError("betting_over: nobody is asked", action=4),
}
"""Return an instance of every error whose `__init__` needs more than its text."""

UNREACHABLE = "it says that a line cannot be reached, so it is a bug and not an answer to anybody"
NOT_OURS: dict[tuple[str, str], str] = {
    ("homes.py", "AttributeError"): "what Python expects of a module that is asked for a name it has not",
    ("solver/solution.py", "KeyError"): "what Python expects of a mapping that does not have a key",
    ("client/network.py", "SystemExit"): "interrupted from the keyboard, a bot's program ends with the shell's code",
    (
        "arena/bots/namespaces.py",
        "PermissionError",
    ): "an attempt of the self-test that was refused, like those of the system",
    (
        "arena/bots/namespaces.py",
        "OSError",
    ): "a self-test that could not start a thread, like other limits",
    ("arena/server.py", "ConnectionResetError"): "the socket's own error, for those who handle a socket's errors",
    ("formats/phh/writer.py", "AssertionError"): UNREACHABLE,
    ("lab/variation/mutations.py", "AssertionError"): UNREACHABLE,
    ("store/sqlite.py", "AssertionError"): UNREACHABLE,
    ("lab/genome.py", "NotImplementedError"): "for whoever writes a new kind of phase or win condition",
}
"""Where a builtin error is raised by name, and why."""


def every_error() -> list[type[Exception]]:
    """Return all exceptions that src/ defines."""
    for module in pkgutil.walk_packages([str(SOURCE)], "pitboss."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    found, waiting = set(), [Exception]
    while waiting:
        for kind in waiting.pop().__subclasses__():
            if kind not in found:
                found.add(kind)
                waiting.append(kind)
    return sorted((kind for kind in found if kind.__module__.partition(".")[0] == "pitboss"), key=str)


ERRORS = every_error()


@for_each("kind", ERRORS, ids=lambda kind: kind.__qualname__)
def test_every_error_is_of_the_family(kind: type[Exception]) -> None:
    """Except private ones that never leave their file."""
    assert issubclass(kind, PitbossError) != kind.__name__.startswith("_")


@for_each("kind", [kind for kind in ERRORS if issubclass(kind, PitbossError)], ids=lambda k: k.__name__)
def test_every_error_survives_pickling(kind: type[PitbossError]) -> None:
    sentence_is_enough = "__init__" not in vars(kind)
    error = kind("no such thing") if sentence_is_enough else SAMPLES[kind]
    error.add_note("noted")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert str(again) == str(error) != ""
    assert (again.args, vars(again)) == (error.args, vars(error))


def test_names_of_errors_are_unique() -> None:
    names = [kind.__name__ for kind in ERRORS if not kind.__name__.startswith("_")]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("package", PACKAGES)
def test_an_exported_error_is_shown_by_its_public_name(package: str) -> None:
    exported = import_module(package)
    errors = [kind for name in exported.__all__ if kind_of_error(kind := getattr(exported, name))]
    assert errors
    assert {kind.__module__ for kind in errors} == {package}


def test_public_class_names_are_unique() -> None:
    """Imports from two packages never give two classes of one name."""
    meanings: dict[str, set[type]] = {}
    for package in map(import_module, PACKAGES):
        for name in package.__all__:
            if isinstance(value := getattr(package, name), type):
                meanings.setdefault(name, set()).add(value)
    assert [name for name, classes in meanings.items() if len(classes) > 1] == []


def kind_of_error(value: object) -> bool:
    """Return whether a value is an error class of pitboss."""
    return isinstance(value, type) and issubclass(value, PitbossError)


def test_no_builtin_error_is_raised_by_name() -> None:
    made = {(path.relative_to(SOURCE).as_posix(), name) for path in SOURCE.rglob("*.py") for name in made_in(path)}
    assert made == set(NOT_OURS)


def made_in(path: Path) -> Iterator[str]:
    """Return the builtin exceptions that a file makes or raises."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        thing = node.func if isinstance(node, ast.Call) else node.exc if isinstance(node, ast.Raise) else None
        if isinstance(thing, ast.Name):
            value = getattr(builtins, thing.id, None)
            if isinstance(value, type) and issubclass(value, BaseException):
                yield thing.id
