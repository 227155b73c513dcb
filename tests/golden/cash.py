"""Rewrite the expected games at a cash table: `python -m tests.golden.cash [NAME ...]`, both without a name.

One player sits down, tops up, sits out, returns, waits for the big blind, leaves, buys in again and loses everything,
once by WebSocket and once by document. The deck is the same, and so must be all that spectators receive.
Read the difference before it is committed, and say in the commit why it has changed.
"""

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.cash_document import DocumentRequest, read_posted
from pitboss.arena.rooms.logins import Limits
from pitboss.arena.rooms.output import Output
from pitboss.arena.rooms.room import Room
from pitboss.arena.wire import messages as wire
from tests.support.arena.rooms import Guest, Parlour

FOLDER = Path(__file__).resolve().parent / "cash"
SETTINGS = Settings(
    cash=True,
    stack=10_000,
    min_buy_in=2_000,
    start_at=3,
    timeout_policy="check_fold",
    rake=50,
    rake_cap=300,
    straddle=200,
)
PLAYER = "Dana"
LEFT_OUT = ("opened", "commit", "chain", "seed", "hand_id", "v", "type")
"""Fields that are checked elsewhere, or the same in every line."""
PLAYS, WAITS, PAUSES, LEAVES = range(4)
WISHES: dict[int, dict[str, Any]] = {
    PLAYS: {"type": "sit_in"},
    WAITS: {"type": "sit_out", "until": "big_blind"},
    PAUSES: {"type": "sit_out"},
    LEAVES: {"type": "leave"},
}
MOST_HANDS = 12


class Game:
    """The table, the three players who always check or call, and the transcript."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        secrets = [bytes([number]) * 32 for number in range(1, 100)]
        self.table = Parlour(SETTINGS, limits=Limits(burst=1e9), secrets=secrets)
        self.spectator = self.table.watch()
        self.table.seat(3)
        self.write_frames()

    # --- what the player does

    def join(self, chips: int) -> None:
        """Take a seat for these chips."""
        raise NotImplementedError

    def wish(self, intent: int) -> None:
        """Wish something, by its number in 004."""
        raise NotImplementedError

    def top_up(self, amount: int) -> None:
        """Bring chips."""
        raise NotImplementedError

    def act(self, word: str) -> None:
        """Check, call, or go all-in."""
        raise NotImplementedError

    # --- the script

    def play(self) -> str:
        """Play everything, and return the transcript."""
        self.note("sits down in the middle of a hand")
        self.join(5_000)
        self.hands(2)
        self.note("tops up in the middle of a hand")
        self.top_up(700)
        self.hands(1)
        self.note("sits out until one and a half big blinds are due")
        self.wish(PAUSES)
        self.until(lambda: self.owes == 150)
        self.note("returns and pays")
        self.wish(PLAYS)
        self.hands(2)
        self.note("sits out until the big blind comes")
        self.wish(WAITS)
        self.until(lambda: self.intent == PLAYS)
        self.hands(1)
        self.note("leaves")
        self.wish(LEAVES)
        self.until(lambda: self.seat is None)
        self.note("buys in again")
        self.join(2_000)
        self.note("goes all-in until everything is lost")
        self.until(lambda: self.seat is None, all_in=True)
        self.note("buys in once more")
        self.join(3_000)
        self.hands(1)
        sums = self.table.room.sums
        assert sums is not None
        self.write({name: getattr(sums, name) for name in sums.__struct_fields__})
        return "\n".join([*self.lines, ""])

    @property
    def seat(self) -> int | None:
        """The player's seat."""
        return self.table.match.seat_of(PLAYER)

    @property
    def intent(self) -> int | None:
        """The player's intent."""
        return None if self.seat is None else self.table.match.standing(self.seat)[0]

    @property
    def owes(self) -> int | None:
        """The player's debt."""
        return None if self.seat is None else self.table.match.standing(self.seat)[1]

    def until(self, is_done: Any, *, all_in: bool = False) -> None:
        """Play hands until something is so."""
        for _ in range(MOST_HANDS):
            self.hands(1, all_in=all_in)
            if is_done():
                return
        raise AssertionError(f"not after {MOST_HANDS} hands")

    def hands(self, count: int, *, all_in: bool = False) -> None:
        """Play to the end of some hands."""
        match = self.table.match
        end = match.finished + count
        while match.finished < end:
            assert match.to_act is not None
            if match.to_act == self.seat:
                self.act("ALL_IN" if all_in else "CALL")
            else:
                asked = self.table.to_act
                asked.answer("CHECK" if "CHECK" in (asked.question().legal or ()) else "CALL")
            self.write_frames()

    # --- the transcript

    def note(self, what: str) -> None:
        """Write what the player does next."""
        self.write_frames()
        self.write({"player": what})

    def write(self, line: dict[str, Any]) -> None:
        """Add a line."""
        self.lines.append(json.dumps(line, separators=(",", ":")))

    def write_frames(self) -> None:
        """Write what the spectators have received."""
        for message in self.spectator.news():
            frame: dict[str, Any] = json.loads(wire.write(message))
            if frame["type"] not in ("table", "turn", "equities", "lobby"):
                name = frame.get("ev", frame["type"])
                self.write({"sent": name, **{k: v for k, v in frame.items() if k not in (*LEFT_OUT, "ev")}})


