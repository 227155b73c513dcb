"""What the author of a bot imports. A bot is a function of a question, or a class with a method `act`; `play` plays it.

In poker the question is an `Act`:

>>> def decide(act: Act) -> Answer:
...     if act.you.hole[0][0] == act.you.hole[1][0] and act.max_raise_to:
...         return raise_to(act.max_raise_to)
...     return check() if "CHECK" in act.legal else fold()

In all other games it is an `Ask`, with the table, the same in words, and the legal moves:

>>> def decide_any(ask: Ask) -> GameAnswer:
...     cheap = [move for move in ask.moves if move.text in ("check", "pass", "fold")]
...     return cheap[0] if cheap else ask.moves[-1]

`play(decide, "ws://127.0.0.1:8765/ws", team="Pairs", code="KF7Q9C")` plays this bot until the match is over.
"""

from pitboss.arena.wire.answers import Answer, GameAnswer, call, check, draw, fold, mixed, raise_to, runs
from pitboss.arena.wire.fields import Card
from pitboss.arena.wire.messages import (
    Act,
    Ask,
    BetMessage,
    BringIn,
    CallMessage,
    CheckMessage,
    CommunityCard,
    Config,
    DownCard,
    DrawMessage,
    Eliminated,
    EndHand,
    Error,
    Flop,
    FoldMessage,
    GameView,
    HandEvent,
    Happened,
    Lobby,
    LobbyPlayer,
    MatchEnd,
    Opening,
    PaidAnte,
    PlayerFacts,
    PostAntes,
    PostBlinds,
    PotAward,
    Refund,
    Reveal,
    RevealedHand,
    RiverCard,
    RunMessage,
    RunsMessage,
    SeatStack,
    ServerMessage,
    Showdown,
    Snapshot,
    StartHand,
    TableFacts,
    TurnCard,
    UpCard,
    VoidMessage,
    Welcome,
    You,
)
from pitboss.client.bots import Actor, Bot, GameActor, LoadError, bot_name, load_bot
from pitboss.client.errors import ArenaError, JoinRefused, LeftTable, NotABot, Replaced, Trouble, Unreachable
from pitboss.client.network import Patience, join, play
from pitboss.errors import show_by_public_name
from pitboss.game import TableMove, TableView

__all__ = [
    "Act",
    "Actor",
    "Answer",
    "ArenaError",
    "Ask",
    "BetMessage",
    "Bot",
    "BringIn",
    "CallMessage",
    "Card",
    "CheckMessage",
    "CommunityCard",
    "Config",
    "DownCard",
    "DrawMessage",
    "Eliminated",
    "EndHand",
    "Error",
    "Flop",
    "FoldMessage",
    "GameActor",
    "GameAnswer",
    "GameView",
    "HandEvent",
    "Happened",
    "JoinRefused",
    "LeftTable",
    "LoadError",
    "Lobby",
    "LobbyPlayer",
    "MatchEnd",
    "NotABot",
    "Opening",
    "PaidAnte",
    "Patience",
    "PlayerFacts",
    "PostAntes",
    "PostBlinds",
    "PotAward",
    "Refund",
    "Replaced",
    "Reveal",
    "RevealedHand",
    "RiverCard",
    "RunMessage",
    "RunsMessage",
    "SeatStack",
    "ServerMessage",
    "Showdown",
    "Snapshot",
    "StartHand",
    "TableFacts",
    "TableMove",
    "TableView",
    "Trouble",
    "TurnCard",
    "Unreachable",
    "UpCard",
    "VoidMessage",
    "Welcome",
    "You",
    "bot_name",
    "call",
    "check",
    "draw",
    "fold",
    "join",
    "load_bot",
    "mixed",
    "play",
    "raise_to",
    "runs",
]

show_by_public_name(__name__, globals(), __all__)
