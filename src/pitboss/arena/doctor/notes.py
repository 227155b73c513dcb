"""What the doctor writes down: every word a bot said, when, and what it had been asked; no judgement, no socket."""

from collections.abc import Generator
from typing import Literal, TypeAlias, TypeVar

from msgspec import Struct, field

from pitboss.arena.v1.messages import Act

T = TypeVar("T")


# --- what a script does


class SendFrame(Struct, frozen=True):
    """SendFrame a frame to the bot."""

    frame: str | bytes


class Listen(Struct, frozen=True):
    """Wait until the bot says something or leaves, for so many seconds at most."""

    seconds: float


class Cut(Struct, frozen=True):
    """End the connection: with a close code and a reason, or without a word."""

    code: int | None = None
    reason: str = ""


class Admit(Struct, frozen=True):
    """Wait for the bot to come (again) and for its first words."""

    seconds: float


class Said(Struct, frozen=True):
    """The bot said something, so many milliseconds after the last word of the doctor or its own."""

    frame: str | bytes
    after_ms: float = 0.0


class Disconnected(Struct, frozen=True):
    """The bot has ended the connection."""

    code: int | None = None


Step: TypeAlias = SendFrame | Listen | Cut | Admit
Reply: TypeAlias = Said | Disconnected | None
Script: TypeAlias = Generator[Step, Reply, T]


class Pace(Struct, frozen=True, kw_only=True):
    """How long the doctor waits for what; in seconds, the move time in milliseconds."""

    comes: float = 30.0  #: for a bot to come, or to come back
    leaves: float = 3.0  #: for a bot to leave when all is over
    quiet: float = 0.06  #: after an answer, for a second one
    thinks: float = 0.3  #: how long another seat takes its time, and how long a wrong answer can be mended
    grace: float = 0.3  #: after the time is up, for an answer to be called late
    move_time_ms: int = 3000
    short_time_ms: int = 1000


# --- what is written down


class Answered(Struct, frozen=True):
    """Something the bot said when it was asked."""

    scene: str
    act: Act
    frame: str | bytes
    after_ms: float


class Missed(Struct, frozen=True):
    """A question that got no answer in its time."""

    scene: str
    act: Act


class Stray(Struct, frozen=True):
    """Something the bot said when nobody had asked it; `act` is the last question, `answered` whether it had been."""

    scene: str
    frame: str | bytes
    act: Act | None
    answered: bool


class Greeting(Struct, frozen=True):
    """The first words on a connection, and the last `seq` the bot could have seen by then."""

    scene: str
    frame: str | bytes
    seq: int


Ending = Literal["left", "stayed", "spoke", "came back"]


class Notes(Struct):
    """All of it, in order."""

    greetings: list[Greeting] = field(default_factory=list)
    answers: list[Answered] = field(default_factory=list)
    missed: list[Missed] = field(default_factory=list)
    strays: list[Stray] = field(default_factory=list)
    scenes: dict[str, str] = field(default_factory=dict)  #: what went wrong in each scene that was played, or nothing
    stopped: str | None = None  #: why the scenes were not played to its end
    ending: Ending | None = None
