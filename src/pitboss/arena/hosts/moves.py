"""Hosts any game of `game.py`. A question contains the events that the seat may see, and its legal moves.

The seat in the last place changes from game to game, so that every seat gets every place. A game's results are added to
the chips of the seats; they are points if the game has no chips.
"""

import pickle
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from typing import Any

import msgspec

from pitboss.arena.hosts.host import ALL_EVENTS, AskParts, HandPlan, Sight, Step, seat_stacks, seat_views, start_message
from pitboss.arena.journal.history import HandHistory, HistoryError, order_of
from pitboss.arena.journal.records import Acted, Cause, DefaultPolicy, HandStarted
from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.messages import Rejected
from pitboss.betting.refusals import Refused
from pitboss.chance import Chance
from pitboss.errors import PitbossError
from pitboss.game import GameType, Over, PlayersTurn, TableView, at_seats, open_table

LARGEST_LEARNED = 64 * 1024
"""The maximum number of bytes of events in a question to a client that does not request only new events."""


class MovesHost:
    """A table for one type of game."""

    def __init__(self, game: GameType[Any, Any, Any], own_game: dict[str, Any] | None = None) -> None:
        self.game = game
        self.own_game = own_game  #: the content of the game file; None if the game does not come from a file
        self.state: Any = None  #: of the current game
        self._shown: Any = None  # the state of the current or the last game
        self._stacks: dict[int, int] = {}  # by seat, between games
        self._order: tuple[int, ...] = ()  # the seat of each place
        self._events: list[Any] = []  # all events of the current game
        # by place: the number of events handled so far, and the written events that the place may see
        self._written: dict[int | None, tuple[int, list[msgspec.Raw]]] = {}
        self._button: int | None = None  # the seat of the last place
        self._button_before: int | None = None
        self._hand_id = ""  # of the current game
        self._narrator = game.narrator(None)  # of the current game

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
        """Two zeros, because a game with stakes sends its stakes in its events."""
        return 0, 0

    @property
    def layouts(self) -> tuple[()]:
        """An empty tuple, because the page draws no streets of these games."""
        return ()

    @property
    def antes(self) -> tuple[None, None]:
        """None for both, because a game sends its antes in its events."""
        return None, None

    @property
    def to_act(self) -> int | None:
        """The seat that acts next."""
        turn = None if self.state is None else self.state.turn
        return self._order[turn.place] if isinstance(turn, PlayersTurn) else None

    @property
    def phase(self) -> None:
        """None, because games have no common names for their phases."""
        return None

    # --- play

    def sit(self, seat: int, stack: int) -> None:
        """Add a team's seat with its chips."""
        self._stacks[seat] = stack

    def set_button(self, seat: int) -> None:
        """Give a seat the last place in the game before the next one."""
        self._button = seat

    def start(self, secret: bytes, plan: HandPlan) -> Step:
        """Start the next game."""
        seats = sorted(seat for seat, stack in self._stacks.items() if stack > 0)
        last = self._button
        button = next((seat for seat in seats if last is not None and seat > last), seats[0])
        state, events = self.game.start(len(seats), _chance(secret))
        first = seats.index(button) + 1
        self._order, self._button, self._button_before = (*seats[first:], *seats[:first]), button, last
        self.state, self._shown, self._events, self._written = state, state, list(events), {}
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
        with self._refusing():
            return self._play(seat, self._chosen(message), seq, bank_ms=bank_ms)

    def requested(self, message: wire.Action | wire.MoveMessage) -> Any:
        """Return the action of a client's answer in the form of a record; raises `Rejected`."""
        with self._refusing():
            return msgspec.json.decode(self.game.write_action(self._chosen(message)))

    def check(self, seat: int, action: Any) -> None:
        """Raise `Rejected` if the seat cannot do this action, in the form of a record, now."""
        with self._refusing():
            self.state.act(self.game.read_action(msgspec.json.encode(action)), self._order.index(seat))

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Turn the refusal of a move into an error of the protocol."""
        try:
            yield
        except Rejected:
            raise
        except Refused as refusal:
            order = self._order
            raise Rejected("INVALID_ACTION", refusal.format(name=lambda place: f"seat {order[place]}")) from None
        except PitbossError as error:
            raise Rejected("INVALID_ACTION", str(error)) from None

    def _chosen(self, message: wire.Action | wire.MoveMessage) -> Any:
        """Return the action that a message names, as itself or by its number in `legal`."""
        if isinstance(message, wire.Action):
            raise Rejected("INVALID_ACTION", f"{self.game.name}: expected a `move`, got an `action`")
        if message.index is None:
            if message.amount is not None:
                raise Rejected("INVALID_ACTION", "amount: expected it with an `index`; a `move` has its own amount")
            return self.game.read_action(msgspec.json.encode(message.move))
        if message.move is not None:
            raise Rejected("INVALID_ACTION", "expected either a `move` or an `index`, got both")
        legal = self.state.legal()
        if message.index >= len(legal):
            raise Rejected("INVALID_ACTION", f"index: expected 0 to {len(legal) - 1}, got {message.index}")
        if message.amount is not None:
            raise Rejected("INVALID_ACTION", f"amount: {self.game.name} has no moves with an amount")
        return legal[message.index]

    def act_by_default(self, seat: int, policy: DefaultPolicy, seq: int, bank_ms: int = 0) -> Step:
        """Apply the default action of the game for a seat whose time is up."""
        return self._play(seat, self.game.default_action(self.state), seq, cause="timeout", bank_ms=bank_ms)

    def default_action(self, policy: DefaultPolicy) -> Any:
        """Return the default action in the form of a record, without playing it."""
        return msgspec.json.decode(self.game.write_action(self.game.default_action(self.state)))

    def void(self) -> None:
        """Void the game; between games nothing changes."""
        if self.state is not None:
            self.state, self._shown, self._button = None, None, self._button_before

    def _play(self, seat: int, action: Any, seq: int, *, cause: Cause = "client", bank_ms: int = 0) -> Step:
        self.state, events = self.state.act(action, self._order.index(seat))
        self._shown = self.state
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
        """Yield the differences between a finished game and its replay from the secret."""
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
        """Return an empty deck, because the secret itself shows everything."""
        return ""

    def tables(self, started: HandStarted, acts: Iterable[Acted], *, cards: bool) -> Iterator[TableView]:
        """Yield the table after the start of a finished game and after each action. Stop if today's rules differ."""
        order = order_of(started)
        state, events = self.game.start(len(order), _chance(bytes.fromhex(started.secret)))
        if self._write(events) != tuple(started.events):
            return
        yield self._as_watched(state, order, cards=cards)
        for acted in acts:
            try:
                action = self.game.read_action(msgspec.json.encode(acted.action))
                state, _ = state.act(action, order.index(acted.seat))
            except PitbossError:
                return
            yield self._as_watched(state, order, cards=cards)

    def _as_watched(self, state: Any, order: Sequence[int], *, cards: bool) -> TableView:
        table = self.game.table_view(state, None)
        if cards:
            table = open_table([self.game.table_view(state, place) for place in range(len(order))], table)
        return at_seats(table, order)

    def messages(self, record: HandStarted | Acted, seq: int) -> list[wire.PublicMessage]:
        """Return the public messages about an earlier record."""
        events = [self._read(event) for event in record.events]
        if isinstance(record, HandStarted):
            self._order = order_of(record)
            return self._start_messages(record, events)
        return self._event_messages(events, seq)

    def _start_messages(self, started: HandStarted, events: Iterable[Any]) -> list[wire.PublicMessage]:
        """Return the start of a game, which follows from its secret: the commitment is a hash of the secret."""
        self._hand_id, self._narrator = started.hand_id, self.game.narrator(None, self._names)
        first = start_message(started, commit_to(bytes.fromhex(started.secret)))
        return [first, *self._event_messages(events, started.seq + 1)]

    def _event_messages(self, events: Iterable[Any], seq: int) -> list[wire.PublicMessage]:
        """Return every event as a spectator may see it, with the sentences about it."""
        views = [self.game.view_event(event, None) for event in events]
        seen = [event for event in views if event is not None]
        sentences: dict[int, str] = {}
        for at, sentence in self._narrator.tell(seen):
            sentences[at] = f"{sentences[at]} {sentence}" if at in sentences else sentence
        return [
            wire.Happened(
                hand_id=self._hand_id,
                seq=seq + at,
                event=msgspec.Raw(self.game.write_event(event)),
                text=sentences.get(at),
            )
            for at, event in enumerate(seen)
        ]

    @property
    def _names(self) -> list[str]:
        """The name of each place: its seat."""
        return [f"seat {seat}" for seat in self._order]

    def _text(self, seat: int) -> str:
        """Return what a seat sees, in words."""
        return self.game.describe(self.state, self._order.index(seat), self._names)

    def question(
        self,
        hand_id: str,
        turn: int,
        time_ms: int,
        bank_ms: int | None = None,
        parts: AskParts = ALL_EVENTS,
    ) -> wire.Ask:
        """Return the `ask` for the seat to act."""
        seat = self.to_act
        assert seat is not None
        place = self._order.index(seat)
        learned = self._learned(place)
        first = _first_within(learned, LARGEST_LEARNED) if parts.since is None else min(parts.since, len(learned))
        return wire.Ask(
            hand_id=hand_id,
            seat=seat,
            place=place,
            learned=tuple(learned[first:]),
            learned_from=first or None,
            legal=self._legal(),
            time_ms=time_ms,
            bank_ms=bank_ms,
            turn=turn,
            text=self._text(seat) if parts.words else None,
            rules=self.game.rules() if parts.rules else None,
            default=self._default(),
            table=self._table(seat) if parts.table else None,
        )

    @property
    def rules(self) -> str:
        """The rules in English."""
        return str(self.game.rules())

    def sight(self) -> Sight | None:
        """Return what shows the current or the last game as it is now; None if there is none."""
        return None if self._shown is None else seat_views(partial(self.game.table_view, self._shown), self._order)

    def position(self) -> bytes:
        """Return what a house bot needs to choose: the game as the seat to act sees it."""
        return pickle.dumps(self.state.view(self.state.turn.place))

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
        table: bool = False,
    ) -> wire.GameView:
        """Return everything that one seat has learned about the current game."""
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
            text=self._text(seat) if to_act == seat else None,
            default=self._default() if to_act == seat else None,
            table=self._table(seat) if table and to_act == seat else None,
        )

    def _learned(self, place: int | None) -> list[msgspec.Raw]:
        """Return all events so far in the form that a place may see. Each event is encoded only once."""
        done, written = self._written.get(place, (0, []))
        seen = [self.game.view_event(event, place) for event in self._events[done:]]
        written += [msgspec.Raw(self.game.write_event(event)) for event in seen if event is not None]
        self._written[place] = len(self._events), written
        return written

    def _table(self, seat: int) -> TableView:
        """Return what a seat sees, as data."""
        return at_seats(self.game.table_view(self.state, self._order.index(seat)), self._order)

    def _default(self) -> int | None:
        """Return the number of the default action in the legal moves; None if it is not one of them."""
        legal, default = self.state.legal(), self.game.default_action(self.state)
        return legal.index(default) if default in legal else None

    def _legal(self) -> tuple[Any, ...]:
        return tuple([msgspec.Raw(self.game.write_action(action)) for action in self.state.legal()])


def _first_within(learned: Sequence[msgspec.Raw], most: int) -> int:
    """Return the index from which the remaining events together have at most `most` bytes."""
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
    """Return the random numbers that follow from a secret."""
    return Chance(int.from_bytes(sha256(secret + b"chance").digest()[:8], "big"))
