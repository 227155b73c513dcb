"""What a match needs from the game at its table. Seats, teams, clocks and the end of the match are not the game's."""

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from msgspec import Struct

from pitboss.arena.journal.commitment import public_number
from pitboss.arena.journal.history import HandHistory
from pitboss.arena.journal.records import Acted, DefaultPolicy, HandStarted
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
    """What a match decides about its next hand: number, name, numbers mixed into its secret, and the `seq` of its first
    message."""

    number: int
    hand_id: str
    seq: int
    numbers: dict[int, str] = {}
    withheld: tuple[int, ...] = ()
    teams: dict[int, str] = {}  #: at a cash table, by seat
    sat_out: tuple[int, ...] = ()  #: at a cash table, the seats that have announced it


class Step(Struct, frozen=True):
    """The result of starting a hand or of one action."""

    record: HandStarted | Acted
    messages: list[PublicMessage]  #: public and numbered
    to_act: int | None  #: the seat that acts next
    result: dict[int, int] | None  #: the chips by seat, if the hand is over


class Host(Protocol):
    """A game at a table, hand after hand. Actions and events are in the game's own form, as records have them."""

    @property
    def variant(self) -> str:
        """The game's name in `config.variant`."""

    @property
    def places(self) -> range:
        """The maximum number of players."""

    @property
    def blinds(self) -> tuple[int, int]:
        """The small and the big blind; 0 if the game has none."""

    @property
    def layouts(self) -> tuple[GameLayout, ...]:
        """The games as clients draw them; empty if it is not poker."""

    @property
    def antes(self) -> tuple[int | None, int | None]:
        """The ante and the bring-in; None if the game has none."""

    @property
    def to_act(self) -> int | None:
        """The seat that acts next."""

    @property
    def phase(self) -> Phase | None:
        """The phase of the current hand; WAITING between hands, None if the game has no such names."""

    # --- what is played

    def sit(self, seat: int, stack: int) -> None:
        """Add a team's seat with its chips."""

    def start(self, secret: bytes, plan: HandPlan) -> Step:
        """Start the next hand; the secret decides everything random in it."""

    def act(self, seat: int, message: Action | MoveMessage, seq: int, bank_ms: int = 0) -> Step:
        """Apply a client's answer; raises `Rejected`, and changes nothing, if it is not legal.

        `seq` is the number of the first message about it, `bank_ms` what the seat has used of its time bank.
        """

    def act_by_default(self, seat: int, policy: DefaultPolicy, seq: int, bank_ms: int = 0) -> Step:
        """Apply the default action of a seat whose time is up."""

    def default_action(self, policy: DefaultPolicy) -> Any:
        """Return the default action, in the form of a record, without playing it."""

    def void(self) -> None:
        """Void the current hand."""

    # --- from the journal

    def replay(self, acted: Acted, seq: int) -> Step:
        """Apply the action of a record again."""

    def read_started(self, started: HandStarted) -> HandStarted:
        """Return a record from the journal with its events read."""

    def read_acted(self, acted: Acted) -> Acted:
        """Return a record from the journal with its action and events read."""

    def take_finished(self, hand: HandHistory) -> None:
        """Continue after a hand that was played before."""

    def faults(self, hand: HandHistory) -> Iterator[str]:
        """Yield what is wrong with a finished hand, one sentence each."""

    def audit(self, brought: int) -> None:
        """Raise an error if chips were lost or created."""

    # --- what is sent

    def revealed(self, secret: bytes) -> str:
        """Return what a secret has decided, once it is public: the deck."""

    def messages(self, record: HandStarted | Acted, seq: int) -> list[PublicMessage]:
        """Return the public messages about an earlier record, numbered from `seq`."""

    def question(
        self, hand_id: str, turn: int, time_ms: int, bank_ms: int | None = None, since: int | None = None
    ) -> ServerMessage:
        """Return the open question for the seat to act, else None. A bank of None: the table has no time banks.

        With `since`, a game that is not poker leaves out that many of the events that the seat may see.
        """

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
        """Return the table as one seat may see it. `stacks` are the chips between hands, the bank is that seat's."""


def start_message(started: HandStarted, commit: str) -> StartHand:
    """Return the message that starts a hand; `commit` commits the server to everything random in it."""
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
    """Return chips by seat as a message has them."""
    return tuple([SeatStack(seat=seat, stack=stack) for seat, stack in stacks.items()])
