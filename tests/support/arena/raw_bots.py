"""Raw bots for tests over real sockets: they keep all frames they receive and send, and check them at once.

`Board` is a table built from the events alone, without any rule of the game: a second opinion on every snapshot.
"""

import asyncio
import json
from collections import defaultdict
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from copy import deepcopy
from random import Random
from typing import Any

import aiohttp
from aiohttp import WSMsgType

from pitboss.arena.journal.commitment import OpenedCard, matches_commitment
from tests.support.arena.servers import Frame, Place, code_of


class Board:
    """The state of a hand after these events."""

    def __init__(self) -> None:
        self.seq = 0
        self.hand_id = ""
        self.commit = ""
        self.under_way = False
        self.stacks: dict[int, int] = {}
        self.bets: dict[int, int] = {}
        self.folded: set[int] = set()
        self.middle = 0
        self.cards: list[str] = []

    def take(self, frame: Frame) -> None:
        """Take in the next numbered frame."""
        self.seq = frame["seq"]
        kind = frame.get("ev", frame["type"])
        seat, amount = frame.get("seat", -1), frame.get("amount", 0)
        for opened in frame.get("opened", ()):
            path = tuple(bytes.fromhex(node) for node in opened["path"])
            card = OpenedCard(opened["card"], opened["at"], bytes.fromhex(opened["salt"]), path)
            assert matches_commitment(card, self.commit), frame
        match kind:
            case "start_hand":
                self.hand_id, self.commit, self.under_way = frame["hand_id"], frame["commit"], True
                self.stacks = seat_stacks(frame)
                self.bets, self.folded, self.cards, self.middle = {}, set(), [], 0
            case "POST_BLINDS":
                self._pay(frame["sb_seat"], frame["sb_posted"])
                self._pay(frame["bb_seat"], frame["bb_posted"])
            case "BET" | "CALL":
                self._pay(seat, amount)
                assert frame.get("to", self.bets[seat]) == self.bets[seat], frame
            case "FOLD":
                self.folded.add(seat)
            case "FLOP" | "TURN" | "RIVER":
                self.bets = {}
                self.cards += frame.get("cards") or [frame["card"]]
            case "SHOWDOWN":
                assert frame["board"] == self.cards
            case "REFUND" | "POT_AWARD":
                self.stacks[seat] += amount
                self.middle -= amount
            case "HAND_VOIDED":
                self.under_way = False
            case "end_hand":
                assert self.middle == 0, f"{self.middle} chips are left in the middle"
                assert seat_stacks(frame) == self.stacks, frame
                self.under_way = False

    def _pay(self, seat: int, amount: int) -> None:
        self.stacks[seat] -= amount
        self.bets[seat] = self.bets.get(seat, 0) + amount
        self.middle += amount
        assert self.stacks[seat] >= 0

    def agree(self, snapshot: Frame) -> None:
        """Check a snapshot against the events."""
        assert snapshot["seq"] == self.seq, (snapshot, self.seq)
        heard = {
            player["seat"]: (player["stack"], player["committed"], player["has_folded"])
            for player in snapshot["players"]
        }
        if not self.under_way:
            assert (snapshot["at_hand_id"], snapshot["phase"], snapshot["pot"]) == (None, "WAITING", 0)
            assert {seat: heard[seat] for seat in self.stacks} == {s: (n, 0, False) for s, n in self.stacks.items()}
            return
        assert snapshot["at_hand_id"] == self.hand_id
        assert snapshot["community"] == self.cards
        assert snapshot["pot"] == self.middle
        assert heard == {
            seat: (stack, self.bets.get(seat, 0), seat in self.folded) for seat, stack in self.stacks.items()
        }


def seat_stacks(frame: Frame) -> dict[int, int]:
    """The stacks in a frame, by seat."""
    return {heard["seat"]: heard["stack"] for heard in frame["stacks"]}


class Count:
    """A number that grows, and can be awaited."""

    def __init__(self) -> None:
        self.value = 0
        self._grown = asyncio.Event()

    def add(self) -> None:
        """One more."""
        self.value += 1
        self._grown.set()
        self._grown = asyncio.Event()

    async def reach(self, value: int) -> None:
        """Wait until it has this value."""
        while self.value < value:
            await self._grown.wait()


