"""Compile plain functions with Numba, and save the compiled code for the next process.

The sources do not import Numba. This module registers all functions of a source module with Numba, and compiles the few
that Python calls. Compiled code is saved in the user's cache folder. The name of its folder is a hash of the source
files, so that code is compiled again after a change. Compiled code reads NumPy records by attribute; `PlainRecords`
offers the same without NumPy. Saved code is loaded with pickle, which can run any code. So each file contains a digest
that was made with a key, and only the user can read the key.
"""

import ast
import hashlib
import hmac
import os
import pickle
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import cache, reduce, update_wrapper
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeVar

from pitboss.errors import PitbossError
from pitboss.extras import install_command

fcntl: Any = import_module("fcntl") if find_spec("fcntl") else None
"""File locks, which Windows does not have in this form."""

ANNOUNCE = "PITBOSS_ANNOUNCE_COMPILING"
"""If this environment variable is set, the process and its children print a line before they compile a function."""
CACHE_LINE = 64
LOAD = 0.03
"""The seconds to load the saved code of a function, after Numba has been started."""
MEMORY, PARENT = 0, 1
"""The fields of Numba's array that own its memory."""
STORED = 16_384
"""The bytes of memory for stored arguments."""
KEY_BYTES = DIGEST_BYTES = 32
SMALL = 830
"""Functions with less bytecode than this are inlined. Loops then run a third faster, but their compilation takes
longer."""
_ANNOUNCEMENTS: dict[Any, str] = {}
"""The line to print when the compilation of a Numba function begins, by function."""

Plain = TypeVar("Plain")


def record(fields: Sequence[tuple[Any, ...]]) -> Any:
    """Return the NumPy type of a record that compiled code reads by attribute and passes by address."""
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
    """A package that compiled code needs is not installed.

    >>> from pitboss import NotInstalled, PitbossError
    >>> issubclass(NotInstalled, PitbossError)
    True
    """


@cache
def numba() -> Any:
    """Return Numba. The first call imports it, which takes most of a second."""
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
"""The environment variable with the folder of compiled code that a bot can read in its sandbox, but not change."""


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
    vectors: Collection[str] | None = None,
    purpose: str = "",
    seconds: int = 1,
) -> "CompiledFunction":
    """Compile a function that calls functions of its own module and of `sources` and `wide`.

    Small functions of `sources` are inlined. Functions of `wide` are not, because inlining them would take minutes. The
    compiled function releases Python's lock. `vectors` turns loops into vector code, and names what the compiler may
    assume of floats (the flags of LLVM); nothing is inlined by force then. With `save` the code is saved in the user's
    cache folder and loaded from there. If it has to be compiled, the command line prints the `purpose` and the
    approximate `seconds`.
    """
    own = sys.modules[function.__module__]
    math = frozenset(vectors or ())
    for module in {*sources, own} - set(wide):
        register(module, inlined=vectors is None, math=math)
    for module in wide:
        register(module, inlined=False, math=math)
    compiled = numba().njit(function, nogil=True, error_model="numpy", fastmath=set(math))
    folder = cache_folder() / "compiled" / digest({*sources, *wide, own}) if save else None
    saved = folder is not None and _save(compiled, folder)
    again = "; the code is saved for next time" if saved else ""
    name = purpose or f"{function.__module__}.{function.__name__}"
    _ANNOUNCEMENTS[compiled] = f"pitboss: compiling {name}, which takes about {seconds} s{again}"
    return CompiledFunction(compiled, folder if saved else None, seconds, with_vectors=vectors is not None)


@cache
def register(module: ModuleType, inlined: bool, math: frozenset[str] = frozenset()) -> None:
    """Let compiled code call every function that a module defines; `inlined` inlines the small functions."""
    for function in vars(module).values():
        if isinstance(function, FunctionType) and function.__module__ == module.__name__:
            small = len(function.__code__.co_code) < SMALL
            numba().extending.register_jitable(forceinline=inlined and small, fastmath=set(math))(function)


@cache
def copy_to_stack() -> Function:
    """Return the compiled form of `loops.copy_template`, which copies a state record to the machine's stack.

    Writes through other arrays cannot change a record on the stack, so the optimizer does not read its numbers again.
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
    """Return the compiled form of `lookup.add_cards`, which reads and adds the two numbers of a card in one operation.

    This makes ranking seven cards a third faster, and the compiler does not do it by itself. `below` is greater than
    every sum of keys, so that the compiler can omit a mask.
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


