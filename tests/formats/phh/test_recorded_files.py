"""The recorded hands in ../shared/data: all are read, and canonical files are written back byte for byte."""

import re
import tomllib
from decimal import Decimal
from pathlib import Path

import pytest

from pitboss.formats.phh import read_phhs, write_phhs
from pitboss.records.record import written_fields
from tests.support.for_each import for_each

DATA = Path(__file__).resolve().parents[3].parent / "shared" / "data" / "phh"
FILES = sorted(DATA.glob("*.phhs"))

pytestmark = pytest.mark.skipif(not FILES, reason=f"no recorded hands: {DATA} is absent")


def text_of(file: Path) -> str:
    return file.read_bytes().decode()


@pytest.mark.check
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_reading_agrees_with_toml_and_survives_writing(file: Path) -> None:
    text = text_of(file)
    hands = read_phhs(text, file.name)
    plain = tomllib.loads(text, parse_float=Decimal)
    assert [name for name, _ in hands] == list(plain)
    for name, record in hands:
        fields = {
            key: list(value) if isinstance(value, tuple) else value for key, value in written_fields(record).items()
        }
        assert fields == plain[name]
    assert read_phhs(write_phhs(hands)) == hands


CANONICAL = [file for file in FILES if file.stem not in ("historic", "variants-random")]


@for_each("file", CANONICAL, ids=lambda file: file.stem)
def test_canonical_files_are_written_to_the_byte(file: Path) -> None:
    text = text_of(file)
    end = text[len(text.rstrip("\n")) :]
    assert end == ("" if file.stem.startswith("handhq") else "\n\n")
    written = write_phhs(read_phhs(text), end=end)
    # Not compared by the assert itself: pytest would spend minutes on the difference.
    same = written == text
    assert same


def test_the_annotated_hands_lose_no_comment_and_change_but_quotes_and_blank_lines() -> None:
    file = DATA / "historic.phhs"
    if not file.exists():
        pytest.skip(f"{file} is absent")
    text = text_of(file)
    hands = read_phhs(text)
    written = write_phhs(hands)
    spoken = re.findall(r"(?:^\s*|  )# (.+)$", text, re.MULTILINE)
    assert len(spoken) == sum(len(lines) for _, record in hands for lines in record.comments.values()) > 100
    assert re.findall(r"(?:^\s*|  )# (.+)$", written, re.MULTILINE) == spoken
    assert [line for line in written.split("\n") if line] == [
        line for line in text.replace('"', "'").split("\n") if line
    ]
