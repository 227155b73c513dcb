"""Computes the average share of the pot that each open hand wins, after each event.

`spots_of` reads the messages of a hand and uses only the cards that they show. Equities are computed in a separate
process, so that they cannot delay the event loop: `python -m pitboss.arena.equities` reads one request and writes one
answer per line.
"""

import logging
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import suppress
from math import comb
from typing import Any

import msgspec
from msgspec import Struct

from pitboss.arena.bots.sandbox import LineHandler, LineProcess, ProcessDied, serve_lines
from pitboss.arena.wire.fields import EquityStep, SeatShare
from pitboss.arena.wire.messages import EventMessage, PublicMessage, Showdown
from pitboss.arena.wire.poker import find_variant
from pitboss.errors import PitbossError
from pitboss.fast.equity.equity import equity
from pitboss.hand.structure import Structure

log = logging.getLogger("pitboss.arena")

MODULE = "pitboss.arena.equities"
SECONDS = 1.0
"""Seconds for the spots of one hand.

Spots with few boards come first; spots that are not computed in time are left out.
"""
PATIENCE = 20.0
"""Seconds in which the process must answer, including its start."""
COUNTED, SAMPLES, FEWEST = 20_000, 2_400, 500
"""The maximum number of boards that are counted exactly if two hole cards must be used.

If there are more, a sample is used.
"""
MOST_WAITING = 32
"""The maximum number of waiting requests. More requests get no answer."""
REMEMBERED = 256
"""The number of answers that are cached."""
BOARD = ("FLOP", "TURN", "RIVER")


class EquitySpot(Struct, frozen=True):
    """The known cards from one event on: those of each seat that can win, or none if some of them are hidden."""

    seq: int
    variant: str
    hands: dict[int, str] = {}
    board: str = ""
    dead: str = ""


def spots_of(hand: Mapping[str, Any]) -> list[EquitySpot]:
    """Return the spots of a hand in the form that the page's viewer uses.

    A spot is valid until the event of the next spot.
    """
    start = hand["messages"][0]
    variant = start.get("variant") or hand["before"][0]["config"]["variant"]
    reader = _Reader(variant, [stack["seat"] for stack in start["stacks"] if stack["stack"] > 0])
    reader.held = {int(seat): list(cards) for seat, cards in (hand.get("cards") or {}).items()}
    for message in hand["messages"]:
        reader.take(message)
    return reader.spots


def run_out_spots(messages: Sequence[PublicMessage], variant: str) -> list[EquitySpot]:
    """Return the spots of a run-out in the messages about one action; empty if the action leads to no run-out."""
    shown = [message for message in messages if isinstance(message, Showdown)]
    if not shown or not any(getattr(message, "hands", ()) for message in messages if isinstance(message, EventMessage)):
        return []
    reader = _Reader(variant, [message.seat for message in shown])
    plain = [msgspec.to_builtins(message) for message in messages]
    dealt = sum(len(message.get("cards") or "1") for message in plain if message.get("ev") in BOARD)
    reader.board = list(shown[0].board[: len(shown[0].board) - dealt])
    for message in plain:
        reader.take(message)
    return reader.spots


class _Reader:
    """Reads the messages of one hand in order."""

    def __init__(self, variant: str, live: Iterable[int]) -> None:
        self.held: dict[int, list[str | None]] = {}
        self.board: list[str] = []
        self.spots: list[EquitySpot] = []
        self._variant, self._structure, self._live = variant, board_game(variant), set(live)
        self._seq = 0
        self._over = self._structure is None

    def take(self, message: Mapping[str, Any]) -> None:
        """Process a message."""
        if self._over:
            return
        ev = message.get("ev")
        before, self._seq = self._seq, message.get("seq", self._seq)
        if message["type"] == "held":
            self.held[message["seat"]] = list(message["cards"])
        elif ev == "FOLD":
            self._live.discard(message["seat"])
        elif ev == "RUN":
            self.board = [*message["board"]]
        elif ev in BOARD:
            if message.get("hands"):
                self.held |= {each["seat"]: list(each["cards"]) for each in message["hands"]}
                self._add(before or self._seq - 1)
            self.board += message["cards"] if "cards" in message else [message["card"]]
        elif ev in ("POT_AWARD", "HAND_VOIDED"):
            self._live, self._over = set(), True
        self._add(self._seq)

    def _add(self, seq: int) -> None:
        hands = {seat: self._whole(seat) for seat in sorted(self._live)}
        spot = EquitySpot(seq, self._variant)
        if len(hands) > 1 and all(hands.values()):
            dead = "".join([self._whole(seat) for seat in self.held if seat not in hands])
            spot = EquitySpot(seq, self._variant, hands, "".join(self.board), dead)
        last = self.spots[-1] if self.spots else None
        if (last is None and not spot.hands) or (last is not None and msgspec.structs.replace(last, seq=seq) == spot):
            return
        if last is not None and last.seq == seq:
            self.spots.pop()
        self.spots.append(spot)

    def _whole(self, seat: int) -> str:
        """Return the cards of a seat, if all of them are known."""
        cards = [card for card in self.held.get(seat, ()) if card is not None]
        return "".join(cards) if self._structure is not None and len(cards) == self._structure.streets[0].hole else ""


