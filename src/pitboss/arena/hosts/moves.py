"""Any game of `game.py` at a table: a question contains what the seat has learned and its legal moves.

The last place moves from game to game, so that every seat gets every place. A game's results are added to the chips of
the seats; they are points if the game has no chips.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

import msgspec

from pitboss.arena.hosts.host import HandPlan, Step, seat_stacks, start_message
from pitboss.arena.journal.history import HandHistory, HistoryError, order_of
from pitboss.arena.journal.records import Acted, Cause, DefaultPolicy, HandStarted
from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.messages import Rejected
from pitboss.betting.refusals import Refused
from pitboss.chance import Chance
from pitboss.errors import PitbossError
from pitboss.game import GameType, Over, PlayersTurn

LARGEST_LEARNED = 64 * 1024
"""The most bytes of events in a question to a client that does not ask for new events alone: the latest ones."""


class MovesHost:
    """A table for one type of game."""

    def __init__(self, game: GameType[Any, Any, Any]) -> None:
        self.game = game
        self.state: Any = None  #: of the current game
        self._stacks: dict[int, int] = {}  # by seat, between games
        self._order: tuple[int, ...] = ()  # the seat of each place
        self._events: list[Any] = []  # all events of the current game
        # by place: how many events are done, and those that the place may see, written
        self._written: dict[int | None, tuple[int, list[msgspec.Raw]]] = {}
        self._button: int | None = None  # the seat of the last place
        self._button_before: int | None = None
        self._hand_id = ""  # of the current game

    @property
    def variant(self) -> str:
        """The game's name."""
        return self.game.name

    @property
    def places(self) -> range:
        """The maximum number of players."""
        return self.game.places

    @property
    def blinds(self) -> tuple[int, int]:
        """None: a game with stakes has them in its events."""
        return 0, 0

    @property
    def layouts(self) -> tuple[()]:
        """None."""
        return ()

    @property
    def antes(self) -> tuple[None, None]:
        """None."""
        return None, None

    @property
    def to_act(self) -> int | None:
        """The seat that acts next."""
        turn = None if self.state is None else self.state.turn
        return self._order[turn.place] if isinstance(turn, PlayersTurn) else None

    @property
    def phase(self) -> None:
        """None: games do not share names for their phases."""
        return None

    # --- what is played

    def sit(self, seat: int, stack: int) -> None:
        """Add a team's seat with its chips."""
        self._stacks[seat] = stack

    def start(self, secret: bytes, plan: HandPlan) -> Step:
        """Start the next game."""
        seats = sorted(seat for seat, stack in self._stacks.items() if stack > 0)
        last = self._button
        button = next((seat for seat in seats if last is not None and seat > last), seats[0])
        state, events = self.game.start(len(seats), _chance(secret))
        first = seats.index(button) + 1
        self._order, self._button, self._button_before = (*seats[first:], *seats[:first]), button, last
        self.state, self._events, self._written = state, list(events), {}
        stacks = {seat: self._stacks[seat] for seat in seats}
        result = self._settle()
        started = HandStarted(
            number=plan.number,
            hand_id=plan.hand_id,
            secret=secret.hex(),
            deck="",
            button=button,
            stacks=stacks,
            seq=plan.seq,
            events=self._write(events),
            result=result,
            numbers=plan.numbers,
            withheld=plan.withheld,
        )
        return Step(started, self._start_messages(started, events), self.to_act, result)

    def act(self, seat: int, message: wire.Action | wire.MoveMessage, seq: int, bank_ms: int = 0) -> Step:
        """Apply a client's answer; raise `Rejected`, and change nothing, if the game refuses it."""
        if isinstance(message, wire.Action):
            raise Rejected("INVALID_ACTION", f"{self.game.name}: expected a `move`, got an `action`")
        try:
            return self._play(seat, self.game.read_action(msgspec.json.encode(message.move)), seq, bank_ms=bank_ms)
        except Refused as refusal:
            order = self._order
            raise Rejected("INVALID_ACTION", refusal.format(name=lambda place: f"seat {order[place]}")) from None
        except PitbossError as error:
            raise Rejected("INVALID_ACTION", str(error)) from None

    def act_by_default(self, seat: int, policy: DefaultPolicy, seq: int, bank_ms: int = 0) -> Step:
        """Apply the default action of the game for a seat whose time is up."""
        return self._play(seat, self.game.default_action(self.state), seq, cause="timeout", bank_ms=bank_ms)

    def default_action(self, policy: DefaultPolicy) -> Any:
        """Return the default action in the form of a record, without playing it."""
        return msgspec.json.decode(self.game.write_action(self.game.default_action(self.state)))

    def void(self) -> None:
        """Void the game; between games nothing changes."""
        if self.state is not None:
            self.state, self._button = None, self._button_before

    def _play(self, seat: int, action: Any, seq: int, *, cause: Cause = "client", bank_ms: int = 0) -> Step:
        self.state, events = self.state.act(action, self._order.index(seat))
        self._events += events
        result = self._settle()
        written = msgspec.json.decode(self.game.write_action(action))
        acted = Acted(
            seat=seat, action=written, cause=cause, events=self._write(events), result=result, bank_ms=bank_ms
        )
        return Step(acted, self._event_messages(events, seq), self.to_act, result)

    def _settle(self) -> dict[int, int] | None:
        """Add up the result if the game is over."""
        if self.to_act is not None:
            return None
        result = self._came_to(self.state, self._stacks, self._order)
        self._stacks |= result
        self.state = None
        return result

    def _came_to(self, state: Any, stacks: Mapping[int, int], order: Sequence[int]) -> dict[int, int]:
        """Return the chips by seat after a finished game."""
        return {seat: stacks[seat] + won for seat, won in zip(order, self.game.result(state), strict=True)}

    def _write(self, events: Any) -> tuple[Any, ...]:
        return tuple([msgspec.json.decode(self.game.write_event(event)) for event in events])

    def _read(self, event: Any) -> Any:
        return self.game.read_event(msgspec.json.encode(event))

    # --- from the journal

    def replay(self, acted: Acted, seq: int) -> Step:
        """Apply the action of a record again."""
        if self.state is None or acted.seat not in self._order:
            raise HistoryError(f"seat {acted.seat} is not in a game")
        action = self.game.read_action(msgspec.json.encode(acted.action))
        return self._play(acted.seat, action, seq, cause=acted.cause, bank_ms=acted.bank_ms)

    def read_started(self, started: HandStarted) -> HandStarted:
        """Return the record as it is: it is compared in this form."""
        return started

    def read_acted(self, acted: Acted) -> Acted:
        """Return the record as it is: it is compared in this form."""
        return acted

    def take_finished(self, hand: HandHistory) -> None:
        """Continue after a game that was played before."""
        self._stacks |= hand.stacks
        self._button = hand.started.button

    def faults(self, hand: HandHistory) -> Iterator[str]:
        """Yield what differs from the start and, if the secret decides it all, the result that the secret leads to."""
        started = hand.started
        state, events = self.game.start(len(started.stacks), _chance(bytes.fromhex(started.secret)))
        if self._write(events) != tuple(started.events):
            yield "its start does not follow from its secret"
        elif isinstance(state.turn, Over) and started.result != self._came_to(state, started.stacks, hand.order):
            yield "its result does not follow from its secret"

    def audit(self, brought: int) -> None:
        """Do nothing: points are won and lost by the game's own rules."""

    # --- what is sent

    def revealed(self, secret: bytes) -> str:
        """Return nothing: the secret itself shows everything."""
        return ""

    def messages(self, record: HandStarted | Acted, seq: int) -> list[wire.PublicMessage]:
        """Return the public messages about an earlier record."""
        events = [self._read(event) for event in record.events]
        if isinstance(record, HandStarted):
            self._order = order_of(record)
            return self._start_messages(record, events)
        return self._event_messages(events, seq)

    def _start_messages(self, started: HandStarted, events: Iterable[Any]) -> list[wire.PublicMessage]:
        """Return the start of a game, which follows from its secret: the commitment is a hash of the secret."""
        self._hand_id = started.hand_id
        first = start_message(started, commit_to(bytes.fromhex(started.secret)))
        return [first, *self._event_messages(events, started.seq + 1)]

    def _event_messages(self, events: Iterable[Any], seq: int) -> list[wire.PublicMessage]:
        """Yield every event as a spectator may see it."""
        views = [self.game.view_event(event, None) for event in events]
        seen = [msgspec.Raw(self.game.write_event(event)) for event in views if event is not None]
        return [wire.Happened(hand_id=self._hand_id, seq=at, event=event) for at, event in enumerate(seen, seq)]

    def question(
        self, hand_id: str, turn: int, time_ms: int, bank_ms: int | None = None, since: int | None = None
    ) -> wire.AskMessage:
        """Return the `ask` for the seat to act."""
        seat = self.to_act
        assert seat is not None
        place = self._order.index(seat)
        learned = self._learned(place)
        first = _first_within(learned, LARGEST_LEARNED) if since is None else min(since, len(learned))
        return wire.AskMessage(
            hand_id=hand_id,
            seat=seat,
            place=place,
            learned=tuple(learned[first:]),
            learned_from=first or None,
            legal=self._legal(),
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
        """Return what one seat has learned of the current game."""
        underway, to_act = self.state is not None, self.to_act
        place = self._order.index(seat) if underway and seat in self._order else None
        return wire.GameView(
            at_hand_id=hand_id if underway else None,
            seat=seat,
            place=place,
            learned=tuple(self._learned(place)) if underway else (),
            stacks=seat_stacks(stacks),
            next_actor=to_act,
            time_ms_remaining=time_ms,
            legal=self._legal() if to_act == seat else None,
            bank_ms=bank_ms,
            turn=turn if to_act == seat else None,
            seq=seq,
        )

    def _learned(self, place: int | None) -> list[msgspec.Raw]:
        """Return every event so far as a place may see it; each is written once."""
        done, written = self._written.get(place, (0, []))
        seen = [self.game.view_event(event, place) for event in self._events[done:]]
        written += [msgspec.Raw(self.game.write_event(event)) for event in seen if event is not None]
        self._written[place] = len(self._events), written
        return written

    def _legal(self) -> tuple[Any, ...]:
        return tuple([msgspec.Raw(self.game.write_action(action)) for action in self.state.legal()])


def _first_within(learned: Sequence[msgspec.Raw], most: int) -> int:
    """Return the index of the first event such that it and all later ones have at most `most` bytes."""
    size = 0
    for left_out in range(len(learned), 0, -1):
        size += len(bytes(learned[left_out - 1])) + 1
        if size > most:
            return left_out
    return 0


def commit_to(secret: bytes) -> str:
    """Return the commitment to a secret, which does not reveal it."""
    return sha256(b"game" + secret).hexdigest()


def _chance(secret: bytes) -> Chance:
    """Return the chance that a secret decides."""
    return Chance(int.from_bytes(sha256(secret + b"chance").digest()[:8], "big"))
