"""A built report for the tests of a module."""

from pathlib import Path

import pytest

from pitboss.lab.ratings import Rating, rate
from pitboss.lab.report.build import ReportBuilder
from tests.support.lab.report_run import HOSTILE, write_run


@pytest.fixture(scope="package")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run with its whole report."""
    folder = tmp_path_factory.mktemp("run")
    write_run(folder)
    rate(folder, Rating(HOSTILE, 4, "<i>neat</i>"))
    assert set(ReportBuilder(folder, games=10).build()) == {"fine_leduc", "fine_crazy_eights", HOSTILE}
    return folder
