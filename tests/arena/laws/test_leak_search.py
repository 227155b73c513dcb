"""A match served by real processes, and a search for secrets in everything that they print, send and write."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from pitboss.arena.connections.web import PAGE
from pitboss.store import open_store
from tests.support.arena.leak_search import Secrets
from tests.support.arena.servers import BOUND, PITBOSS, Frame, Peer, Process, served, visit, within
from tests.support.figures import write_row

CODES = {"Alpha": "KF7Q9C-alpha", "Beta": "9PLM2Q-beta", "Gamma": "7TTQ0X-gamma", "Delta": "never-comes-4411"}
WRONG_CODE = "guessed-5521"
EXEMPT = ("arena.db", "arena.db-wal", "arena.db-shm")
"""The journal, which is its owner's alone and holds everything."""
WRONG_FRAMES: tuple[Frame | str | bytes, ...] = (
    "",
    "[",
    "null",
    "{}",
    '{"type":"peek","v":1}',
    '{"type":"action","v":1,"hand_id":"H-1","action":"FOLD"}',
    '{"type":"hello","v":1,"team":"\\u0000","join_code":"x"}',
    b"\xff\xfe",
    "[" * 1000,
)
HANDS = 6
STOPPED_IN = 3

LEAKING = """
import logging
from pitboss.arena.rooms import logins, match
from pitboss.arena.wire.messages import Rejected
from pitboss.arena.hosts.poker import PokerHost

start, ask, act = match.Match.start, logins.Logins.ask, PokerHost.act


def loud_start(self, secret, *given, **more):
    logging.info("dealing from %s", secret.hex())
    return start(self, secret, *given, **more)


def loud_ask(self, session, address, hello, now):
    logging.info("%s", hello)
    return ask(self, session, address, hello, now)


def helpful_act(self, seat, message, *more):
    try:
        return act(self, seat, message, *more)
    except Rejected as rejected:
        holes = [" ".join(hole) for hole in self.open.hand.holes]
        raise Rejected(rejected.code, f"{rejected}; somebody holds {holes}") from None


match.Match.start, logins.Logins.ask, PokerHost.act = loud_start, loud_ask, helpful_act
from pitboss.cli.main import main

main()
"""


