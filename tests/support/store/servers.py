"""A throw-away PostgreSQL server from the installed binaries, in a folder of its own and on no port."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

SECONDS = 120
KEEPER = 'cat > /dev/null; "$1" stop -D "$2" -m immediate -w; rm -rf "$3"'


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
    """Return how to start a program as somebody other than root, for whom the server refuses to run."""
    if os.geteuid() != 0:
        return {}
    import pwd

    users = {user.pw_name: user for user in pwd.getpwall()}
    user = users.get("postgres") or users.get("nobody")
    if user is None:
        raise Unavailable("PostgreSQL does not run as root, and there is no user postgres or nobody")
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


@contextmanager
def throw_away_server() -> Iterator[str]:
    """Run a server and yield the address of its database; it is reached through a socket in its own folder."""
    if os.name != "posix":
        raise Unavailable("the tests reach PostgreSQL through a Unix socket, which this system lacks")
    binaries, somebody = find_binaries(), unprivileged()
    folder = Path(tempfile.mkdtemp(prefix="pitboss-pg-"))
    try:
        if somebody:
            os.chown(folder, somebody["user"], somebody["group"])
        data = folder / "data"

        def run(program: str, *arguments: str) -> None:
            with (folder / f"{program}.log").open("ab") as log:
                done = subprocess.run(
                    [binaries / program, "-D", data, *arguments],
                    cwd=folder,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    timeout=SECONDS,
                    check=False,
                    **somebody,
                )
            if done.returncode:
                raise Unavailable(f"{program} failed: {Path(log.name).read_text(encoding='utf-8')[-500:]}")

        run("initdb", "--username=pitboss", "--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync")
        # Nothing here outlives the tests, so nothing need reach the disk.
        options = f"-F -k '{folder}' -c listen_addresses='' -c max_connections=30"
        run(
            "pg_ctl",
            "start",
            "--wait",
            f"--timeout={SECONDS}",
            f"--log={folder / 'server.log'}",
            f"--options={options}",
        )
        # Whatever ends the tests, also a kill, closes this pipe, and then the server is ended and its folder removed.
        with subprocess.Popen(
            ["/bin/sh", "-c", KEEPER, "sh", binaries / "pg_ctl", data, folder],
            cwd="/",
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            **somebody,
        ):
            yield f"postgresql://pitboss@/postgres?host={quote(str(folder), safe='')}"
    finally:
        shutil.rmtree(folder, ignore_errors=True)
