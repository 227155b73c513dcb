"""Compile plain functions with Numba, and save the compiled code for the next process.

The sources know nothing of Numba: functions of whole modules are registered from outside, and only the few that
are called from Python are compiled. Compiled code is saved in the user's cache folder under a digest of every
source file it can reach and of their neighbours, so an edit leads to another folder and never to a stale answer.
Compiled code reads NumPy records by attribute; `PlainRecords` behaves the same way without NumPy.
"""

import ast
import hashlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, reduce, wraps
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from shutil import copytree
from types import FunctionType, ModuleType
from typing import Any, TypeVar

from pitboss.errors import PitbossError
from pitboss.extras import install_command

fcntl: Any = import_module("fcntl") if find_spec("fcntl") else None
"""File locks, which Windows does not have in this form."""

ANNOUNCE = "PITBOSS_ANNOUNCE_COMPILING"
"""The environment variable that makes this process and its children announce what they compile."""
CACHE_LINE = 64
SMALL = 830
"""Functions of less bytecode than this are compiled into their callers: a third faster, for a few seconds more."""
_ANNOUNCEMENTS: dict[Any, str] = {}
"""What is printed when a function of Numba begins to compile."""

Plain = TypeVar("Plain")


def record(fields: Sequence[tuple[Any, ...]]) -> Any:
    """The NumPy type of a record that compiled code reads by attribute and passes by address."""
    import numpy as np

    return np.dtype((np.record, np.dtype(list(fields), align=True)))


class PlainRecords(list[Plain]):
    """A list of plain objects whose items are overwritten in place on assignment, as in an array of records."""

    def __setitem__(self, at: Any, thing: Any) -> None:
        here = self[at]
        for name in type(here).__slots__:
            value = getattr(thing, name)
            setattr(here, name, value[:] if isinstance(value, list) else value)


Function = Callable[..., Any]


class NotInstalled(PitbossError, ImportError):
    """A package that compiled code needs is not installed."""


@cache
def numba() -> Any:
    """Import Numba on the first call, which takes most of a second."""
    try:
        found = import_module("numba")
    except ImportError:
        raise NotInstalled(f"this needs Numba and NumPy: {install_command('fast')}") from None
    if os.environ.get(ANNOUNCE):
        _announce_compiling()
    return found


def _announce_compiling() -> None:
    """Print a line on standard error each time Numba compiles one of our loops, but not when it loads saved code."""
    event = import_module("numba.core.event")

    def begin(_self: Any, started: Any) -> None:
        if announcement := _ANNOUNCEMENTS.get(started.data["dispatcher"]):
            print(announcement, file=sys.stderr, flush=True)

    listener = type("Announcer", (event.Listener,), {"on_start": begin, "on_end": lambda _self, _ended: None})
    event.register("numba:compile", listener())


SHOWN_CACHE = "PITBOSS_SHOWN_CACHE"
"""The environment variable that names the organiser's compiled code in a bot's sandbox, which is read-only there."""


def cache_folder() -> Path:
    """Return the folder for compiled code and computed tables: PITBOSS_CACHE, or the system's cache folder."""
    if named := os.environ.get("PITBOSS_CACHE"):
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "pitboss"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "pitboss"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pitboss"


def compile_function(
    function: Function,
    *sources: ModuleType,
    wide: Sequence[ModuleType] = (),
    save: bool = True,
    purpose: str = "",
    seconds: int = 1,
) -> Function:
    """Compile a function that calls the functions of these modules; its own module is among them.

    Small functions of the sources are compiled into their callers. Those of `wide` modules, which are many and called
    from many places, are not, or compiling would take minutes. The compiled function runs without Python's lock. With
    `save` the code is saved in the user's cache folder and loaded from there. When the function is really compiled, the
    command line announces its `purpose` and about how many `seconds` it takes.
    """
    own = sys.modules[function.__module__]
    for module in {*sources, own} - set(wide):
        register(module, inlined=True)
    for module in wide:
        register(module, inlined=False)
    compiled = numba().njit(function, nogil=True, error_model="numpy")
    folder = cache_folder() / "compiled" / digest({*sources, *wide, own}) if save else None
    saved = folder is not None and _save(compiled, folder)
    again = "; the code is saved for next time" if saved else ""
    name = purpose or f"{function.__module__}.{function.__name__}"
    _ANNOUNCEMENTS[compiled] = f"pitboss: compiling {name}, which takes about {seconds} s{again}"
    return _compile_on_first_call(compiled, folder if saved else None)