@cache
def stored_parts(kind: Any) -> tuple[Function, Function]:
    """Return two functions for compiled code: one stores a value of a Numba type in memory, the other returns it.

    Reading many arrays from Python objects takes longer than a short loop, so they are read once and stored. The caller
    has to keep the arrays, because the stored value does not own them.
    """
    compiler, cgutils = numba(), import_module("numba.core.cgutils")

    def place(context: Any, builder: Any, memory: Any, value: Any) -> Any:
        stored = context.get_value_type(kind)
        assert context.get_abi_sizeof(stored) <= STORED
        return builder.bitcast(context.make_array(memory)(context, builder, value).data, stored.as_pointer())

    def without_owner(builder: Any, part: Any, value: Any) -> Any:
        if isinstance(part, compiler.types.Array):
            for owner in (MEMORY, PARENT):
                value = builder.insert_value(value, cgutils.get_null_value(value.type.elements[owner]), owner)
        if isinstance(part, compiler.types.BaseTuple):
            for at, inner in enumerate(part):
                new = without_owner(builder, inner, builder.extract_value(value, at))
                value = builder.insert_value(value, new, at)
        return value

    def write_parts(_typing: Any, memory: Any, parts: Any) -> Any:
        def write(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            value = without_owner(builder, kind, values[1])
            builder.store(value, place(context, builder, signature.args[0], values[0]), align=1)
            return context.get_dummy_value()

        return compiler.types.void(memory, parts), write

    def read_parts(_typing: Any, memory: Any) -> Any:
        def read(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return builder.load(place(context, builder, signature.args[0], values[0]), align=1)

        return kind(memory), read

    return compiler.extending.intrinsic(write_parts), compiler.extending.intrinsic(read_parts)


def with_parts(function: Function, **parts: Function) -> Function:
    """Return a copy of a function in which these parts replace the functions of the same names."""
    return FunctionType(function.__code__, {**function.__globals__, **parts}, function.__name__)


def with_part_everywhere(module: ModuleType, **parts: Function) -> dict[str, Function]:
    """Return copies of a module's functions in which these parts replace the functions of the same names."""
    found: dict[str, Any] = {**vars(module), **parts}
    for name, part in vars(module).items():
        if isinstance(part, FunctionType) and part.__module__ == module.__name__ and name not in parts:
            found[name] = FunctionType(part.__code__, found, name)
    return found


class CompiledFunction:
    """A function that is loaded or compiled on its first call."""

    def __init__(self, compiled: Any, folder: Path | None, seconds: float, with_vectors: bool = False) -> None:
        """Wrap Numba's function; its code is in the folder if that is given, and takes these seconds to compile."""
        update_wrapper(self, compiled)
        self._compiled, self._folder, self._seconds = compiled, folder, seconds
        self._with_vectors = with_vectors
        self._overloads = compiled.overloads  # not `signatures`, which is computed on every access

    def __call__(self, *arguments: Any) -> Any:
        """Compile without vector code by default: it takes long to compile and does not make most loops faster."""
        if self._overloads:
            return self._compiled(*arguments)
        with nullcontext() if self._with_vectors else _without_vectors(), self._one_at_a_time():
            return self._compiled(*arguments)

    @property
    def ready(self) -> bool:
        """Whether the function has been loaded or compiled in this process."""
        return bool(self._overloads)

    @property
    def price(self) -> float:
        """The approximate seconds to load the function, or to compile it if it is not saved."""
        return LOAD if self._is_saved() else self._seconds

    def _is_saved(self) -> bool:
        return self._folder is not None and next(self._folder.glob(f"{self._compiled.__name__}-*"), None) is not None

    @contextmanager
    def _one_at_a_time(self) -> Iterator[None]:
        """Wait while another process compiles this function and has not saved it yet, so that this one can load it."""
        if self._folder is None or fcntl is None or self._is_saved():
            yield
            return
        with (self._folder / f"{self._compiled.__name__}.lock").open("w") as lock:
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
    """Return the compiled code for arguments of these types. The code does not check the types of its arguments.

    The caller must pass exactly these types; with others the code reads invalid memory. A function that is not compiled
    is returned unchanged.
    """
    compiled = getattr(function, "__wrapped__", None)
    if compiled is None:
        return function
    types = tuple([numba().typeof(argument) for argument in arguments])
    with _without_vectors():
        compiled.compile(types)
    return compiled.overloads[types].entry_point  # type: ignore[no-any-return]  # Numba has no types


def digest(modules: Iterable[ModuleType]) -> str:
    """Return a hash of the compiler's version and of all files in the folders of these modules and of their imports.

    All files of a folder count, because saved code contains the types of arguments, which another file may define.
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
    """Return the modules of the same package that these modules import, directly or indirectly."""
    found: set[ModuleType] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        package = module.__name__.partition(".")[0]
        for name in _imported_names(Path(str(module.__file__)).read_bytes()):
            other = sys.modules.get(name)
            if name.partition(".")[0] != package or other is None or hasattr(other, "__path__") or other in found:
                continue
            found.add(other)
            waiting.append(other)
    return found


@cache
def _imported_names(source: bytes) -> list[str]:
    """Return the names in the `from` statements of a source: of the modules, and of what is imported from them.

    Reading a source takes two milliseconds, and several functions are compiled from the same sources.
    """
    nodes = [node for node in ast.parse(source).body if isinstance(node, ast.ImportFrom) and node.module]
    return [name for node in nodes for name in (f"{node.module}", *[f"{node.module}.{a.name}" for a in node.names])]


def _make_private(folder: Path) -> bool:
    """Create the cache folder so that only its user can read it; return False if other users can write to it.

    Saved code is loaded with pickle, so a file that another user wrote could run any code.
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


class CompiledFiles:
    """The compiled code of one function, in files with a keyed digest; takes the place of Numba's own files.

    A file that is damaged, was moved, or was not written with this key is not loaded, and is written again.
    """

    def __init__(self, folder: Path, name: str, key: bytes, shown: Path) -> None:
        """Save code in `folder`; also load it from the folder `shown`, which only the organiser of a sandbox writes."""
        self._folder, self._name, self._key, self._shown = folder, name, key, shown

    def load(self, signature: object) -> object:
        """Return the code for a signature, or None."""
        name = self._file(signature)
        with suppress(OSError):
            saved = (self._folder / name).read_bytes()
            if hmac.compare_digest(saved[:DIGEST_BYTES], self._digest(name, saved[DIGEST_BYTES:])):
                return _code_for(signature, saved)
        # A bot in a sandbox has no key, so it cannot check the files in `shown`. Only the organiser writes them, and
        # the sandbox limits what their code can do.
        with suppress(Exception):
            return _code_for(signature, (self._shown / name).read_bytes())
        return None

    def save(self, signature: object, code: object) -> None:
        """Save the code for a signature. If the disk is full, every process compiles the code again."""
        name, saved = self._file(signature), import_module("numba.core.serialize").dumps((signature, code))
        with suppress(OSError):
            _write_whole(self._folder / name, self._digest(name, saved) + saved, mode=0o644)

    def _file(self, signature: object) -> str:
        return f"{self._name}-{hashlib.sha256(repr(signature).encode()).hexdigest()[:20]}.nbc"

    def _digest(self, name: str, saved: bytes) -> bytes:
        return hmac.digest(self._key, f"{self._folder.name}/{name}\0".encode() + saved, "sha256")


def _code_for(signature: object, saved: bytes) -> object:
    """Return the code in a trusted file, or None if it is for another signature with the same name."""
    found, code = pickle.loads(saved[DIGEST_BYTES:])
    return code if found == signature else None


def _write_whole(path: Path, data: bytes, *, mode: int) -> None:
    """Write a file so that other processes see all of it or nothing."""
    written = path.with_name(f".{path.name}-{os.getpid()}-{os.urandom(8).hex()}")
    try:
        with os.fdopen(os.open(written, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode), "wb") as file:
            file.write(data)
        written.replace(path)
    finally:
        written.unlink(missing_ok=True)


def _cache_key(folder: Path) -> bytes:
    """Return the key of this cache folder. Create a new key if there is none that only this user can read."""
    path = folder / "key"
    with suppress(FileNotFoundError), path.open("rb") as file:
        found, key = os.fstat(file.fileno()), file.read()
        private = sys.platform == "win32" or (found.st_uid == os.geteuid() and not found.st_mode & 0o077)
        if private and len(key) == KEY_BYTES:
            return key
    _write_whole(path, os.urandom(KEY_BYTES), mode=0o600)
    return path.read_bytes()  # another process may have created a key at the same time


def _save(compiled: Any, folder: Path) -> bool:
    """Make a function load and save its code in this folder; return whether that is possible.

    Numba's setting of the folder is restored afterwards, because other code may use it.
    """
    try:
        if not _make_private(cache_folder()):
            return False
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            return False
        key = _cache_key(cache_folder())
    except OSError:
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
    shown = Path(os.environ.get(SHOWN_CACHE, os.devnull)) / folder.name
    compiled._cache._cache_file = CompiledFiles(folder, compiled.__name__, key, shown)
    return True
