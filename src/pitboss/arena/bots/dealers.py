"""What bots play without a server, deal after deal: hands of poker, or any other game, as its host plays it.

Every deal begins with equal stacks. The messages are those that a server sends.
"""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from hashlib import sha256
from typing import Any, Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pitboss.arena.hosts.host import AskParts, HandPlan
from pitboss.arena.hosts.moves import MovesHost
from pitboss.arena.wire import poker as poker_wire
from pitboss.arena.wire.answers import Question
from pitboss.arena.wire.events import HandEvents
from pitboss.arena.wire.messages import (
    Action,
    Config,
    HandEvent,
    MoveMessage,
    PublicMessage,
    SeatStack,
    StartHand,
)
from pitboss.cards import DECK, Card
from pitboss.chance import Chance
from pitboss.game import PlayersTurn
from pitboss.hand.events import Event
from pitboss.hand.game_file import OWN_CODE, game_fields
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Structure
from pitboss.records.record import Record, record_hand
from pitboss.records.table_fields import Toml
from pitboss.table.mixed import Mixed, games_of
from pitboss.table.stakes import TableStakes
from pitboss.table.table import Table

MIXED_FIELD = "_strategies"
"""The field of a recorded hand with the mixed strategies of its players."""
NO_HASH = "0" * 64
"""A placeholder for commitments in messages, which exist only with a server."""


_decode = msgspec.json.decode


class OfflineStakes(Struct, frozen=True, kw_only=True):
    """The chips of each bot at the start of a deal, and the blinds of poker."""

    stack: int = 10_000
    small_blind: int = 50
    big_blind: int = 100


class Shuffler(Protocol):
    """Shuffles decks: a `Chance`, or decks that come from a key."""

    def shuffled(self, items: Iterable[Card], count: int | None = None) -> tuple[Card, ...]:
        """Shuffle the items and return the first `count` of them (default all)."""
        ...

    def fork(self, label: int) -> Chance:
        """Return random numbers for another purpose. The decks do not depend on how many of them are used."""
        ...


class OfflineDeal(Protocol):
    """A deal under way."""

    @property
    def messages(self) -> Sequence[PublicMessage]:
        """Its first messages."""

    @property
    def to_act(self) -> int | None:
        """The seat that acts next; None if the deal is over."""

    def question(self, turn: int, time_ms: int) -> Question:
        """Return the question to the seat that acts next."""

    def position(self) -> bytes:
        """Return what a house bot needs besides the question; empty in poker."""

    def note_strategy(self, seat: int, reply: Action | MoveMessage) -> None:
        """Note a mixed strategy, from which the next answer was drawn, for the record."""

    def act(self, seat: int, reply: Action | MoveMessage, seq: int) -> list[PublicMessage]:
        """Play an answer; return the messages about it, numbered from `seq`."""

    @property
    def stacks(self) -> dict[int, int]:
        """The chips of each seat after the deal."""

    def record(self, names: Sequence[str]) -> Record | None:
        """Return the record of a hand of poker; None for other games."""


class OfflineDealer(Protocol):
    """Deals one deal after the other at one table. `button` is the seat that is last to act in the first deal."""

    scale: float  #: what a result per deal is multiplied by: in poker for big blinds per 100 hands, otherwise 1
    games: Mixed  #: the games in turn; replicas keep the game of each deck

    def deal(self, chance: Shuffler, hand_id: str, seq: int) -> OfflineDeal:
        """Begin the next deal; its messages are numbered from `seq`."""

    def config(self, move_time_ms: int) -> Config:
        """Return the settings of the table, as in `welcome`."""


def dealer_of(game: Mixed | Structure | MovesHost, seats: int, stakes: OfflineStakes, button: int) -> OfflineDealer:
    """Return the dealer of a game."""
    if isinstance(game, Mixed | Structure):
        return PokerDealer(game, seats, stakes, button)
    return GameDealer(game, seats, stakes, button)


# --- poker


