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

from pitboss.arena.wire.expected import WANTED, explain
from pitboss.arena.wire.fields import (
    Card,
    Chips,
    Code,
    Count,
    EquityStep,
    GameLayout,
    Hash,
    Id,
    Milliseconds,
    Name,
    Probability,
    Score,
    Seat,
)
from pitboss.arena.wire.strategies import MOST_ENTRIES, parts_fault
from pitboss.arena.wire.words import ErrorCode as ErrorCode
from pitboss.arena.wire.words import Phase as Phase
from pitboss.arena.wire.words import Word as Word
from pitboss.errors import PitbossError
from pitboss.game import TableMove, TableView

_ENTRIES = Meta(min_length=1, max_length=MOST_ENTRIES)

# Compiled callables: they are called once per message.
_ONE = cast(Callable[[], Literal[1]], partial(int, 1))
_EVENT_TYPE = cast(Callable[[], Literal["event"]], partial(str, "event"))

REFUSAL = "Pitboss-Refusal"
"""The HTTP header with the reason why the arena refused a WebSocket."""
_EVENT = '{"type":"event",'  # the start of most messages as `write` writes them; other programs may write otherwise
_UNKNOWN_TYPE = re.compile(r"Invalid value '(.*)' - at `\$\.type`", re.DOTALL)


