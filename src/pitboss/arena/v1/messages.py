"""The wire: every message of protocol v1 as a type, what a client may send and what the server tells.

Only shapes live here; the protocol page and the JSON Schema are made from these.
"""

from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

from pitboss.arena.v1.base import MOST as MOST
from pitboss.arena.v1.base import Card as Card
from pitboss.arena.v1.base import Chips, Code, Count, Id, Message, Milliseconds, Name, Score, Seat
from pitboss.arena.v1.base import Envelope as Envelope
from pitboss.arena.v1.base import Hash as Hash
from pitboss.arena.v1.events import BetMessage as BetMessage
from pitboss.arena.v1.events import BringIn as BringIn
from pitboss.arena.v1.events import CallMessage as CallMessage
from pitboss.arena.v1.events import CheckMessage as CheckMessage
from pitboss.arena.v1.events import CommunityCard as CommunityCard
from pitboss.arena.v1.events import DownCard as DownCard
from pitboss.arena.v1.events import DrawMessage as DrawMessage
from pitboss.arena.v1.events import Eliminated as Eliminated
from pitboss.arena.v1.events import EventMessage as EventMessage
from pitboss.arena.v1.events import Flop as Flop
from pitboss.arena.v1.events import FoldMessage as FoldMessage
from pitboss.arena.v1.events import Happened as Happened
from pitboss.arena.v1.events import Opening as Opening
from pitboss.arena.v1.events import PaidAnte as PaidAnte
from pitboss.arena.v1.events import PostAntes as PostAntes
from pitboss.arena.v1.events import PostBlinds as PostBlinds
from pitboss.arena.v1.events import PotAward as PotAward
from pitboss.arena.v1.events import Refund as Refund
from pitboss.arena.v1.events import RiverCard as RiverCard
from pitboss.arena.v1.events import Showdown as Showdown
from pitboss.arena.v1.events import TurnCard as TurnCard
from pitboss.arena.v1.events import UpCard as UpCard
from pitboss.arena.v1.events import VoidMessage as VoidMessage
from pitboss.arena.v1.mixing import BoundNumber as BoundNumber
from pitboss.arena.v1.mixing import Mix as Mix
from pitboss.arena.v1.mixing import Number as Number
from pitboss.arena.v1.mixing import OpenedNumber as OpenedNumber

Word = Literal["FOLD", "CHECK", "CALL", "RAISE_TO", "DRAW"]
Phase = Literal[
    "WAITING",
    "PRE_FLOP",
    "FLOP",
    "TURN",
    "RIVER",
    "THIRD_STREET",
    "FOURTH_STREET",
    "FIFTH_STREET",
    "SIXTH_STREET",
    "SEVENTH_STREET",
    "PRE_DRAW",
    "DRAW_1",
    "DRAW_2",
    "DRAW_3",
    "SHOWDOWN",
]
ErrorCode = Literal[
    "BAD_SCHEMA",
    "UNKNOWN_TYPE",
    "TEAM_TAKEN",
    "TEAM_UNKNOWN",
    "TABLE_FULL",
    "INVALID_ACTION",
    "OUT_OF_TURN",
    "ACTION_TOO_LATE",
    "RATE_LIMITED",
    "RESUME_AHEAD",
]
REFUSAL = "Pitboss-Refusal"
"""The header of an HTTP answer in which an arena says why there is no WebSocket for whoever asked."""


# --- from the client


class Hello(Message, frozen=True, kw_only=True, tag="hello"):
    """Who the client is; the first message on every connection."""

    v: Literal[1]
    team: Name
    join_code: Code
    resume_from: Count | None = None  #: the last `seq` the client has seen; later ones are sent again
    next: Hash | None = None  #: binds you to the number that you will mix into the next hand


class Action(Message, frozen=True, kw_only=True, tag="action"):
    """The answer to an `act`."""

    v: Literal[1]
    hand_id: Id
    action: Word
    amount: Chips | None = None  #: for RAISE_TO, the seat's total on this street
    discard: tuple[Card, ...] | None = None  #: for DRAW, the cards to change; none, or absent, stands pat
    turn: Count | None = None  #: the `turn` of the `act` that is answered


class MoveMessage(Message, frozen=True, kw_only=True, tag="move"):
    """The answer to an `ask`."""

    v: Literal[1]
    hand_id: Id
    move: Any  #: what you do, as the game writes it: one of `legal`, or what lies between two of them
    turn: Count | None = None  #: the `turn` of the `ask` that is answered


class Leave(Message, frozen=True, kw_only=True, tag="leave"):
    """The seat takes leave: it is played at once from now on, keeps its chips, and is back with its next message."""

    v: Literal[1]


# --- from the server


