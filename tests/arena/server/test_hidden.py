"""What another process of the organiser's account can learn of a server by looking at it: next to nothing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.arena.plain import PLAIN
from tests.support.arena.servers import served

ROOT = Path(__file__).resolve().parents[3]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what a process hides of itself is Linux's doing")

LOOKING = """
import sys

for name in ("environ", "mem", "maps", "fd/0"):
    try:
        open(f"/proc/{sys.argv[1]}/{name}", "rb").close()
    except PermissionError:
        print(name, "is hidden")
"""


def look(pid: int) -> list[str]:
    """What a process of the same account is not shown."""
    looking = [*PLAIN, sys.executable, "-c", LOOKING, str(pid)]
    return subprocess.run(looking, capture_output=True, text=True, check=True, cwd=ROOT).stdout.splitlines()


def test_a_server_hides_its_memory_its_variables_and_its_open_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT / "src"), str(ROOT)]))
    with served(tmp_path, under=PLAIN) as server:
        assert look(server.process.pid) == [f"{name} is hidden" for name in ("environ", "mem", "maps", "fd/0")]


def test_process_without_protection_can_be_inspected() -> None:
    """So the look itself is a real one."""
    waiting = [*PLAIN, sys.executable, "-c", "print('here', flush=True); input()"]
    with subprocess.Popen(waiting, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as plain:
        assert plain.stdout is not None
        plain.stdout.readline()
        assert look(plain.pid) == []
        plain.communicate(b"\n")


def test_a_server_does_not_show_the_codes_it_was_started_with(tmp_path: Path) -> None:
    with served(tmp_path, "--team", "Alpha:KF7Q9C", "--team", "Beta:9PLM2Q", db="hidden.db") as server:
        shown = Path(f"/proc/{server.process.pid}/cmdline").read_bytes()
        assert shown.rstrip(b"\0") == b"pitboss arena serve"


SHOWS_PARENT = """
import os

with open("seen", "ab") as seen:
    seen.write(open(f"/proc/{os.getppid()}/cmdline", "rb").read().rstrip(b"\\0") + b"\\n")

def decide(act):
    return "FOLD"
"""


def test_house_bot_file_started_before_listening_cannot_inspect_them(tmp_path: Path) -> None:
    (tmp_path / "imp.py").write_text(SHOWS_PARENT, encoding="utf-8")
    with served(tmp_path, "--trust-bots", "--house", "imp.py", "--team", "Alpha:KF7Q9C", db="hidden.db"):
        pass
    assert set((tmp_path / "seen").read_bytes().splitlines()) == {b"pitboss arena serve"}
