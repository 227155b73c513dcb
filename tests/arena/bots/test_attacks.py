"""Attacks of a hostile bot on the organiser, on its opponent and on the machine, in each kind of sandbox.

Each attack is tried without a sandbox too, if that does no harm: so the attack itself works.
"""

import fcntl
import json
import os
import selectors
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

import pitboss
from pitboss.arena.bots import namespaces, usage
from pitboss.arena.bots.namespaces import TRUSTED, Kind, Layer, Sandbox, find_sandbox, try_sandbox
from pitboss.arena.bots.runner import BotFailure, BotRunner
from pitboss.arena.bots.sandbox import BotLimits
from pitboss.arena.wire.messages import Act
from pitboss.cli.arena.options import sandbox_for_bots
from pitboss.client.bot_process import start_bot
from tests.support.arena.bot_spots import ask, deal
from tests.support.cli.runs import run

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the sandbox needs Linux"),
    pytest.mark.check,
]

MIB = 1 << 20
LIMITS = BotLimits(memory=300 * MIB, disk=16 * MIB, file=64 * MIB, processes=40)
BOUND = 60.0

HOSTILE = """
import fcntl, json, mmap, os, resource, signal, socket, sqlite3, subprocess, sys, threading, time
import ctypes

LIBC = ctypes.CDLL(None, use_errno=True)

def call(name, *arguments):
    if getattr(LIBC, name)(*arguments) < 0:
        raise OSError(ctypes.get_errno(), name)

def write(path, text="payload"):
    with open(path, "w") as file:
        file.write(text)

def attempt(body):
    try:
        return "done", repr(eval(body) if not body.startswith("!") else exec(body[1:], globals()))
    except BaseException as error:
        return "failed", f"{type(error).__name__}: {error}"

def decide(act):
    print(json.dumps([attempt(body) for body in BODIES]), flush=True)
    return "CALL"
"""

Attack = Callable[..., tuple[str, str]]
Attacks = Callable[..., dict[str, tuple[str, str]]]


def question(time_ms: int = 30_000) -> Act:
    """A question that may be answered with a call."""
    act = ask(deal("AsAd", "KsKd"), range(2))
    return replace(act, you=replace(act.you, time_ms=time_ms))


def needs(kind: Kind) -> Sandbox:
    """A sandbox of this kind, or a skipped test if this machine has none."""
    found = _tried.setdefault(kind, try_sandbox(kind)) if kind not in _tried else _tried[kind]
    missing = [str(layer) for layer in found.layers if not layer.enforced and layer.name != "process count"]
    if missing or (kind == "namespaces" and shutil.which("bwrap") is None):
        pytest.skip(f"this machine does not have such a sandbox: {missing}")
    return found


_tried: dict[Kind, Sandbox] = {}


@pytest.fixture(params=["namespaces", "rules"])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    """Each kind of sandbox."""
    return needs(request.param)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., tuple[BotRunner, list[str]]]]:
    """Start a bot in its own folder from its source; it has ended afterwards."""
    started: list[BotRunner] = []

    def begin(
        source: str, sandbox: Sandbox = TRUSTED, *, before: Callable[[], None] | None = None, **options: object
    ) -> tuple[BotRunner, list[str]]:
        folder = tmp_path / f"bot{len(started)}"
        folder.mkdir()
        file = folder / "bot.py"
        file.write_text(source, encoding="utf-8")
        if before is not None:
            before()
        said: list[str] = []
        settings = {"limits": LIMITS, **options}
        started.append(start_bot(str(file), sandbox=sandbox, say=said.append, **settings))  # type: ignore[arg-type]  # options of any kind
        return started[-1], said

    yield begin
    for each in started:
        each.close()


@pytest.fixture
def attacks(start: Callable[..., tuple[BotRunner, list[str]]]) -> Attacks:
    """What happens when one bot runs each of these: by attack, whether it was done, and its result or error."""

    def run_them(bodies: Iterable[str], sandbox: Sandbox, **options: object) -> dict[str, tuple[str, str]]:
        bodies = [*bodies]
        bot, said = start(HOSTILE + f"\nBODIES = {bodies!r}\n", sandbox, **options)
        bot(question())
        bot.close()
        found = json.loads(said[-1].partition(": ")[2].replace("\\u001b", ""))
        return {body: (how, what) for body, (how, what) in zip(bodies, found, strict=True)}

    return run_them


@pytest.fixture
def attack(attacks: Attacks) -> Attack:
    """What happens when a bot runs this."""
    return lambda body, sandbox, **options: attacks([body], sandbox, **options)[body]


