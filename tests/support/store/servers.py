"""A temporary PostgreSQL server from the installed binaries, in its own folder and without a port."""

import atexit
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

SECONDS = 120
KEEPER = """cat > /dev/null
server=$(head -1 "$2/postmaster.pid"); kill -CONT $server $(ps -o pid= --ppid $server)
"$1" stop -D "$2" -m immediate -w; rm -rf "$3" """


class Unavailable(Exception):
    """Why no server can be started here."""


def find_binaries() -> Path:
    """Return the folder of the newest installed server's programs."""
    on_path = shutil.which("initdb")
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if on_path is None and not found:
        raise Unavailable("no PostgreSQL server installed: initdb is neither on the PATH nor in /usr/lib/postgresql")
    return Path(on_path).resolve().parent if on_path is not None else found[-1].parent


def unprivileged() -> Mapping[str, Any]:
    """Return the options to start a program as a user other than root, because the server refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    import pwd

    users = {user.pw_name: user for user in pwd.getpwall()}
    user = users.get("postgres") or users.get("nobody")
    if user is None:
        raise Unavailable("PostgreSQL does not run as root, and there is no user postgres or nobody")
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


class PostgresServer:
    """A server that can be stopped, started, frozen and replaced by a copy."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.url = f"postgresql://pitboss@/postgres?host={quote(str(folder), safe='')}"
        self.binaries, self.somebody = find_binaries(), unprivileged()
        if self.somebody:
            os.chown(folder, self.somebody["user"], self.somebody["group"])

    def make(self) -> None:
        """Make a new database."""
        self._run("initdb", "--username=pitboss", "--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync")

    def begin_with(self, data: Path) -> None:
        """Start with a copy of a database that is not in use."""
        subprocess.run(["cp", "-a", data, self.data], check=True)
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        # Nothing here outlives the tests, so nothing need reach the disk.
        options = f"-F -k '{self.folder}' -c listen_addresses='' -c max_connections=30"
        log = self.folder / "server.log"
        self._run("pg_ctl", "start", "--wait", f"--timeout={SECONDS}", f"--log={log}", f"--options={options}")

    def stop(self, mode: str = "immediate") -> None:
        """Stop it: at once, as after a crash, or in an orderly way."""
        self._run("pg_ctl", "stop", "--wait", f"--timeout={SECONDS}", f"--mode={mode}")

    def copy(self) -> Path:
        """Copy everything committed so far, as a standby has it."""
        copy = self.folder / "standby"
        where = ("--host", str(self.folder), "--username=pitboss")
        self._run("pg_basebackup", *where, "--checkpoint=fast", "--no-sync", data=copy)
        return copy

    def fail_over(self, copy: Path) -> None:
        """Replace this server by a copy; what the copy lacks is lost."""
        self.stop()
        shutil.rmtree(self.data)
        copy.rename(self.data)
        self.start()

    def freeze(self) -> None:
        """Suspend all its processes: they do not answer, and their sockets stay open."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Resume them; harmless if they are not frozen."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        with suppress(FileNotFoundError, ProcessLookupError):
            first = int((self.data / "postmaster.pid").read_text(encoding="utf-8").splitlines()[0])
            os.kill(first, number)
            children = Path(f"/proc/{first}/task/{first}/children").read_text(encoding="utf-8")
            for process in map(int, children.split()):
                with suppress(ProcessLookupError):
                    os.kill(process, number)

    def _run(self, program: str, *arguments: str, data: Path | None = None) -> None:
        with (self.folder / f"{program}.log").open("ab") as log:
            done = subprocess.run(
                [self.binaries / program, "-D", data or self.data, *arguments],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                timeout=SECONDS,
                check=False,
                **self.somebody,
            )
        if done.returncode:
            raise Unavailable(f"{program} failed: {Path(log.name).read_text(encoding='utf-8')[-500:]}")


@cache
def new_database() -> Path:
    """A new database, which every server of this process copies."""
    folder = Path(tempfile.mkdtemp(prefix="pitboss-pg-new-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    server = PostgresServer(folder)
    server.make()
    return server.data


@contextmanager
def controlled_server() -> Iterator[PostgresServer]:
    """Run a server that a test may stop and start; its socket is in its own folder."""
    if os.name != "posix":
        raise Unavailable("the tests reach PostgreSQL through a Unix socket, which this system lacks")
    folder = Path(tempfile.mkdtemp(prefix="pitboss-pg-"))
    try:
        server = PostgresServer(folder)
        server.begin_with(new_database())
        # However the tests end, also by a kill, this pipe closes; then the server is ended and its folder removed.
        with subprocess.Popen(
            ["/bin/sh", "-c", KEEPER, "sh", server.binaries / "pg_ctl", server.data, folder],
            cwd="/",
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            **server.somebody,
        ):
            yield server
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def server_or_skip() -> Iterator[PostgresServer]:
    """Run a server that a test may stop and start, or skip the test if that is impossible."""
    pytest.importorskip("psycopg", reason="psycopg is not installed", exc_type=ImportError)
    try:
        with controlled_server() as server:
            yield server
    except Unavailable as reason:
        pytest.skip(f"no PostgreSQL: {reason}")