@cache
def register(module: ModuleType, inlined: bool) -> None:
    """Let compiled code call every function that a module defines; `inlined` compiles small ones into their callers."""
    for function in vars(module).values():
        if isinstance(function, FunctionType) and function.__module__ == module.__name__:
            small = len(function.__code__.co_code) < SMALL
            numba().extending.register_jitable(forceinline=inlined and small)(function)


@cache
def copy_to_stack() -> Function:
    """Return what compiled code calls in place of `loops.copy_template`: it copies the record to the stack.

    The optimizer knows that writes elsewhere cannot change such a record, so it does not reread its numbers.
    """
    compiler, cgutils = numba(), import_module("numba.core.cgutils")

    def copy_template(_typing: Any, states: Any, template: Any) -> Any:
        def copy(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            here = cgutils.alloca_once(builder, arguments[1].type.pointee)
            here.align = CACHE_LINE
            cgutils.raw_memcpy(builder, here, arguments[1], cgutils.intp_t(template.size), 1)
            return here

        return template(states, template), copy

    return compiler.extending.intrinsic(copy_template)  # type: ignore[no-any-return]  # Numba has no types


@cache
def add_side_by_side(below: int) -> Function:
    """Return what compiled code calls in place of `rows.add_cards`: it reads and adds a card's two numbers at once.

    The compiler does not find this by itself, and it makes ranking seven cards a third faster. No sum of keys reaches
    `below`; knowing this, the compiler omits a mask.
    """
    compiler, cgutils = numba(), import_module("numba.core.cgutils")
    ir = cgutils.ir
    kinds = compiler.types

    def add_cards(_typing: Any, both: Any, cards: Any) -> Any:
        def add(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            table = context.make_array(both)(context, builder, arguments[0]).data
            pairs = builder.bitcast(table, ir.VectorType(ir.IntType(64), 2).as_pointer())
            first, *others = cgutils.unpack_tuple(builder, arguments[1])
            places = [first, *[builder.add(card, ir.IntType(64)(both.nitems // 4)) for card in others]]
            read = [builder.load(builder.gep(pairs, [place]), align=8) for place in places]
            sums = reduce(builder.add, read)
            total, held = [builder.extract_element(sums, ir.IntType(32)(side)) for side in (0, 1)]
            builder.assume(builder.icmp_unsigned("<", total, ir.IntType(64)(below)))
            return context.make_tuple(builder, signature.return_type, [total, held])

        return kinds.UniTuple(kinds.int64, 2)(both, kinds.UniTuple(kinds.uint64, len(cards))), add

    return compiler.extending.intrinsic(add_cards)  # type: ignore[no-any-return]  # Numba has no types


def with_parts(function: Function, **parts: Function) -> Function:
    """Return a copy of a function that calls these parts in place of the functions of the same names."""
    return FunctionType(function.__code__, {**function.__globals__, **parts}, function.__name__)


def with_part_everywhere(module: ModuleType, **parts: Function) -> dict[str, Function]:
    """Return copies of a module's functions that call these parts in place of the functions of the same names."""
    found: dict[str, Any] = {**vars(module), **parts}
    for name, part in vars(module).items():
        if isinstance(part, FunctionType) and part.__module__ == module.__name__ and name not in parts:
            found[name] = FunctionType(part.__code__, found, name)
    return found


def _compile_on_first_call(compiled: Any, folder: Path | None) -> Function:
    """Compile on the first call without turning loops into vector code, which takes time and does not help here."""

    overloads = compiled.overloads  # not `signatures`, which is computed on every access

    @wraps(compiled)
    def call(*arguments: Any) -> Any:
        if overloads:
            return compiled(*arguments)
        with _without_vectors(), _one_at_a_time(folder, compiled.__name__):
            return compiled(*arguments)

    return call


@contextmanager
def _one_at_a_time(folder: Path | None, name: str) -> Iterator[None]:
    """Wait while another process compiles a function that is not saved yet, so that this one can load it."""
    if folder is None or fcntl is None or next(folder.rglob(f"*{name}*.nbi"), None) is not None:
        yield
        return
    with (folder / f"{name}.lock").open("w") as lock:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextmanager
def _without_vectors() -> Iterator[None]:
    """Within this context, do not turn loops into vector code."""
    config = numba().config
    before = config.LOOP_VECTORIZE, config.SLP_VECTORIZE
    config.LOOP_VECTORIZE = config.SLP_VECTORIZE = 0
    try:
        yield
    finally:
        config.LOOP_VECTORIZE, config.SLP_VECTORIZE = before


def compiled_entry(function: Function, *arguments: Any) -> Function:
    """Return the compiled code for arguments of exactly these types, which skips the check of their types.

    The caller must pass these types; with others the code reads invalid memory. An uncompiled function is returned.
    """
    compiled = getattr(function, "__wrapped__", None)
    if compiled is None:
        return function
    types = tuple([numba().typeof(argument) for argument in arguments])
    with _without_vectors():
        compiled.compile(types)
    return compiled.overloads[types].entry_point  # type: ignore[no-any-return]  # Numba has no types


def digest(modules: Iterable[ModuleType]) -> str:
    """Return a hash of these sources, all they import, the files next to them and the versions of the compiler.

    Saved code also contains the types of arguments, which are often defined in a file next to it.
    """
    text = hashlib.sha256()
    folders = {Path(str(module.__file__)).parent for module in [*modules, *_imported(modules)]}
    for file in sorted(file for folder in folders for file in folder.glob("*.py")):
        text.update(f"{file.name}\0".encode() + file.read_bytes())
    compiler = numba()
    checked = bool(compiler.config.BOUNDSCHECK)
    text.update(f"{compiler.__version__} {import_module('numpy').__version__} {checked}".encode())
    return text.hexdigest()[:20]


def _imported(modules: Iterable[ModuleType]) -> set[ModuleType]:
    """Return the modules that these import from their own packages, directly or indirectly."""
    found: set[ModuleType] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        package = module.__name__.partition(".")[0]
        for node in ast.parse(Path(str(module.__file__)).read_bytes()).body:
            if not isinstance(node, ast.ImportFrom) or node.module is None or node.module.partition(".")[0] != package:
                continue
            for name in (node.module, *[f"{node.module}.{alias.name}" for alias in node.names]):
                other = sys.modules.get(name)
                if other is not None and not hasattr(other, "__path__") and other not in found:
                    found.add(other)
                    waiting.append(other)
    return found


def _make_private(folder: Path) -> bool:
    """Make the cache folder, for its user only; return whether no other user can have written into it.

    Saved code is loaded by pickle: a file of another user's would run as this one.
    """
    if sys.platform == "win32":
        folder.mkdir(parents=True, exist_ok=True)
        return True
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    found = folder.stat()
    if found.st_uid != os.geteuid() or found.st_mode & 0o022:
        return False
    if found.st_mode & 0o077:
        folder.chmod(0o700)
    return True


def _save(compiled: Any, folder: Path) -> bool:
    """Make a function load and save its code in this folder; return whether that is possible.

    Numba's own setting of the folder is restored, for other users of Numba.
    """
    try:
        if not _make_private(cache_folder()):
            return False
        shown = Path(os.environ.get(SHOWN_CACHE, os.devnull)) / folder.name
        if shown.is_dir() and not folder.exists():
            copytree(shown, folder)
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    if not os.access(folder, os.W_OK):
        return False
    config = numba().config
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        compiled.enable_caching()
    except (OSError, RuntimeError):
        return False  # for example a full disk: every process compiles the function again
    finally:
        config.CACHE_DIR = before
    return True