class RawBot:
    """A seat that answers every question at once, and returns with `resume_from` after a disconnect."""

    def __init__(self, team: str, chance: Random, *, table: str = "", echo: bool = True) -> None:
        self.team = team
        self.boldness = 0.0
        """How often it goes all-in."""
        self.table = table
        self.seat = -1
        self.frames: dict[int, Frame] = {}
        """Every numbered frame it has received."""
        self.holes: dict[str, list[str]] = {}
        self.sent: dict[int, list[Frame]] = defaultdict(list)
        """Its answers, by turn."""
        self.asked: dict[int, tuple[int, Frame]] = {}
        """Every question by its turn, with the number of the last message before it."""
        self.errors: list[Frame] = []
        self.board = Board()
        self.over = asyncio.Event()
        self.heard = Count()
        self.hands = Count()
        self.complaints = Count()
        self.welcomes = Count()
        self.snapshots: list[Frame] = []
        self.closed: list[tuple[int, str]] = []
        """How its connections ended: the server's code and reason."""
        self.ws: aiohttp.ClientWebSocketResponse | None = None
        self._chance = chance
        self._echo = echo
        self._asked_here: set[int] = set()  # the turns that came as questions on this connection

    # --- connections

    async def play(self, session: aiohttp.ClientSession, place: Place) -> None:
        """Connect and play until the server closes the connection or the match is over."""
        async with session.ws_connect(place.ws(self.table), max_msg_size=0) as ws:
            self.ws = ws
            self._asked_here.clear()
            hello = {"type": "hello", "v": 1, "team": self.team, "join_code": code_of(self.team)}
            await ws.send_str(json.dumps(hello | {"resume_from": self.board.seq}))
            while (message := await ws.receive()).type is WSMsgType.TEXT:
                await self.receive(json.loads(message.data))
            code = message.data if message.type is WSMsgType.CLOSE else ws.close_code
            self.closed.append((code or 0, str(message.extra or "")))

    async def stay(self, session: aiohttp.ClientSession, place: Place) -> None:
        """Play, and reconnect after every disconnect, until the match is over."""
        while not self.over.is_set():
            await self.play(session, place)

    async def receive(self, frame: Frame) -> None:
        """Take in a frame, and answer it if it is a question."""
        kind = frame["type"]
        if "seq" in frame and kind != "snapshot":
            self._number(frame)
        if kind == "welcome":
            assert self.seat in (-1, frame["seat"]), f"{self.team} was seat {self.seat}: {frame}"
            self.seat = frame["seat"]
            self.welcomes.add()
        elif kind == "error":
            self.errors.append(frame)
            self.complaints.add()
        elif kind == "snapshot":
            self.snapshots.append(frame)
            self.board.agree(frame)
            self._own(frame["at_hand_id"], frame["you"]["hole"])
        elif kind == "act":
            self._own(frame["hand_id"], frame["you"]["hole"])
        elif kind == "end_hand":
            self.hands.add()
        elif kind == "match_end":
            self.over.set()
        self.heard.add()
        if frame.get("legal") and frame["turn"] is not None:
            await self._hear_question(frame)

    async def _hear_question(self, question: Frame) -> None:
        """Answer a question; if the server repeats one, give the same answer, if there was one."""
        turn = question["turn"]
        if turn not in self._asked_here:
            self._asked_here.add(turn)
            await self.answer(question)
        elif self.sent[turn]:
            await self.repeat(turn)

    def _number(self, frame: Frame) -> None:
        """Numbers have no gaps; after an absence of more than a hand they continue where a hand starts."""
        seq = frame["seq"]
        if frame["type"] == "match_end" and self.frames.get(seq) == frame:
            return  # repeated to every client that returns
        if self.frames and seq != self.board.seq + 1:
            assert seq > self.board.seq, f"{self.team} heard {seq} after {self.board.seq}: {frame}"
            assert frame["type"] == "start_hand", f"{self.team} missed {self.board.seq + 1} to {seq - 1}: {frame}"
        self.frames[seq] = frame
        self.board.take(frame)
        if frame.get("ev") == "SHOWDOWN" and frame["seat"] == self.seat and frame["hand_id"] in self.holes:
            assert sorted(frame["hand"]) == sorted(self.holes[frame["hand_id"]]), "other cards than were dealt"

    def _own(self, hand_id: str | None, hole: list[str]) -> None:
        if hand_id is not None and hole:
            assert self.holes.setdefault(hand_id, hole) == hole, f"{self.team}'s cards changed in {hand_id}"

    # --- answering

    async def answer(self, question: Frame) -> None:
        """Answer a question, be it an `act` or a snapshot."""
        turn = question["turn"]
        self._ask(turn, question)
        action = self.choose(question)
        self.sent[turn].append(action)
        assert self.ws is not None
        await self.ws.send_str(json.dumps(action))

    async def repeat(self, turn: int) -> None:
        """Send the answer to a turn again."""
        assert self.ws is not None
        await self.ws.send_str(json.dumps(self.sent[turn][-1]))

    def _ask(self, turn: int, question: Frame) -> None:
        """A question is repeated only if nothing was sent since, and in the same words."""
        seq, before = self.asked.setdefault(turn, (self.board.seq, question))
        assert seq == self.board.seq, f"{self.team} was asked turn {turn} again after hearing what came of it"
        for same in ("phase", "players", "community", "legal", "call_amount", "min_raise_to", "max_raise_to", "pot"):
            assert before.get(same) == question.get(same), f"turn {turn} was asked with another {same}"

    def choose(self, question: Frame) -> Frame:
        """Mostly check or call, sometimes raise or fold."""
        legal, mood = question["legal"], self._chance.random()
        word, amount = ("CHECK" if "CHECK" in legal else "CALL"), None
        if mood < 0.06 and word == "CALL":
            word = "FOLD"
        elif mood > 0.88 and "RAISE_TO" in legal:
            word, least, most = "RAISE_TO", question["min_raise_to"], question["max_raise_to"]
            amount = most if mood > 1 - self.boldness else min(most, least + self._chance.randrange(3) * 50)
        return self.worded(question, word, amount)

    def worded(self, question: Frame, word: str, amount: int | None = None) -> Frame:
        """An action in answer to a question."""
        hand_id = question["hand_id"] if "hand_id" in question else question["at_hand_id"]
        action: Frame = {"type": "action", "v": 1, "hand_id": hand_id, "action": word}
        if amount is not None:
            action["amount"] = amount
        return action | {"turn": question["turn"]} if self._echo else action

    def twin(self) -> "RawBot":
        """Another bot with the same knowledge, to continue from here somewhere else."""
        other = RawBot(self.team, Random(self._chance.random()), table=self.table, echo=self._echo)
        other.seat, other.board = self.seat, deepcopy(self.board)
        other.frames, other.holes, other.asked = dict(self.frames), dict(self.holes), dict(self.asked)
        other.sent.update({turn: list(actions) for turn, actions in self.sent.items()})
        return other

    @property
    def lost_turns(self) -> list[Frame]:
        """The bot's own turns in which the server acted for it."""
        return [frame for frame in self.frames.values() if frame.get("auto") and frame["seat"] == self.seat]


