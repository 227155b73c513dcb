"""What was compiled is saved for the next process, never stale, and nothing is compiled or imported before its time."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from pitboss.extras import install_command
from pitboss.fast.compiled import _cache_key, _make_private, cache_folder, compile_function, digest, numba

# A function of two small modules that call each other, compiled in seconds.
TINY = "import other\n\ndef twice(n):\n    return 2 * other.more(n)\n"
OTHER = "def more(n):\n    return n + 1\n"
CALL = """
import json, sys
sys.path.insert(0, sys.argv[1])
import tiny, other
from pitboss.fast.compiled import cache_folder, compile_function, digest
function = compile_function(tiny.twice, other)
print(json.dumps({
    "answer": function(20),
    "digest": digest([tiny, other]),
    "hits": sum(function.__wrapped__.stats.cache_hits.values()),
    "folder": str(cache_folder()),
}))
"""


def apart(code: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run code in another process."""
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        check=False,
        timeout=120,
        text=True,
        env={**os.environ, **environment},
    )


def apart_at_once(code: str, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    """Start code in another process."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )


class Workshop:
    """Two modules in a folder, and a cache for their compiled code."""

    def __init__(self, folder: Path) -> None:
        pytest.importorskip("numba", reason="Numba is not installed: nothing to compile with")
        self.sources, self.cache = folder / "sources", folder / "cache"
        self.sources.mkdir()
        self.write("tiny.py", TINY)
        self.write("other.py", OTHER)

    def write(self, name: str, text: str) -> None:
        (self.sources / name).write_text(text, encoding="utf-8")

    def call(self) -> dict[str, Any]:
        """What the function says in a new process."""
        done = apart(CALL, str(self.sources), PITBOSS_CACHE=str(self.cache))
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        assert isinstance(found, dict)
        return found

    def saved(self) -> dict[str, int]:
        """The files of the cache, and when they were written."""
        files = [path for path in self.cache.rglob("*") if path.suffix == ".nbc"]
        return {str(path.relative_to(self.cache)): path.stat().st_mtime_ns for path in files}


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path)


# --- what is saved


@pytest.fixture
def compiled(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Any]:
    """How the function is compiled in this process, with modules imported again each time."""
    monkeypatch.setenv("PITBOSS_CACHE", str(workshop.cache))

    def function() -> Any:
        for name in ("other", "tiny"):
            path = workshop.sources / f"{name}.py"
            spec = spec_from_file_location(name, path)
            assert spec
            module = module_from_spec(spec)
            monkeypatch.setitem(sys.modules, name, module)
            exec(compile(path.read_text(encoding="utf-8"), path, "exec"), module.__dict__)
        return compile_function(sys.modules["tiny"].twice, sys.modules["other"])

    return function


@pytest.mark.check
def test_compiled_code_is_shared_by_processes_until_a_source_is_edited(
    workshop: Workshop, compiled: Callable[[], Any]
) -> None:
    assert compiled()(20) == 42
    saved = workshop.saved()
    assert len(saved) == 1
    found = workshop.call()
    assert (found["answer"], found["hits"]) == (42, 1)
    assert found["folder"] == str(workshop.cache)
    assert all(Path(name).parts[:2] == ("compiled", found["digest"]) for name in saved)
    assert workshop.saved() == saved
    workshop.write("other.py", OTHER.replace("1", "2"))  # not the function's own module
    assert compiled()(20) == 44
    assert len(workshop.saved()) == 2 * len(saved)


@pytest.mark.check
def test_compiling_is_announced_once_and_loading_is_not(workshop: Workshop) -> None:
    asked = {"PITBOSS_CACHE": str(workshop.cache), "PITBOSS_ANNOUNCE_COMPILING": "1"}
    begun = [apart_at_once(CALL, str(workshop.sources), **asked) for _ in range(2)]
    outputs = [process.communicate(timeout=120) for process in begun]
    assert [json.loads(output)["answer"] for output, _ in outputs] == [42, 42]
    announced = "pitboss: compiling tiny.twice, which takes about 1 s; the code is saved for next time\n"
    assert sorted(errors for _, errors in outputs) == ["", announced], "one compiles, and the other waits for it"
    later = apart(CALL, str(workshop.sources), **asked)
    assert (json.loads(later.stdout)["hits"], later.stderr) == (1, "")
    library = apart(CALL, str(workshop.sources), PITBOSS_CACHE=str(workshop.cache / "other"))
    assert (json.loads(library.stdout)["hits"], library.stderr) == (0, ""), "only commands announce"


def test_unwritable_cache_does_not_prevent_compiling(
    workshop: Workshop, compiled: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    workshop.cache.touch()  # a file where the folder should be
    assert compiled()(20) == 42
    workshop.cache.unlink()
    with monkeypatch.context() as patch:
        patch.setattr(os, "access", lambda *_: False)  # tests may run as root, who can write everywhere
        assert compiled()(20) == 42
    assert workshop.saved() == {}
    assert compiled()(20) == 42
    assert workshop.saved() != {}


def test_other_users_of_numba_keep_their_setting(compiled: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    config = numba().config
    monkeypatch.setattr(config, "CACHE_DIR", "theirs")
    compiled()
    assert config.CACHE_DIR == "theirs"


def test_bounds_checked_code_has_its_own_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba", reason="Numba is not installed: no version of it to name")
    from pitboss.fast.play import loops

    monkeypatch.setattr(numba().config, "BOUNDSCHECK", None)
    unchecked = digest([loops])
    monkeypatch.setattr(numba().config, "BOUNDSCHECK", 1)
    assert digest([loops]) != unchecked


def test_digest_covers_all_files_next_to_the_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba", reason="Numba is not installed: no version of it to name")
    from pitboss.fast.play import loops, setup

    folder = tmp_path / "copy"
    folder.mkdir()
    for name in ("loops.py", "setup.py"):
        (folder / name).write_text("before = 1\n", encoding="utf-8")
    monkeypatch.setattr(loops, "__file__", str(folder / "loops.py"))
    monkeypatch.setattr(setup, "__file__", str(folder / "setup.py"))
    found = [digest([loops])]
    assert digest([loops]) == digest([loops, setup]) == found[0]
    (folder / "setup.py").write_text("before = 2\n", encoding="utf-8")
    found.append(digest([loops]))
    (folder / "new.py").write_text("", encoding="utf-8")
    found.append(digest([loops]))
    (folder / "new.py").rename(folder / "newer.py")
    found.append(digest([loops]))
    assert len(set(found)) == 4


# --- where it is saved


@pytest.mark.parametrize(
    ("platform", "environment", "expected"),
    [
        ("linux", {"PITBOSS_CACHE": "mine"}, "mine"),
        ("linux", {"XDG_CACHE_HOME": "xdg"}, "xdg/pitboss"),
        ("linux", {}, "home/.cache/pitboss"),
        ("darwin", {}, "home/Library/Caches/pitboss"),
        ("win32", {"LOCALAPPDATA": "local"}, "local/pitboss"),
        ("win32", {}, "home/AppData/Local/pitboss"),
        ("win32", {"PITBOSS_CACHE": "mine"}, "mine"),
    ],
)
def test_the_folder_is_the_users_own(
    platform: str, environment: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PITBOSS_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: Path("home"))
    assert cache_folder().as_posix() == expected


# --- what is imported

SOURCES = Path(__file__).parents[2] / "src"
MODULES = [
    ".".join(path.relative_to(SOURCES).with_suffix("").parts)
    for path in sorted((SOURCES / "pitboss" / "fast").rglob("*.py"))
    if path.stem != "__init__"
]


def test_importing_compiles_nothing_and_does_not_load_the_compiler() -> None:
    code = f"""
import sys
import pitboss.fast, pitboss.cli.main, pitboss.cli.simulate, pitboss.cli.warmup
from importlib import import_module
for name in {MODULES}:
    import_module(name)
print([name for name in ("numpy", "numba", "llvmlite") if name in sys.modules])
"""
    done = apart(code)
    assert (done.stdout, done.stderr) == ("[]\n", "")
    assert "pitboss.fast.play.simulate" in MODULES


@pytest.mark.parametrize("missing", [("numba",), ("numpy",), ("numpy", "numba")], ids=" and ".join)
def test_missing_compiler_runs_small_jobs_and_refuses_large_ones_with_advice(missing: tuple[str, ...]) -> None:
    code = f"""
import sys
for name in {missing}:
    sys.modules[name] = None  # importing it fails as if it were not installed
from pitboss.batch import Batch
from pitboss.fast.compiled import NotInstalled
from pitboss.fast.play.simulate import simulate
print(simulate(50).chips_out)
for large in (lambda: simulate(1_000_000), lambda: Batch(1)):
    try:
        large()
    except NotInstalled as error:
        print(error)
"""
    done = apart(code)
    assert done.stderr == ""
    sentence = f"this needs Numba and NumPy: {install_command('fast')}"
    assert done.stdout.splitlines() == ["3000000", sentence, sentence]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_a_cache_that_others_can_write_to_is_not_used(workshop: Workshop) -> None:
    """Saved code is a pickle, which can run any code when it is loaded."""
    workshop.cache.mkdir(exist_ok=True)
    for mode, private in ((0o777, False), (0o770, False), (0o755, True), (0o700, True)):
        workshop.cache.chmod(mode)
        assert _make_private(workshop.cache) is private
    assert workshop.cache.stat().st_mode & 0o777 == 0o700


POISON = """
import os, pickle, sys
class Payload:
    def __reduce__(self):
        return os.mkdir, (sys.argv[2],)
with open(sys.argv[1], "r+b") as file:
    digest = file.read(32)
    file.seek(0)
    file.truncate()
    file.write(digest + pickle.dumps(Payload()))
"""


@pytest.mark.check
def test_a_file_that_was_not_written_with_the_key_is_compiled_again_and_never_loaded(
    workshop: Workshop, tmp_path: Path
) -> None:
    """The files are pickles: a bot's payload ran in the organiser's next command."""
    assert workshop.call()["hits"] == 0
    (name,) = workshop.saved()
    file, ran = workshop.cache / name, tmp_path / "payload-ran"
    whole = file.read_bytes()
    assert workshop.call()["hits"] == 1

    def poison() -> None:
        assert apart(POISON, str(file), str(ran)).returncode == 0

    spoilt: dict[str, Callable[[], object]] = {
        "poisoned": poison,
        "truncated": lambda: file.write_bytes(whole[:-1]),
        "empty": lambda: file.write_bytes(b""),
        "one bit": lambda: file.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1])),
        "another key": lambda: (workshop.cache / "key").write_bytes(b"k" * 32),
    }
    for what, spoil in spoilt.items():
        spoil()
        assert (workshop.call()["hits"], workshop.call()["hits"]) == (0, 1), what
        assert not ran.exists(), what
    poison()
    assert not ran.exists()
    assert pickle_runs(file, ran), "the payload works if the file is loaded"


def pickle_runs(file: Path, ran: Path) -> bool:
    """Whether loading the file without the check runs the payload."""
    apart("import pickle, sys; pickle.loads(open(sys.argv[1], 'rb').read()[32:])", str(file))
    return ran.exists()


@pytest.mark.check
def test_a_file_of_another_function_or_version_is_not_loaded(workshop: Workshop) -> None:
    workshop.call()
    (first,) = workshop.saved()
    workshop.write("other.py", OTHER.replace("1", "2"))
    workshop.call()
    (second,) = workshop.saved().keys() - {first}
    assert Path(first).name == Path(second).name, "the same function and types, from other sources"
    (workshop.cache / second).write_bytes((workshop.cache / first).read_bytes())
    found = workshop.call()
    assert (found["answer"], found["hits"]) == (44, 0)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_only_the_user_can_read_the_key(tmp_path: Path) -> None:
    key = _cache_key(tmp_path)
    assert (len(key), (tmp_path / "key").stat().st_mode & 0o777) == (32, 0o600)
    assert _cache_key(tmp_path) == key
    (tmp_path / "key").chmod(0o644)
    assert _cache_key(tmp_path) != key
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    (tmp_path / "key").write_bytes(b"short")
    assert len(_cache_key(tmp_path)) == 32
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


@pytest.mark.check
def test_a_bot_in_the_sandbox_loads_the_organisers_code_without_the_key(workshop: Workshop, tmp_path: Path) -> None:
    workshop.call()
    inside = {"PITBOSS_CACHE": str(tmp_path / "scratch"), "PITBOSS_SHOWN_CACHE": str(workshop.cache / "compiled")}
    found = apart(CALL, str(workshop.sources), **inside)
    assert json.loads(found.stdout)["hits"] == 1, found.stderr
    (name,) = workshop.saved()
    (workshop.cache / name).write_bytes(b"not code")
    found = apart(CALL, str(workshop.sources), **inside)
    assert (json.loads(found.stdout)["hits"], json.loads(found.stdout)["answer"]) == (0, 42)
