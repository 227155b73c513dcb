"""Hands as one seat meets them, line by line: the beginning of one of razz and of triple draw, and a game of Leduc.

They are dealt from the examples' deck and played by the arena's own hosts, so that what the page shows is what is sent.
"""

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

import msgspec

from pitboss.arena.hosts.games import make_host
from pitboss.arena.hosts.moves import MovesHost
from pitboss.arena.hosts.poker import PokerHost
from pitboss.arena.journal.commitment import public_number
from pitboss.arena.journal.records import HandStarted, Settings
from pitboss.arena.protocol.examples import SECRET
from pitboss.arena.v1 import messages as m
from pitboss.arena.v1.answers import Answer, call, check, draw, raise_to, read_answer

TIME_MS = 15_000
HAND_ID = "H-2025-10-17-00001"

RAZZ: tuple[Answer, ...] = (call(), raise_to(100), call(), call(), raise_to(100), call())
"""Seat 2 shows the highest card and brings it in; seat 0 completes, both others call, and it bets on."""
TRIPLE_DRAW: tuple[Answer, ...] = (call(), check(), draw(["Ah", "Kh"]), draw(["Qc", "Qs", "Ad"]))
"""Seat 1 keeps 7 6 2 and changes two cards, seat 0 changes three."""


LEDUC: tuple[str, ...] = ("check", "bet", "call", "check", "bet", "call")
"""Seat 1 has the first place; it checks and calls, and both show a queen."""


def worked(game: str, seats: int, you: int, line: Sequence[Answer]) -> list[str]:
    """What one seat is sent (`<`) and sends (`>`) of a hand in which all answer as told, up to its next question."""
    host, number = make_host(Settings(game=game, seats=seats)), count(1)
    assert isinstance(host, PokerHost)
    hand_id, lines = HAND_ID, _begun(host, seats, 10_000, number)
    for turn, answer in enumerate(line, 1):
        act = host.question(hand_id, turn, TIME_MS)
        action = read_answer(answer, act)
        if act.seat == you:
            lines += [_line("<", act), _line(">", action)]
        messages = host.messages(host.answer(act.seat, action), lambda: next(number))
        lines += [_line("<", message) for message in messages]
    return [*lines, _line("<", host.question(hand_id, len(line) + 1, TIME_MS))]


def worked_moves(game: str, seats: int, you: int, line: Sequence[Any]) -> list[str]:
    """The same of a whole game that is no poker; what a later question has learned is the events before it."""
    host, number = make_host(Settings(game=game, seats=seats)), count(1)
    assert isinstance(host, MovesHost)
    lines, asked = _begun(host, seats, 100, number), 0
    for turn, move in enumerate(line, 1):
        seat = host.asked
        assert seat is not None
        message = m.MoveMessage(v=1, hand_id=HAND_ID, move=move, turn=turn)
        if seat == you:
            lines += [_line("<", host.question(HAND_ID, turn, TIME_MS), *["learned"][: asked > 0]), _line(">", message)]
            asked += 1
        lines += [_line("<", sent) for sent in host.messages(host.answer(seat, message), lambda: next(number))]
    assert host.result is not None, "the game is over"
    stacks = tuple(m.SeatStack(seat=seat, stack=host.result[seat]) for seat in sorted(host.result))
    return [*lines, _line("<", m.EndHand(hand_id=HAND_ID, stacks=stacks, chain="0" * 64, seq=next(number)), "chain")]


def _begun(host: PokerHost | MovesHost, seats: int, stack: int, number: Iterator[int]) -> list[str]:
    """What everybody is sent of a hand's beginning."""
    for seat in range(seats):
        host.sit(seat, stack)
    new = host.start(SECRET)
    started = HandStarted(
        number=1,
        hand_id=HAND_ID,
        secret=SECRET.hex(),
        deck=new.deck,
        button=new.button,
        stacks=new.stacks,
        seq=1,
        events=new.events,
    )
    commit = host.commit(started)
    first = m.StartHand(
        hand_id=HAND_ID,
        seed=public_number(commit),
        button=new.button,
        stacks=tuple(m.SeatStack(seat=seat, stack=chips) for seat, chips in new.stacks.items()),
        commit=commit,
        seq=next(number),
    )
    return [_line("<", message) for message in (first, *host.messages(started, lambda: next(number)))]


def _line(direction: str, message: m.ClientMessage | m.ServerMessage, *more: str) -> str:
    """A message on a line; what is only long is cut."""
    fields = msgspec.json.decode(m.write(message))
    head = {name: fields[name] for name in ("type", "v", "ev") if name in fields}
    cut = {name: "…" for name in ("commit", "opened", *more) if name in fields}
    return f"{direction} {msgspec.json.encode(head | fields | cut).decode()}"
