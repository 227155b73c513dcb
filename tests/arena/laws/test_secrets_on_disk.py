"""Only the owner can read what a served match leaves on disk, even if the umask would allow all to read."""

import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.arena.servers import BOUND, PITBOSS, served

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="modes are tested on Linux")

OPEN_TO_ALL = ("sh", "-c", 'umask 0; exec "$@"', "sh")


def test_every_file_of_a_served_match_is_its_owners_alone(tmp_path: Path) -> None:
    (home := tmp_path / "home").mkdir()
    seen: dict[str, int] = {}

    def walk() -> None:
        files = [file for file in home.rglob("*") if file.is_file() and file.suffix != ".log"]  # the log is the test's
        seen.update({file.name: stat.S_IMODE(file.stat().st_mode) for file in files})

    options = ("--house", "random,calling", "--house-think-ms", "0", "--max-hands", "5", "--start-at", "3")
    with served(home, *options, under=OPEN_TO_ALL) as place:
        walk()
        join = [*OPEN_TO_ALL, *PITBOSS, "arena", "join", "random", place.ws(), "--record", str(home / "match.jsonl")]
        subprocess.run(join, check=True, capture_output=True, timeout=BOUND)
        walk()
        export = [*OPEN_TO_ALL, *PITBOSS, "arena", "export", str(place.db), str(home / "hands")]
        subprocess.run(export, check=True, capture_output=True, timeout=BOUND)
        walk()
        assert place.end() == 0
    walk()
    assert {"arena.db", "arena.db-wal", "arena.db-shm", "match.jsonl", "T-1.phhs"} <= seen.keys()
    assert {name: oct(mode) for name, mode in seen.items() if mode != 0o600} == {}


def test_a_record_that_others_could_read_is_narrowed(tmp_path: Path) -> None:
    from pitboss.client.driver import Recorder

    record = tmp_path / "match.jsonl"
    record.write_text('{"type": "welcome", "v": 1}\n', encoding="utf-8")
    record.chmod(0o644)
    with Recorder(record) as recorder:
        recorder.write('{"type": "act"}')
    assert stat.S_IMODE(record.stat().st_mode) == 0o600
    assert len(record.read_text(encoding="utf-8").splitlines()) == 2
