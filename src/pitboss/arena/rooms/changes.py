"""What a new start of the server asks of a table out of the journal: taken before its first hand, else told of.

Only what was named counts, so that a plain command goes on with a table as it is.
"""

from collections.abc import Collection, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from pitboss import RULES_VERSION
from pitboss.arena.bots.house import teams as house_teams
from pitboss.arena.hosts.games import make_host
from pitboss.arena.hosts.host import Host
from pitboss.arena.journal.records import Record, Settings, TableOpened
from pitboss.arena.rooms.match import Match

FOLLOW = {"big_blind": {"small_blind"}, "game": {"seats", "start_at", "small_blind", "ante", "bring_in"}}
"""Settings that come from another one where they are not named themselves."""


class Changes(Struct, frozen=True):
    """Settings and house bots that are wanted, and which of them were named: None where all were."""

    settings: Settings
    house: tuple[str, ...]
    asked: Collection[str] | None

    def make(self, match: Match) -> tuple[list[Record], list[str]]:
        """Change a table that has not dealt its first hand; gives what to write down, and what to say of it.

        Raises `ValueError` where those who sit at it do not fit.
        """
        history = match.history
        if history.hands or history.bound is not None or match.over:
            return [], []
        records: list[Record] = []
        before, wanted = asdict(match.settings), self._wanted(match.settings)
        if wanted:
            settings = replace(match.settings, **wanted)
            opened = TableOpened(rules=RULES_VERSION, settings=settings, teams=history.teams)
            change_settings(match, opened)
            records.append(opened)
        newcomers = [team for team in self._house() if match.seat_of(team) is None]
        records += [match.sit(team, None) for team in newcomers]
        said = [f"{name} {value}, not {before[name]}" for name, value in wanted.items()]
        said += [f"{team} sits down" for team in newcomers]
        return records, [f"{match.table_id}: has dealt no hand yet, so it takes {'; '.join(said)}"] if said else []

    def ignored(self, match: Match) -> Iterator[str]:
        """What was asked for and does not count, because the table began otherwise."""
        if match.over:
            return
        before, wanted = asdict(match.settings), asdict(self.settings)
        others = {name: f"{name} {before[name]}, not {wanted[name]}" for name in before if before[name] != wanted[name]}
        seated = set(match.house_teams)
        if seated != set(house_teams(self.house)):
            others["house"] = f"of the house {', '.join(sorted(seated)) or 'nobody'}"
        named = [sentence for name, sentence in others.items() if self.asked is None or name in self.asked]
        if named:
            what = "; ".join(named)
            yield f"{match.table_id}: keeps what it began with: {what}. For another match give another --db."

    def _wanted(self, before: Settings) -> dict[str, Any]:
        """The settings that a table is to have and has not."""
        asked = set(before.__struct_fields__) if self.asked is None else set(self.asked)
        for name, others in FOLLOW.items():
            if name in asked and getattr(self.settings, name) != getattr(before, name):
                asked |= others
        new = asdict(self.settings)
        return {name: new[name] for name, value in asdict(before).items() if name in asked and new[name] != value}

    def _house(self) -> list[str]:
        return house_teams(self.house) if self.asked is None or "house" in self.asked else []


def change_settings(match: Match, opened: TableOpened) -> None:
    """Have a table play by other settings, before the first hand; `HistoryError` where it is too late for them."""
    match.history.check(opened)
    host = make_host(opened.settings)
    match.history.take(opened, over=True)
    play_by(match, host)


def play_by(match: Match, host: Host) -> None:
    """Have everybody sit at a game that is played by the history's settings."""
    match.host, match.history.least = host, host.places.start
    for seat, taken in sorted(match.history.seats.items()):
        host.sit(seat, taken.stack)
