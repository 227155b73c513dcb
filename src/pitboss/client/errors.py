"""What can go wrong while a bot plays: an `ArenaError` ends play, after a `Trouble` it goes on."""

from typing import Literal

from msgspec import Struct

from pitboss.arena.wire.messages import Act
from pitboss.errors import PitbossError
from pitboss.printing import printable

REFUSALS = {
    "TEAM_TAKEN": "the team's name is taken: give its code, or another name",
    "TEAM_UNKNOWN": "the team is not on the organiser's list",
    "TABLE_FULL": "the table has no free seat",
    "BUY_IN_OUT_OF_RANGE": "the table does not accept this buy-in",
    "BAD_SCHEMA": "the arena does not accept this team's name or code",
}
MATCH_OVER = "the match is over"
"""The arena's text with TABLE_FULL if the match is over."""
NOT_ITS_CODE = "is on the organiser's list with another join_code"
"""The end of the arena's text with TEAM_TAKEN if another name would not help."""


class ArenaError(PitbossError):
    """Play ended before the match did; the message says why."""


class JoinRefused(ArenaError):
    """The arena gave this team no seat; `code` is the error code of the protocol."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class Replaced(ArenaError):
    """A newer connection plays for this team."""


class LeftTable(ArenaError):
    """The bot has left its cash table, because it had no chips or received a request to leave."""


class Unreachable(ArenaError):
    """The arena could not be reached for too long."""


class NotABot(PitbossError, TypeError):
    """An object that cannot play as a bot."""


class Trouble(Struct, frozen=True):
    """A bot's answer was replaced by the safe one: it was late, the bot raised an exception, or it was not legal."""

    kind: Literal["late", "raised", "illegal", "refused"]
    sentence: str
    act: Act


def refusal(code: str, msg: str) -> JoinRefused:
    """Return the error for a refused `hello`."""
    if code == "TABLE_FULL" and msg == MATCH_OVER:
        return JoinRefused(code, f"{MATCH_OVER} at this table ({code}): the organiser can open another with --new")
    if code == "TEAM_TAKEN" and msg.endswith(NOT_ITS_CODE):
        return JoinRefused(code, f"this is not the team's code: the organiser has it ({code}: {printable(msg)})")
    return JoinRefused(code, f"{REFUSALS.get(code, 'the arena refuses this client')} ({code}: {printable(msg)})")


def no_poker(variant: str) -> ArenaError:
    """Return the error for a game without `act`, in which this client never calls its bots."""
    return ArenaError(
        f"pitboss.client plays poker, and this table plays {printable(variant)}: such a game sends the message "
        "ask, and its players answer with move (docs/protocol.md, Other games)"
    )
