"""Any game of `game.py` at a table, hosted by its moves: a seat is asked with what it has learned and what is legal.

The last place goes round from game to game, so that everybody has every place. A game's results are added to the chips
that everybody sat down with; they are points where the game has no chips.
"""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

import msgspec

from pitboss.arena.hosts.host import NewHand, NextNumber
from pitboss.arena.journal.history import HandHistory, HistoryError, order_of
from pitboss.arena.journal.records import Acted, Cause, HandStarted, TimeoutPolicy
from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.messages import Rejected
from pitboss.betting.refusals import Refused
from pitboss.chance import Chance
from pitboss.errors import PitbossError
from pitboss.game import GameType, Over, PlayersTurn


class MovesHost:
    """A table of one type of game."""

    def __init__(self, game: GameType[Any, Any, Any]) -> None:
        self.game = game
        self.state: Any = None  #: of the game under way
        self.result: dict[int, int] | None = None
        self._stacks: dict[int, int] = {}  # everybody's, between games
        self._order: tuple[int, ...] = ()  # the seat of each place
        self._events: list[Any] = []  # all that happened in the game under way
        self._button: int | None = None  # the seat of the last place
        self._button_before: int | None = None
        self._hand_id = ""

    @property
    def variant(self) -> str:
        """The game's name."""
        return self.game.name

    @property
    def places(self) -> range:
        """How many may play."""
        return self.game.places

    @property
    def blinds(self) -> tuple[int, int]:
        """None: a game that stakes something says it by its events."""
        return 0, 0

    @property
    def antes(self) -> tuple[None, None]:
        """None."""
        return None, None

    @property
    def asked(self) -> int | None:
        """The seat that is asked."""
        turn = None if self.state is None else self.state.turn
        return self._order[turn.place] if isinstance(turn, PlayersTurn) else None

    @property
    def phase(self) -> None:
        """No two games call their phases alike."""
        return None

    # --- what is played

    def sit(self, seat: int, stack: int) -> None:
        """Somebody has a seat now."""
        self._stacks[seat] = stack

    def start(self, secret: bytes) -> NewHand:
        """Begin the next game."""
        seats = sorted(seat for seat, stack in self._stacks.items() if stack > 0)
        last = self._button
        button = next((seat for seat in seats if last is not None and seat > last), seats[0])
        state, events = self.game.start(len(seats), _chance(secret))
        first = seats.index(button) + 1
        self._order, self._button, self._button_before = (*seats[first:], *seats[:first]), button, last
        self.state, self.result, self._events = state, None, list(events)
        stacks = {seat: self._stacks[seat] for seat in seats}
        self._settle()
        return NewHand(button, stacks, "", self._write(events), self.result)

    def answer(self, seat: int, message: wire.Action | wire.MoveMessage) -> Acted:
        """A seat's answer; raises `Rejected` where the game refuses it."""
        if isinstance(message, wire.Action):
            raise Rejected("INVALID_ACTION", f"{self.game.name} is answered by a `move`, not by an `action`")
        try:
            return self._act(seat, self.game.read_action(msgspec.json.encode(message.move)), "client")
        except Refused as refusal:
            order = self._order
            raise Rejected("INVALID_ACTION", refusal.format(name=lambda place: f"seat {order[place]}")) from None
        except PitbossError as error:
            raise Rejected("INVALID_ACTION", str(error)) from None

    def answer_in_absence(self, seat: int, policy: TimeoutPolicy) -> Acted:
        """What the game plays for who does not answer."""
        return self._act(seat, self.game.in_absence(self.state), "timeout")

    def in_absence(self, policy: TimeoutPolicy) -> Any:
        """What that is, as it is written."""
        return msgspec.json.decode(self.game.write_action(self.game.in_absence(self.state)))

    def void(self) -> None:
        """Take the game back; where none is under way the places stay."""
        if self.state is not None:
            self.state, self._button = None, self._button_before

    def _act(self, seat: int, action: Any, cause: Cause) -> Acted:
        self.state, events = self.state.act(action, self._order.index(seat))
        self._events += events
        self._settle()
        written = msgspec.json.decode(self.game.write_action(action))
        return Acted(seat=seat, action=written, cause=cause, events=self._write(events), result=self.result)

    def _settle(self) -> None:
        """Once the game is over, add up what it came to."""
        if self.asked is None:
            self.result = self._came_to(self.state, self._stacks, self._order)
            self._stacks |= self.result
            self.state = None

    def _came_to(self, state: Any, stacks: Mapping[int, int], order: Sequence[int]) -> dict[int, int]:
        """Everybody's chips by seat after a finished game."""
        return {seat: stacks[seat] + won for seat, won in zip(order, self.game.result(state), strict=True)}

    def _write(self, events: Any) -> tuple[Any, ...]:
        return tuple([msgspec.json.decode(self.game.write_event(event)) for event in events])

    def _read(self, event: Any) -> Any:
        return self.game.read_event(msgspec.json.encode(event))

    # --- out of the journal

    def play_again(self, acted: Acted) -> Acted:
        """Do again what a record says."""
        if self.state is None or acted.seat not in self._order:
            raise HistoryError(f"seat {acted.seat} is in no game")
        return self._act(acted.seat, self.game.read_action(msgspec.json.encode(acted.action)), acted.cause)

    def read_started(self, started: HandStarted) -> HandStarted:
        """A record is compared as it is written."""
        return started

    def read_acted(self, acted: Acted) -> Acted:
        """A record is compared as it is written."""
        return acted

    def take_finished(self, hand: HandHistory) -> None:
        """Go on from a game that was played before."""
        self._stacks |= hand.stacks
        self._button = hand.started.button

    def faults(self, hand: HandHistory) -> Iterator[str]:
        """Whether it began as its secret decides, and where that is all of it, came to what it should."""
        started = hand.started
        state, events = self.game.start(len(started.stacks), _chance(bytes.fromhex(started.secret)))
        if self._write(events) != tuple(started.events):
            yield "it did not begin as its secret decides"
        elif isinstance(state.turn, Over) and started.result != self._came_to(state, started.stacks, hand.order):
            yield "it did not come out as its secret decides"

    def audit(self, brought: int) -> None:
        """Points are made and lost by the game's own rules: there is nothing to count."""

    # --- what is sent

    def commit(self, started: HandStarted) -> str:
        """A hash of the secret, from which the whole game follows."""
        self._hand_id = started.hand_id
        self._order = order_of(started)
        return commit_to(bytes.fromhex(started.secret))

    def revealed(self, secret: bytes) -> str:
        """The secret says it all."""
        return ""

    def messages(self, record: HandStarted | Acted, number: NextNumber) -> list[wire.ServerMessage]:
        """Every event that a spectator learns of, as he may see it."""
        seen = [self.game.view_event(self._read(event), None) for event in record.events]
        return [
            wire.Happened(hand_id=self._hand_id, seq=number(), event=msgspec.Raw(self.game.write_event(event)))
            for event in seen
            if event is not None
        ]

    def question(self, hand_id: str, turn: int, time_ms: int, bank_ms: int | None = None) -> wire.AskMessage:
        """The `ask` for the seat that is asked."""
        seat = self.asked
        assert seat is not None
        place = self._order.index(seat)
        learned, legal = self._learned(place), self._legal()
        return wire.AskMessage(
            hand_id=hand_id,
            seat=seat,
            place=place,
            learned=learned,
            legal=legal,
            time_ms=time_ms,
            bank_ms=bank_ms,
            turn=turn,
        )

    def snapshot(
        self,
        seat: int,
        stacks: Mapping[int, int],
        *,
        hand_id: str,
        turn: int,
        time_ms: int | None,
        seq: int,
        bank_ms: int | None = None,
    ) -> wire.GameView:
        """What one seat has learned of the game under way."""
        underway, asked = self.state is not None, self.asked
        place = self._order.index(seat) if underway and seat in self._order else None
        return wire.GameView(
            at_hand_id=hand_id if underway else None,
            seat=seat,
            place=place,
            learned=self._learned(place) if underway else (),
            stacks=tuple([wire.SeatStack(seat=at, stack=stack) for at, stack in stacks.items()]),
            next_actor=asked,
            time_ms_remaining=time_ms,
            legal=self._legal() if asked == seat else None,
            bank_ms=bank_ms,
            turn=turn if asked == seat else None,
            seq=seq,
        )

    def _learned(self, place: int | None) -> tuple[Any, ...]:
        """Every event so far as a place may see it."""
        seen = [self.game.view_event(event, place) for event in self._events]
        return tuple([msgspec.Raw(self.game.write_event(event)) for event in seen if event is not None])

    def _legal(self) -> tuple[Any, ...]:
        return tuple([msgspec.Raw(self.game.write_action(action)) for action in self.state.legal()])


def commit_to(secret: bytes) -> str:
    """What binds the server to a secret without showing it."""
    return sha256(b"game" + secret).hexdigest()


def _chance(secret: bytes) -> Chance:
    """The chance that a secret decides."""
    return Chance(int.from_bytes(sha256(secret + b"chance").digest()[:8], "big"))
