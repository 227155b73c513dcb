"""What is decided before the first match of a competition, and the names of its matches.

`plan.json` is written first, with the settings and the seed; only this user can read it, because the seed decides all
cards. `commitments.json` has the commitments to the decks of all matches.
"""

import secrets
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pitboss import __version__
from pitboss.client.bots import bot_file
from pitboss.competitions.forms import FormPlan, RoundPlan, RoundPlayed
from pitboss.competitions.results import EntrantInfo, read_json
from pitboss.competitions.settings import CompetitionSettings
from pitboss.errors import PitbossError

PLAN, COMMITMENTS, LOCK = "plan.json", "commitments.json", ".lock"
SEED_BITS = 64


class CompetitionError(PitbossError):
    """A competition cannot begin, or cannot continue in its folder; the message gives the reason."""


class CompetitionPlan(Struct, frozen=True, kw_only=True):
    """What was decided before the first match."""

    settings: CompetitionSettings
    digests: tuple[str, ...]  #: of each entrant's file, "" without one
    trusted: bool  #: whether the sandbox is switched off
    notices: tuple[str, ...] = ()
    version: str = __version__

    @property
    def seed(self) -> int:
        """The number that decides all cards."""
        assert self.settings.seed is not None
        return self.settings.seed

    @property
    def form(self) -> FormPlan:
        """The form with its number of entrants."""
        settings = self.settings
        return FormPlan(
            form=settings.form, entrants=len(settings.entrants), seats=settings.seats, rounds=settings.rounds
        )


class Commitments(Struct, frozen=True):
    """The commitments to the decks of all matches, by match."""

    decks: dict[str, str]


def load_plan(folder: Path) -> CompetitionPlan | None:
    """Return the plan of a folder; None if no competition began there."""
    return read_json(folder / PLAN, CompetitionPlan) if (folder / PLAN).exists() else None


def make_plan(
    settings: CompetitionSettings, old: CompetitionPlan | None, folder: Path, *, trusted: bool, notices: Sequence[str]
) -> CompetitionPlan:
    """Return the plan of a new competition, or the old plan if the folder continues the same competition."""
    digests = tuple([digest_of(entrant) for entrant in settings.entrants])
    if old is None:
        if {file.name for file in folder.iterdir()} - {LOCK, COMMITMENTS}:
            raise CompetitionError(f"{folder}: the folder has files, but no competition: give another folder")
        seed = secrets.randbits(SEED_BITS) if settings.seed is None else settings.seed
        return CompetitionPlan(
            settings=replace(settings, seed=seed), digests=digests, trusted=trusted, notices=tuple(notices)
        )
    seeded = replace(settings, seed=old.seed) if settings.seed is None else settings
    for key in CompetitionSettings.__struct_fields__:
        if getattr(seeded, key) != getattr(old.settings, key):
            raise CompetitionError(
                f"{folder}: {key} differs from the competition that began there: give another folder"
            )
    for entrant, before, now in zip(settings.entrants, old.digests, digests, strict=True):
        if before != now:
            raise CompetitionError(
                f"{folder}: the file of {entrant.name} has changed since the competition began there"
            )
    if trusted != old.trusted:
        began = "without" if old.trusted else "with"
        raise CompetitionError(f"{folder}: the competition began there {began} the sandbox")
    return old


def digest_of(entrant: EntrantInfo) -> str:
    """Return the hash of an entrant's file; an empty text if it has none."""
    file = None if entrant.kind in ("house", "llm") else bot_file(entrant.spec)
    if file is None or not file.is_file():
        return ""
    return sha256(file.read_bytes()).hexdigest()


def settings_fields(settings: CompetitionSettings) -> dict[str, Any]:
    """Return settings as a JSON file has them."""
    fields: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(settings))
    return fields


def match_name(round: int, table: int) -> str:
    """Return the name of a match.

    >>> match_name(1, 12)
    'r01-t012'
    """
    return f"r{round:02d}-t{table:03d}"


def match_names(round: RoundPlan) -> list[str]:
    return [match_name(round.number, number) for number in range(1, len(round.tables) + 1)]


def planned_matches(plan: CompetitionPlan) -> list[str]:
    """Return the names of all matches of a plan. The entrants of later rounds may not be known yet."""
    form = plan.form
    played: list[RoundPlayed] = []
    names = []
    while (upcoming := form.next_round(played)) is not None:
        names += match_names(upcoming)
        played.append(RoundPlayed(upcoming, tuple([tuple(range(len(table))) for table in upcoming.tables])))
    return names
