"""Our counts compared with fpdb's: `vpip` and `won` agree, or differ for a reason in a list."""

from pathlib import Path

import pytest

from tests.support.study import fpdb

pytestmark = pytest.mark.check


@pytest.fixture(scope="module")
def sites(shared_data: Path) -> Path:
    """Return the folder of hands from sites."""
    folder = shared_data / "sites"
    if not folder.is_dir():
        pytest.skip("no recorded hands of sites beside the project")
    return folder


def test_counts_agree_with_fpdb_or_differ_for_a_named_reason(sites: Path) -> None:
    files = fpdb.counted_files(sites)
    assert len(files) > 10
    compared = [one for path in files for one in fpdb.compare(path) or ()]
    assert compared
    assert [one for one in compared if not one.agrees and fpdb.reason_for(one) is None] == []
    used = {(one.file, one.player, one.field) for one in compared if not one.agrees}
    assert set(fpdb.REASONS) <= used, "a reason for what agrees"


def test_page_states_how_the_counts_compare(sites: Path) -> None:
    found = fpdb.SECTION.search(fpdb.PAGE.read_text(encoding="utf-8"))
    assert found is not None
    assert found[0] == fpdb.write_section(sites), "run python -m tests.support.study.fpdb"
