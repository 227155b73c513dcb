"""Every message of protocol v1 as a type, and how a frame is read and written.

The protocol page and the JSON Schema are made from these types.
"""

import re
from collections.abc import Callable
from functools import partial
from math import ceil
from typing import Annotated, Any, Literal, TypeAlias, cast

import msgspec
from msgspec import Meta, Struct, field

from pitboss.errors import PitbossError

LARGEST_NUMBER = 2**53 - 1
"""The largest whole number that every language reads exactly from JSON."""

Seat: TypeAlias = Annotated[int, Meta(ge=0, le=9)]
Chips: TypeAlias = Annotated[int, Meta(ge=0, le=LARGEST_NUMBER)]
Score: TypeAlias = Annotated[int, Meta(ge=-LARGEST_NUMBER, le=LARGEST_NUMBER)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=LARGEST_NUMBER)]
Milliseconds: TypeAlias = Annotated[int, Meta(ge=0, le=LARGEST_NUMBER)]
Card: TypeAlias = Annotated[str, Meta(pattern="^[2-9TJQKA][cdhs]$")]
Hash: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
# No control characters, nor what turns a line of text round; Python's $ alone would let a last newline pass.
_PRINTABLE = r"^[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]*$(?!\n)"
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64, pattern=_PRINTABLE)]
Code: TypeAlias = Annotated[str, Meta(min_length=1, max_length=128)]
Id: TypeAlias = Annotated[str, Meta(max_length=64)]


# Compiled callables: they are called once per message.
_ONE = cast(Callable[[], Literal[1]], partial(int, 1))
_EVENT_TYPE = cast(Callable[[], Literal["event"]], partial(str, "event"))

REFUSAL = "Pitboss-Refusal"
"""The header of an HTTP answer in which an arena says why there is no WebSocket for whoever asked."""
_EVENT = '{"type":"event",'  # as `write` begins every one, and most messages are one; others may write otherwise
_UNKNOWN_TYPE = re.compile(r"Invalid value '(.*)' - at `\$\.type`", re.DOTALL)
_WANTED = {
    "v": "1",
    "team": "1 to 64 letters, without control characters",
    "join_code": "1 to 128 letters",
    "action": "FOLD, CHECK, CALL, RAISE_TO or DRAW",
    "discard": "a list of cards such as 9d",
    "amount": "a whole number from 0 to 2^53 - 1",
}


