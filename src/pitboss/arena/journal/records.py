"""The records of a table's journal: all inputs that changed the table, and the events that resulted.

An open hand is rebuilt from its inputs, a finished hand from its events. Actions and events have the form of their
game; its host reads them.
"""

import hmac
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b, scrypt
from typing import Annotated, Any, Literal, TypeAlias, get_args

import msgspec
from msgspec import Meta, Struct

from pitboss.betting.events import BroughtIn, Called, Posted, Raised, Refunded
from pitboss.errors import PitbossError
from pitboss.hand.events import FORMAT, Event, Raked, Won
from pitboss.table.rotation import State

TimeoutPolicy = Literal["check_call", "check_fold"]
DefaultPolicy = Literal["check_call", "check_fold", "fold"]
"""A timeout policy: the default actions of a seat.

`fold` is for seats that sat out or left in the middle of the hand.
"""
Cause = Literal["client", "timeout", "out"]
"""The cause of an action: an answer, the end of the time, or a seat that sat out or left in the middle of the hand."""
Reason = Literal["last_standing", "too_few", "max_hands"]
Reopens = Literal["single", "cumulative", "always"]
Button = Literal["moving", "dead"]
LockKind = Literal["blake2b", "scrypt"]
AWAY_PACE_MS = 1000
"""The default minimum time of a hand with an away seat."""
Secret: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class RecordError(PitbossError, ValueError):
    """A journal entry that is not a valid record."""


class SettingsError(PitbossError, ValueError):
    """Settings that a table cannot have."""


def _written(value: Any) -> Any:
    """Return a field whose default is written to the journal.

    For settings that were added later, defaults are left out.
    """
    return msgspec.field(default_factory=lambda: value)


