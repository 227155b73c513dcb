"""Leaks of hidden cards that patches add to an arena: a test of secrets must find them."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

import msgspec
from msgspec.structs import replace

from pitboss.arena.hosts.moves import MovesHost
from pitboss.arena.hosts.poker import PokerHost
from pitboss.arena.rooms.clock import RunningTurn, TableClock
from pitboss.arena.rooms.match import Match
from pitboss.arena.rooms.messages import TableMessages
from pitboss.arena.rooms.output import Output, Spectators
from pitboss.arena.rooms.room import Room
from pitboss.arena.wire import messages as wire
from pitboss.arena.wire import poker
from pitboss.arena.wire.messages import Lobby, Rejected
from pitboss.arena.wire.summaries import Summary
from pitboss.hand.hand import Hand

Leak = Callable[[], AbstractContextManager[Any]]


def is_ace_out(hand: Hand) -> bool:
    """Whether a player holds an ace."""
    return any(card[0] == "A" for hole in hand.holes for card in hole)


def _is_ace_out_at(match: Match) -> bool:
    host = match.host
    return isinstance(host, PokerHost) and host.open is not None and is_ace_out(host.open.hand)


def _error() -> Any:
    plain = PokerHost.act

    def act(self: PokerHost, seat: int, message: wire.Action | wire.MoveMessage, *more: int) -> Any:
        ace = self.open is not None and is_ace_out(self.open.hand)
        try:
            return plain(self, seat, message, *more)
        except Rejected as rejected:
            raise Rejected(rejected.code, f"{rejected}{' indeed' * ace}") from None

    return patch.object(PokerHost, "act", act)


def _least_raise() -> Any:
    plain = poker.question

    def question(hand: Hand, *given: Any, **more: Any) -> wire.Act:
        act = plain(hand, *given, **more)
        raised = act.min_raise_to is not None and act.min_raise_to + is_ace_out(hand)
        return replace(act, min_raise_to=raised) if raised else act

    return patch.object(poker, "question", question)


def _pot() -> Any:
    plain = poker.snapshot

    def snapshot(hand: Hand, *given: Any, **more: Any) -> wire.Snapshot:
        shown = plain(hand, *given, **more)
        return replace(shown, pot=shown.pot + is_ace_out(hand))

    return patch.object(poker, "snapshot", snapshot)


def _time() -> Any:
    plain = TableClock._start

    def start(self: TableClock, turn: RunningTurn, now: float) -> None:
        plain(self, turn, now + 0.01 * _is_ace_out_at(self._match))

    return patch.object(TableClock, "_start", start)


def _watched_turn() -> Any:
    plain = TableMessages.turn

    def turn(self: TableMessages, seat: int, time: int, bank: int | None) -> wire.Turn:
        return plain(self, seat, max(0, time - _is_ace_out_at(self.match)), bank)

    return patch.object(TableMessages, "turn", turn)


def _table() -> Any:
    plain = TableMessages.table_view

    def table_view(self: TableMessages, seat: int | None) -> wire.TableViewMessage | None:
        message = plain(self, seat)
        if message is None or not _is_ace_out_at(self.match):
            return message
        return replace(message, table=replace(message.table, title=f"{message.table.title}!"))

    return patch.object(TableMessages, "table_view", table_view)


def _log() -> Any:
    plain = Room._note
    return patch.object(
        Room, "_note", lambda self, sentence, now: plain(self, sentence + "!" * _is_ace_out_at(self.match), now)
    )


def _list() -> Any:
    plain = TableMessages.summary

    def summary(self: TableMessages, *given: Any) -> Summary:
        return replace(plain(self, *given), over=_is_ace_out_at(self.match))

    return patch.object(TableMessages, "summary", summary)


def _lobby() -> Any:
    plain = Spectators.put

    def put(self: Spectators, shown: Any, out: Output, now: float) -> None:
        plain(self, shown, out, now)
        for what in shown:
            if isinstance(what, Lobby):
                self.lobby = what

    return patch.object(Spectators, "put", put)


LEAKS: dict[str, Leak] = {
    "an error says more where somebody holds an ace": _error,
    "the least raise hangs on who holds an ace": _least_raise,
    "the pot of a snapshot hangs on who holds an ace": _pot,
    "who plays against an ace has more time": _time,
    "spectators are shown another time left": _watched_turn,
    "the title of a table hangs on who holds an ace": _table,
    "the log knows": _log,
    "the list of tables knows": _list,
    "the lobby of spectators who lag behind does not": _lobby,
}


def leak_first_place() -> AbstractContextManager[Any]:
    """In games other than poker, send every client what the first place learns."""

    def messages(self: MovesHost, events: Iterable[Any], seq: int) -> list[wire.PublicMessage]:
        seen = [self.game.view_event(event, 0) for event in events]
        written = [msgspec.Raw(self.game.write_event(event)) for event in seen if event is not None]
        return [wire.Happened(hand_id=self._hand_id, seq=at, event=event) for at, event in enumerate(written, seq)]

    return patch.object(MovesHost, "_event_messages", messages)
