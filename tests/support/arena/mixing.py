"""A table in memory whose guests mix in numbers: honest ones with the client's own mixer, others as a test wants."""

from typing import Any

from pitboss.arena.journal.commitment import bind_number
from pitboss.arena.journal.records import HandStarted, NumbersBound, Record, Settings, read_record
from pitboss.arena.rooms.logins import Limits
from pitboss.arena.wire import messages as wire
from pitboss.chance import Chance
from pitboss.client.conversation import NumberMixer
from tests.support.arena.any_game import AnyTable
from tests.support.arena.rooms import TABLE, Guest, Parlour


class MixingTable:
    """A parlour, and the mixers of the teams that have one."""

    def __init__(self, settings: Settings | None = None, *, seed: int = 1, limits: Limits | None = None) -> None:
        self.parlour = Parlour(settings or Settings(seats=4, start_at=2), seed=seed, limits=limits)
        self.chance = Chance(seed + 1)
        self.mixers: dict[str, NumberMixer] = {}
        self.mute: set[str] = set()  #: teams that send no number now
        self._heard: dict[int, int] = {}  # session → how much of its inbox was read

    def draw(self, count: int) -> bytes:
        """Bytes from the seed."""
        return b"".join(self.chance.bits().to_bytes(8, "big") for _ in range(-(-count // 8)))[:count]

    def join(self, team: str, *, mixes: bool = True, **hello: Any) -> Guest:
        """A team joins or returns; if it mixes, with the client's own mixer."""
        if mixes:
            mixer = self.mixers.setdefault(team, NumberMixer(self.draw))
            hello["next"] = mixer.hello()
        guest = self.parlour.join(team, **hello)
        self.answer()
        return guest

    def seat(self, teams: str) -> list[Guest]:
        """Seat teams of one letter each: capital letters mix."""
        return [self.join(team, mixes=team.isupper()) for team in teams]

    def answer(self) -> None:
        """Let every mixer read new messages and answer them, until none has anything to send."""
        spoke = True
        while spoke:
            spoke = False
            for guest in list(self.parlour.at.values()):
                mixer, start = self.mixers.get(guest.team), self._heard.get(guest.session, 0)
                self._heard[guest.session] = len(guest.inbox)
                for message in guest.inbox[start:] if mixer is not None else ():
                    number = mixer.receive(message) if mixer is not None else None
                    if number is not None and guest.team not in self.mute:
                        guest.say(number)
                        spoke = True

    def play_hand(self) -> None:
        """Fold to the end of the hand, and mix the next one's numbers."""
        self.parlour.play_hand()
        self.answer()

    def pass_time(self, seconds: float) -> None:
        """Let time pass."""
        self.parlour.pass_time(seconds)
        self.answer()

    # --- what is on disk

    @property
    def records(self) -> list[Record]:
        """Everything that was written."""
        return [read_record(entry.body) for entry in self.parlour.disk.read(TABLE).entries]

    @property
    def bound(self) -> list[NumbersBound]:
        """Every attempt."""
        return [record for record in self.records if isinstance(record, NumbersBound)]

    @property
    def started(self) -> list[HandStarted]:
        """Every hand."""
        return [record for record in self.records if isinstance(record, HandStarted)]

    @property
    def complaints(self) -> list[str]:
        """The mixers' complaints about the arena."""
        return [sentence for mixer in self.mixers.values() for sentence in mixer.complaints]


class MixingAnyTable(AnyTable):
    """A table of any game whose first seat mixes, from its second hand on."""

    def __init__(self, settings: Settings, *, seed: int) -> None:
        self.mixer = NumberMixer()
        super().__init__(settings, seed=seed)
        self.mixer.receive(self.room.messages.welcome(0))
        self.room._numbers.offer(0, self.mixer.hello())

    def _receive(self, session: int, message: wire.ServerMessage) -> None:
        super()._receive(session, message)
        number = self.mixer.receive(message) if session == 0 else None
        if number is not None:
            self._do(self.room.receive(0, wire.write(number), 0.0))


def number(hand_id: str, number: bytes, next: bytes | None = None) -> wire.Number:
    """A message that opens a number."""
    return wire.Number(v=1, hand_id=hand_id, number=number.hex(), next=None if next is None else bind_number(next))