def done(found: dict[str, tuple[str, str]]) -> dict[str, str]:
    """The attacks that succeeded, with their results."""
    return {body: what for body, (how, what) in found.items() if how == "done"}


# --- on other processes

ON_PROCESSES = {
    "limits the organiser's files": "resource.prlimit(PID, resource.RLIMIT_NOFILE, (256, 256))",
    "limits the organiser's processor time": "resource.prlimit(PID, resource.RLIMIT_CPU)",
    "slows the organiser down": "os.setpriority(os.PRIO_PROCESS, PID, 19)",
    "slows down all processes of the user": "os.setpriority(os.PRIO_USER, 0, 19)",
    "binds the organiser to a processor": "os.sched_setaffinity(PID, {0})",
    "makes the organiser idle": "os.sched_setscheduler(PID, os.SCHED_IDLE, os.sched_param(0))",
    "sets the organiser's disk priority": "call('syscall', 251, 1, PID, 3 << 13)",
    "signals the organiser": "os.kill(PID, 0)",
    "traces the organiser": "call('ptrace', 16, PID, 0, 0)",
    "reads the organiser's memory": "open(f'/proc/{PID}/mem', 'rb')",
}


def test_a_bot_cannot_touch_another_process(attacks: Attacks, sandbox: Sandbox) -> None:
    with subprocess.Popen(["sleep", "100"]) as victim:
        try:
            found = attacks([body.replace("PID", str(victim.pid)) for body in ON_PROCESSES.values()], sandbox)
        finally:
            victim.kill()
    assert (done(found), len(found)) == ({}, len(ON_PROCESSES))


def test_a_bot_cannot_kill_its_opponent(start: Callable[..., tuple[BotRunner, list[str]]], sandbox: Sandbox) -> None:
    opponent, _ = start("def decide(act):\n    return 'CALL'\n", sandbox)
    assert opponent(question()) == "CALL"
    kills = "import os\nfor pid in range(2, 70000):\n    if pid != os.getpid() and pid != os.getppid():\n"
    kills += "        try: os.kill(pid, 9)\n        except OSError: pass\ndef decide(act):\n    return 'FOLD'\n"
    hostile, _ = start(kills, sandbox)
    hostile(question())
    assert opponent(question()) == "CALL"


# --- on files


def test_a_bot_cannot_write_next_to_a_bot(attacks: Attacks, sandbox: Sandbox, tmp_path: Path) -> None:
    """It wrote a `random.py`, which the opponent then imported."""
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "bot.py").write_text("mine", encoding="utf-8")
    names = ("random.py", "attack.pth", "bot.py", "../other/bot.py", "__pycache__/bot.pyc")
    attacks([f"write(os.path.dirname(os.path.abspath(__file__)) + '/{name}')" for name in names], sandbox)
    assert [path.name for path in (tmp_path / "bot0").iterdir()] == ["bot.py"]
    assert "payload" not in (tmp_path / "bot0" / "bot.py").read_text(encoding="utf-8").splitlines()[:1]
    assert (tmp_path / "other" / "bot.py").read_text(encoding="utf-8") == "mine"


def test_a_bot_cannot_change_the_installed_packages(attacks: Attacks, sandbox: Sandbox) -> None:
    folders = (Path(pitboss.__file__).parent, Path(json.__file__).parent, Path(pytest.__file__).parent.parent)
    found = attacks([f"write({str(folder / 'attack.pth')!r})" for folder in folders], sandbox)
    assert done(found) == {}
    assert not any((folder / "attack.pth").exists() for folder in folders)