class PokerDealer:
    """Deals hands of poker. Button and blinds move as in a match."""

    def __init__(self, games: Mixed | Structure, seats: int, stakes: OfflineStakes, button: int) -> None:
        self._seats, self._stakes = seats, stakes
        blinds = TableStakes(small_blind=stakes.small_blind, big_blind=stakes.big_blind)
        table = Table.open(blinds, game=games, seat_count=seats, moving="button")
        for seat in range(seats):
            table = table.sit(str(seat), stakes.stack, seat=seat)
        self._table = replace(table, button=range(seats)[button - 1])
        self.games, self.scale = table.games, 100 / stakes.big_blind
        self._mixed = len(table.games.games) > 1

    def deal(self, chance: Shuffler, hand_id: str, seq: int) -> "PokerDeal":
        """Deal the next hand."""
        set_up = self._table.next()
        dealt = set_up.deal(self._draw(set_up.structure, chance))
        variant = poker_wire.variant_of(dealt.hand.structure) if self._mixed else None
        deal = PokerDeal(dealt.table, dealt.hand, dealt.events, self._stakes.stack, variant, hand_id, seq)
        # Winnings leave the table: every bot begins the next hand with the same chips.
        again = dict.fromkeys(deal.order, self._stakes.stack)
        self._table = dealt.table.after(again, hand=dealt.table.hand, button=deal.order[-1])
        return deal

    def _draw(self, structure: Structure, chance: Shuffler) -> tuple[Card, ...]:
        """Return all cards of the next deck that a hand can need.

        This is the whole deck if there are up-cards or draws.
        """
        whole = structure.draws or bool(structure.faces)
        players = self._seats
        runs = structure.runs_for(players, structure.most_runs)
        needed = structure.dealt_to_each * players + runs * structure.board_cards
        return chance.shuffled(structure.deck, None if whole else needed)

    def config(self, move_time_ms: int) -> Config:
        """Return the settings of the table, with the layouts of its games."""
        games, stakes = self._table.games, self._stakes
        structures = [game.structure for game in games.games]
        return Config(
            variant=games.key if self._mixed else poker_wire.variant_of(structures[0]),
            seats=self._seats,
            starting_stack=stakes.stack,
            sb=stakes.small_blind,
            bb=stakes.big_blind,
            move_time_ms=move_time_ms,
            games=tuple(map(poker_wire.layout_of, structures)),
            game=game_fields(structures[0]) if structures[0].code == OWN_CODE else None,
        )


class PokerDeal:
    """A hand of poker under way."""

    def __init__(
        self,
        table: Table,
        hand: Hand,
        events: Iterable[Event],
        stack: int,
        variant: str | None,
        hand_id: str,
        seq: int,
    ) -> None:
        self._hand, self._events, self._stack, self._hand_id = hand, list(events), stack, hand_id
        self.order = table.order
        self._mixed: list[Toml] = []  # the mixed strategies of this hand
        self._decisions = 0
        self._frame = poker_wire.TableFrame.of(hand.structure, table.now, variant)
        self._writer = HandEvents(hand_id, self.order, [stack] * len(self.order), hand.structure, self._frame)
        self._history: list[HandEvent] = self._writer.begin(self._events, seq + 1)
        self.messages: Sequence[PublicMessage] = [self._started(variant, seq), *self._history]

    @property
    def to_act(self) -> int | None:
        """The seat that acts next; None if the hand is over."""
        turn = self._hand.turn
        return self.order[turn.place] if isinstance(turn, PlayersTurn) else None

    def question(self, turn: int, time_ms: int) -> Question:
        """Return the `act`, with the events so far."""
        act = poker_wire.question(
            self._hand, self.order, hand_id=self._hand_id, turn=turn, time_ms=time_ms, frame=self._frame
        )
        return replace(act, history=tuple(self._history))

    def position(self) -> bytes:
        """Return nothing: an `act` has everything."""
        return b""

    def note_strategy(self, seat: int, reply: Action | MoveMessage) -> None:
        """Note a mixed strategy for the record."""
        assert isinstance(reply, Action)
        self._mixed.append(_recorded(reply, self._decisions, self.order.index(seat)))

    def act(self, seat: int, reply: Action | MoveMessage, seq: int) -> list[PublicMessage]:
        """Play an action."""
        self._decisions += 1
        assert isinstance(reply, Action)
        self._hand, happened = self._hand.act(poker_wire.requested_action(reply, self._hand))
        self._events += happened
        messages = self._writer.public(happened, seq)
        self._history += messages
        return [*messages]

    @property
    def stacks(self) -> dict[int, int]:
        """The chips of each seat after the hand."""
        return dict(zip(self.order, self._hand.stacks, strict=True))

    def record(self, names: Sequence[str]) -> Record:
        """Return the record of the hand."""
        record = record_hand([self._stack] * len(self.order), self._hand, self._events)
        return replace(
            record,
            user={**record.user, MIXED_FIELD: tuple(self._mixed)} if self._mixed else record.user,
            seats=tuple(seat + 1 for seat in self.order),
            seat_count=len(self.order),
            players=tuple(names[seat] for seat in self.order),
        )

    def _started(self, variant: str | None, seq: int) -> StartHand:
        stacks = tuple([SeatStack(seat=seat, stack=self._stack) for seat in sorted(self.order)])
        return StartHand(
            hand_id=self._hand_id,
            seed=0,
            button=self.order[-1],
            stacks=stacks,
            commit=NO_HASH,
            variant=variant,
            seq=seq,
        )


