"""The words of protocol v1: a client's frame to a wish, a hand and its offer to `act`, and all of it as a room's host.

What everybody is told stands in `v1_events.py`. Nothing else in the arena knows these words, and neither file knows a
connection or a clock.
"""

import re
from collections.abc import Iterable, Sequence

import msgspec

from pitboss.arena.hosts.series import Series
from pitboss.arena.journal.records import (
    Acted,
    HandStarted,
    HandVoided,
    Lock,
    MatchEnded,
    Record,
    Seated,
    Settings,
    TimeoutPolicy,
    write_record,
)
from pitboss.arena.rooms.host import Rejected
from pitboss.arena.v1 import messages as wire
from pitboss.arena.v1.events import Teller
from pitboss.betting import core
from pitboss.betting.actions import Bet, BettingAction, Call, Check, Fold, Raise
from pitboss.betting.refusals import Refused
from pitboss.betting.round import Offer
from pitboss.hand.hand import Hand

TIMEOUTS_TO_BE_ABSENT = 3
"""Turns in a row that a seat lets pass until only checks and folds are played for it."""


# --- from the client

_decoder = msgspec.json.Decoder(wire.ClientMessage)
_UNKNOWN_TYPE = re.compile(r"Invalid value '(.*)' - at `\$\.type`", re.DOTALL)


def read(frame: str | bytes) -> wire.Hello | wire.Action:
    """What a client sent; raises `Rejected`.

    >>> read('{"type":"action","v":1,"hand_id":"H-1","action":"RAISE_TO","amount":true}')
    Traceback (most recent call last):
    ...
    pitboss.arena.rooms.host.Rejected: must be a whole number from 0 to 2^53 - 1 - at `$.amount`
    """
    try:
        message: wire.Hello | wire.Action = _decoder.decode(frame)
    except msgspec.ValidationError as error:
        unknown = _UNKNOWN_TYPE.fullmatch(str(error))
        if unknown:
            raise Rejected("UNKNOWN_TYPE", f"no message of a client is called {unknown[1]!r:.80}") from None
        raise Rejected("BAD_SCHEMA", _explained(str(error))) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Rejected("BAD_SCHEMA", f"one JSON object a frame, in UTF-8: {error}") from None
    if isinstance(message, wire.Action) and message.action == "RAISE_TO" and message.amount is None:
        raise Rejected("BAD_SCHEMA", "RAISE_TO needs a whole number - at `$.amount`")
    return message


_WANTED = {
    "v": "1",
    "team": "1 to 64 letters, without control characters",
    "join_code": "1 to 128 letters",
    "action": "FOLD, CHECK, CALL or RAISE_TO",
    "amount": "a whole number from 0 to 2^53 - 1",
}


def _explained(sentence: str) -> str:
    """What is wrong with a field, in words that say what it must be."""
    _, at, field = sentence.rpartition(" - at `$.")
    field = field.removesuffix("`")
    return f"must be {_WANTED[field]}{at}{field}`" if at and field in _WANTED else sentence


def wish(action: wire.Action, hand: Hand) -> BettingAction:
    """What an action asks for."""
    match action.action:
        case "FOLD":
            return Fold()
        case "CHECK":
            return Check()
        case "CALL":
            return Call()
        case "RAISE_TO":
            return raised_to(action.amount, hand)


def raised_to(amount: int | None, hand: Hand) -> BettingAction:
    """A RAISE_TO as the rules call it: a bet where nothing has been bet yet."""
    return Raise(amount) if hand.round.price else Bet(amount)


def in_absence(offer: Offer, policy: TimeoutPolicy) -> BettingAction:
    """What is played for a seat whose time is up: CHECK, else CALL (or, by the other policy, not), else FOLD."""
    if offer.check:
        return Check()
    return Call() if offer.call is not None and policy == "check_call" else Fold()


# --- to one seat


