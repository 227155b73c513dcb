"""Enclose a bot's process in namespaces through bubblewrap, or with Landlock and seccomp, and test the enclosure.

`find_sandbox` tries both with a hostile self-test, which is what `python -m pitboss.arena.bots.namespaces` runs.
"""

import fcntl
import json
import mmap
import os
import resource
import shutil
import signal
import socket
import stat
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import count
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

import pitboss
from pitboss.arena.bots.control_group import ControlGroup, group_for_bots
from pitboss.arena.bots.sandbox import BotLimits, Confinement, confine, environment
from pitboss.arena.bots.usage import WatchedBot, WatchLimits, forget, watch
from pitboss.errors import PitbossError
from pitboss.fast.compiled import SHOWN_CACHE, cache_folder

PROGRAM = "bwrap"
NOTICED = 5.0
"""Seconds that the watch may take to notice what a process has written."""
PATIENCE = 30.0
"""Seconds that the self-test may take."""
SCRATCH, SHARED_MEMORY = "/scratch", "/dev/shm"
"""The folder in which a bot may write, inside its namespaces."""
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
SETTINGS = ("/etc/ld.so.cache", "/etc/localtime", "/etc/alternatives", "/etc/ssl/certs")
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
OF_PROCESS = ("/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat")
USERS = range(61184, 65520)
"""User IDs without an account: systemd uses this range for short-lived services."""
NEEDED = 1 << 7 | 1 << 6 | 1 << 21 | 1 << 0
"""The capabilities to become another user, to mount, and to give files away."""
MOST_COPIED = 1 << 30
"""Bytes of a bot's folder that are copied because other users cannot read them."""
DATABASE = b"SQLite format 3\0"
PREFIX = "pitboss-bot-"
"""The prefix of the names of scratch folders and copies in the folder for temporary files."""
LEFT = 5.0
"""After this number of seconds, a folder without a lock is known to be left by a killed program."""

HOME = Path(os.path.expanduser("~"))
TESTED = BotLimits(memory=1 << 30, disk=4 << 20, processes=32)
"""The limits of the hostile self-test, which tries to exceed them."""
START = "start"
"""The layer that is missing if no process starts in the sandbox at all."""

MEANS = {
    "namespaces": {
        "files": "mount namespace",
        "network": "network namespace",
        "processes": "PID namespace",
        "calls": "seccomp",
        "memory": "limit per process, and the process tree is watched",
        "process count": "limit per user",
        "disk": "tmpfs with a size",
    },
    "rules": {
        "files": "Landlock",
        "network": "seccomp and Landlock",
        "processes": "Landlock and seccomp",
        "calls": "seccomp",
        "memory": "limit per process, and the process tree is watched",
        "process count": "limit per user",
        "disk": "limit per file, and the scratch folder is watched",
    },
}
"""The mechanism that enforces each layer."""
GROUPED = {"memory": "control group, and limit per process", "process count": "control group"}
"""The mechanism that enforces these layers if there is a control group."""
PROCESSES_OF_BUBBLEWRAP = 2

_users = count(os.getpid())

Kind = Literal["namespaces", "rules", "none"]


class TooLargeToCopy(PitbossError, OSError):
    """A file or folder that only its owner can read is too large to copy for a bot that runs as another user."""


class Layer(Struct, frozen=True):
    """One rule of a sandbox, whether it is enforced, and the result of the self-test."""

    name: str
    enforced: bool
    how: str

    def __str__(self) -> str:
        return f"sandbox: {self.name}: {'enforced' if self.enforced else 'NOT enforced'} ({self.how})"