class Envelope(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The fields of every message: `v` is the protocol's version, `ts` is for debugging."""

    v: Literal[1] = field(default_factory=_ONE)  # a factory, because a plain default would be left out
    ts: str | float | None = None


class Message(Envelope, frozen=True, kw_only=True, tag_field="type"):
    """A message with its own `type`."""


class Opening(Struct, frozen=True, kw_only=True):
    """The proof that one card belongs to `commit`: its place in the deck, its salt, and the sibling hashes."""

    card: Card
    at: Annotated[int, Meta(ge=0, le=51)]
    salt: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
    path: tuple[Hash, ...]


class EventMessage(Envelope, frozen=True, kw_only=True, tag_field="ev"):
    """Something that happened in a hand; each `ev` has its own fields."""

    type: Literal["event"] = field(default_factory=_EVENT_TYPE)
    hand_id: Id
    seq: Count


class ContestedPot(Struct, frozen=True, kw_only=True):
    """One pot and the seats that can win it."""

    amount: Chips  #: its chips
    seats: tuple[Seat, ...]  #: the seats that can win it


class OpenHand(Struct, frozen=True, kw_only=True):
    """The face-up cards of a seat."""

    seat: Seat
    cards: tuple[Card, ...]  #: all its cards


class PostBlinds(EventMessage, frozen=True, kw_only=True, tag="POST_BLINDS"):
    """The blinds are posted. A short stack posts less."""

    sb_seat: Seat
    bb_seat: Seat
    sb: Chips
    bb: Chips
    sb_posted: Chips
    bb_posted: Chips
    pots: tuple[ContestedPot, ...] = ()  #: the pots; absent if there is only one, or if they have not changed


class PaidAnte(Struct, frozen=True, kw_only=True):
    """The ante that one seat paid."""

    seat: Seat
    amount: Chips


class PostAntes(EventMessage, frozen=True, kw_only=True, tag="POST_ANTES"):
    """The antes are posted. A short stack posts less."""

    ante: Chips
    posted: tuple[PaidAnte, ...]  #: what each seat paid, from the button's left
    pots: tuple[ContestedPot, ...] = ()  #: the pots; absent if there is only one, or if they have not changed


class BringIn(EventMessage, frozen=True, kw_only=True, tag="BRING_IN"):
    """A seat posts the bring-in, the forced first bet of stud."""

    seat: Seat
    amount: Chips
    auto: bool = False  #: true if the server acted for the seat
    pots: tuple[ContestedPot, ...] = ()  #: the pots; absent if there is only one, or if they have not changed


class UpCard(EventMessage, frozen=True, kw_only=True, tag="UP_CARD"):
    """A seat gets a face-up card."""

    seat: Seat
    card: Card
    opened: tuple[Opening, ...]


class DownCard(EventMessage, frozen=True, kw_only=True, tag="DOWN_CARD"):
    """A seat gets the last card of stud face down. Only the seat sees it."""

    seat: Seat


class CommunityCard(EventMessage, frozen=True, kw_only=True, tag="COMMUNITY_CARD"):
    """In stud, if the deck is too short for the last cards, all seats share this one."""

    card: Card
    opened: tuple[Opening, ...]


class DrawMessage(EventMessage, frozen=True, kw_only=True, tag="DRAW"):
    """A seat changes `count` cards; 0 is standing pat. In a discard it gets no new cards."""

    seat: Seat
    count: Annotated[int, Meta(ge=0, le=52)]
    auto: bool = False  #: true if the server acted for the seat
    cards: tuple[Card, ...] = ()  #: the cards, if the game discards them face up
    opened: tuple[Opening, ...] = ()  #: with `cards`: proof that each card was at its place in the deck


class RunsMessage(EventMessage, frozen=True, kw_only=True, tag="RUNS"):
    """A seat chooses how often the rest of the board is dealt. The smallest choice of all seats counts."""

    seat: Seat
    amount: Annotated[int, Meta(ge=1, le=4)]  #: how often
    auto: bool = False  #: true if the server acted for the seat


class RunMessage(EventMessage, frozen=True, kw_only=True, tag="RUN"):
    """The next community cards and payments belong to another board: a further run, or the next of several boards."""

    number: Annotated[int, Meta(ge=2, le=4)]  #: the number of the board, from 1
    board: tuple[Card, ...]  #: the cards that are on it


class BetMessage(EventMessage, frozen=True, kw_only=True, tag="BET"):
    """A bet or a raise."""

    seat: Seat
    amount: Chips
    to: Chips
    pots: tuple[ContestedPot, ...] = ()  #: the pots; absent if there is only one, or if they have not changed


class CallMessage(EventMessage, frozen=True, kw_only=True, tag="CALL"):
    """A call."""

    seat: Seat
    amount: Chips
    auto: bool = False  #: true if the server acted for the seat
    pots: tuple[ContestedPot, ...] = ()  #: the pots; absent if there is only one, or if they have not changed


class CheckMessage(EventMessage, frozen=True, kw_only=True, tag="CHECK"):
    """A check."""

    seat: Seat
    auto: bool = False  #: true if the server acted for the seat


class FoldMessage(EventMessage, frozen=True, kw_only=True, tag="FOLD"):
    """A fold."""

    seat: Seat
    auto: bool = False  #: true if the server acted for the seat
    pots: tuple[ContestedPot, ...] = ()  #: the pots; absent if there is only one, or if they have not changed


class Flop(EventMessage, frozen=True, kw_only=True, tag="FLOP"):
    """The first three community cards."""

    cards: tuple[Card, ...]
    opened: tuple[Opening, ...]
    hands: tuple[OpenHand, ...] = ()  #: before the first card of a run-out: the hands, face up
    board: Annotated[int, Meta(ge=2, le=4)] | None = None  #: in a game with several boards: not the first, but this one


class TurnCard(EventMessage, frozen=True, kw_only=True, tag="TURN"):
    """The fourth community card."""

    card: Card
    opened: tuple[Opening, ...]
    hands: tuple[OpenHand, ...] = ()  #: before the first card of a run-out: the hands, face up
    board: Annotated[int, Meta(ge=2, le=4)] | None = None  #: in a game with several boards: not the first, but this one


class RiverCard(EventMessage, frozen=True, kw_only=True, tag="RIVER"):
    """The fifth community card."""

    card: Card
    opened: tuple[Opening, ...]
    hands: tuple[OpenHand, ...] = ()  #: before the first card of a run-out: the hands, face up
    board: Annotated[int, Meta(ge=2, le=4)] | None = None  #: in a game with several boards: not the first, but this one


class Showdown(EventMessage, frozen=True, kw_only=True, tag="SHOWDOWN"):
    """A seat shows its cards; `rank` names the hand."""

    seat: Seat
    hand: tuple[Card, ...]
    board: tuple[Card, ...]
    rank: str
    opened: tuple[Opening, ...]
    boards: tuple[tuple[Card, ...], ...] = ()  #: all boards, if there are several; `board` and `rank` are of the first


class Refund(EventMessage, frozen=True, kw_only=True, tag="REFUND"):
    """The uncalled part of a bet is returned."""

    seat: Seat
    amount: Chips
    pots: tuple[ContestedPot, ...] = ()  #: the pots; absent if there is only one, or if they have not changed


class PotAward(EventMessage, frozen=True, kw_only=True, tag="POT_AWARD"):
    """A seat wins chips from one pot."""

    seat: Seat
    amount: Chips
    pot: Count
    half: Literal["high", "low"] | None = None  #: in high-low games, the half of the pot


class Eliminated(EventMessage, frozen=True, kw_only=True, tag="ELIMINATED"):
    """A seat has no chips left."""

    seat: Seat


class StraddleMessage(EventMessage, frozen=True, kw_only=True, tag="STRADDLE"):
    """At a cash table, a seat posts the straddle, a third blind. A short stack posts less."""

    seat: Seat
    amount: Chips


class PostDead(EventMessage, frozen=True, kw_only=True, tag="POST_DEAD"):
    """A seat that missed blinds pays them into the pot. They are not part of its bet."""

    seat: Seat
    amount: Chips


class SatOutMessage(EventMessage, frozen=True, kw_only=True, tag="SAT_OUT"):
    """A seat of a cash table sits out: it is folded, and not dealt in until it returns."""

    seat: Seat
    until: Literal["big_blind"] | None  #: `big_blind`: it returns when it has the big blind; null: until it says so


class SatIn(EventMessage, frozen=True, kw_only=True, tag="SAT_IN"):
    """A seat that sat out is dealt in again."""

    seat: Seat


class LeftMessage(EventMessage, frozen=True, kw_only=True, tag="LEFT"):
    """A team has left the cash table with its chips. A team without chips must leave."""

    seat: Seat
    stack: Chips  #: the chips it took away


class ToppedUpMessage(EventMessage, frozen=True, kw_only=True, tag="TOPPED_UP"):
    """A seat of a cash table has brought more chips."""

    seat: Seat
    amount: Chips  #: the chips it brought


class RakeMessage(EventMessage, frozen=True, kw_only=True, tag="RAKE"):
    """The house takes its part of the pots before they are paid."""

    amount: Chips  #: the chips of all pots together


class VoidMessage(EventMessage, frozen=True, kw_only=True, tag="HAND_VOIDED"):
    """The hand does not count because its record was damaged; every seat has the chips it began with."""

    reason: str


class Happened(EventMessage, frozen=True, kw_only=True, tag="HAPPENED"):
    """A public event of a game that is not poker."""

    event: Any
    text: str | None = None  #: what happened, in words; absent if the text of an event before it includes it


class Number(Message, frozen=True, kw_only=True, tag="number"):
    """Opens your number, in answer to a `mix` that lists your seat."""

    v: Literal[1]
    hand_id: Id
    number: Hash  #: the 32 bytes you committed to, in hexadecimal
    next: Hash | None = None  #: commits you to your next number


class BoundNumber(Struct, frozen=True, kw_only=True):
    """A seat's commitment to its number."""

    seat: Seat
    commit: Hash  #: commits the seat to its number


class Mix(Message, frozen=True, kw_only=True, tag="mix"):
    """The commitments for the next hand's deck: each listed seat now opens its number."""

    hand_id: Id
    attempt: Count  #: 1, and one higher after each attempt in which a seat withheld its number
    seats: tuple[Seat, ...]  #: the seats that will be dealt in
    commit: Hash  #: commits the server to its own number
    numbers: tuple[BoundNumber, ...]  #: the contributing seats
    withheld: tuple[Seat, ...] = ()  #: the seats that withheld their number in the previous attempt
    seq: Count


class OpenedNumber(Struct, frozen=True, kw_only=True):
    """The number that a seat has opened."""

    seat: Seat
    number: Hash  #: its number


# --- from the client


class Hello(Message, frozen=True, kw_only=True, tag="hello"):
    """The first message on every connection: the team and its code."""

    v: Literal[1]
    team: Name
    join_code: Code
    resume_from: Count | None = None  #: the last `seq` you received; later messages are sent again
    next: Hash | None = None  #: commits you to a number for the next hand's shuffle
    learned: Literal["new"] | None = None  #: `new`: an `ask` has only the events since the last `ask` or `view`
    turns: bool = False  #: true: you get `turn` whenever it is the turn of another seat
    tables: bool = False  #: true: you get `table_view` after each change
    ask_table: bool = False  #: true: your `ask` and `view` have the `table`, with each legal move in words
    buy_in: Chips | None = None  #: at a cash table, the chips you bring; absent: the largest buy-in
    seat: Seat | None = None  #: at a cash table, the seat you want; if it is taken, you get another


class WeightedAction(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One action of a mixed strategy, and its probability."""

    action: Word  #: one of `legal`
    p: Probability  #: its probability
    amount: Chips | None = None  #: as in `action`
    discard: tuple[Card, ...] | None = None  #: as in `action`


ActionStrategy: TypeAlias = Annotated[tuple[WeightedAction, ...], _ENTRIES]


class Action(Message, frozen=True, kw_only=True, tag="action"):
    """The answer to an `act`: an `action`, or a `strategy` from which the server draws an action."""

    v: Literal[1]
    hand_id: Id
    action: Word | None = None
    amount: Chips | None = None  #: for `RAISE_TO`: your total on this street; for `RUNS`: 1 to `most_runs`
    discard: tuple[Card, ...] | None = None  #: for `DRAW`: the cards to change, or to discard; absent: stand pat
    turn: Count | None = None  #: the `turn` of the `act`
    strategy: ActionStrategy | None = None  #: instead of `action`: actions with probabilities that add up to 1


class WeightedMove(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One move of a mixed strategy, and its probability."""

    p: Probability  #: its probability
    move: Any = None  #: as in `move`
    index: Count | None = None  #: as in `move`
    amount: Chips | None = None  #: as in `move`


MoveStrategy: TypeAlias = Annotated[tuple[WeightedMove, ...], _ENTRIES]


class MoveMessage(Message, frozen=True, kw_only=True, tag="move"):
    """The answer to an `ask`: a move, or a `strategy` from which the server draws a move."""

    v: Literal[1]
    hand_id: Id
    move: Any = None  #: one of `legal`, or a size between two of them
    turn: Count | None = None  #: the `turn` of the `ask`
    index: Count | None = None  #: instead of `move`: the number of a move in `legal`, from 0
    amount: Chips | None = None  #: with the `index` of a size between two: the size
    strategy: MoveStrategy | None = None  #: instead of `move`: moves with probabilities that add up to 1


class Leave(Message, frozen=True, kw_only=True, tag="leave"):
    """In a match, the seat is away until the team's next message.

    The seat keeps its chips, and the server plays for it at once. At a cash table, the team leaves with
    its chips when its hand is over.
    """

    v: Literal[1]


class ViewRequest(Message, frozen=True, kw_only=True, tag="view"):
    """Asks for a `view` of the game under way, at most once a second."""

    v: Literal[1]


class SitOut(Message, frozen=True, kw_only=True, tag="sit_out"):
    """At a cash table, the seat sits out until `sit_in`."""

    v: Literal[1]
    until: Literal["big_blind"] | None = None  #: `big_blind`: it also returns when it has the big blind


class SitIn(Message, frozen=True, kw_only=True, tag="sit_in"):
    """At a cash table, the seat plays again from the next hand on, and pays the blinds it missed."""

    v: Literal[1]


class TopUp(Message, frozen=True, kw_only=True, tag="top_up"):
    """At a cash table, the seat brings more chips, in the middle of a hand when that hand ends."""

    v: Literal[1]
    amount: Chips  #: the chips you bring


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
    ante: Chips | None = None  #: each seat's ante; absent: none or, in mixed games, the game's own
    bring_in: Chips | None = None  #: stud's forced first bet; absent: as for `ante`
    time_bank_ms: Milliseconds = 0  #: extra time of each seat for the whole match
    button: Literal["dead"] | None = None  #: `dead`: the big blind moves from seat to seat; absent: the button does
    freeze_out: bool = False  #: true: no team gets a seat after the first hand has begun
    away_pace_ms: Milliseconds | None = None  #: least time of a hand with an away seat; absent: 1000
    cash: bool = False  #: true: a cash table, where teams come and go with their chips
    min_buy_in: Chips = 0  #: at a cash table: the smallest buy-in; `starting_stack` is the largest
    rake: Chips = 0  #: at a cash table: the thousandths of the pots that the house takes
    rake_cap: Chips | None = None  #: at a cash table: the most that the house takes of one hand
    straddle: Chips = 0  #: at a cash table: what the seat left of the big blind posts with four or more players
    game: dict[str, Any] | None = None  #: the content of the game file, if the game is from a file
    games: tuple[GameLayout, ...] = ()  #: the poker games of this table; absent in `/api/tables`


class Welcome(Message, frozen=True, kw_only=True, tag="welcome"):
    """You have a seat."""

    table_id: Id
    seat: Seat
    config: Config


class LobbyPlayer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One seat in the lobby."""

    seat: Seat
    team: str
    connected: bool
    stack: Score
    away: bool = False  #: true: the server acts for it at once
    intent: Annotated[int, Meta(ge=0, le=3)] | None = None
    """At a cash table: 0 plays, 1 waits for the big blind, 2 sits out, 3 leaves."""
    owes: Chips | None = None  #: at a cash table: the missed blinds that it pays when it returns
    brought: Chips | None = None  #: at a cash table: the chips that it has brought since it took the seat


class Lobby(Message, frozen=True, kw_only=True, tag="lobby"):
    """The taken seats, sent whenever a team comes or goes."""

    players: tuple[LobbyPlayer, ...]


class SeatStack(Struct, frozen=True, kw_only=True):
    """A seat's chips."""

    seat: Seat
    stack: Score


class StartHand(Message, frozen=True, kw_only=True, tag="start_hand"):
    """A hand begins."""

    hand_id: Id
    seed: Count  #: a public number made from `commit`; it does not reveal the deck
    button: Seat
    stacks: tuple[SeatStack, ...]
    commit: Hash  #: commits the server to the deck
    numbers: tuple[OpenedNumber, ...] = ()  #: the numbers that clients contributed, by seat
    withheld: tuple[Seat, ...] = ()  #: the seats that withheld their number; they are not asked again
    variant: str | None = None  #: in mixed games: this hand's game
    sb_seat: Seat | None = None  #: with a dead button: the small blind's seat, which may be out
    bb_seat: Seat | None = None  #: with a dead button: the big blind's seat
    seq: Count


class You(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The private part of a question."""

    hole: tuple[Card, ...]
    stack: Chips
    to_call: Chips
    time_ms: Milliseconds
    bank_ms: Milliseconds | None = None  #: your time bank, used after `time_ms`

    @property
    def whole_ms(self) -> int:
        """The turn's time plus the time bank."""
        return self.time_ms + (self.bank_ms or 0)


class TableFacts(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The stakes and the button of a hand."""

    sb: Chips
    bb: Chips
    seats: int
    button: Seat
    ante: Chips = 0  #: the ante
    bring_in: Chips = 0  #: stud's forced first bet
    variant: str | None = None  #: in mixed games: the hand's game


class PlayerFacts(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The public part of one seat."""

    seat: Seat
    stack: Chips
    has_folded: bool
    committed: Chips
    up: tuple[Card, ...] = ()  #: its face-up cards in dealing order


class Act(Message, frozen=True, kw_only=True, tag="act"):
    """Your turn: a private question. Answer with `action`."""

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
    must_discard: Count | None = None  #: with `DRAW`: you discard this number of cards and get no new ones
    most_runs: Count | None = None  #: with `RUNS`: the board can be dealt this often; the smallest answer counts
    boards: tuple[tuple[Card, ...], ...] = ()  #: all boards, if there are several; `community` is the first
    pot: Chips  #: all chips in the middle, with this street's bets
    turn: Count  #: the question's number, for `action.turn`
    history: "tuple[HandEvent, ...]" = ()
    """The events of the hand so far. `pitboss.client` and `pitboss arena play` fill it; servers do not send it."""

    @property
    def whole_ms(self) -> int:
        """The turn's time plus the time bank."""
        return self.you.whole_ms


class Ask(Message, frozen=True, kw_only=True, tag="ask"):
    """Your turn in a game that is not poker. Answer with `move`."""

    hand_id: Id
    seat: Seat
    place: Count
    learned: tuple[Any, ...]
    learned_from: Count | None = None  #: how many earlier events are left out; absent: none
    legal: tuple[Any, ...]
    time_ms: Milliseconds
    bank_ms: Milliseconds | None = None  #: your time bank, used after `time_ms`
    turn: Count
    text: str | None = None  #: what you see, in words
    rules: str | None = None  #: the rules in English, in the first `ask` of a connection
    default: Count | None = None  #: the number in `legal` of the move that is made if you do not answer
    table: TableView | None = None  #: the table as you see it, if you sent `ask_table` in `hello`

    @property
    def whole_ms(self) -> int:
        """The turn's time plus the time bank."""
        return self.time_ms + (self.bank_ms or 0)

    @property
    def moves(self) -> tuple[TableMove, ...]:
        """The legal moves, each with its number, its words and its cards. A server's older version sends no words."""
        if self.table is not None and self.table.moves is not None:
            return self.table.moves
        return tuple([_bare_move(index, move) for index, move in enumerate(self.legal)])


def _bare_move(index: int, move: Any) -> TableMove:
    text = move if isinstance(move, str) else _encoder.encode(move).decode()
    return TableMove(index=index, text=text, cards=(), zone=None, move=move, least=None, most=None)


class GameView(Message, frozen=True, kw_only=True, tag="view"):
    """A game that is not poker, as you see it, after a reconnect or a request; with `legal` if it is your turn."""

    at_hand_id: Id | None
    seat: Seat
    place: Count | None
    learned: tuple[Any, ...]
    stacks: tuple[SeatStack, ...]
    next_actor: Seat | None
    time_ms_remaining: Milliseconds | None
    legal: tuple[Any, ...] | None = None
    bank_ms: Milliseconds | None = None  #: your time bank
    turn: Count | None = None
    seq: Count  #: the last `seq` sent
    text: str | None = None  #: what you see, in words, if it is your turn
    default: Count | None = None  #: as in `ask`
    table: TableView | None = None  #: as in `ask`


class TableViewMessage(Message, frozen=True, kw_only=True, tag="table_view"):
    """The table of any game as you see it, after each change.

    Spectators get it at every table that does not play poker, players if they ask for it in `hello`. It needs no
    knowledge of the game: the table has everything that a program needs to draw it.
    """

    hand_id: Id
    table: TableView
    seq: Count  #: the last `seq` of the change


class SnapshotYou(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Your own seat in a snapshot."""

    seat: Seat
    hole: tuple[Card, ...]
    stack: Chips
    to_call: Chips
    bank_ms: Milliseconds | None = None  #: your time bank


class Snapshot(Message, frozen=True, kw_only=True, tag="snapshot"):
    """The table as you see it after a reconnect; with `legal` and the amounts if it is your turn."""

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
    must_discard: Count | None = None  #: as in `act`
    most_runs: Count | None = None  #: as in `act`
    boards: tuple[tuple[Card, ...], ...] = ()  #: all boards, if there are several; `community` is the first
    pot: Chips
    turn: Count | None = None
    seq: Count  #: the last `seq` sent


class EndHand(Message, frozen=True, kw_only=True, tag="end_hand"):
    """A hand is over."""

    hand_id: Id
    stacks: tuple[SeatStack, ...]
    chain: Hash
    seq: Count


class Winner(Struct, frozen=True, kw_only=True):
    """The winner of a match."""

    seat: Seat
    team: str


class FinalStack(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A team's final result."""

    seat: Seat
    team: str
    stack: Score
    place: Count | None = None  #: 1 is first; teams that tie have the same place. Absent in old records


class RevealedHand(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The deck and the secret of a finished hand."""

    hand_id: Id
    secret: Hash
    deck: str
    server_number: Hash | None = None  #: the server's number, if clients contributed


class Reveal(Message, frozen=True, kw_only=True, tag="reveal"):
    """The decks of some hands of the match, sent just before `match_end`."""

    hands: tuple[RevealedHand, ...]


class MatchEnd(Message, frozen=True, kw_only=True, tag="match_end"):
    """The match is over."""

    winner: Winner | None
    winners: tuple[Winner, ...] | None = None  #: for a tie: the teams in first place
    final_stacks: tuple[FinalStack, ...]
    reason: Literal["last_standing", "too_few", "max_hands"]
    seq: Count


class Error(Message, frozen=True, kw_only=True, tag="error"):
    """A message was not accepted, and nothing changed."""

    code: ErrorCode
    msg: str
    retry_after_ms: Milliseconds | None = None


# --- to spectators only


class TableMessage(Message, frozen=True, kw_only=True, tag="table"):
    """The first message to a spectator: the table."""

    table_id: Id
    config: Config


class Turn(Message, frozen=True, kw_only=True, tag="turn"):
    """The seat to act; also sent to players that ask for it in `hello`."""

    hand_id: Id
    seat: Seat
    time_ms: Milliseconds
    bank_ms: Milliseconds | None = None  #: the seat's time bank


class Equities(Message, frozen=True, kw_only=True, tag="equities"):
    """The equities of the face-up hands in a run-out. It can come after the hand's end, or not at all."""

    hand_id: Id
    steps: tuple[EquityStep, ...]  #: in order


CashRequest: TypeAlias = Leave | SitOut | SitIn | TopUp
"""What a seat of a cash table can ask for at any time."""


ClientMessage: TypeAlias = Hello | Action | MoveMessage | CashRequest | Number | ViewRequest
_Forced: TypeAlias = PostAntes | PostBlinds | BringIn
_Dealt: TypeAlias = Flop | TurnCard | RiverCard | UpCard | DownCard | CommunityCard
_Chosen: TypeAlias = DrawMessage | RunsMessage | RunMessage
_Played: TypeAlias = _Forced | BetMessage | CallMessage | CheckMessage | FoldMessage | _Dealt | _Chosen
CashEvent: TypeAlias = SatOutMessage | SatIn | LeftMessage | ToppedUpMessage | PostDead | StraddleMessage | RakeMessage
"""What only happens at cash tables."""
HandEvent: TypeAlias = _Played | Showdown | Refund | PotAward | Eliminated | VoidMessage | Happened | CashEvent
_InPoker: TypeAlias = Welcome | Lobby | StartHand | Act | EndHand | Snapshot | Reveal | MatchEnd | Error
_Named: TypeAlias = _InPoker | Mix | Ask | GameView | TableViewMessage | TableMessage | Turn | Equities
PublicMessage: TypeAlias = StartHand | HandEvent | EndHand | Mix | MatchEnd
"""The messages that all at a table receive; each has a `seq`."""
ServerMessage: TypeAlias = _Named | HandEvent


class _Head(Struct):
    type: str


_encoder = msgspec.json.Encoder()
_head = msgspec.json.Decoder(_Head)
_events = msgspec.json.Decoder(HandEvent)
_named = msgspec.json.Decoder(_Named)


def write(message: ClientMessage | ServerMessage) -> str:
    """Return a message as JSON.

    >>> write(Error(code="OUT_OF_TURN", msg="seat 2 is asked"))
    '{"type":"error","v":1,"code":"OUT_OF_TURN","msg":"seat 2 is asked"}'
    """
    return _encoder.encode(message).decode()


def read_server(frame: str | bytes) -> ServerMessage:
    """Read a message of the server. Raises `msgspec.DecodeError` if version 1 does not have it."""
    begins = frame.startswith(_EVENT) if isinstance(frame, str) else frame.startswith(_EVENT.encode())
    is_event = begins or _head.decode(frame).type == "event"
    message: ServerMessage = (_events if is_event else _named).decode(frame)
    return message


class Rejected(PitbossError, ValueError):
    """An error code of the protocol and a sentence, for a client's message that is not accepted."""

    def __init__(self, code: ErrorCode, sentence: str, retry_after_ms: int | None = None) -> None:
        super().__init__(sentence)
        self.code: ErrorCode = code
        self.retry_after_ms = retry_after_ms


def milliseconds(seconds: float) -> int:
    """Return a time in whole milliseconds, rounded up, at least 0."""
    return max(0, ceil(seconds * 1000))


_decoder = msgspec.json.Decoder(ClientMessage)


def read(frame: str | bytes) -> ClientMessage:
    """Read a client's message; raise `Rejected` if it is not valid.

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
        raise Rejected("BAD_SCHEMA", explain(str(error))) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Rejected("BAD_SCHEMA", f"expected one JSON object per frame, in UTF-8: {error}") from None
    if isinstance(message, Action | MoveMessage) and message.strategy is not None:
        if fault := parts_fault(message):
            raise Rejected("BAD_SCHEMA", f"{fault} - at `$.strategy`")
        if any(isinstance(each, WeightedAction) and _lacks_amount(each) for each in message.strategy):
            raise Rejected("BAD_SCHEMA", "RAISE_TO needs a whole number - at `$.strategy[...].amount`")
    elif isinstance(message, Action) and message.action is None:
        raise Rejected("BAD_SCHEMA", f"must be {WANTED['action']} - at `$.action`")
    elif isinstance(message, Action) and _lacks_amount(message):
        raise Rejected("BAD_SCHEMA", "RAISE_TO needs a whole number - at `$.amount`")
    return message


def _lacks_amount(answer: Action | WeightedAction) -> bool:
    return answer.action == "RAISE_TO" and answer.amount is None
