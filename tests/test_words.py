"""The lists of what is still to be renamed hold nothing that has been."""

from tests.support.words import KNOWN_TWICE, KNOWN_WORDS
from tests.test_hygiene import classes, fine_words, python_files, room


def test_every_name_listed_is_still_there_twice() -> None:
    twice = {name for name, places in classes().items() if len(places) > 1}
    assert KNOWN_TWICE - twice == set()


def test_every_word_listed_still_stands() -> None:
    still: dict[str, set[str]] = {}
    for path in [*python_files("src"), *python_files("tests")]:
        still.setdefault(room(path), set()).update(fine_words(path))
    stale = {
        (place, word) for place, words in KNOWN_WORDS.items() for word in words if word not in still.get(place, ())
    }
    assert stale == set()
