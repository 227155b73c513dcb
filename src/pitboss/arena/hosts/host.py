"""What a match asks of the game that is played at its table; seats, teams, clocks and the match's end are not its."""

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from msgspec import Struct

from pitboss.arena.journal.commitment import public_number
from pitboss.arena.journal.history import HandHistory
from pitboss.arena.journal.records import Acted, HandStarted, TimeoutPolicy
from pitboss.arena.wire.messages import (
    Action,
    GameLayout,
    MoveMessage,
    OpenedNumber,
    Phase,
    PublicMessage,
    SeatStack,
    ServerMessage,
    StartHand,
)


class HandPlan(Struct, frozen=True, kw_only=True):
    """What a match decides about its next hand: number, name, what contributed to its secret, and `seq`, the number of
    its first message."""

    number: int
    hand_id: str
    seq: int
    numbers: dict[int, str] = {}
    withheld: tuple[int, ...] = ()


class Step(Struct, frozen=True):
    """The result of starting a hand or of one action."""

    record: HandStarted | Acted
    messages: list[PublicMessage]  #: to everybody, numbered
    to_act: int | None  #: the seat that acts next
    result: dict[int, int] | None  #: everybody's chips by seat, if the hand is over


class Host(Protocol):
    """A game at a table, hand after hand; actions and events are the game's own, in the form a record holds."""

    @property
    def variant(self) -> str:
        """What `config.variant` calls the game."""

    @property
    def places(self) -> range:
        """How many may play."""

    @property
    def blinds(self) -> tuple[int, int]:
        """The small and the big blind; 0 where the game has none."""

    @property
    def layouts(self) -> tuple[GameLayout, ...]:
        """The games as clients draw them; empty if it is not poker."""

    @property
    def antes(self) -> tuple[int | None, int | None]:
        """The ante and the bring-in; None where the game has none."""

    @property
    def to_act(self) -> int | None:
        """The seat that acts next."""

    @property
    def phase(self) -> Phase | None:
        """Where the hand under way is; WAITING between hands, None where the game has no such names."""

    # --- what is played

    def sit(self, seat: int, stack: int) -> None:
        """Somebody has a seat now, with so many chips."""

    def start(self, secret: bytes, plan: HandPlan) -> Step:
        """Start the next hand; everything random in it follows from the secret."""

    def act(self, seat: int, message: Action | MoveMessage, seq: int, bank_ms: int = 0) -> Step:
        """Apply a client's answer; raises `Rejected`, and changes nothing, if it is not legal.

        `seq` is the number of the first message about it, `bank_ms` what the seat has used of its time bank.
        """

    def act_by_default(self, seat: int, policy: TimeoutPolicy, seq: int, bank_ms: int = 0) -> Step:
        """Apply the default action of a seat whose time is up."""

    def default_action(self, policy: TimeoutPolicy) -> Any:
        """The default action, in the form a record has; nothing is played."""

    def void(self) -> None:
        """Take the hand back that is under way."""

    # --- out of the journal

    def replay(self, acted: Acted, seq: int) -> Step:
        """Apply the action of a record again."""

    def read_started(self, started: HandStarted) -> HandStarted:
        """A record out of the journal with its events read."""

    def read_acted(self, acted: Acted) -> Acted:
        """A record out of the journal with its action and events read."""

    def take_finished(self, hand: HandHistory) -> None:
        """A hand is over that was played before: the next one follows it."""

    def faults(self, hand: HandHistory) -> Iterator[str]:
        """What cannot be right about a finished hand, a sentence each."""

    def audit(self, brought: int) -> None:
        """Raise an error where chips were lost or made of all that were brought."""

    # --- what is sent

    def revealed(self, secret: bytes) -> str:
        """What a secret has decided, once everybody may know it: the deck."""

    def messages(self, record: HandStarted | Acted, seq: int) -> list[PublicMessage]:
        """The messages to everybody about a record that was played before, numbered from `seq`."""

    def question(self, hand_id: str, turn: int, time_ms: int, bank_ms: int | None = None) -> ServerMessage:
        """The open question, for the seat that is asked and for nobody else; None: seats have no bank."""

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
    ) -> ServerMessage:
        """The table as one seat may see it; `stacks` are everybody's between hands, the bank is the seat's own."""


def start_message(started: HandStarted, commit: str) -> StartHand:
    """The message that starts a hand; `commit` binds the server to everything random in it."""
    return StartHand(
        hand_id=started.hand_id,
        seed=public_number(commit),
        button=started.button,
        stacks=seat_stacks(started.stacks),
        commit=commit,
        numbers=tuple([OpenedNumber(seat=seat, number=text) for seat, text in started.numbers.items()]),
        withheld=started.withheld,
        variant=started.variant,
        sb_seat=None if started.blinds is None else started.blinds[0],
        bb_seat=None if started.blinds is None else started.blinds[1],
        seq=started.seq,
    )


def seat_stacks(stacks: Mapping[int, int]) -> tuple[SeatStack, ...]:
    """Chips by seat, as a message holds them."""
    return tuple([SeatStack(seat=seat, stack=stack) for seat, stack in stacks.items()])