def board_game(variant: str) -> Structure | None:
    """Return the game if all hole cards are dealt at the start and only a board of five cards follows."""
    found = find_variant("HUNL" if variant == "NT" else variant)
    game = found[0] if len(found) == 1 else None
    if game is None or game.draws or game.faces or game.special_rules:
        return None
    return game if game.streets[0].hole == game.hole_by_street[-1] and game.board_by_street[-1] == 5 else None


def compute(spots: Iterable[EquitySpot], seconds: float = SECONDS) -> tuple[EquityStep, ...]:
    """Return the shares of each spot; empty if hands are hidden, cards are impossible or the time is up.

    >>> [step] = compute([EquitySpot(9, "NT", {0: "AhAd", 3: "KsKc"}, "2c3c4d")])
    >>> [(share.seat, share.share) for share in step.shares]
    [(0, 0.8687), (3, 0.1313)]
    """
    end, todo = time.monotonic() + seconds, list(spots)
    shares: dict[int, tuple[SeatShare, ...]] = {}
    for k in sorted(range(len(todo)), key=lambda k: -len(todo[k].board)):
        shares[k] = _shares(todo[k]) if time.monotonic() < end else ()
    return tuple([EquityStep(seq=spot.seq, shares=shares[k]) for k, spot in enumerate(todo)])


def _shares(spot: EquitySpot) -> tuple[SeatShare, ...]:
    game = board_game(spot.variant)
    if game is None or not spot.hands:
        return ()
    known = sum(map(len, (*spot.hands.values(), spot.board, spot.dead))) // 2
    boards = comb(len(game.deck) - known, max(0, 5 - len(spot.board) // 2))
    many = game.showdown[0].from_two and boards > COUNTED
    samples = max(FEWEST, SAMPLES // len(spot.hands)) if many else None
    try:
        hands = spot.hands.values()
        answer = equity(*hands, game=game, board=spot.board, dead=spot.dead, samples=samples, cores=1)
    except PitbossError:
        return ()
    return tuple(
        [SeatShare(seat=seat, share=round(share, 4)) for seat, share in zip(spot.hands, answer.equity, strict=True)]
    )


class EquityWorker:
    """Computes equities in a process that is started when first needed; an answer is empty if the process fails."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, "equities")
        self._process: LineProcess | None = None
        self._waiting = 0
        self._answers: dict[bytes, tuple[EquityStep, ...]] = {}

    def ask(self, spots: Sequence[EquitySpot], answered: Callable[[tuple[EquityStep, ...]], None]) -> None:
        """Compute equities and return at once; `answered` is called in the worker's thread."""
        if self._waiting < MOST_WAITING:
            self._waiting += 1
            self._pool.submit(self._do, spots, answered)

    def compute(self, spots: Sequence[EquitySpot]) -> tuple[EquityStep, ...]:
        """Compute equities and wait for them; do not call this in an event loop."""
        if not any(spot.hands for spot in spots) or self._waiting >= MOST_WAITING:
            return ()
        self._waiting += 1
        with suppress(CancelledError, RuntimeError):  # the worker is closed
            return self._pool.submit(self._do, spots, lambda steps: None).result()
        return ()

    def close(self) -> None:
        """End the process after its current answer."""
        if self._process is not None:
            self._process.kill_now()
        self._pool.shutdown(wait=True, cancel_futures=True)
        if self._process is not None:
            self._process.kill()

    def _do(
        self, spots: Sequence[EquitySpot], answered: Callable[[tuple[EquityStep, ...]], None]
    ) -> tuple[EquityStep, ...]:
        line = msgspec.json.encode(spots)
        steps = self._answers.get(line)
        try:
            if steps is None:
                steps = self._exchange(line)
                if len(self._answers) >= REMEMBERED:
                    self._answers.pop(next(iter(self._answers)))
                self._answers[line] = steps
        except (ProcessDied, OSError, msgspec.DecodeError) as error:
            log.warning("equities: the process %s", error)
            if self._process is not None:
                self._process.kill()
            self._process, steps = None, ()
        finally:
            self._waiting -= 1
        answered(steps)
        return steps

    def _exchange(self, line: bytes) -> tuple[EquityStep, ...]:
        if self._process is None:
            self._process = LineProcess(MODULE, say=lambda text: log.warning("equities: %s", text))
        return msgspec.json.decode(self._process.exchange(line, PATIENCE), type=tuple[EquityStep, ...])


def _answer(line: bytes) -> bytes:
    return msgspec.json.encode(compute(msgspec.json.decode(line, type=list[EquitySpot])))


def _begin(line: bytes) -> tuple[bytes, LineHandler | None]:
    with suppress(AttributeError, OSError):
        os.nice(10)  # the server has priority
    return _answer(line), _answer


if __name__ == "__main__":
    serve_lines(_begin)
