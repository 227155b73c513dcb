"""Faults put into the arena on purpose, a few lines each, for the simulation to find."""

from collections.abc import Callable
from typing import Any

import pytest

from pitboss.arena.rooms.clock import TableClock
from pitboss.arena.rooms.output import Output, Spectators
from pitboss.arena.rooms.room import Room
from pitboss.arena.wire.messages import Action
from pitboss.store.store import Writer

Fault = Callable[[pytest.MonkeyPatch], None]


def sends_before_the_commit(patch: pytest.MonkeyPatch) -> None:
    def done(room: Any) -> Output:
        out: Output = room._out
        room._out = Output()
        return out

    patch.setattr(Room, "_done", done)


def commits_before_the_disk(patch: pytest.MonkeyPatch) -> None:
    def write(writer: Any, batch: Any) -> bool:
        writer._on_commit(batch)
        return right(writer, batch)

    right = Writer._write
    patch.setattr(Writer, "_write", write)


def ends_turns_early(patch: pytest.MonkeyPatch) -> None:
    def begin(clock: Any, *given: Any) -> None:
        right(clock, *given)
        clock._move_time *= 0.9

    right = TableClock.__init__
    patch.setattr(TableClock, "__init__", begin)


def waits_for_seats_that_are_gone(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(TableClock, "disconnect", lambda clock, seat, now: None)


def forgets_whom_it_keeps_waiting(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(TableClock, "checking", lambda clock, seat, now: None)
    patch.setattr(TableClock, "checked", lambda clock, seat, now: None)


def shows_spectators_the_question(patch: pytest.MonkeyPatch) -> None:
    def ask(room: Any, number: int, seat: int, now: float) -> None:
        right(room, number, seat, now)
        room._send(tuple(room.spectators.sessions), room.messages.question(number, 1000))

    right = Room._ask
    patch.setattr(Room, "_ask", ask)


def shows_everybody_the_question(patch: pytest.MonkeyPatch) -> None:
    def ask(room: Any, number: int, seat: int, now: float) -> None:
        right(room, number, seat, now)
        room._send(tuple(room._seats.values()), room.messages.question(number, 1000))

    right = Room._ask
    patch.setattr(Room, "_ask", ask)


def shows_spectators_too_soon(patch: pytest.MonkeyPatch) -> None:
    def put(spectators: Any, shown: Any, out: Any, now: float) -> None:
        spectators.waiting.extend([(now, what) for what in shown])
        spectators.show(out, now)

    patch.setattr(Spectators, "put", put)


def loses_answers(patch: pytest.MonkeyPatch) -> None:
    def answer(room: Any, known: Any, action: Action, now: float) -> None:
        room.answers = getattr(room, "answers", 0) + 1
        if room.answers % 50:
            right(room, known, action, now)

    right = Room._answer
    patch.setattr(Room, "_answer", answer)


def takes_late_answers(patch: pytest.MonkeyPatch) -> None:
    def answer(room: Any, known: Any, action: Any, now: float) -> None:
        turn = room._clock.turn
        if turn is not None and turn.seat == known.seat and action.hand_id == room.match.hand_id:
            room._advance(room.match.act(known.seat, action), now)
        else:
            right(room, known, action, now)

    right = Room._answer
    patch.setattr(Room, "_answer", answer)


def plays_stray_answers(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Room, "_is_stray", lambda *given: False)


def charges_no_bank(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(TableClock, "bank_used_ms", lambda clock, now: 0)


def forgets_to_close_who_was_replaced(patch: pytest.MonkeyPatch) -> None:
    def drop(room: Any, session: int, code: int, reason: str, now: float) -> None:
        right(room, session, code, reason, now)
        room._out.closes = [close for close in room._out.closes if close.code != 4000]

    right = Room._drop
    patch.setattr(Room, "_drop", drop)


def skips_a_missed_message(patch: pytest.MonkeyPatch) -> None:
    def welcome(room: Any, session: int, known: Any, hello: Any, again: bool, now: float) -> None:
        frames = room._resend.frames
        room._resend.frames = frames[:-2] + frames[-1:]
        right(room, session, known, hello, again, now)
        room._resend.frames = frames

    right = Room._welcome
    patch.setattr(Room, "_welcome", welcome)


def forgets_the_open_turn_at_a_restart(patch: pytest.MonkeyPatch) -> None:
    def resume(room: Any, recent: Any, mark: int, turn: int | None, now: float, unaware: Any) -> None:
        right(room, recent, mark, None, now, unaware)

    right = Room.resume
    patch.setattr(Room, "resume", resume)


FAULTS: tuple[Fault, ...] = (
    sends_before_the_commit,
    commits_before_the_disk,
    ends_turns_early,
    waits_for_seats_that_are_gone,
    forgets_whom_it_keeps_waiting,
    shows_spectators_the_question,
    shows_everybody_the_question,
    shows_spectators_too_soon,
    loses_answers,
    takes_late_answers,
    plays_stray_answers,
    charges_no_bank,
    forgets_to_close_who_was_replaced,
    skips_a_missed_message,
    forgets_the_open_turn_at_a_restart,
)
