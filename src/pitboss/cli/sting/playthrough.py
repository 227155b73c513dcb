"""What `pitboss sting play` plays: a run, and the file in which it is saved after every action."""

import os
from collections.abc import Mapping
from pathlib import Path

from pitboss.betting.rules import Answers
from pitboss.chance import Chance
from pitboss.sting.cards import CardSet, Role
from pitboss.sting.difficulty import PRINTED
from pitboss.sting.run import Run, RunAction, RunEvent, view_events
from pitboss.sting.saves import SaveError, read_save, write_save


class Playthrough:
    """A run being played; before one is begun or taken up again, `run` is None.

    A run that cannot be written goes on all the same, and `trouble` says why it is not saved.
    """

    def __init__(
        self,
        path: Path,
        *,
        cards: CardSet,
        seed: int,
        decks: Mapping[Role, str],
        answers: Answers = Answers.FOLLOWING,
    ) -> None:
        self.path, self.cards, self.decks, self.answers = path, cards, dict(decks), answers
        self.seed = Chance(seed).state
        self.run: Run | None = None
        self.trouble: str | None = None
        self.notice: str | None = None  #: what is to be known before a saved run is gone on with
        for role, name in decks.items():
            cards.deck(role, name)  # an unknown deck is refused now, not in the middle of a game

    @property
    def playing(self) -> Run:
        """The run, once there is one."""
        assert self.run is not None, "begin a run first"
        return self.run

    def saved(self) -> Run | None:
        """The run that was left unfinished, if there is one; raises `SaveError` where the file is broken."""
        try:
            run = read_save(self.path.read_bytes())
        except FileNotFoundError:
            return None
        except OSError as error:
            raise SaveError(f"it cannot be read: {error.strerror or error}") from None
        return None if run.over else run

    def begin(self, deck: str | None = None) -> tuple[RunEvent, ...]:
        """A new run, with this deck or the one chosen before; the next has another seed."""
        if deck is not None:
            self.decks["player"] = deck
        self.run, events = Run.start(
            seed=self.seed, cards=self.cards, decks=self.decks, answers=self.answers, difficulty=PRINTED
        )
        self.seed = Chance(self.seed + 1).state
        self.save()
        return view_events(events)

    def go_on(self, run: Run) -> None:
        """Take up a run that was left; one begun after it has its cards and decks."""
        self.run, self.cards, self.decks, self.answers = run, run.cards, dict(run.decks), run.answers

    def act(self, action: RunAction) -> tuple[RunEvent, ...]:
        """Do what the Player wishes, and save it; raises `Refused`."""
        self.run, events = self.playing.act(action)
        self.save()
        return view_events(events)

    def save(self) -> None:
        """Write the run; whoever pulls the plug meanwhile still has the file of before."""
        new = self.path.with_name(self.path.name + ".new")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            new.write_bytes(write_save(self.playing))
            os.replace(new, self.path)
            self.trouble = None
        except OSError as error:
            self.trouble = f"{self.path} cannot be written: {error.strerror or error}"
