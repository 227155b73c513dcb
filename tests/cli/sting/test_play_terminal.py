"""`pitboss sting play` on a real terminal: the full-screen table comes up, and leaving gives the screen back."""

import os
import select
import subprocess
import sys
from pathlib import Path

import pytest

from pitboss.sting.saves import read_save
from tests.support.cli.runs import clean

pytestmark = pytest.mark.check

PLAY = (sys.executable, "-c", "from pitboss.cli.sting import sting; sting(prog_name='pitboss sting')", "play")
PATIENCE = 60
ALTERNATE_SCREEN_OFF = b"\x1b[?1049l"


def read_until(terminal: int, awaited: bytes) -> bytes:
    """Read the screen until this text is in it, or nothing more comes."""
    shown = b""
    while awaited not in shown:
        ready, _, _ = select.select([terminal], [], [], PATIENCE)
        assert ready, f"waited in vain for {awaited!r} after {shown!r}"
        try:
            shown += os.read(terminal, 1 << 16)
        except OSError:  # the other end is closed
            break
    return shown


@pytest.mark.parametrize("key", [b"q", b"\x03"], ids=["q", "ctrl-c"])
def test_table_is_drawn_and_leaving_saves_and_restores_the_screen(tmp_path: Path, key: bytes) -> None:
    pty = pytest.importorskip("pty", reason="there are no such terminals here")
    save = tmp_path / "sting.json"
    leader, follower = pty.openpty()
    settings = clean({"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"})
    process = subprocess.Popen(
        [*PLAY, "--save", str(save), "--seed", "3", "--deck", "corner", "--difficulty", "printed"],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env=settings,
    )
    try:
        assert b"Evidence" in read_until(leader, b"Customer checks.")
        os.write(leader, key)
        shown = read_until(leader, b"Continue with: ")
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.wait(PATIENCE)
        os.close(leader)
        os.close(follower)
    assert ALTERNATE_SCREEN_OFF in shown
    assert b"Traceback" not in shown
    assert read_save(save.read_bytes()).seed == 3
