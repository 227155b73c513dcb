"""Whole matches at a real server by clients of all manners, and a referee's second opinion on all that they were sent.

`make refereed` plays forty; `python -m tests.arena.refereed --matches 8 --seed 5` some.
"""

import argparse
import asyncio
import itertools
import json
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

from msgspec import Struct

from tests.support.arena.manners import CLOSE_CALL, WORDS, Client, Manners, Note, pause
from tests.support.arena.referee import ACTIONS, Frame, Referee
from tests.support.arena.servers import Peer, Process, served, visit, within
from tests.support.figures import write_row

TABLES = 5
"""At a time, each with as many seats."""
PATIENCE = 600.0
SLACK = 0.25
"""Seconds between what the server does and when a client notices it."""
TICK = 0.05
TIMEOUTS_TO_BE_AWAY = 3
MANNERS = (
    Manners(),
    Manners(echoes=False),
    Manners(thinks=0.1, stumbles=0.2, moves=0.03),
    Manners(echoes=False, thinks=0.05, stumbles=0.2, repeats=0.2),
    Manners(sleeps=0.1, repeats=0.2, moves=0.03, resumes=False),
    Manners(echoes=False, sleeps=0.15, thinks=0.05),
    Manners(sleeps=0.6),
    Manners(vanishes=0.05, leaves=0.03, stumbles=0.1),
    Manners(echoes=False, vanishes=0.04, moves=0.04),
)


class Watched(Struct):
    """What a spectator was sent, and when; and when this process was held up, so that nothing follows from times."""

    frames: list[tuple[float, Frame]]
    stalls: list[tuple[float, float]]


class Findings(Struct):
    """What a referee found in one match, or in many."""

    differences: list[str] = []
    counts: Counter[str] = Counter()

    def add(self, other: "Findings") -> None:
        """Add those of another match."""
        self.differences += other.differences
        self.counts += other.counts


# --- playing


async def play_match(server: Process, table: str, clients: Sequence[Client], start_at: int, chance: Random) -> Watched:
    """Play one match; the clients after the first `start_at` come later."""
    watched = Watched([], [])
    ready = asyncio.Event()

    async def watch() -> None:
        async with visit(server.watch(table)) as spectator:
            await spectator.receive("table")
            ready.set()
            await _listen(spectator, watched)

    watching, ticking = asyncio.ensure_future(watch()), asyncio.ensure_future(_note_stalls(watched))
    await ready.wait()
    delays = [0.0 if number < start_at else 0.5 + chance.random() * 2 for number in range(len(clients))]
    await asyncio.gather(*[client.play(delay) for client, delay in zip(clients, delays, strict=True)])
    await watching
    ticking.cancel()
    return watched


async def _note_stalls(watched: Watched) -> None:
    clock = asyncio.get_running_loop().time
    before = clock()
    while True:
        await pause(TICK)
        if (now := clock()) - before > 2 * TICK:
            watched.stalls.append((before, now))
        before = now


async def _listen(spectator: Peer, watched: Watched) -> None:
    clock = asyncio.get_running_loop().time
    while not watched.frames or watched.frames[-1][1]["type"] != "match_end":
        frame = await spectator.receive()
        watched.frames.append((clock(), frame))


