"""Kill a competition with signal 9 at random moments, continue it each time, and compare the results.

`python -m tests.support.kills 20` does this with twenty kills.
"""

import random
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from pitboss.competitions.certificate import verify_folder

BOTS = ("calling", "random", "tight", "folding", "equity")


def write_cup(folder: Path, hands: int) -> Path:
    """Write the settings of a round robin of five house bots and one bot in a process of its own."""
    (folder / "own.py").write_text("def decide(act):\n    return 'CALL' if 'CALL' in act.legal else 'CHECK'\n")
    lines = [f"hands = {hands}", "seed = 11", '[[entrants]]\nname = "own"\npath = "own.py"']
    lines += [f'[[entrants]]\nname = "{bot}"\nhouse = "{bot}"' for bot in BOTS]
    file = folder / "cup.toml"
    file.write_text("\n".join(lines))
    return file


def start(file: Path, out: Path) -> subprocess.Popen[bytes]:
    """Start or continue a competition."""
    command = [sys.executable, "-m", "pitboss", "arena", "compete", str(file), "--out", str(out)]
    command += ["--workers", "2", "--trust-bots"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def kill_often(folder: Path, kills: int, hands: int, seed: int) -> int:
    """Run a competition to its end, and another one with kills; return how many kills hit a running competition.

    Raise `AssertionError` if the results differ.
    """
    file, moments = write_cup(folder, hands), random.Random(seed)
    begun = time.monotonic()
    assert start(file, folder / "whole").wait() == 0
    seconds = time.monotonic() - begun
    hit = 0
    for _ in range(kills):
        running = start(file, folder / "killed")
        try:
            running.wait(timeout=moments.uniform(0, seconds))
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()
            hit += 1
    assert start(file, folder / "killed").wait() == 0
    for name in ("results.json", "results.csv"):
        assert (folder / "killed" / name).read_bytes() == (folder / "whole" / name).read_bytes(), name
    assert verify_folder(folder / "killed") == []
    return hit


if __name__ == "__main__":
    with TemporaryDirectory() as place:
        times = int(sys.argv[1]) if len(sys.argv) > 1 else 20
        hits = kill_often(Path(place), times, 200, seed=random.SystemRandom().randrange(2**32))
        print(f"{times} kills, {hits} of them while it ran: the results are the same")
