"""Ratings are added to a run's folder and read again, even if the file has other lines."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pitboss.lab.ratings import (
    LONGEST_WORD,
    MOST_BYTES,
    RATINGS,
    Rating,
    RatingError,
    Ratings,
    add_rating,
    read_ratings,
    run_of,
)
from tests.support.for_each import for_each


def test_ratings_are_read_in_the_order_written(tmp_path: Path) -> None:
    given = (Rating("kuhn", 5, "bluffs", "2026-01-02"), Rating("war", 1), Rating("kuhn", 3, "a\nline"))
    for rating in given:
        add_rating(tmp_path, rating)
    assert read_ratings(tmp_path) == Ratings(given)
    assert [rating.stars for rating in read_ratings(tmp_path).of("kuhn")] == [5, 3]


def test_missing_file_has_no_ratings(tmp_path: Path) -> None:
    assert read_ratings(tmp_path) == Ratings()


@for_each("stars", [0, 6, -1, True, 2.5])
def test_stars_are_one_to_five(stars: int) -> None:
    with pytest.raises(RatingError, match="from 1 to 5"):
        Rating("war", stars)


def test_bad_lines_are_skipped_and_named(tmp_path: Path) -> None:
    bad = b'{"game": "war", "stars": 9}\n\xff\xfe\n[]\n'
    (tmp_path / RATINGS).write_bytes(bad + b'{"game": "war", "stars": 2}\n\n')
    read = read_ratings(tmp_path)
    assert read.given == (Rating("war", 2),)
    assert read.complaint == f"{tmp_path / RATINGS}:1: expected a rating as a JSON object; skipped this line and 2 more"


def test_a_line_cut_short_does_not_take_the_next_one_with_it(tmp_path: Path) -> None:
    (tmp_path / RATINGS).write_bytes(b'{"game": "war", "st')
    add_rating(tmp_path, Rating("war", 4))
    read = read_ratings(tmp_path)
    assert read.given == (Rating("war", 4),)
    assert read.complaint == f"{tmp_path / RATINGS}:1: expected a rating as a JSON object; skipped this line"


def test_a_long_word_is_shortened(tmp_path: Path) -> None:
    add_rating(tmp_path, Rating("war", 4, " x" * 1000))
    assert len(read_ratings(tmp_path).given[0].word) <= LONGEST_WORD


def test_an_unwritable_file_is_reported_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(RatingError, match="cannot be written"):
        add_rating(tmp_path / "missing", Rating("war", 4))
    (tmp_path / RATINGS).mkdir()
    assert "cannot be read" in read_ratings(tmp_path).complaint


def test_only_the_owner_reads_the_file(tmp_path: Path) -> None:
    add_rating(tmp_path, Rating("war", 4))
    assert stat.S_IMODE((tmp_path / RATINGS).stat().st_mode) == 0o600


def test_the_file_is_bounded_and_a_full_one_is_not_changed(tmp_path: Path) -> None:
    add_rating(tmp_path, Rating("war", 4))
    full = (tmp_path / RATINGS).read_bytes()
    full += b"\n" * (MOST_BYTES - 2 * len(full))
    (tmp_path / RATINGS).write_bytes(full)
    add_rating(tmp_path, Rating("war", 4))
    assert (tmp_path / RATINGS).stat().st_size == MOST_BYTES
    with pytest.raises(RatingError, match="is full, with 4,194,304 of 4,194,304 bytes"):
        add_rating(tmp_path, Rating("war", 4))
    assert (tmp_path / RATINGS).stat().st_size == MOST_BYTES


def test_writers_at_the_same_time_write_whole_lines(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda k: add_rating(tmp_path, Rating("war", 4, "x" * 150, by=f"Team {k}")), range(64)))
    read = read_ratings(tmp_path)
    assert (sorted(rating.by for rating in read.given), read.complaint) == (sorted(f"Team {k}" for k in range(64)), "")


def test_a_file_belongs_to_the_run_above_its_folder(tmp_path: Path) -> None:
    games = tmp_path / "games"
    games.mkdir()
    assert run_of(games / "a.json") is None
    (tmp_path / "archive.json").write_text("{}")
    assert run_of(games / "a.json") == tmp_path.resolve()
    assert run_of(tmp_path / "a.json") is None
