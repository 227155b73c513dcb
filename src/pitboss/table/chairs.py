"""A taken seat of a table: who sits there, with what, and what he wants, owes and posts."""

from typing import Literal

from msgspec import Struct

from pitboss.errors import PitbossError

State = Literal["plays", "waits", "pauses", "leaves"]
"""What a player wants: to play, to wait for the big blind, to pause, to leave for good."""


class TableError(PitbossError, ValueError):
    """Something that this table cannot do now."""


class Chair(Struct, frozen=True):
    """A taken seat: who sits there with how many chips, and what he wants, owes and posts in the present hand."""

    seat: int
    who: str
    chips: int  #: without what lies in the pot; while a hand is under way, as it began
    state: State = "plays"
    owes: int = 0  #: missed blinds
    out: bool = True  #: not in the present hand, or folded as soon as he is asked
    blind: int = 0  #: a blind or straddle; less than 0: a live post by somebody who does not speak last for it
    ante: int = 0
    played: bool = False  #: dealt in in the hand that has just been finished
