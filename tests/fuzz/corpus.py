"""The bytes that are kept for each target: one line of base64 each, the short ones first, in `corpus/TARGET.txt`."""

from base64 import b64decode, b64encode
from hashlib import sha256
from pathlib import Path

FOLDER = Path(__file__).parent / "corpus"
MOST, LONGEST = 300, 6000
"""The corpus of one target: a limited number of inputs of limited size."""


def read_corpus(target: str, folder: Path = FOLDER) -> list[bytes]:
    """All that is kept for a target."""
    path = folder / f"{target}.txt"
    return [b64decode(line) for line in path.read_text(encoding="ascii").splitlines()] if path.exists() else []


def write_corpus(target: str, inputs: set[bytes], folder: Path = FOLDER) -> None:
    """Keep these inputs; if they are too many, the shortest."""
    ordered = sorted((data for data in inputs if len(data) <= LONGEST), key=lambda data: (len(data), data))
    lines = [b64encode(data).decode() + "\n" for data in ordered[:MOST]]
    (folder / f"{target}.txt").write_text("".join(lines), encoding="ascii")


def unpack(target: str, folder: Path) -> None:
    """Write the kept inputs into a folder, one file each, as fuzzers expect."""
    for data in read_corpus(target):
        (folder / sha256(data).hexdigest()[:16]).write_bytes(data)
