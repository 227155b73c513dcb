"""What a client sent, read from its frame, or why it is not accepted: an error code of the protocol and a sentence."""

import re
from math import ceil

import msgspec

from pitboss.arena.v1 import messages as wire
from pitboss.errors import PitbossError


class Rejected(PitbossError, ValueError):
    """Something a client may not do: an error code of the protocol and a sentence."""

    def __init__(self, code: wire.ErrorCode, sentence: str, retry_after_ms: int | None = None) -> None:
        super().__init__(sentence)
        self.code: wire.ErrorCode = code
        self.retry_after_ms = retry_after_ms


def milliseconds(seconds: float) -> int:
    """A time as the wire says it: whole, rounded up, never below 0."""
    return max(0, ceil(seconds * 1000))


_decoder = msgspec.json.Decoder(wire.ClientMessage)
_UNKNOWN_TYPE = re.compile(r"Invalid value '(.*)' - at `\$\.type`", re.DOTALL)


def read(frame: str | bytes) -> wire.ClientMessage:
    """What a client sent; raises `Rejected`.

    >>> read('{"type":"action","v":1,"hand_id":"H-1","action":"RAISE_TO","amount":true}')
    Traceback (most recent call last):
    ...
    pitboss.arena.v1.reading.Rejected: must be a whole number from 0 to 2^53 - 1 - at `$.amount`
    """
    try:
        message: wire.ClientMessage = _decoder.decode(frame)
    except msgspec.ValidationError as error:
        unknown = _UNKNOWN_TYPE.fullmatch(str(error))
        if unknown:
            raise Rejected("UNKNOWN_TYPE", f"no message of a client is called {unknown[1]!r:.80}") from None
        raise Rejected("BAD_SCHEMA", _explained(str(error))) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Rejected("BAD_SCHEMA", f"one JSON object a frame, in UTF-8: {error}") from None
    if isinstance(message, wire.Action) and message.action == "RAISE_TO" and message.amount is None:
        raise Rejected("BAD_SCHEMA", "RAISE_TO needs a whole number - at `$.amount`")
    return message


_WANTED = {
    "v": "1",
    "team": "1 to 64 letters, without control characters",
    "join_code": "1 to 128 letters",
    "action": "FOLD, CHECK, CALL, RAISE_TO or DRAW",
    "discard": "a list of cards such as 9d",
    "amount": "a whole number from 0 to 2^53 - 1",
}


def _explained(sentence: str) -> str:
    """What is wrong with a field, in words that say what it must be."""
    _, at, field = sentence.rpartition(" - at `$.")
    field = field.removesuffix("`").partition("[")[0]
    return f"must be {_WANTED[field]}{at}{field}`" if at and field in _WANTED else sentence