class Settings(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The settings of a table."""

    seats: int = _written(6)
    stack: int = _written(10_000)
    small_blind: int = _written(50)
    big_blind: int = _written(100)
    move_time_ms: int = _written(15_000)
    start_at: int = _written(2)
    max_hands: int | None = _written(None)
    timeout_policy: TimeoutPolicy = _written("check_call")
    game: str = _written("no_limit_holdem")
    reopening: Reopens = _written("single")  #: when a player who has acted may raise again
    ante: int | None = _written(None)  #: None: the game's own, in stud a quarter of the big blind
    bring_in: int | None = _written(None)  #: None: half of the big blind in stud
    time_bank_ms: int = 0  #: extra time of each seat for the whole match
    button: Button = "moving"  #: whether the button or, with a dead button, the big blind moves from seat to seat
    freeze_out: bool = False  #: whether the table accepts no teams after the first hand has begun
    away_pace_ms: int = AWAY_PACE_MS  #: the minimum time of a hand with an away seat that has not left
    cash: bool = False  #: whether teams come and go with their chips; `stack` is then the largest buy-in
    min_buy_in: int = 0  #: the smallest buy-in of a cash table
    rake: int = 0  #: thousandths of the pots that the house takes at a cash table
    rake_cap: int | None = None  #: the maximum rake of one hand
    straddle: int = 0  #: the straddle of the seat left of the big blind in hands of four or more players; 0: none
    own_game: dict[str, Any] | None = None  #: the content of the game file, if the game comes from a file
    bots_rebuy: bool = False  #: whether a house bot that has lost its chips buys in again

    def __post_init__(self) -> None:
        least = {
            "stack": 1,
            "big_blind": 1,  # before the small blind, whose default depends on the big blind
            "small_blind": 0,
            "move_time_ms": 1,
            "max_hands": 1,
            "ante": 0,
            "bring_in": 1,
            "time_bank_ms": 0,
            "away_pace_ms": 0,
            "min_buy_in": 0,
            "rake": 0,
            "rake_cap": 0,
            "straddle": 0,
        }
        choices = {
            "timeout_policy": get_args(TimeoutPolicy),
            "reopening": get_args(Reopens),
            "button": get_args(Button),
        }
        if not 2 <= self.seats <= 10:
            raise SettingsError(f"seats: expected 2 to 10, got {self.seats}")
        if not 2 <= self.start_at <= self.seats:
            raise SettingsError(f"start_at: expected 2 to {self.seats}, got {self.start_at}")
        for name, words in choices.items():
            if getattr(self, name) not in words:
                raise SettingsError(f"{name}: expected {' or '.join(words)}, got {getattr(self, name)!r}")
        for name, lowest in least.items():
            amount = getattr(self, name)
            if amount is not None and not lowest <= amount <= 2**49:
                raise SettingsError(f"{name}: expected {lowest} to 2^49, got {amount}")
        if self.small_blind > self.big_blind:
            raise SettingsError(
                f"small_blind: expected at most the big blind, {self.big_blind}, got {self.small_blind}"
            )
        if self.cash:
            self._check_cash()
        elif self.min_buy_in or self.rake or self.rake_cap is not None or self.straddle or self.bots_rebuy:
            raise SettingsError("only cash tables have buy-ins, a rake, straddles and bots that rebuy")

    def _check_cash(self) -> None:
        least = max(1, self.big_blind + (self.ante or 0))
        if not least <= self.min_buy_in <= self.stack:
            raise SettingsError(
                f"the smallest buy-in: expected {least} (a big blind and an ante) to {self.stack} (the largest), "
                f"got {self.min_buy_in}"
            )
        if self.max_hands is not None or self.freeze_out or self.button != "moving":
            raise SettingsError("a cash table has no end, no freeze-out and no dead button")
        if self.timeout_policy != "check_fold":
            raise SettingsError("timeout_policy of a cash table: expected check_fold")
        if self.rake > 1000:
            raise SettingsError(f"rake: expected at most 100 percent, got {self.rake / 10:g}")
        if self.straddle and self.straddle <= self.big_blind:
            raise SettingsError(f"straddle: expected more than the big blind, {self.big_blind}, got {self.straddle}")


class Lock(Struct, frozen=True, omit_defaults=True):
    """A join code as a salted hash. Making and checking a lock are slow on purpose."""

    salt: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
    digest: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    kind: LockKind = "blake2b"  #: the hash function; records from before scrypt do not have this field

    @classmethod
    def on(cls, code: str, salt: bytes) -> "Lock":
        """Return a lock that this code opens."""
        return cls(salt.hex(), _digest(code, salt, "scrypt"), "scrypt")

    def opens(self, code: str) -> bool:
        """Return whether the code opens the lock. The time does not depend on the result."""
        return hmac.compare_digest(self.digest, _digest(code, bytes.fromhex(self.salt), self.kind))


def _digest(code: str, salt: bytes, kind: LockKind) -> str:
    text = code.encode("utf-8", "surrogatepass")
    if kind == "scrypt":
        return scrypt(text, salt=salt, n=4096, r=8, p=1, dklen=32).hex()
    return blake2b(text, digest_size=32, salt=salt).hexdigest()


class TableOpened(Struct, frozen=True, kw_only=True, tag="table_opened"):
    """The first record: the table's settings, the rules version, and the teams of the organiser's list.

    A second record of this kind before the first hand means that the settings were changed. Then all seats get the new
    starting chips.
    """

    format: int = FORMAT
    rules: str
    settings: Settings
    teams: dict[str, Lock] | None = None


class Seated(Struct, frozen=True, kw_only=True, tag="seated"):
    """A team has taken a seat; a house bot has no code."""

    seat: int
    team: str
    stack: int
    lock: Lock | None


class NumbersBound(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="numbers_bound"):
    """The commitments of server and clients to the numbers that determine the next hand.

    After this record the numbers may be revealed. The seats dealt in are fixed as well. If a seat withholds its number,
    a second attempt follows.
    """

    hand_id: str
    attempt: int
    server_number: Secret
    commits: dict[int, Secret]  #: by seat: the commitment to its number
    seats: tuple[int, ...]  #: the seats that will be dealt in
    seq: int
    withheld: tuple[int, ...] = ()  #: in the previous attempt


class HandStarted(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="hand_started"):
    """A hand was dealt from this secret's deck; `seq` is the number of its first message."""

    number: int
    hand_id: str
    secret: Secret
    deck: str
    button: int
    stacks: dict[int, int]  #: by seat, before the blinds
    seq: int
    events: tuple[Any, ...]
    result: dict[int, int] | None = None  #: as in `Acted`, if the game is over at its start
    numbers: dict[int, Secret] = {}  #: by seat: the number mixed into the secret
    withheld: tuple[int, ...] = ()  #: the seats that withheld their number in the previous attempt
    variant: str | None = None  #: in mixed games, the hand's game
    blinds: tuple[int, int] | None = None  # the seats, if not given by the button; the small blind's may be out
    teams: dict[int, str] = {}  #: at a cash table, the teams that were dealt in
    dead: dict[int, int] = {}  #: at a cash table, by seat: missed blinds that were paid into the pot
    owes: dict[int, int] = {}  #: at a cash table, by seat: the debts of seats that were not dealt in
    returned: tuple[int, ...] = ()  #: at a cash table, the seats that sat out before and were dealt in again


class Weighted(Struct, frozen=True):
    """One entry of a mixed strategy: an action in the form of the record's `action`, and its probability."""

    action: Any
    p: float


class Acted(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="acted"):
    """A seat acted, or its time was up."""

    seat: int
    action: Any
    cause: Cause
    events: tuple[Any, ...]
    result: dict[int, int] | None = None  #: by seat, once the game is over; poker has it in its events
    bank_ms: int = 0  #: the time that the seat has used of its time bank
    strategy: tuple[Weighted, ...] = ()  #: the mixed strategy from which `action` was drawn


class HandVoided(Struct, frozen=True, kw_only=True, tag="hand_voided"):
    """The record of the open hand was damaged. Every seat gets back its chips from the start of the hand.

    Without `hand_id` the start of the hand was lost. `seq` is the number of the message about this.
    """

    number: int
    hand_id: str
    torn_at: int
    reason: str
    seq: int


class MatchEnded(Struct, frozen=True, kw_only=True, tag="match_ended"):
    """The match is decided: the stacks by seat, the winner first."""

    reason: Reason
    stacks: dict[int, int]


class Wished(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="wished"):
    """A seat of a cash table wants to play, to wait for the big blind, to pause or to leave."""

    seat: int
    state: State
    away: bool = False  #: whether the cause is that the seat was away when a hand ended


class TopUpAsked(Struct, frozen=True, kw_only=True, tag="top_up_asked"):
    """A seat has requested more chips for the end of the open hand."""

    seat: int
    amount: int


class ToppedUp(Struct, frozen=True, kw_only=True, tag="topped_up"):
    """A seat has added chips; 0 means that the seat has withdrawn its request."""

    seat: int
    amount: int


class TeamLeft(Struct, frozen=True, kw_only=True, tag="left"):
    """A team has left a cash table with its chips. A team without chips must leave."""

    seat: int
    stack: int


class DecksRevealed(Struct, frozen=True, kw_only=True, tag="decks_revealed"):
    """The decks of all hands up to this one are public."""

    number: int


CashRecord: TypeAlias = Wished | TopUpAsked | ToppedUp | TeamLeft | DecksRevealed
"""The records that only cash tables have."""
Record: TypeAlias = TableOpened | Seated | NumbersBound | HandStarted | Acted | HandVoided | MatchEnded | CashRecord


class _PokerEvents(Struct, frozen=True):
    """The events of a poker record. This is a class because msgspec caches decoders only for classes."""

    events: tuple[Event, ...]


_decoder = msgspec.json.Decoder(Record)


write_record: Callable[[Record], bytes] = msgspec.json.Encoder().encode
"""Return a record as the journal stores it."""


def read_record(body: bytes) -> Record:
    """Return a record from the journal; raise `RecordError` if it is not valid."""
    try:
        record: Record = _decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError, RecursionError) as error:
        raise RecordError(f"not a valid record: {error}") from None
    if isinstance(record, TableOpened) and record.format != FORMAT:
        raise RecordError(f"record format: expected {FORMAT}, got {record.format}")
    return record


