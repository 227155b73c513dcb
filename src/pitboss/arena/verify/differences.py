"""Two frames side by side: whether one is the other, and what to call what differs."""

from typing import Any

from msgspec.structs import replace

from pitboss.arena.rooms.match import Match
from pitboss.arena.v1 import messages as wire
from pitboss.arena.verify.frames import View


def is_view(view: View, match: Match, turn: int, seat: int | None) -> bool:
    """Whether a seat can have been shown the match so, with some of its time left."""
    time = view.time_ms_remaining
    bank = view.you.bank_ms if isinstance(view, wire.Snapshot) else view.bank_ms
    if seat is None or seat not in match.history.seats or (time is None) != (match.asked is None):
        return False
    using = least_bank(bank, match.bank_ms(seat))
    return (time or 0) <= match.move_time_ms and view == as_read(match.snapshot(seat, turn, time, using))


def least_bank(sent: int | None, left: int | None) -> int | None:
    """What of a bank can have been sent while it may be in use: what was, but no more than there is."""
    return None if sent is None or left is None else min(sent, left)


def question_of(match: Match, turn: int, sent: wire.ServerMessage) -> wire.ServerMessage:
    """The open question, with as much time as was sent: a seat that is away is given less than a whole turn."""
    time = sent.you.time_ms if isinstance(sent, wire.Act) else getattr(sent, "time_ms", 0)
    hurried = not time and match.bank_ms(match.asked) is not None
    return match.question(turn, min(time, match.move_time_ms), 0 if hurried else None)


def without_places(message: wire.ServerMessage) -> wire.ServerMessage:
    """A match's end as it was sent before places stood in it."""
    if not isinstance(message, wire.MatchEnd):
        return message
    return replace(message, final_stacks=tuple([replace(row, place=None) for row in message.final_stacks]))


def as_read(message: wire.ServerMessage) -> wire.ServerMessage:
    """A message as whoever is sent it reads it."""
    return wire.read_server(wire.write(message))


def hand_of(message: wire.ServerMessage) -> str:
    """The hand that a frame is of, if any."""
    return str(getattr(message, "at_hand_id", None) or getattr(message, "hand_id", ""))


def name_of(message: wire.ServerMessage) -> str:
    """A frame as a sentence names it."""
    name = str(message.__struct_config__.tag)
    return f"{name} of {hand_of(message)}" if hand_of(message) else name


def other_fields(message: Any, sent: Any) -> str:
    """The fields in which a frame is another than the one that should have been sent."""
    if type(message) is not type(sent):
        return f"it should be {name_of(sent)}"
    return ", ".join(name for name in message.__struct_fields__ if getattr(message, name) != getattr(sent, name))