class ByWebSocket(Game):
    """The player has a connection."""

    def __init__(self) -> None:
        super().__init__()
        self._guest: Guest | None = None

    def join(self, chips: int) -> None:
        """Send a hello, on the same connection after the first time."""
        if self._guest is None:
            self._guest = self.table.join(PLAYER, buy_in=chips)
        else:
            self._guest.hello(buy_in=chips)
        self._answered()

    def wish(self, intent: int) -> None:
        """Send the message for it."""
        self._say(WISHES[intent])

    def top_up(self, amount: int) -> None:
        """Send the message for it."""
        self._say({"type": "top_up", "amount": amount})

    def act(self, word: str) -> None:
        """Answer the question."""
        assert self._guest is not None
        question = self._guest.question()
        legal = question.legal or ()
        if word == "ALL_IN" and "RAISE_TO" in legal:
            self._guest.answer("RAISE_TO", question.max_raise_to)
        else:
            self._guest.answer("CHECK" if "CHECK" in legal else "CALL")

    def _say(self, message: dict[str, Any]) -> None:
        assert self._guest is not None
        self._guest.say({"v": 1, **message})
        self._answered()

    def _answered(self) -> None:
        """Write the player's entry in the last lobby."""
        assert self._guest is not None
        assert not self._guest.got(wire.Error)
        self.write_frames()
        for player in self._guest.last(wire.Lobby).players:
            if player.team == PLAYER:
                self.write({"lobby": json.loads(msgspec.json.encode(player))})


class ByDocument(Game):
    """The player reads and posts documents."""

    def join(self, chips: int) -> None:
        """Append the player to the document."""
        fields = self._read()
        own = {"players": PLAYER, "startingStacks": chips, "_intents": PLAYS}
        self._post({**fields, **{name: [*fields[name], value] for name, value in own.items()}})

    def wish(self, intent: int) -> None:
        """Change the player's intent."""
        fields = self._read()
        intents = [
            intent if team == PLAYER else old for team, old in zip(fields["players"], fields["_intents"], strict=True)
        ]
        self._post({**fields, "_intents": intents})

    def top_up(self, amount: int) -> None:
        """Bring chips, which a document cannot do."""
        self._do(DocumentRequest(request=wire.TopUp(v=1, amount=amount)))

    def act(self, word: str) -> None:
        """Append an action to the document."""
        fields = self._read()
        open = self.table.hand
        assert open is not None
        own, raise_ = f"p{fields['players'].index(PLAYER) + 1}", open.offer.raise_
        action = f"{own} cbr {raise_.max_to}" if word == "ALL_IN" and raise_ is not None else f"{own} cc"
        asked = read_posted(
            self.table.match, PLAYER, json.dumps({**fields, "actions": [*fields["actions"], action]}).encode()
        )
        assert asked.action is not None, asked
        self._do(asked, shown=False)

    def _read(self) -> dict[str, Any]:
        fields: dict[str, Any] = json.loads(self.table.room.document(PLAYER).body)
        return fields

    def _post(self, fields: dict[str, Any]) -> None:
        self._do(read_posted(self.table.match, PLAYER, json.dumps(fields).encode()))

    def _do(self, asked: DocumentRequest, *, shown: bool = True) -> None:
        """Do what the document asks for, and write the document that comes back."""
        match = self.table.match
        lock = match.lock_of(PLAYER) or match.lock_of("A")
        assert lock is not None

        def do(room: Room, now: float) -> Output:
            rejected, out = room.post(PLAYER, lock, asked, now)
            assert rejected is None, rejected
            return out

        self.table.step(do)
        if shown:
            self.write_frames()
            self.write({"document": self._read(), "ignored": asked.ignored})


GAMES: dict[str, type[Game]] = {"websocket": ByWebSocket, "document": ByDocument}


def main(wanted: list[str]) -> None:
    """Write the transcripts of these games, or of both."""
    for name in wanted or GAMES:
        (FOLDER / f"{name}.jsonl").write_text(GAMES[name]().play(), encoding="utf-8", newline="\n")
        print(f"wrote {name}.jsonl")


if __name__ == "__main__":
    main(sys.argv[1:])
