"""The Dockerfile as far as it can be tried without an engine: its paths are there, and what it runs serves."""

import json
import re
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.support.arena.servers import served
from tests.support.environments import ROOT

LINES = re.sub(r"\\\n", " ", (ROOT / "Dockerfile").read_text(encoding="utf-8")).splitlines()
IGNORED = [
    line for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line[:1] not in ("", "#")
]


def of(word: str) -> list[str]:
    """The text after an instruction of the Dockerfile, for each of its uses."""
    return [line.split(None, 1)[1] for line in LINES if line.split()[:1] == [word]]


def test_copied_files_exist_and_are_not_ignored() -> None:
    copied = [path for line in of("COPY") if "--from" not in line for path in line.split()[:-1]]
    assert {"src", "pyproject.toml", "requirements/run.lock"} <= set(copied)
    allowed = {line.removeprefix("!") for line in IGNORED if line.startswith("!")}
    for path in copied:
        assert (ROOT / path).exists(), path
        assert path in allowed, path
    assert IGNORED[0] == "*", "nothing else gets into the image, no journal and no codes"
    assert not any(fnmatch(path, pattern) for path in copied for pattern in IGNORED if pattern.startswith("**"))


def test_container_is_built_in_stages_and_runs_without_root() -> None:
    stages = of("FROM")
    assert len(stages) == 2
    assert stages[0].endswith(" AS build")
    (user,) = of("USER")
    assert re.fullmatch(r"[1-9]\d+:[1-9]\d+", user), "a number, so that an engine can see that it is not root"
    account = " ".join(of("RUN"))
    number = user.partition(":")[0]
    assert f"--uid {number} " in account
    assert f"--gid {number} " in account
    assert of("VOLUME") == of("WORKDIR")[-1:] == ["/data"]
    assert "--mode=0700 /data" in account
    assert of("STOPSIGNAL") == ["SIGTERM"]


@pytest.mark.check
def test_container_serves_and_its_health_check_works(tmp_path: Path) -> None:
    (entry,) = of("ENTRYPOINT")
    program, *words = json.loads(entry)
    assert (program, words[:2]) == ("pitboss", ["arena", "serve"])
    (check,) = of("HEALTHCHECK")
    look = json.loads(check.partition("CMD ")[2])
    assert look[:2] == ["python", "-c"]
    assert of("EXPOSE") == ["8765"]

    def is_healthy() -> bool:
        code = look[2].replace(":8765/", f":{process.port}/")
        assert code != look[2]
        return (
            subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=False).returncode == 0
        )

    here = ("--host", "127.0.0.1", "--db", "arena.db")  # the last one counts
    with served(tmp_path, *words[2:], *here) as process:
        assert is_healthy()
        assert process.end() == 0
    assert not is_healthy()
    assert (tmp_path / "arena.db").exists()
