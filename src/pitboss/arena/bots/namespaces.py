"""What a bot's process sees: in namespaces through bubblewrap, else by Landlock and seccomp; and whether that holds.

`find_sandbox` tries both with a hostile self-test, which is what `python -m pitboss.arena.bots.namespaces` runs.
"""

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
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

import pitboss
from pitboss.arena.bots.sandbox import BotLimits, Confinement, confine, environment
from pitboss.errors import PitbossError
from pitboss.fast.compiled import SHOWN_CACHE, cache_folder

PROGRAM = "bwrap"
PATIENCE = 30.0
"""Seconds that the self-test may take."""
SCRATCH = "/scratch"
"""Where a bot may write, inside its namespaces."""
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
SETTINGS = ("/etc/ld.so.cache", "/etc/localtime", "/etc/alternatives", "/etc/ssl/certs")
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
OF_PROCESS = ("/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat")
USERS = range(61184, 65520)
"""Users that no account has: the range that systemd gives to services for a moment."""
NEEDED = 1 << 7 | 1 << 6 | 1 << 21 | 1 << 0
"""The capabilities to become another user, to mount, and to give files away."""
MOST_COPIED = 1 << 30
"""Bytes of a bot's folder that are copied because other users cannot read them."""
DATABASE = b"SQLite format 3\0"

HOME = Path(os.path.expanduser("~"))
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
"""What enforces each layer."""

_users = count(os.getpid())

Kind = Literal["namespaces", "rules", "none"]


class TooLargeToCopy(PitbossError, OSError):
    """An owner-only file or folder is too large to copy for a bot that runs as another user."""


class Layer(Struct, frozen=True):
    """One thing that a sandbox enforces or not, and what the self-test found."""

    name: str
    enforced: bool
    how: str

    def __str__(self) -> str:
        return f"sandbox: {self.name}: {'enforced' if self.enforced else 'NOT enforced'} ({self.how})"


