"""The interface between a match and its game. The match handles seats, teams, clocks and the end of the match."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from msgspec import Struct

from pitboss.arena.journal.commitment import public_number
from pitboss.arena.journal.history import HandHistory
from pitboss.arena.journal.records import Acted, DefaultPolicy, HandStarted
from pitboss.arena.wire.fields import GameLayout
from pitboss.arena.wire.messages import (
    Action,
    MoveMessage,
    OpenedNumber,
    Phase,
    PublicMessage,
    SeatStack,
    ServerMessage,
    StartHand,
)
from pitboss.game import TableView, at_seats

Sight: TypeAlias = Callable[[int | None], TableView]
"""Returns one state of a game as a seat, or a spectator (None), sees it."""


class HandPlan(Struct, frozen=True, kw_only=True):
    """The match's data for the next hand: number, name, numbers mixed into its secret, and the `seq` of its first
    message."""

    number: int
    hand_id: str
    seq: int
    numbers: dict[int, str] = {}
    withheld: tuple[int, ...] = ()
    teams: dict[int, str] = {}  #: at a cash table, by seat
    sat_out: tuple[int, ...] = ()  #: at a cash table, the seats that will sit out or leave


class Step(Struct, frozen=True):
    """The result of starting a hand or of one action."""

    record: HandStarted | Acted
    messages: list[PublicMessage]  #: public and numbered
    to_act: int | None  #: the seat that acts next
    result: dict[int, int] | None  #: the chips by seat, if the hand is over


class AskParts(Struct, frozen=True):
    """What a question of a game other than poker contains."""

    since: int | None = None  #: the number of events to leave out; None: only the size is limited
    rules: bool = False  #: the rules in English
    table: bool = False  #: the table as data
    words: bool = True  #: what the seat sees, in words


ALL_EVENTS = AskParts()


class Host(Protocol):
    """A game at a table. Actions and events have the game's own form, the same as in records."""

    @property
    def own_game(self) -> dict[str, Any] | None:
        """The content of the game file; None if the game does not come from a file."""

    @property
    def variant(self) -> str:
        """The value of `config.variant`."""

    @property
    def places(self) -> range:
        """The maximum number of players."""

    @property
    def blinds(self) -> tuple[int, int]:
        """The small and the big blind; 0 if the game has none."""

    @property
    def layouts(self) -> tuple[GameLayout, ...]:
        """The layouts of the games, which clients draw; empty if the game is not poker."""

    @property
    def antes(self) -> tuple[int | None, int | None]:
        """The ante and the bring-in; None if the game has none."""

    @property
    def to_act(self) -> int | None:
        """The seat that acts next."""

    @property
    def phase(self) -> Phase | None:
        """The phase of the current hand; WAITING between hands, None if the game has no such names."""

    # --- play

    def sit(self, seat: int, stack: int) -> None:
        """Add a team's seat with its chips."""

    def start(self, secret: bytes, plan: HandPlan) -> Step:
        """Start the next hand. All its random choices are determined by the secret."""

    def act(self, seat: int, message: Action | MoveMessage, seq: int, bank_ms: int = 0) -> Step:
        """Apply a client's answer; raises `Rejected`, and changes nothing, if it is not legal.

        `seq` is the number of the first message about the action. `bank_ms` is the time that the seat has used of its
        time bank.
        """

    def requested(self, message: Action | MoveMessage) -> Any:
        """Return the action of a client's answer in the form of a record; raises `Rejected`."""

    def check(self, seat: int, action: Any) -> None:
        """Raise `Rejected` if the seat cannot do this action, in the form of a record, now."""

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
        """Return a record from the journal with its events decoded."""

    def read_acted(self, acted: Acted) -> Acted:
        """Return a record from the journal with its action and events decoded."""

    def take_finished(self, hand: HandHistory) -> None:
        """Continue after a finished hand."""

    def faults(self, hand: HandHistory) -> Iterator[str]:
        """Yield a sentence for each fault of a finished hand."""

    def audit(self, brought: int) -> None:
        """Raise an error if chips were lost or created."""

    # --- what is sent

    def revealed(self, secret: bytes) -> str:
        """Return the deck that follows from a secret, after the secret is public."""

    def tables(self, started: HandStarted, acts: Iterable[Acted], *, cards: bool) -> Iterator[TableView]:
        """Yield the table as spectators saw it after the start of a finished game and after each action.

        With `cards`, yield it with the cards that each seat saw. Poker yields nothing, because its messages are enough.
        """

    def messages(self, record: HandStarted | Acted, seq: int) -> list[PublicMessage]:
        """Return the public messages about an earlier record, numbered from `seq`."""

    def question(
        self,
        hand_id: str,
        turn: int,
        time_ms: int,
        bank_ms: int | None = None,
        parts: AskParts = ALL_EVENTS,
    ) -> ServerMessage:
        """Return the open question for the seat to act. A bank of None means that the table has no time banks.

        `parts` are what games other than poker put into it.
        """

    @property
    def rules(self) -> str | None:
        """The rules in English; None in poker."""

    def sight(self) -> Sight | None:
        """Return what shows the current or the last game as it is now; None if there is none."""

    def position(self) -> bytes:
        """Return what a house bot needs besides the question; empty in poker."""

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
    ) -> ServerMessage:
        """Return the table as one seat may see it; games other than poker add the table as data, with `table`.

        `stacks` are the chips between hands; the bank is the time bank of that seat.
        """


def start_message(started: HandStarted, commit: str) -> StartHand:
    """Return the message that starts a hand. `commit` is the commitment to all its random choices."""
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


def seat_views(view: Callable[[int | None], TableView], order: Sequence[int]) -> Sight:
    """Return a function that shows a game by seats, given one that shows it by places."""

    def look(seat: int | None) -> TableView:
        return at_seats(view(order.index(seat) if seat in order else None), order)

    return look


def seat_stacks(stacks: Mapping[int, int]) -> tuple[SeatStack, ...]:
    """Return chips by seat in the form of a message."""
    return tuple([SeatStack(seat=seat, stack=stack) for seat, stack in stacks.items()])
