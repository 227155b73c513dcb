"""What a match asks of the game that is played at its table; seats, teams, clocks and the match's end are not its."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol, TypeAlias

from msgspec import Struct

from pitboss.arena.journal.history import HandHistory
from pitboss.arena.journal.records import Acted, HandStarted, TimeoutPolicy
from pitboss.arena.wire.messages import Action, MoveMessage, Phase, ServerMessage

NextNumber: TypeAlias = Callable[[], int]
"""Gives the next message its running number."""


class NewHand(Struct, frozen=True):
    """A hand or game that has begun: the seats in it with their chips, who has the last place, and what happened."""

    button: int
    stacks: dict[int, int]
    deck: str
    events: tuple[Any, ...]
    result: dict[int, int] | None = None  #: where it is over at once, and its events do not say how
    variant: str | None = None  #: in mixed games, which one it is
    blinds: tuple[int, int] | None = None  #: with a dead button, the seats of both; who had the small one may be out


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
    def antes(self) -> tuple[int | None, int | None]:
        """The ante and the bring-in; None where the game has none."""

    @property
    def asked(self) -> int | None:
        """The seat whose answer is awaited."""

    @property
    def phase(self) -> Phase | None:
        """Where the hand under way is; WAITING between hands, None where the game has no such names."""

    @property
    def result(self) -> dict[int, int] | None:
        """Everybody's chips by seat once the hand is over; None while it is under way."""

    # --- what is played

    def sit(self, seat: int, stack: int) -> None:
        """Somebody has a seat now, with so many chips."""

    def start(self, secret: bytes) -> NewHand:
        """Begin the next hand; the secret decides all that chance decides."""

    def answer(self, seat: int, message: Action | MoveMessage) -> Acted:
        """A seat's answer; raises `Rejected`, and nothing has changed, where it is none."""

    def answer_in_absence(self, seat: int, policy: TimeoutPolicy) -> Acted:
        """What is played for a seat whose time is up."""

    def in_absence(self, policy: TimeoutPolicy) -> Any:
        """What that would be, as a record holds it; nothing is played."""

    def void(self) -> None:
        """Take the hand back that is under way."""

    # --- out of the journal

    def play_again(self, acted: Acted) -> Acted:
        """Do again what a record says; gives back the record as it comes out."""

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

    def commit(self, started: HandStarted) -> str:
        """What binds the server to all that chance will decide in this hand."""

    def revealed(self, secret: bytes) -> str:
        """What a secret has decided, once everybody may know it: the deck."""

    def messages(self, record: HandStarted | Acted, number: NextNumber) -> list[ServerMessage]:
        """What everybody is sent of a record, as everybody may see it."""

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
