"""One answer held against one question: what the arena would make of it, and which check it fails."""

from msgspec import Struct

from pitboss.arena.v1 import messages as m
from pitboss.arena.v1.answers import Answer, draw, read_answer
from pitboss.arena.v1.reading import Rejected, read

SHOWN = 150
LARGEST = 8192
"""Bytes in a frame, above which the arena ends the connection."""


class Fault(Struct, frozen=True):
    """Something wrong with what a bot said: the check it fails, and one sentence."""

    check: str
    sentence: str


class Examined(Struct, frozen=True):
    """An answer: as an action if it counts, else what is wrong with it and what the arena replies."""

    action: m.Action | None = None
    fault: Fault | None = None
    error: m.Error | None = None


def examined(frame: str | bytes, act: m.Act) -> Examined:
    """What an answer to a question is worth."""
    message = understood(frame)
    if isinstance(message, Examined):
        return message
    if isinstance(message, m.Hello):
        return _bad("messages", "BAD_SCHEMA", "said hello a second time on one connection: once is enough")
    if message.hand_id != act.hand_id:
        sentence = f"answered for hand {message.hand_id!r:.80} when asked in {act.hand_id}: give back the act's hand_id"
        return _bad("hand_id", "ACTION_TOO_LATE", sentence)
    if message.turn is not None and message.turn != act.turn:
        sentence = f"answered turn {message.turn} when asked in turn {act.turn}: give back the act's turn"
        return _bad("turn", "ACTION_TOO_LATE", sentence)
    try:
        read_answer(_answer(message), act)
    except ValueError as error:
        amount = message.action == "RAISE_TO" and message.action in act.legal
        check = "amounts" if amount else "legal answers"
        return _bad(check, "INVALID_ACTION", str(error))
    return Examined(message)


def _answer(action: m.Action) -> Answer:
    """What an action says, as a bot says it."""
    if action.action == "RAISE_TO":
        return "RAISE_TO", action.amount or 0
    return draw(action.discard or ()) if action.action == "DRAW" else action.action


def understood(frame: str | bytes) -> m.Hello | m.Action | Examined:
    """What a bot said, if it is a message of the protocol."""
    if isinstance(frame, bytes):
        return _bad("messages", "BAD_SCHEMA", "sent a binary frame: send JSON in text frames")
    if len(frame.encode("utf-8", "surrogatepass")) > LARGEST:
        return _bad("messages", "BAD_SCHEMA", f"sent a frame of more than {LARGEST} bytes, for which it is cut off")
    try:
        message = read(frame)
    except Rejected as rejected:
        check = "amounts" if str(rejected).endswith("`$.amount`") else "messages"
        said = frame if len(frame) <= SHOWN else f"{frame[: SHOWN - 3]}..."
        return _bad(check, rejected.code, f"said {said or 'nothing'} ({rejected})")
    if isinstance(message, m.MoveMessage):
        return _bad("messages", "INVALID_ACTION", "sent a move: poker is answered by an action")
    if isinstance(message, m.Leave):
        return _bad("keeps quiet", "OUT_OF_TURN", "took leave before the match was over: its seat is played without it")
    if isinstance(message, m.Number):
        return _bad("messages", "ACTION_TOO_LATE", "sent a number that no mix has asked for")
    return message


def _bad(check: str, code: m.ErrorCode, sentence: str) -> Examined:
    return Examined(None, Fault(check, sentence), m.Error(code=code, msg=sentence))
