"""The command that writes the protocol page and its schema: into a folder that there is."""

import runpy
import sys
from pathlib import Path

import pytest


def test_it_writes_into_the_folder_it_is_given_and_needs_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments in ([], [str(tmp_path / "missing")], [str(tmp_path), "more"]):
        monkeypatch.setattr(sys, "argv", ["protocol", *arguments])
        with pytest.raises(SystemExit, match="name the folder to write into"):
            runpy.run_module("pitboss.arena.protocol", run_name="__main__")
        assert [*tmp_path.iterdir()] == []
    monkeypatch.setattr(sys, "argv", ["protocol", str(tmp_path)])
    runpy.run_module("pitboss.arena.protocol", run_name="__main__")
    written = sorted(str(path) for path in tmp_path.iterdir())
    assert len(written) >= 2
    assert sorted(line.removeprefix("wrote ") for line in capsys.readouterr().out.splitlines()) == written