def legal(offer: Offer) -> tuple[wire.Word, ...]:
    """The words on offer: FOLD first when something is owed, last when checking is free.

    >>> legal(Offer(fold=True, check=True))
    ('CHECK', 'FOLD')
    """
    raising: tuple[wire.Word, ...] = ("RAISE_TO",) if offer.bet or offer.raise_ else ()
    return ("CHECK", *raising, "FOLD") if offer.check else ("FOLD", "CALL", *raising)


def question(
    hand: Hand, order: Sequence[int], *, hand_id: str, turn: int, time_ms: int, small_blind: int, big_blind: int
) -> wire.Act:
    """The `act` for the seat whose turn it is; `order` is the seat of each place."""
    place = hand.round.turn
    seen = hand.view(place)
    offer = seen.offer
    bounds = offer.bet or offer.raise_
    return wire.Act(
        hand_id=hand_id,
        seat=order[place],
        phase=_phase(seen),
        you=wire.You(hole=seen.holes[place], stack=seen.round.stacks[place], to_call=offer.call or 0, time_ms=time_ms),
        table=wire.TableFacts(sb=small_blind, bb=big_blind, seats=len(order), button=order[-1]),
        players=_players(seen, order),
        community=seen.board,
        legal=legal(offer),
        call_amount=offer.call,
        min_raise_to=bounds.min_to if bounds else None,
        max_raise_to=bounds.max_to if bounds else None,
        pot=seen.round.chips_in_middle,
        turn=turn,
    )


def snapshot(series: Series, seat: int, *, turn: int, time_ms: int | None, seq: int) -> wire.Snapshot:
    """The table as one seat may see it now."""
    stack = series.stack(seat)
    if series.open is None:
        return wire.Snapshot(
            at_hand_id=None,
            phase="WAITING",
            you=wire.SnapshotYou(seat=seat, hole=(), stack=stack, to_call=0),
            players=tuple(
                wire.PlayerFacts(seat=at, stack=chair.stack, has_folded=False, committed=0)
                for at, chair in sorted(series.chairs.items())
            ),
            community=(),
            next_actor=None,
            time_ms_remaining=None,
            pot=0,
            seq=seq,
        )
    order, hand_id, settings = series.open.order, series.open.started.hand_id, series.settings
    place = order.index(seat) if seat in order else None
    seen = series.open.given.hand.view(place)
    asked = series.to_act == seat
    offer = seen.offer if asked else Offer()
    bounds = offer.bet or offer.raise_
    return wire.Snapshot(
        at_hand_id=hand_id,
        phase=_phase(seen),
        you=wire.SnapshotYou(
            seat=seat, hole=() if place is None else seen.holes[place], stack=stack, to_call=_to_call(seen, place)
        ),
        table=wire.TableFacts(sb=settings.small_blind, bb=settings.big_blind, seats=len(order), button=order[-1]),
        players=_players(seen, order),
        community=seen.board,
        next_actor=series.to_act,
        time_ms_remaining=time_ms,
        legal=legal(offer) if asked else None,
        call_amount=offer.call,
        min_raise_to=bounds.min_to if bounds else None,
        max_raise_to=bounds.max_to if bounds else None,
        pot=seen.round.chips_in_middle,
        turn=turn if asked else None,
        seq=seq,
    )


def config(settings: Settings) -> wire.Config:
    """The table's settings as they are told."""
    return wire.Config(
        variant="HUNL",
        seats=settings.seats,
        starting_stack=settings.stack,
        sb=settings.small_blind,
        bb=settings.big_blind,
        move_time_ms=settings.move_time_ms,
        timeout_policy=settings.timeout_policy,
        max_hands=settings.max_hands,
    )


_PHASES: dict[str, wire.Phase] = {
    "PRE_FLOP": "PRE_FLOP",
    "FLOP": "FLOP",
    "TURN": "TURN",
    "RIVER": "RIVER",
    "SHOWDOWN": "SHOWDOWN",
}


