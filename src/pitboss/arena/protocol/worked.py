"""Two hands as one seat meets them, line by line: the beginning of a hand of razz, and of triple draw.

They are dealt from the examples' deck and played by the arena's own host, so that what the page shows is what is sent.
"""

from collections.abc import Sequence
from itertools import count

import msgspec

from pitboss.arena.hosts.games import make_host
from pitboss.arena.hosts.poker import PokerHost
from pitboss.arena.journal.commitment import public_number
from pitboss.arena.journal.records import HandStarted, Settings
from pitboss.arena.protocol.examples import SECRET
from pitboss.arena.v1 import messages as m
from pitboss.arena.v1.answers import Answer, call, check, draw, raise_to, read_answer

TIME_MS = 15_000

RAZZ: tuple[Answer, ...] = (call(), raise_to(100), call(), call(), raise_to(100), call())
"""Seat 2 shows the highest card and brings it in; seat 0 completes, both others call, and it bets on."""
TRIPLE_DRAW: tuple[Answer, ...] = (call(), check(), draw(["Ah", "Kh"]), draw(["Qc", "Qs", "Ad"]))
"""Seat 1 keeps 7 6 2 and changes two cards, seat 0 changes three."""


def worked(game: str, seats: int, you: int, line: Sequence[Answer]) -> list[str]:
    """What one seat is sent (`<`) and sends (`>`) of a hand in which all answer as told, up to its next question."""
    host, hand_id, number = make_host(Settings(game=game, seats=seats)), "H-2025-10-17-00001", count(1)
    assert isinstance(host, PokerHost)
    for seat in range(seats):
        host.sit(seat, 10_000)
    new = host.start(SECRET)
    started = HandStarted(
        number=1,
        hand_id=hand_id,
        secret=SECRET.hex(),
        deck=new.deck,
        button=new.button,
        stacks=new.stacks,
        seq=1,
        events=new.events,
    )
    commit = host.commit(started)
    stacks = tuple(m.SeatStack(seat=seat, stack=stack) for seat, stack in new.stacks.items())
    first = m.StartHand(
        hand_id=hand_id,
        seed=public_number(commit),
        button=new.button,
        stacks=stacks,
        commit=commit,
        seq=next(number),
    )
    lines = [_line("<", message) for message in (first, *host.messages(started, lambda: next(number)))]
    for turn, answer in enumerate(line, 1):
        act = host.question(hand_id, turn, TIME_MS)
        action = read_answer(answer, act)
        if act.seat == you:
            lines += [_line("<", act), _line(">", action)]
        messages = host.messages(host.answer(act.seat, action), lambda: next(number))
        lines += [_line("<", message) for message in messages]
    return [*lines, _line("<", host.question(hand_id, len(line) + 1, TIME_MS))]


def _line(direction: str, message: m.ClientMessage | m.ServerMessage) -> str:
    """A message on a line; what is only long is cut."""
    fields = msgspec.json.decode(m.write(message))
    head = {name: fields[name] for name in ("type", "v", "ev") if name in fields}
    cut = {name: "…" for name in ("commit", "opened") if name in fields}
    return f"{direction} {msgspec.json.encode(head | fields | cut).decode()}"
