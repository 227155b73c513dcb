"""A built report for the tests of a module."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.lab.ratings import Rating, add_rating
from pitboss.lab.report import pages
from pitboss.lab.report.pages import ReportBuilder
from tests.support.lab.report_run import HOSTILE, solve_quickly, write_run


@pytest.fixture(scope="package", autouse=True)
def quick() -> Iterator[None]:
    """Let nothing be solved."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "solve_small", solve_quickly)
        yield


@pytest.fixture(scope="package")
def built(tmp_path_factory: pytest.TempPathFactory, quick: None) -> Path:
    """Return the folder of a run with its whole report."""
    folder = tmp_path_factory.mktemp("run")
    write_run(folder)
    add_rating(folder, Rating(HOSTILE, 4, "<i>neat</i>"))
    assert set(ReportBuilder(folder, games=10).build()) == {"fine_leduc", "fine_crazy_eights", HOSTILE}
    return folder