class ServedMatch:
    """A match of three: two client bots, which record, and a seat of the test's, for whose turn it waits."""

    def __init__(self, folder: Path, pitboss: tuple[str, ...]) -> None:
        self.folder = folder
        self.out = folder / "out"
        self.out.mkdir()
        self.pitboss = pitboss
        self.texts: dict[str, bytes] = {}  #: everything that was sent, by receiver
        self.searched = self.secrets = 0
        self.found: list[str] = []
        for team, code in CODES.items():
            (folder / f"{team}.code").write_text(code, encoding="utf-8")

    # --- processes

    def serve(self) -> Any:
        """Serve, or go on after a crash."""
        teams = [option for team, code in CODES.items() for option in ("--team", f"{team}:{code}")]
        options = ("--verbose", "--game", "omaha", "--seats", "4", "--start-at", "3", "--stack", "100000", *teams)
        return served(
            self.folder, *options, "--max-hands", str(HANDS), "--move-time-ms", "120000", pitboss=self.pitboss
        )

    @contextmanager
    def joined(self, place: Process, team: str) -> Iterator[subprocess.Popen[bytes]]:
        """Let a bot of the client's play for a team."""
        bot = [*PITBOSS, "arena", "join", "calling", place.ws(), "--team", team]
        bot += ["--code-file", str(self.folder / f"{team}.code"), "--record", str(self.folder / f"{team}.jsonl")]
        bot += ["--give-up-after", "10"]
        with (
            (self.out / f"{team}.out").open("ab") as out,
            subprocess.Popen(bot, stdin=subprocess.DEVNULL, stdout=out, stderr=out, cwd=self.folder) as process,
        ):
            try:
                yield process
            finally:
                process.kill()

    async def run(self, name: str, *command: str, code: int | None = 0) -> None:
        """Run one of our commands during the match, and keep its output."""
        with (self.out / f"{name}.out").open("ab") as out:
            done = await asyncio.create_subprocess_exec(
                *PITBOSS, "arena", *command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, cwd=self.folder
            )
            assert await asyncio.wait_for(done.wait(), BOUND) == code or code is None, (self.out / name).name

    # --- messages

    async def play(self, gamma: Peer, hand: int | None) -> None:
        """Answer for the test's seat until its turn in a hand, or until the match is over."""
        while True:
            frame = gamma.heard[-1]
            if frame["type"] == "match_end":
                return
            hand_id = str(frame.get("hand_id") or frame.get("at_hand_id"))
            if frame.get("legal"):
                if hand is not None and int(hand_id[-5:]) >= hand:
                    return
                word = "CHECK" if "CHECK" in frame["legal"] else "CALL"
                await gamma.say({"type": "action", "v": 1, "hand_id": hand_id, "action": word, "turn": frame["turn"]})
            await gamma.receive()

    async def err(self, place: Process, gamma: Peer, spectator: Peer) -> None:
        """Say all sorts of wrong things, at the table and outside it, and look at the page."""
        question = gamma.heard[-1]
        action = {"type": "action", "v": 1, "hand_id": question.get("hand_id") or question["at_hand_id"]}
        for frame in (*WRONG_FRAMES, {**action, "action": "RAISE_TO", "amount": 1}, {**action, "action": "PEEK"}):
            await gamma.say(frame)
            await gamma.receive("error")
        self.take("gamma", gamma)
        gamma.heard = [question]
        async with visit(place.ws()) as stranger:
            for frame in WRONG_FRAMES[:4]:
                await stranger.say(frame)
                await stranger.receive("error")
            await stranger.hello("Alpha", WRONG_CODE)
            await stranger.receive("error")
            await stranger.hello("Nobody", WRONG_CODE)
            await stranger.receive("error")
            self.take("stranger", stranger)
        self.take("spectator", spectator)
        async with aiohttp.ClientSession() as session:
            pages = [f"page/{file.relative_to(PAGE).as_posix()}" for file in PAGE.rglob("*") if file.is_file()]
            for path in ("", "api/tables", "ws", "watch?table=T-9", "page/../arena.db", "page/%2e%2e/x", *pages):
                async with session.get(f"{place.http}/{path}") as answer:
                    self.texts[f"GET /{path}"] = str(answer.headers).encode() + await answer.read()

    def take(self, name: str, peer: Peer) -> None:
        """Keep the frames that a connection has received."""
        lines = [repr(frame) for frame in peer.heard]
        self.texts[name] = self.texts.get(name, b"") + "\n".join([*lines, ""]).encode()

    # --- the search

    def search(self, place: Process) -> None:
        """Search everything that there is by now."""
        with open_store(str(place.db), read_only=True) as store:
            secrets = Secrets(store.read("T-1").entries, CODES.values())
        own = {"Alpha.jsonl": "Alpha", "Beta.jsonl": "Beta", "gamma": "Gamma"}
        texts = dict(self.texts)
        for file in self.folder.rglob("*"):
            if file.is_file() and file.name not in EXEMPT and file.suffix != ".code":
                texts[file.name] = file.read_bytes()
        for name, text in texts.items():
            seat = secrets.seats[own[name]] if name in own else None
            found = secrets.found_in(text, seat=seat, of_owner=name.endswith(".phhs"))
            self.found += [f"{name}: {what}" for what in found]
        self.searched += len(texts)
        self.secrets = max(self.secrets, len(secrets.words))

    # --- the whole of it

    async def beside(self, place: Process) -> None:
        """Run other commands during a match: verify it, export it, compare it with a record; examine a bot."""
        await self.run("verify", "verify", "arena.db", code=None)
        await self.run("verify-against", "verify", "arena.db", "--against", "Alpha.jsonl", "--json", code=None)
        await self.run("export", "export", "arena.db", "hands")
        await self.run("doctor", "doctor", "calling", code=None)
        await self.run("serve-again", "serve", "--db", "arena.db", "--port", "0", code=1)
        wrong = ("join", "calling", place.ws(), "--team", "Alpha", "--code", WRONG_CODE, "--give-up-after", "1")
        await self.run("join-wrong", *wrong, code=1)

    async def stand_still(self, place: Process, hand: int, *, alone: bool = False) -> None:
        """Take the test's seat, play until its turn in a hand, and search everything while that hand is open."""
        async with visit(place.ws()) as gamma, visit(place.watch()) as spectator:
            await gamma.hello("Gamma", CODES["Gamma"])
            await gamma.receive()
            await self.play(gamma, hand)
            while spectator.heard[-1:] == [] or spectator.heard[-1].get("hand_id", "")[-5:] != f"{hand:05d}":
                await spectator.receive()
            await self.err(place, gamma, spectator)
            if not alone:
                await self.beside(place)
            self.search(place)

    async def play_out(self, place: Process) -> None:
        """Play to the end of the match, and search for what stays secret then."""
        async with visit(place.ws()) as gamma:
            await gamma.hello("Gamma", CODES["Gamma"])
            await gamma.receive()
            await self.play(gamma, None)
        await self.beside(place)
        self.search(place)

    async def run_all(self) -> None:
        """A match that is killed, interrupted and played out."""
        with self.serve() as place, self.joined(place, "Alpha"), self.joined(place, "Beta") as beta:
            await self.stand_still(place, STOPPED_IN)
            beta.send_signal(signal.SIGINT)
            assert await asyncio.to_thread(beta.wait, BOUND) != 0
            place.kill()
        with self.serve() as place, self.joined(place, "Alpha"), self.joined(place, "Beta"):
            await self.stand_still(place, STOPPED_IN, alone=True)
            assert await asyncio.to_thread(place.interrupt) == 0
            self.search(place)
        with self.serve() as place, self.joined(place, "Alpha"), self.joined(place, "Beta"):
            await self.play_out(place)
            assert await asyncio.to_thread(place.end) == 0


@pytest.mark.slow
def test_no_output_frame_or_file_contains_a_secret_of_a_match(tmp_path: Path) -> None:
    match = ServedMatch(tmp_path, PITBOSS)
    within(match.run_all(), bound=300)
    assert match.found == []
    assert len(list((tmp_path / "hands").iterdir())) == 1
    names = {path.name for path in match.out.iterdir()}
    assert {"verify.out", "export.out", "join-wrong.out", "serve-again.out", "Alpha.out", "Beta.out"} <= names
    log = (tmp_path / "arena.db.log").read_text(encoding="utf-8")
    assert "'Gamma' takes seat" in log, "connections are logged"
    write_row("leak-search", texts_searched=match.searched, secrets=match.secrets)


@pytest.mark.slow
def test_planted_leaks_are_found(tmp_path: Path) -> None:
    async def scene() -> None:
        with match.serve() as place, match.joined(place, "Alpha"), match.joined(place, "Beta"):
            await match.stand_still(place, 1, alone=True)

    match = ServedMatch(tmp_path, (sys.executable, "-c", LEAKING))
    within(scene())
    found = "\n".join(match.found)
    assert "arena.db.log: the secret of H-" in found
    assert "arena.db.log: the code" in found
    assert "gamma: hidden cards of H-" in found
