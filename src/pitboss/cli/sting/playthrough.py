"""The run of `pitboss sting play`: saved after every action, and scored when it ends."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import click

from pitboss.betting.rules import Answers
from pitboss.chance import Chance
from pitboss.sting.cards import CardSet, Difficulty, Role
from pitboss.sting.events import RunAction, RunEvent
from pitboss.sting.run import Run, view_events
from pitboss.sting.saves import (
    SaveError,
    Score,
    ScoresError,
    add_score,
    history,
    place_of,
    read_hints,
    read_save,
    read_scores,
    score_of,
    summaries,
    summary_line,
    write_save,
    write_scores,
)
from pitboss.sting.sharp import Hint, hint
from pitboss.sting.text import amount

SAVE, SCORES = "sting.json", "sting-scores.json"


def home() -> Path:
    """Return the folder for saved runs and scores."""
    return Path(click.get_app_dir("pitboss"))


def scores_beside(save: Path) -> Path:
    """Return the file of scores for runs that are saved here; it is in the same folder."""
    return save.with_name(SCORES)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file in one step, so that an interruption leaves the previous file; raises `OSError`."""
    new = path.with_name(path.name + ".new")
    path.parent.mkdir(parents=True, exist_ok=True)
    new.write_bytes(data)
    os.replace(new, path)


def load_scores(path: Path) -> tuple[Score, ...]:
    """Read a file of scores; a missing file has none. Raises `ScoresError`."""
    try:
        return read_scores(path.read_bytes())
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise ScoresError(f"{path} cannot be read: {error.strerror or error}") from None
    except ScoresError as error:
        raise ScoresError(f"{path}: {error}") from None


Speed = Literal["slow", "normal", "fast", "instant"]
"""How long a table shows each turn of the opponents."""


class Playthrough:
    """A run being played; `run` is None until one is started or continued.

    If the run cannot be saved, it goes on and `trouble` holds the reason.
    """

    def __init__(
        self,
        path: Path,
        *,
        cards: CardSet,
        seed: int,
        decks: Mapping[Role, str],
        answers: Answers = Answers.FOLLOWING,
        difficulty: str | None = None,
    ) -> None:
        self.path, self.cards, self.decks, self.answers = path, cards, dict(decks), answers
        self.difficulty = difficulty
        self.seed = Chance(seed).state
        self.run: Run | None = None
        self.trouble: str | None = None
        self.hints = 0  #: how many hints this run has used
        self.place: int | None = None  #: the finished run's place among the best
        self.unkept: str | None = None  #: why its score was not kept
        self.notice: str | None = None  #: shown before a saved run is continued
        for role, name in decks.items():
            cards.deck(role, name)  # refuse an unknown deck now, not in the middle of a game
        cards.difficulty(difficulty)

    @property
    def playing(self) -> Run:
        """The run, which must have been started."""
        assert self.run is not None, "start a run first"
        return self.run

    def saved(self) -> Run | None:
        """Return the unfinished run in the file, if there is one; raises `SaveError`."""
        try:
            text = self.path.read_bytes()
            run = read_save(text)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise SaveError(f"it cannot be read: {error.strerror or error}") from None
        self.hints = read_hints(text)
        return None if run.over else run

    # --- choices before a run

    @property
    def open_questions(self) -> frozenset[Literal["difficulty", "deck"]]:
        """What the Player still has to choose; a single option needs no choice."""
        asked = set[Literal["difficulty", "deck"]]()
        if self.difficulty is None and len(self.cards.difficulties) > 1:
            asked.add("difficulty")
        if "player" not in self.decks and len(self.cards.decks["player"]) > 1:
            asked.add("deck")
        return frozenset(asked)

    @property
    def chosen_difficulty(self) -> Difficulty:
        """The chosen difficulty, or the default."""
        return self.cards.difficulty(self.difficulty)

    def forget(self) -> None:
        """Forget the chosen difficulty and deck."""
        self.difficulty = None
        self.decks.pop("player", None)

    # --- play

    def begin(self) -> tuple[RunEvent, ...]:
        """Start a run with the chosen difficulty, decks and answers. The run after it gets another seed."""
        self.run, events = Run.start(
            seed=self.seed, cards=self.cards, decks=self.decks, answers=self.answers, difficulty=self.difficulty
        )
        self.seed = Chance(self.seed + 1).state
        self.hints = 0
        self.save()
        return view_events(events)

    def go_on(self, run: Run) -> tuple[RunEvent, ...]:
        """Continue a run and return its past events; later runs get its cards and decks."""
        self.run, self.cards, self.decks, self.answers = run, run.cards, dict(run.decks), run.answers
        self.difficulty = run.difficulty.name
        return view_events(history(run))

    def act(self, action: RunAction) -> tuple[RunEvent, ...]:
        """Act, save the run, and keep the score if it ends; raises `Refused`."""
        self.run, events = self.playing.act(action)
        self.save()
        if self.run.over:
            self.keep_score()
        return view_events(events)

    def hint(self) -> Hint:
        """Return a hint; the number of hints is shown with the score."""
        self.hints += 1
        return hint(self.playing, seed=len(self.playing.actions))

    def save(self) -> None:
        """Write the run, or set `trouble`."""
        try:
            write_whole(self.path, write_save(self.playing, self.hints))
            self.trouble = None
        except OSError as error:
            self.trouble = f"{self.path} cannot be written: {error.strerror or error}"

    # --- results

    def hand_lines(self) -> list[str]:
        """Return the run so far, one line per hand."""
        return [summary_line(hand) for hand in summaries(history(self.playing))]

    def keep_score(self) -> None:
        """Add the finished run to the best; a list that cannot be read is left unchanged."""
        path, score = scores_beside(self.path), score_of(self.playing, self.hints)
        self.place = self.unkept = None
        if score is None:
            return
        try:
            scores = load_scores(path)
            self.place = place_of(scores, score)
            write_whole(path, write_scores(add_score(scores, score)))
        except ScoresError as error:
            self.unkept = f"the score was not kept: {error}"
        except OSError as error:
            self.unkept = f"the score was not kept: {path} cannot be written: {error.strerror or error}"

    def score_lines(self) -> list[str]:
        """Return the run's score and its place among the best."""
        run = self.playing
        lines = [f"Your score: {amount(run.cash)} (seed {run.seed})."]
        if self.unkept is not None:
            return [*lines, f"{self.unkept[:1].upper()}{self.unkept[1:]}."]
        with_ = f"with {run.decks['player']} on {run.difficulty.name}"
        if self.place == 1:
            lines.append(f"Your best run {with_} so far!")
        elif self.place is not None:
            lines.append(f"Number {self.place} of your best runs {with_}.")
        return lines

    def best_words(self) -> str:
        """Return the best score of each difficulty, or an empty text."""
        try:
            scores = load_scores(scores_beside(self.path))
        except ScoresError:
            return ""  # reported when a run ends
        best: dict[str, int] = {}
        for score in scores:
            best[score.difficulty] = max(score.cash, best.get(score.difficulty, score.cash))
        named = [f"{name} {best[name]}" for name in self.cards.difficulties if name in best]
        return f"Best so far: {', '.join(named)}." if named else ""
