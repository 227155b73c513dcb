"""`pitboss warmup`: everything compiled is made ready once, and the command says where it is saved."""

import os
import pickle
import re
import signal
import subprocess
import sys
import threading
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest

from pitboss import SetupError, compilation
from pitboss.extras import install_command
from tests.support.cli.runs import clean, lines, run

NOT_THERE = "Numba is not installed: nothing to compile with"


@pytest.fixture
def steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Files that the command's steps leave, instead of compiling."""
    pytest.importorskip("numba", reason=NOT_THERE)
    import_module("pitboss.cli.warmup")  # before the parts are replaced, because it reads their names
    files = [tmp_path / "first", tmp_path / "second"]
    monkeypatch.setattr(compilation, "PARTS", {file.name: partial(Path.touch, file) for file in files})
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path / "cache"))
    return files


def test_it_runs_every_step_and_prints_the_cache_folder(steps: list[Path], tmp_path: Path) -> None:
    result = run("warmup")
    assert result.exit_code == 0
    assert result.stderr == "", "nothing was compiled"
    found = re.fullmatch(r"ready in \d+\.\d s, saved in (.+)\n", result.stdout)
    assert found
    assert found[1] == str(tmp_path / "cache" / "compiled")
    assert all(file.exists() for file in steps)


def test_json_is_one_object(steps: list[Path], tmp_path: Path) -> None:
    result = run("warmup", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    [line] = lines(result.stdout)
    assert list(line) == ["seconds", "folder", "processor_seconds"]
    assert list(line["processor_seconds"]) == ["first", "second"]
    assert line["folder"] == str(tmp_path / "cache" / "compiled")
    assert 0 < line["seconds"] < 60
    assert all(file.exists() for file in steps)


def test_only_named_parts_are_compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("numba", reason=NOT_THERE)
    for name in compilation.PARTS:
        monkeypatch.setitem(compilation.PARTS, name, partial(Path.touch, tmp_path / name))
    result = run("warmup", "simulate", "batch", "--json")
    assert result.exit_code == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == ["batch", "simulate"]
    refused = run("warmup", "laboratory")
    assert refused.exit_code == 2
    assert (
        "'laboratory' is not one of 'measure', 'ladder', 'lab', 'solve', 'equity', 'simulate', 'batch'"
        in refused.stderr
    )


def test_steps_can_be_taken_by_other_processes() -> None:
    assert len(compilation.PARTS) == 7
    assert pickle.loads(pickle.dumps(compilation.PARTS)) == compilation.PARTS


def test_python_compiles_the_named_parts_in_this_process(steps: list[Path]) -> None:
    assert list(compilation.warmup("second")) == ["second"]
    assert [file.exists() for file in steps] == [False, True]
    assert list(compilation.warmup()) == ["first", "second"]
    assert steps[0].exists()
    with pytest.raises(SetupError, match=r"^warmup: expected first, second, got 'third'$"):
        compilation.warmup("first", "third")


@pytest.mark.check
def test_warmup_leaves_no_part_to_compile() -> None:
    """Neither in this process, nor in another, for runs and batches of any settings."""
    event = pytest.importorskip("numba.core.event", reason=NOT_THERE)
    from pitboss.batch import Batch
    from pitboss.fast.play.simulate import simulate
    from pitboss.hand.games import LIMIT_HOLDEM

    compilation.warmup("simulate", "batch")
    with event.install_recorder("numba:compile") as recorder:
        assert simulate(50_000, seats=10, policies=("equity", "tight"), game=LIMIT_HOLDEM, cores=2).compiled
        Batch(20, seats=2, stacks=(500, 900)).step([0] * 20, [0] * 20)
    assert recorder.buffer == []
    code = """
from numba.core.event import install_recorder
from pitboss import warmup
with install_recorder("numba:compile") as recorder:
    warmup("simulate", "batch")
print(len(recorder.buffer))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=120, env=clean())
    assert (done.stdout, done.stderr) == (b"0\n", b"")


def test_missing_compiler_names_the_install_command() -> None:
    code = "import sys; sys.modules['numba'] = sys.modules['numpy'] = None; from pitboss.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "warmup"], capture_output=True, check=False, timeout=60, env=clean()
    )
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode() == f"pitboss warmup: this needs Numba and NumPy: {install_command('fast')}\n"


def open_when_read(pipe: Path, process: subprocess.Popen[bytes]) -> int:
    """Open a pipe for writing as soon as a step of the process reads it; end the process if none does."""
    giving_up = threading.Timer(120, partial(unblock, pipe, process))
    giving_up.start()
    try:
        return os.open(pipe, os.O_WRONLY)
    finally:
        giving_up.cancel()


def unblock(pipe: Path, process: subprocess.Popen[bytes]) -> None:
    """End the process, and let the other end of the pipe be opened."""
    process.kill()
    os.close(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK))


@pytest.mark.check
@pytest.mark.skipif(sys.platform == "win32", reason="interrupts are sent otherwise on Windows")
def test_an_interrupt_ends_it_with_all_that_work_for_it(tmp_path: Path) -> None:
    """As a terminal sends it, to the command and to the processes it has started."""
    pytest.importorskip("numba", reason=NOT_THERE)

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    code = f"""
from functools import partial
from importlib import import_module
from pathlib import Path
from pitboss import compilation
from pitboss.cli import main
compilation.PARTS = dict.fromkeys(("first", "second"), partial(Path.read_bytes, Path({str(pipe)!r})))
main.main()
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code, "warmup"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=clean(),
        start_new_session=True,
    )
    try:
        writer = open_when_read(pipe, process)
        os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate(timeout=60)
        os.close(writer)
    finally:
        process.kill()
    # Both pipes have ended, so no process is left that could write there.
    assert output == b""
    assert errors.strip().endswith(b"Aborted!")
    assert process.returncode in (1, 130)


def test_help_has_examples() -> None:
    assert "pitboss warmup" in run("warmup", "--help").stdout.split("Examples:")[1]
