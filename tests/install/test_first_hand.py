"""From a clone to a bot's first hand in under two minutes, with the commands of the README."""

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue
from threading import Thread

import pytest

from tests.support.cli.runs import clean
from tests.support.environments import ROOT
from tests.support.figures import write_row

SOON = 120.0
"""Seconds from the clone to the first hand, on a machine that has nothing else to do."""
NEVER = 900.0
ADDRESS = re.compile(r"ws://127\.0\.0\.1:\d+/ws")
NOT_TO_BE_HAD = ("No matching distribution", "Could not find a version", "Temporary failure in name resolution")


@contextmanager
def typed(command: str, folder: Path) -> Iterator["Queue[str | None]"]:
    """Run a command; yield its lines, and None when it has ended. Ctrl-C ends it."""
    environment = {name: value for name, value in clean().items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    process = subprocess.Popen(
        ["sh", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    lines: Queue[str | None] = Queue()
    out = process.stdout
    assert out is not None

    def read() -> None:
        for line in out:
            lines.put(line)
        lines.put(None)

    reader = Thread(target=read, daemon=True)
    reader.start()
    try:
        yield lines
    finally:
        for number in (signal.SIGINT, signal.SIGKILL):
            try:
                os.killpg(process.pid, number)
                process.wait(60)
                break
            except ProcessLookupError:
                break
            except subprocess.TimeoutExpired:
                continue
        process.wait()
        reader.join()
        out.close()


def wait_for(lines: "Queue[str | None]", wanted: re.Pattern[str]) -> re.Match[str]:
    """The first line with this text."""
    until, said = time.monotonic() + NEVER, ""
    while True:
        try:
            line = lines.get(timeout=max(0.0, until - time.monotonic()))
        except Empty:
            line = None
        if line is None:
            if any(words in said for words in NOT_TO_BE_HAD):
                pytest.skip("the packages of requirements/run.lock cannot be had here")
            raise AssertionError(f"nothing like {wanted.pattern} was printed, but:\n{said}")
        said += line
        found = wanted.search(line)
        if found:
            return found


def busy() -> float:
    """How many times as long as alone something takes here now, by what else wants to run."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


@pytest.mark.slow
@pytest.mark.timing
@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="there is nothing to clone")
@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_from_a_clone_to_a_bots_first_hand_takes_less_than_two_minutes(tmp_path: Path) -> None:
    folder, load = tmp_path / "pitboss", busy()
    began = time.monotonic()
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder)], check=True)
    readme = (folder / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    [block] = [block for block in blocks if "arena new" in block]
    make_run, new, join = [re.sub(r"\s+# .*", "", line) for line in block.splitlines()]
    with typed(f"{make_run} ARGS='--port 0'", folder) as serving:  # another may have the port of the README
        address = wait_for(serving, ADDRESS)[0]
        with typed(new, folder) as written:
            wait_for(written, re.compile(r"arena join my_bot\.py"))
        with typed(ADDRESS.sub(address, join), folder) as played:
            wait_for(played, re.compile(r"^my_bot has seat \d"))
            wait_for(played, re.compile(r"^H-\S+ +\S+ +[\d,]+"))
            seconds = time.monotonic() - began
    load = max(load, busy())
    write_row("first-hand", seconds=round(seconds), load_a_processor=round(load, 1))
    assert seconds < SOON * load