def test_a_bot_cannot_change_the_compiled_code(
    attack: Attack, sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The index files of the cache are pickles: the organiser's next command ran what the bot had put there."""
    cache = tmp_path / "cache" / "compiled"
    cache.mkdir(parents=True)
    (cache / "loop.nbi").write_bytes(b"index")
    monkeypatch.setenv("PITBOSS_CACHE", str(cache.parent))
    how, _ = attack(f"write({str(cache / 'loop.nbi')!r})", sandbox)
    assert how == "failed"
    attack("write(os.environ['PITBOSS_CACHE'] + '/loop.nbi')", sandbox)
    assert [(path.name, path.read_bytes()) for path in cache.iterdir()] == [("loop.nbi", b"index")]


def journal(folder: Path) -> Path:
    """A journal."""
    path = folder / "pitboss.db"
    with sqlite3.connect(path) as base:
        base.execute("create table secret (deck text)")
        base.execute("insert into secret values ('AsAd')")
    return path


READS = "sqlite3.connect(f'file:{JOURNAL}?mode=ro', uri=True).execute('select deck from secret').fetchall()"


def test_a_bot_cannot_read_or_lock_the_journal_in_its_folder(attack: Attack, sandbox: Sandbox, tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "bot1", tmp_path / "bot2"):
        place.mkdir(exist_ok=True)
        path = journal(place)
        if place.name.startswith("bot"):
            continue
        how, what = attack(READS.replace("{JOURNAL}", str(path)), sandbox)
        assert (how, "AsAd" in what) == ("failed", False), what
    shutil.rmtree(tmp_path / "bot1")
    shutil.rmtree(tmp_path / "bot2")


def test_a_journal_in_the_bots_own_folder_is_hidden(
    tmp_path: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With `pitboss.db` in the working folder, a bot read deck and secret at 80 of 80 questions."""
    monkeypatch.chdir(tmp_path)
    path = journal(tmp_path)
    (tmp_path / "helper.py").write_text("WORD = 'CALL'\n", encoding="utf-8")
    Path(f"{path}-witness").write_text("secret", encoding="utf-8")
    (tmp_path / "private").mkdir()
    source = f"""
import helper, os, json
seen = sorted(os.listdir(".")) if os.path.isdir(".") and os.access(".", os.R_OK) else None
def read(path):
    try:
        return open(path, "rb").read().decode(errors="replace")
    except OSError as error:
        return type(error).__name__
private = [{str(path)!r}, {str(path)!r} + "-witness", "bert.py", "private/hands.phhs"]
print(json.dumps([seen, *map(read, private)]), flush=True)
def decide(act):
    print(json.dumps([read({str(path)!r} + "-wal"), read("private/later")]), flush=True)
    return helper.WORD
"""
    (tmp_path / "alice.py").write_text(source, encoding="utf-8")
    (tmp_path / "bert.py").write_text("SECRET = 1\n", encoding="utf-8")
    (tmp_path / "private" / "hands.phhs").write_text("secret", encoding="utf-8")
    said: list[str] = []
    hidden = [tmp_path / "bert.py", tmp_path / "private"]
    bot = start_bot("alice.py", sandbox=sandbox, limits=LIMITS, say=said.append, hidden=hidden)
    Path(f"{path}-wal").write_text("secret", encoding="utf-8")
    (tmp_path / "private" / "later").write_text("secret", encoding="utf-8")
    assert bot(question()) == "CALL"
    bot.close()
    seen, *read = json.loads(said[0].partition(": ")[2])
    assert not any("secret" in text.lower() or "sqlite" in text.lower() for text in read)
    if sandbox.kind == "namespaces":  # Landlock hides what is in files, not their names
        assert seen == ["alice.py", "helper.py"]
    assert not any("secret" in text for text in json.loads(said[1].partition(": ")[2]))


def test_a_folder_that_only_root_can_read_is_copied(tmp_path: Path) -> None:
    sandbox = needs("namespaces")
    folder = tmp_path / "home" / "checkout" / "mine"
    folder.mkdir(parents=True)
    (folder / "bot.py").write_text("import helper\ndef decide(act):\n    return helper.WORD\n", encoding="utf-8")
    (folder / "helper.py").write_text(
        "WORD = open(__file__.replace('helper.py', 'data/word')).read()", encoding="utf-8"
    )
    (folder / "data").mkdir()
    (folder / "data" / "word").write_text("CALL", encoding="utf-8")
    for path in (tmp_path / "home", folder, folder / "data"):
        path.chmod(0o700)
    for path in (folder / "bot.py", folder / "helper.py", folder / "data" / "word"):
        path.chmod(0o600)
    bot = start_bot(str(folder / "bot.py"), sandbox=sandbox, limits=LIMITS)
    assert bot(question()) == "CALL"
    bot.close()


# --- on the network


def test_a_bot_cannot_connect_to_anything(attacks: Attacks, sandbox: Sandbox, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as named:
        port = server.getsockname()[1]
        name = str(tmp_path / "socket")
        named.bind(name)
        named.listen()
        with socket.socket(socket.AF_UNIX) as abstract:
            abstract.bind("\0pitboss-test-" + str(port))
            abstract.listen()
            tries = [
                f"socket.create_connection(('127.0.0.1', {port}), timeout=5)",
                "socket.create_connection(('192.0.2.1', 80), timeout=5)",
                f"socket.socket(socket.AF_UNIX).connect({name!r})",
                f"socket.socket(socket.AF_UNIX).connect('\\0pitboss-test-{port}')",
            ]
            assert done(attacks(tries, sandbox)) == {}
            assert tries[0] in done(attacks(tries[:1], TRUSTED))


def test_a_bot_cannot_leave_a_word_for_another(attack: Attack, sandbox: Sandbox) -> None:
    leave = "!for place in ('/tmp', '/dev/shm', '/var/tmp', '/scratch', os.environ['TMPDIR'], '.'):\n"
    leave += "    try: write(place + '/pitboss-test-word', 'psst')\n    except OSError: pass"
    attack(leave, sandbox)
    places = "('/tmp', '/dev/shm', '/var/tmp', '/scratch', os.environ['TMPDIR'], '.')"
    found = f"[place + '/pitboss-test-word' for place in {places} if os.path.exists(place + '/pitboss-test-word')]"
    _, what = attack(f"[open(name).read() for name in {found}]", sandbox)
    assert "psst" not in what
    for folder in ("/tmp", "/dev/shm", "/var/tmp"):
        assert not (Path(folder) / "pitboss-test-word").exists()


SIGNS = [
    "fcntl.fcntl(open(sys.executable, 'rb'), 5, bytes(64))",  # F_GETLK shows another bot's locks
    "fcntl.fcntl(open(sys.executable, 'rb'), 36, bytes(64))",  # F_OFD_GETLK
    "fcntl.fcntl(open(sys.executable, 'rb'), 37, bytes(64))",  # F_OFD_SETLK: /proc/locks shows these locks to all
    "fcntl.fcntl(os.open(sys.prefix, os.O_RDONLY), 1026, 0xf)",  # F_NOTIFY
    "os.posix_fadvise(os.open(sys.executable, os.O_RDONLY), 0, 0, os.POSIX_FADV_DONTNEED)",  # empties the page cache
    "os.preadv(os.open(sys.executable, os.O_RDONLY), [bytearray(1)], 0, os.RWF_NOWAIT)",  # tells what is in it
    "call('inotify_add_watch', LIBC.inotify_init1(0), sys.prefix.encode(), 0xfff)",
    "call('inotify_add_watch', LIBC.inotify_init1(0), b'/', 0xfff)",
]


def test_bot_cannot_observe_another_bots_use_of_a_file(attacks: Attacks, sandbox: Sandbox) -> None:
    """All bots read the interpreter's files: a lock on one, or opening one, was a message to another bot."""
    assert done(attacks(SIGNS, sandbox)) == {}
    assert SIGNS[0] in done(attacks(SIGNS[:1], TRUSTED))
    with open(sys.executable, "rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        lock = "fcntl.flock(open(sys.executable, 'rb'), fcntl.LOCK_EX | fcntl.LOCK_NB)"
        assert attacks([lock], TRUSTED)[lock][0] == "failed", "the lock is seen without the sandbox"
        assert attacks([lock], sandbox)[lock][0] == "done", "in it a lock pretends to work and tells nothing"


def test_a_bot_cannot_change_the_mode_or_times_of_a_file(attacks: Attacks, sandbox: Sandbox, tmp_path: Path) -> None:
    """Landlock does not refuse these calls: a bot could open the organiser's journal to everyone."""
    victim = tmp_path / "victim"
    victim.write_text("", encoding="utf-8")
    victim.chmod(0o600)
    os.utime(victim, (1, 1))
    own = "os.path.abspath(__file__)"
    calls = ["os.chmod({}, 0o777)", "os.utime({})", "os.setxattr({}, 'user.attack', b'x')", "os.chown({}, 1, 1)"]
    calls += ["os.fchmod(os.open({}, os.O_RDONLY), 0o777)", "os.link({}, os.environ['TMPDIR'] + '/link')"]
    found = attacks([call.format(file) for call in calls for file in (repr(str(victim)), own)], sandbox)
    assert done(found) == {}
    assert (victim.stat().st_mode & 0o777, victim.stat().st_mtime, victim.stat().st_nlink) == (0o600, 1, 1)


def test_a_link_in_the_bots_folder_shows_no_other_file(
    start: Callable[..., tuple[BotRunner, list[str]]], sandbox: Sandbox, tmp_path: Path
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("the deck", encoding="utf-8")
    folder = tmp_path / "bot0"
    source = """
import os
def read(name):
    try:
        return open(os.path.join(os.path.dirname(os.path.abspath(__file__)), name)).read()
    except OSError as error:
        return type(error).__name__
def decide(act):
    print([read(name) for name in ("link", "data/link", "folder/secret")], flush=True)
    return "CALL"
"""

    def links() -> None:
        (folder / "link").symlink_to(secret)
        (folder / "data").mkdir()
        (folder / "data" / "link").symlink_to(secret)
        (folder / "folder").symlink_to(tmp_path)
        os.mkfifo(folder / "pipe")  # opening it would wait for ever

    bot, said = start(source, sandbox, before=links)
    assert bot(question()) == "CALL"
    bot.close()
    assert "the deck" not in said[-1]
    assert "Error" in said[-1]


# --- on the machine


NOT_COUNTED = [
    "mmap.mmap(-1, 4 << 30)",
    "mmap.mmap(-1, 4 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)",
    "mmap.mmap(-1, 4 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x100)",
    "os.memfd_create('memory')",
    "bytearray(1 << 30)",
    "call('unshare', 0x10000000)",
    "os.setsid()",
    "subprocess.Popen(['sleep', '1'], start_new_session=True)",
    "os.posix_fallocate(os.open(os.environ['TMPDIR'] + '/big', os.O_CREAT | os.O_WRONLY), 0, 1 << 30)",
    "resource.setrlimit(resource.RLIMIT_DATA, (-1, -1))",
    "call('syscall', 323, 0)",  # userfaultfd
    "call('syscall', 425, 4, ctypes.create_string_buffer(256))",  # io_uring_setup
    "call('syscall', 250, 0, -3, 0)",  # keyctl
    "open('/proc/self/oom_score_adj', 'w').write('-1000')",
    "open('/proc/sysrq-trigger', 'w')",
    "os.open('/dev/tty', os.O_RDWR)",
]


def test_resources_without_a_limit_are_refused(attacks: Attacks, sandbox: Sandbox) -> None:
    assert done(attacks(NOT_COUNTED, sandbox)) == {}


EATS = """
import os
def decide(act):
    for _ in range(3):
        if os.fork() == 0:
            data = bytearray(200 << 20)
            for at in range(0, len(data), 4096):
                data[at] = 1
            while True:
                pass
    while True:
        pass
"""
FORKS = """
import os
def decide(act):
    while True:
        try:
            os.fork()
        except OSError:
            pass
"""
FILLS = """
import os
def decide(act):
    written = 0
    try:
        for number in range(1000):
            with open(os.environ["TMPDIR"] + f"/{number}", "wb") as file:
                for _ in range(16):
                    written += file.write(bytes(1 << 20))
    except OSError as error:
        print(error.errno, written >> 20, flush=True)
        return "CALL"
    while True:
        pass
"""


def test_memory_of_many_processes_is_counted_together(
    start: Callable[..., tuple[BotRunner, list[str]]], sandbox: Sandbox
) -> None:
    bot, _ = start(EATS, sandbox)
    with pytest.raises(BotFailure, match="used more than 300 MiB of memory with all its processes"):
        bot(question())


def test_a_fork_bomb_ends_with_its_bot(start: Callable[..., tuple[BotRunner, list[str]]], sandbox: Sandbox) -> None:
    bot, _ = start(FORKS, sandbox)
    session = bot.pid
    assert session is not None
    with pytest.raises(BotFailure, match=r"gave no answer in 1 s|more than (40 processes|300 MiB of memory)"):
        bot(question(1000))
    assert left(session) == []


def test_a_bot_cannot_fill_the_disk(start: Callable[..., tuple[BotRunner, list[str]]], sandbox: Sandbox) -> None:
    bot, said = start(FILLS, sandbox)
    if sandbox.kind == "namespaces":
        assert bot(question()) == "CALL"
        bot.close()
        assert int(said[-1].split()[-1]) <= LIMITS.disk >> 20
    else:
        with pytest.raises(BotFailure, match="wrote more than 16 MiB of files"):
            bot(question())


HIDES = """
import mmap, os, signal, socket, time
KEPT = []
def make(name):
    handle = os.open(name, os.O_CREAT | os.O_RDWR)
    os.posix_fallocate(handle, 0, 1 << 20)
    return handle
def deleted_but_open(name):
    make(name)
    os.unlink(name)
def deleted_but_mapped(name):
    handle = make(name)
    KEPT.append(mmap.mmap(handle, 1 << 20))
    os.close(handle)
    os.unlink(name)
def empty(name):
    for number in range(100):
        os.close(os.open(f"{name}-{number}", os.O_CREAT | os.O_RDWR))
def decide(act):
    os.chdir(os.environ["TMPDIR"])
    try:
        for number in range(60):
            HIDE(str(number))
    except OSError as error:
        print("full", error.errno, flush=True)
        return "CALL"
    while True:
        signal.pause()
"""


@pytest.mark.parametrize("hide", ["deleted_but_open", "deleted_but_mapped", "empty"])
def test_files_that_have_no_name_or_no_size_count(
    start: Callable[..., tuple[BotRunner, list[str]]], sandbox: Sandbox, hide: str
) -> None:
    """Each is 60 times 1 MiB, or 6000 files that take a place each; the limit is 16 MiB."""
    bot, said = start(HIDES.replace("HIDE(", f"{hide}("), sandbox)
    if sandbox.kind == "namespaces" and hide != "empty":
        assert bot(question()) == "CALL"
        bot.close()
        assert said[-1].endswith("full 28"), "the folder in memory is full"
    else:
        with pytest.raises(BotFailure, match="wrote more than 16 MiB of files"):
            bot(question())


def test_a_folder_too_deep_to_look_into_ends_the_bot_and_is_removed(
    start: Callable[..., tuple[BotRunner, list[str]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python cannot list or remove it by its path: the thread that watches all bots ended."""
    sandbox = needs("rules")
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    bot, _ = start(
        "import os, signal\ndef decide(act):\n    os.chdir(os.environ['TMPDIR'])\n    for _ in range(2500):\n"
        "        os.mkdir('d')\n        os.chdir('d')\n    while True:\n        signal.pause()\n",
        sandbox,
    )
    with pytest.raises(BotFailure, match="wrote more than 16 MiB of files"):
        bot(question())
    assert [*(tmp_path / "temporary").iterdir()] == []


def test_socket_buffers_count_as_memory(start: Callable[..., tuple[BotRunner, list[str]]], sandbox: Sandbox) -> None:
    """A bot made 460 MB of messages that no process received, in one process of many; no limit counted them."""
    source = """
import os, signal, socket
def decide(act):
    for _ in range(20):
        if os.fork() == 0:
            break
    pairs = [socket.socketpair() for _ in range(100)]
    while True:
        signal.pause()
"""
    bot, _ = start(source, sandbox)
    with pytest.raises(BotFailure, match="used more than 300 MiB of memory"):
        bot(question())


def test_process_whose_first_thread_has_ended_is_measured(
    start: Callable[..., tuple[BotRunner, list[str]]], sandbox: Sandbox
) -> None:
    """The kernel shows such a process without memory and files."""
    source = """
import ctypes, os, signal, threading
def eat():
    data = [bytearray(b"x" * (120 << 20))]
    while True:
        signal.pause()
def decide(act):
    for _ in range(4):
        if os.fork() == 0:
            threading.Thread(target=eat).start()
            ctypes.CDLL(None).syscall(60 if os.uname().machine == "x86_64" else 93, 0)
    signal.pause()
"""
    bot, _ = start(source, sandbox)
    with pytest.raises(BotFailure, match="used more than 300 MiB of memory"):
        bot(question())


def test_a_thread_cannot_have_open_files_of_its_own(attack: Attack, sandbox: Sandbox) -> None:
    how, why = attack("call('close_range', 1000, 1001, 2)", sandbox)
    assert how == "failed", why


def test_a_bot_that_cannot_be_measured_is_ended_and_the_others_are_watched(
    start: Callable[..., tuple[BotRunner, list[str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    bot, _ = start("import signal\ndef decide(act):\n    signal.pause()\n", needs("namespaces"))
    monkeypatch.setattr(usage, "socket_bytes", lambda: 1 / 0)
    with pytest.raises(BotFailure, match="could not be measured: division by zero"):
        bot(question())
    monkeypatch.undo()
    eats, _ = start(EATS, needs("namespaces"))
    with pytest.raises(BotFailure, match="used more than 300 MiB of memory"):
        eats(question())


def test_a_socket_holds_no_more_than_is_counted(attack: Attack, sandbox: Sandbox) -> None:
    sizes = "[each.setsockopt(socket.SOL_SOCKET, kind, 1 << 24) or each.getsockopt(socket.SOL_SOCKET, kind)"
    sizes += " for each in socket.socketpair() for kind in (socket.SO_SNDBUF, socket.SO_RCVBUF)]"
    how, what = attack(sizes, sandbox)
    assert how == "done"
    assert max(json.loads(what)) <= usage.socket_bytes()


DAEMON = """
import os, signal
def decide(act):
    if os.fork() == 0:
        if os.fork() == 0:
            for handle in range(3, 50):
                try: os.close(handle)
                except OSError: pass
            while True:
                signal.pause()
        os._exit(0)
    os.wait()
    return "CALL"
"""


def left(session: int) -> list[int]:
    """The processes of a session that are there after a while."""
    for pid in members(session):
        with suppress(ProcessLookupError), selectors.DefaultSelector() as selector:
            handle = os.pidfd_open(pid)
            selector.register(handle, selectors.EVENT_READ)
            selector.select(BOUND)
            os.close(handle)
    return members(session)


def members(session: int) -> list[int]:
    """The living processes of a session."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(int(path.parent.name))
    return found


def test_no_process_survives_the_match(start: Callable[..., tuple[BotRunner, list[str]]], sandbox: Sandbox) -> None:
    bot, _ = start(DAEMON, sandbox)
    session = bot.pid
    assert session is not None
    assert bot(question()) == "CALL"
    assert len(members(session)) >= 2
    bot.close()
    assert left(session) == []


def test_a_busy_neighbour_costs_an_honest_bot_no_turn(start: Callable[..., tuple[BotRunner, list[str]]]) -> None:
    """32 busy processes: the honest bot computes for 0.5 s of processor time and has one second."""
    sandbox = needs("namespaces")
    busy = "import os\nfor _ in range(32):\n    if os.fork() == 0:\n        while True:\n            pass\n"
    ample = BotLimits()
    neighbour, _ = start(busy + "def decide(act):\n    return 'CALL'\n", sandbox, limits=ample)
    honest, _ = start(
        "import time\ndef decide(act):\n    begun = time.process_time()\n"
        "    while time.process_time() - begun < 0.5:\n        pass\n    return 'CALL'\n",
        sandbox,
        stretch=60.0,
    )
    assert neighbour(question()) == "CALL"
    assert honest(question(1000)) == "CALL"


def test_time_that_a_bot_sleeps_or_computes_counts(start: Callable[..., tuple[BotRunner, list[str]]]) -> None:
    sandbox = needs("namespaces")
    for body in ("signal.pause()", "exec('while True: pass')"):
        bot, _ = start(f"import signal\ndef decide(act):\n    {body}\n", sandbox, stretch=60.0)
        before = time.process_time()
        with pytest.raises(BotFailure, match=r"gave no answer in 0\.5 s"):
            bot(question(500))
        assert time.process_time() - before < BOUND


# --- on the eye


def test_a_bots_lines_have_its_name_and_show_control_characters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name = "bad\x1b[31m.py"
    lines = "print('T-1: the match is over\\r200 hands of no-limit hold\\'em\\x1b[2J', flush=True)\n"
    Path(name).write_text(lines + "def decide(act):\n    return 'CALL'\n", encoding="utf-8")
    Path("sharp.py").write_text("def decide(act):\n    return 'CALL'\n", encoding="utf-8")
    done = run("arena", "play", name, "sharp.py", "sharp", "--hands", "2", "--json")
    assert "\x1b" not in done.output
    names = [player["name"] for player in json.loads(done.stdout.splitlines()[-1])["players"]]
    assert names[1:] == ["sharp (file)", "sharp"]
    printed = [line for line in done.stderr.splitlines() if "match is over" in line]
    assert [line.startswith("bad\\u001b[31m: ") for line in printed] == [True]


def test_a_bot_cannot_replace_the_saved_hands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source = """
import os
def decide(act):
    for way in ("w", "a"):
        try:
            os.makedirs("games", exist_ok=True)
            open("games/hands.phhs", way).write("forged")
        except OSError:
            pass
    return "CHECK"
"""
    Path("bot.py").write_text(source, encoding="utf-8")
    done = run("arena", "play", "bot.py", "calling", "--hands", "3", "--save", "games")
    assert done.exit_code == 0
    assert "forged" not in Path("games/hands.phhs").read_text(encoding="utf-8")


# --- what a program that was killed leaves


def test_the_next_start_removes_the_copies_of_a_program_that_was_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(namespaces, "LEFT", -1.0)
    source = "import sys, tempfile\nfrom pathlib import Path\ntempfile.tempdir = sys.argv[1]\n"
    source += "from pitboss.arena.bots.namespaces import Enclosure\nfrom pitboss.arena.bots.sandbox import BotLimits\n"
    source += "enclosure = Enclosure('rules', None, BotLimits())\nPath(enclosure.scratch, 'copy').touch()\n"
    source += "print(enclosure.scratch, flush=True)\nsys.stdin.read()\n"
    (tmp_path / "pitboss-bot-link").symlink_to(tmp_path)
    with subprocess.Popen(
        [sys.executable, "-c", source, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as organiser:
        assert organiser.stdout is not None
        folder = Path(organiser.stdout.readline().strip())
        namespaces._remove_old_folders.__wrapped__()
        assert (folder / "copy").exists(), "it is in use"
        organiser.kill()
    assert folder.exists()
    namespaces._remove_old_folders.__wrapped__()
    assert [path.name for path in tmp_path.iterdir()] == ["pitboss-bot-link"]


# --- reports when the sandbox does not hold


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with neither namespaces nor Landlock."""
    broken = Sandbox("rules", (Layer("files", enforced=False, how="it could read a file of the organiser"),))
    monkeypatch.setattr("pitboss.cli.arena.options.find_sandbox", lambda: broken)


def test_play_warns_and_serve_refuses_without_the_layers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, without: None
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text("def decide(act):\n    return 'CALL'\n", encoding="utf-8")
    done = run("arena", "serve", "--house", "bot.py,calling", "--port", "0")
    assert done.exit_code == 1
    assert "sandbox: files: NOT enforced (it could read a file of the organiser)" in done.stderr
    assert (
        "pitboss arena serve: these parts of the sandbox do not work here: files; install bubblewrap, or give --trust"
        in done.stderr
    )
    assert not Path("pitboss.db").exists()
    monkeypatch.setattr(namespaces.Sandbox, "starts", False)
    done = run("arena", "play", "bot.py", "calling", "--hands", "2")
    assert (
        done.exit_code,
        "pitboss arena play: warning: these parts of the sandbox do not work here: files" in done.stderr,
    ) == (
        0,
        True,
    )
    done = run("arena", "play", "bot.py", "calling", "--hands", "2", "--trust-bots")
    assert (done.exit_code, "sandbox" in done.stderr) == (0, False)


def test_one_line_is_printed_if_all_layers_hold_and_else_one_per_layer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def printed(*, disk: bool, brief: bool) -> list[str]:
        layers = (Layer("files", enforced=True, how="a"), Layer("disk", enforced=disk, how="b"))
        monkeypatch.setattr("pitboss.cli.arena.options.find_sandbox", lambda: Sandbox("namespaces", layers))
        sandbox_for_bots("pitboss arena play", trusted=False, required=False, brief=brief)
        return [line.partition(" (")[0] for line in capsys.readouterr().err.splitlines() if line.startswith("sandbox")]

    assert printed(disk=True, brief=True) == ["sandbox: enforced: files, disk"]
    assert printed(disk=True, brief=False) == ["sandbox: files: enforced", "sandbox: disk: enforced"]
    for brief in (True, False):
        found = printed(disk=False, brief=brief)
        assert found == ["sandbox: files: enforced", "sandbox: disk: NOT enforced"]


def test_each_layer_is_tried_and_named() -> None:
    found = needs("namespaces")
    assert [layer.name for layer in found.layers] == [
        "files", "network", "processes", "calls", "memory", "process count", "disk"
    ]  # fmt: skip
    assert all(str(layer).startswith(f"sandbox: {layer.name}: enforced (") for layer in found.layers)


def test_self_test_finds_open_holes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any enclosure, nearly every attack of the self-test succeeds."""
    found = try_sandbox("none")
    assert {layer.name for layer in found.layers if not layer.enforced} >= {"files", "network", "processes", "calls"}


def test_the_first_sandbox_that_holds_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    held = {"namespaces": False, "rules": True}
    monkeypatch.setattr(namespaces, "try_sandbox", lambda kind: Sandbox(kind, (Layer("files", held[kind], "how"),)))
    find_sandbox.cache_clear()
    try:
        assert find_sandbox().kind == "rules"
    finally:
        find_sandbox.cache_clear()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
def test_an_ordinary_user_has_both_kinds_of_sandbox() -> None:
    """With the system's own Python, since a user cannot read root's."""
    python = shutil.which("python3", path="/usr/bin")
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    places = os.pathsep.join([str(Path(pitboss.__file__).parents[1]), str(Path(pytest.__file__).parents[1])])
    script = "import sys\nfrom pitboss.arena.bots.namespaces import try_sandbox\n"
    script += (
        "print([[str(layer) for layer in try_sandbox(kind).layers if not layer.enforced] for kind in sys.argv[1:]])"
    )
    done = subprocess.run(
        [python or "", "-c", script, "namespaces", "rules"],
        user=65533, group=65533, extra_groups=[], cwd="/",
        env={"PYTHONPATH": places, "PATH": os.defpath, "HOME": "/nonexistent"},
        capture_output=True, text=True, timeout=BOUND, check=False,
    ) if python else None  # fmt: skip
    if done is None or done.returncode:
        pytest.skip(f"no Python {version} that another user can run: {done and done.stderr[-200:]}")
    assert done.stdout.strip() == "[[], []]"
