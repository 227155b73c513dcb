"""What every message is made of: the bounds of numbers and texts, and what all messages have."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct, field

MOST = 2**53 - 1
"""The largest whole number that every language reads exactly from JSON."""

Seat: TypeAlias = Annotated[int, Meta(ge=0, le=9)]
Chips: TypeAlias = Annotated[int, Meta(ge=0, le=MOST)]
Score: TypeAlias = Annotated[int, Meta(ge=-MOST, le=MOST)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=MOST)]
Milliseconds: TypeAlias = Annotated[int, Meta(ge=0, le=MOST)]
Card: TypeAlias = Annotated[str, Meta(pattern="^[2-9TJQKA][cdhs]$")]
Hash: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
# No control characters, nor what turns a line of text round; Python's $ alone would let a last newline pass.
_PRINTABLE = r"^[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]*$(?!\n)"
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64, pattern=_PRINTABLE)]
Code: TypeAlias = Annotated[str, Meta(min_length=1, max_length=128)]
Id: TypeAlias = Annotated[str, Meta(max_length=64)]


def _one() -> Literal[1]:
    return 1


class Envelope(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What every message has: `v` is the protocol's version, `ts` is for debugging, `type` says which message it is."""

    v: Literal[1] = field(default_factory=_one)  # a factory, because a plain default would be left out
    ts: str | float | None = None


class Message(Envelope, frozen=True, kw_only=True, tag_field="type"):
    """A message that its `type` names."""
