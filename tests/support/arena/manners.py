"""Clients with all kinds of behaviour, which note all they send and receive.

They think, sleep, repeat, make mistakes, reconnect and leave.
"""

import asyncio
import json
from collections import Counter
from random import Random

import aiohttp
from aiohttp import WSMsgType
from msgspec import Struct

from tests.support.arena.referee import ACTIONS, Frame
from tests.support.arena.servers import Place, code_of

CLOSE_CALL = 0.3
"""Seconds before a question runs out in which an answer can be late or not."""
WORDS = {"CHECK": "CHECK", "CALL": "CALL", "FOLD": "FOLD", "BET": "RAISE_TO"}
"""An event → the action that causes it."""


class Manners(Struct, frozen=True, kw_only=True):
    """How a client behaves; numbers without a unit are chances per question."""

    echoes: bool = True  #: sends `turn`
    thinks: float = 0.0  #: up to this many seconds
    sleeps: float = 0.0  #: lets a question run out, and answers it afterwards
    repeats: float = 0.0  #: sends an answer twice
    stumbles: float = 0.0  #: sends something wrong first
    moves: float = 0.0  #: takes its seat over with a new connection
    resumes: bool = True  #: with `resume_from`
    vanishes: float = 0.0  #: closes its connection, and returns after at most three turns' time
    leaves: float = 0.0  #: sends `leave`, and returns after at most three turns' time


class Note(Struct, frozen=True):
    """A frame that was sent or received."""

    at: float
    frame: Frame
    link: int  #: the number of the connection
    seen: int  #: the number of the last public frame received before it on this connection
    turn: int = 0  #: for an answer: its question


class Absence(Struct):
    """When a client was away on purpose."""

    began: float
    left: bool  #: by `leave`; else by disconnecting
    ended: float = float("inf")


class Due(Struct, frozen=True):
    """An error that must come, or that can come."""

    codes: tuple[str, ...]
    turn: int  #: the question that was open
    is_sure: bool = True
    is_first: bool = True  #: before the effect of that question's answer


