"""Control groups: where they can be made, what is written, and that the kernel holds a bot to them."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.arena.bots import control_group, namespaces
from pitboss.arena.bots.control_group import ControlGroup, find_parent, group_for_bots
from pitboss.arena.bots.namespaces import Enclosure
from pitboss.arena.bots.sandbox import BotLimits, LineProcess, ProcessDied

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="control groups need Linux")


def make_group(folder: Path, *, controls: str = "", procs: str = "", available: str = "cpu memory pids") -> Path:
    """A folder that looks like a group."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("controllers", available), ("subtree_control", controls), ("procs", procs)):
        (folder / f"cgroup.{name}").write_text(text, encoding="ascii")
    return folder


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree in which only `user` can limit others."""
    make_group(tmp_path)
    make_group(tmp_path / "user", controls="cpu memory pids")
    make_group(tmp_path / "user" / "terminal", procs="1\n2\n")
    return tmp_path


def test_the_nearest_group_that_can_limit_others_is_taken(tree: Path) -> None:
    assert find_parent(tree, tree / "user" / "terminal") == tree / "user"
    assert find_parent(tree, tree / "user") == tree / "user"
    assert find_parent(tree, tree) is None
    assert find_parent(tree / "user" / "terminal", tree / "user" / "terminal") is None, "none above the mount"
    assert find_parent(tree, tree / ".." / "elsewhere") is None


def test_both_controllers_are_needed(tree: Path) -> None:
    make_group(tree / "user", controls="cpu memory")
    assert find_parent(tree, tree / "user" / "terminal") is None


def test_a_group_that_this_process_has_alone_is_prepared(tmp_path: Path) -> None:
    service = make_group(tmp_path / "service", procs=f"{os.getpid()}\n")
    (service / control_group.ORGANISER).mkdir()
    (service / control_group.ORGANISER / "cgroup.procs").write_text("", encoding="ascii")
    assert find_parent(service, service) == service
    assert (service / control_group.ORGANISER / "cgroup.procs").read_text(encoding="ascii") == "0"
    assert (service / "cgroup.subtree_control").read_text(encoding="ascii") == "+memory +pids"
    for procs, available in ((f"{os.getpid()}\n1\n", "memory pids"), (f"{os.getpid()}\n", "memory")):
        make_group(service, procs=procs, available=available)
        assert find_parent(service, service) is None


def test_a_bot_enters_its_group_before_its_command_begins(tmp_path: Path) -> None:
    group = ControlGroup(tmp_path, memory=300 << 20, processes=42)
    (folder,) = tmp_path.iterdir()
    written = {path.name: path.read_text(encoding="ascii") for path in folder.iterdir()}
    assert written == {"memory.max": str(300 << 20), "pids.max": "42", "memory.swap.max": "0", "memory.oom.group": "1"}
    said = subprocess.run(group.enter(["echo", "a  b", "$0"]), capture_output=True, check=True, text=True)
    assert said.stdout == "a  b $0\n"
    assert (folder / "cgroup.procs").read_text(encoding="ascii") == "0\n"


def test_a_command_does_not_run_outside_its_group(tmp_path: Path) -> None:
    group = ControlGroup(tmp_path, memory=1, processes=1)
    (folder,) = tmp_path.iterdir()
    (folder / "cgroup.procs").mkdir()
    done = subprocess.run(group.enter(["echo", "ran"]), capture_output=True, check=False)
    assert (done.returncode != 0, done.stdout) == (True, b"")


def test_cause_of_a_bots_end_is_read_from_its_group(tmp_path: Path) -> None:
    group = ControlGroup(tmp_path, memory=300 << 20, processes=42)
    (folder,) = tmp_path.iterdir()
    assert group.exceeded() is None
    (folder / "memory.events").write_text("low 0\nmax 9\noom 1\noom_kill 0\n", encoding="ascii")
    assert group.exceeded() is None
    (folder / "memory.events").write_text("low 0\nmax 9\noom 1\noom_kill 3\n", encoding="ascii")
    assert group.exceeded() == "used more than 300 MiB of memory with all its processes and files"


def test_a_bots_failure_names_the_limit_of_its_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(namespaces, "group_for_bots", lambda: tmp_path)
    enclosure = Enclosure("rules", None, BotLimits(memory=300 << 20))
    (folder,) = tmp_path.iterdir()
    (folder / "memory.events").write_text("oom_kill 1\n", encoding="ascii")
    process = LineProcess("no_such_module", say=lambda _: None, enclosure=enclosure)
    with pytest.raises(ProcessDied, match="used more than 300 MiB of memory with all its processes and files"):
        process.exchange(b"", 60)
    assert (folder / "cgroup.kill").read_text(encoding="ascii") == "1"


def test_the_groups_of_a_program_that_was_killed_are_removed(tmp_path: Path) -> None:
    with subprocess.Popen(["true"]) as ended:
        pass
    for pid in (ended.pid, os.getpid()):
        (tmp_path / f"{control_group.PREFIX}{pid}-1").mkdir()
    control_group._remove_old_groups(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [f"{control_group.PREFIX}{os.getpid()}-1"]


@pytest.fixture
def group() -> Iterator[ControlGroup]:
    """A real group."""
    parent = group_for_bots()
    if parent is None:
        pytest.skip("this user can write to no control group with memory and pids (version 2)")
    made = ControlGroup(parent, memory=64 << 20, processes=10)
    yield made
    made.remove()


@pytest.mark.check
def test_the_kernel_holds_all_processes_to_the_group(group: ControlGroup) -> None:
    """Shared memory counts too: no other limit counts it."""
    eats = "import mmap\nshared = mmap.mmap(-1, 256 << 20)\nfor at in range(0, 256 << 20, 4096): shared[at] = 1\n"
    done = subprocess.run(group.enter([sys.executable, "-c", eats]), check=False, capture_output=True)
    assert done.returncode == -9
    assert "used more than 64 MiB" in str(group.exceeded())
    forks = "import os\nfor _ in range(20):\n    if os.fork() == 0:\n        import signal; signal.pause()\n"
    done = subprocess.run(group.enter([sys.executable, "-c", forks]), check=False, capture_output=True)
    assert b"BlockingIOError" in done.stderr
