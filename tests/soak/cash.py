"""A cash table of nine seats at a real server: teams come and go over three interfaces, with a kill every 500 hands.

The interfaces are a bot's messages over WebSocket, a browser's (those that the page sends, with an `Origin` and
`resume_from`) and documents over HTTP. After each `kill -9` an auditor reads the new part of the journal. It counts
all chips after every event, works out every blind and debt with `CashLedger`, and compares all messages that were
received.

Outside CI: `python -m tests.soak.cash --hands 20000`.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

import aiohttp
import msgspec
from aiohttp import WSMsgType
from msgspec import Struct

from pitboss.arena.hosts.host import Step
from pitboss.arena.journal.records import HandVoided, Record, Seated, read_record
from pitboss.arena.rooms.match import Change
from pitboss.arena.verify.journal import verify_table
from pitboss.arena.wire.messages import write
from pitboss.documents import offer, read_document, turn
from pitboss.store import Entry, open_store
from tests.support.arena.cash_ledger import CashLedger
from tests.support.arena.poker import Replayed, messages_of
from tests.support.arena.servers import Frame, Place, Process, code_of
from tests.support.figures import write_row

SEATS, BIG, LEAST, MOST = 9, 100, 2_000, 10_000
RAKE, CAP, STRADDLE = 50, 300, 200
"""The rake in thousandths, and its cap."""
HANDS, HANDS_A_LIFE = 20_000, 500
MOVE_MS = 400
RESTS = 1.5
"""Seconds, on average, between two things that a guest does besides playing."""
READS_EVERY = 0.06
"""Seconds between two readings of a document client."""
STUCK = 60.0
"""Seconds without the end of a hand after which a run has failed."""
ENTRIES_AT_ONCE = 20_000
OPTIONS = (
    *("--cash", "--seats", str(SEATS), "--bb", str(BIG), "--min-buy-in", str(LEAST), "--max-buy-in", str(MOST)),
    *("--rake", f"{RAKE // 10}:{CAP}", "--straddle", str(STRADDLE), "--move-time-ms", str(MOVE_MS)),
)
TABLE = "/api/tables/T-1"
PLAYS, WAITS, PAUSES, LEAVES = range(4)
WISHES: dict[int, Frame] = {
    PLAYS: {"type": "sit_in"},
    WAITS: {"type": "sit_out", "until": "big_blind"},
    PAUSES: {"type": "sit_out"},
    LEAVES: {"type": "leave"},
}
FOLDS, RAISES, ALL_IN = 0.7, 0.1, 0.02
"""How often a player folds, raises and goes all-in."""


class Guest:
    """A team that plays, and now and then sits out, returns, tops up, leaves, comes back or is disconnected."""

    kind = ""

    def __init__(self, team: str, chance: Random, address: str, counts: Counter[str]) -> None:
        self.team, self.chance, self.counts = team, chance, counts
        self.heard: dict[int, Frame] = {}  #: the numbered frames of this life of the server
        self.is_seated = False
        self._address = address  # its own, because the server limits the requests of each address

    async def play(self, place: Place) -> None:
        """Play until the server is gone."""
        self.heard.clear()
        self.is_seated = False
        connector = aiohttp.TCPConnector(local_addr=(self._address, 0), force_close=True, limit=0)
        async with aiohttp.ClientSession(connector=connector) as session:
            wandering = asyncio.create_task(_unless_gone(self._wander(session, place)))
            try:
                await _unless_gone(self.stay(session, place))
            finally:
                wandering.cancel()
            with suppress(asyncio.CancelledError):
                await wandering

    async def _wander(self, session: aiohttp.ClientSession, place: Place) -> None:
        """Do something at random moments."""
        while True:
            await asyncio.sleep(self.chance.expovariate(1 / RESTS))
            mood = self.chance.random()
            if not self.is_seated:
                continue
            if mood < 0.6:
                wish = self.chance.choice((PLAYS, PLAYS, PLAYS, WAITS, PAUSES))
                await self.wish(session, place, wish)
            elif mood < 0.8:
                await self.top_up(session, place, self.chance.choice((1, 50, 700, 3_000)))
            elif mood < 0.96:
                await self.wish(session, place, LEAVES)
            else:
                await self.drop()

    def buy_in(self) -> int:
        """The chips that it brings."""
        return self.chance.choice((LEAST, MOST, LEAST + self.chance.randrange(MOST - LEAST)))

    def choose(self, is_free: bool, raises: tuple[int, int] | None) -> tuple[str, int | None]:
        """Check or call, fold, or raise to an amount."""
        mood = self.chance.random()
        if raises is not None and mood < RAISES:
            least, most = raises
            return "RAISE_TO", most if mood < ALL_IN else min(most, least + 50 * self.chance.randrange(4))
        if not is_free and mood > 1 - FOLDS:
            return "FOLD", None
        return ("CHECK" if is_free else "CALL"), None

    async def stay(self, session: aiohttp.ClientSession, place: Place) -> None:
        """Take a seat, play, and return after an absence, as long as the server is there."""
        raise NotImplementedError

    async def wish(self, session: aiohttp.ClientSession, place: Place, intent: int) -> None:
        """Wish something, by its number in 004."""
        raise NotImplementedError

    async def top_up(self, session: aiohttp.ClientSession, place: Place, amount: int) -> None:
        """Bring chips."""
        raise NotImplementedError

    async def drop(self) -> None:
        """Lose the connection."""
        raise NotImplementedError


async def _unless_gone(work: Any) -> None:
    with suppress(aiohttp.ClientError, ConnectionError):
        await work


@lru_cache(maxsize=256)
def _read(text: str) -> Frame:
    """Read a frame once, although every guest receives it; nothing changes it."""
    frame: Frame = msgspec.json.decode(text)
    return frame


class Bot(Guest):
    """A client of protocol 002 that also sends the messages of cash tables; every second one sends no `turn`."""

    kind = "bot"

    def __init__(self, team: str, chance: Random, address: str, counts: Counter[str]) -> None:
        super().__init__(team, chance, address, counts)
        self.seat = -1
        self._last = 0  # the number of the last frame
        self._sends_turn = chance.random() < 0.5
        self._ws: aiohttp.ClientWebSocketResponse | None = None
        self._absence = 0.0

    async def stay(self, session: aiohttp.ClientSession, place: Place) -> None:
        """Connect again and again."""
        while True:
            await self._connect(session, place)
            await asyncio.sleep(self._absence)
            self._absence = 0.05

    async def _connect(self, session: aiohttp.ClientSession, place: Place) -> None:
        async with session.ws_connect(self.url(place), headers=self.headers(place), max_msg_size=0) as ws:
            self._ws = ws
            await self._hello()
            async for message in ws:
                if message.type is WSMsgType.TEXT:
                    await self._receive(_read(message.data))

    def url(self, place: Place) -> str:
        """Where it connects."""
        return place.ws()

    def headers(self, place: Place) -> Mapping[str, str]:
        """What it sends in addition."""
        return {}

    def hello(self) -> Frame:
        """Its first message."""
        hello: Frame = {"type": "hello", "v": 1, "team": self.team, "join_code": code_of(self.team)}
        return hello | {"buy_in": self.buy_in()} if self.chance.random() < 0.8 else hello

    async def _hello(self) -> None:
        await self._say(self.hello())

    async def _say(self, frame: Frame) -> None:
        if self._ws is not None and not self._ws.closed:
            await self._ws.send_json(frame)

    async def _receive(self, frame: Frame) -> None:
        kind = frame["type"]
        if "seq" in frame and kind != "snapshot":
            self.heard[frame["seq"]] = frame
            self._last = frame["seq"]
        if kind == "welcome":
            self.seat, self.is_seated = frame["seat"], True
        elif kind in ("act", "snapshot") and frame.get("legal") and frame["turn"] is not None:
            await self._answer(frame)
        elif frame.get("ev") == "LEFT" and frame["seat"] == self.seat:
            self.is_seated, self.seat = False, -1
            self._return()
        elif kind == "error":
            self.counts[f"{self.kind}: {frame['code']}"] += 1
            if frame["code"] in ("TABLE_FULL", "RATE_LIMITED") and not self.is_seated:
                self._return()

    def _return(self) -> None:
        """Send a hello after a while, without blocking what comes meanwhile."""
        wait = 0.2 + self.chance.random()
        self._returning = asyncio.create_task(self._come_back(wait, self._ws))

    async def _come_back(self, wait: float, ws: aiohttp.ClientWebSocketResponse | None) -> None:
        await asyncio.sleep(wait)
        if not self.is_seated and ws is self._ws:
            await _unless_gone(self._hello())

    async def _answer(self, question: Frame) -> None:
        legal = question["legal"]
        raises = (question["min_raise_to"], question["max_raise_to"]) if "RAISE_TO" in legal else None
        word, amount = self.choose("CHECK" in legal, raises)
        if word not in legal:
            word = "CALL" if "CALL" in legal else "FOLD"
        action: Frame = {"type": "action", "v": 1, "hand_id": question.get("hand_id") or question["at_hand_id"]}
        action |= {"action": word} | ({} if amount is None else {"amount": amount})
        await self._say(action | {"turn": question["turn"]} if self._sends_turn else action)

    async def wish(self, session: aiohttp.ClientSession, place: Place, intent: int) -> None:
        """Send the message for it."""
        await self._say({"v": 1, **WISHES[intent]})

    async def top_up(self, session: aiohttp.ClientSession, place: Place, amount: int) -> None:
        """Send the message for it."""
        await self._say({"type": "top_up", "v": 1, "amount": amount})

    async def drop(self) -> None:
        """Close the connection, sometimes for longer than a turn."""
        self._absence = self.chance.choice((0.0, 0.1, 2 * MOVE_MS / 1000))
        self.is_seated = False
        if self._ws is not None:
            await self._ws.close()


class Browser(Bot):
    """What the page sends: it watches first, and its hello names a seat and where it continues."""

    kind = "browser"

    async def stay(self, session: aiohttp.ClientSession, place: Place) -> None:
        """Watch for a moment, as the page does before its user takes a seat."""
        async with session.ws_connect(place.watch("T-1"), headers=self.headers(place)) as ws:
            assert (await ws.receive_json())["type"] == "table"
        await super().stay(session, place)

    def url(self, place: Place) -> str:
        """The page names its table."""
        return place.ws("T-1")

    def headers(self, place: Place) -> Mapping[str, str]:
        """A browser sends the origin of the page."""
        return {"Origin": place.http}

    def hello(self) -> Frame:
        """The hello of the page."""
        return {**super().hello(), "resume_from": self._last, "seat": self.chance.randrange(SEATS)}


class DocumentClient(Guest):
    """A client that follows the events of its document, reads it, and posts it with a wish or an action."""

    kind = "document"

    def __init__(self, team: str, chance: Random, address: str, counts: Counter[str]) -> None:
        super().__init__(team, chance, address, counts)
        self._headers = {"Authorization": f"Bearer {code_of(team)}"}
        self._fields: dict[str, Any] = {}
        self._until = 0.0  # it reads nothing until then
        self._changed = asyncio.Event()

    def _url(self, place: Place, path: str = "") -> str:
        return f"{place.http}{TABLE}/document{path}?team={self.team}"

    async def stay(self, session: aiohttp.ClientSession, place: Place) -> None:
        """Follow the events, and read the document after changes."""
        following = asyncio.create_task(_unless_gone(self._follow(session, place)))
        following.add_done_callback(lambda _: self._changed.set())
        try:
            await self._read_on(session, place, following)
        finally:
            following.cancel()

    async def _follow(self, session: aiohttp.ClientSession, place: Place) -> None:
        forever = aiohttp.ClientTimeout(total=None)
        async with session.get(f"{place.http}{TABLE}/document/events", timeout=forever) as stream:
            assert stream.status == 200, stream.status
            before = 0
            async for line in stream.content:  # ends when the server is gone
                if line.startswith(b"id: "):
                    number = int(line[4:])
                    assert before in (0, number - 1), f"event {number} after {before}"
                    before = number
                    self._changed.set()

    async def _read_on(self, session: aiohttp.ClientSession, place: Place, following: "asyncio.Task[None]") -> None:
        while not following.done():
            await self._changed.wait()
            self._changed.clear()
            loop = asyncio.get_running_loop()
            if loop.time() < self._until:
                await asyncio.sleep(self._until - loop.time())
            await self._read(session, place)
            await asyncio.sleep(READS_EVERY)

    async def _read(self, session: aiohttp.ClientSession, place: Place) -> None:
        """Read the document; join if it does not have this team, or answer if it is its turn."""
        headers = self._headers if self.is_seated else {}
        async with session.get(self._url(place), headers=headers) as answer:
            if self._is_refused(answer.status, "read"):
                return
            assert int(answer.headers["ETag"].strip('"')) >= 0
            fields: dict[str, Any] = msgspec.json.decode(await answer.read())
        self._take(fields)
        if not self.is_seated:
            self._until = asyncio.get_running_loop().time() + self.chance.random()
            await self._join(session, place, fields)
            return
        if not fields["actions"] or fields["_inactive"][fields["players"].index(self.team)]:
            return
        document = read_document(fields)
        if turn(document) == self.team:
            offered = offer(document, self.team)
            raises = offered.raise_
            bounds = None if raises is None else (int(raises.min_to), int(raises.max_to))
            word, amount = self.choose(not offered.fold, bounds)
            own = f"p{fields['players'].index(self.team) + 1}"
            text = {"FOLD": "f", "RAISE_TO": f"cbr {amount}"}.get(word, "cc")
            await self._post(session, place, {**fields, "actions": [*fields["actions"], f"{own} {text}"]}, "action")

    def _take(self, fields: dict[str, Any]) -> None:
        """Keep a document, in which no cards of others may be."""
        self.is_seated = self.team in fields["players"]
        if self.is_seated and fields["_intents"][fields["players"].index(self.team)] == LEAVES:
            self.is_seated = False  # it now gets the spectators' document
        self._fields = fields
        own = f"p{fields['players'].index(self.team) + 1}" if self.is_seated else ""
        for action in fields["actions"]:
            if action.startswith("d dh ") and action.split()[2] != own:
                assert set(action.split()[3]) == {"?"}, f"{self.team} sees {action}"

    async def _join(self, session: aiohttp.ClientSession, place: Place, fields: dict[str, Any]) -> None:
        own: dict[str, Any] = {"players": self.team, "startingStacks": self.buy_in(), "_intents": PLAYS}
        if self.chance.random() < 0.5:
            own["seats"] = self.chance.randrange(SEATS) + 1
        if self.team not in fields["players"]:
            await self._post(session, place, {**fields, **{n: [*fields[n], v] for n, v in own.items()}}, "join")

    async def _post(self, session: aiohttp.ClientSession, place: Place, what: Any, why: str, path: str = "") -> None:
        url, body = self._url(place, path), json.dumps(what).encode()
        async with session.post(url, data=body, headers=self._headers) as answer:
            said = await answer.text()
            if self._is_refused(answer.status, why):
                return
        answered = json.loads(said)
        self._take(answered["document"])
        if why == "action" and any(sentence.startswith("actions:") for sentence in answered["ignored"]):
            self.counts["document: action ignored"] += 1

    def _is_refused(self, status: int, why: str) -> bool:
        """Whether a request was refused, as the contract allows; the old document of a team that has left joins."""
        if status == 200:
            self.counts[f"document: {why}"] += 1
            return False
        self.counts[f"document: {why} {status}"] += 1
        assert status in ((401, 429) if why == "read" else (409, 422, 429)), (why, status)
        if status == 401:
            self.is_seated = False  # it has left
        if status == 429:
            self._until = asyncio.get_running_loop().time() + 0.5
        self._changed.set()
        return True

    async def wish(self, session: aiohttp.ClientSession, place: Place, intent: int) -> None:
        """Post the last document, however old, with another intent."""
        fields, own = self._fields, self._fields["players"].index(self.team)
        intents = [*fields["_intents"]]
        intents[own] = intent
        await self._post(session, place, {**fields, "_intents": intents}, "wish")

    async def top_up(self, session: aiohttp.ClientSession, place: Place, amount: int) -> None:
        """Post the amount."""
        await self._post(session, place, {"amount": amount}, "top_up", "/top_up")

    async def drop(self) -> None:
        """Read nothing for longer than three turns."""
        self._until = asyncio.get_running_loop().time() + 3.5 * MOVE_MS / 1000


# --- the audit


class Purse:
    """The chips of each seat and in the middle, by the public messages alone."""

    def __init__(self) -> None:
        self.chips: dict[int, int] = {}
        self.pot = self.brought = self.taken = self.rake = 0
        self.events = 0
        self._paid = self._is_flop = 0

    @property
    def sums(self) -> dict[str, int]:
        """What the server has to report."""
        in_play = sum(self.chips.values()) + self.pot
        return {"brought": self.brought, "taken": self.taken, "rake": self.rake, "in_play": in_play}

    def sit(self, seat: int, chips: int) -> None:
        """A team brings chips."""
        assert seat not in self.chips
        self.chips[seat] = chips
        self.brought += chips

    def see(self, frame: Frame) -> None:
        """Take in a message, and count all chips again."""
        kind, seat, amount = frame.get("ev", frame["type"]), frame.get("seat", -1), frame.get("amount", 0)
        match kind:
            case "start_hand":
                assert not self.pot
                self._is_flop = 0
                self._check_stacks(frame)
            case "POST_BLINDS":
                self._pay(frame["sb_seat"], frame["sb_posted"])
                self._pay(frame["bb_seat"], frame["bb_posted"])
            case "POST_DEAD" | "STRADDLE" | "BET" | "CALL":
                self._pay(seat, amount)
            case "FLOP":
                self._is_flop = 1
            case "RAKE":
                assert self._is_flop, "rake without a flop"
                assert 0 < amount <= min(CAP, self.pot * RAKE // 1000), (amount, self.pot)
                self.pot, self.rake = self.pot - amount, self.rake + amount
            case "REFUND" | "POT_AWARD":
                self._pay(seat, -amount)
            case "TOPPED_UP":
                self.chips[seat] += amount
                self.brought += amount
            case "LEFT":
                assert self.chips.pop(seat) == frame["stack"]
                self.taken += frame["stack"]
            case "end_hand":
                assert not self.pot, f"{self.pot} chips are left in the middle"
                self._check_stacks(frame)
        self.events += 1
        sums = self.sums
        assert sums["brought"] == sums["in_play"] + sums["taken"] + sums["rake"], (sums, frame)
        assert self.pot >= 0, frame
        assert min(self.chips.values(), default=0) >= 0, frame

    def _pay(self, seat: int, amount: int) -> None:
        if amount:
            self.chips[seat] -= amount
            self.pot += amount

    def _check_stacks(self, frame: Frame) -> None:
        for each in frame["stacks"]:
            assert self.chips[each["seat"]] == each["stack"], (frame, self.chips)


class Audited(Struct, frozen=True):
    """What has been audited so far."""

    hands: int = 0
    events: int = 0
    seen: dict[str, int] = {}  #: the number of messages of each kind


class Auditor:
    """Reads the journal and checks all that is new in it, in a process of its own."""

    def __init__(self, db: Path) -> None:
        self.purse, self.ledger = Purse(), CashLedger(SEATS, BIG, STRADDLE)
        self.ended = 0
        self.frames: dict[int, Frame] = {}  #: of the last two lives
        self._db, self._replayed, self._seq = db, Replayed("T-1"), 0

    def audit(self, until: int, heard: Mapping[int, Frame], sums: Mapping[str, int]) -> "Audited":
        """Check the entries up to this one, that they have each frame that was received, and the sums after them."""
        old, self.frames = self.frames, {}
        with open_store(str(self._db), read_only=True) as store:
            while self._seq < until:
                for entry in store.part("T-1", self._seq, min(ENTRIES_AT_ONCE, until - self._seq)):
                    self._take(entry)
        known = {**old, **self.frames}
        for seq, frame in heard.items():
            assert known.get(seq, frame if seq < min(known) else None) == frame, (frame, known.get(seq))
        assert sums == self.purse.sums, (sums, self.purse.sums)
        return Audited(self.ended, self.purse.events, dict(self.ledger.seen))

    def _take(self, entry: Entry) -> None:
        assert entry.seq == self._seq + 1
        self._seq = entry.seq
        change: Change = self._replayed.take(read_record(entry.body))
        record: Record = change.record if isinstance(change, Step) else change
        assert not isinstance(record, HandVoided), record
        self.ledger.wants(record)
        if isinstance(record, Seated):
            self.purse.sit(record.seat, record.stack)
        match = self._replayed.match
        for message in messages_of(match, change, entry.hash):
            self.ledger.see(message)
            frame = msgspec.json.decode(write(message))
            self.purse.see(frame)
            self.ended += frame["type"] == "end_hand"
            if "seq" in frame:
                self.frames[frame["seq"]] = frame
        self.ledger.wait()
        assert {seat: match.standing(seat)[1] for seat in match.history.seats} == self.ledger.owes


class Watcher:
    """A spectator that counts hands and frames, and kills the server at a given frame."""

    def __init__(self) -> None:
        self.heard: dict[int, Frame] = {}
        self.hands = 0

    async def watch(self, process: Process, hands: int, frames: int) -> None:
        """Watch until this many hands have ended and some frames more have come; then kill."""
        self.heard.clear()
        until = self.hands + hands
        async with aiohttp.ClientSession() as session, session.ws_connect(process.watch(), max_msg_size=0) as ws:
            while True:
                async with asyncio.timeout(STUCK):
                    message = await ws.receive()
                assert message.type is WSMsgType.TEXT, f"{message!r}: {process.said[-2000:]}"
                frame = _read(message.data)
                if "seq" in frame:
                    self.heard[frame["seq"]] = frame
                    self.hands += frame["type"] == "end_hand"
                if self.hands >= until:
                    frames -= 1
                if frames <= 0:
                    process.strike()
                    return


class CashGames:
    """The table, its guests, and its lives."""

    def __init__(self, folder: Path, seed: int) -> None:
        chance = Random(seed)
        self.counts: Counter[str] = Counter()
        kinds: list[type[Guest]] = [Bot, Browser, DocumentClient, Bot, Browser, Browser] * 2
        self.guests = [
            kind(f"{kind.kind}{number}", Random(chance.random()), f"127.0.1.{number}", self.counts)
            for number, kind in enumerate(kinds, 1)
        ]
        self.watcher = Watcher()
        self.kills = 0
        self.slowest_start = 0.0
        self._folder, self._chance = folder, chance

    async def play(self, hands: int, hands_a_life: int = HANDS_A_LIFE) -> Audited:
        """Play this many hands, life after life; each life is audited while the next one is played."""
        began = time.perf_counter()
        audit: asyncio.Future[Audited] = asyncio.get_running_loop().create_future()
        audit.set_result(Audited())
        heard: dict[int, Frame] = {}
        with ProcessPoolExecutor(1, get_context("spawn"), _begin_audit, (self._folder / "arena.db",)) as auditor:
            while True:
                process = await self._start()
                try:
                    sums, until = await self._sums(process), self._last_entry()
                    await audit
                    audit = asyncio.get_running_loop().run_in_executor(auditor, _audit, until, heard, sums)
                    if self.watcher.hands >= hands:
                        return await audit
                    heard = await self._live(process, min(hands_a_life, hands - self.watcher.hands))
                finally:
                    process.kill()
                done, spent = self.watcher.hands, time.perf_counter() - began
                line = f"{done}/{hands} hands, {self.kills} kills, {spent:.0f} s, start {self.slowest_start:.1f} s"
                print(line, file=sys.stderr, flush=True)

    async def _live(self, process: Process, hands: int) -> dict[int, Frame]:
        """Play this many hands and kill the server; return the frames that were received."""
        playing = [asyncio.create_task(guest.play(process)) for guest in self.guests]
        watching = asyncio.create_task(self.watcher.watch(process, hands, self._chance.randrange(1, 60)))
        checking = asyncio.create_task(self._check_often(process))
        await asyncio.wait([watching, checking, *playing], return_when=asyncio.FIRST_COMPLETED)
        process.kill()
        async with asyncio.timeout(STUCK):
            results = await asyncio.gather(*playing, checking, watching, return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException):
                raise result
        self.kills += 1
        said = process.said
        assert not [word for word in ("Traceback", "Error", "exception") if word in said], said[-4000:]
        heard = dict(self.watcher.heard)
        for guest in self.guests:
            for seq, frame in guest.heard.items():
                assert heard.setdefault(seq, frame) == frame, (frame, heard[seq])
        return heard

    def _last_entry(self) -> int:
        """Return the number of the last entry of the journal."""
        with open_store(str(self._folder / "arena.db"), read_only=True) as store:
            last = store.newest("T-1")
        assert last is not None
        return last.seq

    async def _start(self) -> Process:
        started = time.perf_counter()
        process = await asyncio.to_thread(Process, self._folder, *OPTIONS)
        self.slowest_start = max(self.slowest_start, time.perf_counter() - started)
        return process

    async def _check_often(self, place: Place) -> None:
        """Ask for the sums again and again."""
        with suppress(aiohttp.ClientError, ConnectionError):
            while True:
                await asyncio.sleep(0.5)
                await self._sums(place)

    async def _sums(self, place: Place) -> dict[str, int]:
        """Return the chips that were brought; they are in play, taken or raked."""
        async with aiohttp.ClientSession() as session, session.get(place.http + TABLE) as answer:
            assert answer.status == 200
            found: dict[str, Any] = await answer.json()
        assert found["brought"] == found["in_play"] + found["taken"] + found["rake"], found
        self.counts["sums checked"] += 1
        return {name: found[name] for name in ("brought", "taken", "rake", "in_play")}

    def verify(self) -> int:
        """Verify the whole journal, and return the number of its hands."""
        with open_store(str(self._folder / "arena.db"), read_only=True) as store:
            report = verify_table("T-1", store.read("T-1"))
        assert report.problems == []
        return report.hands


_auditors: list[Auditor] = []  # the one of this process


def _begin_audit(db: Path) -> None:
    _auditors.append(Auditor(db))


def _audit(until: int, heard: Mapping[int, Frame], sums: Mapping[str, int]) -> Audited:
    return _auditors[0].audit(until, heard, sums)


def main() -> int:
    """Play, verify, print the counts, and write the row of figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--hands", type=int, default=HANDS)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        games = CashGames(Path(folder), given.seed)
        audited = asyncio.run(games.play(given.hands))
        verified = games.verify()
    seen = audited.seen
    print(json.dumps({"counts": dict(sorted(games.counts.items())), "seen": dict(sorted(seen.items()))}, indent=1))
    figures = {
        "hands": audited.hands,
        "verified": verified,
        "events": audited.events,
        "kills": games.kills,
        "dead_posts": seen["PostDead"],
        "sat_out": seen["SatOutMessage"],
        "left": seen["LeftMessage"],
        "topped_up": seen["ToppedUpMessage"],
        "slowest_start": round(games.slowest_start, 1),
        "seconds": round(time.perf_counter() - began),
    }
    print(json.dumps(figures))
    if given.hands >= HANDS:  # a short run is not evidence
        write_row("cash", **figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