class Config(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The table's settings."""

    variant: str
    seats: int
    starting_stack: Chips
    sb: Chips
    bb: Chips
    move_time_ms: Milliseconds
    timeout_policy: Literal["check_call", "check_fold"] | None = None
    max_hands: Count | None = None
    reopening: Literal["cumulative", "always"] | None = None
    ante: Chips | None = None  #: everybody's; 0: stud without one; absent: none, in mixed games each game's own
    bring_in: Chips | None = None  #: stud's forced first bet; absent as the ante
    time_bank_ms: Milliseconds = 0  #: what every seat has beside its turns for the whole match; absent: nothing
    button: Literal["dead"] | None = None  #: `dead`: the big blind moves from seat to seat; absent: the button does
    freeze_out: bool = False  #: whether no team is given a seat once the first hand has begun; absent: one may be


class Welcome(Message, frozen=True, kw_only=True, tag="welcome"):
    """The seat is yours."""

    table_id: Id
    seat: Seat
    config: Config


class LobbyPlayer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody at the table."""

    seat: Seat
    team: str
    connected: bool
    stack: Score
    away: bool = False  #: whether nobody waits for it; absent where somebody does


class Lobby(Message, frozen=True, kw_only=True, tag="lobby"):
    """Who is at the table, told whenever somebody comes or goes."""

    players: tuple[LobbyPlayer, ...]


class SeatStack(Struct, frozen=True, kw_only=True):
    """A seat's chips."""

    seat: Seat
    stack: Score


class StartHand(Message, frozen=True, kw_only=True, tag="start_hand"):
    """A hand begins; `stacks` are before the blinds."""

    hand_id: Id
    seed: Count  #: a public number taken from `commit`; it tells nothing of the deck
    button: Seat
    stacks: tuple[SeatStack, ...]
    commit: Hash  #: binds the server to the deck
    numbers: tuple[OpenedNumber, ...] = ()  #: what clients have mixed into the secret, by seat; absent where none has
    withheld: tuple[Seat, ...] = ()  #: who did not open his number; he is not asked again
    variant: str | None = None  #: in mixed games, which one this hand is, as `config.variant` would call it
    sb_seat: Seat | None = None  #: with a dead button, where the small blind is; a seat that is out posts none
    bb_seat: Seat | None = None  #: with a dead button, who has the big blind
    seq: Count


class You(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What only the asked seat may see, and its own numbers."""

    hole: tuple[Card, ...]
    stack: Chips
    to_call: Chips
    time_ms: Milliseconds
    bank_ms: Milliseconds | None = None  #: what you have left for after that; absent where seats have no bank

    @property
    def whole_ms(self) -> int:
        """How long there is in all: the turn's time, and then the bank."""
        return self.time_ms + (self.bank_ms or 0)


class TableFacts(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The hand's frame; `seats` counts the seats dealt in."""

    sb: Chips
    bb: Chips
    seats: int
    button: Seat
    ante: Chips = 0  #: what everybody has paid as an ante; absent where that is nothing
    bring_in: Chips = 0  #: stud's forced first bet; absent where there are blinds
    variant: str | None = None  #: in mixed games, the hand's game


class PlayerFacts(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What everybody sees of one seat; `committed` is its bet on this street."""

    seat: Seat
    stack: Chips
    has_folded: bool
    committed: Chips
    up: tuple[Card, ...] = ()  #: its cards that lie face up, in the order dealt; absent where none does


class Act(Message, frozen=True, kw_only=True, tag="act"):
    """It is your turn: the private question that an `action` answers."""

    hand_id: Id
    seat: Seat
    phase: Phase
    you: You
    table: TableFacts
    players: tuple[PlayerFacts, ...]
    community: tuple[Card, ...]
    legal: tuple[Word, ...]
    call_amount: Chips | None = None
    min_raise_to: Chips | None = None
    max_raise_to: Chips | None = None
    pot: Chips  #: all chips in the middle, this street's bets among them
    turn: Count  #: the question's number, for `action.turn`


class AskMessage(Message, frozen=True, kw_only=True, tag="ask"):
    """It is your turn in a game that is no poker: the private question that a `move` answers."""

    hand_id: Id
    seat: Seat
    place: Count
    learned: tuple[Any, ...]
    legal: tuple[Any, ...]
    time_ms: Milliseconds
    bank_ms: Milliseconds | None = None  #: what you have left for after that; absent where seats have no bank
    turn: Count


class GameView(Message, frozen=True, kw_only=True, tag="view"):
    """A game that is no poker as you may see it now, after a reconnect; `legal` only if it is your turn."""

    at_hand_id: Id | None
    seat: Seat
    place: Count | None
    learned: tuple[Any, ...]
    stacks: tuple[SeatStack, ...]
    next_actor: Seat | None
    time_ms_remaining: Milliseconds | None
    legal: tuple[Any, ...] | None = None
    bank_ms: Milliseconds | None = None  #: what you have left of your bank; absent where seats have none
    turn: Count | None = None
    seq: Count  #: the last `seq` told


class SnapshotYou(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Your own seat in a snapshot; no `hole` where no cards were dealt to it."""

    seat: Seat
    hole: tuple[Card, ...]
    stack: Chips
    to_call: Chips
    bank_ms: Milliseconds | None = None  #: what you have left of your bank; absent where seats have none


class Snapshot(Message, frozen=True, kw_only=True, tag="snapshot"):
    """The table as you may see it now, after a reconnect; the legal fields only if it is your turn."""

    at_hand_id: Id | None
    phase: Phase
    you: SnapshotYou
    table: TableFacts | None = None
    players: tuple[PlayerFacts, ...]
    community: tuple[Card, ...]
    next_actor: Seat | None
    time_ms_remaining: Milliseconds | None
    legal: tuple[Word, ...] | None = None
    call_amount: Chips | None = None
    min_raise_to: Chips | None = None
    max_raise_to: Chips | None = None
    pot: Chips
    turn: Count | None = None
    seq: Count  #: the last `seq` told


class EndHand(Message, frozen=True, kw_only=True, tag="end_hand"):
    """A hand is over; `chain` is the head of the journal's hash chain."""

    hand_id: Id
    stacks: tuple[SeatStack, ...]
    chain: Hash
    seq: Count


class Winner(Struct, frozen=True, kw_only=True):
    """Who won the match."""

    seat: Seat
    team: str


class FinalStack(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a team ended."""

    seat: Seat
    team: str
    stack: Score
    place: Count | None = None  #: 1 is the first; equal ones are a tie. Absent in records of before


class RevealedHand(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A finished hand's deck and the secret that it and its salts come from."""

    hand_id: Id
    secret: Hash
    deck: str
    server_number: Hash | None = None  #: what the server mixed into the secret; absent where no client has


class Reveal(Message, frozen=True, kw_only=True, tag="reveal"):
    """Decks of the match, told just before `match_end`, some hands a message."""

    hands: tuple[RevealedHand, ...]


class MatchEnd(Message, frozen=True, kw_only=True, tag="match_end"):
    """The match is decided; teams from the most chips down, and of those without any who was out last first."""

    winner: Winner | None
    winners: tuple[Winner, ...] | None = None  #: where the match ends in a tie, who shares the first place
    final_stacks: tuple[FinalStack, ...]
    reason: Literal["last_standing", "too_few", "max_hands"]
    seq: Count


class Error(Message, frozen=True, kw_only=True, tag="error"):
    """A message was not accepted, and nothing has changed."""

    code: ErrorCode
    msg: str
    retry_after_ms: Milliseconds | None = None


# --- to spectators only


class TableMessage(Message, frozen=True, kw_only=True, tag="table"):
    """To a spectator, first: which table this is."""

    table_id: Id
    config: Config


class Turn(Message, frozen=True, kw_only=True, tag="turn"):
    """To a spectator: whose turn it is."""

    hand_id: Id
    seat: Seat
    time_ms: Milliseconds
    bank_ms: Milliseconds | None = None  #: what the seat has left for after that; absent where seats have no bank


class Summary(Struct, frozen=True, kw_only=True):
    """One table in `/api/tables`."""

    table_id: Id
    config: Config
    players: tuple[LobbyPlayer, ...]
    hand_id: Id | None
    phase: Phase | None  #: not told, nor is `hand_id`, where spectators lag behind
    over: bool  #: known where spectators have seen its end
    open: bool  #: whether any new team may take a seat
    free: int  #: how many seats can still be taken, by teams on the organiser's list where there is one
    missing: tuple[Name, ...]  #: teams of that list that have not come yet


ClientMessage: TypeAlias = Hello | Action | MoveMessage | Leave | Number
_Forced: TypeAlias = PostAntes | PostBlinds | BringIn
_Dealt: TypeAlias = Flop | TurnCard | RiverCard | UpCard | DownCard | CommunityCard
_Played: TypeAlias = _Forced | BetMessage | CallMessage | CheckMessage | FoldMessage | _Dealt | DrawMessage
HandEvent: TypeAlias = _Played | Showdown | Refund | PotAward | Eliminated | VoidMessage | Happened
_InPoker: TypeAlias = Welcome | Lobby | StartHand | Act | EndHand | Snapshot | Reveal | MatchEnd | Error
_Named: TypeAlias = _InPoker | Mix | AskMessage | GameView | TableMessage | Turn
ServerMessage: TypeAlias = _Named | HandEvent


class _Head(Struct):
    type: str


_encoder = msgspec.json.Encoder()
_head = msgspec.json.Decoder(_Head)
_events = msgspec.json.Decoder(HandEvent)
_named = msgspec.json.Decoder(_Named)
_EVENT = '{"type":"event",'  # as `write` begins every one, and most messages are one; others may write otherwise


def write(message: ClientMessage | ServerMessage) -> str:
    """A message as it goes over the wire.

    >>> write(Error(code="OUT_OF_TURN", msg="seat 2 is asked"))
    '{"type":"error","v":1,"code":"OUT_OF_TURN","msg":"seat 2 is asked"}'
    """
    return _encoder.encode(message).decode()


def read_server(frame: str | bytes) -> ServerMessage:
    """What the server told; raises `msgspec.DecodeError` where it is nothing that v1 has."""
    begins = frame.startswith(_EVENT) if isinstance(frame, str) else frame.startswith(_EVENT.encode())
    is_event = begins or _head.decode(frame).type == "event"
    message: ServerMessage = (_events if is_event else _named).decode(frame)
    return message