class Rude(RawBot):
    """A bot that misbehaves until it has finished, and then plays like the others; it loses no turn either."""

    partner: "Rude"
    on_record = True  #: whether it keeps all frames it sends

    def __init__(self, team: str, chance: Random, *, echo: bool = True) -> None:
        super().__init__(team, chance, echo=echo)
        self.done = asyncio.Event()

    async def ask(self, *frames: Frame | str | bytes) -> Frame:
        """Send frames and read until an error comes."""
        assert self.ws is not None
        for frame in frames:
            if isinstance(frame, bytes):
                await self.ws.send_bytes(frame)
            else:
                await self.ws.send_str(frame if isinstance(frame, str) else json.dumps(frame))
        while True:
            heard: Frame = json.loads(await self.ws.receive_str())
            if heard["type"] == "error":
                return heard
            await self.receive(heard)

    async def answer(self, question: Frame) -> None:
        """Misbehave, and then answer."""
        if not self.done.is_set():
            await self.misbehave(question)
        await super().answer(question)

    async def misbehave(self, question: Frame) -> None:
        """The misbehaviour, called at each of the bot's turns until `done` is set."""
        raise NotImplementedError


class HonestTable:
    """Some bots at a table, each in its own task, and bots that misbehave among them."""

    def __init__(self, bots: Sequence[RawBot], rude: Sequence[Rude], tasks: Sequence[asyncio.Task[None]]) -> None:
        self.bots = bots
        self.rude = rude
        self._tasks = tasks

    async def play(self, hands: int) -> None:
        """Wait until every bot has seen this many more hands end."""
        for bot in self.bots:
            await self.until(bot.hands.reach(bot.hands.value + hands))

    async def until(self, something: Coroutine[Any, Any, Any]) -> None:
        """Wait for something while all bots play; a bot that fails fails the test at once."""
        waiting = asyncio.ensure_future(something)
        done, _ = await asyncio.wait([waiting, *self._tasks], return_when=asyncio.FIRST_COMPLETED)
        if waiting not in done:
            waiting.cancel()
            for task in done:
                task.result()
            raise AssertionError("a bot of the honest table was sent away")
        waiting.result()

    def check(self) -> None:
        """Check that no turn was lost, no honest bot received an error, and all received the same."""
        first = self.bots[0]
        for bot in (*self.bots, *self.rude):
            assert bot.lost_turns == []
            both = first.frames.keys() & bot.frames.keys()
            assert [first.frames[seq] for seq in both] == [bot.frames[seq] for seq in both]
        assert [bot.errors for bot in self.bots] == [[] for _ in self.bots]


@asynccontextmanager
async def honest_table(
    place: Place, *, seats: int = 3, table: str = "", seed: int = 1, rude: Sequence[Rude] = ()
) -> AsyncIterator[HonestTable]:
    """Seat bots and let them play until the context ends."""
    chance = Random(seed)
    bots = [RawBot(f"Honest {k}", Random(chance.random()), table=table) for k in range(seats)]
    async with aiohttp.ClientSession() as session:
        playing = [bot.play(session, place) for bot in bots] + [bot.stay(session, place) for bot in rude]
        tasks = [asyncio.create_task(work) for work in playing]
        try:
            yield HonestTable(bots, rude, tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


def playing(session: aiohttp.ClientSession, place: Place, bots: Sequence[RawBot]) -> asyncio.Future[list[None]]:
    """Let bots play until the server closes their connections."""
    return asyncio.gather(*[bot.play(session, place) for bot in bots])
