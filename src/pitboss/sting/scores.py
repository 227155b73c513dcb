"""The best runs that were played to their end, by deck and difficulty, as a file keeps them."""

from collections.abc import Iterable
from typing import Literal

import msgspec
from msgspec import Struct

from pitboss.errors import PitbossError
from pitboss.sting.cards import default_cards
from pitboss.sting.events import Ending
from pitboss.sting.run import Run

VERSION = 1
MOST = 10
"""So many runs stand in the list of a deck and a difficulty."""


class ScoresError(PitbossError, ValueError):
    """A file that is no list of scores; the sentence says why."""


class Score(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A run that is over."""

    deck: str
    narc: str
    difficulty: str
    cash: int
    hands: int
    ending: Ending
    seed: int
    hints: int = 0  #: how often a hint was asked for


class ScoreFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is written."""

    game: Literal["sting scores"] = "sting scores"
    version: int = VERSION
    scores: tuple[Score, ...] = ()


def score_of(run: Run, hints: int = 0) -> Score | None:
    """What a finished run goes into the list with; None while it goes on, or where it has other cards than ours."""
    if run.ending is None or run.cards.text != default_cards().text:
        return None
    return Score(
        deck=run.decks["player"],
        narc=run.decks["narc"],
        difficulty=run.difficulty.name,
        cash=run.cash,
        hands=run.number,
        ending=run.ending,
        seed=run.seed,
        hints=hints,
    )


def add_score(scores: Iterable[Score], score: Score) -> tuple[Score, ...]:
    """The scores with one more, the best first, the first of equals before later ones, no list longer than `MOST`."""
    listed: dict[tuple[str, str], list[Score]] = {}
    for each in sorted([*scores, score], key=lambda each: -each.cash):
        best = listed.setdefault((each.deck, each.difficulty), [])
        if len(best) < MOST:
            best.append(each)
    return tuple([each for best in listed.values() for each in best])


def place_of(scores: Iterable[Score], score: Score) -> int | None:
    """Where a run would stand among those of its deck and difficulty, from 1; None where the list is full of better."""
    better = [s.cash >= score.cash for s in scores if (s.deck, s.difficulty) == (score.deck, score.difficulty)]
    place = sum(better) + 1
    return place if place <= MOST else None


def best_scores(scores: Iterable[Score]) -> dict[tuple[str, str], list[Score]]:
    """The lists, each the best first, by deck and difficulty in order of names."""
    listed: dict[tuple[str, str], list[Score]] = {}
    for score in sorted(scores, key=lambda score: (score.deck, score.difficulty, -score.cash)):
        listed.setdefault((score.deck, score.difficulty), []).append(score)
    return listed


def write_scores(scores: Iterable[Score]) -> bytes:
    """The list as one JSON object."""
    return msgspec.json.format(msgspec.json.encode(ScoreFile(scores=tuple(scores))), indent=1) + b"\n"


def read_scores(text: bytes) -> tuple[Score, ...]:
    """The list out of a file; raises `ScoresError` with one sentence."""
    try:
        file = msgspec.json.decode(text, type=ScoreFile)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ScoresError(f"it is no list of scores: {error}") from None
    if file.version != VERSION:
        raise ScoresError(f"it is of version {file.version}, and this pitboss reads version {VERSION}")
    return file.scores
