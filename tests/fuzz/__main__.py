"""`python -m tests.fuzz`: a coverage-guided fuzzer on everything that reads bytes from outside, target after target.

It begins with the inputs in `corpus/`, and keeps new ones there that reach more code. Bytes that break a target are
kept too, so that the tests fail with them until it is mended.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.fuzz.corpus import read_corpus, unpack, write_corpus
from tests.fuzz.targets import TARGETS
from tests.support.figures import write_row

SECONDS = 60
RUNS = "stat::number_of_executed_units:"


def main() -> int:
    """Fuzz, and report the findings."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)}; none named: all")
    parser.add_argument("--seconds", type=int, default=SECONDS, help="for each target (60)")
    given = parser.parse_args()
    if unknown := [name for name in given.targets if name not in TARGETS]:
        parser.error(f"there is no target {unknown[0]}: there are {', '.join(TARGETS)}")
    names = given.targets or list(TARGETS)
    runs = broken = 0
    for name in names:
        done, found = fuzz(name, given.seconds)
        runs, broken = runs + done, broken + len(found)
        print(f"{name}: {done} runs, {len(read_corpus(name))} inputs kept, {len(found)} that break it", flush=True)
    if not given.targets and given.seconds >= SECONDS:  # a short run is not evidence
        write_row("fuzz", targets=len(names), runs=runs, seconds_a_target=given.seconds, broken=broken)
    return 1 if broken else 0


def fuzz(name: str, seconds: int) -> tuple[int, list[bytes]]:
    """Fuzz one target: how often it ran, and what broke it."""
    with tempfile.TemporaryDirectory() as place:
        old, new, found = (Path(place, part) for part in ("old", "new", "found"))
        for folder in (old, new, found):
            folder.mkdir()
        unpack(name, old)
        command = [sys.executable, "-m", "tests.fuzz.run", name]
        options = [f"-max_total_time={seconds}", "-print_final_stats=1", "-max_len=6000", "-timeout=20"]
        folders = [str(new), str(old), f"-artifact_prefix={found}/"]
        result = subprocess.run([*command, *folders, *options], capture_output=True, text=True, check=False)
        runs = next((int(line.split()[1]) for line in result.stderr.splitlines() if line.startswith(RUNS)), 0)
        broken = [path.read_bytes() for path in sorted(found.iterdir())]
        if broken or not runs:
            print(result.stderr[-3000:], file=sys.stderr)
        if not runs and not broken:
            raise SystemExit(f"{name}: the fuzzer did not run")
        write_corpus(name, {*read_corpus(name), *[path.read_bytes() for path in new.iterdir()], *broken})
        return runs, broken


if __name__ == "__main__":
    sys.exit(main())