def play_tables(folder: Path, *, seats: int, tables: int, seed: int, max_hands: int) -> Findings:
    """Play matches with this many seats at one server, and judge them."""
    chance = Random(seed)
    start_at = max(2, seats - chance.randrange(3))
    small = chance.choice((50, 10, 5))
    options = {
        "seats": seats,
        "start-at": start_at,
        "tables": tables,
        "sb": small,
        "bb": chance.choice((small * 2, small * 2 + small // 2)),
        "stack": small * chance.choice((30, 60, 200)) + chance.randrange(small),
        "move-time-ms": chance.choice((900, 1200)),
        "max-hands": max_hands,
        "away-pace-ms": chance.choice((0, 300)),
        "timeout-policy": chance.choice(("check_call", "check_fold")),
        "reopening": chance.choice(("single", "single", "cumulative")),
    }
    found = Findings([], Counter())
    given = [text for name, value in options.items() for text in (f"--{name}", str(value))]
    with served(folder, *given) as server:

        async def play_all() -> None:
            names = [f"T-{number}" for number in range(1, tables + 1)]
            at: list[list[Client]] = [_clients(server, name, seats, chance) for name in names]
            jobs = [
                play_match(server, name, clients, start_at, chance) for name, clients in zip(names, at, strict=True)
            ]
            for name, clients, watched in zip(names, at, await asyncio.gather(*jobs), strict=True):
                found.add(judge(f"{seats} seats, {name}", clients, watched))

        within(play_all(), PATIENCE)
    return found


def _clients(server: Process, table: str, seats: int, chance: Random) -> list[Client]:
    manners = chance.sample(MANNERS, k=min(seats, len(MANNERS)))
    teams = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal", "Ivy")
    return [
        Client(team, each, Random(chance.random()), server, table) for team, each in zip(teams, manners, strict=False)
    ]


# --- judging


class Judge:
    """One match: the story that all were sent, and what each client did."""

    def __init__(self, clients: Sequence[Client], watched: Watched) -> None:
        self.clients = {client.seat: client for client in clients}
        self.watched = watched
        self.config = watched_config(clients)
        self.counts = Counter[str]()
        self.story: dict[int, Frame] = {}  # number → frame
        self.came: dict[int, float] = {}  # number → when the spectator received it
        self.opened: dict[int, float] = {}  # number of the last frame before a question → the time of the question
        self.reveals: list[Frame] = []
        self.asked: dict[int, list[Note]] = {}  # number of the last frame before a question → the times it was sent
        self.actions: dict[int, list[tuple[int, Frame]]] = {seat: [] for seat in self.clients}

    def judge(self) -> None:
        """Check everything; a difference fails an assertion."""
        self._collect()
        referee = Referee(self.config)
        for number in sorted(self.story):
            frame = self.story[number]
            if frame["type"] == "match_end":
                for reveal in self.reveals:
                    referee.see(reveal)
            if frame.get("ev") in ACTIONS:
                self._check_action(number, frame, referee)
            referee.see(frame)
            for note in self.asked.get(number, ()):
                referee.ask(note.frame)
            if referee.hand is None or referee.hand.to_act is None:
                assert not self._questions(number), f"asked, but nobody is to act: {self._questions(number)}"
        assert referee.over
        self._check_pace()
        self.counts += referee.seen
        self.counts["hands"] = referee.hands
        for client in self.clients.values():
            assert not client.faults, client.faults
            assert [note.frame for note in client.heard if note.frame["type"] == "match_end"][-1] == self.story[
                referee.seq
            ]
            self.counts += client.counts

    def _collect(self) -> None:
        number = 0
        for at, frame in self.watched.frames:
            if frame["type"] == "turn":
                self.opened.setdefault(number, at)
            elif frame["type"] == "reveal":
                self.reveals.append(frame)
            elif "seq" in frame:
                number = frame["seq"]
                self.story[number], self.came[number] = frame, at
        for client in self.clients.values():
            for note in client.heard:
                kind = note.frame["type"]
                if kind in ("act", "snapshot"):
                    about = note.frame["seq"] if kind == "snapshot" else note.seen
                    self.asked.setdefault(about, []).append(note)
                elif "seq" in note.frame:
                    assert note.frame == self.story[note.frame["seq"]], (note.frame, self.story[note.frame["seq"]])

    def _questions(self, number: int) -> list[Note]:
        """The times that a question was sent, right after the frame with this number."""
        return [note for note in self.asked.get(number, ()) if note.frame.get("legal")]

    # --- actions

    def _check_action(self, number: int, frame: Frame, referee: Referee) -> None:
        seat = frame["seat"]
        questions = self._questions(number - 1)
        turns = {note.frame["turn"] for note in questions}
        assert len(turns) <= 1, f"several turns: {questions}"
        if frame.get("auto"):
            self._check_timeout(number, frame, referee)
        else:
            assert turns, f"seat {seat} was not asked: {frame}"
            self._check_answer(number, frame, turns.pop())
        self.actions[seat].append((number, frame))

    def _check_answer(self, number: int, frame: Frame, turn: int) -> None:
        """An action follows from an answer to that very question, sent before."""
        client = self.clients[frame["seat"]]
        heard = min(note.at for note in client.heard if note.frame.get("seq") == number and note.frame == frame)
        for note in client.sent:
            if note.turn == turn and note.at <= heard and note.frame["action"] == WORDS[frame["ev"]]:
                assert frame["ev"] != "BET" or note.frame["amount"] == frame["to"], (note, frame)
                self.counts["answers"] += 1
                return
        raise AssertionError(f"seat {frame['seat']} did not answer turn {turn} by {heard}: {frame}, {client.sent[-3:]}")

    def _check_timeout(self, number: int, frame: Frame, referee: Referee) -> None:
        """Time was up, or the seat is away; the word is the one that the text names."""
        seat, now, asked = frame["seat"], self.came[number], self.opened[number - 1]
        client, move = self.clients[seat], self.config["move_time_ms"] / 1000
        is_sure, is_possible = self._away(seat, now)
        took = now - asked
        if self._stalled(asked, now):
            is_sure, is_possible = False, True
        assert is_possible or took >= move - SLACK, f"seat {seat} was played for after {took:.2f} s: {frame}"
        assert not is_sure or not self._away(seat, asked)[0] or took < move - SLACK or self._all_silent(asked), (
            f"seat {seat} is away, and was waited for {took:.2f} s: {frame}"
        )
        hand = referee.hand
        assert hand is not None
        words = hand.legal(seat)
        calls = self.config.get("timeout_policy", "check_call") == "check_call"
        by_policy, by_absence = ("CALL" if calls else "FOLD"), "FOLD"
        if words[0] == "CHECK":
            expected = {"CHECK"}
        else:
            expected = {by_absence} if is_sure else {by_policy, by_absence} if is_possible else {by_policy}
        assert frame["ev"] in expected, f"{expected} expected after {took:.2f} s: {frame}, {client.absences}"
        in_time = [
            note
            for note in client.sent
            for question in self._questions(number - 1)
            if note.turn == question.frame["turn"] and note.at < asked + move - CLOSE_CALL and "turn" in note.frame
        ]
        assert is_possible or not in_time, f"seat {seat} had answered: {in_time[:1]}, {frame}"
        self.counts["timeouts"] += 1
        self.counts["played while away"] += is_sure

    def _away(self, seat: int, now: float) -> tuple[bool, bool]:
        """Whether a seat was away at that time for sure, and whether it may have been."""
        client, move = self.clients[seat], self.config["move_time_ms"] / 1000
        sure = possible = False
        for absence in client.absences:
            from_then = absence.began + (0.0 if absence.left else move)
            sure = sure or from_then + SLACK < now < absence.ended - SLACK
            possible = possible or from_then - SLACK < now < absence.ended + SLACK
        last = [(number, frame) for number, frame in self.actions[seat] if self.came[number] < now][
            -TIMEOUTS_TO_BE_AWAY:
        ]
        if len(last) == TIMEOUTS_TO_BE_AWAY and all(frame.get("auto") for _, frame in last):
            possible = True
            since = self.came[last[-1][0]] - SLACK
            sure = sure or not any(since < spoke <= now + SLACK for spoke in client.spoke)
        return sure, possible

    def _stalled(self, began: float, ended: float) -> bool:
        """Whether this process was held up for so long then that times say nothing."""
        held = [(first, last) for first, last in self.watched.stalls if last > began - SLACK and first < ended]
        self.counts["times not judged"] += bool(held)
        return bool(held)

    def _all_silent(self, now: float) -> bool:
        """Whether every seat may have been away: then clocks run normally."""
        return all(self._away(seat, now)[1] for seat in self.clients)

    # --- pace

    def _check_pace(self) -> None:
        """A hand with a seat that is gone without `leave` takes at least the set time."""
        pace = self.config.get("away_pace_ms", 1000) / 1000
        starts = [number for number, frame in self.story.items() if frame["type"] == "start_hand"]
        for first, second in itertools.pairwise(starts):
            began, ended = self.came[first], self.came[second]
            for row in self.story[first]["stacks"]:
                gone = [absence for absence in self.clients[row["seat"]].absences if not absence.left]
                move = self.config["move_time_ms"] / 1000
                if any(each.began + move + SLACK < began and ended < each.ended - SLACK for each in gone):
                    self.counts["hands with a seat that is gone"] += 1
                    assert ended - began >= pace - SLACK, f"hand {first} took {ended - began:.2f} s"


def watched_config(clients: Sequence[Client]) -> Frame:
    """The settings, which all clients were sent alike."""
    configs = [client.config for client in clients]
    assert all(config == configs[0] for config in configs), configs
    return configs[0]


def judge(name: str, clients: Sequence[Client], watched: Watched) -> Findings:
    """Judge one match."""
    found = Findings([], Counter(matches=1))
    try:
        each = Judge([client for client in clients if client.seat >= 0], watched)
        each.judge()
        found.counts += each.counts
    except (AssertionError, LookupError) as failure:
        found.differences.append(f"{name}: {type(failure).__name__}: {failure}")
    return found


# --- what the rule about repeated answers costs


def measure_cost(folder: Path, *, echoes: bool, thinks: float, hands: int = 60) -> tuple[float, float]:
    """Two clients that only check and call, all the time: answers per hand and seconds per hand."""

    async def play(server: Process) -> tuple[float, float]:
        sent = 0

        async def client(team: str) -> None:
            nonlocal sent
            async with visit(server.ws()) as peer:
                await peer.hello(team)
                while (frame := await peer.receive("act", "match_end"))["type"] == "act":
                    await pause(thinks)
                    word = "CHECK" if "CHECK" in frame["legal"] else "CALL"
                    answer = {"type": "action", "v": 1, "hand_id": frame["hand_id"], "action": word}
                    sent += 1
                    await peer.say(answer | ({"turn": frame["turn"]} if echoes else {}))

        began = time.perf_counter()
        await asyncio.gather(client("Ada"), client("Bob"))
        return sent / hands, (time.perf_counter() - began) / hands

    options = f"--seats 2 --stack 1000000 --max-hands {hands}".split()
    with served(folder, *options, db=f"{echoes}-{thinks}.db") as server:
        return within(play(server), PATIENCE)


def main(given: Sequence[str] | None = None) -> int:
    """Play and judge matches, and print the findings."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--max-hands", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(given)
    found, began, group = Findings([], Counter()), time.perf_counter(), 0
    while found.counts["matches"] < options.matches:
        seats = 2 + group % 8
        with tempfile.TemporaryDirectory() as folder:
            new = play_tables(
                Path(folder),
                seats=seats,
                tables=min(TABLES, options.matches - found.counts["matches"]),
                seed=options.seed * 1000 + group,
                max_hands=options.max_hands,
            )
        found.add(new)
        group += 1
        print(f"{seats} seats: {new.counts['hands']} hands, {len(new.differences)} differences", flush=True)
        for difference in new.differences:
            print("  " + difference[:2000], flush=True)
    print(json.dumps(dict(sorted(found.counts.items()))))
    costs = {}
    with tempfile.TemporaryDirectory() as folder:
        for thinks in (0.0, 0.02):
            for echoes in (True, False):
                costs[echoes, thinks] = measure_cost(Path(folder), echoes=echoes, thinks=thinks)
                answers, seconds = costs[echoes, thinks]
                print(f"thinks {thinks} s, turn {echoes}: {answers:.1f} answers and {seconds:.3f} s a hand", flush=True)
    if not found.differences and options.matches >= 40:  # a trial is not evidence
        counts = found.counts
        write_row(
            "refereed",
            matches=counts["matches"],
            hands=counts["hands"],
            answers=counts["answers"],
            timeouts=counts["timeouts"],
            late=counts["late"],
            repeated=counts["repeated"],
            stumbled=counts["stumbled"],
            takeovers=counts["moves"],
            vanished=counts["vanishes"],
            left=counts["leaves"],
            differences=0,
            answers_a_hand_with_turn=costs[True, 0.02][0],
            without=costs[False, 0.02][0],
            seconds=round(time.perf_counter() - began),
        )
    return 1 if found.differences else 0


if __name__ == "__main__":
    raise SystemExit(main())
