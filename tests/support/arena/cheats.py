"""An organiser who wants an ace on top of the deck, with a client of their own, against one honest client that mixes.

The server is the real one except for the part that mixes, which the organiser has rewritten; the honest client uses
pitboss's own mixer. Results: how often an ace was on top, what the honest client complained of, and what `verify` says.
"""

from collections.abc import Callable, Collection, Iterable, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from pitboss.arena.hosts.host import Step
from pitboss.arena.journal.commitment import bind_number, deck_of, mix_numbers
from pitboss.arena.journal.history import History, read_entries
from pitboss.arena.journal.records import HandStarted, NumbersBound, Settings
from pitboss.arena.rooms.match import Match
from pitboss.arena.rooms.number_exchange import NumberExchange
from pitboss.arena.rooms.output import Output
from pitboss.arena.rooms.room import Room
from pitboss.arena.rooms.tables import RoomSetup, open_tables
from pitboss.arena.verify.journal import verify_table
from pitboss.arena.verify.transcript import verify_transcript
from pitboss.arena.wire import messages as wire
from pitboss.chance import Chance
from pitboss.client.conversation import NumberMixer
from tests.support.arena.rooms import TABLE, Disk, sends_of

HONEST, FRIEND = 0, 1
Entropy = Callable[[int], bytes]
TRIES = 16
"""How many numbers the organiser tries."""
CHANCE_OF_ACE = 4 / 52


def is_ace(secret: bytes) -> bool:
    """Whether the organiser likes a deck."""
    return deck_of(secret)[0][0] == "A"


class Organiser(NumberExchange):
    """The part of the server that mixes; this class is honest, and has what its cheating subclasses need."""

    def __init__(self, match: Match, seconds: float) -> None:
        super().__init__(match, seconds)
        self.draw: Callable[[int], bytes] = bytes
        self.number = b""  #: the commitment of the organiser's client

    def entropy(self, size: int) -> bytes:
        """The operating system's randomness."""
        return self.draw(size)

    def opens(self) -> bool:
        """Whether the organiser's client opens its number, now that the honest one has."""
        return True

    def proceed(self, connected: Collection[int], entropy: Entropy, day: str) -> NumbersBound | Step:
        """Continue, with the organiser's own randomness."""
        return super().proceed(connected, self.entropy, day)

    # --- what the organiser knows

    def secret(self, server_number: bytes | None = None, number: bytes | None = None) -> bytes:
        """The secret from the numbers opened so far and the client's own; either number can be replaced."""
        bound = self.bound
        assert bound is not None
        numbers = {seat: bytes.fromhex(text) for seat, text in self._numbers.items()} | {FRIEND: number or self.number}
        return mix_numbers(bound.hand_id, server_number or bytes.fromhex(bound.server_number), numbers)

    def best(self, secret_of: Callable[[bytes], bytes]) -> bytes:
        """A number that gives an ace, if one of those tried does."""
        tried = [self.draw(32) for _ in range(TRIES)]
        return next((number for number in tried if is_ace(secret_of(number))), tried[0])

    def rebind(self, **changes: object) -> None:
        """Replace fields of the numbers that are bound."""
        assert self.bound is not None
        self._match.history.bound = replace(self.bound, **changes)


class DrawsOften(Organiser):
    """Draws until a secret gives an ace: that is enough without mixing, but with mixing the secret is not known yet."""

    def entropy(self, size: int) -> bytes:
        """The best of several draws."""
        hand_id = f"H-2026-11-15-{self._match.history.hands + 1:05d}"
        mixed = bool(self._commits)
        guess = {HONEST: bytes(32), FRIEND: self.number}
        return self.best(lambda number: mix_numbers(hand_id, number, guess) if mixed else number)


class SwapsHisNumber(Organiser):
    """Draws the server's number anew once the others are open."""

    def proceed(self, connected: Collection[int], entropy: Entropy, day: str) -> NumbersBound | Step:
        """Swap, then go on."""
        if self.bound is not None and not self.missing:
            self.rebind(server_number=self.best(lambda number: self.secret(server_number=number)).hex())
        return super().proceed(connected, entropy, day)


class SwapsHisFriendsNumber(Organiser):
    """Draws the own client's number anew once the honest one is open."""

    def proceed(self, connected: Collection[int], entropy: Entropy, day: str) -> NumbersBound | Step:
        """Swap, then go on."""
        bound = self.bound
        if bound is not None and not self.missing:
            number = self.best(lambda number: self.secret(number=number))
            self._numbers[FRIEND] = number.hex()
            self.rebind(commits=bound.commits | {FRIEND: bind_number(number)})
        return super().proceed(connected, entropy, day)


class Withholds(Organiser):
    """The organiser's client answers last, and opens its number only if the deck has an ace on top."""

    def opens(self) -> bool:
        """If it gives an ace."""
        return is_ace(self.secret())


class Denies(Organiser):
    """Claims that the honest client has not opened, if the deck has no ace on top."""

    def proceed(self, connected: Collection[int], entropy: Entropy, day: str) -> NumbersBound | Step:
        """Lose a number, then continue."""
        if self.bound is not None and not self.missing and not is_ace(self.secret()):
            self._numbers.pop(HONEST, None)
        return super().proceed(connected, entropy, day)


