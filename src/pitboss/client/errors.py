"""Errors while a bot plays. An `ArenaError` ends play; after a `Trouble` play continues."""

from typing import Literal

from msgspec import Struct

from pitboss.arena.wire.answers import Question
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
"""The text of the error TABLE_FULL if the match is over."""
NOT_ITS_CODE = "is on the organiser's list with another join_code"
"""The end of the text of TEAM_TAKEN if the team is listed with another code."""


class ArenaError(PitbossError):
    """Play ended before the match did; the message says why.

    >>> from pitboss.client import ArenaError, JoinRefused
    >>> issubclass(JoinRefused, ArenaError)
    True
    """


class JoinRefused(ArenaError):
    """The arena gave this team no seat; `code` is the error code of the protocol.

    >>> from pitboss.client import JoinRefused
    >>> JoinRefused("TABLE_FULL", "the table has no free seat").code
    'TABLE_FULL'
    """

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class Replaced(ArenaError):
    """A newer connection plays for this team.

    >>> from pitboss.client import ArenaError, Replaced
    >>> issubclass(Replaced, ArenaError)
    True
    """


class LeftTable(ArenaError):
    """The bot has left its cash table, because it had no chips or received a request to leave.

    >>> from pitboss.client import ArenaError, LeftTable
    >>> issubclass(LeftTable, ArenaError)
    True
    """


class Unreachable(ArenaError):
    """The arena could not be reached for too long.

    >>> from pitboss.client import ArenaError, Unreachable
    >>> issubclass(Unreachable, ArenaError)
    True
    """


class NotABot(PitbossError, TypeError):
    """An object that cannot play as a bot.

    >>> from pitboss.client import play
    >>> play(7, "ws://127.0.0.1:8765/ws", team="Pairs", code="KF7Q9C")
    Traceback (most recent call last):
    pitboss.client.NotABot: expected a function decide(act), or a class with a method act(self, act), got 7
    """


class Trouble(Struct, frozen=True):
    """A bot's answer was replaced by the safe one: it was late, the bot raised an exception, or it was not legal.

    >>> from pitboss.client import Act, PlayerFacts, TableFacts, Trouble, You
    >>> you = You(hole=("As", "Ad"), stack=1000, to_call=10, time_ms=2000)
    >>> table = TableFacts(sb=5, bb=10, seats=2, button=0)
    >>> act = Act(hand_id="H-1", seat=0, phase="PRE_FLOP", you=you, table=table, players=(), community=(),
    ...           legal=("FOLD", "CALL", "RAISE_TO"), call_amount=10, min_raise_to=20, max_raise_to=1000, pot=15,
    ...           turn=2)
    >>> Trouble("late", "the answer came after 2,100 ms", act).kind
    'late'
    """

    kind: Literal["late", "raised", "illegal", "refused"]
    sentence: str
    act: Question  #: an `Act` or, in games other than poker, an `Ask`


def refusal(code: str, msg: str) -> JoinRefused:
    """Return the error for a refused `hello`."""
    if code == "TABLE_FULL" and msg == MATCH_OVER:
        return JoinRefused(code, f"{MATCH_OVER} at this table ({code}): the organiser can open another with --new")
    if code == "TEAM_TAKEN" and msg.endswith(NOT_ITS_CODE):
        return JoinRefused(code, f"this is not the team's code: the organiser has it ({code}: {printable(msg)})")
    return JoinRefused(code, f"{REFUSALS.get(code, 'the arena refuses this client')} ({code}: {printable(msg)})")