def _recorded(answer: Action, at: int, place: int) -> Mapping[str, Toml]:
    """Return a mixed strategy as a field of a recorded hand: the decision's number from 0, the player from 1."""
    mixed: list[Toml] = []
    for entry in answer.strategy or ():
        fields: dict[str, Toml] = {"action": entry.action, "p": Decimal(str(float(entry.p)))}
        fields |= {} if entry.amount is None else {"amount": entry.amount}
        mixed.append(fields | ({} if entry.discard is None else {"discard": entry.discard}))
    return {"at": at, "player": place + 1, "strategy": tuple(mixed)}


# --- other games


class GameDealer:
    """Deals any game that is not poker. The place of each seat changes from game to game."""

    def __init__(self, host: MovesHost, seats: int, stakes: OfflineStakes, button: int) -> None:
        self._host, self._seats, self._stack = host, seats, stakes.stack
        self.games, self.scale = games_of(NO_LIMIT_HOLDEM), 1.0  # all decks are of one game, whichever it is
        host.set_button(range(seats)[button - 1])

    def deal(self, chance: Shuffler, hand_id: str, seq: int) -> "GameDeal":
        """Begin the next game. All its random choices come from one shuffled deck."""
        for seat in range(self._seats):  # winnings leave the table
            self._host.sit(seat, self._stack)
        secret = sha256("".join(chance.shuffled(DECK)).encode()).digest()
        return GameDeal(self._host, secret, hand_id, seq)

    def config(self, move_time_ms: int) -> Config:
        """Return the settings of the table."""
        host = self._host
        return Config(
            variant=host.variant,
            seats=self._seats,
            starting_stack=self._stack,
            sb=0,
            bb=0,
            move_time_ms=move_time_ms,
            game=host.own_game,
        )


class GameDeal:
    """A game other than poker under way."""

    def __init__(self, host: MovesHost, secret: bytes, hand_id: str, seq: int) -> None:
        self._host, self._hand_id = host, hand_id
        step = host.start(secret, HandPlan(number=1, hand_id=hand_id, seq=seq))
        self.messages: Sequence[PublicMessage] = step.messages
        self._result = step.result
        self._learned: dict[int, list[Any]] = {}  # by seat, the events that it can see

    @property
    def to_act(self) -> int | None:
        """The seat that acts next; None if the game is over."""
        return self._host.to_act

    def question(self, turn: int, time_ms: int) -> Question:
        """Return the `ask` with everything that it can contain."""
        seat = self.to_act
        assert seat is not None
        learned = self._learned.setdefault(seat, [])
        parts = AskParts(since=len(learned), rules=True, table=True)
        ask = self._host.question(self._hand_id, turn, time_ms, parts=parts)
        learned += map(_decode, ask.learned)
        return replace(ask, learned=tuple(learned), learned_from=None, legal=tuple(map(_decode, ask.legal)))

    def position(self) -> bytes:
        """Return the game as the seat to act sees it."""
        return self._host.position()

    def note_strategy(self, seat: int, reply: Action | MoveMessage) -> None:
        """Do nothing, because only poker has records of hands."""

    def act(self, seat: int, reply: Action | MoveMessage, seq: int) -> list[PublicMessage]:
        """Play a move."""
        step = self._host.act(seat, reply, seq)
        self._result = step.result
        return step.messages

    @property
    def stacks(self) -> dict[int, int]:
        """The chips or points of each seat after the game."""
        assert self._result is not None, "the game is over"
        return self._result

    def record(self, names: Sequence[str]) -> None:
        """Return None, because only poker has records of hands."""