def _phase(hand: Hand) -> wire.Phase:
    return _PHASES[hand.street_name]


def _to_call(hand: Hand, place: int | None) -> int:
    if place is None or hand.round.folded[place]:
        return 0
    return min(core.owed(hand.round, place), hand.round.stacks[place])


def _players(hand: Hand, order: Sequence[int]) -> tuple[wire.PlayerFacts, ...]:
    round = hand.round
    return tuple(
        [
            wire.PlayerFacts(
                seat=order[place],
                stack=round.stacks[place],
                has_folded=round.folded[place],
                committed=round.bets[place],
            )
            for place in sorted(range(round.n), key=order.__getitem__)
        ]
    )


# --- a table that speaks v1


class V1:
    """A series as a room hosts it, in the words of v1."""

    def __init__(self, series: Series) -> None:
        self.series = series
        self.teller = Teller(series.settings)

    @property
    def table_id(self) -> str:
        """The table's name."""
        return self.series.table_id

    @property
    def asked(self) -> int | None:
        """The seat whose answer is awaited."""
        return self.series.to_act

    @property
    def hand_id(self) -> str:
        """The hand being played, or the last one."""
        return self.teller.hand_id

    @property
    def underway(self) -> bool:
        """Whether a hand is being played."""
        return self.series.open is not None

    @property
    def can_start(self) -> bool:
        """Whether a hand can be dealt."""
        return self.series.can_start

    @property
    def decided(self) -> bool:
        """Whether the match is decided and has yet to be ended."""
        return self.series.ended is None and self.series.decided is not None

    @property
    def over(self) -> bool:
        """Whether the match has been ended."""
        return self.series.ended is not None

    @property
    def move_time_ms(self) -> int:
        """How long a seat may think."""
        return self.series.settings.move_time_ms

    @property
    def playing(self) -> list[int]:
        """The seats that would be dealt in."""
        return self.series.with_chips

    @property
    def seq(self) -> int:
        """The number of the last thing told."""
        return self.teller.seq

    def read(self, frame: str | bytes) -> wire.Hello | wire.Action:
        """What a client sent."""
        return read(frame)

    def write(self, record: Record) -> bytes:
        """A record as the journal keeps it."""
        return write_record(record)

    def seat_of(self, hello: wire.Hello) -> int | None:
        """The seat a team has, if its code fits; None for a team that may take one."""
        for seat, chair in self.series.chairs.items():
            if chair.team == hello.team:
                if chair.lock is None or not chair.lock.opens(hello.join_code):
                    raise Rejected("TEAM_TAKEN", f"{hello.team!r} plays already, with another join_code")
                return seat
        return None

    def admit(self, hello: wire.Hello, salt: bytes) -> tuple[int, Seated]:
        """Give a new team a seat."""
        teams = self.series.teams
        if teams is not None:
            if hello.team not in teams:
                raise Rejected("TEAM_UNKNOWN", f"{hello.team!r} is not on this table's list of teams")
            if not teams[hello.team].opens(hello.join_code):
                raise Rejected("TEAM_TAKEN", f"{hello.team!r} has another join_code")
        over = self.over or self.decided
        if over or self.series.free_seat() is None:
            why = "the match is over" if over else f"all {self.series.settings.seats} seats are taken"
            raise Rejected("TABLE_FULL", why)
        lock = Lock.on(hello.join_code, salt) if teams is None else teams[hello.team]
        seated = self.series.make_seated(hello.team, lock)
        return seated.seat, seated

    def admit_house(self, team: str) -> tuple[int, Seated | None]:
        """A player of the house: the seat it has, or a new one, which no code opens."""
        for seat, chair in self.series.chairs.items():
            if chair.team == team and chair.lock is None:
                return seat, None
        seated = self.series.make_seated(team, None)
        return seated.seat, seated

    def answer(self, seat: int, action: wire.Action) -> Acted:
        """A seat's action."""
        hand, order = self.series.hand, self.series.open.order if self.series.open else ()
        assert hand is not None
        try:
            return self.series.make_act(seat, wish(action, hand), "client")
        except Refused as refusal:
            sentence = refusal.told(name=lambda place: f"seat {order[place]}")
            raise Rejected("INVALID_ACTION", sentence) from None

    def answer_in_absence(self, seat: int) -> Acted:
        """What is played for a seat whose time is up; after some such turns in a row it is not called for any more."""
        hand, settings = self.series.hand, self.series.settings
        assert hand is not None
        absent = self.series.chairs[seat].timeouts >= TIMEOUTS_TO_BE_ABSENT
        policy: TimeoutPolicy = "check_fold" if absent else settings.timeout_policy
        return self.series.make_act(seat, in_absence(hand.offer, policy), "timeout")

    def start(self, secret: bytes, day: str) -> HandStarted:
        """Deal the next hand."""
        return self.series.make_hand(secret, day, self.teller.seq + 1)

    def end(self) -> MatchEnded:
        """End the match."""
        return self.series.make_end()

    def tell(self, record: Record, chain: bytes) -> list[wire.ServerMessage]:
        """What everybody is told of a record."""
        match record:
            case HandStarted():
                told = self.teller.start(record, self.series.open.deal if self.series.open else None)
            case Acted():
                told = self.teller.act(record)
            case HandVoided():
                told = self.teller.void(record)
            case MatchEnded():
                return self.teller.end_match(record, self.series)
            case _:
                return []
        return told if self.underway else told + self.teller.end_hand(chain)

    def farewell(self) -> list[wire.ServerMessage]:
        """Once the match is over, what ended it."""
        return self.teller.farewell(self.series)

    def welcome(self, seat: int) -> wire.Welcome:
        """To whoever has taken a seat."""
        return wire.Welcome(table_id=self.series.table_id, seat=seat, config=config(self.series.settings))

    def lobby(self, connected: Iterable[int]) -> wire.Lobby:
        """Who is at the table, with the chips of between the hands: a lobby tells nothing of a hand under way."""
        here = set(connected)
        return wire.Lobby(
            players=tuple(
                wire.LobbyPlayer(seat=seat, team=chair.team, connected=seat in here, stack=chair.stack)
                for seat, chair in sorted(self.series.chairs.items())
            )
        )

    def question(self, turn: int, time_ms: int) -> wire.Act:
        """The open question."""
        hand = self.series.open
        assert hand is not None
        settings = self.series.settings
        return question(
            hand.given.hand,
            hand.order,
            hand_id=hand.started.hand_id,
            turn=turn,
            time_ms=time_ms,
            small_blind=settings.small_blind,
            big_blind=settings.big_blind,
        )

    def snapshot(self, seat: int, turn: int, time_ms: int | None) -> wire.Snapshot:
        """The table as one seat may see it."""
        told = self.teller.seq - self.over  # the match's end is told after it, also again
        return snapshot(self.series, seat, turn=turn, time_ms=time_ms, seq=told)

    def table(self) -> wire.Table:
        """To a spectator: which table this is."""
        return wire.Table(table_id=self.series.table_id, config=config(self.series.settings))

    def summary(self, connected: Iterable[int]) -> wire.Summary:
        """The table in a list of tables."""
        hand = self.series.hand
        return wire.Summary(
            table_id=self.series.table_id,
            config=config(self.series.settings),
            players=self.lobby(connected).players,
            hand_id=self.hand_id or None,
            phase=_phase(hand) if hand else "WAITING",
            over=self.over,
        )

    def turn(self, time_ms: int) -> wire.Turn:
        """To a spectator: whose turn it is."""
        seat = self.series.to_act
        assert seat is not None
        return wire.Turn(hand_id=self.hand_id, seat=seat, time_ms=time_ms)