class AsksAgain(Organiser):
    """Binds all clients anew, and names none as withholding, if the deck has no ace on top."""

    def proceed(self, connected: Collection[int], entropy: Entropy, day: str) -> NumbersBound | Step:
        """Forget what was opened."""
        if self.bound is not None and not self.missing and HONEST in self._commits and not is_ace(self.secret()):
            self._numbers, self._expires = {}, None
            commits = {seat: self._commits.pop(seat) for seat in sorted(self._commits)}
            return self._match.bind(self.draw(32), commits, day)
        return super().proceed(connected, entropy, day)


class DealsAnother(Organiser):
    """Deals another deck, as if nothing had been mixed, if this one has no ace on top."""

    def proceed(self, connected: Collection[int], entropy: Entropy, day: str) -> NumbersBound | Step:
        """Deal from the organiser's own secret."""
        if self.bound is not None and not self.missing and not is_ace(self.secret()):
            self._numbers, self._expires, self._match.history.bound = {}, None, None
            return self._match.start(self.best(lambda secret: secret), day)
        return super().proceed(connected, entropy, day)


class Cheated(Struct):
    """The result of a match."""

    started: list[HandStarted] = field(default_factory=list)
    bound: list[NumbersBound] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)  #: what `verify` finds in the journal
    received: list[str] = field(default_factory=list)  #: the honest client's transcript
    named: set[int] = field(default_factory=set)  #: seats named publicly as withholding

    @property
    def aces(self) -> int:
        """How often an ace was on top."""
        return sum(is_ace(bytes.fromhex(hand.secret)) for hand in self.started)


class CheatedTable:
    """A match of two: the honest client has seat 0, the organiser's friend seat 1."""

    def __init__(self, organiser: type[Organiser], *, hands: int, seed: int, mixes: bool = True) -> None:
        self.chance = Chance(seed)
        setup = RoomSetup(day=lambda: "2026-11-15", entropy=self.draw)
        self.disk, self.now, self.result = Disk(), 0.0, Cheated()
        self.mixer = NumberMixer(self.draw)
        settings = Settings(seats=2, stack=10**6, max_hands=hands)
        self.room: Room = open_tables(self.disk, setup, settings).rooms[TABLE]
        self.organiser = organiser(self.room.match, 2.0)
        self.organiser.draw, self.room._numbers = self.draw, self.organiser
        self._questions: list[tuple[int, wire.Act]] = []
        self._asked: wire.Mix | None = None
        if mixes:
            self.organiser.offer(HONEST, self.mixer.hello())
            self.organiser.offer(FRIEND, self._next_number())
        self.mixer.receive(self.room.messages.welcome(HONEST))
        self.result.received.append(wire.write(self.room.messages.welcome(HONEST)))
        for seat in (HONEST, FRIEND):
            self._do(self.room.attach(seat, f"team {seat}", self.now))
        while not self.room.match.over:
            self._go_on()
        self._judge()

    def draw(self, size: int) -> bytes:
        """Bytes from the seed."""
        return b"".join(self.chance.bits().to_bytes(8, "big") for _ in range(-(-size // 8)))[:size]

    def _next_number(self) -> str:
        self._waiting = self.draw(32)
        return bind_number(self._waiting)

    def _go_on(self) -> None:
        """Let a client with something to send send it; otherwise let time pass."""
        if self._questions:
            session, act = self._questions.pop()
            fold = wire.Action(v=1, hand_id=act.hand_id, action="FOLD", turn=act.turn)
            self._do(self.room.receive(session, wire.write(fold), self.now))
        elif self._asked is not None:
            asked, self._asked = self._asked, None
            self.organiser.number = self._waiting
            if self.organiser.opens():
                number = self._waiting.hex()
                answer = wire.Number(v=1, hand_id=asked.hand_id, number=number, next=self._next_number())
                self._do(self.room.receive(FRIEND, wire.write(answer), self.now))
        deadline = self.room.deadline
        if deadline is not None and not self._questions:
            self.now = max(self.now, deadline)
            self._do(self.room.tick(self.now))

    def _do(self, out: Output) -> None:
        """Write entries, send frames, and let the honest client answer its questions."""
        frames = list(self._sent(out))
        if out.entries:
            self.disk.append(out.entries)
            frames += self._sent(self.room.committed(out.entries[-1].seq, self.now))
        for session, frame in frames:
            message = wire.read_server(frame)
            if isinstance(message, wire.Act):
                self._questions.append((session, message))
            if session == FRIEND and isinstance(message, wire.Mix):
                listed = {one.seat for one in message.numbers}
                self._asked = message if FRIEND in listed else None
            if session == HONEST:
                self.result.received.append(frame)
                self.result.named.update(getattr(message, "withheld", ()))
                number = self.mixer.receive(message)
                if number is not None:
                    self._do(self.room.receive(HONEST, wire.write(number), self.now))

    @staticmethod
    def _sent(out: Output) -> Iterable[tuple[int, str]]:
        return ((session, send.frame) for send in sends_of(out) for session in send.to)

    def _judge(self) -> None:
        reading, result = self.disk.read(TABLE), self.result
        records = [step.record for step in read_entries(History(TABLE), reading.entries)]
        result.started = [record for record in records if isinstance(record, HandStarted)]
        result.bound = [record for record in records if isinstance(record, NumbersBound)]
        result.complaints = self.mixer.complaints
        result.problems = verify_table(TABLE, reading).problems


def faults_of(received: Sequence[str]) -> list[str]:
    """The faults that the honest client's transcript alone shows."""
    return verify_transcript("honest", received).problems