class Envelope(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What every message has: `v` is the protocol's version, `ts` is for debugging, `type` says which message it is."""

    v: Literal[1] = field(default_factory=_ONE)  # a factory, because a plain default would be left out
    ts: str | float | None = None


class Message(Envelope, frozen=True, kw_only=True, tag_field="type"):
    """A message that its `type` names."""


class Opening(Struct, frozen=True, kw_only=True):
    """One card opened against `commit`: its place in the deck, its salt, and the hashes beside its way to the root."""

    card: Card
    at: Annotated[int, Meta(ge=0, le=51)]
    salt: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
    path: tuple[Hash, ...]


class EventMessage(Envelope, frozen=True, kw_only=True, tag_field="ev"):
    """What happened; `ev` says what, and each has its own fields."""

    type: Literal["event"] = field(default_factory=_EVENT_TYPE)
    hand_id: Id
    seq: Count


class ContestedPot(Struct, frozen=True, kw_only=True):
    """Chips in the middle, and who can still win them."""

    amount: Chips  #: its chips
    seats: tuple[Seat, ...]  #: who can win it


class OpenHand(Struct, frozen=True, kw_only=True):
    """The cards of a seat, face up."""

    seat: Seat
    cards: tuple[Card, ...]  #: all its cards


class PostBlinds(EventMessage, frozen=True, kw_only=True, tag="POST_BLINDS"):
    """The blinds are in; the posted amounts are less than the blinds where a stack is short."""

    sb_seat: Seat
    bb_seat: Seat
    sb: Chips
    bb: Chips
    sb_posted: Chips
    bb_posted: Chips
    pots: tuple[ContestedPot, ...] = ()  #: the pots after it; absent while there is one, or they are as last sent


class PaidAnte(Struct, frozen=True, kw_only=True):
    """What one seat has paid as its ante."""

    seat: Seat
    amount: Chips


class PostAntes(EventMessage, frozen=True, kw_only=True, tag="POST_ANTES"):
    """The antes are in, each less than `ante` where a stack is short."""

    ante: Chips
    posted: tuple[PaidAnte, ...]  #: what each seat really paid, from the button's left
    pots: tuple[ContestedPot, ...] = ()  #: the pots after it; absent while there is one, or they are as last sent


class BringIn(EventMessage, frozen=True, kw_only=True, tag="BRING_IN"):
    """A seat brings it in: the forced first bet of stud, of `amount` chips moved now."""

    seat: Seat
    amount: Chips
    auto: bool = False  #: the seat's time was up
    pots: tuple[ContestedPot, ...] = ()  #: the pots after it; absent while there is one, or they are as last sent


class UpCard(EventMessage, frozen=True, kw_only=True, tag="UP_CARD"):
    """A seat is dealt a card face up."""

    seat: Seat
    card: Card
    opened: tuple[Opening, ...]


class DownCard(EventMessage, frozen=True, kw_only=True, tag="DOWN_CARD"):
    """In stud a seat is dealt its last card, face down: seventh street begins. Which one, only the seat is told."""

    seat: Seat


class CommunityCard(EventMessage, frozen=True, kw_only=True, tag="COMMUNITY_CARD"):
    """In stud, the deck is too short for everybody's last card: one is dealt to the middle and is everybody's."""

    card: Card
    opened: tuple[Opening, ...]


class DrawMessage(EventMessage, frozen=True, kw_only=True, tag="DRAW"):
    """A seat changes `count` cards; 0 is standing pat. Which ones, only the seat knows."""

    seat: Seat
    count: Annotated[int, Meta(ge=0, le=52)]
    auto: bool = False  #: the seat's time was up


class BetMessage(EventMessage, frozen=True, kw_only=True, tag="BET"):
    """A bet or raise: `amount` chips moved now, `to` the seat's total on this street."""

    seat: Seat
    amount: Chips
    to: Chips
    pots: tuple[ContestedPot, ...] = ()  #: the pots after it; absent while there is one, or they are as last sent


class CallMessage(EventMessage, frozen=True, kw_only=True, tag="CALL"):
    """A call, of `amount` chips moved now."""

    seat: Seat
    amount: Chips
    auto: bool = False  #: the seat's time was up
    pots: tuple[ContestedPot, ...] = ()  #: the pots after it; absent while there is one, or they are as last sent


class CheckMessage(EventMessage, frozen=True, kw_only=True, tag="CHECK"):
    """A check."""

    seat: Seat
    auto: bool = False  #: the seat's time was up


class FoldMessage(EventMessage, frozen=True, kw_only=True, tag="FOLD"):
    """A fold."""

    seat: Seat
    auto: bool = False  #: the seat's time was up
    pots: tuple[ContestedPot, ...] = ()  #: the pots after it; absent while there is one, or they are as last sent


class Flop(EventMessage, frozen=True, kw_only=True, tag="FLOP"):
    """The first three cards in the middle."""

    cards: tuple[Card, ...]
    opened: tuple[Opening, ...]
    hands: tuple[OpenHand, ...] = ()  #: in a run-out on its first card: the hands, turned up before it is dealt


class TurnCard(EventMessage, frozen=True, kw_only=True, tag="TURN"):
    """The fourth card."""

    card: Card
    opened: tuple[Opening, ...]
    hands: tuple[OpenHand, ...] = ()  #: in a run-out on its first card: the hands, turned up before it is dealt


class RiverCard(EventMessage, frozen=True, kw_only=True, tag="RIVER"):
    """The fifth card."""

    card: Card
    opened: tuple[Opening, ...]
    hands: tuple[OpenHand, ...] = ()  #: in a run-out on its first card: the hands, turned up before it is dealt


class Showdown(EventMessage, frozen=True, kw_only=True, tag="SHOWDOWN"):
    """A seat shows its cards; `rank` is what they make with the board, in words."""

    seat: Seat
    hand: tuple[Card, ...]
    board: tuple[Card, ...]
    rank: str
    opened: tuple[Opening, ...]


class Refund(EventMessage, frozen=True, kw_only=True, tag="REFUND"):
    """The uncalled part of a bet goes back to its owner."""

    seat: Seat
    amount: Chips
    pots: tuple[ContestedPot, ...] = ()  #: the pots after it; absent while there is one, or they are as last sent


class PotAward(EventMessage, frozen=True, kw_only=True, tag="POT_AWARD"):
    """A seat wins chips of one pot; 0 is the main pot."""

    seat: Seat
    amount: Chips
    pot: Count
    half: Literal["high", "low"] | None = None  #: which half of it, where a pot is split between high and low


class Eliminated(EventMessage, frozen=True, kw_only=True, tag="ELIMINATED"):
    """A seat has lost its last chip."""

    seat: Seat


class VoidMessage(EventMessage, frozen=True, kw_only=True, tag="HAND_VOIDED"):
    """The hand is taken back and everybody has the chips it began with: its record was damaged."""

    reason: str


class Happened(EventMessage, frozen=True, kw_only=True, tag="HAPPENED"):
    """Something happened in a game that is no poker, as everybody may see it."""

    event: Any


class Number(Message, frozen=True, kw_only=True, tag="number"):
    """The answer to a `mix` that has your seat in its list: your number is opened."""

    v: Literal[1]
    hand_id: Id
    number: Hash  #: the 32 bytes that you are bound to, in hexadecimal
    next: Hash | None = None  #: binds you to the number that you will mix in after this one


class BoundNumber(Struct, frozen=True, kw_only=True):
    """What binds a seat to its number."""

    seat: Seat
    commit: Hash  #: binds the seat to its number


class Mix(Message, frozen=True, kw_only=True, tag="mix"):
    """Server and clients are bound to the numbers that decide the next hand: whoever is in the list opens his."""

    hand_id: Id
    attempt: Count  #: 1, and one more each time that somebody withheld his number
    seats: tuple[Seat, ...]  #: who will be dealt in
    commit: Hash  #: binds the server to its own number
    numbers: tuple[BoundNumber, ...]  #: the seats whose numbers will be mixed in
    withheld: tuple[Seat, ...] = ()  #: who did not open his number in the attempt before; he is not asked again
    seq: Count


class OpenedNumber(Struct, frozen=True, kw_only=True):
    """A number that a seat has opened."""

    seat: Seat
    number: Hash  #: its number


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


class StreetLayout(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is dealt on one street."""

    name: str  #: as `phase` calls it
    hole: Count = 0  #: cards dealt to each seat face down; absent where none is
    up: Count = 0  #: cards dealt to each seat face up, after those; absent where none is
    board: Count = 0  #: cards dealt to the middle; absent where none is
    draw: bool = False  #: whether cards are changed; absent where they are not


class GameLayout(Struct, frozen=True, kw_only=True):
    """A game as a table is drawn for it."""

    variant: str  #: as `config.variant`, in mixed games as `start_hand.variant` calls it
    title: str  #: its name for people
    streets: tuple[StreetLayout, ...]  #: in order


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
    games: tuple[GameLayout, ...] = ()  #: the games played here, mostly one; absent where it is no poker, and in lists


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


class SeatShare(Struct, frozen=True, kw_only=True):
    """What a seat wins on average."""

    seat: Seat
    share: float  #: the share of the pot, from 0 to 1


class EquityStep(Struct, frozen=True, kw_only=True):
    """What each open hand is worth from one event up to the next step's."""

    seq: Count  #: the number of that event
    shares: tuple[SeatShare, ...]  #: by seat that can win; empty where hands are hidden, or the hand is decided


class Equities(Message, frozen=True, kw_only=True, tag="equities"):
    """To a spectator, a moment after a run-out: what the hands that are turned up were worth, card by card.

    It may come after the hand's end, and does not come where nobody could compute it.
    """

    hand_id: Id
    steps: tuple[EquityStep, ...]  #: in order


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
_Named: TypeAlias = _InPoker | Mix | AskMessage | GameView | TableMessage | Turn | Equities
PublicMessage: TypeAlias = StartHand | HandEvent | EndHand | Mix | MatchEnd
"""What everybody at a table is sent, with a running number."""
ServerMessage: TypeAlias = _Named | HandEvent


class _Head(Struct):
    type: str


_encoder = msgspec.json.Encoder()
_head = msgspec.json.Decoder(_Head)
_events = msgspec.json.Decoder(HandEvent)
_named = msgspec.json.Decoder(_Named)


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


class Rejected(PitbossError, ValueError):
    """Something a client may not do: an error code of the protocol and a sentence."""

    def __init__(self, code: ErrorCode, sentence: str, retry_after_ms: int | None = None) -> None:
        super().__init__(sentence)
        self.code: ErrorCode = code
        self.retry_after_ms = retry_after_ms


def milliseconds(seconds: float) -> int:
    """A time as the wire says it: whole, rounded up, never below 0."""
    return max(0, ceil(seconds * 1000))


_decoder = msgspec.json.Decoder(ClientMessage)


def read(frame: str | bytes) -> ClientMessage:
    """What a client sent; raises `Rejected`.

    >>> read('{"type":"action","v":1,"hand_id":"H-1","action":"RAISE_TO","amount":true}')
    Traceback (most recent call last):
    ...
    pitboss.arena.wire.messages.Rejected: must be a whole number from 0 to 2^53 - 1 - at `$.amount`
    """
    try:
        message: ClientMessage = _decoder.decode(frame)
    except msgspec.ValidationError as error:
        unknown = _UNKNOWN_TYPE.fullmatch(str(error))
        if unknown:
            raise Rejected("UNKNOWN_TYPE", f"no message of a client is called {unknown[1]!r:.80}") from None
        raise Rejected("BAD_SCHEMA", _explained(str(error))) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Rejected("BAD_SCHEMA", f"one JSON object a frame, in UTF-8: {error}") from None
    if isinstance(message, Action) and message.action == "RAISE_TO" and message.amount is None:
        raise Rejected("BAD_SCHEMA", "RAISE_TO needs a whole number - at `$.amount`")
    return message


def _explained(sentence: str) -> str:
    """What is wrong with a field, in words that say what it must be."""
    _, at, field = sentence.rpartition(" - at `$.")
    field = field.removesuffix("`").partition("[")[0]
    return f"must be {_WANTED[field]}{at}{field}`" if at and field in _WANTED else sentence
