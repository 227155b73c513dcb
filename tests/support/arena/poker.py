"""Matches of poker without a room: opened, played step by step, and replayed record by record."""

from typing import assert_never

from pitboss import RULES_VERSION
from pitboss.arena.hosts.games import games_of, make_host
from pitboss.arena.hosts.host import Step
from pitboss.arena.hosts.poker import PokerHost
from pitboss.arena.journal.history import History
from pitboss.arena.journal.records import (
    Acted,
    Cause,
    DecksRevealed,
    HandStarted,
    HandVoided,
    MatchEnded,
    NumbersBound,
    Record,
    Seated,
    Settings,
    TableOpened,
    TeamLeft,
    ToppedUp,
    TopUpAsked,
    Wished,
)
from pitboss.arena.rooms import cash
from pitboss.arena.rooms.match import Change, Match
from pitboss.arena.rooms.messages import TableMessages
from pitboss.arena.rooms.recovery import change_settings
from pitboss.arena.wire.messages import ServerMessage, read_server
from pitboss.arena.wire.poker import PlayersAction
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Structure


def structure_of(settings: Settings) -> Structure | None:
    """Return the structure that a table plays, the first of several; None if it does not play poker."""
    games = games_of(settings)
    return games.games[0].structure if games is not None else None


def open_match(settings: Settings, *, table: str = "T-1") -> Match:
    """An empty table."""
    return match_of(table, TableOpened(rules=RULES_VERSION, settings=settings))


def match_of(table: str, opened: TableOpened) -> Match:
    """The match that begins with this record."""
    history = History(table)
    history.take(opened, over=True)
    return cash.open_match(history, make_host(opened.settings))


def host_of(match: Match) -> PokerHost:
    """The host of a match of poker."""
    assert isinstance(match.host, PokerHost)
    return match.host


def hand_of(match: Match) -> Hand | None:
    """The hand under way."""
    open = host_of(match).open
    return open.hand if open is not None else None


def stacks_of(match: Match) -> dict[int, int]:
    """Each player's chips now, without the pot."""
    return {seat: host_of(match).stack(seat, taken.stack) for seat, taken in sorted(match.history.seats.items())}


def act(match: Match, action: PlayersAction, cause: Cause = "client") -> Step:
    """Apply an action of the seat to act."""
    assert match.to_act is not None
    return match.apply(host_of(match).play(match.to_act, action, match.seq + 1, cause=cause))


def messages_of(match: Match, change: Change, chain: bytes = bytes(32)) -> list[ServerMessage]:
    """The public messages of a change."""
    messages = TableMessages(match)
    sent = messages.of(change, chain)
    return [read_server(frame) for frame in messages.farewell()] if match.over else [*sent]


class Replayed:
    """A match from its journal: every record is applied again, those of finished hands too."""

    def __init__(self, table: str) -> None:
        self._table = table
        self._match: Match | None = None

    @property
    def match(self) -> Match:
        """The match, after its first record is taken in."""
        assert self._match is not None
        return self._match

    def take(self, record: Record) -> Change:
        """Apply a record; return the step of an action, else the record."""
        change: Change = record
        match record:
            case TableOpened() if self._match is not None:
                change_settings(self.match, record)
            case TableOpened():
                self._match = match_of(self._table, record)
            case NumbersBound() | HandStarted() | Acted():
                change = self.match.replay(record)
            case Seated() | Wished() | TopUpAsked() | ToppedUp() | TeamLeft() | DecksRevealed():
                change = self.match.replay(record)
            case HandVoided():
                assert self.match.void(record.torn_at, record.reason, record.seq) == record
            case MatchEnded():
                assert self.match.end() == record
            case _:
                assert_never(record)
        self.match.audit()
        return change
