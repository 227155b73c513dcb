"""The hand histories of ../shared/data/sites: nearly all are read, chips add up, and the page says the rest."""

from pathlib import Path

import pytest

from pitboss.formats.phh import read_phh, write_phh
from pitboss.formats.sites.pokerstars import PokerStarsError
from pitboss.formats.sites.pokerstars_writer import write_pokerstars
from tests.support.formats.pokerstars import read_pokerstars
from tests.support.formats.site_files import DATA, ENOUGH, PAGE, SITES, count, hands, page


@pytest.fixture(autouse=True)
def there(shared_data: Path) -> None:
    """Skip if the files are missing."""
    if not (shared_data / "sites").is_dir():
        pytest.skip("hand histories of sites not here: ../shared/data/sites is absent")


@pytest.mark.check
@pytest.mark.parametrize("folder", SITES)
def test_nine_files_of_ten_are_read_whole_and_the_rest_is_named_with_line_and_reason(folder: str) -> None:
    counted = count(folder)
    assert counted.files > 5
    assert counted.whole >= ENOUGH * counted.files, counted.broken
    assert all(line and reason for _, line, reason in counted.broken)


@pytest.mark.parametrize("folder", SITES)
def test_chips_add_up_to_pot_and_rake_in_every_hand_read(folder: str) -> None:
    assert count(folder).wrong_chips == []


@pytest.mark.parametrize("folder", SITES)
def test_hands_that_are_read_replay(folder: str) -> None:
    counted = count(folder)
    assert counted.strict + counted.mended + len(counted.refused) == counted.read
    assert len(counted.refused) <= max(1, counted.read / 200), counted.refused
    assert counted.strict >= 0.85 * counted.read


@pytest.mark.check
@pytest.mark.parametrize("folder", SITES)
def test_hands_that_are_read_survive_a_round_trip_through_phh(folder: str) -> None:
    for path, found in hands(folder):
        if found.record is not None:
            assert read_phh(write_phh(found.record)) == found.record, (path.name, found.line)


@pytest.mark.check
def test_hands_read_from_pokerstars_survive_a_round_trip() -> None:
    """All but hands that other programs had turned into such text, in words of their own, and three not replayed."""
    other, lost = [], []
    for path, found in hands("stars"):
        if found.record is None or found.record.venue != "PokerStars":
            continue
        try:
            text = write_pokerstars(found.record)
        except PokerStarsError as error:
            lost.append((path.name, found.line, str(error)))
            continue
        if read_pokerstars(text) != [found.record]:
            other.append((path.name, found.line))
    assert len(lost) == 3, lost
    assert len(other) <= 15, other


def test_every_folder_of_the_data_is_a_site() -> None:
    assert {path.name for path in DATA.iterdir() if path.is_dir()} >= set(SITES)


def test_page_agrees_with_the_code() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m tests.support.formats.site_files"
