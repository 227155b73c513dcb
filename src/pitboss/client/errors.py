"""What can go wrong while a bot plays: what ends it is an `ArenaError`, what it survives is a `Trouble`."""

from typing import Literal

from msgspec import Struct

from pitboss.arena.wire.messages import Act
from pitboss.errors import PitbossError
from pitboss.printing import printable

REFUSALS = {
    "TEAM_TAKEN": "the team's name is taken: give the code it was taken with, or another name",
    "TEAM_UNKNOWN": "the organiser's list has no such team",
    "TABLE_FULL": "no seat can be taken at the table",
    "BAD_SCHEMA": "the arena does not accept this team's name or code",
}
MATCH_OVER = "the match is over"
"""What the arena says with TABLE_FULL where no seat is missing but the match."""
NOT_ITS_CODE = "is on the organiser's list with another join_code"
"""What the arena says with TEAM_TAKEN, after the team's name, where no other name would do."""


class ArenaError(PitbossError):
    """Playing ended before the match did; says in one sentence why."""


class JoinRefused(ArenaError):
    """The arena does not seat this team; `code` is the protocol's word for it."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class Replaced(ArenaError):
    """A newer connection plays for this team."""


class Unreachable(ArenaError):
    """The arena has not answered for too long."""


class NotABot(PitbossError, TypeError):
    """Something given as a bot that cannot play."""


class Trouble(Struct, frozen=True):
    """A bot had no good answer and the safe one was given for it: it was too late, raised, or had no legal answer."""

    kind: Literal["late", "raised", "illegal", "refused"]
    sentence: str
    act: Act


def refusal(code: str, msg: str) -> JoinRefused:
    """The error that a refused `hello` leads to."""
    if code == "TABLE_FULL" and msg == MATCH_OVER:
        return JoinRefused(code, f"{MATCH_OVER} at this table ({code}): the organiser can open another with --new")
    if code == "TEAM_TAKEN" and msg.endswith(NOT_ITS_CODE):
        return JoinRefused(code, f"this is not the team's code: the organiser has it ({code}: {printable(msg)})")
    return JoinRefused(code, f"{REFUSALS.get(code, 'the arena refuses this client')} ({code}: {printable(msg)})")


def no_poker(variant: str) -> ArenaError:
    """The error that a welcome to a game without `act` leads to: no bot of this client would ever be asked."""
    return ArenaError(
        f"pitboss.client plays poker, and this table plays {printable(variant)}: such a game asks with the message "
        "ask, and its player answers with move (docs/protocol.md, Other games)"
    )
