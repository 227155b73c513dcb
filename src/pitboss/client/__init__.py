"""What a bot author imports: a bot is one function of an `act`, or a class with one method `act`, and `play` plays it.

>>> def decide(act: Act) -> Answer:
...     if act.you.hole[0][0] == act.you.hole[1][0] and act.max_raise_to:
...         return raise_to(act.max_raise_to)
...     return check() if "CHECK" in act.legal else fold()

`play(decide, "ws://127.0.0.1:8765/ws", team="Pairs", code="KF7Q9C")` then plays it until the match is over.
"""

from pitboss.arena.v1.answers import Answer, call, check, fold, raise_to
from pitboss.arena.v1.messages import (
    Act,
    BetMessage,
    CallMessage,
    Card,
    CheckMessage,
    Config,
    Eliminated,
    EndHand,
    Error,
    Flop,
    FoldMessage,
    HandEvent,
    Lobby,
    LobbyPlayer,
    MatchEnd,
    Opening,
    PlayerFacts,
    PostBlinds,
    PotAward,
    Refund,
    Reveal,
    RevealedHand,
    RiverCard,
    SeatStack,
    ServerMessage,
    Showdown,
    Snapshot,
    StartHand,
    TableFacts,
    TurnCard,
    VoidMessage,
    Welcome,
    You,
)
from pitboss.client.bots import Actor, Bot
from pitboss.client.errors import ArenaError, JoinRefused, NotABot, Replaced, Trouble, Unreachable
from pitboss.client.load import LoadError, bot_name, load_bot
from pitboss.client.playing import Patience, join, play
from pitboss.errors import show_by_public_name

__all__ = [
    "Act",
    "Actor",
    "Answer",
    "ArenaError",
    "BetMessage",
    "Bot",
    "CallMessage",
    "Card",
    "CheckMessage",
    "Config",
    "Eliminated",
    "EndHand",
    "Error",
    "Flop",
    "FoldMessage",
    "HandEvent",
    "JoinRefused",
    "LoadError",
    "Lobby",
    "LobbyPlayer",
    "MatchEnd",
    "NotABot",
    "Opening",
    "Patience",
    "PlayerFacts",
    "PostBlinds",
    "PotAward",
    "Refund",
    "Replaced",
    "Reveal",
    "RevealedHand",
    "RiverCard",
    "SeatStack",
    "ServerMessage",
    "Showdown",
    "Snapshot",
    "StartHand",
    "TableFacts",
    "Trouble",
    "TurnCard",
    "Unreachable",
    "VoidMessage",
    "Welcome",
    "You",
    "bot_name",
    "call",
    "check",
    "fold",
    "join",
    "load_bot",
    "play",
    "raise_to",
]

show_by_public_name(__name__, globals(), __all__)
