"""A table of any game in memory: random players, a spectator, a disk, and crashes whenever a test wants one."""

from collections.abc import Collection
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from pitboss.arena.journal.history import HandHistory, hands_of
from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.output import Output
from pitboss.arena.rooms.room import Room
from pitboss.arena.rooms.tables import OpenTables, RoomSetup, open_tables
from pitboss.arena.wire import messages as wire
from pitboss.chance import Chance
from tests.support.arena.codes import checked
from tests.support.arena.rooms import Disk, sends_of

TABLE = "T-1"
SPECTATOR = 99


class AnyTable:
    """A table and its players; session k has the team that took seat k first."""

    def __init__(
        self,
        settings: Settings,
        *,
        seed: int,
        wants_new: Collection[int] = (),
        tables: Collection[int] = (),
        ask_table: Collection[int] = (),
    ) -> None:
        self.settings = settings
        self.ask_table = ask_table  #: the seats whose questions have the table
        self.wants_new = wants_new  #: the seats that request only new events
        self.wants_tables = tables  #: the seats that request tables
        self.disk = Disk()
        self.chance = Chance(seed)
        self.public: dict[int, wire.ServerMessage] = {}  #: all public messages, by number
        self.questions: dict[int, wire.Ask | wire.GameView] = {}  #: by turn
        self.frames: dict[int, list[str]] = {}  #: by session, all frames that it received
        self.errors: list[wire.Error] = []
        self.views: list[wire.GameView] = []
        self.last: wire.MatchEnd | None = None
        self._open: tuple[int, wire.Ask | wire.GameView] | None = None
        self.start()

    def start(self) -> None:
        """Start the server, or restart it after a crash; every player and the spectator say hello."""
        self._open = None
        setup = RoomSetup(day=lambda: "2026-11-15", entropy=self._entropy)
        self.tables: OpenTables = open_tables(self.disk, setup, self.settings)
        self.room: Room = self.tables.rooms[TABLE]
        self._do(self.room.watch(SPECTATOR, 0.0))
        for seat in range(self.settings.seats):
            self._do(self.room.connect(seat, 0.0))
            learned: Literal["new"] | None = "new" if seat in self.wants_new else None
            hello = wire.Hello(v=1, team=f"team {seat}", join_code="code", learned=learned)
            self.say(seat, replace(hello, tables=seat in self.wants_tables, ask_table=seat in self.ask_table))

    def watch(self, session: int) -> None:
        """Let another spectator come."""
        self._do(self.room.watch(session, 0.0))

    def say(self, session: int, message: wire.ClientMessage) -> None:
        """Send a message, and let the room do everything that follows at once."""
        self._do(self.room.receive(session, wire.write(message), 0.0))
        while self.room.deadline == 0.0:
            self._do(self.room.tick(0.0))

    def move(self) -> None:
        """Let the seat to act make a random legal move."""
        session, asked = self.open_question
        hand_id = asked.hand_id if isinstance(asked, wire.Ask) else asked.at_hand_id
        move = self.chance.choice(asked.legal or ())
        self._open = None
        self.say(session, wire.MoveMessage(v=1, hand_id=hand_id or "", move=move, turn=asked.turn))

    @property
    def open_question(self) -> tuple[int, wire.Ask | wire.GameView]:
        """The seat to act, and its question."""
        assert self._open is not None, "nobody is asked"
        return self._open

    @property
    def games(self) -> list[HandHistory]:
        """The finished games, from the disk."""
        return list(hands_of(TABLE, self.disk.read(TABLE).entries))

    def _entropy(self, count: int) -> bytes:
        return bytes(self.chance.below(256) for _ in range(count))

    def _do(self, out: Output) -> None:
        out = checked(self.room, out, 0.0)
        self.disk.append(out.entries)
        for send in sends_of(out):
            message = wire.read_server(send.frame)
            for session in send.to:
                self.frames.setdefault(session, []).append(send.frame)
                self._receive(session, message)
        if out.entries:
            self._do(self.room.committed(out.entries[-1].seq, 0.0))

    def _receive(self, session: int, message: wire.ServerMessage) -> None:
        match message:
            case wire.Ask():
                self._open = session, message
                self.questions[message.turn] = message
            case wire.GameView():
                self.views.append(message)
                if message.legal is not None:
                    self._open = session, message
            case wire.Error():
                self.errors.append(message)
            case wire.MatchEnd():
                self.last = message
        seq: Any = getattr(message, "seq", None)
        if seq is not None and not isinstance(message, wire.GameView | wire.TableViewMessage):
            assert self.public.setdefault(seq, message) == message, "sent otherwise than before"


def plain(value: Any) -> Any:
    """A written action or event as it looks after reading it from JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))
