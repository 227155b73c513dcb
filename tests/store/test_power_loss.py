"""Power failures: whatever the disk keeps of what no sync has made sure of, nothing that was sent is lost."""

import secrets
import shutil
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from pitboss.store import StoreError, files
from tests.support.figures import write_row
from tests.support.store.disk import Disk, same_library
from tests.support.store.power import WAYS, image, look_at, moments, write_journal

pytestmark = [
    pytest.mark.check,
    pytest.mark.skipif(not same_library(), reason="Python's SQLite is not the system's: no shim reaches it"),
]


@pytest.fixture
def random_seed() -> int:
    return secrets.randbits(32)


@pytest.fixture(autouse=True)
def _short_witness(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "SIZE", 4096)  # so that a new one takes its place often


def fail_power(folder: Path, *, seed: int, batches: int, images: int, off: bool = False) -> Counter[str]:
    """Write a journal, cut the power at many moments in all ways, and count the faults."""
    counts, chance = Counter[str](), Random(seed)
    disk = Disk()
    (folder / "written").mkdir()
    with disk.following():
        write_journal(folder / "written" / "pitboss.db", disk, seed, batches, off=off)
    cuts = set(chance.sample(range(len(disk.changes)), min(len(disk.changes), -(-images // len(WAYS)))))
    for at, moment in enumerate(moments(disk.changes)):
        if at not in cuts:
            continue
        for way in WAYS:
            found = folder / "found"
            found.mkdir()
            with Disk().following():
                try:
                    problems = look_at(found, image(moment, way, chance), moment.sent)
                except StoreError as error:
                    problems = [f"refused: {error}"]
            shutil.rmtree(found)
            counts["images"] += 1
            counts[way] += 1
            counts["after"] += bool(moment.sent)
            for problem in problems:
                counts["wrong"] += 1
                counts[problem.partition(":")[0]] += 1
                if counts["wrong"] <= 5:
                    print(f"seed {seed}, change {at}, {way}: {problem}")
    return counts


def test_power_failure_loses_no_announced_entry(tmp_path: Path, random_seed: int) -> None:
    counts = fail_power(tmp_path, seed=random_seed, batches=30, images=200)
    assert counts["wrong"] == 0, counts
    assert counts["after"] > 50


def test_without_syncs_the_test_would_notice(tmp_path: Path, random_seed: int) -> None:
    counts = fail_power(tmp_path, seed=random_seed, batches=30, images=200, off=True)
    assert counts["lost"] > 10, counts


@pytest.mark.slow
def test_five_thousand_power_failures(tmp_path: Path, random_seed: int) -> None:
    counts = Counter[str]()
    for world in range(10):
        folder = tmp_path / str(world)
        folder.mkdir()
        counts += fail_power(folder, seed=random_seed + world, batches=150, images=520)
    assert counts["wrong"] == 0, counts
    assert counts["images"] >= 5000
    write_row("power", images=counts["images"], after_something_was_sent=counts["after"], lost=0)


@pytest.mark.parametrize("batches", [4, pytest.param(12, marks=pytest.mark.slow)])
@pytest.mark.parametrize("call", ["read", "write", "sync"])
def test_failing_system_call_loses_no_announced_entry(tmp_path: Path, call: str, batches: int) -> None:
    """The n-th read, write or sync fails, each n in turn, until a whole life of a journal passes without a failure."""
    for number in range(1, 5000):
        folder = tmp_path / str(number)
        folder.mkdir()
        disk, seen = Disk(), Counter[str]()

        def fails(done: str, name: str, seen: Counter[str] = seen, number: int = number) -> int:
            seen[done] += done == call
            return 10 if seen[call] == number else 0

        disk.fails = fails
        with disk.following():
            try:
                write_journal(folder / "pitboss.db", disk, 5, batches)
                failed = False
            except StoreError:
                failed = True
        sent = {}
        for moment in moments(disk.changes):
            sent = moment.sent
        left = {path.name: bytearray(path.read_bytes()) for path in folder.iterdir() if not path.name.endswith("-shm")}
        (folder / "found").mkdir()
        with Disk().following():
            problems = look_at(folder / "found", left, sent)
        assert [problem for problem in problems if problem[:4] in ("lost", "torn")] == [], number
        shutil.rmtree(folder)
        if not failed and seen[call] < number:
            break
    else:
        pytest.fail("it never came to its end")
    assert number > 10