class Sandbox(Struct, frozen=True):
    """The kind of sandbox on this machine, and the rules that it enforces."""

    kind: Kind
    layers: tuple[Layer, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether all layers are enforced."""
        return bool(self.layers) and all(layer.enforced for layer in self.layers)

    @property
    def starts(self) -> bool:
        """Whether a process can start in the sandbox."""
        return self.kind != "none" and [layer.name for layer in self.layers] != [START]


TRUSTED = Sandbox("none")
"""No sandbox: the bots are trusted."""


def _is_root() -> bool:
    """Whether this process may become another user and mount."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return False
    with suppress(OSError):
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        if int(status.partition("CapEff:")[2].split()[0], 16) & NEEDED != NEEDED:
            return False
        for line in Path("/proc/self/uid_map").read_text(encoding="ascii").splitlines():
            inside, _, size = map(int, line.split())
            if inside <= USERS[0] and inside + size >= USERS.stop:
                return True
    return False


def next_user() -> int:
    """Return the user for the next bot; each call returns another user."""
    return USERS[next(_users) % len(USERS)]


# --- the visible files


def packages() -> tuple[str, ...]:
    """The interpreter, the installed packages and pitboss itself."""
    places = [sys.prefix, sys.base_prefix, sys.exec_prefix, str(Path(pitboss.__file__).resolve().parent)]
    places += [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    link = Path(sys.executable)
    while link.is_symlink():  # the program may be reached through several links
        places.append(str(link.parent.resolve() / link.name))
        link = link.parent / os.readlink(link)
    places.append(str(link.resolve()))
    private = [place.resolve() for place in (Path.cwd(), HOME, Path(tempfile.gettempdir()))]
    for entry in map(Path, filter(None, sys.path)):  # also packages of an editable installation
        if entry.is_dir() and not any(_is_in(str(place), str(entry.resolve())) for place in private):
            places.append(str(entry))
    both = [named(place) for place in places for named in (os.path.abspath, os.path.realpath)]
    return tuple(dict.fromkeys(place for place in both if os.path.exists(place)))


def _entries(file: Path, hidden: Sequence[Path]) -> list[Path]:
    """Return the visible entries of the folder of a bot's file."""
    folder = file.parent
    if any(_is_in(str(file), place) for place in SYSTEM):
        return []
    if folder in (Path("/"), HOME, Path(tempfile.gettempdir())):
        return [file]  # a folder like this does not belong to a bot
    shown = [entry for entry in sorted(folder.iterdir()) if not entry.name.startswith(".") and not entry.is_symlink()]
    return [entry for entry in shown if entry == file or not (_is_private(entry, hidden) or _is_database(entry))]


def _is_private(entry: Path, hidden: Sequence[Path]) -> bool:
    """Whether an entry is hidden, contains or is in a hidden entry, or belongs to one as `pitboss.db-witness` does."""
    return any(
        path == entry or entry in path.parents or path in entry.parents or str(entry).startswith(f"{path}-")
        for path in hidden
    )


def _is_database(entry: Path) -> bool:
    """Whether a file is an SQLite database (journals are), or belongs to one."""
    if any(entry.name.endswith(end) for end in ("-wal", "-shm", "-journal", "-witness", ".phhs")):
        return True
    try:
        if not entry.is_file():  # opening a pipe would wait for its other end
            return False
        with entry.open("rb") as opened:
            return opened.read(len(DATABASE)) == DATABASE
    except OSError:
        return False


def _readable_by_others(entry: Path) -> bool:
    for path in (entry, *(entry.rglob("*") if entry.is_dir() else ())):
        try:
            mode = path.stat().st_mode
        except OSError:
            continue
        needed = stat.S_IROTH | (stat.S_IXOTH if stat.S_ISDIR(mode) else 0)
        if mode & needed != needed:
            return False
    return True


def _copy(entry: Path, target: Path) -> None:
    size = sum(path.stat().st_size for path in (entry, *entry.rglob("*")) if path.is_file())
    if size > MOST_COPIED:
        raise TooLargeToCopy(f"{entry} can be read by its owner only and is too large to copy: chmod -R o+rX {entry}")
    if entry.is_dir():
        shutil.copytree(entry, target, symlinks=True)
    else:
        shutil.copy(entry, target)
    for path in (target, *target.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)


# --- the surroundings of a process


class Enclosure:
    """The surroundings of one process: the command that starts it, its environment variables, and its kernel rules."""

    def __init__(
        self,
        kind: Kind,
        file: Path | None,
        limits: BotLimits,
        *,
        folder: Path | None = None,
        program: str | None = None,
        hidden: Iterable[Path] = (),
        processor: int | None = None,
    ) -> None:
        """Enclose a bot that is this file, or a `program`, and that starts in `folder`.

        The bot sees its own folder without the `hidden` entries, names with a leading dot, and databases. It does not
        see entries that are created later. If the bot runs as another user, entries that only their owner can read are
        copied.
        """
        self._kind, self._folder, self._limits = kind, str((folder or Path.cwd()).absolute()), limits
        self._places: dict[str, int] = {}  # folder -> the open handle that locks it
        user = next_user() if _is_root() else None
        self._cache = str(cache_folder().absolute() / "compiled")
        shown: list[str] = [*packages(), *([self._cache] if os.path.isdir(self._cache) else [])]
        if program is not None and (found := shutil.which(program)) is not None:
            shown += [os.path.abspath(found), os.path.realpath(found)]
        if user is not None:  # leave out paths that other users cannot enter
            shown = [place for place in shown if os.stat(place).st_mode & (stat.S_IXOTH | stat.S_IROTH)]
        secret = [path.resolve() for path in (*hidden, cache_folder())]  # the cache folder contains a key
        entries = [] if file is None or not file.exists() else _entries(file.resolve(), secret)
        self._pairs = [(path, path) for path in dict.fromkeys([*SETTINGS, *shown])]
        for entry in entries:
            copied = user is not None and kind == "namespaces" and not _readable_by_others(entry)
            self._pairs.append((self._copy(entry) if copied else str(entry), str(entry)))
        listable = [str(entries[0].parent)] if len(entries) > 1 else []
        self.scratch: str | None = None  #: a folder on the organiser's disk, whose size is to be watched
        #: folders in memory, with a size
        self.mounted: tuple[str, ...] = (SCRATCH, SHARED_MEMORY) if kind == "namespaces" else ()
        self.group = self._make_group()  #: the control group of its processes, if this user can create one
        readable: list[str] = []
        if kind == "rules":
            self.scratch = self._make_folder()
            readable = [*SYSTEM, *DEVICES, *OF_PROCESS, *[source for source, _ in self._pairs]]
            if user is not None and _reachable([sys.executable, *[str(entry) for entry in entries]]):
                os.chown(self.scratch, user, user)
            else:
                user = None
        self.confinement = Confinement(
            limits=limits,
            kind=kind,
            user=user,
            processor=processor,
            readable=readable,
            listable=listable,
            writable=[self.scratch] if self.scratch else [],
        )

    def _make_group(self) -> ControlGroup | None:
        parent = None if self._kind == "none" else group_for_bots()
        if parent is None:
            return None
        files = len(self.mounted) * self._limits.disk  # which are memory
        processes = self._limits.processes + (PROCESSES_OF_BUBBLEWRAP if self._kind == "namespaces" else 0)
        with suppress(OSError):
            return ControlGroup(parent, memory=self._limits.memory + files, processes=processes)
        return None

    def command(self, command: Sequence[str]) -> list[str]:
        """Return a command that starts `command` in the enclosure."""
        enclosed = [*self._bubblewrap(), "--", *command] if self._kind == "namespaces" else [*command]
        return enclosed if self.group is None else self.group.enter(enclosed)

    def environment(self) -> dict[str, str]:
        """The variables of the process."""
        variables = environment()
        if self._kind == "none":
            return variables
        scratch = self.scratch or SCRATCH
        hidden = ("XDG_CACHE_HOME", "NUMBA_CACHE_DIR")
        chosen = {name: value for name, value in variables.items() if name not in hidden}
        return {
            **chosen,
            "HOME": scratch,
            "TMPDIR": scratch,
            "PITBOSS_CACHE": f"{scratch}/cache",
            SHOWN_CACHE: self._cache,
        }

    def exceeded(self) -> str | None:
        """Return the limit for which the kernel ended the process, or None."""
        return None if self.group is None else self.group.exceeded()

    def close(self) -> None:
        """End all processes that the process has started, and remove its files."""
        if self.group is not None:
            self.group.remove()
        while self._places:
            place, lock = self._places.popitem()
            _remove(place)
            os.close(lock)

    def _make_folder(self) -> str:
        """Make a folder. It is locked until it is removed, so that other programs know that it is in use."""
        _remove_old_folders()
        place = tempfile.mkdtemp(prefix=PREFIX)
        self._places[place] = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(self._places[place], fcntl.LOCK_EX)
        return place

    def _copy(self, entry: Path) -> str:
        target = Path(self._make_folder()) / entry.name
        _copy(entry, target)
        return str(target)

    def _bubblewrap(self) -> list[str]:
        size = str(self._limits.disk)
        arguments = [shutil.which(PROGRAM) or PROGRAM, "--die-with-parent"]
        arguments += ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
        if self.confinement.user is None:
            arguments += ["--unshare-user", "--disable-userns"]
        made: set[str] = set()
        for path in SYSTEM:
            if os.path.islink(path):
                arguments += ["--symlink", os.readlink(path), path]
            elif os.path.isdir(path):
                arguments += ["--ro-bind", path, path]
        arguments += ["--proc", "/proc", "--dev", "/dev"]
        for place in (SCRATCH, SHARED_MEMORY):  # inside the sandbox
            arguments += ["--perms", "1777", "--size", size, "--tmpfs", place]
        pairs = self._pairs
        bound = ["/usr", "/proc", "/dev"]
        for source, target in sorted(pairs, key=lambda pair: pair[1]):
            if not os.path.exists(source) or any(_is_in(target, place) for place in bound):
                continue
            bound.append(target)
            arguments += _folders(target, made)
            if os.path.islink(source) and source == target and not os.path.isdir(source):
                arguments += ["--symlink", os.readlink(source), target]
            else:
                arguments += ["--ro-bind", source, target]
        if not any(
            _is_in(target, "/tmp") for target in (self._folder, *[target for _, target in pairs])
        ):  # inside the sandbox
            arguments += ["--symlink", SCRATCH, "/tmp"]  # inside the sandbox
        arguments += _folders(f"{self._folder}/x", made)
        return [*arguments, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", self._folder]


@cache
def _remove_old_folders() -> None:
    """Remove old folders that no process has locked. Killed programs leave such folders."""
    owners = {os.geteuid(), *(USERS if os.geteuid() == 0 else ())}
    for place in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            lock = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                found = os.fstat(lock)
                if found.st_uid in owners and time.time() - found.st_ctime > LEFT:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    _remove(str(place))
            finally:
                os.close(lock)


def _remove(place: str) -> None:
    """Remove a folder.

    This uses `rm`, because Python cannot remove very deep folders and folders that may not be listed.
    """
    with suppress(OSError, RecursionError):
        shutil.rmtree(place)
        return
    subprocess.run(["rm", "-rf", "--", place], check=False, stderr=subprocess.DEVNULL)


def _is_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")


def _folders(path: str, made: set[str]) -> list[str]:
    """Return the arguments that create the parent folders of a path; every user may enter and list them."""
    arguments = []
    for parent in reversed(Path(path).parents[:-1]):
        if str(parent) not in made:
            made.add(str(parent))
            arguments += ["--perms", "0755", "--dir", str(parent)]
    return arguments


def _reachable(paths: Iterable[str]) -> bool:
    """Whether another user can reach and read all of these."""
    parents = {parent for path in paths for parent in Path(path).resolve().parents}
    return all(parent.stat().st_mode & stat.S_IXOTH for parent in parents) and all(
        _readable_by_others(Path(path)) for path in paths
    )


# --- the self-test


@cache
def find_sandbox(prefer: tuple[Kind, ...] = ("namespaces", "rules")) -> Sandbox:
    """Test each kind of sandbox with the hostile self-test. Return the first that passes, or the last if none does."""
    found = Sandbox("none", (Layer("all", enforced=False, how="this system has neither namespaces nor Landlock"),))
    for kind in prefer:
        if kind == "namespaces" and shutil.which(PROGRAM) is None:
            continue
        found = try_sandbox(kind)
        if found.holds:
            break
    return found


def try_sandbox(kind: Kind) -> Sandbox:
    """Run the hostile self-test in such a sandbox."""
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as server:
        secret = Path(folder) / "secret"
        secret.write_text("secret", encoding="utf-8")
        own = Path(folder) / "bot" / "bot.py"
        own.parent.mkdir()
        own.write_text("", encoding="utf-8")
        enclosure = Enclosure(kind, own, TESTED)
        targets = SelfTest(
            enclosure.confinement,
            str(secret),
            str(own.parent),
            str(Path(pitboss.__file__).parent),
            os.getpid(),
            server.getsockname()[1],
            os.getpgrp(),
        )
        try:
            output, errors = _run_watched(enclosure, msgspec.json.encode(targets))
            results: dict[str, str] = {}
            for line in output.splitlines() or [errors]:
                results |= json.loads(line)
        except (OSError, ValueError, subprocess.TimeoutExpired) as error:
            said = errors.decode(errors="replace").strip() if isinstance(error, ValueError) else str(error)
            return Sandbox(kind, (Layer(START, enforced=False, how=said.splitlines()[-1] if said else "no answer"),))
        finally:
            enclosure.close()
    how = {**MEANS.get(kind, {}), **({} if enclosure.group is None else GROUPED)}
    layers = [Layer(name, enforced=not leak, how=leak or how.get(name, "")) for name, leak in results.items()]
    return Sandbox(kind, tuple(layers))


def _run_watched(enclosure: Enclosure, given: bytes) -> tuple[bytes, bytes]:
    """Run the hostile process under the watch of bots; return what it prints."""
    with subprocess.Popen(
        enclosure.command([sys.executable, "-P", "-m", "pitboss.arena.bots.namespaces"]),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=enclosure.environment(),
        start_new_session=True,
    ) as process:
        most = WatchLimits(TESTED.memory, TESTED.processes, enclosure.scratch, TESTED.disk, enclosure.mounted)
        watched = WatchedBot(process.pid, most, lambda _: process.kill())
        watch(watched)
        try:
            return process.communicate(given, PATIENCE)
        finally:
            process.kill()
            forget(watched)


class SelfTest(Struct, frozen=True):
    """The targets of the hostile self-test."""

    confinement: Confinement
    secret: str
    own: str
    package: str
    pid: int
    port: int
    group: int


def attack(on: SelfTest) -> dict[str, str]:
    """Try the attacks of a hostile bot. Return the attempt that succeeded for each layer, or an empty text."""

    def tried(*attempts: tuple[str, Callable[[], object]]) -> str:
        for words, attempt in attempts:
            try:
                attempt()
            except (OSError, ValueError, MemoryError):
                continue
            return f"it could {words}"
        return ""

    def connect() -> None:
        socket.create_connection(("127.0.0.1", on.port), timeout=2).close()

    def reach_processes() -> None:
        if Path(f"/proc/{on.pid}").exists() and on.confinement.kind == "namespaces":
            return
        os.kill(on.pid, 0)

    limits = on.confinement.limits

    def start_threads() -> None:
        end = threading.Event()
        threading.stack_size(1 << 16)
        try:
            for _ in range(limits.processes + 1):
                threading.Thread(target=end.wait, daemon=True).start()
        except RuntimeError as error:  # no more are allowed
            raise OSError(str(error)) from None
        finally:
            end.set()

    def fill(folder: str) -> None:
        """Write more than allowed, in two files."""
        for name in ("attack-1", "attack-2"):
            handle = os.open(f"{folder}/{name}", os.O_CREAT | os.O_WRONLY)
            os.posix_fallocate(handle, 0, limits.disk)

    fills = [(f"fill {folder}", partial(fill, folder)) for folder in (SCRATCH, SHARED_MEMORY)]
    return {
        "files": tried(
            ("read a file of the organiser", lambda: Path(on.secret).read_bytes()),
            ("write into the installed package", lambda: Path(on.package, "attack.py").touch()),
            ("write into the bot's folder", lambda: Path(on.own, "random.py").touch()),
        ),
        "network": tried(("connect to the organiser", connect)),
        "processes": tried(
            ("signal the organiser", reach_processes),
            ("write into its parent's memory", lambda: Path(f"/proc/{os.getppid()}/mem").open("r+b").close()),
            ("limit the organiser", lambda: resource.prlimit(on.pid, resource.RLIMIT_NOFILE)),
            ("slow the organiser down", lambda: os.setpriority(os.PRIO_PGRP, on.group, 19)),
        ),
        "calls": tried(
            ("bind itself to processors", lambda: os.sched_setaffinity(0, {0})),
            ("make memory without a limit", lambda: os.memfd_create("attack")),
            ("leave its session", lambda: os.setsid() if os.getpid() != os.getsid(0) else _refused()),
        ),
        "memory": tried(
            ("share memory without a limit", lambda: mmap.mmap(-1, 1 << 20)),
            ("take more memory than allowed", lambda: mmap.mmap(-1, 2 * limits.memory, flags=mmap.MAP_PRIVATE | 0x20)),
        ),
        "process count": tried((f"start more than {limits.processes} threads", start_threads)),
        "disk": tried(
            ("write a file of any length", lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))),
            *(fills if on.confinement.kind == "namespaces" else []),
        ),
    }


def _refused() -> None:
    raise PermissionError


def main() -> None:
    """Run as the hostile process of the self-test."""
    on = msgspec.json.decode(sys.stdin.buffer.read(), type=SelfTest)
    confine(on.confinement)
    print(json.dumps(attack(on)), flush=True)
    for folder in on.confinement.writable:  # wait until the watch ends this process
        for number in range(2):
            Path(folder, str(number)).write_bytes(bytes(on.confinement.limits.disk))
        time.sleep(NOTICED)
        print(json.dumps({"disk": "the process could fill the disk"}), flush=True)
    with suppress(OSError):
        signal.raise_signal(signal.SIGKILL)


if __name__ == "__main__":
    main()