def chips_after(started: HandStarted, acts: Sequence[Acted], order: tuple[int, ...]) -> dict[int, int]:
    """Return the stacks by seat after a hand; `order[place]` is the seat at that place."""
    result = acts[-1].result if acts else started.result
    if result is not None:
        return result
    events = [*started.events, *[event for act in acts for event in act.events]]
    before = {seat: stack - started.dead.get(seat, 0) for seat, stack in started.stacks.items()}
    return move_chips(before, poker_events(events), order)


def raked(events: Sequence[Any]) -> int:
    """Return the rake of a hand of poker."""
    return sum([event.amount for event in poker_events(events) if isinstance(event, Raked)])


def poker_events(events: Sequence[Any]) -> Sequence[Event]:
    """Return the events of a poker hand, and decode them if necessary. Raise `RecordError` if they are not valid."""
    if not events or isinstance(events[0], Struct):
        return events
    try:
        return msgspec.convert({"events": events}, _PokerEvents).events
    except msgspec.ValidationError as error:
        raise RecordError(f"not a valid record: {error}") from None


def move_chips(stacks: Mapping[int, int], events: Iterable[Event], order: tuple[int, ...]) -> dict[int, int]:
    """Return the stacks by seat after these events; `order[place]` is the seat at that place."""
    chips = dict(stacks)
    for event in events:
        if not isinstance(event, Posted | BroughtIn | Called | Raised | Refunded | Won):
            continue
        if not 0 <= event.place < len(order) or order[event.place] not in chips:
            raise RecordError(f"{type(event).__name__}: expected a place from 0 to {len(chips) - 1}, got {event.place}")
        moved = event.amount if isinstance(event, Refunded | Won) else -event.amount
        chips[order[event.place]] += moved
    return chips
