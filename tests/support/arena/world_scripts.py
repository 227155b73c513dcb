"""Scripts for two worlds: players say right and wrong things, join, leave and are late, by chance."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.logins import Limits
from pitboss.arena.wire import messages as wire
from pitboss.chance import Chance
from pitboss.client.conversation import NumberMixer
from tests.support.arena.poker import structure_of
from tests.support.arena.worlds import Step, TableSetup, World

MOST_STEPS = 40
"""Average steps per hand, after which a script ends whether or not its hands are over."""
Frame = dict[str, Any]


def draw_setup(game: str, places: range, seed: int) -> TableSetup:
    """A random table of a game: few or many seats, short and deep stacks, spectators at once or later."""
    chance = Chance(seed)
    seats = places.start + chance.below(min(places.stop, 7) - places.start)
    poker = structure_of(Settings(game=game)) is not None
    settings = Settings(
        game=game,
        seats=seats,
        start_at=seats,
        stack=chance.choice((300, 1500, 10_000)),
        move_time_ms=1000,
        timeout_policy=chance.choice(("check_call", "check_fold")),
        reopening=chance.choice(("single", "cumulative")) if poker else "single",
    )
    limits = Limits(delay=chance.choice((0.0, 0.7, 3.0)), grace=chance.choice((0.5, 30.0)))
    teams = {name: f"code-of-{name}" for name in "ABCDEF"[:seats]} if chance.below(4) == 0 else None
    return TableSetup(settings=settings, limits=limits, seed=seed, teams=teams)


class Author:
    """Writes a script by playing it at a table; its choices never depend on a card."""

    def __init__(self, setup: TableSetup) -> None:
        self.world = World(setup)
        self.steps: list[Step] = []
        self.did: Counter[str] = Counter()
        self._chance = Chance(setup.seed).fork(1)
        self._sessions = 0
        self._teams: dict[int, str] = {}  # session → team
        self._mixers: dict[str, NumberMixer] = {}
        self._questions: dict[int, Frame] = {}  # session → its last question
        self._last_seq: dict[str, int] = {}  # team → the last number it has received
        self._read = 0
        for k in range(setup.settings.seats):
            if self._chance.below(3) == 0:
                self._mixers["ABCDEF"[k]] = NumberMixer(self._draw)

    def _draw(self, count: int) -> bytes:
        return bytes(self._chance.below(256) for _ in range(count))

    def write(self, hands: int) -> list[Step]:
        """Write this many hands, or the whole match; then late spectators see the rest of it."""
        room = self.world.room
        self._watch()
        for team in "ABCDEF"[: room.match.settings.seats]:
            self._join(team)
        for _ in range(MOST_STEPS * hands):
            history = self.world.room.match.history
            if history.played >= hands or self.world.room.match.over:
                break
            self._next()
        self._list()
        self._restart()
        self._watch()
        for _ in range(4):
            self._do("list", wait=1.0)
        return self.steps

    # --- steps

    def _do(self, do: str, session: int = 0, text: str = "", wait: float | None = None) -> None:
        wait = 0.001 * (1 + self._chance.below(120)) if wait is None else wait
        step = Step(self.world.now + wait, do, session, text)
        self.steps.append(step)
        self.world.take(step)
        self._read_all()

    def _say(self, session: int, frame: Frame | str) -> None:
        text = frame if isinstance(frame, str) else json.dumps(frame)
        self._do("say", session, text)

    def _next(self) -> None:
        """Add one step."""
        rare: list[Callable[[], None]] = [
            self._list,
            self._watch,
            self._drop,
            self._come_back,
            self._come_back,
            self._come_back,
            self._leave,
            self._stranger,
            self._restart,
            self._be_late,
            self._be_late,
        ]
        number = self._chance.below(100)
        asked = self._asked()
        if number < 20:
            self._chance.choice(rare)()
        elif asked is None:
            self.did["waited"] += 1
            self._do("list", wait=0.3)
            if self._chance.below(3) == 0:
                self._come_back()
        elif number < 40:
            self._err(asked)
        else:
            self._answer(asked)

    # --- the seat to act

    def _asked(self) -> int | None:
        """The session of the seat to act, if it is connected and has the question."""
        seat = self.world.room.match.to_act
        for session in self._alive():
            if self.world.seats.get(session) == seat and session in self._questions:
                return session
        return None

    def _alive(self) -> list[int]:
        return [session for session in self._teams if session not in self.world.gone]

    def _answer(self, session: int) -> None:
        question = self._questions[session]
        legal = question["legal"]
        if "learned" in question:
            self._say(session, self._move(question, self._chance.choice(legal)))
            return
        word = self._chance.choice((*[word for word in ("CHECK", "CALL") for _ in range(4)], "FOLD", "RAISE_TO"))
        if word not in legal:
            word = self._chance.choice(legal)
        frame = self._action(question, word)
        if word == "RAISE_TO":
            low, high = question["min_raise_to"], question["max_raise_to"]
            frame["amount"] = self._chance.choice((low, low, low, min(high, 2 * low), high))
        if word == "DRAW":  # by their places: the choice does not depend on a card
            frame["discard"] = [card for card in question["you"]["hole"] if self._chance.below(2)]
            self.did["drew"] += 1
        if self._chance.below(5) == 0:
            del frame["turn"]
        self._say(session, frame)

    def _action(self, question: Frame, word: str) -> Frame:
        hand_id = question.get("hand_id") or question.get("at_hand_id")
        return {"type": "action", "v": 1, "hand_id": hand_id, "action": word, "turn": question["turn"]}

    def _move(self, question: Frame, move: Any) -> Frame:
        return {**self._action(question, ""), "type": "move", "move": move}

    def _err(self, session: int) -> None:
        """Send something that is refused, or nearly."""
        question, alive = self._questions[session], self._alive()
        raising = self._action(question, "RAISE_TO")
        low, high = question.get("min_raise_to") or 1, question.get("max_raise_to") or 1
        wrong = "CALL" if "CHECK" in question["legal"] else "CHECK"
        frames: tuple[Frame | str, ...] = (
            {**raising, "amount": max(0, low - 1)},
            {**raising, "amount": high + 1 + self._chance.below(50)},
            {**raising, "amount": 0},
            raising,
            self._action(question, wrong),
            {**self._action(question, "FOLD"), "turn": question["turn"] - 1},
            {**self._action(question, "FOLD"), "hand_id": "H-none"},
            self._move(question, {"show": "cards"}),
            self._move(question, "peek"),
            {"type": "number", "v": 1, "hand_id": raising["hand_id"], "number": "0" * 64},
            {"type": "peek", "v": 1},
            "[",
        )
        self.did["said something wrong"] += 1
        self._say(self._chance.choice((session, session, self._chance.choice(alive))), self._chance.choice(frames))

    # --- joining and leaving

    def _connect(self, team: str, **hello: Any) -> None:
        self._sessions += 1
        session = self._sessions
        self._do("connect", session, f"10.0.0.{self._chance.below(4)}")
        self._teams[session] = team
        known = {"team": team, "join_code": f"code-of-{team}", "tables": team in "AC"}
        self._say(session, {"type": "hello", "v": 1, **known, **hello})

    def _join(self, team: str, **hello: Any) -> None:
        mixer = self._mixers.get(team)
        self._connect(team, **({"next": mixer.hello()} if mixer is not None else {}), **hello)

    def _come_back(self) -> None:
        """Connect a team again: it had disconnected, or takes its own seat over."""
        team = self._chance.choice("ABCDEF"[: self.world.room.match.settings.seats])
        there = any(self._teams[session] == team for session in self._alive())
        self.did["took over" if there else "came back"] += 1
        seen = self._last_seq.get(team, 0)
        start = self._chance.choice((None, seen, max(0, seen - 3), 0, seen + 1000))
        self._join(team, **({} if start is None else {"resume_from": start}))

    def _watch(self) -> None:
        self._sessions += 1
        self.did["watched"] += 1
        self._do("watch", self._sessions)

    def _list(self) -> None:
        self.did["listed"] += 1
        self._do("list")

    def _drop(self) -> None:
        alive = self._alive()
        if alive:
            self.did["was cut off"] += 1
            self._do("drop", self._chance.choice(alive))

    def _leave(self) -> None:
        alive = self._alive()
        if alive:
            self.did["took leave"] += 1
            self._say(self._chance.choice(alive), {"type": "leave", "v": 1})

    def _stranger(self) -> None:
        """Connect a client without a seat: a wrong code, an unknown team, an action before hello."""
        self.did["tried to get in"] += 1
        self._connect(self._chance.choice("ABX"), join_code="wrong")
        self._say(self._sessions, {"type": "action", "v": 1, "hand_id": "H-1", "action": "FOLD"})

    def _restart(self) -> None:
        if self._chance.below(3) == 0:
            self.did["restarted"] += 1
            self._do("restart")
            self._questions = {}
            for team in "ABCDEF"[: self.world.room.match.settings.seats]:
                if self._chance.below(4):
                    self._join(team, resume_from=self._last_seq.get(team, 0))

    def _be_late(self) -> None:
        self.did["was late"] += 1
        self._do("list", wait=1.1)

    # --- incoming messages

    def _read_all(self) -> None:
        """Read new messages: questions, and lists of numbers, which are answered at once, or not."""
        new, self._read = self.world.received[self._read :], len(self.world.received)
        for received in new:
            session, text = received.who, received.text
            if not isinstance(session, int) or session not in self._teams or not text.startswith("{"):
                continue
            frame = json.loads(text)
            team = self._teams[session]
            if frame["type"] in ("act", "snapshot", "ask", "view") and frame.get("legal"):
                self._questions[session] = frame
            if isinstance(seq := frame.get("seq"), int):
                self._last_seq[team] = seq
            if frame.get("ev") == "SHOWDOWN":
                self.did["showed"] += 1
            if frame["type"] in ("error", "start_hand", "end_hand", "mix", "match_end"):
                self.did[frame["type"]] += 1
        for received in new:
            self._mix(received.who, received.text)

    def _mix(self, session: int | str, text: str) -> None:
        mixer = self._mixers.get(self._teams.get(session, "")) if isinstance(session, int) else None
        if mixer is None or not text.startswith(('{"type":"mix"', '{"type":"welcome"', '{"type":"start_hand"')):
            return
        number = mixer.receive(wire.read_server(text))
        if number is not None and self._chance.below(10):
            self.did["mixed"] += 1
            self._say(int(session), wire.write(number))