class Client:
    """A client at one table; everything it receives against the protocol's text is in `faults`."""

    def __init__(self, team: str, manners: Manners, chance: Random, place: Place, table: str) -> None:
        self.team, self.manners = team, manners
        self.seat = -1
        self.config: Frame = {}
        self.heard: list[Note] = []
        self.sent: list[Note] = []  #: answers only
        self.spoke: list[float] = []  #: when it sent any frame
        self.absences: list[Absence] = []
        self.faults: list[str] = []
        self.counts = Counter[str]()
        self.over = False
        self._chance, self._place, self._table = chance, place, table
        self._link = self._seen = self._last = 0
        self._dues: list[Due] = []
        self._at = {0}  # how many of them may be behind it
        self._refused_in = ""  # the hand in which the next answer without a turn comes too late
        self._is_refusal_sure = False
        self._missed: Frame | None = None  # the answer to a question that it lets run out
        self._asks = Counter[tuple[int, int]]()  # connection and turn → how many times it received the question
        self._answered: dict[int, Frame] = {}  # turn → its answer
        self._turn, self._deadline = 0, 0.0
        self._ws: aiohttp.ClientWebSocketResponse | None = None

    # --- connections

    async def play(self, delay: float = 0.0) -> None:
        """Play the match to its end."""
        await pause(delay)
        old: aiohttp.ClientWebSocketResponse | None = None
        async with aiohttp.ClientSession() as http:
            while not self.over:
                ws = await http.ws_connect(self._place.ws(self._table), max_msg_size=0)
                self._ws, self._link = ws, self._link + 1
                self._dues, self._at = [], {0}
                hello = {"type": "hello", "v": 1, "team": self.team, "join_code": code_of(self.team)}
                more = {"resume_from": self._last} if self._last and self.manners.resumes else {}
                self._seen = 0
                await self._say(hello | more)
                why = await self._follow(ws, old)
                old = ws if why == "moves" else None
                if why == "vanishes":
                    self.absences.append(Absence(_now(), left=False))
                    await ws.close()
                    await pause(self._chance.random() * 3 * self._move_time)

    async def _follow(self, ws: aiohttp.ClientWebSocketResponse, old: aiohttp.ClientWebSocketResponse | None) -> str:
        """Read a connection until the match is over or the client changes it; return why."""
        while (message := await ws.receive()).type is WSMsgType.TEXT:
            frame = json.loads(message.data)
            if frame["type"] == "welcome":
                self._come_back()
                if old is not None:
                    await self._see_closed(old)
            if (why := await self._receive(frame)) or self.over:
                return why
        self.faults.append(f"{self.team} was sent away: {message}")
        self.over = True
        return ""

    async def _see_closed(self, old: aiohttp.ClientWebSocketResponse) -> None:
        while (message := await old.receive()).type is WSMsgType.TEXT:
            pass
        if old.close_code != 4000:
            self.faults.append(f"the connection that {self.team} replaced was closed with {message}")
        await old.close()

    def _come_back(self) -> None:
        if self.absences and self.absences[-1].ended == float("inf"):
            self.absences[-1].ended = _now()

    @property
    def _move_time(self) -> float:
        return float(self.config.get("move_time_ms", 1000)) / 1000

    async def _say(self, frame: Frame | str) -> None:
        assert self._ws is not None
        self.spoke.append(_now())
        await self._ws.send_str(frame if isinstance(frame, str) else json.dumps(frame))

    # --- what it receives

    async def _receive(self, frame: Frame) -> str:
        kind = frame["type"]
        self.heard.append(Note(_now(), frame, self._link, self._seen))
        if kind == "welcome":
            if self.seat not in (-1, frame["seat"]):
                self.faults.append(f"{self.team} was seat {self.seat}: {frame}")
            self.seat, self.config = frame["seat"], frame["config"]
        elif kind == "error":
            self._take_error(frame)
        elif kind == "match_end":
            self.over = True
        if "seq" in frame:
            self._seen = self._last = max(self._seen, frame["seq"])
        if frame.get("ev") in ACTIONS and frame["seat"] == self.seat:
            await self._see_own_action(frame)
        elif frame.get("ev") in ACTIONS and self._chance.random() < self.manners.stumbles / 5:
            await self._interrupt(frame["hand_id"])
        return await self._answer(frame) if frame.get("legal") else ""

    def _take_error(self, frame: Frame) -> None:
        self.counts[f"error {frame['code']}"] += 1
        if frame["code"] == "TABLE_FULL" and self.seat < 0:  # it came after the end
            self.over = True
            return
        at = set[int]()
        for first in self._at:
            for number in range(first, len(self._dues)):
                if frame["code"] in self._dues[number].codes:
                    at.add(number + 1)
                if self._dues[number].is_sure:
                    break
        if not at:
            self.faults.append(f"{self.team} expected {self._dues[min(self._at) :]} on {self._link}: {frame}")
        self._at = at or self._at

    async def _see_own_action(self, frame: Frame) -> None:
        due = [at for at, due in enumerate(self._dues) if due.is_sure and due.is_first and due.turn == self._turn]
        if due and max(self._at) <= due[-1] and not frame.get("auto"):
            self.faults.append(f"{self.team} got no {self._dues[due[-1]]} before {frame}")
        if frame.get("auto"):
            self._refused_in = frame["hand_id"]
            self._is_refusal_sure = self._asks[self._link, self._turn] > 0 and self._turn not in self._answered
            if self._missed is not None:
                answer, self._missed = self._missed, None
                self.counts["late"] += 1
                await self._send_late(answer)

    async def _send_late(self, answer: Frame) -> None:
        """Answer a question that ran out; it always comes too late."""
        if "turn" not in answer and self._refused_in == answer["hand_id"]:
            self._refused_in = ""
        self._dues.append(Due(("ACTION_TOO_LATE",), 0, is_first=False))
        await self._say(answer)

    # --- what it answers

    async def _answer(self, question: Frame) -> str:
        turn, manners, roll = question["turn"], self.manners, self._chance.random
        self._asks[self._link, turn] += 1
        if self._asks[self._link, turn] > 2:
            self.faults.append(f"{self.team} was asked three times on one connection: {question}")
        if turn in self._answered:
            self.counts["asked again"] += 1
            if not manners.echoes or question["type"] == "snapshot":
                await self._send(self._answered[turn], turn)  # the first one may be lost, or counted as a repeat
            return ""
        if turn != self._turn:
            time_ms = question["you"].get("time_ms", question.get("time_ms_remaining", 0))
            self._turn, self._deadline = turn, _now() + time_ms / 1000
            answer = self._choose(question)
            if roll() < manners.sleeps:
                self._missed = answer
                return ""
            for habit in ("moves", "vanishes"):
                if roll() < getattr(manners, habit):
                    self.counts[habit] += 1
                    return habit
            if roll() < manners.leaves:
                await self._leave()
                return ""
        else:
            if self._missed is not None:
                return ""
            answer = self._choose(question)
        if manners.thinks:
            await pause(roll() * manners.thinks)
        if roll() < manners.stumbles:
            await self._stumble(question)
        await self._send(answer, turn)
        if roll() < manners.repeats:
            self.counts["repeated"] += 1
            if manners.echoes:
                self._dues.append(Due(("ACTION_TOO_LATE",), turn, is_sure=self._is_in_time, is_first=False))
                await self._say(answer)
            else:
                await self._send(answer, turn)
        return ""

    @property
    def _is_in_time(self) -> bool:
        return _now() < self._deadline - CLOSE_CALL

    async def _send(self, answer: Frame, turn: int) -> None:
        """Send an answer to the open question."""
        if "turn" not in answer and self._refused_in == answer["hand_id"]:
            self._refused_in = ""
            self._dues.append(Due(("ACTION_TOO_LATE",), turn, is_sure=self._is_refusal_sure))
        elif turn in self._answered or not self._is_in_time:
            self._dues.append(Due(("ACTION_TOO_LATE", "OUT_OF_TURN"), turn, is_sure=False))
        self._answered[turn] = answer
        self.sent.append(Note(_now(), answer, self._link, self._seen, turn))
        await self._say(answer)

    async def _leave(self) -> None:
        self.counts["leaves"] += 1
        self.absences.append(Absence(_now(), left=True))
        await self._say({"type": "leave", "v": 1})
        asyncio.get_running_loop().call_later(
            self._chance.random() * 3 * self._move_time, lambda: asyncio.ensure_future(self._return())
        )

    async def _return(self) -> None:
        """Return with a frame that is readable but too late."""
        if self.over or self._ws is None or self._ws.closed:
            return
        self._dues.append(Due(("ACTION_TOO_LATE",), 0, is_first=False))
        await self._say({"type": "action", "v": 1, "hand_id": "H-none", "action": "FOLD", "turn": 1})
        self._come_back()

    async def _interrupt(self, hand_id: str) -> None:
        """Send an action that no rule allows, mostly during another seat's turn."""
        is_away = self.absences and self.absences[-1].ended == float("inf")
        if is_away or self._refused_in == hand_id:
            return
        self._dues.append(Due(("OUT_OF_TURN", "INVALID_ACTION", "ACTION_TOO_LATE"), 0, is_first=False))
        await self._say({"type": "action", "v": 1, "hand_id": hand_id, "action": "RAISE_TO", "amount": 1})

    def _choose(self, question: Frame) -> Frame:
        """Mostly check or call; sometimes raise by the least, by any amount, or all-in; sometimes fold."""
        legal, mood, chance = question["legal"], self._chance.random(), self._chance
        hand_id = question["hand_id"] if "hand_id" in question else question["at_hand_id"]
        answer: Frame = {"type": "action", "v": 1, "hand_id": hand_id}
        if mood < 0.3 and "RAISE_TO" in legal:
            least, most = question["min_raise_to"], question["max_raise_to"]
            amount = most if mood < 0.02 else min(most, least + chance.choice((0, 0, chance.randrange(200))))
            answer |= {"action": "RAISE_TO", "amount": amount}
        elif mood > 0.9:
            answer |= {"action": "FOLD"}
        else:
            answer |= {"action": "CHECK" if "CHECK" in legal else "CALL"}
        return answer | ({"turn": question["turn"]} if self.manners.echoes else {})

    async def _stumble(self, question: Frame) -> None:
        """Send something wrong during its own turn."""
        hand_id = question["hand_id"] if "hand_id" in question else question["at_hand_id"]
        about: Frame = {"type": "action", "v": 1, "hand_id": hand_id, "turn": question["turn"]}
        wrong: list[tuple[Frame | str, str]] = [
            (about | {"action": "CALL" if "CHECK" in question["legal"] else "CHECK"}, "INVALID_ACTION"),
            (about | {"action": "RAISE_TO"}, "BAD_SCHEMA"),
            (about | {"action": "RAISE_TO", "amount": "300"}, "BAD_SCHEMA"),
            (about | {"action": "RAISE_TO", "amount": 300.5}, "BAD_SCHEMA"),
            (about | {"action": "BET", "amount": 300}, "BAD_SCHEMA"),
            ({"type": "action", "v": 1, "action": "FOLD"}, "BAD_SCHEMA"),
            ({"type": "hello", "v": 1, "team": self.team, "join_code": code_of(self.team)}, "BAD_SCHEMA"),
            ("{", "BAD_SCHEMA"),
            ({"type": "shout", "v": 1}, "UNKNOWN_TYPE"),
        ]
        if self.manners.echoes:  # a client that does not echo turns answers a repeated question again
            wrong.append((about | {"action": "FOLD", "hand_id": "H-none"}, "ACTION_TOO_LATE"))
            wrong.append((about | {"action": "FOLD", "turn": question["turn"] - 1}, "ACTION_TOO_LATE"))
        if "RAISE_TO" in question["legal"]:
            least, most = question["min_raise_to"], question["max_raise_to"]
            wrong.append((about | {"action": "RAISE_TO", "amount": least - 1}, "INVALID_ACTION"))
            wrong.append((about | {"action": "RAISE_TO", "amount": most + 1}, "INVALID_ACTION"))
        else:
            wrong.append((about | {"action": "RAISE_TO", "amount": 10_000_000}, "INVALID_ACTION"))
        frame, code = self._chance.choice(wrong)
        self.counts["stumbled"] += 1
        sure = self._is_in_time
        codes = (code,) if sure else (code, "ACTION_TOO_LATE", "OUT_OF_TURN")
        self._dues.append(Due(codes, question["turn"], is_sure=sure))
        await self._say(frame)


async def pause(seconds: float) -> None:
    """Pause as clients do; no test waits for it."""
    over = asyncio.Event()
    asyncio.get_running_loop().call_later(seconds, over.set)
    await over.wait()


def _now() -> float:
    return asyncio.get_running_loop().time()
