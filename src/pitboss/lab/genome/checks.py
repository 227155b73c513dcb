"""Sentences for numbers out of bounds and letters that are none, each naming its field."""

import reprlib
from collections.abc import Iterator

Problems = Iterator[str]

MOST_CHIPS = 1_000_000_000
MOST_RAISES = 1_000
MOST_DEALS = 100
MOST_TURNS = 100_000
MOST_POINTS = 1_000_000  #: a rule's points, either way, and every limit that is counted in points
MOST_AT_ONCE = 4  #: cards of one rank that are played or claimed together
MOST_RULES = 52  #: effects, and rules of scoring
LONGEST_NAME = 60


def named(name: str) -> Problems:
    """A game's name that is none."""
    if not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
        yield f"name: {reprlib.repr(name)} is no name; write up to {LONGEST_NAME} characters on one line"


def between(field: str, number: int, least: int, most: int) -> Problems:
    """A number out of bounds."""
    if not least <= number <= most:
        yield f"{field}: {reprlib.repr(number)} is not between {least:,} and {most:,}"


def some(field: str, what: str, count: int, most: int) -> Problems:
    """None of a thing, or too many."""
    if count == 0:
        yield f"{field}: there is no {what}"
    elif count > most:
        yield f"{field}: {count} are too many, there may be {most}"


def letters(field: str, given: str, among: str, what: str) -> Problems:
    """Letters that stand there twice, or are not among those."""
    for letter in dict.fromkeys(given):
        if letter not in among:
            yield f"{field}: {letter!r} is no {what} {among!r} has"
        elif given.count(letter) > 1:
            yield f"{field}: {letter!r} stands there twice"
