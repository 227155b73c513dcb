"""The examples of the page about equities are right."""

import doctest
import re
from pathlib import Path

from pitboss.fast.equity.ranges import read_range

PAGE = Path(__file__).resolve().parents[3] / "docs" / "equity.md"


def test_every_example_of_the_page_runs() -> None:
    failures, examples = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert failures == 0
    assert examples > 5


def test_every_range_in_its_table_can_be_read() -> None:
    rows = re.findall(r"^\| (`.+?) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    texts = [text for row in rows for text in re.findall(r"`(.+?)`", row)]
    assert len(texts) > 12
    for text in texts:
        assert read_range(text)