class Sandbox(Struct, frozen=True):
    """How bots are enclosed on this machine, and what that enforces."""

    kind: Kind
    layers: tuple[Layer, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether all layers are enforced."""
        return bool(self.layers) and all(layer.enforced for layer in self.layers)

    @property
    def starts(self) -> bool:
        """Whether a process starts in it."""
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
    """A user for the next bot, another one each time."""
    return USERS[next(_users) % len(USERS)]


# --- the visible files


def packages() -> tuple[str, ...]:
    """The interpreter, the installed packages and pitboss itself."""
    places = [sys.prefix, sys.base_prefix, sys.exec_prefix, str(Path(pitboss.__file__).resolve().parent)]
    places += [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    link = Path(sys.executable)
    while link.is_symlink():  # each link on the way to the program
        places.append(str(link.parent.resolve() / link.name))
        link = link.parent / os.readlink(link)
    places.append(str(link.resolve()))
    private = [place.resolve() for place in (Path.cwd(), HOME, Path(tempfile.gettempdir()))]
    for entry in map(Path, filter(None, sys.path)):  # also packages that are installed where they are written
        if entry.is_dir() and not any(_is_in(str(place), str(entry.resolve())) for place in private):
            places.append(str(entry))
    both = [named(place) for place in places for named in (os.path.abspath, os.path.realpath)]
    return tuple(dict.fromkeys(place for place in both if os.path.exists(place)))


def _entries(file: Path, hidden: Sequence[Path]) -> list[Path]:
    """What is shown of the folder of a bot's file."""
    folder = file.parent
    if any(_is_in(str(file), place) for place in SYSTEM):
        return []
    if folder in (Path("/"), HOME, Path(tempfile.gettempdir())):
        return [file]  # such a folder belongs to no bot
    shown = [entry for entry in sorted(folder.iterdir()) if not entry.name.startswith(".") and not entry.is_symlink()]
    return [entry for entry in shown if entry == file or not (_is_private(entry, hidden) or _is_database(entry))]


def _is_private(entry: Path, hidden: Sequence[Path]) -> bool:
    """Whether an entry is hidden, contains or is in a hidden one, or belongs to it, as `pitboss.db-witness` does."""
    return any(
        path == entry or entry in path.parents or path in entry.parents or str(entry).startswith(f"{path}-")
        for path in hidden
    )


def _is_database(entry: Path) -> bool:
    """Whether a file is an SQLite database, as journals are, or belongs to one."""
    if any(entry.name.endswith(end) for end in ("-wal", "-shm", "-journal", "-witness", ".phhs")):
        return True
    try:
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


# --- how it is enclosed


class Enclosure:
    """The surroundings of one process: the command that starts it, its variables, and what it asks of the kernel."""

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
        """Enclose a bot with this file, or one that is a `program`, and that starts in `folder`.

        It sees its own folder without what is `hidden`, names with a leading dot, and databases. Each entry of the
        folder is shown as it is now: what is made later is not seen. Where the bot runs as another user, entries that
        only their owner can read are copied.
        """
        self._kind, self._folder, self._limits = kind, str((folder or Path.cwd()).absolute()), limits
        self._places: list[str] = []
        user = next_user() if _is_root() else None
        self._cache = str(cache_folder().absolute() / "compiled")
        shown: list[str] = [*packages(), *([self._cache] if os.path.isdir(self._cache) else [])]
        if program is not None and (found := shutil.which(program)) is not None:
            shown += [os.path.abspath(found), os.path.realpath(found)]
        if user is not None:  # what that user cannot enter would only hide what is shown below it
            shown = [place for place in shown if os.stat(place).st_mode & (stat.S_IXOTH | stat.S_IROTH)]
        entries = [] if file is None or not file.exists() else _entries(file.resolve(), [*map(Path.resolve, hidden)])
        self._pairs = [(path, path) for path in dict.fromkeys([*SETTINGS, *shown])]
        for entry in entries:
            copied = user is not None and kind == "namespaces" and not _readable_by_others(entry)
            self._pairs.append((self._copy(entry) if copied else str(entry), str(entry)))
        listable = [str(entries[0].parent)] if len(entries) > 1 else []
        self.scratch: str | None = None  #: a folder on the organiser's disk, whose size is to be watched
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

    def command(self, command: Sequence[str]) -> list[str]:
        """The command that starts this one in the enclosure."""
        return [*self._bubblewrap(), "--", *command] if self._kind == "namespaces" else [*command]

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

    def close(self) -> None:
        """Remove what the process has left."""
        for place in self._places:
            shutil.rmtree(place, ignore_errors=True)

    def _make_folder(self) -> str:
        self._places.append(tempfile.mkdtemp(prefix="pitboss-bot-"))
        return self._places[-1]

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
        for place in (SCRATCH, "/dev/shm"):  # inside the sandbox
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


def _is_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")


def _folders(path: str, made: set[str]) -> list[str]:
    """Arguments that make the folders above a path, which all may enter and list."""
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


# --- whether it holds


@cache
def find_sandbox(prefer: tuple[Kind, ...] = ("namespaces", "rules")) -> Sandbox:
    """Try the kinds of sandbox in turn with the hostile self-test; return the first that holds, else the last."""
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
    limits = BotLimits()
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as server:
        secret = Path(folder) / "secret"
        secret.write_text("secret", encoding="utf-8")
        own = Path(folder) / "bot" / "bot.py"
        own.parent.mkdir()
        own.write_text("", encoding="utf-8")
        enclosure = Enclosure(kind, own, limits)
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
            done = subprocess.run(
                enclosure.command([sys.executable, "-P", "-m", "pitboss.arena.bots.namespaces"]),
                input=msgspec.json.encode(targets),
                capture_output=True,
                timeout=PATIENCE,
                check=False,
                env=enclosure.environment(),
                start_new_session=True,
            )
            results = json.loads(done.stdout)
        except (OSError, ValueError, subprocess.TimeoutExpired) as error:
            said = done.stderr.decode(errors="replace").strip() if isinstance(error, ValueError) else str(error)
            return Sandbox(kind, (Layer(START, enforced=False, how=said.splitlines()[-1] if said else "no answer"),))
        finally:
            enclosure.close()
    how = MEANS.get(kind, {})
    layers = [Layer(name, enforced=not leak, how=leak or how.get(name, "")) for name, leak in results.items()]
    return Sandbox(kind, tuple(layers))


class SelfTest(Struct, frozen=True):
    """What the hostile self-test attacks."""

    confinement: Confinement
    secret: str
    own: str
    package: str
    pid: int
    port: int
    group: int


def attack(on: SelfTest) -> dict[str, str]:
    """Try what a hostile bot would; by layer, what succeeded, or an empty text."""

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
    processes = resource.getrlimit(resource.RLIMIT_NPROC)[1]
    counted = processes != resource.RLIM_INFINITY and os.getuid() != 0
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
        "process count": "" if counted else "processes are not limited for this user",
        "disk": "" if resource.getrlimit(resource.RLIMIT_FSIZE)[1] <= limits.file else "files are not limited",
    }


def _refused() -> None:
    raise PermissionError


def main() -> None:
    """Be the hostile process of the self-test."""
    on = msgspec.json.decode(sys.stdin.buffer.read(), type=SelfTest)
    confine(on.confinement)
    print(json.dumps(attack(on)), flush=True)
    with suppress(OSError):
        signal.raise_signal(signal.SIGKILL)


if __name__ == "__main__":
    main()
